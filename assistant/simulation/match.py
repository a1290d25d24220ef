"""A simulated table before the real eyes, ears, interpreter and rules: who was right?"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.acts import Act, Action, Question
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.journal import Journal
from assistant.live import Live
from assistant.session import Eyes, Listener, NoViewer, Referee, Viewer, run_files
from assistant.simulation.answering import Tablemates, events_of
from assistant.simulation.learning import LEARNT, learn
from assistant.simulation.media import SimulatedCamera, SimulatedMicrophone, WallClock
from assistant.simulation.script import Fist
from assistant.simulation.table import SimulatedTable
from assistant.simulation.verdict import Verdict, infractions_of, judge, truth_of
from assistant.wiring import ears_for, eyes_for
from audio.health import Trouble
from engine import Game, Record, replay
from vision.camera import Frame
from vision.decks import SUFFIX

if TYPE_CHECKING:
    from assistant.page.table_page import TablePage

HEARD = "heard"
"""What is said of a fist at once: a tone (``assistant.session.Referee.observe``)."""
NEAR = 1.5
"""Seconds within which a trut of the record can be that of the truth."""


@dataclass(frozen=True, slots=True)
class Said:
    """An announcement: the event that it is about, when that happened, seconds until the announcement was ready."""

    verb: str
    t: float
    late: float


@dataclass
class Witness:
    """A viewer that keeps what happened and when it was known, and hands everything on to another viewer.

    An announcement is late by the seconds from its event to the moment at which it was ready. At real pace that
    is read off the clock. Faster than that, the steps are laid out on a real-time line by the processor time that
    each took: a step begins when its picture is there and the one before is done. ``corrections`` are the times
    at which something that had counted was taken back.

    Args:
        viewer: is shown everything too.
        clock: the clock of real pace; None where there is none.
        tablemates: players who answer its questions; None where nobody does.
    """

    viewer: Viewer = field(default_factory=NoViewer)
    clock: WallClock | None = None
    late: float = 0.0
    actions: list[Action] = field(default_factory=list)
    announcements: list[Announcement] = field(default_factory=list)
    questions: list[Announcement] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    corrections: list[float] = field(default_factory=list)
    tablemates: Tablemates | None = None
    _about: str = ""
    _free: float = 0.0
    _began: float = 0.0
    _entered: float | None = None

    def begin(self, t: float) -> None:
        """A step of the session begins, with the picture of ``t``; at real pace not before its time."""
        self.rest()
        if self.clock is not None:
            self.clock.until(t)
            self.late = max(self.late, self.clock() - t)
        self._began = max(t, self._free)
        self._entered = time.process_time()

    def rest(self) -> None:
        """The step is done; what follows (drawing the next picture) is not the referee's work."""
        if self._entered is not None:
            self._free = self._began + time.process_time() - self._entered
            self._entered = None

    @property
    def latencies(self) -> list[float]:
        """How late every announcement was."""
        return [said.late for said in self.said if said.verb != HEARD]

    def observed(self, observation: Observation | Trouble) -> None:
        self.viewer.observed(observation)

    def acted(self, act: Act) -> None:
        self._about = act.event.verb if isinstance(act, Action) else act.kind
        if isinstance(act, Question) and self.tablemates is not None:
            self.tablemates.asked(act)
        if self._about == HEARD:  # its tone
            self.said.append(Said(HEARD, act.t, self._late(act.t, act.decided)))
        if isinstance(act, Action):
            self.actions.append(act)
            if act.event.verb == "undo":
                self.corrections.append(act.decided)
        self.viewer.acted(act)

    def announced(self, announcement: Announcement) -> None:
        if announcement.question:
            self.questions.append(announcement)
        else:
            self.announcements.append(announcement)
            self.said.append(Said(self._about, announcement.t, self._late(announcement.t, announcement.decided)))
        self.viewer.announced(announcement)

    def _late(self, t: float, decided: float) -> float:
        """Seconds from ``t`` until what is known since ``decided`` is ready to be heard."""
        if self.clock is not None:
            ready = self.clock()
        elif self._entered is not None:
            ready = self._began + time.process_time() - self._entered
        else:
            ready = decided
        return max(ready, decided) - t


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


@dataclass(frozen=True, slots=True)
class Knock:
    """What became of a knock.

    Attributes:
        t, seat: of the fist; ``hidden``: nobody saw it.
        given: the seat that the record gives the trut to; None where it has none.
        asked: whether the assistant asked about it.
    """

    t: float
    seat: int
    hidden: bool
    given: int | None
    asked: bool

    @property
    def misattributed(self) -> bool:
        """Whether it was given to another seat without a question."""
        return self.given not in (None, self.seat) and not self.asked


