"""How a microphone is doing: too loud for it, gone silent, gone altogether.

Looked at in windows of a tenth of a second at fixed places of the stream. All that is kept is the last minute of
levels.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Literal

import numpy as np

from audio.resampling import Samples

What = Literal["lost", "silent", "clipping", "swapped", "late", "back"]

WINDOW_SECONDS = 0.1
RECENT = 25
"""Windows that a judgement looks at (2.5 s): what is wrong is noticed within 3 s."""
HISTORY = 600
"""Windows whose levels are remembered: the noise of the room is that of the quietest moments of the last minute."""
QUIET_SHARE = 0.1

FULL_SCALE = 0.997
CLIPPED_SHARE = 0.002
"""Share of a window's samples at full scale from which it counts as clipped (ten in a tenth of a second)."""
CLIPPED_WINDOWS = 10
"""So many clipped windows among the recent ones are too many: speech that is too loud, no single fist on the table."""
CALM_WINDOWS = 3000
"""After five minutes without that it may be said again."""

DEAD_DB = -85.0
"""A flat noise below this is no room but the converter's own: 16 bits have -98 dB."""
FALL_DB = 15.0
"""A flat noise that is so much below what the room was before comes from a plug without a microphone."""
DEAD_MOST_DB = -60.0
FLAT_DB = 1.0
"""A converter's noise is the same in every window within this; a room's is not."""
ALIVE_DB = 6.0
"""So much above the dead noise is sound again."""
GATE = 3
"""A microphone that went silent so often by itself within ten minutes has a noise gate: from then on silence must last
longer, twice as long every time, before it counts."""
GATE_WINDOWS = 6000

LOWEST_DB = -120.0


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something is wrong with the microphone, or well again.

    Attributes:
        t: since when, seconds on the medium's clock; ``decided`` when it was known.
        what: ``lost`` (no sound comes), ``silent`` (it comes, but is dead), ``clipping`` (too loud for the
            microphone), ``late`` (the ears are seconds behind), ``swapped`` (another microphone is listening now),
            ``back`` (all is well after lost, silent or late).
        device: name of the microphone.
    """

    t: float
    decided: float
    what: What
    device: str = ""


@dataclass(frozen=True, slots=True)
class Levels:
    """What a microphone gives just now: dB of full scale (RMS), ``clipped`` the share of samples at full scale of the
    last 2.5 seconds."""

    now: float
    floor: float
    clipped: float


class Health:
    """Judges what comes from one microphone.

    Args:
        rate: samples a second of the device.
    """

    def __init__(self, rate: int) -> None:
        self._size = max(1, round(rate * WINDOW_SECONDS))
        self._waiting: list[Samples] = []
        self._held = 0
        self._levels: deque[float] = deque(maxlen=RECENT)
        self._constant: deque[bool] = deque(maxlen=RECENT)
        self._clipped: deque[float] = deque(maxlen=RECENT)
        self._before: deque[float] = deque(maxlen=HISTORY)
        self._windows = 0
        self._still = 0
        self._calm = CALM_WINDOWS
        self._dead: float | None = None
        self._silences: deque[int] = deque(maxlen=16)

    @property
    def silent(self) -> bool:
        """Whether nothing but the converter's own noise comes."""
        return self._dead is not None

    @property
    def sounds(self) -> bool:
        """Whether it has been heard for long enough to say that it is not silent."""
        return not self.silent and len(self._levels) == RECENT

    @property
    def levels(self) -> Levels:
        """Level of the last window, noise of the room, clipping."""
        seen = [*self._before, *self._levels] or [LOWEST_DB]
        clipped = float(np.mean(self._clipped)) if self._clipped else 0.0
        return Levels(self._levels[-1] if self._levels else LOWEST_DB, _quiet(seen), clipped)

    def hear(self, samples: Samples) -> list[What]:
        """What is news with these samples (n, channels): ``silent``, ``clipping``, ``back``."""
        news: list[What] = []
        while len(samples):
            part = samples[: self._size - self._held]
            samples = samples[len(part) :]
            self._waiting.append(part)
            self._held += len(part)
            if self._held == self._size:
                news += self._window(np.concatenate(self._waiting))
                self._waiting, self._held = [], 0
        return news

    def _window(self, samples: Samples) -> list[What]:
        if len(self._levels) == RECENT and not self.silent:
            self._before.append(self._levels[0])
        self._windows += 1
        swing = float(samples.std(axis=0).max())
        self._levels.append(max(LOWEST_DB, 20 * math.log10(max(swing, 1e-9))))
        self._constant.append(bool((samples == samples[:1]).all()))
        self._still = self._still + 1 if self._constant[-1] else 0
        self._clipped.append(float((np.abs(samples) >= FULL_SCALE).mean(axis=0).max()))
        return [*self._judge_silence(), *self._judge_clipping()]

    # -- silence -------------------------------------------------------------------------------------------------------

    def _judge_silence(self) -> list[What]:
        if self._dead is not None:
            lively = [not still and level > self._dead + ALIVE_DB for level, still in self._last(5)]
            if sum(lively) < 3:
                return []
            self._dead = None
            self._silences.append(self._windows)
            self._still = 0
            self._levels.clear()
            self._constant.clear()
            return ["back"]
        if self._still >= self._patience():
            self._dead = LOWEST_DB
        elif len(self._levels) == RECENT and self._flat_and_low():
            self._dead = max(self._levels)
        return [] if self._dead is None else ["silent"]

    def _last(self, count: int) -> list[tuple[float, bool]]:
        return list(zip(list(self._levels)[-count:], list(self._constant)[-count:], strict=True))

    def _patience(self) -> int:
        """Windows of digital silence before it counts."""
        often = sum(self._windows - at < GATE_WINDOWS for at in self._silences)
        return RECENT << max(0, often - GATE + 1)

    def _flat_and_low(self) -> bool:
        if any(self._constant):
            return False
        low, high = min(self._levels), max(self._levels)
        if high - low > FLAT_DB or high >= DEAD_MOST_DB:
            return False
        fell = len(self._before) >= RECENT and high < _quiet(list(self._before)) - FALL_DB
        return fell or high < DEAD_DB

    # -- clipping ------------------------------------------------------------------------------------------------------

    def _judge_clipping(self) -> list[What]:
        if sum(share >= CLIPPED_SHARE for share in self._clipped) < CLIPPED_WINDOWS:
            self._calm = min(CALM_WINDOWS, self._calm + 1)
            return []
        calm, self._calm = self._calm, 0
        return ["clipping"] if calm == CALM_WINDOWS else []


def _quiet(levels: list[float]) -> float:
    """The level of the quietest moments."""
    return sorted(levels)[int(QUIET_SHARE * len(levels))]
