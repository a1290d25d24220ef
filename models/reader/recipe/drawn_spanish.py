"""Spanish decks drawn from shapes: oros, copas, espadas and bastos of no real maker.

What all real ones share is kept: digits 1 to 12 in the corners, a frame whose gaps tell the suit (the pintas:
oros none, copas one, espadas two, bastos three), the usual places of the marks, and three figures, a page on
foot (10), a rider (11) and a king in his robe (12), each with one mark. All the rest is drawn anew for every
deck: shapes, colours, fonts, proportions, ornaments.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .drawn import rounded
from .letters import glyph, paint

HEIGHT = 420
SUITS = ("b", "c", "e", "o")
"""Bastos, copas, espadas, oros: the order of the reader's answers."""
GAPS = {"o": 0, "c": 1, "e": 2, "b": 3}

Colour = tuple[float, float, float]
Places = list[tuple[float, float, float]]
"""Marks as (x, y, turn in degrees): x and y from 0 to 1 inside the field of the card."""


def _grid(rows: tuple[int, ...], turn: float = 0.0) -> Places:
    """Rows of equally spread marks from top to bottom."""
    out: Places = []
    for i, count in enumerate(rows):
        y = 0.5 if len(rows) == 1 else i / (len(rows) - 1)
        xs = [0.5] if count == 1 else [j / (count - 1) for j in range(count)]
        out += [(x, y, turn) for x in xs]
    return out


ROUND: dict[int, list[Places]] = {
    2: [_grid((1, 1))],
    3: [
        _grid((1, 1, 1)),
        [(0.1, 0, 0), (0.9, 0.5, 0), (0.1, 1, 0)],
        [(0.5, 0, 0), (0, 1, 0), (1, 1, 0)],
        _grid((2, 1)),
    ],
    4: [_grid((2, 2))],
    5: [[*_grid((2, 2)), (0.5, 0.5, 0)]],
    6: [_grid((2, 2, 2))],
    7: [[*_grid((2, 2, 2)), (0.5, 0.25, 0)], _grid((2, 3, 2)), [*_grid((2, 2, 2)), (0.5, 0.5, 0)]],
    8: [[*_grid((2, 2, 2)), (0.5, 0.25, 0), (0.5, 0.75, 0)], _grid((2, 2, 2, 2)), _grid((3, 2, 3))],
    9: [_grid((3, 3, 3)), [*_grid((2, 2, 2, 2)), (0.5, 0.17, 0)], [*_grid((2, 2, 2, 2)), (0.5, 0.5, 0)]],
}
"""Places of oros and copas; each deck chooses among them."""


def _long(count: int, style: int) -> Places:
    """Places of swords and clubs: upright in two rows, one lying across for odd counts; few ones larger."""
    rng = np.random.default_rng([style, count])
    lie = 90.0 if rng.random() < 0.6 else 0.0
    if count == 1:
        return [(0.5, 0.5, float(rng.choice([-35.0, -20.0, 0.0, 20.0, 35.0])))]
    if count in (2, 3):
        kind, lean = int(rng.integers(3)), float(rng.uniform(15, 40))
        over = 180.0 if rng.random() < 0.5 else 0.0
        if kind == 0:
            return [(0.5, 0.5, t) for t in ((lean, -lean) if count == 2 else (lean, -lean, 0.0))]
        xs = (0.15, 0.85) if count == 2 else (0.1, 0.5, 0.9)
        return [(x, 0.5, over if i == 1 and kind == 1 else 0.0) for i, x in enumerate(xs)]
    pairs, middle = divmod(count, 2)
    tilt = float(rng.choice([0, 25, 35, 45, -30], p=[0.35, 0.15, 0.2, 0.15, 0.15])) if count in (4, 5) else 0.0
    row = [j / (pairs - 1) for j in range(pairs)]
    top = [(x, 0.0, tilt * (1 if x < 0.5 else -1)) for x in row]
    flip = 180.0 if rng.random() < 0.6 else 0.0
    bottom = [(x, 1.0, -t + flip) for x, _, t in top]
    return top + bottom + ([(0.5, 0.5, lie)] if middle else [])


def _points(written: str) -> np.ndarray:
    """'12,45 20,38' -> [[12, 45], [20, 38]]."""
    return np.float32([[float(v) for v in pair.split(",")] for pair in written.split()])


HORSE = _points(
    "12,45 20,38 35,36 50,40 60,36 68,22 76,10 79,4 82,10 90,20 "
    "96,30 93,35 86,32 80,29 77,40 75,52 83,57 89,60 87,73 82,73 "
    "82,65 73,65 71,80 73,97 66,97 65,80 62,63 45,65 33,61 35,72 "
    "29,80 33,97 26,97 22,80 25,70 19,72 13,82 15,97 8,97 6,80 "
    "12,62 9,52"
)
"""Outline of a horse that walks to the right, in hundredths of its length and height."""
TAIL = _points("11,44 2,50 0,75 5,80 8,60")
MANE = _points("60,36 68,20 77,7 79,13 72,28 66,40")


