"""What the cards of one picture have in common: their size. And which of them the picture's edge cuts."""

from __future__ import annotations

import numpy as np

from vision.plane import CardSize
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


def usual_size(quads: Floats, score: np.ndarray, known: CardSize | None = None) -> CardSize | None:
    """How large cards are all over the picture, by those that read surely; None where none does.

    ``known``: from earlier pictures of the same table by a camera that did not move.
    """
    sure = score >= SURE
    return known if known is not None or not sure.any() else CardSize.fitted(quads[sure])


def relative_areas(quads: Floats, size: CardSize) -> np.ndarray:
    """Areas as parts of what a card would have there, (N,)."""
    return np.asarray(areas(quads) / np.maximum(size.area_at(quads.mean(1)), 1.0))


def unusual(quads: Floats, size: CardSize | None) -> np.ndarray:
    """Which quads are much larger or smaller than cards are there, (N,) bool: a pair of cards, half a card."""
    if size is None or not len(quads):
        return np.zeros(len(quads), bool)
    part = relative_areas(quads, size)
    return np.asarray((part < USUAL[0]) | (part > USUAL[1]))


def large_enough(quads: Floats, size: CardSize | None) -> np.ndarray:
    """Indices of the quads that are not far smaller than cards are there."""
    if size is None or not len(quads):
        return np.arange(len(quads))
    return np.flatnonzero(relative_areas(quads, size) >= LEAST_RELATIVE_AREA)


def cut_off(quads: Floats, score: np.ndarray, width: int, height: int, known: CardSize | None = None) -> np.ndarray:
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
    size = usual_size(quads[~along], score[~along], known)
    small = np.zeros(len(quads), bool) if size is None else relative_areas(quads, size) < FULL_SIZE
    return np.asarray((beyond > OUTSIDE) | (along & small))
