"""The size of cards over a picture, on planes whose perspective is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.plane import CardSize
from vision.quads import areas

CARD = (6.3, 8.8)
"""Width and height in centimetres."""


def seen(places: np.ndarray, slant: float, turns: np.ndarray | float = 0.3, scale: float = 1.0) -> np.ndarray:
    """Cards at places (N, 2) in cm on a table, through a camera 80 cm away that is ``slant`` degrees from the vertical,
    (N, 4, 2) pixels of a 1280x720 picture."""
    places = np.asarray(places, float)
    turns = np.broadcast_to(turns, len(places))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * CARD / 2 * scale
    c, s = np.cos(turns), np.sin(turns)
    turned = np.einsum("nij,kj->nki", np.stack([np.stack([c, -s], 1), np.stack([s, c], 1)], 1), corners)
    flat = places[:, None] + turned
    points = np.concatenate([flat, np.zeros((*flat.shape[:2], 1))], 2).reshape(-1, 3)
    rotation = np.array([np.radians(slant), 0, 0])
    camera = np.array([[1000.0, 0, 640], [0, 1000, 360], [0, 0, 1]])
    image, _ = cv2.projectPoints(points, rotation, np.array([0.0, 0, 80]), camera, None)
    return image.reshape(-1, 4, 2).astype(np.float32)


def grid() -> np.ndarray:
    return np.array([(x, y) for x in (-24, -8, 8, 24) for y in (-15, 0, 15)], float)


@pytest.mark.parametrize("slant", [0, 25, 50])
def test_many_cards_tell_the_size_of_any_other(slant: float) -> None:
    size = CardSize.fitted(seen(grid(), slant, np.linspace(0, 3, 12)))
    others = seen(np.array([(-16, 8), (0, 20), (30, -18), (-3, -12)]), slant, 1.1)
    assert size.area_at(others.mean(1)) == pytest.approx(areas(others), rel=0.08)
    assert size.fits(others).all()


def test_perspective_is_more_than_a_constant_could_allow() -> None:
    near_and_far = areas(seen(np.array([(0, 25), (0, -25)]), 50))
    assert max(near_and_far) > 3 * min(near_and_far)


def test_one_card_gives_its_own_size_everywhere_near() -> None:
    one = seen(np.array([(4, 3)]), 30)
    size = CardSize.fitted(one)
    assert size.area_at(one.mean(1)) == pytest.approx(areas(one), rel=1e-3)
    assert size.area_at(one.mean(1) + 100) == pytest.approx(areas(one), rel=1e-3)


def test_a_few_cards_side_by_side_do_not_foretell_the_far_end_of_the_table() -> None:
    jitter = np.random.default_rng(3).normal(0, 2, (3, 4, 2)).astype(np.float32)
    size = CardSize.fitted(seen(np.array([(-8, 14), (0, 14), (8, 14)]), 45) + jitter)
    far = seen(np.array([(5, -22)]), 45)
    assert size.fits(far).all()
    assert size.unknown_at(far.mean(1)) > 3 * size.unknown_at(np.array([[640, 560]], np.float32))


def test_far_too_small_and_far_too_large_things_do_not_fit() -> None:
    size = CardSize.fitted(seen(grid(), 35))
    places = np.array([(0, 5), (-15, -10), (12, 10)])
    assert size.fits(seen(places, 35)).all()
    assert not size.fits(seen(places, 35, scale=0.4)).any()  # pips, figures of court cards
    assert not size.fits(seen(places, 35, scale=1.6)).any()  # phones, napkins
    assert not size.fits(seen(places, 35, scale=0.7)).any()  # half a card
    assert size.fits(seen(places, 35, scale=0.9)).all()


def test_pips_read_as_cards_do_not_outvote_the_cards() -> None:
    cards = seen(grid()[:5], 35)
    pips = seen(grid()[:5] + 1, 35, scale=0.2)
    for mixed in (np.concatenate([cards, pips]), np.concatenate([pips, cards])):
        size = CardSize.fitted(mixed)
        assert size.fits(cards).all()
        assert not size.fits(pips).any()


def test_a_phone_among_cards_does_not_bend_the_plane() -> None:
    cards, phone = seen(grid(), 35), seen(np.array([(30, 20)]), 35, scale=2.0)
    size = CardSize.fitted(np.concatenate([cards, phone]))
    assert size.area_at(cards.mean(1)) == pytest.approx(areas(cards), rel=0.05)
    assert not size.fits(phone).any()


def test_beyond_the_horizon_there_is_no_card() -> None:
    size = CardSize.fitted(seen(grid(), 50))
    horizon = 360 + 1000 / np.tan(np.radians(50))  # the far side of this table is at the picture's bottom
    before, beyond = size.area_at(np.array([[640, horizon - 200], [640, horizon + 100]], np.float32))
    assert before > 0
    assert beyond == 0
