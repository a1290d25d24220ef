"""Warm start: a torch net filled from an exported ONNX file, when its checkpoint is gone.

Exporting folds every batch normalisation into the convolution before it. To go on training, the folded
weights go back into the convolution, and the normalisation after it is set so that it changes nothing but
adds the folded bias: its statistics are measured on a batch of pictures, its scale is their deviation, its
shift their mean plus that bias.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

LEAST_VARIANCE = 1e-4
"""A channel that hardly answers on the batch still gets a variance to divide by."""


def module_of(node: str) -> str:
    """Dotted name of the module an ONNX node came from: '/trunk/trunk.4/first/first.0/Conv' -> 'trunk.4.first.0'."""
    path: list[str] = []
    for part in node.strip("/").split("/")[:-1]:
        if path and part.startswith(path[-1] + "."):
            path[-1] = part
        else:
            path.append(part)
    return ".".join(path)


def folded_weights(file: Path) -> dict[str, Tensor]:
    """Weights and biases of an ONNX file by the names of the torch modules they came from."""
    graph = onnx.load(str(file)).graph
    values = {i.name: torch.from_numpy(np.array(numpy_helper.to_array(i))) for i in graph.initializer}
    found = {name: value for name, value in values.items() if not name.startswith("onnx::")}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            for name, kind in zip(node.input[1:], ("weight", "bias"), strict=False):
                found.setdefault(f"{module_of(node.name)}.{kind}", values[name])
    return found


def after(net: nn.Module) -> dict[str, nn.Module]:
    """The batch normalisation that follows each convolution without a bias, by the convolution's name."""
    modules = list(net.named_modules())
    return {
        name: following
        for (name, module), (_, following) in pairwise(modules)
        if isinstance(module, nn.Conv2d) and module.bias is None and isinstance(following, nn.BatchNorm2d)
    }


def _measure(bias: Tensor, norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
    """Before its first pass: make a batch normalisation do nothing but add `bias`."""
    assert isinstance(norm, nn.BatchNorm2d)
    assert norm.running_mean is not None
    assert norm.running_var is not None
    x = inputs[0]
    mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3)).clamp(min=LEAST_VARIANCE)
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.copy_(bias + mean)


@torch.no_grad()
def warm_start(net: nn.Module, file: Path, batch: Tensor) -> list[str]:
    """Fill `net` in place so that it answers as the ONNX file does; returns the names it could not fill.

    `batch` is what the net takes, a few dozen typical pictures. Where a layer has grown by outputs (more rows
    of the same width), its first rows are filled and its name is returned; layers that are new are left alone.
    """
    found, left, hooks = folded_weights(file), [], []
    norms = after(net)
    own = net.state_dict()
    through_norms = {
        f"{part}.{kind}"
        for part, module in net.named_modules()
        if any(module is norm for norm in norms.values())
        for kind in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")
    }
    for name, value in own.items():
        given = found.get(name)
        if name in through_norms or name.endswith("num_batches_tracked"):
            continue
        if given is None or given.shape[1:] != value.shape[1:]:
            left.append(name)
            continue
        rows = min(len(given), len(value))
        value[:rows] = given[:rows]  # state_dict shares its memory with the net
        if rows < len(value):
            left.append(name)
    for name, norm in norms.items():
        bias = found.get(f"{name}.bias")
        if bias is not None and f"{name}.weight" not in left:
            hooks.append(norm.register_forward_pre_hook(partial(_measure, bias)))
    training = net.training
    net.eval()
    net(batch)
    for hook in hooks:
        hook.remove()
    net.train(training)
    return left
