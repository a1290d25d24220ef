"""Cepstra, phones and the search: each against what it is defined by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audio.acoustic import PhoneStream
from audio.decoding import any_accent, fit, held
from audio.features import (
    BANDS,
    FLOOR_ENERGIES,
    HOP,
    PORTION,
    RATE,
    WINDOW,
    EnergyStream,
    cepstra,
    clean,
    energies,
    level,
)
from audio.lexicon import phone_ids
from audio.phones import INDEX, PHONES, SIL

A, T, R, Y = INDEX["a"], INDEX["t"], INDEX["r"], INDEX["y"]


def test_the_floor_is_what_white_noise_gives() -> None:
    noise = np.random.default_rng(3).normal(0, 8 / 32768, 60 * RATE).astype(np.float32)
    assert energies(noise).mean(axis=0) == pytest.approx(FLOOR_ENERGIES, rel=0.05)


def test_a_gain_is_the_same_as_a_louder_sound() -> None:
    sound = (np.random.default_rng(4).normal(0, 0.02, RATE)).astype(np.float32)
    assert cepstra(energies(sound), 4.0) == pytest.approx(cepstra(energies(sound * 4)), abs=0.05)


def test_an_offset_changes_nothing() -> None:
    sound = (np.random.default_rng(5).normal(0, 0.05, RATE)).astype(np.float32)
    assert cepstra(energies(sound + np.float32(0.2))) == pytest.approx(cepstra(energies(sound)), abs=0.1)


def test_a_full_scale_sine_is_zero_decibels() -> None:
    sine = np.sin(2 * np.pi * 1000 / RATE * np.arange(RATE)).astype(np.float32)
    assert level(energies(sine)) == pytest.approx(0, abs=0.2)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 4000), min_size=1, max_size=6))
def test_portions_do_not_depend_on_the_blocks(sizes: list[int]) -> None:
    sound = np.random.default_rng(6).normal(0, 0.1, RATE).astype(np.float32)
    whole = EnergyStream().accept(sound)
    stream, cut, at = EnergyStream(), [], 0
    for size in [*sizes, len(sound)]:
        cut += stream.accept(sound[at : at + size])
        at += size
    assert len(cut) == len(whole) == 1 + (len(sound) - (PORTION - 1) * HOP - WINDOW) // (PORTION * HOP)
    assert all((a == b).all() for a, b in zip(cut, whole, strict=True))


def test_samples_are_made_fit() -> None:
    found = clean(np.array([[np.nan, np.inf], [-np.inf, 0.25]]))
    assert found.tolist() == [0.0, 1.0, -1.0, 0.25]
    assert found.dtype == np.float32


def test_one_output_every_thirty_milliseconds() -> None:
    stream = PhoneStream()
    phones = stream.accept(np.zeros(10 * RATE, np.float32))
    out = phones.likelihoods
    assert len(phones.hidden) == len(out)
    assert (phones.hidden >= 0).all()
    assert out.shape[1] == len(PHONES)
    assert abs(len(out) * 0.03 - 10) < 0.45
    assert (out[10:].argmax(axis=1) == SIL).all()
    assert stream.known_at(len(out) - 1) <= 10.0 < stream.known_at(len(out) + 2)


def test_outputs_do_not_depend_on_the_blocks() -> None:
    sound = np.random.default_rng(8).normal(0, 0.05, 2 * RATE).astype(np.float32)
    whole, stream = PhoneStream().accept(sound), PhoneStream()
    parts = [stream.accept(sound[at : at + 700]) for at in range(0, len(sound), 700)]
    assert (np.concatenate([part.likelihoods for part in parts]) == whole.likelihoods).all()
    assert (np.concatenate([part.hidden for part in parts]) == whole.hidden).all()


def rows(*phones: int, sure: float = 4.0) -> np.ndarray:
    """Outputs that are sure of these phones."""
    found = np.full((len(phones), len(PHONES)), -sure)
    found[np.arange(len(phones)), phones] = 0.0
    return found


TRUT = phone_ids(("t", "r", "y", "t"))


def test_full_vowels_last_two_outputs() -> None:
    assert held((T, Y, T, INDEX["@"])) == [T, Y, Y, T, INDEX["@"]]


def test_what_fits_and_what_does_not() -> None:
    flat = np.log(np.full(len(PHONES), 1 / len(PHONES)))
    good = rows(*[SIL] * 4, T, R, Y, Y, Y, T, *[SIL] * 5)
    found = fit(good, held(TRUT), 4, 5)
    assert found.sure == found.near == found.worst == found.before == found.after == 0
    assert fit(rows(*[SIL] * 4, T, R, A, A, A, T, *[SIL] * 5), held(TRUT), 4, 5).worst == -4.0
    unsure = fit(np.tile(flat, (15, 1)), held(TRUT), 4, 5)
    assert unsure.near == 0
    assert unsure.sure == pytest.approx(flat[0])
    assert fit(rows(*[SIL] * 4, T, R, *[Y] * 30, T, *[SIL] * 5), held(TRUT), 4, 5).slow == 22


def test_energies_of_too_little_sound() -> None:
    assert energies(np.zeros(WINDOW - 1, np.float32)).shape == (0, BANDS)


def test_neighbouring_vowels_are_forgiven_and_others_not() -> None:
    heard = any_accent(rows(INDEX["e"], sure=9.0)[0])
    assert heard[INDEX["e"]] == 0
    assert heard[INDEX["E"]] == -1.0
    assert heard[INDEX["a"]] == heard[INDEX["y"]] == -9.0


def test_silence_at_a_comma_says_nothing_for_a_phrase() -> None:
    phones = (T, SIL, A)
    outputs = rows(*[SIL] * 4, R, *[SIL] * 20, T, T, *[SIL] * 5)
    found = fit(outputs, held(phones), 4, 5)
    assert found.pause == 20
    assert found.near == found.worst == -4.0
