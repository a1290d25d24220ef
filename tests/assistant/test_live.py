"""A live table: parts that fall, hang and come back, on a clock that jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from assistant.acts import Act, Action
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.live import Live, Newest
from assistant.orders import Order, Say
from assistant.session import Referee
from assistant.testing import (
    CameraFault,
    FakeTime,
    Fault,
    ScriptedEars,
    ScriptedEyes,
    ScriptedTable,
    script_of,
    timed_events,
)
from audio.events import Phrase, SoundObservation
from audio.health import Trouble
from engine import Event, Game
from vision.camera import Frame
from vision.events import TableObservation

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
EVENTS = [str(timed.event) for timed in timed_events(TRUTH)[1]]
SECONDS = 15.0


class Seen:
    """A viewer that keeps everything."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.said: list[str] = []

    def observed(self, observation: Observation | Trouble) -> None: ...

    def acted(self, act: Act) -> None:
        self.acts.append(act)

    def announced(self, announcement: Announcement) -> None:
        self.said.append(announcement.text)

    @property
    def events(self) -> list[str]:
        return [str(a.event) for a in self.acts if isinstance(a, Action) and a.refused is None and not a.quiet]


class Pictures:
    """Ten pictures a second until closed or broken."""

    def __init__(self, time: FakeTime, seconds: float = SECONDS, problem: Exception | None = None) -> None:
        self._time, self._seconds, self._problem, self._closed = time, seconds, problem, False

    def __iter__(self) -> Iterator[Frame]:
        image = np.zeros((2, 2, 3), np.uint8)
        for index in range(round(10 * self._seconds)):
            self._time.sleep((index + 1) / 10 - self._time.now())
            if self._closed:
                return
            yield Frame(0.0, image, index)
        if self._problem is not None:
            raise self._problem

    def close(self) -> None:
        self._closed = True


class Sound:
    """Blocks of a twentieth of a second until closed or broken."""

    rate = 16000

    def __init__(self, time: FakeTime, seconds: float = SECONDS, problem: Exception | None = None) -> None:
        self._time, self._seconds, self._problem, self._closed = time, seconds, problem, False

    def __iter__(self) -> Iterator[np.ndarray]:
        for index in range(round(20 * self._seconds)):
            self._time.sleep((index + 1) / 20 - self._time.now())
            if self._closed:
                return
            yield np.zeros(800, np.float32)
        if self._problem is not None:
            raise self._problem

    def close(self) -> None:
        self._closed = True


class Falling:
    """Calls ``part``'s method, but raises or hangs while ``when`` holds of the clock."""

    def __init__(self, part: object, time: FakeTime, when: Callable[[float], bool], hang: float = 0.0) -> None:
        self._part, self._time, self._when, self._hang = part, time, when, hang
        self.tries: list[float] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._part, name)

        def called(*args: Any) -> Any:
            if self._when(self._time.now()):
                self.tries.append(self._time.now())
                if not self._hang:
                    raise RuntimeError("tombé")
                self._time.sleep(self._hang)
            return method(*args)

        return called if callable(method) else method


class Table:
    """A live table of ``TRUTH`` whose parts can be replaced."""

    def __init__(self, text: str = TRUTH) -> None:
        header, _ = timed_events(text)
        observations = script_of(text)
        self.time = FakeTime()
        self.seen = Seen()
        self.game = Game(header)
        self.referee = Referee(self.game, None, self.seen, live=True)
        self.camera: Any = Pictures(self.time)
        self.eyes: Any = ScriptedEyes(observations)
        self.microphone: Any = Sound(self.time)
        self.ears: Any = ScriptedEars(observations)
        self.inputs: Any = None

    def run(self, seconds: float | None = None) -> Live:
        live = Live(
            self.referee,
            self.camera,
            self.eyes,
            self.microphone,
            self.ears,
            inputs=self.inputs,
            threads=self.time,
        )
        live.run(seconds)
        self.time.close()
        return live


def test_the_newest_picture_wins_and_the_others_are_counted() -> None:
    newest = Newest()
    image = np.zeros((2, 2, 3), np.uint8)
    for index in range(5):
        newest.put(Frame(index / 10, image, index))
    frame = newest.get(0.1)
    assert frame is not None
    assert (frame.index, newest.dropped) == (4, 4)
    assert newest.get(0.01) is None


def test_a_live_table_is_refereed() -> None:
    table = Table()
    live = table.run()
    assert table.seen.events == EVENTS
    assert [fallen.problem for fallen in live.problems] == [None, None]  # both media ended


