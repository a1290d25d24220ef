"""How a card looks, pixel by pixel: a second witness beside the reader's vectors, for decks that no training saw.

The reader tells cards apart by what it learnt of playing cards; animals, or suits of another country, may seem much
the same to it. Two straightened crops of one card, small and blurred, agree in every place all the same: their
correlation over brightness and two differences of colour, the best over small shifts and both ways up.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Looks = NDArray[np.float32]
"""(N, HEIGHT, WIDTH, 3): brightness, red against green, yellow against blue."""

WIDTH, HEIGHT = 24, 36
SHIFT = 2
"""Pixels of a look by which a card may be cut differently in two pictures: some 8 % of its width."""
EDGE = 6
"""Pixels of a crop left out all round: there may lie a bit of the table."""
BLUR = 2.0
"""Deviation, in pixels of the crop, of the blur: pips may be off by as much."""
COLOUR = 1.5
"""Weight of the differences of colour beside brightness."""
PAPER = 90
"""Percentile of each colour that is taken for the white of the paper."""


def looks_of(crops: NDArray[np.uint8]) -> Looks:
    """The looks of straightened cards (N, 144, 96, 3) BGR, the colour of the light taken out."""
    out = np.zeros((len(crops), HEIGHT, WIDTH, 3), np.float32)
    for look, crop in zip(out, crops, strict=True):
        inner = crop[EDGE:-EDGE, EDGE:-EDGE].astype(np.float32)
        small = cv2.resize(cv2.GaussianBlur(inner, (0, 0), BLUR), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        paper = np.percentile(small.reshape(-1, 3), PAPER, axis=0)
        blue, green, red = np.moveaxis(small / np.maximum(paper, 1.0), 2, 0)
        look[..., 0] = (blue + green + red) / 3
        look[..., 1] = COLOUR * (red - green)
        look[..., 2] = COLOUR * ((red + green) / 2 - blue)
    return out


def correlation(looks: Looks, shown: Looks) -> NDArray[np.float32]:
    """How well looks (N, ...) agree with looks that were shown (M, ...): correlations (N, M), -1 to 1."""
    inside = slice(SHIFT, -SHIFT)
    templates = _normal(shown[:, inside, inside])
    out = np.empty((len(looks), len(shown)), np.float32)
    for row, look in zip(out, looks, strict=True):
        row[:] = (_normal(_views(look)) @ templates.T).max(0, initial=-1)
    return out


def _views(look: Looks) -> Looks:
    """All shifts of one look, both ways up: (V, height, width, 3) without the edge."""
    height, width = HEIGHT - 2 * SHIFT, WIDTH - 2 * SHIFT
    steps = range(2 * SHIFT + 1)
    return np.stack(
        [way[y : y + height, x : x + width] for way in (look, look[::-1, ::-1]) for y in steps for x in steps]
    )


def _normal(views: Looks) -> NDArray[np.float32]:
    """Views (V, height, width, 3) as vectors without their mean colour, of length one: (V, all numbers)."""
    flat = (views - views.mean((1, 2), keepdims=True)).reshape(len(views), int(np.prod(views.shape[1:])))
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-3), np.float32)
