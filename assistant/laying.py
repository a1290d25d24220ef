"""Laying: cards that are laid, looked at again, pushed, taken: who laid them, which they are, when they count."""

from __future__ import annotations

import dataclasses

from assistant.account import Offered, Told
from assistant.acts import Act, Notice, Question
from assistant.following import Unread
from assistant.gaps import Gaps
from assistant.second_thoughts import DEALING, misread_card
from assistant.tabletop import TableCard
from assistant.weighing import SURE_RANK, Reading, rank_of, weigh_card
from assistant.whose import Layer, who_laid
from engine import Event
from engine.cards import UNSEEN
from vision.events import CardLaid, CardMoved, CardReread, CardsTaken

MISSED_SILENTLY = frozenset({"declare-pending", "discard-pending", "redeal-due", "challenge-pending", "out-of-turn"})
"""Refusals after which a card that stays on the table is offered again when its turn has come."""
SECOND_LOOK = 1.0
"""Seconds that a card read badly is given to be read better."""
LEFT_LYING = 1.0
"""Seconds after its turn came during which a card laid too early may still be taken back."""
OUT_OF_ORDER = 0.8
"""Seconds that a card out of turn waits for one laid before it and known only later."""
AT_ONCE = 0.3
"""Seconds within which two cards are laid at once: then the turn orders them."""
GHOST = 1.2
"""Seconds that a card which no hand laid waits for one that a hand lays in its stead."""
FRESH_ROUND = 3.0
"""Seconds after the end of a round before which its own cards, still lying, make every new card one that is
only shown."""


