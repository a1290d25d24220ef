"""Any sample rate to the 16 kHz that every listener here works at, and whatever a device sends to sane
numbers."""

from __future__ import annotations

import numpy as np
import soxr
from numpy.typing import NDArray

RATE = 16_000
"""Samples a second of everything that the ears hear."""

Samples = NDArray[np.float32]
"""Mono sound, one number a sample, -1 to 1."""


def mono(block: NDArray[np.floating]) -> Samples:
    """The mean of the channels of ``block`` (samples, channels), float32 in -1..1.

    What is no number (a broken float file holds NaN or infinities) becomes silence, what is louder than full
    scale is clipped as a sound card would.
    """
    clean = np.nan_to_num(block, nan=0.0, posinf=0.0, neginf=0.0)
    flat = clean if clean.ndim == 1 else clean.mean(axis=1)
    out: Samples = np.clip(flat, -1.0, 1.0).astype(np.float32)
    return out


class Resampler:
    """A stream of mono blocks at ``rate`` to blocks at 16 kHz; the total keeps its length and its times
    (soxr)."""

    def __init__(self, rate: int) -> None:
        self._stream = (
            None if rate == RATE else soxr.ResampleStream(rate, RATE, 1, dtype="float32", quality="HQ")
        )

    def accept(self, block: Samples, *, last: bool = False) -> Samples:
        """The samples that are ready; ``last`` flushes what the filter still holds."""
        if self._stream is None:
            return block
        out: Samples = self._stream.resample_chunk(block, last=last)
        return out


def resampled(samples: Samples, rate: int, to: int) -> Samples:
    """A whole sound at another rate."""
    if rate == to:
        return samples
    out: Samples = soxr.resample(samples, rate, to).astype(np.float32)
    return out
