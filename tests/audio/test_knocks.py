"""Onsets, gestures, and the shipped knock detector on sounds made here and, where they are, on real ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from sounds import RATE, SHARED, hiss, put, table

from audio.errors import UnreadableKnockProfile
from audio.events import Knock
from audio.knocks import (
    GESTURE_SECONDS,
    PAST_BANDS,
    PAST_STEPS,
    Gestures,
    KnockDetector,
    KnockProfile,
    Onset,
    Onsets,
    calibrated,
    read_profile,
    shipped_net,
)


def sure(onsets: Sequence[Onset]) -> np.ndarray:
    """A classifier that takes every onset for a knock."""
    return np.ones(len(onsets), np.float32)


def all_knocks(sound: np.ndarray, blocks: list[int] | None = None, **settings_: object) -> list[Knock]:
    detector = KnockDetector(**settings_)  # type: ignore[arg-type]
    pieces = np.split(sound, np.cumsum(blocks)) if blocks else [sound]
    return [k for piece in pieces for k in detector.accept(piece)] + detector.finish()


def onset_times(sound: np.ndarray) -> list[float]:
    finder = Onsets()
    return [onset.t for onset in finder.accept(sound) + finder.finish()]


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


@pytest.mark.parametrize("hiss_db", [-60.0, -36.0])
def test_dull_thuds_that_rise_slowly_are_onsets_under_a_hiss(hiss_db: float) -> None:
    t = np.arange(RATE // 2) / RATE
    dull = np.sin(2 * np.pi * 95 * t) * np.exp(-t / 0.12) * np.minimum(1, t / 0.025)
    sound = hiss(5.0, hiss_db)
    for at in (1.0, 2.5, 4.0):
        put(sound, dull.astype(np.float32), at, 0.1)
    assert all(near(onset_times(sound), at) for at in (1.0, 2.5, 4.0))


def test_an_onset_shows_what_was_before_relative_to_the_room() -> None:
    quiet, row = table([2.0], 3.0), table([1.4, 1.7, 2.0], 3.0)
    seen = []
    for sound in (quiet, row):
        finder = Onsets()
        (onset,) = (o for o in finder.accept(sound) + finder.finish() if abs(o.t - 2.0) < 0.02)
        assert onset.past.shape == (PAST_STEPS, PAST_BANDS)
        seen.append(onset.past)
    assert np.abs(seen[0]).max() < 0.5  # the hiss of the room, within 15 dB
    assert (seen[1].max(axis=1) > 0.7).sum() >= 2  # two knocks
    louder = Onsets()
    (again,) = (o for o in louder.accept(row * np.float32(4)) + louder.finish() if abs(o.t - 2.0) < 0.02)
    assert np.abs(again.past - seen[1]).max() < 0.05


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


def test_a_profile_is_read_back_and_moves_the_answer(tmp_path: Path) -> None:
    net, finder = shipped_net(), Onsets()
    onsets = finder.accept(table([0.5, 1.5])) + finder.finish()
    plain = net(onsets)
    width = net.hear(onsets).features.shape[1]
    nothing = KnockProfile(net.mark, np.zeros(width, np.float32), 0.0)
    assert calibrated(nothing)(onsets) == pytest.approx(plain)
    deaf = KnockProfile(net.mark, np.linspace(-0.1, 0.1, width).astype(np.float32), -20.0)
    deaf.save(tmp_path / "a" / "knocks.json")
    again = read_profile(tmp_path / "a" / "knocks.json")
    assert calibrated(again)(onsets) == pytest.approx(calibrated(deaf)(onsets), abs=1e-3)
    assert all_knocks(table([0.5, 1.5]), classifier=calibrated(again)) == []


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"net": "?", "weights": [0], "shift": 0}', '{"net": 1, "weights": "x", "shift": null}']
)
def test_a_profile_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "knocks.json").write_text(text)
    with pytest.raises(UnreadableKnockProfile):
        read_profile(tmp_path / "knocks.json")


@pytest.mark.parametrize("weights", ["1.0", "[[0.0], [0.0]]", "[0.0, 0.0]", '["x"]', "[NaN]", "[" * 100_000])
def test_a_profile_of_this_net_with_other_weights_is_refused(tmp_path: Path, weights: str) -> None:
    (tmp_path / "knocks.json").write_text(f'{{"net": "{shipped_net().mark}", "shift": 0, "weights": {weights}}}')
    with pytest.raises(UnreadableKnockProfile):
        read_profile(tmp_path / "knocks.json")


def test_a_missing_profile_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableKnockProfile, match="n'existe pas"):
        read_profile(tmp_path / "none.json")


def test_a_profile_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "knocks.json", tmp_path):
        with pytest.raises(UnreadableKnockProfile, match="impossible d'écrire"):
            KnockProfile("net", np.zeros(2, np.float32), 0.0).save(place)


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


@pytest.mark.skipif(not (SHARED / "cases/sounds/labels.jsonl").exists(), reason="needs ../shared/cases/sounds")
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
