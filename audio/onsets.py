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
AFTER = 35
"""Frames after it (140 ms): what the decision waits for."""
NEIGHBOURHOOD = 9
"""An onset is the strongest rise within so many frames on either side (36 ms)."""
MIN_RISE_DB = 5.0
"""Mean rise over the louder bands from which a moment is looked at. Low on purpose: the classifier
decides."""

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
    power = np.abs(np.fft.rfft(view * _window(), axis=1)).astype(np.float32) ** 2 / np.float32(
        (WINDOW / 4) ** 2
    )
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
    """How much each frame rises over the 40 ms before it, in dB; the first 12 frames are history and give no
    value.

    The mean over the half of the bands that rises most: a knock rises in the low bands alone in a loud room,
    a clap in the high ones. What stays below the room's level does not rise.
    """
    heard = np.maximum(levels, room + 3)
    total = np.cumsum(heard, axis=0, dtype=np.float64)
    before = ((total[9:-3] - np.concatenate([np.zeros((1, BANDS)), total[:-13]])) / 10).astype(np.float32)
    rise = np.maximum(0, heard[12:] - before)
    rise.sort(axis=1)
    out: NDArray[np.float32] = rise[:, BANDS // 2 :].mean(axis=1)
    return out
