"""Events: what happens at the table, one line of a record each (NOTATION.md section 4).

An event is only *said* here; whether the rules allow it is for the ruleset to judge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final


@dataclass(frozen=True, slots=True)
class Event:
    """One event. ``str(event)`` is its line in a record.

    Attributes:
        verb: the first word, ``"play"``, ``"trut"``, ...
        seat: who does it; None where the event has no seat, or the line none that is a number.
        args: the other words.

    >>> str(Event("play", 1, ("7h",)))
    'play 1 7h'
    """

    verb: str
    seat: int | None = None
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        seat = () if self.seat is None else (str(self.seat),)
        return " ".join((self.verb, *seat, *self.args))


@dataclass(frozen=True, slots=True)
class Form:
    """How many words an event takes: the part of its grammar that does not depend on the state of the game.

    Attributes:
        seat: ``"yes"``, ``"no"`` or ``"may"``.
        least, most: number of words after the seat.
        number: the last of them, if there, must be a number.
    """

    seat: str = "yes"
    least: int = 0
    most: int = 0
    number: bool = False
    words: int = field(init=False)
    """The exact number of words of an event that has a seat and no number, else -1."""

    def __post_init__(self) -> None:
        simple = self.seat == "yes" and self.least == self.most and not self.number
        object.__setattr__(self, "words", self.least if simple else -1)

    def fits(self, event: Event) -> bool:
        """Whether ``event`` has the words that this form asks for; else it is ``syntax``."""
        if (self.seat == "yes" and event.seat is None) or (self.seat == "no" and event.seat is not None):
            return False
        count = len(event.args)
        if not self.least <= count <= self.most:
            return False
        return not (self.number and count and number(event.args[-1]) is None)


_SEAT: Final = Form()
_MANY: Final = 1 << 30

FORMS: Final[dict[str, Form]] = {
    # every game
    "cut": _SEAT,
    "deal": Form("may"),
    "hand": Form(least=1, most=_MANY),
    "play": Form(least=1, most=1),
    "undo": Form("no", 0, 1, number=True),
    "annul": Form("no"),
    "set-score": Form("no", 4, 6),
    "concede": Form("no", 1, 1),
    # the trut family
    **dict.fromkeys(("trut", "brelan", "tierce", "deux-petits", "accept", "fold", "pass"), _SEAT),
    # trut-gatine
    **dict.fromkeys(("hold", "refuse", "sing", "silent"), _SEAT),
    "discard": Form(least=0, most=_MANY),
    "redeal": Form("may"),
    # truc
    "raise": Form(least=0, most=1),
    "rest": _SEAT,
    # truc-y-flou
    **dict.fromkeys(("embit", "falta", "flor", "better", "truc", "retruc", "trucrest"), _SEAT),
    "declare": Form(least=1, most=1, number=True),
    "balou": Form(least=1, most=1),
}
"""Every event word of NOTATION.md section 4 with the widest form that it has in any game."""


def number(word: str) -> int | None:
    """The number that a word writes in ASCII digits, None where it writes none (NOTATION.md section 10).

    >>> number("12"), number("-1"), number("１２"), number("")
    (12, None, None, None)
    """
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 1000 else None


def event_of(words: tuple[str, ...]) -> Event:
    """The event that these words say. Never fails: what is wrong with them is said when it is applied."""
    form = FORMS.get(words[0], _SEAT)
    if form.seat != "no" and len(words) > 1 and (seat := number(words[1])) is not None:
        return Event(words[0], seat, words[2:])
    return Event(words[0], None, words[1:])


def parse_event(text: str) -> Event:
    """The event of one line, without remark or comment.

    >>> parse_event("play 1 7h")
    Event(verb='play', seat=1, args=('7h',))
    """
    words = words_of(text)
    if not words:
        raise ValueError("an empty line is no event")
    return event_of(words)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a line: separated by spaces and tabs, by nothing else."""
    return tuple(word for word in text.replace("\t", " ").split(" ") if word)


@lru_cache(maxsize=4096)
def said(verb: str, seat: int | None = None, *args: str) -> Event:
    """An event that is made once and kept: the lists of legal events are built of these."""
    return Event(verb, seat, args)
