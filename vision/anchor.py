"""A picture of the table by which the camera's place is known again.

Two questions are asked of it. Does another picture show the table from the same place? That is cheap: both are cut into
cells, and in each the fine detail (the grain of the wood, the weave of the cloth, lying cards) agrees or does not;
arms and cards spoil a few cells, a camera that was bumped spoils them all, a lamp none. And if not: from where does
it show the table? Landmarks of the one are found in the other, and whether the answer is right is put to the first
question again: nothing is believed that the cells do not confirm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Image
from vision.events import Quad
from vision.seats import Mask, Points

Detail = npt.NDArray[np.float32]
Homography = npt.NDArray[np.float64]
"""(3, 3): takes pixels of the anchor's picture to those of another."""

WIDTH = 320
"""Pixels of the picture in which detail is compared."""
FINE = 9
"""Pixels of that picture: what is smoother than this is light, not detail."""
COLUMNS, ROWS = 8, 5
AGREEING = 0.5
"""Correlation from which the detail of a cell agrees."""
STEP = 5
"""Pixels that are a little farther on."""
LEAST_CELLS = 4
"""With fewer cells that show any detail nothing can be said of the camera."""
PLAIN = 1.5
"""Standard deviation, in grey levels, below which a cell of a single picture shows no detail."""
IN_SIGHT = 0.6
"""Part of a cell that must be in sight to count."""
LANDMARK_WIDTH = 640
"""Pixels of the picture in which landmarks are sought."""
CONFIRMED = 0.5
"""Share of the cells that must agree before a place of the camera is believed."""
BEYOND_DOUBT = 0.9
"""Share with which no better place is looked for."""
LEAST_LANDMARKS = 8
FAINT, CLEAR = 0.001, 0.05
"""How clear a landmark is at least, as part of the clearest one."""
FOR_PERSPECTIVE = 40
"""Landmarks from which more than a shift, a turn and a scale is asked."""
MOST_SCALE = 1.6
"""A camera that was bumped sees the table at most so much larger or smaller."""


@dataclass(frozen=True)
class Cells:
    """How far the detail of two pictures agrees, cell by cell.

    Attributes:
        alike: (ROWS, COLUMNS) correlation, -1 to 1.
        counted: which cells show detail and are in sight.
    """

    alike: npt.NDArray[np.float32]
    counted: Mask

    @property
    def enough(self) -> bool:
        """Whether there is detail enough to say anything."""
        return bool(self.counted.sum() >= LEAST_CELLS)

    @property
    def agreement(self) -> float:
        """Share of the counted cells that agree, 0 to 1."""
        return float((self.alike[self.counted] >= AGREEING).mean()) if self.counted.any() else 0.0


def detail(image: Image, inner: Detail | None = None) -> Detail:
    """The fine detail of a picture, (h, WIDTH) float32: its green channel without all that is smooth.

    Args:
        inner: 1 where it shall be looked at, 0 elsewhere (``inside``).
    """
    grey = shrunk(image, WIDTH).astype(np.float32)
    fine = grey - cv2.blur(grey, (FINE, FINE))
    return np.asarray(fine if inner is None else fine * inner, np.float32)


def inside(zone: Mask | None) -> Detail | None:
    """Where a zone (height, width) has detail of its own: the rim, an edge that moves with nothing, is left out."""
    if zone is None:
        return None
    height = max(ROWS, round(zone.shape[0] * WIDTH / zone.shape[1]))
    whole = _shrunk_mask(zone, (height, WIDTH)) > 0.99
    return np.asarray(cv2.erode(whole.astype(np.float32), np.ones((FINE, FINE)), borderValue=1.0), np.float32)