@dataclass(frozen=True)
class Style:
    """What the cards of one drawn Spanish deck share; colours BGR."""

    width: int
    font: str
    digit: float
    corner: tuple[float, float]
    four_corners: bool
    bare: bool
    frame: float
    framed: bool
    double: bool
    line: int
    paper: Colour
    ink: Colour
    frame_ink: Colour
    marks: dict[str, list[np.ndarray]]
    spread: tuple[float, float]
    size: float
    layout: int
    figures: int
    clothes: dict[str, Colour]


def _shade(colour: Colour, factor: float) -> Colour:
    return tuple(float(np.clip(v * factor, 0, 255)) for v in colour)  # type: ignore[return-value]


def _near(rng: np.random.Generator, colour: Colour, spread: float = 28) -> Colour:
    """A colour like this one."""
    return tuple(float(np.clip(v + rng.normal() * spread, 0, 255)) for v in colour)  # type: ignore[return-value]


class _Pen:
    """Draws filled shapes with an outline on a BGRA canvas, in units of its width."""

    def __init__(self, height: int, width: int, outline: Colour, thick: int) -> None:
        self.image = np.zeros((height, width, 4), np.uint8)
        self.unit, self.outline, self.thick = width, outline, thick

    def shape(self, points: np.ndarray | list[tuple[float, float]], colour: Colour, lined: bool = True) -> None:
        p = [np.int32(np.round(np.float32(points) * self.unit * 8))]
        cv2.fillPoly(self.image, p, (*colour, 255), cv2.LINE_8, 3)
        if lined and self.thick:
            cv2.polylines(self.image, p, True, (*self.outline, 255), self.thick, cv2.LINE_8, 3)

    def oval(
        self, x: float, y: float, rx: float, ry: float, colour: Colour, lined: bool = True, turn: float = 0
    ) -> None:
        t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        u, v = rx * np.cos(t), ry * np.sin(t)
        self.shape(np.c_[x + c * u - s * v, y + s * u + c * v], colour, lined)

    def line(self, points: list[tuple[float, float]], colour: Colour, thick: float) -> None:
        p = [np.int32(np.round(np.float32(points) * self.unit * 8))]
        cv2.polylines(self.image, p, False, (*colour, 255), max(1, round(thick * self.unit)), cv2.LINE_8, 3)

    def stamp(self, mark: np.ndarray, x: float, y: float, width: float, turn: float = 0) -> None:
        _lay(self.image, mark, x * self.unit, y * self.unit, width * self.unit / mark.shape[1], turn)


def _lay(canvas: np.ndarray, mark: np.ndarray, x: float, y: float, scale: float, turn: float) -> None:
    """Paste a BGRA mark with its middle at (x, y), turned clockwise by `turn` degrees (in place)."""
    h, w = mark.shape[:2]
    if scale < 0.6:  # shrink first: the rotation below takes single pixels
        mark = cv2.resize(mark, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        h, w, scale = *mark.shape[:2], 1.0
    m = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), -turn, scale)
    m[:, 2] += [x - (w - 1) / 2, y - (h - 1) / 2]
    laid = cv2.warpAffine(mark, m, canvas.shape[1::-1], flags=cv2.INTER_LINEAR)
    a = laid[..., 3:].astype(np.float32) / 255
    canvas[..., :3] = canvas[..., :3] * (1 - a) + laid[..., :3] * a
    if canvas.shape[2] == 4:
        canvas[..., 3] = np.maximum(canvas[..., 3], laid[..., 3])


