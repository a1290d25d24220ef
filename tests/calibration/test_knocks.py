"""Learning one table's knocks, on tables that the program makes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from assistant import cli
from assistant.calibrating.knock import detector, profile_here, sitting
from audio.errors import UnreadableKnockProfile
from audio.knocks import Heard, KnockNet, Onset, read_profile
from calibration.knocks import (
    Anchors,
    UnclearKnocks,
    fitted,
    gestures_in,
    knocks_among,
    learn,
    onsets_in,
    shipped_anchors,
)

RATE = 16_000
STRIKES = [1.0, 2.1, 3.0, 4.2, 5.1]


def thud(lowest: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    t = np.arange(RATE // 3) / RATE
    out = sum(
        rng.uniform(0.3, 1) * np.sin(2 * np.pi * lowest * k * t) * np.exp(-t * (15 + 12 * k))
        for k in (1, 1.6, 2.3, 3.1)
    )
    return np.asarray(out / np.abs(out).max())


def table(strikes: list[float], seconds: float, lowest: float = 130.0, loud: float = 0.3) -> np.ndarray:
    sound = np.random.default_rng(1).normal(0, 0.001, round(seconds * RATE))
    for n, at in enumerate(strikes):
        start, hit = round(at * RATE), thud(lowest, n)
        sound[start : start + len(hit)] += loud * hit
    return sound.astype(np.float32)


def chatter(seconds: float) -> np.ndarray:
    """Bursts of noise that swell, as syllables do, and rings of glass."""
    rng = np.random.default_rng(2)
    sound = rng.normal(0, 0.001, round(seconds * RATE))
    t = np.arange(RATE // 4) / RATE
    for at in np.arange(0.5, seconds - 0.5, 0.7):
        ring = np.sin(2 * np.pi * rng.uniform(1800, 4000) * t) * np.exp(-t / 0.08)
        burst = rng.normal(0, 1, len(t)) * np.sin(np.pi * np.arange(len(t)) / len(t)) ** 2
        start = round(at * RATE)
        sound[start : start + len(t)] += 0.1 * (ring if rng.random() < 0.5 else burst)
    return sound.astype(np.float32)


class Toy(KnockNet):
    """A net whose features are two levels of the patch, and which knows nothing."""

    def __init__(self) -> None:
        self.mark, self.first, self.further = "toy", 0.9, 0.6

    def hear(self, onsets: list[Onset]) -> Heard:  # type: ignore[override]
        features = np.stack([[o.patch[1, 15:25, :8].mean(), o.patch[1, 15:25, 20:].mean()] for o in onsets])
        return Heard(np.zeros(len(onsets), np.float32), features.astype(np.float32))


def toy_anchors() -> Anchors:
    """Forty sounds, ten of them knocks: low bands alone stand out."""
    rng, knock = np.random.default_rng(0), np.arange(40) < 10
    middle = np.where(knock[:, None], (1.2, 0.2), (0.4, 0.6))
    features = (middle + rng.normal(0, 0.15, (40, 2))).astype(np.float32)
    return Anchors(Heard(np.where(knock, 6, -6).astype(np.float32), features), knock)


def test_the_five_knocks_are_found_among_all_that_sounds() -> None:
    sound = table(STRIKES, 6.5) + table([1.6, 3.6], 6.5, loud=0.01)
    assert [round(o.t, 1) for o in knocks_among(onsets_in(sound))] == STRIKES


def test_a_recording_without_knocks_is_refused() -> None:
    with pytest.raises(UnclearKnocks):
        learn(np.zeros(3 * RATE, np.float32), chatter(5))


def test_talk_in_the_place_of_knocks_is_refused() -> None:
    with pytest.raises(UnclearKnocks):
        learn(chatter(30), table(STRIKES, 6.5))


def test_a_table_is_learnt_beyond_what_the_net_knew() -> None:
    profile, gain = learn(table(STRIKES, 6.5), chatter(20), Toy(), toy_anchors())
    assert (gain.knocks, gain.before, gain.after) == (5, 0, 5)
    assert (gain.false_before, gain.false_after) == (0, 0)
    assert gain.seconds == pytest.approx(20)
    assert profile.net == "toy"


def test_a_deaf_table_is_silenced() -> None:
    class Eager(Toy):
        def hear(self, onsets: list[Onset]) -> Heard:  # type: ignore[override]
            heard = super().hear(onsets)
            return Heard(heard.logit + 4, heard.features)

    net, talk = Eager(), chatter(20)
    before = gestures_in(net, onsets_in(talk), net)
    _, gain = learn(table(STRIKES, 6.5), talk, net, toy_anchors())
    assert gain.false_before == before > 5
    assert gain.false_after <= before // 5
    assert gain.after == 5


def test_the_shipped_anchors_stand_on_the_right_side() -> None:
    anchors = shipped_anchors()
    right = (anchors.heard.logit > 0) == anchors.knock
    assert right.mean() > 0.75
    assert 50 < anchors.knock.sum() < len(anchors.knock) - 50


def test_without_sounds_of_the_table_nothing_changes() -> None:
    from audio.knocks import shipped_net

    profile = fitted(shipped_net(), [], [], shipped_anchors())
    assert np.abs(profile.weights).max() < 1e-6
    assert abs(profile.shift) < 1e-6


def test_the_command_writes_a_profile_that_listening_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soundfile.write(tmp_path / "knocks.wav", table(STRIKES, 6.5), RATE)
    soundfile.write(tmp_path / "talk.wav", chatter(20), RATE)
    out = tmp_path / "table.json"
    words = ["calibrate", "knock", "--knocks", str(tmp_path / "knocks.wav"), "--talk", str(tmp_path / "talk.wav")]
    assert cli.main([*words, "--out", str(out), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["knocks"] == facts["heard"]["after"] == 5
    assert facts["false_gestures"]["after"] <= facts["false_gestures"]["before"]
    assert facts["net"] == read_profile(out).net
    listening = detector(out)
    sound = table([0.7, 1.9], 3.0)
    assert [round(k.t, 1) for k in listening.accept(sound) + listening.finish()] == [0.7, 1.9]


def test_one_recording_without_the_other_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["calibrate", "knock", "--knocks", "x.wav"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_profile_of_another_net_is_refused_by_name_and_passed_over_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "knocks.json"
    old.write_text(json.dumps({"knocks": 1, "net": "gone", "shift": 0.0, "weights": [0.0]}))
    with pytest.raises(UnreadableKnockProfile):
        detector(profile_here(old))
    monkeypatch.setattr("assistant.calibrating.knock.profile_path", lambda: old)
    assert profile_here() is None
    assert "trut calibrate knock" in capsys.readouterr().err
    monkeypatch.setattr("assistant.calibrating.knock.profile_path", lambda: tmp_path / "none")
    assert profile_here() is None
    assert capsys.readouterr().err == ""


def test_a_sitting_asks_for_five_knocks_then_for_talk() -> None:
    sound = np.concatenate([table(STRIKES, 6.5), chatter(40)])
    said: list[str] = []
    blocks = iter(np.split(sound, range(1600, len(sound), 1600)))

    class Source:
        rate, name = RATE, "toy"

        def __iter__(self):  # type: ignore[no-untyped-def]
            return blocks

        def close(self) -> None: ...

    knocks, talk = sitting(Source(), said.append)
    assert 5.4 < len(knocks) / RATE < 6.5
    assert len(talk) / RATE == pytest.approx(30, abs=0.2)
    assert sum("5" in line for line in said) >= 5


def test_listening_with_a_profile_that_is_none_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soundfile.write(tmp_path / "table.wav", table([0.7], 1.5), RATE)
    assert cli.main(["listen", str(tmp_path / "table.wav"), "--knock-profile", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err
