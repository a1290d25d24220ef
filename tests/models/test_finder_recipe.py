"""The finder's recipe: targets say what the picture shows, rendered pictures are whole, a toy run learns."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("PIL")

from models.finder.recipe import export, train  # noqa: E402
from models.finder.recipe.net import LENGTH, Finder, normalise  # noqa: E402
from models.finder.recipe.photographs import Photograph, shared_area, view  # noqa: E402
from models.finder.recipe.scenes import LAYOUTS, Scenes, places  # noqa: E402
from models.finder.recipe.targets import loss_of, target  # noqa: E402
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
    photograph = Photograph(cv2.imencode(".jpg", image)[1].tobytes(), (400, 300), [quad], [])
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
    truth = [torch.from_numpy(a)[None] for a in (t.maps, t.depth, t.geometry, t.weight, t.card_weight)]
    right = (truth[0] * 20 - 10, torch.logit(truth[1].clamp(1e-3, 1 - 1e-3))[:, None], truth[2])
    wrong = tuple(-r for r in right)
    assert loss_of(right, *truth)[0] < 0.5 < loss_of(wrong, *truth)[0]


def test_net_gives_three_maps() -> None:
    maps, depth, geometry = Finder().eval()(normalise(np.zeros((1, 64, 96, 3), np.uint8)))
    assert tuple(maps.shape) == (1, 2, 32, 48)
    assert tuple(depth.shape) == (1, 1, 16, 24)
    assert tuple(geometry.shape) == (1, 8, 8, 12)


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
    assert np.mean(losses[-4:]) < np.mean(losses[:4]) - 0.1
    assert export.export(out, tmp_path / "finder.onnx") < 1e-2
