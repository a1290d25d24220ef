"""A pack laid out in a few pictures, in any order: its cards are found, named, or asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.calibrating.deck import Lesson, from_pictures, one_after_another
from assistant.cli import main
from calibration.enrolment import Enroller
from calibration.laid_out import cards_named, in_reading_order, lying_in
from vision.camera import Frame
from vision.decks import PATTERNS, deck_named

Paint = Callable[..., np.ndarray]
SPOTS = [(130, 130), (330, 140), (540, 125), (120, 360), (340, 350), (545, 365)]


def laid_out(paint: Paint, faces: dict[str, np.ndarray], cards: list[str], seed: int = 3) -> np.ndarray:
    """Up to six cards in two rows, not quite straight."""
    laid = [(faces[card], x, y, 7.0 * (i - 2)) for i, (card, (x, y)) in enumerate(zip(cards, SPOTS, strict=False))]
    return paint(laid, 150, seed, (680, 490))


@pytest.mark.parametrize(
    ("stem", "like", "cards"),
    [
        ("7s+8s+Rd", "french32", ("7s", "8s", "Kd")),
        ("1e+12b", "spanish40", ("1e", "12b")),
        ("3+5", "numbered8", ("3", "5")),
        ("7s+2s", "french32", ()),
        ("7s", "french32", ()),
        ("table", "french32", ()),
    ],
)
def test_a_picture_lists_its_cards_by_its_name(stem: str, like: str, cards: tuple[str, ...]) -> None:
    assert cards_named(stem, PATTERNS[like]) == cards


def test_cards_are_in_reading_order_whatever_their_slant() -> None:
    corners = np.float32([[-20, -30], [20, -30], [20, 30], [-20, 30]])
    middles = [(300, 118), (90, 100), (200, 92), (95, 210), (310, 196)]
    quads = np.stack([corners + np.float32(middle) for middle in middles])
    got = in_reading_order(quads).mean(1).round().astype(int).tolist()
    assert got == [[90, 100], [200, 92], [300, 118], [95, 210], [310, 196]]
    assert in_reading_order(quads[:0]).shape == (0, 4, 2)


def test_every_card_of_a_laid_out_picture_is_found_once(paint: Paint, numbers: dict[str, np.ndarray]) -> None:
    quads = lying_in(laid_out(paint, numbers, list("124567")), Enroller())
    assert np.abs(quads.mean(1) - np.array(SPOTS)).max() < 12


def test_french_cards_in_any_order_name_themselves(
    paint: Paint, french: dict[str, np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images = tmp_path / "images"
    images.mkdir()
    cards = ["Qh", "7s", "Ad", "10h", "Qs", "7d"]
    cv2.imwrite(str(images / "IMG_1.png"), laid_out(paint, french, cards))
    words = ["calibrate", "deck", "--like", "french32", "--images", str(images), "--out", str(tmp_path / "d")]
    assert main([*words, "--json", "--sheet", str(tmp_path / "sheet.png")]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert set(facts["cards"]) <= set(cards)
    assert len(facts["cards"]) >= 5
    assert cv2.imread(str(tmp_path / "sheet.png")).shape[1] > 800


def test_cards_without_an_index_are_named_by_the_picture_and_then_known(
    paint: Paint, numbers: dict[str, np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images = tmp_path / "images"
    images.mkdir()
    cv2.imwrite(str(images / "1+2+3+4+5+6.png"), laid_out(paint, numbers, list("123456")))
    cv2.imwrite(str(images / "7+8.png"), laid_out(paint, numbers, list("78")))
    words = ["calibrate", "deck", "--like", "numbered8", "--images", str(images), "--out", str(tmp_path / "d")]
    assert main(words) == 0
    more = tmp_path / "more"
    more.mkdir()
    cv2.imwrite(str(more / "evening.png"), laid_out(paint, numbers, list("531"), seed=6))
    assert main(["calibrate", "deck", "--images", str(more), "--out", str(tmp_path / "d"), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out.splitlines()[-1])
    again = {s.card for s in deck_named(str(tmp_path / "d")).file.shown[8:]}
    assert facts["pictures"] > 8
    assert again <= {"5", "3", "1"}


def lesson(tmp_path: Path) -> Lesson:
    like = PATTERNS["numbered8"]
    return Lesson(tmp_path / "d", like, "robin", "", None, Enroller())


def test_what_cannot_be_named_is_asked_for(paint: Paint, numbers: dict[str, np.ndarray], tmp_path: Path) -> None:
    images = tmp_path / "images"
    images.mkdir()
    cv2.imwrite(str(images / "pack.png"), laid_out(paint, numbers, list("628")))
    answers = iter(["6", "neuf", "2", ""])
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return next(answers)

    learnt = lesson(tmp_path)
    from_pictures(learnt, images, ask=ask)
    assert learnt.missing == ("1", "3", "4", "5", "7", "8")
    assert len(asked) == 4
    assert "neuf" in asked[2]


def test_a_number_that_lies_there_four_times_is_asked_for_once(
    paint: Paint, numbers: dict[str, np.ndarray], tmp_path: Path
) -> None:
    images = tmp_path / "images"
    images.mkdir()
    cv2.imwrite(str(images / "pack.png"), laid_out(paint, numbers, list("262662"), seed=5))
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        number = int(question.split(",")[1].split()[1])
        return "262662"[number - 1]

    learnt = lesson(tmp_path)
    from_pictures(learnt, images, ask=ask)
    assert learnt.missing == ("1", "3", "4", "5", "7", "8")
    assert len(asked) < 6


def test_where_nobody_answers_the_open_cards_are_listed(
    paint: Paint, numbers: dict[str, np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images = tmp_path / "images"
    images.mkdir()
    cv2.imwrite(str(images / "pack.png"), laid_out(paint, numbers, list("628")))
    words = ["calibrate", "deck", "--like", "numbered8", "--images", str(images), "--out", str(tmp_path / "d")]
    assert main([*words, "--json"]) == 2
    assert "1, 2, 3" in capsys.readouterr().err


class Film:
    """Cards shown one after another: a hand comes, lays a card, goes."""

    def __init__(self, pictures: list[np.ndarray]) -> None:
        self._pictures = pictures
        self.closed = False

    def __iter__(self) -> Iterator[Frame]:
        index = 0
        for picture in self._pictures:
            for step in range(14):
                image = picture.copy()
                if step < 4:  # a sleeve over the right half
                    image[:, 240 + 20 * step :] = (60, 40, 120 + 10 * step)
                yield Frame(index / 10, image, index)
                index += 1

    def close(self) -> None:
        self.closed = True


def test_cards_are_shown_to_the_camera_one_after_another(
    paint: Paint, numbers: dict[str, np.ndarray], tmp_path: Path
) -> None:
    """In the order in which they are asked for; a card that stays while a hand passes is not learnt twice."""
    bare = paint([], 190, 7)
    shown = [paint([(numbers[n], 240, 180, 12.0)], 190, 7) for n in "123"]
    said: list[str] = []
    learnt = lesson(tmp_path)
    one_after_another(learnt, Film([bare, shown[0], shown[0], shown[1], bare, shown[2]]), say=said.append)
    assert learnt.missing == ("4", "5", "6", "7", "8")
    assert [s.card for s in learnt.file.shown] == ["1", "2", "3"] if learnt.file else False
    assert [line for line in said if "merci" in line] == ["  Le 1 : merci", "  Le 2 : merci", "  Le 3 : merci"]
    assert deck_named(str(tmp_path / "d")).cards == ("1", "2", "3")


def test_french_cards_may_be_shown_in_any_order(paint: Paint, french: dict[str, np.ndarray], tmp_path: Path) -> None:
    film = Film([paint([], 190, 7), *(paint([(french[card], 240, 180, 8.0)], 190, 7) for card in ("Qh", "7s"))])
    learnt = Lesson(tmp_path / "d", PATTERNS["french32"], "x", "", None, Enroller())
    one_after_another(learnt, film, say=lambda _line: None)
    assert learnt.file is not None
    assert {shown.card for shown in learnt.file.shown} == {"Qh", "7s"}
