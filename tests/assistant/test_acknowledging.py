"""The bench of acknowledgements without recordings, and its microphone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assistant.bench import acknowledging
from assistant.bench.acknowledging import BLOCK, Played, main


def test_without_recordings_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(acknowledging, "SHARED", tmp_path)
    assert main([]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_its_microphone_gives_every_sample_in_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(acknowledging.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(acknowledging.time, "sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds))
    sound = np.arange(5 * BLOCK, dtype=np.float32)
    microphone = Played(sound)
    given = []
    for block in microphone:
        given.append(block)
        assert clock[0] == pytest.approx(100.0 + len(given) * BLOCK / 16_000)
        if len(given) == 4:
            microphone.close()
    assert np.array_equal(np.concatenate(given), sound[: 4 * BLOCK])
    assert microphone.began == 100.0
