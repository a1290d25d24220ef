"""A game survives everything that can happen to its record: the fault is injected at step 1, 2, 3 ... of the disk
until a whole game ends without one (the way SQLite tests its own files)."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from faulty_disk import Died, Fault, FaultyDisk

from assistant.acts import Act, Action, Notice
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.journal import Journal, RecordUnwritable, lines_of
from assistant.mending import Mended
from assistant.session import Referee
from assistant.testing import Clock, played_at_random, script_of, timed_events
from engine import Event, Game, Header, Record, replay
from vision.events import CardLaid, CardReread, CardsTaken, HandGone, HandSeen

FOLDER = Path("/parties")
SHORT = """\
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


RANDOM = "\n".join(
    [
        "game trut\nseats 4\ndealer 4",
        *(f"{e.event} | t={e.t:.2f}" for e in played_at_random(Header("trut", seats=4, dealer=4), 3, rounds=1)),
        "",
    ]
)


class Watching:
    """A viewer that looks at the disk whenever something is shown or said."""

    def __init__(self, disk: FaultyDisk) -> None:
        self.disk = disk
        self.journal: Journal | None = None
        self.said: list[str] = []
        self.shown: list[Action] = []

    def observed(self, observation: object) -> None: ...

    def acted(self, act: Act) -> None:
        if isinstance(act, Action):
            self.shown.append(act)
            assert self.journal is not None
            if not self.journal.unsaved:
                written = self.disk.durable(self.journal.path).decode()
                assert lines_of(act, since=self.journal.since).split(" | ")[0] in written

    def announced(self, announcement: Announcement) -> None:
        self.said.append(announcement.text)


def play(
    disk: FaultyDisk, journal: Journal, game: Game, observations: Sequence[Observation], wall: Clock | None = None
) -> Watching:
    """Referee to the end of the observations; ``wall`` is turned with them."""
    viewer = Watching(disk)
    viewer.journal = journal
    referee = Referee(game, journal, viewer)
    clock = 0.0
    for seen in observations:
        clock = max(clock, seen.decided)
        if wall is not None:
            wall.now = clock
        referee.observe([seen])
        referee.advance(clock)
    referee.finish(clock + 1)
    journal.close()
    return viewer


def begin(disk: FaultyDisk, header: Header, observations: Sequence[Observation]) -> Watching:
    """A new game from its beginning."""
    journal = Journal(FOLDER, header, storage=disk, now=Clock())
    return play(disk, journal, Game(header), observations)


def undisturbed(header: Header, observations: Sequence[Observation]) -> tuple[FaultyDisk, str]:
    disk = FaultyDisk()
    begin(disk, header, observations)
    (path,) = disk.files()
    return disk, disk.text(path)


def states(record: str) -> list[Game]:
    """The game after each of its events, from before the first; a correction is one step."""
    lines = record.splitlines(keepends=True)
    header = sum(" | " not in line and not line.startswith("expect") for line in lines)
    games, inside = [replay(Record.parse("".join(lines[:header]))).game], 0
    for n in range(header, len(lines)):
        correction = re.search(r"then=(\d+)", lines[n])
        inside = int(correction[1]) if correction else inside - lines[n].startswith(("deal", "play", "trut", "accept"))
        if inside <= 0:
            games.append(replay(Record.parse("".join(lines[: n + 1]))).game)
    return games


def left(observations: Sequence[Observation], mended: Mended) -> list[Observation]:
    """The observations of which nothing is in the record; hands that are over the table are seen again when the
    camera opens, and a deal is no observation."""
    log = mended.game.log
    last = mended.last - 0.01 if log and log[-1].verb == "deal" else mended.last
    return [o for o in observations if o.t > last + 0.005 or (isinstance(o, HandSeen | HandGone) and o.t > last - 1)]


