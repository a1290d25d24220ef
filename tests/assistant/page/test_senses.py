"""What the machine sees and hears, shown to whoever sets up: only while somebody looks, and only what the eyes see."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest
from fake_feed import FakeFeed
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from assistant.acts import Action, Notice, Question
from assistant.announcer import Announcer
from assistant.page.access import Access
from assistant.page.clerk import Clerk
from assistant.page.feed import Feed
from assistant.page.page import Page
from assistant.page.senses import Senses
from assistant.page.senses.heard import LatelyHeard
from assistant.page.senses.level import Meter, level_of
from assistant.page.senses.onlooker import Onlooker
from assistant.page.senses.passing import Passing
from assistant.page.senses.picture import zones
from assistant.page.senses.senses import MOST, PICTURES
from assistant.page.server import create_app
from assistant.session import NoViewer, Referee, looked_at, run_files
from assistant.testing import place_of
from audio.events import Knock, Phrase
from engine import Event, Game, Header
from vision.camera import Frame
from vision.events import CardLaid, HandGone, HandSeen, Quad, TableObservation
from vision.seats import SeatMap

QUAD: Quad = ((100.0, 90.0), (150.0, 90.0), (150.0, 160.0), (100.0, 160.0))


def frame(t: float, width: int = 1920, colour: int = 90) -> Frame:
    return Frame(t, np.full((width * 9 // 16, width, 3), colour, np.uint8), int(t * 25))


@dataclass
class Eyes:
    """Eyes that look at the left half alone, and see one card there."""

    cards: tuple[Any, ...] = ((7, "7h", QUAD),)
    view: Frame | None = None
    seat_map: SeatMap | None = None
    asked: int = 0

    def accept(self, frame: Frame) -> list[TableObservation]:
        image = frame.image.copy()
        image[:, image.shape[1] // 2 :] = 0
        self.view = Frame(frame.t, image, frame.index)
        self.seat_map = SeatMap.default(4, image.shape[1], image.shape[0])
        return [CardLaid(frame.t, frame.t, 7, "7h", 0.97, 1, QUAD, 1)] if frame.index == 25 else []


@dataclass
class Ears:
    expected: Any = None

    def accept(self, samples: Any) -> list[Any]:
        return []

    def finish(self) -> list[Any]:
        return []

    def expect(self, verbs: frozenset[str] | None) -> None:
        self.expected = verbs


@dataclass
class Clock:
    t: float = 100.0

    def __call__(self) -> float:
        return self.t


@dataclass
class Looking:
    """Senses whose thread a test is."""

    clock: Clock = field(default_factory=Clock)
    works: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.senses = Senses(now=self.clock, thread=self.works.append)
        self.eyes = self.senses.beside_eyes(Eyes())
        self.ears = self.senses.beside_ears(Ears())
        assert self.eyes is not None
        assert self.ears is not None

    def look(self) -> Onlooker:
        one = self.senses.enter(lambda: None)
        assert one is not None
        return one

    def passes(self, t: float) -> None:
        assert self.eyes is not None
        self.eyes.accept(frame(t))


def unpacked(message: bytes) -> tuple[dict[str, Any], np.ndarray]:
    (length,) = struct.unpack(">I", message[:4])
    image = cv2.imdecode(np.frombuffer(message[4 + length :], np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return json.loads(message[4 : 4 + length]), image


def told(one: Onlooker, kind: str) -> list[dict[str, Any]]:
    texts, _levels, _picture = one.take()
    return [found for found in map(json.loads, texts) if found["type"] == kind]


# -- off until somebody looks --------------------------------------------------------------------------------


def test_nothing_is_held_or_computed_while_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Looking()

    def never(*_: object, **__: object) -> None:
        raise AssertionError("computed though nobody looks")

    monkeypatch.setattr("assistant.page.senses.senses.jpeg", never)
    monkeypatch.setattr(Meter, "levels", never)
    monkeypatch.setattr(LatelyHeard, "rows", never)
    monkeypatch.setattr("assistant.page.senses.beside.BesideEyes._lying", never)
    table.passes(1.0)
    assert table.ears is not None
    table.ears.accept(np.ones(1600, np.float32))
    table.senses.observed(Knock(1.0, 1.2, 0.9, 1, 1))
    table.senses.stepped(1.0)
    assert table.senses.passing.newest() is None
    assert table.senses.passing.heard_since(0)[1].size == 0
    assert not table.works


def test_when_the_last_one_has_gone_nothing_is_left_and_the_thread_ends() -> None:
    table = Looking()
    one, other = table.look(), table.look()
    assert len(table.works) == 1
    table.passes(1.0)
    table.senses.leave(one)
    assert table.senses.passing.newest() is not None
    table.senses.leave(other)
    assert table.senses.passing.newest() is None
    table.works[0]()  # comes back at once
    again = table.look()
    assert len(table.works) == 2
    table.senses.step()
    assert again.take()[2] is None


def test_only_so_many_look_at_once() -> None:
    table = Looking()
    lookers = [table.look() for _ in range(MOST)]
    assert table.senses.enter(lambda: None) is None
    table.senses.leave(lookers[0])
    assert table.senses.enter(lambda: None) is not None


# -- the picture ---------------------------------------------------------------------------------------------


def test_the_picture_is_what_the_eyes_looked_at_and_small() -> None:
    table = Looking()
    one = table.look()
    table.passes(2.0)
    table.senses.observed(CardLaid(2.0, 2.0, 7, "7h", 0.97, 1, QUAD, 1))
    table.senses.observed(HandSeen(2.0, 2.0, 3))
    table.senses.step()
    message = one.take()[2]
    assert message is not None
    header, image = unpacked(message)
    assert image.shape == (540, 960, 3)
    assert abs(int(image[270, 100].mean()) - 90) < 4
    assert image[270, 900].mean() < 4  # what the eyes did not look at
    assert (header["width"], header["height"], header["hands"]) == (960, 540, [3])
    [card] = header["cards"]
    assert (card["track"], card["card"], card["p"], card["counted"]) == (7, "7h", 0.97, None)
    assert card["quad"][0] == [round(100 / 1920, 4), round(90 / 1080, 4)]
    assert {seat["seat"] for seat in header["seats"]} == {1, 2, 3, 4}
    table.senses.observed(HandGone(3.0, 3.0, 3))
    table.clock.t += 1
    one.got(header["n"], table.clock())
    table.passes(3.0)
    table.senses.step()
    newer = one.take()[2]
    assert newer is not None
    assert unpacked(newer)[0]["hands"] == []


def test_eyes_that_hold_the_picture_back_show_none() -> None:
    table = Looking()
    one = table.look()
    table.passes(1.0)
    table.senses.passing.picture(None, tuple)
    table.senses.step()
    assert one.take()[2] is None
    assert table.senses.passing.newest() is not None


def test_no_more_than_three_pictures_a_second_and_the_newest_wins() -> None:
    table = Looking()
    one = table.look()
    shown = []
    for step in range(200):  # ten seconds
        table.clock.t = 100 + step / 20
        table.passes(step / 20)
        table.senses.step()
        picture = one.take()[2]
        if picture is not None:
            shown.append(unpacked(picture)[0])
            one.got(shown[-1]["n"], table.clock())
    assert 25 <= len(shown) <= 10 * PICTURES + 1
    assert all(found["n"] == round(found["t"] * 20) + 1 for found in shown)


def test_who_is_slow_gets_no_more_until_he_says_so_and_then_smaller_ones() -> None:
    table = Looking()
    slow, quick = table.look(), table.look()
    widths = []
    for step in range(60):
        table.clock.t = 100 + step / 3
        table.passes(float(step))
        table.senses.step()
        quick_one = quick.take()[2]
        if quick_one is not None:
            quick.got(unpacked(quick_one)[0]["n"], table.clock() + 0.1)
        picture = slow.take()[2]
        if picture is not None:
            header, _image = unpacked(picture)
            widths.append(header["width"])
            owed = header["n"], table.clock() + 2.0
        elif table.clock() >= owed[1]:
            slow.got(owed[0], table.clock())
    assert quick.width == 960
    assert widths[0] == 960
    assert widths[-1] == 400
    assert len(widths) < 15


def test_a_small_screen_gets_small_pictures() -> None:
    one = Onlooker(lambda: None)
    one.wants(390)
    assert one.width == 400
    for n in range(40):
        one.see(n, b"", 0.0)
        one.got(n, 0.1)
    assert one.width == 400


def test_the_thread_shows_and_then_ends() -> None:
    senses = Senses()
    came = senses.passing.came
    eyes = senses.beside_eyes(Eyes())
    assert eyes is not None
    import threading

    woken = threading.Event()
    one = senses.enter(woken.set)
    assert one is not None
    eyes.accept(frame(1.0, 640))
    for _ in range(200):
        assert woken.wait(5)
        woken.clear()
        if one.take()[2] is not None:
            break
    else:
        raise AssertionError("no picture")
    senses.leave(one)
    assert came.is_set() or senses.onlookers == 0


def test_eyes_looked_over_the_shoulder_are_still_eyes_of_the_play_zone() -> None:
    table = Looking()
    assert table.eyes is not None
    seen = frame(1.0)
    table.eyes.accept(seen)
    looked = looked_at(table.eyes, seen)
    assert looked is not None
    assert looked.image[:, 1900].max() == 0


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_each_zone_lies_on_the_side_of_its_seat(seats: int) -> None:
    known = SeatMap.default(seats, 1280, 720)
    drawn = zones(known, 1280, 720)
    assert drawn.seats is not None
    assert len(drawn.borders) == seats
    for seat, (x, y) in drawn.seats.items():
        assert 0 < x < 1
        assert 0 < y < 1
        assert known.zone(x * 1280, y * 720) == seat
    for start, end in drawn.borders:
        assert start == (0.5, 0.5)
        assert min(abs(end[0]), abs(end[1]), abs(1 - end[0]), abs(1 - end[1])) < 1e-3
        between = [start[i] + 0.8 * (end[i] - start[i]) for i in (0, 1)]
        assert known.zone(between[0] * 1280, between[1] * 720) is None


# -- the sound -----------------------------------------------------------------------------------------------


def test_the_level_is_that_of_the_sound() -> None:
    t = np.arange(1600) / 16000
    half = level_of((0.5 * np.sin(2 * np.pi * 440 * t)).astype(np.float32))
    assert half.peak == pytest.approx(-6.0, abs=0.1)
    assert half.mean == pytest.approx(-9.0, abs=0.1)
    assert not half.clipped
    assert level_of(np.ones(1600, np.float32)).clipped
    assert level_of(np.zeros(1600, np.float32)).row() == [-90.0, -90.0, False]
    assert level_of(np.full(1600, np.nan, np.float32)).row() == [-90.0, -90.0, False]


def test_ten_levels_a_second_whatever_the_blocks() -> None:
    table = Looking()
    one = table.look()
    assert table.ears is not None
    for _ in range(50):
        table.ears.accept(np.full(333, 0.1, np.float32))
        table.senses.step()
    levels = one.take()[1]
    assert len(levels) == 50 * 333 // 1600
    assert levels[0] == [-20.0, -20.0, False]


def test_of_the_sound_only_the_last_is_held() -> None:
    passing = Passing(seconds=1.0)
    stop = passing.ask()
    for value in range(30):
        passing.sound(np.full(1600, value, np.float32))
    count, sound = passing.heard_since(0)
    assert count == 48000
    assert 16000 <= len(sound) <= 17600
    assert sound[-1] == 29
    assert len(passing.heard_since(count - 800)[1]) == 800
    stop()
    stop()
    assert not passing.asked
    assert passing.heard_since(0)[1].size == 0


# -- what was heard ------------------------------------------------------------------------------------------


def test_of_all_that_was_heard_it_is_told_what_it_was_taken_for() -> None:
    heard = LatelyHeard()
    announcer = Announcer(Game(Header("trut", seats=4, dealer=4)), in_both=True)
    knock = Knock(1.0, 1.2, 0.95, 1, 1)
    word = Phrase(2.0, 2.4, "accept", ("accept",), True, "je vois", 0.6, doubtful=True)
    lost = Phrase(3.0, 3.4, "fold", ("fold",), True, "bon", 0.4)
    for seen in (knock, word, lost):
        heard.observed(seen)
    heard.acted(Notice(1.0, 1.2, "heard"))
    heard.acted(Action(1.0, 1.5, Event("deal"), "rules", None, None, ()))
    heard.acted(Action(1.0, 1.5, Event("trut", 1), "microphone", 0.95, None, ()))
    heard.acted(Question(2.0, 2.5, "sure", {"meaning": "accept"}))
    rows = {row["n"]: row for row in heard.rows(4.0, announcer)}
    assert [rows[n]["fate"] for n in (1, 2, 3)] == ["counted", "asked", "waiting"]
    assert rows[1]["came"]["fr"]
    assert rows[1]["came"]["fr"] != rows[1]["came"]["en"]
    assert rows[2]["words"] == "je vois"
    assert rows[3]["came"] is None
    before = heard.state(4.0)
    assert heard.state(8.0) != before
    assert heard.rows(8.0, announcer)[0]["fate"] == "nothing"


def test_at_a_table_what_is_counted_is_shown_with_the_card() -> None:
    table = Looking()
    one = table.look()
    referee = Referee(Game(Header("trut", seats=4, dealer=4)), page=table.senses.beside(Clerk(Feed())))
    assert table.eyes is not None
    laid = CardLaid(1.0, 1.0, 7, "7h", 0.97, 1, place_of(1, 4, 0), 1)
    referee.observe([laid, Knock(1.6, 1.6, 0.4, 1, 1)])
    for clock in (1.0, 2.0, 3.0, 7.0):
        referee.advance(clock)
    table.passes(1.0)
    table.senses.step()
    picture = one.take()[2]
    assert picture is not None
    assert unpacked(picture)[0]["cards"][0]["counted"] == "7h"
    table.senses.step()
    one_more = table.look()
    table.senses.step()
    [heard] = told(one_more, "heard")
    assert [item["kind"] for item in heard["items"]] == ["knock"]


def test_the_figures_are_told_once_a_second() -> None:
    table = Looking()
    one = table.look()
    for step in range(30):
        table.clock.t = 100 + step / 10
        table.passes(step / 10)
        table.senses.step()
    figures = told(one, "figures")
    assert len(figures) == 1  # the newest
    assert figures[0]["passing"] == 10
    assert figures[0]["table"] is None


# -- over the network ----------------------------------------------------------------------------------------


@dataclass
class Served:
    page: Page
    table: Looking

    def browser(self, joined: bool = True) -> TestClient:
        base = "http://localhost"
        browser = TestClient(create_app(self.page), base, client=("127.0.0.1", 5), headers={"Origin": base})
        if joined:
            assert browser.post("/api/join", json={"code": self.page.access.code}).status_code == 204
        return browser


@pytest.fixture
def served() -> Served:
    table = Looking()
    return Served(Page(FakeFeed(), Access(), senses=table.senses), table)


def test_only_who_may_correct_looks(served: Served) -> None:
    watcher = served.browser(joined=False)
    with pytest.raises(WebSocketDenialResponse), watcher.websocket_connect("ws://localhost/senses"):
        pass
    assert watcher.get("/api/card/e1.jpg").status_code == 403
    assert served.table.senses.onlookers == 0


def test_who_looks_is_shown_pictures_and_levels(served: Served) -> None:
    browser = served.browser()
    with browser.websocket_connect("ws://localhost/senses") as socket:
        socket.send_json({"type": "want", "width": 500})
        assert served.table.senses.onlookers == 1
        served.table.passes(1.0)
        assert served.table.ears is not None
        served.table.ears.accept(np.full(1600, 0.1, np.float32))
        served.table.senses.step()
        kinds = set()
        while True:
            message = socket.receive()
            if message.get("bytes"):
                header, image = unpacked(message["bytes"])
                break
            kinds.add(json.loads(message["text"])["type"])
        assert kinds >= {"figures", "heard", "level"}
        assert image.shape[1] == header["width"] <= 960
        socket.send_json({"type": "got", "n": header["n"]})
    assert served.table.senses.onlookers == 0


def test_one_too_many_is_told_so(served: Served) -> None:
    for _ in range(MOST):
        served.table.look()
    with served.browser().websocket_connect("ws://localhost/senses") as socket:
        assert socket.receive_json()["error"] == "full"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


@pytest.mark.parametrize("text", ["", "[]", "nonsense", '{"type":"got"}', '{"type":"want","width":0}', "x" * 2000])
def test_what_is_no_message_ends_it(served: Served, text: str) -> None:
    with served.browser().websocket_connect("ws://localhost/senses") as socket:
        socket.send_text(text)
        ended = any(socket.receive()["type"] == "websocket.close" for _ in range(10))
    assert ended
    assert served.table.senses.onlookers == 0


def test_the_table_is_closed_for_who_looks(served: Served) -> None:
    with served.browser().websocket_connect("ws://localhost/senses") as socket:
        served.table.senses.close()
        assert socket.receive_json()["type"] == "closed"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    assert served.table.senses.enter(lambda: None) is None


def test_a_table_without_senses_says_so(served: Served) -> None:
    served.page.senses = None
    assert served.browser().get("/api/card/e1.jpg").json()["error"] == "no-senses"


def test_behind_a_card_that_was_read_lies_its_picture() -> None:
    senses = Senses()
    feed = Feed()
    referee = Referee(
        Game(Header("trut", seats=4, dealer=4)), viewer=NoViewer(), page=senses.beside(Clerk(feed)), live=False
    )
    eyes = senses.beside_eyes(Eyes())

    class Film:
        def __iter__(self) -> Any:
            return iter([frame(0.5 * n, 640) for n in range(12)])

        def close(self) -> None:
            pass

    run_files(referee, Film(), eyes, None, None)
    [event] = [card["event"] for card in json.loads(feed.state().text)["trick"]]
    page = Page(feed, Access(), senses=senses)
    browser = Served(page, Looking()).browser()
    answer = browser.get(f"/api/card/{event}.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[0] >= 70
    assert browser.get("/api/card/e99.jpg").json()["error"] == "no-picture"
    assert browser.get("/api/card/..%2f..%2fetc.jpg").status_code == 404
