"""Geometry of cards in the picture: quadrilaterals of four corners, clockwise, the first side a short one.

A quad is a float32 array of shape (4, 2) in pixels, x right and y down; many quads are (N, 4, 2). In a quad
that is *in order* the corners are top left, top right, bottom right, bottom left of a card that stands
upright, so that the sides 0 and 2 are the short ones. Which of the two is the top is open: cards read the
same both ways up.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

CARD_RATIO = (1.12, 2.1)
"""Long side over short side of a card seen from where a player would put a camera (flat: 1.4 to 1.6)."""


def side_lengths(quads: Floats) -> Floats:
    """Lengths of the four sides, shape (N, 4): side i runs from corner i to corner i + 1."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    return np.asarray(np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2), np.float32)


def short_sides(quads: Floats) -> Floats:
    """Mean length of the two shorter opposite sides, shape (N,): the width of the card in pixels."""
    sides = side_lengths(quads)
    return np.asarray(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2, np.float32)


def areas(quads: Floats) -> Floats:
    """Areas in square pixels, shape (N,), by the shoelace formula."""
    x, y = np.moveaxis(np.asarray(quads, np.float32).reshape(-1, 4, 2), 2, 0)
    return np.asarray(np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(1)) / 2, np.float32)


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
    along = np.roll(quads, -1, 1) - quads
    after = np.roll(along, -1, 1)
    turn = along[..., 0] * after[..., 1] - along[..., 1] * after[..., 0]
    return np.asarray((turn > 0).all(1) | (turn < 0).all(1))


def common_area(a: Floats, b: Floats) -> float:
    """Area that two convex quads share, in square pixels: Sutherland and Hodgman's clipping (Comm. ACM 17,
    1974).

    OpenCV's ``intersectConvexConvex`` is quicker, but wrong for some pairs with one centre, and a quad and
    its slightly turned neighbour are just such a pair.
    """
    p: list[tuple[float, float]] = [(float(x), float(y)) for x, y in a]
    q: list[tuple[float, float]] = [(float(x), float(y)) for x, y in b]
    px, py = [x for x, _ in p], [y for _, y in p]
    qx, qy = [x for x, _ in q], [y for _, y in q]
    if max(px) <= min(qx) or max(qx) <= min(px) or max(py) <= min(qy) or max(qy) <= min(py):
        return 0.0
    if _twice_area(q) < 0:
        q.reverse()
    for (x0, y0), (x1, y1) in zip(q, (*q[1:], q[0]), strict=True):
        dx, dy = x1 - x0, y1 - y0
        inside = [dx * (y - y0) - dy * (x - x0) for x, y in p]
        kept: list[tuple[float, float]] = []
        for k, (x, y) in enumerate(p):
            before, here = inside[k - 1], inside[k]
            if (before < 0) != (here < 0):
                u = before / (before - here)
                kept.append((p[k - 1][0] + u * (x - p[k - 1][0]), p[k - 1][1] + u * (y - p[k - 1][1])))
            if here >= 0:
                kept.append((x, y))
        if len(kept) < 3:
            return 0.0
        p = kept
    return abs(_twice_area(p)) / 2


def _twice_area(p: list[tuple[float, float]]) -> float:
    """Shoelace formula; positive where the corners go clockwise (y points down)."""
    return sum(p[k - 1][0] * y - x * p[k - 1][1] for k, (x, y) in enumerate(p))


def iou(a: Floats, b: Floats) -> float:
    """Intersection over union of two convex quads, 0 to 1."""
    common = common_area(a, b)
    return common / max(cv2.contourArea(a) + cv2.contourArea(b) - common, 1e-6)


def same_place(a: Floats, b: Floats, union: float, inside: float) -> bool:
    """Whether two quads claim one place: they share ``union`` of both or ``inside`` of the smaller."""
    common = common_area(a, b)
    area_a, area_b = cv2.contourArea(a), cv2.contourArea(b)
    return common > union * (area_a + area_b - common) or common > inside * min(area_a, area_b)


def distinct(quads: Floats, threshold: float, most: int | None = None) -> list[int]:
    """Indices of quads, first come first kept, no two of which have an IoU above ``threshold``."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    centres, sizes = quads.mean(1), short_sides(quads)
    # Two equal cards shifted by d along their length h share (h - d) / (h + d) of both; h < 2.1 widths.
    reach = 1.2 * CARD_RATIO[1] * (1 - threshold) / (1 + threshold)
    kept: list[int] = []
    for i in range(len(quads)):
        if most is not None and len(kept) >= most:
            break
        away = np.abs(centres[kept] - centres[i]).max(1) if kept else np.zeros(0)
        near = np.flatnonzero(away <= reach * np.maximum(sizes[kept], sizes[i])) if kept else ()
        if all(iou(quads[i], quads[kept[k]]) <= threshold for k in near):
            kept.append(i)
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
