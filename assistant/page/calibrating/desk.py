"""The calibration desk: what the page's four panels share.

A *lesson* is what takes a while: hands put on the table, cards shown, knocks, phrases. There is one at a time. It lasts
as long as the page that began it asks how it is going: who leaves the panel, or loses the connection, ends it. While it
lasts the referee pauses, and is told nothing of what is shown to the machine.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from assistant.i18n import N_
from assistant.page.calibrating.beside import BesideEars, BesideEyes, Change
from assistant.page.calibrating.errors import Busy, NoLesson, NoTable
from assistant.page.calibrating.table import TablePanel
from assistant.page.calibrating.taps import Frames, Sounds
from assistant.session import Eyes, Listener, Samples
from vision.camera import Frame

if TYPE_CHECKING:
    from calibration.profile import Profile

Found = TypeVar("Found")
PATIENCE = 8.0
"""Seconds without a question from the page after which a lesson is over."""
STEP = 0.2
"""Seconds that a lesson waits for the next picture or sound before it looks up."""
TAKEN_UP = 3.0
"""Seconds within which eyes and ears take up what they shall know; a hanging device does not."""


class Lesson(Protocol):
    """Something that is learnt from pictures or from sound, in a thread of its own.

    Attributes:
        kind: ``sit``, ``deck``, ``knocks`` or ``voices``.
        uses: whether it takes pictures, or sound.
    """

    kind: str
    uses: str

    @property
    def over(self) -> bool:
        """Whether nothing is left to learn."""
        ...

    def see(self, frame: Frame) -> None: ...

    def hear(self, block: Samples) -> None: ...

    def state(self) -> dict[str, Any]:
        """How it is going, for the page; any thread may ask."""
        ...

    def close(self) -> None:
        """It is over, however it ended."""
        ...


class Errands:
    """Changes that wait for the thread of the eyes or of the ears."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[Change, Callable[[bool], None]]] = []
        self._kept: dict[str, Change] = {}

    def begin(self, part: Any) -> None:
        """Other eyes or ears begin (another game at the same table): what the ones before were told holds for them
        too, as far as they can use it. In the part's own thread."""
        for change in list(self._kept.values()):
            _tried(change, part)

    def work(self, part: Any) -> None:
        """Do what waits; in the part's own thread."""
        if not self._waiting:
            return
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for change, done in waiting:
            done(_tried(change, part))

    def run(self, change: Change, what: str = "", timeout: float = TAKEN_UP) -> bool:
        """Leave a change; whether it was taken up within ``timeout`` seconds. One that was not is withdrawn.

        Args:
            what: names it, so that it holds for later eyes or ears too, until another one of that name.
        """
        over, taken = threading.Event(), [False]

        def done(well: bool) -> None:
            taken[0] = well
            over.set()

        errand = (change, done)
        with self._lock:
            self._waiting.append(errand)
        if not over.wait(timeout):
            with self._lock:
                if errand in self._waiting:
                    self._waiting.remove(errand)
                    return False
            over.wait(timeout)  # it is being done at this moment
        if taken[0] and what:
            self._kept[what] = change
        return taken[0]


def _tried(change: Change, part: Any) -> bool:
    """Whether the part took the change; one that breaks leaves the table the eyes and ears that it has."""
    try:
        return change(part)
    except Exception:
        return False


