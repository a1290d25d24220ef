"""After a time without pictures the watcher reports what changed, and nothing that lay there already."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawn_table import RATE, Stage, only, run
from vision.events import CardLaid, CardMoved, CardReread, CardsTaken
from vision.table import TableWatcher


def blind(stage: Stage, seconds: float) -> None:
    """The table goes on and nobody sees it."""
    stage.t += seconds
    stage.frames += round(seconds * RATE)


@pytest.fixture
def seen() -> tuple[Stage, TableWatcher]:
    """Two cards lie there and are known."""
    stage = Stage()
    watcher = TableWatcher(stage)
    run(stage, watcher, 1)
    for name, place in (("7h", (320, 260)), ("Kd", (220, 180))):
        stage.cards[name] = place
        run(stage, watcher, 2)
    assert [card for _, card, _ in watcher.cards] == ["7h", "Kd"]
    return stage, watcher


@pytest.mark.parametrize("seconds", [2.0, 30.0, 3600.0])
def test_cards_that_lay_there_are_not_laid_anew(seen: tuple[Stage, TableWatcher], seconds: float) -> None:
    stage, watcher = seen
    blind(stage, seconds)
    assert run(stage, watcher, 4) == []


def test_a_card_laid_meanwhile_is_laid_now(seen: tuple[Stage, TableWatcher]) -> None:
    stage, watcher = seen
    blind(stage, 10)
    stage.cards["9s"] = (420, 180)
    back = stage.t
    events = run(stage, watcher, 4)
    (laid,) = only(events, CardLaid)
    assert (laid.card, laid.zone) == ("9s", 4)
    assert back <= laid.t <= back + 0.5
    assert only(events, CardsTaken) == []


def test_cards_taken_meanwhile_are_taken_now(seen: tuple[Stage, TableWatcher]) -> None:
    stage, watcher = seen
    blind(stage, 10)
    stage.cards.clear()
    events = run(stage, watcher, 4)
    assert sorted(track for e in only(events, CardsTaken) for track in e.tracks) == [1, 2]
    assert only(events, CardLaid) == []


def test_a_trick_taken_and_the_next_begun_meanwhile(seen: tuple[Stage, TableWatcher]) -> None:
    stage, watcher = seen
    blind(stage, 10)
    stage.cards.clear()
    stage.cards["As"] = (320, 80)
    events = run(stage, watcher, 4)
    assert [e.card for e in only(events, CardLaid)] == ["As"]
    assert sorted(track for e in only(events, CardsTaken) for track in e.tracks) == [1, 2]


@pytest.mark.parametrize("light", [0.75, 1.2])
def test_another_exposure_afterwards_lays_no_card_anew(seen: tuple[Stage, TableWatcher], light: float) -> None:
    stage, watcher = seen
    blind(stage, 10)
    stage.light = light
    events = run(stage, watcher, 4)
    assert only(events, CardLaid) + only(events, CardsTaken) + only(events, CardMoved) + only(events, CardReread) == []


@pytest.mark.parametrize("seconds", [0.6, 1.6, 3.0])
def test_a_camera_that_hunts_for_its_focus_makes_no_events(seen: tuple[Stage, TableWatcher], seconds: float) -> None:
    stage, watcher = seen
    began, events = stage.t, []
    while stage.t < began + seconds + 2:
        frame = stage.frame()
        into = (frame.t - began) / seconds
        if into < 1:
            blurred = cv2.GaussianBlur(frame.image, (0, 0), 0.2 + 8 * np.sin(np.pi * into))
            frame = replace(frame, image=np.asarray(blurred, np.uint8))
        events += watcher.accept(frame)
    assert events == []
