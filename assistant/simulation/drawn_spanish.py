"""A Spanish deck of forty cards that the program draws itself: oros, copas, espadas and bastos, pages, riders, kings.

Its shapes are its own: the eyes were trained on other drawn Spanish decks. What all real ones share is kept: the
numbers in two corners, the frame whose gaps tell the suit, the usual places of the marks.
"""

from __future__ import annotations

from assistant.simulation.faces import CARD_MM, Picture, plain_back
from assistant.simulation.pen import INK, Colour, Pen, Point, bezier, mirrored, oval

GOLD, RED, BLUE, GREEN = (48, 178, 236), (44, 40, 190), (176, 110, 44), (66, 128, 54)
STEEL, SKIN, BROWN, WHITE = (206, 190, 170), (172, 204, 238), (52, 84, 126), (240, 244, 246)
COATS: dict[str, tuple[Colour, Colour]] = {"o": (RED, GOLD), "c": (GREEN, RED), "e": (BLUE, GOLD), "b": (GOLD, GREEN)}
GAPS = {"o": 0, "c": 1, "e": 2, "b": 3}
"""Gaps of the frame in each short side (pintas)."""
ROUND: dict[int, tuple[Point, ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.14), (0.5, 0.86)),
    3: ((0.5, 0.1), (0.5, 0.5), (0.5, 0.9)),
    4: ((0.12, 0.1), (0.88, 0.1), (0.12, 0.9), (0.88, 0.9)),
    5: ((0.12, 0.1), (0.88, 0.1), (0.5, 0.5), (0.12, 0.9), (0.88, 0.9)),
    6: ((0.12, 0.06), (0.88, 0.06), (0.12, 0.5), (0.88, 0.5), (0.12, 0.94), (0.88, 0.94)),
    7: ((0.12, 0.06), (0.88, 0.06), (0.5, 0.26), (0.12, 0.5), (0.88, 0.5), (0.12, 0.94), (0.88, 0.94)),
}
"""Places of coins and cups, in parts of the field."""


class DrawnSpanishFaces:
    """Swords and clubs stand in two rows, an odd one lies across; one-headed figures with one mark each."""

    name, like = "drawn-spanish", "spanish40"

    def __init__(self) -> None:
        self._drawn: dict[str, Picture] = {}

    def face(self, card: str) -> Picture:
        if card not in self._drawn:
            self._drawn[card] = _draw(int(card[:-1]), card[-1])
        return self._drawn[card]

    def back(self) -> Picture:
        return plain_back((96, 40, 40), 2)


def _draw(rank: int, suit: str) -> Picture:
    pen = Pen()
    _frame(pen, GAPS[suit])
    if rank > 7:
        {10: _page, 11: _rider, 12: _king}[rank](pen, suit)
    elif suit in "oc":
        _round_marks(pen, suit, rank)
    else:
        _long_marks(pen, suit, rank)
    for _half in range(2):
        pen.text(str(rank), 7.0 if rank < 10 else 8.4, 9.8, 4.4, INK)
        pen.half_turn()
    return pen.picture()


def _frame(pen: Pen, gaps: int) -> None:
    w, h = CARD_MM
    x0, y0, x1, y1, gap = 3.2, 4.6, w - 3.2, h - 4.6, 5.0
    middles = [x0 + (x1 - x0) * (i + 1) / (gaps + 1) for i in range(gaps)]
    stops = [x0, *(x for m in middles for x in (m - gap / 2, m + gap / 2)), x1]
    for y in (y0, y1):
        for a, b in zip(stops[::2], stops[1::2], strict=True):
            pen.stroke([(a, y), (b, y)], INK, 0.45)
    for x in (x0, x1):
        pen.stroke([(x, y0), (x, y1)], INK, 0.45)


def _round_marks(pen: Pen, suit: str, rank: int) -> None:
    w, h = CARD_MM
    left, top, right, bottom = 14.0, 17.0, w - 14.0, h - 17.0
    size = {1: 34.0, 2: 26.0, 3: 20.0, 4: 19.0, 5: 17.0}.get(rank, 14.5)
    for x, y in ROUND[rank]:
        at = (left + x * (right - left), top + y * (bottom - top))
        mark(pen, suit, at, size if suit == "o" else size * 1.05)


