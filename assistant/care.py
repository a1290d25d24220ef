"""Looking after the parts of a session: what one of them raises is caught and told once, and it is tried again.

The death of one part never stops another, and never the game. A part that keeps falling rests twice as long each
time, so that it costs nothing; at most eight times in its first minute, then once a minute.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from vision.threads import Threads

Result = TypeVar("Result")

SOONEST, LATEST = 0.25, 60.0
"""Seconds that a part rests after its first fall, and at most."""
RELIABLE = 5.0
"""So many seconds after its last fall a part that works is believed to be well again."""
WAITING = 500
"""Calls that wait for a slow viewer or voice before the oldest are let go."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """A part has stopped.

    Attributes:
        part: camera, eyes, microphone, ears, inputs, viewer, voice, referee.
        problem: what it raised; None where its medium has just ended.
    """

    part: str
    problem: Exception | None


@dataclass(frozen=True, slots=True)
class Risen:
    """A part that had fallen works again."""

    part: str


class Care:
    """Looks after one part.

    Args:
        part: its name.
        now: the clock, seconds.
        tell: is told of the first fall, and of the recovery.
    """

    def __init__(self, part: str, now: Callable[[], float], tell: Callable[[Fallen | Risen], None]) -> None:
        self.part = part
        self._now, self._tell = now, tell
        self._pause = SOONEST
        self._fell = self._rests_until = -LATEST
        self.down = False
        self.falls = 0

    @property
    def resting(self) -> float:
        """Seconds until the part is tried again, 0 if it may work now."""
        return max(0.0, self._rests_until - self._now())

    def __call__(self, work: Callable[[], Result]) -> Result | None:
        """Let the part work, unless it is resting; None where it did not or fell."""
        if self.resting:
            return None
        try:
            result = work()
        except Exception as problem:
            self.fell(problem)
            return None
        self.works()
        return result

    def fell(self, problem: Exception) -> None:
        """The part raised ``problem``."""
        now = self._now()
        if now - self._rests_until > LATEST:  # it had worked for long
            self._pause = SOONEST
        self.falls += 1
        self._fell, self._rests_until = now, now + self._pause
        self._pause = min(LATEST, 2 * self._pause)
        if not self.down:
            self.down = True
            self._tell(Fallen(self.part, problem))

    def hangs(self) -> None:
        """The part has been at one piece of work for far too long; it can only be waited for."""
        self._fell = self._now()
        if not self.down:
            self.down = True
            self._tell(Fallen(self.part, TimeoutError(self.part)))

    def works(self) -> None:
        """The part did its work."""
        if self.down and self._now() - self._fell >= RELIABLE:
            self.down = False
            self._tell(Risen(self.part))


class Aside:
    """Calls that are made one after the other in a thread of their own: whoever asks for them never waits.

    Args:
        care: of the part that is called.
        threads: where the thread comes from.

    Attributes:
        let_go: calls that were given up because the part was too slow.
        busy_since: when the call that is being made began, None where there is none.
    """

    def __init__(self, care: Care, threads: Threads) -> None:
        self._care = care
        self._now = threads.now
        self.busy_since: float | None = None
        self._calls: deque[Callable[[], Any]] = deque()
        self._came, self._over = threads.bell(), threads.bell()
        self._closing = False
        self.let_go = 0
        threads.start(self._run, care.part)

    def __len__(self) -> int:
        return len(self._calls)

    def call(self, work: Callable[[], Any]) -> None:
        """Do it soon; returns at once."""
        if len(self._calls) >= WAITING:
            self._calls.popleft()
            self.let_go += 1
        self._calls.append(work)
        self._came.set()

    def close(self, timeout: float) -> None:
        """End the thread when what was asked for is done, and wait for that at most so many seconds."""
        self._closing = True
        self._came.set()
        self._over.wait(timeout)

    def _run(self) -> None:
        while self._calls or not self._closing:
            if self._calls:
                self.busy_since = self._now()
                self._care(self._calls.popleft())
                self.busy_since = None
            else:
                self._came.wait()
                self._came.clear()
        self._over.set()
