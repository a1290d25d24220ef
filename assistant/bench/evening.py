"""An evening at the whole table, faster than it passes: does anything grow, or come later and later?

Two replays, with a row of figures now and then:

``table``  the real ``Live`` with its threads, queues, camera supervision, interpreter, rules, record and announcer, on
           a clock that jumps. Games of Trut follow each other, played at random; perfect eyes and ears report them.
``film``   a simulated film and its sound, again and again, before the real eyes and ears and all that stands behind
           them: what comes of the second lap must come of every later one. An hour of it costs many minutes of work,
           so it is shorter.

    trut bench evening --hours 4 --film-hours 0.5
"""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assistant.acts import Act, Action
from assistant.announcer import Announcement
from assistant.figures import rss_mb
from assistant.holding import Observation
from assistant.journal import Journal
from assistant.live import Live
from assistant.orders import Command, Order
from assistant.session import BLOCK, RATE, Eyes, Listener, Referee, Samples, run_files
from assistant.simulation.table import SimulatedTable
from assistant.testing import (
    FakeCameras,
    FakeTime,
    Script,
    ScriptedEars,
    ScriptedEyes,
    played_at_random,
    timed_events,
)
from audio.health import Trouble
from engine import Game, Header
from vision.camera import FilmCamera, Frame
from vision.events import CardLaid, CardMoved, CardReread, CardsTaken

HOURS, FILM_HOURS = 4.0, 0.25
REPORTS = 8
"""Rows of each replay."""
BETWEEN = 8.0
"""Seconds from the end of a game to the next."""
ROUNDS = 40
"""More than a game has before somebody has won."""
PICTURES = 5.0
"""Pictures a second of the scripted table."""
SEED, SEATS = 31, 2
"""The simulated table of the film; as many rounds as seats, so that the same player deals first in every lap."""


@dataclass
class Witness:
    """A viewer that counts what happens and how late it is announced, and keeps nothing for long."""

    late: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def observed(self, observation: Observation | Trouble) -> None: ...

    def acted(self, act: Act) -> None:
        if isinstance(act, Action) and act.refused is None and not act.quiet:
            self.events.append(str(act.event))

    def announced(self, announcement: Announcement) -> None:
        self.late.append(announcement.decided - announcement.t)

    def times(self, referee: Referee) -> None:
        """Measure the referee's steps from now on."""
        advance = referee.advance

        def timed(clock: float) -> None:
            began = time.perf_counter()
            advance(clock)
            self.steps.append(time.perf_counter() - began)

        referee.advance = timed  # type: ignore[method-assign]

    def row(self, now: float) -> dict[str, Any]:
        """The figures since the last row, at second ``now``: ``step_ms`` is the referee's work for a step, ``late_ms``
        the time from an event to its announcement on the evening's clock."""
        row = {
            "hours": round(now / 3600, 3),
            "rss_mb": rss_mb(),
            "step_ms": _ms(self.steps, 0.5),
            "step_ms_p999": _ms(self.steps, 0.999),
            "late_ms": _ms(self.late, 0.5),
            "late_ms_p95": _ms(self.late, 0.95),
            "events": len(self.events),
        }
        self.late.clear()
        self.steps.clear()
        self.events.clear()
        return row


def _ms(seconds: list[float], share: float) -> float | None:
    ordered = sorted(seconds)
    return round(1000 * ordered[int(share * (len(ordered) - 1))], 2) if ordered else None


# -- the scripted table ----------------------------------------------------------------------------------------------


@dataclass
class Evening:
    """Games one after the other, as perfect eyes, and ears that know the voices, see and hear them.

    Attributes:
        header: of the first game.
        observations: of all games.
        ends: seconds at which a new game is asked for.
        events: how many happen.
    """

    header: Header
    observations: list[Observation] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    events: int = 0


def evening(hours: float, seed: int = 1) -> Evening:
    """Games of Trut until so many hours are over."""
    header = Header("trut", seats=4, dealer=4)
    out = Evening(header)
    start = 0.0
    while start < 3600 * hours:
        number = len(out.ends)
        events = played_at_random(header, seed + number, rounds=ROUNDS)
        out.observations += (_moved(o, start, 1000 * number) for o in Script(header, events, voices=True).build())
        out.events += len(events)
        start += events[-1].t + BETWEEN
        out.ends.append(start - BETWEEN / 2)
        game = Game(header)
        for timed in events:
            game.apply(timed.event)
        header = dataclasses.replace(header, dealer=game.next_dealer)
    return out


def _moved(what: Observation, by: float, track: int) -> Observation:
    """The same, later, of cards with other numbers."""
    moved = dataclasses.replace(what, t=what.t + by, decided=what.decided + by)
    if isinstance(moved, CardLaid | CardReread | CardMoved):
        return dataclasses.replace(moved, track=moved.track + track)
    if isinstance(moved, CardsTaken):
        return dataclasses.replace(moved, tracks=tuple(number + track for number in moved.tracks))
    return moved


class _Quiet:
    """A microphone of silence on the evening's clock."""

    rate = RATE

    def __init__(self, clock: FakeTime, seconds: float) -> None:
        self._clock, self._seconds, self._closed = clock, seconds, False

    def __iter__(self) -> Iterator[Samples]:
        block = np.zeros(BLOCK, np.float32)
        for n in range(1, round(self._seconds * RATE / BLOCK) + 1):
            self._clock.sleep(n * BLOCK / RATE - self._clock.now())
            if self._closed:
                return
            yield block

    def close(self) -> None:
        self._closed = True


class _Ears(ScriptedEars):
    """Ears that do not note what they were told may be said: over an evening that would be what grows."""

    def expect(self, verbs: frozenset[str] | None) -> None: ...


