"""The detector's recipe: the finder's pictures as files for ultralytics, and photographs chosen once for all."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("PIL")

from models.detector.recipe import compare, material
from models.finder.recipe.photographs import Photograph
from models.finder.recipe.scenes import Picture, Scenes
from models.reader.recipe.cards import Card

QUAD = np.float32([[40, 32], [104, 32], [104, 128], [40, 128]])
BARE = np.full((320, 320, 3), 90, np.uint8)


def corners(line: str, size: int = 320) -> np.ndarray:
    """The polygon of a label line, in pixels."""
    kind, *numbers = line.split()
    assert kind == "0"
    return np.float32([float(n) for n in numbers]).reshape(-1, 2) * size


def test_a_label_holds_the_corners() -> None:
    (line,) = material.labels(Picture(BARE, [QUAD], [], []), 320)
    assert np.abs(np.sort(corners(line), 0) - np.sort(QUAD, 0)).max() < 0.1


def test_a_card_at_the_edge_is_cut_there() -> None:
    (line,) = material.labels(Picture(BARE, [QUAD - np.float32([72, 0])], [], []), 320)
    polygon = corners(line)
    assert polygon.min() >= 0
    assert cv2.contourArea(polygon) == pytest.approx(32 * 96, rel=0.01)
    assert material.labels(Picture(BARE, [QUAD - np.float32([100, 0])], [], []), 320) == []


def test_a_covered_card_has_no_label_but_a_half_covered_one_is_whole() -> None:
    half, whole = QUAD + np.float32([32, 0]), QUAD.copy()
    lines = material.labels(Picture(BARE, [QUAD, half], [], []), 320)
    assert cv2.contourArea(corners(lines[0])) == pytest.approx(64 * 96, rel=0.01)
    assert len(material.labels(Picture(BARE, [QUAD, whole], [], []), 320)) == 1


def test_cards_without_a_quad_are_painted_over_and_known_ones_are_not() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (320, 320, 3)).astype(np.uint8)
    box = QUAD + np.float32([32, 0])
    made = material.without_unknown(np.random.default_rng(2), Picture(noise, [QUAD], [], [box]))
    assert (made.image[40:120, 45:100] == noise[40:120, 45:100]).all()
    assert np.ptp(made.image[40:120, 110:130], axis=(0, 1)).max() == 0
    assert made.unknown == []


def test_photographs_are_drawn_too() -> None:
    rng = np.random.default_rng(3)
    card = np.full((210, 140, 4), 255, np.uint8)
    scenes = Scenes([[Card(card, 0, 0, "flat")]], [1.0], [])
    photo = np.full((400, 400, 3), (10, 200, 10), np.uint8)
    real = [Photograph(photo, [QUAD + 100], [])]
    pictures = [material.draw(rng, scenes, real, 160) for _ in range(30)]
    assert {p.image.shape for p in pictures} == {(160, 160, 3)}
    green = [p for p in pictures if p.image[..., 1].mean() > 2 * p.image[..., [0, 2]].mean()]
    assert 3 <= len(green) <= 20


def test_files_that_ultralytics_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Same:
        smallest = largest = 0.0

        def draw(self, rng: np.random.Generator, size: int) -> Picture:
            return Picture(BARE, [QUAD], [], [])

    monkeypatch.setattr(material, "collect", lambda arguments: (Same(), [], {"digest": "x"}))
    monkeypatch.setattr(material, "HELD_BACK", 1)
    assert material.write(argparse.Namespace(out=tmp_path, count=2, seed=1)) == 3
    for part, names in (("train", ["00000", "00001"]), ("val", ["00002"])):
        assert [p.stem for p in sorted((tmp_path / "images" / part).iterdir())] == names
        assert [p.stem for p in sorted((tmp_path / "labels" / part).iterdir())] == names
    assert f"path: {tmp_path}" in (tmp_path / "data.yaml").read_text()


def test_the_same_photographs_every_time() -> None:
    names = [f"source/{k}.jpg" for k in range(400)]
    half = [n for n in names if compare.chosen(n, 2)]
    assert 160 < len(half) < 240
    assert half == [n for n in reversed(names) if compare.chosen(n, 2)][::-1]
    assert all(compare.chosen(n, 1) for n in names)


def test_a_row_looks_only_where_its_sources_say() -> None:
    table = np.full((200, 300, 3), 60, np.uint8)
    cv2.rectangle(table, (100, 50), (160, 140), (255, 255, 255), -1)
    place = np.float32([[[100, 50], [160, 50], [160, 140], [100, 140]]])
    lone = compare.Proposed([lambda picture: place])
    assert [q.tolist() for q in lone.proposals(table, [], True)] == [place.tolist()]
    assert len(compare.outlines(table)) >= 1
    assert compare.Proposed([lambda picture: np.zeros((0, 4, 2), np.float32)]).read(table) == []


def test_what_was_read_before_is_not_read_again(tmp_path: Path) -> None:
    first = compare.Known(tmp_path / "known.jsonl")
    first.add("outlines", Path("a.jpg"), ["7h", None])
    again = compare.Known(tmp_path / "known.jsonl")
    assert again.get("outlines", Path("a.jpg")) == ["7h", None]
    assert again.get("finder", Path("a.jpg")) is None
    assert compare.Known(None).get("outlines", Path("a.jpg")) is None
