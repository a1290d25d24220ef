"""Write the trained reader as ONNX.

    python -m models.reader.recipe.export reader.pt reader.onnx

Input `x` float32 (n, 3, 144, 96), RGB, ImageNet-normalised; outputs `answers` (n, 34): logits of 13 ranks
(A 2..10 J Q K), of 4 suits (c d h s), of the quality, of 12 Spanish ranks (1..12) and 4 Spanish suits (b c e o);
`vector` (n, 128), of unit length. Prints size, agreement and time.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from .net import Reader


def export(weights: Path, out: Path) -> float:
    """Write `out` in one step; returns the largest difference between torch and onnxruntime."""
    net = Reader()
    net.load_state_dict(torch.load(weights))
    net.eval()
    part = out.with_suffix(".part")
    torch.onnx.export(
        net,
        (torch.zeros(2, 3, 144, 96),),
        str(part),
        input_names=["x"],
        output_names=["answers", "vector"],
        dynamic_axes={name: {0: "n"} for name in ("x", "answers", "vector")},
        dynamo=False,
        opset_version=17,
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(part), options, providers=["CPUExecutionProvider"])
    worst = 0.0
    for count in (1, 16):
        x = np.random.default_rng(0).standard_normal((count, 3, 144, 96), dtype=np.float32)
        spent = []
        for _ in range(8):
            start = time.process_time()
            got = session.run(None, {"x": x})
            spent.append((time.process_time() - start) * 1e3 / count)
        with torch.no_grad():
            wanted = net(torch.from_numpy(x))
        worst = max(worst, *(float(np.abs(g - w.numpy()).max()) for g, w in zip(got, wanted, strict=True)))
        print(f"{count} at once: {min(spent):.2f} ms CPU a crop at best, {np.median(spent):.2f} in the middle")
    os.replace(part, out)
    print(f"{out.stat().st_size / 1e6:.2f} MB, torch and onnxruntime differ by at most {worst:.1e}")
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    export(arguments.weights, arguments.out)


if __name__ == "__main__":
    main()
