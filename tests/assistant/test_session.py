"""The session: from files in step and repeatable, live with parts that may die."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.acts import Act, Action
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.journal import Journal
from assistant.session import Live, Newest, Referee, run_files
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
from vision.camera import Frame
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


# -- live ----------------------------------------------------------------------------------------------------


def test_the_newest_picture_wins_and_the_others_are_counted() -> None:
    newest = Newest()
    image = np.zeros((2, 2, 3), np.uint8)
    for index in range(5):
        newest.put(Frame(index / 10, image, index))
    frame = newest.get(0.1)
    assert frame is not None
    assert (frame.index, newest.dropped) == (4, 4)
    assert newest.get(0.01) is None


class PacedCamera:
    """Pictures at the pace of a clock, until closed or broken."""

    def __init__(self, count: int, rate: float = 50.0, problem: Exception | None = None) -> None:
        self._count, self._rate, self._problem = count, rate, problem
        self.closed = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        image = np.zeros((2, 2, 3), np.uint8)
        for index in range(self._count):
            if self.closed.wait(1 / self._rate):
                return
            yield Frame(0.0, image, index)
        if self._problem is not None:
            raise self._problem

    def close(self) -> None:
        self.closed.set()


class PacedMicrophone:
    rate = 16000

    def __init__(self, blocks: int, problem: Exception | None = None) -> None:
        self._blocks, self._problem = blocks, problem
        self.closed = threading.Event()

    def __iter__(self) -> Iterator[np.ndarray]:
        for _ in range(self._blocks):
            if self.closed.wait(0.02):
                return
            yield np.zeros(320, np.float32)
        if self._problem is not None:
            raise self._problem

    def close(self) -> None:
        self.closed.set()


SCRIPT = """\
game trut
seats 2
dealer 2
play 1 As | t=0.30
play 2 Kh | t=0.80
"""


def live(
    camera: object, microphone: object, *, phrases: list[Phrase] | None = None, voice: Voice | None = None
) -> tuple[Seen, Live]:
    header, events = timed_events(SCRIPT)
    seen = Seen()
    referee = Referee(Game(header), None, seen, voice, live=True)
    observations: list[Observation] = []
    for number, timed in enumerate(events, 1):
        from assistant.testing import place_of
        from vision.events import CardLaid

        seat, card = timed.event.seat or 1, timed.event.args[0]
        observations.append(
            CardLaid(timed.t, timed.t, number, card, 0.97, seat, place_of(seat, 2), seat, ((card, 0.97),))
        )
    ears = ScriptedEars(phrases or [])
    return seen, Live(referee, camera, ScriptedEyes(observations), microphone, ears)  # type: ignore[arg-type]


def test_a_live_table_is_refereed() -> None:
    seen, table = live(PacedCamera(100), PacedMicrophone(60))
    table.run()
    assert seen.events == ["deal", "play 1 As", "play 2 Kh"]
    assert [died.problem for died in table.problems if died.problem] == []


def test_a_dead_microphone_does_not_stop_the_eyes() -> None:
    seen, table = live(PacedCamera(100), PacedMicrophone(5, RuntimeError("débranché")))
    table.run()
    assert seen.events == ["deal", "play 1 As", "play 2 Kh"]
    assert "Je n'entends plus la table." in seen.said


def test_a_dead_camera_does_not_stop_the_ears() -> None:
    phrases = [Phrase(0.9, 0.9, "trut", ("trut",), False, "je trute", 0.9)]
    seen, table = live(
        PacedCamera(5, problem=RuntimeError("débranchée")), PacedMicrophone(100), phrases=phrases
    )
    table.run()
    assert "trut 1" in seen.events
    assert seen.said.count("Je ne vois plus la table.") == 1


def test_its_own_voice_is_not_believed() -> None:
    voice = Voice()
    voice.speaking = True
    phrases = [Phrase(0.5, 0.5, "trut", ("trut",), False, "je trute", 0.9)]
    seen, table = live(None, PacedMicrophone(60), phrases=phrases, voice=voice)
    table.run()
    assert seen.events == []


def test_control_c_ends_a_live_table_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, table = live(PacedCamera(1000), PacedMicrophone(1000))
    began = time.monotonic()
    real = table._step

    def step() -> int:
        if time.monotonic() - began > 1.0:
            raise KeyboardInterrupt
        return real()

    monkeypatch.setattr(table, "_step", step)
    table.run()
    assert time.monotonic() - began < 4.0
    assert "play 1 As" in seen.events


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
