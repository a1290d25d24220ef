"""A live microphone that goes on: pulled out, silent, swapped, overloaded, it is noticed, told once, and mended.

Three threads touch it. The device's own only puts what it captured into the inbox. A helper opens devices, which may
take long. The listener's thread, in ``__iter__``, does everything else and never waits for either.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np

from audio.channels import Channels
from audio.devices import Backend, Captured, InputDevice, InputStream, PortAudio, choose
from audio.errors import MicrophoneUnavailable
from audio.health import LOWEST_DB, Health, Levels, Trouble, What
from audio.resampling import RATE, Resampler, Samples, sane
from audio.timing import Continuity, Line

POLL = 0.1
"""Seconds that the listener waits for a block before it looks whether all is well."""
STALL = 1.5
"""Without a block for so long a device that has not said good-bye is given up."""
LOST = 2.0
"""Without a block for so long the loss is told."""
BEHIND = 0.25
"""While no sound comes, silence is filled in up to so long ago; the rest when the device is back."""
MOST_FILLED = 60.0
"""Longer gaps (a machine that slept) are not filled with silence; the clock jumps over them."""
SOONEST, LATEST = 0.25, 10.0
"""Seconds between two attempts to open a microphone: twice as long after every failure, within these."""
LOYAL = 5.0
"""So long a microphone that was asked for by name or number is waited for before another is taken."""
REOPEN_SILENT = 10.0
"""A device that gives only zeros for so long is opened anew (drivers wake up from a sleep like that), then after twice
as long every time."""
LONGEST_PATIENCE = 300.0
LATE, CAUGHT_UP = 3.0, 0.5
"""The ears are told to be late when they are so many seconds behind, and back when they are so few."""
LOOK_ROUND = 1.0
"""Seconds between two looks whether devices came or went."""
INBOX_BYTES = 64 << 20
"""What may wait for the ears: three minutes of two channels at 48 kHz."""


@dataclass(frozen=True, slots=True)
class _Block:
    take: int
    arrived: float
    captured: Captured


@dataclass(frozen=True, slots=True)
class _Opened:
    take: int
    device: InputDevice
    stream: InputStream


@dataclass(frozen=True, slots=True)
class _Ended:
    take: int


Item = _Block | _Opened | _Ended
"""What the device's thread and the helper that opens devices leave for the listener."""


class Inbox(Protocol):
    """Where the device's thread leaves what it captured."""

    def put(self, item: Item) -> None: ...

    def get(self, timeout: float) -> Item | None:
        """The oldest item, None after ``timeout`` seconds without one."""
        ...


class Waiting:
    """A first-in, first-out inbox between two threads."""

    def __init__(self) -> None:
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()

    def put(self, item: Item) -> None:
        self._items.put(item)

    def get(self, timeout: float) -> Item | None:
        try:
            return self._items.get(timeout=timeout)
        except queue.Empty:
            return None


def in_background(work: Callable[[], None]) -> None:
    """Do it in a thread that nobody waits for."""
    threading.Thread(target=work, name="microphone", daemon=True).start()


@dataclass(slots=True)
class _Take:
    """One device as long as it is open, and what follows its sound.

    Attributes:
        began: seconds of the stream that comes out at its first sample, None before that.
        frames: samples of the device so far, with what was filled in for lost ones.
        clocked: whether the device stamps its blocks.
        quiet: seconds without a block.
        silent_since: seconds of the stream, None where it is not silent.
    """

    number: int
    device: InputDevice
    stream: InputStream
    channels: Channels
    resampler: Resampler
    sequence: Continuity
    health: Health
    began: float | None = None
    frames: int = 0
    clocked: bool = True
    quiet: float = 0.0
    silent_since: float | None = None


