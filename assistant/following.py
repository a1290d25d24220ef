"""Following: what is seen and heard is offered to the rules in its order, taken back and offered again.

The lowest layer of the interpreter. What was understood is kept as entries, one an observation. When something earlier
becomes known only now, or a card is read otherwise, the entries from there on are taken back (``undo N``) and offered
again (NOTATION.md section 9).
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.account import Account, Entry, Offered, Ruled, Told
from assistant.acts import Act, Action
from assistant.amending import Amending
from assistant.answering import Answering
from assistant.asking import Asking, Reply
from assistant.correcting import Corrections
from assistant.ghosts import Ghosts
from assistant.holding import HoldingQueue
from assistant.knocking import Knocks
from assistant.obeying import BETWEEN_ROUNDS, Obeying
from assistant.second_thoughts import DEALING
from assistant.tabletop import TableCard, Tabletop
from assistant.unseen import Unseen
from assistant.weighing import Reading
from audio.events import Knock, Phrase
from engine import Event, Game, Refusal, RoundEnded
from vision.events import CardLaid

RECORDED = {
    "camera": frozenset(
        {"out-of-turn", "duplicate-card", "unknown-card", "not-in-hand", "challenge-pending", "false-claim"}
    ),
    "microphone": frozenset({"false-claim", "too-late", "flor-in-force"}),
}
"""Infractions that are announced and recorded, by where they come from (NOTATION.md section 9); all others
are dropped."""
LATE_ANSWERS = frozenset({"accept", "fold"})
"""Words that are late answers as long as the next round cannot have begun."""
LATE = 3.0
"""Seconds after the end of a round in which such a word is still about that round: people repeat what they said, or
finish saying it. In truc a hand may be thrown in before any card is laid, and without cards a deal takes no longer."""
GATHERING = 2.0
"""Seconds after the end of a round in which no call opens the next: the cards are gathered and dealt
first."""


@dataclass(slots=True)
class Unread:
    """A card that is not read well enough yet."""

    laid: CardLaid
    until: float


class Following(ABC):
    """The account and what all layers know; the layers above say what a card, a knock and a phrase come to.

    Attributes:
        game: the interpreter alone applies events to it.
    """

    game: Game
    _live: bool
    _hold: float
    _queue: HoldingQueue
    _account: Account
    _asking: Asking
    _corrections: Corrections
    _amending: Amending
    _answering: Answering
    _unseen: Unseen
    _orders: Obeying
    _table: Tabletop
    _knocks: Knocks
    _ghosts: Ghosts
    _unread: Unread | None
    _half_heard: list[Phrase]
    _swept_at: float | None
    _explaining: bool
    _heard_at: float
    _turn_since: float
    _settled_at: float
    _clock: float
    _paused: bool
    _seeing: bool

    # -- what the layers above say -------------------------------------------------------------------------------

    @abstractmethod
    def _card(self, laid: CardLaid, decided: float, *, again: bool = False) -> list[Act]:
        """A card was laid."""

    @abstractmethod
    def _play(self, lying: TableCard, reading: Reading, decided: float, *, again: bool = False) -> list[Act]:
        """Offer a card to the rules: who laid it, which one it is, what it implies."""

    @abstractmethod
    def _read(self, laid: CardLaid) -> Reading:
        """What a card is taken for, by what can be laid now."""

    @abstractmethod
    def _heard(self, seen: Knock | Phrase, decided: float) -> list[Act]:
        """A knock or a phrase; what cannot count now is kept, for a correction may show that it should have."""

    @abstractmethod
    def _confirm(self, decided: float) -> list[Act]:
        """What was asked about was meant: it counts from when it was said."""

    @abstractmethod
    def _thump_of(self, laid: CardLaid) -> int | None:
        """Where the knock stands that turns out to be this card's own thump."""

    @abstractmethod
    def _whose(self, phrase: Phrase, may: Sequence[int]) -> tuple[int | None, str]:
        """The seat of a call: that of the voice if it is known and may make it, else by the rules."""

    @abstractmethod
    def _infraction_by_word(self, phrase: Phrase, meanings: Sequence[str], decided: float) -> list[Act]:
        """A call that the rules forbid now, if it is of the kind that is recorded."""

    @abstractmethod
    def _in_pause(self, seen: Offered, decided: float) -> list[Act]:
        """While the game pauses only a few words to the assistant count; a card laid in its turn ends it."""

    # -- order -------------------------------------------------------------------------------------------------------

    def _cards_waiting(self) -> Iterator[CardLaid]:
        """The cards that are known and do not count yet."""
        yield from (o for o in self._queue if isinstance(o, CardLaid))
        if self._unread is not None:
            yield self._unread.laid

    def _cards_laid(self) -> Iterator[CardLaid]:
        """The cards laid lately, also those that are still held back or looked at again."""
        yield from self._cards_waiting()
        yield from (e.seen for e in self._account.entries[-6:] if isinstance(e.seen, CardLaid))

    def _in_order(self, seen: Offered, decided: float) -> list[Act]:
        """Handle what was seen, or, if later things have already been settled, take those back first."""
        if self._paused:
            return self._in_pause(seen, decided)
        account = self._account
        if isinstance(seen, CardLaid) and self._asking.seen(seen) is Reply.IMPLIED:
            return [*self._confirm(decided), *self._in_order(seen, decided)]
        thump = self._thump_of(seen) if isinstance(seen, CardLaid) else None
        if thump is not None:
            return self._replay(thump, [seen, *account.still_offered(thump + 1)], decided)
        for index, entry in enumerate(account.entries):
            if entry.seen.t > seen.t + 0.01 and (entry.events or entry.refused or entry.waits):
                return self._replay(index, [seen, *account.still_offered(index)], decided)
        return self._handle(seen, decided)

    def _replay(self, index: int, items: Sequence[Offered], decided: float, by: str = "camera") -> list[Act]:
        """Take back the entries from ``index`` on and offer ``items`` in their place. What comes out as before
        is not announced again. It is decided no sooner than the latest of what it is drawn from was known."""
        decided = max(decided, *(item.decided for item in items)) if items else decided
        before = {id(entry.seen): entry for entry in (*self._account.entries[index:], *self._account.unheeded)}
        old = self._account.cut(index)
        gap = self._unseen.gap
        if gap is not None and any(entry is gap.unread or entry.waits for entry in old):
            self._unseen.close()
        for entry in old:
            self._mark(entry, False)
        undo: list[Act] = []
        acts: list[Act] = []
        count = sum(len(entry.events) for entry in old)
        begin = len(self.game.log) - count
        if count:
            event = Event("undo") if count == 1 else Event("undo", args=(str(count),))
            undo = self._apply(event, items[0].t if items else decided, decided, by, None, None)
        for item in items:
            earlier = before.get(id(item))
            if earlier is None:
                acts += self._handle(item, decided, again=True)
                continue
            for act in self._again(earlier, decided, by):
                latest = self._account.entries[-1] if self._account.entries else None
                same = latest is not None and (earlier.outcomes, earlier.refused) == (latest.outcomes, latest.refused)
                acts.append(dataclasses.replace(act, quiet=same) if isinstance(act, Action) else act)
        if _stand_again([event for entry in old for event in entry.events], self.game.log[begin:]):
            undo = [dataclasses.replace(act, quiet=True) for act in undo if isinstance(act, Action)]
        return [*undo, *acts]

    def _replay_corrected(self, index: int, items: Sequence[Offered], decided: float, by: str) -> list[Act]:
        """The same after a correction: no card seems to be missing any more."""
        self._unseen.close()
        return self._replay(index, items, decided, by)

    def _again(self, old: Entry, decided: float, by: str) -> list[Act]:
        """Offer once more what was offered before, with all that is known of it since."""
        account, seen = self._account, old.seen
        account.forget(old)
        count = len(account.entries)
        if self.game.phase == "over" or (self.game.phase == "deal" and not self._opens_round(old)):
            account.keep(seen, old.hands)
            return []
        match seen:
            case CardLaid():
                acts = self._card_again(seen, decided)
            case Knock() | Phrase():
                acts = self._call_again(old, decided)
            case Told(by="rules", event=event) if not self._account.allows(event):
                return []  # it was only thought of, to explain what seemed to be
            case Told(by="record"):
                acts = self._handle(dataclasses.replace(seen, by=by), decided, again=True)
            case _:
                acts = self._handle(seen, decided, again=True)
        for entry in account.entries[count : count + 1]:
            entry.hands, entry.asked = old.hands, old.asked
        return acts

    def _opens_round(self, old: Entry) -> bool:
        """Whether something offered again between two rounds can be the first thing of a new one: it was so
        before, or there was time to deal."""
        seen, since = old.seen, old.seen.t - self._settled_at
        match seen:
            case Ruled():
                return True
            case Told() if seen.event.verb in BETWEEN_ROUNDS:
                return True
            case _ if any(event.verb == "deal" for event in old.events):
                return True
            case CardLaid():
                return since >= DEALING and self._account.turn() in (seen.zone, seen.hand)
            case Told():
                return since >= DEALING
        return since >= GATHERING

    def _card_again(self, laid: CardLaid, decided: float) -> list[Act]:
        """A card that was laid before; it may be gone by now."""
        recent = self._account.entries[-12:]
        if any(e.card and isinstance(e.seen, CardLaid) and e.seen.track == laid.track for e in recent):
            return []  # it lay too early then and counted when its turn had come; now it counts at once
        told = self._account.told_before(laid)
        if told is not None:
            self._account.seen_now(told, laid)
            return []
        lying = self._table.get(laid.track) or TableCard(laid, laid.quad, laid.zone, gone=laid.t)
        lying.laid = laid
        return self._play(lying, self._read(laid), decided, again=True)

    def _call_again(self, old: Entry, decided: float) -> list[Act]:
        """A call that was heard before. Whose it was is asked of the same hands and the same voice."""
        seen = old.seen
        assert isinstance(seen, Knock | Phrase)
        meanings = ("trut",) if isinstance(seen, Knock) else tuple(dict.fromkeys((seen.phrase, *seen.means)))
        for meaning in meanings:
            verb, *args = meaning.split(" ")
            may = self._account.who_may(verb, tuple(args))
            if not may or (self.game.phase == "deal" and verb in LATE_ANSWERS):
                continue
            seat, by = self._seat_again(old, may)
            if seat is not None:
                return self._call(seen, Event(verb, seat, tuple(args)), decided, by, old.p or seen.confidence)
        acts = self._infraction_by_word(seen, meanings, decided) if isinstance(seen, Phrase) else []
        if not acts:
            self._account.keep(seen, old.hands)
        return acts

    def _seat_again(self, old: Entry, may: tuple[int, ...]) -> tuple[int | None, str]:
        seen = old.seen
        if old.hands:
            return next((seat for seat in old.hands if seat in may), None), "microphone"
        if isinstance(seen, Phrase):
            seat, by = self._whose(seen, may)
            if seat is not None and seat not in may:
                return None, by
        else:
            seat, by = self._by_rules(may)
        return (old.seat, by) if seat is None and old.seat in may else (seat, by)

    def _handle(self, seen: Offered, decided: float, *, again: bool = False) -> list[Act]:
        match seen:
            case CardLaid():
                return self._card(seen, decided, again=again)
            case Knock() | Phrase():
                return self._heard(seen, decided)
            case Told():
                return self._orders.tell(seen, decided)
            case Ruled():
                entry = self._account.enter(seen)
                return [
                    act for event in seen.events for act in self._apply(event, seen.t, decided, "rules", None, entry)
                ]

    def _after(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """What would be legal after these events."""
        with self._account.supposing(*events):
            return self.game.legal()

    # -- whose and when ----------------------------------------------------------------------------------------------

    def _not_dealt(self, t: float) -> bool:
        """Between rounds, too soon or with the last cards still there: nobody calls before they are gathered
        and dealt."""
        lying = self.game.phase == "deal" and any(card.played for card in self._table)
        return lying or self._too_soon(t, GATHERING)

    def _too_soon(self, t: float, seconds: float) -> bool:
        """Between rounds, within so many seconds of the end of the last one."""
        return self.game.phase == "deal" and t - self._settled_at < seconds

    def _by_rules(self, may: Sequence[int]) -> tuple[int | None, str]:
        """The seat of an unknown voice or hand: whose turn it is, else the only one that may, else the first
        in the order of play (from files) or nobody (live: the players are asked)."""
        with self._account.dealt():
            awaiting, turn = self.game.awaiting, self.game.turn
        if awaiting and awaiting[0] in may:
            return awaiting[0], "microphone"
        if turn in may:
            return turn, "microphone"
        if len(may) == 1:
            return may[0], "microphone"
        return (None, "microphone") if self._live else (may[0], "rules")

    def _call(self, seen: Knock | Phrase, event: Event, decided: float, by: str, p: float) -> list[Act]:
        """Offer a call, with the deal that it implies."""
        entry = self._account.enter(seen)
        acts: list[Act] = []
        for deal in self._account.deal_due():
            acts += self._apply(deal, seen.t, decided, "rules", None, entry)
        entry.seat, entry.p = event.seat, p
        return [*acts, *self._apply(event, seen.t, decided, by, p, entry)]

    def _mark(self, entry: Entry, played: bool) -> None:
        """The card of an entry lies there as one that counts, or as one that does not."""
        card = None if entry.track is None else self._table.get(entry.track)
        if card is not None:
            card.played, card.waits = played, False

    def _apply(
        self, event: Event, t: float, decided: float, by: str, p: float | None, entry: Entry | None
    ) -> list[Act]:
        """Offer one event to the rules and say what came of it."""
        game, before = self.game, self.game.turn
        answer = self._account.apply(event, entry)
        refused = answer.code if isinstance(answer, Refusal) else None
        if isinstance(answer, Refusal):
            if refused not in RECORDED["camera" if event.verb == "play" else "microphone"]:
                return []
            outcomes: tuple[object, ...] = (answer,)
        else:
            outcomes = answer.outcomes
            if game.turn != before or event.verb in ("play", "accept"):
                self._turn_since = t
            if event.verb == "undo":
                self._settled_at = self._account.settled_at()
            else:
                self._amending.happened()
            if any(isinstance(outcome, RoundEnded) for outcome in outcomes):
                self._settled_at = t
        return [Action(t, max(decided, t), event, by, p, refused, outcomes, turn=game.turn, awaiting=game.awaiting)]


def _stand_again(before: Sequence[Event], now: Sequence[Event]) -> bool:
    """Whether all these events stand there again in their order: nothing was taken back, only put in order."""
    later = iter(now)
    return all(any(event == other for other in later) for event in before)
