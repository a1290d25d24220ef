"""Write a trained net as ONNX and see that onnxruntime answers as torch does, and how fast."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

ROUNDS = 10
"""How often each timing is repeated."""


def parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with the arguments that every export takes."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("weights", type=Path)
    made.add_argument("out", type=Path)
    return made


def export(
    net: nn.Module,
    out: Path,
    outputs: Sequence[str],
    shapes: Sequence[tuple[int, int, int, int]],
    any_size: bool = False,
) -> float:
    """Write `out` in one step; returns the largest difference between torch and onnxruntime.

    The net takes `x` float32 (n, 3, h, w), for any n and, with `any_size`, any sides. Prints, for inputs of
    each of the `shapes`, the CPU time a picture on one thread; and at the end size and agreement.
    """
    torch.set_num_threads(1)
    net.eval()
    sides = {2: "h", 3: "w"} if any_size else {}
    names = ("x", *outputs)
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_suffix(".part")
    torch.onnx.export(
        net,
        (torch.zeros(2, *shapes[0][1:]),),
        str(part),
        input_names=["x"],
        output_names=list(outputs),
        dynamic_axes={name: {0: "n"} | {axis: f"{name}_{side}" for axis, side in sides.items()} for name in names},
        dynamo=False,
        opset_version=17,
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(part), options, providers=["CPUExecutionProvider"])
    worst = 0.0
    for shape in shapes:
        x = np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
        spent = []
        for _ in range(ROUNDS):
            start = time.process_time()
            got = session.run(None, {"x": x})
            spent.append((time.process_time() - start) * 1e3 / len(x))
        with torch.no_grad():
            wanted = net(torch.from_numpy(x))
        if isinstance(wanted, torch.Tensor):
            wanted = (wanted,)
        worst = max(worst, *(float(np.abs(g - w.numpy()).max()) for g, w in zip(got, wanted, strict=True)))
        print(
            f"{shape[0]} at once, {shape[3]}x{shape[2]}: {min(spent):.2f} ms CPU each at best, "
            f"{np.median(spent):.2f} in the middle"
        )
    os.replace(part, out)
    print(f"{out.stat().st_size / 1e6:.2f} MB, torch and onnxruntime differ by at most {worst:.1e}")
    return worst
