"""Where the players of a simulated table sit, lay their cards and knock, in millimetres (``view``).

The seats are those of CLI.md for a table that fills the picture: seat 1 at the bottom edge, the others in the order
of play; six players sit three on each long side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from assistant.simulation.view import Array

SHOULDER = 640.0
"""Millimetres from the middle of the table to a player's shoulder."""

_EDGES: dict[int, tuple[tuple[float, float, float], ...]] = {
    2: ((0, -1, 0), (0, 1, 0)),
    4: ((0, -1, 0), (-1, 0, 0), (0, 1, 0), (1, 0, 0)),
    6: ((0, -1, 0), (0, -1, 285), (0, 1, 285), (0, 1, 0), (0, 1, -285), (0, -1, -285)),
}
"""Number of players -> for each seat the way to its edge of the table (x, y) and how far along that edge it sits."""
_LAYS = {2: (0.0, 70.0, 1.0), 4: (106.0, 80.0, 1.0), 6: (0.0, 78.0, 0.68)}
"""Number of players -> how far from the middle a card is laid towards a short edge, towards a long edge, and at what
share of the seat's place along that edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One seat at the table.

    Attributes:
        edge: unit (x, y) from the middle towards its edge.
        shoulder: where its arms come from (x, y).
        lays: where its cards come to lie (x, y).
    """

    edge: Array
    shoulder: Array
    lays: Array

    @property
    def across(self) -> Array:
        """Unit (x, y) along its edge."""
        return np.array([-self.edge[1], self.edge[0]])

    @property
    def upright(self) -> float:
        """Degrees by which a card is turned that this player reads upright."""
        return float(np.degrees(np.arctan2(self.edge[0], -self.edge[1])))

    def before(self, reach: float, along: float = 0.0) -> Array:
        """A place so far from the middle towards the player, and so far along the edge from where he sits."""
        seated = float(self.shoulder @ self.across)
        return np.asarray(self.edge * reach + self.across * (seated * 0.9 + along))


@cache
def place(seat: int, seats: int) -> Place:
    """The place of a seat."""
    x, y, along = _EDGES[seats][seat - 1]
    edge = np.array([x, y], float)
    sideways = np.array([along, 0.0])
    to_short, to_long, share = _LAYS[seats]
    lays = edge * (to_short if x else to_long) + sideways * share
    return Place(edge, edge * SHOULDER + sideways, lays)
