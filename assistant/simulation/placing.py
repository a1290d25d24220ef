"""Where cards come to lie at a simulated table, and how: in front of their seat, or as ``manners`` have it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assistant.simulation.manners import Manners
from assistant.simulation.script import PUT_DOWN, Lay, Spot
from assistant.simulation.seating import place
from assistant.simulation.view import Array

STAYS = (0.9, 2.4)
"""Seconds that an arm stays over its card where it does."""


def laid(
    rng: np.random.Generator,
    manners: Manners,
    seats: int,
    seat: int,
    card: str,
    t: float,
    piece: int,
    trick: Sequence[Lay],
) -> Lay:
    """A card as it is laid at ``t``.

    Args:
        rng: the small differences that are in every hand.
        manners: what else this table does.
        trick: the cards of the trick that lie there already.
    """
    seated = place(seat, seats)
    astray, turn = np.clip(rng.normal(size=2), -1.6, 1.6) * (9, 7), float(np.clip(rng.normal(), -1.6, 1.6))
    spot, turned = seated.lays + astray, seated.upright + 10 * turn
    thrown: tuple[float, float] | None = None
    if manners.does("middle"):
        spot = _somewhere(manners, 30) + seated.lays * 0.2
        turned = seated.upright + manners.between(-40, 40)
    elif trick and manners.does("overlap"):
        last = np.array([trick[-1].x, trick[-1].y])
        towards = seated.lays - last
        spot = last + towards / (np.linalg.norm(towards) + 1e-6) * manners.between(26, 48)
    elif manners.does("slide"):
        x, y = seated.lays + seated.edge * 25
        thrown = (float(x), float(y))
        spot = seated.lays * manners.between(-0.5, 0.6) + seated.across * manners.between(-55, 55)
        turned = seated.upright + manners.between(-60, 60)
    stays = manners.between(*STAYS) if thrown is None and manners.does("covered") else PUT_DOWN
    slap = manners.between(0.1, 0.35) if manners.does("slap") else 0.0
    x, y = float(spot[0]), float(spot[1])
    return Lay(t, seat, card, x, y, turned, piece, thrown, stays, manners.does("face-down"), slap)


def _somewhere(manners: Manners, spread: float) -> Array:
    return np.asarray(np.clip(manners.rng.normal(size=2), -1.6, 1.6) * spread)


def heap_of(seats: int, seat: int, number: int) -> Spot:
    """Where a player puts the tricks that he has taken: beside his place, one a little beyond the other."""
    seated = place(seat, seats)
    if seats == 6:
        reach, along = 150.0, -70.0 if seated.shoulder @ seated.across > 0 else 70.0
    else:
        reach, along = (150.0, 150.0) if seated.edge[1] else (265.0, -80.0)
    x, y = seated.before(reach, along + 9.0 * number)
    return float(x), float(y), seated.upright + 90 + 4.0 * number


def returned(manners: Manners, seats: int, seat: int) -> Spot:
    """Where a hand that is given back comes to lie: towards the middle, anyhow."""
    x, y = place(seat, seats).lays * 0.45 + _somewhere(manners, 22)
    return float(x), float(y), place(seat, seats).upright + manners.between(-50, 50)


def visited(manners: Manners, seats: int, seat: int) -> tuple[float, float]:
    """Where a hand goes that wants no card."""
    seated = place(seat, seats)
    reach = 150.0 if seated.edge[1] else 270.0
    side = -1.0 if manners.rng.random() < 0.5 else 1.0
    x, y = seated.before(reach, side * manners.between(90, 150))
    return float(x), float(y)
