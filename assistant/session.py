"""The session: eyes and ears on one clock, the interpreter between them, the record and the voice behind it.

From files both media are worked through in step, on their own clock, nothing is dropped, and the same files
give the same record byte for byte. A live table (``assistant.live``) has the same referee behind other eyes and ears.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from assistant.acts import Act, Action, Notice
from assistant.announcer import Announcement, Announcer
from assistant.care import Care, Fallen, Risen
from assistant.holding import Observation
from assistant.interpreter import Interpreter
from assistant.journal import SUFFIX, Journal, lines_of, named
from assistant.keylines import Shown, understand
from assistant.modes import Mode
from assistant.orders import Order, Tapped, Typed
from assistant.reviewing import CloseUps, Review, review
from assistant.speaking import Spokesman, Voice
from assistant.window import Said, Window
from audio.events import Knock, SoundObservation
from audio.health import Trouble
from engine import Game, Header
from engine.errors import TrutError
from engine.record import header_lines
from vision.camera import Frame
from vision.events import TableObservation

Samples = npt.NDArray[np.float32]
Known = TypeVar("Known", bound=Observation | Trouble | Act)
RATE = 16000
BLOCK = RATE // 10
"""Samples that the ears are given at a time."""
TICK = 0.1
"""Seconds between two looks at the clock where no picture gives one."""


class Eyes(Protocol):
    """What the session needs of a ``vision.table.TableWatcher``."""

    def accept(self, frame: Frame) -> list[TableObservation]: ...


@runtime_checkable
class ZoneEyes(Protocol):
    """Eyes that look at the play zone alone (``vision.steady.SteadyEyes``)."""

    @property
    def view(self) -> Frame | None:
        """What they looked at last; None while they look at nothing."""
        ...


def looked_at(eyes: Eyes, frame: Frame) -> Frame | None:
    """The part of a frame that the eyes looked at, in the pixels of their observations; nothing else may be kept.
    None where they looked at nothing."""
    return eyes.view if isinstance(eyes, ZoneEyes) else frame


class Listener(Protocol):
    """What the session needs of ``audio.ears.Ears``. Ears that have ``call(called)`` too are told, from any thread,
    what the players are called once that changes."""

    def accept(self, samples: Samples) -> list[SoundObservation]: ...

    def finish(self) -> list[SoundObservation]: ...

    def expect(self, verbs: frozenset[str] | None) -> None: ...


class Pictures(Protocol):
    """What the session needs of a camera."""

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None: ...


class Sound(Protocol):
    """What the session needs of a sound source: mono float32 at 16 kHz."""

    def __iter__(self) -> Iterator[Samples]: ...

    def close(self) -> None: ...


@runtime_checkable
class LiveSound(Sound, Protocol):
    """A microphone that knows when its sound was captured, and how it is doing."""

    @property
    def began(self) -> float | None:
        """The time of its first sample on the machine's clock, None before that."""
        ...

    def news(self) -> list[Trouble]:
        """What went wrong or well since this was asked last, in seconds of the sound."""
        ...


class Viewer(Protocol):
    """Who is shown what happens: the terminal, JSON lines, a test."""

    def observed(self, observation: Observation | Trouble) -> None: ...

    def acted(self, act: Act) -> None: ...

    def announced(self, announcement: Announcement) -> None: ...


class NoViewer:
    """Shows nothing to nobody."""

    def observed(self, observation: Observation | Trouble) -> None: ...

    def acted(self, act: Act) -> None: ...

    def announced(self, announcement: Announcement) -> None: ...


class Attendant(Protocol):
    """Who stands beside the referee, in its thread, for people who look from elsewhere and tap
    (``assistant.page.clerk``). Only there the game may be looked at."""

    def attend(self, referee: Referee) -> None:
        """A table begins, or another game at it."""

    def has(self, *, camera: bool, microphone: bool) -> None:
        """Which devices the table has."""

    def observed(self, observation: Observation | Trouble) -> None:
        """What eyes and ears report."""

    def acted(self, act: Act) -> None:
        """What happened."""

    def announced(self, announcements: Sequence[Announcement]) -> None:
        """What is said."""

    def stepped(self, clock: float) -> None:
        """All of a step has happened; ``clock`` is the session's, seconds."""

    def tapped(self, tapped: Tapped) -> None:
        """Somebody tells something."""

    def bring(self, deliver: Callable[[Tapped], None] | None) -> None:
        """Hand what is tapped to ``deliver`` from now on, from any thread; None: keep it for ``taken``."""

    def taken(self) -> Iterable[Tapped]:
        """What was tapped meanwhile."""
        ...


