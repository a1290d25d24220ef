"""The phones of a table: which one is its camera, which its microphone, and what they send.

The server's event loop calls ``Phone`` and ``Sender``; neither ever waits. Pictures and sound go on to the threads of
the camera and the microphone.
"""

from __future__ import annotations

import math
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.i18n import N_
from assistant.page.phone.camera import PhoneCamera
from assistant.page.phone.clock import PhoneClock
from assistant.page.phone.messages import (
    Asleep,
    Awake,
    BadPhoneData,
    Begin,
    End,
    Ping,
    Round,
    SentPicture,
    SentSound,
    Told,
)
from assistant.page.phone.microphone import PhoneMicrophone
from assistant.page.phone.pace import Pace
from vision.threads import SystemThreads, Threads

Part = Literal["camera", "microphone"]
Message = Mapping[str, Any]
Post = Callable[[Message], None]
"""Leaves a message for a phone; may be called in any thread."""

PARTS: tuple[Part, Part] = ("camera", "microphone")
UNKNOWN_WAY = 0.05
"""Seconds that a picture is thought to be under way where the clocks cannot be compared."""
COMPARING, WELL = 3.0, 1.0
"""Seconds at the beginning in which nothing is taken until the clocks are compared at all, and until they are well."""
CLOSE = 0.003
"""They are compared well when ``here`` is off by no more seconds than this."""
ASKED = 16
"""Questions for the time whose answers are remembered."""
FORGOTTEN = 8.0
"""A phone that was not heard for so many seconds no longer holds its place."""
MOST_UPLOADERS = 8
MOST_MESSAGES = 32
"""Messages that wait for a phone that uploads."""
PICTURES, TEXTS = (30.0, 30.0), (20.0, 60.0)
"""How many a phone may send: a second, and at once."""
SOUND = (1.5, 20.0)
"""The same for seconds of sound."""


class Taken(BadPhoneData):
    """Another phone is the camera or the microphone already; it can be asked to leave."""

    code = "taken"
    status = 409


class NotWanted(BadPhoneData):
    """The table has another camera and microphone."""

    code = "phone-not-wanted"
    status = 409


class UnknownSender(BadPhoneData):
    """An upload of a phone that did not begin, or whose place another one took."""

    code = "unknown-sender"
    status = 404


class TooMany(BadPhoneData):
    """More than a phone sends."""

    code = "too-many"
    status = 429


@dataclass(slots=True)
class _Allowance:
    """So much a second, and so much at once."""

    rate: float
    most: float
    left: float = field(init=False)
    at: float = field(init=False)

    def __post_init__(self) -> None:
        self.left, self.at = self.most, -1.0

    def take(self, much: float, now: float) -> None:
        """Raises TooMany where there is not so much left."""
        if self.at >= 0:
            self.left = min(self.most, self.left + self.rate * (now - self.at))
        self.at = now
        if self.left < much:
            raise TooMany(N_("le téléphone envoie plus vite que l'arbitre ne peut prendre"))
        self.left -= much


@dataclass(frozen=True, slots=True)
class Figures:
    """How a phone is doing: pictures a second of the last seconds, the age in seconds of the last one when it came,
    by how much the comparison of the clocks may be off, pictures that it left out."""

    rate: float
    delay: float | None
    uncertain: float
    left_out: int


