"""Orders: what a person tells the assistant by key, page, dictation or voice, beyond what eyes and ears report.

A person who says what happened is believed; the rules still judge it. ``at`` is an index of ``Game.log``, the
events accepted so far. Times are seconds on the session's clock; ``by`` is ``keyboard``, ``page`` or
``voice`` and stands so in the record (NOTATION.md section 4).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import Event

if TYPE_CHECKING:
    from assistant.page.feed import Answer
    from assistant.page.taps import Tap


@dataclass(frozen=True, slots=True)
class Say:
    """This happened now: a card laid, a call, a deal, a score agreed upon.

    Attributes:
        event: without a seat where it is the one whose turn it is to lay the card or to speak.
    """

    t: float
    decided: float
    by: str
    event: Event


@dataclass(frozen=True, slots=True)
class Rename:
    """The card laid at ``at`` was ``card``."""

    t: float
    decided: float
    by: str
    at: int
    card: str


@dataclass(frozen=True, slots=True)
class Reseat:
    """What happened at ``at`` was done by ``seat``."""

    t: float
    decided: float
    by: str
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class Drop:
    """What stands at ``at`` never happened."""

    t: float
    decided: float
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class Insert:
    """This happened before what stands at ``at``, and was not seen or heard."""

    t: float
    decided: float
    by: str
    at: int
    event: Event


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last ``count`` events."""

    t: float
    decided: float
    by: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Redo:
    """Bring back what was taken back last; after any new event there is nothing to bring back."""

    t: float
    decided: float
    by: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to the question that waits.

    Attributes:
        answer: a seat, a card in the words of the record (``"8h"``, ``"8?"``), or yes and no.
    """

    t: float
    decided: float
    by: str
    answer: int | str | bool


@dataclass(frozen=True, slots=True)
class Command:
    """A word to the assistant (``audio.phrasebook.COMMANDS``): followed at once, since nobody types one by
    chance."""

    t: float
    decided: float
    by: str
    word: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A line as a person typed it. What it says depends on how the game stands when its turn comes
    (``assistant.keylines``)."""

    t: float
    decided: float
    by: str
    line: str


@dataclass(frozen=True, slots=True)
class Tapped:
    """What a person tapped on the page. What it comes to depends on how the game stands when its turn comes
    (``assistant.page.clerk``).

    Attributes:
        who: whoever tapped, in the words of the server.
        answer: is told, once, what came of it.
        refuse: instead of that: the code of why it was not even tried (``busy``, ``ended``).
    """

    t: float
    decided: float
    by: str
    tap: Tap
    who: str
    answer: Callable[[Answer], None]
    refuse: Callable[[str], None]


Correction = Rename | Reseat | Drop | Insert
"""What changes an event that was accepted before."""

Order = Say | Correction | Undo | Redo | Reply | Command
"""What the interpreter follows."""
