"""``trut read`` as users and checks call it (CLI.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cli import main


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory, paint: Callable) -> Path:
    picture, _ = paint("green", "letele", [("7h", 300, 320, 8), ("Ks", 640, 330, 97)], 220)
    path = tmp_path_factory.mktemp("photos") / "trick.jpg"
    cv2.imwrite(str(path), picture)
    return path


def test_json_has_the_fields_of_the_specification(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(photo)]) == 0
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    seen = json.loads(line)
    assert err == ""
    assert list(seen) == ["file", "width", "height", "ms", "cards"]
    assert (seen["file"], seen["width"], seen["height"]) == (str(photo), 960, 640)
    assert seen["ms"] > 0
    assert {card["card"][:-1] for card in seen["cards"] if card["card"]} == {"7", "K"}
    for card in seen["cards"]:
        assert list(card) == ["card", "confidence", "quad"]
        assert np.array(card["quad"]).shape == (4, 2)
        assert 0 <= card["confidence"] <= 1


def test_sentences_for_people(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(photo)]) == 0
    assert "7" in capsys.readouterr().out


def test_annotate_writes_pictures_and_keeps_the_original(photo: Path, tmp_path: Path) -> None:
    before = photo.read_bytes()
    assert main(["read", "--json", "--annotate", str(tmp_path / "new" / "drawn"), str(photo)]) == 0
    (drawn,) = (tmp_path / "new" / "drawn").iterdir()
    assert cv2.imread(str(drawn)).shape == (640, 960, 3)
    assert photo.read_bytes() == before


def test_no_cards_is_a_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, shape in (("dot.png", (1, 1, 3)), ("bare.png", (300, 400, 3))):
        cv2.imwrite(str(tmp_path / name), np.full(shape, 80, np.uint8))
        assert main(["read", "--json", str(tmp_path / name)]) == 0
        assert json.loads(capsys.readouterr().out)["cards"] == []


def test_bad_input_is_one_line_and_the_good_files_are_read(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.png").write_text("un trut")
    (tmp_path / "cut.jpg").write_bytes(photo.read_bytes()[:-3000])
    bad = [
        tmp_path / "empty.jpg",
        tmp_path / "text.png",
        tmp_path / "cut.jpg",
        tmp_path / "missing.jpg",
        tmp_path,
    ]
    assert main(["read", "--json", *map(str, bad), str(photo)]) == 2
    out, err = capsys.readouterr()
    assert len(err.splitlines()) == len(bad)
    assert all(str(path) in line for path, line in zip(bad, err.splitlines(), strict=True))
    assert [json.loads(line)["file"] for line in out.splitlines()] == [str(photo)]


@pytest.mark.parametrize(
    "extra",
    [["--deck", "tarot78"], ["--detector", "mine.onnx"], ["--annotate", "{photo}"]],
    ids=lambda e: e[0],
)
def test_unusable_options_are_one_line(photo: Path, extra: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = [word.format(photo=photo) for word in extra]
    assert main(["read", "--json", *words, str(photo)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_decks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decks", "--json"]) == 0
    decks = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    shipped = {d["deck"]: len(d["cards"]) for d in decks if "file" not in d}
    assert shipped == {"french32": 32, "french52": 52, "spanish40": 40, "spanish48": 48}
