"""Which letters a family of decks prints, and where the reader and the index reader keep them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.indices import IndexReadings
from vision.reader import RANKS, SPANISH_RANKS, SPANISH_SUITS, SUITS, Readings

Words = tuple[tuple[str, ...], tuple[str, ...]]
"""Ranks and suits as the record spells them, in the order of the reader's answers."""


@dataclass(frozen=True)
class Letters:
    """The answers that count for a family of decks.

    Attributes:
        words: its ranks and suits as the record spells them.
        ranks, suits: the fields of ``Readings`` that hold them.
        columns: which of the index reader's ranks these ranks are, in their order.
        suited: whether an index shows the suit.
    """

    words: Words
    ranks: str
    suits: str
    columns: tuple[int, ...]
    suited: bool

    def of(self, readings: Readings) -> tuple[np.ndarray, np.ndarray]:
        """The reader's ranks (N, R) and suits (N, S)."""
        return getattr(readings, self.ranks), getattr(readings, self.suits)

    def liking(self, readings: Readings) -> np.ndarray:
        """Probability of the best rank, (N,)."""
        return np.asarray(getattr(readings, self.ranks).max(1, initial=0))

    def score(self, readings: Readings) -> np.ndarray:
        """Probability of the best rank times quality, (N,)."""
        return np.asarray(self.liking(readings) * readings.quality)

    def put(self, readings: Readings, ranks: np.ndarray, suits: np.ndarray) -> Readings:
        """The readings with other ranks and suits."""
        return replace(readings, **{self.ranks: ranks, self.suits: suits})

    def said(self, indices: IndexReadings) -> np.ndarray:
        """What indices say of these ranks, (N, R)."""
        return np.asarray(indices.ranks[:, self.columns])


FRENCH = Letters((RANKS, SUITS), "ranks", "suits", tuple(range(13)), suited=True)
SPANISH = Letters(
    (tuple(map(str, SPANISH_RANKS)), SPANISH_SUITS),
    "spanish_ranks",
    "spanish_suits",
    (*range(10), 13, 14),
    suited=False,
)
"""Spanish indices are numbers 1 to 12; the suit is in the pips and in the gaps of the frame."""
LETTERS = {"french": FRENCH, "spanish": SPANISH}
"""The families of decks that the reader knows."""
