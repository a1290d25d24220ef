"""A picture as the watcher wants it: no larger than it need be, and seen from where the camera stood at first.

All that the watcher knows of the table is in the pixels of this view; only what it reports is given in those of the
picture.
"""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np

from vision.camera import Image
from vision.events import Quad
from vision.masks import as_array, as_quad
from vision.sway import Motion

LARGE = 2400
"""Pixels of width from which a picture is halved: a card of 1440p or 4K has more than any reader wants."""


class View:
    """One picture.

    Args:
        image: as the camera gave it.
        thumb_width: width of the thumbnail in which ``motion`` is measured.
    """

    def __init__(self, image: Image, thumb_width: int) -> None:
        self.fold = 1
        while image.shape[1] // self.fold >= LARGE:
            self.fold *= 2
        if self.fold > 1:
            size = (image.shape[1] // self.fold, image.shape[0] // self.fold)
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        self.taken: Image = image
        self.scale = image.shape[1] / thumb_width
        self.motion: Motion | None = None

    def from_where(self, motion: Motion | None) -> View:
        """The camera has moved so since the table was learnt (thumbnail pixels)."""
        if motion is not None:
            # Of a point at p thumbnail pixels from the corner, the middles of pixels lie half a pixel farther.
            middle = self.scale / 2 - 0.5
            turn = motion[:, :2]
            shift = self.scale * motion[:, 2] + middle - turn @ np.array([middle, middle])
            self.motion = np.concatenate([turn, shift[:, None]], 1)
        return self

    @cached_property
    def image(self) -> Image:
        """The picture to read; moved back only where somebody asks for it."""
        if self.motion is None:
            return self.taken
        size = (self.taken.shape[1], self.taken.shape[0])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        moved = cv2.warpAffine(self.taken, self.motion, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, np.uint8)

    def as_given(self, quad: Quad) -> Quad:
        """A quad of this view in pixels of the picture that the camera gave."""
        if self.motion is None and self.fold == 1:
            return quad
        corners = as_array(quad)
        if self.motion is not None:
            corners = np.asarray(cv2.transform(corners[None], self.motion)[0], np.float32)
        return as_quad(corners * self.fold)
