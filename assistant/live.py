"""A live table: each part in its own thread, and none of them can stop another.

    camera ─► Newest ─► eyes ─┐
                               ├─► one queue ─► the caller's thread: interpreter ─► record ─► viewer │ voice
    microphone ─► ears ───────┤                                                        (a thread each)
    keyboard, page (orders) ──┘

The eyes take the newest picture and the ears every sample. What a part raises is caught, told once, and the part is
tried again (``assistant.care``). Any subset of the parts makes a table: without camera and microphone it is a score
pad. What happened counts by its own time, however late a slow machine comes to know it (``LAG``).
"""

from __future__ import annotations

import dataclasses
import threading
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol, runtime_checkable

from assistant.acts import Act, Action, Notice
from assistant.announcer import Announcement
from assistant.care import Aside, Care, Fallen, Risen
from assistant.figures import Figures, Reading
from assistant.holding import Observation
from assistant.orders import Command, Drop, Insert, Order, Redo, Rename, Reply, Reseat, Say, Tapped, Typed, Undo
from assistant.own_voice import OwnVoice
from assistant.session import (
    RATE,
    TICK,
    Eyes,
    Listener,
    LiveSound,
    Pictures,
    Referee,
    Samples,
    Sound,
    Viewer,
    looked_at,
    tell_what_is_expected,
)
from assistant.speaking import Loudspeaker
from audio.events import Knock, Phrase
from audio.health import Trouble
from engine import Header
from vision.camera import Frame
from vision.events import CameraBack, CameraLost
from vision.threads import Bell, SystemThreads, Threads

PARTS = ("camera", "eyes", "microphone", "ears", "inputs", "viewer", "voice", "page", "referee")
LAG = 1.0
"""Seconds that the interpreter waits at most for the slower one of eyes and ears."""
STUCK = 10.0
"""Seconds after which a part that has work and does none is told to be down."""
ENDING = 2.0
"""Seconds that the end waits for a part; one that hangs is left behind."""


@runtime_checkable
class LivePictures(Pictures, Protocol):
    """A camera that tells when it is lost and back; its pictures carry seconds since ``began``."""

    @property
    def began(self) -> float:
        """On the machine's clock."""
        ...

    @property
    def stale(self) -> int:
        """Pictures thrown away because the device had kept them too long."""
        ...

    def tell(self, news: Callable[[CameraLost | CameraBack], None]) -> None: ...


class Newest:
    """One place for the newest picture: whoever is slow loses pictures, never waits for them.

    ``dropped`` counts the pictures that nobody looked at.
    """

    def __init__(self, bell: Bell | None = None) -> None:
        self._frame: Frame | None = None
        self._lock = threading.Lock()
        self._came = threading.Event() if bell is None else bell
        self._closed = False
        self.dropped = 0

    @property
    def waits(self) -> bool:
        """Whether a picture waits to be looked at."""
        return self._frame is not None

    @property
    def closed(self) -> bool:
        return self._closed

    def put(self, frame: Frame) -> None:
        with self._lock:
            self.dropped += self._frame is not None
            self._frame = frame
        self._came.set()

    def get(self, timeout: float) -> Frame | None:
        """The newest picture that was not taken yet; None after ``timeout`` seconds or when all is over."""
        if self._frame is None and not self._closed:
            self._came.wait(timeout)
        self._came.clear()
        with self._lock:
            frame, self._frame = self._frame, None
        return frame

    def close(self) -> None:
        self._closed = True
        self._came.set()


Found = Observation | Trouble | Order | Typed | Tapped | Fallen | Risen
"""What the parts leave for the interpreter's thread."""


class Inbox:
    """First in, first out, between the parts and the interpreter's thread."""

    def __init__(self, bell: Bell) -> None:
        self._items: deque[Found] = deque()
        self._came = bell

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Found) -> None:
        self._items.append(item)
        self._came.set()

    def take(self, timeout: float) -> list[Found]:
        """All that is there; waits for at most ``timeout`` seconds for something to come."""
        if not self._items:
            self._came.wait(timeout)
        self._came.clear()
        taken = []
        while self._items:
            taken.append(self._items.popleft())
        return taken


