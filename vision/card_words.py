"""Names that people give to cards, in the record's spelling: "queen of hearts", "QH", "Dame de cœur" -> "Qh"."""

from __future__ import annotations

import re
import unicodedata

_RANKS = {
    "A": "a ace as 1 one un",
    "2": "2 two deux",
    "3": "3 three trois",
    "4": "4 four quatre",
    "5": "5 five cinq",
    "6": "6 six",
    "7": "7 seven sept",
    "8": "8 eight huit",
    "9": "9 nine neuf",
    "10": "10 t ten dix",
    "J": "j v jack knave valet",
    "Q": "q d queen dame",
    "K": "k r king roi",
}
_SUITS = {
    "s": "s spade spades pique piques",
    "h": "h heart hearts coeur coeurs",
    "d": "d diamond diamonds carreau carreaux",
    "c": "c club clubs trefle trefles",
}
_SPANISH_RANKS = {"1": "as", "10": "sota", "11": "caballo", "12": "rey"}
_SPANISH_SUITS = {"o": "oro oros", "c": "copa copas", "e": "espada espadas", "b": "basto bastos"}
_SYMBOLS = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "♤": "s", "♡": "h", "♢": "d", "♧": "c"})


def _by_word(table: dict[str, str]) -> dict[str, str]:
    return {word: name for name, words in table.items() for word in words.split()}


def _any_of(words: dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_RANK, _SUIT = _by_word(_RANKS), _by_word(_SUITS)
_S_RANK = _by_word(_SPANISH_RANKS) | {str(n): str(n) for n in range(1, 13)}
_S_SUIT = _by_word(_SPANISH_SUITS)
_FRENCH = re.compile(rf"(?P<rank>{_any_of(_RANK)})(?:of|de)?(?P<suit>{_any_of(_SUIT)})?")
_SUIT_FIRST = re.compile(rf"(?P<suit>{_any_of(_SUIT)})(?P<rank>{_any_of(_RANK)})")
_SPANISH = re.compile(rf"(?P<rank>{_any_of(_S_RANK)})(?:de)?(?P<suit>{_any_of(_S_SUIT)})")


def card_named(text: str) -> str | None:
    """The card that a label means: "7h", "7?" where the label has no suit, None where it is no card."""
    plain = unicodedata.normalize("NFKD", text.translate(_SYMBOLS).lower().replace("œ", "oe"))
    squeezed = re.sub(r"[^a-z0-9]", "", plain)
    for pattern in (_FRENCH, _SUIT_FIRST):
        if found := pattern.fullmatch(squeezed):
            return _RANK[found["rank"]] + (_SUIT[found["suit"]] if found["suit"] else "?")
    if found := _SPANISH.fullmatch(squeezed):
        return _S_RANK[found["rank"]] + _S_SUIT[found["suit"]]
    return None
