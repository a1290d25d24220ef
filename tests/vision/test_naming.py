"""From probabilities to names: the deck's cards only, each once, and nothing where the reader is not sure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.confidence import Confidence
from vision.decks import NUMBERED8, Deck, deck_named
from vision.naming import Name
from vision.naming import names as named
from vision.reader import RANKS, SPANISH_SUITS, SUITS, Readings
from vision.witnesses import whole_cards

PLAIN = Confidence(rank=(-6.9, 1, 1, 0), index=(-6.9, 1, 1, 0), suit=(0, 1), rank_sure=0.7)
"""Takes the reader at its word."""
FRENCH32, FRENCH52 = deck_named("french32"), deck_named("french52")


def readings(*crops: dict[str, float], quality: float = 1.0) -> Readings:
    """Readings from sparse {rank or suit: probability}; what is left is spread evenly."""
    ranks, suits = np.zeros((len(crops), 13), np.float32), np.zeros((len(crops), 4), np.float32)
    for i, crop in enumerate(crops):
        for table, words in ((ranks, RANKS), (suits, SUITS)):
            given = {w: crop[w] for w in words if w in crop}
            table[i] = (1 - sum(given.values())) / max(1, len(words) - len(given))
            for word, p in given.items():
                table[i, words.index(word)] = p
    n = len(crops)
    spanish = np.full((n, 12), 1 / 12, np.float32), np.full((n, 4), 1 / 4, np.float32)
    return Readings(ranks, suits, np.full(n, quality, np.float32), *spanish, np.zeros((n, 128), np.float32))


def names(r: Readings, deck: Deck) -> list[Name]:
    quads = np.zeros((len(r.quality), 4, 2), np.float32)
    return named(whole_cards(quads, r, np.ones(len(r.quality), np.float32)), deck, PLAIN)


def cards(r: Readings, deck: Deck = FRENCH32) -> list[str | None]:
    return [name.card for name in names(r, deck)]


def test_sure_card() -> None:
    (name,) = names(readings({"7": 0.97, "h": 0.98}), FRENCH32)
    assert name.card == "7h"
    assert name.confidence == pytest.approx(0.97 / (0.97 + 7 * 0.03 / 12) * 0.98, abs=0.02)
    assert name.guesses[0][0] == "7h"


def test_unsure_rank_is_not_read() -> None:
    (name,) = names(readings({"7": 0.4, "8": 0.4, "h": 0.98}), FRENCH32)
    assert name.card is None
    assert name.confidence < PLAIN.rank_sure
    assert {card for card, _ in name.guesses[:2]} == {"7h", "8h"}


def test_open_suit() -> None:
    assert cards(readings({"7": 0.98})) == ["7?"]


def test_deck_settles_what_it_can() -> None:
    doubt = readings({"8": 0.5, "3": 0.48, "c": 0.95})
    assert cards(doubt) == ["8c"]
    assert cards(doubt, FRENCH52) == [None]


def test_card_of_another_deck_is_not_forced_into_this_one() -> None:
    assert cards(readings({"3": 0.95, "c": 0.95})) == [None]


def test_bad_quad_is_not_read() -> None:
    assert cards(readings({"7": 0.99, "h": 0.99}, quality=0.3)) == [None]


def test_each_name_once() -> None:
    twice = readings({"7": 0.95, "h": 0.7, "d": 0.28}, {"7": 0.97, "h": 0.97})
    assert cards(twice) == ["7d", "7h"]
    assert cards(twice, Deck("double", FRENCH32.cards, copies=2)) == ["7h", "7h"]


def test_fifth_of_a_rank_cannot_be() -> None:
    suits = [{"A": 0.97, suit: 0.97} for suit in SUITS]
    got = cards(readings(*suits, {"A": 0.8, "s": 0.9}))
    assert got[:4] == ["Ac", "Ad", "Ah", "As"]
    assert got[4] is None


def test_decks_the_reader_does_not_know_stay_unread() -> None:
    assert cards(readings({"7": 0.99, "c": 0.99}), NUMBERED8) == [None]


def test_nothing_in_nothing_out() -> None:
    assert names(readings(), FRENCH32) == []


def test_an_index_alone_is_never_given_another_suit() -> None:
    r = readings({"7": 0.97, "h": 0.98}, {"7": 0.95, "h": 0.9, "d": 0.05})
    whole = whole_cards(np.zeros((2, 4, 2), np.float32), r, np.ones(2, np.float32))
    assert [n.card for n in named(whole, FRENCH32, PLAIN)] == ["7h", "7d"]
    second_index = replace(whole, alone=np.array([False, True]), index=np.array([0.0, 0.99]))
    assert [n.card for n in named(second_index, FRENCH32, PLAIN)] == ["7h", None]


def spanish(*crops: tuple[str, str]) -> Readings:
    """Readings of crops that are surely these Spanish ranks and suits ("?" where open)."""
    plain = readings(*({} for _ in crops))
    ranks, suits = np.full((len(crops), 12), 1 / 12, np.float32), np.full((len(crops), 4), 0.25, np.float32)
    for i, (rank, suit) in enumerate(crops):
        if rank != "?":
            ranks[i] = 0.001
            ranks[i, int(rank) - 1] = 0.989
        if suit != "?":
            suits[i] = 0.01
            suits[i, SPANISH_SUITS.index(suit)] = 0.97
    return replace(plain, spanish_ranks=ranks, spanish_suits=suits)


def test_spanish_decks_are_named_by_their_own_ranks_and_suits() -> None:
    deck = deck_named("spanish40")
    assert cards(spanish(("7", "o"), ("12", "b"), ("1", "e"), ("3", "?")), deck) == ["7o", "12b", "1e", "3?"]
    assert cards(spanish(("?", "o"), ("8", "c")), deck) == [None, None]
    assert cards(spanish(("8", "c")), deck_named("spanish48")) == ["8c"]
