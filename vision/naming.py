"""From what the reader says of each crop to names of cards: the deck's cards only, and each card once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.decks import Deck
from vision.reader import RANKS, SUITS, Readings

RANK_SURE = 0.7
"""A card whose rank is less probable than this is seen but not read."""
SUIT_SURE = 0.4
OWN_SHARE = 0.3
"""A crop whose ranks lie mostly outside the deck is no card of the deck, however the rest compares."""
GUESSES = 5


@dataclass(frozen=True, slots=True)
class Name:
    """``card`` as in CLI.md ("7h", "7?" or None), how probable it is, and what else it may be, best first."""

    card: str | None
    confidence: float
    guesses: tuple[tuple[str, float], ...]


def names(readings: Readings, deck: Deck) -> list[Name]:
    """One name a crop.

    With a deck that holds each card once, a name is given once: to the surest crop that claims it; the others
    fall to another suit of the rank, or to the rank alone.
    """
    if deck.family != "french" or not len(readings.ranks):
        return [Name(None, 0.0, ()) for _ in readings.quality]
    in_deck = np.array([rank in deck.ranks for rank in RANKS])
    share = readings.ranks[:, in_deck].sum(1)
    ranks = np.where(in_deck, readings.ranks, 0) / np.maximum(share, 1e-6)[:, None]
    trust = np.where(share >= OWN_SHARE, readings.quality, readings.quality * share)
    given: dict[str, int] = {}
    out: list[Name | None] = [None] * len(ranks)
    for i in np.argsort(-(ranks.max(1) * trust), kind="stable"):
        name = _name(ranks[i], readings.suits[i], float(trust[i]), deck, given)
        if name.card is not None:
            given[name.card] = given.get(name.card, 0) + 1
        out[i] = name
    return [name for name in out if name is not None]


def _name(ranks: np.ndarray, suits: np.ndarray, trust: float, deck: Deck, given: dict[str, int]) -> Name:
    joint = [
        (RANKS[r] + SUITS[s], float(ranks[r] * suits[s]) * trust)
        for r in np.argsort(-ranks, kind="stable")[:GUESSES]
        for s in range(len(SUITS))
        if RANKS[r] + SUITS[s] in deck.cards
    ]
    guesses = tuple(sorted(joint, key=lambda g: -g[1])[:GUESSES])
    best = int(ranks.argmax())
    rank, rank_sure = RANKS[best], float(ranks[best]) * trust
    if rank_sure < RANK_SURE:
        return Name(None, rank_sure, guesses)
    free = np.array([given.get(rank + suit, 0) < deck.copies for suit in SUITS])
    if not free.any():
        return Name(None, 0.0, guesses)
    left = np.where(free, suits, 0)
    suit = int(left.argmax())
    if left[suit] < 0.02 or left[suit] / left.sum() < SUIT_SURE:
        return Name(rank + "?", rank_sure, guesses)
    return Name(rank + SUITS[suit], rank_sure * float(left[suit] / left.sum()), guesses)
