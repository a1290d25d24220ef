"""A camera that is held by hand, or stands on a table that is leant on: how it moved since the table was learnt.

Corners of an earlier picture are looked for in the new one (pyramidal Lucas-Kanade), and the turn, scale and shift on
which most of them agree is how the camera moved (RANSAC). Hands and cards that move by themselves disagree, and
corners all over the picture must agree, so that a pushed card is not taken for a moved camera. The earlier picture is
the table as it was learnt; where a hand hides too much of it or the cloth shows too little, it is the last picture, and
the motions are chained. A camera on a tripod pays nothing: nothing is searched until changes lie all over the picture.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Motion = npt.NDArray[np.float64]
"""2 x 3: where a pixel (x, y, 1) of the table as it was learnt lies in the picture now."""
Grey = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

STANDING: Motion = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])

CORNERS = 80
"""The best corners of the whole picture ..."""
CELLS = (8, 5)
CORNERS_A_CELL = 2
"""... and the best ones of each of its cells: a few cards in the middle of a plain table must not outvote it."""
LEAST_AGREEING = 16
AGREEING = 0.35
"""Share of the corners found again that must agree on one motion; the rest may be cards and hands."""
SPREAD = 0.13
"""Standard deviation, as part of the picture's sides, that the agreeing corners must have in x and in y."""
FARTHEST = 0.2
"""Part of the picture's width beyond which the camera was not swayed but put elsewhere."""
STILL = 0.3
"""Pixels of the thumbnail by which no corner of the picture need have moved: less is none."""
RENEWED = 15
"""Pictures after which the corners are chosen anew: cards come and go."""


class Sway:
    """Follows the camera from picture to picture. All pictures are thumbnails, height x width x 3.

    Attributes:
        motion: how the camera stands; None: where it stood. sure: whether the last picture told it.
    """

    def __init__(self) -> None:
        self.motion: Motion | None = None
        self.sure = False
        self._reference: Grey | None = None
        self._corners: Points = np.zeros((0, 1, 2), np.float32)
        self._age = 0
        self._last: Grey | None = None

    def forget(self) -> None:
        """The table was learnt anew from where the camera stands now."""
        self.motion, self._reference, self._last = None, None, None

    def follow(self, seen: npt.NDArray[np.float32], known: npt.NDArray[np.float32]) -> Motion | None:
        """How the camera stands in the picture ``seen``, where ``known`` is the table as it was learnt.

        None: it stands where it stood.
        """
        grey = _grey(seen)
        if self._reference is None or self._age >= RENEWED:
            self._reference, self._age = _grey(known), 0
            self._corners = _corners(self._reference)
        self._age += 1
        before = STANDING if self.motion is None else self.motion
        motion = _motion(self._reference, grey, self._corners, before)
        if motion is None and self._last is not None:
            step = _motion(self._last, grey, cv2.transform(self._corners, before).astype(np.float32), STANDING)
            motion = None if step is None else _after(before, step)
        self.sure = motion is not None
        if motion is None:
            motion = before
        self._last = grey
        farthest = apart(motion, None, grey.shape)
        self.sure &= farthest <= FARTHEST * grey.shape[1]
        if self.sure:
            self.motion = motion if farthest > STILL else None
        return self.motion


def apart(one: Motion | None, other: Motion | None, shape: tuple[int, ...]) -> float:
    """By how many pixels two motions differ for the corner of a picture (height, width) where they differ most."""
    height, width = shape[:2]
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    first, second = (cv2.transform(corners, STANDING if motion is None else motion) for motion in (one, other))
    return float(np.linalg.norm(first - second, axis=2).max())


def _motion(before: Grey, now: Grey, corners: Points, guess: Motion) -> Motion | None:
    """The motion on which corners (N, 1, 2) all over the picture agree; None where they do not."""
    if len(corners) < LEAST_AGREEING:
        return None
    start = cv2.transform(corners, guess).astype(np.float32)
    found, ok, _ = cv2.calcOpticalFlowPyrLK(
        before, now, corners, start, winSize=(15, 15), maxLevel=3, flags=cv2.OPTFLOW_USE_INITIAL_FLOW
    )
    kept = ok.ravel() == 1
    if kept.sum() < LEAST_AGREEING:
        return None
    motion, agree = cv2.estimateAffinePartial2D(
        corners[kept], found[kept], method=cv2.RANSAC, ransacReprojThreshold=0.8
    )
    if motion is None:
        return None
    agreeing = corners[kept][agree.ravel() == 1, 0]
    if len(agreeing) < max(LEAST_AGREEING, AGREEING * kept.sum()):
        return None
    height, width = now.shape
    return np.asarray(motion, np.float64) if (agreeing.std(0) / (width, height)).min() >= SPREAD else None


def _after(first: Motion, second: Motion) -> Motion:
    """Both motions, one after the other."""
    full = np.vstack([second, [0, 0, 1]]) @ np.vstack([first, [0, 0, 1]])
    return np.asarray(full[:2])


def _corners(grey: Grey) -> Points:
    """Corners of the picture, (N, 1, 2)."""
    height, width = grey.shape
    found = [cv2.goodFeaturesToTrack(grey, CORNERS, 0.02, 5)]
    for i in range(CELLS[0]):
        for j in range(CELLS[1]):
            x, y = i * width // CELLS[0], j * height // CELLS[1]
            cell = grey[y : (j + 1) * height // CELLS[1], x : (i + 1) * width // CELLS[0]]
            inside = cv2.goodFeaturesToTrack(cell, CORNERS_A_CELL, 0.1, 6)
            found.append(None if inside is None else inside + np.array([x, y], np.float32))
    return np.concatenate([np.zeros((0, 1, 2), np.float32), *(points for points in found if points is not None)])


def _grey(thumb: npt.NDArray[np.float32]) -> Grey:
    """Brightness against its surroundings: neither a lamp nor the camera's exposure matters then."""
    grey = cv2.cvtColor(thumb, cv2.COLOR_BGR2GRAY)
    return np.asarray(np.clip(128 + 3 * (grey - cv2.blur(grey, (31, 31))), 0, 255), np.uint8)
