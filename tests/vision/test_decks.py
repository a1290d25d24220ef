from __future__ import annotations

import pytest

from vision.decks import PATTERNS, SHIPPED, deck_named
from vision.errors import UnknownDeck


@pytest.mark.parametrize(
    ("name", "size", "ranks"), [("french32", 32, 8), ("french52", 52, 13), ("spanish40", 40, 10), ("spanish48", 48, 12)]
)
def test_shipped_decks(name: str, size: int, ranks: int) -> None:
    deck = deck_named(name)
    assert len(deck) == len(set(deck.cards)) == size
    assert len(deck.ranks) == ranks
    assert len(deck.suits) == 4


def test_french32_has_nothing_below_seven() -> None:
    assert not {"2", "3", "4", "5", "6"} & set(deck_named("french32").ranks)
    assert "7h" in deck_named("french32").cards


def test_spanish40_spells_as_the_record_does() -> None:
    assert {"1e", "7o", "11b", "12c"} <= set(deck_named("spanish40").cards)


def test_a_numbered_card_is_its_own_rank() -> None:
    deck = PATTERNS["numbered8"]
    assert deck.ranks == deck.cards == tuple("12345678")
    assert deck.suits == ()
    assert len(deck) == 32
    assert deck.name not in SHIPPED


def test_unknown_deck_names_the_known_ones() -> None:
    with pytest.raises(UnknownDeck, match="tarot78") as caught:
        deck_named("tarot78")
    assert all(name in str(caught.value) for name in SHIPPED)
