"""The listening sign: whoever looks at the terminal sees whether the assistant hears and sees the table just now."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import TextIO

from assistant.acts import Act, Notice
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.i18n import _
from assistant.session import Viewer
from audio.health import Trouble

SIGHT = frozenset({"camera", "eyes"})
HEARING = frozenset({"microphone", "ears"})
CLEAR = "\r\x1b[K"
"""Back to the beginning of the line, and nothing on it."""


class Signed:
    """A viewer with the sign as the last line of the terminal; where there is none, a line whenever it changes.

    Args:
        viewer: who shows everything else.
        sees, hears: whether there is a camera, a microphone.
        out: where the sign goes; standard output if None.
    """

    def __init__(self, viewer: Viewer, *, sees: bool, hears: bool, out: TextIO | None = None) -> None:
        self._viewer = viewer
        self._parts = (SIGHT if sees else frozenset()) | (HEARING if hears else frozenset())
        self._down: set[str] = set()
        self._out = out or sys.stdout
        self._drawn = ""
        self._lock = threading.Lock()  # answers at the keyboard are shown by another thread
        self._draw()

    @property
    def text(self) -> str:
        """ "● écoute et regarde" """
        up = self._parts - self._down
        sees, hears = up >= SIGHT, up >= HEARING
        if sees and hears:
            return _("● écoute et regarde")
        if sees:
            return _("● regarde, n'écoute pas")
        return _("● écoute, ne regarde pas") if hears else _("○ n'écoute pas, ne regarde pas")

    def observed(self, observation: Observation | Trouble) -> None:
        self._viewer.observed(observation)

    def acted(self, act: Act) -> None:
        if isinstance(act, Notice):
            part, _sep, what = act.kind.rpartition("-")
            if what == "lost":
                self._down.add(part)
            elif what == "back":
                self._down.discard(part)
        self._above(lambda: self._viewer.acted(act))

    def announced(self, announcement: Announcement) -> None:
        self._above(lambda: self._viewer.announced(announcement))

    def with_lines(self, show: Callable[[Sequence[str]], None]) -> Callable[[Sequence[str]], None]:
        """The same way to show lines, above the sign."""
        return lambda lines: self._above(lambda: show(lines))

    def close(self) -> None:
        """Nobody hears or sees any more."""
        with self._lock:
            self._wipe()

    def _above(self, show: Callable[[], None]) -> None:
        with self._lock:
            self._wipe()
            show()
            self._draw()

    def _wipe(self) -> None:
        if self._out.isatty() and self._drawn:
            self._out.write(CLEAR)
            self._drawn = ""

    def _draw(self) -> None:
        text = self.text
        if text != self._drawn:
            self._out.write(text if self._out.isatty() else f"{text}\n")
            self._out.flush()
            self._drawn = text
