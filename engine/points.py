"""The score of the games of points: ``truc`` and ``truc-y-flou``."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from engine.header import Header
from engine.outcomes import Score
from engine.table import Table


class Points(Table):
    """A table whose score is counted in points."""

    STATE: ClassVar[tuple[str, ...]] = (*Table.STATE, "points")

    def __init__(self, header: Header) -> None:
        self.points: tuple[int, int] = (0, 0)
        super().__init__(header)
        if header.score is not None:
            self.agree_score(header.score)

    @property
    def score(self) -> Score:
        return _score(*self.points)

    def agree_score(self, score: Score) -> None:
        self.points = (score["A"]["points"], score["B"]["points"])

    def points_of(self, team: str) -> int:
        """The points of one team."""
        return self.points[team == "B"]

    def set_points(self, team: str, points: int) -> None:
        """Put the score of one team to a number."""
        a, b = self.points
        self.points = (points, b) if team == "A" else (a, points)


@lru_cache(maxsize=1 << 12)
def _score(a: int, b: int) -> Score:
    """The score in the form of ``trut score``; equal scores share one mapping."""
    return {"A": {"points": a}, "B": {"points": b}}
