"""The Vosk model's recipe: the net that Kaldi gets computes what ours computes."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from audio.decoding import any_accent
from audio.phones import PHONES, SIL
from audio.vosk_graph import ANY

onnx = pytest.importorskip("onnx")

from models.vosk.recipe.kaldi import matrix, small_matrix  # noqa: E402
from models.vosk.recipe.nnet3 import UnknownNet, acoustic_model  # noqa: E402

Array = npt.NDArray[np.float64]
NET = Path(__file__).parents[2] / "models" / "phrases" / "phones.onnx"
FRAMES = 150


class Nnet3:
    """Reads what the recipe wrote and computes it at any frame, slowly."""

    def __init__(self, data: bytes, cepstra: Array) -> None:
        text, rest = data[data.index(b"<Nnet3> \n") + 9 :].split(b"\n\n", 1)
        self.inputs: dict[str, str] = {}
        self.cepstra = cepstra
        for line in text.decode().splitlines():
            if found := re.match(r"component-node name=(\S+) component=\S+ input=(.*)", line):
                self.inputs[found[1]] = found[2]
            elif found := re.match(r"output-node name=output input=(.*) objective=linear", line):
                self.output = found[1]
        self.bodies = {
            part.split(b" ", 1)[0].decode(): part.split(b" ", 1)[1] for part in rest.split(b"<ComponentName> ")[1:]
        }
        self.kept: dict[tuple[str, int], Array] = {}

    def of(self, what: str, t: int) -> Array:
        """A descriptor at frame ``t``."""
        if (what, t) not in self.kept:
            self.kept[what, t] = self._of(what, t)
        return self.kept[what, t]

    def _of(self, what: str, t: int) -> Array:
        if found := re.match(r"(Append|Sum|Offset)\((.*)\)$", what):
            parts = _split(found[2])
            if found[1] == "Offset":
                return self.of(parts[0], t + int(parts[1]))
            values = [self.of(part, t) for part in parts]
            return np.concatenate(values) if found[1] == "Append" else np.sum(values, axis=0)
        if what == "input":
            return self.cepstra[t]
        return _apply(self.bodies[what], self.of(self.inputs[what], t))


def _split(text: str) -> list[str]:
    parts, depth, last = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append(text[last:i].strip())
            last = i + 1
    return [*parts, text[last:].strip()]


def _matrix(data: bytes) -> tuple[Array, int]:
    """A packed matrix and the number of its bytes."""
    kind, at = (b"CM2", 4) if data.startswith(b"CM2 ") else (b"CM", 3)
    low, span, rows, columns = struct.unpack_from("<ffii", data, at)
    at += 16
    if kind == b"CM2":
        steps = np.frombuffer(data, "<u2", rows * columns, at)
        return (low + span * steps.astype(np.float64) / 65535).reshape(rows, columns), at + 2 * rows * columns
    q = low + span * np.frombuffer(data, "<u2", 4 * columns, at).reshape(columns, 4) / 65535
    at += 8 * columns
    steps = np.frombuffer(data, np.uint8, rows * columns, at).reshape(columns, rows)
    columnwise = [np.interp(step, (0, 64, 192, 255), quarters) for step, quarters in zip(steps, q, strict=True)]
    return np.array(columnwise).T, at + rows * columns


def _apply(body: bytes, x: Array) -> Array:
    if body.startswith(b"<FixedAffineComponent> <LinearParams> "):
        weight, size = _matrix(body[38:])
        at = body.index(b"<BiasParams> FV \x04", 38 + size) + len(b"<BiasParams> FV \x04")
        return np.asarray(weight @ x + np.frombuffer(body, "<f4", len(weight), at + 4))
    if body.startswith(b"<RectifiedLinear"):
        return np.maximum(x, 0)
    if body.startswith(b"<LogSoftmax"):
        return np.asarray(x - x.max() - np.log(np.exp(x - x.max()).sum()))
    assert body.startswith(b"<Maxpooling")
    (size,) = struct.unpack_from("<i", body, body.index(b"<PoolZSize> ") + 13)
    return np.asarray(x.reshape(-1, size).max(axis=1))


def check(model: Any) -> None:
    import onnxruntime

    cepstra = np.random.default_rng(0).normal(0, 10, (FRAMES, 40))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (likelihoods,) = session.run(["likelihoods"], {"cepstra": cepstra.T[None].astype(np.float32)})
    data = acoustic_model(model)
    (sight,) = struct.unpack_from("<i", data, data.rindex(b"<LeftContext> ") + 15)
    net = Nnet3(data, cepstra)
    for i in (0, 1, 3):
        heard = net.of(net.output, sight + 3 * i)
        row = likelihoods[0, :, i]
        assert heard[:ANY] == pytest.approx(any_accent(row), abs=0.3)
        assert heard[ANY] == pytest.approx(row[SIL + 1 :].max(), abs=0.3)


def test_the_net_that_ships() -> None:
    check(onnx.load(str(NET)))


def _small(*, unknown: bool = False) -> Any:
    """A net of two layers whose second adds what it was given."""
    from onnx import TensorProto, helper, numpy_helper

    r = np.random.default_rng(1)

    def weights(name: str, *shape: int) -> Any:
        return numpy_helper.from_array(r.normal(0, 0.1, shape).astype(np.float32), name)

    def whole(name: str, value: int) -> Any:
        return numpy_helper.from_array(np.array([value], np.int64), name)

    nodes = [
        helper.make_node("Conv", ["cepstra", "w0", "b0"], ["a0"], strides=[3]),
        helper.make_node("Relu", ["a0"], ["r0"]),
        helper.make_node("Conv", ["r0", "w1", "b1"], ["a1"], dilations=[2]),
        helper.make_node("Tanh" if unknown else "Relu", ["a1"], ["r1"]),
        helper.make_node("Slice", ["r0", "from", "to", "axis"], ["middle"]),
        helper.make_node("Add", ["r1", "middle"], ["sum"]),
        helper.make_node("Conv", ["sum", "w2", "b2"], ["logits"]),
        helper.make_node("LogSoftmax", ["logits"], ["posterior"], axis=1),
        helper.make_node("Sub", ["posterior", "prior"], ["likelihoods"]),
    ]
    constants = [
        weights("w0", 8, 40, 3), weights("b0", 8), weights("w1", 8, 8, 3), weights("b1", 8),
        weights("w2", len(PHONES), 8, 1), weights("b2", len(PHONES)), weights("prior", 1, len(PHONES), 1),
        whole("from", 2), whole("to", -2), whole("axis", 2),
    ]  # fmt: skip
    graph = helper.make_graph(
        nodes, "small",
        [helper.make_tensor_value_info("cepstra", TensorProto.FLOAT, [1, 40, "frames"])],
        [helper.make_tensor_value_info("likelihoods", TensorProto.FLOAT, [1, len(PHONES), "outputs"])],
        constants,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


def test_a_net_that_adds_its_inputs() -> None:
    check(_small())


def test_a_net_that_is_not_known() -> None:
    with pytest.raises(UnknownNet, match="Tanh"):
        acoustic_model(_small(unknown=True))


def test_packed_matrices_are_near() -> None:
    values = np.random.default_rng(2).normal(0, 1, (70, 5))
    assert _matrix(matrix(values))[0] == pytest.approx(values, abs=1e-4)
    assert _matrix(small_matrix(values))[0] == pytest.approx(values, abs=0.03)


def test_a_model_keeps_its_words_and_knows_all_those_of_the_phrase_book() -> None:
    from models.vosk.recipe.vocabulary import vocabulary, words_in

    shipped = words_in(NET.parents[1] / "vosk" / "graph")
    assert {"je", "trute", "donneur"} <= set(shipped)
    assert set(vocabulary([])) <= set(shipped)
    assert set(vocabulary([], ["mirabelle"])) - set(vocabulary([])) == {"mirabelle"}


def test_a_folder_without_a_model_has_no_words(tmp_path: Path) -> None:
    from models.vosk.recipe.vocabulary import words_in

    assert words_in(tmp_path) == ()
