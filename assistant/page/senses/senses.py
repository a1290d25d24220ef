"""The senses: what the eyes look at and what the ears hear, for those who look on.

While nobody looks, nothing is computed and nothing held but the last few observations. While somebody does, a thread of
its own makes the small pictures, so that neither the eyes nor the server wait; the newest picture wins.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.acts import Act
from assistant.figures import Reading
from assistant.holding import Observation
from assistant.i18n import both
from assistant.page.senses.beside import BesideClerk, BesideEars, BesideEyes
from assistant.page.senses.heard import LatelyHeard
from assistant.page.senses.level import Meter
from assistant.page.senses.onlooker import Onlooker
from assistant.page.senses.passing import Passing, Picture
from assistant.page.senses.picture import Drawing, jpeg, packed, shares, zones
from assistant.session import Attendant, Eyes, Listener
from audio.events import Knock, Phrase
from audio.health import Trouble
from vision.events import CameraLost, CardLaid, CardReread, CardSighting, HandGone, HandSeen
from vision.seats import SeatMap

if TYPE_CHECKING:
    from assistant.reviewing import CloseUps
    from assistant.session import Referee
    from calibration.profile import Profile

MOST = 4
"""Who may look at the same time."""
PICTURES = 3.0
"""A second, at most."""
FIGURES, LIGHTS = 1.0, 5.0
"""Seconds between two readings of the figures, and of the light."""
TICK = 0.1
"""Seconds between two looks round where nothing passes."""
RESTS = 1.0
"""Seconds after something broke."""
READ = 64
"""Cards of which it is known how surely they were read."""
LATEST = 32
"""Entries of the account that tell what a card was counted for."""

Thread = Callable[[Callable[[], None]], None]


def in_thread(work: Callable[[], None]) -> None:
    """Run ``work`` beside everything else."""
    threading.Thread(target=work, name="senses", daemon=True).start()


@dataclass(frozen=True, slots=True)
class _Told:
    """What the referee's thread has left."""

    heard: str = '{"type":"heard","items":[]}'
    counted: Mapping[int, str] = field(default_factory=dict)
    clock: float = 0.0


