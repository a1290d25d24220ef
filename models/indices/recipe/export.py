"""Write the trained index reader as ONNX.

    python -m models.indices.recipe.export indices.pt models/indices/indices.onnx --ranks 1.1 --suits 0.9

Input `x` float32 (n, 3, 54, 40), RGB, ImageNet-normalised; output `rank_suit_quality` (n, 20): logits of 15
ranks (A 2..10 J Q K 11 12), of 4 suits (c d h s) and of the quality. The logits of ranks and of suits are
divided by the temperatures that `evaluate` fits. Prints size, agreement and time.
"""

from __future__ import annotations

from pathlib import Path

import torch

from models import exporting

from .net import HEIGHT, WIDTH, IndexReader


def export(weights: Path, out: Path, ranks: float = 1.0, suits: float = 1.0) -> float:
    """Write `out` in one step; returns the largest difference between torch and onnxruntime."""
    net = IndexReader()
    net.load_state_dict(torch.load(weights))
    with torch.no_grad():
        for rows, temperature in ((slice(0, 15), ranks), (slice(15, 19), suits)):
            net.out.weight[rows] /= temperature
            net.out.bias[rows] /= temperature
    return exporting.export(net, out, ["rank_suit_quality"], [(1, 3, HEIGHT, WIDTH), (32, 3, HEIGHT, WIDTH)])


def main() -> None:
    parser = exporting.parser(__doc__)
    parser.add_argument("--ranks", type=float, default=1.0, help="temperature of the ranks, as `evaluate` prints it")
    parser.add_argument("--suits", type=float, default=1.0, help="temperature of the suits")
    arguments = parser.parse_args()
    export(arguments.weights, arguments.out, arguments.ranks, arguments.suits)


if __name__ == "__main__":
    main()
