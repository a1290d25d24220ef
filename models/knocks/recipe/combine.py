"""Several nets as one, which answers with the mean of their logits and all their features:
``python -m models.knocks.recipe.combine A.onnx B.onnx --out knocks.onnx``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import onnx
from onnx import TensorProto, compose, helper


def combined(nets: Sequence[onnx.ModelProto]) -> onnx.ModelProto:
    """One model with the inputs and outputs of ``train.export``."""
    nodes, weights, logits, features = [], [], [], []
    width = 0
    for i, net in enumerate(nets):
        graph = compose.add_prefix(net, f"{i}/").graph
        entries = {entry.name.split("/", 1)[1]: entry.name for entry in graph.input}
        outs = {out.name.split("/", 1)[1]: out for out in graph.output}
        nodes += [helper.make_node("Identity", [name], [entries[name]]) for name in ("patch", "past")]
        nodes += graph.node
        weights += graph.initializer
        logits.append(outs["logit"].name)
        features.append(outs["features"].name)
        width += outs["features"].type.tensor_type.shape.dim[1].dim_value
    nodes.append(helper.make_node("Mean", logits, ["logit"]))
    nodes.append(helper.make_node("Concat", features, ["features"], axis=1))
    first = nets[0].graph
    shapes = {e.name: [d.dim_value for d in e.type.tensor_type.shape.dim][1:] for e in first.input}
    graph = helper.make_graph(
        nodes,
        "knocks",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", *shape]) for name, shape in shapes.items()],
        [
            helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["n"]),
            helper.make_tensor_value_info("features", TensorProto.FLOAT, ["n", width]),
        ],
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
