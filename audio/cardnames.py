"""What cards are called at the table: "le huit de cœur", "huit de cœur", "non, la dame de pique", "c'était le
roi".

A name that stands alone answers the assistant's question about a card; one after "non" or "c'était" corrects
a card that was misread. A rank without a suit is ``8?`` in the words of the record.
"""

from __future__ import annotations

from collections.abc import Iterator

CORRECTIONS = ("non, ", "c'était ")
"""What makes a correction of the name of a card."""

_FRENCH_RANKS = {
    "7": "le sept", "8": "le huit", "9": "le neuf", "10": "le dix",
    "J": "le valet", "Q": "la dame", "K": "le roi", "A": "l'as",
}  # fmt: skip
_FRENCH_SUITS = {"s": ("de pique",), "h": ("de cœur",), "d": ("de carreau",), "c": ("de trèfle",)}
_NUMBERED = {
    "1": "le un", "2": "le deux", "3": "le trois", "4": "le quatre",
    "5": "le cinq", "6": "le six", "7": "le sept", "8": "le huit",
}  # fmt: skip
_SPANISH_RANKS = {
    "1": "l'as", "2": "le deux", "3": "le trois", "4": "le quatre", "5": "le cinq",
    "6": "le six", "7": "le sept", "10": "le valet", "11": "le cavalier", "12": "le roi",
}  # fmt: skip
_SPANISH_SUITS = {
    "e": ("d'épée",),
    "b": ("de bâton",),
    "o": ("d'or", "de soleil", "de denier"),
    "c": ("de coupe",),
}


def corrects(text: str) -> bool:
    """Whether these words correct what was seen.

    >>> corrects("non, le huit de cœur"), corrects("c'est Marie"), corrects("le huit de cœur")
    (True, True, False)
    """
    return text.startswith((*CORRECTIONS, "c'est "))


def card_names(game: str) -> Iterator[tuple[str, str]]:
    """The words for each card of a game's pack, and the card in the words of the record."""
    for name, card in _full_names(game):
        for start in ("", *CORRECTIONS):
            yield start + name, card
        if " de " in name or " d'" in name:
            yield name.removeprefix("l'").removeprefix("le ").removeprefix("la "), card


def _full_names(game: str) -> Iterator[tuple[str, str]]:
    """ "le huit de cœur", "le huit", and the card of each."""
    if game == "trut-robin-red":
        yield from ((name, card) for card, name in _NUMBERED.items())
        return
    spanish = game == "truc-y-flou"
    for rank, name in (_SPANISH_RANKS if spanish else _FRENCH_RANKS).items():
        for suit, ways in (_SPANISH_SUITS if spanish else _FRENCH_SUITS).items():
            yield from ((f"{name} {of}", rank + suit) for of in ways)
        yield name, f"{rank}?"
    if spanish:
        yield "le un", "1?"
