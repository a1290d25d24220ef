"""What befalls a simulated camera shows, begins and ends when it should."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.simulation.mishaps import Mishap
from assistant.simulation.script import Lay
from assistant.simulation.table import SimulatedTable


def table(*mishaps: Mishap) -> SimulatedTable:
    return SimulatedTable(11, seats=2, rounds=1, width=160, height=90, mishaps=mishaps)


def frame(of: SimulatedTable, t: float) -> np.ndarray:
    return of.filmed.frame(round(t * of.fps)).astype(float)


@pytest.fixture(scope="module")
def first() -> float:
    """When the first card lies."""
    return next(g.t for g in table().script.gestures if isinstance(g, Lay))


def test_a_frozen_picture_stays_as_it_was(first: float) -> None:
    filmed = table(Mishap("frozen", 1.0, first))
    assert np.array_equal(frame(filmed, 1.5), frame(filmed, first + 0.3))
    assert not np.array_equal(frame(filmed, 1.5), frame(filmed, first + 1.2))


def test_a_black_picture_is_black(first: float) -> None:
    filmed = table(Mishap("black", 1.0, 0.5))
    assert frame(filmed, 1.2).max() == 0
    assert frame(filmed, 1.6).max() > 0


def test_a_bumped_camera_shows_the_table_from_elsewhere() -> None:
    filmed, still = table(Mishap("bumped", 1.0, 1.0)), table()
    assert np.array_equal(frame(filmed, 0.5), frame(still, 0.5))
    assert np.abs(frame(filmed, 1.5) - frame(still, 1.5)).mean() > 2
    assert np.array_equal(frame(filmed, 2.5), frame(still, 2.5))
