"""``trut-robin-red``: the boxed Trut of Robin Red Games, RULES.md section 4.

Everything of section 2 holds except what follows. Brelan, tierce, deux-petits and fortial are off unless an
option brings them in (R-24); ``rotten-lead``, ``trut-needs-card``, ``answer-order`` and ``long-clears`` have
other defaults (R-11, R-21, R-23, R-30), in ``engine.options``.
"""

from __future__ import annotations

from typing import ClassVar

from engine.cards import NUMBERED8, Pack
from engine.header import Header
from engine.outcomes import Outcome, RoundEnded
from engine.rulesets.trut import Trut


class TrutRobinRed(Trut):
    """R-1 to R-31."""

    PACK: ClassVar[Pack] = NUMBERED8
    RANKING: ClassVar[tuple[str, ...]] = ("8", "7", "6", "5", "4", "3", "2", "1")
    NORMAL_ORDER: ClassVar[tuple[str, ...]] = NUMBERED8.ranks  # G-21
    STATE: ClassVar[tuple[str, ...]] = (*Trut.STATE, "best")  # strength and seat of the best card laid

    def __init__(self, header: Header) -> None:
        self.best: tuple[int, int] | None = None
        super().__init__(header)

    def first_leader(self) -> int:
        """R-5: the dealer leads. The answers that start "from the dealer's left" thus start with him (R-23,
        R-24)."""
        return self.dealer

    def cutter(self) -> int:
        """R-3: the dealer's left neighbour cuts."""
        return self.after(self.next_dealer)

    # who deals next

    def _clear_round(self) -> None:
        super()._clear_round()
        self.best = None

    def card_laid(self, seat: int, token: str) -> tuple[Outcome, ...]:
        """R-4 ``best-card``: the highest card of the round, the first of equals."""
        strength = self.strengths[token]
        if self.best is None or strength > self.best[0]:
            self.best = (strength, seat)
        return ()

    def close_round(self, winner: str | None, award: str, reason: str) -> RoundEnded:
        """R-4: one seat left each round; by option who laid the best card, or left if no card was laid."""
        if self.options["dealer-rotation"] == "best-card" and self.best is not None:
            self.next_dealer = self.best[1]
        return super().close_round(winner, award, reason)
