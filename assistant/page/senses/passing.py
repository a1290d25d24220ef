"""Passing by: the newest picture and the last sound that eyes and ears were given, for whoever asks for them.

Nothing is held while nobody asks, and nothing at all once the last one has stopped asking. Who fills it never waits:
a picture is a reference that replaces the one before, sound a few blocks of which the oldest go.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.camera import Frame
from vision.events import Quad

Samples = npt.NDArray[np.float32]
LyingCard = tuple[int, str | None, Quad]
"""Track, card (None: not read), corners."""
SECONDS = 2.0
"""Of sound that are held."""
RATE = 16000


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the eyes looked at.

    Attributes:
        n: grows with every picture that passes.
        view: the part of it that they looked at, None where they held it back (the camera was bumped).
        cards: what lies on the table, in pixels of the view.
    """

    n: int
    view: Frame | None
    cards: tuple[LyingCard, ...]


class Passing:
    """See the module. Every method may be called from any thread.

    Args:
        seconds: of sound that are held.

    Attributes:
        came: set whenever something has passed while somebody asks.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._most = int(seconds * RATE)
        self._lock = threading.Lock()
        self._asking = 0
        self._pictures = 0
        self._picture: Picture | None = None
        self._blocks: deque[Samples] = deque()
        self._samples = 0
        self._held = 0
        self.came = threading.Event()

    @property
    def asked(self) -> bool:
        """Whether anybody wants what passes."""
        return self._asking > 0

    def ask(self) -> Callable[[], None]:
        """From now on somebody wants what passes.

        Returns:
            Ends that; a second call does nothing.
        """
        with self._lock:
            self._asking += 1
        done = False

        def stop() -> None:
            nonlocal done
            with self._lock:
                if done:
                    return
                done = True
                self._asking -= 1
                if not self._asking:
                    self._forget()

        return stop

    def picture(self, view: Frame | None, cards: Callable[[], tuple[LyingCard, ...]]) -> None:
        """The eyes have looked at a picture; ``cards`` is called only while somebody asks."""
        if not self._asking:
            return
        lying = cards()
        with self._lock:
            if self._asking:
                self._pictures += 1
                self._picture = Picture(self._pictures, view, lying)
        self.came.set()

    def sound(self, samples: Samples) -> None:
        """The ears were given a block of sound."""
        if not self._asking or not len(samples):
            return
        block = np.array(samples, np.float32)
        with self._lock:
            if self._asking:
                self._blocks.append(block)
                self._samples += len(block)
                self._held += len(block)
                while self._held > self._most and len(self._blocks) > 1:
                    self._held -= len(self._blocks.popleft())
        self.came.set()

    def newest(self) -> Picture | None:
        """The picture that passed last, None where none has since somebody asks."""
        return self._picture

    def heard_since(self, count: int) -> tuple[int, Samples]:
        """The sound after the first ``count`` samples that passed, as far as it is held.

        Returns:
            How many samples have passed so far, and the sound, mono float32 at 16 kHz.
        """
        with self._lock:
            blocks, samples, held = list(self._blocks), self._samples, self._held
        new = min(held, max(0, samples - count))
        sound = np.concatenate(blocks) if blocks else np.zeros(0, np.float32)
        return samples, sound[len(sound) - new :]

    def _forget(self) -> None:
        self._picture = None
        self._blocks.clear()
        self._held = 0
