"""The last seconds of the table: since when does a place look as it does now?

A card counts from the moment it came to lie. A hand that passes over it afterwards, or rests on half of it until it is
read, does not change that; so its look is searched in the past instead of its last motion.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
import numpy.typing as npt

KEPT = 6.0
"""Seconds."""
EVERY = 0.1
"""Seconds between two pictures that are kept."""
ALIKE = 0.75
"""Share of a place's pixels that must look as now."""
VISIBLE, STEADY, UNCHANGED = 0.35, 3, 0.03
"""What is covered in part must show this share of itself, and after so many pictures still the same, within this: a
card that slides into its place shows more of itself from picture to picture."""


class Recall:
    """Thumbnails of the last seconds, ten a second."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, npt.NDArray[np.uint8]]] = deque()

    def forget(self) -> None:
        self._past.clear()

    def remember(self, t: float, thumb: npt.NDArray[np.float32]) -> None:
        if self._past and t - self._past[-1][0] < EVERY - 1e-6:
            return
        self._past.append((t, thumb.astype(np.uint8)))
        while self._past[0][0] < t - KEPT:
            self._past.popleft()

    def since(
        self, mask: npt.NDArray[np.bool_], thumb: npt.NDArray[np.float32], before: npt.NDArray[np.float32], near: float
    ) -> float | None:
        """When the pixels of a mask came to look as in ``thumb``; None if nothing that is remembered did.

        Args:
            before: how they looked when nothing lay there: what lay there earlier still does not count.
            near: largest difference of a channel, 0 to 255, that counts as alike.
        """
        ys, xs = np.nonzero(mask)
        if not len(xs):
            return None
        box = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
        inside, now, bare = mask[box], thumb[box].astype(np.uint8), before[box].astype(np.uint8)
        first: float | None = None
        later = deque([1.0] * STEADY)  # how much looked as now in the pictures after this one
        for t, past in reversed(self._past):
            from_now, from_bare = (cv2.absdiff(look, past[box]).max(2)[inside] for look in (now, bare))
            # In dim light a card and the bare table may both be near: what counts is which of the two is nearer.
            part = float(((from_now <= near) & (from_now < from_bare)).mean())
            if part < VISIBLE and (from_bare <= near).mean() >= VISIBLE:
                break
            if part >= ALIKE or (part >= VISIBLE and abs(later[0] - part) <= UNCHANGED):
                first = t
            later = deque([*later, part], maxlen=STEADY)
        return first
