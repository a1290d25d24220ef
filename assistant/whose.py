"""Whose card: the place where it lies, the hand that laid it and the turn in the rules, weighed together.

Bayes' rule over the seats. A contradiction ends as a ruling (the place *and* the hand say so) or as a question, never
as a guess (docs/decisions/weighing-eyes-ears-rules.md has the numbers and where they come from).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

IN_TURN = 0.99
"""Chance that a card is laid by the seat whose turn it is."""
SURE_SEAT = 0.9
"""Chance of a seat from which nobody is asked."""


@dataclass(frozen=True, slots=True)
class Witness:
    """How far one thing that was seen can be trusted: the chances that it shows the right seat, none, a wrong one."""

    right: float
    none: float
    wrong: float

    def of(self, shown: int | None, seat: int, seats: int) -> float:
        """The chance of seeing ``shown`` if it was ``seat``."""
        if shown is None:
            return self.none
        return self.right if shown == seat else self.wrong / max(1, seats - 1)


PLACE = Witness(right=0.96, none=0.02, wrong=0.02)
"""The zone in which a card lies: people throw short, throw far and slide."""
HAND = Witness(right=0.9, none=0.09, wrong=0.01)
"""The arm that was followed to a card."""
HAND_OF_SIX = Witness(right=0.8, none=0.1, wrong=0.1)
"""The same where three sit side by side: an arm that reaches to the middle may come in where a neighbour's does."""
OVER_TABLE = (0.9, 0.15)
"""Where no arm was followed: the chance that the hand of who laid the card was seen over the table about that time,
and that any other hand was."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Who laid a card. ``clear`` is False where place, hand and turn do not settle it."""

    seat: int | None
    clear: bool = True


def who_laid(
    turn: int | None, zone: int | None, hand: int | None, *, seats: int = 4, over: Collection[int] = ()
) -> Layer:
    """The seat that laid a card; where it is not clear, the one whose turn it is.

    Args:
        turn: the seat that should lay the next card, None where none should.
        zone, hand: as the eyes report them.
        seats: how many players there are.
        over: seats whose hand was over the table about that time.
    """
    if turn is None:
        seen = [seat for seat in (zone, hand) if seat is not None]
        return Layer(seen[0] if seen else None, clear=len(set(seen)) == 1)
    if zone is None and hand is None and not over:
        return Layer(turn)  # nothing speaks against it
    chances = _chances(turn, zone, hand, seats, over)
    best = max(chances, key=lambda seat: (chances[seat], seat == turn))
    if chances[best] >= SURE_SEAT:
        return Layer(best)
    return Layer(turn, clear=False)


def _chances(turn: int, zone: int | None, hand: int | None, seats: int, over: Collection[int]) -> Mapping[int, float]:
    """The chance of each seat to have laid the card."""
    weights: dict[int, float] = {}
    arm = HAND if seats <= 4 else HAND_OF_SIX
    for seat in range(1, seats + 1):
        prior = IN_TURN if seat == turn else (1 - IN_TURN) / max(1, seats - 1)
        weights[seat] = prior * PLACE.of(zone, seat, seats) * arm.of(hand, seat, seats)
        if hand is None and over:
            own, other = OVER_TABLE
            for hidden in range(1, seats + 1):
                there = own if hidden == seat else other
                weights[seat] *= there if hidden in over else 1 - there
    total = sum(weights.values())
    return {seat: weight / total for seat, weight in weights.items()}
