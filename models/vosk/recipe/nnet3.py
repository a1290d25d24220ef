"""The phone net of models/phrases as a Kaldi ``nnet3``: the same weights, layer by layer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import numpy_helper

from audio.decoding import any_accent
from audio.phones import PHONES, SIL
from audio.vosk_graph import ANY
from models.vosk.recipe.kaldi import matrix, real, small_matrix, token, transition_model, vector, whole

CEPSTRA = 40
_NEVER, _FORBIDDEN = -1e9, -1e4


#: Matrices of so many values are written in one byte a value.
_MANY = 20_000


def packed(weight: np.ndarray) -> bytes:
    """A matrix for the file: small where that saves something."""
    return small_matrix(weight) if weight.size >= _MANY else matrix(weight)


class UnknownNet(ValueError):
    """The ONNX graph has a node that this converter does not know."""


@dataclass(frozen=True, slots=True)
class _Signal:
    """Something computed along time: Kaldi's description of it, frames between its values, frames it sees around."""

    name: str
    step: int
    sight: int


@dataclass(slots=True)
class Converter:
    """Walks through the nodes of the net and notes what Kaldi needs.

    Every value is named by the frame in its middle; so whatever trims a signal to fit another changes nothing.
    """

    constants: dict[str, np.ndarray]
    lines: list[str] = field(default_factory=list)
    components: list[bytes] = field(default_factory=list)
    signals: dict[str, _Signal] = field(default_factory=dict)

    def _component(self, name: str, source: str, body: bytes) -> None:
        self.lines.append(f"component-node name={name} component={name} input={source}")
        self.components.append(token("<ComponentName>") + token(name) + body)

    def convolution(self, node: onnx.NodeProto) -> None:
        """A matrix product over inputs side by side."""
        source, weight = self.signals[node.input[0]], self.constants[node.input[1]]
        bias = self.constants[node.input[2]]
        given = {attribute.name: list(attribute.ints) for attribute in node.attribute if attribute.ints}
        dilation, stride = given.get("dilations", [1])[0], given.get("strides", [1])[0]
        kernel = weight.shape[2]
        offsets = [(k - kernel // 2) * dilation * source.step for k in range(kernel)]
        parts = [f"Offset({source.name}, {offset})" if offset else source.name for offset in offsets]
        joined = f"Append({', '.join(parts)})" if kernel > 1 else parts[0]
        flat = np.concatenate([weight[:, :, k] for k in range(kernel)], axis=1)
        name = self._affine(joined, flat, bias)
        self.signals[node.output[0]] = _Signal(name, source.step * stride, source.sight + max(offsets))

    def _pointwise(self, node: onnx.NodeProto, kind: str, size: int) -> None:
        source = self.signals[node.input[0]]
        name = f"{kind.lower()}{len(self.components)}"
        rectified = kind == "RectifiedLinear"
        gradients = token("<OderivRms>") + vector([]) + token("<OderivCount>") + real(0) if rectified else b""
        body = (
            token(f"<{kind}Component>") + token("<Dim>") + whole(size)
            + token("<ValueAvg>") + vector([]) + token("<DerivAvg>") + vector([]) + token("<Count>") + real(0)
            + gradients + token("<NumDimsSelfRepaired>") + real(0) + token("<NumDimsProcessed>") + real(0)
            + token(f"</{kind}Component>")
        )  # fmt: skip
        self._component(name, source.name, body)
        self.signals[node.output[0]] = _Signal(name, source.step, source.sight)

    def addition(self, node: onnx.NodeProto) -> None:
        """The sum of two signals."""
        a, b = (self.signals[name] for name in node.input)
        self.signals[node.output[0]] = _Signal(f"Sum({a.name}, {b.name})", a.step, max(a.sight, b.sight))

    def _affine(self, source: str, weight: np.ndarray, bias: np.ndarray) -> str:
        name = f"affine{len(self.components)}"
        self._component(
            name, source,
            token("<FixedAffineComponent>") + token("<LinearParams>") + packed(weight)
            + token("<BiasParams>") + vector(bias) + token("</FixedAffineComponent>"),
        )  # fmt: skip
        return name

    def _best_of(self, source: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """For each of n groups of k inputs the best: ``weight`` (n, k, inputs), ``bias`` (n, k)."""
        groups, size, inputs = weight.shape
        spread = self._affine(source, weight.reshape(-1, inputs), bias.reshape(-1))
        name = f"best{len(self.components)}"
        shape = {"InputXDim": 1, "InputYDim": groups, "InputZDim": size, "PoolXSize": 1, "PoolYSize": 1}
        shape |= {"PoolZSize": size, "PoolXStep": 1, "PoolYStep": 1, "PoolZStep": 1}
        body = b"".join(token(f"<{key}>") + whole(value) for key, value in shape.items())
        self._component(name, spread, token("<MaxpoolingComponent>") + body + token("</MaxpoolingComponent>"))
        return name

    def hear(self, posterior: _Signal, prior: np.ndarray) -> _Signal:
        """The prior taken out, neighbouring vowels forgiven for each other, and the likeliest phone beside them all.

        As :func:`audio.decoding.any_accent` does for the search that ships.
        """
        phones = len(PHONES)
        # what a phone is worth when only one other was heard: 0 for itself, less for its neighbours
        worth = np.array([any_accent(np.where(np.arange(phones) == other, 0.0, _NEVER)) for other in range(phones)]).T
        most = int((worth > _NEVER / 2).sum(axis=1).max())
        others = np.argsort(-worth, axis=1, kind="stable")[:, :most]
        weight = np.eye(phones)[others]
        bias = np.maximum(np.take_along_axis(worth, others, 1), _FORBIDDEN) - prior[others]
        heard = self._best_of(posterior.name, weight, bias)
        speech = np.eye(len(PHONES))[None, SIL + 1 :]
        likeliest = self._best_of(posterior.name, speech, -prior[None, SIL + 1 :])
        return _Signal(f"Append({heard}, {likeliest})", posterior.step, posterior.sight)

    def take(self, node: onnx.NodeProto, sizes: dict[str, int]) -> None:
        match node.op_type:
            case "Conv":
                self.convolution(node)
            case "Relu":
                self._pointwise(node, "RectifiedLinear", sizes[node.output[0]])
            case "LogSoftmax":
                self._pointwise(node, "LogSoftmax", sizes[node.output[0]])
            case "Add":
                self.addition(node)
            case "Slice" | "Identity":
                self.signals[node.output[0]] = self.signals[node.input[0]]
            case _:
                raise UnknownNet(f"{node.op_type} {node.name}")


def _constants(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Cast" and node.input[0] in known:
            known[node.output[0]] = known[node.input[0]].astype(np.float32)
        elif node.op_type == "Constant":
            known[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    return known


def _channels(nodes: list[onnx.NodeProto], constants: dict[str, np.ndarray]) -> dict[str, int]:
    """How many values each signal has at a time."""
    sizes: dict[str, int] = {}
    for node in nodes:
        of_input = next((sizes[name] for name in node.input if name in sizes), 0)
        sizes[node.output[0]] = constants[node.input[1]].shape[0] if node.op_type == "Conv" else of_input
    return sizes


def _nodes(model: onnx.ModelProto, constants: dict[str, np.ndarray]) -> Iterator[onnx.NodeProto]:
    return (node for node in model.graph.node if node.output[0] not in constants)


def acoustic_model(model: onnx.ModelProto) -> bytes:
    """``final.mdl``: cepstra every 10 ms to scaled log-likelihoods of :data:`audio.phones.PHONES` every 30 ms."""
    constants = _constants(model)
    nodes = list(_nodes(model, constants))
    walk = Converter(constants)
    walk.signals[model.graph.input[0].name] = _Signal("input", 1, 0)
    sizes = _channels(nodes, constants)
    last, prior = nodes[-1], nodes[-1].input[1]
    if last.op_type != "Sub" or prior not in constants:
        raise UnknownNet("the net ends with the prior taken out of its posteriors")
    for node in nodes[:-1]:
        walk.take(node, sizes)
    heard = walk.hear(walk.signals[last.input[0]], constants[prior].reshape(-1))
    config = [f"input-node name=input dim={CEPSTRA}", *walk.lines]
    config += [f"output-node name=output input={heard.name} objective=linear"]
    return (
        b"\0B" + transition_model()
        + token("<Nnet3>") + b"\n" + "\n".join(config).encode() + b"\n\n"
        + token("<NumComponents>") + whole(len(walk.components)) + b"".join(walk.components) + token("</Nnet3>")
        + token("<LeftContext>") + whole(heard.sight) + token("<RightContext>") + whole(heard.sight)
        + token("<Priors>") + vector(np.full(ANY + 1, 1 / (ANY + 1)))
    )  # fmt: skip