class Sender:
    """One phone that sends, from its beginning to its end. Made by ``Phone.join``."""

    def __init__(
        self, phone: Phone, begin: Begin, parts: frozenset[Part], post: Post, now: Callable[[], float]
    ) -> None:
        self._phone, self._now = phone, now
        self.begin, self.parts, self.post = begin, parts, post
        self.heard = self._began = now()
        self.clock = PhoneClock()
        self._pace = Pace()
        self._asked: OrderedDict[int, float] = OrderedDict()
        self._pictures, self._texts, self._sound = _Allowance(*PICTURES), _Allowance(*TEXTS), _Allowance(*SOUND)
        self._arrivals: deque[float] = deque(maxlen=40)
        self._delay: float | None = None
        self._number = -1
        self._left_out = 0

    @property
    def figures(self) -> Figures:
        recent = [at for at in self._arrivals if self._now() - at < 3.0]
        span = recent[-1] - recent[0] if len(recent) > 1 else 0.0
        rate = (len(recent) - 1) / span if span > 0 else 0.0
        return Figures(rate, self._delay, self.clock.uncertain, self._left_out)

    def ready(self) -> Message:
        """What the phone is told when it may begin."""
        return {
            "type": "ready",
            "camera": "camera" in self.parts,
            "microphone": "microphone" in self.parts,
            "ask": self._pace.step.words(),
        }

    def told(self, message: Told) -> None:
        """What the phone says. Raises TooMany."""
        now = self.heard = self._now()
        self._texts.take(1, now)
        match message:
            case Ping(number):
                self._asked[number] = now
                while len(self._asked) > ASKED:
                    self._asked.popitem(last=False)
                self.post({"type": "pong", "n": number})
            case Round(number, sent, came):
                here = self._asked.pop(number, None)
                if here is not None:
                    self.clock.round(sent, came, here)
            case Asleep():
                self._phone.off(self)
            case Awake() | Begin():
                pass
            case End():
                self._phone.leave(self)

    def came(self, what: SentPicture | SentSound) -> Message | None:
        """A picture or a block of sound; what the phone is told of it.

        Raises:
            TooMany: it sends too fast; this one is not taken.
        """
        now = self.heard = self._now()
        if isinstance(what, SentSound):
            self._sound.take(len(what.samples) / 2 / self.begin.rate, now)
            if "microphone" in self.parts and not self._comparing(now):
                self._phone.hear(self, what, self._moment(what.ended, now))
            return None
        self._pictures.take(1, now)
        if what.number > self._number and "camera" in self.parts and not self._comparing(now):
            self._number = what.number
            self._see(what, now)
        delay = None if self._delay is None else round(1000 * self._delay)
        return {"type": "ack", "n": what.number, "delay": delay, "ask": self._pace.step.words()}

    def _comparing(self, now: float) -> bool:
        """Whether it is too early to say when anything was: what is dated wrongly at first stays so for a while."""
        unknown = math.isinf(self.clock.uncertain)
        return self.clock.uncertain > CLOSE and now - self._began < (COMPARING if unknown else WELL)

    def _see(self, picture: SentPicture, now: float) -> None:
        taken = self._moment(picture.taken, now)
        self._delay = max(0.0, now - taken)
        self._arrivals.append(now)
        self._left_out += picture.left_out
        self._pace.came(now, self._delay, picture.left_out)
        self._phone.see(self, picture, taken)

    def _moment(self, there: float, now: float) -> float:
        here = self.clock.here(there)
        return now - UNKNOWN_WAY if here is None else min(here, now)