def coin(rng: np.random.Generator, outline: Colour) -> np.ndarray:
    """Oros: a disc with rings and a star, a flower, spokes or a face."""
    pen = _Pen(160, 160, outline, int(rng.integers(1, 4)))
    gold = _near(rng, (40, 190, 240), 30)
    second = [_near(rng, c) for c in ((40, 40, 200), (60, 130, 40), (170, 90, 30), (245, 245, 245), (20, 140, 200))][
        int(rng.integers(5))
    ]
    pen.oval(0.5, 0.5, 0.47, 0.47, gold)
    radius = 0.47
    for _ in range(int(rng.integers(0, 4))):
        radius *= rng.uniform(0.62, 0.9)
        pen.oval(0.5, 0.5, radius, radius, [gold, second, _shade(gold, 0.8)][int(rng.integers(3))])
    n, kind = int(rng.integers(4, 13)), int(rng.integers(5))
    t = np.arange(2 * n) * np.pi / n
    inner = radius * rng.uniform(0.3, 0.7)
    ornament = second if rng.random() < 0.6 else _shade(gold, 0.6)
    if kind == 0:
        r = np.where(np.arange(2 * n) % 2 == 0, radius * 0.95, inner)
        pen.shape(np.c_[0.5 + r * np.cos(t), 0.5 + r * np.sin(t)], ornament)
    elif kind == 1:
        for a in t[::2]:
            pen.oval(
                0.5 + inner * np.cos(a), 0.5 + inner * np.sin(a), inner * 0.5, inner * 0.3, ornament, turn=np.degrees(a)
            )
    elif kind == 2:
        for a in t[::2]:
            pen.line([(0.5, 0.5), (0.5 + radius * np.cos(a), 0.5 + radius * np.sin(a))], ornament, 0.02)
    elif kind == 3:
        for x in (-0.35, 0.35):
            pen.oval(0.5 + x * radius, 0.5 - 0.2 * radius, 0.09 * radius, 0.12 * radius, ornament)
        pen.line([(0.5 - 0.4 * radius, 0.5 + 0.35 * radius), (0.5 + 0.4 * radius, 0.5 + 0.35 * radius)], ornament, 0.03)
    pen.oval(0.5, 0.5, 0.25 * inner + 0.02, 0.25 * inner + 0.02, gold)
    if rng.random() < 0.4:  # a milled rim
        for a in np.linspace(0, 2 * np.pi, 36):
            pen.line([(0.5 + r * np.cos(a), 0.5 + r * np.sin(a)) for r in (0.43, 0.47)], _shade(gold, 0.5), 0.012)
    return pen.image


def cup(rng: np.random.Generator, outline: Colour) -> np.ndarray:
    """Copas: bowl, stem and foot, some with a lid, bands and studs."""
    height = int(160 * rng.uniform(1.0, 1.4))
    pen = _Pen(height, 160, outline, int(rng.integers(1, 4)))
    tall = height / 160
    bowl = _near(
        rng, ((40, 40, 205), (50, 185, 235), (60, 60, 180), (160, 90, 40))[int(rng.choice(4, p=[0.5, 0.3, 0.1, 0.1]))]
    )
    trim = _near(rng, ((50, 190, 235), (170, 90, 30), (60, 140, 50), (40, 40, 200))[int(rng.integers(4))])
    rim, belly = 0.06 * tall + (0.14 if (lid := rng.random() < 0.4) else 0.02), rng.uniform(0.52, 0.68) * tall
    top, waist, foot = rng.uniform(0.34, 0.46), rng.uniform(0.05, 0.1), rng.uniform(0.2, 0.33)
    power = rng.uniform(0.5, 2.5)
    s = np.linspace(0, 1, 14)
    side = np.c_[top * (1 - s**power) + waist * s**power, rim + (belly - rim) * s]
    base = np.float32([[waist, belly], [waist, 0.86 * tall], [foot, 0.93 * tall], [foot, 0.98 * tall]])
    right = np.r_[side, base]
    pen.shape(
        np.r_[right + np.float32([0.5, 0]), right[::-1] * [-1, 1] + [0.5, 0]], trim if rng.random() < 0.3 else bowl
    )
    pen.shape(np.r_[side + np.float32([0.5, 0]), side[::-1] * [-1, 1] + [0.5, 0]], bowl)
    pen.oval(0.5, 0.9 * tall, foot, 0.07, trim)
    pen.oval(0.5, rim, top, 0.05, trim if rng.random() < 0.6 else _shade(bowl, 0.6))
    if lid and rng.random() < 0.5:  # a dome with a knob
        pen.oval(0.5, rim, top * rng.uniform(0.7, 1.05), 0.11, trim)
        pen.oval(0.5, rim - 0.12, 0.05, 0.06, bowl)
    elif lid:
        pen.shape(
            [
                (0.5 - top, rim),
                (0.5 - top * 0.4, rim - 0.1),
                (0.5, 0.01),
                (0.5 + top * 0.4, rim - 0.1),
                (0.5 + top, rim),
            ],
            trim,
        )
    for share in rng.uniform(0.15, 0.75, int(rng.integers(0, 3))):
        half = top * (1 - share**power) + waist * share**power
        y = rim + (belly - rim) * share
        pen.shape([(0.5 - half, y), (0.5 + half, y), (0.5 + half, y + 0.06), (0.5 - half, y + 0.06)], trim)
    pen.oval(0.5, belly + 0.12 * tall, waist * 1.7, 0.05, trim)
    return pen.image


