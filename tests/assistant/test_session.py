"""The session: from files in step and repeatable, live with parts that may die."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.acts import Act, Action
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.journal import Journal
from assistant.session import Referee, run_files
from assistant.testing import (
    BlankCamera,
    Clock,
    ScriptedEars,
    ScriptedEyes,
    SilentMicrophone,
    Timed,
    played_at_random,
    script_of,
    timed_events,
)
from audio.errors import UnreadableSound
from audio.events import Phrase
from engine import Game, Header
from vision.errors import CameraUnavailable

TRUTH = """\
game trut
seats 2
dealer 2
deal | t=1.00
play 1 As | t=2.75
trut 2 | t=4.00
accept 1 | t=5.50
play 2 Kh | t=7.00
play 1 8d | t=10.00
play 2 Qs | t=11.30
"""


class Seen:
    """A viewer that keeps everything, and in which order."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.said: list[str] = []
        self.order: list[str] = []

    def observed(self, observation: Observation) -> None:
        self.order.append("observed")

    def acted(self, act: Act) -> None:
        self.acts.append(act)
        self.order.append("acted")

    def announced(self, announcement: Announcement) -> None:
        self.said.append(announcement.text)
        self.order.append("announced")

    @property
    def events(self) -> list[str]:
        return [str(a.event) for a in self.acts if isinstance(a, Action) and a.refused is None]


class Voice:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.speaking = False

    def say(self, text: str) -> None:
        self.said.append(text)


def film(text: str, tmp_path: Path, *, seconds: float = 15.0) -> tuple[Seen, Game, bytes, ScriptedEars]:
    header, _ = timed_events(text)
    game, seen = Game(header), Seen()
    journal = Journal(tmp_path, header)
    referee = Referee(game, journal, seen)
    observations = script_of(text)
    ears = ScriptedEars(observations)
    problems = run_files(
        referee, BlankCamera(seconds), ScriptedEyes(observations), SilentMicrophone(seconds), ears
    )
    journal.close()
    assert problems == []
    return seen, game, journal.path.read_bytes(), ears


def test_a_film_is_refereed_to_its_end(tmp_path: Path) -> None:
    seen, game, _, _ = film(TRUTH, tmp_path)
    _, events = timed_events(TRUTH)
    assert seen.events == [str(e.event) for e in events]
    assert game.score["A"] == {"longs": 1, "petits": 0}
    assert "Sud va voir : la manche vaut un long." in seen.said


def test_two_runs_give_the_same_record_byte_for_byte(tmp_path: Path) -> None:
    assert film(TRUTH, tmp_path / "a")[2] == film(TRUTH, tmp_path / "b")[2]


def test_the_ears_are_told_what_may_be_said(tmp_path: Path) -> None:
    ears = film(TRUTH, tmp_path)[3]
    assert any("accept" in (verbs or ()) for verbs in ears.expected)
    assert any("accept" not in (verbs or ()) and "trut" in (verbs or ()) for verbs in ears.expected)


def test_the_sound_goes_on_after_the_last_picture(tmp_path: Path) -> None:
    header, events = timed_events(TRUTH)
    game, seen = Game(header), Seen()
    observations = script_of(TRUTH)
    ears = ScriptedEars(observations)
    run_files(
        Referee(game, None, seen), BlankCamera(4.6), ScriptedEyes(observations), SilentMicrophone(8), ears
    )
    assert seen.events == [str(e.event) for e in events[:4]]


def test_without_pictures_the_ears_alone_referee() -> None:
    game, seen = Game(Header("trut", seats=2)), Seen()
    ears = ScriptedEars([Phrase(2.0, 2.2, "trut", ("trut",), False, "je trute", 0.9)])
    run_files(Referee(game, None, seen), None, None, SilentMicrophone(4), ears)
    assert seen.events == ["deal", "trut 1"]


def test_without_sound_the_eyes_alone_referee() -> None:
    game, seen = Game(Header("trut", seats=2)), Seen()
    eyes = ScriptedEyes(script_of(TRUTH))
    run_files(Referee(game, None, seen), BlankCamera(5), eyes, None, None)
    assert seen.events == ["deal", "play 1 As"]


def test_the_record_is_written_before_anything_is_said(tmp_path: Path) -> None:
    class Watched(Journal):
        def write(self, *actions: Action) -> None:
            super().write(*actions)
            order.append("written")

    header, _ = timed_events(TRUTH)
    seen = Seen()
    order = seen.order
    journal = Watched(tmp_path, header)
    observations = script_of(TRUTH)
    referee = Referee(Game(header), journal, seen)
    ears = ScriptedEars(observations)
    run_files(referee, BlankCamera(15), ScriptedEyes(observations), SilentMicrophone(15), ears)
    journal.close()
    for place, what in enumerate(order):
        if what == "announced":
            assert "written" in order[:place]
    assert order.index("written") < order.index("acted") < order.index("announced")


def test_announcements_are_said_by_the_voice() -> None:
    header, _ = timed_events(TRUTH)
    voice, seen = Voice(), Seen()
    observations = script_of(TRUTH)
    referee = Referee(Game(header), None, seen, voice)
    ears = ScriptedEars(observations)
    run_files(referee, BlankCamera(15), ScriptedEyes(observations), SilentMicrophone(15), ears)
    assert voice.said == seen.said


def test_a_pace_is_kept() -> None:
    clock = Clock()
    header, _ = timed_events(TRUTH)
    eyes = ScriptedEyes([])
    run_files(
        Referee(Game(header)), BlankCamera(3), eyes, None, None, pace=lambda t: clock.sleep(t - clock.now)
    )
    assert clock.now == pytest.approx(2.9)


class Torn:
    """A camera or a sound that breaks off."""

    rate = 16000

    def __init__(self, items: list[object], problem: Exception) -> None:
        self._items, self._problem = items, problem

    def __iter__(self) -> Iterator[object]:
        yield from self._items
        raise self._problem

    def close(self) -> None: ...


def test_media_that_break_off_count_up_to_there() -> None:
    frames = list(BlankCamera(4))
    camera = Torn(list(frames), CameraUnavailable("abîmé"))
    sound = Torn([np.zeros(16000, np.float32)] * 3, UnreadableSound("abîmé"))
    header, _ = timed_events(TRUTH)
    seen = Seen()
    observations = script_of(TRUTH)
    referee = Referee(Game(header), None, seen)
    eyes, ears = ScriptedEyes(observations), ScriptedEars(observations)
    problems = run_files(referee, camera, eyes, sound, ears)  # type: ignore[arg-type]
    assert seen.events[:2] == ["deal", "play 1 As"]
    assert sorted(type(p).__name__ for p in problems) == ["CameraUnavailable", "UnreadableSound"]


def test_a_random_game_from_files_and_by_turning_the_clock_is_the_same() -> None:
    header = Header("trut", seats=4, dealer=4)
    events: list[Timed] = played_at_random(header, 3, rounds=1)
    text = "game trut\nseats 4\ndealer 4\n" + "".join(f"{e.event} | t={e.t:.2f}\n" for e in events)
    seen = Seen()
    observations = script_of(text)
    seconds = events[-1].t + 5
    referee = Referee(Game(header), None, seen)
    ears = ScriptedEars(observations)
    run_files(referee, BlankCamera(seconds), ScriptedEyes(observations), SilentMicrophone(seconds), ears)
    assert seen.events == [str(e.event) for e in events]
