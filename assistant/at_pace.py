"""Files as devices: a film or a sound at real pace, for a machine without camera or microphone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assistant.session import BLOCK, RATE, Pictures, Samples, Sound
from vision.camera import Frame
from vision.threads import SystemThreads, Threads


class CameraAtPace:
    """A film whose pictures come when their time has come."""

    def __init__(self, film: Pictures, threads: Threads | None = None) -> None:
        self._film = film
        self._threads = SystemThreads() if threads is None else threads
        self._closed = self._threads.bell()

    def __iter__(self) -> Iterator[Frame]:
        began = self._threads.now()
        for frame in self._film:
            self._closed.wait(max(0.0, began + frame.t - self._threads.now()))
            if self._closed.is_set():
                return
            yield frame

    def close(self) -> None:
        self._closed.set()
        self._film.close()


class MicrophoneAtPace:
    """A sound in blocks of a tenth of a second, each when it is over."""

    rate = RATE

    def __init__(self, sound: Sound, threads: Threads | None = None) -> None:
        self._sound = sound
        self._threads = SystemThreads() if threads is None else threads
        self._closed = self._threads.bell()

    def __iter__(self) -> Iterator[Samples]:
        began, heard = self._threads.now(), 0
        for block in _of_equal_length(self._sound):
            heard += len(block)
            self._closed.wait(max(0.0, began + heard / RATE - self._threads.now()))
            if self._closed.is_set():
                return
            yield block

    def close(self) -> None:
        self._closed.set()
        self._sound.close()


def _of_equal_length(sound: Sound) -> Iterator[Samples]:
    waiting = np.zeros(0, np.float32)
    for block in sound:
        waiting = np.concatenate([waiting, block])
        while len(waiting) >= BLOCK:
            yield waiting[:BLOCK]
            waiting = waiting[BLOCK:]
    if len(waiting):
        yield waiting
