"""The finder's recipe: targets say what the picture shows, rendered pictures are whole, a toy run learns."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("PIL")

from models import training  # noqa: E402
from models.finder.recipe import export, train  # noqa: E402
from models.finder.recipe.bootstrap import in_box, lies_above  # noqa: E402
from models.finder.recipe.corners import place_of, window_of  # noqa: E402
from models.finder.recipe.layouts import LAYOUTS, places  # noqa: E402
from models.finder.recipe.net import LENGTH, Finder, normalise  # noqa: E402
from models.finder.recipe.photographs import Photograph, laid_order, load, shared_area, view  # noqa: E402
from models.finder.recipe.scenes import Scenes  # noqa: E402
from models.finder.recipe.targets import FIELDS, Target, loss_of, target  # noqa: E402
from models.reader.recipe.cards import Card  # noqa: E402

QUAD = np.float32([[40, 32], [104, 32], [104, 128], [40, 128]])


def deck() -> list[Card]:
    """Three blank cards of different colours."""
    cards = []
    for shade in (255, 220, 190):
        image = np.full((210, 140, 4), 255, np.uint8)
        image[..., :3] = shade
        image[60:150, 40:100, :3] = (20, 20, 160)
        cards.append(Card(image, 0, 0, "flat"))
    return cards


def test_target_marks_inside_border_and_geometry() -> None:
    t = target([QUAD], [], [], 160, 160)
    assert t.maps[0, 40, 36] == 1
    assert t.maps[0, 5, 5] == 0
    assert t.maps[1, 40, 20] == 1
    assert t.depth.max() == 1
    y, x = 80 // 8, 72 // 8
    dx, dy, long, short = t.geometry[:4, y, x]
    assert np.exp(long) * LENGTH == pytest.approx(48, abs=0.5)
    assert np.exp(short) * LENGTH == pytest.approx(32, abs=0.5)
    assert x * 8 + 1.5 + dx * 48 == pytest.approx(72, abs=0.5)
    assert y * 8 + 1.5 + dy * 48 == pytest.approx(80, abs=0.5)
    assert t.geometry[4:, y, x] == pytest.approx([-1, 0, 1, 0], abs=1e-3)


def test_later_cards_cover_earlier_ones_and_hands_cover_all() -> None:
    above = QUAD + np.float32([32, 0])
    t = target([QUAD, above], [], [], 160, 160)
    covered = t.geometry[0, 10, 11], t.geometry[2, 10, 11]
    alone = target([above], [], [], 160, 160)
    assert covered == pytest.approx((alone.geometry[0, 10, 11], alone.geometry[2, 10, 11]))
    hand = np.float32([[60, 60], [90, 60], [90, 90], [60, 90]])
    assert target([QUAD], [hand], [], 160, 160).maps[0, 37, 37] == 0


def test_unknown_areas_weigh_nothing() -> None:
    t = target([QUAD], [], [QUAD], 160, 160)
    assert t.weight[40, 36] == 0
    assert t.card_weight.sum() == 0
    assert t.heat_weight[40, 36] == 0
    assert t.axes_weight.sum() == 0


def peak_at(t: Target, place: np.ndarray) -> float:
    x, y = np.int32(np.round((place - 0.5) / 2))
    return float(t.heat[y, x])


def test_seen_corners_are_peaks_with_axes_pointing_inwards() -> None:
    t = target([QUAD], [], [], 160, 160)
    assert place_of(QUAD, 0) == pytest.approx([40 + 0.12 * 64, 32 + 0.14 * 96], abs=1e-3)
    for corner, (right, down) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        place = place_of(QUAD, corner)
        assert peak_at(t, place) > 0.8
        x, y = np.int32(np.round((place - 1.5) / 4))
        assert t.axes_weight[y, x] > 0
        assert np.exp(t.axes[:2, y, x]) * LENGTH == pytest.approx([32, 48], abs=0.1)
        assert t.axes[2:, y, x] == pytest.approx([right, 0, 0, down], abs=1e-5)
    assert t.axes_weight.sum() == pytest.approx(4, abs=1e-4)


def test_covered_corners_and_backs_are_no_peaks() -> None:
    above = QUAD + np.float32([32, 0])  # covers the corners on the right, the left ones stay
    t = target([QUAD, above], [], [], 160, 160)
    seen = [peak_at(t, place_of(QUAD, corner)) > 0.5 for corner in range(4)]
    assert seen == [True, False, False, True]
    assert target([QUAD], [], [], 160, 160, [False]).heat.max() == 0
    cut = target([QUAD - np.float32([50, 0])], [], [], 160, 160)
    assert peak_at(cut, place_of(QUAD - np.float32([50, 0]), 1)) > 0.5
    assert cut.axes_weight.sum() == pytest.approx(2, abs=1e-4)


def test_windows_start_at_their_corner() -> None:
    for corner in range(4):
        window = window_of(QUAD, corner)
        assert window[0] == pytest.approx(QUAD[corner], abs=1e-3)
        assert cv2.pointPolygonTest(window, tuple(map(float, place_of(QUAD, corner))), False) > 0


def test_upper_cards_come_later() -> None:
    assert laid_order(3, [(0, 1), (1, 2)]) == [2, 1, 0]
    assert laid_order(2, []) == [0, 1]
    assert sorted(laid_order(3, [(0, 1), (1, 2), (2, 0)])) == [0, 1, 2]


def test_a_proposal_must_fill_the_box_on_all_sides() -> None:
    box = np.float32([40, 32, 104, 128])
    three = np.stack([QUAD + 30, QUAD + 1, QUAD + 2])
    assert in_box(box, three, np.float32([1, 0.5, 0.5]), (160, 160)) == pytest.approx(QUAD + 1)
    assert in_box(box, three, np.float32([1, 0.1, 0.9]), (160, 160)) == pytest.approx(QUAD + 2)
    assert in_box(box, three[:1], np.float32([1]), (160, 160)) is None


def test_the_card_whose_sides_are_seen_lies_above() -> None:
    lower, upper = QUAD, QUAD + np.float32([30, 20])
    border = np.zeros((160, 160), np.float32)
    cv2.polylines(border, [np.int32(upper)], True, 1.0, 2)
    assert lies_above(border, upper, lower) is True
    assert lies_above(border, lower, upper) is False
    assert lies_above(np.zeros_like(border), lower, upper) is None


def test_photographs_take_over_what_the_bootstrap_found(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    cv2.imwrite(str(tmp_path / "source" / "a.jpg"), np.zeros((200, 200, 3), np.uint8))
    other = (QUAD + np.float32([30, 20])).tolist()
    cards = [{"box": [40, 32, 104, 128], "quad": QUAD.tolist()}, {"box": [70, 52, 134, 148], "quad": None}]
    about = {"source": "source", "file": "a.jpg", "dev": False, "cards": cards}
    (tmp_path / "quads.json").write_text(json.dumps([about]))
    before = load(tmp_path, tmp_path)[0]
    assert (len(before.quads), len(before.unknown)) == (1, 1)
    found = {"quads": [QUAD.tolist(), other], "above": [[0, 1]], "strange": []}
    (tmp_path / "found.json").write_text(json.dumps([found]))
    after = load(tmp_path, tmp_path)[0]
    assert after.quads[0] == pytest.approx(np.float32(other))
    assert after.quads[1] == pytest.approx(QUAD)
    assert after.unknown == []


def test_every_layout_lays_cards() -> None:
    rng = np.random.default_rng(0)
    for layout in LAYOUTS:
        assert all(len(places(rng, layout, 100)) >= 1 for _ in range(10))


def test_rendered_cards_lie_where_the_quads_say() -> None:
    scenes = Scenes([deck()], [1.0], [], smallest=40, largest=60)
    rng = np.random.default_rng(2)
    inner, outer = [], []
    for _ in range(30):
        picture = scenes.draw(rng)
        assert picture.image.shape == (256, 256, 3)
        if not picture.quads or picture.holes:
            continue
        quad = picture.quads[-1]
        centre = quad.mean(0)
        inside = np.zeros((256, 256), np.uint8)
        ring = inside.copy()
        cv2.fillConvexPoly(inside, np.int32(centre + (quad - centre) * 0.9), 1)
        cv2.polylines(ring, [np.int32(centre + (quad - centre) * 1.3)], True, 1)
        if inside.sum() > 300 and ring.sum() > 20:
            inner.append(picture.image[inside > 0].max(0).mean())
            outer.append(picture.image[ring > 0].mean())
    assert len(inner) > 8
    assert np.mean(inner) > np.mean(outer)


def test_photograph_views_move_quads_with_the_picture() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    quad = np.float32([[150, 100], [210, 100], [210, 190], [150, 190]])
    cv2.fillConvexPoly(image, np.int32(quad), (255, 255, 255))
    photograph = Photograph(image, [quad], [])
    rng = np.random.default_rng(0)
    for _ in range(10):
        seen = view(rng, photograph, 256, 40, 80)
        x, y = seen.quads[0].mean(0)
        if 3 < x < 252 and 3 < y < 252:
            assert seen.image[int(y), int(x)].min() > 200


def test_shared_area_needs_a_real_overlap() -> None:
    assert shared_area(QUAD, QUAD + np.float32([200, 0])) is None
    assert shared_area(QUAD, QUAD + np.float32([10, 0])) is not None


def test_loss_is_least_for_the_truth() -> None:
    t = target([QUAD], [], [], 160, 160)
    truth = {name: torch.from_numpy(getattr(t, name))[None] for name in FIELDS}

    def logit(values: torch.Tensor) -> torch.Tensor:
        return torch.logit(values.clamp(1e-3, 1 - 1e-3))

    maps = torch.cat([truth["maps"] * 20 - 10, logit(truth["heat"])[:, None]], 1)
    right = (maps, logit(truth["depth"])[:, None], truth["geometry"], truth["axes"])
    assert loss_of(right, truth)[0] < 0.5
    for part in range(4):
        wrong = tuple(-r if k == part else r for k, r in enumerate(right))
        assert loss_of(wrong, truth)[0] > loss_of(right, truth)[0] + 0.1


def test_net_gives_four_maps() -> None:
    maps, depth, geometry, axes = Finder().eval()(normalise(np.zeros((1, 64, 96, 3), np.uint8)))
    assert tuple(maps.shape) == (1, 3, 32, 48)
    assert tuple(depth.shape) == (1, 1, 16, 24)
    assert tuple(geometry.shape) == (1, 8, 8, 12)
    assert tuple(axes.shape) == (1, 6, 16, 24)


def test_toy_run_learns_and_exports(tmp_path: Path) -> None:
    folder = tmp_path / "flat" / "deck"
    folder.mkdir(parents=True)
    for name, card in zip(("Ac", "2c", "3c"), deck(), strict=True):
        cv2.imwrite(str(folder / f"{name}.png"), card.image)
    if not any(Path("/usr/share/fonts").rglob("*.ttf")):
        pytest.skip("no fonts to draw letters with")
    out = tmp_path / "finder.pt"
    losses = train.train(
        train.parse(
            [
                "--flat",
                str(tmp_path / "flat"),
                "--out",
                str(out),
                "--samples",
                "240",
                "--workers",
                "0",
                "--drawn",
                "1",
                "--full",
            ]
        )
    )
    assert np.mean(losses[-6:]) < np.mean(losses[:6]) - 0.1
    assert export.export(out, tmp_path / "finder.onnx") < 1e-2
    again = Finder()
    training.begin(again, tmp_path / "finder.onnx", lambda: normalise(np.zeros((2, 64, 64, 3), np.uint8)))
    trained = torch.load(out)
    for name in ("fine.weight", "corner.1.weight"):
        assert torch.allclose(again.state_dict()[name], trained[name])
