"""Whose outline is it? Where a place of the table changed, edges tell what came and what went.

What lies on the table has an outline against it. Of something that was taken away (a glass, a hand that was there when
the eyes opened, a card of the former trick) the outline was there before and is no more; of something that was put down
it is there now and was not.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.masks import Mask, grown, pixels, ring, share

Thumb = npt.NDArray[np.float32]

FADED = 0.6
"""What is left of the outline of something that went."""
FAINT = 6.0
"""Mean brightness step (of a channel, a pixel) along an outline below which nothing is said."""
LEAST = 80
"""Thumbnail pixels of a card below which its shape cannot be told; one of 60 pixels' height in 720p has about 150."""
FILLED = 0.6
"""Share of a card's place that must have changed where a card was put that cannot be read."""
SPILLED = 0.4
"""Share of a card's surroundings that may have changed with it: its shadow, the sleeve that just left."""


def went_away(mask: Mask, before: Thumb, now: Thumb) -> bool:
    """Whether what changed in a mask is that something went: its outline shows in ``before`` and no longer."""
    band = ring(mask, 0, 2) | (mask & ~_shrunk(mask, 2))
    if not band.any():
        return False
    ys, xs = np.nonzero(band)
    box = np.s_[max(0, ys.min() - 1) : ys.max() + 2, max(0, xs.min() - 1) : xs.max() + 2]
    inside = band[box]
    then, since = (float(_steps(thumb[box])[inside].mean()) for thumb in (before, now))
    return then > FAINT and since < FADED * then


def fits_change(place: Mask, changed: Mask, explained: Mask) -> bool:
    """Whether a change has the shape of the card that is seen there: it fills its place and ends at its sides.

    Args:
        explained: what has changed for another reason (other cards, arms), which says nothing.
    """
    if pixels(place) < LEAST or share(changed, place) < FILLED:
        return False
    round_it = ring(place, 2, 5) & ~explained
    return pixels(round_it) < 20 or share(changed, round_it) <= SPILLED


def _steps(thumb: Thumb) -> Thumb:
    """Greatest brightness step from each pixel to its neighbours, over the channels."""
    across = np.abs(cv2.Sobel(thumb, cv2.CV_32F, 1, 0, scale=0.125))
    down = np.abs(cv2.Sobel(thumb, cv2.CV_32F, 0, 1, scale=0.125))
    return np.asarray(np.maximum(across, down).max(2), np.float32)


def _shrunk(mask: Mask, by: int) -> Mask:
    return ~grown(~mask, by)
