"""Write a trained net as ONNX: normalisation folded into the weights, weights kept in half precision, the
prior taken out.

usage: python -m models.phrases.recipe.export NET.pt OUT.onnx [--prior-power 0.6]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from audio.phones import PHONES
from models.phrases.recipe.net import LAYERS, WIDTH, Layer, PhoneNet
from models.phrases.recipe.train import load

#: How much of the prior is taken out of the posterior.
PRIOR_POWER = 0.6


def folded(net: PhoneNet) -> list[tuple[np.ndarray, np.ndarray]]:
    """(weight (out, kernel * in), bias (out,)) of every layer and the last, in double precision.

    The normalisation of the input and of the batches is in them: each layer is its affine part, a rectifier and
    perhaps the sum with what it was given.
    """
    out = []
    scale = (1 / net.deviation.double()).repeat(LAYERS[0].kernel)
    shift = (-net.mean.double() / net.deviation.double()).repeat(LAYERS[0].kernel)
    for affine, norm in zip(net.affine, net.norm, strict=True):
        weight, factor = affine.weight.double(), norm.weight.double() / (norm.running_var.double() + norm.eps).sqrt()
        bias = weight @ shift - norm.running_mean.double()
        out.append((factor[:, None] * weight * scale, factor * bias + norm.bias.double()))
        scale, shift = torch.ones(1).double(), torch.zeros(3 * len(weight)).double()
    out.append((net.last.weight.double(), net.last.bias.double()))
    return [(weight.detach().numpy(), bias.detach().numpy()) for weight, bias in out]


def build(net: PhoneNet, prior_power: float = PRIOR_POWER) -> onnx.ModelProto:
    """Cepstra (1, 40, T) to scaled log-likelihoods (1, 35, T') and the activations before them (1, width, T')."""
    nodes: list[onnx.NodeProto] = []
    constants: list[onnx.TensorProto] = []

    def constant(name: str, array: np.ndarray, half: bool = True) -> str:
        if not half:
            constants.append(numpy_helper.from_array(array.astype(np.float32), name))
            return name
        constants.append(numpy_helper.from_array(array.astype(np.float16), name + "_half"))
        nodes.append(helper.make_node("Cast", [name + "_half"], [name], to=TensorProto.FLOAT))
        return name

    def integer(name: str, value: int) -> str:
        constants.append(numpy_helper.from_array(np.array([value], np.int64), name))
        return name

    def convolution(name: str, given: str, layer: Layer, weight: np.ndarray, bias: np.ndarray) -> str:
        kernels = weight.reshape(len(weight), layer.kernel, -1).transpose(0, 2, 1)
        names = [given, constant(f"w{name}", kernels), constant(f"b{name}", bias, half=False)]
        nodes.append(helper.make_node("Conv", names, [f"a{name}"], strides=[layer.stride], dilations=[layer.dilation]))
        return f"a{name}"

    *layers, (weight, bias) = folded(net)
    current = "cepstra"
    for i, (layer, parts) in enumerate(zip(LAYERS, layers, strict=True)):
        into = "hidden" if i + 1 == len(LAYERS) else f"h{i}"
        rectified = f"r{i}" if layer.adds else into
        nodes.append(helper.make_node("Relu", [convolution(str(i), current, layer, *parts)], [rectified]))
        if layer.adds:
            around = layer.dilation * (layer.kernel // 2)
            ends = [integer(f"from{i}", around), integer(f"to{i}", -around), integer(f"axis{i}", 2)]
            nodes.append(helper.make_node("Slice", [current, *ends], [f"s{i}"]))
            nodes.append(helper.make_node("Add", [f"s{i}", rectified], [into]))
        current = into
    nodes.append(
        helper.make_node("LogSoftmax", [convolution("o", current, Layer(1), weight, bias)], ["posterior"], axis=1)
    )
    prior = prior_power * np.log(np.maximum(net.prior.numpy(), 2e-3))
    nodes.append(
        helper.make_node("Sub", ["posterior", constant("prior", prior[None, :, None], half=False)], ["likelihoods"])
    )
    graph = helper.make_graph(
        nodes, "phones",
        [helper.make_tensor_value_info("cepstra", TensorProto.FLOAT, [1, 40, "frames"])],
        [helper.make_tensor_value_info("likelihoods", TensorProto.FLOAT, [1, len(PHONES), "outputs"]),
         helper.make_tensor_value_info("hidden", TensorProto.FLOAT, [1, weight.shape[1], "outputs"])],
        constants,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="trut models/phrases")
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--prior-power", type=float, default=PRIOR_POWER)
    args = parser.parse_args()
    onnx.save(build(load(args.net, args.width), args.prior_power), str(args.out))
    print(args.out, args.out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