@dataclass(frozen=True)
class Match:
    """What came of it.

    Attributes:
        table: the table with its truth.
        game: the game as it was refereed.
        verdict: truth and record compared.
        witness: what was announced and asked, and how late.
        knocks: what became of every knock.
        dropped: pictures that nobody looked at (live on a slow machine).
        late: seconds that the referee lagged behind the table at most (at real pace on a slow machine).
        problems: errors of the eyes or ears.
    """

    table: SimulatedTable
    game: Game
    verdict: Verdict
    witness: Witness
    knocks: tuple[Knock, ...]
    dropped: int
    late: float
    problems: tuple[Exception, ...]


def referee_table(
    table: SimulatedTable,
    *,
    deck: str | None = None,
    viewer: Viewer | None = None,
    pace: str = "fast",
    answers: bool = False,
    page: TablePage | None = None,
    then: Callable[[Match], None] = lambda match: None,
) -> Match:
    """Referee a simulated table with the real pipeline, record included.

    Args:
        table: the table.
        deck: what the eyes are told of the cards, as ``--deck`` takes it: a shipped deck or the file of one that was
            learnt (``learning.learn``). None: the shipped deck of such cards; where a café would teach it
            (``LEARNT``), the table's own is learnt first.
        viewer: who is shown what happens.
        pace: ``fast``: as fast as the machine allows, as ``trut watch`` does with files; ``real``: the same,
            but nothing before its time; ``live``: as ``trut watch`` does with devices, each part in its
            thread, and pictures that come too fast are dropped.
        answers: the assistant may ask, as at a live table, and the players answer.
        page: stands beside the referee and is served from the first card on, and after the last one until Ctrl-C;
            whoever opened it closes it.
        then: is told what came of it before the page is left to whoever looks at it.

    Raises:
        TrutError: weights or phrases are missing.
    """
    truth = truth_of(table.truth)
    eyes: Eyes | None = _eyes(table, deck)
    ears: Listener | None = ears_for(table.script.game)
    if page is not None:
        eyes, ears = page.eyes(eyes), page.ears(ears)
    sound = table.sound()
    table.stage.warm()
    clock = None if pace == "fast" else WallClock()
    witness = Witness(viewer or NoViewer(), clock)
    if answers:
        witness.tablemates = Tablemates(events_of(table.truth))
    dropped = 0
    with tempfile.TemporaryDirectory(prefix="trut-") as folder:
        journal = Journal(Path(folder), truth.header)
        referee = Referee(
            Game(truth.header), journal, witness, live=answers, page=None if page is None else page.attendant
        )
        if page is not None:
            page.start()

        def step(t: float) -> None:
            witness.begin(t)
            for reply in witness.tablemates.replies(t) if witness.tablemates is not None else ():
                referee.order(reply)

        try:
            if pace == "live":
                camera = SimulatedCamera(table, clock)
                live = Live(
                    referee, camera, eyes, SimulatedMicrophone(sound, clock), ears, now=clock or WallClock()
                )
                if page is not None:
                    page.live(live)
                live.run(table.script.duration + 5)
                dropped = camera.left_out + live.newest.dropped
                problems = [died.problem for died in live.problems if died.problem is not None]
            else:
                pictures = _Timed(SimulatedCamera(table), witness)
                microphone = SimulatedMicrophone(sound)
                problems = [*run_files(referee, pictures, eyes, microphone, ears, pace=step)]
            record = Record.load(journal.path)
            played = replay(record).game
            match = Match(
                table,
                played,
                judge(truth, played, (infractions_of(Record.parse(table.truth)), infractions_of(record))),
                witness,
                _knocks(table, witness),
                dropped,
                witness.late,
                tuple(problems),
            )
            then(match)
            if page is not None:
                page.at(table.script.duration)
                page.stay(referee)
        finally:
            journal.close()
    return match


def _eyes(table: SimulatedTable, deck: str | None) -> Eyes:
    """Eyes that read the table's deck."""
    like = table.faces.like
    if deck is not None or like not in LEARNT:
        return eyes_for(deck or like, table.script.seats)
    with tempfile.TemporaryDirectory(prefix="trut-") as folder:
        return eyes_for(str(learn(table.faces, Path(folder) / f"{table.faces.name}{SUFFIX}")), table.script.seats)


def _knocks(table: SimulatedTable, witness: Witness) -> tuple[Knock, ...]:
    """Every fist of the truth with the trut that the record has nearest to it."""
    truts = [a for a in witness.actions if a.event.verb == "trut" and a.refused is None and not a.quiet]
    found = []
    for fist in (g for g in table.script.gestures if isinstance(g, Fist)):
        near = [a for a in truts if abs(a.t - fist.t) < NEAR]
        given = min(near, key=lambda a: abs(a.t - fist.t)).event.seat if near else None
        asked = any(abs(question.t - fist.t) < NEAR for question in witness.questions)
        found.append(Knock(fist.t, fist.seat, fist.hidden, given, asked))
    return tuple(found)
