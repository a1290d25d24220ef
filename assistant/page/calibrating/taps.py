"""What the camera sees and the microphone hears, for whoever calibrates; beside the eyes and ears, and in no one's way.

Of the pictures the newest is kept, of the sound the last seconds, and these only while somebody listens. Nothing goes
to a disk.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator

from assistant.calibrating.table import some_pictures
from assistant.i18n import N_
from assistant.page.calibrating.errors import NoCamera
from audio.resampling import RATE, Samples
from calibration.finding import without_hands
from vision.camera import Frame, Image

STALE = 3.0
"""Seconds after which a picture is none of now: the camera is lost."""
LOOKING = 2.5
"""Seconds within which the pictures come of which the table without hands is put together."""
NO_CAMERA = N_("aucune image ne vient : branchez la caméra, ou ouvrez la page sur le téléphone qui filme la table")
KEPT = 20.0
"""Seconds of sound that are kept for a listener who is busy."""


class Frames:
    """The newest picture of the camera.

    Args:
        now: seconds on the machine's clock.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._came = threading.Condition()
        self._frame: Frame | None = None
        self._number = 0
        self._at = 0.0

    def put(self, frame: Frame) -> None:
        """The eyes' thread: this is what the camera sees now."""
        with self._came:
            self._frame, self._at = frame, self._now()
            self._number += 1
            self._came.notify_all()

    @property
    def newest(self) -> Frame | None:
        """What the camera sees now; None where there is none, or it gives no pictures."""
        with self._came:
            return self._frame if self._now() - self._at <= STALE else None

    def after(self, number: int, timeout: float) -> tuple[int, Frame] | None:
        """The newest picture, if one came after the one of this ``number`` (0: any); waits for it at most so long."""
        with self._came:
            self._came.wait_for(lambda: self._number > number, timeout)
            return (self._number, self._frame) if self._frame is not None and self._number > number else None

    def coming(self, seconds: float) -> Iterator[Frame]:
        """The pictures that come from now on, for so long; who is slow misses some."""
        until = self._now() + seconds
        number = self._number
        while (left := until - self._now()) > 0 and (came := self.after(number, left)) is not None:
            number, frame = came
            yield frame

    def without_hands(self) -> Image:
        """The table as most of the pictures of the next moments show it: hands move, it does not.

        Raises:
            NoCamera: no picture comes.
        """
        if self.newest is None:
            raise NoCamera(NO_CAMERA)
        pictures = some_pictures(self.coming(LOOKING))
        return without_hands([picture for picture in pictures if picture.shape == pictures[-1].shape])


class Sounds:
    """The sound of the microphone, while somebody listens."""

    def __init__(self) -> None:
        self._came = threading.Condition()
        self._listening = False
        self._blocks: deque[Samples] = deque()
        self._samples = 0
        self._at: float | None = None

    def put(self, block: Samples) -> None:
        """The ears' thread: these samples (16 kHz) came next."""
        with self._came:
            self._at = time.monotonic() if len(block) else self._at
            if not self._listening:
                return
            self._blocks.append(block)
            self._samples += len(block)
            while self._samples > KEPT * RATE:
                self._samples -= len(self._blocks.popleft())
            self._came.notify_all()

    @property
    def on(self) -> bool:
        """Whether a microphone gives sound now."""
        with self._came:
            return self._at is not None and time.monotonic() - self._at <= STALE

    def listen(self, listening: bool) -> None:
        """From now on somebody listens, or nobody does; what was kept is forgotten."""
        with self._came:
            self._listening = listening
            self._blocks.clear()
            self._samples = 0

    def take(self, timeout: float) -> list[Samples]:
        """What came since this was asked last; waits for it at most so long."""
        with self._came:
            self._came.wait_for(lambda: bool(self._blocks), timeout)
            taken = list(self._blocks)
            self._blocks.clear()
            self._samples = 0
            return taken
