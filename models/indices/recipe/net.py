"""The index reader's net: one small window round a card's corner in, rank, suit and quality out."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from models.reader.recipe.net import DEVIATION, MEAN, Residual, convolution

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "11", "12")
"""What an index says, by whatever glyph: 1 = A, R = K, D = Q, V and B = J; 11 and 12 are Spanish figures."""

SUITS = ("c", "d", "h", "s")
WIDTH, HEIGHT = 40, 54

LEFT, TOP, RIGHT, BOTTOM = -0.05, -0.05, 0.33, 0.47
"""The window round a card's corner, in short sides of the card, from the corner inwards."""


class IndexReader(nn.Module):
    """Window (n, 3, 54, 40), RGB, ImageNet-normalised -> (n, 20): 15 ranks, 4 suits, quality logit.

    As in the card reader the last map keeps its 7 x 5 places: where a glyph stands tells an index from
    a pip, and a 6 from a 9 that lies on its head.
    """

    def __init__(self, features: int = 128) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(3, 24, 5, 2, 2, bias=False),
            nn.BatchNorm2d(24),
            nn.ReLU(True),
            convolution(24, 24),
            convolution(24, 48, 2),
            Residual(48),
            convolution(48, 96, 2),
            Residual(96),
        )
        self.reduce = convolution(96, 32, kernel=1)
        self.mix = nn.Sequential(nn.Linear(32 * 35, features), nn.BatchNorm1d(features), nn.ReLU(True))
        self.out = nn.Linear(features, len(RANKS) + len(SUITS) + 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.mix(self.reduce(self.trunk(x)).flatten(1)))


def normalise(windows: np.ndarray) -> Tensor:
    """Windows (n, 54, 40, 3), BGR bytes -> what the net takes."""
    x = torch.from_numpy(np.ascontiguousarray(windows)).permute(0, 3, 1, 2).flip(1).float()
    x = (x / 255 - MEAN) / DEVIATION
    return x.contiguous(memory_format=torch.channels_last)