class Live:
    """A live table. ``run`` is called once, and by the thread in which everything is concluded.

    Args:
        referee: what stands behind the eyes and ears.
        camera, eyes, microphone, ears: the parts, None for those that are not wanted.
        inputs: orders as a keyboard gives them, read in a thread of their own; see also ``order``.
        wire: makes eyes and ears for another game, or another number of players, at the same devices; raises TrutError
            where there are none. None: this table plays its game.
        threads: where threads and clock come from.
        now: another clock than that of ``threads``.

    Attributes:
        newest: the picture that waits for the eyes.
        figures: how the table is doing (``reading`` puts them together).
        problems: what broke, and what ended.
    """

    def __init__(
        self,
        referee: Referee,
        camera: Pictures | None,
        eyes: Eyes | None,
        microphone: Sound | None,
        ears: Listener | None,
        *,
        inputs: Iterable[Order | Typed] | None = None,
        wire: Callable[[Header], tuple[Eyes | None, Listener | None]] | None = None,
        threads: Threads | None = None,
        now: Callable[[], float] | None = None,
    ) -> None:
        self._threads = SystemThreads() if threads is None else threads
        self._now = self._threads.now if now is None else now
        self._start = self._now()
        self._referee = referee
        self._camera: Pictures | None = camera if eyes is not None else None
        self._microphone: Sound | None = microphone if ears is not None else None
        self._eyes, self._ears = eyes, ears
        self._inputs = inputs
        self._wire = wire
        self._found = Inbox(self._threads.bell())
        self._stop = self._threads.bell()
        self.newest = Newest(self._threads.bell())
        self.figures = Figures(lambda: self.clock)
        self._cares = {part: Care(part, self._now, self._found.put) for part in PARTS}
        self._running: set[str] = set()
        self._ended: dict[str, Bell] = {}
        self._broke: dict[str, Exception] = {}
        self._expected: frozenset[str] | None = None
        self._own = OwnVoice()
        self._speaking = False
        self._looked: float | None = None
        self._looks_since: float | None = None
        self._heard: float | None = None
        self.problems: list[Fallen] = []
        self._asides: list[Aside] = []
        self._stand_beside(referee)

    def _stand_beside(self, referee: Referee) -> None:
        """Give the viewer and the voice threads of their own, and the referee this clock."""
        viewer, voice = (Aside(self._cares[part], self._threads) for part in ("viewer", "voice"))
        self._asides = [viewer, voice]
        referee.viewer = _Watched(referee.viewer, viewer, self.figures)
        referee.aside = voice.call
        referee.now = lambda: self.clock
        referee.guard = self._cares["page"]
        referee.rewire = None if self._wire is None else self._rewire
        if isinstance(referee.voice, Loudspeaker):
            referee.voice.tell(
                lambda samples, rate: self._own.begins(self.clock, samples, rate),
                lambda: self._own.ends(self.clock),
            )

    def _rewire(self, header: Header) -> None:
        """Other eyes and ears, from their next picture and block on."""
        assert self._wire is not None
        eyes, ears = self._wire(header)
        self._eyes, self._ears = eyes or self._eyes, ears or self._ears
        self._expected = None
        self._referee.called = ()

    @property
    def clock(self) -> float:
        """Seconds since the session began."""
        return self._now() - self._start

    def order(self, order: Order | Typed | Tapped) -> None:
        """A person tells something, now; any thread may call this."""
        self._found.put(order)

    def stop(self) -> None:
        """End the session; any thread may call this."""
        self._stop.set()

    def reading(self) -> Reading:
        """The figures of this moment."""
        camera, microphone = self._camera, self._microphone
        return self.figures.read(
            dropped=self.newest.dropped,
            stale=camera.stale if isinstance(camera, LivePictures) else 0,
            sound_lost=float(getattr(microphone, "lost_seconds", 0.0)),
            queue=len(self._found),
            down=[part for part, care in self._cares.items() if care.down],
        )

    def run(self, seconds: float | None = None) -> None:
        """Referee until the media have ended, the players press Ctrl-C, or ``seconds`` are over. Without media
        until the orders end, or until ``stop`` is called."""
        self._begin()
        if self._referee.page is not None:
            self._referee.page.bring(self.order)
        try:
            while not self._stop.is_set() and (seconds is None or self.clock < seconds):
                self._step()
                if self._running and self._running <= self._ended_parts():
                    break
        except KeyboardInterrupt:
            pass
        finally:
            self._end()
            if self._referee.page is not None:
                self._referee.page.bring(None)
        for item in self._found.take(0.0):
            self._take(item)
        self._cares["referee"](lambda: self._referee.finish(self.clock))
        for aside in self._asides:
            aside.close(ENDING)

    def _begin(self) -> None:
        self._referee.has(camera=self._camera is not None, microphone=self._microphone is not None)
        if self._camera is not None:
            if isinstance(self._camera, LivePictures):
                self._camera.tell(self._sight)
            self._launch("camera", self._grab)
            self._launch("eyes", self._look)
        if self._microphone is not None:
            self._launch("microphone", self._listen)
        if self._inputs is not None:
            self._launch("inputs", self._follow_inputs)
        media = {"eyes", "microphone"} & self._ended.keys()
        self._running = media or {"inputs"} & self._ended.keys()

    def _launch(self, part: str, work: Callable[[], None]) -> None:
        over = self._ended[part] = self._threads.bell()

        def run() -> None:
            try:
                work()
            finally:
                over.set()

        self._threads.start(run, part)

    def _ended_parts(self) -> set[str]:
        return {part for part, over in self._ended.items() if over.is_set()}

    def _end(self) -> None:
        """Stop the parts; one that hangs in its device is left behind, the program can end without it."""
        self._stop.set()
        self.newest.close()
        for device in (self._camera, self._microphone):
            if device is not None:
                device.close()
        until = self._now() + ENDING
        for part, over in self._ended.items():
            if part in ("eyes", "microphone"):
                over.wait(max(0.0, until - self._now()))

    # -- the interpreter's thread ----------------------------------------------------------------------------

    def _step(self) -> None:
        """Take what was found, draw conclusions."""
        care = self._cares["referee"]
        self._watch_voice()
        for item in self._found.take(TICK / 2):
            self._take(item)
        care(lambda: self._referee.advance(self._worked_up_to()))
        if self._ears is not None:
            self._cares["ears"](self._tell_what_is_expected)
        self.figures.beat("referee")
        self._look_round()

    def _tell_what_is_expected(self) -> None:
        self._expected = tell_what_is_expected(self._referee, self._ears, self._expected)

    def _worked_up_to(self) -> float:
        """The time up to which both eyes and ears have worked; a slow or dead one is not waited for longer
        than ``LAG``."""
        now = self.clock
        done = [t for t in (self._looked, self._heard) if t is not None]
        return max(now - LAG, min([now, *done]))

    def _take(self, item: Found) -> None:
        if isinstance(item, Fallen):
            self.problems.append(item)
        if isinstance(item, Knock | Phrase) and self._own.is_own(item):
            return
        if isinstance(item, Tapped) and self._cares["referee"].resting:
            item.refuse("busy")
            return
        self._cares["referee"](lambda: self._hand_over(item))

    def _hand_over(self, item: Found) -> None:
        referee, now = self._referee, self.clock
        match item:
            case Fallen(problem=None):
                pass
            case Fallen(part=part):
                self._looks(part, False)
                self._say(f"{part}-lost")
            case Risen(part=part):
                self._looks(part, True)
                self._say(f"{part}-back")
            case Trouble():
                referee.trouble(item)
            case Say() | Rename() | Reseat() | Drop() | Insert() | Undo() | Redo() | Reply() | Command():
                referee.order(dataclasses.replace(item, t=now, decided=now))
            case Typed() | Tapped():
                referee.order(dataclasses.replace(item, t=now, decided=now))
            case seen:
                referee.observe([seen])

    def _looks(self, part: str, well: bool) -> None:
        """While the camera or the eyes are down, the cards are dictated."""
        if part in ("camera", "eyes"):
            self._referee.interpreter.sees(well)

    def _say(self, kind: str) -> None:
        now = self.clock
        reason = {"reason": "gone"} if kind == "camera-lost" else {}
        self._referee.follow([Notice(now, now, kind, reason)])

    def _watch_voice(self) -> None:
        """Note when a voice that does not tell by itself begins and ends."""
        voice = self._referee.voice
        if voice is None or isinstance(voice, Loudspeaker):
            return
        try:
            speaking = voice.speaking
        except Exception:  # it will be told when it is to say something
            speaking = False
        if speaking == self._speaking:
            return
        self._speaking = speaking
        if speaking:
            self._own.begins(self.clock)
        else:
            self._own.ends(self.clock)

    def _look_round(self) -> None:
        """A part that hangs raises nothing: that it does not come back from its work tells."""
        viewer, voice = self._asides
        for part, since in (("eyes", self._looks_since), ("viewer", viewer.busy_since), ("voice", voice.busy_since)):
            if since is not None and self._now() - since > STUCK:
                self._cares[part].hangs()

    # -- the other threads -----------------------------------------------------------------------------------

    def _sight(self, news: CameraLost | CameraBack) -> None:
        """The camera was lost, or is back; called in its thread."""
        assert isinstance(self._camera, LivePictures)
        shift = self._camera.began - self._start
        if isinstance(news, CameraLost):
            self._looked = None  # nobody waits for eyes that see nothing
        t, decided = max(0.0, news.t + shift), max(0.0, news.decided + shift)
        self._found.put(dataclasses.replace(news, t=t, decided=decided))

    def _grab(self) -> None:
        """Camera thread: the newest picture wins."""
        camera, care = self._camera, self._cares["camera"]
        assert camera is not None
        try:
            while not self._stop.is_set():
                try:
                    for frame in camera:
                        if self._stop.is_set():
                            return
                        care.works()
                        self._picture(frame)
                    return
                except Exception as problem:
                    if self._stop.is_set():
                        return
                    if not isinstance(camera, LivePictures):  # a film that breaks off has no second half
                        self._broke["camera"] = problem
                        return
                    care.fell(problem)
                    self._stop.wait(care.resting)
        finally:
            self.newest.close()

    def _picture(self, frame: Frame) -> None:
        live = self._camera if isinstance(self._camera, LivePictures) else None
        t = self.clock if live is None else frame.t + live.began - self._start
        self.newest.put(dataclasses.replace(frame, t=t))
        self.figures.pictured(t)
        self.figures.beat("camera")

    def _look(self) -> None:
        """Eyes' thread: look at the newest picture."""
        care = self._cares["eyes"]
        while not self._stop.is_set():
            frame = self.newest.get(TICK)
            if frame is None and self.newest.closed:
                break
            eyes = self._eyes
            if frame is not None and eyes is not None:
                began = self._looks_since = self._now()
                found = care(partial(eyes.accept, frame))
                self._looks_since = None
                if found is None:
                    self._looked = None
                else:
                    self._referee.close_ups.keep(looked_at(eyes, frame), found)
                    self.figures.looked(self._now() - began)
                    for seen in found:
                        self._found.put(seen)
                    self._looked = frame.t
            self.figures.beat("eyes")
        if not self._stop.is_set():
            self._found.put(Fallen("camera", self._broke.get("camera")))

    def _listen(self) -> None:
        """Ears' thread: every sample, in order."""
        microphone, care = self._microphone, self._cares["microphone"]
        assert microphone is not None
        hearing = _Hearing()
        while not self._stop.is_set():
            try:
                for block in microphone:
                    if self._stop.is_set():
                        return
                    care.works()
                    self._hear(block, hearing)
                break
            except Exception as problem:
                if self._stop.is_set():
                    return
                if not isinstance(microphone, LiveSound):
                    self._broke["microphone"] = problem
                    break
                self._heard = None
                care.fell(problem)
                self._stop.wait(care.resting)
        self._heard = None
        self._found.put(Fallen("microphone", self._broke.get("microphone")))

    def _hear(self, block: Samples, hearing: _Hearing) -> None:
        """Sample times become session times by when the first one came, which a microphone knows better than
        we."""
        ears, microphone = self._ears, self._microphone
        assert ears is not None
        if isinstance(microphone, LiveSound) and microphone.began is not None:
            hearing.began = microphone.began - self._start
            for news in microphone.news():
                self._found.put(
                    dataclasses.replace(news, t=max(0.0, news.t + hearing.began), decided=max(0.0, self.clock))
                )
        elif hearing.began is None:
            hearing.began = self.clock - len(block) / RATE
        if not len(block):
            self._heard = None  # there is no microphone yet: nobody waits for it
            return
        if ears is not hearing.ears:  # they count from the block on with which they begin
            hearing.ears, hearing.since = ears, hearing.samples
        began = self._now()
        found = self._cares["ears"](lambda: ears.accept(block))
        self.figures.heard(len(block) / RATE, self._now() - began)
        for heard in found or ():
            began = hearing.began + hearing.since / RATE
            self._found.put(dataclasses.replace(heard, t=heard.t + began, decided=heard.decided + began))
        hearing.samples += len(block)
        self._heard = None if found is None else hearing.began + hearing.samples / RATE
        self.figures.beat("microphone")
        self.figures.beat("ears")

    def _follow_inputs(self) -> None:
        """Keyboard's thread: every order, in order."""
        assert self._inputs is not None
        try:
            for order in self._inputs:
                if self._stop.is_set():
                    return
                self.figures.beat("inputs")
                self._found.put(order)
        except Exception as problem:
            self._cares["inputs"].fell(problem)


@dataclasses.dataclass(slots=True)
class _Hearing:
    """How far the sound has come: session time of sample 0, samples so far, and those before these ears."""

    began: float | None = None
    samples: int = 0
    ears: Listener | None = None
    since: int = 0


class _Watched:
    """A viewer in a thread of its own; what goes to it is timed."""

    def __init__(self, viewer: Viewer, aside: Aside, figures: Figures) -> None:
        self._viewer, self._aside, self._figures = viewer, aside, figures

    def observed(self, observation: Observation | Trouble) -> None:
        self._aside.call(partial(self._viewer.observed, observation))

    def acted(self, act: Act) -> None:
        match act:
            case Action(by="camera", refused=None, quiet=False) if act.event.verb == "play":
                self._figures.carded(act.t)
            case Notice(kind="heard"):
                self._figures.knocked(act.t)
        self._aside.call(partial(self._viewer.acted, act))

    def announced(self, announcement: Announcement) -> None:
        self._aside.call(partial(self._viewer.announced, announcement))
