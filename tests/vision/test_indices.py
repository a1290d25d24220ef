"""Windows round the corners of cards, and the index reader on painted tables."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.crops import Pyramid
from vision.indices import HEIGHT, RANKS, RATIO, SUITS, WIDTH, IndexNet, IndexReadings, windows


@pytest.fixture(scope="module")
def net() -> IndexNet:
    return IndexNet()


def upright(width: float, x: float = 60, y: float = 50) -> np.ndarray:
    """A card's quad with its first corner at (x, y)."""
    size = np.array([width, RATIO * width])
    return (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size + [x, y]).astype(np.float32)


def dotted(width: float) -> tuple[np.ndarray, np.ndarray]:
    """A black picture with a white card that has a red dot near corner 0 and a green one near corner 2."""
    quad = upright(width)
    picture = np.zeros((int(quad[2, 1]) + 60, int(quad[2, 0]) + 60, 3), np.uint8)
    cv2.fillConvexPoly(picture, np.int32(np.round(quad)), (255, 255, 255))
    for corner, sign, colour in ((0, 1, (0, 0, 255)), (2, -1, (0, 255, 0))):
        at = quad[corner] + sign * width * np.array([0.1, 0.15])
        cv2.circle(picture, tuple(int(v) for v in np.round(at)), int(0.04 * width), colour, -1)
    return picture, quad


@pytest.mark.parametrize("width", [60, 105, 320])
def test_a_window_shows_its_corner_at_any_size(width: float) -> None:
    picture, quad = dotted(width)
    cut = windows(Pyramid(picture), np.stack([quad] * 4), np.arange(4))
    assert cut.shape == (4, HEIGHT, WIDTH, 3)
    x, y = round((0.1 + 0.05) / 0.38 * WIDTH), round((0.15 + 0.05) / 0.52 * HEIGHT)
    assert cut[0, y, x] == pytest.approx([0, 0, 255], abs=30)
    assert cut[2, y, x] == pytest.approx([0, 255, 0], abs=30)
    assert cut[0, 1, 1] == pytest.approx([0, 0, 0], abs=30)  # the table beyond the corner at the upper left
    for corner in (1, 3):
        assert cut[corner, 1, -2] == pytest.approx([0, 0, 0], abs=30)  # at the upper right
        assert cut[corner, -2, 1] == pytest.approx([255, 255, 255], abs=5)


def test_corner_two_is_corner_nought_of_the_turned_card() -> None:
    picture, quad = dotted(90)
    pyramid = Pyramid(picture)
    turned = np.roll(quad, 2, axis=0)
    for corner in range(4):
        this = windows(pyramid, quad[None], np.array([corner]))
        same = windows(pyramid, turned[None], np.array([(corner + 2) % 4]))
        assert np.array_equal(this, same)


def test_nothing_to_read_is_no_fault(net: IndexNet) -> None:
    none = windows(Pyramid(np.zeros((50, 50, 3), np.uint8)), np.zeros((0, 4, 2), np.float32), np.zeros(0, int))
    read = net.read(none)
    assert none.shape == (0, HEIGHT, WIDTH, 3)
    assert (read.ranks.shape, read.suits.shape, read.quality.shape) == ((0, 15), (0, 4), (0,))
    assert read.score.shape == (0,)


def test_readings_are_probabilities(net: IndexNet) -> None:
    read = net.read(np.random.default_rng(0).integers(0, 255, (150, HEIGHT, WIDTH, 3)).astype(np.uint8))
    assert read.ranks.sum(1) == pytest.approx(1, abs=1e-4)
    assert read.suits.sum(1) == pytest.approx(1, abs=1e-4)
    assert ((read.quality >= 0) & (read.quality <= 1)).all()
    assert read.of([3, 5]).score == pytest.approx(read.score[[3, 5]])


def index_readings(
    net: IndexNet, paint: Callable[..., tuple], height: float, shake: float = 0.0
) -> tuple[list[str], IndexReadings]:
    """All cards of the shipped deck on three tables; names and readings of corners 0 and 2."""
    names, cut = [], []
    rng = np.random.default_rng(1)
    pack = [rank + suit for rank in ("7", "8", "9", "10", "J", "Q", "K", "A") for suit in SUITS]
    for kind, part in zip(("green", "dark", "wood"), (pack[:11], pack[11:22], pack[22:]), strict=True):
        places = [
            (name, 130 + 235 * (i % 4), 115 + 205 * (i // 4), float(rng.uniform(-50, 50)))
            for i, name in enumerate(part)
        ]
        picture, laid = paint(kind, "letele", places, height)
        pyramid = Pyramid(picture)
        for card in laid:
            wrong = rng.normal(size=(4, 2)) * shake * height / RATIO
            quads = np.stack([card.quad + wrong] * 2).astype(np.float32)
            cut.append(windows(pyramid, quads, np.array([0, 2])))
            names += [card.card] * 2
    return names, net.read(np.concatenate(cut))


@pytest.mark.parametrize(("height", "shake", "floor"), [(160, 0.0, 0.95), (160, 0.03, 0.92), (80, 0.0, 0.85)])
def test_indices_of_a_deck_never_trained_on_are_read(
    net: IndexNet, paint: Callable[..., tuple], height: float, shake: float, floor: float
) -> None:
    names, read = index_readings(net, paint, height, shake)
    ranks = np.array([RANKS[i] for i in read.ranks.argmax(1)])
    suits = np.array([SUITS[i] for i in read.suits.argmax(1)])
    assert (ranks == [n[:-1] for n in names]).mean() >= floor
    assert (suits == [n[-1] for n in names]).mean() >= floor - 0.05
    assert (read.quality > 0.5).mean() >= 0.93


def test_no_index_where_none_stands(net: IndexNet, paint: Callable[..., tuple]) -> None:
    places = [("9h", 200, 200, 10.0), ("Kc", 480, 200, -20.0), ("back", 760, 200, 5.0), ("As", 200, 460, 80.0)]
    picture, laid = paint("green", "letele", places, 170)
    pyramid = Pyramid(picture)
    quads = np.stack([card.quad for card in laid])
    bare = [windows(pyramid, quads, np.full(3, corner)) for corner in (1, 3)]
    lying = windows(pyramid, np.roll(quads, 1, axis=1), np.zeros(3, int))
    headlong = windows(pyramid, quads, np.zeros(3, int))[:, ::-1, ::-1]
    table = windows(pyramid, np.stack([upright(110, 600, 400), upright(70, 380, 420)]), np.zeros(2, int))
    quality = net.read(np.concatenate([*bare, lying, headlong, table])).quality
    assert (quality < 0.5).mean() >= 0.9
