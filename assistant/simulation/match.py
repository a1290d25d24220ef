"""A simulated table before the real eyes, ears, interpreter and rules: who was right?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from assistant.acts import Act, Action
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.session import Eyes, Live, NoViewer, Referee, Viewer, run_files
from assistant.simulation.media import SimulatedCamera, SimulatedMicrophone, WallClock
from assistant.simulation.script import Fist
from assistant.simulation.table import SimulatedTable
from assistant.simulation.verdict import Verdict, judge, truth_of
from assistant.wiring import ears_for, eyes_for
from engine import Game
from vision.camera import Frame

DECK = "french32"
NEAR = 1.5
"""Seconds within which a trut of the record can be that of the truth."""


@dataclass
class Witness:
    """A viewer that keeps what happened and when it was known, and hands everything on to another viewer.

    ``latencies`` are the seconds from an event to the moment at which its announcement was ready. At real
    pace that is read off the clock. Faster than that, the steps are laid out on a real-time line by the time
    that each took: a step begins when its picture is there and the one before is done.
    """

    viewer: Viewer = field(default_factory=NoViewer)
    paced: bool = False
    actions: list[Action] = field(default_factory=list)
    announcements: list[Announcement] = field(default_factory=list)
    questions: list[Announcement] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    _free: float = 0.0
    _began: float = 0.0
    _entered: float | None = None

    def begin(self, clock: float) -> None:
        """A step of the session begins: its picture was taken at ``clock``."""
        self.rest()
        self._began = max(clock, self._free)
        self._entered = time.perf_counter()

    def rest(self) -> None:
        """The step is done; what follows (drawing the next picture) is not the referee's work."""
        if self._entered is not None:
            self._free = self._began + time.perf_counter() - self._entered
            self._entered = None

    def observed(self, observation: Observation) -> None:
        self.viewer.observed(observation)

    def acted(self, act: Act) -> None:
        if isinstance(act, Action):
            self.actions.append(act)
        self.viewer.acted(act)

    def announced(self, announcement: Announcement) -> None:
        if announcement.question:
            self.questions.append(announcement)
        else:
            self.announcements.append(announcement)
            ready = announcement.decided
            if not self.paced and self._entered is not None:
                ready = max(ready, self._began) + time.perf_counter() - self._entered
            self.latencies.append(ready - announcement.t)
        self.viewer.announced(announcement)


class _Timed:
    """A camera that tells the witness when the session asks for the next picture."""

    def __init__(self, camera: SimulatedCamera, witness: Witness) -> None:
        self._camera, self._witness = camera, witness

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._camera:
            yield frame
            self._witness.rest()

    def close(self) -> None:
        self._camera.close()


@dataclass(frozen=True)
class Match:
    """What came of it.

    Attributes:
        table: the table with its truth.
        game: the game as it was refereed.
        verdict: truth and record compared.
        witness: what was announced and asked, and how late.
        misattributed: knocks that were given to another seat than the one that knocked.
        dropped: pictures that nobody looked at (at real pace on a slow machine).
        problems: errors of the eyes or ears.
    """

    table: SimulatedTable
    game: Game
    verdict: Verdict
    witness: Witness
    misattributed: int
    dropped: int
    problems: tuple[Exception, ...]


def referee_table(table: SimulatedTable, *, viewer: Viewer | None = None, fast: bool = True) -> Match:
    """Referee a simulated table with the real pipeline.

    Args:
        table: the table.
        viewer: who is shown what happens.
        fast: as fast as the machine allows, as ``trut watch`` does with files; else at real pace, in threads,
            as with devices.

    Raises:
        TrutError: weights or phrases are missing.
    """
    truth = truth_of(table.truth)
    witness = Witness(viewer or NoViewer(), paced=not fast)
    referee = Referee(Game(truth.header), None, witness)
    eyes: Eyes = eyes_for(DECK, table.script.seats)
    ears = ears_for(table.script.game)
    sound = table.sound()
    dropped = 0
    problems: list[Exception] = []
    if fast:
        camera = _Timed(SimulatedCamera(table), witness)
        problems += run_files(referee, camera, eyes, SimulatedMicrophone(sound), ears, pace=witness.begin)
    else:
        table.stage.warm()
        clock = WallClock()
        paced = SimulatedCamera(table, clock)
        live = Live(referee, paced, eyes, SimulatedMicrophone(sound, clock), ears, now=clock)
        live.run(table.script.duration + 5)
        dropped = paced.left_out + live.newest.dropped
        problems += [died.problem for died in live.problems if died.problem is not None]
    verdict = judge(truth, referee.game)
    return Match(
        table,
        referee.game,
        verdict,
        witness,
        _misattributed(table, witness.actions),
        dropped,
        tuple(problems),
    )


def _misattributed(table: SimulatedTable, actions: list[Action]) -> int:
    """Knocks whose trut the record gives to another seat."""
    truts = [a for a in actions if a.event.verb == "trut" and a.refused is None and not a.quiet]
    wrong = 0
    for fist in (g for g in table.script.gestures if isinstance(g, Fist)):
        near = [a for a in truts if abs(a.t - fist.t) < NEAR]
        wrong += bool(near) and min(near, key=lambda a: abs(a.t - fist.t)).event.seat != fist.seat
    return wrong
