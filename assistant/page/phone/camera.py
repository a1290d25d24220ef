"""A phone as the table's camera: a device like another behind ``vision.live_camera``.

The server leaves the newest picture, still a JPEG; the reader of ``LiveCamera`` waits for it and decodes it in its own
thread. So a phone that sleeps, hangs or comes back is noticed and told as any camera is.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np

from assistant.i18n import N_
from assistant.page.phone.messages import SentPicture
from vision.camera import Frame, Image
from vision.errors import NoSuchCamera
from vision.events import CameraBack, CameraLost
from vision.live_camera import OPENING, STALL, LiveCamera
from vision.sight import Sight
from vision.threads import SystemThreads, Threads
from vision.webcams import Capture, Webcam

NAME = "phone"
LONG_SIDE = 1280
"""Pixels of the pictures' longer side, whatever the network let through: what was learnt of a table lies in pixels."""
STALE = 2.0
"""A picture that is so many seconds old when it comes shows a table of before."""
ALIKE = 0.02
"""Share by which the shape of two pictures may differ and still be stretched one to the other."""


class PhoneCameras:
    """The one camera that a phone is (``vision.webcams.Backend``).

    Attributes:
        stale: pictures that came too late.
        overtaken: pictures that nobody took before the next one came.
    """

    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._came = threads.bell()
        self._lock = threading.Lock()
        self._picture: tuple[SentPicture, float] | None = None
        self._on = self._closed = False
        self._latest = -1.0
        self.stale = self.overtaken = 0
        self._size: tuple[int, int] | None = None

    # -- the server's side -------------------------------------------------------------------------------------------

    def put(self, picture: SentPicture, taken: float) -> None:
        """A picture came that was ``taken`` at this moment of our clock."""
        now = self._threads.now()
        taken = min(taken, now)
        with self._lock:
            if now - taken > STALE or taken <= self._latest:
                self.stale += 1
                return
            self.overtaken += self._picture is not None
            self._picture, self._latest, self._on = (picture, taken), taken, True
        self._came.set()

    def off(self) -> None:
        """The phone sleeps, or went away."""
        with self._lock:
            self._on, self._picture = False, None
        self._came.set()

    def close(self) -> None:
        """No picture will come any more; nobody waits for one."""
        self._closed = True
        self.off()

    # -- the camera's side -------------------------------------------------------------------------------------------

    def cameras(self) -> Sequence[Webcam]:
        return (Webcam(0, NAME, NAME),)

    def open(self, source: int | str, attempt: int) -> Capture:
        """Wait until a phone sends pictures; the first attempt does not, so that the table can begin without it."""
        until = self._threads.now() + (0.0 if attempt == 0 else 0.8 * OPENING)
        while not self._on and not self._closed and self._threads.now() < until:
            self._wait(until - self._threads.now())
        if not self._on or self._closed:
            raise NoSuchCamera(N_("aucun téléphone n'envoie d'images"))
        return _PhoneCapture(self)

    def next(self) -> tuple[SentPicture, float] | None:
        """The newest picture and when it was taken; None when the phone is away."""
        until = self._threads.now() + STALL + 0.2  # a moment longer than it takes to be given up
        while self._on and self._threads.now() < until:
            with self._lock:
                taken, self._picture = self._picture, None
            if taken is not None:
                return taken
            self._wait(until - self._threads.now())
        with self._lock:
            self._on = self._on and self._picture is not None
        return None

    def sized(self, image: Image) -> Image:
        """The picture in the size of the first one: stretched, or where its shape is another, in black borders."""
        height, width = image.shape[:2]
        if self._size is None:
            scale = LONG_SIDE / max(width, height)
            self._size = round(width * scale), round(height * scale)
        return fitted(image, self._size)

    def _wait(self, seconds: float) -> None:
        self._came.wait(min(seconds, 0.5))
        self._came.clear()


class _PhoneCapture:
    """One stay of a phone (``vision.webcams.Capture``)."""

    def __init__(self, phone: PhoneCameras) -> None:
        self._phone = phone
        self._jpeg = b""
        self._taken = 0.0

    def grab(self) -> bool:
        got = self._phone.next()
        if got is None:
            return False
        picture, self._taken = got
        self._jpeg = picture.jpeg
        return True

    def retrieve(self) -> Image | None:
        image = decoded(self._jpeg)
        return None if image is None else self._phone.sized(image)

    def stamp(self) -> float | None:
        return self._taken

    def close(self) -> None:
        self._jpeg = b""


def decoded(jpeg: bytes) -> Image | None:
    """The picture, height x width x 3, BGR; None where its bytes are damaged. What its EXIF says of how it was held
    is not heeded: the page turned it."""
    try:
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def fitted(image: Image, size: tuple[int, int]) -> Image:
    """The picture in ``size`` (width, height), its shape kept."""
    height, width = image.shape[:2]
    if (width, height) == size:
        return image
    across, down = size[0] / width, size[1] / height
    if abs(across / down - 1) <= ALIKE:
        return _scaled(image, size)
    scale = min(across, down)
    inner = max(1, round(width * scale)), max(1, round(height * scale))
    out = np.zeros((size[1], size[0], 3), np.uint8)
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    out[top : top + inner[1], left : left + inner[0]] = _scaled(image, inner)
    return out


def _scaled(image: Image, size: tuple[int, int]) -> Image:
    smaller = size[0] < image.shape[1]
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR), np.uint8)


class PhoneCamera:
    """The camera of a table (``assistant.live.LivePictures``) that a phone is, once one comes.

    Its pictures all have the size of the first one, ``LONG_SIDE`` pixels at the longer side.
    """

    live = True
    name = NAME

    def __init__(self, threads: Threads | None = None) -> None:
        threads = SystemThreads() if threads is None else threads
        self.source = PhoneCameras(threads)
        sight = Sight(freezes=False)  # a camera that hangs gives its page no pictures at all
        self._camera = LiveCamera(
            NAME, backend=self.source, threads=threads, patient=True, sight=sight, buffered=False
        )

    @property
    def began(self) -> float:
        return self._camera.began

    @property
    def stale(self) -> int:
        """Pictures that came too late."""
        return self.source.stale + self._camera.stale

    @property
    def dropped(self) -> int:
        """Pictures that came before the one before was taken."""
        return self.source.overtaken + self._camera.dropped

    @property
    def sees(self) -> bool:
        """Whether its pictures can be read."""
        return self._camera.sees

    def tell(self, news: Callable[[CameraLost | CameraBack], None]) -> None:
        """Call ``news`` when the camera is lost or back. A phone is not unplugged: it went away (``phone``)."""

        def told(what: CameraLost | CameraBack) -> None:
            if isinstance(what, CameraLost) and what.reason in ("gone", "blocked"):
                what = dataclasses.replace(what, reason="phone")
            news(what)

        self._camera.tell(told)

    def __iter__(self) -> Iterator[Frame]:
        return iter(self._camera)

    def close(self) -> None:
        self.source.close()
        self._camera.close()
