"""Outcomes: what the rules answer to an event that they accept.

They are values, in the order in which things happen: a card may win a trick, with it the round, with it the
game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Score = Mapping[str, Mapping[str, int]]
"""``{"A": {"longs": 2, "petits": 1}, "B": ...}``; in the games of points ``{"A": {"points": 7}, "B": ...}``.
"""


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round begins. ``n`` counts from 1."""

    n: int
    dealer: int
    leader: int


@dataclass(frozen=True, slots=True)
class DeclarationDue:
    """Somebody must speak before the play. ``phase``: fortial, hold, sing, discard, redeal, count."""

    phase: str
    awaiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """A word that is no challenge: ``pass``, ``hold``, ``sing``, ``embit`` ..."""

    seat: int
    verb: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChallengeMade:
    """Somebody truts, raises, calls; the play waits for ``awaiting``."""

    seat: int
    verb: str
    awaiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChallengeTaken:
    """The challenge is accepted by ``seat``; the round is now worth ``stake``."""

    seat: int
    stake: str


@dataclass(frozen=True, slots=True)
class ChallengeFolded:
    """``seat`` does not go along. ``settled`` when nobody else is to be asked."""

    seat: int
    settled: bool


@dataclass(frozen=True, slots=True)
class TrickWon:
    """C-11. ``n``: number of the trick in the round, ``seat`` laid the (first) highest card."""

    n: int
    team: str
    seat: int
    next_leader: int
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrickRotten:
    """C-12."""

    n: int
    next_leader: int
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PointsScored:
    """Something but the round itself scored (truc-y-flou: bonus, embit, flor). ``kind`` says what."""

    kind: str
    team: str | None
    points: int


@dataclass(frozen=True, slots=True)
class PetitsConverted:
    """T-34: the third petit of ``team`` made a long."""

    team: str


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """C-3. A round is over; also the row of ``trut score`` for it.

    Attributes:
        n: number of the round, from 1.
        winner: the team, None where nobody won.
        award: the word of ``expect round``: petit, long, nothing, points N, game, manche. Before any
            conversion.
        reason: tricks, fold, refuse, fortial, hold-refused, rest, declaration, bonus, annul, concede, void.
        score: after the round.
        dealer: who dealt it.
        tricks: ``"A"``, ``"B"`` or ``"rotten"`` each; those of a tout pâté follow each other.
        declarations: truc-y-flou: what scored besides the deal.
        manches: truc-y-flou: manches won after the round.
    """

    n: int
    winner: str | None
    award: str
    reason: str
    score: Score
    dealer: int
    tricks: tuple[str, ...]
    declarations: tuple[PointsScored, ...] = ()
    manches: Mapping[str, int] | None = None

    def row(self) -> dict[str, Any]:
        """The object that ``trut score --json`` prints for the round (CLI.md)."""
        row: dict[str, Any] = {
            "n": self.n,
            "dealer": self.dealer,
            "tricks": list(self.tricks),
            "winner": self.winner,
            "award": self.award,
            "reason": self.reason,
        }
        if self.manches is not None:
            row["declarations"] = [
                {"kind": d.kind, "winner": d.team, "points": d.points} for d in self.declarations
            ]
        return row


@dataclass(frozen=True, slots=True)
class MancheWon:
    """F-80: a manche of truc-y-flou is won."""

    team: str


@dataclass(frozen=True, slots=True)
class GameWon:
    """The game (in truc-y-flou: the match) is won."""

    team: str


@dataclass(frozen=True, slots=True)
class ScoreSet:
    """The players agreed on a score (``set-score``)."""

    score: Score


@dataclass(frozen=True, slots=True)
class Undone:
    """The last ``count`` accepted events are taken back."""

    count: int


Outcome = (
    RoundDealt
    | DeclarationDue
    | Declared
    | ChallengeMade
    | ChallengeTaken
    | ChallengeFolded
    | TrickWon
    | TrickRotten
    | PointsScored
    | PetitsConverted
    | RoundEnded
    | MancheWon
    | GameWon
    | ScoreSet
    | Undone
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The event happened; ``outcomes`` is what followed from it, often nothing."""

    outcomes: tuple[Outcome, ...] = ()


QUIET = Accepted()
"""The event happened and nothing more came of it."""
