"""A fist on the table: onsets are found with loose criteria, a small network says which of them are knocks.

Everything the network sees is relative: to the loudest moment of the sound itself and to the level of the
room, so neither the microphone's gain nor its distance matters. A decision falls 140 ms after the onset
(plus the block that carried it).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from audio.errors import AudioError
from audio.events import Knock
from audio.onsets import (
    AFTER,
    BANDS,
    BEFORE,
    FLOOR_DB,
    HOP,
    MIN_RISE_DB,
    NEIGHBOURHOOD,
    STEP,
    WINDOW,
    Frames,
    Room,
    spectra,
    strengths,
)
from audio.resampling import RATE, Samples

GESTURE_SECONDS = 0.5
"""Hits that follow each other within this time are one gesture (CLI.md)."""
BOUNCE_SECONDS = 0.08
"""A second onset so soon after a knock is the same hit: the hand or the table bounces."""
HISTORY = 12
"""Frames that ``strengths`` needs before the first value."""

WEIGHTS = Path(__file__).resolve().parents[1] / "models" / "knocks"

Patches = NDArray[np.float32]
Classifier = Callable[[Patches], NDArray[np.float32]]
"""Patches (n, 2, BEFORE + 1 + AFTER, BANDS) to the probability (n,) that each is a knock."""


def patch(levels: Frames, room: Frames) -> Patches:
    """What the classifier sees of one onset: (2, frames, BANDS), the sound relative to its peak and to the
    room.

    Args:
        levels: dB (BEFORE + 1 + AFTER, BANDS) around the onset.
        room: dB (BANDS,), the room before the onset.
    """
    peak = levels[BEFORE - 2 : BEFORE + 8].max()
    shape = np.clip((levels - peak) / 30 + 1, -1, 1)
    above = np.clip((levels - room) / 30, -1, 2)
    return np.stack([shape, above]).astype(np.float32)


class OnsetPatches:
    """Samples in, onsets out: each with the patch around it, as soon as the patch is complete."""

    def __init__(self) -> None:
        self._samples = np.zeros(WINDOW // 2, np.float32)  # so that frame i is centred on sample i * HOP
        self._room = Room()
        self._levels = np.full((HISTORY + BEFORE, BANDS), FLOOR_DB, np.float32)
        self._rooms = np.full((HISTORY + BEFORE, BANDS), FLOOR_DB, np.float32)
        self._strength = np.zeros(HISTORY + BEFORE, np.float32)
        self._first = -(HISTORY + BEFORE)  # frame number of the first row kept
        self._next = 0  # first frame that was not looked at as an onset yet
        self._started = False

    def accept(self, samples: Samples) -> list[tuple[int, float, Patches]]:
        """(frame, strength in dB, patch) of each onset that is complete."""
        self._samples = np.concatenate([self._samples, samples])
        found = []
        need = (STEP - 1) * HOP + WINDOW
        while len(self._samples) >= need:
            self._step(spectra(self._samples[:need], STEP))
            self._samples = self._samples[STEP * HOP :]
            found += self._complete()
        return found

    def finish(self) -> list[tuple[int, float, Patches]]:
        """The onsets whose patch the end of the stream cut short, with silence after the end."""
        return self.accept(np.zeros((AFTER + 2 * STEP) * HOP + WINDOW, np.float32))

    def _step(self, levels: Frames) -> None:
        if (
            not self._started
        ):  # nothing is known of what was before: take it as the first frame went on, but quieter
            self._started = True
            self._levels[:] = np.minimum(levels[0], Room.START_DB)
            self._rooms[:] = self._levels
        room = self._room.follow(levels)
        self._levels = np.concatenate([self._levels, levels])
        self._rooms = np.concatenate([self._rooms, room])
        recent = -(HISTORY + STEP)
        self._strength = np.concatenate(
            [self._strength, strengths(self._levels[recent:], self._rooms[recent:])]
        )

    def _complete(self) -> list[tuple[int, float, Patches]]:
        end = self._first + len(self._levels)  # frames known
        found = []
        while self._next + AFTER < end:
            i = self._next - self._first
            low, high = i - NEIGHBOURHOOD, i + NEIGHBOURHOOD + 1
            here = self._strength[i]
            if here >= MIN_RISE_DB and here >= self._strength[low:high].max():
                around = self._levels[i - BEFORE : i + AFTER + 1]
                found.append((self._next, float(here), patch(around, self._rooms[i - 3])))
            self._next += 1
        keep = self._next - self._first - (HISTORY + BEFORE)
        if keep > 100:
            self._levels, self._rooms = self._levels[keep:], self._rooms[keep:]
            self._strength = self._strength[keep:]
            self._first += keep
        return found


@lru_cache(maxsize=2)
def shipped_classifier(folder: Path = WEIGHTS) -> tuple[Classifier, float, float]:
    """The classifier of models/knocks with its two thresholds: for the first hit of a gesture, and for those
    after it."""
    import onnxruntime

    try:
        settings = json.loads((folder / "knocks.json").read_text())
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            str(folder / "knocks.onnx"), options, providers=["CPUExecutionProvider"]
        )
    except (OSError, ValueError, RuntimeError) as problem:
        raise AudioError(
            "les poids du détecteur de coups manquent ou sont abîmés ({folder})", folder=str(folder)
        ) from problem
    (entry,) = session.get_inputs()

    def classify(patches: Patches) -> NDArray[np.float32]:
        (out,) = session.run(None, {entry.name: patches})
        return np.asarray(out, np.float32).reshape(-1)

    return classify, float(settings["first"]), float(settings["further"])


class Gestures:
    """Which onsets are hits, and how hits make gestures.

    Args:
        first: confidence from which the first hit of a gesture counts.
        further: confidence from which a hit within GESTURE_SECONDS of another counts: who knocks once knocks
            again.
    """

    def __init__(self, first: float, further: float) -> None:
        self._first = first
        self._further = further
        self._last = -10.0
        self._gesture = 0
        self._hit = 0

    def judge(self, t: float, confidence: float) -> tuple[int, int] | None:
        """(gesture, hit) of an onset, None where it is none; onsets come in order of time."""
        near = t - self._last
        together = near <= GESTURE_SECONDS
        if near < BOUNCE_SECONDS or confidence < (self._further if together else self._first):
            return None
        self._gesture, self._hit = (self._gesture, self._hit + 1) if together else (self._gesture + 1, 1)
        self._last = t
        return self._gesture, self._hit


class KnockDetector:
    """Finds knocks in a stream of 16 kHz samples.

    Args:
        classifier: says how sure each onset is a knock; None takes the shipped one.
        first, further: thresholds of :class:`Gestures`; None takes the shipped ones.
    """

    def __init__(
        self,
        classifier: Classifier | None = None,
        *,
        first: float | None = None,
        further: float | None = None,
    ) -> None:
        self._classify, shipped_first, shipped_further = (
            shipped_classifier() if classifier is None else (classifier, 0.5, 0.5)
        )
        self._gestures = Gestures(
            shipped_first if first is None else first, shipped_further if further is None else further
        )
        self._onsets = OnsetPatches()

    def accept(self, samples: Samples) -> list[Knock]:
        """The knocks that are decided with these samples, oldest first."""
        return self._knocks(self._onsets.accept(samples))

    def finish(self) -> list[Knock]:
        """The knocks that the end of the stream decides."""
        return self._knocks(self._onsets.finish())

    def _knocks(self, onsets: list[tuple[int, float, Patches]]) -> list[Knock]:
        knocks = []
        for frame, _, seen in onsets:
            t = frame * HOP / RATE
            confidence = float(self._classify(seen[None])[0])
            place = self._gestures.judge(t, confidence)
            if place is not None:
                # known with the last frame of the step that completes the patch
                step_end = (frame + AFTER) // STEP * STEP + STEP - 1
                knocks.append(Knock(t, (step_end * HOP + WINDOW // 2) / RATE, round(confidence, 4), *place))
        return knocks
