"""Onsets, gestures, and the shipped knock detector on sounds made here and, where they are, on real ones."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from sounds import RATE, SHARED, hiss, put, table

from audio.events import Knock
from audio.knocks import GESTURE_SECONDS, Gestures, KnockDetector, OnsetPatches


def sure(patches: np.ndarray) -> np.ndarray:
    """A classifier that takes every onset for a knock."""
    return np.ones(len(patches), np.float32)


def all_knocks(sound: np.ndarray, blocks: list[int] | None = None, **settings_: object) -> list[Knock]:
    detector = KnockDetector(**settings_)  # type: ignore[arg-type]
    pieces = np.split(sound, np.cumsum(blocks)) if blocks else [sound]
    return [k for piece in pieces for k in detector.accept(piece)] + detector.finish()


def onset_times(sound: np.ndarray) -> list[float]:
    finder = OnsetPatches()
    return [frame * 64 / RATE for frame, _, _ in finder.accept(sound) + finder.finish()]


def near(times: list[float], t: float, tolerance: float = 0.03) -> bool:
    return any(abs(x - t) <= tolerance for x in times)


@pytest.mark.parametrize("gain", [0.02, 0.2, 1.0])
def test_every_strike_is_an_onset_at_any_level(gain: float) -> None:
    strikes = [0.5, 0.65, 0.8, 1.4, 2.0, 2.17, 2.9]
    found = onset_times(table(strikes) * np.float32(gain))
    assert all(near(found, t) for t in strikes)


def test_steady_noise_has_few_onsets_and_silence_none() -> None:
    assert onset_times(np.zeros(RATE * 3, np.float32)) == []
    assert len(onset_times(hiss(5, -30))) <= 5


def test_strikes_in_loud_noise_are_onsets() -> None:
    sound = table([1.0, 2.0, 3.0], 4.0, level_db=-34)
    assert all(near(onset_times(sound), t) for t in (1.0, 2.0, 3.0))


@given(st.lists(st.integers(1, 4000), max_size=12))
@settings(max_examples=25, deadline=None)
def test_knocks_do_not_depend_on_the_blocks(blocks: list[int]) -> None:
    sound = table([0.2, 0.4, 1.3], 1.8)
    assert all_knocks(sound, blocks, classifier=sure) == all_knocks(sound, classifier=sure)


def test_decisions_come_within_a_fifth_of_a_second_and_in_order() -> None:
    sound = table([0.3, 0.5, 0.9, 1.6, 2.4], 3.0)
    detector = KnockDetector(sure)
    heard = 0
    seen: list[Knock] = []
    for start in range(0, len(sound), 160):
        heard += 160
        for knock in detector.accept(sound[start : start + 160]):
            assert knock.t < knock.decided <= heard / RATE < knock.decided + 0.011
            seen.append(knock)
    assert len(seen) >= 5
    assert all(k.decided - k.t <= 0.2 for k in seen)
    assert [k.decided for k in seen] == sorted(k.decided for k in seen)


@given(st.lists(st.tuples(st.floats(0.01, 2.0), st.floats(0, 1)), min_size=1, max_size=30))
def test_gestures(steps: list[tuple[float, float]]) -> None:
    gestures = Gestures(0.8, 0.5)
    t = 0.0
    hits: list[tuple[float, float, int, int]] = []
    for gap, confidence in steps:
        t += gap
        place = gestures.judge(t, confidence)
        if place is not None:
            hits.append((t, confidence, *place))
    for i, (_, confidence, gesture, hit) in enumerate(hits):
        assert confidence >= (0.8 if hit == 1 else 0.5)
        assert hit >= 1
        if i == 0:
            assert (gesture, hit) == (1, 1)
    for before, after in pairwise(hits):
        if after[0] - before[0] <= GESTURE_SECONDS:
            assert after[2:] == (before[2], before[3] + 1)
        else:
            assert after[2:] == (before[2] + 1, 1)


def test_the_bounce_of_a_hit_is_no_second_hit() -> None:
    gestures = Gestures(0.5, 0.5)
    assert [gestures.judge(t, 0.9) for t in (1.0, 1.05, 1.2)] == [(1, 1), None, (1, 2)]


def test_the_shipped_detector_hears_struck_plates() -> None:
    strikes = [0.5, 1.5, 1.75, 3.0]
    knocks = all_knocks(table(strikes))
    assert all(near([k.t for k in knocks], t, 0.05) for t in strikes)
    assert [k.gesture for k in knocks] == [1, 2, 2, 3]


@pytest.mark.parametrize("gain", [0.05, 0.3, 1.0])
def test_the_shipped_detector_does_not_mind_the_gain(gain: float) -> None:
    strikes = [0.5, 1.5, 2.5]
    knocks = all_knocks(table(strikes) * np.float32(gain))
    assert [round(k.t, 1) for k in knocks] == strikes


def test_the_shipped_detector_is_deaf_to_what_is_no_knock() -> None:
    rng = np.random.default_rng(5)
    t = np.arange(RATE // 2) / RATE
    clap = rng.standard_normal(RATE // 2) * np.exp(-t / 0.02)
    clap = np.diff(clap, prepend=0)  # bright
    glass = np.sin(2 * np.pi * 2900 * t) * np.exp(-t / 0.15) + np.sin(2 * np.pi * 4410 * t) * np.exp(-t / 0.1)
    beep = np.sin(2 * np.pi * 880 * t) * np.hanning(len(t))
    sound = hiss(12)
    for i in range(4):
        for k, what in enumerate((clap, glass, beep)):
            put(sound, (what / np.abs(what).max()).astype(np.float32), 0.5 + 2.7 * i + 0.8 * k)
    assert all_knocks(sound) == []


def test_clipped_sound_and_silence_do_no_harm() -> None:
    assert all_knocks(np.zeros(100, np.float32)) == []
    assert all_knocks(np.zeros(0, np.float32)) == []
    assert all_knocks(np.ones(RATE, np.float32))[1:] == []
    assert len(all_knocks(np.clip(table([0.5, 1.5]) * 30, -1, 1).astype(np.float32))) <= 4


@pytest.mark.skipif(
    not (SHARED / "cases/sounds/labels.jsonl").exists(), reason="needs ../shared/cases/sounds"
)
def test_real_knocks_of_groups_that_training_never_saw_and_real_talk() -> None:
    """A small part of ``python -m models.knocks.recipe.evaluate``, which prints the figures."""
    folder = SHARED / "cases/sounds"
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    hits = total = 0
    for row in (r for r in rows if r["kind"] == "knock" and r["group"] != "sharwin-large"):
        times = [k.t for k in all_knocks(soundfile.read(folder / row["file"], dtype="float32")[0])]
        wanted = [e["t"] for e in row["events"] if 0.1 <= e["t"] <= row["seconds"] - 0.1]
        hits += sum(near(times, t, 0.05) for t in wanted)
        total += len(wanted)
    assert hits / total >= 0.6
    talk = [r for r in rows if r["kind"] == "speech-fr" and not r["redistributable"]]
    talk += [r for r in rows if r["kind"] in ("cough", "laugh") and not r["redistributable"]][:6]
    assert sum(len(all_knocks(soundfile.read(folder / r["file"], dtype="float32")[0])) for r in talk) <= 3