@dataclass
class Referee:
    """Everything behind the eyes and ears: interpreter, record, announcements. One thread at a time uses it.

    Args:
        game: at its beginning; the interpreter alone applies events to it.
        journal: where the record is written, None keeps none.
        viewer: who is shown what happens.
        voice: who says the announcements, None says nothing.
        aside: how the voice is called: at once, or in a thread of its own.
        now: live, the clock; what is shown and said is then ``decided`` when it is, however late the machine
            is. What the interpreter weighs stays on the media's clock: a slow machine changes no ruling.
        mode: what is said, and what is a tone.
        show: prints what only the person at the keyboard wants to know.
        page: who stands beside, None where nobody does.
        rewire: gives the table eyes and ears for another game, or another number of players; raises TrutError. None: it
            has those that it has.
        called: what the ears know that the players are called.
    """

    game: Game
    journal: Journal | None = None
    viewer: Viewer = field(default_factory=NoViewer)
    voice: Voice | None = None
    live: bool = False
    aside: Callable[[Callable[[], None]], None] = field(default=lambda work: work())
    now: Callable[[], float] | None = None
    mode: Mode = Mode.NORMAL
    show: Callable[[Sequence[str]], None] = field(default=lambda lines: None)
    page: Attendant | None = None
    rewire: Callable[[Header], None] | None = None
    called: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.interpreter = Interpreter(self.game, live=self.live)
        self.announcer = Announcer(self.game, in_both=self.page is not None)
        self.window = Window(lambda notice: self.announcer.changes(notice))
        self.close_ups = CloseUps()
        self.spokesman = Spokesman(self.mode, self.announcer.names)
        self._unkept = _opening(self.game)
        self._news: list[Fallen | Risen] = []
        self.guard = Care("page", time.monotonic, self._news.append)
        if self.page is not None:
            self.page.attend(self)

    def has(self, *, camera: bool, microphone: bool) -> None:
        """Which devices the table has."""
        self.interpreter.sees(camera)
        if self.page is not None:
            self.page.has(camera=camera, microphone=microphone)

    def observe(self, observations: Sequence[Observation]) -> None:
        """What eyes and ears report. A fist that may be a trut is acknowledged at once, before it is known whose."""
        for observation in observations:
            self.viewer.observed(self._known_now(observation))
            if self.page is not None:
                self.guard(partial(self.page.observed, observation))
            if isinstance(observation, Knock) and self.interpreter.may_be_trut(observation):
                self.follow([Notice(observation.t, observation.decided, "heard")])
        self.interpreter.observe(observations)

    def trouble(self, trouble: Trouble) -> None:
        """How the microphone is doing; said once, the game goes on."""
        self.viewer.observed(trouble)
        if self.page is not None:
            self.guard(partial(self.page.observed, trouble))
        notice = Notice(trouble.t, trouble.decided, f"microphone-{trouble.what}", {"device": trouble.device})
        self.follow([notice])

    def order(self, order: Order | Typed | Tapped) -> None:
        """What a person tells."""
        if isinstance(order, Tapped):
            if self.page is not None:
                self.page.tapped(order)
        elif isinstance(order, Typed):
            said = understand(order.line, self.game)
            if isinstance(said, Shown):
                self.show(said.lines)
            elif said is not None:
                self.order(dataclasses.replace(said, t=order.t, decided=order.decided))
        else:
            self.obey(order)

    def tap(self, tapped: Tapped) -> None:
        """As ``order``, where nobody looks after the referee itself: a tap that breaks ends nothing."""
        if self.guard.resting:
            tapped.refuse("busy")
        else:
            self.guard(partial(self.order, tapped))

    def obey(self, order: Order) -> list[Act]:
        """Follow an order; what came of it."""
        acts = self.interpreter.order(order)
        self.follow(acts)
        return acts

    def advance(self, clock: float) -> None:
        """Draw conclusions, write them down, then say them."""
        self.follow(self.interpreter.advance(clock))
        self._announce(self.window.due(clock))
        if self.journal is not None:
            self.journal.retry()
            self._tell_of_the_disk(clock)
        self._step(clock)

    def _step(self, clock: float) -> None:
        """The page sees how it stands; what it raises stops nothing and is told once."""
        if self.page is None:
            return
        self.guard(partial(self.page.stepped, clock))
        while self._news:
            news = self._news.pop(0)
            self.follow([Notice(clock, clock, "page-lost" if isinstance(news, Fallen) else "page-back")])

    def take_up(self) -> None:
        """Go on with a game in its middle, and say how it stands."""
        self.interpreter.restore(self.game)
        self.follow([Notice(0.0, 0.0, "taken-up")])

    def finish(self, clock: float) -> None:
        """The media have ended."""
        self.follow(self.interpreter.finish(clock))
        self._announce(self.window.due(math.inf))
        self._step(clock)

    def follow(self, acts: Iterable[Act]) -> None:
        """Record, show and announce; the record first (a power cut must not lose what was said), and what became
        known together in one write (nor leave half a correction behind)."""
        acts = [self._known_now(act) for act in acts]
        events = [act for act in acts if isinstance(act, Action)]
        if events and self.journal is not None:
            self.journal.write(*events)
            self._tell_of_the_disk(events[-1].decided)
        elif events:
            self._unkept.append(lines_of(*events))
        for act in acts:
            if isinstance(act, Notice) and act.kind == "review":
                act = dataclasses.replace(act, fields={"review": self.review()})
            self.viewer.acted(act)
            if self.page is not None:
                self.guard(partial(self.page.acted, act))
            if isinstance(act, Notice):
                self._do(act)
            self._announce(self.window.through(act, self.announcer.words(act)))

    def _announce(self, said: Iterable[Said]) -> None:
        for act, announcements in said:
            for announcement in announcements:
                self.viewer.announced(announcement)
            if self.page is not None and announcements:
                self.guard(partial(self.page.announced, announcements))
            self.aside(partial(self.spokesman.tell, self.voice, act, announcements))

    def _known_now(self, what: Known) -> Known:
        """Live, things are decided when they are said."""
        return what if self.now is None else dataclasses.replace(what, decided=max(what.decided, self.now()))

    def _tell_of_the_disk(self, clock: float) -> None:
        """Say it once when the disk takes nothing more, and when it does again; the game goes on in memory."""
        if self.journal is not None:
            self.follow([Notice(clock, clock, kind) for kind in self.journal.news()])

    def review(self) -> Review:
        """The last trick, and the pictures behind its readings."""
        return review(self.game, self.interpreter.entries, self.close_ups)

    def _do(self, notice: Notice) -> None:
        """What the players asked of the assistant itself."""
        match notice.kind:
            case "new-game" | "rematch":
                asked = notice.fields.get("header")
                if isinstance(asked, Header):
                    self._start(notice.t, asked)
                else:
                    self._start_as_before(notice.t, dealer=self.game.next_dealer, score=None, manches=None)
            case "dealer":
                game = self.game
                self._start_as_before(notice.t, dealer=notice.fields["seat"], score=game.score, manches=game.manches)

    def record(self) -> tuple[str, Path | None]:
        """The record of the running game as it is now, and its file. Any thread may ask."""
        journal = self.journal
        if journal is None:
            return "".join(self._unkept), None
        return journal.text, journal.path if journal.path.suffix == SUFFIX else None

    def call(self, names: Mapping[int, str], t: float) -> None:
        """The players are called so from ``t`` on, in the record too.

        Raises:
            BadHeader: there is no such seat.
        """
        self.game.call(names)
        self.announcer.names.use(self.game.header)
        if self.journal is not None:
            self.journal.rename(names)
            self._tell_of_the_disk(t)
        unkept = "".join(self._unkept).encode()
        head, length = named(unkept, names)
        self._unkept = [(head + unkept[length:]).decode()]
        self.follow([Notice(t, t, "named", {"header": self.game.header})])

    def begin(self, header: Header, t: float, kind: str = "new-game") -> None:
        """Another game at this table.

        Args:
            kind: ``new-game`` or ``rematch``: how it is said.

        Raises:
            TrutError: the eyes and ears of this table cannot follow that game.
        """
        if (header.game, header.seats) != (self.game.header.game, self.game.header.seats) and self.rewire is not None:
            self.rewire(header)
        self.follow([Notice(t, t, kind, {"header": header})])

    def _start_as_before(self, t: float, **changed: Any) -> None:
        """Another game whose header differs in this."""
        self._start(t, dataclasses.replace(self.game.header, **changed))

    def _start(self, t: float, header: Header) -> None:
        """Another game at the same table from ``t`` on, in a record of its own."""
        self.game = Game(header)
        if self.journal is not None:
            self.journal = self.journal.next(header, t)
        self._unkept = _opening(self.game)
        self.interpreter.start(self.game)
        self.announcer = Announcer(self.game, in_both=self.page is not None)
        self.spokesman.names = self.announcer.names
        if self.page is not None:
            self.guard(partial(self.page.attend, self))


