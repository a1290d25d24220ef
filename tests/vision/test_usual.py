"""The common size of a picture's cards, and cards that the picture's edge cuts."""

from __future__ import annotations

import numpy as np
import pytest

from vision.plane import CardSize
from vision.usual import cut_off, large_enough, unusual, usual_size


def card(x: float, y: float, width: float = 100) -> np.ndarray:
    """An upright card with its centre at (x, y)."""
    half = np.array([width / 2, width * 0.7])
    return (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [x, y]).astype(np.float32)


def test_a_few_keys_do_not_outvote_a_card() -> None:
    quads = np.stack([card(300, 300), *(card(40 * i, 50, 28) for i in range(1, 7))])
    score = np.full(7, 0.9)
    size = usual_size(quads, score)
    assert size is not None
    assert size.area_at(np.array([[300, 300]], np.float32))[0] == pytest.approx(14000, rel=0.2)
    assert large_enough(quads, size).tolist() == [0]


def test_nothing_sure_drops_nothing() -> None:
    quads = np.stack([card(300, 300), card(40, 50, 28)])
    score = np.array([0.3, 0.4])
    assert usual_size(quads, score) is None
    assert large_enough(quads, None).tolist() == [0, 1]
    assert not unusual(quads, None).any()


def test_two_cards_side_by_side_are_unusual() -> None:
    pair = np.array([[0, 0], [210, 0], [210, 140], [0, 140]], np.float32)
    size = CardSize.fitted(card(300, 300)[None])
    assert unusual(np.stack([card(300, 300), pair, card(500, 300, 50)]), size).tolist() == [
        False,
        True,
        True,
    ]


def test_cards_over_the_edge_are_cut() -> None:
    quads = np.stack([card(300, 300), card(30, 300), card(300, 640 - 71)])
    assert cut_off(quads, np.full(3, 0.9), 640, 640).tolist() == [False, True, False]


def test_a_small_quad_along_the_edge_is_cut_only_beside_whole_cards() -> None:
    half = np.array([[0, 200], [60, 200], [60, 340], [0, 340]], np.float32)
    score = np.full(2, 0.9)
    assert cut_off(np.stack([card(300, 300), half]), score, 640, 640).tolist() == [False, True]
    assert cut_off(half[None], score[:1], 640, 640).tolist() == [False]


def test_a_known_size_tells_a_half_card_from_a_whole_one() -> None:
    half = np.array([[0, 200], [60, 200], [60, 340], [0, 340]], np.float32)
    known = CardSize.fitted(card(300, 300)[None])
    assert cut_off(half[None], np.full(1, 0.9), 640, 640, known).tolist() == [True]