def _long_marks(pen: Pen, suit: str, rank: int) -> None:
    """Swords and clubs: pairs in an upper and a lower row, an odd one across the middle."""
    w, h = CARD_MM
    if rank == 1:
        mark(pen, suit, (w / 2, h / 2), 62.0, turn=24 if suit == "e" else 0)
        return
    upper = rank // 2
    lower = rank // 2
    if rank in (2, 3):
        for i in range(2):
            mark(pen, suit, (w / 2, h / 2), 60.0, turn=38 - 76 * i)
        if rank == 3:
            mark(pen, suit, (w / 2, h / 2), 64.0)
        return
    for row, count in ((0, upper), (1, lower)):
        for i in range(count):
            x = w / 2 + (i - (count - 1) / 2) * (30.0 if count == 2 else 17.0)
            mark(pen, suit, (x, 25.5 if row == 0 else h - 25.5), 32.0, turn=180.0 * row)
    if rank % 2:
        mark(pen, suit, (w / 2, h / 2), 38.0, turn=90)


def mark(pen: Pen, suit: str, at: Point, size: float, turn: float = 0) -> None:
    """One mark of a suit, ``size`` millimetres high, its middle ``at`` a place of the card."""
    {"o": _coin, "c": _cup, "e": _sword, "b": _club}[suit](pen, at, size, turn)


def _coin(pen: Pen, at: Point, size: float, turn: float) -> None:
    rings: tuple[tuple[float, Colour], ...] = ((0.5, GOLD), (0.41, RED), (0.37, GOLD), (0.15, RED), (0.1, GOLD))
    for radius, colour in rings[:3]:
        pen.polygon(oval(radius, radius), colour, 0.25 if radius == 0.5 else 0, at=at, size=size)
    for k in range(8):
        pen.polygon(oval(0.11, 0.045, 0.24), RED, at=at, size=size, turn=45 * k + turn)
    for radius, colour in rings[3:]:
        pen.polygon(oval(radius, radius), colour, at=at, size=size)


def _cup(pen: Pen, at: Point, size: float, turn: float) -> None:
    bowl = mirrored(bezier((0.34, -0.42), (0.4, -0.05), (0.2, 0.1), (0.07, 0.14)))
    stem = mirrored([(0.07, 0.12), (0.07, 0.32), (0.26, 0.42), (0.26, 0.5)])
    pen.polygon(stem, GOLD, 0.25, at=at, size=size, turn=turn)
    pen.polygon(bowl, RED, 0.25, at=at, size=size, turn=turn)
    pen.polygon(oval(0.34, 0.09, 0, -0.42), GOLD, 0.25, at=at, size=size, turn=turn)
    pen.polygon(oval(0.26, 0.05, 0, -0.42), BROWN, at=at, size=size, turn=turn)
    pen.polygon(mirrored([(0.35, -0.24), (0.32, -0.14)]), GOLD, at=at, size=size, turn=turn)
    pen.polygon(oval(0.12, 0.06, 0, 0.22), BLUE, 0.2, at=at, size=size, turn=turn)


def _sword(pen: Pen, at: Point, size: float, turn: float) -> None:
    blade = mirrored([(0.0, -0.5), (0.055, -0.4), (0.075, 0.2)])
    pen.polygon(blade, STEEL, 0.25, at=at, size=size, turn=turn)
    pen.stroke([(0, -0.44), (0, 0.2)], BLUE, 0.018, at=at, size=size, turn=turn)
    pen.polygon(mirrored([(0.19, 0.18), (0.21, 0.23), (0.05, 0.25)]), GOLD, 0.25, at=at, size=size, turn=turn)
    pen.polygon(mirrored([(0.035, 0.24), (0.045, 0.42)]), RED, 0.2, at=at, size=size, turn=turn)
    pen.polygon(oval(0.065, 0.065, 0, 0.45), GOLD, 0.25, at=at, size=size, turn=turn)


def _club(pen: Pen, at: Point, size: float, turn: float) -> None:
    side = [(0.05, -0.5), (0.11, -0.44), (0.1, -0.3), (0.15, -0.26), (0.1, -0.2), (0.09, 0.02), (0.13, 0.07)]
    wood = mirrored([*side, (0.07, 0.12), (0.05, 0.46), (0.0, 0.5)])
    pen.polygon(wood, GREEN, 0.25, at=at, size=size, turn=turn)
    pen.stroke([(-0.03, -0.38), (-0.02, 0.36)], (110, 190, 120), 0.03, at=at, size=size, turn=turn)
    for y in (-0.24, 0.06):
        pen.polygon(oval(0.035, 0.05, 0, y), RED, at=at, size=size, turn=turn)
    pen.polygon(oval(0.06, 0.03, 0, -0.47), (150, 210, 236), 0.2, at=at, size=size, turn=turn)