def shrunk(image: Image, width: int) -> npt.NDArray[np.uint8]:
    """The green channel, ``width`` pixels wide: the finest of the three in nearly every camera."""
    grey = cv2.extractChannel(image, 1)
    height = max(ROWS, round(image.shape[0] * width / image.shape[1]))
    while grey.shape[1] >= 2 * width and grey.shape[0] >= 2 * height:  # halving is much the quickest shrinking
        grey = cv2.resize(grey, (grey.shape[1] // 2, grey.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def likeness(a: Detail, b: Detail) -> npt.NDArray[np.float32]:
    """Correlation of two details in each cell, (ROWS, COLUMNS)."""
    both, first, second = _per_cell(a * b), _per_cell(a * a), _per_cell(b * b)
    return np.asarray(both / np.sqrt(np.maximum(first * second, 1e-3)), np.float32)


def distinct(a: Detail) -> Mask:
    """Cells whose detail does not look the same a little farther on, in any direction, (ROWS, COLUMNS)."""
    out = np.ones((ROWS, COLUMNS), bool)
    for x, y in ((STEP, 0), (0, STEP), (STEP, STEP), (STEP, -STEP)):
        out &= likeness(a, np.roll(a, (y, x), (0, 1))) < AGREEING
    return out


def cells_of(quads: Sequence[Quad], width: int, height: int) -> Mask:
    """The cells that quads of a picture of that size touch, (ROWS, COLUMNS)."""
    there = np.zeros((ROWS * FINE, COLUMNS * FINE), np.uint8)
    scale = np.array([COLUMNS * FINE / width, ROWS * FINE / height])
    for quad in quads:
        cv2.fillConvexPoly(there, np.round(np.asarray(quad) * scale).astype(np.int32), 1)
    return np.asarray(there.reshape(ROWS, FINE, COLUMNS, FINE).any((1, 3)))


def _per_cell(values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.resize(values, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), np.float32)


class Anchor:
    """One picture of the table, from one place of the camera.

    Args:
        image: the picture, BGR.
        zone: what of it is the table's, (height, width); None: all. Nothing else is looked at.
    """

    def __init__(self, image: Image, zone: Mask | None = None) -> None:
        self.height, self.width = image.shape[:2]
        self.zone = zone
        self._inner = inside(zone)
        self.detail = detail(image, self._inner)
        self.counted: Mask = np.sqrt(_per_cell(self.detail * self.detail)) >= PLAIN
        if self._inner is not None:
            self.counted &= _per_cell(self._inner) >= IN_SIGHT
        self._grey = shrunk(image, LANDMARK_WIDTH)
        self._scale = self.width / LANDMARK_WIDTH
        self._landmarks: tuple[Any, Any] | None = None
        self._found: dict[float, npt.NDArray[np.float32] | None] = {}

    def cells(self, view: Image, seen: Mask | None = None) -> Cells:
        """How far a picture agrees with this one, as seen from this one's place.

        Args:
            view: a picture of the same size (``from_here`` brings any to this place).
            seen: which of its pixels are real, (height, width); None: all.
        """
        if seen is None:
            return Cells(likeness(self.detail, detail(view, self._inner)), self.counted)
        sight = inside(seen)
        assert sight is not None
        inner = sight if self._inner is None else sight * self._inner
        counted = self.counted & (_per_cell(inner) >= IN_SIGHT)
        return Cells(likeness(self.detail * inner, detail(view, inner)), counted)

    def from_here(self, image: Image, place: Homography) -> Image:
        """A picture taken from ``place``, as it would look from here."""
        return np.asarray(
            cv2.warpPerspective(image, place, (self.width, self.height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP),
            np.uint8,
        )

    def in_sight(self, image: Image, place: Homography) -> Points:
        """The outline of what a camera at ``place`` sees of this picture: corners (N, 2), convex; N 0 for nothing."""
        h, w = image.shape[:2]
        frame = np.array([[[0, 0]], [[w, 0]], [[w, h]], [[0, h]]], np.float64)
        there = cv2.perspectiveTransform(frame, np.linalg.inv(place)).astype(np.float32)
        here = np.array([[0, 0], [self.width, 0], [self.width, self.height], [0, self.height]], np.float32)
        area, common = cv2.intersectConvexConvex(here, there[:, 0])
        return np.zeros((0, 2)) if area <= 0 or common is None else np.asarray(common[:, 0], np.float64)

    def place_of(self, image: Image) -> tuple[Homography, float] | None:
        """From where another picture shows the table, and the share of the cells that confirm it.

        Returns:
            The homography from this picture to the other one; None where none is confirmed.
        """
        best: tuple[Homography, float] | None = None
        grey = shrunk(image, LANDMARK_WIDTH)
        there = np.diag([image.shape[1] / LANDMARK_WIDTH] * 2 + [1.0])
        here = np.diag([1 / self._scale, 1 / self._scale, 1.0])
        ways: tuple[Callable[[], list[Homography]], ...] = (
            lambda: self._followed(grey, np.eye(3)),
            lambda: self._followed(grey, np.eye(3), clearest=True),
            lambda: self._followed(grey, self._by_landmarks(grey)),
        )
        for follow in ways:
            for found in follow():
                place = there @ found @ here
                if not self._plausible(place):
                    continue
                cells = self.cells(self.from_here(image, place), self.seen(image, place))
                if cells.enough and cells.agreement >= max(CONFIRMED, best[1] if best else 0.0):
                    best = (place, cells.agreement)
            if best is not None and best[1] >= BEYOND_DOUBT:
                break
        return best

    def seen(self, image: Image, place: Homography) -> Mask:
        """What of this picture a camera at ``place`` sees too, (height, width)."""
        seen = np.zeros((self.height, self.width), np.uint8)
        corners = self.in_sight(image, place)
        if len(corners):
            cv2.fillConvexPoly(seen, np.round(corners).astype(np.int32), 1)
        return seen.astype(bool)

    def _plausible(self, place: Homography) -> bool:
        """Neither mirrored nor blown up."""
        corners = np.array([[[0, 0]], [[self.width, 0]], [[self.width, self.height]], [[0, self.height]]], np.float64)
        if not ((corners[:, 0] @ place[2, :2] + place[2, 2]) > 0).all():
            return False
        area = cv2.contourArea(cv2.perspectiveTransform(corners, place).astype(np.float32), oriented=True)
        ratio = area / (self.width * self.height)
        return bool(MOST_SCALE**-2 < ratio < MOST_SCALE**2)

    def _inside(self) -> npt.NDArray[np.uint8] | None:
        """Where landmarks may lie: not on the rim of the zone, which is no part of the table."""
        if self.zone is None:
            return None
        zone = _shrunk_mask(self.zone, self._grey.shape)
        return np.asarray(cv2.erode((zone > 0.99).astype(np.uint8), np.ones((9, 9), np.uint8)) * 255, np.uint8)

    def _by_landmarks(self, grey: npt.NDArray[np.uint8]) -> Homography | None:
        """A shift, turn and scale, however large, from landmarks that look alike (ORB, RANSAC)."""
        orb = cv2.ORB.create(1500, 1.2, 6, edgeThreshold=15, fastThreshold=4)
        flat = cv2.createCLAHE(3, (8, 5))
        if self._landmarks is None:
            self._landmarks = orb.detectAndCompute(flat.apply(self._grey), self._inside())
        ours, described = self._landmarks
        theirs, other = orb.detectAndCompute(flat.apply(grey), None)
        if described is None or other is None or min(len(ours), len(theirs)) < LEAST_LANDMARKS:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(described, other, k=2)
        sure = [p[0] for p in pairs if len(p) == 2 and p[0].distance < 0.85 * p[1].distance]
        if len(sure) < LEAST_LANDMARKS:
            return None
        p = np.array([ours[m.queryIdx].pt for m in sure], np.float32)
        q = np.array([theirs[m.trainIdx].pt for m in sure], np.float32)
        return _similar(p, q, 2.5)[0]

    def _corners(self, quality: float) -> npt.NDArray[np.float32] | None:
        """Landmarks that can be followed, (N, 1, 2)."""
        if quality not in self._found:
            found = cv2.goodFeaturesToTrack(self._grey, 500, quality, 9, mask=self._inside(), blockSize=7)
            self._found[quality] = None if found is None else np.asarray(found, np.float32)
        return self._found[quality]

    def _followed(
        self, grey: npt.NDArray[np.uint8], near: Homography | None, clearest: bool = False
    ) -> list[Homography]:
        """What the landmarks agree on when they are followed into the other picture from about where they are.

        ``clearest``: only the corners of things; where the grain looks the same all along it says that nothing moved.
        """
        corners = self._corners(CLEAR if clearest else FAINT)
        if near is None or corners is None or len(corners) < LEAST_LANDMARKS:
            return []
        start = cv2.perspectiveTransform(corners, near).astype(np.float32)
        how: dict[str, Any] = {"winSize": (25, 25), "maxLevel": 4, "flags": cv2.OPTFLOW_USE_INITIAL_FLOW}
        there, found, _ = cv2.calcOpticalFlowPyrLK(self._grey, grey, corners, start.copy(), **how)
        back, again, _ = cv2.calcOpticalFlowPyrLK(grey, self._grey, there, corners.copy(), **how)
        good = (found[:, 0] == 1) & (again[:, 0] == 1) & (np.linalg.norm((back - corners)[:, 0], axis=1) < 1)
        p, q = corners[good, 0], there[good, 0]
        if len(p) < LEAST_LANDMARKS:
            return []
        plain, inliers = _similar(p, q, 2.0)
        if plain is None:
            return []
        out = [plain]
        if inliers >= FOR_PERSPECTIVE:
            slanted, _ = cv2.findHomography(p, q, cv2.RANSAC, 1.5, maxIters=2000)
            if slanted is not None:
                out.append(np.asarray(slanted, np.float64))
        return out


def _similar(p: npt.NDArray[Any], q: npt.NDArray[Any], within: float) -> tuple[Homography | None, int]:
    """The shift, turn and scale that most of the pairs p -> q agree on, and how many do."""
    cv2.setRNGSeed(1)  # the same pictures, the same answer
    found, inliers = cv2.estimateAffinePartial2D(
        p, q, method=cv2.RANSAC, ransacReprojThreshold=within, maxIters=3000, confidence=0.999
    )
    if found is None:
        return None, 0
    return np.vstack([found, [0.0, 0.0, 1.0]]), int(inliers.sum())


def _shrunk_mask(mask: Mask, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """A mask at another size, 0 to 1."""
    return np.asarray(
        cv2.resize(mask.astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_AREA), np.float32
    )
