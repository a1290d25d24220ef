"""From a place in the picture to a seat."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.hands import arms_in
from vision.seats import DEFAULT_PLACES, SQUARE, SeatMap


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_card_before_a_seat_and_an_arm_from_it_belong_to_it(seats: int) -> None:
    table = SeatMap.default(seats, 1280, 720)
    for seat, (x, y) in DEFAULT_PLACES[seats].items():
        px, py = (x + 1) * 640, (y + 1) * 360
        assert table.zone(640 + 0.45 * (px - 640), 360 + 0.45 * (py - 360)) == seat
        contact = np.array([[min(px, 1279), min(py, 719)]])
        assert table.side(contact) == seat


def test_on_the_border_between_two_zones_nobody_is_named() -> None:
    table = SeatMap.default(4, 1280, 720)
    assert table.zone(640 + 100, 360 + 100) is None
    assert table.zone(640, 360) is None
    assert table.side(np.empty((0, 2))) is None


def test_clockwise_order_of_four_and_counter_clockwise_of_six() -> None:
    """CLI.md, trut watch: seats by the table in the order of play."""

    def turn(seats: int) -> float:
        v = np.array([DEFAULT_PLACES[seats][s] for s in sorted(DEFAULT_PLACES[seats])])
        angles = np.unwrap(np.arctan2(v[:, 1], v[:, 0]))
        return float(np.sign(angles[-1] - angles[0]))

    assert turn(4) == 1  # y points down: growing angles are clockwise
    assert turn(6) == -1


TABLE = ((420.0, 150.0), (860.0, 150.0), (1150.0, 650.0), (130.0, 650.0))
"""A table seen obliquely from seat 1's side, a part of a picture of 1280x720."""


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_zones_and_sides_follow_the_corners_of_an_oblique_table(seats: int) -> None:
    table = SeatMap.on_table(DEFAULT_PLACES[seats], 1280, 720, TABLE, 1.3)
    upright = SeatMap.default(seats, 1300, 1000)
    to_picture = cv2.getPerspectiveTransform(np.array(SQUARE, np.float32), np.array(TABLE, np.float32))
    for u, v in np.mgrid[-0.9:0.91:0.15, -0.9:0.91:0.15].reshape(2, -1).T:
        x, y = cv2.perspectiveTransform(np.array([[[u, v]]]), to_picture)[0, 0]
        assert table.zone(x, y) == upright.zone(650 * (1 + u), 500 * (1 + v))
    for seat, place in DEFAULT_PLACES[seats].items():
        assert table.side(cv2.perspectiveTransform(np.array([[place]]), to_picture)[0]) == seat


def test_the_picture_s_own_axes_would_name_the_wrong_neighbour() -> None:
    """A card before seat 2, near his edge, at the far end of an oblique table."""
    table = SeatMap.on_table(DEFAULT_PLACES[4], 1280, 720, TABLE, 1.3)
    assert table.zone(420, 300) == 2
    assert SeatMap.default(4, 1280, 720).zone(440, 165) != table.zone(440, 330)


def test_an_arm_comes_in_over_the_table_s_border_not_the_picture_s() -> None:
    table = SeatMap.on_table(DEFAULT_PLACES[4], 1280, 720, TABLE)
    foreign = np.zeros((180, 320), bool)
    foreign[80:95, 62:140] = True  # from the left edge, which lies at x = 70 there, inwards
    foreign &= table.play_zone(320, 180)
    arms = arms_in(foreign, np.zeros_like(foreign), table)
    assert [arm.seat for arm in arms] == [2]
    middle = np.zeros_like(foreign)
    middle[85:100, 130:180] = True
    assert not arms_in(middle, np.zeros_like(foreign), table)


def test_what_the_camera_does_not_see_is_no_play_zone_and_arms_come_in_at_its_rim() -> None:
    table = SeatMap.default(2, 1280, 720).seeing(np.array([[0, 0], [1280, 0], [1280, 680], [0, 680]], float))
    assert table.play_zone(320, 180)[:170].all()
    assert not table.play_zone(320, 180)[171:].any()
    foreign = np.zeros((180, 320), bool)
    foreign[120:170, 150:170] = True
    assert [arm.seat for arm in arms_in(foreign, np.zeros_like(foreign), table)] == [1]
