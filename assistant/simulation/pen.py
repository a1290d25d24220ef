"""Drawing card faces with shapes alone: polygons and letters in millimetres, drawn large and then reduced."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.simulation.faces import CARD_MM, Picture, rounded

SCALE = 5  # pixels a millimetre
SUPER = 2  # drawn this much larger, then reduced

Point = tuple[float, float]
Colour = tuple[int, int, int]
"""BGR."""

PAPER: Colour = (246, 250, 251)
INK: Colour = (40, 34, 34)


class Pen:
    """A blank card to draw on; the origin is its upper left corner, y goes down."""

    def __init__(self, ground: Colour = PAPER) -> None:
        w, h = CARD_MM
        k = SCALE * SUPER
        self.canvas = np.full((round(h * k), round(w * k), 3), ground, np.uint8)

    def polygon(
        self,
        points: Sequence[Point],
        colour: Colour,
        line: float = 0,
        *,
        at: Point = (0, 0),
        size: float = 1,
        turn: float = 0,
    ) -> None:
        """Fill a polygon, outlined in ink where ``line`` is its width, scaled, turned (degrees) and moved ``at``."""
        q = _placed(points, at, size, turn)
        cv2.fillPoly(self.canvas, [q], colour, cv2.LINE_AA, 4)
        if line:
            cv2.polylines(self.canvas, [q], True, INK, max(1, round(line * SCALE * SUPER)), cv2.LINE_AA, 4)

    def stroke(
        self, points: Sequence[Point], colour: Colour, width: float, *, at: Point = (0, 0), size: float = 1,
        turn: float = 0,
    ) -> None:  # fmt: skip
        """An open line of a width in millimetres (before ``size``)."""
        thick = max(1, round(width * size * SCALE * SUPER))
        cv2.polylines(self.canvas, [_placed(points, at, size, turn)], False, colour, thick, cv2.LINE_AA, 4)

    def text(self, text: str, x: float, y: float, height: float, colour: Colour) -> None:
        """Digits and letters with their middle at (x, y)."""
        k = SCALE * SUPER
        scale = height * k / 21.0  # OpenCV's capitals are 21 pixels high
        thick = max(1, round(0.13 * height * k))
        (w, h), _base = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
        at = (round(x * k - w / 2), round(y * k + h / 2))
        cv2.putText(self.canvas, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, colour, thick, cv2.LINE_AA)

    def half_turn(self) -> None:
        """Go on from the other end of the card."""
        self.canvas = np.ascontiguousarray(self.canvas[::-1, ::-1])

    def picture(self) -> Picture:
        """The finished card."""
        w, h = CARD_MM
        size = (round(w * SCALE), round(h * SCALE))
        return rounded(cv2.resize(self.canvas, size, interpolation=cv2.INTER_AREA).astype(np.uint8))


def _placed(points: Sequence[Point], at: Point, size: float, turn: float) -> NDArray[np.int32]:
    """Millimetres to sixteenths of a drawn pixel."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    p = np.asarray(points, float) * size @ np.array([[c, s], [-s, c]]) + at
    return np.asarray(np.round(p * SCALE * SUPER * 16), np.int32)


def oval(rx: float, ry: float, x: float = 0, y: float = 0, turn: float = 0) -> list[Point]:
    """The outline of an ellipse with its middle at (x, y)."""
    a = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    u, v = rx * np.cos(a), ry * np.sin(a)
    return list(zip((x + c * u - s * v).tolist(), (y + s * u + c * v).tolist(), strict=True))


def bezier(*points: Point) -> list[Point]:
    """A cubic curve through the first and the last of four points."""
    p = np.array(points)
    t = np.linspace(0, 1, 24)[:, None]
    curve = (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t**2 * p[2] + t**3 * p[3]
    return [(float(x), float(y)) for x, y in curve]


def mirrored(right: Sequence[Point]) -> list[Point]:
    """A closed outline from its right half."""
    return [*right, *((-x, y) for x, y in reversed(right))]
