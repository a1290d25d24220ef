"""How many pictures of what size a phone shall send: as many as its network carries without a queue.

A full network shows in two ways: pictures arrive ever later after they were taken, and the phone, which never has more
than two under way, must leave some out. Either for a moment is chance; for some pictures in a row it is a reason to
ask for less. All well for a while is a reason to ask for more; where that fails, the next try comes later.
"""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """What a phone is asked for.

    Attributes:
        rate: pictures a second.
        width: of the longer side, pixels.
        quality: of the JPEG, 0 to 1.
    """

    rate: float
    width: int
    quality: float

    def words(self) -> dict[str, float]:
        """As the phone is told it."""
        return asdict(self)


STEPS = (
    Step(15, 1280, 0.85),
    Step(12, 1280, 0.80),
    Step(12, 1280, 0.70),
    Step(10, 1280, 0.60),
    Step(8, 1280, 0.50),
    Step(8, 960, 0.60),
    Step(6, 960, 0.50),
    Step(5, 640, 0.60),
)
FIRST = 1
LONG = 0.2
"""Seconds that a picture may be under way longer than the quickest before the network counts as full."""
SHORT = 0.08
"""So little longer, and it counts as free."""
FULL = 4
"""So many pictures in a row that came late, or after one that was left out."""
REST = 1.5
"""Seconds after a change in which nothing is concluded: what was under way still comes."""
TRY, LATEST = 5.0, 80.0
"""Seconds of free network after which more is asked for; after every try that failed twice as long, within these."""
QUICKEST = 30.0
"""Seconds of which the quickest picture counts."""


class Pace:
    """Judges one phone's pictures as they come.

    Attributes:
        step: what to ask for now.
    """

    def __init__(self) -> None:
        self._at = FIRST
        self._changed = self._free_since = 0.0
        self._late = 0
        self._patience = TRY
        self._tried: float | None = None
        self._quick: deque[tuple[float, float]] = deque()

    @property
    def step(self) -> Step:
        return STEPS[self._at]

    def came(self, now: float, age: float, left_out: int) -> None:
        """A picture came.

        Args:
            now: when, seconds.
            age: seconds since it was taken.
            left_out: pictures that the phone left out before it, because two were still under way.
        """
        waited = age - self._quickest(now, age)
        self._late = self._late + 1 if waited > LONG or left_out else 0
        if waited > SHORT or left_out:
            self._free_since = now
        if now - self._changed < REST:
            return
        if self._late >= FULL:
            self._less(now)
        elif now - self._free_since >= self._patience and self._at > 0:
            self._tried = now
            self._change(self._at - 1, now)

    def _quickest(self, now: float, age: float) -> float:
        """Age of the quickest picture of the last while: the clocks' error and the camera's own delay are in it."""
        while self._quick and self._quick[0][0] < now - QUICKEST:
            self._quick.popleft()
        while self._quick and self._quick[-1][1] >= age:
            self._quick.pop()
        self._quick.append((now, age))
        return self._quick[0][1]

    def _less(self, now: float) -> None:
        if self._tried is not None and now - self._tried < 4 * TRY:
            self._patience = min(LATEST, 2 * self._patience)
        else:
            self._patience = TRY
        self._tried = None
        self._change(min(self._at + 1, len(STEPS) - 1), now)

    def _change(self, at: int, now: float) -> None:
        self._at, self._changed, self._free_since, self._late = at, now, now, 0