class Desk:
    """What the panels share; every method may be called in any thread.

    Args:
        live: whether a real table is refereed. A film goes on while it is calibrated, and what was learnt from it
            would be remembered for the next real table: there nothing is learnt, nor kept.
        settled: told when the eyes use a table that was calibrated here.
        now: seconds on the machine's clock.

    Attributes:
        frames, sounds: what the camera sees and the microphone hears.
        for_eyes, for_ears: what these shall know from now on.
    """

    def __init__(
        self,
        *,
        live: bool = True,
        settled: Callable[[Profile], None] = lambda table: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.live, self.settled = live, settled
        self._now = now
        self.frames, self.sounds = Frames(now), Sounds()
        self.for_eyes, self.for_ears = Errands(), Errands()
        self.has_eyes = self.has_ears = False
        self.table = TablePanel(self)
        self.picture_of_the_lights: tuple[int, bytes] = (0, b"")
        self._eyes: Eyes | None = None
        self._lock, self._looking = threading.Lock(), threading.Lock()
        self._running: _Running | None = None

    # -- at the table ------------------------------------------------------------------------------------------------

    def beside_eyes(self, eyes: Eyes | None) -> Eyes | None:
        """The eyes for the live table, with the desk beside them."""
        if eyes is None:
            return None
        self.has_eyes, self._eyes = True, eyes
        return BesideEyes(eyes, self)

    def beside_ears(self, ears: Listener | None) -> Listener | None:
        """The ears for the live table, with the desk beside them."""
        if ears is None:
            return None
        self.has_ears = True
        return BesideEars(ears, self)

    def of_eyes(self, name: str) -> Any:
        """Something that the eyes of the table know (``zone``, ``watcher``); None where they know no such thing."""
        return getattr(self._eyes, name, None)

    @property
    def looks_away(self) -> bool:
        """Whether what lies on the table is not played."""
        running = self._running
        return running is not None and running.lesson.uses == "pictures" and not running.ended.is_set()

    @property
    def listens_away(self) -> bool:
        """Whether what is heard is not meant."""
        running = self._running
        return running is not None and running.lesson.uses == "sound" and not running.ended.is_set()

    def look_alone(self, work: Callable[[], Found]) -> Found:
        """Do something that takes the machine's eyes and time, one at a time: the game needs them too.

        Raises:
            Busy: somebody else is at it.
        """
        if not self._looking.acquire(blocking=False):
            raise Busy(N_("un instant : l'arbitre regarde encore"))
        try:
            return work()
        finally:
            self._looking.release()

    # -- lessons -----------------------------------------------------------------------------------------------------

    def begin(self, lesson: Lesson, pause: Callable[[bool], None] = lambda on: None) -> str:
        """Begin a lesson; the name by which it is asked after.

        Args:
            pause: makes the referee pause (True) and go on (False).

        Raises:
            NoTable: no real table is refereed.
            Busy: another one is on.
        """
        self.must_be_live()
        with self._lock:
            if self._running is not None and not self._running.ended.is_set():
                raise Busy(N_("quelqu'un apprend déjà quelque chose à l'arbitre : attendez qu'il ait fini"))
            running = _Running(lesson, self, pause, self._now)
            self._running = running
        pause(True)
        running.start()
        return running.name

    def must_be_live(self) -> None:
        """Raises NoTable."""
        if not self.live:
            raise NoTable(N_("ceci est un film, pas une table : rien n'y est appris ni gardé"))

    def lesson(self, name: str | None = None, kind: str | None = None) -> Lesson:
        """The lesson of that name, or the newest of that kind, also when it is over. Asking keeps it going.

        Raises:
            NoLesson: there is none.
        """
        running = self._running
        right = running is not None and (name is None or secrets.compare_digest(running.name, name))
        if running is None or not right or kind not in (None, running.lesson.kind):
            raise NoLesson(N_("cette leçon est finie"))
        if name is not None:
            running.asked = self._now()
        return running.lesson

    def doing(self) -> str | None:
        """The kind of lesson that is on, None where none is."""
        running = self._running
        return None if running is None or running.ended.is_set() else running.lesson.kind

    def ended(self, lesson: Lesson) -> bool:
        """Whether that lesson is over."""
        running = self._running
        return running is None or running.lesson is not lesson or running.ended.is_set()

    def stop(self, name: str) -> None:
        """End a lesson; one that is over already, or another one, is no error."""
        running = self._running
        if running is not None and secrets.compare_digest(running.name, name):
            running.stop()

    def close(self) -> None:
        """The table is given up."""
        running = self._running
        if running is not None:
            running.stop()


class _Running:
    """A lesson in its thread."""

    def __init__(self, lesson: Lesson, desk: Desk, pause: Callable[[bool], None], now: Callable[[], float]) -> None:
        self.lesson, self.name = lesson, secrets.token_hex(8)
        self.asked = now()
        self.ended = threading.Event()
        self._desk, self._pause, self._now = desk, pause, now
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"desk-{lesson.kind}", daemon=True)

    def start(self) -> None:
        if self.lesson.uses == "sound":
            self._desk.sounds.listen(True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(TAKEN_UP)

    def _run(self) -> None:
        lesson, desk = self.lesson, self._desk
        number = 0
        try:
            while not (self._stop.is_set() or lesson.over or self._now() - self.asked > PATIENCE):
                if lesson.uses == "sound":
                    for block in desk.sounds.take(STEP):
                        lesson.hear(block)
                elif (came := desk.frames.after(number, STEP)) is not None:
                    number, frame = came
                    lesson.see(frame)
        finally:
            desk.sounds.listen(False)
            try:
                lesson.close()
            finally:
                self.ended.set()
                self._pause(False)
