"""Windows of the streams to train on. Tempo, voice, noise, level and microphone are drawn anew for every window.

All of it is done in the energies of the mel bands, where mixing is an addition: no recording is heard twice in the
same noise, and no second pass over the sound is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from audio.features import BANDS, FLOOR_ENERGIES, cepstra, level
from models.phrases.recipe.net import PHONE_COUNT, SIGHT
from models.phrases.recipe.recordings import RECORDED
from models.phrases.recipe.streams import Stream

#: Outputs of a window, and its frames.
CHUNK = 70
WINDOW = 3 * CHUNK + 2 * SIGHT
BATCH = 56
#: Level of the loud parts of speech that the net is trained around (audio/acoustic.py), and its spread, decibels.
_LEVEL, _SPREAD = -20.0, 7.0
#: Share of windows without speech: noise as loud as somebody near, which is silence all the same.
_NO_SPEECH = 0.1
#: Share of windows without noise.
_QUIET = 0.15
#: Share of the noise that was recorded, not made.
_RECORDED = 0.4
_FASTEST, _SLOWEST = 1.2, 0.84
#: Lengths of the vocal tract against that of the speaker.
_TRACTS = np.linspace(0.88, 1.14, 14)

_FULL_SCALE = float(10 ** ((10 * np.log10(1e12 + 1) - level(np.full((1, BANDS), 1e12 / BANDS, np.float32))[0]) / 10))


def _warps() -> np.ndarray:
    """(tracts, 40, 40): band energies of a voice as a tract of another length would give them (logs @ matrix)."""
    low, high = (1127 * np.log(1 + f / 700) for f in (20.0, 7600.0))
    centres = 700 * (np.exp((low + (high - low) * np.arange(1, BANDS + 1) / (BANDS + 1)) / 1127) - 1)
    out = np.zeros((len(_TRACTS), BANDS, BANDS), np.float32)
    for warp, tract in zip(out, _TRACTS, strict=True):
        at = np.interp(centres * tract, centres, np.arange(BANDS))
        left = np.minimum(at.astype(int), BANDS - 2)
        warp[left, np.arange(BANDS)] = 1 - (at - left)
        warp[left + 1, np.arange(BANDS)] = at - left
    return out


_WARPS = _warps()


class Windows:
    """Windows of streams by share, mixed with noises (log band energies by kind)."""

    def __init__(self, groups: Sequence[tuple[float, Stream]], noises: Mapping[str, np.ndarray], seed: int) -> None:
        self._r = np.random.default_rng(seed)
        self._groups = groups
        known = {kind: noise for kind, noise in noises.items() if len(noise) > WINDOW}
        self._noises = [
            [noise for kind, noise in known.items() if kind.startswith(RECORDED) == recorded]
            for recorded in (False, True)
        ]
        self._starts = [_with_speech(stream) for _, stream in groups]
        self._shares = np.cumsum([share for share, _ in groups]) / sum(share for share, _ in groups)

    def batch(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Cepstra (B, WINDOW, 40) and phones (B, CHUNK)."""
        pairs = [self._spoken(int(np.searchsorted(self._shares, self._r.random()))) for _ in range(BATCH)]
        logs = np.stack([pair[0] for pair in pairs])
        label = np.stack([pair[1] for pair in pairs])
        logs = logs @ _WARPS[self._r.integers(len(_TRACTS), size=len(logs))]
        return torch.from_numpy(self._heard(np.exp(logs), label)), torch.from_numpy(label)

    def _spoken(self, group: int) -> tuple[np.ndarray, np.ndarray]:
        """Log energies (WINDOW, 40) of a place in a stream, faster or slower than it was said, and its phones."""
        r, (_, stream), starts = self._r, self._groups[group], self._starts[group]
        last = len(stream.logs) - int(WINDOW * _FASTEST) - 2
        near = int(starts[r.integers(len(starts))]) + int(r.integers(-120, 60))
        first = int(r.integers(0, last)) if r.random() < 0.1 else min(max(0, near), last)
        tempo = r.uniform(_SLOWEST, _FASTEST) if r.random() < 0.6 else 1.0
        at = first + np.arange(WINDOW) * tempo
        frame = at.astype(np.int64)
        part = (at - frame).astype(np.float32)[:, None]
        logs = stream.logs[frame].astype(np.float32)
        if tempo != 1.0:
            logs += part * (stream.logs[frame + 1] - logs)
        spoken = np.round(at[SIGHT : SIGHT + 3 * CHUNK : 3]).astype(np.int64)
        return logs, stream.phones[spoken].astype(np.int64)

    def _background(self, frames: int) -> np.ndarray:
        """Energies of some noise, its loud parts at 1."""
        made, recorded = self._noises
        of_these = recorded if recorded and self._r.random() < _RECORDED else made
        kind = int(self._r.integers(len(of_these) + (of_these is made)))
        if kind == len(of_these):
            shape = np.exp(_smooth(self._r, 3.0) + self._r.uniform(-0.08, 0.02) * np.arange(BANDS) * 1.5)
            part = shape * self._r.standard_exponential((frames, BANDS), np.float32).clip(0.05) ** 0.3
        else:
            source = of_these[kind]
            at = int(self._r.integers(0, len(source) - frames))
            part = np.exp(source[at : at + frames].astype(np.float32))
        total = part.sum(1)
        return part / (max(np.quantile(total, 0.8), 0.03 * total.max()) + 1e-3)

    def _heard(self, speech: np.ndarray, label: np.ndarray) -> np.ndarray:
        """Cepstra of the speech at some level, in some noise, through some microphone. Sets ``label`` to silence
        where the speech is left out."""
        r, (n, frames, _) = self._r, speech.shape
        loud = np.quantile(speech.sum(2), 0.93, axis=1) + 1.0
        wanted = 10 ** ((_LEVEL + r.normal(0, _SPREAD, n)) / 10) * _FULL_SCALE
        speech = speech * (wanted / loud)[:, None, None].astype(np.float32)
        silent = r.random(n) < _NO_SPEECH
        speech[silent] = 0
        label[silent] = 0
        for i in range(n):
            if r.random() < _QUIET and not silent[i]:
                continue
            ratio = r.uniform(-6, 20) if silent[i] else r.uniform(2, 14) if r.random() < 0.45 else r.uniform(10, 36)
            speech[i] += self._background(frames) * (wanted[i] * 10 ** (-ratio / 10))
            if r.random() < 0.25:
                speech[i] += self._background(frames) * (wanted[i] * 10 ** (-r.uniform(6, 30) / 10))
        for i in np.flatnonzero(r.random(n) < 0.25):
            at, long = int(r.integers(0, frames)), int(r.integers(2, 12))
            speech[i, at : at + long] = 0
        curve = np.stack([self._microphone() for _ in range(n)])
        hiss = FLOOR_ENERGIES * (10 ** (r.uniform(-10, 12, n) / 10))[:, None]
        grain = r.standard_exponential(speech.shape, np.float32).clip(0.02) ** 0.5
        return cepstra((speech * curve[:, None] + hiss[:, None] * grain).astype(np.float32))

    def _microphone(self) -> np.ndarray:
        """What a microphone, a telephone or a hand before it makes of each band (factors of energy)."""
        r = self._r
        curve = _smooth(r, 0.5)
        if r.random() < 0.2:  # nothing above 2.7 to 6.5 kHz
            curve -= 3.0 * np.clip(np.arange(BANDS) - r.uniform(24, 38), 0, None)
        if r.random() < 0.15:  # nothing below 100 to 400 Hz
            curve -= 1.5 * np.clip(r.uniform(2, 6) - np.arange(BANDS), 0, None)
        if r.random() < 0.25:
            first, many = int(r.integers(0, BANDS)), int(r.integers(2, 8))
            curve[first : first + many] -= r.uniform(1, 8)
        return np.exp(curve)


def _smooth(r: np.random.Generator, size: float) -> np.ndarray:
    """A random smooth curve over the bands (natural logarithms of energy)."""
    at = np.arange(BANDS) / BANDS * np.pi
    return np.sum([r.normal(0, size / (k + 0.5)) * np.cos(k * at + r.uniform(0, 6)) for k in (0.5, 1, 2, 3)], axis=0)


def _with_speech(stream: Stream) -> np.ndarray:
    many = np.add.reduceat((stream.phones > 0).astype(np.int32), np.arange(0, len(stream.phones), 150))
    return np.flatnonzero(many > 30) * 150


def prior(windows: Windows, batches: int = 40) -> torch.Tensor:
    """How often each phone is said in such windows."""
    counts = sum(torch.bincount(windows.batch()[1].flatten(), minlength=PHONE_COUNT) for _ in range(batches))
    assert isinstance(counts, torch.Tensor)
    return counts / counts.sum()
