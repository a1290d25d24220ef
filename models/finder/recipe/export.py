"""Write the trained finder as ONNX.

    python -m models.finder.recipe.export finder.pt finder.onnx

Input `x` float32 (n, 3, h, w), BGR, (x - 110) / 60, sides multiples of 32; outputs `maps`, `depth`,
`geometry`, `axes` as `net.Finder` describes them. Prints size, agreement and time.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from .net import Finder


def export(weights: Path, out: Path) -> float:
    """Write `out` in one step; returns the largest difference between torch and onnxruntime."""
    net = Finder()
    net.load_state_dict(torch.load(weights))
    net.eval()
    part = out.with_suffix(".part")
    names = ["maps", "depth", "geometry", "axes"]
    axes = {n: {0: "n", 2: f"{n}_h", 3: f"{n}_w"} for n in ("x", *names)}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 320, 416),),
        str(part),
        input_names=["x"],
        output_names=names,
        dynamic_axes=axes,
        dynamo=False,
        opset_version=17,
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(part), options, providers=["CPUExecutionProvider"])
    worst = 0.0
    for height, width in ((256, 320), (384, 512), (608, 800)):
        x = np.random.default_rng(0).standard_normal((1, 3, height, width), dtype=np.float32)
        spent = []
        for _ in range(5):
            start = time.process_time()
            got = session.run(None, {"x": x})
            spent.append((time.process_time() - start) * 1e3)
        with torch.no_grad():
            wanted = net(torch.from_numpy(x))
        worst = max(worst, *(float(np.abs(g - w.numpy()).max()) for g, w in zip(got, wanted, strict=True)))
        print(f"{width}x{height}: {min(spent):.1f} ms CPU at best, {np.median(spent):.1f} in the middle")
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
