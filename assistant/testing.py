"""For tests and for tinkering: a table without camera and microphone.

A whole live session in some milliseconds, its camera pulled out in the middle::

    table = ScriptedTable(
        "game trut\\nseats 2\\ndealer 2\\ndeal | t=1.00\\nplay 1 As | t=2.75\\nplay 2 Kh | t=13.00\\n",
        camera_faults=[CameraFault("unplugged", 5.0, 9.0)],
    ).run()
    table.events                # ["deal", "play 1 As", "play 2 Kh"]
    table.told("camera-lost")   # [6.6]: when that was said, seconds

``ScriptedTable``   a truth with times, and cameras, microphones, eyes and ears that show it, before the real
                    ``Live``: everything below put together
``FakeTime``        a clock that jumps, and threads of which one runs at a time (``vision.threads.Threads``): waiting
                    costs nothing, and every run is the same
``Clock``           a clock that one turns by hand
``FakeCameras``     cameras that are pulled out, hang, freeze, go black, are bumped, open slowly (``CameraFault``)
``FakeMicrophones`` microphones that are pulled out, stall, fall silent, are too loud (``Fault``)
``script_of``       the observations that perfect eyes and ears would make of a truth; ``played_at_random`` plays one
``ScriptedEyes``, ``ScriptedEars``   stand where the session expects a watcher and ears, and report a script
``BlankCamera``, ``SilentMicrophone``   pictures and sound of so many seconds in which nothing happens
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, TypeVar

import numpy as np
import numpy.typing as npt

from assistant.acts import Act, Notice
from assistant.announcer import Announcement
from assistant.fake_cameras import CameraFault as CameraFault
from assistant.fake_cameras import FakeCameras as FakeCameras
from assistant.fake_cameras import taken_at as taken_at
from assistant.fake_time import Clock as Clock
from assistant.fake_time import FakeTime as FakeTime
from assistant.holding import Observation
from assistant.journal import Journal
from assistant.late import LateMicrophone
from assistant.live import Live
from assistant.orders import Order
from assistant.page.clerk import Clerk
from assistant.page.feed import Answer, Feed
from assistant.session import LiveSound, Referee
from assistant.speaking import Voice
from audio.devices import Captured, InputDevice, InputStream
from audio.errors import MicrophoneUnavailable
from audio.events import Knock, Phrase, SoundObservation
from audio.health import Trouble
from audio.microphone import Item, Microphone
from audio.phrasebook import Call, calls_of
from audio.resampling import resampled
from engine import Event, Game, Header, Refusal, RoundEnded, TrickRotten, TrickWon, parse_event
from vision.camera import Frame
from vision.events import CardLaid, CardsTaken, HandGone, HandSeen, Quad, TableObservation

Samples = npt.NDArray[np.float32]

UNSAID = frozenset({"deal", "cut", "hand", "discard"})
"""Events that are done and not said."""


def call_for(game: str, event: Event) -> Call | None:
    """How players of ``game`` say ``event``: the way that leaves the least open, None where it is not said."""
    if event.verb in UNSAID:
        return None
    words = " ".join((event.verb, *event.args))
    ways = [call for call in calls_of(game) if words in call.means and not call.card]
    return min(ways, key=lambda call: (len(call.means), call.answer), default=None)


@dataclass(frozen=True)
class Timed:
    """One event of a record with its time."""

    t: float
    event: Event


def timed_events(text: str) -> tuple[Header, list[Timed]]:
    """The header and the events with their times of a truth record (``play 1 9d | t=2.75``)."""
    words = [line.split("#")[0].split("|")[0].split() for line in text.splitlines()]
    first = {w[0]: w[1:] for w in words if w}
    header = Header(
        first["game"][0], seats=int(first.get("seats", ["0"])[0]), dealer=int(first.get("dealer", ["0"])[0])
    )
    events = []
    for line in text.splitlines():
        body, _sep, remark = line.split("#")[0].partition("|")
        stamp = re.search(r"\bt=([\d.]+)", remark)
        if stamp and body.split():
            events.append(Timed(float(stamp[1]), parse_event(body.strip())))
    return header, events


def place_of(seat: int, seats: int, card: int = 0) -> Quad:
    """A card before a seat of a 1280 x 720 table; ``card`` shifts it a little."""
    directions = {2: ((0, 1), (0, -1)), 4: ((0, 1), (-1, 0), (0, -1), (1, 0))}
    dx, dy = (
        directions[seats][seat - 1]
        if seats in directions
        else (
            math.cos(math.tau * seat / seats),
            math.sin(math.tau * seat / seats),
        )
    )
    x, y = 640 + 160 * dx + 3 * card, 360 + 150 * dy + 2 * card
    return ((x - 40, y - 60), (x + 40, y - 60), (x + 40, y + 60), (x - 40, y + 60))


@dataclass
class Script:
    """Observations made from a truth.

    Attributes:
        knocks: truts at these indices (of all truts) are knocked, the others spoken; None: all knocked.
        voices: the players' voices are known.
    """

    header: Header
    events: Sequence[Timed]
    knocks: frozenset[int] | None = None
    latency: float = 0.4
    voices: bool = False
    observations: list[Observation] = field(default_factory=list)

    def build(self) -> list[Observation]:
        """The observations, in the order in which they become known."""
        game = Game(self.header)
        track, truts, gesture = 0, 0, 0
        lying: list[int] = []
        out = self.observations
        for timed in self.events:
            t, event = timed.t, timed.event
            answer = game.apply(event)
            outcomes = () if isinstance(answer, Refusal) else answer.outcomes
            seat = event.seat or 1
            if event.verb == "play":
                track += 1
                lying.append(track)
                card = event.args[0]
                quad = place_of(seat, game.seats, track % 5)
                guesses = ((card, 0.97),)
                out += [
                    HandSeen(t - 0.6, t - 0.5, seat),
                    CardLaid(t, t + self.latency, track, card, 0.97, seat, quad, seat, guesses),
                    HandGone(t + 0.45, t + 0.55, seat),
                ]
            elif event.verb == "trut" and (self.knocks is None or truts in self.knocks):
                gesture += 1
                out += [
                    HandSeen(t - 0.5, t - 0.4, seat),
                    Knock(t, t + 0.05, 0.96, gesture, 1),
                    Knock(t + 0.2, t + 0.25, 0.9, gesture, 2),
                    HandGone(t + 0.5, t + 0.6, seat),
                ]
            elif (call := call_for(self.header.game, event)) is not None:
                speaker = event.seat if self.voices else None
                out.append(Phrase(t, t + 0.3, call.phrase, call.means, call.answer, call.text, 0.9, speaker))
            truts += event.verb == "trut"
            if any(isinstance(o, TrickWon | TrickRotten | RoundEnded) for o in outcomes) and lying:
                out.append(CardsTaken(t + 1.6, t + 1.9, tuple(lying)))
                lying = []
        out.sort(key=lambda o: o.decided)
        return out


def script_of(text: str, *, knocks: frozenset[int] | None = None) -> list[Observation]:
    """The observations that perfect eyes and ears would make of a truth record."""
    header, events = timed_events(text)
    return Script(header, events, knocks).build()


class BlankCamera:
    """A camera of small grey pictures."""

    live = False

    def __init__(self, seconds: float, rate: float = 10.0) -> None:
        self.seconds, self.rate = seconds, rate
        self.closed = False

    def __iter__(self) -> Iterator[Frame]:
        image = np.full((72, 128, 3), 90, np.uint8)
        for index in range(math.ceil(self.seconds * self.rate)):
            yield Frame(index / self.rate, image, index)

    def close(self) -> None:
        self.closed = True


class SilentMicrophone:
    """A microphone that hears nothing."""

    rate = 16000
    name = "silence"

    def __init__(self, seconds: float, block: float = 0.1) -> None:
        self.seconds, self.block = seconds, block
        self.closed = False

    def __iter__(self) -> Iterator[Samples]:
        left = round(self.seconds * self.rate)
        while left > 0:
            size = min(left, round(self.block * self.rate))
            left -= size
            yield np.zeros(size, np.float32)

    def close(self) -> None:
        self.closed = True


@dataclass(frozen=True)
class Fault:
    """What befalls a microphone from ``start`` to ``stop`` (seconds).

    Attributes:
        what: ``unplugged`` (it leaves the list, its stream ends), ``stalled`` (nothing comes any more, not even an
            end), ``muted`` (digital zeros), ``dead`` (only the converter's noise), ``loud`` (far too loud),
            ``overflow`` (samples are lost, and the device says so), ``gap`` (the same, and it does not), ``late``
            (blocks come and are stamped 0.4 s late, then all at once).
        device: its name; empty: all of them.
    """

    what: Literal["unplugged", "stalled", "muted", "dead", "loud", "overflow", "gap", "late"]
    start: float
    stop: float = math.inf
    device: str = ""


class FakeMicrophones:
    """A room with microphones, and its own time: backend, clock and inbox of a ``Microphone`` at once.

    Time passes only while the listener waits (``get``) or works (``work``), so tests are quick and always the same.

    Args:
        seconds: after which the microphone is closed.
        devices: the microphones; the default one marked. None: one at 48 kHz.
        room: what is heard, mono at 16 kHz from the beginning on; then, or if None, soft noise.
        faults: what goes wrong when.
        defaults: from these moments on these devices are the system's choice.
        block: seconds of a device's block.
        drift: how much faster than the clock the devices' quartz runs (1e-4: 100 ppm).
        stamped: whether the devices stamp their blocks.
        spread: gains (channels,) with which the channels hear the room.
        clock: a clock shared with others, whose time passes for all of them.

    Attributes:
        opened: (time, index) of every device that was opened.
    """

    def __init__(
        self,
        seconds: float,
        devices: Sequence[InputDevice] | None = None,
        *,
        room: Samples | None = None,
        faults: Iterable[Fault] = (),
        defaults: Iterable[tuple[float, str]] = (),
        block: float = 0.02,
        drift: float = 0.0,
        stamped: bool = True,
        spread: Sequence[float] | None = None,
        clock: FakeTime | None = None,
    ) -> None:
        self.seconds, self.block, self.drift, self.stamped, self.spread = seconds, block, drift, stamped, spread
        self.faults, self.defaults = tuple(faults), sorted(defaults)
        self._devices = list(devices or [InputDevice(0, "Micro USB", 48_000, 1, "ALSA", True)])
        noise = np.random.default_rng(5).normal(0, 1e-3, math.ceil((seconds + 1) * 16000)).astype(np.float32)
        if room is not None:
            noise[: len(room)] = room[: len(noise)]
        self._room = {16000: noise}
        self._clock = clock
        self.time = 0.0 if clock is None else clock.now()
        self._passing = False
        self.opened: list[tuple[float, int]] = []
        self._streams: list[_FakeStream] = []
        self._items: list[Item] = []
        self._microphone: Microphone | None = None
        self._listed = self._there()

    def microphone(self, device: int | str | None = None) -> Microphone:
        """A microphone of this room."""
        self._microphone = Microphone(device, backend=self, now=self.now, inbox=self, spawn=lambda work: work())
        return self._microphone

    def sound(self, start: float, count: int, rate: int) -> Samples:
        """What is heard in the room."""
        if rate not in self._room:
            self._room[rate] = resampled(self._room[16000], 16000, rate)
        first = round(start * rate)
        return self._room[rate][first : first + count]

    def hit(self, device: InputDevice, *faults: str) -> bool:
        """Whether one of these faults is on."""
        return any(
            f.what in faults and f.start <= self.time < f.stop and f.device in ("", device.name) for f in self.faults
        )

    # -- time --------------------------------------------------------------------------------------------------------

    def now(self) -> float:
        if self._clock is not None and not self._passing:
            self._pass(self._clock.now())
        return self.time

    def work(self, seconds: float) -> None:
        """The listener is busy; the devices go on."""
        self._pass(self.time + seconds)

    def put(self, item: Item) -> None:
        self._items.append(item)

    def get(self, timeout: float) -> Item | None:
        until = min(self.now() + timeout, self.seconds)
        while not self._items and self.time < until:
            following = min(until, min((s.ready for s in self._streams), default=math.inf))
            if self._clock is None:
                self._pass(following)
            else:
                self._clock.sleep(following - self._clock.now())
                self._pass(self._clock.now())
        if self._items:
            return self._items.pop(0)
        if self.time >= self.seconds and self._microphone is not None:
            self._microphone.close()
        return None

    def _pass(self, until: float) -> None:
        self._passing = True
        while due := [s for s in self._streams if s.ready <= min(until, self.seconds)]:
            stream = min(due, key=lambda s: s.ready)
            self.time = max(self.time, stream.ready)
            stream.tick()
        self.time = max(self.time, until)
        self._passing = False

    # -- devices -----------------------------------------------------------------------------------------------------

    def _there(self) -> list[InputDevice]:
        default = next((name for t, name in reversed(self.defaults) if t <= self.time), None)
        there = [d for d in self._devices if not self.hit(d, "unplugged")]
        first = next((d.name for d in there if (d.default if default is None else d.name == default)), None)
        return [InputDevice(i, d.name, d.rate, d.channels, d.host, d.name == first) for i, d in enumerate(there)]

    def inputs(self) -> list[InputDevice]:
        return self._listed

    def rescan(self) -> None:
        self.now()
        self._listed = self._there()

    def changed(self) -> bool:
        return self._listed != self._there()

    def open(self, device: InputDevice, captured: Callable[[Captured], None], ended: Callable[[], None]) -> InputStream:
        if not any(d.name == device.name for d in self._there()):
            raise MicrophoneUnavailable("micro {device} introuvable", device=device.name)
        self.opened.append((self.time, device.index))
        return _FakeStream(self, device, captured, ended)

    def follow(self, stream: _FakeStream, playing: bool) -> None:
        """A stream starts or ends."""
        self._streams = [s for s in self._streams if s is not stream] + ([stream] if playing else [])


class _FakeStream:
    """A device at work; ``ready`` is when its next block is complete."""

    def __init__(
        self,
        world: FakeMicrophones,
        device: InputDevice,
        captured: Callable[[Captured], None],
        ended: Callable[[], None],
    ) -> None:
        self.rate, self.channels = device.rate, device.channels
        self._world, self._device, self._captured, self._ended = world, device, captured, ended
        self._size = max(1, round(world.block * device.rate))
        self._seconds = self._size / (device.rate * (1 + world.drift))
        self._lost = False
        self._late: list[Captured] = []

    def start(self) -> None:
        self.ready = self._world.time + self._seconds
        self._world.follow(self, True)

    def close(self) -> None:
        self._world.follow(self, False)

    def tick(self) -> None:
        world, device = self._world, self._device
        start = self.ready - self._seconds
        self.ready += self._seconds
        if world.hit(device, "unplugged"):
            self.close()
            self._ended()
            return
        if world.hit(device, "stalled", "gap", "overflow"):
            self._lost = self._lost or world.hit(device, "overflow")
            return
        sound = world.sound(start, self._size, self.rate)
        if world.hit(device, "muted"):
            sound = np.zeros_like(sound)
        if world.hit(device, "dead"):
            sound = np.random.default_rng(round(start * 1000)).normal(0, 2e-5, len(sound)).astype(np.float32)
        if world.hit(device, "loud"):
            sound = np.clip(sound * 3000, -1, 1)
        gains = np.array(world.spread or [1.0] * self.channels, np.float32)
        block = Captured(sound[:, None] * gains, start + 100 if world.stamped else 0.0, self._lost)
        self._lost = False
        if world.hit(device, "late"):
            self._late.append(Captured(block.samples, block.when + 0.4 * world.stamped, block.overflow))
            return
        for waiting in [*self._late, block]:
            self._captured(waiting)
        self._late = []


BLIND = 1.0
"""Seconds between two pictures from which on something may have been missed."""


def _seen_after(
    what: TableObservation, before: float, t: float, all_of_them: Sequence[TableObservation]
) -> TableObservation | None:
    """What remains to be seen at ``t`` of something that happened while nothing was seen."""
    if what.t <= before:
        return what
    if isinstance(what, HandSeen | HandGone):
        return None
    if isinstance(what, CardLaid) and any(
        isinstance(o, CardsTaken) and what.track in o.tracks and o.t <= t for o in all_of_them
    ):
        return None
    return replace(what, t=max(before, t - 0.1), decided=t)


Scripted = TypeVar("Scripted", bound=Observation)


def _decided(left: deque[Scripted], t: float) -> list[Scripted]:
    """Take out what is known at ``t``."""
    ready = []
    while left and left[0].decided <= t:
        ready.append(left.popleft())
    return ready


class ScriptedEyes:
    """Stands for ``vision.table.TableWatcher``: reports scripted observations when their time has come. Between two
    pictures that are more than a second apart it saw nothing: what was laid meanwhile and still lies there is seen at
    the second."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self._before = 0.0
        seen = [o for o in observations if not isinstance(o, Knock | Phrase)]
        self._left = deque(sorted(seen, key=lambda o: o.decided))

    def accept(self, frame: Frame) -> list[TableObservation]:
        ready = _decided(self._left, frame.t)
        before, self._before = self._before, frame.t
        if frame.t - before > BLIND:
            return [seen for o in ready if (seen := _seen_after(o, before, frame.t, ready)) is not None]
        return ready


class ScriptedEars:
    """Stands for ``audio.ears.Ears``; ``expected`` keeps what the session said may be said."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        heard = [o for o in observations if isinstance(o, Knock | Phrase)]
        self._left = deque(sorted(heard, key=lambda o: o.decided))
        self._samples = 0
        self.expected: list[frozenset[str] | None] = []

    def accept(self, samples: Samples) -> list[SoundObservation]:
        self._samples += len(samples)
        return _decided(self._left, self._samples / 16000)

    def expect(self, verbs: frozenset[str] | None) -> None:
        self.expected.append(verbs)

    def finish(self) -> list[SoundObservation]:
        return _decided(self._left, math.inf)


BEFORE = 1.0
"""Seconds before the session in which the camera is opened."""
Need = float | Callable[[float], float]
"""Seconds of work for a picture or a block: always the same, or by the time."""


class _Working:
    """A watcher or ears whose every piece takes time."""

    def __init__(self, part: Any, time: FakeTime, need: Need) -> None:
        self._part, self._time, self._need = part, time, need

    def accept(self, piece: Any) -> Any:
        found = self._part.accept(piece)
        self._time.sleep(self._need(self._time.now()) if callable(self._need) else self._need)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)


class _Hearing(_Working):
    """Ears that hear nothing before there is a microphone, nor in the silence that stands for lost sound."""

    def __init__(self, observations: Sequence[Observation], time: FakeTime, need: Need) -> None:
        super().__init__(ScriptedEars(()), time, need)
        self._observations: Sequence[Observation] | None = observations

    def accept(self, piece: Samples) -> list[SoundObservation]:
        if self._observations is not None:  # sample 0 is now: times of sound count from there
            began = self._time.now() - len(piece) / 16000
            audible = [o for o in self._observations if o.t >= began]
            self._part = ScriptedEars(replace(o, t=o.t - began, decided=o.decided - began) for o in audible)
            self._observations = None
        found: list[SoundObservation] = super().accept(piece)
        return found if piece.any() else []


Tapping = Mapping[str, object] | Callable[[Mapping[str, Any]], Mapping[str, object]]
"""A message to the page, or what it is by the state that is shown when it is sent."""


class ScriptedTable:
    """A whole live table without devices: a truth shown to the real ``Live``, on a clock that jumps.

    Everything between the devices and the announcements is real (cameras and microphones that are supervised, threads,
    queues, interpreter, rules, record, announcer), but for eyes and ears: they report what perfect ones would.

    Args:
        truth: a record with times (``play 1 9d | t=2.75``).
        seconds: how long it lasts; None: until five seconds after the last event.
        knocks: the truts that are knocked (see ``Script``).
        camera_faults, microphone_faults: what goes wrong when; what starts at 0 was so before.
        camera, microphone: False: there is none, and none is wanted.
        rate, noise: of the camera (see ``FakeCameras``).
        drift: of the microphone's quartz (see ``FakeMicrophones``).
        eyes_need, ears_need: work for a picture, for a block of sound.
        inputs: orders, given as they come.
        voice: who says the announcements.
        journal: where the record is written.
        later: what is played after that, each truth with times of the same clock; other games or numbers of players,
            for each of which the table gets eyes and ears when it is begun.
        feed: what the page is shown and brings.
        taps: what is tapped when (seconds); a function of the newest state gives the message.

    Attributes:
        answers: what came of the taps.
        time: the clock. cameras, microphones: what there is of them. referee, live: what is tested.
        acts, announcements, observed: what the viewer was shown.
    """

    def __init__(
        self,
        truth: str,
        *,
        seconds: float | None = None,
        knocks: frozenset[int] | None = None,
        camera_faults: Iterable[CameraFault] = (),
        microphone_faults: Iterable[Fault] = (),
        camera: bool = True,
        microphone: bool = True,
        rate: float = 10.0,
        noise: float = 2.0,
        drift: float = 0.0,
        eyes_need: Need = 0.0,
        ears_need: Need = 0.0,
        inputs: Iterable[Order] | None = None,
        voice: Voice | None = None,
        journal: Journal | None = None,
        later: Sequence[str] = (),
        feed: Feed | None = None,
        taps: Iterable[tuple[float, Tapping]] = (),
    ) -> None:
        header, events = timed_events(truth)
        observations = Script(header, events, knocks).build()
        self.seconds = max((timed.t for timed in events), default=0.0) + 5.0 if seconds is None else seconds
        self.time = FakeTime(-BEFORE)
        self.acts: list[Act] = []
        self.announcements: list[Announcement] = []
        self.observed_things: list[Observation | Trouble] = []
        self.answers: list[Answer] = []
        self._feed, self._taps = feed, sorted(taps, key=lambda tap: tap[0])
        clerk = None if feed is None else Clerk(feed)
        self.referee = Referee(Game(header), journal, self, voice, live=True, page=clerk)
        self.cameras = FakeCameras(self.time, faults=camera_faults, rate=rate, noise=noise)
        opened = self.cameras.camera(patient=True) if camera else None
        self.time.sleep(-self.time.now())
        self.microphones = FakeMicrophones(
            self.seconds, faults=microphone_faults, drift=drift, clock=self.time
        )
        self._later = list(later)
        self._needs = eyes_need, ears_need
        self.live = Live(
            self.referee,
            opened,
            _Working(ScriptedEyes(observations), self.time, eyes_need) if camera else None,
            self._microphone() if microphone else None,
            _Hearing(observations, self.time, ears_need) if microphone else None,
            inputs=inputs,
            wire=self._wired if later else None,
            threads=self.time,
        )

    def _wired(self, header: Header) -> tuple[_Working, _Working]:
        """Eyes and ears for the truth that is played next."""
        truth, events = timed_events(self._later.pop(0))
        assert (truth.game, truth.seats) == (header.game, header.seats)
        observations = Script(truth, events).build()
        eyes, ears = self._needs
        return _Working(ScriptedEyes(observations), self.time, eyes), _Hearing(observations, self.time, ears)

    def _microphone(self) -> LiveSound:
        try:
            return self.microphones.microphone()
        except MicrophoneUnavailable:
            return LateMicrophone(self._microphone_now, self.time)

    def _microphone_now(self) -> LiveSound:
        self.microphones.rescan()
        return self.microphones.microphone()

    def run(self) -> Self:
        """Play it to its end."""
        if self._feed is not None:
            self.time.start(self._tap, "taps")
        self.live.run(self.seconds)
        self.time.close()
        return self

    def _tap(self) -> None:
        """Whoever looks at the page taps, each at its time."""
        assert self._feed is not None
        for number, (t, tap) in enumerate(self._taps):
            self.time.sleep(t - self.time.now())
            state = json.loads(self._feed.state().text)
            message = tap(state) if callable(tap) else tap
            self._feed.tap({"id": f"t{number}", "rev": state["rev"], **message}, "somebody", self.answers.append)

    @property
    def events(self) -> list[str]:
        """What the game has come to: the events accepted and not taken back."""
        return [str(event) for event in self.referee.game.log]

    def told(self, kind: str) -> list[float]:
        """When notices of a kind were given, seconds of the session."""
        return [act.decided for act in self.acts if isinstance(act, Notice) and act.kind == kind]

    # what a viewer is shown (assistant.session.Viewer)

    def observed(self, observation: Observation | Trouble) -> None:
        self.observed_things.append(observation)

    def acted(self, act: Act) -> None:
        self.acts.append(act)

    def announced(self, announcement: Announcement) -> None:
        self.announcements.append(announcement)


NEVER_AT_RANDOM = frozenset({"play", "annul", "deal", "redeal"})
"""Events that ``played_at_random`` makes when they are due, or never."""


def played_at_random(header: Header, seed: int, rounds: int = 3, deck: Sequence[str] | None = None) -> list[Timed]:
    """A game of ``rounds`` rounds of any of the five games, played by people who choose at random, at the pace of
    people.

    Cards are dealt from a shuffled pack, so none comes more often than the pack has it.
    """
    rng = random.Random(seed)
    game = Game(header)
    pack = list(deck or game.table.PACK.tokens) * game.table.PACK.copies
    events: list[Timed] = []
    hands: dict[int, list[str]] = {}
    t = 1.0

    def say(event: Event, pause: float) -> None:
        nonlocal t
        t = round(t + pause, 2)
        answer = game.apply(event)
        assert not isinstance(answer, Refusal), (event, answer)
        events.append(Timed(t, event))

    def deal(left: Sequence[str]) -> None:
        cards = rng.sample(left, 3 * game.seats)
        hands.update({s: cards[3 * (s - 1) : 3 * s] for s in range(1, game.seats + 1)})

    while len(game.rounds) < rounds and game.phase != "over":
        say(Event("deal"), 4.0)
        first = len(events)
        deal(pack)
        while game.phase not in ("deal", "over"):
            calls = [event for event in game.legal() if event.verb not in NEVER_AT_RANDOM]
            match game.phase:
                case "play":
                    if calls and rng.random() < 0.08:
                        say(rng.choice(calls), rng.uniform(1.0, 1.6))
                        continue
                    assert game.turn is not None
                    pause = rng.uniform(1.2, 1.8) if game.trick else rng.uniform(3.2, 4.0)
                    say(Event("play", game.turn, (hands[game.turn].pop(),)), pause)
                case "redeal":
                    laid = {timed.event.args[0] for timed in events[first:] if timed.event.verb == "play"}
                    say(Event("redeal"), 3.0)
                    deal([card for card in pack if card not in laid])
                case _:
                    own = [event for event in calls if event.seat == game.awaiting[0]]
                    say(rng.choice(own), rng.uniform(1.5, 2.1))
    return events
