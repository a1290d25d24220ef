"""Looks: two crops of one card agree pixel by pixel, whatever the light and whichever way up."""

from __future__ import annotations

import cv2
import numpy as np

from vision.looks import HEIGHT, WIDTH, correlation, looks_of


def a_card(seed: int) -> np.ndarray:
    """A straightened card (144, 96, 3) with a few coloured spots on white paper."""
    rng = np.random.default_rng(seed)
    card = np.full((144, 96, 3), 240, np.uint8)
    for _ in range(6):
        x, y = int(rng.integers(20, 76)), int(rng.integers(25, 119))
        cv2.circle(card, (x, y), int(rng.integers(8, 20)), rng.integers(0, 200, 3).tolist(), -1, cv2.LINE_AA)
    return card


CARDS = np.stack([a_card(seed) for seed in range(5)])


def test_a_look_is_small_and_has_three_planes() -> None:
    assert looks_of(CARDS).shape == (5, HEIGHT, WIDTH, 3)
    assert looks_of(CARDS[:0]).shape == (0, HEIGHT, WIDTH, 3)


def test_a_card_agrees_with_itself_in_warm_dim_light_cut_otherwise_and_upside_down() -> None:
    warm = np.clip(CARDS * np.array([0.35, 0.5, 0.6]), 0, 255).astype(np.uint8)
    moved = np.stack([np.roll(card, (3, -2), (0, 1)) for card in warm])[:, ::-1, ::-1]
    agree = correlation(looks_of(moved), looks_of(CARDS))
    assert agree.argmax(1).tolist() == [0, 1, 2, 3, 4]
    own = np.diag(agree)
    assert own.min() > 0.9
    assert (agree - np.diag(own)).max() < own.min() - 0.1


def test_nothing_agrees_with_nothing() -> None:
    assert correlation(looks_of(CARDS), looks_of(CARDS[:0])).shape == (5, 0)
    plain = np.full((1, 144, 96, 3), 128, np.uint8)
    assert abs(float(correlation(looks_of(plain), looks_of(CARDS)).max())) < 1e-3