def test_it_ends_when_its_time_is_over() -> None:
    table = Table()
    table.run(5.0)
    assert 5.0 <= table.time.now() < 5.3
    assert table.seen.events == EVENTS[:3]


def test_without_a_camera_the_ears_referee_and_without_a_microphone_the_eyes() -> None:
    deaf = Table()
    deaf.microphone = deaf.ears = None
    deaf.run()
    assert [e for e in deaf.seen.events if "play" in e] == [e for e in EVENTS if "play" in e]
    blind = Table()
    blind.camera = blind.eyes = None
    blind.run()
    assert "trut 1" in blind.seen.events


def test_with_neither_it_is_a_score_pad() -> None:
    table = Table()
    table.camera = table.eyes = table.microphone = table.ears = None

    def typed() -> Iterator[Order]:
        for timed in timed_events(TRUTH)[1]:
            table.time.sleep(1.0)
            yield Say(0.0, 0.0, "keyboard", timed.event)

    table.inputs = typed()
    table.run()
    assert table.seen.events == EVENTS
    assert {a.by for a in table.seen.acts if isinstance(a, Action)} == {"keyboard"}
    assert table.seen.acts[1].t == pytest.approx(2.0, abs=0.1)


def test_orders_come_from_other_threads_too_and_end_it() -> None:
    table = Table()
    live = Live(table.referee, None, None, None, None, threads=table.time)

    def page() -> None:
        table.time.sleep(600.0)
        live.order(Say(0.0, 0.0, "page", Event("play", 1, ("As",))))
        table.time.sleep(1.0)
        live.stop()

    table.time.start(page, "page")
    live.run()
    assert table.seen.events == ["deal", "play 1 As"]
    assert 601.0 <= table.time.now() < 602.0


# -- parts that fall -----------------------------------------------------------------------------------------


def test_a_film_that_breaks_off_does_not_stop_the_ears() -> None:
    table = Table()
    table.camera = Pictures(table.time, 3.6, RuntimeError("débranchée"))
    live = table.run()
    assert "trut 2" in table.seen.events
    assert len([text for text in table.seen.said if "ne vois plus la table" in text]) == 1
    assert [type(fallen.problem) for fallen in live.problems if fallen.part == "camera"] == [RuntimeError]


def test_a_sound_that_breaks_off_does_not_stop_the_eyes() -> None:
    table = Table()
    table.microphone = Sound(table.time, 3.6, RuntimeError("débranché"))
    table.run()
    assert [e for e in table.seen.events if "play" in e] == [e for e in EVENTS if "play" in e]
    assert len([text for text in table.seen.said if "n'entends plus la table" in text]) == 1


def test_eyes_that_fall_are_tried_again_and_the_ears_go_on() -> None:
    table = Table()
    table.eyes = Falling(table.eyes, table.time, lambda t: t < 1.0)
    live = table.run()
    assert table.seen.events == EVENTS
    assert len(table.eyes.tries) == 3  # 0.1, 0.4, 0.9: it rests longer and longer
    assert len([text for text in table.seen.said if "lire les cartes" in text]) == 1
    assert len([text for text in table.seen.said if "de nouveau les cartes" in text]) == 1
    assert live.reading().down == ()


def test_eyes_that_always_fall_are_seldom_tried() -> None:
    table = Table()
    table.eyes = Falling(table.eyes, table.time, lambda t: True)
    table.camera = Pictures(table.time, 200.0)
    table.microphone = Sound(table.time, 200.0)
    live = table.run()
    assert sum(t < 60 for t in table.eyes.tries) <= 8
    assert len(table.eyes.tries) <= 11
    assert "eyes" in live.reading().down
    assert len([text for text in table.seen.said if "lire les cartes" in text]) == 1


def test_ears_that_fall_are_tried_again_and_the_eyes_go_on() -> None:
    table = Table()
    table.ears = Falling(table.ears, table.time, lambda t: 1.0 < t < 2.0)
    table.run()
    assert table.seen.events[:2] == EVENTS[:2]
    assert "trut 2" in table.seen.events
    assert len([text for text in table.seen.said if "écouter" in text]) == 1


@pytest.mark.parametrize("hang", [0.0, 1e9])
def test_a_viewer_that_falls_or_hangs_does_not_stop_the_game(hang: float) -> None:
    table = Table()
    table.referee.viewer = Falling(Seen(), table.time, lambda t: t > 3.0, hang)  # type: ignore[assignment]
    live = table.run(30.0)
    assert [str(event) for event in table.game.log] == EVENTS
    assert any(fallen.part == "viewer" for fallen in live.problems) or hang


