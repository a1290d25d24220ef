"""How probable it is that a crop shows the enrolled card that it is most like.

Everything that a comparison knows goes into one logistic regression: how alike the crop and the card are, how
much more alike than the crop and other cards, whether what the reader itself reads is a card of the deck at all,
how well the crop fits a card, and how much of its sides is seen. An unknown card is as unlike every enrolled one
as a known card never is, and its letters are those of no card of the deck: that is what keeps it unread. The
coefficients belong to the reader's weights and lie beside them (``models/reader/comparing.json``, fitted by
``models/reader/recipe/compare.py`` on decks and pictures that no training saw).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision.confidence import odds
from vision.errors import MissingWeights
from vision.weights import MODELS

FILE = "reader/comparing.json"


OTHER = "other"
"""Stands for all families of decks that the reader cannot read itself."""


def features(
    likeness: np.ndarray, share: np.ndarray, own: np.ndarray, quality: np.ndarray, seen: np.ndarray
) -> np.ndarray:
    """(N, 6): constant, likeness to the best rank, odds of that rank's share, logarithm of what the reader's own
    reading leaves to the cards of the deck, odds of the quality, share of the sides that is seen."""
    return np.stack([np.ones_like(likeness), likeness, odds(share), own, odds(quality), seen], -1)


@dataclass(frozen=True)
class Comparison:
    """What turns likeness into probability.

    Attributes:
        sharpness: likenesses (-1 to 1) times this are the logarithms of the cards' shares.
        letters: by family of decks that the reader knows, weight of what it reads itself (rank and suit) beside
            the likeness.
        rank: by family (or ``OTHER``), coefficients of ``features``.
        rank_sure: probability from which a rank counts as read.
        alike: two different cards of one deck that are more alike than this are easily taken for each other.
    """

    sharpness: float
    letters: Mapping[str, float]
    rank: Mapping[str, tuple[float, ...]]
    rank_sure: float
    alike: float

    @classmethod
    def shipped(cls) -> Comparison:
        """The one that belongs to the shipped reader.

        Raises:
            MissingWeights: it is not there or unreadable.
        """
        try:
            facts = json.loads((MODELS / FILE).read_text(encoding="utf-8"))
            return cls(
                float(facts["sharpness"]),
                {str(family): float(weight) for family, weight in facts["letters"].items()},
                {str(family): tuple(map(float, weights)) for family, weights in facts["rank"].items()},
                float(facts["rank_sure"]),
                float(facts["alike"]),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
            raise MissingWeights(
                "il manque le fichier de poids {file} ; réinstallez trut", file=f"models/{FILE}"
            ) from problem

    def probability(self, family: str, features: np.ndarray) -> np.ndarray:
        """Probability that a card lies there and its best rank is right, (N,), from ``features`` (N, 6)."""
        weights = np.array(self.rank.get(family, self.rank[OTHER]))
        return np.asarray(1 / (1 + np.exp(-features @ weights)))
