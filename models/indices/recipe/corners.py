"""Corners of cards to train on: the part of a face round one corner, and where its index stands.

Lengths are in short sides of the card, measured from the card's corner: x along the short side, y along
the long one. A corner is kept as it looks upright: at the left edge of its card (`right` false), or at the
right edge (then its x run from minus ACROSS to 0).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from models.reader.recipe.cards import Card, at_height, with_rim, with_smaller
from models.reader.recipe.letters import find_letter

from .net import RANKS

ACROSS, DOWN = 0.64, 0.88
"""How much of the card a corner keeps: the window, and as far as a rough window may err."""

HEIGHT = 260
"""Whole cards are this high, in pixels, when their corners are taken."""

FOUR_CORNERS = ("kde-dondorf", "kde-xskat-french", "Quentin0312-poker-cards-yolo")
"""Flat decks and sources of photographs with an index in all four corners; all others have two."""

LETTERLESS = {"ar-guyenne-classic": "JQK"}
"""Cards of flat decks that print no index at all."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Corner:
    """The part round a corner as a small card (BGRA), whether it has an index, and where.

    `rank_box` and `suit_box` (x0, y0, x1, y1) in short sides; `suit_box` None: no symbol stands there.
    """

    card: Card
    right: bool
    indexed: bool
    rank_box: Box
    suit_box: Box | None


def part(image: np.ndarray, right: bool) -> np.ndarray:
    """The corner of an upright face: (DOWN x width, ACROSS x width, 4)."""
    width = image.shape[1]
    rows, columns = round(DOWN * width), round(ACROSS * width)
    return np.ascontiguousarray(image[:rows, width - columns :] if right else image[:rows, :columns])


def boxes(image: np.ndarray, right: bool, digits: int = 1) -> tuple[Box, Box] | None:
    """Where rank and suit stand in a corner of an upright face; None where no letter is found.

    Of a number of two `digits` the first is found; the box is then made as wide as both.
    """
    height, width = image.shape[:2]
    scale = 300 / height
    letter = find_letter(at_height(image[:, ::-1] if right else image, 300))
    if letter is None:
        return None
    x0, y0, x1, y1 = (v / scale / width for v in letter.box)
    tall = y1 - y0
    if digits > 1:
        x1 = max(x1, x0 + 0.75 * tall)
    suit = (x0, y1, x1, y1 + 0.9 * tall)
    if right:
        return (-x1, y0, -x0, y1), (-suit[2], suit[1], -suit[0], suit[3])
    return (x0, y0, x1, y1), suit


def corner_of(card: Card, right: bool, indexed: bool = True, turned: bool = False) -> Corner | None:
    """One corner of a face (its lower ones with `turned`); None where an index should be but isn't found."""
    image = card.image[::-1, ::-1] if turned else card.image
    digits = len(RANKS[card.rank])
    found = boxes(image, right, digits) if indexed else ((0.0, 0.0, 0.1, 0.1), None)
    if found is None:
        return None
    small = with_smaller(Card(part(image, right), card.rank, card.suit, card.kind))
    return Corner(small, right, indexed, found[0], found[1])


def corners_of(cards: Iterable[Card], four: bool = False, letterless: str = "") -> list[Corner]:
    """The upper corners of flat faces, with and without indices."""
    out = []
    for card in cards:
        whole = Card(at_height(card.image, HEIGHT), card.rank, card.suit, card.kind)
        bare = RANKS[card.rank] in letterless
        for right in (False, True):
            corner = corner_of(whole, right, not bare and (four or not right))
            if corner is not None:
                out.append(corner)
    return out


def crop_corners(rng: np.random.Generator, crops: Iterable[Card]) -> list[Corner]:
    """Corners 0 and 2 of real crops where a letter is found; half of them as tight as they came."""
    out = []
    for crop in crops:
        image = with_rim(rng, crop.image) if rng.random() < 0.6 else crop.image
        size = (round(HEIGHT * rng.uniform(0.63, 0.71)), HEIGHT)
        whole = Card(cv2.resize(image, size, interpolation=cv2.INTER_AREA), crop.rank, crop.suit, crop.kind)
        for turned in (False, True):
            corner = corner_of(whole, False, turned=turned)
            if corner is not None:
                out.append(corner)
    return out


def cut_corners(cuts: Iterable[Card]) -> list[Corner]:
    """All corners of cut-outs of photographs, with and without indices."""
    out = []
    for card in cuts:
        four = card.name.split("/")[0] in FOUR_CORNERS
        for right, turned in ((False, False), (False, True), (True, False), (True, True)):
            corner = corner_of(card, right, four or not right, turned)
            if corner is None:  # the letter was not found: it is there all the same
                image = card.image[::-1, ::-1] if turned else card.image
                small = with_smaller(Card(part(image, right), card.rank, card.suit, card.kind))
                wide = 0.19 if RANKS[card.rank] == "10" else 0.17
                left, ends = (-wide, -0.04) if right else (0.04, wide)
                corner = Corner(small, right, True, (left, 0.05, ends, 0.24), (left, 0.24, ends, 0.4))
            out.append(corner)
    return out


def spanish_corners(cards: Iterable[Card]) -> list[Corner]:
    """Corners 0 and 2 of Spanish cards: a number, no suit mark, wherever near the corner it stands."""
    out = []
    for card in cards:
        rank = spanish_rank(card.spanish[0] + 1)
        whole = at_height(card.image, HEIGHT)
        box = (0.04, 0.04, 0.2 if rank == RANKS.index("10") or rank > 12 else 0.13, 0.15)
        for image in (whole, whole[::-1, ::-1]):
            small = with_smaller(Card(part(image, False), rank, -1, card.kind))
            out.append(Corner(small, False, True, box, None))
    return out


def spanish_rank(number: int) -> int:
    """The index of a Spanish number in RANKS: 1 is the ace, 10 to 12 are what they say."""
    return RANKS.index("A" if number == 1 else str(number))
