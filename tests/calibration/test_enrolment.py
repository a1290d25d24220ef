"""Enrolling a deck from pictures, and reading with it: decks that no training saw, painted by the tests."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cli import main
from assistant.wiring import deck_for
from calibration.enrolment import best_cuts, card_named, pictures_in
from vision.decks import PATTERNS, deck_named
from vision.enrolled import EnrolledDeck
from vision.reading import CardReader

Paint = Callable[..., np.ndarray]


@pytest.mark.parametrize(
    ("stem", "like", "card"),
    [
        ("7h", "french32", "7h"),
        ("10S-2", "french32", "10s"),
        ("rc", "french32", "Kc"),
        ("Dd (3)", "french32", "Qd"),
        ("1h_evening", "french32", "Ah"),
        ("Vs", "french52", "Js"),
        ("2h", "french32", None),
        ("2h", "french52", "2h"),
        ("11b", "spanish40", "11b"),
        ("9o", "spanish40", None),
        ("9o", "spanish48", "9o"),
        ("3-4", "numbered8", "3"),
        ("9", "numbered8", None),
        ("IMG_2041", "french32", None),
        ("", "french32", None),
    ],
)
def test_cards_are_named_by_their_files(stem: str, like: str, card: str | None) -> None:
    assert card_named(stem, PATTERNS[like]) == card


def test_pictures_without_a_card_in_their_name_are_told_apart(tmp_path: Path) -> None:
    for name in ("7h.jpg", "7h-2.PNG", "table.jpg", "notes.txt", ".7s.jpg"):
        (tmp_path / name).touch()
    named, unnamed = pictures_in(tmp_path, PATTERNS["french32"])
    assert [(path.name, card) for path, card in named] == [("7h-2.PNG", "7h"), ("7h.jpg", "7h")]
    assert [path.name for path in unnamed] == ["table.jpg"]


def box(x: float, y: float, width: float, height: float) -> np.ndarray:
    return np.float32([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])


def test_the_whole_card_wins_over_the_frame_printed_on_it() -> None:
    quads = np.stack([box(20, 20, 60, 110), box(10, 10, 80, 130), box(300, 10, 80, 130)])
    assert best_cuts(quads, np.array([0.9, 0.85, 0.3]), np.ones(3)) == [1, 0]
    assert best_cuts(quads, np.array([0.5, 0.9, 0.89]), np.ones(3)) == [1]


def test_where_nothing_is_a_card_there_is_no_cut() -> None:
    assert best_cuts(np.zeros((0, 4, 2), np.float32), np.zeros(0), np.zeros(0)) == []
    assert best_cuts(box(0, 0, 60, 90)[None], np.array([0.2]), np.ones(1)) == []


def gallery(folder: Path, faces: dict[str, np.ndarray], paint: Paint, light: int = 0) -> Path:
    """One picture a card, named by the card."""
    folder.mkdir()
    for i, (card, face) in enumerate(faces.items()):
        picture = paint([(face, 240, 180, 37.0 * i % 180)], 190, light + i)
        cv2.imwrite(str(folder / f"{card}.jpg"), picture)
    return folder


@pytest.fixture(scope="module")
def numbered(tmp_path_factory: pytest.TempPathFactory, paint: Paint, numbers: dict[str, np.ndarray]) -> Path:
    """The file of a whole numbered deck."""
    folder = tmp_path_factory.mktemp("numbered")
    images = gallery(folder / "images", numbers, paint)
    assert main(["calibrate", "deck", "--like", "numbered8", "--images", str(images), "--out", str(folder / "d")]) == 0
    return folder / "d"


@pytest.fixture(scope="module")
def part_of_french(
    tmp_path_factory: pytest.TempPathFactory, paint: Paint, french: dict[str, np.ndarray]
) -> tuple[Path, Path]:
    """The pictures of a dozen cards of a French deck, and the file of the deck that they make."""
    folder = tmp_path_factory.mktemp("french")
    images = gallery(folder / "images", french, paint)
    words = ["calibrate", "deck", "--like", "french32", "--images", str(images), "--out", str(folder / "d")]
    assert main([*words, "--json"]) == 1  # twenty cards are missing
    return images, folder / "d"


def table(paint: Paint, faces: dict[str, np.ndarray], cards: list[str], seed: int) -> np.ndarray:
    """Four cards on another table."""
    spots = [(170, 150), (420, 160), (170, 410), (430, 420)]
    laid = [
        (faces[card], x, y, 50.0 * seed + 70 * i) for i, (card, (x, y)) in enumerate(zip(cards, spots, strict=True))
    ]
    return paint(laid, 150, 30 + seed, (600, 560))


def test_a_deck_that_was_never_trained_on_is_read_by_comparison(
    part_of_french: tuple[Path, Path], paint: Paint, french: dict[str, np.ndarray]
) -> None:
    reader = CardReader(deck_named(str(part_of_french[1])))
    cards = list(french)
    right = wrong = 0
    for seed in range(3):
        laid = cards[4 * seed : 4 * seed + 4]
        got = [s.card for s in reader.read(table(paint, french, laid, seed)) if s.card]
        right += sum((Counter(got) & Counter(laid)).values())
        wrong += sum((Counter(got) - Counter(laid)).values())
    assert wrong == 0
    assert right >= 11


def test_a_card_that_was_not_shown_is_seen_but_not_named(
    part_of_french: tuple[Path, Path], paint: Paint, french: dict[str, np.ndarray]
) -> None:
    whole = deck_named(str(part_of_french[1]))
    assert isinstance(whole, EnrolledDeck)
    laid = ["7s", "Qh", "Ad", "10h"]
    kept = [i for i, shown in enumerate(whole.file.shown) if shown.card != "Qh"]
    partial = EnrolledDeck(
        replace(whole.file, shown=tuple(whole.file.shown[i] for i in kept), vectors=whole.file.vectors[kept]),
        whole.comparison,
    )
    sightings = CardReader(partial).read(table(paint, french, laid, 3))
    assert {s.card for s in sightings if s.card} == {"7s", "Ad", "10h"}
    assert any(s.card is None for s in sightings)


def test_four_of_a_number_are_read(
    numbered: Path, paint: Paint, numbers: dict[str, np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "trick.png"), table(paint, numbers, ["3", "5", "3", "8"], 1))
    assert main(["read", "--json", "--deck", str(numbered), str(tmp_path / "trick.png")]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert sorted(c["card"] for c in seen["cards"] if c["card"]) == ["3", "3", "5", "8"]


def test_missing_cards_are_told(part_of_french: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decks", "--json", str(part_of_french[1])]) == 0
    facts = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (facts["like"], facts["copies"], len(facts["cards"]), len(facts["missing"])) == ("french32", 1, 12, 20)
    assert "Kh" in facts["missing"]


def test_another_light_is_added_to_the_deck_that_is_there(
    numbered: Path, paint: Paint, numbers: dict[str, np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "deck"
    out.write_bytes(numbered.read_bytes())
    images = gallery(tmp_path / "images", {"3": numbers["3"]}, paint, light=2)
    assert main(["calibrate", "deck", "--images", str(images), "--out", str(out), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["pictures"], facts["missing"]) == (9, [])
    assert [s.light for s in deck_named(str(out)).file.shown] == [1] * 8 + [2]
    words = ["calibrate", "deck", "--like", "french32", "--images", str(images), "--out", str(out)]
    assert main(words) == 2
    assert "numbered8" in capsys.readouterr().err


def test_watching_takes_an_enrolled_deck(numbered: Path, paint: Paint, numbers: dict[str, np.ndarray]) -> None:
    """The quick gear, as films are read."""
    reader = CardReader(deck_named(deck_for("trut-robin-red", str(numbered))), thorough=False)
    picture = table(paint, numbers, ["3", "5", "3", "8"], 1)
    got = [s.card for s in reader.find_in(picture, (60, 60, 520, 500)) if s.card]
    assert Counter(got) <= Counter(["3", "3", "5", "8"])
    assert len(got) >= 3


def test_a_deck_can_be_kept_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paint: Paint, numbers: dict[str, np.ndarray]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("vision.decks.decks_folder", lambda: tmp_path / "decks")
    monkeypatch.setattr("assistant.calibrating.deck.decks_folder", lambda: tmp_path / "decks")
    images = gallery(tmp_path / "images", {"4": numbers["4"]}, paint)
    words = ["calibrate", "deck", "--like", "numbered8", "--images", str(images), "--name"]
    assert main([*words, "chez Robin"]) == 1
    assert deck_named("chez Robin").cards == ("4",)
    assert main([*words, "../robin"]) == 2


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--like", "numbered8"],
        ["--like", "tarot78", "--images", "{empty}", "--out", "{out}"],
        ["--like", "numbered8", "--images", "{empty}", "--out", "{out}"],
        ["--like", "numbered8", "--images", "{none}", "--out", "{out}"],
        ["--images", "{empty}", "--out", "{out}"],
        ["--like", "numbered8", "--images", "{bad}", "--out", "{out}"],
        ["--like", "numbered8", "--camera", "{none}", "--out", "{out}"],
        ["--like", "numbered8", "--camera", "{none}", "--images", "{empty}", "--out", "{out}"],
        ["--images", "{bad}", "--out", "{broken}"],
    ],
    ids=str,
)
def test_unusable_input_is_a_line_each(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "3.jpg").write_bytes(b"\xff\xd8\xff no picture")
    (tmp_path / "broken").write_bytes(b"PK\x05\x06 no deck")
    places = {name: tmp_path / name for name in ("empty", "bad", "none", "out", "broken")}
    assert main(["calibrate", "deck", *(word.format(**places) for word in words)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err
    assert all(line.startswith("trut") for line in err.splitlines())
    assert not (tmp_path / "out").exists()


def test_what_is_still_to_come_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "voice"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("name", ["french32", "numbered8", "", ".hidden", "a\nb"])
def test_a_deck_of_ones_own_has_its_own_name(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["calibrate", "deck", "--like", "french32", "--images", str(tmp_path), "--name", name]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "nom" in told
