"""The session: eyes and ears on one clock, the interpreter between them, the record and the voice behind it.

From files both media are worked through in step, on their own clock, nothing is dropped, and the same files
give the same record byte for byte. Live, each device has its own thread and puts what it finds in one queue:
the eyes take the newest picture, the ears take every sample, and if one of them dies the other goes on.
"""

from __future__ import annotations

import dataclasses
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from assistant.acts import Act, Action, Notice
from assistant.announcer import Announcement, Announcer
from assistant.holding import Observation
from assistant.interpreter import Interpreter
from assistant.journal import Journal
from assistant.own_voice import OwnVoice
from audio.events import Knock, Phrase, SoundObservation
from audio.health import Trouble
from engine import Game
from engine.errors import TrutError
from vision.camera import Frame
from vision.events import TableObservation

Samples = npt.NDArray[np.float32]
RATE = 16000
BLOCK = RATE // 10
"""Samples that the ears are given at a time."""
TICK = 0.1
"""Seconds between two looks at the clock where no picture gives one."""


class Eyes(Protocol):
    """What the session needs of a ``vision.table.TableWatcher``."""

    def accept(self, frame: Frame) -> list[TableObservation]: ...


class Listener(Protocol):
    """What the session needs of ``audio.ears.Ears``."""

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
class LiveSound(Protocol):
    """A microphone that knows when its sound was captured, and how it is doing."""

    @property
    def began(self) -> float | None:
        """The time of its first sample on the machine's clock, None before that."""
        ...

    def news(self) -> list[Trouble]:
        """What went wrong or well since this was asked last, in seconds of the sound."""
        ...


class Voice(Protocol):
    """What the session needs of ``audio.speech.Speaker``."""

    @property
    def speaking(self) -> bool: ...

    def say(self, text: str) -> None: ...


@runtime_checkable
class Loudspeaker(Protocol):
    """A voice that tells when its sound begins and ends, and that can be turned up and down."""

    def tell(self, began: Callable[[Samples, int], None], ended: Callable[[], None]) -> None: ...

    def turn(self, steps: int) -> None: ...


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


VOLUME = {"quieter": -1, "louder": 1}
"""Steps by which the voice is turned up."""


@dataclass
class Referee:
    """Everything behind the eyes and ears: interpreter, record, announcements. One thread at a time uses it.

    Args:
        game: at its beginning; the interpreter alone applies events to it.
        journal: where the record is written, None keeps none.
        viewer: who is shown what happens.
        voice: who says the announcements, None says nothing.
    """

    game: Game
    journal: Journal | None = None
    viewer: Viewer = field(default_factory=NoViewer)
    voice: Voice | None = None
    live: bool = False

    def __post_init__(self) -> None:
        self.interpreter = Interpreter(self.game, live=self.live)
        self.announcer = Announcer(self.game)

    def observe(self, observations: Sequence[Observation]) -> None:
        """What eyes and ears report."""
        for observation in observations:
            self.viewer.observed(observation)
        self.interpreter.observe(observations)

    def trouble(self, trouble: Trouble) -> None:
        """How the microphone is doing; said once, the game goes on."""
        self.viewer.observed(trouble)
        notice = Notice(trouble.t, trouble.decided, f"microphone-{trouble.what}", {"device": trouble.device})
        self.follow([notice])

    def advance(self, clock: float) -> None:
        """Draw conclusions, write them down, then say them."""
        self.follow(self.interpreter.advance(clock))
        if self.journal is not None:
            self.journal.retry()
            self._tell_of_the_disk(clock)

    def finish(self, clock: float) -> None:
        """The media have ended."""
        self.follow(self.interpreter.finish(clock))

    def follow(self, acts: Iterable[Act]) -> None:
        """Record, show and announce; the record first (a power cut must not lose what was said), and what became
        known together in one write (nor leave half a correction behind)."""
        acts = list(acts)
        events = [act for act in acts if isinstance(act, Action)]
        if events and self.journal is not None:
            self.journal.write(*events)
            self._tell_of_the_disk(events[-1].decided)
        for act in acts:
            self.viewer.acted(act)
            if isinstance(act, Notice):
                self._do(act.kind)
            for announcement in self.announcer.words(act):
                self.viewer.announced(announcement)
                if self.voice is not None:
                    self.voice.say(announcement.text)

    def _tell_of_the_disk(self, clock: float) -> None:
        """Say it once when the disk takes nothing more, and when it does again; the game goes on in memory."""
        if self.journal is not None:
            self.follow([Notice(clock, clock, kind) for kind in self.journal.news()])

    def _do(self, what: str) -> None:
        """What the players asked of the assistant itself."""
        if what in VOLUME and isinstance(self.voice, Loudspeaker):
            self.voice.turn(VOLUME[what])
        elif what == "new-game":
            self._start_again()

    def _start_again(self) -> None:
        """A new game at the same table, in a record of its own; the deal goes on."""
        old = self.game
        header = dataclasses.replace(old.header, dealer=old.next_dealer, score=None, manches=None)
        self.game = Game(header)
        if self.journal is not None:
            self.journal = self.journal.next(header)
        self.interpreter.start(self.game)
        self.announcer = Announcer(self.game)


