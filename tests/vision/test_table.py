"""Cards over time, on drawn frames and with a reader that knows the truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from vision.camera import Frame
from vision.events import CardLaid, CardMoved, CardReread, CardSighting, CardsTaken, HandGone, HandSeen
from vision.table import TableWatcher

WIDTH, HEIGHT, RATE = 640, 360, 10


def quad_at(x: float, y: float, w: float = 40, h: float = 60) -> np.ndarray:
    return np.float32([[x - w / 2, y - h / 2], [x + w / 2, y - h / 2], [x + w / 2, y + h / 2], [x - w / 2, y + h / 2]])


@dataclass
class Stage:
    """A drawn table: cards by name and place, an arm, and the reader's knowledge of both."""

    cards: dict[str, tuple[float, float]] = field(default_factory=dict)
    arm: tuple[tuple[int, int], tuple[int, int]] | None = None
    confidence: float = 0.97
    mute: set[str] = field(default_factory=set)
    light: float = 1.0
    reads: int = 0
    t: float = 0.0
    frames: int = 0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def __post_init__(self) -> None:
        grain = cv2.GaussianBlur(self.rng.normal(0, 30, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 3)
        self.table = np.clip(np.float32([40, 80, 120]) + grain[..., None], 0, 255)

    def draw(self) -> np.ndarray:
        im = self.table.astype(np.uint8)
        for name, (x, y) in self.cards.items():
            q = quad_at(x, y)
            cv2.fillConvexPoly(im, np.int32(q), (235, 235, 235))
            cv2.putText(im, name, (int(x) - 14, int(y) + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 2)
        if self.arm:
            cv2.line(im, *self.arm, (120, 150, 210), 34)
        im = im * self.light + self.rng.normal(0, 2, im.shape)
        return np.clip(im, 0, 255).astype(np.uint8)

    def frame(self) -> Frame:
        frame = Frame(round(self.t, 3), self.draw(), self.frames)
        self.t += 1 / RATE
        self.frames += 1
        return frame

    # the reader
    def _see(self, name: str, place: tuple[float, float]) -> CardSighting:
        quad = tuple(map(tuple, quad_at(*place).tolist()))
        if name in self.mute:
            return CardSighting(None, 0.3, quad, ((name, 0.3),))
        return CardSighting(name, self.confidence, quad, ((name, self.confidence),))

    def _covered(self, place: tuple[float, float]) -> bool:
        if not self.arm:
            return False
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        cv2.line(mask, *self.arm, 1, 34)
        x, y = map(int, place)
        return bool(mask[y - 30 : y + 30, x - 20 : x + 20].any())

    def read(self, image: np.ndarray) -> list[CardSighting]:
        return [self._see(n, p) for n, p in self.cards.items()]

    def find_in(self, image: np.ndarray, box: tuple[int, int, int, int]) -> list[CardSighting]:
        self.reads += 1
        x0, y0, x1, y1 = box
        return [
            self._see(n, (x, y))
            for n, (x, y) in self.cards.items()
            if x0 <= x - 20 and x + 20 <= x1 and y0 <= y - 30 and y + 30 <= y1 and not self._covered((x, y))
        ]

    def read_quads(self, image: np.ndarray, quads: np.ndarray) -> list[CardSighting]:
        out = []
        for q in quads:
            x, y = q.mean(0)
            name = min(self.cards, key=lambda n: abs(self.cards[n][0] - x) + abs(self.cards[n][1] - y))
            out.append(self._see(name, self.cards[name]))
        return out


def run(stage: Stage, watcher: TableWatcher, seconds: float) -> list:
    events = []
    for _ in range(round(seconds * RATE)):
        events += watcher.accept(stage.frame())
    return events


def only(events: list, kind: type) -> list:
    return [e for e in events if isinstance(e, kind)]


def test_a_laid_card_is_reported_once_with_place_and_time() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    assert run(stage, watcher, 1) == []
    stage.cards["7h"] = (320, 260)
    laid = only(run(stage, watcher, 2), CardLaid)
    assert [(e.card, e.zone) for e in laid] == [("7h", 1)]
    assert abs(laid[0].t - 1.0) <= 0.15
    assert 0 < laid[0].decided - laid[0].t <= 0.5


@pytest.mark.parametrize(("x", "y", "seat"), [(320, 270, 1), (220, 180, 2), (320, 90, 3), (420, 180, 4)])
def test_the_zone_is_that_of_the_seat_before_which_it_lies(x: int, y: int, seat: int) -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["9s"] = (x, y)
    assert [e.zone for e in only(run(stage, watcher, 1), CardLaid)] == [seat]


def test_a_card_in_motion_is_not_reported() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    events = []
    for x in range(60, 560, 25):
        stage.cards["Ks"] = (x, 180)
        events += watcher.accept(stage.frame())
    assert only(events, CardLaid) == []


def test_taken_cards_are_reported_and_may_come_back_in_another_round() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards.update({"7h": (320, 270), "8s": (320, 90)})
    tracks = {e.track for e in only(run(stage, watcher, 1), CardLaid)}
    stage.cards.clear()
    taken = only(run(stage, watcher, 1), CardsTaken)
    assert {t for e in taken for t in e.tracks} == tracks
    assert len(tracks) == 2
    stage.cards["7h"] = (320, 270)
    again = only(run(stage, watcher, 1), CardLaid)
    assert len(again) == 1
    assert again[0].track not in tracks


def test_a_card_covered_by_an_arm_is_not_taken() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["7h"] = (320, 250)
    run(stage, watcher, 1)
    stage.arm = ((320, 359), (320, 200))
    events = run(stage, watcher, 1.5)
    stage.arm = None
    events += run(stage, watcher, 1)
    assert only(events, CardsTaken) == []
    assert only(events, CardLaid) == []


def test_an_arm_is_given_to_the_seat_it_comes_from() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.arm = ((639, 180), (560, 180))
    events = run(stage, watcher, 0.6)
    stage.arm = None
    events += run(stage, watcher, 0.6)
    assert [e.seat for e in only(events, HandSeen)] == [4]
    gone = only(events, HandGone)
    assert [e.seat for e in gone] == [4]
    assert abs(gone[0].t - 1.0) <= 0.11


def test_a_pushed_card_is_moved_not_laid_again() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["Ad"] = (320, 250)
    laid = only(run(stage, watcher, 1), CardLaid)
    stage.cards["Ad"] = (300, 215)
    events = run(stage, watcher, 1.5)
    moved = only(events, CardMoved)
    assert [e.track for e in moved] == [laid[0].track]
    assert only(events, CardLaid) == []


def test_a_card_laid_on_another_replaces_it() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["7h"] = (320, 250)
    first = only(run(stage, watcher, 1), CardLaid)
    stage.cards.clear()
    stage.cards["Qs"] = (322, 251)
    events = run(stage, watcher, 1)
    assert [e.card for e in only(events, CardLaid)] == ["Qs"]
    assert [e.tracks for e in only(events, CardsTaken)] == [(first[0].track,)]


def test_what_is_no_card_is_looked_at_a_few_times_and_then_left_alone() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    cv2.circle(stage.table, (200, 100), 30, (200, 200, 60), -1)
    assert only(run(stage, watcher, 4), CardLaid) == []
    reads = stage.reads
    run(stage, watcher, 2)
    assert stage.reads == reads


def test_a_card_that_cannot_be_read_is_reported_as_unread_and_read_later() -> None:
    stage, watcher = (s := Stage(mute={"10c"})), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["10c"] = (320, 250)
    laid = only(run(stage, watcher, 1.5), CardLaid)
    assert [(e.card, e.guesses[0][0]) for e in laid] == [(None, "10c")]
    stage.mute.clear()
    reread = only(run(stage, watcher, 2), CardReread)
    assert [(e.track, e.card) for e in reread] == [(laid[0].track, "10c")]


def test_cards_that_lie_there_from_the_start_are_reported_at_the_start() -> None:
    stage, watcher = (s := Stage(cards={"7h": (320, 250)})), TableWatcher(s)
    events = run(stage, watcher, 1)
    assert [(e.card, e.t) for e in only(events, CardLaid)] == [("7h", 0.0)]
    stage.cards.clear()
    taken = only(run(stage, watcher, 3), CardsTaken)
    assert [e.tracks for e in taken] == [(1,)]


def test_flickering_exposure_is_no_change() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.cards["7h"] = (320, 250)
    run(stage, watcher, 1)
    reads = stage.reads
    for k in range(30):
        stage.light = 1 + 0.06 * np.sin(k)
        assert watcher.accept(stage.frame()) == []
    assert stage.reads == reads


def test_the_light_is_switched_and_the_table_goes_on() -> None:
    stage, watcher = (s := Stage()), TableWatcher(s)
    run(stage, watcher, 0.5)
    stage.table = np.clip(stage.table * np.float32([1.9, 1.5, 1.1]) + 20, 0, 255)
    assert only(run(stage, watcher, 3), CardLaid) == []
    stage.cards["7h"] = (320, 250)
    assert [e.card for e in only(run(stage, watcher, 1), CardLaid)] == ["7h"]


def test_the_same_frames_give_the_same_events() -> None:
    def play() -> list:
        stage, watcher = (s := Stage(confidence=0.7)), TableWatcher(s)
        events = run(stage, watcher, 0.5)
        stage.cards["7h"] = (320, 250)
        events += run(stage, watcher, 1)
        stage.cards.clear()
        return events + run(stage, watcher, 1)

    assert play() == play()
