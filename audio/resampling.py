"""Any sample rate to the 16 kHz that every listener here works at, and whatever a device sends to sane
numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

RATE = 16_000
"""Samples a second of everything that the ears hear."""

Samples = NDArray[np.float32]
"""Mono sound, one number a sample, -1 to 1."""


def sane(block: NDArray[Any]) -> Samples:
    """``block`` in its own shape, float32 in -1..1; int16 is scaled.

    What is no number (a broken float file holds NaN or infinities) becomes silence, what is louder than full
    scale is clipped as a sound card would.
    """
    out: Samples
    if block.dtype == np.int16:
        out = block.astype(np.float32) / np.float32(32768)
        return out
    if block.dtype == np.float32 and (not block.size or np.abs(block).max() <= 1):  # not so where there is a NaN
        out = block
        return out
    clean = np.nan_to_num(block, nan=0.0, posinf=0.0, neginf=0.0)
    out = np.clip(clean, -1.0, 1.0).astype(np.float32)
    return out


class Resampler:
    """A stream of mono blocks at ``rate`` to blocks at 16 kHz; the total keeps its length and its times
    (soxr)."""

    def __init__(self, rate: int) -> None:
        self._stream = None if rate == RATE else soxr.ResampleStream(rate, RATE, 1, dtype="float32", quality="HQ")

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
