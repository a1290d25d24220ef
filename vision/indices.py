"""What the corners of cards say: a small network that reads the index in a window round a card's corner.

A card that lies under others often shows nothing but a corner; and its index names it even where its art
is unknown. A window is the part of the card round one corner, turned so that the index would stand upright:

* along the short side from ``LEFT`` to ``RIGHT``, along the long side from ``TOP`` to ``BOTTOM``, in short sides
  of the card from the corner inwards, so that a rim of what lies round the card is in it too;
* corners 0 and 1 of a quad in order as the quad stands, corners 2 and 3 turned by 180 degrees, so that corner 2
  looks like corner 0 of the turned card, and corners 1 and 3 have their index at the right edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Pyramid
from vision.quads import Floats, short_sides
from vision.weights import open_weights

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "11", "12")
"""By whatever glyph is printed: 1 is A, R is K, D is Q, V and B are J; 11 and 12 only by figures."""

SUITS = ("c", "d", "h", "s")

WIDTH, HEIGHT = 40, 54
LEFT, TOP, RIGHT, BOTTOM = -0.05, -0.05, 0.33, 0.47

RATIO = 1.47
"""Long side over short side of a card on the table (1.40 poker, 1.54 bridge, 1.55 Spanish and Paris)."""

_FULL_WIDTH = WIDTH / (RIGHT - LEFT)
"""Short side of a card, in pixels, whose window is 40 pixels wide without any scaling."""

_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
_BATCH = 128


@dataclass(frozen=True, slots=True)
class IndexReadings:
    """What the index reader says of N windows.

    Attributes:
        ranks: (N, 15) probabilities in the order of ``RANKS``.
        suits: (N, 4) probabilities in the order of ``SUITS``; they say little where no symbol is in the window.
        quality: (N,) 1 = a complete index stands upright in its place, 0 = none does.
    """

    ranks: NDArray[np.float32]
    suits: NDArray[np.float32]
    quality: NDArray[np.float32]

    @property
    def score(self) -> NDArray[np.float32]:
        """Probability of the best rank times quality, (N,)."""
        return np.asarray(self.ranks.max(1, initial=0) * self.quality, np.float32)

    def of(self, index: NDArray[np.intp] | list[int]) -> IndexReadings:
        """The readings of some of the windows."""
        return IndexReadings(self.ranks[index], self.suits[index], self.quality[index])


def _window_to_card(right: bool) -> np.ndarray:
    """Map (3, 3) from pixels of a window to short sides from the card's corner, y down, x right."""
    x = -RIGHT if right else LEFT
    return np.array([[1 / _FULL_WIDTH, 0, x], [0, (BOTTOM - TOP) / HEIGHT, TOP], [0, 0, 1]])


_TO_CARD = (_window_to_card(False), _window_to_card(True))
_CARD = (
    np.array([[0, 0], [1, 0], [1, RATIO], [0, RATIO]], np.float32),
    np.array([[-1, 0], [0, 0], [0, RATIO], [-1, RATIO]], np.float32),
)


def windows(pyramid: Pyramid, quads: Floats, which: NDArray[np.integer]) -> NDArray[np.uint8]:
    """The windows of corner ``which`` (N,) of quads in order (N, 4, 2): (N, 54, 40, 3) BGR."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    which = np.asarray(which, int).reshape(-1)
    shrink = np.maximum(short_sides(quads), 1e-3) / _FULL_WIDTH
    levels = np.clip(np.floor(np.log2(shrink / 1.4)) + 1, 0, len(pyramid.levels) - 1).astype(int)
    height, width = pyramid.levels[0].shape[:2]
    out = np.empty((len(quads), HEIGHT, WIDTH, 3), np.uint8)
    for i, (quad, corner, number) in enumerate(zip(quads, which, levels, strict=True)):
        level = pyramid.levels[number]
        upright = (np.roll(quad, 2, axis=0) if corner >= 2 else quad) * np.array(
            [level.shape[1] / width, level.shape[0] / height], np.float32
        )
        right = int(corner) % 2
        to_picture = cv2.getPerspectiveTransform(_CARD[right], upright) @ _TO_CARD[right]
        out[i] = cv2.warpPerspective(
            level,
            to_picture,
            (WIDTH, HEIGHT),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return out


def _softmax(x: np.ndarray) -> NDArray[np.float32]:
    e = np.exp(x - x.max(1, keepdims=True))
    return np.asarray(e / e.sum(1, keepdims=True), np.float32)


class IndexNet:
    """``models/indices/indices.onnx``."""

    def __init__(self) -> None:
        self._net = open_weights("indices/indices.onnx")
        self._scale, self._shift = 1 / (255 * _DEVIATION), -_MEAN / _DEVIATION

    def read(self, windows: NDArray[np.uint8]) -> IndexReadings:
        """Readings of windows (N, 54, 40, 3) uint8 BGR, as ``windows`` cuts them."""
        logits = [np.zeros((0, len(RANKS) + len(SUITS) + 1), np.float32)]
        for start in range(0, len(windows), _BATCH):
            batch = windows[start : start + _BATCH]
            fed = np.empty((len(batch), 3, HEIGHT, WIDTH), np.float32)
            for channel in range(3):  # BGR to RGB planes
                np.multiply(batch[..., 2 - channel], self._scale[channel], out=fed[:, channel])
                fed[:, channel] += self._shift[channel]
            logits.append(self._net.run(None, {"x": fed})[0])
        out = np.concatenate(logits)
        if not len(out):
            return IndexReadings(out[:, :15], out[:, 15:19], out[:, 19])
        quality = np.asarray(1 / (1 + np.exp(-out[:, 19])), np.float32)
        return IndexReadings(_softmax(out[:, :15]), _softmax(out[:, 15:19]), quality)
