"""Taps: what people tell with a finger, as it comes from the network, checked for its form.

Whoever taps says what he saw (``was``, ``rev``, the last event): what is no longer so by the time that the tap is
followed is not followed. Two people at once never lose a change, and never make one that they did not mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assistant.i18n import N_
from engine.errors import TrutError
from engine.events import FORMS, Event
from engine.options import GAMES, OPTIONS

LONGEST_ID = 64
LONGEST_NAME = 24
MOST_REV = 1 << 53
SEATS = 6
NEVER = frozenset({"undo"})
"""Words of the record that are no event to be said."""
_WORD = re.compile(r"[0-9A-Za-z?]{1,12}")
_CARD = re.compile(r"(?:1[0-2]|[1-9]|[JQKA])[a-z?]?")
_ID = re.compile(r"e[0-9]{1,9}")
_QUESTION = re.compile(r"q[0-9]{1,9}")


class BadTap(TrutError):
    """A tap that nobody can have made on the page."""

    code = "bad-tap"


@dataclass(frozen=True, slots=True)
class RenameTap:
    """The card of ``event``, which was shown as ``was``, is ``card``."""

    event: str
    was: str
    card: str


@dataclass(frozen=True, slots=True)
class ReseatTap:
    """What was shown as done by seat ``was`` was done by ``seat``."""

    event: str
    was: int
    seat: int


@dataclass(frozen=True, slots=True)
class DropTap:
    """``event``, shown as ``was`` (its line of the record), never happened."""

    event: str
    was: str


@dataclass(frozen=True, slots=True)
class InsertTap:
    """This happened before an event, None: after all of them, and was missed."""

    before: str | None
    said: Event


@dataclass(frozen=True, slots=True)
class SayTap:
    """This happens now."""

    said: Event


@dataclass(frozen=True, slots=True)
class ResultTap:
    """The running round, counted at once: ``team`` won ``award`` (petit, long, or a number of points)."""

    team: str
    award: str


@dataclass(frozen=True, slots=True)
class UndoTap:
    """Take back the last event, which was shown as ``event``, or the correction made after it."""

    event: str


@dataclass(frozen=True, slots=True)
class RedoTap:
    """Bring back what was taken back."""


@dataclass(frozen=True, slots=True)
class ReplyTap:
    """The answer to a question."""

    question: str
    answer: int | str | bool


@dataclass(frozen=True, slots=True)
class WordTap:
    """A word to the assistant: pause, resume, score, repeat."""

    word: str


@dataclass(frozen=True, slots=True)
class NeighboursTap:
    """Which cards may that of ``event`` be?"""

    event: str


@dataclass(frozen=True, slots=True)
class NamesTap:
    """What the players at these seats are called; an empty name takes one away."""

    names: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class BeginTap:
    """Another game, after the ``after``-th at this table. What is None stays, or is what the rules say.

    Attributes:
        options: house rules that shall be others than in the game before; None: none.
        rematch: the same once more, said as such.
        score: to begin with, numbers as in the record: longs and petits, or points, of each team.
    """

    after: int
    rematch: bool = False
    game: str | None = None
    seats: int | None = None
    dealer: int | None = None
    options: tuple[tuple[str, str], ...] | None = None
    names: tuple[tuple[int, str], ...] | None = None
    score: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] | None = None


Do = (
    RenameTap
    | ReseatTap
    | DropTap
    | InsertTap
    | SayTap
    | ResultTap
    | UndoTap
    | RedoTap
    | ReplyTap
    | WordTap
    | NeighboursTap
    | NamesTap
    | BeginTap
)


@dataclass(frozen=True, slots=True)
class Tap:
    """One tap.

    Attributes:
        id: its sender's name for it.
        rev: the state that was shown to whoever tapped, None where that is not known.
        do: what is wanted.
    """

    id: str
    rev: int | None
    do: Do


def tap_of(message: Mapping[str, object]) -> Tap:
    """Read a message.

    Raises:
        BadTap: it is none of the possible ones; nothing of it is believed then.
    """
    fields = _Fields({key: value for key, value in message.items() if key != "type"})
    name = fields.text("id", LONGEST_ID)
    rev = fields.number("rev", 0, MOST_REV) if fields.given("rev") else None
    what = fields.text("do", 16)
    read = _READ.get(what)
    if read is None:
        raise BadTap(N_("geste inconnu : « {what} »"), what=what)
    do = read(fields)
    if fields.left:
        raise BadTap(N_("geste « {what} » : champ inconnu « {field} »"), what=what, field=str(fields.left[0])[:40])
    return Tap(name, rev, do)


class _Fields:
    """The fields of a message, each taken once."""

    def __init__(self, message: Mapping[str, object]) -> None:
        self._left = dict(message)

    @property
    def left(self) -> list[object]:
        """What nobody has asked for."""
        return list(self._left)

    def given(self, name: str) -> bool:
        return self._left.get(name) is not None

    def take(self, name: str) -> object:
        if name not in self._left:
            raise BadTap(N_("il manque « {field} »"), field=name)
        return self._left.pop(name)

    def wrong(self, name: str) -> BadTap:
        return BadTap(N_("« {field} » : valeur impossible"), field=name)

    def text(self, name: str, most: int, pattern: re.Pattern[str] | None = None) -> str:
        value = self.take(name)
        if not isinstance(value, str) or not 1 <= len(value) <= most or not value.isprintable():
            raise self.wrong(name)
        if pattern is not None and not pattern.fullmatch(value):
            raise self.wrong(name)
        return value

    def number(self, name: str, least: int, most: int) -> int:
        value = self.take(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(name)
        return value

    def yes(self, name: str) -> bool:
        value = self.take(name)
        if not isinstance(value, bool):
            raise self.wrong(name)
        return value

    def seat(self, name: str) -> int:
        return self.number(name, 1, SEATS)

    def event(self, name: str = "event") -> str:
        return self.text(name, 10, _ID)

    def card(self, name: str) -> str:
        return self.text(name, 3, _CARD)

    def optional(self, name: str, read: Callable[[str], object]) -> object:
        """The field, None where it is not there or null."""
        if self.given(name):
            return read(name)
        self._left.pop(name, None)
        return None

    def table(self, name: str, most: int) -> dict[str, object]:
        value = self.take(name)
        if not isinstance(value, Mapping) or len(value) > most or not all(isinstance(key, str) for key in value):
            raise self.wrong(name)
        return dict(value)

    def happened(self) -> Event:
        """``verb``, ``seat`` and ``card`` or ``args`` as an event."""
        verb = self.text("verb", 16)
        if verb not in FORMS or verb in NEVER:
            raise self.wrong("verb")
        who = self.seat("seat") if self.given("seat") else None
        if who is None:
            self._left.pop("seat", None)
        args: tuple[str, ...] = ()
        if verb == "play":
            args = (self.card("card"),) if self.given("card") else self._words()
            if len(args) != 1 or not _CARD.fullmatch(args[0]):
                raise self.wrong("card")
        else:
            args = self._words()
        form = FORMS[verb]
        if not form.fits(Event(verb, (who or 1) if form.seat == "yes" else who, args)):
            raise self.wrong("args")
        return Event(verb, who, args)

    def is_result(self) -> bool:
        """Whether it is a round counted at once."""
        return self._left.get("verb") == "result"

    def result(self) -> ResultTap:
        self.take("verb")
        if self.given("seat"):
            raise self.wrong("seat")
        self._left.pop("seat", None)
        match self._words():
            case (("A" | "B") as team, award) if re.fullmatch("petit|long|[1-9][0-9]{0,5}", award):
                return ResultTap(team, award)
        raise self.wrong("args")

    def _words(self) -> tuple[str, ...]:
        if not self.given("card"):
            self._left.pop("card", None)
        if not self.given("args"):
            self._left.pop("args", None)
            return ()
        value = self.take("args")
        if not isinstance(value, list) or len(value) > 8:
            raise self.wrong("args")
        words = [str(word) if isinstance(word, int) and not isinstance(word, bool) else word for word in value]
        if not all(isinstance(word, str) and _WORD.fullmatch(word) for word in words):
            raise self.wrong("args")
        return tuple(words)

    def names(self, name: str) -> tuple[tuple[int, str], ...]:
        found = []
        for seat, called in self.table(name, SEATS).items():
            if not re.fullmatch("[1-6]", seat) or not isinstance(called, str):
                raise self.wrong(name)
            clean = " ".join(called.split())
            if len(clean) > LONGEST_NAME or "#" in clean or "|" in clean or not clean.isprintable():
                raise self.wrong(name)
            found.append((int(seat), clean))
        return tuple(sorted(found))


def _reply(fields: _Fields) -> ReplyTap:
    question = fields.text("question", 10, _QUESTION)
    answer = fields.take("answer")
    match answer:
        case bool():
            return ReplyTap(question, answer)
        case int() if 1 <= answer <= SEATS:
            return ReplyTap(question, answer)
        case str() if _CARD.fullmatch(answer):
            return ReplyTap(question, answer)
    raise fields.wrong("answer")


def _begin(fields: _Fields) -> BeginTap:
    game = fields.text("game", 20) if fields.given("game") else fields.optional("game", str)
    if game is not None and game not in GAMES:
        raise fields.wrong("game")
    after = fields.number("after", 1, 1 << 30)
    rematch = fields.optional("rematch", fields.yes) is True
    fields.optional("kind", lambda name: fields.text(name, 8))
    seats = fields.optional("seats", fields.seat)
    dealer = fields.optional("dealer", fields.seat)
    options = fields.optional("options", lambda name: _options(fields, name))
    names = fields.optional("names", fields.names)
    score = fields.optional("score", lambda name: _score(fields, name))
    return BeginTap(after, rematch, game, seats, dealer, options, names, score)  # type: ignore[arg-type]


def _options(fields: _Fields, name: str) -> tuple[tuple[str, str], ...]:
    found = fields.table(name, len(OPTIONS))
    for option, value in found.items():
        if option not in OPTIONS or not isinstance(value, str) or not OPTIONS[option].allows(value):
            raise fields.wrong(name)
    return tuple(sorted((option, str(value)) for option, value in found.items()))


def _score(fields: _Fields, name: str) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    found = fields.table(name, 2)
    if set(found) != {"A", "B"}:
        raise fields.wrong(name)
    parts = []
    for team, part in sorted(found.items()):
        if not isinstance(part, Mapping) or set(part) not in ({"longs", "petits"}, {"points"}):
            raise fields.wrong(name)
        if any(isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < 1_000_000 for n in part.values()):
            raise fields.wrong(name)
        parts.append((team, tuple(sorted(part.items()))))
    return tuple(parts)


_READ: dict[str, Callable[[_Fields], Do]] = {
    "rename": lambda f: RenameTap(f.event(), f.card("was"), f.card("card")),
    "reseat": lambda f: ReseatTap(f.event(), f.seat("was"), f.seat("seat")),
    "drop": lambda f: DropTap(f.event(), f.text("was", 120)),
    "insert": lambda f: InsertTap(f.optional("before", f.event), f.happened()),  # type: ignore[arg-type]
    "say": lambda f: f.result() if f.is_result() else SayTap(f.happened()),
    "undo": lambda f: UndoTap(f.event()),
    "redo": lambda f: RedoTap(),
    "reply": _reply,
    "pause": lambda f: WordTap("pause"),
    "resume": lambda f: WordTap("resume"),
    "score": lambda f: WordTap("score"),
    "repeat": lambda f: WordTap("repeat"),
    "neighbours": lambda f: NeighboursTap(f.event()),
    "names": lambda f: NamesTap(f.names("names")),
    "begin": _begin,
}
