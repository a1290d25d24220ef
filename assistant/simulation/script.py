"""What happens at a simulated table and when: gestures and words on the clock of the film, in seconds.

A card that comes on the table gets a number, its *piece*: later gestures name it by that. Places are millimetres
(``view``), turns degrees.
"""

from __future__ import annotations

from dataclasses import dataclass

Spot = tuple[float, float, float]
"""Where a card lies: its middle (x, y), and how it is turned."""
PUT_DOWN = 0.12
"""Seconds that a hand stays on a card that it puts down."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Seat ``seat`` lays ``card``, which lies still at (x, y) from ``t`` on.

    Attributes:
        thrown: where the hand lets go of it, a moment before: it slides from there. None: it is put down.
        stays: seconds that the hand stays over it.
        face_down: only its back shows until somebody turns it (``Turn``).
        slap: how loud it is put down, as a share of a knock.
    """

    t: float
    seat: int
    card: str
    x: float
    y: float
    turn: float
    piece: int
    thrown: tuple[float, float] | None = None
    stays: float = PUT_DOWN
    face_down: bool = False
    slap: float = 0.0


@dataclass(frozen=True, slots=True)
class Push:
    """A hand of ``seat`` has pushed a lying card to another place at ``t``."""

    t: float
    seat: int
    piece: int
    x: float
    y: float
    turn: float


@dataclass(frozen=True, slots=True)
class Turn:
    """A card that lay face down shows its face from ``t`` on; a hand of ``seat`` turns it."""

    t: float
    seat: int
    piece: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A hand of ``seat`` is on its own card at ``t`` and carries it off: it should not have been laid."""

    t: float
    seat: int
    piece: int


@dataclass(frozen=True, slots=True)
class Fist:
    """A fist hits the table at (x, y). ``hits`` are the onsets, the first of them ``t``; ``hidden``: nobody sees it."""

    t: float
    seat: int
    x: float
    y: float
    hits: tuple[float, ...]
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """Seat ``seat`` says ``text``; the phrase ends at ``t``. ``talk``: it means nothing to the game."""

    t: float
    seat: int
    text: str
    talk: bool = False


@dataclass(frozen=True, slots=True)
class Take:
    """A hand of ``seat`` is over some cards at ``t``, gathers them one after the other and carries them off.

    Attributes:
        face_down: whether they are turned over as they are carried.
        pieces: the cards, in the order in which they are gathered.
        apart: seconds from one to the next.
        heap: where they are put down as a heap; None: they leave the picture.
        pile: the piece that the heap then is.
    """

    t: float
    seat: int
    face_down: bool
    pieces: tuple[int, ...]
    apart: float = 0.0
    heap: Spot | None = None
    pile: int = -1

    @property
    def over(self) -> float:
        """When the cards are away."""
        return self.t + self.apart * max(0, len(self.pieces) - 1) + TAKE_SLIDE + TAKE_AWAY


@dataclass(frozen=True, slots=True)
class Return:
    """Seat ``seat`` throws the cards that are left in its hand on the table; they lie there from ``t`` on."""

    t: float
    seat: int
    cards: tuple[str, ...]
    pieces: tuple[int, ...]
    x: float
    y: float
    turn: float
    face_down: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand that means nothing: it comes over the table, rests at (x, y) at ``t`` for a while, and leaves."""

    t: float
    seat: int
    x: float
    y: float


Gesture = Lay | Push | Turn | TakeBack | Fist | Words | Take | Return | Reach


@dataclass(frozen=True, slots=True)
class Script:
    """A simulated game: the gestures in order of ``t`` and the truth as a record (NOTATION.md)."""

    game: str
    seats: int
    gestures: tuple[Gesture, ...]
    record: str
    rounds: int
    duration: float


THROW = 0.35
"""Seconds that a thrown card slides."""
PUSH = 0.3
"""Seconds in which a card is pushed."""
TAKE_SLIDE = 0.35
"""Seconds in which a gathering hand draws a card to itself."""
TAKE_AWAY = 0.85
"""Seconds in which it then carries the cards off."""
FAN = (13.0, 9.0)
"""Millimetres and degrees from one card of a returned hand to the next."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A card that lies still from ``start`` to ``end``; ``card`` None is a back."""

    start: float
    end: float
    piece: int
    card: str | None
    spot: Spot


def rests(script: Script) -> tuple[Rest, ...]:
    """All that lies still and when, in the order in which the cards came on the table: later ones lie on top."""
    lying: dict[int, tuple[float, str, bool, Spot]] = {}
    found: list[Rest] = []

    def put(piece: int, t: float, card: str, hidden: bool, spot: Spot) -> None:
        lying[piece] = (t, card, hidden, spot)

    def lift(piece: int, t: float) -> tuple[str, bool, Spot]:
        start, card, hidden, spot = lying.pop(piece)
        found.append(Rest(start, t, piece, None if hidden else card, spot))
        return card, hidden, spot

    for gesture in script.gestures:
        match gesture:
            case Lay():
                put(gesture.piece, gesture.t, gesture.card, gesture.face_down, (gesture.x, gesture.y, gesture.turn))
            case Push():
                card, hidden, _ = lift(gesture.piece, gesture.t - PUSH)
                put(gesture.piece, gesture.t, card, hidden, (gesture.x, gesture.y, gesture.turn))
            case Turn():
                card, _, spot = lift(gesture.piece, gesture.t)
                put(gesture.piece, gesture.t, card, False, spot)
            case TakeBack():
                lift(gesture.piece, gesture.t)
            case Take():
                for n, piece in enumerate(gesture.pieces):
                    lift(piece, gesture.t + n * gesture.apart)
                if gesture.heap is not None:
                    put(gesture.pile, gesture.over, "", True, gesture.heap)
            case Return():
                for n, (piece, card) in enumerate(zip(gesture.pieces, gesture.cards, strict=True)):
                    put(piece, gesture.t, card, gesture.face_down, fanned(gesture, n))
    for piece in list(lying):
        lift(piece, script.duration + 9)
    return tuple(sorted(found, key=lambda rest: (rest.piece, rest.start)))


def fanned(back: Return, n: int) -> Spot:
    """Where the n-th card of a returned hand comes to lie."""
    return back.x + n * FAN[0], back.y + 0.3 * n * FAN[0], back.turn + n * FAN[1]
