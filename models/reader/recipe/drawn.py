"""Decks drawn from shapes: pips, letters and courts of no real maker, to widen what the reader has seen.

A drawn deck fixes one style (fonts, sizes, pip shapes, index corners, alphabet, colours); courts borrow the
middle of the art of a flat face where one is given, else they get a crude figure.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .letters import ALPHABETS, glyph, paint
from .net import RANKS, SUITS

HEIGHT = 420

COLUMN, MIDDLE = (0.3, 0.7), 0.5
PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0.0), (0.5, 1.0)],
    "3": [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    "4": [(x, y) for x in COLUMN for y in (0.0, 1.0)],
    "5": [(x, y) for x in COLUMN for y in (0.0, 1.0)] + [(0.5, 0.5)],
    "6": [(x, y) for x in COLUMN for y in (0.0, 0.5, 1.0)],
    "7": [(x, y) for x in COLUMN for y in (0.0, 0.5, 1.0)] + [(0.5, 0.25)],
    "8": [(x, y) for x in COLUMN for y in (0.0, 0.5, 1.0)] + [(0.5, 0.25), (0.5, 0.75)],
    "9": [(x, y) for x in COLUMN for y in (0.0, 1 / 3, 2 / 3, 1.0)] + [(0.5, 0.5)],
    "10": [(x, y) for x in COLUMN for y in (0.0, 1 / 3, 2 / 3, 1.0)] + [(0.5, 1 / 6), (0.5, 5 / 6)],
}
"""Places of the pips: x as a share of the width, y from the first row (0) to the last (1)."""


def pip(suit: str, size: int, bend: float = 0.0) -> np.ndarray:
    """Coverage of a suit mark, size x size; `bend` (-1 to 1) changes its proportions."""
    n = 8 * size
    m = np.zeros((n, n), np.uint8)
    t = np.linspace(0, 2 * np.pi, 160)

    def fill(points: np.ndarray) -> None:
        cv2.fillPoly(m, [np.int32(np.round(points * n))], 255)

    def heart(top: float, bottom: float) -> np.ndarray:
        x = 16 * np.sin(t) ** 3
        y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
        y = (y - y.min()) / (y.max() - y.min())
        return np.c_[0.5 + x / 34 * (1 + 0.08 * bend), bottom - y * (bottom - top)]

    stalk = np.float32([[0.5, 0.5], [0.5 + 0.17 + 0.05 * bend, 0.98], [0.5 - 0.17 - 0.05 * bend, 0.98]])
    if suit == "h":
        fill(heart(0.04, 0.97))
    elif suit == "d":
        w = 0.37 + 0.06 * bend
        hollow = 0.06 * max(0.0, bend)
        corners = np.float32([[0.5, 0.02], [0.5 + w, 0.5], [0.5, 0.98], [0.5 - w, 0.5]])
        points = []
        for i in range(4):  # sides bowed inward by `hollow`
            a, b = corners[i], corners[(i + 1) % 4]
            for s in np.linspace(0, 1, 12, endpoint=False):
                p = a + (b - a) * s
                points.append(p + (np.float32([0.5, 0.5]) - p) * hollow * np.sin(np.pi * s) * 2)
        fill(np.float32(points))
    elif suit == "s":
        top = heart(0.02, 0.8)
        fill(np.c_[top[:, 0], 0.82 - top[:, 1]])
        fill(stalk)
    else:
        r = (0.205 + 0.02 * bend) * n
        for x, y in ((0.5, 0.25), (0.26, 0.58), (0.74, 0.58)):
            cv2.circle(m, (int(x * n), int(y * n)), int(r), 255, -1)
        fill(np.float32([[0.42, 0.3], [0.58, 0.3], [0.62, 0.62], [0.38, 0.62]]))
        fill(stalk)
    return cv2.resize(m, (size, size), interpolation=cv2.INTER_AREA)


def rounded(height: int, width: int, radius: float) -> np.ndarray:
    """Mask (0 or 255) of a rectangle with round corners."""
    m, r = np.zeros((height, width), np.uint8), max(1, int(radius))
    cv2.rectangle(m, (r, 0), (width - r - 1, height - 1), 255, -1)
    cv2.rectangle(m, (0, r), (width - 1, height - r - 1), 255, -1)
    for x, y in ((r, r), (width - r - 1, r), (r, height - r - 1), (width - r - 1, height - r - 1)):
        cv2.circle(m, (x, y), r, 255, -1)
    return m


@dataclass(frozen=True)
class Style:
    """What the cards of one drawn deck share."""

    width: int
    font: str
    alphabet: str
    letter: float
    mark: float
    corner_x: float
    corner_y: float
    gap: float
    four_corners: bool
    pip_size: float
    spread: float
    bend: float
    red: np.ndarray
    black: np.ndarray
    four_colours: bool
    frame: bool
    ace: float
    bare: bool
    court: str


def random_style(rng: np.random.Generator, fonts: list[str]) -> Style:
    """One deck's style; half of the decks speak French."""
    alphabet = str(rng.choice(list(ALPHABETS), p=[0.42, 0.13, 0.15, 0.3]))
    return Style(
        width=int(HEIGHT * rng.uniform(0.62, 0.72)),
        font=str(rng.choice(fonts)),
        alphabet=alphabet,
        letter=rng.uniform(0.06, 0.13),
        mark=rng.uniform(0.05, 0.095),
        corner_x=rng.uniform(0.075, 0.12),
        corner_y=rng.uniform(0.07, 0.1),
        gap=rng.uniform(0.008, 0.025),
        four_corners=rng.random() < (0.6 if alphabet.startswith("french") else 0.25),
        pip_size=rng.uniform(0.13, 0.21),
        spread=rng.uniform(0.27, 0.345),
        bend=rng.uniform(-1, 1),
        red=np.float32([rng.uniform(0, 70), rng.uniform(0, 60), rng.uniform(165, 255)]),
        black=np.float32(rng.uniform(0, 55, 3)),
        four_colours=rng.random() < 0.06,
        frame=rng.random() < 0.5,
        ace=rng.uniform(0.16, 0.5),
        bare=rng.random() < 0.06,
        court=str(rng.choice(["borrowed", "crude", "plain"], p=[0.7, 0.15, 0.15])),
    )


