"""A clock, and threads that wait on it: those of the machine, or in a test those of a clock that jumps.

Whoever runs several threads takes a ``Threads`` and never asks ``time`` or ``threading`` itself. So a whole evening
with cameras that hang can be played in seconds and comes out the same every time (``assistant.testing.FakeTime``).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol


class Bell(Protocol):
    """What one thread rings and another waits for: as much of ``threading.Event`` as is needed."""

    def set(self) -> None: ...

    def clear(self) -> None: ...

    def is_set(self) -> bool: ...

    def wait(self, timeout: float | None = None) -> bool:
        """Until it is rung, at most ``timeout`` seconds; whether it was."""
        ...


class Threads(Protocol):
    """A clock and what runs on it."""

    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        ...

    def bell(self) -> Bell: ...

    def start(self, work: Callable[[], None], name: str) -> None:
        """Do it in a thread that nobody waits for; the program can end without it."""
        ...


class SystemThreads:
    """The threads and the clock of this machine."""

    def now(self) -> float:
        return time.monotonic()

    def bell(self) -> Bell:
        return threading.Event()

    def start(self, work: Callable[[], None], name: str) -> None:
        threading.Thread(target=work, name=name, daemon=True).start()
