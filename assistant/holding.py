"""Order: what was seen and heard is held back until nothing earlier can come (NOTATION.md section 9
    "Order")."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator

from audio.events import SoundObservation
from vision.events import TableObservation

Observation = TableObservation | SoundObservation

HOLD = 0.5
"""Seconds that an event may be held back to learn the order of events."""
PROMPT = 0.25
"""Seconds after which something comes out that players wait to hear acknowledged; what happened before it and is
known only later is put in its place then."""


class HoldingQueue:
    """Observations in, the same observations out in the order in which they happened.

    An observation of ``t`` comes out as soon as every source has reported all that it will report up to
    ``t``, and at the latest half a second after ``t`` (or when it was known, if that was later). One that
    players wait for comes out sooner, with all that happened before it as far as that is known.

    Args:
        hold: seconds that an observation is held back at most.
        prompt: whether an observation should come out after ``PROMPT`` seconds.
    """

    def __init__(self, hold: float = HOLD, prompt: Callable[[Observation], bool] = lambda observation: False) -> None:
        self._hold = hold
        self._prompt = prompt
        self._heap: list[tuple[float, int, Observation]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._heap)

    def __iter__(self) -> Iterator[Observation]:
        """The observations that are held back, in no particular order."""
        return (entry[2] for entry in self._heap)

    def put(self, observations: Iterable[Observation]) -> None:
        for observation in observations:
            heapq.heappush(self._heap, (observation.t, self._count, observation))
            self._count += 1

    def due(self, clock: float, settled: float) -> tuple[Observation, float] | None:
        """The next observation that may come out and the time at which it could, or None.

        Args:
            clock: the time up to which eyes and ears have worked.
            settled: the time up to which they have reported all that happened, ``settled <= clock``.
        """
        if not self._heap:
            return None
        t, _, observation = self._heap[0]
        held = t + self._hold
        for later, _, other in self._heap:
            if later + PROMPT < held and self._prompt(other):
                held = max(t, later + PROMPT)
        known = max(observation.decided, held)
        if settled >= t:
            return heapq.heappop(self._heap)[2], min(known, max(observation.decided, clock))
        if clock >= held:
            return heapq.heappop(self._heap)[2], known
        return None
