"""Corner letters: where a card prints its rank, and how to print another alphabet over it.

Clean decks with the French indices R D V 1 are rare, though every café in France plays with them. So the
letters of other decks are covered with a patch of their own paper and drawn anew: the same art with the
letters of another country.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

ALPHABETS = {
    "french": {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "french-as": {"A": "A", "J": "V", "Q": "D", "K": "R"},
    "german": {"A": "A", "J": "B", "Q": "D", "K": "K"},
    "english": {"A": "A", "J": "J", "Q": "Q", "K": "K"},
}
"""What is printed for ace, knave, queen and king; number cards print their number everywhere."""

FONT_WORDS = (
    "serif",
    "sans",
    "roman",
    "bookman",
    "p052",
    "c059",
    "gothic",
    "nimbus",
    "mono",
    "dejavu",
    "liberation",
    "cabin",
    "cantarell",
    "carlito",
    "caladea",
    "comfortaa",
    "garamond",
    "free",
    "lato",
    "linlibertine",
    "linbiolinum",
    "oldstandard",
    "open",
    "quicksand",
)

HERSHEY = {
    "hershey-simplex": cv2.FONT_HERSHEY_SIMPLEX,
    "hershey-duplex": cv2.FONT_HERSHEY_DUPLEX,
    "hershey-complex": cv2.FONT_HERSHEY_COMPLEX,
    "hershey-triplex": cv2.FONT_HERSHEY_TRIPLEX,
}
"""Letters made of strokes, which need no font file; some decks print theirs so."""

UNFIT = ("keyboard", "initial", "italic", "oblique", "math", "extralight", "fallback", "symbol", "emoji")


def find_fonts(folder: Path) -> list[str]:
    """Upright Latin text fonts below a folder, in a fixed order."""
    names = sorted(str(p) for p in folder.rglob("*") if p.suffix.lower() in (".ttf", ".otf"))
    chosen = []
    for name in names:
        stem = Path(name).stem.lower()
        if any(w in stem for w in FONT_WORDS) and not any(w in stem for w in UNFIT) and has_letters(name):
            chosen.append(name)
    if not chosen:
        raise SystemExit(f"no fonts below {folder}: give --fonts a folder with .ttf or .otf files")
    return chosen + list(HERSHEY)


def has_letters(font: str) -> bool:
    """Whether a font draws R and V differently, that is, has Latin letters at all."""
    return not np.array_equal(glyph("R", font, 20), glyph("V", font, 20))


@lru_cache(maxsize=4096)
def glyph(text: str, font: str, height: int) -> np.ndarray:
    """Coverage (0 to 255) of a text drawn so that its ink is `height` pixels high, cut to its ink."""
    size = int(height * 1.6) + 4
    if font in HERSHEY:
        ink = np.zeros((size * 3, size * (2 * len(text) + 2)), np.uint8)
        thick = max(1, round(height * (0.09 + 0.02 * (height % 5))))
        cv2.putText(ink, text, (size // 2, size * 2), HERSHEY[font], height / 22, 255, thick, cv2.LINE_AA)
    else:
        image = Image.new("L", (size * (len(text) + 2), size * 2))
        ImageDraw.Draw(image).text((size // 2, size // 4), text, fill=255, font=ImageFont.truetype(font, size))
        ink = np.asarray(image)
    rows, columns = np.where(ink.max(1) > 40)[0], np.where(ink.max(0) > 40)[0]
    if not len(rows):
        return np.zeros((height, height), np.uint8)
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = max(1, round(ink.shape[1] * height / ink.shape[0]))
    return cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)


def paint(card: np.ndarray, ink: np.ndarray, x: float, y: float, colour: np.ndarray, turned: bool = False) -> None:
    """Lay ink coverage on the colours of a card (in place), its middle at x, y; `turned` by 180 degrees."""
    height, width = card.shape[:2]
    if turned:
        ink, x, y = ink[::-1, ::-1], width - x, height - y
    h, w = ink.shape
    left, top = round(x - w / 2), round(y - h / 2)
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + w, width), min(top + h, height)
    if x0 >= x1 or y0 >= y1:
        return
    a = ink[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    area = card[y0:y1, x0:x1, :3]
    area[:] = (area * (1 - a) + np.float32(colour) * a).astype(np.uint8)


@dataclass(frozen=True)
class Letter:
    """A corner letter found on a card: its box in pixels, the colours of its ink and of the paper."""

    box: tuple[int, int, int, int]
    ink: tuple[float, float, float]
    paper: tuple[float, float, float]


def find_letter(card: np.ndarray) -> Letter | None:
    """The rank letter in the top left corner, or None where no lone shape of its size stands there.

    Paper is the commonest bright colour of the corner, ink what differs from it; the letter is the
    topmost shape of 5 to 15 % of the card's height that touches neither the card's edge nor the art.
    """
    height, width = card.shape[:2]
    rows, columns = int(height * 0.24), int(width * 0.30)
    corner = card[:rows, :columns, :3].astype(np.float32)
    edge = max(2, int(width * 0.02))
    core = corner[edge:, edge:].reshape(-1, 3)
    bright = core.sum(1)
    paper = np.median(core[bright >= np.percentile(bright, 60)], 0)
    mask = (np.abs(corner - paper).sum(2) > 110).astype(np.uint8)
    mask[:edge], mask[:, :edge] = 0, 0
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    shapes = []
    for x, y, w, h, area in stats[1:count]:
        if (
            0.05 * height < h < 0.15 * height
            and 0.015 * width < w < 0.2 * width
            and y + h < rows - 1
            and x + w < columns - 1
            and x + w / 2 < 0.17 * width
            and y < 0.12 * height
            and area > 0.12 * w * h
        ):
            shapes.append((int(y), int(x), int(w), int(h)))
    if not shapes:
        return None
    y, x, w, h = min(shapes)
    inked = corner[y : y + h, x : x + w][mask[y : y + h, x : x + w] > 0]
    contrast = np.abs(inked - paper).sum(1)
    colour = np.median(inked[contrast >= np.percentile(contrast, 50)], 0)
    return Letter((x, y, x + w, y + h), tuple(colour.tolist()), tuple(paper.tolist()))


def all_letters(card: np.ndarray) -> list[tuple[Letter, bool, bool]] | None:
    """Every corner letter as (letter, turned, mirrored), None unless both diagonal corners have one.

    `turned` says that the letter was found on the card turned by half, `mirrored` on its mirror image;
    four-corner indices are taken for such only where the mirrored letter stands just as the plain one.
    """
    found = []
    for turned in (False, True):
        view = card[::-1, ::-1] if turned else card
        plain = find_letter(view)
        if plain is None:
            return None
        found.append((plain, turned, False))
        mirror = find_letter(view[:, ::-1])
        if mirror is not None:
            shift = np.abs(np.subtract(mirror.box, plain.box)) / card.shape[0]
            if shift.max() < 0.035:
                found.append((mirror, turned, True))
    return found


def lettered(
    rng: np.random.Generator,
    card: np.ndarray,
    text: str,
    fonts: list[str],
    places: list[tuple[Letter, bool, bool]],
) -> np.ndarray:
    """The card with another letter in all its corners; `places` as `all_letters` finds them."""
    out = card.copy()
    height, width = card.shape[:2]
    font, size = str(rng.choice(fonts)), rng.uniform(0.85, 1.3)
    pad, limit = max(2, int(0.012 * height)), int(0.19 * width)
    for place, turned, mirrored in places:
        x0, y0, x1, y1 = place.box
        view = out[::-1, ::-1] if turned else out
        side = view[:, ::-1] if mirrored else view
        side[max(y0 - pad, 0) : y1 + pad, max(x0 - pad, 0) : x1 + pad, :3] = np.uint8(place.paper)
        tall = max(6, int((y1 - y0) * size))
        ink = glyph(text, font, tall)
        if ink.shape[1] > limit:
            ink = cv2.resize(ink, (limit, tall), interpolation=cv2.INTER_AREA)
        x = max((x0 + x1) / 2, ink.shape[1] / 2 + 2)
        paint(out, ink, width - x if mirrored else x, (y0 + y1) / 2, np.float32(place.ink), turned)
    return out
