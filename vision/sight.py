"""Whether a camera still sees: black pictures and a picture that stands still are none.

A sensor makes noise: two pictures of a table where nothing moves still differ all over. A device that hangs repeats its
last picture, exactly or almost (encoded again), and the noise is gone. So a camera counts as frozen where its pictures
differ by far less than this same camera's own noise did before. A camera without noise (a program that plays a film, an
encoder that repeats what does not move) cannot be told from a still table, and is never called frozen.
"""

from __future__ import annotations

from collections import deque
from typing import Literal

import cv2
import numpy as np

from vision.camera import Image

Blindness = Literal["dark", "frozen"]

STEP = 0.25
"""Seconds between two pictures that are compared."""
GRID = (160, 90)
"""Pixels that are compared: taken out of the picture as they are, so that their noise is that of the sensor."""
BLOCKS = (10, 6)
"""Parts of the picture, right and down; the middle one counts, so that a hand that moves is not taken for noise."""
KNOWN = 12
"""Comparisons after which the noise of a camera is known (3 s)."""
REMEMBERED = 240
"""Comparisons of which the noise is taken (a minute)."""
CALM_SHARE = 0.1
"""The noise is that of the stillest tenth of these moments."""
LEAST_NOISE = 0.04
"""Levels of 255, mean over a part of the picture: a camera with less is not judged."""
STILL = 0.1
"""Share of its own noise below which a picture is a repetition."""
FROZEN_AFTER = 1.2
"""Seconds of repetition."""
BLACK = 32
"""Level of 255 that not even a hundredth of a black picture passes: black is 16 in many films, and there is noise."""
BRIGHT_SHARE = 99.0


class Sight:
    """Judges the pictures of one camera, one after the other.

    Args:
        freezes: whether pictures that repeat mean that it hangs. Not where somebody on the way encodes them, finer or
            coarser as the network allows: coarser ones lose the noise of a table where nothing moves.
    """

    def __init__(self, *, freezes: bool = True) -> None:
        self._freezes = freezes
        self._noise: deque[float] = deque(maxlen=REMEMBERED)
        self._before: Image | None = None
        self._compared = -1.0
        self._still_since: float | None = None

    def judge(self, image: Image, t: float) -> Blindness | None:
        """What is wrong with the picture taken at ``t`` seconds (not decreasing), None if it can be read.

        Args:
            image: height x width x 3, BGR.
        """
        small = _sample(image)
        if _black(small):
            self._before = None  # what was before a black picture tells nothing of what comes after it
            return "dark"
        if self._before is None or self._before.shape != small.shape:
            self._before, self._compared, self._still_since = small, t, None
        elif self._freezes and t - self._compared >= STEP:
            self._compare(self._before, small, t)
            self._before, self._compared = small, t
        return "frozen" if self._still_since is not None and t - self._still_since >= FROZEN_AFTER else None

    def _compare(self, before: Image, after: Image, t: float) -> None:
        apart = _apart(before, after)
        usual = self._usual()
        if usual is not None and apart < STILL * usual:
            if self._still_since is None:
                self._still_since = self._compared
            return
        self._still_since = None
        self._noise.append(apart)

    def _usual(self) -> float | None:
        """The noise of this camera in levels, None where it has none or is not known yet."""
        if len(self._noise) < KNOWN:
            return None
        noise = sorted(self._noise)[int(CALM_SHARE * len(self._noise))]
        return noise if noise >= LEAST_NOISE else None


def _sample(image: Image) -> Image:
    """Some of the pixels, unchanged; all of a small picture."""
    height, width = image.shape[:2]
    return image[:: max(1, height // GRID[1]), :: max(1, width // GRID[0])]


def _black(small: Image) -> bool:
    return float(np.percentile(small[::2, ::2].max(2), BRIGHT_SHARE)) < BLACK


def _apart(before: Image, after: Image) -> float:
    """By how many levels two pictures differ in their middle part, by order of difference."""
    difference = cv2.absdiff(np.ascontiguousarray(before), np.ascontiguousarray(after)).astype(np.float32).mean(2)
    parts = cv2.resize(difference, BLOCKS, interpolation=cv2.INTER_AREA)
    return float(np.median(parts))
