"""Several nets as one, which answers with the mean of their logits:
``python -m models.knocks.recipe.combine A.onnx B.onnx --out knocks.onnx``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx
from onnx import TensorProto, compose, helper


def combined(nets: list[onnx.ModelProto]) -> onnx.ModelProto:
    """One model with the input ``patch`` and the output ``knock`` of ``train.export``."""
    nodes, weights, logits = [], [], []
    for i, net in enumerate(nets):
        graph = compose.add_prefix(net, f"{i}/").graph
        (sigmoid,) = (n for n in graph.node if n.op_type == "Sigmoid")
        logits.append(sigmoid.input[0])
        nodes.append(helper.make_node("Identity", ["patch"], [graph.input[0].name]))
        nodes += [n for n in graph.node if n is not sigmoid]
        weights += graph.initializer
    nodes += [helper.make_node("Mean", logits, ["logit"]), helper.make_node("Sigmoid", ["logit"], ["knock"])]
    shape = [d.dim_value for d in nets[0].graph.input[0].type.tensor_type.shape.dim][1:]
    graph = helper.make_graph(
        nodes,
        "knocks",
        [helper.make_tensor_value_info("patch", TensorProto.FLOAT, ["n", *shape])],
        [helper.make_tensor_value_info("knock", TensorProto.FLOAT, ["n"])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=nets[0].opset_import, ir_version=nets[0].ir_version)
    onnx.checker.check_model(model)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "knocks.onnx")
    args = parser.parse_args()
    onnx.save(combined([onnx.load(str(path)) for path in args.nets]), str(args.out))


if __name__ == "__main__":
    main()
