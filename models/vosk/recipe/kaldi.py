"""Kaldi's binary formats, as far as an acoustic model needs them.

Source: Kaldi's ``base/io-funcs``, ``matrix/compressed-matrix``, ``hmm/hmm-topology``, ``hmm/transition-model``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from audio.vosk_graph import SOUNDS, Sound

#: Chance of staying in a sound; the graph repeats none of it, so it only has to be a probability.
_STAY = 0.5


def token(name: str) -> bytes:
    return name.encode() + b" "


def whole(value: int) -> bytes:
    """An int32."""
    return b"\x04" + struct.pack("<i", value)


def real(value: float) -> bytes:
    """A float."""
    return b"\x04" + struct.pack("<f", value)


def vector(values: np.ndarray | Sequence[float]) -> bytes:
    """(n,) floats."""
    array = np.asarray(values, "<f4")
    return token("FV") + whole(len(array)) + array.tobytes()


def matrix(values: np.ndarray) -> bytes:
    """(rows, columns), two bytes a value: Kaldi unpacks it wherever a matrix is read."""
    low, high = float(values.min()), float(values.max())
    steps = np.rint((values - low) / max(high - low, 1e-12) * 65535)
    header = struct.pack("<ffii", low, max(high - low, 1e-12), *values.shape)
    return token("CM2") + header + steps.astype("<u2").tobytes()


def small_matrix(values: np.ndarray) -> bytes:
    """(rows, columns), one byte a value, the steps of each column fitted to its quarters."""
    rows, columns = values.shape
    low, span = float(values.min()), max(float(np.ptp(values)), 1e-12)
    quarters = np.rint((np.quantile(values, (0, 0.25, 0.75, 1), axis=0) - low) / span * 65535)
    for i in range(1, 4):  # Kaldi wants them to rise
        quarters[i] = np.maximum(quarters[i], quarters[i - 1] + 1)
    q0, q25, q75, q100 = low + span * quarters / 65535
    steps = np.where(
        values < q25,
        (values - q0) / (q25 - q0) * 64,
        np.where(values < q75, 64 + (values - q25) / (q75 - q25) * 128, 192 + (values - q75) / (q100 - q75) * 63),
    )
    data = np.clip(np.rint(steps), 0, 255).astype(np.uint8)
    header = struct.pack("<ffii", low, span, rows, columns)
    return token("CM") + header + quarters.T.astype("<u2").tobytes() + data.T.tobytes()


def _whole_numbers(values: Sequence[int]) -> bytes:
    return b"\x04" + struct.pack("<i", len(values)) + np.asarray(values, "<i4").tobytes()


def _state(ways: Sequence[int]) -> bytes:
    """A state that emits the sound's output and leads to ``ways``, all as likely."""
    return whole(0) + whole(len(ways)) + b"".join(whole(to) + real(1 / len(ways)) for to in ways)


def _topology() -> bytes:
    """One emitting state, or two of which the first is passed in one step."""
    short = whole(2) + _state((0, 1)) + whole(-1) + whole(0)
    held = whole(3) + _state((1,)) + _state((1, 2)) + whole(-1) + whole(0)
    numbers = range(1, len(SOUNDS) + 1)
    kinds = [-1] + [sound.states - 1 for sound in SOUNDS]
    return (
        token("<Topology>") + _whole_numbers(numbers) + _whole_numbers(kinds) + whole(2) + short + held
        + token("</Topology>")
    )  # fmt: skip


def _ways_out(sound: Sound) -> list[float]:
    """Log-chances of the ways out of its states, in Kaldi's order."""
    return [0.0] * (sound.states - 1) + [float(np.log(_STAY)), float(np.log(1 - _STAY))]


def transition_model() -> bytes:
    """Which output of the net stands for each state, and how states follow each other."""
    triples = [
        (number, state, sound.phone) for number, sound in enumerate(SOUNDS, start=1) for state in range(sound.states)
    ]
    chances = [0.0] + [chance for sound in SOUNDS for chance in _ways_out(sound)]
    return (
        token("<TransitionModel>") + _topology()
        + token("<Triples>") + whole(len(triples)) + b"".join(whole(v) for triple in triples for v in triple)
        + token("</Triples>") + token("<LogProbs>") + vector(chances) + token("</LogProbs>")
        + token("</TransitionModel>")
    )  # fmt: skip
