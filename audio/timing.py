"""When the sound of a live stream was captured, and whether anything is missing from it."""

from __future__ import annotations

import math


class Line:
    """When the samples of a stream were captured: ``began`` is the moment of its first one.

    Blocks arrive late by chance, never early, so the earliest of the last ten seconds counts. That follows the device's
    quartz, which runs apart from the machine's by up to a second in four hours.
    """

    WINDOW = 10.0

    def __init__(self) -> None:
        self.began: float | None = None
        self._earliest = math.inf
        self._since = 0.0

    def follow(self, arrived: float, end: float) -> None:
        """Samples up to ``end`` seconds of the stream were there at the moment ``arrived``."""
        start = arrived - end
        self._earliest = min(self._earliest, start)
        if self.began is None or start < self.began:
            self.began = start
        if end - self._since >= self.WINDOW:
            self.began, self._earliest, self._since = self._earliest, math.inf, end

    def jump(self, seconds: float) -> None:
        """So much time passed without samples."""
        if self.began is not None and seconds > 0:
            self.began += seconds
            self._earliest = math.inf


class Continuity:
    """Checks that blocks follow each other without a gap on the device's clock.

    That clock jitters by a block or more, drifts, and may be set back. So a gap counts where the device itself says
    that it lost something, or where a whole run of blocks comes later than it should (``SURE`` seconds); not where
    one block is stamped late.

    Args:
        rate: samples a second of the device.
    """

    GAP = 0.25
    """Seconds of a gap that the device did not tell."""
    SURE = 0.2
    """Seconds of blocks that must all be late."""
    DRIFT = 5.0
    """Seconds within which the clock's drift is followed."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._start: float | None = None
        self._samples = 0
        self._late: list[float] = []
        self._late_seconds = 0.0

    def missing_before(self, when: float, samples: int, overflow: bool) -> int:
        """Samples to fill in before this block, whose first sample was captured at ``when`` seconds."""
        seconds = samples / self._rate
        if self._start is None:
            self._start = when
        gap = when - self._start - self._samples / self._rate
        missing = 0
        if overflow and gap > 0:
            missing = self._filled(gap)
        elif gap > self.GAP:
            self._late.append(gap)
            self._late_seconds += seconds
            if self._late_seconds >= self.SURE and len(self._late) > 1:
                missing = self._filled(min(self._late))
        elif gap < -self.GAP:  # the clock was set back
            self._start += gap
            self._late, self._late_seconds = [], 0.0
        else:
            self._start += gap * min(1.0, seconds / self.DRIFT)
            self._late, self._late_seconds = [], 0.0
        self._samples += samples
        return missing

    def _filled(self, gap: float) -> int:
        self._late, self._late_seconds = [], 0.0
        missing = round(gap * self._rate)
        self._samples += missing
        return missing
