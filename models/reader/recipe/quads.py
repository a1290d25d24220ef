"""Quads: four corners (4, 2) float32, clockwise in the picture, the first side a short one."""

from __future__ import annotations

import cv2
import numpy as np

Quad = np.ndarray


def sides(quad: Quad) -> tuple[float, float]:
    """Mean lengths of the short and of the long sides, in pixels."""
    e = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    return float(e[0] + e[2]) / 2, float(e[1] + e[3]) / 2


def ordered(points: np.ndarray) -> Quad:
    """Any four corners -> clockwise, first side short."""
    q = np.asarray(points, np.float32).reshape(4, 2)
    centre = q.mean(0)
    q = q[np.argsort(np.arctan2(q[:, 1] - centre[1], q[:, 0] - centre[0]))]
    short, long = sides(q)
    return q if short <= long else np.roll(q, -1, 0)


def overlap(p: Quad, q: Quad) -> float:
    """Intersection over union of two convex quads."""
    p, q = np.float32(p), np.float32(q)
    shared = cv2.intersectConvexConvex(p, q)[0]
    union = cv2.contourArea(p) + cv2.contourArea(q) - shared
    return float(shared / max(union, 1e-6))


def card_like(quad: Quad, smallest: float = 100, largest: float = 1e7, low: float = 1.1, high: float = 1.9) -> bool:
    """Area, long to short side and opposite sides as a card seen at a slant can have them."""
    e = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    area, (short, long) = cv2.contourArea(np.float32(quad)), sides(quad)
    return bool(
        smallest < area < largest
        and short > 1
        and low < long / short < high
        and max(e[0], e[2]) < 1.7 * max(min(e[0], e[2]), 1)
        and max(e[1], e[3]) < 1.7 * max(min(e[1], e[3]), 1)
    )


def box_of(quad: Quad) -> np.ndarray:
    """The axis-parallel box (x0, y0, x1, y1) round a quad."""
    return np.concatenate([quad.min(0), quad.max(0)])


def box_overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Intersection over union of two axis-parallel boxes."""
    shared = max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return float(shared / max(areas - shared, 1e-6))


def rectified(image: np.ndarray, quad: Quad, width: int, height: int, margin: float = 0.0) -> np.ndarray:
    """The quad pulled straight to width x height, with a share `margin` of surroundings on every side."""
    px, py = margin * width, margin * height
    target = np.float32([[px, py], [width - px, py], [width - px, height - py], [px, height - py]])
    turn = cv2.getPerspectiveTransform(np.float32(quad), target)
    return cv2.warpPerspective(image, turn, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def outward(quad: Quad, side: int) -> np.ndarray:
    """Unit normal of a side, pointing away from the middle."""
    a, b = quad[side], quad[(side + 1) % 4]
    d = (b - a) / max(float(np.hypot(*(b - a))), 1e-6)
    n = np.float32([d[1], -d[0]])
    return n if float((a - quad.mean(0)) @ n) > 0 else -n


def step_support(image: np.ndarray, quad: Quad, step: float = 24) -> float:
    """How much of its worst side lies on a change of colour (0 to 1).

    24 points a side are compared just inside and just outside; a quad through the middle of a pale
    table or of a court card's frame fails on at least one side.
    """
    q = np.float32(quad)
    reach = max(2.0, sides(q)[0] * 0.03)
    t = np.linspace(0.1, 0.9, 24, dtype=np.float32)[:, None]
    worst = 1.0
    for i in range(4):
        points, n = q[i] + (q[(i + 1) % 4] - q[i]) * t, outward(q, i)
        inside, outside = (
            cv2.remap(
                image,
                (points + n * z)[:, None, 0],
                (points + n * z)[:, None, 1],
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ).astype(np.float32)[:, 0]
            for z in (-reach, reach)
        )
        worst = min(worst, float((np.abs(inside - outside).sum(1) > step).mean()))
    return worst


def refined(gray: np.ndarray, quad: Quad, band: float = 0.08, points: int = 22) -> Quad:
    """Each side moved to the strongest straight edge in a band round it; the quad itself if none fits.

    `band` is a share of the short side. A line through two edge points wins by the edge strength of
    all points that lie on it (an exhaustive RANSAC), then it is fitted by least squares.
    """
    q = np.float32(quad)
    reach = max(4, int(sides(q)[0] * band))
    t = np.linspace(0.08, 0.92, points, dtype=np.float32)[:, None]
    offsets = np.arange(-reach, reach + 1, dtype=np.float32)
    inner = offsets[1:-1]
    lines = []
    for i in range(4):
        a, b, n = q[i], q[(i + 1) % 4], outward(q, i)
        at = a + (b - a) * t
        strip = cv2.remap(
            gray,
            at[:, None, 0] + offsets * n[0],
            at[:, None, 1] + offsets * n[1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ).astype(np.float32)
        strip = cv2.GaussianBlur(strip, (5, 1), 0)
        slope = np.abs(strip[:, 2:] - strip[:, :-2]) * np.exp(-0.5 * (inner / (reach * 0.6)) ** 2)
        strength, found = slope.max(1), inner[slope.argmax(1)]
        best, votes = 0.0, None
        for j in range(0, points, 2):
            for k in range(j + 5, points, 3):
                rise = (found[k] - found[j]) / (t[k, 0] - t[j, 0])
                if abs(rise) > 2 * reach:
                    continue
                near = np.abs(found - (found[j] + rise * (t[:, 0] - t[j, 0]))) < 1.3
                score = float((near * np.minimum(strength, 40)).sum())
                if score > best:
                    best, votes = score, near
        if votes is not None and votes.mean() > 0.4 and strength[votes].mean() > 4:
            rise, shift = np.linalg.lstsq(np.c_[t[votes, 0], np.ones(votes.sum())], found[votes], rcond=None)[0]
            lines.append((a + n * shift, b + n * (rise + shift)))
        else:
            lines.append((a, b))
    corners = []
    for i in range(4):
        (p, p2), (r, r2) = lines[i - 1], lines[i]
        d, e = p2 - p, r2 - r
        cross = d[0] * e[1] - d[1] * e[0]
        if abs(cross) < 1e-3:
            return q
        corners.append(p + ((r[0] - p[0]) * e[1] - (r[1] - p[1]) * e[0]) / cross * d)
    out = np.float32(corners)
    return out if overlap(out, q) > 0.6 and cv2.isContourConvex(out.reshape(-1, 1, 2)) else q