def run_files(
    referee: Referee,
    camera: Pictures | None,
    eyes: Eyes | None,
    sound: Sound | None,
    ears: Listener | None,
    *,
    pace: Callable[[float], None] | None = None,
) -> list[TrutError]:
    """Work through a film and a sound in step; nothing is dropped.

    Args:
        camera, eyes: the film and who looks at it, None for none.
        sound, ears: the sound and who listens to it, None for none.
        pace: called with the medium's time before each step; it may wait (a demonstration at real pace does).

    Returns:
        What broke off before its end (a truncated film, a damaged sound): everything before that counts.
    """
    step = _Stream(sound, ears)
    clock = 0.0
    expected: frozenset[str] | None = None
    problems: list[TrutError] = []
    for frame in _frames(camera if eyes is not None else None, problems):
        clock = frame.t
        if pace is not None:
            pace(clock)
        assert eyes is not None
        referee.observe([*eyes.accept(frame), *step.until(clock)])
        referee.advance(clock)
        expected = _expect(referee, ears, expected)
    while not step.ended:  # the sound goes on after the last picture
        clock = max(clock, step.t + TICK)
        if pace is not None:
            pace(clock)
        referee.observe(step.until(clock))
        referee.advance(clock)
        expected = _expect(referee, ears, expected)
    referee.observe(step.finish())
    clock = max(clock, step.t)
    referee.finish(clock)
    return problems + step.problems


def _frames(camera: Pictures | None, problems: list[TrutError]) -> Iterator[Frame]:
    """The frames of a camera up to its end or to where it breaks off."""
    try:
        yield from camera or ()
    except TrutError as problem:
        problems.append(problem)


def _expect(referee: Referee, ears: Listener | None, before: frozenset[str] | None) -> frozenset[str] | None:
    """Tell the ears what may be said now, if that has changed."""
    if ears is None:
        return None
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


class Newest:
    """One place for the newest picture: whoever is slow loses pictures, never waits for them.

    ``dropped`` counts the pictures that nobody looked at.
    """

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._ready = threading.Condition()
        self._closed = False
        self.dropped = 0

    def put(self, frame: Frame) -> None:
        with self._ready:
            self.dropped += self._frame is not None
            self._frame = frame
            self._ready.notify()

    @property
    def closed(self) -> bool:
        return self._closed

    def get(self, timeout: float) -> Frame | None:
        """The newest picture that was not taken yet; None after ``timeout`` seconds or when all is over."""
        with self._ready:
            self._ready.wait_for(lambda: self._frame is not None or self._closed, timeout)
            frame, self._frame = self._frame, None
            return frame

    def close(self) -> None:
        with self._ready:
            self._closed = True
            self._ready.notify_all()


@dataclass(frozen=True, slots=True)
class _Died:
    """A part has stopped: ``part`` is camera or microphone, ``problem`` None where its medium just ended."""

    part: str
    problem: Exception | None


LAG = 1.0
"""Seconds that the interpreter waits at most for the slower one of eyes and ears."""