def table(hours: float, folder: Path) -> Iterator[dict[str, Any]]:
    """Rows of the scripted table, with ``work_percent``: the work of this process, of one core at real pace. The last
    one has ``events``, how many happened, and ``recorded``, how many were counted."""
    script = evening(hours)
    clock, witness = FakeTime(-1.0), Witness()
    referee = Referee(Game(script.header), Journal(folder, script.header), witness, live=True)
    camera = FakeCameras(clock, rate=PICTURES).camera()
    clock.sleep(-clock.now())
    seconds = script.ends[-1]

    def new_games() -> Iterator[Order]:
        for t in script.ends[:-1]:
            clock.sleep(t - clock.now())
            yield Command(t, t, "keyboard", "new-game")
        clock.sleep(1e9)

    eyes, ears = ScriptedEyes(script.observations), _Ears(script.observations)
    live = Live(referee, camera, eyes, _Quiet(clock, seconds), ears, inputs=new_games(), threads=clock)
    witness.times(referee)
    rows: list[dict[str, Any]] = []

    def report() -> None:
        worked = time.process_time()
        while True:
            clock.sleep(seconds / REPORTS)
            now = time.process_time()
            share = {"work_percent": round(100 * (now - worked) * REPORTS / seconds, 2)}
            worked = now
            rows.append(witness.row(clock.now()) | share)
            _show("table", rows[-1])

    clock.start(report, "report")
    live.run(seconds + 1.0)
    clock.close()
    if referee.journal is not None:
        referee.journal.close()
    happened = sum(row["events"] for row in rows) + len(witness.events)
    yield from rows
    yield {"events": script.events, "recorded": happened}


# -- the film --------------------------------------------------------------------------------------------------------


class FilmAgain:
    """The same film for so many laps."""

    def __init__(self, path: Path, lap: float, laps: int) -> None:
        self._path, self._lap, self._laps = path, lap, laps

    def __iter__(self) -> Iterator[Frame]:
        for n in range(self._laps):
            for frame in FilmCamera(self._path):
                if frame.t < self._lap:
                    yield dataclasses.replace(frame, t=frame.t + n * self._lap)

    def close(self) -> None: ...


class SoundAgain:
    """The same sound for so many laps."""

    rate = RATE

    def __init__(self, sound: Samples, laps: int) -> None:
        self._sound, self._laps = sound, laps

    def __iter__(self) -> Iterator[Samples]:
        for _ in range(self._laps):
            yield from np.split(self._sound, range(BLOCK, len(self._sound), BLOCK))

    def close(self) -> None: ...


def film(
    hours: float, folder: Path, eyes: Eyes | None = None, ears: Listener | None = None
) -> Iterator[dict[str, Any]]:
    """Rows of the film; the last one has ``laps`` and ``laps_that_differ`` from the second."""
    from assistant.simulation.film import write
    from assistant.wiring import ears_for, eyes_for

    simulated = SimulatedTable(SEED, seats=SEATS, rounds=SEATS)
    path = write(simulated, folder / "film")[0]
    header = timed_events(simulated.truth)[0]
    sound = simulated.sound()
    sound = sound[: len(sound) // BLOCK * BLOCK]
    lap = len(sound) / RATE
    laps = max(3, round(3600 * hours / lap))
    witness = Witness()
    referee = Referee(Game(header), Journal(folder, header), witness)
    witness.times(referee)
    heard: list[list[str]] = []
    rows: list[dict[str, Any]] = []
    lately: list[str] = []

    def pace(t: float) -> None:
        """Between two laps: what came of the last, and a new game."""
        if t < lap * (len(heard) + 1):
            return
        heard.append(witness.events[len(lately) :])
        lately.extend(heard[-1])
        referee.order(Command(t, t, "keyboard", "new-game"))
        if len(heard) * REPORTS // laps > len(rows):
            lately.clear()
            rows.append(witness.row(t))
            _show("film", rows[-1])

    run_files(
        referee,
        FilmAgain(path, lap, laps),
        eyes or eyes_for("french32", SEATS),
        SoundAgain(sound, laps),
        ears or ears_for(header.game),
        pace=pace,
    )
    if referee.journal is not None:
        referee.journal.close()
    yield from rows
    second = heard[1]
    yield {"laps": len(heard), "laps_that_differ": sum(one != second for one in heard[2:])}


def _show(replay: str, row: dict[str, Any]) -> None:
    print(json.dumps({replay: row}), file=sys.stderr, flush=True)


def run(hours: float = HOURS, film_hours: float = FILM_HOURS) -> dict[str, Any]:
    """The figures of an evening; progress goes to stderr.

    ``*_rss_percent``: the most memory after the first row, above that of the first row. ``*_late_drift_ms``: the last
    row's median time to an announcement less the first one's.
    """
    out: dict[str, Any] = {}
    for name, replay, length in (("table", table, hours), ("film", film, film_hours)):
        if not length:
            continue
        with tempfile.TemporaryDirectory(prefix="trut-") as folder:
            *rows, last = replay(length, Path(folder))
        first = rows[0]
        memory = [row["rss_mb"] for row in rows]
        late = [row["late_ms"] for row in rows if row["late_ms"] is not None]
        out |= {
            f"{name}_hours": rows[-1]["hours"],
            f"{name}_rss_mb": memory,
            f"{name}_rss_percent": round(100 * (max(memory) / first["rss_mb"] - 1), 1),
            f"{name}_step_ms": [row["step_ms"] for row in rows],
            f"{name}_step_ms_p999": [row["step_ms_p999"] for row in rows],
            f"{name}_late_ms": late,
            f"{name}_late_drift_ms": round(late[-1] - late[0], 1) if late else None,
            **{f"{name}_{key}": value for key, value in last.items()},
        }
    return out
