"""For tests and for tinkering: a table without camera and microphone.

``script_of`` turns a record with times into the observations that perfect eyes and ears would make of it;
``Clock`` is a clock that one turns by hand; ``ScriptedEyes`` and ``ScriptedEars`` stand where the session
expects a watcher and ears. ``FakeMicrophones`` are microphones that can be pulled out.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from assistant.fake_time import Clock as Clock
from assistant.fake_time import FakeTime as FakeTime
from assistant.holding import Observation
from audio.devices import Captured, InputDevice, InputStream
from audio.errors import MicrophoneUnavailable
from audio.events import Knock, Phrase, SoundObservation
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
    ) -> None:
        self.seconds, self.block, self.drift, self.stamped, self.spread = seconds, block, drift, stamped, spread
        self.faults, self.defaults = tuple(faults), sorted(defaults)
        self._devices = list(devices or [InputDevice(0, "Micro USB", 48_000, 1, "ALSA", True)])
        noise = np.random.default_rng(5).normal(0, 1e-3, math.ceil((seconds + 1) * 16000)).astype(np.float32)
        if room is not None:
            noise[: len(room)] = room[: len(noise)]
        self._room = {16000: noise}
        self.time = 0.0
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
        return self.time

    def work(self, seconds: float) -> None:
        """The listener is busy; the devices go on."""
        self._pass(self.time + seconds)

    def put(self, item: Item) -> None:
        self._items.append(item)

    def get(self, timeout: float) -> Item | None:
        until = min(self.time + timeout, self.seconds)
        while not self._items and self.time < until:
            self._pass(min(until, min((s.ready for s in self._streams), default=math.inf)))
        if self._items:
            return self._items.pop(0)
        if self.time >= self.seconds and self._microphone is not None:
            self._microphone.close()
        return None

    def _pass(self, until: float) -> None:
        while due := [s for s in self._streams if s.ready <= min(until, self.seconds)]:
            stream = min(due, key=lambda s: s.ready)
            self.time = max(self.time, stream.ready)
            stream.tick()
        self.time = max(self.time, until)

    # -- devices -----------------------------------------------------------------------------------------------------

    def _there(self) -> list[InputDevice]:
        default = next((name for t, name in reversed(self.defaults) if t <= self.time), None)
        there = [d for d in self._devices if not self.hit(d, "unplugged")]
        first = next((d.name for d in there if (d.default if default is None else d.name == default)), None)
        return [InputDevice(i, d.name, d.rate, d.channels, d.host, d.name == first) for i, d in enumerate(there)]

    def inputs(self) -> list[InputDevice]:
        return self._listed

    def rescan(self) -> None:
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


class ScriptedEyes:
    """Stands for ``vision.table.TableWatcher``: reports scripted observations when their time has come."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self._left = sorted((o for o in observations if not isinstance(o, Knock | Phrase)), key=lambda o: o.decided)

    def accept(self, frame: Frame) -> list[TableObservation]:
        ready = [o for o in self._left if o.decided <= frame.t]
        self._left = self._left[len(ready) :]
        return ready


class ScriptedEars:
    """Stands for ``audio.ears.Ears``; ``expected`` keeps what the session said may be said."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self._left = sorted((o for o in observations if isinstance(o, Knock | Phrase)), key=lambda o: o.decided)
        self._samples = 0
        self.expected: list[frozenset[str] | None] = []

    def accept(self, samples: Samples) -> list[SoundObservation]:
        self._samples += len(samples)
        ready = [o for o in self._left if o.decided <= self._samples / 16000]
        self._left = self._left[len(ready) :]
        return ready

    def expect(self, verbs: frozenset[str] | None) -> None:
        self.expected.append(verbs)

    def finish(self) -> list[SoundObservation]:
        ready, self._left = self._left, []
        return ready


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
