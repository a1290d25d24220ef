"""What time it is here when the phone says that it is such a time there.

The phone asks, we answer, and it tells when the answer came: so we know that our moment lay between two of its own.
Every such round is a hard bound on how far the two clocks are apart, whatever the network did on the way there or
back. What all bounds leave is narrow, because a question that went quickly bounds one side and an answer that came
quickly the other.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

DRIFT = 1e-4
"""Two quartzes run apart by less than this (100 ppm): a bound grows older, and wider, at this pace."""
ROUNDS = 120
"""Bounds that are remembered; a phone gives one a second."""
LONGEST = 5.0
"""A round that took so many seconds tells nothing worth keeping."""
TOLERANCE = 0.002
"""By so many seconds bounds may contradict each other: browsers round their clocks."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """Our clock is ahead of the phone's by ``low`` to ``high`` seconds, at the moment ``at`` of the phone's."""

    at: float
    low: float
    high: float

    def older(self, at: float) -> tuple[float, float]:
        """What it still says at another moment."""
        more = DRIFT * abs(at - self.at)
        return self.low - more, self.high + more


class PhoneClock:
    """Moments of one phone's clock on ours.

    A phone that slept may come back with a clock that stood still meanwhile. Its next round then contradicts all that
    was known, and that is forgotten.

    Attributes:
        jumps: how often that happened.
    """

    def __init__(self) -> None:
        self._bounds: deque[_Bound] = deque(maxlen=ROUNDS)
        self._ahead: float | None = None
        self._apart = math.inf
        self.jumps = 0

    @property
    def uncertain(self) -> float:
        """By how many seconds ``here`` is off at most; infinite before the first round."""
        return self._apart

    def round(self, sent: float, came: float, here: float) -> None:
        """The phone's question left at ``sent`` and was answered at ``came``, seconds on its clock; it was ``here``
        on ours in between."""
        if not (math.isfinite(sent) and math.isfinite(came) and 0 <= came - sent <= LONGEST):
            return
        new = _Bound((sent + came) / 2, here - came, here - sent)
        low, high = self._known(new.at)
        if new.low > high + TOLERANCE or new.high < low - TOLERANCE:
            self._bounds.clear()
            self.jumps += 1
        self._bounds.append(new)
        low, high = self._known(new.at)
        self._ahead, self._apart = (low + high) / 2, max(0.0, (high - low) / 2)

    def here(self, there: float) -> float | None:
        """Our moment at the phone's moment ``there``; None before the first round."""
        return None if self._ahead is None else there + self._ahead

    def _known(self, at: float) -> tuple[float, float]:
        """What all bounds leave at a moment of the phone's."""
        bounds = [bound.older(at) for bound in self._bounds]
        return max((low for low, _ in bounds), default=-math.inf), min((high for _, high in bounds), default=math.inf)
