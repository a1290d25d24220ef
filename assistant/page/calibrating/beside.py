"""What stands between the live table and its eyes and ears, so that the table can be calibrated while it plays.

Pictures and samples pass by on their way, for whoever calibrates. What was learnt is put into the eyes between two
pictures and into the ears between two blocks, in their own threads. While cards, knocks or phrases are shown to the
machine the referee is told nothing of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.session import RATE, Eyes, Listener, Samples, looked_at
from audio.events import SoundObservation
from vision.camera import Frame
from vision.events import TableObservation

if TYPE_CHECKING:
    from assistant.page.calibrating.desk import Desk


class BesideEyes:
    """Eyes, and the desk that looks with them.

    Args:
        eyes: the eyes of the table.
        desk: gets every picture; tells what the eyes shall know from now on, and when to look away.
    """

    def __init__(self, eyes: Eyes, desk: Desk) -> None:
        self._eyes, self._desk = eyes, desk
        self._view: Frame | None = None
        self._begun = False

    @property
    def view(self) -> Frame | None:
        """What was looked at last, None while nothing is (``session.ZoneEyes``)."""
        return self._view

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_eyes":
            raise AttributeError(name)
        return getattr(self._eyes, name)

    def accept(self, frame: Frame) -> list[TableObservation]:
        """Look at the next frame, unless cards are shown that are not played."""
        desk = self._desk
        desk.frames.put(frame)
        if not self._begun:
            self._begun = True
            desk.for_eyes.begin(self._eyes)
        desk.for_eyes.work(self._eyes)
        if desk.looks_away:
            self._view = None
            return []
        seen = self._eyes.accept(frame)
        self._view = looked_at(self._eyes, frame)
        return seen


class BesideEars:
    """Ears, and the desk that listens with them; see ``BesideEyes``.

    The ears hear everything, or their clock would stop; what they make of it while somebody practises counts for
    nothing, also where they know it only afterwards.
    """

    def __init__(self, ears: Listener, desk: Desk) -> None:
        self._ears, self._desk = ears, desk
        self._samples = 0
        self._deaf_until = 0.0
        self._begun = False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_ears":
            raise AttributeError(name)
        return getattr(self._ears, name)

    def accept(self, samples: Samples) -> list[SoundObservation]:
        """Listen on."""
        desk = self._desk
        desk.sounds.put(samples)
        if not self._begun:
            self._begun = True
            desk.for_ears.begin(self._ears)
        desk.for_ears.work(self._ears)
        found = self._ears.accept(samples)
        self._samples += len(samples)
        if desk.listens_away:
            self._deaf_until = self._samples / RATE
            return []
        return [heard for heard in found if heard.t > self._deaf_until] if self._deaf_until else found

    def finish(self) -> list[SoundObservation]:
        return [heard for heard in self._ears.finish() if heard.t > self._deaf_until]

    def expect(self, verbs: frozenset[str] | None) -> None:
        self._ears.expect(verbs)


Change = Callable[[Any], bool]
"""Puts what was learnt into eyes or ears; False where they cannot use it."""
