"""What may be cards in a picture, before any name is given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.quads import Floats
from vision.reader import Readings


@dataclass(frozen=True)
class Candidates:
    """N places that may hold a card.

    Attributes:
        quads: (N, 4, 2) picture pixels, in order.
        readings: of the whole card and its indices together; of the index above all where ``alone``.
        seen: (N,) share of the sides that is seen; where ``alone``, how nearly the card's size is that of the others.
        index: (N,) how surely an index in one of the corners names the best rank, 0 where none does.
        alone: (N,) bool, nothing but an index can be trusted: the card is covered or cut by the picture's edge.
        looks: (N, ...) as ``vision.looks`` makes them, for decks that compare them; None: not asked for.
    """

    quads: Floats
    readings: Readings
    seen: np.ndarray
    index: np.ndarray
    alone: np.ndarray
    looks: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.quads)

    def of(self, kept: np.ndarray | list[int]) -> Candidates:
        """Some of them: a mask (N,) or indices."""
        looks = self.looks[kept] if self.looks is not None else None
        return Candidates(
            self.quads[kept], self.readings.of(kept), self.seen[kept], self.index[kept], self.alone[kept], looks
        )
