"""The deck of numbers 1 to 8 with an animal each, four copies of every card, drawn by the program.

It stands for the boxed Trut of Robin Red Games (R-2), whose pictures are not ours to show: eight animals, the
stronger the higher, on eight grounds, and the number in two corners.
"""

from __future__ import annotations

from collections.abc import Callable

from assistant.simulation.faces import CARD_MM, Picture, plain_back
from assistant.simulation.pen import INK, Colour, Pen, bezier, mirrored, oval

WHITE, GREY, BROWN, RED = (240, 244, 246), (150, 146, 142), (52, 84, 126), (44, 40, 190)
GOLD, GREEN, PINK, ORANGE = (48, 178, 236), (66, 128, 54), (170, 160, 232), (40, 116, 226)
GROUNDS: tuple[Colour, ...] = (
    (196, 226, 232), (206, 232, 206), (236, 220, 196), (190, 214, 240), (226, 206, 226), (214, 232, 232),
    (200, 206, 236), (226, 226, 206),
)  # fmt: skip


class DrawnNumberFaces:
    """Mouse, snail, hen, cat, fox, wolf, bear, bull."""

    name, like = "drawn-numbers", "numbered8"

    def __init__(self) -> None:
        self._drawn: dict[str, Picture] = {}

    def face(self, card: str) -> Picture:
        if card not in self._drawn:
            self._drawn[card] = _draw(int(card))
        return self._drawn[card]

    def back(self) -> Picture:
        return plain_back((60, 96, 40), 1)


def _draw(number: int) -> Picture:
    w, h = CARD_MM
    pen = Pen()
    pen.polygon([(5, 5), (w - 5, 5), (w - 5, h - 5), (5, h - 5)], GROUNDS[number - 1], 0.3)
    ANIMALS[number - 1](pen)
    for _half in range(2):
        pen.polygon(oval(6.4, 6.4, 10.5, 11), WHITE, 0.3)
        pen.text(str(number), 10.5, 11, 8.0, RED if number == 8 else INK)
        pen.half_turn()
    return pen.picture()


def _eyes(pen: Pen, left: float, right: float, y: float, radius: float = 1.3) -> None:
    for x in (left, right):
        pen.polygon(oval(radius, radius * 1.2, x, y), WHITE, 0.2)
        pen.polygon(oval(radius * 0.55, radius * 0.6, x, y), INK)


def _mouse(pen: Pen) -> None:
    pen.stroke(bezier((20, 58), (8, 66), (14, 78), (30, 74)), PINK, 1.4)
    pen.polygon(oval(17, 11, 33, 56), GREY, 0.3)
    pen.polygon(oval(6.5, 6.5, 38, 40), GREY, 0.3)
    pen.polygon(oval(4, 4, 38, 40), PINK)
    pen.polygon(
        bezier((38, 46), (46, 40), (54, 50), (58, 57)) + bezier((58, 57), (52, 60), (44, 62), (38, 60)), GREY, 0.3
    )
    pen.polygon(oval(1.6, 1.6, 57.5, 57), PINK, 0.2)
    pen.polygon(oval(1.2, 1.4, 48, 50), INK)


def _snail(pen: Pen) -> None:
    pen.polygon([(10, 66), (50, 66), (55, 48), (51, 46), (46, 60), (20, 61)], (120, 190, 220), 0.3)
    for x, tip in ((52, 49), (54, 57)):
        pen.stroke([(x, 48), (tip, 37)], (120, 190, 220), 1.3)
        pen.polygon(oval(1.3, 1.3, tip, 36.5), INK)
    colours: tuple[tuple[float, Colour], ...] = ((16, BROWN), (12.5, ORANGE), (9, BROWN), (5.5, ORANGE), (2.4, BROWN))
    for radius, colour in colours:
        pen.polygon(oval(radius, radius, 29 + (16 - radius) * 0.2, 47), colour, 0.3)


def _hen(pen: Pen) -> None:
    for x in (29, 36):
        pen.stroke([(x, 62), (x, 74), (x + 4, 75)], ORANGE, 1.6)
    pen.polygon(
        bezier((10, 36), (14, 62), (30, 72), (45, 58)) + bezier((45, 58), (47, 46), (44, 36), (44, 30)), WHITE, 0.3
    )
    pen.polygon(oval(7.5, 7.5, 43, 29), WHITE, 0.3)
    for x in (39, 43, 47):
        pen.polygon(oval(2.6, 3.4, x, 20.5), RED, 0.2)
    pen.polygon([(50, 28), (57, 30.5), (50, 33)], ORANGE, 0.2)
    pen.polygon(oval(2, 3.6, 48.5, 37), RED, 0.2)
    pen.polygon(bezier((16, 44), (24, 62), (36, 60), (37, 46)), (214, 222, 226), 0.3)
    pen.polygon(oval(1.1, 1.2, 45, 27.5), INK)


