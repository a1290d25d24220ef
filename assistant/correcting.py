"""Corrections by voice: which card is meant by "le huit de cœur", "non, la dame de pique", "c'était le roi"."""

from __future__ import annotations

import dataclasses
import math

from assistant.account import Account, Entry, Offered, Told
from assistant.weighing import LIKELY_RANK, has_suits, rank_of
from engine import Event
from engine.cards import UNSEEN
from vision.events import CardLaid

OPEN = 20.0
"""Seconds that a question about a card waits for its name."""
RECENT = 30.0
"""Seconds after which a card is no longer corrected by its name alone."""


class Corrections:
    """The cards that were asked about, and which of all cards a name may be for."""

    def __init__(self, account: Account) -> None:
        self._account = account

    def ask(self, seen: Offered, t: float) -> None:
        """The players were asked at ``t`` which card this is."""
        index = self._account.index_of(seen)
        assert index is not None
        self._account.entries[index].asked = t

    def asked(self, t: float) -> int | None:
        """The entry of the card that was asked about last, if that question is still open at ``t``."""
        waiting = []
        for index in self._newest_first():
            entry = self._account.entries[index]
            if entry.p < LIKELY_RANK or entry.asked is not None:
                waiting.append((entry.seen.decided if entry.asked is None else entry.asked, index))
        since, latest = max(waiting, key=lambda asked: asked[0], default=(-math.inf, None))
        return latest if t - since < OPEN else None

    def before(self, t: float) -> int | None:
        """The entry of the card laid before the one that was asked about, else before the newest one; that
        question is closed."""
        cards = self._newest_first()
        asked = self.asked(t)
        place = 0 if asked is None else cards.index(asked)
        if place + 1 >= len(cards):
            return None
        self._account.entries[cards[place]].asked = None
        return cards[place + 1]

    def correctable(self, t: float) -> bool:
        """Whether there is a card that somebody may want to correct at ``t``."""
        return any(t - self._account.entries[index].seen.t < RECENT for index in self._newest_first())

    def meant(self, name: str, t: float) -> int | None:
        """The entry that "non, ``name``" corrects: the newest card that looked like it too, else simply the
        newest one. None where the newest is that card already, or lies too long."""
        recent = [i for i in self._newest_first() if t - self._account.entries[i].seen.t < RECENT]
        if not recent or _is_called(self._account.entries[recent[0]].card, name):
            return None
        for index in recent:
            entry = self._account.entries[index]
            likes = {rank_of(card) for card, _ in _guesses(entry)}
            if rank_of(name) in likes and not _is_called(entry.card, name):
                return index
        return recent[0]

    def named(self, index: int, name: str) -> CardLaid | Told | None:
        """The card of an entry as the players named it; None if it is out already, laid by somebody else.

        A rank without a suit takes the suit that the eyes thought likeliest with it.
        """
        entry = self._account.entries[index]
        others = self._account.out()
        if entry.card in others:
            others.remove(entry.card)
        likely = [card for card, _ in sorted(_guesses(entry), key=lambda guess: -guess[1])]
        names = [card for card in likely if _is_called(card, name) and card not in others] or [name]
        pack = self._account.game.table.PACK
        same_rank = sum(rank_of(card) == rank_of(name) for card in others)
        if (has_suits(name) and not name.endswith(UNSEEN) and name in others) or same_rank >= 4:
            return None
        card = next((card for card in names if pack.get(card) is not None), name)
        entry.asked = None
        if isinstance(entry.seen, Told):
            return dataclasses.replace(entry.seen, event=Event("play", entry.seat, (card,)))
        assert isinstance(entry.seen, CardLaid)
        return dataclasses.replace(entry.seen, card=card, confidence=1.0, guesses=((card, 1.0),))

    def settles(self, index: int, name: str) -> bool:
        """Whether the name only says what the card was taken for."""
        entry = self._account.entries[index]
        if not _is_called(entry.card, name):
            return False
        entry.asked = None
        entry.p = 1.0
        return True

    def _newest_first(self) -> list[int]:
        """The entries of cards since the last deal, and between rounds those of the last round."""
        found = []
        for index in range(len(self._account.entries) - 1, -1, -1):
            entry: Entry = self._account.entries[index]
            card = isinstance(entry.seen, CardLaid) or (isinstance(entry.seen, Told) and entry.card is not None)
            if card and not entry.withdrawn and not entry.waits and not _refused(entry):
                found.append(index)
            if any(event.verb == "deal" for event in entry.events):
                break
        return found


def _guesses(entry: Entry) -> tuple[tuple[str, float], ...]:
    """What the eyes took the card for; nothing where it was told."""
    return entry.seen.guesses if isinstance(entry.seen, CardLaid) else ()


def _refused(entry: Entry) -> bool:
    return entry.refused is not None


def _is_called(card: str | None, name: str) -> bool:
    """Whether ``name``, perhaps without a suit, is a name of ``card``."""
    if card is None or rank_of(card) != rank_of(name):
        return False
    return card == name or name.endswith(UNSEEN)
