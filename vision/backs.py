"""The colour of the cards' backs: what cannot be read and has it lies face down.

The finder sees a card in a back as well, and the reader cannot name it. Faces are never all of one colour but for
their paper, so a back whose middle has another colour than paper can be told by it. It is learnt from the pack, which
lies on the table when the eyes open, and from cards that nobody could ever read.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Image
from vision.quads import Floats

MIDDLE = 0.6
"""Part of a card's sides that counts as its middle: without border and indices."""
COLOURED = 0.3
"""By what part the middle must be darker than paper, in some channel."""
SAME = 0.1
"""Greatest difference of a channel, as part of the same, between the backs of one deck in one light."""
KEPT = 4

Colour = npt.NDArray[np.float32]


class Backs:
    """The colours that backs were seen to have; two decks may lie on a table."""

    def __init__(self) -> None:
        self._known: list[Colour] = []

    def learn(self, image: Image, quad: Floats) -> None:
        """A card (4, 2) that lies face down; nothing is learnt of backs that are white."""
        colour = _colour(image, quad)
        if colour is not None and not self._knows(colour):
            self._known = [*self._known, colour][-KEPT:]

    def is_back(self, image: Image, quad: Floats) -> bool:
        """Whether a card (4, 2) that could not be read has the colour of a known back."""
        if not self._known:
            return False
        colour = _colour(image, quad)
        return colour is not None and self._knows(colour)

    def _knows(self, colour: Colour) -> bool:
        return any(float(np.abs(colour - known).max()) < SAME for known in self._known)


def _colour(image: Image, quad: Floats) -> Colour | None:
    """Colour of the middle as part of the paper's, (3,); None where it is that of paper, or the card too small.

    The paper is what is brightest of a card, each channel for itself: lamps and cameras tinge it.
    """
    middle = quad.mean(0)
    whole, inner = (_pixels(image, middle + part * (quad - middle)) for part in (1.0, MIDDLE))
    if len(inner) < 20:
        return None
    paper = np.maximum(np.percentile(whole, 95, axis=0), 1.0)
    colour = np.asarray(np.median(inner, axis=0) / paper, np.float32)
    return colour if float(colour.min()) < 1 - COLOURED else None


def _pixels(image: Image, quad: Floats) -> npt.NDArray[np.uint8]:
    """The pixels inside a quad, (N, 3)."""
    height, width = image.shape[:2]
    x0, y0 = np.clip(np.floor(quad.min(0)).astype(int), 0, [width, height])
    x1, y1 = np.clip(np.ceil(quad.max(0)).astype(int) + 1, 0, [width, height])
    if x1 <= x0 or y1 <= y0:
        return np.zeros((0, 3), np.uint8)
    inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad - [x0, y0]).astype(np.int32), 1)
    return np.asarray(image[y0:y1, x0:x1][inside.astype(bool)], np.uint8)
