"""Corners and seats of a table: what can be, what cannot, and what they say of table and camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import TableProblem
from calibration.setup import TableSetup

WHOLE = TableSetup.whole(4, 1280, 720)
CORNERS = [(300.0, 100.0), (980.0, 110.0), (1200.0, 660.0), (80.0, 650.0)]


@given(st.permutations(range(4)))
def test_corners_may_be_given_from_any_one_in_either_direction(order: list[int]) -> None:
    quad = [CORNERS[k] for k in order]
    round_the_table = order[0] % 2 == order[2] % 2
    if round_the_table:
        assert list(WHOLE.with_corners(quad).corners) == CORNERS
    else:
        with pytest.raises(TableProblem, match="croisent"):
            WHOLE.with_corners(quad)


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        (CORNERS[:3], "quatre coins"),
        ([*CORNERS[:3], (900.0, 300.0)], "rentrent"),
        ([(0, 0), (9000, 0), (9000, 700), (0, 700)], "trop loin"),
        ([(10, 10), (90, 10), (90, 60), (10, 60)], "trop petite"),
        ([(float("nan"), 10), (900, 10), (900, 600), (10, 600)], "nombres"),
    ],
)
def test_corners_that_cannot_be(corners: list[tuple[float, float]], why: str) -> None:
    with pytest.raises(TableProblem) as problem:
        WHOLE.with_corners(corners)
    assert why in str(problem.value)


def test_a_corner_is_dragged_and_the_seats_stay_with_their_sides() -> None:
    setup = WHOLE.with_corners(CORNERS)
    assert setup.nearest_corner(990, 100, within=60) == 1
    assert setup.nearest_corner(640, 360, within=60) is None
    moved = setup.moved(1, (1010.0, 90.0))
    assert moved.corners[1] == (1010.0, 90.0)
    assert moved.corners[0] == setup.corners[0]
    with pytest.raises(TableProblem):
        setup.moved(1, (100.0, 640.0))


def test_seats_are_put_on_the_border_straight_out_from_the_middle() -> None:
    setup = WHOLE.seated(1, (1200, 400)).seated(4, (640, 700))
    assert setup.seats[1] == pytest.approx((1.0, 0.127), abs=0.01)
    assert setup.seats[4] == pytest.approx((0.0, 1.0))
    assert setup.checked().seat_map().zone(900, 380) == 1


@pytest.mark.parametrize(
    ("seat", "at", "why"), [(5, (10, 10), "il n'y en a que 4"), (1, (640, 370), "milieu"), (1, (1500, 10), "hors")]
)
def test_seats_that_cannot_be(seat: int, at: tuple[float, float], why: str) -> None:
    with pytest.raises(TableProblem) as problem:
        WHOLE.seated(seat, at)
    assert why in str(problem.value)


def test_two_players_do_not_share_a_place() -> None:
    with pytest.raises(TableProblem) as problem:
        WHOLE.seated(1, (1275, 360)).checked()
    assert "même endroit" in str(problem.value)


def seen_by(slant: float, proportion: float, focal: float, roll: float) -> TableSetup:
    """A rectangular table under a pinhole camera: degrees, width over depth, picture widths, degrees."""
    tilt, turn, f = np.radians(slant), np.radians(roll), focal * 1280
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    table = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float) * [proportion, 1, 1]
    points = table @ (lean @ spin).T + [0, 0, 2.2 * f / 400]
    corners = points[:, :2] / points[:, 2:] * f + [640, 360]
    return TableSetup(1280, 720, tuple(map(tuple, corners)), WHOLE.seats, "hand")  # type: ignore[arg-type]


@given(st.floats(30, 60), st.floats(0.8, 1.8), st.floats(0.7, 1.2), st.floats(10, 30))
def test_the_corners_tell_the_table_s_shape_and_the_camera_s_slant(
    slant: float, proportion: float, focal: float, roll: float
) -> None:
    setup = seen_by(slant, proportion, focal, roll)
    assert setup.proportion == pytest.approx(proportion, rel=0.03)
    assert setup.slant == pytest.approx(slant, abs=2)


@given(st.floats(0, 60), st.floats(0.8, 1.8), st.floats(0.8, 1.05))
def test_of_a_table_that_is_seen_straight_on_a_usual_camera_is_supposed(
    slant: float, proportion: float, focal: float
) -> None:
    setup = seen_by(slant, proportion, focal, 0.0)
    assert setup.proportion == pytest.approx(proportion, rel=0.12)
    assert setup.slant == pytest.approx(slant, abs=6)


def test_the_same_table_in_a_picture_of_another_size() -> None:
    half = WHOLE.with_corners(CORNERS).seated(1, (640, 650)).scaled(640, 360)
    assert half.corners[2] == (600.0, 330.0)
    assert half.seat_map().zone(320, 250) == 1
    assert WHOLE.scaled(640, 360).corners[2] == (640.0, 360.0)


def test_seven_players_have_no_game() -> None:
    with pytest.raises(TableProblem):
        TableSetup.whole(7, 1280, 720)


def test_places_of_the_seat_map_follow_the_corners() -> None:
    setup = WHOLE.with_corners(CORNERS)
    to_picture = cv2.getPerspectiveTransform(
        np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32), np.array(CORNERS, np.float32)
    )
    for seat, place in setup.seats.items():
        x, y = cv2.perspectiveTransform(np.array([[0.5 * np.array(place)]]), to_picture)[0, 0]
        assert setup.seat_map().zone(x, y) == seat
