"""Where the players sit round the table: from a place in the picture to a seat.

Without a calibrated profile the table fills the picture and the seats are those of CLI.md (``trut watch``). A profile
knows where the table lies in the picture: four corners. They say how every point of the picture lies on the table
(a homography), so that zones and sides follow the table, however obliquely the camera sees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Corners of the table in the picture, in pixels: far left, far right, near right, near left, as seat 1 sees it."""

# Seat -> where it sits on the table's border, both axes from -1 (left, far) to 1 (right, near).
DEFAULT_PLACES: dict[int, dict[int, tuple[float, float]]] = {
    2: {1: (0.0, 1.0), 2: (0.0, -1.0)},
    4: {1: (0.0, 1.0), 2: (-1.0, 0.0), 3: (0.0, -1.0), 4: (1.0, 0.0)},
    6: {1: (0.0, 1.0), 2: (0.8, 1.0), 3: (0.8, -1.0), 4: (0.0, -1.0), 5: (-0.8, -1.0), 6: (-0.8, 1.0)},
}

ZONE_MARGIN = 0.12
"""Smallest lead, in cosines, of the nearest seat's direction over the next; about 12 degrees at four seats."""
MIDDLE = 0.04
"""Nearer to the middle of play than this part of half the table's depth, no direction is sure."""
SQUARE: Corners = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
"""The table's corners on its own axes."""
EDGE = 2
"""Thumbnail pixels that the border of the play zone is deep."""


@dataclass(frozen=True)
class SeatMap:
    """The seats round one picture.

    Attributes:
        places: seat -> place on the table's border, axes from -1 to 1.
        width, height: of the picture in pixels.
        centre: the middle of play in pixels.
        table: the table's corners where it does not fill the picture.
        proportion: width over depth of the table itself; None: that of the picture.
        seen: corners (N, 2) of what the camera sees of this picture, convex, in pixels; None: all of it. After the
            camera was bumped a strip may be out of its sight.
    """

    places: Mapping[int, tuple[float, float]]
    width: int
    height: int
    centre: tuple[float, float]
    table: Corners | None = None
    proportion: float | None = None
    seen: tuple[tuple[float, float], ...] | None = None

    @classmethod
    def default(cls, seats: int, width: int, height: int) -> SeatMap:
        """The seats of CLI.md for a table that fills the picture."""
        return cls(DEFAULT_PLACES[seats], width, height, (width / 2, height / 2))

    @classmethod
    def on_table(
        cls,
        places: Mapping[int, tuple[float, float]],
        width: int,
        height: int,
        table: Corners,
        proportion: float | None = None,
    ) -> SeatMap:
        """The seats round a table whose corners lie there."""
        x, y = _mapped(np.zeros((1, 2)), _homography(SQUARE, table))[0]
        return cls(dict(places), width, height, (float(x), float(y)), table, proportion)

    def seeing(self, seen: Points | None) -> SeatMap:
        """The same where the camera sees but a part of the picture, (N, 2) corners; None: all of it."""
        return replace(self, seen=None if seen is None else tuple((float(x), float(y)) for x, y in seen))

    def on(self, points: Points) -> Points:
        """Where pixels (N, 2) lie on the table, axes from -1 to 1."""
        return _mapped(np.asarray(points, np.float64).reshape(-1, 2), self._to_table)

    def zone(self, x: float, y: float) -> int | None:
        """The seat before which a card at (x, y) lies; None where two seats are as near.

        Players lay their cards about equally far from the middle, so the direction from the middle decides, measured
        on the table and not in shares of the picture.
        """
        seats, directions = self._directions
        v = (self.on(np.array([[x, y]])) - self.on(np.array([self.centre])))[0] * [self._shape, 1.0]
        distance = np.linalg.norm(v)
        if distance < MIDDLE:
            return None
        cosines = directions @ (v / distance)
        order = np.argsort(-cosines)
        if cosines[order[0]] - cosines[order[1]] < ZONE_MARGIN:
            return None
        return seats[int(order[0])]

    def side(self, contact: Points) -> int | None:
        """The seat from whose side an arm comes.

        Args:
            contact: n x 2 pixels where the arm crosses the border of the play zone.
        """
        if not len(contact):
            return None
        p = self.on(contact.mean(0)[None])[0]
        seats = sorted(self.places)
        distances = np.array([np.hypot(*(p - np.array(self.places[s]))) for s in seats])
        order = np.argsort(distances)
        if distances[order[1]] < 1.2 * distances[order[0]]:
            return None
        return seats[int(order[0])]

    def play_zone(self, width: int, height: int) -> Mask:
        """What of the picture, at any size, is the table's and in the camera's sight, (height, width)."""
        zone = np.ones((height, width), np.uint8)
        scale = np.array([width / self.width, height / self.height])
        for outline in (self.table, self.seen):
            if outline is not None:
                part = np.zeros_like(zone)
                cv2.fillConvexPoly(part, np.round(np.array(outline) * scale - 0.5).astype(np.int32), 1)
                zone &= part
        return zone.astype(bool)

    def border(self, width: int, height: int) -> Mask:
        """The inner border of the play zone in a thumbnail of that size: there arms come in, (height, width)."""
        known = self._borders.get((width, height))
        if known is None:
            zone = np.pad(self.play_zone(width, height).astype(np.uint8), 1)
            inner = cv2.erode(zone, np.ones((2 * EDGE + 1, 2 * EDGE + 1), np.uint8))
            known = self._borders[width, height] = (zone > inner)[1:-1, 1:-1]
        return known

    @cached_property
    def _borders(self) -> dict[tuple[int, int], Mask]:
        return {}

    @cached_property
    def _corners(self) -> Corners:
        w, h = float(self.width), float(self.height)
        return self.table or ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h))

    @cached_property
    def _to_table(self) -> Points:
        return _homography(self._corners, SQUARE)

    @cached_property
    def _shape(self) -> float:
        return self.proportion or self.width / self.height

    @cached_property
    def _directions(self) -> tuple[list[int], Points]:
        seats = sorted(self.places)
        v = np.array([self.places[s] for s in seats], float) * [self._shape, 1.0]
        return seats, v / np.linalg.norm(v, axis=1, keepdims=True)


def _homography(here: Corners, there: Corners) -> Points:
    """The (3, 3) matrix that takes four corners to four others."""
    return np.asarray(cv2.getPerspectiveTransform(np.array(here, np.float32), np.array(there, np.float32)), np.float64)


def _mapped(points: Points, homography: Points) -> Points:
    """Points (N, 2) under a homography."""
    p = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(p[:, :2] / p[:, 2:])
