"""The index reader's recipe: fresh indices, views with true labels, a toy run that learns and exports."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("PIL")

from models.indices.recipe import evaluate, export, train, windows  # noqa: E402
from models.indices.recipe.corners import ACROSS, Corner, boxes, corner_of, part  # noqa: E402
from models.indices.recipe.fresh import TALL, Type, cast, fresh, upright_fonts  # noqa: E402
from models.indices.recipe.net import RANKS, SUITS, IndexReader, normalise  # noqa: E402
from models.reader.recipe.cards import Card  # noqa: E402
from vision import indices as runtime  # noqa: E402
from vision.crops import Pyramid  # noqa: E402

FONTS = Path("/usr/share/fonts")
if not FONTS.exists() or not any(FONTS.rglob("*.ttf")):
    pytest.skip("no fonts to draw indices with", allow_module_level=True)


@pytest.fixture(scope="module")
def some_fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four fonts: casting all of a machine takes too long for a test."""
    folder = tmp_path_factory.mktemp("fonts")
    for font in upright_fonts(FONTS)[:4]:
        (folder / Path(font).name).write_bytes(Path(font).read_bytes())
    return folder


@pytest.fixture(scope="module")
def type_(some_fonts: Path) -> Type:
    return cast(some_fonts)


def face(width: int = 170, height: int = 250) -> np.ndarray:
    """A white card whose corners 0 and 2 carry a black bar of a letter's size."""
    card = np.full((height, width, 4), 255, np.uint8)
    for view in (card, card[::-1, ::-1]):
        view[14:36, 12:24, :3] = 0
    return card


def test_training_and_runtime_agree_on_what_a_window_is() -> None:
    from models.indices.recipe import net

    assert (net.RANKS, net.SUITS, net.WIDTH, net.HEIGHT) == (
        runtime.RANKS,
        runtime.SUITS,
        runtime.WIDTH,
        runtime.HEIGHT,
    )
    assert (net.LEFT, net.TOP, net.RIGHT, net.BOTTOM) == (runtime.LEFT, runtime.TOP, runtime.RIGHT, runtime.BOTTOM)


@pytest.mark.parametrize("corner", [0, 1])
def test_training_cuts_the_very_pixels_that_the_runtime_cuts(corner: int) -> None:
    rng = np.random.default_rng(2)
    picture = cv2.GaussianBlur(rng.integers(0, 255, (300, 300, 3)).astype(np.uint8), (0, 0), 3)
    quad = np.float32([[90, 60], [190, 80], [165, 225], [65, 200]])
    x = -1.0 if corner else 0.0
    card = np.float32([[x, 0], [x + 1, 0], [x + 1, runtime.RATIO], [x, runtime.RATIO]])
    laid = cv2.getPerspectiveTransform(card, quad)
    trained = windows.cut(picture, laid @ windows.window_map(bool(corner)), 102)
    cut = runtime.windows(Pyramid(picture), quad[None], np.array([corner]))[0]
    assert np.abs(trained.astype(int) - cut).max() <= 1


def test_letter_gives_the_boxes_of_rank_and_suit() -> None:
    found = boxes(face(), right=False)
    assert found is not None
    rank, suit = found
    assert rank == pytest.approx((12 / 170, 14 / 170, 24 / 170, 36 / 170), abs=0.02)
    assert suit[1] == pytest.approx(rank[3])
    wide = boxes(face(), right=False, digits=2)
    assert wide is not None
    assert wide[0][2] > rank[2]
    assert boxes(face(), right=True) is None


def test_corner_of_a_turned_card_is_its_lower_right_one() -> None:
    card = face()
    card[176:182, 86:94, 0] = 90
    upper, lower = (corner_of(Card(card, 3, 1, "flat"), False, turned=turned) for turned in (False, True))
    assert upper is not None
    assert lower is not None
    assert np.array_equal(upper.card.image, part(card, False))
    assert np.array_equal(lower.card.image, part(card[::-1, ::-1], False))


@pytest.mark.parametrize("right", [False, True])
def test_fresh_index_stands_in_its_box(type_: Type, right: bool) -> None:
    rng, unit = np.random.default_rng(0), 150.0
    for _ in range(20):
        corner = fresh(rng, type_, [], unit, right)
        x0, y0, x1, y1 = (v * unit for v in corner.rank_box)
        if right:
            x0, x1 = x0 + ACROSS * unit, x1 + ACROSS * unit
        inside = corner.card.image[round(y0) : round(y1) + 1, max(round(x0), 0) : round(x1) + 1, :3].astype(int)
        assert inside.size
        assert np.ptp(inside.sum(2)) > 150, RANKS[corner.card.rank]


