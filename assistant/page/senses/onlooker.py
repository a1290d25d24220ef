"""Who looks: what waits for him, the newest of each kind, and how large a picture his line carries."""

from __future__ import annotations

import threading
from collections.abc import Callable

from assistant.page.senses.picture import WIDTHS

MOST_LEVELS = 20
"""Levels that wait: two seconds; who is slower misses some."""
SLOW, FAST = 0.8, 0.3
"""Seconds from a picture's leaving to its being shown from which it gets smaller, and below which it may get larger."""
STEADY = 6
"""Pictures in a row that came fast before they get larger."""
GIVEN_UP = 6.0
"""Seconds after which the next picture goes out though nobody said that the last one came."""


class Onlooker:
    """One who looks. The senses put in, in their thread; the server takes out, in its own.

    Args:
        wake: called, from any thread, when something waits.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._waiting: dict[str, str] = {}
        self._last: dict[str, str] = {}
        self._levels: list[list[float | bool]] = []
        self._picture: bytes | None = None
        self._owed: tuple[int, float] | None = None
        self._most = self._size = 0
        self._fast = 0

    @property
    def width(self) -> int:
        """Of the pictures that he is sent, pixels."""
        return WIDTHS[self._size]

    def tell(self, kind: str, text: str) -> None:
        """Something he is told unless he knows it; what still waits of that kind is replaced."""
        with self._lock:
            if self._last.get(kind) == text:
                return
            self._last[kind] = self._waiting[kind] = text
        self._wake()

    def hear(self, levels: list[list[float | bool]]) -> None:
        """More levels."""
        with self._lock:
            self._levels = [*self._levels, *levels][-MOST_LEVELS:]
        self._wake()

    def takes_picture(self, now: float) -> bool:
        """Whether his line is free for the next one."""
        with self._lock:
            return self._owed is None or now - self._owed[1] >= GIVEN_UP

    def see(self, n: int, picture: bytes, now: float) -> None:
        """The next picture."""
        with self._lock:
            if self._owed is not None:
                self._smaller()
            self._picture, self._owed = picture, (n, now)
        self._wake()

    def got(self, n: int, now: float) -> None:
        """He says that picture ``n`` is shown."""
        with self._lock:
            if self._owed is None or self._owed[0] != n:
                return
            took, self._owed = now - self._owed[1], None
            self._fast = self._fast + 1 if took < FAST else 0
            if took > SLOW:
                self._smaller()
            elif self._fast >= STEADY and self._size > self._most:
                self._size, self._fast = self._size - 1, 0

    def wants(self, width: int) -> None:
        """His screen shows no more than so many pixels of width."""
        with self._lock:
            fitting = [at for at, known in enumerate(WIDTHS) if known >= width]
            self._most = fitting[-1] if fitting else 0
            self._size = max(self._size, self._most)

    def take(self) -> tuple[list[str], list[list[float | bool]], bytes | None]:
        """What waits, which then waits no more: messages, levels, a picture."""
        with self._lock:
            taken = list(self._waiting.values()), self._levels, self._picture
            self._waiting, self._levels, self._picture = {}, [], None
        return taken

    def _smaller(self) -> None:
        self._size, self._fast = min(self._size + 1, len(WIDTHS) - 1), 0
