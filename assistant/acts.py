"""What the interpreter says: actions, questions and notices, as data without words.

The announcer turns them into sentences, the journal into lines of the record, ``trut watch --json`` into
objects. Times are seconds on the medium's clock: ``t`` when it happened, ``decided`` when it was known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine import Event

Outcome = object
"""What the engine says came of an event (``engine.TrickWon`` and its like)."""


@dataclass(frozen=True, slots=True)
class Action:
    """An event offered to the rules.

    Attributes:
        event: the event as the record has it.
        by: where it comes from: camera, microphone, rules, keyboard, page, simulation (NOTATION.md section
        4). p: confidence 0 to 1, None for what the rules imply.
        refused: the code if the rules refused it (an infraction), else None.
        outcomes: what came of it, empty for a refused one.
        quiet: True where it only repeats, after a correction, what was announced before.
        turn: the seat that lays the next card afterwards, None if none does.
        awaiting: the seats that must speak next afterwards.
    """

    t: float
    decided: float
    event: Event
    by: str
    p: float | None = None
    refused: str | None = None
    outcomes: tuple[Outcome, ...] = ()
    quiet: bool = False
    turn: int | None = None
    awaiting: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Something that pictures, sounds and rules together do not settle.

    ``kind``: ``which-card`` (fields seat, maybe card), ``whose-card`` (seat, card), ``counted`` (seat, card: nobody
    saw it), ``who`` (verb), ``twice`` (card), ``taken``, ``folded`` (seat), ``sure`` (meaning: the event, command or
    card that was heard with doubt).
    """

    t: float
    decided: float
    kind: str
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say that is no event: ``heard`` (a fist, not yet known whose: a tone alone), ``score``, ``turn``,
    ``rules``, ``repeat``, ``review``, ``rematch``, ``dealer``,
    ``named`` (header: the players are called otherwise now; nothing is said), ``hush``, ``speak``, ``camera-lost``,
    ``camera-back``, ``corrected``, ``refused`` (refusal: something told that is not allowed),
    ``card-out``, ``nothing-to-undo``, ``paused``, ``resumed``, ``new-game``,
    ``quieter``, ``louder``, ``record-full``, ``record-lost``, ``record-back``, ``taken-up``."""

    t: float
    decided: float
    kind: str
    fields: Mapping[str, object] = field(default_factory=dict)


Act = Action | Question | Notice
