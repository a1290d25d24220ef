"""Tones: each is its own, soft, and no knock."""

from __future__ import annotations

import numpy as np
import pytest

from audio.earcons import EARCONS, PEAK, RATE, earcon
from audio.knocks import KnockDetector
from audio.resampling import RATE as EARS
from audio.resampling import resampled


@pytest.mark.parametrize("name", sorted(EARCONS))
def test_a_tone_is_short_soft_and_begins_and_ends_in_silence(name: str) -> None:
    sound = earcon(name)
    assert 0.05 < len(sound) / RATE < 0.8
    assert 0.5 * PEAK < np.abs(sound).max() <= PEAK
    assert np.abs(sound[:20]).max() < 0.05 * PEAK
    assert np.abs(sound[-20:]).max() < 0.05 * PEAK


def test_no_two_tones_are_alike() -> None:
    sounds = {(len(earcon(name)), float(np.abs(np.fft.rfft(earcon(name), RATE)).argmax())) for name in EARCONS}
    assert len(sounds) == len(EARCONS)


@pytest.mark.parametrize("level", [1.0, 0.25])
def test_no_tone_is_taken_for_a_knock(level: float) -> None:
    noise = np.random.default_rng(1).normal(0, 1e-3, EARS).astype(np.float32)
    for name in EARCONS:
        sound = level / PEAK * resampled(earcon(name), RATE, EARS)
        heard = np.concatenate([noise, sound.astype(np.float32), noise])
        detector = KnockDetector(first=0.33)
        assert detector.accept(heard) + detector.finish() == [], name
