"""The cheap look at every frame: what moves, what lies still, what is not as it was.

Works on a thumbnail of 320 pixels' width, so that an unchanged frame costs a few milliseconds at most. Three pictures
are kept: ``before`` (a fifth of a second ago, for motion), ``accepted`` (what the table looked like when it was last
understood) and ``bare`` (the table without cards and hands).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Thumb = npt.NDArray[np.float32]

THUMB_WIDTH = 320
MOTION_SPAN = 0.2
"""Seconds between the two pictures whose difference is called motion: long enough for a slow hand to show."""


def thumbnail(image: npt.NDArray[np.uint8]) -> Thumb:
    """BGR picture -> thumb of THUMB_WIDTH x proportional height x 3, float32, slightly blurred against noise."""
    h, w = image.shape[:2]
    size = (THUMB_WIDTH, max(8, round(h * THUMB_WIDTH / w)))
    while image.shape[1] >= 2 * size[0] and image.shape[0] >= 2 * size[1]:  # halving is much the quickest shrinking
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    small = image if (image.shape[1], image.shape[0]) == size else cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(small, (3, 3), 0).astype(np.float32)


def difference(a: Thumb, b: Thumb) -> Thumb:
    """Greatest difference over the three channels, 0 to 255."""
    apart = np.asarray(cv2.absdiff(a, b), np.float32)
    return np.asarray(np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2]))


@dataclass(slots=True)
class Look:
    """What one frame shows, all masks in thumbnail pixels.

    Attributes:
        moving: differs from a fifth of a second ago.
        changed: differs from what was last accepted.
        foreign: differs from the bare table.
        still_since: time at which each pixel last came to rest.
    """

    t: float
    thumb: Thumb
    moving: Mask
    changed: Mask
    foreign: Mask
    still_since: npt.NDArray[np.float64]


class Stillness:
    """Frame after frame -> ``Look``. Keeps the accepted and the bare table."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Thumb]] = deque()
        self.accepted: Thumb | None = None
        self.bare: Thumb | None = None
        self._still_since: npt.NDArray[np.float64] | None = None
        self._noise = 2.0

    def look(self, image: npt.NDArray[np.uint8], t: float) -> Look:
        """Compare a frame with the past. The first one becomes both the accepted and the bare table."""
        thumb = thumbnail(image)
        shape = thumb.shape[:2]
        if self.accepted is None or self.accepted.shape != thumb.shape:
            self._past.clear()
            self.accepted, self.bare = thumb.copy(), thumb.copy()
            self._still_since = np.full(shape, t)
        assert self.bare is not None
        assert self._still_since is not None
        thumb = self._even_light(thumb)
        before = self._past[0][1] if self._past else thumb
        step = difference(thumb, before)
        # Sensor noise moves every pixel: the bulk of the differences tells how much, and motion must clear it well.
        if self._past:
            self._noise += 0.1 * (float(np.percentile(step[::4, ::4], 60)) - self._noise)
            self._noise = min(self._noise, 8.0)
        moving = step > max(9.0, 4.5 * self._noise)
        self._still_since[moving] = t
        threshold = max(13.0, 5 * self._noise)
        changed = difference(thumb, self.accepted) > threshold
        foreign = difference(thumb, self.bare) > threshold
        # Slow drift of the light is followed where nothing happens.
        calm = ~(moving | changed)
        cv2.accumulateWeighted(thumb, self.accepted, 0.05, calm.astype(np.uint8))
        cv2.accumulateWeighted(thumb, self.bare, 0.05, (calm & ~foreign).astype(np.uint8))
        self._past.append((t, thumb))
        while len(self._past) > 1 and self._past[1][0] <= t - MOTION_SPAN + 1e-6:
            self._past.popleft()
        return Look(t, thumb, moving, changed, foreign, self._still_since)

    def accept(self, mask: Mask, thumb: Thumb) -> None:
        """What lies in ``mask`` is understood now."""
        assert self.accepted is not None
        self.accepted[mask] = thumb[mask]

    def learn_bare(self, mask: Mask, thumb: Thumb) -> None:
        """What lies in ``mask`` belongs to the table from now on."""
        assert self.bare is not None
        self.bare[mask] = thumb[mask]

    def _even_light(self, thumb: Thumb) -> Thumb:
        """Take out a change of exposure: one gain for the whole picture, from the pixels that look most alike."""
        assert self.accepted is not None
        a = self.accepted[::4, ::4].sum(2).ravel()
        b = thumb[::4, ::4].sum(2).ravel()
        usable = (a > 60) & (a < 720) & (b > 60) & (b < 720)
        if usable.sum() < 200:
            return thumb
        gain = float(np.median(a[usable] / b[usable]))
        if not 0.6 < gain < 1.7 or abs(gain - 1) < 0.004:
            return thumb
        lit: Thumb = np.minimum(thumb * np.float32(gain), np.float32(255))
        return lit