def sword(rng: np.random.Generator, outline: Colour) -> np.ndarray:
    """Espadas: a blade pointing down, guard, grip, knob."""
    long = rng.uniform(3.2, 5.5)
    width = 80
    pen = _Pen(int(width * long), width, outline, int(rng.integers(1, 3)))
    steel = _near(rng, ((205, 150, 90), (200, 175, 150), (225, 190, 120), (190, 190, 185))[int(rng.integers(4))], 22)
    hilt = _near(rng, ((40, 180, 235), (40, 40, 200), (60, 140, 50), (60, 90, 150))[int(rng.integers(4))])
    grip = _near(rng, ((40, 40, 200), (40, 180, 235), (60, 140, 50), (150, 80, 30))[int(rng.integers(4))])
    half, guard = rng.uniform(0.1, 0.22), rng.uniform(0.3, 0.48)
    at = rng.uniform(0.2, 0.28) * long
    tip = long - 0.02
    broad = rng.uniform(0.8, 1.3)
    pen.shape(
        [
            (0.5 - half, at),
            (0.5 + half, at),
            (0.5 + half * broad, tip - 0.35),
            (0.5, tip),
            (0.5 - half * broad, tip - 0.35),
        ],
        steel,
    )
    if rng.random() < 0.7:
        pen.line([(0.5, at), (0.5, tip - 0.2)], _shade(steel, rng.choice([0.7, 1.25])), 0.05)
    pen.shape([(0.5 - 0.07, 0.1), (0.5 + 0.07, 0.1), (0.5 + 0.07, at), (0.5 - 0.07, at)], grip)
    pen.oval(0.5, 0.12, 0.11, 0.11, hilt)
    if rng.random() < 0.5:
        pen.shape(
            [(0.5 - guard, at - 0.07), (0.5 + guard, at - 0.07), (0.5 + guard, at + 0.07), (0.5 - guard, at + 0.07)],
            hilt,
        )
    else:
        for x in (-guard * 0.75, guard * 0.75):
            pen.oval(0.5 + x, at, 0.13, 0.1, hilt)
        pen.shape(
            [
                (0.5 - guard * 0.8, at - 0.05),
                (0.5 + guard * 0.8, at - 0.05),
                (0.5 + guard * 0.8, at + 0.05),
                (0.5 - guard * 0.8, at + 0.05),
            ],
            hilt,
        )
    return pen.image


def club(rng: np.random.Generator, outline: Colour, colour: Colour) -> np.ndarray:
    """Bastos: a branch with knots and stubs, thick at one end."""
    long = rng.uniform(2.6, 4.6)
    width = 80
    pen = _Pen(int(width * long), width, outline, int(rng.integers(1, 4)))
    thick, thin = rng.uniform(0.26, 0.42), rng.uniform(0.08, 0.2)
    y = np.linspace(0.05, long - 0.05, 22)
    share = (y - y[0]) / (y[-1] - y[0])
    half = thick + (thin - thick) * share ** rng.uniform(0.6, 1.6)
    half *= np.sin(np.clip(share * 12, 0.35, np.pi / 2)) * np.sin(np.clip((1 - share) * 12, 0.5, np.pi / 2))
    bumps = rng.normal(size=(2, 22)) * 0.02
    for s in rng.choice(np.arange(4, 19), int(rng.integers(2, 6)), replace=False):
        bumps[int(rng.integers(2)), s] += rng.uniform(0.05, 0.13)
    pen.shape(np.r_[np.c_[0.5 + half + bumps[0], y], np.c_[0.5 - half - bumps[1], y][::-1]], colour)
    light = _shade(colour, rng.uniform(1.2, 1.8)) if rng.random() < 0.6 else _near(rng, (60, 200, 235))
    pen.shape(
        np.r_[np.c_[0.5 + half * 0.1, y], np.c_[0.5 - half * rng.uniform(0.2, 0.5), y][::-1]][4:-4], light, lined=False
    )
    for s in rng.uniform(0.15, 0.9, int(rng.integers(1, 6))):
        pen.oval(0.5 + rng.uniform(-0.15, 0.15), s * long, 0.06, 0.09, _shade(colour, 0.5))
    if rng.random() < 0.7:  # the cut end
        pen.oval(0.5, 0.12, thick * 0.5, 0.08, _near(rng, (110, 200, 235)))
    return pen.image


def marks(rng: np.random.Generator) -> dict[str, list[np.ndarray]]:
    """One deck's marks; clubs come in one to three colours."""
    outline = _near(rng, (25, 25, 25), 18)
    wood = [(50, 140, 50), (40, 90, 150), (50, 160, 90), (40, 40, 190), (40, 170, 210), (35, 60, 110)]
    colours = [
        _near(rng, wood[i])
        for i in rng.choice(len(wood), int(rng.integers(1, 4)), p=[0.4, 0.2, 0.15, 0.1, 0.05, 0.1], replace=False)
    ]
    shape = int(rng.integers(1 << 30))
    return {
        "o": [coin(rng, outline)],
        "c": [cup(rng, outline)],
        "e": [sword(rng, outline)],
        "b": [club(np.random.default_rng(shape), outline, c) for c in colours],
    }


