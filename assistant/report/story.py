"""The story of a game: what a record says happened, by rounds and tricks, with what was refused and corrected.

A story is data without words and the same in both languages (``assistant.report.words`` has the sentences). It follows
the game's log, the events that were accepted and not taken back, so its totals are those of ``trut score``. What was
taken back is kept as a correction at the place where it was.

>>> from engine import Record
>>> story = story_of(Record.parse("game trut\\nseats 2\\ndeal\\nplay 1 7h\\nundo\\nplay 1 8h\\nplay 2 9c\\n"))
>>> [card.card for card in story.rounds[0].passages[0].cards]
['8h', '9c']
>>> [str(event) for thing in story.things() if isinstance(thing, Corrected) for event in thing.removed]
['play 1 7h']
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from assistant.mending import THEN
from engine import (
    Event,
    Game,
    GameWon,
    Header,
    MancheWon,
    Outcome,
    PetitsConverted,
    Record,
    Refusal,
    RoundEnded,
    TrickRotten,
    TrickWon,
)
from engine.events import FORMS, number
from engine.outcomes import Score
from engine.record import Line

CLOSING: Final = (RoundEnded, PetitsConverted, MancheWon, GameWon)
"""Outcomes that end a round or follow from its end."""


@dataclass(frozen=True, slots=True)
class Source:
    """How an event came about, as its line says.

    Attributes:
        t: seconds since the record began, None where it is not said.
        by: camera, microphone, page ..., ``""`` where it is not said.
        p: how sure it was, 0 to 1, None where it is not said.
    """

    t: float | None = None
    by: str = ""
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A card. ``at`` is its place in the game's log; ``best``: it won its trick, or made it rotten."""

    at: int
    seat: int
    card: str
    best: bool
    outcomes: tuple[Outcome, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Said:
    """Any other event: a call, an answer, a cut, an agreed score."""

    at: int
    event: Event
    outcomes: tuple[Outcome, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Broken:
    """An event that the rules refused, before the event at ``at`` of the log. ``expected``: the record says so."""

    at: int
    event: Event
    refusal: Refusal
    expected: bool
    source: Source
    line: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """Events that were taken back from ``at`` of the log on, and what was put in their place.

    Events that are the same before and after at either end are left out.
    """

    at: int
    removed: tuple[Event, ...]
    put: tuple[Event, ...]
    source: Source


Thing = Laid | Said | Broken | Corrected


@dataclass(frozen=True, slots=True)
class Passage:
    """A trick with what was said before and between its cards; or, without a card, what was said and settled the round.

    Attributes:
        n: number of the trick in its round as it is drawn, from 1; None where no card was laid.
        result: None for a trick that was not finished.
        next_leader: who leads after it, None where no card follows in the round.
    """

    n: int | None
    things: tuple[Thing, ...]
    result: TrickWon | TrickRotten | None
    next_leader: int | None = None

    @property
    def cards(self) -> tuple[Laid, ...]:
        """In the order laid."""
        return tuple(thing for thing in self.things if isinstance(thing, Laid))


@dataclass(frozen=True, slots=True)
class Round:
    """From a deal to its winner.

    Attributes:
        n: from 1; a round that was annulled counts, as in ``trut score``.
        dealer: who dealt it.
        first, last: its events in the log, from ``first`` up to but without ``last``.
        before, score: the score before and after it.
        ended: None while it runs.
        closing: what its end brought with it: petits converted, a manche or the game won.
    """

    n: int
    dealer: int
    first: int
    last: int
    passages: tuple[Passage, ...]
    before: Score
    score: Score
    manches: Mapping[str, int] | None
    ended: RoundEnded | None
    closing: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A whole game.

    Attributes:
        rounds: in order; the last one may be running.
        after: what happened behind the last round: an agreed score, a team that gave up, corrections.
        score, manches, winner: at the end of the record.
        events: how many events its log has.
    """

    header: Header
    rounds: tuple[Round, ...]
    after: tuple[Thing, ...]
    start: Score
    score: Score
    manches: Mapping[str, int] | None
    winner: str | None
    events: int

    def things(self) -> Iterator[Thing]:
        """Everything in the order in which it is told."""
        for played in self.rounds:
            for passage in played.passages:
                yield from passage.things
        yield from self.after


@dataclass(slots=True)
class _Step:
    """One event of the log, and how the game stood after it."""

    event: Event
    outcomes: tuple[Outcome, ...]
    source: Source
    score: Score
    dealer: int


@dataclass(slots=True)
class _Note:
    """What was refused, or what was taken back."""

    line: int
    source: Source
    event: Event | None = None
    refusal: Refusal | None = None
    expected: bool = False
    removed: tuple[Event, ...] = ()
    put: list[Event] = field(default_factory=list)


class Teller:
    """Makes a story line by line, so that a running game can be followed.

    >>> teller = Teller(Header("trut", seats=2))
    >>> for line in ("deal", "play 1 7h"):
    ...     teller.hear(Line.parse(line))
    >>> teller.story().rounds[0].passages[0].cards[0].card
    '7h'
    """

    def __init__(self, header: Header) -> None:
        self.game = Game(header)
        self.start: Score = self.game.score
        self.lines = 0
        self.undone = 0
        """How often something was taken back."""
        self._steps: list[_Step] = []
        self._notes: list[tuple[int, deque[_Note]]] = []
        """What was refused or taken back before an event of the log, by its place in the log, in order."""
        self._started = False
        self._last: _Note | None = None
        """The refusal just before, which an ``expect error`` may expect."""
        self._correction: _Note | None = None
        self._owed = 0
        """How many of the next events belong to the running correction."""

    def hear(self, line: Line) -> None:
        """The next line of the record, whatever it is."""
        self.lines += 1
        if line.kind == "expect":
            if self._last is not None and line.words[1:] == ("error", (self._last.refusal or _NONE).code):
                self._last.expected = True
            self._last = None
        elif line.kind == "event" or (line.kind == "header" and self._started):
            assert line.event is not None
            self._started = True
            self._last = None
            self._happened(line.event, _source(line))

    def _happened(self, event: Event, source: Source) -> None:
        game, keep = self.game, len(self._steps)
        if event.verb == "undo" and FORMS["undo"].fits(event):
            keep -= (number(event.args[0]) or 0) if event.args else 1
        answer = game.apply(event)
        ours = self._owed > 0
        self._owed -= ours
        if isinstance(answer, Refusal):
            self._last = _Note(self.lines, source, event, answer)
            self._note(self._last)
        elif event.verb == "undo":
            self._taken_back(keep, source)
        else:
            self._steps.append(_Step(event, answer.outcomes, source, game.score, game.dealer))
            if ours and self._correction is not None:
                self._correction.put.append(event)

    def _taken_back(self, keep: int, source: Source) -> None:
        self.undone += 1
        removed = tuple(step.event for step in self._steps[keep:])
        del self._steps[keep:]
        self._owed = source_then(source)
        behind: deque[_Note] = deque()
        while self._notes and self._notes[-1][0] > keep:
            behind = _joined(self._notes.pop()[1], behind)
        if self._owed:  # what had been refused is offered again, and refused again where it must be
            behind = deque(note for note in behind if note.refusal is None)
        if behind:
            at_keep = self._notes.pop()[1] if self._notes and self._notes[-1][0] == keep else deque()
            self._notes.append((keep, _joined(at_keep, behind)))
        self._correction = _Note(self.lines, source, removed=removed)
        if removed:
            self._note(self._correction)

    def _note(self, note: _Note) -> None:
        if not self._notes or self._notes[-1][0] < len(self._steps):
            self._notes.append((len(self._steps), deque()))
        self._notes[-1][1].append(note)

    def story(self) -> Story:
        """What has been told up to now."""
        game = self.game
        rounds, after = _rounds(self._steps, self._things(), self.start, game)
        events = len(self._steps)
        return Story(game.header, rounds, after, self.start, game.score, game.manches, game.winner, events)

    def _things(self) -> list[Thing]:
        """The events of the log and the notes before them, in order."""
        placed = (_placed(at, note, len(self._steps)) for at, notes in self._notes for note in notes)
        notes = sorted(placed, key=lambda thing: thing.at)
        things: list[Thing] = []
        waiting = iter(notes)
        note = next(waiting, None)
        for at, step in enumerate(self._steps):
            while note is not None and note.at <= at:
                things.append(note)
                note = next(waiting, None)
            things.append(_thing(at, step))
        while note is not None:
            things.append(note)
            note = next(waiting, None)
        return things


_NONE: Final = Refusal("")


def story_of(record: Record) -> Story:
    """The story of a whole record."""
    teller = Teller(record.header)
    for line in record.lines:
        teller.hear(line)
    return teller.story()


def _source(line: Line) -> Source:
    """How an event came about; of remarks that make no sense there is none."""
    if line.remark is None:
        return Source()
    remarks = line.remarks
    return _Owing(
        _decimal(remarks.get("t", "")),
        remarks.get("by", ""),
        _decimal(remarks.get("p", ""), most=1.0),
        number(remarks.get(THEN, "")) or 0,
    )


@dataclass(frozen=True, slots=True)
class _Owing(Source):
    """The source of an ``undo`` that says how many events behind it belong to it."""

    then: int = 0


def source_then(source: Source) -> int:
    """How many events behind an ``undo`` belong to the same correction."""
    return source.then if isinstance(source, _Owing) else 0


def _decimal(word: str, most: float = 1e7) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if 0.0 <= value <= most else None


def _thing(at: int, step: _Step) -> Laid | Said:
    event = step.event
    if event.verb == "play" and event.seat is not None:
        return Laid(at, event.seat, event.args[0], False, step.outcomes, step.source)
    return Said(at, event, step.outcomes, step.source)


def _joined(first: deque[_Note], second: deque[_Note]) -> deque[_Note]:
    """Both in order; the longer one is not copied, so that no record takes more than its length's time."""
    if len(first) < len(second):
        second.extendleft(reversed(first))
        return second
    first.extend(second)
    return first


def _placed(at: int, note: _Note, events: int) -> Broken | Corrected:
    if note.refusal is not None and note.event is not None:
        return Broken(at, note.event, note.refusal, note.expected, note.source, note.line)
    removed, put = note.removed, tuple(note.put)
    same = 0
    while same < min(len(removed), len(put)) and removed[same] == put[same]:
        same += 1
    removed, put = removed[same:], put[same:]
    while removed and put and removed[-1] == put[-1]:
        removed, put = removed[:-1], put[:-1]
    return Corrected(min(at + same, events), removed, put, note.source)


# Rounds


def _rounds(
    steps: Sequence[_Step], things: Sequence[Thing], start: Score, game: Game
) -> tuple[tuple[Round, ...], tuple[Thing, ...]]:
    """Cut the things into rounds. What happens between two of them belongs to the next one, if there is one."""
    rounds: list[Round] = []
    part: list[Thing] = []
    score, first, dealt = start, 0, False
    last = max((place for place, thing in enumerate(things) if isinstance(thing, Laid | Said)), default=-1)
    for place, thing in enumerate(things):
        part.append(thing)
        if not isinstance(thing, Laid | Said):
            continue
        dealt = dealt or (isinstance(thing, Said) and thing.event.verb == "deal")
        ended = next((outcome for outcome in thing.outcomes if isinstance(outcome, RoundEnded)), None)
        running = ended is None and dealt and place == last
        if ended is None and not running:
            continue
        if running:
            part.extend(things[place + 1 :])
        step = steps[thing.at]
        closing = tuple(o for o in thing.outcomes if isinstance(o, CLOSING) and not isinstance(o, RoundEnded))
        rounds.append(
            Round(
                n=ended.n if ended is not None else len(game.rounds) + 1,
                dealer=ended.dealer if ended is not None else step.dealer,
                first=first,
                last=thing.at + 1,
                passages=_passages(part, game),
                before=score,
                score=step.score,
                manches=ended.manches if ended is not None else game.manches,
                ended=ended,
                closing=closing,
            )
        )
        part, score, first, dealt = [], step.score, thing.at + 1, False
        if running:
            break
    return tuple(rounds), tuple(part)


def _passages(things: Sequence[Thing], game: Game) -> tuple[Passage, ...]:
    passages: list[Passage] = []
    part: list[Thing] = []
    tricks = 0
    for thing in things:
        part.append(thing)
        result = next((o for o in getattr(thing, "outcomes", ()) if isinstance(o, TrickWon | TrickRotten)), None)
        if result is not None:
            tricks += 1
            passages.append(_trick(tricks, part, result, game))
            part = []
    if part and passages and not any(isinstance(thing, Laid) for thing in part):
        passages.append(Passage(None, tuple(part), None))
    elif part:
        cards = any(isinstance(thing, Laid) for thing in part)
        passages.append(Passage(tricks + 1 if cards else None, tuple(part), None))
    return tuple(
        _led_on(passage, any(later.cards for later in passages[place + 1 :])) for place, passage in enumerate(passages)
    )


def _led_on(passage: Passage, more: bool) -> Passage:
    """The passage with who leads next, where cards follow in the round."""
    if passage.result is None or not more:
        return passage
    return Passage(passage.n, passage.things, passage.result, passage.result.next_leader)


def _trick(n: int, part: Sequence[Thing], result: TrickWon | TrickRotten, game: Game) -> Passage:
    """A finished trick, its highest cards marked: the winner's, or all that made it rotten."""
    top = max((game.strength(card) for card in result.cards), default=-1)
    things: list[Thing] = []
    for thing in part:
        if isinstance(thing, Laid):
            strongest = game.strength(thing.card) == top
            best = strongest and (isinstance(result, TrickRotten) or thing.seat == result.seat)
            thing = Laid(thing.at, thing.seat, thing.card, best, thing.outcomes, thing.source)
        things.append(thing)
    return Passage(n, tuple(things), result)
