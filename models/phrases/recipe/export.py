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

#: (kernel, stride, dilation) of the layers, the same as in net.py.
LAYERS = ((5, 1, 1), (3, 3, 1), (3, 1, 1), (3, 1, 1), (3, 1, 2), (3, 1, 2))


def build(state: dict[str, torch.Tensor], prior_power: float) -> onnx.ModelProto:
    """Cepstra (1, 40, T) to scaled log-likelihoods (1, 35, T') and the activations before them (1, width, T')."""
    weights = {name: value.double().numpy() for name, value in state.items() if value.is_floating_point()}
    nodes: list[onnx.NodeProto] = []
    constants: list[onnx.TensorProto] = []

    def constant(name: str, array: np.ndarray, half: bool = True) -> str:
        if not half:
            constants.append(numpy_helper.from_array(array.astype(np.float32), name))
            return name
        constants.append(numpy_helper.from_array(array.astype(np.float16), name + "_half"))
        nodes.append(helper.make_node("Cast", [name + "_half"], [name], to=TensorProto.FLOAT))
        return name

    scale, shift, current = 1 / weights["sd"], -weights["mu"] / weights["sd"], "cepstra"
    for i, (kernel, stride, dilation) in enumerate(LAYERS):
        w, b = weights[f"c.{i}.weight"], weights[f"c.{i}.bias"]
        assert w.shape[2] == kernel
        b = b + np.einsum("oik,i->o", w, shift)
        w = w * scale[None, :, None]
        nodes.append(
            helper.make_node(
                "Conv",
                [current, constant(f"w{i}", w), constant(f"b{i}", b, half=False)],
                [f"a{i}"],
                strides=[stride],
                dilations=[dilation],
            )
        )
        nodes.append(helper.make_node("Relu", [f"a{i}"], [current := f"r{i}" if i + 1 < len(LAYERS) else "hidden"]))
        scale = weights[f"b.{i}.weight"] / np.sqrt(weights[f"b.{i}.running_var"] + 1e-5)
        shift = weights[f"b.{i}.bias"] - weights[f"b.{i}.running_mean"] * scale
    w, b = weights["o.weight"], weights["o.bias"]
    b = b + w[:, :, 0] @ shift
    nodes.append(
        helper.make_node(
            "Conv",
            [current, constant("wo", w * scale[None, :, None]), constant("bo", b, half=False)],
            ["logits"],
        )
    )
    nodes.append(helper.make_node("LogSoftmax", ["logits"], ["posterior"], axis=1))
    prior = prior_power * np.log(np.maximum(weights["pri"], 2e-3))
    nodes.append(
        helper.make_node("Sub", ["posterior", constant("prior", prior[None, :, None], half=False)], ["likelihoods"])
    )
    graph = helper.make_graph(
        nodes, "phones",
        [helper.make_tensor_value_info("cepstra", TensorProto.FLOAT, [1, 40, "frames"])],
        [helper.make_tensor_value_info("likelihoods", TensorProto.FLOAT, [1, len(PHONES), "outputs"]),
         helper.make_tensor_value_info("hidden", TensorProto.FLOAT, [1, w.shape[1], "outputs"])],
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
    parser.add_argument("--prior-power", type=float, default=0.6)
    args = parser.parse_args()
    onnx.save(build(torch.load(args.net, map_location="cpu", weights_only=True), args.prior_power), str(args.out))
    print(args.out, args.out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