def random_style(rng: np.random.Generator, fonts: list[str]) -> Style:
    """One Spanish deck's style."""
    ink = _near(rng, (25, 25, 25), 15)
    palette: list[Colour] = [
        (40, 40, 200),
        (170, 80, 30),
        (60, 140, 40),
        (40, 180, 230),
        (120, 40, 110),
        (60, 60, 60),
        (200, 170, 60),
    ]
    clothes = [palette[i] for i in rng.permutation(len(palette))[:4]]
    usual: list[Colour] = [(60, 140, 40), (40, 40, 200), (170, 90, 30), (40, 190, 230)]  # as most decks dress b c e o
    return Style(
        width=int(HEIGHT * rng.uniform(0.61, 0.7)),
        font=str(rng.choice(fonts)),
        digit=rng.uniform(0.05, 0.085),
        corner=(rng.uniform(0.06, 0.12), rng.uniform(0.05, 0.085)),
        four_corners=rng.random() < 0.15,
        bare=rng.random() < 0.06,
        frame=rng.uniform(0.035, 0.1),
        framed=rng.random() < 0.88,
        double=rng.random() < 0.2,
        line=int(rng.integers(1, 4)),
        paper=_near(rng, (240, 246, 248), 6),
        ink=ink if rng.random() < 0.7 else _near(rng, (120, 60, 30)),
        frame_ink=ink if rng.random() < 0.6 else _near(rng, (150, 80, 30)),
        marks=marks(rng),
        spread=(rng.uniform(0.2, 0.3), rng.uniform(0.27, 0.35)),
        size=rng.uniform(0.8, 1.12),
        layout=int(rng.integers(1 << 16)),
        figures=int(rng.integers(1 << 30)),
        clothes={
            s: _near(rng, (c if rng.random() < 0.5 else u)) for s, c, u in zip(SUITS, clothes, usual, strict=True)
        },
    )


def _frame(card: np.ndarray, style: Style, suit: str) -> None:
    """The frame with the gaps of its suit in both short sides (in place)."""
    h, w = card.shape[:2]
    inset = int(style.frame * w)
    for extra in (0, 3 * style.line + 2) if style.double else (0,):
        x0, y0, x1, y1 = inset + extra, inset + extra, w - 1 - inset - extra, h - 1 - inset - extra
        cv2.line(card, (x0, y0), (x0, y1), style.frame_ink, style.line, cv2.LINE_AA)
        cv2.line(card, (x1, y0), (x1, y1), style.frame_ink, style.line, cv2.LINE_AA)
        gaps = GAPS[suit]
        gap = 0.1 * (x1 - x0)
        middles = [x0 + (x1 - x0) * (i + 1) / (gaps + 1) for i in range(gaps)]
        stops = [x0, *(v for m in middles for v in (m - gap / 2, m + gap / 2)), x1]
        for a, b in zip(stops[::2], stops[1::2], strict=True):
            for y in (y0, y1):
                cv2.line(card, (round(a), y), (round(b), y), style.frame_ink, style.line, cv2.LINE_AA)


def _places(style: Style, suit: str, rank: int) -> Places:
    if suit in "be":
        return _long(rank, style.layout + (0 if style.layout % 2 else ord(suit)))
    choices = ROUND[rank]
    return choices[(style.layout + rank) % len(choices)]


