"""How probable it is that a reading is right, from what the reader says and how well the quad lies.

Three logistic regressions: of cards found whole, on the odds of the best rank, the odds of the quality and the share
of the sides that is seen; of cards of which only an index is read, on the odds of the best rank, the odds of
that index and how nearly the card's size is that of the others; of suits, on the odds of the best one. Fitted by
``models/reader/recipe/calibrate.py`` on pictures that no training saw. They belong to the weights, so they
lie beside them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from vision.errors import MissingWeights
from vision.weights import MODELS

FILE = "reader/confidence.json"
NAMED = 0.5
"""How surely an index must name the rank to vouch for a card found whole."""


def odds(p: np.ndarray) -> np.ndarray:
    """Logarithm of the odds of probabilities, kept within what a network can mean."""
    p = np.clip(p, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(p / (1 - p)))


def rank_features(rank: np.ndarray, quality: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(N, 4): constant, odds of the best rank, odds of the quality, share of the sides that is seen."""
    return np.stack([np.ones_like(rank), odds(rank), odds(quality), seen], 1)


def index_features(rank: np.ndarray, index: np.ndarray, fit: np.ndarray) -> np.ndarray:
    """(N, 4): constant, odds of the best rank, odds of the index that names it, fit of the card's size."""
    return np.stack([np.ones_like(rank), odds(rank), odds(index), fit], 1)


def suit_features(suit: np.ndarray) -> np.ndarray:
    """(N, 2): constant, odds of the best suit."""
    return np.stack([np.ones_like(suit), odds(suit)], 1)


@dataclass(frozen=True)
class Confidence:
    """Coefficients of the three regressions and the confidence from which a rank counts as read."""

    rank: tuple[float, ...]
    index: tuple[float, ...]
    suit: tuple[float, ...]
    rank_sure: float

    @classmethod
    def shipped(cls) -> Confidence:
        """The one that belongs to the shipped reader.

        Raises:
            MissingWeights: it is not there or unreadable.
        """
        try:
            facts = json.loads((MODELS / FILE).read_text(encoding="utf-8"))
            return cls(tuple(facts["rank"]), tuple(facts["index"]), tuple(facts["suit"]), float(facts["rank_sure"]))
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise MissingWeights(
                "il manque le fichier de poids {file} ; réinstallez trut", file=f"models/{FILE}"
            ) from problem

    def of_ranks(self, rank: np.ndarray, quality: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """Probability that a card lies there and its best rank is right, (N,)."""
        return np.asarray(1 / (1 + np.exp(-rank_features(rank, quality, seen) @ np.array(self.rank))))

    def of_indices(self, rank: np.ndarray, index: np.ndarray, fit: np.ndarray) -> np.ndarray:
        """Probability that a card of which an index is read is there and its best rank is right, (N,)."""
        return np.asarray(1 / (1 + np.exp(-index_features(rank, index, fit) @ np.array(self.index))))

    def of_cards(
        self, rank: np.ndarray, quality: np.ndarray, seen: np.ndarray, index: np.ndarray, alone: np.ndarray
    ) -> np.ndarray:
        """Probability that cards are there and their best ranks are right, (N,): by the whole card or, where one of
        its corners names the rank, by that index, whichever says more; by the index where it stands ``alone``.
        """
        by_index = self.of_indices(rank, index, seen)
        whole = np.maximum(self.of_ranks(rank, quality, seen), np.where(index >= NAMED, by_index, 0))
        return np.asarray(np.where(alone, by_index, whole))

    def of_suits(self, suit: np.ndarray) -> np.ndarray:
        """Probability that the best suit is right, (N,)."""
        return np.asarray(1 / (1 + np.exp(-suit_features(suit) @ np.array(self.suit))))
