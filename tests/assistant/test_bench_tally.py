"""How far a count can be trusted: against values of the printed tables."""

from __future__ import annotations

import math

import pytest

from assistant.bench.tally import rate_interval, share_interval


@pytest.mark.parametrize(
    ("found", "total", "low", "high"), [(13, 18, 0.491, 0.875), (0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0)]
)
def test_wilson(found: int, total: int, low: float, high: float) -> None:
    assert share_interval(found, total) == pytest.approx((low, high), abs=5e-4)


@pytest.mark.parametrize(
    ("count", "low", "high"), [(0, 0.0, 3.689), (1, 0.0253, 5.572), (19, 11.44, 29.67), (100, 81.36, 121.63)]
)
def test_garwood(count: int, low: float, high: float) -> None:
    assert rate_interval(count, 1.0) == pytest.approx((low, high), rel=1e-3)
    assert rate_interval(count, 2.0) == pytest.approx((low / 2, high / 2), rel=1e-3)


def test_nothing_heard_says_nothing() -> None:
    assert share_interval(0, 0) == (0.0, 1.0)
    assert rate_interval(0, 0.0) == (0.0, math.inf)
