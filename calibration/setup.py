"""Where a table lies in the picture and who sits where: four corners and the seats, to be dragged into place.

Everything that finds or moves them (the command line, a window, a page, a program that looks for the table) makes a
new ``TableSetup`` out of the old one; whatever it holds is possible.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import cv2
import numpy as np

from calibration.errors import TableProblem
from vision.quads import convex
from vision.seats import DEFAULT_PLACES, SQUARE, Corners, Points, SeatMap

Found = Literal["seen", "hand", "picture"]
"""Where the corners come from: seen by the program, given by hand, or those of the picture."""
Place = tuple[float, float]

SMALLEST_TABLE = 0.04
"""Part of the picture that a table must at least fill; on less no card could be read."""
BEYOND = 1.0
"""So many picture sizes a corner may lie outside the picture."""
MIDDLE = 0.25
"""A player sits farther from the middle than this part of the way to the border, or his side would be unclear."""
APART = 0.25
"""Two players sit at least so far apart, in half table sizes."""
USUAL_FOCAL = 0.9
"""Focal length of a webcam in picture widths (58 degrees), where the corners do not tell it."""
FOCAL = (0.5, 3.0)
"""Focal lengths that are believed."""


@dataclass(frozen=True)
class TableSetup:
    """A table in one picture.

    Attributes:
        width, height: of the picture in pixels.
        corners: of the table in the picture: far left, far right, near right, near left, as seat 1 sees it.
        seats: seat -> where it sits on the table's border, axes from -1 to 1.
        found: where the corners come from.
    """

    width: int
    height: int
    corners: Corners
    seats: Mapping[int, Place]
    found: Found

    @classmethod
    def whole(cls, seats: int, width: int, height: int) -> TableSetup:
        """The table fills the picture, the seats are those of CLI.md.

        Raises:
            TableProblem: no game is played by so many.
        """
        if seats not in DEFAULT_PLACES:
            raise TableProblem(
                "{n} joueurs : aucun jeu ne se joue à tant ({all})", n=seats, all=", ".join(map(str, DEFAULT_PLACES))
            )
        w, h = float(width), float(height)
        return cls(width, height, ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h)), DEFAULT_PLACES[seats], "picture")

    def with_corners(self, corners: Sequence[Place], found: Found = "hand") -> TableSetup:
        """The same seats round a table whose corners lie there, in pixels, in any turn round it.

        The corner that is farthest up and left becomes the first: seat 1 sits at the lower side of the picture.

        Raises:
            TableProblem: not four, crossing, hollow, far outside the picture or too small.
        """
        if len(corners) != 4:
            raise TableProblem("une table a quatre coins, il y en a {n} ici", n=len(corners))
        quad = np.array(corners, np.float64)
        if not np.isfinite(quad).all():
            raise TableProblem("ces coins ne sont pas des nombres")
        if not convex(quad[None].astype(np.float32))[0]:
            raise TableProblem("ces coins se croisent ou rentrent : donnez-les en faisant le tour de la table")
        size = np.array([self.width, self.height])
        if (quad < -BEYOND * size).any() or (quad > (1 + BEYOND) * size).any():
            raise TableProblem(
                "ces coins sont bien trop loin de l'image, qui fait {width} x {height} pixels",
                width=self.width,
                height=self.height,
            )
        ordered = _in_turn(quad)
        made = replace(self, corners=cast(Corners, tuple((float(x), float(y)) for x, y in ordered)), found=found)
        if made.share < SMALLEST_TABLE:
            raise TableProblem("cette table est trop petite dans l'image : rapprochez la caméra")
        return made

    def moved(self, corner: int, to: Place) -> TableSetup:
        """One corner (0 to 3) dragged to another place; the others and the seats stay with their corners.

        Raises:
            TableProblem: as ``with_corners``; the old setup is still good then.
        """
        corners = [*self.corners]
        corners[corner] = to
        made = self.with_corners(corners)
        return replace(made, corners=cast(Corners, tuple(corners)))

    def nearest_corner(self, x: float, y: float, within: float) -> int | None:
        """The corner to drag at a place: the nearest one, None where none is ``within`` so many pixels."""
        apart = [math.dist((x, y), corner) for corner in self.corners]
        best = int(np.argmin(apart))
        return best if apart[best] <= within else None

    def seated(self, seat: int, at: Place) -> TableSetup:
        """Seat ``seat`` sits where the pixel is nearest to: on the table's border, straight out from the middle.

        Raises:
            TableProblem: there is no such seat, or the place is the middle of the table or far outside the picture.
        """
        if seat not in self.seats:
            raise TableProblem("place {seat} : il n'y en a que {n}", seat=seat, n=len(self.seats))
        x, y = at
        if not (0 <= x <= self.width and 0 <= y <= self.height):
            raise TableProblem(
                "place {seat} : le point {x},{y} est hors de l'image, qui fait {width} x {height} pixels",
                seat=seat,
                x=round(x),
                y=round(y),
                width=self.width,
                height=self.height,
            )
        u, v = self.seat_map().on(np.array([at]))[0]
        far = max(abs(u), abs(v))
        if far < MIDDLE:
            raise TableProblem("place {seat} : c'est le milieu de la table, montrez le bord", seat=seat)
        return replace(self, seats={**self.seats, seat: (round(float(u / far), 3), round(float(v / far), 3))})

    def checked(self) -> TableSetup:
        """The same, if every player has a place of his own.

        Raises:
            TableProblem: two players sit in one place.
        """
        seats = sorted(self.seats)
        for i, one in enumerate(seats):
            for other in seats[i + 1 :]:
                if math.dist(self.seats[one], self.seats[other]) < APART:
                    raise TableProblem(
                        "les places {one} et {other} sont au même endroit de la table", one=one, other=other
                    )
        return self

    def seat_map(self) -> SeatMap:
        """Seats and play zone for a picture of this size."""
        if self.found == "picture":
            return SeatMap(dict(self.seats), self.width, self.height, (self.width / 2, self.height / 2))
        return SeatMap.on_table(self.seats, self.width, self.height, self.corners, self.proportion)

    def scaled(self, width: int, height: int) -> TableSetup:
        """The same for a picture of another size from the same camera."""
        if (width, height) == (self.width, self.height):
            return self
        factor = width / self.width
        corners = cast(Corners, tuple((x * factor, y * factor) for x, y in self.corners))
        if self.found == "picture":
            return replace(self.whole(2, width, height), seats=self.seats)
        return replace(self, width=width, height=height, corners=corners)

    @property
    def share(self) -> float:
        """Part of the picture that the table fills, 0 to 1."""
        quad = np.array(self.corners, np.float32)
        w, h = self.width, self.height
        frame = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        return float(cv2.intersectConvexConvex(frame, quad)[0]) / (w * h)

    @property
    def proportion(self) -> float:
        """Width over depth of the table itself."""
        right, down = self._axes()
        return float(np.linalg.norm(right) / np.linalg.norm(down))

    @property
    def slant(self) -> float:
        """Degrees between the camera's look at the middle of the table and the vertical on it."""
        right, down = self._axes()
        normal = np.cross(right, down)
        x, y = self.middle
        look = np.array([x - self.width / 2, y - self.height / 2, self._focal()])
        cosine = abs(normal @ look) / (np.linalg.norm(normal) * np.linalg.norm(look))
        return float(np.degrees(np.arccos(min(1.0, cosine))))

    @property
    def middle(self) -> Place:
        """The middle of the table, in pixels."""
        h = self._homography()
        return float(h[0, 2] / h[2, 2]), float(h[1, 2] / h[2, 2])

    def _homography(self) -> Points:
        """From the table's axes to pixels."""
        there = np.array(self.corners, np.float32)
        return np.asarray(cv2.getPerspectiveTransform(np.array(SQUARE, np.float32), there), np.float64)

    def _centred(self) -> Points:
        """The homography with the middle of the picture as origin: there the camera's axis goes through."""
        back = np.array([[1, 0, -self.width / 2], [0, 1, -self.height / 2], [0, 0, 1.0]])
        return back @ self._homography()

    def _focal(self) -> float:
        """Focal length in pixels, from the condition that the table's sides stand square on each other.

        Z. Zhang and L.-W. He, Whiteboard scanning and image enhancement, Digital Signal Processing 17 (2007). Where a
        pair of sides seems parallel, the corners do not tell it, and that of a usual webcam is taken.
        """
        h = self._centred()
        bottom = h[2, 0] * h[2, 1]
        usual = USUAL_FOCAL * self.width
        if abs(bottom) < 1e-4 * h[2, 2] ** 2:
            return usual
        squared = -(h[0, 0] * h[0, 1] + h[1, 0] * h[1, 1]) / bottom
        if not (FOCAL[0] * self.width) ** 2 < squared < (FOCAL[1] * self.width) ** 2:
            return usual
        return math.sqrt(squared)

    def _axes(self) -> tuple[Points, Points]:
        """The table's half width and half depth in space, up to one scale."""
        h = self._centred()
        h[:2] /= self._focal()
        return h[:, 0], h[:, 1]


def _in_turn(quad: Points) -> Points:
    """Four corners clockwise in the picture, the one farthest up and left first."""
    centre = quad.mean(0)
    turn = np.argsort(np.arctan2(quad[:, 1] - centre[1], quad[:, 0] - centre[0]))
    quad = quad[turn]
    spread = np.maximum(np.ptp(quad, axis=0), 1.0)
    return np.asarray(np.roll(quad, -int(np.argmin((quad / spread).sum(1))), axis=0))
