"""What the eyes report: small frozen observations on the medium's clock.

Times are seconds from the start of the film (or of the live session). ``t`` is when a thing happened, ``decided`` when
it was known; both lie on the same clock and ``decided >= t``. Pixels are (x right, y down) in the picture as given.
"""

from __future__ import annotations

from dataclasses import dataclass

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four corners of a card in the picture, clockwise, starting anywhere."""


@dataclass(frozen=True, slots=True)
class CardSighting:
    """One face-up card in one picture.

    Attributes:
        card: rank and suit as in the record (``"7h"``), ``"7?"`` where only the rank is sure, None where not read.
        confidence: calibrated probability that ``card`` is right, 0 to 1.
        quad: corners in pixels.
        guesses: up to five ``(card, probability)`` pairs, best first: what it may be instead.
        whole: False where little more than an index is seen, of a card that is covered or cut by the picture's edge.
    """

    card: str | None
    confidence: float
    quad: Quad
    guesses: tuple[tuple[str, float], ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card that was not there before now lies still.

    Attributes:
        track: number of the card on the table, given once and kept while it lies.
        zone: seat whose play zone it lies in, None where no zone is clearly nearest.
        hand: seat from whose side the hand came that laid it, None where no hand was followed.
    """

    t: float
    decided: float
    track: int
    card: str | None
    confidence: float
    zone: int | None
    quad: Quad
    hand: int | None = None
    guesses: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class CardReread:
    """A lying card is now read otherwise than it was reported (better light, a hand gone)."""

    t: float
    decided: float
    track: int
    card: str | None
    confidence: float
    guesses: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class CardMoved:
    """A lying card was pushed to another place, or came to light again where it lay under another."""

    t: float
    decided: float
    track: int
    zone: int | None
    quad: Quad


@dataclass(frozen=True, slots=True)
class CardsTaken:
    """Cards that lay on the table are gone, or lie wholly under others."""

    t: float
    decided: float
    tracks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand or arm came in over the table from the side of ``seat`` at ``t`` (None: side unclear)."""

    t: float
    decided: float
    seat: int | None


@dataclass(frozen=True, slots=True)
class HandGone:
    """The hand that came from the side of ``seat`` left the picture at ``t``."""

    t: float
    decided: float
    seat: int | None


@dataclass(frozen=True, slots=True)
class CameraLost:
    """No picture, a frozen one or a black one since ``t``. ``reason``: gone, frozen, dark."""

    t: float
    decided: float
    reason: str


@dataclass(frozen=True, slots=True)
class CameraBack:
    """Pictures come again since ``t``."""

    t: float
    decided: float


TableObservation = (
    CardLaid | CardReread | CardMoved | CardsTaken | HandSeen | HandGone | CameraLost | CameraBack
)