def _number_card(rng: np.random.Generator, card: np.ndarray, style: Style, rank: int, suit: str) -> None:
    h, w = card.shape[:2]
    kinds = style.marks[suit]
    if rank == 1:
        mark = kinds[0]
        if rng.random() < 0.6:  # its own, larger and richer mark
            outline = _near(rng, (25, 25, 25), 18)
            wood = ((50, 140, 50), (40, 90, 150), (50, 160, 90), (40, 40, 190))[int(rng.integers(4))]
            mark = (
                {"o": coin, "c": cup, "e": sword}[suit](rng, outline)
                if suit != "b"
                else club(rng, outline, _near(rng, wood))
            )
        tall = suit in "be"
        if rng.random() < (0.7 if suit == "o" else 0.15):  # the ace of oros: a wreath, ribbons, letters
            for _ in range(int(rng.integers(3, 12))):
                colour = _near(rng, ((40, 40, 200), (60, 140, 50), (170, 90, 30), (40, 190, 230))[int(rng.integers(4))])
                cx, cy = rng.uniform(0.2, 0.8), rng.uniform(0.15, 0.85)
                axes = (int(w * rng.uniform(0.05, 0.2)), int(h * rng.uniform(0.02, 0.08)))
                for x in (cx, 1 - cx):
                    cv2.ellipse(
                        card, (int(x * w), int(cy * h)), axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA
                    )
        size = rng.uniform(0.5, 0.8) * w if not tall else rng.uniform(0.62, 0.8) * h * mark.shape[1] / mark.shape[0]
        size = min(size, 0.72 * h * mark.shape[1] / mark.shape[0])
        turn = _long(1, style.layout)[0][2] if tall else 0.0
        _lay(card, mark, w / 2, h / 2, size / mark.shape[1], turn)
        return
    places = _places(style, suit, rank)
    dx, dy = style.spread
    if suit in "be":
        tall = {2: 0.72, 3: 0.72, 4: 0.36, 5: 0.34}.get(rank, 0.34) * h * style.size
        widest = kinds[0].shape[1] * tall / kinds[0].shape[0]
        dy = max(0.0, min(0.42 - tall / h / 2, 0.3))
        dx = min(0.36 - widest / w / 2, 0.3)
    else:
        across = 2 if not any(abs(x - 0.5) < 0.1 for x, _, _ in places) or rank in (2, 5) else 3
        size = {2: 0.4, 3: 0.34, 4: 0.33, 5: 0.3}.get(rank, 0.27 if across == 2 else 0.24) * w * style.size
        tall = size * kinds[0].shape[0] / kinds[0].shape[1]
        tall = min(tall, 0.78 * h / max(2.2, len({round(y, 2) for _, y, _ in places})))
        dx, dy = min(dx, 0.42 - size / w / 2), min(max(style.spread[1], 0.3), 0.43 - tall / h / 2)
    for i, (x, y, turn) in enumerate(places):
        mark = kinds[i % len(kinds)]
        across_small = turn == 90.0 and rank > 5
        scale = tall / mark.shape[0] * (0.8 if across_small else 1.0)
        _lay(card, mark, (0.5 + (x - 0.5) * 2 * dx) * w, (0.5 + (y - 0.5) * 2 * dy) * h, scale, turn)


def _horse(rng: np.random.Generator, pen: _Pen, coat: Colour, hair: Colour, way: float, top: float) -> None:
    """A walking or rearing horse with its back below `top` (share of the picture's height)."""
    tall = pen.image.shape[0] / pen.unit
    turn = np.radians(rng.uniform(-28, 8) if rng.random() < 0.6 else 0.0)
    c, s = np.cos(turn), np.sin(turn)
    long, high = rng.uniform(0.8, 1.0), (0.97 - top) * tall

    def placed(outline: np.ndarray) -> np.ndarray:
        p = (outline + rng.normal(size=outline.shape) * 1.2) / 100 * [long, high] - [0.3 * long, 0.8 * high]
        p = p @ np.float32([[c, s], [-s, c]]) + [0.3 * long, 0.8 * high]
        return np.c_[0.5 + way * (p[:, 0] - 0.5 * long), p[:, 1] + top * tall]

    pen.shape(placed(TAIL), hair)
    pen.shape(placed(HORSE), coat)
    if rng.random() < 0.75:
        pen.shape(placed(MANE), hair)


def _plain_horse(rng: np.random.Generator, pen: _Pen, horse: Colour, hair: Colour, way: float, body: float) -> None:
    """A horse of ovals and bars, its body at the height `body`."""
    t = pen.image.shape[0] / pen.unit
    rear = rng.uniform(-22, 22)

    def at(x: float, y: float) -> tuple[float, float]:
        return 0.5 + way * (x - 0.5), y * t

    thick = rng.uniform(0.12, 0.19)
    ahead, neck = rng.uniform(0.78, 0.95), rng.uniform(0.3, 0.48)
    for lx in (0.22, 0.33, 0.66, 0.77):
        bend, reach = rng.uniform(-0.12, 0.16), rng.uniform(0.82, 0.98)
        leg = [at(lx - 0.05, body), at(lx + 0.05, body), at(lx + 0.04 + bend, reach), at(lx - 0.04 + bend, reach)]
        pen.shape(leg, horse)
    pen.oval(*at(0.5, body), rng.uniform(0.3, 0.38), thick, horse, turn=rear * way * 0.5)
    pen.shape(
        [at(0.62, body), at(ahead - 0.08, neck - 0.04), at(ahead + 0.04, neck + 0.03), at(0.8, body + 0.06)], horse
    )
    pen.oval(*at(ahead + 0.02, neck + 0.03), rng.uniform(0.1, 0.14), 0.075, horse, turn=way * rng.uniform(10, 60))
    if rng.random() < 0.7:  # mane, bridle
        pen.shape([at(0.6, body - 0.05), at(ahead - 0.1, neck - 0.05), at(ahead - 0.04, neck)], hair)
        pen.line([at(ahead + 0.02, neck + 0.05), at(0.56, 0.5)], hair, 0.02)
    pen.shape(
        [
            at(0.2, body - 0.05),
            at(rng.uniform(0.02, 0.12), 0.72),
            at(0.13, rng.uniform(0.76, 0.92)),
            at(0.22, 0.68),
        ],
        hair,
    )


