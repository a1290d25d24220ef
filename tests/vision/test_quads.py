"""The geometry of quads holds for any quad, however its corners are given."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.quads import (
    areas,
    card_shaped,
    convex,
    distinct,
    in_order,
    inside,
    iou,
    nudged,
    same_places,
    short_sides,
    side_lengths,
    with_quarter_turns,
)


@st.composite
def cards(draw: st.DrawFn) -> np.ndarray:
    """A flat card, turned and shifted, its corners in any order."""
    width = draw(st.floats(10, 300))
    height = width * draw(st.floats(1.3, 1.7))
    turn = draw(st.floats(0, 2 * np.pi))
    x, y = draw(st.floats(-500, 500)), draw(st.floats(-500, 500))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    spun = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + [x, y]
    return spun[draw(st.permutations(range(4)))].astype(np.float32)


@given(cards())
def test_in_order_is_clockwise_with_a_short_side_first(quad: np.ndarray) -> None:
    (ordered,) = in_order(quad)
    sides = side_lengths(ordered)[0]
    assert sides[0] < sides[1]
    assert sides[2] < sides[3]
    x, y = ordered.T
    assert (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0  # y points down: positive is clockwise
    assert {tuple(p) for p in ordered} == {tuple(p) for p in quad}
    assert convex(ordered)[0]
    assert card_shaped(ordered, 1.0)[0]


@given(cards())
def test_in_order_is_settled(quad: np.ndarray) -> None:
    once = in_order(quad)
    assert np.array_equal(in_order(once), once)


@given(cards(), cards())
def test_iou_is_symmetric_and_within_bounds(a: np.ndarray, b: np.ndarray) -> None:
    (a,), (b,) = in_order(a), in_order(b)
    assert -1e-6 <= iou(a, b) <= 1 + 1e-3
    assert abs(iou(a, b) - iou(b, a)) < 1e-3
    assert iou(a, a) > 0.99


@given(cards(), st.floats(0.05, 0.95))
def test_iou_of_a_shifted_card(quad: np.ndarray, part: float) -> None:
    (a,) = in_order(quad)
    b = a + (a[1] - a[0]) * part
    assert abs(iou(a, b) - (1 - part) / (1 + part)) < 0.02


@given(cards())
def test_a_part_is_at_the_place_of_the_whole(quad: np.ndarray) -> None:
    (a,) = in_order(quad)
    part = a.mean(0) + (a - a.mean(0)) * 0.5
    assert same_places(np.stack([a, part, a + np.float32(3000)]), 0.35, 0.65).tolist() == [
        [False, True, False],
        [True, False, False],
        [False, False, False],
    ]


@given(cards(), st.integers(1, 5))
def test_distinct_keeps_one_of_each(quad: np.ndarray, copies: int) -> None:
    (a,) = in_order(quad)
    far = a + np.float32(5000)
    assert distinct(np.stack([a] * copies + [far] * copies), 0.9) == [0, copies]
    assert len(distinct(np.stack([a, far]), 0.9, most=1)) == 1


@given(cards())
def test_nudged_stay_near(quad: np.ndarray) -> None:
    moved = nudged(in_order(quad), 0.05)[0]
    assert moved.shape == (10, 4, 2)
    assert all(0.7 < iou(in_order(quad)[0], m) < 0.999 for m in moved)


def test_nearly_square_quads_are_tried_both_ways() -> None:
    flat = np.array([[[0, 0], [100, 0], [100, 150], [0, 150]], [[0, 0], [100, 0], [100, 110], [0, 110]]], np.float32)
    both = with_quarter_turns(flat)
    assert len(both) == 3
    assert np.array_equal(both[2], np.roll(flat[1], -1, 0))
    assert np.allclose(areas(both), [15000, 11000, 11000])
    assert np.allclose(short_sides(both), 100)


@given(cards())
def test_the_middle_lies_inside_the_corners_do_not_when_moved_out(quad: np.ndarray) -> None:
    (a,) = in_order(quad)
    middle = a.mean(0)
    points = np.concatenate([middle[None], middle + (a - middle) * 1.1])
    assert inside(points, np.stack([a, a + 5000])).tolist() == [[True, False], *[[False, False]] * 4]