def survives(fault: Fault, header: Header, observations: Sequence[Observation], want: str) -> FaultyDisk:
    """Let the program die of a fault, resume, play on: nothing may be lost but the event in flight.

    A card read anew is no news to eyes that have just been opened: where that was in flight, the record is whole
    but keeps the misreading.
    """
    disk = FaultyDisk(fault)
    try:
        begin(disk, header, observations)
    except Died:
        disk.start_again()
        records = [path for path in disk.files() if path.suffix == ".trut"]
        if not records:  # the game had not begun
            begin(disk, header, observations)
        else:
            journal, mended, _ = Journal.resume(records[0], storage=disk)
            assert mended.game in states(want)
            journal.since = 0.0
            play(disk, journal, mended.game, left(observations, mended))
    records = [path for path in disk.files() if path.suffix == ".trut"]
    assert len(records) == 1
    text = disk.text(records[0])
    assert disk.durable(records[0]).decode() == text
    got, wanted = replay(Record.parse(text)), replay(Record.parse(want))
    assert got.holds
    assert text == want or (" then=" in want and got.game.log[2:] == wanted.game.log[2:])
    return disk


def steps_of(header: Header, observations: Sequence[Observation]) -> Iterator[tuple[int, int]]:
    """The number of each step of an undisturbed game, with the bytes that it writes."""
    disk, _ = undisturbed(header, observations)
    yield from enumerate(disk.written, 1)


def misread() -> list[Observation]:
    """SHORT, but the first card is taken for another one until long after: a correction of four events."""
    seen: list[Observation] = []
    for o in script_of(SHORT):
        if isinstance(o, CardLaid) and o.card == "As":
            seen.append(CardReread(9.0, 9.2, o.track, "As", 0.99, (("As", 0.99),)))
            o = dataclasses.replace(o, card="8s", guesses=(("8s", 0.97),))
        seen.append(o)
    return sorted(seen, key=lambda o: o.decided)


def infringed() -> list[Observation]:
    """SHORT, and between two tricks the wrong player lays a card, and takes it back."""
    seen = script_of(SHORT)
    laid = next(o for o in seen if isinstance(o, CardLaid) and o.card == "Qs")
    return sorted(
        [*seen, dataclasses.replace(laid, t=9.0, decided=9.2, track=77, card="9c", guesses=(("9c", 0.97),)),
         CardsTaken(9.4, 9.6, (77,))],
        key=lambda o: o.decided,
    )  # fmt: skip


GAMES = {
    "short": (SHORT, script_of(SHORT)),
    "misread": (SHORT, misread()),
    "infringed": (SHORT, infringed()),
    "random": (RANDOM, script_of(RANDOM)),
}


@pytest.mark.parametrize("kind", ["kill", "power", "short"])
@pytest.mark.parametrize("name", GAMES)
def test_death_at_every_step(kind: str, name: str) -> None:
    text, observations = GAMES[name]
    header, _ = timed_events(text)
    _, want = undisturbed(header, observations)
    for step in itertools.count(1):
        if not survives(Fault(kind, step), header, observations, want).hit:
            break
    print(f"{name}: {step - 1} faults, {kind}")
    assert step > 2 * len(replay(Record.parse(want)).game.log)


@pytest.mark.parametrize("name", ["misread", "infringed"])
def test_every_write_torn_after_every_byte(name: str) -> None:
    """Of the misread game only the correction, its largest write: the others are those of the other game."""
    text, observations = GAMES[name]
    header, _ = timed_events(text)
    _, want = undisturbed(header, observations)
    writes = [(step, size) for step, size in steps_of(header, observations) if size]
    if name == "misread":
        writes = [max(writes, key=lambda write: write[1])]
    runs = 0
    for step, size in writes:
        for prefix in range(size):
            survives(Fault("torn", step, prefix), header, observations, want)
            runs += 1
    print(f"{name}: {runs} faults, torn")
    assert runs > 150


@pytest.mark.parametrize("kind", ["full", "broken"])
@pytest.mark.parametrize("steps", [1, 2, 1000])
def test_a_disk_that_fails_stops_no_game(kind: str, steps: int) -> None:
    header, _ = timed_events(SHORT)
    observations = script_of(SHORT)
    _, want = undisturbed(header, observations)
    for step in itertools.count(1):
        disk, clock = FaultyDisk(Fault(kind, step, steps=steps)), Clock()
        try:
            journal = Journal(FOLDER, header, storage=disk, now=clock)
        except RecordUnwritable:
            continue  # said before the game begins
        viewer = play(disk, journal, Game(header), observations, clock)
        lost = "Le disque est plein" if kind == "full" else "Je n'arrive plus"
        if not disk.hit:
            break
        said = [text for text in viewer.said if text.startswith(lost)]
        assert len(said) <= 1
        assert [e.verb for e in replay(Record.parse(journal.text)).game.log] == [
            e.verb for e in replay(Record.parse(want)).game.log
        ]
        if journal.unsaved:
            assert steps > 1  # nothing is said where only the very end failed
            disk.heal()
            assert journal.rescue([Path("/ailleurs")]) == Path("/ailleurs/trut-1.trut")
        assert disk.text(journal.path) == want
    print(f"short: {step - 1} faults, {kind} for {steps}")
    assert step > 16


