"""The five traffic lights: what is measured is what was done to the picture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.lights import (
    BOUNDS,
    Bounds,
    Kind,
    Level,
    Light,
    blur,
    card_height,
    card_slant,
    expected_height,
    glare,
    traffic_lights,
    white_level,
)
from calibration.setup import TableSetup
from vision.camera import Image
from vision.events import CardSighting, Quad
from vision.quads import in_order

SETUP = TableSetup.whole(4, 640, 360)
PLACES = ((150, 90, 10), (430, 110, -40), (300, 260, 85))


def quads(slant: float = 0.0, scale: float = 1.0) -> np.ndarray:
    """Three cards on a table that a far camera sees at a slant."""
    card = np.array([[-31.5, -44], [31.5, -44], [31.5, 44], [-31.5, 44]]) * 0.8 * scale
    out = []
    for x, y, turn in PLACES:
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        out.append((card @ np.array([[c, s], [-s, c]]) + [x, y]) * [1, np.cos(np.radians(slant))])
    return in_order(np.array(out, np.float32))


def table(white: int = 230, sigma: float = 0.0) -> Image:
    image = np.full((720, 1280, 3), (60, 90, 60), np.float32)
    for quad in quads():
        cv2.fillConvexPoly(image, np.round(quad * 2).astype(np.int32), (white, white, white))
        for k in range(4):
            x, y = 2 * (quad[k] * 0.6 + quad.mean(0) * 0.4)
            cv2.circle(image, (int(x), int(y)), 9, (20, 20, 120), -1)
    if sigma:
        image = cv2.GaussianBlur(image, (0, 0), 2 * sigma)
    noise = np.random.default_rng(2).normal(0, 1.5, (360, 640, 3))
    return np.clip(cv2.resize(image, (640, 360), interpolation=cv2.INTER_AREA) + noise, 0, 255).astype(np.uint8)


def seen(slant: float = 0.0) -> list[CardSighting]:
    out = []
    for quad in quads(slant):
        a, b, c, d = ((float(x), float(y)) for x, y in quad)
        corners: Quad = (a, b, c, d)
        out.append(CardSighting("7h", 0.99, corners))
    return out


def lights(picture: Image, cards: list[CardSighting]) -> dict[Kind, Light]:
    return {light.kind: light for light in traffic_lights(picture, SETUP, cards)}


def test_a_good_table_is_green_all_over() -> None:
    large = cv2.resize(table(), (1280, 720), interpolation=cv2.INTER_CUBIC)
    cards = [replace(card, quad=tuple((2 * x, 2 * y) for x, y in card.quad)) for card in seen()]  # type: ignore[arg-type]
    found = lights(np.asarray(large, np.uint8), cards)
    assert [light.level for light in found.values()] == ["green"] * 5
    assert all(light.sure for light in found.values())
    assert found["size"].value == pytest.approx(2 * 70.4, rel=0.03)


@pytest.mark.parametrize("white", [40, 80, 150, 230])
def test_light_is_the_white_of_the_cards(white: int) -> None:
    picture = table(white)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    assert white_level(np.asarray(grey, np.uint8), np.ones(grey.shape, bool), quads()) == pytest.approx(white, abs=5)


@pytest.mark.parametrize("sigma", [1.0, 1.5, 2.5, 3.0])
def test_blur_is_the_smoothing_that_the_picture_underwent(sigma: float) -> None:
    grey = np.asarray(cv2.cvtColor(table(sigma=sigma), cv2.COLOR_BGR2GRAY), np.uint8)
    assert blur(grey, np.ones(grey.shape, bool), quads(), 70) == pytest.approx(sigma, rel=0.3)
    sharp = np.asarray(cv2.cvtColor(table(), cv2.COLOR_BGR2GRAY), np.uint8)
    assert blur(sharp, np.ones(sharp.shape, bool), quads(), 70) < 0.85


@pytest.mark.parametrize("slant", [0, 20, 40, 55])
def test_the_shape_of_lying_cards_tells_the_slant(slant: float) -> None:
    assert card_slant(quads(slant)) == pytest.approx(slant, abs=3 if slant else 8)


def test_a_mirrored_lamp_is_measured_in_cards() -> None:
    picture = table()
    cv2.circle(picture, (520, 280), 30, (255, 255, 255), -1)
    zone = np.ones(picture.shape[:2], bool)
    assert glare(picture, zone, quads()) == pytest.approx(np.pi * 30**2, rel=0.1)
    assert glare(table(), zone, quads()) == 0
    assert lights(picture, seen())["glare"].level == "red"


def test_without_cards_the_figures_are_estimates() -> None:
    found = lights(table(), [])
    assert not any(light.sure for light in found.values())
    assert found["size"].value == pytest.approx(expected_height(SETUP))
    assert found["size"].value == pytest.approx(640 * 88 / 800)


def test_the_size_of_a_card_does_not_depend_on_how_it_is_turned() -> None:
    assert card_height(quads()) == pytest.approx(88 * 0.8, rel=0.02)


@pytest.mark.parametrize(
    ("value", "level"), [(100.0, "green"), (80.0, "amber"), (79.9, "amber"), (40.0, "amber"), (39.0, "red")]
)
def test_bounds_tell_the_level(value: float, level: Level) -> None:
    assert Bounds(90, 40, more=True).level(value) == level
    assert Bounds(-90, -40, more=False).level(-value) == level


def test_every_light_has_amber_before_red() -> None:
    for bounds in BOUNDS.values():
        assert (bounds.amber > bounds.red) is bounds.more