def _cat(pen: Pen) -> None:
    pen.stroke(bezier((46, 68), (60, 66), (56, 50), (52, 46)), INK, 4)
    pen.polygon(mirrored([(8, -22), (15, 0), (14, 18)]), (70, 62, 60), 0.3, at=(32, 58))
    pen.polygon(oval(13, 11.5, 32, 33), (70, 62, 60), 0.3)
    for side in (-1, 1):
        pen.polygon([(32 + side * 12, 31), (32 + side * 12, 15), (32 + side * 4, 23)], (70, 62, 60), 0.3)
        for y in (36, 38.5):
            pen.stroke([(32 + side * 4, y), (32 + side * 17, y + side * 0.6)], WHITE, 0.4)
    for x in (27, 37):
        pen.polygon(oval(2.6, 3.2, x, 31), (80, 220, 190), 0.2)
        pen.polygon(oval(0.7, 2.8, x, 31), INK)
    pen.polygon([(30.4, 36), (33.6, 36), (32, 38)], PINK)
    pen.polygon(oval(6, 9, 32, 63), WHITE, 0.2)


def _fox(pen: Pen) -> None:
    pen.polygon(
        bezier((40, 74), (62, 70), (60, 44), (50, 40)) + bezier((50, 40), (52, 56), (46, 62), (38, 66)), ORANGE, 0.3
    )
    pen.polygon(mirrored([(9, -16), (15, 10), (13, 18)]), ORANGE, 0.3, at=(28, 58))
    pen.polygon(mirrored([(0, 18), (12, 2), (17, -16), (8, -9)]), ORANGE, 0.3, at=(28, 36))
    pen.polygon(mirrored([(0, 18), (6, 4), (2, -2)]), WHITE, 0.2, at=(28, 36))
    pen.polygon(oval(2, 1.7, 28, 53), INK)
    _eyes(pen, 22.5, 33.5, 37)
    pen.polygon(mirrored([(3, -12), (6, 8), (3, 17)]), WHITE, 0.2, at=(28, 59))


def _wolf(pen: Pen) -> None:
    pen.polygon([(9, 70), (13, 44), (26, 34), (30, 44), (44, 50), (54, 72), (48, 74), (40, 62), (22, 62), (16, 74)],
                (110, 100, 92), 0.3)  # fmt: skip
    pen.polygon([(14, 46), (18, 30), (30, 18), (36, 10), (38, 20), (32, 36), (28, 46)], (110, 100, 92), 0.3)
    pen.polygon([(30, 18), (44, 12), (45, 16), (35, 25)], (110, 100, 92), 0.3)
    pen.polygon([(18, 30), (12, 22), (22, 26)], (80, 72, 66), 0.3)
    pen.polygon(oval(1.3, 1.3, 30, 23), (60, 210, 240), 0.2)
    pen.stroke([(36, 22), (44, 17)], INK, 0.5)
    pen.polygon(oval(9, 9, 50, 22), (200, 232, 240), 0.2)


def _bear(pen: Pen) -> None:
    pen.polygon(oval(19, 20, 31.5, 58), BROWN, 0.3)
    for side in (-1, 1):
        pen.polygon(oval(5, 5, 31.5 + side * 13, 20), BROWN, 0.3)
        pen.polygon(oval(2.6, 2.6, 31.5 + side * 13, 20), (110, 150, 190))
        pen.polygon(oval(5.5, 9, 31.5 + side * 16, 60, side * 20), BROWN, 0.3)
    pen.polygon(oval(15, 14, 31.5, 30), BROWN, 0.3)
    pen.polygon(oval(7.5, 6, 31.5, 36), (140, 180, 214), 0.2)
    pen.polygon(oval(2.6, 1.9, 31.5, 33.5), INK)
    _eyes(pen, 25.5, 37.5, 27)
    pen.polygon(oval(10, 11, 31.5, 62), (110, 150, 190))


def _bull(pen: Pen) -> None:
    pen.polygon(oval(22, 15, 31, 62), (40, 36, 44), 0.3)
    for side in (-1, 1):
        horn = [(0, 0), (10, -3), (15, -12), (17, -10), (13, 3), (0, 8)]
        pen.polygon([(31.5 + side * (8 + x), 30 + y) for x, y in horn], (210, 228, 236), 0.3)
        pen.polygon(oval(6, 3, 31.5 + side * 14, 38, side * 20), (40, 36, 44), 0.3)
    pen.polygon(mirrored([(11, -16), (12, 4), (7, 20)]), (40, 36, 44), 0.3, at=(31.5, 42))
    pen.polygon(oval(8.5, 6.5, 31.5, 60), (120, 110, 150), 0.3)
    for x in (28, 35):
        pen.polygon(oval(1.4, 1.8, x, 60), INK)
    pen.polygon(oval(3.5, 3.5, 31.5, 66), GOLD, 0.3)
    pen.polygon(oval(2.2, 2.2, 31.5, 66), (120, 110, 150))
    _eyes(pen, 26.5, 36.5, 41)


ANIMALS: tuple[Callable[[Pen], None], ...] = (_mouse, _snail, _hen, _cat, _fox, _wolf, _bear, _bull)
"""One for each number, from 1."""