class Live:
    """A live table: one thread grabs pictures, one looks, one listens, the caller's thread draws conclusions.

    Args:
        referee: what stands behind the eyes and ears.
        camera, eyes, microphone, ears: the parts, None for those that are not wanted.
        now: the clock, in seconds; all times of the session count from its start.
    """

    def __init__(
        self,
        referee: Referee,
        camera: Pictures | None,
        eyes: Eyes | None,
        microphone: Sound | None,
        ears: Listener | None,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._referee = referee
        self._camera, self._eyes = camera, eyes
        self._microphone, self._ears = microphone, ears
        self._now = now
        self._start = now()
        self._found: queue.SimpleQueue[Observation | Trouble | _Died] = queue.SimpleQueue()
        self._stop = threading.Event()
        self.newest = Newest()
        self._expected: frozenset[str] | None = None
        self._own = OwnVoice()
        self._speaking = False
        if isinstance(referee.voice, Loudspeaker):
            referee.voice.tell(
                lambda samples, rate: self._own.begins(self.clock, samples, rate),
                lambda: self._own.ends(self.clock),
            )
        self._blind: Exception | None = None
        self._looked: float | None = None
        self._heard: float | None = None
        self.problems: list[_Died] = []

    @property
    def clock(self) -> float:
        """Seconds since the session began."""
        return self._now() - self._start

    def run(self, seconds: float | None = None) -> None:
        """Referee until every part has stopped, the game's players press Ctrl-C, or ``seconds`` are over."""
        parts = []
        if self._camera is not None and self._eyes is not None:
            parts.append(threading.Thread(target=self._guard, args=("camera", self._look), name="eyes", daemon=True))
            threading.Thread(target=self._grab, name="camera", daemon=True).start()
        if self._microphone is not None and self._ears is not None:
            parts.append(
                threading.Thread(target=self._guard, args=("microphone", self._listen), name="ears", daemon=True)
            )
        for part in parts:
            part.start()
        running = len(parts)
        try:
            while running and (seconds is None or self.clock < seconds):
                running -= self._step()
        except KeyboardInterrupt:
            pass
        finally:
            self._stop.set()
            self.newest.close()
            for device in (self._camera, self._microphone):
                if device is not None:
                    device.close()
            for part in parts:
                part.join(2.0)
        while not self._found.empty():
            self._take(self._found.get())
        self._referee.finish(self.clock)

    def _step(self) -> int:
        """Take what was found, draw conclusions; the number of parts that have stopped meanwhile."""
        stopped = 0
        self._watch_voice()
        try:
            item = self._found.get(timeout=TICK / 2)
            stopped += self._take(item)
            while not self._found.empty():
                stopped += self._take(self._found.get())
        except queue.Empty:
            pass
        self._referee.advance(self._worked_up_to())
        self._expect()
        return stopped

    def _worked_up_to(self) -> float:
        """The time up to which both eyes and ears have worked; a slow or dead one is not waited for longer
        than ``LAG``."""
        now = self.clock
        done = [t for t in (self._looked, self._heard) if t is not None]
        return max(now - LAG, min([now, *done]))

    def _take(self, item: Observation | Trouble | _Died) -> int:
        if isinstance(item, _Died):
            self.problems.append(item)
            if item.problem is not None:
                self._referee.follow([Notice(self.clock, self.clock, f"{item.part}-lost", {"reason": "gone"})])
            return 1
        if isinstance(item, Trouble):
            self._referee.trouble(item)
            return 0
        if isinstance(item, Knock | Phrase) and self._own.is_own(item):
            return 0
        self._referee.observe([item])
        return 0

    def _expect(self) -> None:
        if self._ears is not None:
            self._expected = _expect(self._referee, self._ears, self._expected)

    def _watch_voice(self) -> None:
        """Note when a voice that does not tell by itself begins and ends."""
        voice = self._referee.voice
        if voice is None or isinstance(voice, Loudspeaker) or voice.speaking == self._speaking:
            return
        self._speaking = voice.speaking
        if self._speaking:
            self._own.begins(self.clock)
        else:
            self._own.ends(self.clock)

    # -- the threads -----------------------------------------------------------------------------------------

    def _guard(self, part: str, work: Callable[[], None]) -> None:
        """Run a part; if it dies, say so instead of taking the others with it."""
        try:
            work()
        except Exception as problem:
            self._found.put(_Died(part, None if self._stop.is_set() else problem))
        else:
            self._found.put(_Died(part, None))

    def _grab(self) -> None:
        """Camera thread: the newest picture wins."""
        assert self._camera is not None
        try:
            for frame in self._camera:
                if self._stop.is_set():
                    return
                self.newest.put(dataclasses.replace(frame, t=self.clock))
        except Exception as problem:
            self._blind = problem
        finally:
            self.newest.close()

    def _look(self) -> None:
        assert self._eyes is not None
        while not self._stop.is_set():
            frame = self.newest.get(TICK)
            if frame is not None:
                self._report(self._eyes.accept(frame))
                self._looked = frame.t
            elif self.newest.closed:
                if self._blind is not None:
                    raise self._blind
                return

    def _listen(self) -> None:
        """Ears' thread: every sample, in order. Sample times become session times by when the first one
        came, which a microphone knows better than we."""
        assert self._microphone is not None
        assert self._ears is not None
        began: float | None = None
        samples = 0
        for block in self._microphone:
            if self._stop.is_set():
                return
            if isinstance(self._microphone, LiveSound) and self._microphone.began is not None:
                began = self._microphone.began - self._start
                self._report([dataclasses.replace(news, t=news.t + began) for news in self._microphone.news()])
            elif began is None:
                began = self.clock - len(block) / RATE
            found = self._ears.accept(block)
            self._report([dataclasses.replace(heard, t=heard.t + began) for heard in found])
            samples += len(block)
            self._heard = began + samples / RATE

    def _report(self, observations: Iterable[Observation | Trouble]) -> None:
        """Into the queue, with the time at which they are known here and now."""
        for observation in observations:
            self._found.put(dataclasses.replace(observation, decided=max(observation.t, self.clock)))
