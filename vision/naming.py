"""From what the reader says of each crop to names of cards: the deck's cards only, and each card once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vision.candidates import Candidates
from vision.confidence import Confidence
from vision.decks import Deck
from vision.letters import LETTERS, Words
from vision.reader import Readings

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


class Comparing(Protocol):
    """A deck that names its cards itself, by comparing crops with those it was shown.

    Attributes:
        lettered: whether its cards have the French ranks and suits that the index reader knows.
        by_looks: whether it compares looks too (``vision.looks``), which must then be made.
    """

    @property
    def lettered(self) -> bool: ...

    @property
    def by_looks(self) -> bool: ...

    def names(self, found: Candidates) -> list[Name]:
        """One name a candidate."""
        ...

    def liking(self, readings: Readings) -> np.ndarray:
        """How surely crops show a card of the deck, whichever it is, given that they show a card: (N,), 0 to 1."""
        ...


def names(found: Candidates, deck: Deck, confidence: Confidence) -> list[Name]:
    """One name a candidate.

    With a deck that holds each card once a name is given once, to the surest card that claims it. For the
    others that card is ruled out: they fall to the suits that are left, or stay unread where none is. Of a card of
    which only an index is read nothing is inferred: it is rather the other corner of the first one.
    """
    readings = found.readings
    letters = LETTERS.get(deck.family)
    if letters is None or not len(readings.quality):
        return [NOTHING] * len(readings.quality)
    words = letters.words
    ranks, suits = letters.of(readings)
    own = np.array([rank in deck.ranks for rank in words[0]])
    share = ranks[:, own].sum(1)
    ranks = np.where(own, ranks, 0) / np.maximum(share, 1e-6)[:, None]
    quality = np.where(share >= OWN_SHARE, readings.quality, readings.quality * share)
    sure = confidence.of_cards(ranks.max(1), quality, found.seen, found.index, found.alone)
    ranks = _with_best(ranks, sure)
    suits = _with_best(suits, confidence.of_suits(suits.max(1)))
    given: dict[str, int] = {}
    out = [NOTHING] * len(ranks)
    for i in np.argsort(-sure * suits.max(1), kind="stable"):
        likeliest = words[0][ranks[i].argmax()] + words[1][suits[i].argmax()]
        if found.alone[i] and given.get(likeliest, 0) >= deck.copies:
            continue
        name = _name(ranks[i], suits[i], words, deck, given, confidence.rank_sure)
        if name.card is not None:
            given[name.card] = given.get(name.card, 0) + 1
        out[i] = name
    return out


def _with_best(p: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Distributions (N, K) whose largest share becomes ``best`` (N,); the others keep their proportions."""
    p = p.copy()
    rows, top = np.arange(len(p)), p.argmax(1)
    p[rows, top] = 0
    p *= ((1 - best) / np.maximum(p.sum(1), 1e-6))[:, None]
    p[rows, top] = best
    return p


def _name(
    ranks: np.ndarray, suits: np.ndarray, words: Words, deck: Deck, given: dict[str, int], rank_sure: float
) -> Name:
    """The name of one crop, given the names that surer crops already took."""
    cards = [
        (rank + suit, round(float(p * q), 4))
        for rank, p in zip(words[0], ranks, strict=True)
        for suit, q in zip(words[1], suits, strict=True)
        if rank + suit in deck.cards
    ]
    guesses = tuple(sorted(cards, key=lambda guess: -guess[1])[:GUESSES])
    best = int(ranks.argmax())
    rank, sure = words[0][best], float(ranks[best])
    free = np.array([given.get(rank + suit, 0) < deck.copies for suit in words[1]])
    if sure < rank_sure or not free.any():
        return Name(None, sure if free.any() else 0.0, guesses)
    left = np.where(free, np.maximum(suits, 1e-6), 0)
    left /= left.sum()
    suit = int(left.argmax())
    if left[suit] < SUIT_SURE:
        return Name(rank + "?", sure, guesses)
    return Name(rank + words[1][suit], sure * float(left[suit]), guesses)
