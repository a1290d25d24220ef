"""From what the reader says of each crop to names of cards: the deck's cards only, and each card once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.decks import Deck
from vision.reader import RANKS, SUITS, Readings

RANK_SURE = 0.7
"""A card whose rank is less probable than this is seen but not read."""
SUIT_SURE = 0.4
"""A suit less probable than this is left open ("7?"). Low: the rank decides, and a name is of more use."""
OWN_SHARE = 0.3
"""A crop whose ranks lie mostly outside the deck is no card of the deck, however the rest compares."""
GUESSES = 5


@dataclass(frozen=True, slots=True)
class Name:
    """``card`` as in CLI.md ("7h", "7?" or None), how probable it is, and what else it may be, best first."""

    card: str | None
    confidence: float
    guesses: tuple[tuple[str, float], ...] = ()


NOTHING = Name(None, 0.0)


def names(readings: Readings, deck: Deck, rank_sure: float = RANK_SURE) -> list[Name]:
    """One name a crop.

    With a deck that holds each card once a name is given once, to the surest crop that claims it. For the
    others that card is ruled out: they fall to the suits of the rank that are left, or stay unread where none
    is.
    """
    if deck.family != "french":
        return [NOTHING] * len(readings.quality)
    own = np.array([rank in deck.ranks for rank in RANKS])
    share = readings.ranks[:, own].sum(1)
    ranks = np.where(own, readings.ranks, 0) / np.maximum(share, 1e-6)[:, None]
    trust = np.where(share >= OWN_SHARE, readings.quality, readings.quality * share)
    given: dict[str, int] = {}
    out = [NOTHING] * len(ranks)
    for i in np.argsort(-ranks.max(1) * trust * readings.suits.max(1), kind="stable"):
        name = _name(ranks[i], readings.suits[i], float(trust[i]), deck, given, rank_sure)
        if name.card is not None:
            given[name.card] = given.get(name.card, 0) + 1
        out[i] = name
    return out


def _name(
    ranks: np.ndarray, suits: np.ndarray, trust: float, deck: Deck, given: dict[str, int], rank_sure: float
) -> Name:
    """The name of one crop, given the names that surer crops already took."""
    best = int(ranks.argmax())
    rank, sure = RANKS[best], float(ranks[best]) * trust
    free = np.array([given.get(rank + suit, 0) < deck.copies for suit in SUITS])
    left = np.where(free, np.maximum(suits, 1e-6), 0)
    guesses = tuple(
        sorted(
            (
                (RANKS[r] + SUITS[s], round(float(ranks[r] * suits[s]) * trust, 4))
                for r in np.argsort(-ranks, kind="stable")[:GUESSES]
                for s in range(len(SUITS))
                if RANKS[r] + SUITS[s] in deck.cards
            ),
            key=lambda guess: -guess[1],
        )[:GUESSES]
    )
    if sure < rank_sure or not free.any():
        return Name(None, sure if free.any() else 0.0, guesses)
    suit = int(left.argmax())
    suit_sure = float(left[suit] / left.sum())
    if suit_sure < SUIT_SURE:
        return Name(rank + "?", sure, guesses)
    return Name(rank + SUITS[suit], sure * suit_sure, guesses)
