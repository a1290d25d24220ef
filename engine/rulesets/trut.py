"""``trut``: the classic rules of the Deux-Sèvres, RULES.md section 2.

Read it as the rulebook: each method is what the clauses in its comments say. The clauses on cards, turns and
    tricks (T-10 to T-12) are those of section 1, in ``engine.table`` and ``engine.tricks``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from engine.cards import FRENCH32, FRENCH_RANKS, Pack, other_team, rank_of
from engine.events import Event, said
from engine.header import Header
from engine.longs_and_petits import LONG, NOTHING, PETIT, LongsAndPetits
from engine.outcomes import (
    Accepted,
    ChallengeFolded,
    ChallengeMade,
    ChallengeTaken,
    DeclarationDue,
    Declared,
    Outcome,
)
from engine.refusals import Refusal

Answer = Accepted | Refusal


class Trut(LongsAndPetits):
    """T-1 to T-60. Two or four players, 32 cards, three tricks, one challenge."""

    PACK: ClassVar[Pack] = FRENCH32  # T-2
    RANKING: ClassVar[tuple[str, ...]] = ("7", "8", "A", "K", "Q", "J", "10", "9")  # T-3
    NORMAL_ORDER: ClassVar[tuple[str, ...]] = FRENCH_RANKS  # G-21
    STATE: ClassVar[tuple[str, ...]] = (
        *LongsAndPetits.STATE,
        "truter",  # the seat that trutted, None in a round without a trut
        "taken",  # the round is played for a long
    )
    CALLS: ClassVar[tuple[str, ...]] = (*LongsAndPetits.CALLS, "truter", "taken")
    SWITCHES: ClassVar[dict[str, str]] = {
        "brelan": "brelan",
        "tierce": "tierce",
        "deux-petits": "deux-petits",
        "pass": "fortial",
    }

    def __init__(self, header: Header) -> None:
        self.truter: int | None = None
        self.taken = False
        super().__init__(header)

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        return tuple((rank,) for rank in self.RANKING)

    # T-4 to T-6: the deal moves one seat left every round, the seat before the dealer cuts, the seat after
    # him leads: Table.on_deal, Table.cutter, Table.first_leader.

    def _clear_round(self) -> None:
        super()._clear_round()
        self.truter = None
        self.taken = False

    # T-20 to T-22: the trut

    def on_trut(self, event: Event) -> Answer:
        """T-21: any player, at any moment from the end of the deal to the end of the round."""
        return self.may_trut(event) or self._trut(event)

    def may_trut(self, event: Event) -> Refusal | None:
        """The refusal of a trut that T-21 to T-23 and T-51 do not allow, None where it is allowed."""
        deciding = self.phase == "fortial"
        if self.phase != "play" and not deciding:
            return self.pending(event)  # T-22
        if deciding and event.seat != self.awaiting[0]:
            return self.refuse("not-your-challenge", event)  # T-51
        if self.truter is not None:
            return self.refuse("already-truted", event)  # T-23
        return None

    def may_trut_now(self, event: Event) -> Refusal | None:
        """The house rules on when to trut; the decision at fortial is exempt from the first (T-21)."""
        if self.phase == "play" and self.options["trut-when"] == "own-turn" and event.seat != self.turn:
            return self.refuse("out-of-turn", event, expected=self.turn)
        if self.options["trut-needs-card"] == "on" and self.cards_held(event.seat or 0) == 0:
            return self.refuse("no-cards-left", event)
        return None

    def _trut(self, event: Event) -> Answer:
        if (fault := self.may_trut_now(event)) is not None:
            return fault
        seat = event.seat or 0
        self.truter = seat
        self.phase = "answer"
        self.awaiting = self._opponents_to_answer(seat)
        return Accepted((ChallengeMade(seat, event.verb, self.awaiting),))

    def _opponents_to_answer(self, truter: int) -> tuple[int, ...]:
        """T-24: the opponents alone, each in turn, from the dealer's left; or as the house has it."""
        if self.options["answer"] == "team" or self.options["answer-order"] == "truter":
            first = self.after(truter)
        else:
            first = self.first_leader()
        return self.members(other_team("A" if truter % 2 else "B"), first)

    # T-29, G-21, G-22: announcements that are nothing but other ways to trut

    def on_brelan(self, event: Event) -> Answer:
        """T-29: three cards of one rank, before the first card."""
        return self._claim(event, lambda ranks: len(set(ranks)) == 1)

    def on_tierce(self, event: Event) -> Answer:
        """G-21: three consecutive ranks in the normal order, no wrap-round, before the first card."""
        return self._claim(event, self._consecutive)

    def on_deux_petits(self, event: Event) -> Answer:
        """G-22: "deux petits, un grand" is a trut and nothing else."""
        return self.on_trut(event)

    def _claim(self, event: Event, holds: Callable[[list[str]], bool]) -> Answer:
        if (fault := self.may_trut(event)) is not None:
            return fault
        seat = event.seat or 0
        if self.cards_held(seat) < self.cards_dealt_to(seat):
            return self.refuse("too-late", event)
        if (fault := self.may_trut_now(event)) is not None:
            return fault
        hand = self.hands[seat - 1]
        if hand is not None and not holds([rank_of(token) for token in hand]):
            return self.refuse("false-claim", event)  # an unknown hand is believed
        return self._trut(event)

    def _consecutive(self, ranks: list[str]) -> bool:
        places = sorted(self.NORMAL_ORDER.index(rank) for rank in ranks)
        return places == list(range(places[0], places[0] + len(places)))

    # T-24 to T-28: the answers

    def on_accept(self, event: Event) -> Answer:
        """T-25: one is enough. T-28: play goes on where it was, for a long."""
        if (fault := self.answers_to(event, "answer", self._voices())) is not None:
            return fault
        self.phase = "play"
        self.awaiting = ()
        self.taken = True
        return Accepted((ChallengeTaken(event.seat or 0, LONG),))

    def on_fold(self, event: Event) -> Answer:
        """T-26: a fold by one partner only has no effect. T-27: all fold."""
        if (fault := self.answers_to(event, "answer", self._voices())) is not None:
            return fault
        self.awaiting = () if self.options["answer"] == "team" else self.awaiting[1:]
        folded = ChallengeFolded(event.seat or 0, settled=not self.awaiting)
        if self.awaiting:
            return Accepted((folded,))
        winner = "A" if (self.truter or 0) % 2 else "B"
        return Accepted((folded, *self.finish_round(winner, PETIT, "fold")))  # T-32

    def _voices(self) -> tuple[int, ...]:
        """T-24: the seats whose answer counts now: the next one, or with ``answer team`` all of them."""
        return self.awaiting if self.options["answer"] == "team" else self.awaiting[:1]

    # T-30 to T-33: the tricks decide

    def round_decided(self, winner: str | None) -> list[Outcome]:
        if winner is None:
            return self.finish_round(None, NOTHING, "void")  # T-33
        return self.finish_round(winner, LONG if self.taken else PETIT, "tricks")  # T-30, T-31

    # T-50 to T-56: fortial

    def at_fortial(self) -> str:
        """T-50: the team with 6 longs and 2 petits, by the score alone: ``A``, ``B``, ``both``, ``none``."""
        if self.options.get("fortial") != "on":
            return "none"
        a, b = (
            (longs, petits) == (self.target - 1, 2)
            for longs, petits in zip(self.longs, self.petits, strict=True)
        )
        return "both" if a and b else "A" if a else "B" if b else "none"

    def cards_dealt(self) -> tuple[Outcome, ...]:
        """T-51: one team at fortial decides before any card. T-54: with both there is no declaration."""
        team = self.at_fortial()
        if team not in ("A", "B"):
            return ()
        self.phase = "fortial"
        self.awaiting = self.members(team, self.first_leader())
        return (DeclarationDue("fortial", self.awaiting),)

    def on_pass(self, event: Event) -> Answer:
        """T-51: he does not trut; his partner decides alone. T-53: none of them does."""
        if (fault := self.answers_to(event, "fortial", self.awaiting[:1])) is not None:
            return fault
        seat = self.awaiting[0]
        self.awaiting = self.awaiting[1:]
        passed = Declared(seat, "pass")
        if self.awaiting:
            return Accepted((passed,))
        return Accepted((passed, *self.finish_round("B" if seat % 2 else "A", PETIT, "fortial")))

    # What may be said now

    @property
    def stake(self) -> str | None:
        if self.phase in ("deal", "over"):
            return None
        return LONG if self.taken else PETIT

    def calls(self) -> list[Event]:
        if self.phase == "answer":
            return [said(verb, seat) for seat in self._voices() for verb in ("accept", "fold")]
        if self.phase == "fortial":
            seat = self.awaiting[0]
            return [said("pass", seat), *self._truts((seat,))]
        return self._truts(self.around(1))

    def _truts(self, seats: tuple[int, ...]) -> list[Event]:
        """All ways in which these seats may trut now."""
        if self.truter is not None or self.taken:
            return []
        events = []
        for seat in seats:
            trut = said("trut", seat)
            if self.may_trut(trut) or self.may_trut_now(trut):
                continue
            events.append(trut)
            if "deux-petits" in self._words:
                events.append(said("deux-petits", seat))
            if self.cards_held(seat) < self.cards_dealt_to(seat):
                continue
            hand = self.hands[seat - 1]
            ranks = None if hand is None else [rank_of(token) for token in hand]
            if "brelan" in self._words and (ranks is None or len(set(ranks)) == 1):
                events.append(said("brelan", seat))
            if "tierce" in self._words and (ranks is None or self._consecutive(ranks)):
                events.append(said("tierce", seat))
        return events
