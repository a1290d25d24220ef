"""Indices drawn afresh: any glyph in any font over any suit mark, on paper, beside a bit of art.

The decks of the world print a dozen ranks in hundreds of types of letters; no collection of faces holds
them all. Here every view has its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.reader.recipe.cards import Card
from models.reader.recipe.drawn import pip, rounded
from models.reader.recipe.letters import glyph, has_letters, paint

from .corners import ACROSS, DOWN, Box, Corner
from .net import RANKS, SUITS

TEXTS = {"A": "A1", "J": "JVB", "Q": "QD", "K": "KR"}
"""What may be printed for a rank; the others print their number."""

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SIGN_FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "FreeSerif.otf", "FreeSerif.ttf")
SIGN_FONTS += ("FreeSans.ttf", "FreeMono.ttf", "LinLibertine_R.otf", "NotoSansSymbols2-Regular.ttf")

FAMILIES = (
    *("dejavu", "liberation", "free", "nimbus", "p052", "c059", "bookman", "gothic", "urw"),
    *("notosans-", "notoserif-", "notosansdisplay", "notoserifdisplay", "notosansmono", "notomono"),
    *("lato", "opensans", "cabin", "cantarell", "garamond", "libertine", "biolinum"),
    *("comfortaa", "carlito", "caladea", "oldstandard", "quicksand"),
)
UNFIT = ("italic", "oblique", "thin", "hairline", "extralight", "math", "symbol", "emoji", "fallback", "initial")
UNFIT += ("libertine_ri", "libertine_rzi", "libertine_rbi", "biolinum_ri", "libertine_i", "chancery", "keyboard")

TALL = 64
"""Glyphs and suit marks are kept this high, in pixels."""


def upright_fonts(folder: Path) -> list[str]:
    """Upright Latin text fonts below a folder, one file a face, in a fixed order."""
    chosen: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        stem = path.stem.lower().replace(" ", "")
        if path.suffix.lower() not in (".ttf", ".otf") or stem in chosen:
            continue
        if any(f in stem for f in FAMILIES) and not any(u in stem for u in UNFIT) and has_letters(str(path)):
            chosen[stem] = str(path)
    if not chosen:
        raise SystemExit(f"no fonts below {folder}: give --fonts a folder with .ttf or .otf files")
    return list(chosen.values())


@dataclass(frozen=True)
class Type:
    """What fresh indices are printed with: glyphs by text and suit marks by suit, coverage TALL pixels high."""

    glyphs: dict[str, list[np.ndarray]]
    marks: dict[str, list[np.ndarray]]


def cast(folder: Path) -> Type:
    """All glyphs of all fonts, suit marks of shapes and of fonts."""
    fonts = upright_fonts(folder)
    texts = {t for rank in RANKS for t in TEXTS.get(rank, (rank,))}
    glyphs = {text: [glyph(text, font, TALL) for font in fonts] for text in sorted(texts)}
    marks = {suit: [pip(suit, TALL, bend) for bend in np.linspace(-1, 1, 7)] for suit in SUITS}
    for path in sorted(folder.rglob("*")):
        if path.name in SIGN_FONTS:
            for suit, sign in SIGNS.items():
                marks[suit].append(glyph(sign, str(path), TALL))
    return Type(glyphs, marks)


def shaped(ink: np.ndarray, width: float, height: float) -> np.ndarray:
    """Coverage stretched to a size in pixels."""
    size = (max(2, round(width)), max(3, round(height)))
    return cv2.resize(ink, size, interpolation=cv2.INTER_AREA)


def inks(rng: np.random.Generator, suit: str) -> np.ndarray:
    """Colour of an index (BGR): red or black; blue and green where a deck has four colours."""
    if rng.random() < 0.08 and suit in "dc":
        strong, weak = rng.uniform(120, 220), rng.uniform(0, 90)
        return np.float32([strong, rng.uniform(40, 110), weak] if suit == "d" else [weak, strong * 0.7, weak])
    if suit in "dh":
        return np.float32([rng.uniform(0, 80), rng.uniform(0, 65), rng.uniform(150, 255)])
    return np.float32(rng.uniform(0, 75) + rng.normal(size=3) * 6).clip(0, 255)


def decorate(rng: np.random.Generator, face: np.ndarray, wholes: list[Card], type_: Type, start: float) -> None:
    """A piece of court art, pips or frame lines inward of `start` short sides (in place)."""
    rows, columns = face.shape[:2]
    unit = columns / ACROSS
    kind = rng.random()
    if kind < 0.4 and wholes:
        art = wholes[rng.integers(len(wholes))].image
        h, w = art.shape[:2]
        x, y = int(w * rng.uniform(0.15, 0.45)), int(h * rng.uniform(0.06, 0.4))
        cut = art[y : y + int(0.5 * h), x : x + int(0.5 * w), :3]
        left, top = round((start + rng.uniform(0, 0.08)) * unit), round(rng.uniform(0.03, 0.2) * unit)
        if left < columns - 4 and top < rows - 4:
            face[top:, left:] = cv2.resize(cut, (columns - left, rows - top), interpolation=cv2.INTER_AREA)
            if rng.random() < 0.6:
                line = [int(v) for v in rng.choice([[20, 20, 20], [120, 60, 20], [30, 30, 160]])]
                cv2.rectangle(face, (left, top), (columns + 5, rows + 5), line, 1, cv2.LINE_AA)
    elif kind < 0.72:
        suit = SUITS[rng.integers(4)]
        mark, size = type_.marks[suit][rng.integers(len(type_.marks[suit]))], rng.uniform(0.12, 0.25) * unit
        x, ink = (start + rng.uniform(0.02, 0.1)) * unit + size / 2, inks(rng, suit)
        down = rng.uniform(0.1, 0.3) * unit
        for y in (down, down + rng.uniform(0.25, 0.5) * unit):
            paint(face, shaped(mark, size * mark.shape[1] / TALL, size), x, y, ink)
    elif kind < 0.85:
        x, y = round(rng.uniform(0.02, start + 0.05) * unit), round(rng.uniform(0.02, 0.1) * unit)
        line = [int(v) for v in rng.uniform(0, 120, 3)]
        cv2.line(face, (round(start * unit), y), (columns, y), line, 1, cv2.LINE_AA)
        low = round(rng.uniform(0.42, 0.6) * unit)
        cv2.line(face, (x, low), (x, rows), line, 1, cv2.LINE_AA)


def framed(rng: np.random.Generator, face: np.ndarray, index: Box) -> None:
    """The corner of a frame, as Spanish cards have: whole or with gaps, round the index or not (in place)."""
    rows, columns = face.shape[:2]
    unit = columns / ACROSS
    x0, y0, x1, y1 = index
    inside = rng.random() < 0.6
    x = rng.uniform(0.02, max(x0, 0.03)) if inside else rng.uniform(x0, x1 + 0.05)
    y = rng.uniform(0.02, max(y0, 0.03)) if inside else rng.uniform(y0, y1 + 0.04)
    line, thick = [int(v) for v in rng.uniform(0, 130, 3)], int(rng.integers(1, 3)) if unit > 90 else 1
    left, top = round(x * unit), round(y * unit)
    cv2.line(face, (left, top), (left, rows), line, thick, cv2.LINE_AA)
    at = left
    while at < columns:  # the gaps of the upper side tell the suit of a Spanish card
        end = columns if rng.random() < 0.4 else at + int(rng.uniform(0.1, 0.5) * unit)
        cv2.line(face, (at, top), (min(end, columns), top), line, thick, cv2.LINE_AA)
        at = end + int(rng.uniform(0.04, 0.12) * unit) + 1
    if rng.random() < 0.7:  # paper under the index
        a, b, c, d = (round(v * unit) for v in (x0 - 0.015, y0 - 0.01, x1 + 0.015, y1 + 0.01))
        face[max(b, 0) : d, max(a, 0) : c] = face[-1, 2 if left > 3 else -1]


def fresh(
    rng: np.random.Generator, type_: Type, wholes: list[Card], unit: float, right: bool, indexed: bool = True
) -> Corner:
    """A corner of a card `unit` pixels wide with an index of its own, or without any (`indexed` false)."""
    rows, columns = round(DOWN * unit), round(ACROSS * unit)
    face = np.empty((rows, columns, 3), np.uint8)
    white = rng.uniform(225, 255)
    face[:] = np.uint8([white * rng.uniform(0.86, 1), white * rng.uniform(0.96, 1), white])
    rank = int(rng.choice(len(RANKS), p=CHANCES))
    suit = SUITS[rng.integers(4)]
    text = str(rng.choice(list(TEXTS[RANKS[rank]]))) if RANKS[rank] in TEXTS else RANKS[rank]
    ink = inks(rng, suit)
    drawn = type_.glyphs[text][rng.integers(len(type_.glyphs[text]))]
    spanish = rank > 12 or (text.isdigit() and rng.random() < 0.35)
    low, high = [(0.14, 0.24), (0.2, 0.32), (0.09, 0.15)][rng.choice(3, p=[0.6, 0.2, 0.2])]
    tall = rng.uniform(0.08, 0.17) if spanish and rng.random() < 0.8 else rng.uniform(low, high)
    wide = tall * drawn.shape[1] / drawn.shape[0] * np.exp(rng.normal() * 0.17)
    if len(text) == 2:
        wide *= rng.uniform(0.6, 1)
    if text == "1" and rng.random() < 0.15:  # a bare stroke
        drawn, wide = np.full((TALL, 9), 255, np.uint8), tall * rng.uniform(0.13, 0.2)
    wide = min(wide, 0.27)
    x, y = rng.uniform(0.025, 0.12), rng.uniform(0.03, 0.14)
    x = max(x, rng.uniform(0.07, 0.14) - wide / 2)
    rank_box = (x, y, x + wide, y + tall)
    marks = type_.marks[suit]
    mark = marks[rng.integers(len(marks))]
    size = min(max(tall * rng.uniform(0.45, 1.05), 0.08), 0.22)
    broad = size * mark.shape[1] / TALL * np.exp(rng.normal() * 0.1)
    beside, lone = rng.random() < 0.04, rng.random() < 0.05 or spanish
    suit_box: Box | None = None
    if beside and not lone:
        left, top = x + wide + rng.uniform(0.01, 0.04), y + rng.uniform(0, 1) * (tall - size)
        suit_box = (left, top, left + broad, top + size)
    elif not lone:
        middle, top = x + wide / 2 + rng.normal() * 0.008, y + tall + rng.uniform(0.01, 0.055)
        suit_box = (max(middle - broad / 2, 0.01), top, max(middle - broad / 2, 0.01) + broad, top + size)
    ends = max(rank_box[2], suit_box[2]) if suit_box else rank_box[2]
    if rng.random() < 0.65:
        around = face[:, ::-1] if right else face
        copy = np.ascontiguousarray(around)
        decorate(rng, copy, wholes, type_, (ends if indexed else 0.05) + rng.uniform(0.0, 0.08))
        around[:] = copy
    if indexed and rng.random() < (0.6 if spanish else 0.12):
        copy = np.ascontiguousarray(face[:, ::-1] if right else face)
        framed(rng, copy, rank_box)
        face[:] = copy[:, ::-1] if right else copy
    if spanish and rng.random() < 0.5:
        ink = np.float32(rng.uniform(0, 90, 3))
    if indexed:
        painted = [(drawn, rank_box)] + ([(mark, suit_box)] if suit_box else [])
        for shape, (x0, y0, x1, y1) in painted:
            middle = ACROSS - (x0 + x1) / 2 if right else (x0 + x1) / 2
            paint(face, shaped(shape, (x1 - x0) * unit, (y1 - y0) * unit), middle * unit, (y0 + y1) / 2 * unit, ink)
    solid = rounded(rows * 2, columns * 2, unit * rng.uniform(0.025, 0.08))[:rows]
    image = np.dstack([face, solid[:, columns:] if right else solid[:, :columns]])
    kind = "fresh" if indexed else "bare"
    card = Card(image, rank, SUITS.index(suit) if suit_box else -1, kind)
    if right:
        rank_box = (-rank_box[2], rank_box[1], -rank_box[0], rank_box[3])
        suit_box = (-suit_box[2], suit_box[1], -suit_box[0], suit_box[3]) if suit_box else None
    return Corner(card, right, indexed, rank_box, suit_box)


_WEIGHTS = np.array([1.6, 0.9, 1, 0.9, 0.9, 1.1, 1, 1.1, 1.1, 1.2, 1.7, 1.4, 1.4, 0.7, 0.7])
CHANCES = _WEIGHTS / _WEIGHTS.sum()
"""How often each rank is printed: more often those with several glyphs or a double."""
