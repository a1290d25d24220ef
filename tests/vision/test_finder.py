"""The finder's decoders: peaks and axes become whole cards, the right corner of them, in picture pixels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.vision.conftest import lay, surface
from vision.finder import INDEX_PLACE, UNIT, Corners, FinderNet
from vision.quads import Floats, iou

WIDE, HIGH = 256, 192
CARD = np.array([[96, 40], [144, 40], [144, 112], [96, 112]], np.float32)


def logit(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)), np.float32)


def place_on(quad: Floats, corner: int) -> np.ndarray:
    """Where the index of a corner stands on a parallelogram."""
    short = (quad[1] - quad[0]) * (1 if corner in (0, 3) else -1)
    long = (quad[3] - quad[0]) * (1 if corner in (0, 1) else -1)
    return np.asarray(quad[corner] + INDEX_PLACE[0] * short + INDEX_PLACE[1] * long)


class Net:
    """Stands in for the session: answers with heat and axes for corners of known cards, and nothing else."""

    def __init__(self, seen: list[tuple[Floats, int]]) -> None:
        heat, self.axes = np.zeros((HIGH // 2, WIDE // 2)), np.zeros((1, 6, HIGH // 4, WIDE // 4), np.float32)
        y, x = np.mgrid[: HIGH // 2, : WIDE // 2] * 2 + 0.5
        for quad, corner in seen:
            place = place_on(quad, corner)
            heat = np.maximum(heat, np.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / (2 * 2.2**2)))
            short = (quad[1] - quad[0]) / 2 * (1 if corner in (0, 3) else -1)
            long = (quad[3] - quad[0]) / 2 * (1 if corner in (0, 1) else -1)
            lengths = np.linalg.norm([short, long], axis=1)
            values = [*np.log(lengths / UNIT), *(short / lengths[0]), *(long / lengths[1])]
            col, row = np.round((place - 1.5) / 4).astype(int)
            self.axes[0, :, row - 2 : row + 3, col - 2 : col + 3] = np.reshape(values, (6, 1, 1))
        nothing = np.full((2, HIGH // 2, WIDE // 2), -9.0)
        self.maps = np.concatenate([nothing, logit(heat)[None]])[None].astype(np.float32)

    def run(self, _: None, fed: dict[str, np.ndarray]) -> list[np.ndarray]:
        assert fed["x"].shape == (1, 3, HIGH, WIDE)
        depth = np.full((1, 1, HIGH // 4, WIDE // 4), -9.0, np.float32)
        return [self.maps, depth, np.zeros((1, 8, HIGH // 8, WIDE // 8), np.float32), self.axes]


@pytest.fixture
def corners_of() -> Callable[..., Corners]:
    """Corners that a finder reads from a net which sees just the given corners."""

    def read(*seen: tuple[Floats, int], times: int = 1) -> Corners:
        finder = FinderNet()
        finder._net = Net(list(seen))
        return finder.corners(np.zeros((HIGH * times, WIDE * times, 3), np.uint8), WIDE)

    return read


@pytest.mark.parametrize("corner", range(4))
def test_each_corner_gives_its_whole_card(corners_of: Callable[..., Corners], corner: int) -> None:
    seen = corners_of((CARD, corner))
    assert len(seen) == 1
    assert seen.which[0] == corner
    assert seen.quads[0] == pytest.approx(CARD, abs=0.4)
    assert seen.score[0] > 0.6


def test_a_turned_card_keeps_its_order_and_its_corner(corners_of: Callable[..., Corners]) -> None:
    t = np.radians(35)
    centre = CARD.mean(0)
    turned = (CARD - centre) @ np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]) + centre
    seen = corners_of((turned.astype(np.float32), 2))
    assert seen.quads[0] == pytest.approx(turned, abs=0.5)
    assert seen.which[0] == 2


def test_seen_from_low_the_short_side_stays_the_short_side(corners_of: Callable[..., Corners]) -> None:
    flat = CARD * np.float32([1.5, 0.75])  # 72 wide, 54 high: still 0 and 2 are the sides of a width
    seen = corners_of((flat, 1))
    assert seen.quads[0] == pytest.approx(flat, abs=0.5)
    assert seen.which[0] == 1


def test_several_corners_come_surest_first_in_picture_pixels(corners_of: Callable[..., Corners]) -> None:
    other = CARD - np.float32([80, 20])
    seen = corners_of((CARD, 0), (other, 2), times=3)
    assert len(seen) == 2
    assert list(seen.score) == sorted(seen.score, reverse=True)
    for quad, corner in ((CARD, 0), (other, 2)):
        best = int(np.argmin(np.abs(seen.quads - ((quad + 0.5) * 3 - 0.5)).max((1, 2))))
        assert seen.quads[best] == pytest.approx((quad + 0.5) * 3 - 0.5, abs=1.3)
        assert seen.which[best] == corner


def test_nothing_seen_gives_nothing(corners_of: Callable[..., Corners]) -> None:
    seen = corners_of()
    assert seen.quads.shape == (0, 4, 2)
    assert len(seen.which) == len(seen.score) == 0


def test_one_look_gives_what_two_give() -> None:
    table = surface("green", 640, 480)
    laid = lay(table, "letele", [("7h", 200, 240, 20), ("Ks", 420, 220, -15)], 180)
    finder = FinderNet()
    sight, corners = finder.see(table, 448), finder.corners(table, 448)
    quads, score = finder.proposals(table, 448)
    assert np.array_equal(sight.quads, quads)
    assert np.array_equal(sight.score, score)
    assert np.array_equal(sight.corners.quads, corners.quads)
    for card in laid:
        assert max(iou(card.quad, q) for q in quads) > 0.8


def test_the_shipped_net_sees_an_index_of_a_covered_card() -> None:
    table = surface("wood", 640, 480)
    below, above = lay(table, "letele", [("9d", 290, 240, 0), ("Qc", 330, 255, 0)], 200)
    seen = FinderNet().corners(table, 448)
    covered = [iou(below.quad, q) for q, k in zip(seen.quads, seen.which, strict=True) if k == 0]
    assert max(covered, default=0) > 0.6
    assert max(iou(above.quad, q) for q in seen.quads) > 0.75