class Microphone:
    """A live microphone at the device's own rate, joined to one channel, resampled to 16 kHz.

    No sample is lost between capture and listener: what the device captured waits in the inbox until the listener
    takes it, however slow it is for a while. The inbox is bounded (``INBOX_BYTES``); what comes beyond is not kept, and
    like all that the device itself lost it is replaced by silence of the same length (``lost_seconds`` counts both), so
    that times stay right. While there is no device at all, silence comes at the pace of the clock.

    Args:
        device: number, name or part of a name; None is the system's choice.
        backend: who knows the devices; None: PortAudio.
        now: the clock, seconds.
        inbox: where captured sound waits.
        spawn: does a piece of work without waiting for it.

    Attributes:
        name: of the device that is listening, or was the last.
        began: the time on ``now``'s clock at which sample 0 was captured, as it is known so far. The device's
            quartz and that clock run apart by some hundredths of a second in ten minutes: this follows.
        behind: seconds by which the listener is behind the device.

    Raises:
        MicrophoneUnavailable: no PortAudio, no such device, or the device is taken.
    """

    rate = RATE

    def __init__(
        self,
        device: int | str | None = None,
        *,
        backend: Backend | None = None,
        now: Callable[[], float] = time.monotonic,
        inbox: Inbox | None = None,
        spawn: Callable[[Callable[[], None]], None] = in_background,
    ) -> None:
        self._backend = PortAudio() if backend is None else backend
        self._now, self._spawn = now, spawn
        self._inbox = Waiting() if inbox is None else inbox
        self._waiting_bytes = _Waited()
        self._closed = False
        self.lost_seconds = self.behind = 0.0
        self._line = Line()
        self._emitted = 0
        self._news: list[Trouble] = []
        self._told: What | None = None
        self._wanted = device
        self._asked = self._known = choose(self._backend.inputs(), device)
        self.name = self._asked.name
        self._take: _Take | None = None
        self._takes = 0
        self._stream: InputStream | None = None
        self._looked = self._looked_round = self._last_block = self._next_attempt = now()
        self._quiet = 0.0
        self._attempting = False
        self._pause = SOONEST
        self._patience = REOPEN_SILENT
        self._begin(self._next_take(), self._asked)

    # -- what the listener asks --------------------------------------------------------------------------------------

    @property
    def began(self) -> float | None:
        return self._line.began

    @property
    def devices(self) -> Sequence[InputDevice]:
        """The microphones there are, as they were listed last."""
        return self._backend.inputs()

    @property
    def levels(self) -> Levels:
        """What the microphone gives just now."""
        return self._take.health.levels if self._take else Levels(LOWEST_DB, LOWEST_DB, 0.0)

    @property
    def listening(self) -> bool:
        """Whether a device is open."""
        return self._take is not None

    def news(self) -> list[Trouble]:
        """What went wrong or well since this was asked last; times are seconds of the stream that comes out."""
        news, self._news = self._news, []
        return news

    def __iter__(self) -> Iterator[Samples]:
        while not self._closed:
            item = self._inbox.get(POLL)
            if self._closed:
                break
            heard = False
            match item:
                case _Block():
                    self._waiting_bytes.out(item.captured.samples.nbytes)
                    if self._take is not None and self._take.number == item.take:
                        heard = True
                        yield from self._hear(self._take, item)
                case _Opened():
                    self._opened(item)
                case _Ended(number) if self._take is not None and self._take.number == number:
                    yield from self._gone()
            yield from self._look(heard=heard)
        if self._take is not None:
            yield from _some(self._take.resampler.accept(self._take.channels.finish(), last=True))

    def close(self) -> None:
        """Stop; an iteration that waits for sound ends."""
        if not self._closed:
            self._closed = True
            stream, self._stream = self._stream, None
            if stream is not None:
                _close(stream)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.close()

    # -- sound that comes --------------------------------------------------------------------------------------------

    def _hear(self, take: _Take, block: _Block) -> Iterator[Samples]:
        samples, rate = block.captured.samples, take.stream.rate
        began = take.began
        if began is None:
            yield from self._fill(block.arrived - len(samples) / rate)
            began = take.began = self._emitted / RATE
            take.clocked = block.captured.when > 0
            self._welcome(take, began)
        when = block.captured.when if take.clocked else block.arrived - len(samples) / rate
        missing = take.sequence.missing_before(when, len(samples), block.captured.overflow)
        filled = min(missing, round(MOST_FILLED * rate))
        if missing:
            self.lost_seconds += missing / rate
            self._line.jump((missing - filled) / rate)
            yield from self._out(take.resampler.accept(take.channels.finish()))
            yield from self._out(take.resampler.accept(np.zeros(filled, np.float32)))
        take.frames += filled + len(samples)
        end = began + take.frames / rate
        self._line.follow(block.arrived, end)
        self._last_block = block.arrived
        self._quiet = take.quiet = 0.0
        clean = sane(samples)
        for what in take.health.hear(clean):
            self._judge(take, what, end)
        if self._told == "silent" and take.health.sounds:  # a device opened anew that was never silent
            self._tell("back", end)
        self.behind = max(0.0, self._now() - block.arrived)
        self._punctual(end)
        yield from self._out(take.resampler.accept(take.channels.accept(clean)))

    def _welcome(self, take: _Take, began: float) -> None:
        """Sound comes from a device just opened."""
        swapped = not _same(take.device, self._known)
        self._known, self.name = take.device, take.device.name
        self._pause = SOONEST
        if swapped:
            self._tell("swapped", began)
        elif self._told == "lost":
            self._tell("back", began)

    def _fill(self, moment: float) -> Iterator[Samples]:
        """Silence up to ``moment`` of the clock."""
        if self._line.began is None:
            return
        gap = moment - self._line.began - self._emitted / RATE
        if gap > 0:
            self.lost_seconds += gap
            self._line.jump(max(0.0, gap - MOST_FILLED))
            yield from self._out(np.zeros(round(min(gap, MOST_FILLED) * RATE), np.float32))

    def _out(self, samples: Samples) -> Iterator[Samples]:
        self._emitted += len(samples)
        yield from _some(samples)

    # -- what is wrong -----------------------------------------------------------------------------------------------

    def _look(self, *, heard: bool) -> Iterator[Samples]:
        """Is all well? Called after every item of the inbox and where none came."""
        now = self._now()
        step, self._looked = min(now - self._looked, 2 * POLL), now  # a machine that slept saw no stall
        take = self._take
        if take is not None and (self._slept_in(take) or self._others_came(take, now)):
            yield from self._gone()
        if heard:
            return
        self._quiet += step
        if take is not None:
            take.quiet += step
            if take.quiet >= STALL and self._take is take:
                yield from self._gone()
        if self._quiet >= LOST and self._told != "lost":
            self._tell("lost", self._time(self._last_block))
        if self._take is None:
            yield from self._fill(now - BEHIND)
            self._attempt(now)

    def _slept_in(self, take: _Take) -> bool:
        """Whether a device gives nothing but silence for so long that opening it anew is worth a try."""
        if take.silent_since is None or take.began is None:
            return False
        if take.began + take.frames / take.stream.rate - take.silent_since < self._patience:
            return False
        self._patience = min(LONGEST_PATIENCE, 2 * self._patience)
        return True

    def _others_came(self, take: _Take, now: float) -> bool:
        """Whether there may be a better microphone than this one: the system's new choice, or the one that was asked
        for and was missing."""
        if now - self._looked_round < LOOK_ROUND:
            return False
        self._looked_round = now
        content = self._wanted not in (None, "") and _same(take.device, self._asked)
        return not content and self._backend.changed()

    def _gone(self) -> Iterator[Samples]:
        """The device has ended, or is given up; the last that it said comes out."""
        take, self._take = self._take, None
        assert take is not None
        if take.began is not None:  # it did give sound: try again at once
            self._next_attempt = self._now()
        yield from self._out(take.resampler.accept(take.channels.finish(), last=True))

    def _judge(self, take: _Take, what: What, end: float) -> None:
        if what == "silent":
            take.silent_since = end
            if self._told == "silent":
                return
        elif what == "back":
            take.silent_since, self._patience = None, REOPEN_SILENT
        self._tell(what, end)

    def _punctual(self, end: float) -> None:
        if self.behind > LATE and self._told is None:
            self._tell("late", end)
        elif self.behind < CAUGHT_UP and self._told == "late":
            self._tell("back", end)

    def _tell(self, what: What, t: float) -> None:
        if what == "back" and self._told is None:
            return
        if what in ("lost", "silent", "late"):
            self._told = what
        elif what in ("back", "swapped"):
            self._told = None
        self._news.append(Trouble(max(0.0, t), max(0.0, t, self._time(self._now())), what, self.name))

    def _time(self, moment: float) -> float:
        """Seconds of the medium at a moment of the clock."""
        return 0.0 if self._line.began is None else moment - self._line.began

    # -- devices -----------------------------------------------------------------------------------------------------

    def _next_take(self) -> int:
        self._takes += 1
        return self._takes

    def _begin(self, number: int, device: InputDevice) -> None:
        """Open and start a device. It is announced in the inbox before its first block."""
        dropped = False

        def captured(what: Captured) -> None:
            nonlocal dropped
            if not self._waiting_bytes.into(what.samples.nbytes):
                dropped = True
                return
            if dropped:
                what, dropped = replace(what, overflow=True), False
            self._inbox.put(_Block(number, self._now() if what.ended is None else what.ended, what))

        stream = self._backend.open(device, captured, lambda: self._inbox.put(_Ended(number)))
        self._inbox.put(_Opened(number, device, stream))
        try:
            stream.start()
        except MicrophoneUnavailable:
            _close(stream)
            raise
        self._stream = stream
        if self._closed:  # meanwhile
            _close(stream)

    def _opened(self, opened: _Opened) -> None:
        self._attempting = False
        rate, count = opened.stream.rate, opened.stream.channels
        self._take = _Take(
            opened.take,
            opened.device,
            opened.stream,
            Channels(rate, count),
            Resampler(rate),
            Continuity(rate),
            Health(rate),
        )

    def _attempt(self, now: float) -> None:
        """Try to open a microphone again, if it is time and nobody is at it."""
        if self._attempting or now < self._next_attempt:
            return
        self._attempting = True
        self._next_attempt, self._pause = now + self._pause, min(LATEST, 2 * self._pause)
        patient = now - self._last_block < LOYAL
        number = self._next_take()
        left, self._stream = self._stream, None

        def work() -> None:
            try:
                if left is not None:
                    _close(left)  # a device that hangs can make this hang; nobody waits for it
                self._backend.rescan()
                self._begin(number, self._again(patient))
            except MicrophoneUnavailable:
                self._attempting = False
                self._inbox.put(_Ended(number))

        self._spawn(work)

    def _again(self, patient: bool) -> InputDevice:
        """The microphone that was asked for, wherever it is now; else, after a while, the system's choice."""
        devices = self._backend.inputs()
        if self._wanted not in (None, ""):
            for device in devices:
                if _same(device, self._asked):
                    return device
            if patient:
                raise MicrophoneUnavailable("le micro {device} ne répond plus", device=self._asked.name)
        return choose(devices, None)


class _Waited:
    """Bytes in the inbox, counted without a lock: one thread puts in, another takes out."""

    def __init__(self) -> None:
        self._in = self._out = 0

    def into(self, size: int) -> bool:
        """Whether there is room for so many more."""
        if self._in - self._out + size > INBOX_BYTES:
            return False
        self._in += size
        return True

    def out(self, size: int) -> None:
        self._out += size


def _same(one: InputDevice, other: InputDevice) -> bool:
    """Whether both are the same microphone, under whatever number."""
    return (one.name, one.host) == (other.name, other.host)


def _close(stream: InputStream) -> None:
    with contextlib.suppress(MicrophoneUnavailable):
        stream.close()


def _some(block: Samples) -> Iterator[Samples]:
    if len(block):
        yield block
