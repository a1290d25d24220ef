"""The finder's net: where cards lie, the whole card from any visible part, and the corners that show an index."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.reader.recipe.net import Residual, convolution

LENGTH = 40.0
"""Half-axes are given as logarithms of their length over this many pixels."""


class Finder(nn.Module):
    """Picture (n, 3, h, w), BGR, (x - 110) / 60, sides multiples of 32 -> four maps of logits and numbers.

    - maps (n, 3, h/2, w/2): inside of cards; visible borders of cards; index places of corners that are seen;
    - depth (n, 1, h/4, w/4): 1 in the middle of a card's visible part, falling to 0 at its rim;
    - geometry (n, 8, h/8, w/8), of the whole card however much of it is covered: offset of its centre (two
      numbers, in units of its longer half-axis), log lengths of the longer and the shorter half-axis, and
      cosine and sine of twice the angle of each;
    - axes (n, 6, h/4, w/4), near a seen corner: log lengths of the half-axes along the card's short and long
      side, cosine and sine of each as it points inwards from that corner.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, d, e, f = 16, 24, 40, 64, 96
        self.down2 = nn.Sequential(
            nn.Conv2d(3, a, 5, 2, 2, bias=False), nn.BatchNorm2d(a), nn.ReLU(True), convolution(a, b, 2)
        )
        self.down8 = nn.Sequential(convolution(b, d, 2), Residual(d))
        self.down16 = nn.Sequential(convolution(d, e, 2), Residual(e))
        self.down32 = nn.Sequential(convolution(e, f, 2), Residual(f), convolution(f, f))
        self.side16, self.side8, self.side4 = nn.Conv2d(f, e, 1), nn.Conv2d(e, d, 1), nn.Conv2d(d, b, 1)
        self.mix16, self.mix8 = convolution(e, e), convolution(d, d)
        self.mix4 = nn.Sequential(convolution(b, b), convolution(b, 32))
        self.fine = nn.Conv2d(32, 8 + 1, 1)  # 2 maps at four places each, and depth
        self.geometry = nn.Sequential(convolution(d, 64), nn.Conv2d(64, 8, 1))
        self.wide = nn.Conv2d(d, 32, 1)  # what the corner head takes straight from the wider view
        self.corner = nn.Sequential(convolution(32, 48), nn.Conv2d(48, 4 + 6, 1))  # heat at four places, and axes

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        def up(small: Tensor, like: Tensor) -> Tensor:
            return F.interpolate(small, size=like.shape[2:], mode="nearest")

        x4 = self.down2(x)
        x8 = self.down8(x4)
        x16 = self.down16(x8)
        p = self.mix16(x16 + up(self.side16(self.down32(x16)), x16))
        p = self.mix8(x8 + up(self.side8(p), x8))
        near = self.mix4(x4 + up(self.side4(p), x4))
        fine, corner = self.fine(near), self.corner(near + up(self.wide(p), near))
        maps = F.pixel_shuffle(torch.cat([fine[:, :8], corner[:, :4]], 1), 2)
        return maps, fine[:, 8:], self.geometry(p), corner[:, 4:]


def normalise(pictures: np.ndarray) -> Tensor:
    """Pictures (n, h, w, 3), BGR bytes -> what the net takes."""
    x = torch.from_numpy(np.ascontiguousarray(pictures)).permute(0, 3, 1, 2).float()
    return ((x - 110) / 60).contiguous(memory_format=torch.channels_last)
