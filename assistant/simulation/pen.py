"""Drawing card faces with shapes alone: polygons and letters in millimetres, drawn large and then reduced."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.simulation.faces import CARD_MM, Picture, rounded

SCALE = 5  # pixels a millimetre
SUPER = 2  # drawn this much larger, then reduced
CAPITALS = 21.0  # pixels that OpenCV's capitals are high

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
        stroke = 0.13 * height
        (_w, h), _base = _text_size(text, height, stroke)
        self.letters(text, x, y + h / 2 / (SCALE * SUPER), height, stroke, colour)

    def letters(self, text: str, x: float, line: float, height: float, stroke: float, colour: Colour) -> None:
        """Digits and letters that stand on ``line`` with their middle at ``x``, drawn with a pen of ``stroke``."""
        k = SCALE * SUPER
        (w, _h), _base = _text_size(text, height, stroke)
        at = (round(x * k - w / 2), round(line * k))
        font, thick = cv2.FONT_HERSHEY_DUPLEX, max(1, round(stroke * k))
        cv2.putText(self.canvas, text, at, font, height * k / CAPITALS, colour, thick, cv2.LINE_AA)

    def half_turn(self) -> None:
        """Go on from the other end of the card."""
        self.canvas = np.ascontiguousarray(self.canvas[::-1, ::-1])

    def picture(self) -> Picture:
        """The finished card."""
        w, h = CARD_MM
        size = (round(w * SCALE), round(h * SCALE))
        return rounded(cv2.resize(self.canvas, size, interpolation=cv2.INTER_AREA).astype(np.uint8))


def _text_size(text: str, height: float, stroke: float) -> tuple[Sequence[int], int]:
    """Width and height of a text in drawn pixels, and how far it reaches below its line."""
    k = SCALE * SUPER
    return cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, height * k / CAPITALS, max(1, round(stroke * k)))


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