def _head(pen: Pen, at: Point, size: float) -> None:
    pen.polygon(oval(0.5, 0.58), BROWN, 0.25, at=at, size=size)
    pen.polygon(oval(0.36, 0.46, 0.06, 0.04), SKIN, 0.2, at=at, size=size)
    for x in (-0.08, 0.22):
        pen.polygon(oval(0.05, 0.05, x, -0.03), INK, at=at, size=size)
    pen.stroke([(0.0, 0.26), (0.18, 0.26)], (60, 50, 190), 0.06, at=at, size=size)


def _page(pen: Pen, suit: str) -> None:
    """On foot, in hose and a short coat, the mark in his raised hand."""
    coat, trim = COATS[suit]
    for x in (26.0, 36.0):
        pen.polygon([(x - 3.4, 54), (x + 3.4, 54), (x + 2.4, 75), (x + 5.5, 78), (x - 3.4, 78)], trim, 0.3)
    pen.polygon([(21, 33), (41, 33), (45, 58), (31, 62), (17, 58)], coat, 0.3)
    pen.polygon([(40, 33), (53, 24), (55, 28), (43, 42)], coat, 0.3)
    pen.polygon([(21, 33), (12, 47), (15, 50), (24, 42)], coat, 0.3)
    pen.stroke([(19, 50), (43, 50)], trim, 1.8)
    _head(pen, (31, 24), 12)
    pen.polygon([(22, 19), (30, 11), (41, 18)], trim, 0.3)
    mark(pen, suit, (49.5, 20) if suit in "oc" else (51, 28), 15 if suit in "oc" else 30, turn=0)


def _rider(pen: Pen, suit: str) -> None:
    """On a horse that steps to the right."""
    coat, trim = COATS[suit]
    horse: Colour = WHITE if suit in "eb" else (74, 108, 150)
    for x, lean in ((17, -2), (23, 2), (40, -3), (46, 5)):
        pen.polygon([(x, 58), (x + 5, 58), (x + 4 + lean, 79), (x + lean, 79)], horse, 0.3)
    pen.polygon(oval(20, 9.5, 31, 55), horse, 0.3)
    pen.polygon([(42, 54), (46, 38), (51, 33), (58, 40), (57, 44), (51, 44), (50, 58)], horse, 0.3)
    pen.polygon([(45, 40), (48, 32), (51, 34), (47, 46)], BROWN, 0.2)
    pen.polygon([(12, 52), (6, 60), (8, 70), (13, 60)], BROWN, 0.2)
    pen.polygon(oval(0.9, 0.9, 53, 38.5), INK)
    pen.polygon([(25, 48), (37, 48), (35, 66), (30, 68), (28, 62)], trim, 0.3)
    pen.polygon([(22, 27), (38, 27), (39, 50), (23, 50)], coat, 0.3)
    pen.polygon([(23, 28), (12, 24), (10, 28), (22, 38)], coat, 0.3)
    _head(pen, (31, 19), 11)
    pen.polygon([(24, 14), (39, 15), (43, 9), (30, 9)], trim, 0.3)
    mark(pen, suit, (14, 20) if suit in "oc" else (12.5, 27), 13 if suit in "oc" else 28)


def _king(pen: Pen, suit: str) -> None:
    """In a long robe with an ermine hem, crowned and bearded."""
    coat, trim = COATS[suit]
    pen.polygon([(20, 30), (42, 30), (49, 78), (13, 78)], coat, 0.3)
    pen.polygon([(27, 30), (35, 30), (37, 78), (25, 78)], trim, 0.3)
    pen.polygon([(13.4, 74), (48.6, 74), (49, 78), (13, 78)], WHITE, 0.3)
    for x in range(17, 48, 6):
        pen.polygon(oval(0.7, 1.2, x, 76), INK)
    pen.polygon([(20, 30), (10, 46), (14, 51), (24, 42)], coat, 0.3)
    pen.polygon([(42, 30), (53, 44), (49, 49), (38, 42)], coat, 0.3)
    _head(pen, (31, 22), 12.5)
    pen.polygon([(25, 24), (37, 24), (34, 33), (31, 36), (28, 33)], BROWN, 0.25)
    crown = [(23.5, 17), (22, 8), (26.5, 12), (31, 7), (35.5, 12), (40, 8), (38.5, 17)]
    pen.polygon(crown, GOLD, 0.35)
    mark(pen, suit, (51, 40) if suit in "oc" else (51.5, 40), 15 if suit in "oc" else 34)


