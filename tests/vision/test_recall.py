"""Since when a place looks as it does now, whatever went over it meanwhile."""

from __future__ import annotations

import numpy as np

from vision.recall import Recall

PLACE = np.zeros((40, 60), bool)
PLACE[10:30, 20:35] = True
NEAR = 20.0


def picture(level: float) -> np.ndarray:
    """A grey table with something of another brightness at the place."""
    out = np.full((40, 60, 3), 80, np.float32)
    out[PLACE] = level
    return out


def remembered(levels: list[float]) -> Recall:
    """Ten pictures a second."""
    recall = Recall()
    for i, level in enumerate(levels):
        recall.remember(i / 10, picture(level))
    return recall


def test_a_card_lies_since_it_came_not_since_an_arm_went_away() -> None:
    recall = remembered([80] * 10 + [200] * 5 + [30] * 4 + [200] * 5)
    assert recall.since(PLACE, picture(200), picture(80), NEAR) == 1.0


def test_in_dim_light_the_bare_table_is_not_taken_for_the_card() -> None:
    """Card and table differ by less than what counts as alike."""
    recall = remembered([80] * 30 + [65] * 4)
    assert recall.since(PLACE, picture(65), picture(80), NEAR) == 3.0


def test_what_never_looked_so_has_no_time() -> None:
    assert remembered([80] * 5).since(PLACE, picture(200), picture(80), NEAR) is None
    assert Recall().since(PLACE & False, picture(200), picture(80), NEAR) is None
