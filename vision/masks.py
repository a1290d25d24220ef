"""Small geometry of places on the table: masks in thumbnail pixels and the quads of cards."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.events import Quad
from vision.quads import Floats, common_area

Mask = npt.NDArray[np.bool_]


def pixels(mask: Mask) -> int:
    return int(np.count_nonzero(mask))


def share(part: Mask, mask: Mask) -> float:
    """Which share of a mask lies in another, 0 to 1."""
    return pixels(part & mask) / max(1, pixels(mask))


def grown(mask: Mask, by: int) -> Mask:
    """A mask and all that is at most ``by`` pixels from it, along both axes."""
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return cv2.dilate(mask.astype(np.uint8), kernel).astype(bool)


def ring(mask: Mask, inner: int, outer: int) -> Mask:
    """What lies round a mask, more than ``inner`` and at most ``outer`` pixels from it."""
    return grown(mask, outer) & ~grown(mask, inner)


def mask_of(quad: Floats, shape: tuple[int, int], scale: float) -> Mask:
    """Where a quad (4, 2) in picture pixels lies in a thumbnail of this shape, ``scale`` picture pixels each."""
    out = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(out, np.round(quad / scale - 0.5).astype(np.int32), 1)
    return out.astype(bool)


def as_array(quad: Quad) -> Floats:
    """Corners as an array, (4, 2) float32."""
    return np.asarray(quad, np.float32)


def as_quad(quad: Floats) -> Quad:
    """Corners to a tenth of a pixel."""
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return (a, b, c, d)


def mostly_inside(p: Floats, q: Floats) -> bool:
    """Whether the smaller of two quads lies for the most part in the other."""
    smaller = min(float(cv2.contourArea(p)), float(cv2.contourArea(q)))
    return common_area(p, q) > 0.6 * max(smaller, 1.0)