def _opening(game: Game) -> list[str]:
    """A record up to now, where nobody writes one."""
    return [f"{line}\n" for line in (*header_lines(game.header), *game.log)]


def run_files(
    referee: Referee,
    camera: Pictures | None,
    eyes: Eyes | None,
    sound: Sound | None,
    ears: Listener | None,
    *,
    pace: Callable[[float], None] | None = None,
    told: Callable[[], Iterable[Order | Typed | Tapped]] | None = None,
) -> list[TrutError]:
    """Work through a film and a sound in step; nothing is dropped.

    Args:
        camera, eyes: the film and who looks at it, None for none.
        sound, ears: the sound and who listens to it, None for none.
        pace: called with the medium's time before each step; it may wait (a demonstration at real pace does).
        told: gives what people have told since it was called last, which is followed at the medium's time; None:
            what they tapped on the page, if there is one.

    Returns:
        What broke off before its end (a truncated film, a damaged sound): everything before that counts.
    """
    step = _Stream(sound, ears)
    if told is None and referee.page is not None:
        told = referee.page.taken
    seeing = camera is not None and eyes is not None
    referee.has(camera=seeing, microphone=sound is not None and ears is not None)
    clock = 0.0
    expected: frozenset[str] | None = None
    problems: list[TrutError] = []
    for frame in _frames(camera if eyes is not None else None, problems):
        clock = frame.t
        if pace is not None:
            pace(clock)
        assert eyes is not None
        seen = eyes.accept(frame)
        referee.close_ups.keep(looked_at(eyes, frame), seen)
        referee.observe([*seen, *step.until(clock)])
        _take_orders(referee, told, clock)
        referee.advance(clock)
        expected = tell_what_is_expected(referee, ears, expected)
    while not step.ended:  # the sound goes on after the last picture
        clock = max(clock, step.t + TICK)
        if pace is not None:
            pace(clock)
        referee.observe(step.until(clock))
        _take_orders(referee, told, clock)
        referee.advance(clock)
        expected = tell_what_is_expected(referee, ears, expected)
    referee.observe(step.finish())
    clock = max(clock, step.t)
    referee.finish(clock)
    return problems + step.problems


