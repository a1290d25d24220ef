"""The reader's answers: six fields a crop, probabilities that sum to one, vectors of length one."""

from __future__ import annotations

import numpy as np
import pytest

from vision.reader import RANKS, SPANISH_RANKS, SPANISH_SUITS, SUITS, VECTOR, ReaderNet, Readings


@pytest.fixture(scope="module")
def net() -> ReaderNet:
    return ReaderNet()


@pytest.fixture(scope="module")
def crops() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 255, (3, 144, 96, 3)).astype(np.uint8)


def test_no_crops_no_readings(net: ReaderNet) -> None:
    none = net.read(np.zeros((0, 144, 96, 3), np.uint8))
    assert none.vectors.shape == (0, VECTOR)
    assert none.spanish_ranks.shape == (0, len(SPANISH_RANKS))
    assert none.score.shape == (0,)


def test_every_crop_gets_probabilities_and_a_vector(net: ReaderNet, crops: np.ndarray) -> None:
    got = net.read(crops)
    for answers, names in (
        (got.ranks, RANKS),
        (got.suits, SUITS),
        (got.spanish_ranks, SPANISH_RANKS),
        (got.spanish_suits, SPANISH_SUITS),
    ):
        assert answers.shape == (3, len(names))
        assert answers.sum(1) == pytest.approx(1, abs=1e-4)
    assert got.vectors.shape == (3, VECTOR)
    assert np.linalg.norm(got.vectors, axis=1) == pytest.approx(1, abs=1e-4)
    assert np.all((got.quality >= 0) & (got.quality <= 1))


def test_upside_down_is_the_same_when_read_both_ways(net: ReaderNet, crops: np.ndarray) -> None:
    upright, turned = net.read(crops), net.read(crops[:, ::-1, ::-1])
    assert upright.vectors == pytest.approx(turned.vectors, abs=1e-4)
    one_way = net.read(crops, both_ways=False)
    assert np.abs(one_way.ranks - net.read(crops[:, ::-1, ::-1], both_ways=False).ranks).max() > 1e-4


def test_some_of_the_readings_keep_all_their_fields() -> None:
    rng = np.random.default_rng(1)
    all_of_them = Readings(*(rng.random(shape) for shape in ((4, 13), (4, 4), (4,), (4, 12), (4, 4), (4, VECTOR))))
    two = all_of_them.of([3, 1])
    assert np.array_equal(two.vectors, all_of_them.vectors[[3, 1]])
    assert np.array_equal(two.quality, all_of_them.quality[[3, 1]])
    assert two.score == pytest.approx(all_of_them.score[[3, 1]])
