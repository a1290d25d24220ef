"""A phone whose clock is another one, and a network between it and the table: see ``assistant.testing``.

The phone takes pictures and sound of a room whose time is that of the ``FakeTime``, stamps them with its own clock and
sends them as the page does; the network delays, delays some more by chance, holds everything back while something is
sent again, and carries only so many bytes a second. All runs in one thread of the ``FakeTime``.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from assistant.fake_time import FakeTime
from assistant.page.phone.messages import Begin, Round, SentSound, Told, picture, sound, told
from assistant.page.phone.phone import Phone, Sender, TooMany
from audio.resampling import Samples
from vision.camera import Image

WIDTH, HEIGHT = 160, 90
SIDE = 16
BITS = 20
BLOCK = 2048
"""Samples of a block of sound."""
MOST_UNDER_WAY = 2


@dataclass
class Network:
    """One way and the other between phone and table.

    Attributes:
        up, down: seconds that anything takes at least.
        jitter: mean of what chance adds, seconds.
        loss: share of messages that are lost once: they, and all behind them, come 0.2 s later.
        bytes_a_second: what it carries from the phone.
        gone: from when to when nothing comes through; then all comes at once.
    """

    up: float = 0.005
    down: float = 0.005
    jitter: float = 0.0
    loss: float = 0.0
    bytes_a_second: float = 1e9
    gone: Sequence[tuple[float, float]] = ()
    seed: int = 1
    _free: dict[str, float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def arrives(self, way: str, now: float, size: int) -> float:
        """When a message that leaves now comes out; the order is kept."""
        begins = max(now, self._free.get(way + "-line", 0.0))
        ends = begins + (size / self.bytes_a_second if way == "up" else 0.0)
        self._free[way + "-line"] = ends
        at = ends + (self.up if way == "up" else self.down)
        if self.jitter:
            at += self._random.expovariate(1 / self.jitter)
        if self._random.random() < self.loss:
            at += 0.2
        for start, stop in self.gone:
            if start <= at < stop:
                at = stop
        at = max(at, self._free.get(way, 0.0))
        self._free[way] = at
        return at


class FakePhone:
    """A phone before the table.

    Args:
        time: the room's clock.
        phone: what it sends to.
        ahead, drift: its clock shows ``ahead`` more than the room's, and runs faster by this share.
        camera, microphone: what it is.
        room: what is heard, mono at ``rate``, from time 0 on; None: soft noise.
        frames_a_second: of its camera.
        heavy: bytes of a picture at the finest step, for the network.
        asleep: from when to when its page is hidden; its sound is a new take afterwards.
        quartz: its sound card runs faster by this share.
        coarse: from when on its pictures lose the noise of a table where nothing moves.

    Attributes:
        taken: when each picture was taken, by its number.
        asked: (moment, what it was asked for) at every change.
        got: what it was told, by its type.
    """

    def __init__(
        self,
        time: FakeTime,
        phone: Phone,
        network: Network | None = None,
        *,
        ahead: float = 1000.0,
        drift: float = 0.0,
        camera: bool = True,
        microphone: bool = True,
        room: Samples | None = None,
        rate: int = 48_000,
        quartz: float = 0.0,
        frames_a_second: float = 15.0,
        heavy: int = 0,
        asleep: Sequence[tuple[float, float]] = (),
        coarse: float = math.inf,
        key: str = "phonephone",
    ) -> None:
        self.time, self._phone = time, phone
        self.network = Network() if network is None else network
        self._ahead, self._drift, self._quartz = ahead, drift, quartz
        self._room = np.random.default_rng(3).normal(0, 1e-3, 600 * rate).astype(np.float32) if room is None else room
        self._rate, self._frames, self._heavy, self._asleep = rate, frames_a_second, heavy, asleep
        self._coarse = coarse
        self._begin = Begin(camera, microphone, rate, key)
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._numbers, self._pings = itertools.count(1), itertools.count(1)
        self._blocks = itertools.count(1)
        self._under_way = self._left_out = 0
        self._next_picture = 0.0
        self._take, self._first, self._samples_since = 0, 0, 0.0
        self._ask: dict[str, float] = {}
        self._sent_pings: dict[int, float] = {}
        self.taken: dict[int, float] = {}
        self.asked: list[tuple[float, dict[str, float]]] = []
        self.got: dict[str, int] = {}
        self.sender: Sender | None = None

    def there(self, now: float) -> float:
        """What its clock shows, seconds."""
        return self._ahead + now * (1 + self._drift)

    def start(self) -> None:
        """Let it send, in a thread of its own."""
        self.time.start(self._run, "phone")

    def _run(self) -> None:
        now = self.time.now()
        self.sender = self._phone.join(self._begin, self._posted)
        self._ask = dict(self.sender.ready()["ask"])
        self._samples_since = now
        for n in range(10):
            self._at(now + 0.1 * n, self._ping)
        self._at(now + 1.0, self._ping_on)
        if self._begin.camera:
            self._at(now, self._shoot)
        if self._begin.microphone:
            self._at(now + BLOCK / self._rate, self._record)
        for start, stop in self._asleep:
            self._at(start, lambda: self._send({"type": "asleep"}))
            self._at(stop, self._wake)
        while self._events:
            at, _, act = heapq.heappop(self._events)
            self.time.sleep(max(0.0, at - self.time.now()))
            act()

    def _at(self, moment: float, act: Callable[[], None]) -> None:
        heapq.heappush(self._events, (moment, next(self._order), act))

    def _sleeps(self) -> bool:
        return any(start <= self.time.now() < stop for start, stop in self._asleep)

    def _wake(self) -> None:
        self._take += 1
        self._first, self._samples_since = 0, self.time.now()
        self._send({"type": "awake"})
        if self._begin.microphone:
            self._at(self.time.now() + BLOCK / self._rate, self._record)

    # -- clocks ------------------------------------------------------------------------------------------------------

    def _ping_on(self) -> None:
        self._ping()
        self._at(self.time.now() + 1.0, self._ping_on)

    def _ping(self) -> None:
        if not self._sleeps():
            number = next(self._pings)
            self._sent_pings[number] = self.there(self.time.now())
            self._send({"type": "ping", "n": number})

    def _posted(self, message: Any) -> None:
        """The table told something."""
        self._at(self.network.arrives("down", self.time.now(), 0), lambda: self._told(message))

    def _told(self, message: Any) -> None:
        self.got[message["type"]] = self.got.get(message["type"], 0) + 1
        match message:
            case {"type": "pong", "n": number}:
                sent, came = self._sent_pings.pop(number), self.there(self.time.now())
                self._send({"type": "clock", "n": number, "sent": 1000 * sent, "came": 1000 * came})
            case {"type": "ack", "ask": ask}:
                self._under_way -= 1
                if ask != self._ask:
                    self._ask = dict(ask)
                    self.asked.append((self.time.now(), self._ask))

    def _send(self, message: dict[str, Any]) -> None:
        meant: Told = told(message)
        sender = self.sender
        assert sender is not None
        if not isinstance(meant, Round) or meant.came >= meant.sent:
            self._at(self.network.arrives("up", self.time.now(), 60), lambda: sender.told(meant))

    # -- pictures and sound ------------------------------------------------------------------------------------------

    def _shoot(self) -> None:
        """Its camera gives a picture."""
        now = self.time.now()
        self._at(now + 1 / self._frames, self._shoot)
        if self._sleeps() or now < self._next_picture:
            return
        if self._under_way >= MOST_UNDER_WAY:
            self._left_out += 1
            return
        self._next_picture = now + 1 / self._ask["rate"] - 0.5 / self._frames
        number = next(self._numbers)
        self.taken[number] = now
        sent = picture(number, 1000 * self.there(now), self._left_out, numbered(number, now >= self._coarse))
        self._left_out = 0
        self._under_way += 1
        size = self._heavy * (self._ask["width"] / 1280) ** 2 * (self._ask["quality"] / 0.85) ** 2
        sender = self.sender
        assert sender is not None

        def came() -> None:
            try:
                ack = sender.came(sent)
            except TooMany:
                return
            if ack is not None:
                self._posted(ack)

        self._at(self.network.arrives("up", now, round(size) + len(sent.jpeg)), came)

    def _record(self) -> None:
        """A block of sound is complete."""
        now = self.time.now()
        if self._sleeps():
            return
        speed = self._rate * (1 + self._quartz)
        start = self._samples_since + self._first / speed
        block = self._heard(start, speed)
        samples = np.round(np.clip(block, -1, 1) * 32767).astype("<i2").tobytes()
        sent = sound(self._take, next(self._blocks), 1000 * self.there(now), self._first, samples)
        self._first += BLOCK
        sender = self.sender
        assert sender is not None
        self._at(self.network.arrives("up", now, len(samples)), lambda: self._heard_at_last(sender, sent))
        self._at(self._samples_since + (self._first + BLOCK) / speed, self._record)

    def _heard(self, start: float, speed: float) -> Samples:
        """A block of the room from ``start`` on, at so many samples a second."""
        first = start * self._rate
        before = int(first)
        near = self._room[before : before + BLOCK + 2]
        places = first - before + np.arange(BLOCK) * (self._rate / speed)
        out: Samples = np.interp(places, np.arange(len(near)), near).astype(np.float32)
        return out

    def _heard_at_last(self, sender: Sender, block: SentSound) -> None:
        with contextlib.suppress(TooMany):
            sender.came(block)


def numbered(number: int, still: bool = False) -> bytes:
    """A small JPEG that shows its number; ``number_of`` reads it. All else is noise, or ``still``."""
    image = _TABLES[0 if still else number % len(_TABLES)].copy()
    for bit in range(BITS):
        x, y = SIDE * (bit % 10), SIDE * (bit // 10)
        image[y : y + SIDE, x : x + SIDE] = 230 if number >> bit & 1 else 20
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])


def number_of(image: Image) -> int:
    """The number that a picture of ``numbered`` shows, of whatever size it is now."""
    scale = image.shape[1] / WIDTH
    middles = [(SIDE * (bit % 10) + SIDE / 2, SIDE * (bit // 10) + SIDE / 2) for bit in range(BITS)]
    return sum(1 << bit for bit, (x, y) in enumerate(middles) if image[round(y * scale), round(x * scale)].mean() > 125)


_TABLES = [np.random.default_rng(n).normal(100, 4, (HEIGHT, WIDTH, 3)).clip(0, 255).astype(np.uint8) for n in range(7)]
