"""Work that may hang, and is waited for only so long: a stick that is dying can keep a write for half a minute."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Waiting:
    """Does one thing at a time, each in a thread of its own."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._problem: BaseException | None = None

    def do(self, work: Callable[[], None], patience: float) -> bool:
        """Do it and wait so many seconds for it; whether it is done. While the last thing hangs nothing new is begun.

        What it raised is raised here, what the last thing raised after all too.
        """
        if not self.finished(0.0):
            return False
        self._thread = threading.Thread(target=self._run, args=(work,), name="disk", daemon=True)
        self._thread.start()
        return self.finished(patience)

    def finished(self, patience: float) -> bool:
        """Whether nothing hangs, or does so no more after so many seconds; what was raised is raised here."""
        if self._thread is not None:
            self._thread.join(patience)
            if self._thread.is_alive():
                return False
            self._thread = None
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem
        return True

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as problem:
            self._problem = problem
