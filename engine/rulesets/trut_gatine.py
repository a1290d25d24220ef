"""``trut-gatine``: the rules of the Gâtine, RULES.md section 3.

Everything of section 2 holds except what follows (G-1): there is no conversion and no fortial; instead a team
with two points must say whether it holds, and two such teams whether they sing. The round is then *trut
d'off* (d'office).
"""

from __future__ import annotations

from typing import ClassVar

from engine.events import Event, said
from engine.header import Header
from engine.longs_and_petits import NOTHING, PETIT
from engine.outcomes import Accepted, DeclarationDue, Declared, Outcome, RoundDealt
from engine.refusals import Refusal
from engine.rulesets.trut import Answer, Trut


class TrutGatine(Trut):
    """G-1 to G-60. Points are the petits, truts the longs (G-30)."""

    CONVERTS: ClassVar[bool] = False  # G-1, G-31
    STATE: ClassVar[tuple[str, ...]] = (
        *Trut.STATE,
        "d_off",  # G-41: the round is automatic
        "sung",  # G-48: both teams will lose their points
        "talon",  # how many cards have not been dealt
        "put_back",  # G-47: bits, counts and number of the known cards put back after a song
        "gathered",  # G-53: all cards were gathered once, and are again at every redeal
    )

    def __init__(self, header: Header) -> None:
        self.d_off = False
        self.sung = False
        self.talon = 0
        self.put_back = (0, 0, 0)
        self.gathered = False
        super().__init__(header)

    # G-4: cards

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """G-4: 8, 7, ace, 10, king, queen, jack, 9; by option ``ten low`` the 10 stays after the jack."""
        order = "8 7 A 10 K Q J 9" if self.options["ten"] == "high" else "8 7 A K Q J 10 9"
        return tuple((rank,) for rank in order.split())

    # G-40, G-45: after the deal

    def _clear_round(self) -> None:
        super()._clear_round()
        self.d_off = False
        self.sung = False
        self.talon = len(self.PACK) - 3 * self.seats
        self.put_back = (0, 0, 0)
        self.gathered = False

    def cards_dealt(self) -> tuple[Outcome, ...]:
        """G-40: exactly one team with two points says whether it holds. G-45: with both, all players sing or
        not."""
        a, b = (petits == 2 for petits in self.petits)
        if a and b:
            self.phase = "sing"
            self.awaiting = self.around(self.first_leader())
        elif a or b:
            self.phase = "hold"
            self.awaiting = self.members("A" if a else "B", self.first_leader())
        else:
            return ()
        return (DeclarationDue(self.phase, self.awaiting),)

    # G-40 to G-43: holding

    def on_hold(self, event: Event) -> Answer:
        """G-41: as soon as one of them holds, the round is automatic; the partner need not speak."""
        if (fault := self.answers_to(event, "hold", self.awaiting[:1])) is not None:
            return fault
        self._play_for_a_trut()
        return Accepted((Declared(event.seat or 0, "hold"),))

    def on_refuse(self, event: Event) -> Answer:
        """G-42: if none holds, the cards go back unseen and the other team gets one point."""
        if (fault := self.answers_to(event, "hold", self.awaiting[:1])) is not None:
            return fault
        seat = self.awaiting[0]
        self.awaiting = self.awaiting[1:]
        refused = Declared(seat, "refuse")
        if self.awaiting:
            return Accepted((refused,))
        return Accepted((refused, *self.finish_round("B" if seat % 2 else "A", PETIT, "hold-refused")))

    def _play_for_a_trut(self) -> None:
        """G-41: trut d'off."""
        self.phase = "play"
        self.awaiting = ()
        self.d_off = True
        self.taken = True

    # G-45 to G-49: singing

    def on_sing(self, event: Event) -> Answer:
        """G-47: if all sing, three more cards are dealt to each, and what was known of the hands is
        forgotten."""
        if (fault := self.answers_to(event, "sing", self.awaiting[:1])) is not None:
            return fault
        self.awaiting = self.awaiting[1:]
        sang = Declared(event.seat or 0, "sing")
        if self.awaiting:
            return Accepted((sang,))
        self._play_for_a_trut()
        self.sung = True
        self.phase = "discard"
        self.awaiting = self.around(self.first_leader())
        self.hands = self.unknown
        return Accepted((sang, DeclarationDue("discard", self.awaiting)))

    def on_silent(self, event: Event) -> Answer:
        """G-46: the first ``silent`` settles it: trut d'off with the three cards in hand. G-48 holds all the
        same."""
        if (fault := self.answers_to(event, "sing", self.awaiting[:1])) is not None:
            return fault
        self._play_for_a_trut()
        self.sung = True
        return Accepted((Declared(event.seat or 0, "silent"),))

    def cards_dealt_to(self, seat: int) -> int:
        """G-47: six until he has put three back."""
        return 6 if self.phase == "discard" and seat in self.awaiting else 3

    def on_discard(self, event: Event) -> Answer:
        """G-47: three cards go back, in any order of the players; they are out of play until a redeal."""
        if (fault := self.answers_to(event, "discard", self.awaiting)) is not None:
            return fault
        seat, tokens = event.seat or 0, event.args
        rest: tuple[str, ...] | None = None
        if tokens:
            if (fault := self._foreign_card(event)) is not None:
                return fault
            if (fault := self._named_cards_out(event, seat)) is not None:
                return fault
            hand = self.hands[seat - 1]
            rest = None if hand is None else self._hand_without(hand, tokens)
            if hand is not None and rest is None:
                return self.refuse("not-in-hand", event, card=" ".join(tokens))
            if len(tokens) != 3 or self._repeats(tokens):
                return self.refuse("bad-hand", event)
            bits, counts, _ = self.put_back
            for token in tokens:
                card = self.cards[token]
                self.out |= card.bit
                self.counts += card.unit
                self.laid += 1
                bits, counts = bits | card.bit, counts + card.unit
            self.put_back = (bits, counts, self.put_back[2] + 3)
        self._know(seat, rest)
        self.awaiting = tuple(other for other in self.awaiting if other != seat)
        if not self.awaiting:
            self.phase = "play"
        return Accepted((Declared(seat, "discard", tokens),))

    def _named_cards_out(self, event: Event, seat: int) -> Refusal | None:
        counts = self._counts_without(seat)
        for place, token in enumerate(event.args):
            card = self.cards[token]
            if card.bit and token in event.args[:place]:
                continue  # a repeated card is a bad hand
            counts += card.unit
            if self.is_out(token, seat) or counts >> card.shift & 7 > 4:
                return self.refuse("duplicate-card", event, card=token)
        return None

    def _hand_without(self, hand: tuple[str, ...], tokens: tuple[str, ...]) -> tuple[str, ...] | None:
        """The hand after these cards were put back, None where one of them cannot have been in it."""
        for place, token in enumerate(tokens):
            if self.cards[token].bit and token in tokens[:place]:
                continue
            rest = self._without(hand, token)
            if rest is None:
                return None
            hand = rest
        return hand

    # G-20, G-41: nobody truts in an automatic round

    def may_trut(self, event: Event) -> Refusal | None:
        fault = super().may_trut(event)
        if fault is None and self.d_off:
            return self.refuse("trut-d-off", event)
        return fault

    # G-43, G-48: what the winner's trut costs

    def clears(self) -> str:
        """G-43: the winners lose their own points (option ``long-clears``). G-48: after a song both do."""
        return "both" if self.sung else super().clears()

    # G-50 to G-53: tout pâté

    def round_decided(self, winner: str | None) -> list[Outcome]:
        """G-50: an automatic round all rotten is not void: the dealer deals again from the talon."""
        if winner is not None or not self.d_off:
            return super().round_decided(winner)
        if not self._talon_suffices() and self.options["pate-exhausted"] == "null":
            return self.finish_round(None, NOTHING, "void")  # G-53
        self.phase = "redeal"
        self.turn = None
        return [DeclarationDue("redeal", ())]

    def _talon_suffices(self) -> bool:
        """G-51: three cards for each player."""
        return self.talon >= 3 * self.seats and not self.gathered

    def on_redeal(self, event: Event) -> Answer:
        """G-50: new cards, played "à sec": nobody holds, sings or discards again."""
        if self.phase == "play":
            return self.refuse("no-challenge", event)
        if self.phase != "redeal":
            return self.pending(event)
        if event.seat is not None and event.seat != self.dealer:
            return self.refuse("wrong-dealer", event, expected=self.dealer)
        bits, counts, number = self.put_back
        if self._talon_suffices():
            self.talon -= 3 * self.seats
            self.out &= ~bits  # the cards put back after a song may come again, those laid stay out
            self.counts -= counts
            self.laid -= number
        else:
            self.gathered = True  # G-53 ``reshuffle``
            self.out = 0
            self.counts = 0
            self.laid = 0
        self.put_back = (0, 0, 0)
        self.earlier += self.tricks
        self.tricks = ()
        self.hands = self.unknown
        if self.options["pate-lead"] == "first":  # G-52
            self.leader = self.first_leader()
        self.turn = self.leader
        self.phase = "play"
        return Accepted((RoundDealt(self.ended + 1, self.dealer, self.leader),))

    # What may be said now

    def calls(self) -> list[Event]:
        if self.phase == "hold":
            return [said("hold", self.awaiting[0]), said("refuse", self.awaiting[0])]
        if self.phase == "sing":
            return [said("sing", self.awaiting[0]), said("silent", self.awaiting[0])]
        if self.phase == "discard":
            return [said("discard", seat) for seat in self.awaiting]
        if self.phase == "redeal":
            return [said("redeal")]
        return super().calls()
