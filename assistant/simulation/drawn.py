"""A deck with French indices (R D V 1) that the program draws itself, with shapes alone."""

from __future__ import annotations

import numpy as np

from assistant.simulation.faces import CARD_MM, Picture, plain_back
from assistant.simulation.pen import INK, Pen, bezier, mirrored

RED, BLACK = (42, 30, 196), (34, 26, 26)
GOLD, BLUE, WHITE = (60, 176, 232), (150, 84, 32), (238, 242, 244)
LETTERS = {"J": "V", "Q": "D", "K": "R", "A": "1"}
PIPS: dict[str, tuple[tuple[float, float], ...]] = {  # the usual places, in parts of the field between the indices
    "7": ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    "8": ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)),
    "9": ((0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0.5, 0.5), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1)),
    "10": (
        (0, 0),
        (1, 0),
        (0.5, 1 / 6),
        (0, 1 / 3),
        (1, 1 / 3),
        (0, 2 / 3),
        (1, 2 / 3),
        (0.5, 5 / 6),
        (0, 1),
        (1, 1),
    ),
}


def suit_outlines(suit: str) -> list[list[tuple[float, float]]]:
    """Outlines of a pip about one unit high, middle at the origin, y down."""
    if suit == "d":
        return [
            mirrored(
                bezier((0, -0.56), (0.1, -0.3), (0.26, -0.1), (0.4, 0))
                + bezier((0.4, 0), (0.26, 0.1), (0.1, 0.3), (0, 0.56))
            )
        ]
    if suit == "h":
        return [
            mirrored(
                bezier((0, -0.3), (0.12, -0.62), (0.56, -0.56), (0.48, -0.1))
                + bezier((0.48, -0.1), (0.42, 0.16), (0.14, 0.3), (0, 0.54))
            )
        ]
    foot = mirrored(bezier((0.02, 0.0), (0.04, 0.3), (0.1, 0.46), (0.24, 0.52)))
    if suit == "s":
        leaf = mirrored(
            bezier((0, -0.54), (0.12, -0.3), (0.44, -0.1), (0.48, 0.14))
            + bezier((0.48, 0.14), (0.5, 0.42), (0.14, 0.44), (0, 0.2))
        )
        return [leaf, foot]
    turn = np.linspace(0, 2 * np.pi, 40)
    return [
        [(cx + 0.235 * np.cos(a), cy + 0.235 * np.sin(a)) for a in turn]
        for cx, cy in ((0, -0.29), (-0.27, 0.1), (0.27, 0.1))
    ] + [foot]


class DrawnFaces:
    """Pips as curves, court figures as plain shapes in two halves, indices R D V 1 in two corners."""

    name, like = "drawn", "french32"

    def __init__(self) -> None:
        self._drawn: dict[str, Picture] = {}

    def face(self, card: str) -> Picture:
        if card not in self._drawn:
            self._drawn[card] = _draw(card[:-1], card[-1])
        return self._drawn[card]

    def back(self) -> Picture:
        return plain_back((48, 44, 140), 1)


def _pip(
    pen: Pen,
    suit: str,
    x: float,
    y: float,
    size: float,
    colour: tuple[int, int, int],
    down: bool = False,
) -> None:
    sign = -1 if down else 1
    for outline in suit_outlines(suit):
        pen.polygon([(x + sign * size * px, y + sign * size * py) for px, py in outline], colour)


def _index(pen: Pen, text: str, suit: str, colour: tuple[int, int, int]) -> None:
    """The index of the upper left corner; the lower right one is the same after half a turn."""
    pen.letters(text, 6.2, 12.4, 7.42 if len(text) == 1 else 5.46, 0.85, colour)
    _pip(pen, suit, 6.2, 17.6, 6.6, colour)


