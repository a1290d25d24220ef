"""The state bar: in one word, what the assistant does or waits for.

It follows from what eyes report and from how the game stands. Nothing that fails to come (a hand whose leaving was not
seen) can leave it behind: everything seen is forgotten after a while on the session's clock.
"""

from __future__ import annotations

from typing import Literal

from assistant.acts import Act, Notice
from assistant.holding import Observation
from audio.health import Trouble
from vision.events import CameraBack, CameraLost, CardLaid, CardMoved, CardReread, CardsTaken, HandGone, HandSeen

Bar = Literal["waiting", "hand", "still", "complete", "question", "paused", "over", "lost", "no-eyes"]
HAND = 8.0
"""Seconds after which a hand that was not seen to leave is taken for gone."""
STILL = 4.0
"""Seconds that a card is said to be looked at, at most."""
COMPLETE = 6.0
"""Seconds that a trick is said to be complete, at most."""


class StateBar:
    """What was seen lately, as far as the bar tells it.

    Attributes:
        sees, hears: ``on``, ``lost`` or ``none``: camera and microphone.
        taken: when cards were last taken from the table, seconds.
    """

    def __init__(self) -> None:
        self.sees = self.hears = "none"
        self.taken = -1.0
        self._hands: dict[int | None, float] = {}
        self._still: float | None = None
        self._complete: tuple[object, float] | None = None

    def has(self, *, camera: bool, microphone: bool) -> None:
        """Which devices there are."""
        self.sees = "on" if camera else "none"
        self.hears = "on" if microphone else "none"

    def observed(self, seen: Observation | Trouble) -> None:
        """What eyes and ears report."""
        match seen:
            case HandSeen(t=t, seat=seat):
                self._hands[seat] = t
            case HandGone(seat=seat):
                self._hands.pop(seat, None)
            case CardsTaken(t=t):
                self.taken = t
            case CameraLost():
                self.sees = "lost"
                self._hands.clear()
            case CameraBack():
                self.sees = "on"
            case CardLaid() | CardReread() | CardMoved() if self.sees == "lost":
                self.sees = "on"  # whoever sees a card is not blind
            case Trouble(what="lost"):
                self.hears = "lost"
            case Trouble(what="back"):
                self.hears = "on"

    def acted(self, act: Act) -> None:
        """What the table was told of its devices."""
        match act:
            case Notice(kind="camera-lost" | "eyes-lost"):
                self.sees = "lost"
            case Notice(kind="camera-back" | "eyes-back"):
                self.sees = "on"
            case Notice(kind="microphone-lost" | "ears-lost"):
                self.hears = "lost"
            case Notice(kind="microphone-back" | "ears-back"):
                self.hears = "on"

    def lies(self, trick: object) -> bool:
        """Whether the cards of a complete trick still lie there, as far as anybody has seen.

        Args:
            trick: what tells this trick from others, None where none is complete.
        """
        return trick is not None and self._complete is not None and self.taken < self._complete[1]

    def now(
        self, clock: float, *, over: bool, paused: bool, question: bool, reading: bool, trick: object = None
    ) -> Bar:
        """The word of this moment.

        Args:
            clock: seconds on the session's clock.
            reading: whether a card lies there that does not count yet.
            trick: what tells a complete trick from others, None where none is complete.
        """
        if trick is None:
            self._complete = None
        elif self._complete is None or self._complete[0] != trick:
            self._complete = trick, clock
        self._still = None if not reading else clock if self._still is None else self._still
        if over:
            return "over"
        if paused:
            return "paused"
        if self.sees == "lost":
            return "lost"
        if question:
            return "question"
        if self._still is not None and clock - self._still < STILL:
            return "still"
        if self._complete is not None and self.lies(trick) and clock - self._complete[1] < COMPLETE:
            return "complete"
        if self.sees == "none":
            return "no-eyes"
        return "hand" if any(clock - t < HAND for t in self._hands.values()) else "waiting"
