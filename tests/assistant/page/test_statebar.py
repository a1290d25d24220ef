"""The state bar: one word, and never one that stays behind."""

from __future__ import annotations

from typing import Any

from assistant.acts import Notice
from assistant.page.statebar import COMPLETE, HAND, STILL, Bar, StateBar
from assistant.testing import place_of
from vision.events import CameraLost, CardLaid, CardsTaken, HandGone, HandSeen


def bar_of(bar: StateBar, clock: float, **so: Any) -> Bar:
    usual: dict[str, Any] = {"over": False, "paused": False, "question": False, "reading": False, "trick": None}
    return bar.now(clock, **{**usual, **so})


def seeing() -> StateBar:
    bar = StateBar()
    bar.has(camera=True, microphone=True)
    return bar


def test_a_hand_comes_and_goes() -> None:
    bar = seeing()
    assert bar_of(bar, 0.0) == "waiting"
    bar.observed(HandSeen(1.0, 1.1, 2))
    assert bar_of(bar, 1.2) == "hand"
    bar.observed(HandGone(2.0, 2.1, 2))
    assert bar_of(bar, 2.2) == "waiting"


def test_a_hand_that_was_not_seen_to_leave_is_forgotten() -> None:
    bar = seeing()
    bar.observed(HandSeen(1.0, 1.1, None))
    assert bar_of(bar, HAND + 0.9) == "hand"
    assert bar_of(bar, HAND + 1.1) == "waiting"


def test_a_card_is_still_until_it_counts_and_not_for_ever() -> None:
    bar = seeing()
    assert bar_of(bar, 1.0, reading=True) == "still"
    assert bar_of(bar, 1.5) == "waiting"
    assert bar_of(bar, 2.0, reading=True) == "still"
    assert bar_of(bar, 2.1 + STILL, reading=True) == "waiting"


def test_a_complete_trick_lies_until_it_is_taken() -> None:
    bar = seeing()
    assert bar_of(bar, 3.0, trick="e4") == "complete"
    assert bar.lies("e4")
    bar.observed(CardsTaken(4.0, 4.2, (1, 2)))
    assert bar_of(bar, 4.3, trick="e4") == "waiting"
    assert not bar.lies("e4")
    assert bar_of(bar, 9.0, trick="e6") == "complete"
    assert bar_of(bar, 9.1 + COMPLETE, trick="e6") == "waiting"
    assert bar.lies("e6")  # without anybody who saw it taken it is still shown


def test_what_matters_most_is_said() -> None:
    bar = seeing()
    assert bar_of(bar, 1.0, question=True, reading=True) == "question"
    bar.observed(CameraLost(1.0, 1.6, "gone"))
    assert bar_of(bar, 2.0, question=True) == "lost"
    assert bar_of(bar, 2.0, paused=True) == "paused"
    assert bar_of(bar, 2.0, over=True) == "over"
    bar.observed(CardLaid(3.0, 3.2, 1, "7h", 0.9, 1, place_of(1, 2)))
    assert bar_of(bar, 3.3) == "waiting"  # whoever sees a card is not blind


def test_devices_are_lost_and_come_back() -> None:
    bar = seeing()
    bar.acted(Notice(1.0, 1.0, "microphone-lost"))
    bar.acted(Notice(1.0, 1.0, "eyes-lost"))
    assert (bar.sees, bar.hears) == ("lost", "lost")
    bar.acted(Notice(2.0, 2.0, "ears-back"))
    bar.acted(Notice(2.0, 2.0, "camera-back"))
    assert (bar.sees, bar.hears) == ("on", "on")


def test_a_score_pad_has_no_eyes() -> None:
    assert bar_of(StateBar(), 0.0) == "no-eyes"