def test_bare_corner_is_asked_nothing(type_: Type) -> None:
    rng = np.random.default_rng(1)
    corner = fresh(rng, type_, [], 120, False, indexed=False)
    views = windows.Windows([[corner]], [1.0], None, [], [], afresh=0)
    drawn = [v for _ in range(10) for v in views.draw(rng)]
    assert {(v.rank, v.suit, v.quality) for v in drawn} == {(-1, -1, 0.0)}


def nine(type_: Type) -> Corner:
    """A black nine of spades."""
    rng = np.random.default_rng(4)
    while True:
        corner = fresh(rng, type_, [], 150, False)
        if RANKS[corner.card.rank] == "9" and corner.card.suit == 3:
            return corner


def test_views_carry_true_labels(type_: Type) -> None:
    rng = np.random.default_rng(3)
    views = windows.Windows([[nine(type_)]], [1.0], None, [], [], afresh=0)
    drawn = [v for _ in range(60) for v in views.draw(rng)]
    assert {v.rank for v in drawn} == {RANKS.index("9"), -1}
    assert {v.suit for v in drawn} == {3, -1}
    assert all(v.window.shape == (54, 40, 3) and 0 <= v.quality <= 1 for v in drawn)
    assert all(v.rank == -1 for v in drawn if v.quality == 0)
    assert {0.0, 1.0} <= {v.quality for v in drawn}


def test_index_on_its_head_or_covered_is_no_index(type_: Type) -> None:
    corner = nine(type_)
    laid = np.array([[100.0, 0, 30], [0, 100, 30], [0, 0, 1]])
    picture, clear = np.full((120, 120, 3), 128, np.uint8), np.zeros((120, 120), np.uint8)
    views = windows.Windows([[corner]], [1.0], None, [], [])
    straight = views.view(windows.Scene(picture, laid, clear, 100), corner, np.eye(3), 0)
    assert (straight.rank, straight.quality) == (8, 1)
    covered = views.view(windows.Scene(picture, laid, clear + 255, 100), corner, np.eye(3), 0)
    assert (covered.rank, covered.quality) == (-1, 0)
    turned = windows.about(windows.MIDDLE, windows.turning(np.pi))
    assert views.view(windows.Scene(picture, laid, clear, 100), corner, turned, 1.0).quality == 0


def test_same_seed_same_views(type_: Type) -> None:
    views = windows.Windows([], [], type_, [], [])
    first, second = (views.draw(np.random.default_rng(5)) for _ in range(2))
    assert all(np.array_equal(a.window, b.window) for a, b in zip(first, second, strict=True))


def test_temperature_cools_what_boasts() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(4000, 15)).astype(np.float32)
    cumulated = np.cumsum(evaluate.softmax(logits), 1)
    truth = (rng.random((4000, 1)) > cumulated).sum(1).clip(max=14)
    assert evaluate.temperature(logits, truth) == pytest.approx(1.0, abs=0.12)
    assert evaluate.temperature(logits * 2, truth) == pytest.approx(2.0, abs=0.24)


def test_net_answers_twenty_numbers() -> None:
    net = IndexReader().eval()
    assert tuple(net(normalise(np.zeros((2, 54, 40, 3), np.uint8))).shape) == (2, len(RANKS) + len(SUITS) + 1)
    assert 0.25e6 < sum(p.numel() for p in net.parameters()) < 0.45e6


def test_toy_run_learns_and_exports(tmp_path: Path, some_fonts: Path) -> None:
    (tmp_path / "flat" / "deck").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "flat" / "deck" / "Ac.png"), face())
    out = tmp_path / "indices.pt"
    arguments = ["--flat", str(tmp_path / "flat"), "--fonts", str(some_fonts), "--out", str(out)]
    losses = train.train(train.parse([*arguments, "--samples", "2560", "--pool", "2", "--workers", "0", "--full"]))
    assert np.mean(losses[-4:]) < np.mean(losses[:4]) - 0.1
    assert export.export(out, tmp_path / "indices.onnx") < 1e-3
    assert export.export(out, tmp_path / "cooler.onnx", ranks=2.0, suits=4.0) < 1e-3
    windows_ = np.random.default_rng(0).integers(0, 255, (3, 54, 40, 3)).astype(np.uint8)
    plain, cooler = (evaluate.OnnxIndexReader(tmp_path / f"{n}.onnx").read(windows_) for n in ("indices", "cooler"))
    assert cooler.logits[:, :15] * 2 == pytest.approx(plain.logits[:, :15], abs=1e-3)
    assert cooler.logits[:, 15:19] * 4 == pytest.approx(plain.logits[:, 15:19], abs=1e-3)
    assert cooler.quality == pytest.approx(plain.quality, abs=1e-4)


def test_glyphs_are_kept_at_one_height(type_: Type) -> None:
    assert {g.shape[0] for drawn in type_.glyphs.values() for g in drawn} == {TALL}
    assert set(type_.marks) == set(SUITS)
