"""The packs of cards that the eyes know by name.

A deck restricts what a card can be: with ``french32`` no picture ever holds a 3 of clubs, so the reader's
doubt between a 3 and an 8 is settled before it arises.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.errors import UnknownDeck

FRENCH_SUITS = ("s", "h", "d", "c")
SPANISH_SUITS = ("e", "b", "o", "c")
PIQUET_RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
FULL_RANKS = ("2", "3", "4", "5", "6", *PIQUET_RANKS)
SPANISH_RANKS = ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")


@dataclass(frozen=True, slots=True)
class Deck:
    """A pack of cards.

    Attributes:
        name: as ``--deck`` takes it.
        cards: the names of its different cards, as the record spells them (``"7h"``).
        copies: how many of each card the pack holds; with 1, a name can lie on the table only once.
        family: ``"french"`` or ``"spanish"``: which faces a reader must know.
    """

    name: str
    cards: tuple[str, ...]
    copies: int = 1
    family: str = "french"

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of the deck, each once, in the order of the cards."""
        return tuple(dict.fromkeys(card[:-1] for card in self.cards))

    @property
    def suits(self) -> tuple[str, ...]:
        """The suits of the deck, each once, in the order of the cards."""
        return tuple(dict.fromkeys(card[-1] for card in self.cards))

    def __len__(self) -> int:
        return len(self.cards) * self.copies


def _pack(ranks: tuple[str, ...], suits: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rank + suit for suit in suits for rank in ranks)


SHIPPED: dict[str, Deck] = {
    deck.name: deck
    for deck in (
        Deck("french32", _pack(PIQUET_RANKS, FRENCH_SUITS)),
        Deck("french52", _pack(FULL_RANKS, FRENCH_SUITS)),
        Deck("spanish40", _pack(SPANISH_RANKS, SPANISH_SUITS), family="spanish"),
    )
}
DEFAULT_DECK = "french32"


def deck_named(name: str) -> Deck:
    """The deck called ``name``.

    Raises:
        UnknownDeck: no shipped deck has that name.
    """
    try:
        return SHIPPED[name]
    except KeyError:
        raise UnknownDeck(
            "jeu de cartes inconnu : {name} ; les jeux fournis sont {known}",
            name=name,
            known=", ".join(SHIPPED),
        ) from None
