"""What the corner head should answer: the index places of face-up cards that are seen, and the axes there.

The index place of a corner lies where a card prints its rank: a little in from both sides. A corner is seen
where the zone round that place is not covered and not out of the picture. In the heat map a seen corner is a
peak; beside it stand the half-axes of the whole card, pointing inwards from that corner, so that one corner
alone says where the card lies.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.reader.recipe.quads import Quad, sides

from .net import LENGTH

PLACE = (0.12, 0.14)
"""The index place from a corner: along the short side, along the long side, as shares of these sides."""
ZONE = ((0.01, 0.23), (0.0, 0.28))
"""The zone round it that must be seen, in the same shares."""
WINDOW = (0.33, 0.33)
"""What a reader of indices looks at, from the corner, in the same shares: 0.33 and 0.47 card widths."""
SEEN, HIDDEN = 0.85, 0.65
"""Corners of which at least SEEN of the zone is visible are peaks; between the two the head may answer as it likes."""
SIGMA, LEAST_SIGMA = 0.045, 1.6
"""Width of a peak: share of the card's short side, at least so many pixels."""
REACH, LEAST_REACH = 0.1, 3.0
"""The axes are asked for that near to a peak, in the same measures."""


@dataclass(frozen=True)
class CornerTruth:
    """Arrays for one picture of h x w pixels.

    heat (h/2, w/2): 1 at the index places of seen corners, falling like a bell; heat_weight (h/2, w/2): 0 where
    nothing is asked; axes (6, h/4, w/4): log lengths of the half-axes along the short and the long side over
    LENGTH, cosine and sine of the first and of the second; axes_weight (h/4, w/4): one in sum for each corner.
    """

    heat: np.ndarray
    heat_weight: np.ndarray
    axes: np.ndarray
    axes_weight: np.ndarray


def zone_points() -> np.ndarray:
    """Points of the zones of the four corners in the unit square, (4, 48, 2)."""
    x, y = np.meshgrid(np.linspace(*ZONE[0], 6), np.linspace(*ZONE[1], 8))
    one = np.stack([x.ravel(), y.ravel()], 1)
    return np.stack([one, one * [-1, 1] + [1, 0], 1 - one, one * [1, -1] + [0, 1]])


ZONES = zone_points()
PLACES = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * PLACE
UNIT_SQUARE = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])


def on_card(quad: Quad, points: np.ndarray) -> np.ndarray:
    """Points of the unit square (x along the first side) -> picture pixels."""
    turn = cv2.getPerspectiveTransform(UNIT_SQUARE, np.float32(quad))
    return cv2.perspectiveTransform(np.float32(points).reshape(-1, 1, 2), turn).reshape(-1, 2)


