"""Where the players sit round the picture: from a place on the table to a seat.

Without a calibrated profile the table fills the picture and the seats are those of CLI.md (``trut watch``). A profile
gives other directions; everything else only asks ``zone`` and ``side``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]

# Seat -> where it sits on the picture's border, both axes from -1 (left, top) to 1 (right, bottom).
DEFAULT_PLACES: dict[int, dict[int, tuple[float, float]]] = {
    2: {1: (0.0, 1.0), 2: (0.0, -1.0)},
    4: {1: (0.0, 1.0), 2: (-1.0, 0.0), 3: (0.0, -1.0), 4: (1.0, 0.0)},
    6: {1: (0.0, 1.0), 2: (0.8, 1.0), 3: (0.8, -1.0), 4: (0.0, -1.0), 5: (-0.8, -1.0), 6: (-0.8, 1.0)},
}

ZONE_MARGIN = 0.12
"""Smallest lead, in cosines, of the nearest seat's direction over the next; about 12 degrees at four seats."""


@dataclass(frozen=True)
class SeatMap:
    """The seats round one picture.

    Attributes:
        places: seat -> place on the border, axes from -1 to 1.
        width, height: of the picture in pixels.
        centre: the middle of play in pixels.
    """

    places: Mapping[int, tuple[float, float]]
    width: int
    height: int
    centre: tuple[float, float]

    @classmethod
    def default(cls, seats: int, width: int, height: int) -> SeatMap:
        """The seats of CLI.md for a table that fills the picture."""
        return cls(DEFAULT_PLACES[seats], width, height, (width / 2, height / 2))

    def _directions(self) -> tuple[list[int], Points]:
        seats = sorted(self.places)
        v = np.array([self.places[s] for s in seats], float) * [self.width / 2, self.height / 2]
        return seats, v / np.linalg.norm(v, axis=1, keepdims=True)

    def zone(self, x: float, y: float) -> int | None:
        """The seat before which a card at (x, y) lies; None where two seats are as near.

        Players lay their cards about equally far from the middle, so the direction from the middle decides, measured
        in pixels and not in shares of the picture.
        """
        seats, directions = self._directions()
        v = np.array([x - self.centre[0], y - self.centre[1]])
        if np.linalg.norm(v) < 0.02 * self.height:
            return None
        cosines = directions @ (v / np.linalg.norm(v))
        order = np.argsort(-cosines)
        if cosines[order[0]] - cosines[order[1]] < ZONE_MARGIN:
            return None
        return seats[int(order[0])]

    def side(self, contact: Points) -> int | None:
        """The seat from whose side an arm comes.

        Args:
            contact: n x 2 pixels where the arm meets the picture's border.
        """
        if not len(contact):
            return None
        x, y = contact.mean(0)
        p = np.array([2 * x / self.width - 1, 2 * y / self.height - 1])
        seats = sorted(self.places)
        distances = np.array([np.hypot(*(p - np.array(self.places[s]))) for s in seats])
        order = np.argsort(distances)
        if distances[order[1]] < 1.2 * distances[order[0]]:
            return None
        return seats[int(order[0])]
