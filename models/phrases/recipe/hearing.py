"""Hearing a sound once, and asking it many questions: the outputs of the net are kept and the choice is made over them
with one list of calls after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from audio.acoustic import STEP, Loudness, PhoneStream, _session, _sight
from audio.choosing import Chooser, Evidence
from audio.features import PORTION, RATE, cepstra, clean, energies
from audio.phrasebook import Call
from audio.spotter import confidence


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the net made of a sound.

    Attributes:
        likelihoods: (n, 35).
        seconds: length of the sound.
    """

    likelihoods: np.ndarray
    seconds: float


def outputs(samples: np.ndarray, weights: Path, at_once: bool = False) -> Outputs:
    """Hear a sound (16 kHz, mono); silence follows it.

    Args:
        at_once: not as a stream does, which hears every moment anew with each portion, but in one go and at one gain:
            the same but for a little, and ten times faster. For fits, not for figures.
    """
    sound = np.concatenate([clean(samples), np.zeros(RATE, np.float32)])
    likelihoods = _at_once(sound, weights) if at_once else PhoneStream(weights).accept(sound).likelihoods
    return Outputs(likelihoods, len(samples) / RATE)


def _at_once(sound: np.ndarray, weights: Path) -> np.ndarray:
    heard = energies(sound)
    loudness = Loudness()
    gain = min(loudness.gain(heard[at : at + PORTION]) for at in range(0, len(heard) - PORTION + 1, PORTION))
    edge = np.zeros((_sight(weights), heard.shape[1]), np.float32)
    cep = cepstra(np.concatenate([edge, heard, edge]), gain)
    likelihoods: np.ndarray = _session(weights).run(["likelihoods"], {"cepstra": cep.T[None]})[0][0].T
    return likelihoods


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
    for row in heard.likelihoods:
        choice = chooser.step(row)
        if choice is None:
            continue
        best = choice.matches[0]
        evidence = chooser.evidence(choice, best)
        if evidence is not None:
            allowed = bool(chooser.welcome[best.call])
            found.append(Found(chooser.calls[best.call], allowed, evidence, best.stop * STEP, confidence(evidence)))
    return found


def without_names(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls that a game listens for while no card and no player may be named."""
    return tuple(call for call in calls if not call.name)
