"""The phone's clock: how far off are its moments on ours, whatever the network does?"""

from __future__ import annotations

import random

import pytest

from assistant.page.phone.clock import PhoneClock


def errors(
    *, drift: float = 0.0, up: float = 0.005, down: float = 0.005, jitter: float = 0.0, seed: int = 1
) -> list[float]:
    """Seconds by which the clock is off at every second, from the fifth on."""
    chance, clock, out = random.Random(seed), PhoneClock(), []
    for second in range(600):
        at = float(second)
        here = at + up + (chance.expovariate(1 / jitter) if jitter else 0.0)
        came = here + down + (chance.expovariate(1 / jitter) if jitter else 0.0)
        clock.round(5000 + at * (1 + drift), 5000 + came * (1 + drift), here)
        known = clock.here(5000 + came * (1 + drift))
        assert known is not None
        if second > 5:
            out.append(known - came)
            assert abs(known - came) <= clock.uncertain + 0.002
    return out


def test_nothing_is_known_before_the_first_round() -> None:
    assert PhoneClock().here(1.0) is None


@pytest.mark.parametrize("drift", [-8e-5, 0.0, 8e-5])
def test_drift_is_followed(drift: float) -> None:
    assert max(abs(e) for e in errors(drift=drift)) < 0.001


@pytest.mark.parametrize("seed", range(5))
def test_jitter_of_50_ms_leaves_a_few(seed: int) -> None:
    off = sorted(abs(e) for e in errors(drift=5e-5, jitter=0.05, seed=seed))
    assert off[len(off) // 2] < 0.003
    assert off[-1] < 0.02


def test_an_uneven_way_is_half_its_unevenness_off() -> None:
    assert max(abs(e) for e in errors(up=0.05, down=0.01)) == pytest.approx(0.02, abs=0.001)


def test_a_clock_that_stood_still_is_noticed_at_the_next_round() -> None:
    clock = PhoneClock()
    for second in range(30):
        clock.round(second + 0.0, second + 0.02, 100 + second + 0.01)
    clock.round(31.0, 31.02, 100 + 91.01)  # an hour of sleep, a minute here
    assert clock.jumps == 1
    assert clock.here(31.01) == pytest.approx(191.01, abs=0.001)


@pytest.mark.parametrize(("sent", "came"), [(1.0, 0.5), (1.0, 99.0), (float("nan"), 1.0), (0.0, float("inf"))])
def test_a_round_that_cannot_be_is_left_out(sent: float, came: float) -> None:
    clock = PhoneClock()
    clock.round(sent, came, 5.0)
    assert clock.here(1.0) is None
