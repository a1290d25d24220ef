"""Short-time spectra of a stream, the level of the room, and the moments where something strikes.

One frame each 4 ms; a frame's time is the middle of its 16 ms window. Everything is computed in steps of a
fixed number of frames, so that the results do not depend on how the stream is cut into blocks.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audio.resampling import RATE, Samples

HOP = 64
"""Samples from frame to frame (4 ms)."""
WINDOW = 256
"""Samples of a frame (16 ms)."""
STEP = 5
"""Frames computed at a time (20 ms)."""
BANDS = 32
"""Mel bands from 50 Hz to 8 kHz."""
FLOOR_DB = -95.0
"""Level below which a band counts as silent, dB relative to full scale: the noise of a 16-bit recording."""

BEFORE = 15
"""Frames before an onset that a patch shows (60 ms)."""
AFTER = 40
"""Frames after it (160 ms): what the decision waits for."""
NEIGHBOURHOOD = 6
"""An onset is the strongest rise within so many frames on either side (24 ms)."""
MIN_RISE_DB = 5.0
"""Rise from which a moment is looked at. Low on purpose: the classifier decides."""
HISTORY = 20
"""Frames that ``strengths`` needs before the first value (80 ms)."""
LOW_BANDS = 9
"""Bands below 700 Hz: all that is left of a dull thud."""
LOW_RISING = 5
"""How many of them must rise."""
LOW_MORE_DB = 1.0
"""So much more must a rise in the low bands alone be than one over the whole spectrum."""

Frames = NDArray[np.float32]


@lru_cache(maxsize=1)
def _window() -> NDArray[np.float32]:
    angle = 2 * np.pi * np.arange(1, WINDOW + 1) / (WINDOW + 1)
    return ((1 - np.cos(angle)) / 2).astype(np.float32)


@lru_cache(maxsize=1)
def mel_bank() -> NDArray[np.float32]:
    """Triangular mel filters (bins, BANDS), each at least one bin wide (low bands are finer than the
    spectrum)."""
    bins = WINDOW // 2 + 1
    ends = 2595 * np.log10(1 + np.array([50.0, RATE / 2]) / 700)
    edges = 700 * (10 ** (np.linspace(ends[0], ends[1], BANDS + 2) / 2595) - 1)
    frequency = np.arange(bins) * RATE / WINDOW
    bank = np.zeros((bins, BANDS))
    for band in range(BANDS):
        low, middle, high = edges[band : band + 3]
        width = max(RATE / WINDOW, (high - low) / 2)
        bank[:, band] = np.maximum(0.0, 1 - np.abs(frequency - middle) / width)
        bank[:, band] /= bank[:, band].sum()
    return bank.astype(np.float32)


def spectra(samples: Samples, frames: int) -> Frames:
    """Levels in dB (frames, BANDS) of ``frames`` windows that begin each HOP samples; a full-scale sine is
    near 0 dB."""
    view = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[: frames * HOP : HOP][:frames]
    power = np.abs(np.fft.rfft(view * _window(), axis=1)).astype(np.float32) ** 2 / np.float32((WINDOW / 4) ** 2)
    return (10 * np.log10(power @ mel_bank() + np.float32(10 ** (FLOOR_DB / 10)))).astype(np.float32)


class Room:
    """The level of the room, band by band: falls within a tenth of a second, rises within seconds.

    So it follows the lulls between sounds, as an ear does; it starts from the first frames, and at most at
    -55 dB, because a recording may begin in the middle of a bang.
    """

    RISE_DB_A_SECOND = 6.0
    FALL_A_FRAME = 0.08
    START_DB = -55.0

    def __init__(self) -> None:
        self.level: Frames | None = None

    def follow(self, levels: Frames) -> Frames:
        """The room's level (frames, BANDS) before each of ``levels``."""
        out = np.empty_like(levels)
        rise = np.float32(self.RISE_DB_A_SECOND * HOP / RATE)
        fall = np.float32(self.FALL_A_FRAME)
        level = np.minimum(levels[0], np.float32(self.START_DB)) if self.level is None else self.level
        for i, now in enumerate(levels):
            out[i] = level
            gap = now - level
            level = level + np.where(gap < 0, fall * gap, np.minimum(gap, rise))
        self.level = level
        return out


def strengths(levels: Frames, room: Frames) -> NDArray[np.float32]:
    """How much each frame rises over what was before, in dB; the first HISTORY frames give no value.

    Two listeners, the stronger counts. The first takes the mean over the half of the bands that rises most, against
    the 40 ms before: a knock, a clap. The second hears the low bands alone, against the 64 ms before: a dull thud
    under a voice or a hiss, which rises slowly and only there. What stays below the room's level does not rise.
    """
    heard = np.maximum(levels, room + 3)
    broad = _rise(heard, back=10)
    broad.sort(axis=1)
    low = _rise(heard[:, :LOW_BANDS], back=16)
    low.sort(axis=1)
    out: NDArray[np.float32] = np.maximum(
        broad[:, BANDS // 2 :].mean(axis=1), low[:, -LOW_RISING:].mean(axis=1) - np.float32(LOW_MORE_DB)
    ).astype(np.float32)
    return out


def _rise(heard: Frames, back: int, gap: int = 3) -> NDArray[np.float32]:
    """Each frame from HISTORY on over the mean of ``back`` frames that end ``gap`` frames before it, per band."""
    total = np.concatenate([np.zeros((1, heard.shape[1])), np.cumsum(heard, axis=0, dtype=np.float64)])
    ends = np.arange(HISTORY, len(heard)) - gap + 1
    before = ((total[ends] - total[ends - back]) / back).astype(np.float32)
    return np.asarray(np.maximum(0, heard[HISTORY:] - before), np.float32)
