"""Which card a straightened crop shows: a small network that answers rank, suit, how well it fits, and a vector."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from vision.weights import open_weights

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("c", "d", "h", "s")
SPANISH_RANKS = tuple(range(1, 13))
SPANISH_SUITS = ("b", "c", "e", "o")
VECTOR = 128
"""Length of the vectors by which an enrolled deck is read."""
_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Readings:
    """What the reader says of N crops.

    Attributes:
        ranks: (N, 13) probabilities in the order of ``RANKS``.
        suits: (N, 4) probabilities in the order of ``SUITS``.
        quality: (N,) 0 = no card, or the quad is wrong; 1 = the quad fits exactly one card, however much is covered.
        spanish_ranks: (N, 12) probabilities of 1 to 12, should it be a Spanish card.
        spanish_suits: (N, 4) probabilities in the order of ``SPANISH_SUITS``.
        vectors: (N, 128) unit vectors: close for two crops of one card, whatever its deck.
    """

    ranks: np.ndarray
    suits: np.ndarray
    quality: np.ndarray
    spanish_ranks: np.ndarray
    spanish_suits: np.ndarray
    vectors: np.ndarray

    @property
    def score(self) -> np.ndarray:
        """Probability of the best rank times quality, (N,)."""
        return np.asarray(self.ranks.max(1) * self.quality) if len(self.ranks) else np.zeros(0, np.float32)

    def of(self, index: np.ndarray | list[int]) -> Readings:
        """The readings of some of the crops."""
        return Readings(*(getattr(self, field.name)[index] for field in fields(self)))


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(1, keepdims=True))
    return np.asarray(e / e.sum(1, keepdims=True))


def _of_length_one(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6))


class ReaderNet:
    """``models/reader/reader.onnx``."""

    def __init__(self) -> None:
        self._net = open_weights("reader/reader.onnx")
        scale = 1 / (255 * _DEVIATION)
        self._scale, self._shift = scale, -_MEAN / _DEVIATION

    def read(self, crops: np.ndarray, both_ways: bool = True) -> Readings:
        """Readings of crops (N, 144, 96, 3) uint8 BGR; ``both_ways``: mean of upright and upside down."""
        if not len(crops):
            widths = (len(RANKS), len(SUITS), len(SPANISH_RANKS), len(SPANISH_SUITS), VECTOR)
            ranks, suits, spanish_ranks, spanish_suits, vectors = (np.zeros((0, w), np.float32) for w in widths)
            return Readings(ranks, suits, np.zeros(0, np.float32), spanish_ranks, spanish_suits, vectors)
        turns = [self._outputs(crops)]
        if both_ways:
            turns.append(self._outputs(crops[:, ::-1, ::-1]))
        means = (np.mean(np.stack(parts), 0) for parts in zip(*turns, strict=True))
        ranks, suits, quality, spanish_ranks, spanish_suits, vectors = means
        return Readings(ranks, suits, quality, spanish_ranks, spanish_suits, _of_length_one(vectors))

    def _outputs(self, crops: np.ndarray) -> tuple[np.ndarray, ...]:
        """One turn's probabilities and vectors, in the order of ``Readings``."""
        answers, vectors = [], []
        for start in range(0, len(crops), _BATCH):
            batch = crops[start : start + _BATCH]
            fed = np.empty((len(batch), 3, *batch.shape[1:3]), np.float32)
            for channel in range(3):  # BGR to RGB planes
                np.multiply(batch[..., 2 - channel], self._scale[channel], out=fed[:, channel])
                fed[:, channel] += self._shift[channel]
            answer, vector = self._net.run(None, {"x": fed})
            answers.append(answer)
            vectors.append(vector)
        out = np.concatenate(answers)
        return (
            _softmax(out[:, :13]),
            _softmax(out[:, 13:17]),
            1 / (1 + np.exp(-out[:, 17])),
            _softmax(out[:, 18:30]),
            _softmax(out[:, 30:34]),
            np.concatenate(vectors),
        )
