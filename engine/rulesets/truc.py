"""``truc``: Le Truc for two, RULES.md section 5.

Tricks are those of section 1; a tie is a spoiled trick and its leader leads again (L-6, ``rotten-lead
leader``).
"""

from __future__ import annotations

from typing import ClassVar

from engine.cards import FRENCH32, Pack, other_team, team_of
from engine.events import Event, Form, said
from engine.outcomes import (
    Accepted,
    ChallengeFolded,
    ChallengeMade,
    ChallengeTaken,
    Outcome,
    RoundDealt,
)
from engine.points import Points
from engine.refusals import Refusal

Answer = Accepted | Refusal

RAISE, REST, REDEAL = "raise", "rest", "redeal"


class Truc(Points):
    """L-1 to L-40. Two players, each a team; the round is worth 1 and can be raised before every card."""

    PACK: ClassVar[Pack] = FRENCH32  # L-2
    RANKING: ClassVar[tuple[str, ...]] = ("7", "8", "A", "K", "Q", "J", "10", "9")  # L-3
    STATE: ClassVar[tuple[str, ...]] = (
        *Points.STATE,
        "worth",  # what the round is worth
        "rest",  # L-26: "mon reste" was taken
        "asked",  # what waits for an answer: raise, rest or redeal, and who asked
        "raised",  # L-20: the player whose turn it is has had his raise before this card
        "bid",  # L-30: somebody has raised or said "mon reste" in this round
        "redealt",  # L-30: the one request of the round was made
    )

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        return tuple((rank,) for rank in self.RANKING)

    CALLS: ClassVar[tuple[str, ...]] = (*Points.CALLS, "rest", "asked", "raised", "bid", "redealt")

    # L-4, L-5: the deal alternates, the other player cuts, the non-dealer leads: Table.

    def _clear_round(self) -> None:
        super()._clear_round()
        self.worth = 1  # L-20
        self.rest = False
        self.asked: tuple[str, int] | None = None
        self.raised = False
        self.bid = False
        self.redealt = False

    def form_of(self, verb: str, form: Form) -> Form:
        if verb == "raise":
            return Form()
        return Form("yes") if verb == "redeal" else form

    # L-20 to L-24: raising

    def on_raise(self, event: Event) -> Answer:
        """L-20: "deux de plus ?", by the player whose turn it is, once before each of his cards."""
        return self._may_raise(event) or self._ask(RAISE, event)

    def _may_raise(self, event: Event) -> Refusal | None:
        if self.phase != "play":
            return self.pending(event)  # L-21: no counter-raise
        if event.seat != self.turn:
            return self.refuse("out-of-turn", event, expected=self.turn)
        if self.rest:
            return self.refuse("no-more-raises", event)  # L-26
        if self.raised:
            return self.refuse("already-raised", event)
        return None

    def _ask(self, what: str, event: Event) -> Answer:
        seat = event.seat or 0
        self.asked = (what, seat)
        self.phase = "answer"
        self.awaiting = (self.after(seat),)
        return Accepted((ChallengeMade(seat, event.verb, self.awaiting),))

    def next_step(self, worth: int) -> int:
        """L-22: what a raise makes of the round; there is no upper limit."""
        ladder = self.options["raise-ladder"]
        if ladder == "double":
            return 2 * worth
        if worth == 1:
            return 2
        return 6 if worth == 2 and ladder == "printed" else worth + 2

    def card_laid(self, seat: int, token: str) -> tuple[Outcome, ...]:
        """L-20: before the next card a raise is possible again."""
        self.raised = False
        return ()

    # L-25 to L-27: "mon reste"

    def on_rest(self, event: Event) -> Answer:
        """L-25: instead of a raise. L-26: said by the other player, it takes the bet."""
        if self.phase == "answer" and self.asked is not None and self.asked[0] == REST:
            return self.on_accept(event)
        return self._may_raise(event) or self._ask(REST, event)

    # L-21 to L-31: the answers

    def on_accept(self, event: Event) -> Answer:
        if (fault := self.answers_to(event, "answer", self.awaiting)) is not None:
            return fault
        what = self.asked[0] if self.asked is not None else ""
        self.asked = None
        self.phase = "play"
        self.awaiting = ()
        if what == REDEAL:
            return Accepted((self._redeal(),))
        self.raised = True
        self.bid = True
        if what == RAISE:
            self.worth = self.next_step(self.worth)  # L-24
        else:
            self.rest = True  # L-26
        return Accepted((ChallengeTaken(event.seat or 0, self.stake or ""),))

    def on_refuse(self, event: Event) -> Answer:
        if (fault := self.answers_to(event, "answer", self.awaiting)) is not None:
            return fault
        what, asker = self.asked or ("", 0)
        folded = ChallengeFolded(event.seat or 0, settled=True)
        if what == REDEAL:  # L-30: the round goes on
            self.asked = None
            self.phase = "play"
            self.awaiting = ()
            return Accepted((folded,))
        return Accepted((folded, *self._refused(what, asker)))

    def _refused(self, what: str, asker: int) -> list[Outcome]:
        """L-23: the raiser scores what the round was worth before. L-27: a refused rest wins the game."""
        if what == REST and self.options["rest-refused"] == "game":
            return self._finish(team_of(asker), "game", "rest")
        return self._finish(team_of(asker), f"points {self.worth}", "rest" if what == REST else "refuse")

    def on_fold(self, event: Event) -> Answer:
        """L-28: either player may throw in his hand at any time in the round."""
        if self.phase not in ("play", "answer"):
            return self.pending(event)
        seat = event.seat or 0
        if self.asked is not None and self.asked[0] != REDEAL and seat in self.awaiting:
            return self.on_refuse(event)  # a fold is a refusal
        winner = other_team(team_of(seat))
        return Accepted((ChallengeFolded(seat, settled=True), *self._win(winner, "fold")))

    # L-30, L-31: other cards

    def on_redeal(self, event: Event) -> Answer:
        """L-30: once a round, before any card and any raise. L-31: who may ask."""
        if self.phase != "play":
            return self.pending(event)
        if self.trick or self.tricks or self.bid:
            return self.refuse("too-late", event)
        if self.options["redeal-who"] == "non-dealer" and event.seat == self.dealer:
            return self.refuse("out-of-turn", event, expected=self.after(self.dealer))
        if self.redealt:
            return self.refuse("redeal-used", event)
        self.redealt = True
        return self._ask(REDEAL, event)

    def _redeal(self) -> RoundDealt:
        """L-30: both hands are put aside unseen; what was known to be in them is out of play."""
        for hand in self.hands:
            for token in hand or ():
                self.out |= self.cards[token].bit
                self.counts += self.cards[token].unit
                self.laid += 1
        self.hands = self.unknown
        return RoundDealt(self.ended + 1, self.dealer, self.leader)

    # L-7, L-26, L-40: the end of the round and of the game

    def round_decided(self, winner: str | None) -> list[Outcome]:
        """L-7: three spoiled tricks give nothing to anybody."""
        if winner is None:
            return [self.close_round(None, "nothing", "void")]
        return self._win(winner, "tricks")

    def _win(self, winner: str, reason: str) -> list[Outcome]:
        return self._finish(winner, "game" if self.rest else f"points {self.worth}", reason)

    def _finish(self, winner: str, award: str, reason: str) -> list[Outcome]:
        """L-27: "the game" puts the winner's score to the target. L-40: the target or more wins; it is not
        cut down."""
        points = self.target if award == "game" else self.points_of(winner) + self.worth
        self.set_points(winner, points)
        self.asked = None
        outcomes: list[Outcome] = [self.close_round(winner, award, reason)]
        if points >= self.target:
            outcomes.append(self.win_game(winner))
        return outcomes

    # What may be said now

    @property
    def stake(self) -> str | None:
        if self.phase in ("deal", "over"):
            return None
        return "rest" if self.rest else str(self.worth)

    def calls(self) -> list[Event]:
        folds = [said("fold", 1), said("fold", 2)]
        if self.phase == "answer":
            (seat,) = self.awaiting
            taking = [said("rest", seat)] if self.asked is not None and self.asked[0] == REST else []
            return [said("accept", seat), said("refuse", seat), *taking, *folds]
        asking = [said(verb, seat) for seat in (1, 2) for verb in ("raise", "rest", "redeal")]
        allowed = [event for event in asking if self._may_ask(event)]
        return allowed + folds

    def _may_ask(self, event: Event) -> bool:
        if event.verb != "redeal":
            return self._may_raise(event) is None
        began = bool(self.trick or self.tricks or self.bid or self.redealt)
        return not began and not (self.options["redeal-who"] == "non-dealer" and event.seat == self.dealer)
