"""Write the trained finder as ONNX.

    python -m models.finder.recipe.export finder.pt finder.onnx

Input `x` float32 (n, 3, h, w), BGR, (x - 110) / 60, sides multiples of 32; outputs `maps`, `depth`,
`geometry`, `axes` as `net.Finder` describes them. Prints size, agreement and time.
"""

from __future__ import annotations

from pathlib import Path

import torch

from models import exporting

from .net import Finder


def export(weights: Path, out: Path) -> float:
    """Write `out` in one step; returns the largest difference between torch and onnxruntime."""
    net = Finder()
    net.load_state_dict(torch.load(weights))
    shapes = [(1, 3, 256, 320), (1, 3, 384, 512), (1, 3, 608, 800)]
    return exporting.export(net, out, ["maps", "depth", "geometry", "axes"], shapes, any_size=True)


def main() -> None:
    arguments = exporting.parser(__doc__).parse_args()
    export(arguments.weights, arguments.out)


if __name__ == "__main__":
    main()
