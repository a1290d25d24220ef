"""A simulated table as camera and microphone, as fast as wanted like files or at real pace like devices."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from assistant.simulation.sound import RATE, Samples
from assistant.simulation.table import SimulatedTable
from vision.camera import Frame

BLOCK = RATE // 10


@dataclass
class WallClock:
    """Real time from the first question on; ``until`` waits for a time to come."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _start: float | None = field(default=None, init=False)

    def __call__(self) -> float:
        """Seconds since the first call."""
        if self._start is None:
            self._start = self.now()
        return self.now() - self._start

    def until(self, t: float) -> None:
        """Wait until ``t`` seconds have passed."""
        left = t - self()
        if left > 0:
            self.sleep(left)


class SimulatedCamera:
    """The pictures of a simulated table.

    Args:
        table: what is filmed.
        clock: None gives every picture at once. With a clock a picture comes when its time has come, and one
            that would be more than a picture late is left out, as a device does it.
    """

    def __init__(self, table: SimulatedTable, clock: WallClock | None = None) -> None:
        self._table, self._clock = table, clock
        self.live = clock is not None
        self.left_out = 0
        self._closed = False

    def __iter__(self) -> Iterator[Frame]:
        filmed, step = self._table.filmed, 1 / self._table.fps
        for index in range(filmed.count):
            if self._closed:
                return
            t = index * step
            if self._clock is not None:
                if self._clock() > t + step:
                    self.left_out += 1
                    continue
                image = filmed.frame(index)
                self._clock.until(t)
            else:
                image = filmed.frame(index)
            yield Frame(t, image, index)

    def close(self) -> None:
        self._closed = True


class SimulatedMicrophone:
    """The sound of a simulated table in blocks of a tenth of a second; with a clock, each when it is over."""

    rate = RATE
    name = "simulation"

    def __init__(self, sound: Samples, clock: WallClock | None = None) -> None:
        self._sound, self._clock = sound, clock
        self._closed = False

    def __iter__(self) -> Iterator[Samples]:
        for start in range(0, len(self._sound), BLOCK):
            if self._closed:
                return
            block = self._sound[start : start + BLOCK]
            if self._clock is not None:
                self._clock.until((start + len(block)) / RATE)
            yield block

    def close(self) -> None:
        self._closed = True
