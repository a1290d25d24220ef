"""A card that somebody must have laid and nobody saw, or that stays unread: all later cards wait for it.

If the next seats lay their cards although one is missing, that one was laid unseen, or they are out of turn. Its hand
tells which: it was over the table for nothing else, or two cards follow each other in order. The players are asked
once ("Quelle carte a jouée Marie ?"); as soon as the card is known, all that waited counts, in its order. If nobody
answers and the game goes on, what follows tells what the card can have been: who leads won the trick, and a card more
or a new deal tell whether the round went on. The likeliest card that fits is then counted by the rules, aloud.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assistant.account import Account, Entry
from assistant.second_thoughts import DEALING
from assistant.weighing import rank_of
from engine import Event
from engine.cards import UNSEEN
from vision.events import CardLaid

MOST_UNSEEN = 2
"""Cards unseen at the same time that are searched for."""
SELDOM = 0.02
"""Chance of a second card unseen behind the first, against one only."""
FOLLOWED = 2.0
"""Seconds that a film goes on after the trick before what followed is asked what the card was."""
PATIENCE = 8.0
"""Seconds that the players are given to answer: two in which the question is said, six to answer."""


Happening = CardLaid | tuple[Event, ...]
"""What happened behind a gap: a card that waits, or calls."""


@dataclass(slots=True)
class Gap:
    """A card that is missing.

    Attributes:
        seat: whose card it is.
        since: when the first card after it was laid, or when the trick was gathered without it.
        asked: when the players were asked.
        unread: the entry of the card where it lies there unread, None where it was not seen at all.
        waiting: the entries of the cards that wait for it.
        rounds, tricks: how many were over; with another number the gap is none any more.
    """

    seat: int
    since: float
    asked: float
    rounds: int
    tricks: int
    unread: Entry | None = None
    waiting: list[Entry] = field(default_factory=list)

    @property
    def first(self) -> Entry | None:
        """The earliest entry that has to be offered again."""
        return self.unread if self.unread is not None else next(iter(self.waiting), None)


class Unseen:
    """See the module. One gap at a time: behind it, everything waits."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self.gap: Gap | None = None
        self._asked: set[tuple[int, int, int]] = set()
        self._given_up: set[tuple[int, int, int]] = set()

    def open(self, seat: int, since: float, decided: float, unread: Entry | None = None) -> bool:
        """From now on cards wait for that of ``seat``; whether the players are to be asked (once a card)."""
        self.gap = Gap(seat, since, decided, *self._place(), unread)
        new = (*self._place(), seat) not in self._asked
        self._asked.add((*self._place(), seat))
        return new

    def may_open(self, seat: int) -> bool:
        """Whether the card of ``seat`` has not been searched for in vain."""
        return self.gap is None and (*self._place(), seat) not in self._given_up

    def wait(self, entry: Entry) -> None:
        """A card that waits behind the gap."""
        assert self.gap is not None
        entry.waits = True
        self.gap.waiting.append(entry)

    def taken_back(self, entry: Entry) -> None:
        """A card that waited was taken back into the hand: it was laid too early and nothing was missed."""
        gap = self.gap
        if gap is None or entry not in gap.waiting:
            return
        entry.withdrawn, entry.waits = True, False
        gap.waiting.remove(entry)
        if gap.first is None:
            self.gap = None

    def close(self) -> Gap | None:
        """The gap is none any more; what waited must be offered again."""
        gap, self.gap = self.gap, None
        for entry in gap.waiting if gap is not None else ():
            entry.waits = False
        return gap

    def search_no_more(self) -> None:
        """Whatever comes now, this card is not searched for again."""
        if self.gap is not None:
            self._given_up.add((self.gap.rounds, self.gap.tricks, self.gap.seat))

    def over(self) -> bool:
        """Whether the game has gone past the gap: somebody told the card, or took something back."""
        gap = self.gap
        return gap is not None and (gap.rounds, gap.tricks, gap.seat) != (*self._place(), self._account.turn())

    def _place(self) -> tuple[int, int]:
        """The rounds that are over, and the tricks of the running one."""
        game = self._account.game
        return len(game.rounds), 0 if game.phase == "deal" else len(game.tricks)

    def fills(self, laid: CardLaid) -> bool:
        """Whether a new card is the missing one and not the next lead of the same seat."""
        gap = self.gap
        if gap is None or gap.unread is not None or gap.seat not in (laid.zone, laid.hand):
            return False
        if any(seat not in (None, gap.seat) for seat in (laid.zone, laid.hand)):
            return False
        game = self._account.game
        there = {seat for seat, _ in game.trick} | {who for entry in gap.waiting if (who := self.seat_of(entry))}
        return laid.t < gap.since or len(there) < game.seats - 1

    @staticmethod
    def seat_of(entry: Entry) -> int | None:
        """Who seems to have laid a card that waits."""
        assert isinstance(entry.seen, CardLaid)
        return entry.seen.zone if entry.seen.zone is not None else entry.seen.hand

    # -- what it must have been ------------------------------------------------------------------------------

    def moved_on(self) -> bool:
        """Whether the next trick or the next round has begun behind the gap, and nothing waits for an answer."""
        gap, game = self.gap, self._account.game
        if gap is None or game.phase not in ("play", "deal"):
            return False
        return len(gap.waiting) + len(game.trick) >= game.seats

    def likeliest(self) -> str | None:
        """The card that the missing one most likely was, by what followed; its suit open where there are suits.

        Of all ranks with which everything that waits is in turn, those with the same outcome add up, each by the
        number of its cards that are not out (or by the eyes' guesses, if it lies there unread).
        """
        gap = self.gap
        if gap is None:
            return None
        weights: dict[str, float] = defaultdict(float)
        best: dict[str, tuple[float, str]] = {}
        for first, weight, outcome in self._explanations(gap):
            weights[outcome] += weight
            best[outcome] = max(best.get(outcome, (0.0, "")), (weight, first))
        if not weights:
            return None
        likeliest = max(weights, key=lambda outcome: weights[outcome])
        return best[likeliest][1]

    def _explanations(self, gap: Gap) -> Iterator[tuple[str, float, str]]:
        """(card of the gap, weight, what the round then came to) for all that fits."""
        account = self._account
        place = len(account.entries) if gap.first is None else account.entries.index(gap.first)
        later = [entry for entry in account.entries[place:] if entry is not gap.unread]
        with account.back_to(len(account.game.log) - sum(len(entry.events) for entry in later)):
            happened = [happening for entry in later if (happening := _happening(entry)) is not None]
            cards = sum(isinstance(one, CardLaid) for one in happened)
            for events in self._fillings(happened, [], gap.since, MOST_UNSEEN):
                with account.supposing(*events):
                    game = account.game
                    came = str(([r.row()["winner"] for r in game.rounds[gap.rounds :]], game.tricks, game.score))
                played = [event.args[0] for event in events if event.verb == "play"]
                yield played[0], self._weight(gap, played[0]) * SELDOM ** (len(played) - cards - 1), came

    def _fillings(
        self, happened: Sequence[Happening], done: list[Event], t: float, unseen: int
    ) -> Iterator[list[Event]]:
        """All ways to put unseen cards before and between what happened so that everything is in turn.

        Args:
            done: the events so far; the first card among them is unseen.
            t: when the last card among them was laid.
            unseen: how many cards may still be put in.
        """
        account = self._account
        begun = any(event.verb == "play" for event in done)
        head = happened[0] if happened else None
        if begun and head is None:
            yield done
            return
        if begun and isinstance(head, tuple):
            with account.supposing(*done):
                calls = [*account.deal_due(), *head]
            with account.supposing(*done, *calls) as refusal:
                pass
            if refusal is None:
                yield from self._fillings(happened[1:], [*done, *calls], t, unseen)
            return
        with account.supposing(*done):
            implied = account.implied_by_card()
        if isinstance(head, CardLaid) and begun and any(e.verb == "deal" for e in implied) and head.t - t < DEALING:
            return
        done = [*done, *implied]
        with account.supposing(*done):
            turn = account.game.turn if account.game.phase == "play" else None
            ranks = self._ranks()
        if turn is None:
            return
        if begun and isinstance(head, CardLaid) and head.card is not None and turn in (head.zone, head.hand):
            with account.supposing(*done, Event("play", turn, (head.card,))) as refusal:
                pass
            if refusal is None:
                event = Event("play", turn, (head.card,))
                yield from self._fillings(happened[1:], [*done, event], head.t, unseen)
        elif unseen:
            for card in ranks:
                yield from self._fillings(happened, [*done, Event("play", turn, (card,))], t, unseen - 1)

    def _ranks(self) -> list[str]:
        """A card of each rank that is not wholly out, weak ones first."""
        game = self._account.game
        possible = self._account.possible()
        names = [rank + (UNSEEN if game.table.PACK.suits else "") for rank in game.table.PACK.ranks]
        return sorted((name for name in names if possible(name)), key=game.strength)

    def _weight(self, gap: Gap, card: str) -> float:
        """How likely the missing card was of this rank before anything followed."""
        if gap.unread is not None and isinstance(gap.unread.seen, CardLaid) and gap.unread.seen.guesses:
            same = sum(p for name, p in gap.unread.seen.guesses if rank_of(name) == rank_of(card))
            return same + 0.01
        out = self._account.out()
        return 4.0 - sum(rank_of(other) == rank_of(card) for other in out)


def _happening(entry: Entry) -> Happening | None:
    """What an entry behind the gap tells: a card that waits, or the calls that the rules accepted."""
    if entry.waits and isinstance(entry.seen, CardLaid):
        return entry.seen
    return tuple(event for event in entry.events if event.verb != "deal") or None
