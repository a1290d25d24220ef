"""Cepstra of a sound stream, as the acoustic net hears it.

40 mel bands (20 to 7600 Hz) of 25 ms windows every 10 ms, as Kaldi computes them (remove the mean,
pre-emphasis .97, Povey window), then
a level and a floor, the logarithm, and 40 liftered cepstra (lifter 22). Sounds are float32 in -1..1 at 16
kHz.

Everything is computed in portions of a fixed size at fixed places of the stream, so that the figures do not
depend on
how the samples were delivered, to the last bit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

RATE = 16000
HOP = 160
WINDOW = 400
FFT = 512
BANDS = 40
#: Frames computed at a time: 90 ms, three outputs of the net.
PORTION = 9

#: Level of the floor that is added to every frame: white noise of this deviation, on the scale of 16-bit
#: samples.
FLOOR = 8.0
_INT16 = 32768.0

Floats = npt.NDArray[np.float32]


def _mel(hertz: npt.NDArray[np.float64] | float) -> npt.NDArray[np.float64]:
    return np.asarray(1127 * np.log(1 + np.asarray(hertz) / 700.0))


def _filters() -> Floats:
    """(257, 40) triangles, equally spaced on the mel scale."""
    low, high = float(_mel(20.0)), float(_mel(7600.0))
    width = (high - low) / (BANDS + 1)
    at = _mel(np.arange(FFT // 2 + 1) * RATE / FFT)[:, None]
    left = low + np.arange(BANDS)[None, :] * width
    rise, fall = (at - left) / width, (left + 2 * width - at) / width
    filters = np.clip(np.minimum(rise, fall), 0, None)
    filters[-1] = 0
    return filters.astype(np.float32)


def _cosines() -> Floats:
    """(40, 40) discrete cosine transform with Kaldi's lifter; cepstra = log energies @ this."""
    k = np.arange(BANDS)
    table = np.sqrt(2 / BANDS) * np.cos(np.pi / BANDS * (np.arange(BANDS)[None, :] + 0.5) * k[:, None])
    table[0] = np.sqrt(1 / BANDS)
    return np.asarray((table * (1 + 11 * np.sin(np.pi * k / 22))[:, None]).T.astype(np.float32))


def _window() -> Floats:
    return np.asarray(
        ((0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / (WINDOW - 1))) ** 0.85).astype(np.float32)
    )


_FILTERS, _COSINES, _SHAPE = _filters(), _cosines(), _window()


def _floor_energies() -> Floats:
    """Expected band energies of white noise of deviation :data:`FLOOR` after pre-emphasis and window."""
    response = np.abs(1 - 0.97 * np.exp(-2j * np.pi * np.arange(FFT // 2 + 1) / FFT)) ** 2
    power = FLOOR**2 * response * float((_SHAPE**2).sum())
    return np.asarray((power @ _FILTERS).astype(np.float32))


FLOOR_ENERGIES = _floor_energies()


def clean(samples: npt.NDArray[np.floating]) -> Floats:
    """Samples fit to be computed with: float32, one channel, what is no number is silence, all within
    -1..1."""
    array = np.asarray(samples, dtype=np.float32).reshape(-1)
    return np.clip(np.nan_to_num(array, nan=0.0, posinf=1.0, neginf=-1.0), -1.0, 1.0)


def energies(samples: Floats) -> Floats:
    """Band energies (T, 40) of all whole windows of ``samples``, on the scale of 16-bit samples, before
    level and floor."""
    if len(samples) < WINDOW:
        return np.zeros((0, BANDS), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP] * np.float32(_INT16)
    frames = frames - frames.mean(axis=1, keepdims=True)
    first = frames[:, :1] * np.float32(0.03)
    emphasised = np.concatenate([first, frames[:, 1:] - np.float32(0.97) * frames[:, :-1]], axis=1) * _SHAPE
    spectrum = np.fft.rfft(emphasised, FFT)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    return np.asarray(power @ _FILTERS, dtype=np.float32)


def cepstra(band_energies: Floats, gain: float = 1.0) -> Floats:
    """Cepstra (T, 40) of band energies, the sound made ``gain`` times louder over the floor."""
    logs = np.log(band_energies * np.float32(gain * gain) + FLOOR_ENERGIES)
    return np.asarray(logs @ _COSINES, dtype=np.float32)


def level(band_energies: Floats) -> Floats:
    """Loudness (T,) of every frame in decibels, 0 dB being a full-scale sine wave or nearly so."""
    total = band_energies.sum(axis=1)
    return np.asarray(10 * np.log10(total + 1.0) - _FULL_SCALE, dtype=np.float32)


def _full_scale() -> float:
    sine = np.sin(2 * np.pi * 1000 / RATE * np.arange(WINDOW)).astype(np.float32)
    return float(10 * np.log10(energies(sine).sum()))


_FULL_SCALE = _full_scale()


class EnergyStream:
    """Band energies of a stream, in portions of :data:`PORTION` frames whatever the size of the blocks."""

    def __init__(self) -> None:
        self._pending = np.zeros(0, np.float32)

    def accept(self, samples: Floats) -> list[Floats]:
        """Portions (9, 40) that are complete now."""
        pending = np.concatenate([self._pending, samples])
        needed = (PORTION - 1) * HOP + WINDOW
        portions = []
        start = 0
        while len(pending) - start >= needed:
            portions.append(energies(pending[start : start + needed]))
            start += PORTION * HOP
        self._pending = pending[start:]
        return portions
