"""Which phone is said, every 30 ms: the small net of ``models/phrases`` on a sound stream."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import onnxruntime

from audio.errors import EngineUnavailable
from audio.features import BANDS, HOP, PORTION, RATE, WINDOW, EnergyStream, Floats, cepstra, level
from audio.nets import opened
from audio.phones import PHONES

#: An output stands for 30 ms; its middle is this far after the start of its first frame's hop.
STEP = 0.03
OUTPUTS = PORTION // 3
#: Middle of the first window, seconds.
_MIDDLE = 0.0125

#: Loudness (decibels of full scale) of the loud parts of speech that the net was trained around.
SPEECH_LEVEL = -20.0
#: A quiet talker is brought up, a loud one down, by no more than this (decibels).
MOST_GAIN, LEAST_GAIN = 24.0, -12.0
#: Where a stream begins: the first talker is met half-way.
FIRST = -10.0
#: How fast a loud moment is forgotten, decibels a second.
FORGET = 1.0

_OUTPUTS = ("likelihoods", "hidden")

WEIGHTS = Path(__file__).resolve().parents[1] / "models" / "phrases" / "phones.onnx"


@lru_cache(maxsize=2)
def _session(path: Path) -> onnxruntime.InferenceSession:
    if not path.is_file():
        raise EngineUnavailable("le réseau des phrases manque : {path}", path=path)
    return opened(path)


@lru_cache(maxsize=2)
def _sight(path: Path) -> int:
    """Frames that a net sees on either side of the middle of an output: what many frames lack of three an output."""
    frames = 300
    out = _session(path).run(_OUTPUTS, {"cepstra": np.zeros((1, BANDS, frames), np.float32)})[0]
    return (frames - PORTION // OUTPUTS * int(out.shape[2])) // 2


class Loudness:
    """How loud the loudest talker of the last seconds is, so that everybody can be brought to one level.

    A fist on the table is shorter than half a portion, and the median passes it by.
    """

    def __init__(self) -> None:
        self.loud = SPEECH_LEVEL + FIRST

    def gain(self, portion: Floats) -> float:
        """Factor for the samples around ``portion`` (9, 40 band energies)."""
        now = float(np.median(level(portion)))
        self.loud = max(now, self.loud - FORGET * PORTION * 0.01)
        decibels = min(MOST_GAIN, max(LEAST_GAIN, SPEECH_LEVEL - self.loud))
        self.loud = max(self.loud, SPEECH_LEVEL - MOST_GAIN)
        return float(10 ** (decibels / 20))


@dataclass(frozen=True, slots=True)
class Phones:
    """Some outputs of the net, one every :data:`STEP` seconds.

    Attributes:
        likelihoods: (n, 35) scaled log-likelihoods of :data:`audio.phones.PHONES`.
        hidden: (n, width) activations before the last layer, none negative: how the net heard it, for
            comparing two takes.
    """

    likelihoods: Floats
    hidden: Floats

    def __len__(self) -> int:
        return len(self.likelihoods)


class PhoneStream:
    """What the net hears along a stream.

    Output ``i`` is centred on ``time(i)``; it is known 0.4 s later at most. Frames before the first sample
    count as silence.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._session = _session(weights)
        self._width = int(self._session.get_outputs()[1].shape[1])
        self._energies = EnergyStream()
        self._loudness = Loudness()
        sight = _sight(weights)
        #: Frames of 10 ms that the net sees at a time: those around the outputs, and one portion.
        self._seen = np.zeros((2 * sight + PORTION, BANDS), np.float32)
        #: Outputs for frames before the stream began.
        self._before = sight * OUTPUTS // PORTION
        self._skip = self._before

    @staticmethod
    def time(index: int) -> float:
        """Middle of output ``index`` in seconds of the stream."""
        return index * STEP + _MIDDLE

    def known_at(self, index: int) -> float:
        """When output ``index`` is known: the end of the portion that completes its window, seconds of the
        stream."""
        portion = (index + self._before) // OUTPUTS
        return ((portion + 1) * PORTION * HOP + WINDOW - HOP) / RATE

    def accept(self, samples: Floats) -> Phones:
        """The outputs that are known now, in order; there may be none."""
        likelihoods, hidden = [], []
        for portion in self._energies.accept(samples):
            self._seen = np.concatenate([self._seen[PORTION:], portion])
            cep = cepstra(self._seen, self._loudness.gain(portion))
            said, heard = self._session.run(_OUTPUTS, {"cepstra": cep.T[None]})
            drop = min(self._skip, said.shape[2])
            self._skip -= drop
            likelihoods.append(said[0].T[drop:])
            hidden.append(heard[0].T[drop:])
        if not likelihoods:
            return Phones(np.zeros((0, len(PHONES)), np.float32), np.zeros((0, self._width), np.float32))
        return Phones(np.concatenate(likelihoods), np.concatenate(hidden))
