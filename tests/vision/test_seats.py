"""From a place in the picture to a seat."""

from __future__ import annotations

import numpy as np
import pytest

from vision.seats import DEFAULT_PLACES, SeatMap


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
