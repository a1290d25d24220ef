"""A live camera that goes on: pulled out, hanging, frozen, black, it is noticed within two seconds, told once, and
opened again by itself.

Two threads touch it. A reader, a new one for every time it is opened, opens it and then only waits for the next
picture; one that hangs in the driver is left behind. The caller's thread, in ``__iter__``, judges the pictures and
never waits for the device. So capture waits for nobody: who takes pictures too slowly gets the newest one.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera import Frame, Image
from vision.errors import NoSuchCamera
from vision.events import CameraBack, CameraLost
from vision.sight import FROZEN_AFTER, Sight
from vision.threads import Bell, SystemThreads, Threads
from vision.webcams import Backend, Capture, OpenCV, choose, unavailable

POLL = 0.1
"""Seconds that the caller's thread waits for a picture before it looks whether all is well."""
LOST = 1.5
"""Without a picture that can be read for so long the loss is told."""
STALL = 1.5
"""Without any picture for so long a device that has not said good-bye is given up."""
SOONEST, LATEST = 0.25, 1.0
"""Seconds between two attempts to open it: twice as long after every failure, within these."""
OPENING = 10.0
"""An attempt that takes longer is left behind, and another way is tried."""
FIRST_OPENING = 45.0
"""So long the beginning waits for a camera that was asked for; some take a minute on some systems (opencv#17687)."""
SLOW, AGAIN = 1.0, 5.0
"""Seconds after which an opening that lasts is shown, and then every so often."""
SETTLING = 0.5
"""Seconds after opening whose pictures are left out: the exposure is still being found."""
CONVINCED = 0.3
"""Seconds of good pictures after which a lost camera is back."""
RELIABLE = 10.0
"""A camera that gave pictures for so long is opened again at once when it is lost."""
REOPEN_FROZEN, LONGEST_PATIENCE = 4.0, 300.0
"""A picture that stays frozen for so long is worth opening the device anew, then for twice as long."""
MANY_HANG, SELDOM = 8, 60.0
"""While so many readers hang in the driver, another is tried only so often: each is a thread that is left behind."""
PAUSE = 0.2
"""Seconds between two pictures after which the driver may have kept old ones."""
WAITED = 0.25
"""A picture that came within this share of the usual time between two had been there already."""
MOST_STALE = 120
"""Old pictures thrown away in one go: a stream's buffer of a few seconds."""
CLOSING = 1.0
"""Seconds that closing waits for the reader, so that the device is free afterwards."""


@dataclass(frozen=True, slots=True)
class _Picture:
    """``taken``, ``came``: on the clock of the threads."""

    take: int
    taken: float
    image: Image


@dataclass(frozen=True, slots=True)
class _Opened:
    take: int


@dataclass(frozen=True, slots=True)
class _Ended:
    take: int
    problem: NoSuchCamera | None = None


Item = _Picture | _Opened | _Ended


class _Inbox:
    """What the readers leave: all their messages, and the newest picture."""

    def __init__(self, bell: Bell) -> None:
        self._messages: deque[Item] = deque()
        self._picture: _Picture | None = None
        self._lock = threading.Lock()
        self._came = bell
        self.dropped = 0

    def put(self, item: Item) -> None:
        with self._lock:
            if isinstance(item, _Picture):
                self.dropped += self._picture is not None
                self._picture = item
            else:
                self._messages.append(item)
        self._came.set()

    def get(self, timeout: float) -> Item | None:
        if not self._messages and self._picture is None:
            self._came.wait(timeout)
        self._came.clear()
        with self._lock:
            if self._messages:
                return self._messages.popleft()
            picture, self._picture = self._picture, None
            return picture


