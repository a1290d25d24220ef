"""The net: eight layers from 40 cepstra every 10 ms to 35 phones every 30 ms, with 0.3 s of sight on either side.

Each layer is one matrix product over spliced frames, a rectifier, and from the third on the sum with what it
was given. So the same net can be written for ONNX, and for Kaldi as plain affine components and ``Sum``.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

PHONE_COUNT = 35
#: Channels of the hidden layers.
WIDTH = 288


@dataclass(frozen=True, slots=True)
class Layer:
    """``kernel`` inputs, ``dilation`` apart, for each output; one output for ``stride`` inputs; ``adds`` its
    input."""

    kernel: int
    stride: int = 1
    dilation: int = 1

    @property
    def adds(self) -> bool:
        return self.kernel == 3 and self.stride == 1


LAYERS = (Layer(5), Layer(3, stride=3), *(Layer(3),) * 3, *(Layer(3, dilation=2),) * 3)
#: Frames seen before and after the middle of an output.
SIGHT = 2 + 1 + 3 * (1 + 1 + 1 + 2 + 2 + 2)


class PhoneNet(nn.Module):
    """Args: width: channels of the hidden layers; drop: share of hidden channels left out while training."""

    mean: torch.Tensor
    deviation: torch.Tensor
    prior: torch.Tensor

    def __init__(self, width: int = WIDTH, drop: float = 0.1) -> None:
        super().__init__()
        inputs = [40 * LAYERS[0].kernel] + [width * layer.kernel for layer in LAYERS[1:]]
        self.affine = nn.ModuleList([nn.Linear(size, width, bias=False) for size in inputs])
        self.norm = nn.ModuleList([nn.BatchNorm1d(width) for _ in LAYERS])
        self.last = nn.Linear(width, PHONE_COUNT)
        self.drop = drop
        self.register_buffer("mean", torch.zeros(40))
        self.register_buffer("deviation", torch.ones(40))
        self.register_buffer("prior", torch.ones(PHONE_COUNT))

    def hidden(self, x: torch.Tensor) -> torch.Tensor:
        """(B, T, 40) cepstra to the activations (B, T', width) before the last layer."""
        x = (x - self.mean) / self.deviation
        for layer, affine, norm in zip(LAYERS, self.affine, self.norm, strict=True):
            y = affine(spliced(x, layer))
            y = torch.relu(norm(y.flatten(0, 1)).reshape(y.shape))
            if self.training and self.drop:
                kept = torch.rand(y.shape[0], 1, y.shape[2]) >= self.drop
                y = y * (kept / (1 - self.drop)).to(y.dtype)
            if layer.adds:
                around = layer.dilation * (layer.kernel // 2)
                y = y + x[:, around : around + y.shape[1]]
            x = y
        return x

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(B, T, 40) cepstra to (B, T', 35) logits."""
        return self.last(self.hidden(x))


def spliced(x: torch.Tensor, layer: Layer) -> torch.Tensor:
    """(B, T, C) to (B, T', kernel * C): the inputs of every output side by side, the earliest first."""
    length = (x.shape[1] - (layer.kernel - 1) * layer.dilation - 1) // layer.stride + 1
    if layer.stride == layer.kernel:
        return x[:, : length * layer.stride].reshape(x.shape[0], length, -1)
    starts = range(0, layer.kernel * layer.dilation, layer.dilation)
    return torch.cat([x[:, at : at + length] for at in starts], 2)
