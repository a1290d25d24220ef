"""Naming by comparison: the nearest card, nothing where none is near, and no card more often than the deck holds it.

The vectors here are made up, so that every case can be laid out; ``tests/calibration`` enrols painted decks.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.comparing import OTHER, Comparison
from vision.deck_file import DeckFile, Shown, crop_of, save, thumbnail
from vision.decks import PATTERNS, SUFFIX, deck_named
from vision.enrolled import EnrolledDeck, at_work, enrolled_deck, reader_hash
from vision.errors import BrokenDeck, UnknownDeck
from vision.naming import Name
from vision.reader import RANKS, SUITS, ReaderNet, Readings
from vision.witnesses import whole_cards

NUMBERS = 128
PLAIN = Comparison(sharpness=20.0, letters={}, rank={OTHER: (-9.0, 10.0, 0.5, 0.0, 0.0, 0.0)}, rank_sure=0.6, alike=0.9)
"""About sure enough of a crop that is .6 like the best card and clearly less like the others."""

LENIENT = replace(PLAIN, rank={OTHER: (-7.0, 10.0, 0.5, 0.0, 0.0, 0.0)}, rank_sure=0.7)
"""Listens more to how much better the best card is than the others."""


def direction(n: int) -> np.ndarray:
    """A unit vector of its own for every number; any two are nearly at right angles."""
    v = np.random.default_rng(n).normal(size=NUMBERS)
    return np.asarray(v / np.linalg.norm(v), np.float32)


def near(n: int, likeness: float = 0.9, other: int | None = None) -> np.ndarray:
    """A vector so like that of card ``n``; the rest of it points to card ``other``, or nowhere in particular."""
    rest = direction(5000 + n if other is None else other)
    rest = rest - (rest @ direction(n)) * direction(n)
    return np.asarray(likeness * direction(n) + np.sqrt(1 - likeness**2) * rest / np.linalg.norm(rest), np.float32)


def deck(like: str = "french32", cards: tuple[str, ...] | None = None, comparison: Comparison = PLAIN) -> EnrolledDeck:
    """Card number n of the pattern has direction n."""
    pattern = PATTERNS[like]
    names = pattern.cards if cards is None else cards
    vectors = np.stack([direction(pattern.cards.index(card)) for card in names])
    shown = tuple(Shown(card, 1, b"") for card in names)
    return EnrolledDeck(DeckFile("mine", pattern, "", "", shown, vectors), comparison)


def readings(*vectors: np.ndarray, quality: float = 1.0, **letters: list[str]) -> Readings:
    """Readings of crops with these vectors; ``letters``: the cards that the reader itself reads, "?" for none."""
    n = len(vectors)
    ranks, suits = np.full((n, 13), 1 / 13, np.float32), np.full((n, 4), 1 / 4, np.float32)
    for i, card in enumerate(letters.get("read", [])):
        if card != "?":
            ranks[i], suits[i] = 0.001, 0.01
            ranks[i, RANKS.index(card[:-1])], suits[i, SUITS.index(card[-1])] = 0.988, 0.97
    return replace(
        ReaderNet().read(np.zeros((n, 144, 96, 3), np.uint8)),
        ranks=ranks,
        suits=suits,
        quality=np.full(n, quality, np.float32),
        vectors=np.stack(vectors) if vectors else np.zeros((0, NUMBERS), np.float32),
    )


def names(enrolled: EnrolledDeck, found: Readings, seen: float = 1.0) -> list[Name]:
    """The names of whole cards; ``seen``: the share of their sides that is seen."""
    return enrolled.names(whole_cards(np.zeros((len(found.quality), 4, 2)), found, np.full(len(found.quality), seen)))


def cards(enrolled: EnrolledDeck, found: Readings) -> list[str | None]:
    return [name.card for name in names(enrolled, found)]


FRENCH = PATTERNS["french32"].cards


def test_the_nearest_card_is_named() -> None:
    enrolled = deck()
    (first, second) = names(enrolled, readings(near(3), near(17, 0.8)))
    assert (first.card, second.card) == (FRENCH[3], FRENCH[17])
    assert first.confidence > second.confidence > 0.7
    assert first.guesses[0][0] == FRENCH[3]
    assert len(first.guesses) == 5


def test_an_unknown_card_is_nothing() -> None:
    """Also where it is most like one card by far: the nearest guess is not good enough."""
    partial = deck(cards=FRENCH[:-1])
    assert cards(partial, readings(near(31), near(2))) == [None, FRENCH[2]]
    assert cards(deck(), readings(near(4, 0.4))) == [None]


@settings(max_examples=30, deadline=None)
@given(card=st.integers(0, 31), likeness=st.floats(0.85, 1.0))
def test_a_card_that_was_not_shown_is_never_named(card: int, likeness: float) -> None:
    partial = deck(cards=tuple(c for c in FRENCH if c != FRENCH[card]))
    assert cards(partial, readings(near(card, likeness))) == [None]
    assert cards(deck(), readings(near(card, likeness))) == [FRENCH[card]]


def amid(*numbers: int) -> np.ndarray:
    """A vector equally like several cards."""
    towards = np.linalg.solve(
        np.array([[direction(a) @ direction(b) for a in numbers] for b in numbers], float), np.ones(len(numbers))
    ) @ np.stack([direction(n) for n in numbers])
    return np.asarray(towards / np.linalg.norm(towards), np.float32)


def test_a_card_amid_one_rank_is_of_open_suit_amid_two_ranks_unread() -> None:
    lenient = deck(comparison=LENIENT)
    sevens, mixed = (tuple(map(FRENCH.index, names)) for names in (("7s", "7h", "7d"), ("7s", "8s", "9s")))
    assert cards(lenient, readings(amid(*sevens), amid(*mixed))) == ["7?", None]


def test_each_name_once() -> None:
    """The surer crop gets the name; the other is rather a second quad of that card than its next of kin."""
    twice = readings(near(5, 0.8), near(5, 0.95), near(9))
    assert cards(deck(), twice) == [None, FRENCH[5], FRENCH[9]]


def test_a_crop_that_is_as_like_another_card_gets_that_name() -> None:
    """Two cards lie there and one of them reads half like the other: what is left decides."""
    assert cards(deck(comparison=LENIENT), readings(amid(5, 9), near(5, 0.98))) == [FRENCH[9], FRENCH[5]]


def test_a_numbered_deck_has_four_of_each() -> None:
    five = readings(*(near(2, 0.9) for _ in range(5)), near(6))
    named = cards(deck("numbered8"), five)
    assert sorted(card or "" for card in named) == ["", "3", "3", "3", "3", "7"]


def test_a_crop_that_fits_no_card_is_less_sure() -> None:
    strict = replace(PLAIN, rank={OTHER: (-9.0, 10.0, 0.5, 0.0, 1.0, 1.0)})
    enrolled = deck(comparison=strict)
    good, bad = (names(enrolled, readings(near(3), quality=q))[0] for q in (0.95, 0.2))
    hidden = names(enrolled, readings(near(3), quality=0.95), seen=0)[0]
    assert good.confidence > bad.confidence
    assert good.confidence > hidden.confidence


def test_letters_are_a_second_witness() -> None:
    seven, eight = FRENCH.index("7h"), FRENCH.index("8h")
    torn = amid(seven, eight)
    listening = replace(LENIENT, letters={"french": 0.5})
    assert cards(deck(comparison=listening), readings(torn, torn, read=["7h", "8h"])) == ["7h", "8h"]
    assert cards(deck(comparison=LENIENT), readings(torn)) == [None]
    agreeing, silent, contradicting = (
        names(deck(comparison=listening), readings(near(seven, 0.8, eight), read=[card]))[0].confidence
        for card in ("7h", "?", "8h")
    )
    assert agreeing >= silent > contradicting


def test_letters_of_a_card_that_was_not_shown_speak_against_all_others() -> None:
    heeding = replace(PLAIN, letters={"french": 0.5}, rank={OTHER: (-9.0, 10.0, 0.5, 2.0, 0.0, 0.0)})
    partial = deck(cards=tuple(c for c in FRENCH if c != "7h"), comparison=heeding)
    other = FRENCH.index("7d")
    assert cards(partial, readings(near(other, 0.85), read=["7d"])) == ["7d"]
    assert cards(partial, readings(near(other, 0.85), read=["7h"])) == [None]


def test_letters_mean_nothing_on_other_decks() -> None:
    listening = replace(PLAIN, letters={"french": 0.5})
    spanish = deck("spanish40", comparison=listening)
    assert cards(spanish, readings(near(0), read=["Kh"])) == [PATTERNS["spanish40"].cards[0]]


def test_several_lights_make_a_card_easier_to_know() -> None:
    dark = near(3, 0.5, 700)
    once = deck()
    file = once.file
    twice = EnrolledDeck(
        replace(file, shown=(*file.shown, Shown(FRENCH[3], 2, b"")), vectors=np.vstack([file.vectors, dark])), PLAIN
    )
    assert cards(once, readings(dark)) == [None]
    assert cards(twice, readings(dark)) == [FRENCH[3]]


def test_look_alikes_are_told_most_alike_first() -> None:
    file = deck().file
    vectors = file.vectors.copy()
    vectors[1], vectors[7] = near(0, 0.99), near(6, 0.93)
    pairs = EnrolledDeck(replace(file, vectors=vectors), PLAIN).alike()
    assert [pair[:2] for pair in pairs] == [(FRENCH[0], FRENCH[1]), (FRENCH[6], FRENCH[7])]
    assert deck().alike() == []


def test_nothing_in_nothing_out() -> None:
    assert names(deck(), readings()) == []


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    """The file of a deck of two cards whose vectors are those of other weights."""
    rng = np.random.default_rng(4)
    pictures = [rng.integers(0, 256, (144, 96, 3), dtype=np.uint8) for _ in range(2)]
    file = DeckFile(
        name="old",
        like=PATTERNS["numbered8"],
        ranking="",
        weights="other weights",
        shown=tuple(Shown(card, 1, thumbnail(p)) for card, p in zip("12", pictures, strict=True)),
        vectors=np.eye(2, NUMBERS, dtype=np.float32),
    )
    save(tmp_path / "old.deck", file)
    return tmp_path / "old.deck"


def test_vectors_of_other_weights_are_made_anew(shown: Path) -> None:
    enrolled = enrolled_deck(shown)
    expected = ReaderNet().read(np.stack([crop_of(s) for s in enrolled.file.shown])).vectors
    assert np.allclose(enrolled.file.vectors, expected)
    assert enrolled.file.weights == reader_hash()
    assert at_work(enrolled.file) is enrolled.file
    assert enrolled.missing == ("3", "4", "5", "6", "7", "8")


def test_decks_are_found_by_file_and_by_name(shown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert deck_named(str(shown)).name == "old"
    folder = shown.parent / "data" / "decks"
    folder.mkdir(parents=True)
    shown.rename(folder / ("mine" + SUFFIX))
    monkeypatch.setattr("vision.decks.decks_folder", lambda: folder)
    assert deck_named("mine").cards == ("1", "2")
    for name in ("../decks/mine", "other"):
        with pytest.raises(UnknownDeck):
            deck_named(name)
    with pytest.raises(UnknownDeck, match="calibrate deck"):
        deck_named("numbered8")
    (folder / ("mine" + SUFFIX)).write_bytes(b"no deck")
    with pytest.raises(BrokenDeck, match="mine"):
        deck_named("mine")