class LiveCamera:
    """A device or a stream. Its pictures can be iterated over for ever; times are seconds since ``began``.

    Args:
        source: number, path, name or part of a name, address of a stream; empty: the first camera there is.
        backend: who knows the cameras; None: OpenCV.
        threads: where threads and clock come from.
        patient: a camera that is not there yet is no error; it is lost until it comes.
        progress: told, while the first opening lasts, for how many seconds it has.
        sight: judges its pictures.
        buffered: whether the device keeps pictures that nobody came for.

    Attributes:
        name: of the device or stream.
        began: when it was first asked for, on the clock of the threads.
        dropped: pictures that came before the one before was taken.
        stale: old pictures of the driver's buffer, thrown away.

    Raises:
        NoSuchCamera, CameraBusy: it cannot be opened (never where ``patient``).
    """

    live = True

    def __init__(
        self,
        source: str = "",
        *,
        backend: Backend | None = None,
        threads: Threads | None = None,
        patient: bool = False,
        progress: Callable[[float], None] = lambda seconds: None,
        sight: Sight | None = None,
        buffered: bool = True,
    ) -> None:
        self._buffered = buffered
        self._backend = OpenCV() if backend is None else backend
        self._threads = SystemThreads() if threads is None else threads
        self._now = self._threads.now
        self._source = source
        self._path = ""
        self.name = source
        self.began = self._now()
        self.stale = 0
        self._inbox = _Inbox(self._threads.bell())
        self._told: list[CameraLost | CameraBack] = []
        self._news: Callable[[CameraLost | CameraBack], None] = self._told.append
        self._take = self._open = 0
        self._tries = 0
        self._attempting: float | None = None
        self._next_attempt = self.began
        self._pause = SOONEST
        self._patience = REOPEN_FROZEN
        self._readers: dict[int, Bell] = {}
        self._sight = Sight() if sight is None else sight
        self._looked = self._settled = self.began
        self._blind_for = self._quiet_for = 0.0
        self._good_since: float | None = None
        self._reason: str = "gone"
        self._lost = False
        self._size: tuple[int, int] | None = None
        self._index = 0
        self._closed = False
        self._attempt(self.began)
        problem = self._wait_for_the_first(OPENING if patient else FIRST_OPENING, progress)
        if problem is not None and not patient:
            self._closed = True
            raise problem
        if problem is not None:
            self._blind_for = LOST  # told at the first look: it was looked for long enough

    @property
    def dropped(self) -> int:
        return self._inbox.dropped

    @property
    def sees(self) -> bool:
        """Whether its pictures can be read."""
        return not self._lost

    def tell(self, news: Callable[[CameraLost | CameraBack], None]) -> None:
        """Call ``news`` when the camera is lost or back, in the thread that iterates."""
        self._news = news
        while self._told:
            news(self._told.pop(0))

    def __iter__(self) -> Iterator[Frame]:
        while not self._closed:
            item = self._inbox.get(POLL)
            if self._closed:
                break
            match item:
                case _Picture() if item.take == self._open:
                    yield from self._see(item)
                case _Opened(take) if take == self._take:
                    self._begin(take)
                case _Ended(take) if take == self._take:
                    self._give_up("gone")
            self._look()

    def close(self) -> None:
        """Stop; an iteration that waits for a picture ends. A reader that hangs is not waited for."""
        if not self._closed:
            self._closed = True
            until = self._now() + CLOSING
            for over in list(self._readers.values()):
                over.wait(max(0.0, until - self._now()))

    # -- pictures that come ------------------------------------------------------------------------------------------

    def _see(self, picture: _Picture) -> Iterator[Frame]:
        self._quiet_for = 0.0
        if picture.taken < self._settled:
            return
        blindness = self._sight.judge(picture.image, picture.taken)
        if blindness is not None:
            self._reason, self._good_since = blindness, None
            if blindness == "frozen":  # it has been so for a while when that is clear
                self._blind_for = max(self._blind_for, FROZEN_AFTER)
            return
        self._good_since = picture.taken if self._good_since is None else self._good_since
        if self._lost and picture.taken - self._good_since < CONVINCED:
            return
        self._blind_for, self._reason, self._patience = 0.0, "blocked", REOPEN_FROZEN
        if picture.taken - self._settled > RELIABLE:
            self._pause = SOONEST
        if self._lost:
            self._lost = False
            self._news(CameraBack(self._time(self._good_since), self._time(self._now())))
        yield Frame(self._time(picture.taken), self._sized(picture.image), self._index)
        self._index += 1

    def _sized(self, image: Image) -> Image:
        """A camera that comes back with pictures of another size is brought to the first one's: what was learnt of the
        table lies in its pixels."""
        size = (image.shape[1], image.shape[0])
        self._size = self._size or size
        if size == self._size:
            return image
        return np.asarray(cv2.resize(image, self._size, interpolation=cv2.INTER_AREA), np.uint8)

    # -- what is wrong -----------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Is all well? Called after every item of the inbox and where none came."""
        now = self._now()
        step, self._looked = min(now - self._looked, 2 * POLL), now  # who took a picture slowly missed nothing
        self._blind_for += step
        self._quiet_for += step
        if self._open and self._quiet_for >= STALL:
            self._give_up("blocked")
        elif self._open and self._reason == "frozen" and self._blind_for >= self._patience:
            self._patience = min(LONGEST_PATIENCE, 2 * self._patience)
            self._give_up("frozen")
        if self._blind_for >= LOST and not self._lost:
            self._lost = True
            self._news(CameraLost(self._time(now - self._blind_for), self._time(now), self._reason))
        if not self._open:
            self._attempt(now)

    def _give_up(self, reason: str) -> None:
        """The device has ended, or does not do its work. Its reader closes it, if it can."""
        self._reason, self._good_since = reason, None
        self._open = self._take = 0
        self._attempting = None

    def _time(self, moment: float) -> float:
        return moment - self.began

    # -- opening -----------------------------------------------------------------------------------------------------

    def _begin(self, take: int) -> None:
        """A device is open; its pictures come."""
        self._open = take
        self._attempting = None
        self._quiet_for = 0.0
        self._settled = self._now() + SETTLING

    def _attempt(self, now: float) -> None:
        """Try to open the camera, if it is time and nobody is at it. An attempt that takes too long is left behind."""
        if (self._attempting is not None and now - self._attempting < OPENING) or now < self._next_attempt:
            return
        pause = SELDOM if len(self._readers) >= MANY_HANG else self._pause
        self._next_attempt, self._pause = now + pause, min(LATEST, 2 * self._pause)
        self._attempting = now
        self._tries += 1
        take = self._take = self._tries
        over = self._readers[take] = self._threads.bell()
        self._threads.start(lambda: self._read(take, over), "camera")

    def _read(self, take: int, over: Bell) -> None:
        """A reader's life: open, wait for picture after picture, close. It alone touches the device: to close one
        while another thread waits in it is not safe."""
        before = self._readers.get(take - 1)
        if before is not None:
            before.wait(CLOSING)  # as long as it has the device nobody else gets it
        capture: Capture | None = None
        problem: NoSuchCamera | None = None
        try:
            capture = self._backend.open(self._address(), take - 1)
            self._inbox.put(_Opened(take))
            self._read_on(take, capture)
        except NoSuchCamera as refused:
            problem = refused
        except Exception:  # drivers fail in many ways; to us it is gone
            problem = None
        finally:
            if capture is not None:
                capture.close()
            self._readers.pop(take, None)
            over.set()
            self._inbox.put(_Ended(take, problem))

    def _read_on(self, take: int, capture: Capture) -> None:
        usual, before = 0.1, self._now()
        while take == self._take and not self._closed:
            if not capture.grab():
                return
            at = self._now()
            if self._buffered and at - before > max(PAUSE, 2.5 * usual) and not _is_young(capture, at):
                at = self._throw_away_the_old(capture, WAITED * usual)
            else:
                usual += 0.1 * (at - before - usual)
            before = at
            stamp = capture.stamp()
            image = capture.retrieve()
            if image is not None and self._now() - at <= PAUSE:
                self._inbox.put(_Picture(take, at if stamp is None else stamp, image))

    def _throw_away_the_old(self, capture: Capture, waited: float) -> float:
        """After a pause the driver gives first what it kept meanwhile: the first picture that had to be waited for is
        new, or one that says so. When that came."""
        for _ in range(MOST_STALE):
            before = self._now()
            self.stale += 1
            if not capture.grab():
                break
            if self._now() - before >= waited or _is_young(capture, self._now()):
                break
        return self._now()

    def _address(self) -> int | str:
        """Where the camera is now: by the name that stays with it, once that is known; only where the system gives no
        such names by number.

        Raises:
            NoSuchCamera: it is not plugged in.
        """
        if "://" in self._source:
            return self._source
        cameras = self._backend.cameras()
        if not cameras and not self._path and (not self._source or self._source.isdecimal()):
            return int(self._source or "0")
        webcam = choose(cameras, self._path or self._source)
        self.name, self._path = webcam.name, webcam.path
        return webcam.path or webcam.index

    def _wait_for_the_first(self, seconds: float, progress: Callable[[float], None]) -> NoSuchCamera | None:
        """Until the camera is open, at most so long; why it is not."""
        shown = self.began + SLOW
        while (now := self._now()) < self.began + seconds:
            item = self._inbox.get(POLL)
            if isinstance(item, _Opened) and item.take == self._take:
                self._begin(item.take)
                self._looked = self._now()
                return None
            if isinstance(item, _Ended) and item.take == self._take:
                self._give_up("gone")
                return item.problem or unavailable(self._source)
            if now >= shown:
                progress(now - self.began)
                shown += AGAIN
            self._attempt(now)
        return NoSuchCamera("la caméra {name} ne s'ouvre pas : débranchez-la, puis rebranchez-la", name=self._source)


def _is_young(capture: Capture, now: float) -> bool:
    """Whether the picture that was grabbed is known to be no older than a pause."""
    stamp = capture.stamp()
    return stamp is not None and now - stamp <= PAUSE
