"""Geometry of cards in the picture: quadrilaterals of four corners, clockwise, the first side a short one.

A quad is a float32 array of shape (4, 2) in pixels, x right and y down; many quads are (N, 4, 2). In a quad
that is *in order* the corners are top left, top right, bottom right, bottom left of a card that stands
upright, so that the sides 0 and 2 are the short ones. Which of the two is the top is open: cards read the
same both ways up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

NEXT, BEFORE = np.array([1, 2, 3, 0]), np.array([3, 0, 1, 2])
"""The corner after each and the one before it, round a quad."""

CARD_RATIO = (1.12, 2.1)
"""Long side over short side of a card seen from where a player would put a camera (flat: 1.4 to 1.6)."""


def side_lengths(quads: Floats) -> Floats:
    """Lengths of the four sides, shape (N, 4): side i runs from corner i to corner i + 1."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    return np.asarray(np.linalg.norm(quads[:, NEXT] - quads, axis=2), np.float32)


def short_sides(quads: Floats) -> Floats:
    """Mean length of the two shorter opposite sides, shape (N,): the width of the card in pixels."""
    sides = side_lengths(quads)
    return np.asarray(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2, np.float32)


def areas(quads: Floats) -> Floats:
    """Areas in square pixels, shape (N,), by the shoelace formula."""
    x, y = np.moveaxis(np.asarray(quads, np.float32).reshape(-1, 4, 2), 2, 0)
    return np.asarray(np.abs((x * y[:, NEXT] - y * x[:, NEXT]).sum(1)) / 2, np.float32)


def in_order(quads: Floats) -> Floats:
    """Corners sorted clockwise, a short side first, shape (N, 4, 2); they may come in any order."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    from_centre = quads - quads.mean(1, keepdims=True)
    turn = np.argsort(np.arctan2(from_centre[..., 1], from_centre[..., 0]), axis=1)
    quads = np.take_along_axis(quads, turn[..., None], axis=1)
    sides = side_lengths(quads)
    lying = sides[:, 0] + sides[:, 2] > sides[:, 1] + sides[:, 3]
    quads[lying] = np.roll(quads[lying], -1, axis=1)
    return quads


def card_shaped(
    quads: Floats,
    least_area: float,
    most_area: float = np.inf,
    ratio: tuple[float, float] = CARD_RATIO,
    slant: float = 1.7,
) -> NDArray[np.bool_]:
    """Which quads (in order) can be a card: convex, card-like, opposite sides alike within ``slant``."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    sides, area = side_lengths(quads), areas(quads)
    opposite = np.maximum(sides[:, :2], sides[:, 2:]) / np.maximum(np.minimum(sides[:, :2], sides[:, 2:]), 1e-3)
    tall = (sides[:, 1] + sides[:, 3]) / np.maximum(sides[:, 0] + sides[:, 2], 1e-3)
    return np.asarray(
        convex(quads)
        & (area > least_area)
        & (area < most_area)
        & (tall > ratio[0])
        & (tall < ratio[1])
        & (opposite < slant).all(1)
    )


def convex(quads: Floats) -> NDArray[np.bool_]:
    """Which quads turn the same way at all four corners."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    along = quads[:, NEXT] - quads
    after = along[:, NEXT]
    turn = along[..., 0] * after[..., 1] - along[..., 1] * after[..., 0]
    return np.asarray((turn > 0).all(1) | (turn < 0).all(1))


def inside(points: Floats, quads: Floats) -> NDArray[np.bool_]:
    """Which points (M, 2) lie in which convex quads (N, 4, 2), (M, N)."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    along, to = quads[:, NEXT] - quads, np.asarray(points)[:, None, None] - quads
    turn = along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
    return np.asarray((turn >= 0).all(2) | (turn <= 0).all(2))


def common_areas(a: Floats, b: Floats) -> Floats:
    """Areas that pairs of convex quads share, in square pixels: a (M, 4, 2) and b (M, 4, 2) -> (M,).

    The outline of what two convex figures share consists of the parts of either outline that lie inside the
    other. Each side is cut to its part inside (Liang and Barsky, ACM Trans. Graphics 3, 1984); the shoelace
    formula over all parts gives the area. Sides that lie on each other count once.

    OpenCV's ``intersectConvexConvex`` is wrong for some pairs with one centre, and a quad and its slightly turned
    neighbour are just such a pair.
    """
    p, q = (_clockwise(np.asarray(x, np.float64).reshape(-1, 4, 2)) for x in (a, b))
    origin = p.mean(1, keepdims=True)  # near the pair, or the difference of large numbers eats the digits
    p, q = p - origin, q - origin
    twice = _inside_part(p, q, closed=True) + _inside_part(q, p, closed=False)
    return np.asarray(np.maximum(twice, 0) / 2, np.float32)


def _clockwise(quads: np.ndarray) -> np.ndarray:
    """Quads whose corners go clockwise (y points down), (N, 4, 2)."""
    x, y = quads[..., 0], quads[..., 1]
    back = (x * y[:, NEXT] - y * x[:, NEXT]).sum(1) < 0
    return np.where(back[:, None, None], quads[:, ::-1], quads)


