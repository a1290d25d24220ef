"""Sides of cards moved onto what is seen: the strongest straight edge, or the ridge of a border map."""

from __future__ import annotations

import cv2
import numpy as np

from vision.quads import BEFORE, NEXT, Floats, areas, common_areas, convex, short_sides, side_lengths

_ALONG = 18
STEP, SHADOW, STEP_REACH = 14.0, 7.0, 0.025
"""A side is seen where colours differ by so much (of 255) that part of the card's width out and in."""
_PAIRS = np.array([(j, k) for j in range(0, _ALONG, 2) for k in range(j + 4, _ALONG, 2)])


def _sampled(image: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """``image`` at the points (x, y), any shape, bilinear, the edge pixel repeated outside."""
    shape = (len(x), int(np.prod(x.shape[1:])))  # one row a quad: OpenCV takes 32,766 rows at most
    values = cv2.remap(
        image,
        np.ascontiguousarray(x.reshape(shape), np.float32),
        np.ascontiguousarray(y.reshape(shape), np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return values.reshape(*x.shape, *image.shape[2:]).astype(np.float32)


def along_sides(image: np.ndarray, quads: Floats, count: int = 20, trim: float = 0.06) -> np.ndarray:
    """``image`` sampled along the four sides of each quad, corners left out: (N, 4, count)."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    t = np.linspace(trim, 1 - trim, count, dtype=np.float32)[:, None]
    points = quads[:, :, None] + (quads[:, NEXT] - quads)[:, :, None] * t
    return _sampled(image, points[..., 0], points[..., 1])


def _profiles(image: np.ndarray, quads: Floats, offsets: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, Floats]:
    """``image`` across each side: values (N, 4, T, O) at offsets (N, O); outward normals (N, 4, 2)."""
    along = quads[:, NEXT] - quads
    normal = np.stack([along[..., 1], -along[..., 0]], -1) / np.maximum(side_lengths(quads), 1e-6)[..., None]
    outward = ((quads - quads.mean(1, keepdims=True)) * normal).sum(-1, keepdims=True) > 0
    normal = np.where(outward, normal, -normal).astype(np.float32)
    points = quads[:, :, None] + along[:, :, None] * t[:, None]
    x = points[..., 0, None] + offsets[:, None, None] * normal[:, :, None, None, 0]
    y = points[..., 1, None] + offsets[:, None, None] * normal[:, :, None, None, 1]
    return _sampled(image, x, y), np.asarray(normal, np.float32)


def _crossings(starts: Floats, ends: Floats, fallback: Floats, least_iou: float) -> Floats:
    """Corners where neighbouring sides meet; the fallback where that gives no quad like it."""
    before_s, before_e = starts[:, BEFORE], ends[:, BEFORE]
    d1, d2 = before_e - before_s, ends - starts
    den = d1[..., 0] * d2[..., 1] - d1[..., 1] * d2[..., 0]
    gap = starts - before_s
    u = (gap[..., 0] * d2[..., 1] - gap[..., 1] * d2[..., 0]) / np.where(np.abs(den) < 1e-3, np.inf, den)
    quads = (before_s + u[..., None] * d1).astype(np.float32)
    sound = (np.abs(den) >= 1e-3).all(1) & convex(quads) & np.isfinite(quads).all((1, 2))
    out = fallback.copy()
    moved, before = quads[sound], fallback[sound]
    common = common_areas(moved, before)
    near = common > least_iou * (areas(moved) + areas(before) - common)
    out[np.flatnonzero(sound)[near]] = moved[near]
    return out


def edge_support(picture: np.ndarray, quads: Floats) -> np.ndarray:
    """How much of each side lies on a step of colour, 0 to 1, shape (N, 4).

    Colours just outside and just inside are compared; a quad that is a little too large or too small has
    table or paper on both sides of its lines and no support. Between two white cards a thin shadow counts.
    """
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    if not len(quads):
        return np.zeros((0, 4), np.float32)
    reach = np.maximum(1.5, short_sides(quads) * STEP_REACH)
    t = np.linspace(0.1, 0.9, 16, dtype=np.float32)
    values, _ = _profiles(picture, quads, reach[:, None] * np.linspace(-1, 1, 5, dtype=np.float32), t)
    inner, outer, line = values[..., 0, :], values[..., 4, :], values[..., 1:4, :].min(-2)
    step = np.abs(outer - inner).max(-1) > STEP
    shadow = (np.minimum(outer, inner) - line).min(-1) > SHADOW
    return np.asarray((step | shadow).mean(-1), np.float32)


def onto_edges(grey: np.ndarray, quads: Floats, band: float) -> Floats:
    """Each side moved to the strongest straight edge within ``band`` x card width, shape (N, 4, 2).

    A side finds, at 18 places, the strongest step across it; the straight line through two of these places
    that most others agree with wins (all pairs tried), fitted by least squares. Sides without one stay.
    """
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    if not len(quads):
        return quads
    reach = np.maximum(4, short_sides(quads) * band)
    half = 12
    unit = np.linspace(-1, 1, 2 * half + 1, dtype=np.float32)
    offsets = reach[:, None] * unit
    t = np.linspace(0.08, 0.92, _ALONG, dtype=np.float32)
    values, normal = _profiles(grey, quads, offsets, t)
    step = np.abs(values[..., 2:] - values[..., :-2]) * np.exp(-0.5 * (unit[1:-1] / 0.6) ** 2)
    place, strength = step.argmax(-1), step.max(-1)  # (N, 4, T)
    offset = np.take_along_axis(offsets[:, None, None, 1:-1], place[..., None], -1)[..., 0]
    j, k = _PAIRS.T
    slope = (offset[..., k] - offset[..., j]) / (t[k] - t[j])  # (N, 4, P)
    line = offset[..., j, None] + slope[..., None] * (t - t[j][:, None])  # (N, 4, P, T)
    near = np.abs(offset[..., None, :] - line) < np.maximum(1.3, reach / half)[:, None, None, None]
    votes = (near * np.minimum(strength, 40)[..., None, :]).sum(-1)
    votes[np.abs(slope) > 2 * reach[:, None, None]] = 0
    best = votes.argmax(-1)
    inliers = np.take_along_axis(near, best[..., None, None], 2)[:, :, 0]  # (N, 4, T)
    count = inliers.sum(-1)
    sure = (count > 0.4 * _ALONG) & ((strength * inliers).sum(-1) / np.maximum(count, 1) > 4)
    n = np.maximum(count, 1)
    mean_t, mean_o = (inliers * t).sum(-1) / n, (inliers * offset).sum(-1) / n
    dt = (t - mean_t[..., None]) * inliers
    a = (dt * offset).sum(-1) / np.maximum((dt * dt).sum(-1), 1e-6)
    b = mean_o - a * mean_t
    a, b = np.where(sure, a, 0), np.where(sure, b, 0)
    starts = quads + normal * b[..., None]
    ends = quads[:, NEXT] + normal * (a + b)[..., None]
    return _crossings(starts.astype(np.float32), ends.astype(np.float32), quads, 0.6)


def onto_ridge(border: np.ndarray, quads: Floats, band: float = 0.14) -> Floats:
    """Each side moved (offset and slope) to where the border map is brightest on average, shape (N, 4, 2)."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    if not len(quads):
        return quads
    reach = np.maximum(2.0, short_sides(quads) * band).astype(np.float32)
    half = 10
    unit = np.linspace(-1, 1, 2 * half + 1, dtype=np.float32)
    t = np.linspace(0.08, 0.92, _ALONG, dtype=np.float32)
    values, normal = _profiles(border, quads, reach[:, None] * unit, t)
    scores = []
    slopes = np.linspace(-0.7, 0.7, 7, dtype=np.float32)
    rows = np.arange(_ALONG)[:, None]
    for slope in slopes:  # shift each place's profile by the slope, then average along the side
        shift = np.round((t - 0.5) * slope * half).astype(int)
        index = np.clip(np.arange(2 * half + 1) + shift[:, None], 0, 2 * half)
        scores.append(values[:, :, rows, index].mean(2))
    score = np.stack(scores, 2) - 0.01 * reach[:, None, None, None] * np.abs(unit)  # (N, 4, S, O)
    best = score.reshape(*score.shape[:2], -1).argmax(-1)
    tilt = slopes[best // len(unit)] * reach[:, None]
    offset = unit[best % len(unit)] * reach[:, None]
    starts = quads + normal * (offset - tilt / 2)[..., None]
    ends = quads[:, NEXT] + normal * (offset + tilt / 2)[..., None]
    return _crossings(starts.astype(np.float32), ends.astype(np.float32), quads, 0.45)
