"""The cheap look at every frame: what moves, what lies still, what is not as it was.

Works on a thumbnail of 320 pixels' width, so that an unchanged frame costs a few milliseconds at most. Three pictures
are kept: ``before`` (a fifth of a second ago, for motion), ``accepted`` (what the table looked like when it was last
understood) and ``bare`` (the table without cards and hands). All of them, and all masks, are seen from where the camera
stood when the table was learnt: if it sways, the new thumbnail is put back there first.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.light import evened
from vision.masks import Mask, pixels
from vision.recall import Recall
from vision.sway import STILL, Motion, Sway, apart

Thumb = npt.NDArray[np.float32]

THUMB_WIDTH = 320
MOTION_SPAN = 0.2
"""Seconds between the two pictures whose difference is called motion: long enough for a slow hand to show."""


CELLS = (10, 6)
"""Cells across and down in which a moved camera must show, wherever the table has anything to show."""
TELLING = 22.0
"""Brightness step between neighbouring pixels that would show a moved camera."""
SHOWING = 0.02
"""Share of a cell that shows something, or has changed."""
EXPLAINED = 0.8
"""A camera that stood still has moved only if that leaves at most so much of what seems changed."""
SQUARE = np.ones((3, 3), np.uint8)
SWIFTEST = 40.0
"""Thumbnail pixels a second: no steady hand sways faster, and whoever bumps into a camera does."""
RESTLESS = 60
"""Pictures for which a camera that has moved is expected to go on moving."""
REFRESHED = 15
"""Pictures after which it is looked anew where the table has anything to show."""


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
        seen: what a camera that has moved still sees of the table; None: all.
        motion: how it has moved since the table was learnt; None: not at all.
        blurred: edges may seem a pixel off, because the camera has moved.
    """

    t: float
    thumb: Thumb
    moving: Mask
    changed: Mask
    foreign: Mask
    still_since: npt.NDArray[np.float64]
    seen: Mask | None = None
    motion: Motion | None = None
    blurred: bool = False