def _take_orders(
    referee: Referee, told: Callable[[], Iterable[Order | Typed | Tapped]] | None, clock: float
) -> None:
    """Follow what people have told meanwhile; a tap that breaks ends no film."""
    for order in told() if told is not None else ():
        order = dataclasses.replace(order, t=clock, decided=clock)
        if isinstance(order, Tapped):
            referee.tap(order)
        else:
            referee.order(order)


def _frames(camera: Pictures | None, problems: list[TrutError]) -> Iterator[Frame]:
    """The frames of a camera up to its end or to where it breaks off."""
    try:
        yield from camera or ()
    except TrutError as problem:
        problems.append(problem)


def tell_what_is_expected(
    referee: Referee, ears: Listener | None, before: frozenset[str] | None
) -> frozenset[str] | None:
    """Tell the ears what may be said now, and what the players are called, if that has changed."""
    if ears is None:
        return None
    called = referee.announcer.names.to_hear()
    if called != referee.called:
        call = getattr(ears, "call", None)  # a listener may stand before another one
        if referee.called and callable(call):
            call(called)
        referee.called = called
    expected = referee.interpreter.expected()
    if expected != before:
        ears.expect(expected)
    return expected


class _Stream:
    """A sound cut into equal blocks and listened to up to a given time."""

    def __init__(self, sound: Sound | None, ears: Listener | None) -> None:
        self._blocks = iter(sound) if sound is not None and ears is not None else iter(())
        self._ears = ears
        self._waiting = np.zeros(0, np.float32)
        self._heard = 0
        self._over = False
        self.problems: list[TrutError] = []
        self.ended = sound is None or ears is None

    @property
    def t(self) -> float:
        """Seconds listened to."""
        return self._heard / RATE

    def until(self, t: float) -> list[SoundObservation]:
        """Listen on to ``t`` seconds."""
        found: list[SoundObservation] = []
        while not self.ended and self.t + BLOCK / RATE <= t + 1e-9:
            while len(self._waiting) < BLOCK and not self._over:
                try:
                    block = next(self._blocks, None)
                except TrutError as problem:
                    self.problems.append(problem)
                    block = None
                if block is None:
                    self._over = True
                else:
                    self._waiting = np.concatenate([self._waiting, block])
            piece, self._waiting = self._waiting[:BLOCK], self._waiting[BLOCK:]
            if len(piece) and self._ears is not None:
                self._heard += len(piece)
                found += self._ears.accept(piece)
            self.ended = self._over and not len(self._waiting)
        return found

    def finish(self) -> list[SoundObservation]:
        """What the end of the sound decides."""
        return self._ears.finish() if self._ears is not None else []
