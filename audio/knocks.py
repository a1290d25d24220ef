"""A fist on the table: onsets are found with loose criteria, a small network says which of them are knocks.

What the network sees is relative: to the level of the room, and to the loudest moment of the sound. So the
microphone's gain does not matter, but how far a sound stands out of the room does. It also sees the second
before, coarsely: steps come in rows, a knock mostly out of quiet. A decision falls 168 to 184 ms after the
onset (plus the block that carried it).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from audio.errors import AudioError, UnreadableKnockProfile
from audio.events import Knock
from audio.nets import opened
from audio.onsets import (
    AFTER,
    BANDS,
    BEFORE,
    FLOOR_DB,
    HISTORY,
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
PAST_STEPS = 48
"""Steps of 20 ms before the patch that are seen coarsely (0.96 s)."""
PAST_BANDS = 8
"""Bands in which they are seen, of four each."""
KEPT = max(HISTORY, PAST_STEPS * STEP) + BEFORE + NEIGHBOURHOOD
"""Frames that are kept before those that are still to be looked at."""

WEIGHTS = Path(__file__).resolve().parents[1] / "models" / "knocks"


@dataclass(frozen=True, slots=True)
class Onset:
    """A moment where something strikes, and what is heard around it.

    Attributes:
        frame: its frame; its time is ``frame * HOP / RATE``.
        strength: how much it rises, dB.
        patch: (2, BEFORE + 1 + AFTER, BANDS): the sound relative to its loudest moment, and to the room.
        past: (PAST_STEPS, PAST_BANDS): the loudest of each 20 ms before the patch, relative to the room.
    """

    frame: int
    strength: float
    patch: NDArray[np.float32]
    past: NDArray[np.float32]

    @property
    def t(self) -> float:
        """Its time, seconds."""
        return self.frame * HOP / RATE


Classifier = Callable[[Sequence[Onset]], NDArray[np.float32]]
"""Onsets to the probability (n,) that each is a knock."""


def patch(levels: Frames, room: Frames) -> NDArray[np.float32]:
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


def past(levels: Frames, room: Frames) -> NDArray[np.float32]:
    """The second before a patch, coarsely: (PAST_STEPS, PAST_BANDS), relative to the room.

    Args:
        levels: dB (PAST_STEPS * STEP, BANDS).
        room: dB (BANDS,), the room before the onset.
    """
    above = (levels - room).reshape(len(levels), PAST_BANDS, -1).mean(axis=2)
    loudest = above.reshape(PAST_STEPS, STEP, PAST_BANDS).max(axis=1)
    return np.asarray(np.clip(loudest / 30, -1, 2), np.float32)


class Onsets:
    """Samples in, onsets out: each with what is around it, as soon as that is complete."""

    def __init__(self) -> None:
        self._samples = np.zeros(WINDOW // 2, np.float32)  # so that frame i is centred on sample i * HOP
        self._room = Room()
        self._levels = np.full((KEPT, BANDS), FLOOR_DB, np.float32)
        self._rooms = np.full((KEPT, BANDS), FLOOR_DB, np.float32)
        self._strength = np.zeros(KEPT, np.float32)
        self._first = -KEPT  # frame number of the first row kept
        self._next = 0  # first frame that was not looked at as an onset yet
        self._started = False

    def accept(self, samples: Samples) -> list[Onset]:
        """The onsets that these samples complete."""
        self._samples = np.concatenate([self._samples, samples])
        found = []
        need = (STEP - 1) * HOP + WINDOW
        while len(self._samples) >= need:
            self._step(spectra(self._samples[:need], STEP))
            self._samples = self._samples[STEP * HOP :]
            found += self._complete()
        return found

    def finish(self) -> list[Onset]:
        """The onsets whose patch the end of the stream cut short, with silence after the end."""
        return self.accept(np.zeros((AFTER + 2 * STEP) * HOP + WINDOW, np.float32))

    def _step(self, levels: Frames) -> None:
        if not self._started:  # nothing is known of what was before: take it as the first frame went on, but quieter
            self._started = True
            self._levels[:] = np.minimum(levels[0], Room.START_DB)
            self._rooms[:] = self._levels
        room = self._room.follow(levels)
        self._levels = np.concatenate([self._levels, levels])
        self._rooms = np.concatenate([self._rooms, room])
        recent = -(HISTORY + STEP)
        self._strength = np.concatenate([self._strength, strengths(self._levels[recent:], self._rooms[recent:])])

    def _complete(self) -> list[Onset]:
        end = self._first + len(self._levels)  # frames known
        found = []
        while self._next + AFTER < end:
            i = self._next - self._first
            low, high = i - NEIGHBOURHOOD, i + NEIGHBOURHOOD + 1
            here = self._strength[i]
            if here >= MIN_RISE_DB and here >= self._strength[low:high].max():
                found.append(self._seen(i))
            self._next += 1
        keep = self._next - self._first - KEPT
        if keep > 100:
            self._levels, self._rooms = self._levels[keep:], self._rooms[keep:]
            self._strength = self._strength[keep:]
            self._first += keep
        return found

    def _seen(self, i: int) -> Onset:
        start, room = i - BEFORE, self._rooms[i - 3]
        return Onset(
            self._first + i,
            float(self._strength[i]),
            patch(self._levels[start : i + AFTER + 1], room),
            past(self._levels[start - PAST_STEPS * STEP : start], room),
        )


@dataclass(frozen=True, slots=True)
class Heard:
    """What the net makes of some onsets: ``logit`` (n,) and ``features`` (n, k), the numbers it rests on."""

    logit: NDArray[np.float32]
    features: NDArray[np.float32]


class KnockNet:
    """The shipped net.

    Attributes:
        mark: changes with the net, so that a profile made for another is recognised.
        first, further: thresholds of :class:`Gestures`.
        width: how many numbers it rests on, k of :class:`Heard`.
    """

    def __init__(self, folder: Path = WEIGHTS) -> None:
        try:
            settings = json.loads((folder / "knocks.json").read_text())
            weights = (folder / "knocks.onnx").read_bytes()
            self._session = opened(weights)
            self.first, self.further = float(settings["first"]), float(settings["further"])
            self._scale, self._shift = float(settings["scale"]), float(settings["shift"])
        except (OSError, ValueError, KeyError, RuntimeError) as problem:
            raise AudioError(
                "les poids du détecteur de coups manquent ou sont abîmés ({folder})", folder=str(folder)
            ) from problem
        self.width = int({o.name: o.shape for o in self._session.get_outputs()}["features"][1])
        self.mark = hashlib.sha256(weights).hexdigest()[:12]

    def hear(self, onsets: Sequence[Onset]) -> Heard:
        """What the net makes of each onset; the logit is scaled so that ``first`` is where a knock counts."""
        fields = {"patch": np.stack([o.patch for o in onsets]), "past": np.stack([o.past for o in onsets])}
        logit, features = self._session.run(["logit", "features"], fields)
        return Heard((self._scale * logit + self._shift).astype(np.float32), features.astype(np.float32))

    def __call__(self, onsets: Sequence[Onset]) -> NDArray[np.float32]:
        """The probability of each onset."""
        return _probability(self.hear(onsets).logit) if onsets else np.zeros(0, np.float32)


@lru_cache(maxsize=2)
def shipped_net(folder: Path = WEIGHTS) -> KnockNet:
    """The net of models/knocks.

    Raises:
        AudioError: it is missing or damaged.
    """
    return KnockNet(folder)


@dataclass(frozen=True)
class KnockProfile:
    """What ``trut calibrate knock`` learned of one table: a little is added to the net's logit.

    Attributes:
        net: mark of the net that it was made for.
        weights: (k,) for the net's features.
        shift: added besides.
    """

    net: str
    weights: NDArray[np.float32]
    shift: float

    def logit(self, heard: Heard) -> NDArray[np.float32]:
        """The logit at this table."""
        return np.asarray(heard.logit + heard.features @ self.weights + self.shift, np.float32)

    def save(self, path: Path) -> None:
        """Write it as a small text file, all at once.

        Raises:
            UnreadableKnockProfile: it cannot be written there.
        """
        row = {"knocks": 1, "net": self.net, "shift": self.shift, "weights": [round(float(w), 5) for w in self.weights]}
        made = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.write_text(json.dumps(row) + "\n", encoding="utf-8")
            os.replace(made, path)
        except OSError as problem:
            raise UnreadableKnockProfile(
                "{path} : impossible d'écrire ce fichier ({why})", path=path, why=problem.strerror or str(problem)
            ) from problem


def read_profile(path: Path, net: KnockNet | None = None) -> KnockProfile:
    """A profile that was saved.

    Raises:
        UnreadableKnockProfile: there is none, it is no profile, or it was made for another net.
    """
    net = net or shipped_net()
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        profile = KnockProfile(str(row["net"]), np.asarray(row["weights"], np.float32), float(row["shift"]))
        if not (profile.weights.ndim == 1 and np.isfinite([profile.shift, *profile.weights]).all()):
            raise ValueError("not numbers")
    except FileNotFoundError:
        raise UnreadableKnockProfile("{path} : ce fichier n'existe pas", path=path) from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise UnreadableKnockProfile("{file} : ce n'est pas un profil de coups", file=str(path)) from problem
    if profile.net != net.mark or len(profile.weights) != net.width:
        raise UnreadableKnockProfile(
            "{file} : ce profil de coups a été fait pour une autre version ; refaites trut calibrate knock",
            file=str(path),
        )
    return profile


def calibrated(profile: KnockProfile, net: KnockNet | None = None) -> Classifier:
    """A classifier for the table of a profile."""
    shipped = net or shipped_net()

    def classify(onsets: Sequence[Onset]) -> NDArray[np.float32]:
        return _probability(profile.logit(shipped.hear(onsets))) if onsets else np.zeros(0, np.float32)

    return classify


def _probability(logit: NDArray[np.float32]) -> NDArray[np.float32]:
    return (1 / (1 + np.exp(-np.clip(logit, -30, 30)))).astype(np.float32)


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
        if first is None or further is None or classifier is None:
            net = shipped_net()
            first = net.first if first is None else first
            further = net.further if further is None else further
            classifier = classifier or net
        self._classify = classifier
        self._gestures = Gestures(first, further)
        self._onsets = Onsets()

    def calibrate(self, classifier: Classifier) -> None:
        """Judge the onsets to come by another classifier: the table was calibrated in the middle of the stream."""
        self._classify = classifier

    def accept(self, samples: Samples) -> list[Knock]:
        """The knocks that are decided with these samples, oldest first."""
        return self._knocks(self._onsets.accept(samples))

    def finish(self) -> list[Knock]:
        """The knocks that the end of the stream decides."""
        return self._knocks(self._onsets.finish())

    def _knocks(self, onsets: list[Onset]) -> list[Knock]:
        knocks = []
        for onset in onsets:  # one by one: the result must not depend on how many came together
            confidence = float(self._classify([onset])[0])
            place = self._gestures.judge(onset.t, confidence)
            if place is not None:
                # known with the last frame of the step that completes the patch
                step_end = (onset.frame + AFTER) // STEP * STEP + STEP - 1
                decided = (step_end * HOP + WINDOW // 2) / RATE
                knocks.append(Knock(onset.t, decided, round(confidence, 4), *place))
        return knocks