def _figure(style: Style, rank: int, suit: str, height: int, width: int) -> np.ndarray:
    """Page, rider or king with the suit's mark, BGRA; two decks in three draw a figure alike in every suit."""
    alike = style.figures % 3 > 0
    rng = np.random.default_rng([style.figures, rank] if alike else [style.figures, rank, ord(suit)])
    pen = _Pen(height, width, _near(rng, (25, 25, 25), 10), int(rng.integers(1, 4)))
    t = height / width
    skin = _near(rng, (165, 195, 235), 14)
    main, second = style.clothes[suit], style.clothes[SUITS[(SUITS.index(suit) + 1 + style.figures % 3) % 4]]
    hair = _near(rng, ((40, 60, 90), (60, 150, 210), (180, 180, 180), (30, 30, 30))[int(rng.integers(4))])
    hand = rng.choice([-1, 1])
    if rng.random() < 0.5:  # the ground under the feet
        pen.oval(
            0.5, 0.965 * t, rng.uniform(0.25, 0.42), 0.05, _near(rng, (90, 140, 180), 40), lined=rng.random() < 0.4
        )
    if rank == 10:
        hip, chest = rng.uniform(0.5, 0.6) * t, rng.uniform(0.2, 0.25) * t
        stride = rng.uniform(0.03, 0.13)
        for side in (-1, 1):  # legs and shoes
            pen.shape(
                [
                    (0.5 + side * 0.02, hip),
                    (0.5 + side * 0.16, hip),
                    (0.5 + side * (stride + 0.09), 0.93 * t),
                    (0.5 + side * stride, 0.93 * t),
                ],
                second,
            )
            pen.shape(
                [
                    (0.5 + side * stride, 0.92 * t),
                    (0.5 + side * (stride + 0.16), 0.96 * t),
                    (0.5 + side * stride, 0.97 * t),
                ],
                hair,
            )
        flare = rng.uniform(0.17, 0.3)
        pen.shape([(0.4, chest), (0.6, chest), (0.5 + flare, hip + 0.04), (0.5 - flare, hip + 0.04)], main)
        pen.line([(0.38, 0.42 * t), (0.62, 0.42 * t)], second, 0.04)
        if rng.random() < 0.5:
            pen.shape([(0.42, chest), (0.5 - hand * 0.34, hip), (0.5 - hand * 0.2, hip + 0.2), (0.5, 0.4 * t)], second)
        head, x = chest - 0.09, 0.5
    elif rank == 11:
        horse = _near(
            rng, ((50, 80, 130), (210, 215, 220), (40, 40, 45), (90, 130, 180), (120, 120, 125))[int(rng.integers(5))]
        )
        way = rng.choice([-1, 1])

        def at(x: float, y: float) -> tuple[float, float]:
            return 0.5 + way * (x - 0.5), y * t

        body = rng.uniform(0.6, 0.7)
        if rng.random() < 0.65:
            _horse(rng, pen, horse, hair, way, rng.uniform(0.38, 0.48))
        else:
            _plain_horse(rng, pen, horse, hair, way, body)
        pen.shape([at(0.36, body - 0.08), at(0.62, body - 0.08), at(0.6, body + 0.08), at(0.4, body + 0.1)], second)
        pen.shape([at(0.42, 0.27), at(0.58, 0.27), at(0.64, body - 0.02), at(0.36, body - 0.02)], main)
        pen.shape([at(0.5, 0.52), at(0.6, 0.55), at(0.64, body + 0.2), at(0.54, body + 0.2)], second)
        if rng.random() < 0.4:  # a cloak behind
            pen.shape([at(0.44, 0.28), at(rng.uniform(0.1, 0.25), 0.5), at(0.3, 0.6), at(0.44, 0.45)], second)
        head, x = 0.27 * t - 0.09, 0.5
    else:
        flare = rng.uniform(0.27, 0.42)
        chest = rng.uniform(0.24, 0.3) * t
        pen.shape([(0.38, chest), (0.62, chest), (0.5 + flare, 0.96 * t), (0.5 - flare, 0.96 * t)], main)
        inner = rng.uniform(0.05, 0.16)
        pen.shape([(0.47, chest), (0.53, chest), (0.5 + inner, 0.95 * t), (0.5 - inner, 0.95 * t)], second)
        if rng.random() < 0.7:  # ermine
            pen.oval(0.5, chest + 0.06, 0.22, 0.1, (235, 240, 240))
        head, x = chest - 0.1, 0.5
    for _ in range(int(rng.integers(0, 9))):  # buttons, slashes, braid
        bx, by = rng.uniform(-0.12, 0.12), rng.uniform(0.3, 0.75) * t
        for side in (-1, 1):
            pen.oval(0.5 + side * bx, by, 0.02, rng.uniform(0.02, 0.06), second if rng.random() < 0.5 else hair)
    for side in (-1, 1):
        up = rng.uniform(-0.15, 0.2) * t if side == hand else rng.uniform(0.05, 0.25) * t
        pen.line(
            [
                (x + side * 0.11, head + 0.16),
                (x + side * 0.24, head + 0.2 + up * 0.5),
                (x + side * (0.3 if side == hand else 0.12), head + 0.16 + up),
            ],
            _shade(main, 0.8),
            0.08,
        )
        if side == hand:
            held = (x + side * 0.32, head + 0.14 + up)
    pen.oval(x, head, 0.085, 0.105, skin)
    if rank == 12:
        pen.shape(
            [(x - 0.08, head + 0.03), (x + 0.08, head + 0.03), (x + 0.05, head + 0.2), (x - 0.05, head + 0.2)], hair
        )
        gold = _near(rng, (40, 190, 235), 20)
        points = [
            (x - 0.12, head - 0.06),
            (x - 0.14, head - 0.2),
            (x - 0.06, head - 0.12),
            (x, head - 0.23),
            (x + 0.06, head - 0.12),
            (x + 0.14, head - 0.2),
            (x + 0.12, head - 0.06),
        ]
        pen.shape(points, gold)
    else:
        pen.oval(x - hand * 0.06, head + 0.02, 0.045, 0.1, hair)
        pen.shape(
            [(x - 0.13, head - 0.04), (x + 0.13, head - 0.04), (x + 0.07, head - 0.14), (x - 0.09, head - 0.13)], second
        )
        pen.line([(x, head - 0.12), (x + hand * 0.18, head - 0.2)], main, 0.035)
    mark = style.marks[suit][0]
    if suit in "oc" and rng.random() < 0.6:  # set in a corner of the picture
        pen.stamp(mark, 0.5 + hand * 0.36, max(0.15, head), rng.uniform(0.2, 0.3))
    else:
        size = rng.uniform(0.22, 0.3) if suit in "oc" else rng.uniform(0.42, 0.55) * t * mark.shape[1] / mark.shape[0]
        pen.stamp(mark, *held, size, rng.uniform(-30, 30) + (0.0 if suit in "oc" else 180.0))
    return pen.image


