"""How loud it is: the level of the microphone, ten times a second."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assistant.page.senses.passing import RATE, Samples

STEP = RATE // 10
"""Samples of one reading."""
SILENCE = -90.0
"""Decibels below full scale that count as nothing at all."""
CLIPPED = 0.99
"""Part of full scale from which a sample is cut off."""


@dataclass(frozen=True, slots=True)
class Level:
    """A tenth of a second.

    Attributes:
        mean, peak: decibels below full scale (root of the mean square; the loudest sample), 0 at most.
        clipped: whether the microphone was driven beyond what it can tell.
    """

    mean: float
    peak: float
    clipped: bool

    def row(self) -> list[float | bool]:
        """For the page."""
        return [round(self.mean, 1), round(self.peak, 1), self.clipped]


def level_of(samples: Samples) -> Level:
    """The level of some sound, mono; samples that are no numbers count as silence."""
    sound = np.nan_to_num(np.asarray(samples, np.float64), nan=0.0, posinf=1.0, neginf=-1.0)
    if not len(sound):
        return Level(SILENCE, SILENCE, False)
    peak = float(np.abs(sound).max())
    return Level(_decibels(float(np.sqrt(np.mean(sound**2)))), _decibels(peak), peak >= CLIPPED)


class Meter:
    """Sound in, levels out; what is left over waits for the next."""

    def __init__(self) -> None:
        self._left = np.zeros(0, np.float32)

    def levels(self, samples: Samples) -> list[Level]:
        """The levels that are complete with these samples."""
        sound = np.concatenate([self._left, samples])
        whole = len(sound) // STEP * STEP
        self._left = sound[whole:]
        return [level_of(sound[start : start + STEP]) for start in range(0, whole, STEP)]


def _decibels(share: float) -> float:
    return SILENCE if share <= 0 else float(np.clip(20 * np.log10(share), SILENCE, 0.0))
