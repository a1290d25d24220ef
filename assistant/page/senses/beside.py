"""Who stands beside eyes, ears and clerk and lets what they are given pass by. What they do is not changed, and they
never wait."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from assistant.acts import Act
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.orders import Tapped
from assistant.page.senses.passing import LyingCard, Passing, Samples
from assistant.session import Attendant, Eyes, Listener, looked_at
from audio.events import SoundObservation
from audio.health import Trouble
from vision.camera import Frame
from vision.events import TableObservation
from vision.seats import SeatMap

if TYPE_CHECKING:
    from assistant.session import Referee


class Told(Protocol):
    """What is told of the game, in the referee's thread."""

    def attend(self, referee: Referee) -> None: ...

    def has(self, *, camera: bool, microphone: bool) -> None: ...

    def observed(self, observation: Observation | Trouble) -> None: ...

    def acted(self, act: Act) -> None: ...

    def stepped(self, clock: float) -> None: ...


class BesideEyes:
    """Eyes that are looked over the shoulder.

    Attributes:
        view: what they looked at last (``assistant.session.looked_at``): nothing else may be kept or shown.
    """

    def __init__(self, eyes: Eyes, passing: Passing) -> None:
        self._eyes, self._passing = eyes, passing
        self.view: Frame | None = None

    def accept(self, frame: Frame) -> list[TableObservation]:
        """As the eyes do."""
        try:
            found = self._eyes.accept(frame)
        except BaseException:
            self.view = None
            raise
        self.view = looked_at(self._eyes, frame)
        self._passing.picture(self.view, self._lying)
        return found

    @property
    def cards(self) -> tuple[LyingCard, ...]:
        """The cards that lie on the table now, where the eyes tell."""
        return self._lying()

    @property
    def seat_map(self) -> SeatMap | None:
        """The seats in the picture, where the eyes tell."""
        found = getattr(self._eyes, "seat_map", None)
        return found if isinstance(found, SeatMap) else None

    def _lying(self) -> tuple[LyingCard, ...]:
        return tuple(getattr(self._eyes, "cards", ()))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._eyes, name)


class BesideEars:
    """Ears that are listened along with."""

    def __init__(self, ears: Listener, passing: Passing) -> None:
        self._ears, self._passing = ears, passing

    def accept(self, samples: Samples) -> list[SoundObservation]:
        """As the ears do."""
        self._passing.sound(samples)
        return self._ears.accept(samples)

    def finish(self) -> list[SoundObservation]:
        """As the ears do."""
        return self._ears.finish()

    def expect(self, verbs: frozenset[str] | None) -> None:
        """As the ears do."""
        self._ears.expect(verbs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ears, name)


class BesideClerk:
    """An attendant that somebody else looks over the shoulder."""

    def __init__(self, clerk: Attendant, other: Told) -> None:
        self._clerk, self._other = clerk, other

    def attend(self, referee: Referee) -> None:
        """A table begins, or another game at it."""
        self._clerk.attend(referee)
        self._other.attend(referee)

    def has(self, *, camera: bool, microphone: bool) -> None:
        """Which devices the table has."""
        self._clerk.has(camera=camera, microphone=microphone)
        self._other.has(camera=camera, microphone=microphone)

    def observed(self, observation: Observation | Trouble) -> None:
        """What eyes and ears report."""
        self._clerk.observed(observation)
        self._other.observed(observation)

    def acted(self, act: Act) -> None:
        """What happened."""
        self._clerk.acted(act)
        self._other.acted(act)

    def announced(self, announcements: Sequence[Announcement]) -> None:
        """What is said."""
        self._clerk.announced(announcements)

    def stepped(self, clock: float) -> None:
        """All of a step has happened."""
        self._clerk.stepped(clock)
        self._other.stepped(clock)

    def tapped(self, tapped: Tapped) -> None:
        """Somebody tells something."""
        self._clerk.tapped(tapped)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._clerk, name)