class Laying(Gaps):
    """The layer of the cards on the table."""

    # -- a card is laid ----------------------------------------------------------------------------------------------

    def _card(self, laid: CardLaid, decided: float, *, again: bool = False) -> list[Act]:
        """A card was laid."""
        told = None if again else self._account.told_before(laid)
        if told is not None:
            self._account.seen_now(told, laid)
            self._table.lay(laid).played = True
            return []
        if laid.t <= 0:  # it lay there before the first picture
            self._table.lay(laid).waits = self._in_flight(laid)
            return []
        # Between two tricks a card in the place of one just gathered is the next lead, whoever leads.
        unlikely = bool(self.game.trick) and self._account.turn() not in (laid.zone, laid.hand)
        ghost = None if again else self._table.same_as(laid, self._account.possible(), unlikely=unlikely)
        if ghost is not None:
            self._table.found_again(laid, ghost)
            if laid.card is not None and ghost.played:
                seen = CardReread(laid.t, decided, ghost.laid.track, laid.card, laid.confidence, laid.guesses)
                return self._reread(seen, decided)
            return []
        lying = self._table.lay(laid)
        if self.game.phase == "over" or (not again and self._only_shown(laid)):
            self._account.keep(laid)
            return []
        if self._unseen.gap is not None:
            return self._behind_the_unseen(laid, decided)
        if not again and self._ghosts.may_be(laid):
            if laid.zone not in (None, self._account.turn()):
                return []  # neither a hand nor the turn speaks for it
            self._unread = Unread(laid, laid.decided + GHOST)
            return []
        reading = self._read(laid)
        if not again and (reading.card is None or reading.p < SURE_RANK):
            self._unread = Unread(laid, laid.decided + SECOND_LOOK)
            return []
        if not again and self._layer(laid).seat != self._account.turn():
            self._unread = Unread(laid, laid.decided + OUT_OF_ORDER)
            return []
        return self._play(lying, reading, decided, again=again)

    def _play(self, lying: TableCard, reading: Reading, decided: float, *, again: bool = False) -> list[Act]:
        """Offer a card to the rules: who laid it, which one it is, what it implies."""
        laid = lying.laid
        if self._unseen.gap is not None:
            return self._behind_the_unseen(laid, decided)
        entry = self._account.enter(laid)
        acts: list[Act] = []
        layer = self._layer(laid)
        turn = self._account.turn()
        if reading.card is None:
            seat = layer.seat if layer.seat is not None else turn
            if seat != turn or seat is None or self._unseen.open(seat, laid.t, decided, entry):
                acts.append(Question(laid.t, decided, "which-card", {"seat": seat}))
            self._corrections.ask(laid, decided)
            lying.waits = seat != turn
            return acts
        if layer.seat is None:
            return acts
        play = Event("play", layer.seat, (reading.card,))
        if layer.seat != turn and turn is not None and self._laid_unseen(turn, layer.seat, laid):
            return self._wait_for(turn, entry, decided)
        thought = None if again else misread_card(self._account, play, laid.t)
        if thought is not None:
            self._account.entries.remove(entry)
            return self._correct(*thought, decided, then=laid)
        for event in self._account.implied_by_card():
            acts += self._apply(event, laid.t, decided, "rules", None, entry)
        entry.seat, entry.p = layer.seat, reading.p
        by = "camera" if layer.clear else "rules"
        acts += self._apply(play, laid.t, decided, by, min(laid.confidence, reading.p), entry)
        if entry.refused is None:
            lying.played, lying.waits = True, False
            doubt = self._doubt(reading, layer)
            if doubt is not None:
                fields = {"seat": layer.seat, "card": reading.twin or reading.card}
                acts.append(Question(laid.t, decided, doubt, fields))
                if doubt != "whose-card":
                    self._corrections.ask(laid, decided)
        else:
            lying.waits = entry.refused in MISSED_SILENTLY
            acts += self._unheard_answer(decided)
        return acts

    def _doubt(self, reading: Reading, layer: Layer) -> str | None:
        """The question that a played card leaves open."""
        if reading.twin is not None:
            return "twice"
        if reading.p < SURE_RANK or self._suit_matters(reading.card or ""):
            return "which-card"
        return None if layer.clear else "whose-card"

    def _layer(self, laid: CardLaid) -> Layer:
        over = () if laid.hand is not None else self._ghosts.over(laid)
        return who_laid(self._account.turn(), laid.zone, laid.hand, seats=self.game.seats, over=over)

    def _read(self, laid: CardLaid) -> Reading:
        return weigh_card(laid.card, laid.confidence, laid.guesses, self._account.possible(), self._worth)

    def _worth(self, card: str) -> object:
        """What decides tricks: how strong a card is; its name, if it is none of this pack."""
        return self.game.strength(card) if self.game.table.PACK.get(card) is not None else rank_of(card)

    def _suit_matters(self, card: str) -> bool:
        """Whether cards of this rank, whose suit is open, differ in strength."""
        if not card.endswith(UNSEEN):
            return False
        return len({self._worth(rank_of(card) + suit) for suit in self.game.table.PACK.suits}) > 1

    def _only_shown(self, laid: CardLaid) -> bool:
        """A card turned up between rounds opens no new round before anybody can have gathered and dealt (hands are
        thrown in face up), nor, unless its player leads, beside the cards of the settled round."""
        if self.game.phase != "deal":
            return False
        leads = self._account.turn() in (laid.zone, laid.hand)
        if laid.t - self._account.last_card() < DEALING:
            return True
        if not any(card.played for card in self._table):
            return not leads and self._too_soon(laid.t, DEALING)
        return not leads or self._too_soon(laid.t, FRESH_ROUND)

    # -- a second look -----------------------------------------------------------------------------------------------

    def _second_look(self, clock: float) -> list[Act]:
        """A badly read card has had its time, or the game goes on: take it for what it looks like, or ask."""
        if self._unread is None:
            return []
        laid = self._unread.laid
        follows = any(
            isinstance(o, CardLaid)
            and o.t > laid.t
            and clock >= max(o.decided, o.t + self._hold)
            and not self._ordered_by_turn(o, laid)
            for o in self._queue
        )
        if clock < self._unread.until and not follows:
            return []
        decided = min(clock, max(self._unread.until, laid.decided))
        self._unread = None
        lying = self._table.get(laid.track)
        if lying is None or lying.played:
            return []
        if self._ghosts.may_be(laid):
            return self._without_a_hand(lying, decided)
        return self._play(lying, self._read(lying.laid), decided)

    def _without_a_hand(self, lying: TableCard, decided: float) -> list[Act]:
        """No hand laid this card: if it is gone again or a hand has laid another one there, it was none; else it
        counts, and the players are asked."""
        laid = lying.laid
        turn = self._account.turn()
        if lying.gone is not None or any(o.hand == turn for o in self._cards_waiting() if o.t > laid.t):
            return []
        acts = self._play(lying, self._read(laid), decided)
        asked = any(isinstance(act, Question) for act in acts)
        if not lying.played or asked:
            return acts
        fields = {"seat": turn, "card": self._account.entries[-1].card}
        return [*acts, Question(laid.t, decided, "whose-card", fields)]

    def _may_pass_unread(self) -> bool:
        """While a card is looked at again only news about it may overtake it."""
        head = min(self._queue, key=lambda o: o.t, default=None)
        assert self._unread is not None
        laid = self._unread.laid
        if isinstance(head, CardLaid):
            return head.t < laid.t or self._ordered_by_turn(head, laid)
        return isinstance(head, CardReread | CardMoved) or (
            isinstance(head, CardsTaken) and laid.track not in head.tracks
        )

    def _ordered_by_turn(self, second: CardLaid, first: CardLaid) -> bool:
        """Whether of two cards laid at once the second is the one whose turn it is."""
        turn = self._account.turn()
        if second.t - first.t > AT_ONCE or turn in (first.zone, first.hand):
            return False
        return turn in (second.zone, second.hand)

    def _reread(self, seen: CardReread, decided: float) -> list[Act]:
        """A card is read otherwise than before."""
        lying = self._table.get(seen.track)
        if lying is None or seen.card is None:
            return []
        better = dataclasses.replace(lying.laid, card=seen.card, confidence=seen.confidence, guesses=seen.guesses)
        if self._unread is not None and self._unread.laid.track == lying.laid.track:
            lying.laid = better
            reading = self._read(better)
            if reading.card is not None and reading.p >= SURE_RANK:
                self._unread = None
                return self._play(lying, reading, decided)
            self._unread.laid = better
            return []
        index = self._account.index_of(lying.laid)
        if index is None:
            return []
        entry = self._account.entries[index]
        if entry.waits:
            entry.seen = lying.laid = better
            return []
        same = entry.card is not None and rank_of(entry.card) == rank_of(seen.card)
        if entry.withdrawn or same or seen.confidence < max(SURE_RANK, entry.p):
            return []
        return self._correct(index, better, decided)

    def _correct(
        self, index: int, better: CardLaid | Told, decided: float, *, by: str = "camera", then: CardLaid | None = None
    ) -> list[Act]:
        """Take back a card that was misread, play it as what it is, offer all that followed again, and
        ``then``."""
        entry = self._account.entries[index]
        lying = self._table.get(better.track) if isinstance(better, CardLaid) else None
        if lying is not None and isinstance(better, CardLaid):
            lying.laid = better
        items: list[Offered] = [better, *self._account.still_offered(index + 1)]
        if entry.card is None:  # it was only asked about
            acts = self._replay(index, items, decided, by)
        else:
            card = better.card if isinstance(better, CardLaid) else better.event.args[0]
            what = {"seat": entry.seat, "card": card, "event": Event("play", entry.seat, (card or "?",))}
            acts = self._amending.recount(index, items, Notice(better.t, decided, "corrected", what), by)
        return acts if then is None else [*acts, *self._handle(then, decided, again=True)]

    # -- taken, or left lying ----------------------------------------------------------------------------------------

    def _take(self, seen: CardsTaken) -> None:
        taken = self._table.take(seen)
        open_cards = [card for _, card in self.game.trick]
        for card in taken:
            index = self._account.index_of(card.laid)
            played = None if index is None else self._account.entries[index].card
            if self.game.phase == "answer" and played in open_cards:
                self._swept_at = seen.t
            if index is not None and len(seen.tracks) == 1 and any(c.laid.t > 0 for c in self._table):
                self._unseen.taken_back(self._account.entries[index])  # not the trick: others still lie there
        if self._unread is not None and self._unread.laid.track in seen.tracks:
            self._unread.until = min(self._unread.until, seen.decided)

    def _in_flight(self, laid: CardLaid) -> bool:
        """Whether a card that lies there when the eyes open was laid while nobody looked: the game had begun, and
        nobody has counted it yet."""
        known = laid.card is None or laid.card in self._account.last_laid()
        return bool(self.game.log) and not known and self._read(laid).p >= SURE_RANK

    def _place(self, laid: CardLaid) -> int | None:
        """The seat that a waiting card is for; of one that nobody saw laid only its place tells."""
        return laid.zone if laid.t <= 0 else self._layer(laid).seat

    def _lead_in_flight(self) -> list[Act]:
        """The first card of a round may be in flight too, once nothing of the round before lies there."""
        if self.game.phase != "deal" or any(card.played for card in self._table):
            return []
        leader = self._account.turn()
        lying = next((c for c in self._table if c.waits and c.laid.t <= 0 and c.laid.zone == leader), None)
        return [] if lying is None else self._play(lying, self._read(lying.laid), lying.laid.decided)

    def _offer_again(self, clock: float) -> list[Act]:
        """A card that was laid too early and still lies there when its turn has come is played."""
        acts = self._lead_in_flight()
        while self._unread is None and self._unseen.gap is None and self.game.phase == "play":
            due = self._turn_since + LEFT_LYING
            lying = next(
                (c for c in self._table if c.waits and clock >= due and self._place(c.laid) == self.game.turn),
                None,
            )
            if lying is None:
                break
            lying.waits = False
            reading = self._read(lying.laid)
            if reading.card is None:
                break
            lying.laid = dataclasses.replace(lying.laid, t=max(lying.laid.t, self._turn_since))
            acts += self._play(lying, reading, max(due, lying.laid.decided))
        return acts
