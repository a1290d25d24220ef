"""Counting: how many of the cards that lie there were read and how many that do not; how far a count can be trusted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """Ranks read rightly, read in all, there; pictures with every rank right and nothing else; pictures."""

    right: int = 0
    read: int = 0
    there: int = 0
    exact: int = 0
    pictures: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def recall(self) -> float:
        """Share of the cards there that were read."""
        return self.right / max(1, self.there)

    @property
    def precision(self) -> float:
        """Share of the readings that are right."""
        return self.right / max(1, self.read)


def tally(cards: Iterable[str | None], wanted: Iterable[str], hidden: int = 0) -> Tally:
    """One picture's count. Names are rank and suit; only ranks count. ``hidden``: so many cards of which little
    is visible may be read or not, unnamed, and count neither way."""
    got, want = Counter(c[:-1] for c in cards if c), Counter(c[:-1] for c in wanted)
    right, there = sum((got & want).values()), sum(want.values())
    extra = max(0, sum(got.values()) - right - hidden)
    return Tally(right, right + extra, there, int(right == there and not extra), 1)


Z = 1.959964
"""The normal distribution holds 95 % within so many deviations."""


def share_interval(found: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) where nothing was counted."""
    if not total:
        return 0.0, 1.0
    p, z2 = found / total, Z * Z / total
    middle, half = p + z2 / 2, Z * math.sqrt(p * (1 - p) / total + z2 / (4 * total))
    return max(0.0, (middle - half) / (1 + z2)), min(1.0, (middle + half) / (1 + z2))


def rate_interval(count: int, hours: float) -> tuple[float, float]:
    """The exact 95 % interval of a rate an hour (Garwood); (0, inf) where nothing was heard."""
    if hours <= 0:
        return 0.0, math.inf
    low = _mean_where(lambda mean: 1 - _at_most(count - 1, mean) < 0.025, count) if count else 0.0
    return low / hours, _mean_where(lambda mean: _at_most(count, mean) > 0.025, count) / hours


def _at_most(count: int, mean: float) -> float:
    """The probability of ``count`` events or fewer where ``mean`` are expected."""
    term = total = math.exp(-mean)
    for k in range(1, count + 1):
        term *= mean / k
        total += term
    return total


def _mean_where(too_low: Callable[[float], bool], count: int) -> float:
    """The mean at which ``too_low`` turns false, by halving."""
    low, high = 0.0, count + 10 + 6 * math.sqrt(count + 1)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return (low + high) / 2
