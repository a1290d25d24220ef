"""Write the trained index reader as ONNX.

    python -m models.indices.recipe.export indices.pt models/indices/indices.onnx --ranks 1.1 --suits 0.9

Input `x` float32 (n, 3, 54, 40), RGB, ImageNet-normalised; output `rank_suit_quality` (n, 20): logits of 15
ranks (A 2..10 J Q K 11 12), of 4 suits (c d h s) and of the quality. The logits of ranks and of suits are
divided by the temperatures that `evaluate` fits. Prints size, agreement and time.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from .net import HEIGHT, WIDTH, IndexReader


def export(weights: Path, out: Path, ranks: float = 1.0, suits: float = 1.0) -> float:
    """Write `out` in one step; returns the largest difference between torch and onnxruntime."""
    net = IndexReader()
    net.load_state_dict(torch.load(weights))
    net.eval()
    with torch.no_grad():
        for rows, temperature in ((slice(0, 15), ranks), (slice(15, 19), suits)):
            net.out.weight[rows] /= temperature
            net.out.bias[rows] /= temperature
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_suffix(".part")
    torch.onnx.export(
        net,
        (torch.zeros(2, 3, HEIGHT, WIDTH),),
        str(part),
        input_names=["x"],
        output_names=["rank_suit_quality"],
        dynamic_axes={"x": {0: "n"}, "rank_suit_quality": {0: "n"}},
        dynamo=False,
        opset_version=17,
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(part), options, providers=["CPUExecutionProvider"])
    worst = 0.0
    for count in (1, 32):
        x = np.random.default_rng(0).standard_normal((count, 3, HEIGHT, WIDTH), dtype=np.float32)
        spent = []
        for _ in range(12):
            start = time.process_time()
            got = session.run(None, {"x": x})[0]
            spent.append((time.process_time() - start) * 1e3 / count)
        with torch.no_grad():
            worst = max(worst, float(np.abs(got - net(torch.from_numpy(x)).numpy()).max()))
        print(f"{count} at once: {min(spent):.2f} ms CPU a window at best, {np.median(spent):.2f} in the middle")
    os.replace(part, out)
    print(f"{out.stat().st_size / 1e6:.2f} MB, torch and onnxruntime differ by at most {worst:.1e}")
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--ranks", type=float, default=1.0, help="temperature of the ranks, as `evaluate` prints it")
    parser.add_argument("--suits", type=float, default=1.0, help="temperature of the suits")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    export(arguments.weights, arguments.out, arguments.ranks, arguments.suits)


if __name__ == "__main__":
    main()