class Stillness:
    """Frame after frame -> ``Look``. Keeps the accepted and the bare table."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Thumb]] = deque()
        self.accepted: Thumb | None = None
        self.bare: Thumb | None = None
        self.recall = Recall()
        self._sway = Sway()
        self._still_since: npt.NDArray[np.float64] | None = None
        self._noise = 2.0
        self._telling = np.zeros(CELLS[::-1], bool)
        self._told = 0
        self._loose = False
        self._restless = 0

    def look(self, image: npt.NDArray[np.uint8], t: float) -> Look:
        """Compare a frame with the past. The first one becomes both the accepted and the bare table."""
        raw = thumbnail(image)
        shape = raw.shape[:2]
        if self.accepted is None or self.accepted.shape != raw.shape:
            self._past.clear()
            self.recall.forget()
            self._sway.forget()
            self.accepted, self.bare = raw.copy(), raw.copy()
            self._still_since = np.full(shape, t)
        assert self.bare is not None
        assert self._still_since is not None
        threshold = max(13.0, 5 * self._noise)
        thumb, changed = self._steadied(raw, threshold)
        motion = self._sway.motion
        before = self._past[0][1] if self._past else thumb
        step = self._apart(thumb, before)
        # Sensor noise moves every pixel: the bulk of the differences tells how much, and motion must clear it well.
        if self._past:
            self._noise += 0.1 * (float(np.percentile(step[::4, ::4], 60)) - self._noise)
            self._noise = min(self._noise, 8.0)
        seen = None if motion is None else _seen(shape, motion)
        moving = step > max(9.0, 4.5 * self._noise)
        foreign = self._apart(thumb, self.bare) > threshold
        # Slow drift of the light is followed where nothing happens.
        calm = ~(moving | changed)
        if seen is not None:
            for mask in (moving, changed, foreign, calm):
                mask &= seen
        self._still_since[moving] = t
        cv2.accumulateWeighted(thumb, self.accepted, 0.05, calm.astype(np.uint8))
        cv2.accumulateWeighted(thumb, self.bare, 0.05, (calm & ~foreign).astype(np.uint8))
        self._past.append((t, thumb))
        while len(self._past) > 1 and self._past[1][0] <= t - MOTION_SPAN + 1e-6:
            self._past.popleft()
        self.recall.remember(t, thumb)
        return Look(t, thumb, moving, changed, foreign, self._still_since, seen, motion, self._loose)

    def follows(self, image: npt.NDArray[np.uint8], t: float) -> bool:
        """Whether the camera sways, and it is known how: it moves no faster than the hand that holds it."""
        raw = thumbnail(image)
        if self.accepted is None or self.accepted.shape != raw.shape or not self._past:
            return False
        before = self._sway.motion
        after = self._sway.follow(raw, self.accepted)
        passed = max(t - self._past[-1][0], 1e-3)
        if not self._sway.sure or apart(before, after, raw.shape) > SWIFTEST * passed:
            self._sway.motion = before
            return False
        self._restless, self._loose = RESTLESS, True
        return True

    def accept(self, mask: Mask, thumb: Thumb) -> None:
        """What lies in ``mask`` is understood now."""
        assert self.accepted is not None
        self.accepted[mask] = thumb[mask]

    def learn_bare(self, mask: Mask, thumb: Thumb) -> None:
        """What lies in ``mask`` belongs to the table from now on."""
        assert self.bare is not None
        self.bare[mask] = thumb[mask]

    def _steadied(self, raw: Thumb, threshold: float) -> tuple[Thumb, Mask]:
        """The thumbnail as from where the camera stood, in the light of then, and what of it differs from then."""
        assert self.accepted is not None
        thumb = evened(_put_back(raw, self._sway.motion), self.accepted)
        changed = self._apart(thumb, self.accepted) > threshold
        if not self._restless and not self._everywhere(changed):
            return thumb, changed
        before = self._sway.motion
        after = self._sway.follow(raw, self.accepted)
        if apart(before, after, raw.shape) <= STILL:
            self._restless = max(0, self._restless - 1)
            self._sway.motion = before
            return thumb, changed
        loose, self._loose = self._loose, True
        moved = evened(_put_back(raw, after), self.accepted)
        still_changed = self._apart(moved, self.accepted) > threshold
        if not self._restless and pixels(still_changed) > EXPLAINED * pixels(changed):
            self._sway.motion, self._loose = before, loose
            return thumb, changed
        self._restless = RESTLESS
        return moved, still_changed

    def _everywhere(self, changed: Mask) -> bool:
        """Whether changes lie in most of the places where the table has anything to show: the camera may have moved."""
        assert self.accepted is not None
        if self._told == 0:
            grey = cv2.cvtColor(self.accepted, cv2.COLOR_BGR2GRAY)
            steps = np.maximum(np.abs(cv2.Sobel(grey, cv2.CV_32F, 1, 0)), np.abs(cv2.Sobel(grey, cv2.CV_32F, 0, 1)))
            self._telling, self._told = _cells(steps > 4 * TELLING) > SHOWING, REFRESHED
        self._told -= 1
        if not self._telling.any():
            return False
        return float((_cells(changed) > SHOWING)[self._telling].mean()) >= 0.5

    def _apart(self, thumb: Thumb, other: Thumb) -> Thumb:
        """How much two thumbnails differ; with a swaying camera a pixel may be any of its neighbours' in the other."""
        if not self._loose:
            return difference(thumb, other)
        above = cv2.subtract(thumb, cv2.dilate(other, SQUARE))
        below = cv2.subtract(cv2.erode(other, SQUARE), thumb)
        apart = np.maximum(above, below)
        return np.asarray(np.maximum(np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2]), 0))


def _put_back(thumb: Thumb, motion: Motion | None) -> Thumb:
    """A thumbnail as seen from where the camera stood before it moved."""
    if motion is None:
        return thumb
    size = (thumb.shape[1], thumb.shape[0])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(thumb, motion, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _seen(shape: tuple[int, int], motion: Motion) -> Mask:
    """What the moved camera still sees of what it saw."""
    whole = np.ones(shape, np.uint8)
    how = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(whole, motion, shape[::-1], flags=how), bool)


def _cells(mask: Mask) -> npt.NDArray[np.float32]:
    """Share of each of the picture's cells that lies in a mask."""
    return np.asarray(cv2.resize(mask.astype(np.float32), CELLS, interpolation=cv2.INTER_AREA), np.float32)
