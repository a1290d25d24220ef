"""Hearing a sound once, and asking it many questions: the outputs of the net are kept and the choice is made over them
with one list of calls after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from audio.acoustic import STEP, PhoneStream
from audio.choosing import Chooser, Evidence, level_of
from audio.features import RATE, clean
from audio.phrasebook import Call
from audio.spotter import confidence


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the net made of a sound.

    Attributes:
        likelihoods: (n, 35).
        levels: (n,) loudness of each output, decibels of full scale.
        seconds: length of the sound.
    """

    likelihoods: np.ndarray
    levels: np.ndarray
    seconds: float


def outputs(samples: np.ndarray, weights: Path) -> Outputs:
    """Hear a sound (16 kHz, mono); silence follows it."""
    stream = PhoneStream(weights)
    sound = np.concatenate([clean(samples), np.zeros(RATE, np.float32)])
    likelihoods = stream.accept(sound).likelihoods
    middles = [round(stream.time(i) * RATE) for i in range(len(likelihoods))]
    half = round(STEP * RATE / 2)
    levels = np.array([level_of(sound[max(0, at - half) : max(0, at + half)]) for at in middles])
    return Outputs(likelihoods, levels, len(samples) / RATE)


@dataclass(frozen=True, slots=True)
class Found:
    """The likeliest call of an utterance, whatever its confidence.

    Attributes:
        call: the call; its ``phrase`` is empty for talk.
        welcome: whether it might be said.
        evidence: what speaks for it.
        t: its end, seconds.
        confidence: by the shipped weights.
    """

    call: Call
    welcome: bool
    evidence: Evidence
    t: float
    confidence: float

    @property
    def counts(self) -> bool:
        return self.welcome and bool(self.call.phrase)


def found_in(heard: Outputs, calls: Sequence[Call], welcome: Sequence[bool] | None = None) -> list[Found]:
    """What each utterance of a sound is likeliest to be, of these calls."""
    chooser = Chooser(calls)
    if welcome is not None:
        chooser.welcome = np.array(welcome, bool)
    found = []
    for row, level in zip(heard.likelihoods, heard.levels, strict=True):
        choice = chooser.step(row, float(level))
        if choice is None:
            continue
        best = choice.matches[0]
        evidence = chooser.evidence(choice, best)
        if evidence is not None:
            allowed = bool(chooser.welcome[best.call])
            found.append(Found(chooser.calls[best.call], allowed, evidence, best.stop * STEP, confidence(evidence)))
    return found


def without_cards(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls that a game listens for while no card may be named."""
    return tuple(call for call in calls if not call.card)
