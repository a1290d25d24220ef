"""What happens at a simulated table and when: gestures and words on the clock of the film, in seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lay:
    """Seat ``seat`` lays ``card``: down at ``t``, its middle at (x, y) mm, turned by ``turn`` degrees."""

    t: float
    seat: int
    card: str
    x: float
    y: float
    turn: float


@dataclass(frozen=True, slots=True)
class Fist:
    """A fist hits the table at (x, y) mm. ``hits`` are the onsets, the first of them ``t``."""

    t: float
    seat: int
    x: float
    y: float
    hits: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Seat ``seat`` says ``text``; the phrase ends at ``t``."""

    t: float
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Take:
    """A hand of ``seat`` is over the cards of the trick at ``t``, gathers them and carries them off."""

    t: float
    seat: int
    face_down: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand that means nothing: it comes over the table, rests at (x, y) mm at ``t``, and leaves."""

    t: float
    seat: int
    x: float
    y: float


Gesture = Lay | Fist | Words | Take | Reach


@dataclass(frozen=True, slots=True)
class Script:
    """A simulated game: the gestures in order of ``t`` and the truth as a record (NOTATION.md)."""

    game: str
    seats: int
    gestures: tuple[Gesture, ...]
    record: str
    rounds: int
    duration: float


TAKE_SLIDE = 0.35
"""Seconds in which a gathering hand draws the cards together."""
TAKE_AWAY = 0.85
"""Seconds in which it then carries them out of the picture."""
