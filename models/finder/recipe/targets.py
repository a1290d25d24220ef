"""What the finder should answer for a picture whose quads are known, and the loss against it."""

from __future__ import annotations

from dataclasses import dataclass, fields

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from models.reader.recipe.quads import Quad

from .corners import corner_truth
from .net import LENGTH

HOLE = 255
"""Mark of what lies over the cards in the map of visible cards."""


@dataclass(frozen=True)
class Target:
    """Arrays for one picture of h x w pixels.

    maps (2, h/2, w/2): inside, border; depth (h/4, w/4); geometry (8, h/8, w/8); weight (h/2, w/2): 0 where
    nothing is known; card_weight (h/8, w/8): 1 over the root of the card's visible size, 0 outside cards.
    heat, heat_weight, axes, axes_weight: see `corners.CornerTruth`.
    """

    maps: np.ndarray
    depth: np.ndarray
    geometry: np.ndarray
    weight: np.ndarray
    card_weight: np.ndarray
    heat: np.ndarray
    heat_weight: np.ndarray
    axes: np.ndarray
    axes_weight: np.ndarray


FIELDS = tuple(f.name for f in fields(Target))


def fill(mask: np.ndarray, polygon: np.ndarray, value: int) -> None:
    """Fill a polygon given in picture pixels into a map of half the size, to a sixteenth of a pixel."""
    points = np.int32(np.round((np.asarray(polygon, float) / 2 - 0.5) * 16))
    cv2.fillPoly(mask, [points], value, cv2.LINE_8, 4)


def half_axes(quad: Quad) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centre, longer and shorter half-axis of a quad (vectors)."""
    q = np.asarray(quad, float)
    a, b = (q[2] + q[3] - q[0] - q[1]) / 4, (q[1] + q[2] - q[0] - q[3]) / 4
    return (q.mean(0), a, b) if np.hypot(*a) >= np.hypot(*b) else (q.mean(0), b, a)


def target(
    quads: list[Quad],
    holes: list[np.ndarray],
    unknown: list[np.ndarray],
    height: int,
    width: int,
    face_up: list[bool] | None = None,
) -> Target:
    """Quads in the order in which they were laid, holes: outlines of hands, unknown: areas without truth."""
    h, w = height // 2, width // 2
    owner = np.zeros((h, w), np.uint8)
    for k, quad in enumerate(quads):
        fill(owner, quad, k + 1)
    for hole in holes:
        fill(owner, hole, HOLE)
    silent = np.zeros((h, w), np.uint8)
    for area in unknown:
        fill(silent, area, 1)
    border = np.zeros((h, w), bool)
    for step in (owner[:, 1:] != owner[:, :-1], owner[1:] != owner[:-1]):
        if step.shape[1] < w:
            border[:, 1:] |= step
            border[:, :-1] |= step
        else:
            border[1:] |= step
            border[:-1] |= step
    maps = np.stack([(owner > 0) & (owner < HOLE), border]).astype(np.float32)
    depth = np.zeros((h // 2, w // 2), np.float32)
    geometry = np.zeros((8, h // 4, w // 4), np.float32)
    card_weight = np.zeros((h // 4, w // 4), np.float32)
    y, x = np.mgrid[: h // 4, : w // 4].astype(np.float32) * 8 + 1.5
    quarter, eighth = owner[::2, ::2], owner[::4, ::4]
    for k, quad in enumerate(quads):
        mine = quarter == k + 1
        if mine.sum() < 2:
            continue
        x0, y0 = np.clip(np.floor(quad.min(0) / 4).astype(int) - 1, 0, None)
        x1, y1 = np.ceil(quad.max(0) / 4).astype(int) + 2
        part = (slice(y0, y1), slice(x0, x1))
        inside = cv2.copyMakeBorder(mine[part].astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        far = cv2.distanceTransform(inside, cv2.DIST_L2, 3)[1:-1, 1:-1]
        depth[part][mine[part]] = (far / far.max())[mine[part]]
        centre, a, b = half_axes(quad)
        la, lb = max(np.hypot(*a), 1e-3), max(np.hypot(*b), 1e-3)
        ta, tb = 2 * np.arctan2(a[1], a[0]), 2 * np.arctan2(b[1], b[0])
        here = eighth == k + 1
        geometry[0][here] = (centre[0] - x[here]) / la
        geometry[1][here] = (centre[1] - y[here]) / la
        for j, v in enumerate(
            (np.log(la / LENGTH), np.log(lb / LENGTH), np.cos(ta), np.sin(ta), np.cos(tb), np.sin(tb))
        ):
            geometry[2 + j][here] = v
        card_weight[here] = 1 / np.sqrt(mine.sum())
    weight = 1 - silent.astype(np.float32)
    card_weight[silent[::4, ::4] > 0] = 0
    corner = corner_truth(quads, face_up or [True] * len(quads), owner, silent)
    return Target(
        maps, depth, geometry, weight, card_weight, corner.heat, corner.heat_weight, corner.axes, corner.axes_weight
    )


def loss_of(out: tuple[Tensor, ...], truth: dict[str, Tensor]) -> tuple[Tensor, tuple[float, ...]]:
    """Loss, and what to print: cross entropy, Dice of inside and of border, depth, geometry, heat, axes.

    `truth` holds the arrays of `Target`, stacked, by their names.
    """
    got, deep, shape, axes = (t.float() for t in out)
    maps, weight, card = truth["maps"], truth["weight"], truth["card_weight"]
    heat, got = got[:, 2], got[:, :2]
    emphasis = torch.ones_like(maps)
    emphasis[:, 1] += 4 * maps[:, 1]
    emphasis = emphasis * weight[:, None]
    entropy = (F.binary_cross_entropy_with_logits(got, maps, reduction="none") * emphasis).sum()
    entropy = entropy / weight.sum().clamp(min=1) / 2
    p, y = got.sigmoid() * weight[:, None], maps * weight[:, None]
    dice = 1 - (2 * (p * y).sum((0, 2, 3)) + 1) / ((p + y).sum((0, 2, 3)) + 1)
    quarter = weight[:, ::2, ::2]
    deepness = F.binary_cross_entropy_with_logits(deep[:, 0], truth["depth"], reduction="none") * quarter
    deepness = deepness.sum() / quarter.sum().clamp(min=1)
    shapes = F.smooth_l1_loss(shape, truth["geometry"], reduction="none", beta=0.1) * card[:, None]
    shapes = shapes.sum() / card.sum().clamp(min=1e-3) / 8
    corners = truth["axes_weight"].sum().clamp(min=3 * len(card))  # a batch almost without corners weighs little
    # Quality focal loss (Li et al. 2020, "Generalized focal loss"): soft targets, easy places count little.
    focus = (heat.sigmoid() - truth["heat"]).square() * truth["heat_weight"]
    peaks = F.binary_cross_entropy_with_logits(heat, truth["heat"], reduction="none") * focus
    peaks = peaks.sum() / corners
    turns = F.smooth_l1_loss(axes, truth["axes"], reduction="none", beta=0.1) * truth["axes_weight"][:, None]
    turns = turns.sum() / corners / 6
    loss = entropy + 0.5 * dice.mean() + deepness + 2 * shapes + 0.25 * peaks + 2 * turns
    parts = (entropy, 1 - dice[0], 1 - dice[1], deepness, shapes, peaks, turns)
    return loss, tuple(x.item() for x in parts)
