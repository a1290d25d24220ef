"""Counting ranks: how many of the cards that lie there were read, and how many that do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
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
