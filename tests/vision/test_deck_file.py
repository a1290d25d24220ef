"""The file of an enrolled deck: what is written is read again, and bytes that somebody else wrote do no harm."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.deck_file import DeckFile, Shown, crop_of, load, save, thumbnail
from vision.decks import PATTERNS
from vision.errors import BrokenDeck

WORDS = st.text(st.characters(categories=["L", "N", "P", "Zs"], exclude_characters="\u3000"), max_size=40).filter(
    lambda text: text.isprintable()
)


def picture(seed: int) -> np.ndarray:
    """Some crop of the reader's size."""
    rng = np.random.default_rng(seed)
    return cv2.resize(rng.integers(0, 256, (9, 6, 3), dtype=np.uint8), (96, 144), interpolation=cv2.INTER_LINEAR)


def deck(like: str = "numbered8", count: int = 5, numbers: int = 8, **words: str) -> DeckFile:
    """A deck of the first cards of a pattern."""
    pattern = PATTERNS[like]
    rng = np.random.default_rng(count)
    vectors = rng.normal(size=(count, numbers)).astype(np.float32)
    shown = tuple(Shown(pattern.cards[i % len(pattern.cards)], 1 + i % 2, thumbnail(picture(i))) for i in range(count))
    facts = {"name": "chez Robin", "ranking": "8 7 6 5 4 3 2 1", "weights": "abc", **words}
    return DeckFile(
        like=pattern, shown=shown, vectors=vectors / np.linalg.norm(vectors, axis=1, keepdims=True), **facts
    )


@settings(max_examples=25, deadline=None)
@given(
    like=st.sampled_from(sorted(PATTERNS)),
    count=st.integers(1, 12),
    numbers=st.integers(1, 130),
    name=WORDS,
    ranking=WORDS,
)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, like: str, count: int, numbers: int, name: str, ranking: str
) -> None:
    made = deck(like, count, numbers, name=name, ranking=ranking)
    path = tmp_path_factory.mktemp("decks") / "mine.deck"
    save(path, made)
    again = load(path)
    assert (again.name, again.like, again.ranking, again.weights) == (name, made.like, ranking, "abc")
    assert again.shown == made.shown
    assert np.allclose(again.vectors, made.vectors, atol=1e-6)
    assert np.abs(crop_of(again.shown[0]).astype(int) - picture(0)).mean() < 6


def test_one_deck_makes_one_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    for name in ("a.deck", "b.deck"):
        save(tmp_path / name, deck())
    assert (tmp_path / "a.deck").read_bytes() == (tmp_path / "b.deck").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.deck", "b.deck"]
    assert (tmp_path / "a.deck").stat().st_size < 100_000


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.deck"
    save(path, deck(count=2))
    before = path.read_bytes()

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BrokenDeck, match="No space"):
        save(path, deck(count=3))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["mine.deck"]


def archive(changes: dict[str, bytes | None], compressed: bool = False) -> bytes:
    """The file of a good deck with some of its entries changed or (None) left out."""
    path = io.BytesIO()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as out:
        made = deck(count=2)
        entries: dict[str, bytes] = {
            "deck.json": json.dumps(facts()).encode(),
            "vectors.f32": made.vectors.astype("<f4").tobytes(),
            "shown/0.jpg": made.shown[0].thumbnail,
            "shown/1.jpg": made.shown[1].thumbnail,
        }
        for name, data in {**entries, **changes}.items():
            if data is not None:
                out.writestr(name, data)
    return path.getvalue()


def facts(**changes: object) -> dict[str, object]:
    return {
        "format": 1,
        "name": "chez Robin",
        "like": "numbered8",
        "copies": 4,
        "ranking": "",
        "weights": "abc",
        "numbers": 8,
        "shown": [{"card": "1", "light": 1}, {"card": "2", "light": 1}],
        **changes,
    }


def text(**changes: object) -> dict[str, bytes | None]:
    return {"deck.json": json.dumps(facts(**changes)).encode()}


def huge_jpeg() -> bytes:
    """A JPEG of a few hundred bytes whose header promises 60,000 x 60,000 pixels."""
    data = bytearray(thumbnail(picture(0)))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = (60000).to_bytes(2, "big") * 2
    return bytes(data)


HOSTILE = {
    "empty": b"",
    "text": b"un jeu de cartes",
    "pickle": pickle.dumps({"name": "x"}),
    "no json": archive({"deck.json": None}),
    "no json at all": archive({"deck.json": b"\xff\xfe{"}),
    "a list": archive({"deck.json": b"[]"}),
    "nested": archive({"deck.json": b"[" * 200_000}),
    "long json": archive({"deck.json": b" " * (2 << 20)}),
    "no cards": archive(text(shown=[])),
    "a card of another deck": archive(text(shown=[{"card": "7h", "light": 1}, {"card": "2", "light": 1}])),
    "an unhashable card": archive(text(shown=[{"card": ["1"], "light": 1}, {"card": "2", "light": 1}])),
    "light of a word": archive(text(shown=[{"card": "1", "light": "day"}, {"card": "2", "light": 1}])),
    "too many numbers": archive(text(numbers=1 << 40)),
    "negative numbers": archive(text(numbers=-8)),
    "format of a word": archive(text(format="1")),
    "name with control characters": archive(text(name="\x1b[2J")),
    "name without end": archive(text(name="a" * 100_000)),
    "vectors short": archive({"vectors.f32": b"\0" * 12}),
    "vectors of nothing": archive({"vectors.f32": b"\0" * 64}),
    "vectors not finite": archive({"vectors.f32": np.full(16, np.nan, "<f4").tobytes()}),
    "vectors without end": archive({"vectors.f32": b"\0" * (4 << 20)}),
    "no picture": archive({"shown/1.jpg": None}),
    "a picture that is none": archive({"shown/1.jpg": b"un roi"}),
    "a picture that promises gigabytes": archive({"shown/1.jpg": huge_jpeg()}),
    "a picture of another size": archive({"shown/1.jpg": thumbnail(picture(1)[:72])}),
    "a bomb": archive({"vectors.f32": b"\0" * (64 << 20)}, compressed=True),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "theirs.deck"
    path.write_bytes(HOSTILE[name])
    with pytest.raises(BrokenDeck) as caught:
        load(path)
    assert "theirs.deck" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


def test_a_deck_of_a_later_version_says_so(tmp_path: Path) -> None:
    for n, changes in enumerate((text(format=2), text(like="tarot78"))):
        path = tmp_path / f"{n}.deck"
        path.write_bytes(archive(changes))
        with pytest.raises(BrokenDeck, match="plus récente"):
            load(path)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.deck", tmp_path):
        with pytest.raises(BrokenDeck):
            load(path)


GOOD = archive({})


@settings(max_examples=150, deadline=None)
@given(cut=st.integers(0, len(GOOD)), at=st.integers(0, len(GOOD) - 1), value=st.integers(0, 255))
def test_damaged_files_load_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, cut: int, at: int, value: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.deck"
    changed = bytearray(GOOD)
    changed[at] = value
    for data in (GOOD[:cut], bytes(changed)):
        path.write_bytes(data)
        try:
            again = load(path)
        except BrokenDeck:
            continue
        assert {s.card for s in again.shown} <= set(again.like.cards)
        assert np.isfinite(again.vectors).all()
