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
        behind = _behind(log, entries)
        same = self._as_before(log, behind)
        tail, self._named[same:] = self._named[same:], []
        left = _Left(tail)
        names: list[str | None] = [left.take(_the_same(log[at], behind[at])) for at in range(same, len(log))]
        for place, name in enumerate(names):
            if name is None:
                names[place] = left.take(_put_right(log[same + place], behind[same + place]))
        for named in left.named:
            if named.origin is not None and named.origin.known:
                self._gone[named.event, named.origin] = named.id
        for place, name in enumerate(names):
            at = same + place
            found = name or self._brought_again(behind[at]) or self._new()
            self._named.append(dataclasses.replace(behind[at], id=found))
        while len(self._gone) > GONE:
            self._gone.popitem(last=False)

    def _as_before(self, log: Sequence[Event], behind: Sequence[Named]) -> int:
        """How many events at the beginning are those of before; what is known of them now is noted."""
        named = self._named
        for at in range(min(len(named), len(log))):
            if not _the_same(log[at], behind[at])(named[at]):
                return at
            if behind[at].origin is not None:
                named[at] = dataclasses.replace(behind[at], id=named[at].id)
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


def _behind(log: Sequence[Event], entries: Sequence[Entry]) -> list[Named]:
    """What is known of each event of a log, without its name."""
    found: list[Named] = []
    for entry in reversed(entries):
        seen = entry.seen
        for event in reversed(entry.events):
            by, p = _source(entry, event)
            found.append(Named("", event, Origin(seen.t, seen.decided), by, p, entry.track))
    del found[len(log) :]
    found += [Named("", event) for event in reversed(log[: len(log) - len(found)])]
    return found[::-1]


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


def _the_same(event: Event, now: Named) -> Callable[[Named], bool]:
    """Whether a named event is this one: the same words, and not surely another observation."""

    def same(named: Named) -> bool:
        if named.event != event:
            return False
        one, other = named.origin, now.origin
        return one is None or other is None or not (one.known and other.known) or one == other

    return same


def _put_right(event: Event, now: Named) -> Callable[[Named], bool]:
    """Whether a named event is this one before it was read or named otherwise."""

    def same(named: Named) -> bool:
        if named.origin is None or named.origin != now.origin or named.event.verb != event.verb:
            return False
        return named.event.seat == event.seat or named.event.args == event.args

    return same
