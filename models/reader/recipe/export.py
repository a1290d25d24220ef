"""Write the trained reader as ONNX.

    python -m models.reader.recipe.export reader.pt reader.onnx

Input `x` float32 (n, 3, 144, 96), RGB, ImageNet-normalised; outputs `answers` (n, 34): logits of 13 ranks
(A 2..10 J Q K), of 4 suits (c d h s), of the quality, of 12 Spanish ranks (1..12) and 4 Spanish suits (b c e o);
`vector` (n, 128), of unit length. Prints size, agreement and time.
"""

from __future__ import annotations

from pathlib import Path

import torch

from models import exporting

from .net import Reader


def export(weights: Path, out: Path) -> float:
    """Write `out` in one step; returns the largest difference between torch and onnxruntime."""
    net = Reader()
    net.load_state_dict(torch.load(weights))
    return exporting.export(net, out, ["answers", "vector"], [(1, 3, 144, 96), (16, 3, 144, 96)])


def main() -> None:
    arguments = exporting.parser(__doc__).parse_args()
    export(arguments.weights, arguments.out)


if __name__ == "__main__":
    main()
