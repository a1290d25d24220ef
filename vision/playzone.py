"""The play zone of a picture: nothing else of it is kept, read or shown.

Kept pictures are black beyond the zone. A reader must not be shown that: a bright table on black looks like one huge
card, and the cards on it like its figures. So pictures that are read go on beyond the zone with the colours of its rim.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera import Image
from vision.seats import Mask

COARSE = 64
"""Pixels of width in which the colours of the rim are spread."""


class PlayZone:
    """The play zone of pictures of one size.

    Args:
        zone: which pixels are in it, (height, width).
        picture: shows what colours its rim has.
    """

    def __init__(self, zone: Mask, picture: Image) -> None:
        self.zone = zone
        self.whole = bool(zone.all())
        self._inside = np.repeat(zone[..., None].astype(np.uint8) * 255, 3, axis=2)
        self._around = cv2.bitwise_and(beyond(picture, zone), cv2.bitwise_not(self._inside))

    def kept(self, image: Image) -> Image:
        """The play zone, black elsewhere."""
        return image if self.whole else np.asarray(cv2.bitwise_and(image, self._inside), np.uint8)

    def read(self, image: Image) -> Image:
        """The play zone, and beyond it the colours of its rim; always the same there."""
        return image if self.whole else np.asarray(cv2.bitwise_or(self.kept(image), self._around), np.uint8)


def beyond(image: Image, zone: Mask) -> Image:
    """A picture of the same size in which the table goes on for ever: the colours of the zone, spread over its rim.

    Nothing outside the zone has a part in it.
    """
    h, w = zone.shape
    small = (COARSE, max(4, round(h * COARSE / w)))
    weight = cv2.resize(zone.astype(np.float32), small, interpolation=cv2.INTER_AREA)
    colours = cv2.resize(image * zone[..., None].astype(np.float32), small, interpolation=cv2.INTER_AREA)
    out = np.zeros_like(colours)
    done = np.zeros(weight.shape, bool)
    reach = 1.5
    while not done.all() and reach < 4 * COARSE:  # near the rim its own colours, farther off those of more of it
        spread = cv2.GaussianBlur(weight, (0, 0), reach)
        there = (spread > 1e-3) & ~done
        out[there] = (cv2.GaussianBlur(colours, (0, 0), reach) / np.maximum(spread, 1e-6)[..., None])[there]
        done |= there
        reach *= 2
    out = cv2.GaussianBlur(out, (0, 0), 1.0)
    return np.asarray(np.clip(cv2.resize(out, (w, h), interpolation=cv2.INTER_LINEAR), 0, 255), np.uint8)
