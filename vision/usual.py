"""What the cards of one picture have in common: their size. And which of them the picture's edge cuts."""

from __future__ import annotations

import numpy as np

from vision.quads import Floats, areas, common_areas

SURE = 0.7
LEAST_RELATIVE_AREA = 0.3
"""A quad smaller than this part of the usual card is a pip or a court figure."""
USUAL = (0.4, 1.7)
"""From which to which part of the usual area a card is as large as the others."""
OUTSIDE = 0.12
"""Part of a card beyond the picture's edge from which its pips can no longer be counted."""
FULL_SIZE = 0.8
"""A quad along the edge that has this part of the usual area may be a whole card that lies there."""


def usual_area(quads: Floats, score: np.ndarray) -> float | None:
    """Area in square pixels that a card of this picture usually has, None where none reads surely.

    The median of the sure quads weighed by their areas: half a dozen keys of a keyboard that read as aces do
    not outvote the one real card.
    """
    area = np.sort(areas(quads)[score >= SURE])
    if not len(area):
        return None
    return float(area[np.searchsorted(np.cumsum(area), area.sum() / 2)])


def unusual(quads: Floats, usual: float | None) -> np.ndarray:
    """Which quads are much larger or smaller than the usual card, (N,) bool: a pair of cards, half a card."""
    if usual is None:
        return np.zeros(len(quads), bool)
    area = areas(quads)
    return np.asarray((area < USUAL[0] * usual) | (area > USUAL[1] * usual))


def large_enough(quads: Floats, score: np.ndarray) -> np.ndarray:
    """Indices of the quads that are not far smaller than the usual card of the picture."""
    usual = usual_area(quads, score)
    return np.arange(len(quads)) if usual is None else np.flatnonzero(areas(quads) >= LEAST_RELATIVE_AREA * usual)


def cut_off(quads: Floats, score: np.ndarray, width: int, height: int) -> np.ndarray:
    """Which cards are cut by the edge of a picture of this size, (N,) bool: half a six looks like a three.

    A card is cut if part of its quad lies beyond the edge, or if one of its sides runs along the edge and it
    is smaller than the cards that are whole.
    """
    if not len(quads):
        return np.zeros(0, bool)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area = areas(quads)
    beyond = 1 - common_areas(quads, np.broadcast_to(frame, quads.shape)) / np.maximum(area, 1)
    near = 0.008 * max(width, height)
    at_edge = np.stack(
        [
            quads[..., 0] < near,
            quads[..., 0] > width - near,
            quads[..., 1] < near,
            quads[..., 1] > height - near,
        ]
    )  # (4 edges, N, 4 corners)
    along = (at_edge & np.roll(at_edge, -1, axis=2)).any((0, 2))
    usual = usual_area(quads[~along], score[~along])
    small = np.zeros(len(quads), bool) if usual is None else area < FULL_SIZE * usual
    return np.asarray((beyond > OUTSIDE) | (along & small))