def _inside_part(p: np.ndarray, q: np.ndarray, closed: bool) -> np.ndarray:
    """Shoelace sum over the parts of the sides of p that lie inside q, (M,); ``closed``: also on its sides."""
    start, along = p[:, :, None], (p[:, NEXT] - p)[:, :, None]  # (M, 4 sides of p, 1, 2)
    corner, edge = q[:, None], (q[:, NEXT] - q)[:, None]  # (M, 1, 4 sides of q, 2)
    away = edge[..., 0] * (start - corner)[..., 1] - edge[..., 1] * (start - corner)[..., 0]
    slope = edge[..., 0] * along[..., 1] - edge[..., 1] * along[..., 0]
    size = np.sqrt((edge**2).sum(-1) * (along**2).sum(-1)) + 1e-12
    parallel = np.abs(slope) < 1e-7 * size
    t = -away / np.where(parallel, 1, slope)
    least = np.where(parallel | (slope < 0), 0, t).max(-1)
    most = np.where(parallel | (slope > 0), 1, t).min(-1)
    line = 1e-6 * size
    outside = parallel & ((away < -line) if closed else (away < line))
    kept = (most > least) & ~outside.any(-1)
    least, most = np.clip(least, 0, 1)[..., None], np.clip(most, 0, 1)[..., None]
    first, last = start[:, :, 0] + least * along[:, :, 0], start[:, :, 0] + most * along[:, :, 0]
    turn = first[..., 0] * last[..., 1] - first[..., 1] * last[..., 0]
    return np.asarray(np.where(kept, turn, 0).sum(1))


def common_area(a: Floats, b: Floats) -> float:
    """Area that two convex quads share, in square pixels."""
    return float(common_areas(a, b)[0])


def iou(a: Floats, b: Floats) -> float:
    """Intersection over union of two convex quads, 0 to 1."""
    common = common_area(a, b)
    return common / max(float(areas(a)[0] + areas(b)[0]) - common, 1e-6)


def shared(quads: Floats, least: np.ndarray | float = 0.0) -> Floats:
    """Areas that every two of the quads share, (N, N); zero on the diagonal and where it cannot reach ``least``."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    low, high = quads.min(1), quads.max(1)
    sides = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    boxes = np.maximum(sides, 0).prod(2)
    i, j = np.nonzero(np.triu((boxes > 0) & (boxes >= least), 1))
    out = np.zeros((len(quads), len(quads)), np.float32)
    if len(i):
        out[i, j] = out[j, i] = common_areas(quads[i], quads[j])
    return out


def same_places(quads: Floats, union: float, inside: float) -> NDArray[np.bool_]:
    """Which two quads claim one place, (N, N): they share ``union`` of both or ``inside`` of the smaller."""
    area = areas(quads)
    total, smaller = area[:, None] + area, np.minimum(area[:, None], area)
    common = shared(quads, np.minimum(union / (1 + union) * total, inside * smaller))
    return np.asarray((common > union * (total - common)) | (common > inside * smaller))


def distinct(quads: Floats, threshold: float, most: int | None = None) -> list[int]:
    """Indices of quads, first come first kept, no two of which have an IoU above ``threshold``."""
    area = areas(quads)
    total = area[:, None] + area
    common = shared(quads, threshold / (1 + threshold) * total)
    alike = common > threshold * (total - common)
    kept: list[int] = []
    gone = np.zeros(len(area), bool)
    for i in range(len(area)):
        if most is not None and len(kept) >= most:
            break
        if not gone[i]:
            kept.append(i)
            gone |= alike[i]
    return kept


def with_quarter_turns(quads: Floats, squarish: float = 1.22) -> Floats:
    """The quads, then the nearly square ones turned by a quarter: seen from low, the long side is open."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    sides = side_lengths(quads)
    open_ = (sides[:, 1] + sides[:, 3]) < squarish * (sides[:, 0] + sides[:, 2])
    return np.concatenate([quads, np.roll(quads[open_], -1, axis=1)])


def nudged(quads: Floats, step: float) -> Floats:
    """Ten neighbours of each quad, shape (N, 10, 4, 2): each side moved out and in, a small turn both ways.

    ``step`` is the part of the card's own sides that a side moves.
    """
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    out = np.repeat(quads[:, None], 10, axis=1)
    centre = quads.mean(1, keepdims=True)
    for k, sign in enumerate((-1.0, 1.0)):
        for j, (corners, along) in enumerate(
            (((0, 1), -0.7 * down), ((2, 3), 0.7 * down), ((0, 3), -across), ((1, 2), across))
        ):
            out[:, 5 * k + j, list(corners)] += (along * (sign * 1.4 * step))[:, None]
        angle = sign * 1.1 * step
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]], np.float32)
        out[:, 5 * k + 4] = (quads - centre) @ turn + centre
    return out