class Phone:
    """What stands at the table for a phone.

    Args:
        camera, microphone: what a phone is wanted for.
        threads: where threads and clock come from.

    Attributes:
        camera, microphone: the parts of the table that a phone is, None where it is not wanted for them.
    """

    def __init__(self, *, camera: bool = True, microphone: bool = True, threads: Threads | None = None) -> None:
        threads = SystemThreads() if threads is None else threads
        self._now = threads.now
        self.camera = PhoneCamera(threads) if camera else None
        self.microphone = PhoneMicrophone(threads) if microphone else None
        self._lock = threading.RLock()
        self._holds: dict[Part, Sender] = {}
        self._uploaders: OrderedDict[str, tuple[Sender, deque[Message]]] = OrderedDict()
        self._closed = False

    @property
    def wanted(self) -> frozenset[Part]:
        """What a phone is wanted for."""
        have = {"camera": self.camera, "microphone": self.microphone}
        return frozenset(part for part in PARTS if have[part] is not None)

    def status(self) -> dict[str, Any]:
        """For each part: ``wanted``, ``held`` (by a phone) or ``none``; the name of the phone, and its figures."""
        with self._lock:
            out: dict[str, Any] = {part: self._state(part) for part in PARTS}
            camera = self._holder("camera")
        if camera is not None:
            figures = camera.figures
            out["rate"], out["delay"] = round(figures.rate, 1), None if figures.delay is None else figures.delay
        return out

    def _state(self, part: Part) -> str:
        if part not in self.wanted:
            return "none"
        return "wanted" if self._holder(part) is None else "held"

    def _holder(self, part: Part) -> Sender | None:
        """Who is the camera, or the microphone; a phone that was not heard for long is not."""
        sender = self._holds.get(part)
        return sender if sender is not None and self._now() - sender.heard < FORGOTTEN else None

    # -- coming and going --------------------------------------------------------------------------------------------

    def join(self, begin: Begin, post: Post) -> Sender:
        """A phone begins.

        Raises:
            NotWanted: the table needs none of what it would be.
            Taken: another phone is that already, and ``take_over`` does not say to take its place.
        """
        asked = {part for part in PARTS if getattr(begin, part)}
        parts = frozenset(asked & self.wanted)
        if not parts or self._closed:
            raise NotWanted(N_("la table a d'autres yeux et d'autres oreilles : elle n'attend pas de téléphone"))
        with self._lock:
            others = {part: holder for part in parts if (holder := self._other(part, begin.key)) is not None}
            if others and not begin.take_over:
                raise Taken(N_("un autre téléphone tient déjà cette place ; le remplacer ?"))
            sender = Sender(self, begin, parts, post, self._now)
            for old in {id(s): s for part in parts if (s := self._holds.get(part)) is not None}.values():
                self._replace(old, told=old.begin.key != begin.key)
            for part in parts:
                self._holds[part] = sender
        return sender

    def _other(self, part: Part, key: str) -> Sender | None:
        holder = self._holder(part)
        return holder if holder is not None and holder.begin.key != key else None

    def _replace(self, old: Sender, *, told: bool) -> None:
        if told:
            old.post({"type": "replaced"})
        self.leave(old)

    def leave(self, sender: Sender) -> None:
        """A phone has gone."""
        self.off(sender)
        with self._lock:
            for part in [part for part, holder in self._holds.items() if holder is sender]:
                del self._holds[part]
            for word in [word for word, (other, _) in self._uploaders.items() if other is sender]:
                del self._uploaders[word]

    def off(self, sender: Sender) -> None:
        """A phone sends nothing for now: what it was is lost at once, and does not wait to be missed."""
        with self._lock:
            if self._holds.get("camera") is sender and self.camera is not None:
                self.camera.source.off()
            if self._holds.get("microphone") is sender and self.microphone is not None:
                self.microphone.source.off()

    def close(self) -> None:
        """The table is over; the phones are told. Any thread may call this."""
        with self._lock:
            self._closed = True
            holders = {id(sender): sender for sender in self._holds.values()}.values()
            self._holds.clear()
        for sender in holders:
            sender.post({"type": "over"})
        for device in (self.camera, self.microphone):
            if device is not None:
                device.close()

    # -- phones that upload ------------------------------------------------------------------------------------------

    def join_uploading(self, begin: Begin) -> tuple[str, Sender]:
        """A phone begins that cannot keep a socket open: a word by which it is known, and the sender. As ``join``."""
        waiting: deque[Message] = deque(maxlen=MOST_MESSAGES)
        sender = self.join(begin, waiting.append)
        word = secrets.token_urlsafe(18)
        with self._lock:
            self._uploaders[word] = sender, waiting
            while len(self._uploaders) > MOST_UPLOADERS:
                _, (oldest, _) = self._uploaders.popitem(last=False)
                self.leave(oldest)
        return word, sender

    def uploader(self, word: str) -> tuple[Sender, deque[Message]]:
        """The phone that is known by this word, and the messages that wait for it.

        Raises:
            UnknownSender: there is none; it must begin again.
        """
        with self._lock:
            known = [known for known in self._uploaders if secrets.compare_digest(known.encode(), word.encode())]
            found = self._uploaders[known[0]] if known else None
        if found is None:
            raise UnknownSender(N_("ce téléphone n'est plus celui de la table"))
        return found

    # -- what the senders send ---------------------------------------------------------------------------------------

    def see(self, sender: Sender, picture: SentPicture, taken: float) -> None:
        """A picture of whoever is the camera goes on to it; anybody else's goes nowhere."""
        with self._lock:
            if self.camera is not None and self._holds.get("camera") is sender:
                self.camera.source.put(picture, taken)

    def hear(self, sender: Sender, sound: SentSound, ended: float) -> None:
        """The same for sound."""
        with self._lock:
            if self.microphone is not None and self._holds.get("microphone") is sender:
                self.microphone.source.put(sound, sender.begin.rate, ended)
