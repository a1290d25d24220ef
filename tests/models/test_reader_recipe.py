"""The reader's recipe: letters are found and changed, views carry true labels, a toy run learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("PIL")

from models.reader.recipe import drawn_spanish, export, train  # noqa: E402
from models.reader.recipe.boxes import quad_in_box  # noqa: E402
from models.reader.recipe.cards import Card, cut_outs, index_of, relettered, with_identities  # noqa: E402
from models.reader.recipe.drawn import draw_card, random_style  # noqa: E402
from models.reader.recipe.identities import Identities  # noqa: E402
from models.reader.recipe.letters import all_letters, find_fonts, lettered  # noqa: E402
from models.reader.recipe.net import RANKS, SUITS, Reader, normalise  # noqa: E402
from models.reader.recipe.prepare import covered_by_others, is_development  # noqa: E402
from models.reader.recipe.quads import overlap, rectified  # noqa: E402
from models.reader.recipe.views import Views, guess, seen_share  # noqa: E402

FONTS = Path("/usr/share/fonts")
if not FONTS.exists() or not any(FONTS.rglob("*.ttf")):
    pytest.skip("no fonts to draw letters with", allow_module_level=True)


@pytest.fixture(scope="module")
def fonts() -> list[str]:
    return find_fonts(FONTS)


@pytest.fixture(scope="module")
def faces(fonts: list[str]) -> list[Card]:
    """Two drawn decks: material that every machine has."""
    rng = np.random.default_rng(3)
    cards = []
    for _ in range(2):
        style = random_style(rng, fonts)
        for i, rank in enumerate(RANKS):
            for j, suit in enumerate(SUITS):
                cards.append(Card(cv2.resize(draw_card(rng, style, rank, suit), (140, 210)), i, j, "drawn"))
    return cards


def test_names_become_indices() -> None:
    assert index_of("10h") == (9, 2)
    assert index_of("K") == (12, -1)
    assert index_of("joker") is None


def test_letter_is_found_and_changed_only_in_the_corners(fonts: list[str]) -> None:
    card = np.full((300, 200, 4), 255, np.uint8)
    for view in (card, card[::-1, ::-1]):
        cv2.rectangle(part := view[14:38, 12:26].copy(), (0, 0), (13, 23), (0, 0, 0, 255), -1)
        view[14:38, 12:26] = part
    places = all_letters(card)
    assert places is not None
    assert [turned for _, turned, _ in places] == [False, True]
    changed = lettered(np.random.default_rng(0), card, "V", fonts, places)
    touched = np.argwhere(np.any(changed != card, axis=2))
    assert len(touched)
    middle = (touched[:, 0] > 60) & (touched[:, 0] < 240)
    assert not middle.any()


def test_no_letter_on_a_blank_card() -> None:
    assert all_letters(np.full((300, 200, 4), 255, np.uint8)) is None


def test_views_carry_true_labels(faces: list[Card]) -> None:
    ace_of_spades = [c for c in faces if c.rank == 0 and c.suit == 3]
    rng = np.random.default_rng(1)
    views = Views([ace_of_spades], [1.0], [])
    drawn = [views.draw(rng) for _ in range(90)]
    assert {v.rank for v in drawn} <= {0, -1}
    assert {v.suit for v in drawn} <= {3, -1}
    assert all(v.crop.shape == (144, 96, 3) and 0 <= v.quality <= 1 for v in drawn)
    assert any(v.quality == 1 and v.rank == 0 for v in drawn)
    assert any(v.quality == 0 for v in drawn)


def test_same_seed_same_views(faces: list[Card]) -> None:
    views = Views([faces], [1.0], [])
    first, second = (views.draw(np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first.crop, second.crop)


def test_guesses_are_mostly_close_but_not_always() -> None:
    quad = np.float32([[10, 10], [70, 10], [70, 100], [10, 100]])
    rng = np.random.default_rng(0)
    fits = np.array([overlap(guess(rng, quad), quad) for _ in range(300)])
    assert (fits > 0.85).mean() > 0.5
    assert (fits < 0.55).mean() > 0.03


@pytest.mark.parametrize("angle", [12, 35, 70])
def test_box_becomes_the_quad_of_its_card(angle: float) -> None:
    image = np.full((300, 300, 3), (40, 90, 40), np.uint8)
    corners = cv2.boxPoints(((150, 150), (90, 130), angle))
    cv2.fillConvexPoly(image, np.int32(corners), (240, 240, 240), cv2.LINE_AA)
    box = np.concatenate([corners.min(0), corners.max(0)])
    quad = quad_in_box(image, cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), box, grabcut=False)
    assert quad is not None
    assert overlap(quad, np.float32(corners)) > 0.93
    assert rectified(image, quad, 40, 60).mean() > 200


def test_box_without_a_card_gets_no_quad() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (200, 200, 3)).astype(np.uint8)
    assert quad_in_box(noise, cv2.cvtColor(noise, cv2.COLOR_BGR2GRAY), np.array([50, 40, 120, 150]), False) is None


def test_development_pictures_are_told_by_group_or_split() -> None:
    assert is_development({"group": "5s 6s 7s 8s"})
    assert not is_development({"group": "5h 6h 7h 8h", "split": "test"})
    assert is_development({"split": "test"})
    assert not is_development({"split": "train"})


def test_covered_share() -> None:
    boxes = [[0, 0, 10, 10], [5, 0, 15, 10], [50, 50, 60, 60]]
    assert covered_by_others(boxes, 0) == pytest.approx(0.5)
    assert covered_by_others(boxes, 2) == 0


def test_net_answers_and_gives_vectors_of_length_one() -> None:
    answers, vectors = Reader().eval()(normalise(np.zeros((2, 144, 96, 3), np.uint8)))
    assert tuple(answers.shape) == (2, 34)
    assert tuple(vectors.shape) == (2, 128)
    assert torch.allclose(vectors.norm(dim=1), torch.ones(2), atol=1e-4)


def test_what_covers_a_card_is_told_in_its_views(faces: list[Card]) -> None:
    rng = np.random.default_rng(2)
    shares = [v.visible for v in (Views([faces], [1.0], [], covered=1.0).draw(rng) for _ in range(60))]
    assert min(shares) < 0.5
    free = [Views([faces], [1.0], [], covered=0.0).draw(rng) for _ in range(60)]
    assert np.mean([v.visible > 0.97 for v in free]) > 0.8


def test_a_hidden_card_is_not_asked_for() -> None:
    quad = np.float32([[10, 10], [70, 10], [70, 100], [10, 100]])
    assert seen_share(quad, [], (200, 200)) == pytest.approx(1, abs=0.03)
    assert seen_share(quad, [quad], (200, 200)) == 0
    assert seen_share(quad, [], (55, 200)) == pytest.approx(0.5, abs=0.05)


def test_spanish_deck_has_its_marks_and_gaps(fonts: list[str]) -> None:
    cards = drawn_spanish.deck(np.random.default_rng(4), fonts)
    assert len({(r, s) for _, r, s in cards}) == len(cards) in (40, 48)
    style = replace(drawn_spanish.random_style(np.random.default_rng(4), fonts), double=False, line=2)
    for suit, gaps in drawn_spanish.GAPS.items():
        blank = np.full((420, 270, 3), 255, np.uint8)
        drawn_spanish._frame(blank, style, suit)
        inset = int(style.frame * 270)
        row = (blank[inset, inset + 4 : 266 - inset].sum(1) < 600).astype(int)
        assert (np.diff(row) == -1).sum() == gaps


def test_swapped_courts_are_what_their_letter_says(faces: list[Card], fonts: list[str]) -> None:
    courts = [replace(c, name="deck/x") for c in faces if RANKS[c.rank] in "JQK"]
    swapped = relettered(np.random.default_rng(0), courts, fonts, ("french",), swapped=True)
    assert all(RANKS[c.rank] in "JQK" and not c.name and c.least > 0 for c in swapped)


def test_names_are_numbered_and_the_nameless_are_not(faces: list[Card]) -> None:
    groups, names = with_identities(
        {"a": [replace(faces[0], name="x/As"), replace(faces[1], name="x/Ah")], "b": faces[:1]}
    )
    assert names == ["x/Ah", "x/As"]
    assert [c.identity for c in groups["a"]] == [1, 0]
    assert groups["b"][0].identity == -1


def test_a_crop_of_an_unknown_deck_is_not_pushed_from_the_same_card() -> None:
    names = ["deck/2d", "deck/Ks", "single/2d/one", "single/2d/two"]
    identities = Identities(names)
    with torch.no_grad():
        identities.directions.zero_()
        identities.directions[:, 0] = 1  # all directions alike: only what is compared counts
    view = torch.nn.functional.normalize(torch.ones(1, 128))
    loss = [float(identities(view, torch.tensor([i]))) for i in range(4)]
    assert loss[0] == pytest.approx(loss[2]) == pytest.approx(loss[3])  # two compared: itself and the king
    assert loss[1] > loss[0] + 0.3  # the king is told from all three


def test_toy_run_learns_and_exports(tmp_path: Path, faces: list[Card]) -> None:
    """Some 1,900 views of two drawn decks: the loss falls, and the ONNX file answers as torch does."""
    for card in faces:
        folder = tmp_path / "flat" / "deck"
        folder.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / f"{RANKS[card.rank]}{SUITS[card.suit]}.png"), card.image)
    out = tmp_path / "reader.pt"
    arguments = train.parse(
        [
            "--flat",
            str(tmp_path / "flat"),
            "--out",
            str(out),
            "--samples",
            "1920",
            "--workers",
            "0",
            "--drawn",
            "1",
            "--fresh",
            "1",
            "--spanish",
            "1",
            "--numbered",
            "1",
            "--full",
        ]
    )
    losses = train.train(arguments)
    assert np.mean(losses[-6:]) < np.mean(losses[:6]) - 0.1
    assert export.export(out, tmp_path / "reader.onnx") < 1e-3
    assert not cut_outs_missing_are_silent(tmp_path)


def cut_outs_missing_are_silent(folder: Path) -> bool:
    """A recipe told to use cut-outs that are not there must say so."""
    try:
        cut_outs(folder)
    except (OSError, SystemExit):
        return False
    return True