def draw_card(rng: np.random.Generator, style: Style, rank: int, suit: str) -> np.ndarray:
    """One face (BGRA, 420 pixels high): rank 1 to 12."""
    h, w = HEIGHT, style.width
    card = np.full((h, w, 3), np.round(style.paper), np.uint8)
    if style.framed:
        _frame(card, style, suit)
    if rank < 10:
        _number_card(rng, card, style, rank, suit)
    else:
        share = 0.78 + 0.16 * (style.layout % 7) / 7
        figure = _figure(style, rank, suit, int(h * share), int(w * share))
        if (style.layout >> 3) % 9 == 0:
            figure = figure[:, ::-1].copy()
        _lay(card, figure, w / 2, h / 2, 1.0, 0.0)
    if not style.bare:
        tall = int(style.digit * h)
        ink = glyph(str(rank), style.font, tall)
        x, y = max(style.corner[0] * w, ink.shape[1] / 2 + 3), max(style.corner[1] * h, tall / 2 + 3)
        patch = np.full((tall + 4, ink.shape[1] + 4), 255, np.uint8)
        for turned in (False, True):
            for mirrored in (False, True) if style.four_corners else (False,):
                cx = w - x if mirrored else x
                paint(card, patch, cx, y, np.float32(style.paper), turned)
                paint(card, ink, cx, y, np.float32(style.ink), turned)
    return np.dstack([card, rounded(h, w, w * rng.uniform(0.04, 0.08))])


def deck(rng: np.random.Generator, fonts: list[str]) -> list[tuple[np.ndarray, int, str]]:
    """A whole drawn Spanish deck of 40 or 48 cards: (face, rank, suit)."""
    style = random_style(rng, fonts)
    ranks = [r for r in range(1, 13) if r not in (8, 9)] if rng.random() < 0.3 else list(range(1, 13))
    return [(draw_card(rng, style, rank, suit), rank, suit) for rank in ranks for suit in SUITS]