def colour_of(style: Style, suit: str) -> np.ndarray:
    """Ink of a suit (BGR)."""
    if style.four_colours:
        return {"d": np.float32([200, 90, 20]), "c": np.float32([40, 130, 30])}.get(
            suit, style.red if suit == "h" else style.black
        )
    return style.red if suit in "dh" else style.black


def crude_court(rng: np.random.Generator, card: np.ndarray, box: tuple[int, int, int, int]) -> None:
    """A two-headed figure of bands and blobs inside the box (in place)."""
    x0, y0, x1, y1 = box
    w, h = x1 - x0, (y1 - y0) // 2
    half = np.full((h, w, 3), 245, np.uint8)
    for _ in range(int(rng.integers(10, 26))):
        colour = rng.choice(
            [[30, 30, 200], [200, 80, 30], [30, 190, 220], [20, 20, 20], [240, 240, 240], [60, 140, 60]]
        )
        p = rng.uniform(0, 1, (int(rng.integers(3, 6)), 2)) * [w, h]
        cv2.fillPoly(half, [np.int32(p)], [int(v) for v in colour], cv2.LINE_AA)
        cv2.polylines(half, [np.int32(p)], True, (20, 20, 20), 1, cv2.LINE_AA)
    cv2.circle(half, (w // 2, int(h * 0.35)), int(w * 0.17), (190, 215, 240), -1, cv2.LINE_AA)
    card[y0 : y0 + h, x0:x1] = half
    card[y0 + h : y0 + 2 * h, x0:x1] = half[::-1, ::-1]


def plain_court(rng: np.random.Generator, card: np.ndarray, box: tuple[int, int, int, int], ink: np.ndarray) -> None:
    """A two-headed figure of simple shapes: shoulders, head, hair, some headgear (in place)."""
    x0, y0, x1, y1 = box
    w, h = x1 - x0, (y1 - y0) // 2
    palette = [(42, 30, 196), (60, 176, 232), (150, 84, 32), (238, 242, 244), (40, 34, 34), (60, 130, 50)]
    first, second, third = (palette[i] for i in rng.permutation(6)[:3])
    half = np.full((h, w, 3), 246 if rng.random() < 0.7 else 225, np.uint8)
    cx, head = w / 2, h * rng.uniform(0.36, 0.46)
    wide, r = w * rng.uniform(0.28, 0.46), w * rng.uniform(0.12, 0.18)

    def fill(points: list[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        q = [np.int32(np.round(points))]
        cv2.fillPoly(half, q, colour, cv2.LINE_AA)
        cv2.polylines(half, q, True, (40, 34, 34), 1, cv2.LINE_AA)

    fill([(cx - wide, h), (cx - wide * 0.8, head + r * 1.6), (cx + wide * 0.8, head + r * 1.6), (cx + wide, h)], first)
    fill([(cx - wide * 0.3, h), (cx, head + r * 1.2), (cx + wide * 0.3, h)], second)
    cv2.circle(half, (int(cx), int(head)), int(r * rng.uniform(1.05, 1.35)), third, -1, cv2.LINE_AA)
    cv2.circle(half, (int(cx), int(head)), int(r), (190, 215, 240), -1, cv2.LINE_AA)
    gear = int(rng.integers(4))
    top = head - r * 0.7
    if gear == 0:
        crown = [(-1.1, 0), (-1.2, -1.1), (-0.5, -0.5), (0, -1.3), (0.5, -0.5), (1.2, -1.1), (1.1, 0)]
        fill([(cx + x * r, top + y * r) for x, y in crown], (60, 176, 232))
    elif gear == 1:
        fill(
            [(cx - 1.2 * r, top), (cx + 1.2 * r, top), (cx + 0.7 * r, top - r * 0.8), (cx - 0.9 * r, top - r * 0.6)],
            second,
        )
    elif gear == 2:
        fill([(cx - 1.1 * r, top), (cx, top - 0.9 * r), (cx + 1.1 * r, top)], third)
    for _ in range(int(rng.integers(0, 5))):
        x, y = rng.uniform(0, w), rng.uniform(h * 0.6, h)
        cv2.circle(half, (int(x), int(y)), int(rng.integers(2, 8)), ink.tolist(), -1, cv2.LINE_AA)
    card[y0 : y0 + h, x0:x1] = half
    card[y0 + h : y0 + 2 * h, x0:x1] = half[::-1, ::-1]


def draw_card(
    rng: np.random.Generator, style: Style, rank: str, suit: str, art: np.ndarray | None = None
) -> np.ndarray:
    """One face (BGRA, 420 pixels high) in a style; `art` is the middle of a court card to borrow."""
    h, w = HEIGHT, style.width
    card = np.full((h, w, 3), 255, np.uint8)
    ink = colour_of(style, suit)
    mark = int(style.mark * h)
    letter = int(style.letter * h)
    x, y = style.corner_x * w, style.corner_y * h
    if rank in PIPS:
        size = int((style.ace if rank == "A" else style.pip_size) * w * (1.3 if rank != "A" else 1.6))
        size = min(size, int(0.27 * w)) if rank != "A" else min(size, int(0.7 * w))
        shape = pip(suit, max(8, size), style.bend)
        for px, py in PIPS[rank]:
            cy = 0.5 + (py - 0.5) * 2 * style.spread
            paint(card, shape if cy <= 0.51 else shape[::-1], px * w, cy * h, ink)
        if rank == "A" and rng.random() < 0.25:  # an ornate ace
            for r in rng.uniform(0.55, 0.9, int(rng.integers(1, 4))) * size:
                cv2.circle(card, (w // 2, h // 2), int(r), ink.tolist(), int(rng.integers(1, 3)), cv2.LINE_AA)
    else:
        mx, my = int(w * rng.uniform(0.1, 0.2)), int(h * rng.uniform(0.045, 0.09))
        box = (mx, my, w - mx, h - my)
        if art is not None:
            card[my : h - my, mx : w - mx] = cv2.resize(
                art[..., :3], (w - 2 * mx, h - 2 * my), interpolation=cv2.INTER_AREA
            )
        elif style.court == "plain":
            plain_court(rng, card, box, ink)
        else:
            crude_court(rng, card, box)
        if style.frame:
            cv2.rectangle(card, box[:2], box[2:], style.black.tolist(), 1, cv2.LINE_AA)
    if style.frame and rank in PIPS and rng.random() < 0.15:
        cv2.rectangle(card, (w // 7, h // 12), (w - w // 7, h - h // 12), ink.tolist(), 1, cv2.LINE_AA)
    if not style.bare or rank not in PIPS:
        text = ALPHABETS[style.alphabet].get(rank, rank)
        glyphs = glyph(text, style.font, letter)
        limit = int(0.17 * w)
        if glyphs.shape[1] > limit:
            glyphs = cv2.resize(glyphs, (limit, letter), interpolation=cv2.INTER_AREA)
        small = pip(suit, max(6, mark), style.bend)
        y2 = y + letter / 2 + style.gap * h + mark / 2
        across = (False, True) if style.four_corners else (False,)
        for turned in (False, True):
            for mirrored in across:
                cx = w - x if mirrored else x
                if rank not in PIPS:  # paper under the index, over the art
                    half = max(glyphs.shape[1], mark) / 2 + 3
                    patch = np.full((int(y2 + mark / 2 + 4), int(2 * half)), 255, np.uint8)
                    paint(card, patch, cx, patch.shape[0] / 2, np.float32([255, 255, 255]), turned)
                paint(card, glyphs, cx, y, ink, turned)
                paint(card, small, cx, y2, ink, turned)
    return np.dstack([card, rounded(h, w, w * rng.uniform(0.04, 0.075))])


def deck(
    rng: np.random.Generator, fonts: list[str], courts: dict[tuple[str, str], list[np.ndarray]]
) -> list[tuple[np.ndarray, str, str]]:
    """A whole drawn deck: (face, rank, suit). `courts`: faces by (rank, suit) whose middle is borrowed.

    Where the figures are made of crude or plain shapes, only the letter tells knave, queen and king apart.
    """
    style = random_style(rng, fonts)
    pattern = int(rng.integers(1 << 16))
    cards = []
    for rank in RANKS:
        for suit in SUITS:
            faces = courts.get((rank, suit), [])
            art = None
            if faces and style.court == "borrowed" and rng.random() < 0.96:
                face = faces[pattern % len(faces)]
                fh, fw = face.shape[:2]
                art = face[int(0.06 * fh) : int(0.94 * fh), int(0.15 * fw) : int(0.85 * fw)]
            cards.append((draw_card(rng, style, rank, suit, art), rank, suit))
    return cards
