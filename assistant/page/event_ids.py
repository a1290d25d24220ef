"""Event ids: names of events that outlive corrections elsewhere.

``game.log[i]`` is another event as soon as something before it is taken out. An id (``"e17"``) names what was
observed: while its observation counts, whatever comes before it, the id stays; a card read or named otherwise keeps it;
taken back and brought again (undo and redo) it is the same. An id never names another observation later.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.account import RECORD, Entry, Ruled, Told
from engine import Event
from vision.events import CardLaid

GONE = 2000
"""Events taken back that are remembered, in case they are brought again."""
LATELY = 48
"""Events at the end of a log of which it is looked each time whether their observations are still the same: what is
older changes only with the log."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The observation behind an event: when it happened and was known, seconds. Those of an event that is known by
    the record only are nought."""

    t: float
    decided: float

    @property
    def known(self) -> bool:
        """Whether it tells one observation from another."""
        return (self.t, self.decided) != (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Named:
    """An event with its name.

    Attributes:
        origin: None where nobody remembers it any more.
        by: camera, microphone, rules, keyboard, page, voice or record.
        p: how sure the eyes were of a card, None where nobody read it.
        track: of the card on the table, None where none was seen.
    """

    id: str
    event: Event
    origin: Origin | None = None
    by: str = RECORD
    p: float | None = None
    track: int | None = None


class EventIds:
    """The names of the events of a log."""

    def __init__(self, first: int = 1) -> None:
        self._next = first
        self._named: list[Named] = []
        self._gone: OrderedDict[tuple[Event, Origin], str] = OrderedDict()

    @property
    def next(self) -> int:
        """The number of the next name: another game at the same table goes on from there."""
        return self._next

    def __len__(self) -> int:
        return len(self._named)

    def __getitem__(self, at: int) -> Named:
        return self._named[at]

    def place(self, name: str) -> int | None:
        """Where in the log the event of that name stands, None where it does not any more."""
        return next((at for at in range(len(self._named) - 1, -1, -1) if self._named[at].id == name), None)

    def follow(self, log: Sequence[Event], entries: Sequence[Entry]) -> None:
        """Name what a log has come to.

        Args:
            log: of the game.
            entries: the account's, whose events are the last ones of the log.
        """
        start = max(0, min(self._first_other(log), len(log) - LATELY))
        behind = _behind(log, entries, start)
        same = self._as_before(log, start, behind)
        tail, self._named[same:] = self._named[same:], []
        left = _Left(tail)
        new = behind[same - start :]
        names: list[str | None] = [left.take(_the_same(one)) for one in new]
        for place, name in enumerate(names):
            if name is None:
                names[place] = left.take(_put_right(new[place]))
        for named in left.named:
            if named.origin is not None and named.origin.known:
                self._gone[named.event, named.origin] = named.id
        for one, name in zip(new, names, strict=True):
            found = name or self._brought_again(one) or self._new()
            self._named.append(dataclasses.replace(one, id=found))
        while len(self._gone) > GONE:
            self._gone.popitem(last=False)

    def _first_other(self, log: Sequence[Event]) -> int:
        """Where the log begins to differ from the one that was named."""
        named = self._named
        if len(named) <= len(log) and all(one.event is event for one, event in zip(named, log, strict=False)):
            return len(named)
        pairs = enumerate(zip(named, log, strict=False))
        return next((at for at, (one, event) in pairs if one.event != event), len(log))

    def _as_before(self, log: Sequence[Event], start: int, behind: Sequence[Named]) -> int:
        """How many events at the beginning are those of before; what is known now of the latest is noted."""
        named = self._named
        for at in range(start, min(len(named), len(log))):
            now = behind[at - start]
            if not _the_same(now)(named[at]):
                return at
            if now.origin is not None and not _alike(now, named[at]):
                named[at] = dataclasses.replace(now, id=named[at].id)
        return min(len(named), len(log))

    def _brought_again(self, named: Named) -> str | None:
        return None if named.origin is None else self._gone.pop((named.event, named.origin), None)

    def _new(self) -> str:
        self._next += 1
        return f"e{self._next - 1}"


class _Left:
    """The named events that have found no place in the new log yet."""

    def __init__(self, named: Sequence[Named]) -> None:
        self.named = list(named)

    def take(self, fits: Callable[[Named], bool]) -> str | None:
        """The name of the first one that fits."""
        for place, named in enumerate(self.named):
            if fits(named):
                return self.named.pop(place).id
        return None


def _behind(log: Sequence[Event], entries: Sequence[Entry], start: int) -> list[Named]:
    """What is known of each event of a log from ``start`` on, without its name."""
    wanted = len(log) - start
    found: list[Named] = []
    for entry in reversed(entries):
        if len(found) >= wanted:
            break
        seen = entry.seen
        for event in reversed(entry.events):
            by, p = _source(entry, event)
            found.append(Named("", event, Origin(seen.t, seen.decided), by, p, entry.track))
    del found[wanted:]
    found += [Named("", event) for event in reversed(log[start : len(log) - len(found)])]
    return found[::-1]


def _alike(one: Named, other: Named) -> bool:
    return (one.origin, one.by, one.p, one.track) == (other.origin, other.by, other.p, other.track)


def _source(entry: Entry, event: Event) -> tuple[str, float | None]:
    match entry.seen:
        case Told(by=by):
            return by, None
        case Ruled():
            return "rules", None
        case CardLaid() as laid if event.verb == "play":
            told = laid.guesses == ((laid.card, 1.0),)  # a person has named it
            return ("told", None) if told else ("camera", entry.p)
        case _ if event is not entry.events[-1]:
            return "rules", None
    return "microphone", entry.p


def _the_same(now: Named) -> Callable[[Named], bool]:
    """Whether a named event is this one: the same words, and not surely another observation."""

    def same(named: Named) -> bool:
        if named.event != now.event:
            return False
        one, other = named.origin, now.origin
        return one is None or other is None or not (one.known and other.known) or one == other

    return same


def _put_right(now: Named) -> Callable[[Named], bool]:
    """Whether a named event is this one before it was read or named otherwise."""

    def same(named: Named) -> bool:
        if named.origin is None or named.origin != now.origin or named.event.verb != now.event.verb:
            return False
        return named.event.seat == now.event.seat or named.event.args == now.event.args

    return same
