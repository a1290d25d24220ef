"""The score of the trut family: longs and petits, conversion (T-34), and what a long costs (C-30)."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from engine.cards import other_team
from engine.header import Header
from engine.outcomes import Outcome, PetitsConverted, Score
from engine.table import Table

PETIT, LONG, NOTHING = "petit", "long", "nothing"


class LongsAndPetits(Table):
    """A table whose score is counted in longs and petits."""

    STATE: ClassVar[tuple[str, ...]] = (*Table.STATE, "longs", "petits")
    CONVERTS: ClassVar[bool] = True
    """T-34: three petits become a long."""

    def __init__(self, header: Header) -> None:
        self.longs: tuple[int, int] = (0, 0)
        self.petits: tuple[int, int] = (0, 0)
        super().__init__(header)
        if header.score is not None:
            self.agree_score(header.score)

    @property
    def score(self) -> Score:
        return _score(self.longs, self.petits)

    def agree_score(self, score: Score) -> None:
        self.longs = (score["A"]["longs"], score["B"]["longs"])
        self.petits = (score["A"]["petits"], score["B"]["petits"])

    def finish_round(self, winner: str | None, award: str, reason: str) -> list[Outcome]:
        """Score the round and close it; ``award`` is what the winner gets before any conversion."""
        converted = False
        if winner is not None and award == PETIT:
            converted = self._gain_petit(winner)
        elif winner is not None and award == LONG:
            self._gain_long(winner)
        outcomes: list[Outcome] = [self.close_round(winner, award, reason)]
        if converted:
            outcomes.append(PetitsConverted(winner or ""))
        if winner is not None and self.longs[winner == "B"] >= self.target:  # T-60
            outcomes.append(self.win_game(winner))
        return outcomes

    def _gain_petit(self, team: str) -> bool:
        """T-30, T-32: one petit. T-34: the third makes a long, at once. True when it did."""
        self._set_petits(team, self.petits[team == "B"] + 1)
        if self.petits[team == "B"] < 3 or not self.CONVERTS:
            return False
        self._set_petits(team, 0)  # those converted are spent
        self._gain_long(team)
        return True

    def _gain_long(self, team: str) -> None:
        """T-31, and the petits that it costs: C-30, T-35, G-32, R-30."""
        a, b = self.longs
        self.longs = (a + 1, b) if team == "A" else (a, b + 1)
        clears = self.clears()
        if clears in ("opponent", "both"):
            self._set_petits(other_team(team), 0)
        if clears in ("winner", "both"):
            self._set_petits(team, 0)

    def clears(self) -> str:
        """Option ``long-clears``."""
        return self.options["long-clears"]

    def _set_petits(self, team: str, count: int) -> None:
        a, b = self.petits
        self.petits = (count, b) if team == "A" else (a, count)


@lru_cache(maxsize=1 << 12)
def _score(longs: tuple[int, int], petits: tuple[int, int]) -> Score:
    """The score in the form of ``trut score``; equal scores share one mapping, so that a long record stays
    small."""
    return {
        "A": {"longs": longs[0], "petits": petits[0]},
        "B": {"longs": longs[1], "petits": petits[1]},
    }