def _court_half(pen: Pen, rank: str, suit: str, colour: tuple[int, int, int]) -> None:
    """The upper half of a figure: shoulders, neck, head, hair, and a crown, a veil or a cap."""
    w, h = CARD_MM
    cx, middle = w / 2, h / 2
    coat, trim = {"K": ((40, 34, 176), GOLD), "Q": (BLUE, WHITE), "J": (GOLD, (60, 120, 50))}[rank]
    if suit in "sc":
        coat, trim = trim, coat
    pen.polygon(
        [
            (cx - 19, middle),
            (cx - 18, middle - 9),
            (cx - 8, middle - 15),
            (cx + 8, middle - 15),
            (cx + 18, middle - 9),
            (cx + 19, middle),
        ],
        coat,
        0.35,
    )
    for i in range(-2, 3):
        pen.polygon(
            [(cx + i * 7 - 1.6, middle), (cx + i * 4, middle - 13), (cx + i * 7 + 1.6, middle)],
            trim,
            0.2,
        )
    pen.polygon(
        [(cx - 3, middle - 14), (cx - 3, middle - 19), (cx + 3, middle - 19), (cx + 3, middle - 14)],
        (176, 206, 240),
        0.3,
    )
    hair = (70, 120, 190) if rank == "Q" else (60, 70, 90)
    turn = np.linspace(0, 2 * np.pi, 40)
    pen.polygon([(cx + 8.4 * np.cos(a), middle - 23 + 8.6 * np.sin(a)) for a in turn], hair, 0.3)
    pen.polygon([(cx + 6.0 * np.cos(a), middle - 22.4 + 7.4 * np.sin(a)) for a in turn], (176, 206, 240), 0.3)
    for x in (-2.3, 2.3):
        pen.polygon([(cx + x + 0.7 * np.cos(a), middle - 24 + 0.6 * np.sin(a)) for a in turn], INK)
    pen.polygon([(cx - 1.6, middle - 18.8), (cx + 1.6, middle - 18.8), (cx, middle - 18.0)], (60, 50, 190))
    if rank == "K":
        pen.polygon(
            [
                (cx - 5, middle - 20),
                (cx + 5, middle - 20),
                (cx + 3, middle - 14),
                (cx, middle - 12),
                (cx - 3, middle - 14),
            ],
            hair,
            0.3,
        )
        pen.polygon(
            [
                (cx - 8, middle - 28),
                (cx - 9, middle - 37),
                (cx - 4, middle - 32),
                (cx, middle - 38),
                (cx + 4, middle - 32),
                (cx + 9, middle - 37),
                (cx + 8, middle - 28),
            ],
            GOLD,
            0.35,
        )
    elif rank == "Q":
        pen.polygon(
            [
                (cx - 7, middle - 28),
                (cx - 5, middle - 34),
                (cx, middle - 36),
                (cx + 5, middle - 34),
                (cx + 7, middle - 28),
            ],
            WHITE,
            0.35,
        )
        pen.polygon(
            [(cx + 13 + 2.4 * np.cos(a), middle - 20 + 2.4 * np.sin(a)) for a in turn],
            (60, 50, 200),
            0.3,
        )
    else:
        pen.polygon(
            [(cx - 9, middle - 27), (cx - 8, middle - 33), (cx + 8, middle - 33), (cx + 9, middle - 27)],
            coat,
            0.35,
        )
        pen.polygon([(cx + 6, middle - 32), (cx + 15, middle - 38), (cx + 9, middle - 30)], WHITE, 0.3)
        pen.polygon(
            [
                (cx - 14, middle - 2),
                (cx - 15, middle - 34),
                (cx - 12.6, middle - 34),
                (cx - 11.6, middle - 2),
            ],
            (120, 150, 180),
            0.3,
        )


def _draw(rank: str, suit: str) -> Picture:
    w, h = CARD_MM
    pen = Pen()
    colour = RED if suit in "hd" else BLACK
    if rank in PIPS:
        field = (19.0, w - 19.0, 14.5, h - 14.5)
        for px, py in PIPS[rank]:
            x, y = field[0] + px * (field[1] - field[0]), field[2] + py * (field[3] - field[2])
            _pip(pen, suit, x, y, 13.0, colour, down=py > 0.5)
    elif rank == "A":
        _pip(pen, suit, w / 2, h / 2, 24.0, colour)
    else:
        _court_half(pen, rank, suit, colour)
        _pip(pen, suit, 18.0, 13.0, 8.5, colour)
        half = pen.canvas.shape[0] // 2
        pen.canvas[half:] = pen.canvas[::-1, ::-1][half:]
        box = [(11.5, 5.0), (w - 11.5, 5.0), (w - 11.5, h - 5.0), (11.5, h - 5.0)]
        pen.stroke([*box, box[0]], BLUE, 0.35)
    for _half in range(2):
        _index(pen, LETTERS.get(rank, rank), suit, colour)
        pen.half_turn()
    return pen.picture()