def corner_truth(quads: list[Quad], face_up: list[bool], owner: np.ndarray, silent: np.ndarray) -> CornerTruth:
    """Truth of the corner head; `owner` (h/2, w/2): card number from 1 at each place, `silent`: 1 without truth."""
    h, w = owner.shape
    heat, heat_weight = np.zeros((h, w), np.float32), 1 - silent.astype(np.float32)
    axes, axes_weight = np.zeros((6, h // 2, w // 2), np.float32), np.zeros((h // 2, w // 2), np.float32)
    for k, quad in enumerate(quads):
        if not face_up[k] or not (owner == k + 1).any():
            continue
        points = on_card(quad, np.concatenate([ZONES.reshape(-1, 2), PLACES]))
        places = points[-4:]
        mine, unknown = _shares(points[:-4], owner == k + 1), _shares(points[:-4], silent > 0)
        width = sides(quad)[0]
        for corner in range(4):
            if mine[corner] < HIDDEN and unknown[corner] == 0:
                continue
            if unknown[corner] > 1 - SEEN or mine[corner] < SEEN:
                _bell(heat_weight, places[corner], max(LEAST_SIGMA, SIGMA * width) * 1.5, silence=True)
                continue
            _bell(heat, places[corner], max(LEAST_SIGMA, SIGMA * width))
            _set_axes(axes, axes_weight, quad, corner, places[corner], max(LEAST_REACH, REACH * width))
    return CornerTruth(heat, heat_weight, axes, axes_weight)


def _shares(points: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Which share of the points of each corner (a quarter of the points) lies on a mask of half the size, (4,)."""
    at = np.floor(points / 2 + 0.25).astype(int)
    inside = (at >= 0).all(1) & (at[:, 0] < mask.shape[1]) & (at[:, 1] < mask.shape[0])
    at[~inside] = 0
    return (inside & mask[at[:, 1], at[:, 0]]).reshape(4, -1).mean(1)


def _window(place: np.ndarray, reach: float, stride: float, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    """Rows and columns of a map of that stride within `reach` pixels of a place; None outside the map."""
    low = np.floor((place - reach) / stride).astype(int)
    high = np.ceil((place + reach) / stride).astype(int) + 1
    x0, y0 = np.maximum(low, 0)
    x1, y1 = min(int(high[0]), shape[1]), min(int(high[1]), shape[0])
    return (slice(int(y0), y1), slice(int(x0), x1)) if x0 < x1 and y0 < y1 else None


def _grid(part: tuple[slice, slice], stride: int, first: float) -> tuple[np.ndarray, np.ndarray]:
    """Picture x (1, columns) and y (rows, 1) of the cells of a part of a map."""
    rows, columns = part
    x = np.arange(columns.start, columns.stop, dtype=np.float32) * stride + first
    y = np.arange(rows.start, rows.stop, dtype=np.float32) * stride + first
    return x[None], y[:, None]


def _bell(heat: np.ndarray, place: np.ndarray, sigma: float, silence: bool = False) -> None:
    """Raise a bell of `sigma` pixels in a map of half the size, or silence a disc of that size (in place)."""
    part = _window(place, 3 * sigma, 2, heat.shape)
    if part is None:
        return
    x, y = _grid(part, 2, 0.5)
    far = (x - place[0]) ** 2 + (y - place[1]) ** 2
    if silence:
        heat[part][far < (2 * sigma) ** 2] = 0
    else:
        np.maximum(heat[part], np.exp(-far / (2 * sigma**2)), out=heat[part])


def _set_axes(axes: np.ndarray, weight: np.ndarray, quad: Quad, corner: int, place: np.ndarray, reach: float) -> None:
    """Ask for the axes of a card round one of its corners (in place)."""
    part = _window(place, reach, 4, weight.shape)
    if part is None:
        return
    q = np.asarray(quad, float)
    right, down = (q[1] + q[2] - q[0] - q[3]) / 4, (q[2] + q[3] - q[0] - q[1]) / 4
    short = right if corner in (0, 3) else -right
    long = down if corner in (0, 1) else -down
    x, y = _grid(part, 4, 1.5)
    near = (x - place[0]) ** 2 + (y - place[1]) ** 2 < reach**2
    near &= weight[part] == 0  # where corners crowd, the first keeps its cells
    if not near.any():
        return
    values: list[float] = []
    for v in (short, long):
        values.append(float(np.log(max(np.hypot(*v), 1e-3) / LENGTH)))
    for v in (short, long):
        values += (v / max(np.hypot(*v), 1e-3)).tolist()
    axes[:, part[0], part[1]][:, near] = np.float32(values)[:, None]
    weight[part][near] = 1 / near.sum()


def place_of(quad: Quad, corner: int) -> np.ndarray:
    """The index place of a corner, in picture pixels."""
    return on_card(quad, PLACES[corner : corner + 1])[0]


def window_of(quad: Quad, corner: int) -> np.ndarray:
    """The four corners of the zone in which an index is read, (4, 2), from the corner of the card onwards."""
    x, y = WINDOW
    one = np.array([[0, 0], [x, 0], [x, y], [0, y]])
    turned = (one, one * [-1, 1] + [1, 0], 1 - one, one * [1, -1] + [0, 1])[corner]
    return on_card(quad, turned)


def seen_shares(quad: Quad, owner: np.ndarray, number: int) -> np.ndarray:
    """Which share of the zone of each corner is seen, (4,)."""
    return _shares(on_card(quad, ZONES.reshape(-1, 2)), owner == number)
