"""Gaps: what must have happened although nobody saw or heard it.

A card that was not seen (``assistant.unseen``), an answer that was not heard although the game went on after it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from assistant.account import Entry, Offered, Ruled, Told
from assistant.acts import Act, Notice, Question
from assistant.following import Following
from assistant.unseen import FOLLOWED, PATIENCE, Gap
from audio.events import Phrase
from engine import Event
from vision.events import CardLaid

SWEPT = 2.5
"""Seconds after which cards swept away under an open challenge mean that everybody folded."""


class Gaps(Following):
    """The layer of what nobody saw or heard; where it is not certain, it is asked or said aloud."""

    @abstractmethod
    def _ask_back(self, meaning: str, phrase: Phrase, decided: float) -> list[Act]:
        """Ask whether this was meant, unless another question waits."""

    # -- cards that nobody saw ---------------------------------------------------------------------------------------

    def _laid_unseen(self, turn: int, seat: int, laid: CardLaid) -> bool:
        """Whether ``seat`` lays after the card of ``turn``, that nobody saw, and not out of turn: the hand of ``turn``
        was there, or its trick has been gathered, or two cards follow each other in order."""
        if self.game.phase not in ("play", "deal") or not self._unseen.may_open(turn):
            return False
        latest = self._account.entries[-2:-1]
        in_a_row = any(e.refused == "out-of-turn" and (e.seat or 0) % self.game.seats + 1 == seat for e in latest)
        if self.game.phase == "deal":  # all hands are there to take up their cards
            return in_a_row
        return in_a_row or self._gathered_at() is not None or self._knocks.may_have_laid(turn, self._turn_since, laid.t)

    def _wait_for(self, seat: int, entry: Entry, decided: float) -> list[Act]:
        """The card of ``seat`` was laid unseen: ``entry`` waits for it, and the one before, if it was refused."""
        ask = self._unseen.open(seat, entry.seen.t, decided)
        index = self._account.entries.index(entry)
        before = self._account.entries[index - 1 : index]
        waiting = [e for e in before if e.refused == "out-of-turn" and isinstance(e.seen, CardLaid)]
        for each in (*waiting, entry):
            self._unseen.wait(each)
            assert isinstance(each.seen, CardLaid)
            card = self._table.get(each.seen.track)
            if card is not None:
                card.waits = False
        return [Question(entry.seen.t, decided, "which-card", {"seat": seat})] if ask else []

    def _behind_the_unseen(self, laid: CardLaid, decided: float) -> list[Act]:
        """A card is laid while an earlier one is missing: it is that one, or it waits."""
        if self._unseen.fills(laid):
            return self._seen_at_last(laid, decided)
        self._unseen.wait(self._account.enter(laid))
        return []

    def _seen_at_last(self, missing: Offered, decided: float) -> list[Act]:
        """The missing card is known: it is offered before all that waited for it."""
        gap = self._unseen.close()
        assert gap is not None
        entries = self._account.entries
        index = len(entries) if gap.first is None else entries.index(gap.first)
        return self._replay(index, [missing, *self._account.still_offered(index)], decided)

    def _past_the_unseen(self, clock: float) -> list[Act]:
        """What waited counts once somebody has told the missing card, or once the game has gone on without an
        answer: then the likeliest card that fits is counted, aloud."""
        gap = self._unseen.gap
        if gap is None:
            return []
        if self._unseen.over():
            self._unseen.close()
            return self._offer_waiting(gap.waiting, clock)
        if not self._unseen.moved_on():
            return []
        following = gap.waiting[self.game.seats - len(self.game.trick) - 1]
        due = gap.asked + PATIENCE if self._live else max(gap.asked, following.seen.decided + FOLLOWED)
        if clock < due:
            return []
        card = self._unseen.likeliest()
        self._unseen.search_no_more()
        if card is None:  # nothing explains what followed: the cards are taken for what they seem
            self._unseen.close()
            return self._offer_waiting(gap.waiting, due)
        question = Question(gap.since, due, "counted", {"seat": gap.seat, "card": card})
        play = Told(gap.since, due, Event("play", gap.seat, (card,)), "rules")
        return [question, *self._seen_at_last(play, due)]

    def _offer_waiting(self, waiting: Sequence[Entry], decided: float) -> list[Act]:
        """Offer the cards that waited, in their order, after all that is known."""
        acts: list[Act] = []
        for entry in waiting:
            if entry in self._account.entries and not entry.withdrawn:
                self._account.release(entry)
                acts += self._handle(entry.seen, max(decided, entry.seen.decided), again=True)
        return acts

    def _returned(self, decided: float) -> list[Act]:
        """The account is again what it was: the cards that waited, then or since, are offered as things stand now."""
        gap = self._unseen.close()
        since = {entry.track: entry.seen for entry in ([] if gap is None else gap.waiting)}
        waiting = [entry for entry in self._account.entries if entry.waits]
        for entry in waiting:
            entry.waits = False
            entry.seen = since.pop(entry.track, entry.seen)  # as it was read last
        acts = self._offer_waiting(waiting, decided)
        for seen in since.values():
            acts += self._handle(seen, max(decided, seen.decided), again=True)
        return acts

    def _gathered_at(self) -> float | None:
        """When the cards of the unfinished trick were gathered up, None while one of them lies there."""
        if self.game.phase != "play" or not self.game.trick:
            return None
        plays = [e for e in self._account.entries if e.card is not None and isinstance(e.seen, CardLaid)]
        cards = [self._table.get(e.seen.track) for e in plays[-len(self.game.trick) :] if isinstance(e.seen, CardLaid)]
        gone = [card.gone for card in cards if card is not None]
        return None if not gone or None in gone else max(t for t in gone if t is not None)

    def _gathered_unfinished(self, clock: float) -> list[Act]:
        """A trick was gathered up although a card is missing: it was laid, only nobody saw it."""
        t, turn = self._gathered_at(), self.game.turn
        if t is None or turn is None or clock < t + SWEPT or not self._unseen.may_open(turn):
            return []
        ask = self._unseen.open(turn, t, t + SWEPT)
        return [Question(t, t + SWEPT, "which-card", {"seat": turn})] if ask else []

    # -- words that nobody heard -------------------------------------------------------------------------------------

    def _unheard_answer(self, decided: float) -> list[Act]:
        """Two players in a row lay their card under an open challenge, or at fortial: the words that allow it
        were said, only nobody heard them."""
        if self._explaining or self.game.phase not in ("answer", "fortial"):
            return []  # one word at a time: what is offered again because of it supposes no other
        waiting = [c for c in self._table if c.waits]
        if len(waiting) < 2:
            return []
        words: list[Event] = []
        if self.game.phase == "fortial":
            words.append(Event("trut", self.game.awaiting[0]))
        with self._account.supposing(*words):
            seat = self.game.awaiting[0] if self.game.awaiting else None
        words.append(Event("accept", seat))
        plays = []
        for lying in sorted(waiting, key=lambda card: card.laid.t):
            place = lying.laid.zone if lying.laid.zone is not None else lying.laid.hand
            plays.append(Event("play", place, (self._read(lying.laid).card or "?",)))
        with self._account.supposing(*words, *plays) as refusal:
            if refusal is not None:
                return []
        first = min(c.laid.t for c in waiting)
        indices = [i for i in (self._account.index_of(c.laid) for c in waiting) if i is not None]
        index = min(indices, default=len(self._account.entries))
        again = self._account.still_offered(index)
        opened = [e for e in self._account.entries[index].events if e.verb == "deal"] if again else []
        items: list[Offered] = [Ruled(first, decided, (*opened, *words)), *again]
        question = Question(first, decided, "taken", {"seat": seat})
        self._explaining = True
        try:
            return [question, *self._replay(index, items, decided)]
        finally:
            self._explaining = False

    def _swept_away(self, clock: float) -> list[Act]:
        """The cards of an open challenge were gathered up: everybody folded, only nobody heard it."""
        if self._swept_at is None:
            return []
        if self.game.phase != "answer" or any(c.played for c in self._table):
            self._swept_at = None
            return []
        if clock < self._swept_at + SWEPT:
            return []
        t, self._swept_at = self._swept_at, None
        events: list[Event] = []
        while True:
            with self._account.supposing(*events):
                phase, awaiting = self.game.phase, self.game.awaiting
            if phase != "answer" or not awaiting:
                break
            legal = self._after(events)
            words = [Event(verb, awaiting[0]) for verb in ("refuse", "fold")]
            events.append(next((word for word in words if word in legal), words[-1]))
            with self._account.supposing(*events) as refusal:
                if refusal is not None:
                    return []
        question = Question(t, t + SWEPT, "folded", {"seat": events[0].seat})
        return [question, *self._handle(Ruled(t, t + SWEPT, tuple(events)), t + SWEPT)]

    def _unseen_named(self, gap: Gap, name: str, phrase: Phrase, decided: float, by: str) -> list[Act]:
        """The players say which card it was that nobody saw."""
        if phrase.doubtful:
            return self._ask_back(name, phrase, decided)
        if not self._account.possible()(name):
            return [Notice(phrase.t, decided, "card-out", {"card": name})]
        return self._seen_at_last(Told(gap.since, decided, Event("play", gap.seat, (name,)), by), decided)
