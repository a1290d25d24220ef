"""Cards painted onto tables are found and read; what is no card is not."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.events import CardSighting
from vision.quads import in_order, iou
from vision.reading import CardReader

TRICK = [("7h", 480, 480, 8), ("Ks", 250, 330, 97), ("10d", 480, 170, 184), ("Ac", 710, 320, -80)]
ROW = [
    ("8c", 150, 320, 0),
    ("9h", 320, 330, 12),
    ("Jd", 500, 315, -7),
    ("Qh", 670, 320, 180),
    ("10s", 840, 325, 3),
]


def found(sightings: list[CardSighting]) -> list[str]:
    return sorted(s.card for s in sightings if s.card is not None)


def ranks(cards: list[str]) -> list[str]:
    return sorted(card[:-1] for card in cards)


@pytest.mark.parametrize("deck", ["letele", "drawn"])
@pytest.mark.parametrize("kind", ["green", "dark", "wood"])
@pytest.mark.parametrize("scene", [TRICK, ROW], ids=["trick", "row"])
def test_separate_cards(reader: CardReader, paint: Callable, deck: str, kind: str, scene: list) -> None:
    picture, truth = paint(kind, deck, scene, 190)
    sightings = reader.read(picture)
    right = set(ranks(found(sightings))) & {t.card[:-1] for t in truth}
    assert len(right) >= len(truth) - 1
    assert len(found(sightings)) <= len(truth)
    for sighting in sightings:
        if sighting.card is not None:
            (quad,) = in_order(np.array(sighting.quad))
            assert max(iou(quad, in_order(t.quad)[0]) for t in truth) > 0.7
            assert 0 < sighting.confidence <= 1


def test_seen_from_low(reader: CardReader, paint: Callable) -> None:
    picture, truth = paint("green", "letele", TRICK, 190, slant=0.16)
    assert len(set(ranks(found(reader.read(picture)))) & {t.card[:-1] for t in truth}) >= 3


@pytest.mark.parametrize("size", [(960, 640), (2400, 1600)])
def test_any_size(reader: CardReader, paint: Callable, size: tuple[int, int]) -> None:
    picture, _ = paint("green", "letele", TRICK, 190)
    picture = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC)
    assert ranks(found(reader.read(picture))) == ["10", "7", "A", "K"]


def test_backs_are_not_cards(reader: CardReader, paint: Callable) -> None:
    picture, _ = paint("green", "letele", [("back", 300, 300, 10), ("back", 640, 330, 60)], 190)
    assert found(reader.read(picture)) == []


@pytest.mark.parametrize("kind", ["green", "dark", "wood"])
def test_bare_tables(reader: CardReader, paint: Callable, kind: str) -> None:
    assert found(reader.read(paint(kind, "letele", [], 190)[0])) == []


def test_things_that_are_no_cards(reader: CardReader, paint: Callable) -> None:
    picture, _ = paint("wood", "letele", [], 190)
    cv2.rectangle(picture, (100, 120), (260, 420), (20, 20, 22), -1)  # a phone
    cv2.rectangle(picture, (112, 140), (248, 400), (160, 120, 60), -1)
    cv2.rectangle(picture, (500, 200), (650, 420), (235, 240, 240), -1)  # a sheet of paper
    cv2.circle(picture, (800, 300), 80, (70, 60, 150), -1)  # a beer mat
    assert found(reader.read(picture)) == []


@pytest.mark.parametrize("shape", [(1, 1), (3, 400), (15, 15), (40, 2000), (2000, 40)])
def test_strange_pictures(reader: CardReader, shape: tuple[int, int]) -> None:
    assert found(reader.read(np.full((*shape, 3), 90, np.uint8))) == []


def test_find_in_gives_pixels_of_the_whole_picture(reader: CardReader, paint: Callable) -> None:
    picture, truth = paint("green", "letele", TRICK, 190)
    for card in truth:
        (x0, y0), (x1, y1) = card.quad.min(0) - 60, card.quad.max(0) + 60
        sightings = reader.find_in(picture, (x0, y0, x1, y1))
        best = max(sightings, key=lambda s: s.confidence)
        assert best.card is not None
        assert best.card[:-1] == card.card[:-1]
        assert iou(in_order(np.array(best.quad))[0], in_order(card.quad)[0]) > 0.75


def test_find_in_outside_the_picture(reader: CardReader, paint: Callable) -> None:
    picture, _ = paint("green", "letele", [], 190)
    assert reader.find_in(picture, (-500, -500, -20, -20)) == []
    assert reader.find_in(picture, (940, 620, 2000, 2000)) == []


def test_read_quads_keeps_the_order_and_one_each(reader: CardReader, paint: Callable) -> None:
    picture, truth = paint("green", "letele", TRICK, 190)
    quads = [t.quad for t in truth] + [np.array([[20, 20], [120, 20], [120, 170], [20, 170]])]
    sightings = reader.read_quads(picture, quads)
    assert [s.card and s.card[:-1] for s in sightings] == ["7", "K", "10", "A", None]
    assert reader.read_quads(picture, []) == []


def test_same_picture_same_answer(reader: CardReader, paint: Callable) -> None:
    picture, _ = paint("wood", "letele", ROW, 190)
    assert reader.read(picture) == reader.read(picture)


def test_quick_gear_is_quick(reader: CardReader, paint: Callable) -> None:
    picture, truth = paint("green", "letele", TRICK, 190)
    (x0, y0), (x1, y1) = truth[0].quad.min(0) - 60, truth[0].quad.max(0) + 60
    began = time.process_time()
    for _ in range(5):
        reader.find_in(picture, (x0, y0, x1, y1))
    assert (time.process_time() - began) / 5 < 0.2  # some 30 ms on a quiet core