class Senses:
    """See the module.

    Args:
        profile: the calibrated table, whose traffic lights are then measured.
        now: the clock, seconds.
        thread: runs what is done for those who look.

    Attributes:
        profile: as given.
        over: the film, or the sound, has ended.
        passing: the newest picture and sound, for whoever asks.
        reading: gives the figures of a live table; None from files.
    """

    def __init__(
        self, profile: Profile | None = None, *, now: Callable[[], float] = time.monotonic, thread: Thread = in_thread
    ) -> None:
        self.passing = Passing()
        self.reading: Callable[[], Reading] | None = None
        self.profile = profile
        self.over = False
        self._now = now
        self._thread = thread
        self._lock = threading.Lock()
        self._onlookers: list[Onlooker] = []
        self._works = False
        self._closed = threading.Event()
        self._stop: Callable[[], None] = lambda: None
        self._eyes: BesideEyes | None = None
        self._referee: Referee | None = None
        self._tracks: Callable[[], Mapping[str, int]] = dict
        self._heard = LatelyHeard()
        self._heard_state: tuple[object, ...] | None = None
        self._read: OrderedDict[int, float] = OrderedDict()
        self._hands: tuple[int, ...] = ()
        self._devices = {"camera": False, "microphone": False}
        self._told = _Told()
        self._begin()

    def _begin(self) -> None:
        """Nothing was shown yet."""
        self._meter = Meter()
        self._samples = 0
        self._shown = 0
        self._passed: deque[float] = deque(maxlen=256)
        self._counted_picture = 0
        self._next = {"picture": 0.0, "figures": 0.0, "lights": 0.0}
        self._zones: tuple[SeatMap, Drawing] | None = None
        self._heard_state = None

    # -- where they stand ------------------------------------------------------------------------------------

    def beside_eyes(self, eyes: Eyes | None) -> Eyes | None:
        """The same eyes, looked over the shoulder."""
        if eyes is None:
            return None
        self._eyes = BesideEyes(eyes, self.passing)
        return self._eyes

    def beside_ears(self, ears: Listener | None) -> Listener | None:
        """The same ears, listened along with."""
        return None if ears is None else BesideEars(ears, self.passing)

    def beside(self, clerk: Attendant) -> Attendant:
        """The same attendant; what he is told is told here too."""
        self._tracks = lambda: getattr(clerk, "tracks", {})
        return BesideClerk(clerk, self)

    # -- told in the referee's thread ------------------------------------------------------------------------

    def attend(self, referee: Referee) -> None:
        """A table begins, or another game at it."""
        self._referee = referee

    def has(self, *, camera: bool, microphone: bool) -> None:
        """Which devices the table has."""
        self._devices = {"camera": camera, "microphone": microphone}

    def observed(self, observation: Observation | Trouble) -> None:
        """What eyes and ears report."""
        match observation:
            case Knock() | Phrase():
                self._heard.observed(observation)
            case CardLaid(track=track, confidence=p) | CardReread(track=track, confidence=p):
                with self._lock:
                    self._read[track] = p
                    self._read.move_to_end(track)
                    while len(self._read) > READ:
                        self._read.popitem(last=False)
            case HandSeen(seat=int(seat)):
                self._hands = tuple(sorted({*self._hands, seat}))
            case HandGone(seat=seat):
                self._hands = tuple(there for there in self._hands if there != seat)
            case CameraLost():
                self._hands = ()

    def acted(self, act: Act) -> None:
        """What happened."""
        self._heard.acted(act)

    def stepped(self, clock: float) -> None:
        """All of a step has happened: while somebody looks, leave what only this thread may look at."""
        if not self.passing.asked or self._referee is None:
            return
        heard, state = self._told.heard, self._heard.state(clock)
        if state != self._heard_state:
            rows = self._heard.rows(clock, self._referee.announcer)
            heard, self._heard_state = _json({"type": "heard", "items": rows}), state
        entries = self._referee.interpreter.entries[-LATEST:]
        counted = {entry.track: entry.card for entry in entries if entry.track is not None and entry.card is not None}
        self._told = _Told(heard, counted, clock)

    # -- for the server --------------------------------------------------------------------------------------

    @property
    def onlookers(self) -> int:
        """How many look."""
        return len(self._onlookers)

    def enter(self, wake: Callable[[], None]) -> Onlooker | None:
        """Somebody looks from now on; None where too many do, or the table is closed.

        Args:
            wake: called from any thread when something waits for him.
        """
        with self._lock:
            if len(self._onlookers) >= MOST or self._closed.is_set():
                return None
            one = Onlooker(wake)
            if not self._onlookers:
                self._begin()
                self._stop = self.passing.ask()
            self._onlookers = [*self._onlookers, one]
            start, self._works = not self._works, True
        if start:
            self._thread(self._work)
        return one

    def leave(self, one: Onlooker) -> None:
        """He looks no more."""
        with self._lock:
            self._onlookers = [other for other in self._onlookers if other is not one]
            if not self._onlookers:
                self._stop()
        self.passing.came.set()

    def card(self, event: str) -> bytes | None:
        """The picture behind the reading of a card, JPEG; None where there is none any more.

        Args:
            event: as the state names it (``"e17"``).
        """
        close_ups: CloseUps | None = None if self._referee is None else self._referee.close_ups
        track = self._tracks().get(event)
        return None if track is None or close_ups is None else close_ups.of(track)

    def clock(self) -> float:
        """By which those who look are measured, seconds."""
        return self._now()

    @property
    def closed(self) -> bool:
        """Whether the table is."""
        return self._closed.is_set()

    def close(self) -> None:
        """The table is closed: whoever looks is let go."""
        self._closed.set()
        for one in self._onlookers:
            one.tell("closed", _json({"type": "closed"}))
        self.passing.came.set()

    # -- in the thread of its own ----------------------------------------------------------------------------

    def _work(self) -> None:
        """While somebody looks."""
        while True:
            self.passing.came.wait(TICK)
            self.passing.came.clear()
            with self._lock:
                if not self._onlookers or self._closed.is_set():
                    self._works = False
                    return
            try:
                self.step()
            except Exception as problem:  # it is no reason for anything else to stop
                self._everybody("trouble", {"type": "trouble", "what": f"{type(problem).__name__}: {problem}"[:200]})
                self._closed.wait(RESTS)

    def step(self) -> None:
        """Show those who look what is new."""
        now = self._now()
        picture = self.passing.newest()
        self._count(picture, now)
        self._levels()
        for one in self._onlookers:
            one.tell("heard", self._told.heard)
        if self._due("figures", FIGURES, now):
            self._everybody("figures", self._figures(now))
        if picture is None or picture.n == self._shown:
            return
        self._everybody("held", {"type": "held", "held": picture.view is None})
        free = [one for one in self._onlookers if one.takes_picture(now)]
        if picture.view is None or not free or not self._due("picture", 1 / PICTURES, now):
            return
        self._shown = picture.n
        self._show(picture, free, now)
        if self.profile is not None and self._due("lights", LIGHTS, now):
            self._everybody("lights", {"type": "lights", "lights": self._lights(picture, self.profile)})

    def _due(self, what: str, every: float, now: float) -> bool:
        if now < self._next[what]:
            return False
        self._next[what] = now + every
        return True

    def _everybody(self, kind: str, message: Mapping[str, object]) -> None:
        text = _json(message)
        for one in self._onlookers:
            one.tell(kind, text)

    def _count(self, picture: Picture | None, now: float) -> None:
        """How many pictures pass: those between two looks came about now."""
        n = 0 if picture is None else picture.n
        self._passed.extend([now] * min(n - self._counted_picture, 64))
        self._counted_picture = n

    def _levels(self) -> None:
        self._samples, sound = self.passing.heard_since(self._samples)
        rows = [level.row() for level in self._meter.levels(sound)]
        if rows:
            for one in self._onlookers:
                one.hear(rows)

    def _show(self, picture: Picture, free: Sequence[Onlooker], now: float) -> None:
        assert picture.view is not None
        drawing = self._drawing(picture).row()
        made: dict[int, bytes] = {}
        for one in free:
            message = made.get(one.width)
            if message is None:
                data, width, height = jpeg(picture.view, one.width)
                header = {"type": "picture", "n": picture.n, "t": round(picture.view.t, 2)}
                message = packed({**header, "width": width, "height": height, **drawing}, data)
                made[one.width] = message
            one.see(picture.n, message, now)

    def _drawing(self, picture: Picture) -> Drawing:
        assert picture.view is not None
        height, width = picture.view.image.shape[:2]
        counted = self._told.counted
        with self._lock:
            read = dict(self._read)
        cards = [
            {
                "track": track,
                "card": card,
                "p": None if track not in read else round(read[track], 3),
                "counted": counted.get(track),
                "quad": shares(quad, width, height),
            }
            for track, card, quad in picture.cards
        ]
        seats = None if self._eyes is None else self._eyes.seat_map
        if seats is None:
            return Drawing(cards, self._hands)
        if self._zones is None or self._zones[0] is not seats:
            self._zones = seats, zones(seats, width, height)
        there = self._zones[1]
        return Drawing(cards, self._hands, there.seats, there.borders, there.table)

    def _figures(self, now: float) -> dict[str, object]:
        recent = sum(t > now - 1.0 for t in self._passed)
        reading = None if self.reading is None else self.reading().row()
        clock = round(self._told.clock, 2)
        return {
            "type": "figures",
            **self._devices,
            "over": self.over,
            "clock": clock,
            "passing": recent,
            "table": reading,
        }

    def _lights(self, picture: Picture, profile: Profile) -> list[dict[str, object]]:
        from assistant.calibrating.telling import wording
        from calibration.lights import traffic_lights

        assert picture.view is not None
        seen = [CardSighting(card, 1.0, quad) for _, card, quad in picture.cards if card is not None]
        found: list[dict[str, object]] = []
        for light in traffic_lights(picture.view.image, profile.setup, seen):
            row: dict[str, object] = {"kind": light.kind, "level": light.level}
            for at, part in enumerate(("title", "figure", "advice")):
                row[part] = both(lambda light=light, at=at: wording(light)[at])  # type: ignore[misc]
            found.append(row)
        return found


def _json(message: Mapping[str, object]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
