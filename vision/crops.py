"""Cards cut out of the picture and laid straight, ready for the reader."""

from __future__ import annotations

import cv2
import numpy as np

from vision.quads import Floats, short_sides

CROP_WIDTH, CROP_HEIGHT = 96, 144
MARGIN = 0.03
"""Part of the crop that shows the surroundings of the card, on each side."""

Picture = np.ndarray  # (height, width, 3) uint8, BGR

_px, _py = MARGIN * CROP_WIDTH, MARGIN * CROP_HEIGHT
_UPRIGHT = np.array(
    [[_px, _py], [CROP_WIDTH - _px, _py], [CROP_WIDTH - _px, CROP_HEIGHT - _py], [_px, CROP_HEIGHT - _py]],
    np.float32,
)


class Pyramid:
    """A picture at full size, half size and so on; a crop is taken where its card is about as large.

    Warping a large card straight to 96x144 would skip most of its pixels and make the pips flicker.
    """

    def __init__(self, picture: Picture, levels: int = 5) -> None:
        self.levels = [picture]
        self._scales = [np.ones(2, np.float32)]
        while len(self.levels) < levels and min(self.levels[-1].shape[:2]) >= 2 * CROP_WIDTH:
            last = self.levels[-1]
            half = cv2.resize(last, (last.shape[1] // 2, last.shape[0] // 2), interpolation=cv2.INTER_AREA)
            self.levels.append(half)
            self._scales.append(
                np.array([half.shape[1] / picture.shape[1], half.shape[0] / picture.shape[0]], np.float32)
            )

    def seen_at(self, side: int) -> tuple[Picture, np.ndarray]:
        """The smallest level whose longer side has at least ``side`` pixels (the first if none has), and its scale
        along x and y: shrinking it further is quick.
        """
        k = max([0, *(i for i, level in enumerate(self.levels) if max(level.shape[:2]) >= side)])
        return self.levels[k], self._scales[k]

    def crops(self, quads: Floats) -> np.ndarray:
        """The quads (in order) laid straight: (N, 144, 96, 3) uint8 BGR."""
        quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
        shrink = short_sides(quads) / CROP_WIDTH
        level = np.clip(np.floor(np.log2(np.maximum(shrink, 1e-3) / 1.4)) + 1, 0, len(self.levels) - 1).astype(int)
        out = np.empty((len(quads), CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)
        for i, quad in enumerate(quads):
            matrix = cv2.getPerspectiveTransform(quad * self._scales[level[i]], _UPRIGHT)
            out[i] = cv2.warpPerspective(
                self.levels[level[i]],
                matrix,
                (CROP_WIDTH, CROP_HEIGHT),
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
        return out