def test_what_was_missing_is_said_to_be_there_again() -> None:
    header, _ = timed_events(SHORT)
    disk, clock = FaultyDisk(), Clock()
    journal = Journal(FOLDER, header, storage=disk, now=clock)
    disk.fault = Fault("full", len(disk.steps) + 1, steps=3)
    viewer = play(disk, journal, Game(header), script_of(SHORT), clock)
    said = [text for text in viewer.said if "enregistre" in text]
    assert said == [
        "Le disque est plein. Je n'arrive plus à enregistrer : je garde la partie en mémoire.",
        "J'enregistre de nouveau : il ne manque rien.",
    ]
    assert disk.durable(journal.path).decode() == undisturbed(header, script_of(SHORT))[1]


def lying_at(t: float, observations: Sequence[Observation]) -> list[Observation]:
    """What eyes that open at ``t`` report at once."""
    taken = {track for o in observations if isinstance(o, CardsTaken) and o.t <= t for track in o.tracks}
    laid = [o for o in observations if isinstance(o, CardLaid) and o.t <= t and o.track not in taken]
    return [dataclasses.replace(o, t=0.0, decided=0.0, hand=None) for o in laid]


@pytest.mark.parametrize("kind", ["kill", "power"])
@pytest.mark.parametrize("name", ["short", "random"])
def test_what_lies_on_the_table_when_the_camera_opens_counts_once(kind: str, name: str) -> None:
    text, observations = GAMES[name]
    header, events = timed_events(text)
    _, want = undisturbed(header, observations)
    wanted = replay(Record.parse(want)).game.log
    times = [e.t for e in events]
    for step in itertools.count(1):
        disk = FaultyDisk(Fault(kind, step))
        with contextlib.suppress(Died):
            begin(disk, header, observations)
        if not disk.hit:
            break
        disk.start_again()
        if not (records := [path for path in disk.files() if path.suffix == ".trut"]):
            continue
        journal, mended, _ = Journal.resume(records[0], storage=disk)
        if not mended.game.log:
            continue  # nothing tells the first card of a game from one that lies there by chance
        now = max([t for t in times if t <= mended.last + 0.005][-1:] + times[len(mended.game.log) :][:1])
        rest = [o for o in left(observations, mended) if not (isinstance(o, CardLaid) and o.t <= now)]
        play(disk, journal, mended.game, [*lying_at(now, observations), *rest])
        got = replay(Record.parse(disk.text(records[0])))
        assert got.game.log == wanted
        assert not got.refused
    print(f"{name}: {step - 1} faults, {kind}, cards still lying there")


@pytest.mark.parametrize("kind", ["kill", "power", "full", "broken"])
def test_another_game_at_the_same_table_is_begun_at_once_or_not_at_all(kind: str) -> None:
    """Two games one after the other, a fault at every step: the first is whole, the second has all of its header or
    no file."""
    header, _ = timed_events(SHORT)
    for step in itertools.count(1):
        disk, clock, ended = FaultyDisk(Fault(kind, step)), Clock(), False
        with contextlib.suppress(Died, RecordUnwritable):
            journal = Journal(FOLDER, header, storage=disk, now=clock)
            referee = Referee(Game(header), journal)
            for second in (False, True):
                if second:
                    referee.follow([Notice(20.0, 20.0, "new-game")])
                clock.now += 10
                event = Event("deal")
                referee.game.apply(event)
                referee.follow([Action(21.0 if second else 1.0, 21.0, event, "keyboard")])
            clock.now += 10
            assert referee.journal is not None
            referee.journal.close()
            ended = True
        if not disk.hit:
            break
        disk.start_again()
        records = [disk.text(path) for path in disk.files() if path.suffix == ".trut"]
        assert [Record.parse(text).header.dealer for text in records] in [[], [2], [2, 1]]
        assert not ended or [text.partition("deal |")[2] for text in records] == [" t=1.00 by=keyboard\n"] * 2
    assert step > 10
