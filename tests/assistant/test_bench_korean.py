"""The work of the ears beside another model's."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.bench import korean
from audio.vosk_folder import OURS


def test_without_the_package_there_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(korean.importlib.util, "find_spec", lambda name: None)
    assert korean.vosk_ko_ratio(np.zeros(16000, np.float32)) is None


def test_both_do_their_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(korean, "korean_model", lambda: OURS)
    noise = np.random.default_rng(0).normal(0, 0.03, 32000).astype(np.float32)
    ratio = korean.vosk_ko_ratio(noise)
    assert ratio is not None
    assert ratio > 0
    assert korean.vosk_ko_ratio(np.zeros(0, np.float32)) is None
