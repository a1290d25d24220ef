"""The desk beside the eyes and ears: what passes by, what is kept from the referee, when a lesson ends."""

from __future__ import annotations

import dataclasses
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.orders import Command
from assistant.page.calibrating import desk as desks
from assistant.page.calibrating.desk import Desk
from assistant.page.calibrating.errors import Busy, NoCamera, NoLesson
from assistant.page.calibrating.routes import Pause
from assistant.page.clerk import Clerk
from assistant.page.feed import Feed
from assistant.page.page import Page
from assistant.session import Referee, ZoneEyes, looked_at
from audio.events import Knock
from calibration.profile import facts_of
from calibration.setup import TableSetup
from engine import Game, Header
from vision.camera import Frame


class Lesson:
    """A lesson that notes what comes."""

    kind = "deck"

    def __init__(self, uses: str) -> None:
        self.uses, self.over = uses, False
        self.came: list[Any] = []
        self.something, self.closed = threading.Event(), threading.Event()

    def see(self, frame: Frame) -> None:
        self.came.append(frame)
        self.something.set()

    def hear(self, block: np.ndarray) -> None:
        self.came.append(block)
        self.something.set()

    def state(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        self.closed.set()


def picture(n: int) -> Frame:
    return Frame(n / 5, np.full((4, 4, 3), n, np.uint8), n)


def knock(t: float) -> Knock:
    return Knock(t, t + 0.1, 0.99, 1, 1)


def test_without_a_lesson_eyes_and_ears_are_as_without_a_desk(room: Any) -> None:
    seen = room.beside_eyes.accept(picture(1))
    assert [card.card for card in seen] == ["7h"]
    assert isinstance(room.beside_eyes, ZoneEyes)
    assert looked_at(room.beside_eyes, picture(1)) is not None
    room.ears.says = [knock(0.01)]
    assert room.beside_ears.accept(np.zeros(1600, np.float32)) == [knock(0.01)]
    assert room.desk.sounds.take(0.0) == [], "nobody listens: nothing is kept"
    assert room.desk.beside_eyes(None) is None
    assert room.desk.beside_ears(None) is None


def test_while_cards_are_shown_the_referee_sees_nothing_of_it(room: Any) -> None:
    lesson = Lesson("pictures")
    room.beside_eyes.accept(picture(1))
    name = room.desk.begin(lesson)
    assert room.beside_eyes.accept(picture(2)) == []
    assert room.beside_eyes.view is None, "and no picture is kept for a reading"
    assert room.eyes.looked == 1
    assert lesson.something.wait(5)
    room.ears.says = [knock(0.0)]
    assert room.beside_ears.accept(np.zeros(1600, np.float32)), "the ears go on"
    room.desk.stop(name)
    assert lesson.closed.is_set()
    assert room.beside_eyes.accept(picture(3))


def test_knocks_that_are_practised_are_no_truts_also_those_known_later(room: Any) -> None:
    lesson = Lesson("sound")
    name = room.desk.begin(lesson)
    room.ears.says = [knock(0.05)]
    assert room.beside_ears.accept(np.zeros(1600, np.float32)) == []
    assert lesson.something.wait(5)
    assert lesson.came[0].shape == (1600,)
    room.desk.stop(name)
    room.ears.says = [knock(0.09), knock(0.15)]
    assert room.beside_ears.accept(np.zeros(1600, np.float32)) == [knock(0.15)]


def test_there_is_one_lesson_at_a_time_and_who_asks_no_more_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    desk = Desk(now=lambda: clock[0])
    monkeypatch.setattr(desks, "STEP", 0.01)
    paused: list[bool] = []
    lesson = Lesson("sound")
    name = desk.begin(lesson, paused.append)
    with pytest.raises(Busy):
        desk.begin(Lesson("pictures"))
    clock[0] = desks.PATIENCE - 1
    assert desk.lesson(name) is lesson
    clock[0] = 2 * desks.PATIENCE - 2
    assert not lesson.closed.wait(0.1), "it was asked after meanwhile"
    clock[0] = 2 * desks.PATIENCE
    assert lesson.closed.wait(5)
    other = Lesson("sound")
    with pytest.raises(NoLesson):
        desk.lesson("somebody else's")
    while not desk.ended(lesson):  # it is closed, and about to let go
        pass
    desk.begin(other)
    desk.close()
    assert other.closed.is_set()
    assert paused == [True, False]


def test_what_eyes_do_not_take_up_is_withdrawn(room: Any) -> None:
    done: list[Any] = []
    assert not room.desk.for_eyes.run(lambda eyes: bool(done.append(eyes)) or True, timeout=0.02)
    room.beside_eyes.accept(picture(1))
    assert done == [], "they came back too late, and nobody expects it any more"


def test_a_camera_that_gives_no_pictures_any_more_is_none() -> None:
    clock = [0.0]
    desk = Desk(now=lambda: clock[0])
    desk.frames.put(picture(1))
    assert desk.frames.newest is not None
    clock[0] = 10.0
    assert desk.frames.newest is None
    with pytest.raises(NoCamera):
        desk.frames.without_hands()


def test_what_breaks_in_a_change_leaves_eyes_and_ears_as_they_were(room: Any) -> None:
    room.film(lambda t: np.zeros((4, 4, 3), np.uint8))
    assert room.desk.for_eyes.run(lambda eyes: bool(1 / 0)) is False
    assert room.desk.for_eyes.run(lambda eyes: True) is True


def test_two_who_want_the_machines_eyes_take_turns(room: Any) -> None:
    inside, go = threading.Event(), threading.Event()
    first = threading.Thread(target=room.desk.look_alone, args=(lambda: (inside.set(), go.wait(5)),))
    first.start()
    assert inside.wait(5)
    with pytest.raises(Busy):
        room.desk.look_alone(lambda: None)
    go.set()
    first.join(5)
    assert room.desk.look_alone(lambda: 7) == 7


def test_the_referee_himself_pauses_and_goes_on_again() -> None:
    feed, told = Feed(), list[Any]()
    clerk = Clerk(feed)
    referee = Referee(Game(Header("trut")), live=True, page=clerk)
    clerk.bring(told.append)
    page = Page(feed)

    def follow(t: float) -> bool:
        for tapped in told:
            referee.order(dataclasses.replace(tapped, t=t, decided=t))
        told.clear()
        referee.advance(t)
        return bool(json.loads(feed.state().text)["paused"])

    assert follow(1.0) is False
    for t in (2.0, 4.0):  # one lesson after another
        pause = Pause(page)
        pause(True)
        assert follow(t) is True
        pause(False)
        assert follow(t + 1) is False
    follow(6.0)
    referee.order(Command(7.0, 7.0, "keyboard", "pause"))
    assert follow(7.0) is True
    pause = Pause(page)
    pause(True)
    pause(False)
    assert told == []
    assert follow(8.0) is True, "the players had paused, and go on when they like"


def test_nothing_is_learnt_from_a_film_nor_kept(room: Any, at_home: Path) -> None:
    room.desk.live = False
    room.hear()
    browser = room.browser()
    setup = facts_of(TableSetup.whole(4, 640, 360))
    asked = {
        "/api/table/save": {"name": "port", "setup": setup},
        "/api/deck/begin": {"name": "bistrot", "like": "french32"},
        "/api/deck/use": {"name": "bistrot"},
        "/api/knocks/begin": {},
        "/api/voices/begin": {"names": ["Marie"]},
    }
    for path, fields in asked.items():
        answer = browser.post(path, json=fields)
        assert (answer.status_code, answer.json()["error"]) == (409, "no-table"), path
    assert list(at_home.iterdir()) == []


def test_what_was_learnt_holds_for_the_eyes_and_ears_of_the_next_game(room: Any) -> None:
    room.film(lambda t: np.zeros((4, 4, 3), np.uint8))
    room.listen()
    told: list[Any] = []
    assert room.desk.for_eyes.run(lambda eyes: told.append(eyes) is None, "table")
    assert room.desk.for_eyes.run(lambda eyes: told.append(eyes) is None), "this one is for these eyes alone"
    assert room.desk.for_ears.run(lambda ears: told.append(ears) is None, "knocks")
    eyes, ears = type(room.eyes)(), type(room.ears)()
    room.desk.beside_eyes(eyes).accept(picture(1))
    room.desk.beside_ears(ears).accept(np.zeros(1600, np.float32))
    assert told == [room.eyes, room.eyes, room.ears, eyes, ears]
