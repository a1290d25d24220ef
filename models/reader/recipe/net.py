"""The reader's net: one straightened card crop in, rank, suit and quality out."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("c", "d", "h", "s")
SPANISH_RANKS = tuple(range(1, 13))
SPANISH_SUITS = ("b", "c", "e", "o")
VECTOR = 128
"""Length of the vector that tells one card from all others, of whatever deck."""
ANSWERS = len(RANKS) + len(SUITS) + 1 + len(SPANISH_RANKS) + len(SPANISH_SUITS)
WIDTH, HEIGHT = 96, 144
MARGIN = 0.03
"""Share of the crop left free round the card on every side."""

MEAN = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
DEVIATION = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)


def convolution(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """Convolution, batch normalisation, rectifier."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(True),
    )


class Residual(nn.Module):
    """Two 3x3 convolutions round a short cut (He et al. 2016, "Deep residual learning")."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = convolution(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class Reader(nn.Module):
    """Crop (n, 3, 144, 96), RGB, ImageNet-normalised -> answers (n, 34) and unit vectors (n, 128).

    Answers: logits of 13 French ranks, 4 French suits, of the quality, of 12 Spanish ranks, 4 Spanish suits.
    The vectors of two views of one card are close, whatever its deck: a deck that was shown once is read by them.

    Dense 3x3 convolutions throughout: on a laptop core they are quicker than depthwise ones of the
    same strength. The last map keeps its 9x6 places (no pooling), because where a letter or a pip
    stands is what tells a rank.
    """

    def __init__(self, features: int = 192) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(3, 16, 5, 2, 2, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU(True),
            convolution(16, 32, 2),
            Residual(32),
            convolution(32, 64, 2),
            Residual(64),
            convolution(64, 96, 2),
            Residual(96),
            Residual(96),
        )
        self.reduce = convolution(96, 48, kernel=1)
        self.mix = nn.Sequential(nn.Linear(48 * 54, features), nn.BatchNorm1d(features), nn.ReLU(True))
        self.out = nn.Linear(features, ANSWERS)
        self.sketch = convolution(96, 48, kernel=1)
        self.vector = nn.Sequential(nn.Linear(48 * 54, VECTOR), nn.BatchNorm1d(VECTOR))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        places = self.trunk(x)
        answers = self.out(self.mix(self.reduce(places).flatten(1)))
        return answers, nn.functional.normalize(self.vector(self.sketch(places).flatten(1)))


def normalise(crops: np.ndarray) -> Tensor:
    """Crops (n, 144, 96, 3), BGR bytes -> what the net takes."""
    x = torch.from_numpy(np.ascontiguousarray(crops)).permute(0, 3, 1, 2).flip(1).float()
    x = (x / 255 - MEAN) / DEVIATION
    return x.contiguous(memory_format=torch.channels_last)