@pytest.mark.parametrize("hang", [0.0, 1e9])
def test_a_voice_that_falls_or_hangs_does_not_stop_the_game(hang: float) -> None:
    class Voice:
        speaking = False

        def say(self, text: str) -> None: ...

    table = Table()
    table.camera, table.microphone = Pictures(table.time, 40.0), Sound(table.time, 40.0)
    table.referee.voice = Falling(Voice(), table.time, lambda t: True, hang)  # type: ignore[assignment]
    live = table.run()
    assert table.seen.events == EVENTS
    assert "voice" in live.reading().down
    assert len([text for text in table.seen.said if "par écrit" in text]) == 1


def test_a_keyboard_that_falls_does_not_stop_the_game() -> None:
    table = Table()

    def keys() -> Iterator[Order]:
        raise OSError("clavier débranché")
        yield

    table.inputs = keys()
    live = table.run()
    assert table.seen.events == EVENTS
    assert [fallen.part for fallen in live.problems if fallen.problem is not None] == ["inputs"]


def test_a_fault_in_the_referee_itself_does_not_end_the_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    advance = table.referee.advance

    def falling(clock: float) -> None:
        if 5.9 < table.time.now() < 6.0:
            raise RuntimeError("impossible")
        advance(clock)

    monkeypatch.setattr(table.referee, "advance", falling)
    live = table.run()
    assert table.seen.events == EVENTS
    assert [fallen.part for fallen in live.problems if fallen.problem is not None] == ["referee"]


@pytest.mark.parametrize("part", ["eyes", "ears", "viewer", "voice", "inputs"])
def test_when_one_part_falls_the_hearts_of_the_others_go_on(part: str) -> None:
    class Voice:
        speaking = False

        def say(self, text: str) -> None: ...

    def keys() -> Iterator[Order]:
        while True:
            table.time.sleep(1.0)
            if part == "inputs" and table.time.now() > 5:
                raise RuntimeError("tombé")
            yield Say(0.0, 0.0, "keyboard", Event("deal"))

    table = Table()
    table.referee.voice = Voice()
    table.inputs = keys()
    broken = Falling(getattr(table, part, None) or getattr(table.referee, part, None), table.time, lambda t: t > 5)
    if part in ("eyes", "ears"):
        setattr(table, part, broken)
    elif part != "inputs":
        setattr(table.referee, part, broken)
    live = table.run(12.0)
    beats = live.reading().beats
    others = {"camera", "eyes", "microphone", "referee"} - {part}
    assert all(beats[other] < 1.0 for other in others), beats
    assert any(fallen.part == part for fallen in live.problems)


def test_a_part_that_hangs_does_not_hang_the_end() -> None:
    table = Table()
    table.eyes = Falling(table.eyes, table.time, lambda t: t > 3, hang=1e9)
    live = table.run(20.0)
    assert table.time.now() < 26.0
    assert any(fallen.part == "eyes" for fallen in live.problems)


def test_control_c_ends_a_live_table_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    live = Live(table.referee, table.camera, table.eyes, table.microphone, table.ears, threads=table.time)
    advance = table.referee.advance

    def pressed(clock: float) -> None:
        if table.time.now() > 4.0:
            raise KeyboardInterrupt
        advance(clock)

    monkeypatch.setattr(table.referee, "advance", pressed)
    live.run()
    assert 4.0 < table.time.now() < 6.5
    assert "play 1 As" in table.seen.events


def test_its_own_voice_is_not_believed() -> None:
    class Voice:
        speaking = True

        def say(self, text: str) -> None: ...

    table = Table()
    table.camera = table.eyes = None
    table.ears = ScriptedEars([Phrase(0.5, 0.5, "trut", ("trut",), False, "je trute", 0.9)])
    table.referee.voice = Voice()
    table.run()
    assert table.seen.events == []


# -- devices that come and go --------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["unplugged", "blocked", "frozen", "dark", "broken"])
def test_a_camera_lost_in_the_middle_is_told_once_and_the_game_goes_on(what: Any) -> None:
    table = ScriptedTable(TRUTH, camera_faults=[CameraFault(what, 4.2, 6.2)], seconds=20.0).run()
    (lost,), (back,) = table.told("camera-lost"), table.told("camera-back")
    assert lost - 4.2 <= 2.0
    assert back - 6.2 <= 3.0
    assert table.events == EVENTS


def test_cards_laid_while_it_was_blind_are_seen_when_it_is_back() -> None:
    table = ScriptedTable(TRUTH, camera_faults=[CameraFault("unplugged", 9.0, 10.8)], seconds=25.0).run()
    assert table.events == EVENTS
    late = [act.decided for act in table.acts if isinstance(act, Action) and str(act.event) == "play 1 8d"]
    assert 10.8 <= late[0] <= 14.0


