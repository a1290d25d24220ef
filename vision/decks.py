"""The packs of cards that the eyes know by name.

A deck restricts what a card can be: with ``french32`` no picture ever holds a 3 of clubs, so the reader's
doubt between a 3 and an 8 is settled before it arises.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vision.errors import UnknownDeck

if TYPE_CHECKING:
    from vision.enrolled import EnrolledDeck

SUFFIX = ".deck"
"""How the files of enrolled decks in the user's folder end."""

FRENCH_SUITS = ("s", "h", "d", "c")
SPANISH_SUITS = ("e", "b", "o", "c")
PIQUET_RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
FULL_RANKS = ("2", "3", "4", "5", "6", *PIQUET_RANKS)
SPANISH_RANKS = ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")
ALL_SPANISH_RANKS = tuple(map(str, range(1, 13)))


@dataclass(frozen=True, slots=True)
class Deck:
    """A pack of cards.

    Attributes:
        name: as ``--deck`` takes it.
        cards: the names of its different cards, as the record spells them (``"7h"``).
        copies: how many of each card the pack holds; with 1, a name can lie on the table only once.
        family: ``"french"``, ``"spanish"`` or ``"numbered"``: which faces a reader must know.
    """

    name: str
    cards: tuple[str, ...]
    copies: int = 1
    family: str = "french"

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of the deck, each once, in the order of the cards."""
        return tuple(dict.fromkeys(map(self.rank_of, self.cards)))

    @property
    def suits(self) -> tuple[str, ...]:
        """The suits of the deck, each once, in the order of the cards; none in a numbered deck."""
        return () if self.family == "numbered" else tuple(dict.fromkeys(card[-1] for card in self.cards))

    def rank_of(self, card: str) -> str:
        """``"7h"`` is a 7; in a numbered deck a card is its number."""
        return card if self.family == "numbered" else card[:-1]

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
        Deck("spanish48", _pack(ALL_SPANISH_RANKS, SPANISH_SUITS), family="spanish"),
    )
}
NUMBERED8 = Deck("numbered8", tuple(map(str, range(1, 9))), copies=4, family="numbered")
PATTERNS: dict[str, Deck] = {**SHIPPED, NUMBERED8.name: NUMBERED8}
"""What a deck of one's own can be like: its cards have these names."""
DEFAULT_DECK = "french32"


def deck_named(name: str) -> Deck | EnrolledDeck:
    """The deck called ``name``: a shipped one, the file of an enrolled one, or one in the user's folder.

    Raises:
        UnknownDeck: there is none.
        BrokenDeck: there is such a file, but it holds no deck.
    """
    if name in SHIPPED:
        return SHIPPED[name]
    from vision.enrolled import enrolled_deck  # which builds on the decks of this module

    path = Path(name)
    if path.is_file():
        return enrolled_deck(path)
    if path.name == name and (own := decks_folder() / (name + SUFFIX)).is_file():
        return enrolled_deck(own)
    if name in PATTERNS:
        raise UnknownDeck(
            "le jeu {name} doit être appris : « trut calibrate deck --like {name} --images DOSSIER --out FICHIER », "
            "puis --deck FICHIER",
            name=name,
        )
    raise UnknownDeck(
        "jeu de cartes inconnu : {name} ; les jeux fournis sont {known}, les vôtres se donnent par leur fichier",
        name=name,
        known=", ".join(SHIPPED),
    )


def decks_folder() -> Path:
    """Where the user's enrolled decks lie unless told otherwise; it need not exist."""
    from platformdirs import user_data_path

    return user_data_path("trut", appauthor=False) / "decks"
