"""A phone as the table's microphone: a device like another behind ``audio.microphone``.

Samples are counted where they are captured, so what the network or the phone lost is known to the sample and filled
with silence; when they were captured is what the phone's clock says.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from assistant.i18n import N_
from assistant.late import LateMicrophone
from assistant.page.phone.messages import SentSound
from audio.devices import Captured, InputDevice, InputStream
from audio.errors import MicrophoneUnavailable
from audio.microphone import Item, Microphone
from vision.threads import SystemThreads, Threads

NAME = "phone"
KEPT = 40
"""Blocks that wait for whoever opens the microphone: some two seconds."""
LONGEST_GAP = 10.0
"""Seconds of sound that may be missing; after more it counts as another take."""
OLDEST = 5.0
"""Sound that claims to be older than so many seconds is stamped wrongly."""
LOOK = 0.1
"""Seconds between two looks whether a phone has come."""


class PhoneMicrophones:
    """The one microphone that a phone is (``audio.devices.Backend``).

    Attributes:
        lost: samples that were captured and did not come.
    """

    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._came = threads.bell()
        self._lock = threading.RLock()
        self._waiting: deque[tuple[int, Captured]] = deque(maxlen=KEPT)
        self._stream: _PhoneStream | None = None
        self._take = -1
        self._rate = 48_000
        self._next = 0
        self._closed = False
        self.lost = 0

    # -- the server's side -------------------------------------------------------------------------------------------

    def put(self, sound: SentSound, rate: int, ended: float) -> None:
        """A block came whose last sample was captured at the moment ``ended`` of our clock."""
        now = self._threads.now()
        ended = min(now, max(now - OLDEST, ended))
        samples = np.frombuffer(sound.samples, "<i2").astype(np.int16)[:, None]
        with self._lock:
            if self._another(sound, rate):
                self._begin(sound, rate)
            if sound.first < self._next:  # sent again
                return
            missing, self._next = sound.first - self._next, sound.first + len(samples)
            self.lost += missing
            captured = Captured(samples, 1.0 + sound.first / rate, missing > 0, ended)
            if self._stream is not None and self._stream.playing:
                self._stream.captured(captured)
            else:
                self._waiting.append((rate, captured))
        self._came.set()

    def off(self) -> None:
        """The phone sleeps, or went away."""
        with self._lock:
            self._take = -1
            self._waiting.clear()
            self._end_stream()

    def close(self) -> None:
        """No sound will come any more; nobody waits for it."""
        self._closed = True
        self._came.set()

    @property
    def sounds(self) -> bool:
        """Whether sound is there that waits for somebody."""
        return bool(self._waiting)

    def _another(self, sound: SentSound, rate: int) -> bool:
        too_far = sound.first - self._next > LONGEST_GAP * self._rate
        return sound.take != self._take or rate != self._rate or too_far

    def _begin(self, sound: SentSound, rate: int) -> None:
        """The phone opened its microphone anew: its samples are counted anew."""
        self._take, self._rate, self._next = sound.take, rate, sound.first
        self._waiting.clear()
        self._end_stream()

    def _end_stream(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.ended()

    # -- the microphone's side ---------------------------------------------------------------------------------------

    def inputs(self) -> Sequence[InputDevice]:
        return (InputDevice(0, NAME, self._rate, 1, NAME, True),)

    def open(self, device: InputDevice, captured: Callable[[Captured], None], ended: Callable[[], None]) -> InputStream:
        """Wait until a phone sends sound."""
        while not self._waiting and not self._closed:
            self._came.wait(0.5)
            self._came.clear()
        with self._lock:
            if self._closed or not self._waiting:
                raise MicrophoneUnavailable(N_("aucun téléphone n'envoie de son"))
            self._stream = _PhoneStream(self, self._waiting[0][0], captured, ended)
            return self._stream

    def start(self, stream: _PhoneStream) -> None:
        """Hand over what waited, then what comes."""
        with self._lock:
            if stream is not self._stream:  # it has ended already
                stream.ended()
                return
            stream.playing = True
            while self._waiting:
                stream.captured(self._waiting.popleft()[1])

    def stop(self, stream: _PhoneStream) -> None:
        with self._lock:
            if stream is self._stream:
                self._stream = None

    def rescan(self) -> None: ...

    def changed(self) -> bool:
        return False


class _PhoneStream:
    """The microphone of a phone, open (``audio.devices.InputStream``)."""

    channels = 1

    def __init__(
        self,
        phone: PhoneMicrophones,
        rate: int,
        captured: Callable[[Captured], None],
        ended: Callable[[], None],
    ) -> None:
        self._phone = phone
        self.rate, self.captured, self.ended = rate, captured, ended
        self.playing = False

    def start(self) -> None:
        self._phone.start(self)

    def close(self) -> None:
        self._phone.stop(self)


class _Inbox:
    """What was captured, until the listener takes it (``audio.microphone.Inbox``)."""

    def __init__(self, threads: Threads) -> None:
        self._items: deque[Item] = deque()
        self._came = threads.bell()

    def put(self, item: Item) -> None:
        self._items.append(item)
        self._came.set()

    def get(self, timeout: float) -> Item | None:
        if not self._items:
            self._came.wait(timeout)
        self._came.clear()
        return self._items.popleft() if self._items else None


class PhoneMicrophone(LateMicrophone):
    """The microphone of a table (``assistant.session.LiveSound``) that a phone is, once one comes."""

    def __init__(self, threads: Threads | None = None) -> None:
        threads = SystemThreads() if threads is None else threads
        self.source = PhoneMicrophones(threads)

        def find() -> Microphone:
            if not self.source.sounds:
                raise MicrophoneUnavailable(N_("aucun téléphone n'envoie de son"))
            return Microphone(
                backend=self.source,
                now=threads.now,
                inbox=_Inbox(threads),
                spawn=lambda work: threads.start(work, "microphone"),
            )

        super().__init__(find, threads, soonest=LOOK, latest=LOOK)

    def close(self) -> None:
        self.source.close()
        super().close()
