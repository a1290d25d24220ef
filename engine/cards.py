"""Cards and packs: how a card is written, and which cards exist.

A card is a plain string in records and in the whole program (NOTATION.md section 1): ``"7h"``, ``"10s"``,
``"11b"``, or a bare ``"5"`` for the numbered cards of Robin Red. ``"7?"`` is a card whose suit could not be
seen (section 10). This module knows what a pack holds; how strong a card is belongs to the rulesets (C-10).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

UNSEEN: Final = "?"
"""Stands for a suit that could not be seen."""

_BITS = 3  # a counter of 0 to 7 for each rank: there are four of each


@dataclass(frozen=True, slots=True)
class Card:
    """One card as written, with the numbers that make the search for duplicates quick.

    Attributes:
        token: as written in a record.
        rank: ``"7"`` … ``"A"``; what decides tricks in every game but one.
        suit: one letter, ``"?"`` where unseen, ``""`` in a pack without suits.
        bit: one bit of its own for a card that exists once, 0 for a card that cannot be told from its like.
        unit: adds one to the counter of its rank (``shift`` bits up, three bits wide).
        shift: where the counter of its rank stands.
    """

    token: str
    rank: str
    suit: str
    bit: int
    unit: int
    shift: int


@dataclass(frozen=True, slots=True)
class Pack:
    """All the cards of a pack. ``tokens`` lists them once each; ``get`` also knows those of unseen suit."""

    name: str
    ranks: tuple[str, ...]
    suits: str
    copies: int = 1

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every card once, without those of unseen suit, by suit and then by rank."""
        return tuple(token for token, card in _index(self).items() if card.suit != UNSEEN)

    def __len__(self) -> int:
        return len(self.ranks) * max(1, len(self.suits)) * self.copies

    def cards(self) -> dict[str, Card]:
        """Each way to write a card of this pack, with the card."""
        return _index(self)

    def get(self, token: str) -> Card | None:
        """The card of that name, None where the pack has none."""
        return _index(self).get(token)


@cache
def _index(pack: Pack) -> dict[str, Card]:
    index: dict[str, Card] = {}
    for suit in (*pack.suits, UNSEEN) if pack.suits else ("",):
        for place, rank in enumerate(pack.ranks):
            bit = 1 << len(index) if suit and suit != UNSEEN else 0
            index[rank + suit] = Card(rank + suit, rank, suit, bit, 1 << _BITS * place, _BITS * place)
    return index


FRENCH_RANKS: Final = ("7", "8", "9", "10", "J", "Q", "K", "A")
"""The normal order, low to high (G-21)."""

FRENCH32: Final = Pack("french32", FRENCH_RANKS, "shdc")
"""T-2, L-2: 32 French-suited cards, 7 to ace."""

NUMBERED8: Final = Pack("numbered8", tuple("12345678"), "", copies=4)
"""R-2: the numbers 1 to 8, four copies each, without suits."""

SPANISH40: Final = Pack("spanish40", ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12"), "eboc")
"""F-2: 40 Spanish-suited cards: épées, bâtons, oros (soleils), coupes."""



def rank_of(token: str) -> str:
    """The rank of a card of any pack.

    >>> rank_of("10s"), rank_of("7?"), rank_of("5"), rank_of("11b")
    ('10', '7', '5', '11')
    """
    return token.rstrip("shdcebo?") if len(token) > 1 else token


def team_of(seat: int) -> str:
    """C-2: odd seats are team A, even seats are team B."""
    return "A" if seat % 2 else "B"


def other_team(team: str) -> str:
    """The opponents of ``team``."""
    return "B" if team == "A" else "A"
