"""A clock for many threads that jumps: see ``assistant.testing``."""

from __future__ import annotations

import itertools
import math
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field


class Clock:
    """A clock that stands still until it is turned. Usable where ``time.monotonic`` and ``time.sleep``
    are."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)


class EverybodyWaits(AssertionError):
    """All threads wait for something that nobody will ever do."""


@dataclass(eq=False)
class _Waiter:
    """A thread that waits until a time, or for a bell."""

    number: int
    until: float
    bell: FakeBell | None
    founder: bool = False
    go: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))


class FakeBell:
    """A bell (``vision.threads.Bell``) whose waiting takes no real time."""

    def __init__(self, time: FakeTime) -> None:
        self._time = time
        self._rung = False

    def set(self) -> None:
        self._rung = True

    def clear(self) -> None:
        self._rung = False

    def is_set(self) -> bool:
        return self._rung

    def wait(self, timeout: float | None = None) -> bool:
        if not self._rung:
            self._time.wait(math.inf if timeout is None else timeout, self)
        return self._rung


class FakeTime:
    """Threads (``vision.threads.Threads``) of which only one runs at a time, and a clock that moves only when all of
    them wait: then it jumps to the earliest moment that one waits for.

    So code with real threads, timeouts and devices that hang runs through hours in seconds, and the same way every
    time: threads change places only where they wait (``sleep``, a bell), in the order of their times, then of their
    waiting. Work takes no time, unless it says so with ``sleep``. The thread that makes a ``FakeTime`` is the first of
    its threads; no other threads may use it.

    Raises:
        EverybodyWaits: nothing can ever happen any more.
    """

    class Over(BaseException):
        """Ends a thread that still waits when everything is over."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now
        self._waiting: list[_Waiter] = []
        self._numbers = itertools.count()
        self._founder = threading.get_ident()
        self._stuck = self._over = False
        self._threads: weakref.WeakSet[threading.Thread] = weakref.WeakSet()

    def now(self) -> float:
        return self._now

    def __call__(self) -> float:
        return self._now

    def bell(self) -> FakeBell:
        return FakeBell(self)

    def sleep(self, seconds: float) -> None:
        """Work, or wait, for so long."""
        self.wait(seconds, None)

    def start(self, work: Callable[[], None], name: str) -> None:
        waiter = _Waiter(next(self._numbers), self._now, None)
        self._waiting.append(waiter)

        def run() -> None:
            waiter.go.acquire()
            try:
                if not self._over:
                    work()
            except FakeTime.Over:
                pass
            finally:
                if self._waiting and not self._over:
                    self._next().go.release()

        thread = threading.Thread(target=run, name=name, daemon=True)
        self._threads.add(thread)
        thread.start()

    def wait(self, seconds: float, bell: FakeBell | None) -> None:
        """Let the others run for so long, or until the bell is rung."""
        if self._over:
            raise FakeTime.Over
        founder = threading.get_ident() == self._founder
        waiter = _Waiter(next(self._numbers), self._now + max(0.0, seconds), bell, founder)
        self._waiting.append(waiter)
        following = self._next()
        if following is not waiter:
            following.go.release()
            waiter.go.acquire()
        if self._over:
            raise FakeTime.Over
        if founder and self._stuck:
            raise EverybodyWaits(f"at {self._now:.3f} s all threads wait for ever")

    def close(self) -> None:
        """End the threads that still wait, hanging devices and all."""
        self._over = True
        while self._waiting:
            self._waiting.pop().go.release()
        for thread in list(self._threads):
            thread.join(1.0)

    def _next(self) -> _Waiter:
        """Take out whose turn it is, and turn the clock."""
        following = min(self._waiting, key=lambda w: (self._ready(w), w.number))
        ready = self._ready(following)
        if ready == math.inf:
            self._stuck = True
            following = next(w for w in self._waiting if w.founder)
        else:
            self._now = max(self._now, ready)
        self._waiting.remove(following)
        return following

    def _ready(self, waiter: _Waiter) -> float:
        return self._now if waiter.bell is not None and waiter.bell.is_set() else waiter.until
