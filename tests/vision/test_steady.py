"""A bumped camera: noticed, said, found again; arms, cards and lamps are no bump; nothing outside the table is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from vision import steady
from vision.anchor import Anchor
from vision.camera import Frame, Image
from vision.events import CameraBack, CameraLost, Quad, TableObservation
from vision.seats import DEFAULT_PLACES, Corners, SeatMap
from vision.steady import SteadyEyes, fitted

WIDTH, HEIGHT = 640, 360
FPS = 5


class Noting:
    """A watcher that only notes what it is shown."""

    def __init__(self) -> None:
        self.seat_map: SeatMap | None = SeatMap.default(4, WIDTH, HEIGHT)
        self.shown: list[Frame] = []

    @property
    def cards(self) -> tuple[tuple[int, str | None, Quad], ...]:
        return ()

    def follows(self, frame: Frame) -> bool:
        return False

    def accept(self, frame: Frame) -> list[TableObservation]:
        self.shown.append(frame)
        return []


def table_top(seed: int = 1) -> Image:
    """A table of cloth with a few things on it."""
    rng = np.random.default_rng(seed)
    weave = cv2.GaussianBlur(rng.normal(0, 60, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 1.5)
    image = np.clip(weave[..., None] + np.array([70, 110, 60], np.float32), 0, 255).astype(np.uint8)
    for x, y in ((520, 60), (300, 200), (120, 260)):
        cv2.rectangle(image, (x, y), (x + 36, y + 52), (225, 225, 225), -1)
        cv2.rectangle(image, (x + 6, y + 8), (x + 20, y + 30), (40, 30, 160), -1)
    return image


def film(seconds: float, show: Callable[[float], Image], noise: float = 2.0, seed: int = 3) -> Iterator[Frame]:
    rng = np.random.default_rng(seed)
    for index in range(round(seconds * FPS)):
        t = index / FPS
        grain = rng.normal(0, noise, (HEIGHT, WIDTH, 3))
        yield Frame(t, np.clip(show(t) + grain, 0, 255).astype(np.uint8), index)


def camera_at(shift: float = 0.0, turn: float = 0.0, zoom: float = 1.0) -> np.ndarray:
    """A place of the camera: shift in picture widths to the right, turn in degrees."""
    place = np.vstack([cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), turn, zoom), [0, 0, 1]])
    place[0, 2] += shift * WIDTH
    return np.asarray(place)


def seen_from(image: Image, place: np.ndarray) -> Image:
    return np.asarray(cv2.warpPerspective(image, place, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT), np.uint8)


def off_by(found: np.ndarray | None, place: np.ndarray) -> float:
    """Mean distance over the picture, in pixels."""
    grid = np.stack(np.meshgrid(np.linspace(0, WIDTH, 5), np.linspace(0, HEIGHT, 5)), -1).reshape(-1, 1, 2)
    here = grid if found is None else cv2.perspectiveTransform(grid, found)
    return float(np.linalg.norm(here - cv2.perspectiveTransform(grid, place), axis=2).mean())


def watch(frames: Iterator[Frame], eyes: SteadyEyes) -> list[TableObservation]:
    return [seen for frame in frames for seen in eyes.accept(frame)]


@pytest.mark.parametrize(
    ("shift", "turn", "zoom"), [(0.03, 0, 1), (0, 2, 1), (0, 0, 1.05), (-0.12, -6, 0.95), (0.2, 0, 1)]
)
def test_a_bumped_camera_is_noticed_within_two_seconds_and_the_table_found_again(
    shift: float, turn: float, zoom: float
) -> None:
    top, place = table_top(), camera_at(shift, turn, zoom)
    watcher = Noting()
    eyes = SteadyEyes(watcher)
    said = watch(film(8, lambda t: top if t < 4 else seen_from(top, place)), eyes)
    lost, back = said
    assert isinstance(lost, CameraLost)
    assert lost.reason == "moved"
    assert lost.t == pytest.approx(4)
    assert lost.decided < 6
    assert isinstance(back, CameraBack)
    assert back.t < 6
    assert off_by(eyes.place, place) < 2
    assert not [f for f in watcher.shown if 4 <= f.t < back.t], "a picture of a moving camera was read"
    # what the watcher is shown is the table from the old place, also where the camera sees it no more
    apart = cv2.absdiff(watcher.shown[-1].image, top)
    assert float((cv2.blur(apart, (5, 5)).max(2) > 40).mean()) < 0.02


def test_after_the_bump_arms_come_in_where_the_camera_s_sight_ends() -> None:
    top, place = table_top(), camera_at(0.1)
    watcher = Noting()
    watch(film(7, lambda t: top if t < 4 else seen_from(top, place)), SteadyEyes(watcher))
    assert watcher.seat_map is not None
    sight = watcher.seat_map.play_zone(WIDTH, HEIGHT)
    assert sight[:, : int(0.88 * WIDTH)].all()
    assert not sight[:, int(0.92 * WIDTH) :].any()


def test_a_camera_that_is_pushed_back_is_found_where_it_was() -> None:
    top, place = table_top(), camera_at(0.05, 3)
    eyes = SteadyEyes(Noting())
    said = watch(film(12, lambda t: seen_from(top, place) if 4 <= t < 8 else top), eyes)
    assert [type(s) for s in said] == [CameraLost, CameraBack] * 2
    assert off_by(eyes.place, np.eye(3)) < 1.5


def test_arms_cards_and_lamps_are_no_bump() -> None:
    top = table_top()

    def show(t: float) -> Image:
        image = top.copy()
        for k in range(4):
            cv2.rectangle(image, (60 + 60 * k, 60), (96 + 60 * k, 112), (230, 230, 230), -1)
            if t < 2 + k:
                image[55:120, 55 + 60 * k : 100 + 60 * k] = top[55:120, 55 + 60 * k : 100 + 60 * k]
        reach = int(200 * abs(np.sin(1.3 * t)))
        cv2.rectangle(image, (250, HEIGHT - reach), (330, HEIGHT), (120, 150, 200), -1)
        cv2.rectangle(image, (0, 150), (reach, 210), (90, 110, 170), -1)
        return np.asarray(np.clip(image * (0.6 if t > 6 else 1.0), 0, 255), np.uint8)

    watcher = Noting()
    assert watch(film(10, show), SteadyEyes(watcher)) == []
    assert len(watcher.shown) == 10 * FPS


def test_a_table_that_cannot_be_found_again_is_not_read_and_the_players_are_told_once() -> None:
    """The camera fell and looks at the wall."""
    top, wall = table_top(), table_top(9)[::-1, ::-1].copy()
    watcher = Noting()
    said = watch(film(9, lambda t: top if t < 4 else wall), SteadyEyes(watcher))
    assert [type(s) for s in said] == [CameraLost]
    assert said[0].t == pytest.approx(4)
    assert said[0].decided <= 6
    assert watcher.shown[-1].t < 4


def test_a_hand_on_the_lens_is_no_bump() -> None:
    top = table_top()
    skin = np.full((HEIGHT, WIDTH, 3), (90, 110, 170), np.uint8)
    watcher = Noting()
    said = watch(film(10, lambda t: skin if 4 <= t < 7 else top), SteadyEyes(watcher))
    assert [type(s) for s in said] == [CameraLost, CameraBack]
    assert isinstance(said[0], CameraLost)
    assert said[0].reason == "covered"
    assert said[1].t == pytest.approx(7)


def test_without_a_profile_another_cloth_is_taken_as_it_is_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady, "GIVE_UP", 4.0)
    top, other = table_top(), table_top(5)[:, ::-1].copy()
    watcher = Noting()
    said = watch(film(11, lambda t: top if t < 3 else other, noise=1), SteadyEyes(watcher))
    assert [type(s) for s in said] == [CameraLost, CameraBack]
    assert watcher.shown[-1].t > 10


CORNERS: Corners = ((180.0, 60.0), (470.0, 70.0), (560.0, 320.0), (90.0, 310.0))


def calibrated(width: int, height: int) -> SeatMap:
    corners = tuple((x * width / WIDTH, y * width / WIDTH) for x, y in CORNERS)
    return SeatMap.on_table(DEFAULT_PLACES[4], width, height, corners)  # type: ignore[arg-type]


def test_no_pixel_outside_the_table_reaches_anybody() -> None:
    top = table_top()
    outside = ~calibrated(WIDTH, HEIGHT).play_zone(WIDTH, HEIGHT)
    rng = np.random.default_rng(4)

    def noisy(t: float) -> Image:
        image = top.copy()
        image[outside] = rng.integers(0, 256, (int(outside.sum()), 3))  # hidden hands, faces, a television
        return image

    plain, crowded = Noting(), Noting()
    said = [
        watch(film(3, show, noise=0), SteadyEyes(watcher, calibrated, top))
        for watcher, show in ((plain, lambda t: top), (crowded, noisy))
    ]
    assert said == [[], []]
    assert len(plain.shown) == len(crowded.shown) == 3 * FPS
    for one, other in zip(plain.shown, crowded.shown, strict=True):
        assert (one.image == other.image).all()
        assert (other.image[outside] == crowded.shown[0].image[outside]).all()


@pytest.mark.parametrize("size", [(640, 360), (1280, 720)])
def test_a_calibrated_camera_that_stands_elsewhere_today_is_found_without_a_word(size: tuple[int, int]) -> None:
    top, place = table_top(), camera_at(0.08, 3)
    today = seen_from(top, place)
    watcher = Noting()
    eyes = SteadyEyes(watcher, calibrated, top)
    frames = (Frame(f.t, np.asarray(cv2.resize(f.image, size), np.uint8), f.index) for f in film(3, lambda t: today))
    assert watch(frames, eyes) == []
    assert watcher.shown
    assert eyes.place is not None
    scale = size[0] / WIDTH
    found = np.diag([1 / scale, 1 / scale, 1]) @ eyes.place @ np.diag([scale, scale, 1])
    assert off_by(found, place) < 2


def test_another_table_than_the_calibrated_one_is_never_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady, "GIVE_UP", 3.0)
    watcher = Noting()
    other = table_top(11)[::-1].copy()
    said = watch(film(7, lambda t: other, noise=1), SteadyEyes(watcher, calibrated, table_top()))
    assert [type(s) for s in said] == [CameraLost]
    assert watcher.shown == []


def test_a_bare_white_table_says_nothing_and_alarms_nobody() -> None:
    bare = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
    watcher = Noting()
    assert watch(film(5, lambda t: bare), SteadyEyes(watcher)) == []
    assert len(watcher.shown) == 5 * FPS
    assert not Anchor(bare).cells(bare).enough


def test_a_plain_table_whose_cards_are_taken_up_has_not_moved() -> None:
    """Only the cards show any detail there, and they are what is taken away."""
    bare = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    rng = np.random.default_rng(4)
    places = [(150, 60), (300, 30), (450, 60), (300, 230)]
    laid = bare.copy()
    for x, y in places:
        laid[y : y + 100, x : x + 70] = rng.integers(60, 250, (100, 70, 1), np.uint8)

    class Knowing(Noting):
        @property
        def cards(self) -> tuple[tuple[int, str | None, Quad], ...]:
            def quad(x: int, y: int) -> Quad:
                return ((x, y), (x + 70, y), (x + 70, y + 100), (x, y + 100))

            there = bool(self.shown) and 1 <= self.shown[-1].t < 5
            return tuple((n, None, quad(x, y)) for n, (x, y) in enumerate(places)) if there else ()

    watcher = Knowing()
    assert watch(film(9, lambda t: laid if 1 <= t < 5 else bare), SteadyEyes(watcher)) == []
    assert len(watcher.shown) == 9 * FPS


def test_a_slowly_sinking_camera_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady, "CREEP", 3.0)
    top = table_top()
    eyes = SteadyEyes(Noting())
    end = camera_at(0.03)
    said = watch(film(20, lambda t: seen_from(top, camera_at(0.03 * min(1.0, t / 16))), noise=1), eyes)
    assert off_by(eyes.place, end) < 0.02 * WIDTH
    assert not [s for s in said if isinstance(s, CameraLost) and s.reason != "moved"]


def test_a_picture_of_another_size_is_brought_to_the_known_one() -> None:
    image = np.full((100, 200, 3), 7, np.uint8)
    assert fitted(image, 400, 300).shape == (300, 400, 3)
    assert fitted(image, 400, 300)[250:].max() == 0
    assert fitted(image, 100, 40).shape == (40, 100, 3)


def test_a_table_calibrated_in_the_middle_of_play_is_looked_at_from_the_next_picture_on() -> None:
    top = table_top()
    watcher = Noting()
    eyes = SteadyEyes(watcher)
    told: list[TableObservation] = []
    frames = list(film(6.0, lambda t: top))
    for frame in frames[:15]:
        told += eyes.accept(frame)
    corners: Corners = ((80.0, 40.0), (560.0, 40.0), (600.0, 340.0), (40.0, 340.0))
    seats = SeatMap.on_table(DEFAULT_PLACES[4], WIDTH, HEIGHT, corners)
    eyes.settle(lambda w, h: seats, top)
    assert eyes.view is None
    assert eyes.zone is None
    for frame in frames[15:]:
        told += eyes.accept(frame)
    assert told == [], "the camera stands where it stood: nobody is told of a bump"
    assert len(watcher.shown) == len(frames), "no picture is held back"
    assert watcher.seat_map == seats
    assert eyes.zone is not None
    beside = ~eyes.zone
    before, after = watcher.shown[14].image, watcher.shown[-1].image
    assert not np.array_equal(before[beside], frames[-1].image[beside])
    assert np.array_equal(after[beside], watcher.shown[15].image[beside]), "beside the table nothing is looked at"