def test_meanwhile_the_cards_are_dictated_and_count_once() -> None:
    def typed() -> Iterator[Order]:
        table.time.sleep(11.0 - table.time.now())
        yield Say(0.0, 0.0, "keyboard", Event("play", 1, ("8d",)))
        table.time.sleep(1.0)
        yield Say(0.0, 0.0, "keyboard", Event("play", 2, ("Qs",)))
        table.time.sleep(1e6)

    table = ScriptedTable(TRUTH, camera_faults=[CameraFault("blocked", 9.0)], seconds=25.0, inputs=typed())
    table.run()
    assert table.events == EVENTS


def test_a_microphone_lost_in_the_middle_is_told_once_and_comes_back() -> None:
    table = ScriptedTable(TRUTH, microphone_faults=[Fault("unplugged", 7.0, 12.0)], seconds=20.0).run()
    (lost,), (back,) = table.told("microphone-lost"), table.told("microphone-back")
    assert lost - 7.0 <= 3.0
    assert back - 12.0 <= 6.0
    assert table.events == EVENTS


def test_neither_was_there_and_both_come_in_by_themselves() -> None:
    faults = CameraFault("unplugged", 0.0, 10.0), Fault("unplugged", 0.0, 10.0)
    later = "".join(
        f"{line.split('t=')[0]}t={float(line.split('t=')[1]) + 25:.2f}\n" if "t=" in line else f"{line}\n"
        for line in TRUTH.splitlines()
    )
    table = ScriptedTable(later, camera_faults=faults[:1], microphone_faults=faults[1:], seconds=45.0).run()
    for part in ("camera", "microphone"):
        (lost,), (back,) = table.told(f"{part}-lost"), table.told(f"{part}-back")
        assert lost <= 2.0
        assert 10.0 <= back <= 21.0
    assert table.events == EVENTS


def test_both_are_lost_for_ever_and_the_score_pad_remains() -> None:
    def typed() -> Iterator[Order]:
        for timed in timed_events(TRUTH)[1]:
            table.time.sleep(2.0)
            yield Say(0.0, 0.0, "keyboard", timed.event)
        table.time.sleep(1e6)

    table = ScriptedTable(
        TRUTH,
        camera_faults=[CameraFault("blocked", 0.5)],
        microphone_faults=[Fault("stalled", 0.5)],
        inputs=typed(),
        seconds=30.0,
    )
    table.run()
    assert table.events == EVENTS
    assert len(table.told("camera-lost")) == len(table.told("microphone-lost")) == 1


# -- figures -------------------------------------------------------------------------------------------------


class SlowEyes:
    """Eyes that need ``seconds`` for a picture."""

    def __init__(self, eyes: ScriptedEyes, time: FakeTime, seconds: float) -> None:
        self._eyes, self._time, self._seconds = eyes, time, seconds

    def accept(self, frame: Frame) -> list[TableObservation]:
        self._time.sleep(self._seconds)
        return self._eyes.accept(frame)


class SlowEars:
    """Ears that need ``seconds`` for a block."""

    def __init__(self, ears: ScriptedEars, time: FakeTime, seconds: float) -> None:
        self._ears, self._time, self._seconds = ears, time, seconds

    def accept(self, samples: np.ndarray) -> list[SoundObservation]:
        self._time.sleep(self._seconds)
        return self._ears.accept(samples)

    def finish(self) -> list[SoundObservation]:
        return self._ears.finish()

    def expect(self, verbs: frozenset[str] | None) -> None: ...


def test_the_figures_tell_how_it_goes() -> None:
    table = Table()
    table.eyes = SlowEyes(table.eyes, table.time, 0.25)
    table.ears = SlowEars(table.ears, table.time, 0.01)
    live = Live(table.referee, table.camera, table.eyes, table.microphone, table.ears, threads=table.time)
    readings = []

    def look() -> None:
        table.time.sleep(12.0)
        readings.append(live.reading())

    table.time.start(look, "page")
    live.run()
    (reading,) = readings
    assert reading.pictures == pytest.approx(10, abs=0.5)
    assert reading.looked == pytest.approx(3.7, abs=0.5)
    assert reading.dropped >= 60
    assert reading.eyes_ms == pytest.approx(250, abs=1)
    assert reading.ears_percent == pytest.approx(20, abs=1)
    assert reading.age_ms is not None
    assert reading.age_ms <= 200
    assert reading.card_ms is not None
    assert 500 <= reading.card_ms <= 1500
    assert reading.knock_ms is not None
    assert reading.row()["down"] == []
