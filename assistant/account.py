"""The account of a game: what was seen, heard and told, what each of it came to, and what could come next.

One entry an observation, in the order in which things happened. The events of all entries together are the end of
the game's log. The account holds the game and alone applies events to it; it can suppose events without making
them, so that everything else may ask "what if".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from assistant.acts import Outcome
from assistant.weighing import has_suits, rank_of
from audio.events import Knock, Phrase
from engine import Accepted, Event, Game, Refusal, RoundEnded
from engine.cards import UNSEEN
from vision.events import CardLaid

REMEMBERED = 600
"""Entries kept for corrections: some thirty rounds. What is older is made from the game's log again (``reach``)."""
STILL_LYING = 10.0
"""Seconds after the end of a round within which its cards may still be seen for the first time, and after a card was
counted unseen."""
RECORD = "record"
"""Where an event comes from that is known only by the game's log."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """Events that follow from the rules and from what did *not* happen; offered like an observation."""

    t: float
    decided: float
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """An event that a person told (``assistant.orders``).

    Attributes:
        event: without a seat where it is the one whose turn it is.
        by: keyboard, page or voice; ``RECORD`` for what is known by the game's log only.
        track: the card that the eyes saw for it later, None where they saw none.
    """

    t: float
    decided: float
    event: Event
    by: str
    track: int | None = None


Offered = CardLaid | Knock | Phrase | Ruled | Told
"""What can come to events of the game."""


@dataclass(slots=True, eq=False)
class Entry:
    """One observation and what became of it.

    Attributes:
        events: those that the rules accepted because of it (a card may bring its deal with it).
        outcomes: what came of them.
        refused: the code, if the last one was refused.
        seat: who did it.
        p: how sure that is.
        withdrawn: the players took it back; it is not offered again.
        hands: the seats whose hands may have knocked, the likeliest first: the eyes forget them before long.
        asked: when the players were asked which card it is, None if they were not.
        waits: a card that counts as soon as an earlier one is known (``assistant.unseen``).
    """

    seen: Offered
    events: list[Event] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    refused: str | None = None
    seat: int | None = None
    p: float = 0.0
    withdrawn: bool = False
    waits: bool = False
    hands: tuple[int, ...] = ()
    asked: float | None = None

    @property
    def track(self) -> int | None:
        """The card on the table that it is about."""
        return self.seen.track if isinstance(self.seen, CardLaid | Told) else None

    @property
    def card(self) -> str | None:
        """The card that it played."""
        return next((event.args[0] for event in self.events if event.verb == "play"), None)


@dataclass(frozen=True, slots=True)
class Past:
    """The account as it was at one time: the log of the game, the entries, and what came to nothing."""

    log: tuple[Event, ...]
    entries: tuple[Entry, ...]
    unheeded: tuple[Entry, ...]


class Account:
    """See the module.

    Attributes:
        game: only read elsewhere.
        entries: the newest last.
        unheeded: what was seen and heard in earnest and could not count as things stood, in order of time. A
            correction may show that it should have.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.entries: list[Entry] = []
        self.unheeded: list[Entry] = []
        self.reach(max(0, len(game.log) - REMEMBERED))

    def enter(self, seen: Offered) -> Entry:
        """A new entry, of which nothing has come yet."""
        entry = Entry(seen)
        self.entries.append(entry)
        del self.entries[:-REMEMBERED]
        return entry

    def apply(self, event: Event, entry: Entry | None) -> Accepted | Refusal:
        """Offer an event to the rules and note in the entry what came of it."""
        answer = self.game.apply(event)
        if entry is not None and isinstance(answer, Refusal):
            entry.refused = answer.code
        elif entry is not None and isinstance(answer, Accepted):
            entry.events.append(event)
            entry.outcomes += answer.outcomes
        return answer

    def keep(self, seen: Offered, hands: tuple[int, ...] = ()) -> None:
        """Remember what cannot count as things stand."""
        self.unheeded.append(Entry(seen, hands=hands))
        self.unheeded.sort(key=lambda entry: entry.seen.t)
        del self.unheeded[:-REMEMBERED]

    def forget(self, entry: Entry) -> None:
        """What came to nothing is offered again."""
        self.unheeded = [kept for kept in self.unheeded if kept is not entry]

    def release(self, entry: Entry) -> None:
        """The observation of an entry is offered anew; what it has brought already (a deal) stays."""
        if entry.events:
            entry.withdrawn = True
        else:
            self.entries.remove(entry)

    def settled_at(self) -> float:
        """When the last round that still counts ended, minus infinity where none has."""
        for entry in reversed(self.entries):
            if entry.events and any(isinstance(outcome, RoundEnded) for outcome in entry.outcomes):
                return entry.seen.t
        return -math.inf

    def cut(self, index: int) -> list[Entry]:
        """Remove the entries from ``index`` on (their events must be undone)."""
        removed = self.entries[index:]
        del self.entries[index:]
        return removed

    def still_offered(self, index: int) -> list[Offered]:
        """What the entries from ``index`` on were made of, without what the players took back, and what came
        to nothing between them."""
        offered: list[Offered] = []
        unheeded = self._unheeded_since(index)
        for entry in self.entries[index:]:
            while unheeded and unheeded[0].seen.t < entry.seen.t:
                offered.append(unheeded.pop(0).seen)
            if not entry.withdrawn:
                offered.append(entry.seen)
        return offered + [entry.seen for entry in unheeded]

    def _unheeded_since(self, index: int) -> list[Entry]:
        """What came to nothing after the entry before ``index``."""
        since = self.entries[index - 1].seen.t if 0 < index <= len(self.entries) else -math.inf
        return [entry for entry in self.unheeded if entry.seen.t > since]

    def reach(self, at: int) -> tuple[int, int]:
        """The index of the entry that brought ``game.log[at]``, and the place of the event in it. Where it is
        forgotten, the entries from there on are made from the log again."""
        log = self.game.log
        older = len(log) - sum(len(entry.events) for entry in self.entries)
        if at < older:
            self.entries[:0] = [
                Entry(Told(0.0, 0.0, event, RECORD), [event], seat=event.seat, p=1.0) for event in log[at:older]
            ]
            return 0, 0
        for index, entry in enumerate(self.entries):
            if at < older + len(entry.events):
                return index, at - older
            older += len(entry.events)
        return len(self.entries), 0

    def take_back(self, count: int) -> list[Entry]:
        """Remove the last ``count`` events from the entries that brought them (they must be undone); these
        entries, the newest first."""
        changed = []
        for entry in reversed(self.entries):
            if not count:
                break
            if entry.events:
                kept = max(0, len(entry.events) - count)
                count -= len(entry.events) - kept
                del entry.events[kept:]
                changed.append(entry)
                entry.outcomes.clear()
        return changed

    def index_of(self, seen: Offered) -> int | None:
        """Where the entry of this very observation stands."""
        return next((i for i, entry in enumerate(self.entries) if entry.seen is seen), None)

    def latest(self) -> Iterator[tuple[int, Entry, Event]]:
        """The events that are remembered, the newest first, each with its index in the log and its entry."""
        at = len(self.game.log)
        for entry in reversed(self.entries):
            for event in reversed(entry.events):
                at -= 1
                yield at, entry, event

    # -- the past --------------------------------------------------------------------------------------------

    def past(self) -> Past:
        """How it is now, to return to."""
        return Past(self.game.log, tuple(map(_copy, self.entries)), tuple(map(_copy, self.unheeded)))

    def return_to(self, past: Past) -> None:
        """The entries are those of ``past`` (whose events must be brought back)."""
        self.entries = list(map(_copy, past.entries))
        self.unheeded = list(map(_copy, past.unheeded))

    # -- what if ---------------------------------------------------------------------------------------------

    @contextmanager
    def back_to(self, at: int) -> Iterator[None]:
        """The game as it was before ``game.log[at]``."""
        later = self.game.log[at:]
        self.game.undo(len(later))
        try:
            yield
        finally:
            for event in later:
                self.game.apply(event)

    @contextmanager
    def supposing(self, *events: Event) -> Iterator[Refusal | None]:
        """The game as it would be after these events; gives the first refusal, None if all are allowed.

        Not for ``undo``: what it takes back cannot be brought again.
        """
        assert all(event.verb != "undo" for event in events)
        refusal, count = None, 0
        for event in events:
            answer = self.game.apply(event)
            if isinstance(answer, Refusal):
                refusal = answer
                break
            count += 1
        try:
            yield refusal
        finally:
            if count:
                self.game.undo(count)

    def allows(self, event: Event) -> bool:
        """Whether the rules accept this now."""
        with self.supposing(event) as refusal:
            return refusal is None

    @contextmanager
    def dealt(self) -> Iterator[None]:
        """The game as it will be once the deal that is due has been made."""
        with self.supposing(*self.deal_due()):
            yield

    def deal_due(self) -> tuple[Event, ...]:
        """The deal, if one is due."""
        return (Event("deal"),) if self.game.phase == "deal" else ()

    def turn(self) -> int | None:
        """The seat that lays the next card; between rounds the one that will lead the next round."""
        redeal = (Event("redeal"),) if self.game.phase == "redeal" else ()
        with self.dealt(), self.supposing(*redeal):
            return self.game.turn

    def implied_by_card(self) -> list[Event]:
        """The unseen events that a card on the table proves: its deal, and words that were said but not
        heard."""
        implied: list[Event] = []
        while True:
            with self.supposing(*implied):
                phase, awaiting = self.game.phase, self.game.awaiting
            seat = awaiting[0] if awaiting else None
            match phase:
                case "deal":
                    event = Event("deal")
                case "redeal":
                    event = Event("redeal")
                case "discard":
                    event = Event("discard", seat)
                case "hold":
                    event = Event("hold", seat)
                case "sing":
                    event = Event("silent", seat)
                case _:
                    return implied
            with self.supposing(*implied, event) as refusal:
                if refusal is not None:
                    return implied
            implied.append(event)

    # -- who and what may ------------------------------------------------------------------------------------

    def who_may(self, verb: str, args: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Seats that may say this now (or could if the deal that is due were made), in the order of play from
        the one whose turn it is; where an order of answers is prescribed, the one that speaks next first."""
        with self.dealt():
            game = self.game
            first = game.turn or 1
            seats = [(first - 1 + i) % game.seats + 1 for i in range(game.seats)]
            legal = frozenset(game.legal())
            may = tuple(s for s in seats if Event(verb, s, args) in legal)
            if game.awaiting and game.awaiting[0] in may:
                return tuple(s for s in game.awaiting if s in may)
            return may

    def verbs(self) -> frozenset[str]:
        """What anybody may say now, or could if the deal that is due were made."""
        with self.dealt():
            said = {event.verb for event in self.game.legal()}
        return frozenset(said - {"play", "deal", "cut", "hand", "discard"})

    def last_card(self) -> float:
        """When the card was laid that counted last; minus infinity before the first."""
        laid = (e.seen.t for e in reversed(self.entries) if isinstance(e.seen, CardLaid) and e.card is not None)
        return next(laid, -math.inf)

    def out(self) -> list[str]:
        """The cards laid since the last deal, between rounds none."""
        return [] if self.game.phase == "deal" else self.last_laid()

    def last_laid(self) -> list[str]:
        """The cards of the running round, between rounds those of the last one."""
        out: list[str] = []
        for entry in reversed(self.entries):
            for event in reversed(entry.events):
                if event.verb == "deal":
                    return out
                if event.verb == "play":
                    out.append(event.args[0])
        return out

    def told_before(self, laid: CardLaid) -> Entry | None:
        """The play of the running round that this card is, if it was told, or is known by the record only, and
        no card was seen for it yet. Once the round is over, only if that was just now, and in the last trick: the
        others are taken up, and may be dealt again."""
        if laid.card is None:
            return None
        over = self.game.phase in ("deal", "over")
        places = [seat for seat in (laid.zone, laid.hand) if seat is not None]
        played = 0
        for entry in reversed(self.entries):
            told, card = entry.seen, entry.card
            played += card is not None
            if over and played > self.game.seats:
                return None
            free = isinstance(told, Told) and told.track in (None, laid.track)
            if isinstance(told, Told) and free and card is not None and not entry.withdrawn:
                same = card == laid.card or (card.endswith(UNSEEN) and rank_of(card) == rank_of(laid.card))
                late = (over or told.by == "rules") and laid.t - told.t > STILL_LYING
                only_one = self.game.table.PACK.copies == 1 and not card.endswith(UNSEEN)
                if same and not late and (only_one or not places or entry.seat in places):
                    return entry
            if any(event.verb == "deal" for event in entry.events):
                return None
        return None

    def seen_now(self, entry: Entry, laid: CardLaid) -> None:
        """The eyes see the card of a play that was told."""
        assert isinstance(entry.seen, Told)
        entry.seen = replace(entry.seen, track=laid.track)
        if entry.seen.by == "rules":  # that was only thought of; a correction may show that this is another card
            self.keep(laid)

    def possible(self) -> Callable[[str], bool]:
        """Whether a card can be laid now: it is in the pack and not yet out in this round."""
        pack, out = self.game.table.PACK, self.out()

        def possible(card: str) -> bool:
            if pack.get(card) is None:
                return False
            if not has_suits(card):
                return out.count(card) < pack.copies
            if card.endswith("?"):
                return sum(rank_of(c) == rank_of(card) for c in out) < len(pack.suits)
            return card not in out

        return possible


def _copy(entry: Entry) -> Entry:
    """The same observation with the same effects, which may change by themselves."""
    return replace(entry, events=list(entry.events), outcomes=list(entry.outcomes))
