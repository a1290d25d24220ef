"""Corners as witnesses: whose index it is, what it changes, and the cards that only an index shows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from vision.crops import Pyramid
from vision.finder import Corners
from vision.indices import IndexReadings
from vision.letters import FRENCH, SPANISH
from vision.reader import RANKS, SPANISH_RANKS, SPANISH_SUITS, SUITS, VECTOR, Readings
from vision.reading import CardReader
from vision.witnesses import Witnesses, index_places, surest, whole_cards

INDEX_RANKS = (*RANKS, "11", "12")


def peaked(words: tuple[str, ...], word: str, p: float) -> np.ndarray:
    row = np.full(len(words), (1 - p) / (len(words) - 1), np.float32)
    row[words.index(word)] = p
    return row


def readings(*cards: tuple[str, float, float]) -> Readings:
    """Whole crops from (card, probability of its rank, quality)."""
    count = len(cards)
    return Readings(
        np.stack([peaked(RANKS, card[:-1], p) for card, p, _ in cards]) if count else np.zeros((0, 13), np.float32),
        np.stack([peaked(SUITS, card[-1], p) for card, p, _ in cards]) if count else np.zeros((0, 4), np.float32),
        np.array([q for *_, q in cards], np.float32),
        np.full((count, 12), 1 / 12, np.float32),
        np.full((count, 4), 1 / 4, np.float32),
        np.full((count, VECTOR), VECTOR**-0.5, np.float32),
    )


class SaysNothing:
    """A reader of whole crops that sees no card anywhere."""

    def read(self, crops: np.ndarray, both_ways: bool = True) -> Readings:
        return readings(*[("7h", 0.1, 0.05)] * len(crops))


class Printed:
    """An index reader that reads what ``at`` says is printed round a place, given the corners in order."""

    def __init__(self, *answers: tuple[str, float, float]) -> None:
        self.answers, self.asked = list(answers), 0

    def read(self, windows: np.ndarray) -> IndexReadings:
        said = [self.answers.pop(0) if self.answers else ("7h", 0.1, 0.0) for _ in windows]
        self.asked += len(windows)
        if not said:
            return IndexReadings(np.zeros((0, 15), np.float32), np.zeros((0, 4), np.float32), np.zeros(0, np.float32))
        return IndexReadings(
            np.stack([peaked(INDEX_RANKS, card[:-1], p) for card, p, _ in said]),
            np.stack([peaked(SUITS, card[-1], p) for card, p, _ in said]),
            np.array([q for *_, q in said], np.float32),
        )


def card(x: float, y: float, width: float = 100) -> np.ndarray:
    half = np.array([width / 2, width * 0.72])
    return (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [x, y]).astype(np.float32)


PICTURE = Pyramid(np.full((600, 800, 3), 90, np.uint8))
NO_CORNERS = Corners(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.intp), np.zeros(0, np.float32))


def one_whole(name: str, p: float, quality: float = 0.99, seen: float = 1.0):
    return whole_cards(card(400, 300)[None], readings((name, p, quality)), np.array([seen]))


def test_index_places_lie_inside_near_their_corners() -> None:
    (quad,) = card(0, 0)[None]
    for corner, place in zip(quad, index_places(quad)[0], strict=True):
        assert np.linalg.norm(place - corner) < 30
        assert np.abs(place[0]) < 50
        assert np.abs(place[1]) < 72


def test_the_letter_decides_over_the_figure() -> None:
    """A queen drawn like a king: the reader says K, two corners say D."""
    net = Printed(("Qh", 0.98, 0.95), ("7h", 0.1, 0.0), ("Qh", 0.98, 0.95), ("7h", 0.1, 0.0))
    whole = Witnesses(SaysNothing(), net).weighed(PICTURE, one_whole("Kh", 0.9))  # type: ignore[arg-type]
    assert RANKS[whole.readings.ranks[0].argmax()] == "Q"
    assert whole.index[0] > 0.9


def test_one_letter_against_a_sure_figure_leaves_doubt() -> None:
    net = Printed(("Qh", 0.95, 0.9))
    whole = Witnesses(SaysNothing(), net).weighed(PICTURE, one_whole("Kh", 0.97))  # type: ignore[arg-type]
    assert whole.readings.ranks[0].max() < 0.9


def test_corners_without_an_index_change_nothing() -> None:
    before = one_whole("Kh", 0.9)
    whole = Witnesses(SaysNothing(), Printed()).weighed(PICTURE, before)  # type: ignore[arg-type]
    np.testing.assert_allclose(whole.readings.ranks, before.readings.ranks, atol=1e-3)
    assert whole.index[0] < 0.1


def test_a_card_cut_by_the_edge_is_read_by_its_index() -> None:
    cut = whole_cards(card(400, 300)[None], readings(("3h", 0.99, 0.99)), np.ones(1), np.array([True]))
    assert cut.readings.quality[0] == 0
    whole = Witnesses(SaysNothing(), Printed(("6h", 0.99, 0.97))).weighed(PICTURE, cut)  # type: ignore[arg-type]
    assert RANKS[whole.readings.ranks[0].argmax()] == "6"
    assert whole.alone[0]


def test_a_seen_corner_of_no_card_is_a_card_of_its_own() -> None:
    corners = Corners(card(150, 200)[None], np.array([0]), np.array([0.6], np.float32))
    net = Printed(*[("7h", 0.1, 0.0)] * 4, ("10s", 0.98, 0.97))
    found = Witnesses(SaysNothing(), net).heard(PICTURE, one_whole("Kh", 0.98), corners)  # type: ignore[arg-type]
    assert found.alone.tolist() == [False, True]
    assert RANKS[found.readings.ranks[1].argmax()] == "10"
    assert SUITS[found.readings.suits[1].argmax()] == "s"


def test_a_corner_of_a_sure_card_is_not_asked_again() -> None:
    corners = Corners(card(402, 301)[None], np.array([2]), np.array([0.9], np.float32))
    net = Printed()
    found = Witnesses(SaysNothing(), net).heard(PICTURE, one_whole("Kh", 0.98), corners)  # type: ignore[arg-type]
    assert len(found) == 1
    assert net.asked == 4


def test_the_other_corner_of_a_card_is_no_second_card() -> None:
    """Two corners of one covered card, its middle hidden: one card."""
    quads = np.stack([card(150, 200), card(158, 206)])
    corners = Corners(quads, np.array([0, 2]), np.array([0.6, 0.5], np.float32))
    net = Printed(("10s", 0.98, 0.97), ("10s", 0.97, 0.96))
    nothing = whole_cards(quads[:0], readings(), np.zeros(0))
    found = Witnesses(SaysNothing(), net).heard(PICTURE, nothing, corners)  # type: ignore[arg-type]
    assert len(found) == 1


@pytest.mark.parametrize(("step", "count"), [(0.18, 4), (0.03, 1)])
def test_a_full_fan_keeps_its_neighbours_apart(step: float, count: int) -> None:
    quads = np.stack([card(200 + 100 * step * k, 200) for k in range(4)])
    corners = Corners(quads, np.zeros(4, np.intp), np.full(4, 0.6, np.float32))
    names = ["10s", "9s", "8d", "Ah"]
    net = Printed(*[(name, 0.98, 0.97 - 0.01 * k) for k, name in enumerate(names)])
    nothing = whole_cards(quads[:0], readings(), np.zeros(0))
    found = Witnesses(SaysNothing(), net).heard(PICTURE, nothing, corners)  # type: ignore[arg-type]
    assert len(found) == count


def test_a_sure_index_takes_the_place_of_a_doubtful_card_it_contradicts() -> None:
    """A quad over two cards' strips, read as a nine: the corner's own four is right."""
    doubtful = one_whole("9s", 0.6, quality=0.6, seen=0.6)
    corners = Corners(card(400, 300)[None], np.array([1]), np.array([0.5], np.float32))
    net = Printed(*[("7h", 0.1, 0.0)] * 4, ("4c", 0.98, 0.98))
    found = Witnesses(SaysNothing(), net).heard(PICTURE, doubtful, corners)  # type: ignore[arg-type]
    assert [RANKS[r.argmax()] for r in found.readings.ranks] == ["4"]


def test_a_shared_corner_is_the_better_cards() -> None:
    one, other = card(400, 300), card(402, 302)
    whole = whole_cards(np.stack([one, other]), readings(("Kh", 0.98, 0.98), ("9s", 0.5, 0.5)), np.array([1.0, 0.6]))
    net = Printed(("Kh", 0.98, 0.97), *[("7h", 0.1, 0.0)] * 3, ("Kh", 0.98, 0.97))
    found = Witnesses(SaysNothing(), net).weighed(PICTURE, whole)  # type: ignore[arg-type]
    assert found.index[0] > 0.9
    assert found.index[1] == 0


def test_surest_corners_come_once() -> None:
    once = Corners(card(150, 200)[None], np.array([0]), np.array([0.4], np.float32))
    again = Corners(card(151, 200)[None], np.array([0]), np.array([0.7], np.float32))
    both = surest([once, again, NO_CORNERS], 10)
    assert both.score.tolist() == pytest.approx([0.7])
    assert len(surest([], 10)) == 0


def test_spanish_indices_are_numbers() -> None:
    said = IndexReadings(
        peaked(INDEX_RANKS, "12", 0.9)[None], np.full((1, 4), 0.25, np.float32), np.ones(1, np.float32)
    )
    assert SPANISH_RANKS[SPANISH.said(said)[0].argmax()] == 12
    assert SPANISH.said(IndexReadings(peaked(INDEX_RANKS, "A", 0.9)[None], said.suits, said.quality))[0].argmax() == 0
    assert FRENCH.said(said).shape == (1, 13)
    assert len(SPANISH.columns) == len(SPANISH_RANKS)
    assert len(SPANISH_SUITS) == 4


CROSS = [("7h", 480, 300, 0), ("Ks", 520, 330, 78), ("10d", 430, 360, -65)]
FAN = [("8h", 330, 330, -24), ("Qs", 400, 305, -8), ("10d", 470, 300, 8), ("Ac", 545, 315, 22)]
COLUMN = [("9c", 480, 220, 0), ("Jd", 480, 275, 1), ("7s", 480, 330, -1), ("Qh", 480, 385, 0)]


@pytest.mark.parametrize("kind", ["green", "dark", "wood"])
@pytest.mark.parametrize(("scene", "least"), [(CROSS, 2), (FAN, 3), (COLUMN, 3)], ids=["cross", "fan", "column"])
def test_covered_cards(reader: CardReader, paint: Callable, kind: str, scene: list, least: int) -> None:
    """Our own painted cards, of a deck that no training saw, half and more under each other."""
    picture, truth = paint(kind, "letele", scene, 230)
    read = [s.card for s in reader.read(picture) if s.card is not None]
    assert len(set(read) & {t.card for t in truth}) >= least
    assert not set(read) - {t.card for t in truth}
