"""A microphone that was not there when the evening began: looked for until it comes, then it is that microphone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from assistant.session import RATE, LiveSound, Samples
from audio.errors import MicrophoneUnavailable
from audio.health import Trouble
from vision.threads import SystemThreads, Threads

SOONEST, LATEST = 2.0, 10.0
"""Seconds between two looks for a microphone, at first and later."""
POLL = 0.1
NOTHING = np.zeros(0, np.float32)


class LateMicrophone:
    """A microphone (``assistant.session.LiveSound``) to come. Until then it gives blocks without samples.

    Args:
        find: opens the microphone. Raises MicrophoneUnavailable where there is still none.
        threads: where the clock comes from.
        soonest, latest: seconds between two looks, at first and later.
    """

    rate = RATE

    def __init__(
        self,
        find: Callable[[], LiveSound],
        threads: Threads | None = None,
        *,
        soonest: float = SOONEST,
        latest: float = LATEST,
    ) -> None:
        self._threads = SystemThreads() if threads is None else threads
        self._find = find
        self._soonest, self._latest = soonest, latest
        self._since = self._threads.now()
        self._microphone: LiveSound | None = None
        self._news = [Trouble(0.0, 0.0, "lost")]
        self._closed = self._threads.bell()

    @property
    def began(self) -> float | None:
        return self._since if self._microphone is None else self._microphone.began

    @property
    def lost_seconds(self) -> float:
        """Seconds of sound that the device lost."""
        return float(getattr(self._microphone, "lost_seconds", 0.0))

    def news(self) -> list[Trouble]:
        """Trouble, as of ``Microphone``; that there was none at the beginning, and that it came."""
        news, self._news = self._news, []
        return news if self._microphone is None else [*news, *self._microphone.news()]

    def __iter__(self) -> Iterator[Samples]:
        pause = self._soonest
        look_at = self._threads.now() + pause
        while self._microphone is None and not self._closed.is_set():
            yield NOTHING
            self._closed.wait(POLL)
            if self._threads.now() >= look_at:
                self._look()
                pause = min(self._latest, 2 * pause)
                look_at = self._threads.now() + pause
        if self._microphone is not None and not self._closed.is_set():
            yield from self._microphone

    def _look(self) -> None:
        try:
            self._microphone = self._find()
        except MicrophoneUnavailable:
            return
        self._news.append(Trouble(0.0, 0.0, "back"))

    def close(self) -> None:
        self._closed.set()
        if self._microphone is not None:
            self._microphone.close()
