"""Which card a straightened crop shows: a small network that answers rank, suit, and how well it fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.weights import open_weights

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("c", "d", "h", "s")
_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Readings:
    """What the reader says of N crops.

    Attributes:
        ranks: (N, 13) probabilities in the order of ``RANKS``.
        suits: (N, 4) probabilities in the order of ``SUITS``.
        quality: (N,) 0 = no card, 1 = the crop shows exactly one card.
    """

    ranks: np.ndarray
    suits: np.ndarray
    quality: np.ndarray

    @property
    def score(self) -> np.ndarray:
        """Probability of the best rank times quality, (N,)."""
        return np.asarray(self.ranks.max(1) * self.quality) if len(self.ranks) else np.zeros(0, np.float32)

    def of(self, index: np.ndarray | list[int]) -> Readings:
        """The readings of some of the crops."""
        return Readings(self.ranks[index], self.suits[index], self.quality[index])


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(1, keepdims=True))
    return np.asarray(e / e.sum(1, keepdims=True))


class ReaderNet:
    """``models/reader/reader.onnx``."""

    def __init__(self) -> None:
        self._net = open_weights("reader/reader.onnx")
        scale = 1 / (255 * _DEVIATION)
        self._scale, self._shift = scale, -_MEAN / _DEVIATION

    def read(self, crops: np.ndarray, both_ways: bool = True) -> Readings:
        """Readings of crops (N, 144, 96, 3) uint8 BGR; ``both_ways``: mean of upright and upside down."""
        if not len(crops):
            return Readings(np.zeros((0, 13), np.float32), np.zeros((0, 4), np.float32), np.zeros(0, np.float32))
        outputs = [self._outputs(crops)]
        if both_ways:
            outputs.append(self._outputs(crops[:, ::-1, ::-1]))
        ranks, suits, quality = (np.mean(np.stack(parts), 0) for parts in zip(*outputs, strict=True))
        return Readings(ranks, suits, quality)

    def _outputs(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        logits = []
        for start in range(0, len(crops), _BATCH):
            batch = crops[start : start + _BATCH]
            fed = np.empty((len(batch), 3, *batch.shape[1:3]), np.float32)
            for channel in range(3):  # BGR to RGB planes
                np.multiply(batch[..., 2 - channel], self._scale[channel], out=fed[:, channel])
                fed[:, channel] += self._shift[channel]
            logits.append(self._net.run(None, {"x": fed})[0])
        out = np.concatenate(logits)
        return _softmax(out[:, :13]), _softmax(out[:, 13:17]), 1 / (1 + np.exp(-out[:, 17]))
