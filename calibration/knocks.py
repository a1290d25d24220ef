"""Learning one table's knocks: five of them, and half a minute of all that is none.

A little is added to the net's logit: a weight for each number that the net rests on, and a shift, fitted by
logistic regression to the table's own sounds *and* to the anchors: sounds of other tables that ship with the
net, of which it shall go on thinking what it thought. Ridge pulls towards the shipped net: where a table teaches
nothing, nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from audio.errors import AudioError
from audio.knocks import (
    WEIGHTS,
    Classifier,
    Gestures,
    Heard,
    KnockNet,
    KnockProfile,
    Onset,
    Onsets,
    calibrated,
    shipped_net,
)
from audio.onsets import BANDS, BEFORE
from audio.resampling import RATE, Samples

WANTED = 5
"""Knocks that are asked for."""
FEWEST = 3
"""Fewer teach too little."""
MOST = 4 * WANTED
"""More that stand out alike are talk, or music."""
FAINTER_DB = 12.0
"""An onset so much fainter than the middle one of the five loudest is no knock but a bounce, a chair, a breath."""
LOUDEST_BANDS = BANDS // 3
"""By so many of its bands an onset's loudness goes."""
APART = 0.12
"""Seconds between two knocks."""
RIDGE = 2.0
"""How strongly the shipped net is held to."""
TRUST = 240.0
"""What the anchors weigh, knocks and others each."""
OWN_SHARE = 1.0
"""What this table's sounds weigh beside the anchors', knocks and others each."""


class UnclearKnocks(AudioError):
    """The recording of knocks holds hardly any, or so much that they cannot be told from the rest."""

    code = "unclear-knocks"


@dataclass(frozen=True)
class Gain:
    """What calibrating changed, on the sounds that were recorded for it.

    Attributes:
        knocks: that were found in the recording of knocks.
        before, after: how many of them count, with the shipped net and with the profile.
        false_before, false_after: gestures heard in the other recording, where nobody knocked.
        seconds: how long that one is.
    """

    knocks: int
    before: int
    after: int
    false_before: int
    false_after: int
    seconds: float


@dataclass(frozen=True)
class Anchors:
    """Sounds of other tables as the net sums them up: ``heard``, and whether each is a knock (n,)."""

    heard: Heard
    knock: NDArray[np.bool_]


@lru_cache(maxsize=2)
def shipped_anchors(folder: Path = WEIGHTS) -> Anchors:
    """The anchors that ship with the net.

    Raises:
        AudioError: they are missing or damaged.
    """
    try:
        with np.load(folder / "anchors.npz") as saved:
            heard = Heard(saved["logit"].astype(np.float32), saved["features"].astype(np.float32))
            return Anchors(heard, saved["knock"].astype(bool))
    except (OSError, ValueError, KeyError) as problem:
        raise AudioError(
            "les poids du détecteur de coups manquent ou sont abîmés ({folder})", folder=str(folder)
        ) from problem


def onsets_in(samples: Samples) -> list[Onset]:
    """Every onset of a recording."""
    finder = Onsets()
    return finder.accept(samples) + finder.finish()


def knocks_among(onsets: Sequence[Onset], wanted: int = WANTED) -> list[Onset]:
    """The onsets of a recording of knocks that are the knocks: those that stand out of the room alike.

    Raises:
        UnclearKnocks: fewer than FEWEST do, or more than MOST.
    """
    apart: list[Onset] = []
    for onset in sorted(onsets, key=loudness, reverse=True):
        if all(abs(onset.t - other.t) >= APART for other in apart):
            apart.append(onset)
    if len(apart) >= FEWEST:
        middle = float(np.median([loudness(o) for o in apart[:wanted]]))
        apart = [o for o in apart if loudness(o) >= middle - FAINTER_DB]
    if len(apart) < FEWEST:
        raise UnclearKnocks(
            "pas assez de coups entendus ({n}) : frappez-en cinq, à une seconde l'un de l'autre", n=len(apart)
        )
    if len(apart) > MOST:
        raise UnclearKnocks("trop de bruits pour y trouver cinq coups ({n}) : recommencez sans parler", n=len(apart))
    return sorted(apart, key=lambda o: o.frame)


def loudness(onset: Onset) -> float:
    """How far an onset stands out of the room at its loudest, dB, over the third of the bands where it does most."""
    above = np.sort(30 * onset.patch[1, BEFORE : BEFORE + 12], axis=1)[:, -LOUDEST_BANDS:]
    return float(above.mean(axis=1).max())


def learn(
    knocks: Samples, talk: Samples, net: KnockNet | None = None, anchors: Anchors | None = None
) -> tuple[KnockProfile, Gain]:
    """The profile of one table, and what it gains.

    Args:
        knocks: a recording of some five knocks.
        talk: a recording in which nobody knocks.

    Raises:
        UnclearKnocks
    """
    net = net or shipped_net()
    struck, others = knocks_among(onsets_in(knocks)), onsets_in(talk)
    profile = fitted(net, struck, others, anchors or shipped_anchors())
    heard = calibrated(profile, net)
    gain = Gain(
        len(struck),
        counted(net, struck, net),
        counted(heard, struck, net),
        gestures_in(net, others, net),
        gestures_in(heard, others, net),
        len(talk) / RATE,
    )
    return profile, gain


def fitted(net: KnockNet, knocks: Sequence[Onset], others: Sequence[Onset], anchors: Anchors) -> KnockProfile:
    """The profile of a table whose knocks and other onsets are these, by Newton's steps."""
    own = [net.hear(list(part)) for part in (knocks, others) if part]
    heard = [anchors.heard, *own]
    features = np.concatenate([h.features for h in heard]).astype(np.float64)
    logit = np.concatenate([h.logit for h in heard]).astype(np.float64)
    kept = 1 / (1 + np.exp(-anchors.heard.logit))  # of the anchors the net shall think what it thought
    target = np.concatenate([kept, np.ones(len(knocks)), np.zeros(len(others))])
    known = anchors.knock
    weight = np.concatenate(
        [
            np.where(known, 1 / max(1, known.sum()), 1 / max(1, (~known).sum())),
            np.full(len(knocks), OWN_SHARE / max(1, len(knocks))),
            np.full(len(others), OWN_SHARE / max(1, len(others))),
        ]
    )
    weight *= TRUST
    mean, spread = anchors.heard.features.mean(axis=0), anchors.heard.features.std(axis=0) + 0.1
    x = np.concatenate([(features - mean) / spread, np.ones((len(features), 1))], axis=1)
    ridge = np.diag(np.r_[np.full(x.shape[1] - 1, RIDGE), RIDGE / 4])
    w = np.zeros(x.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-np.clip(logit + x @ w, -30, 30)))
        slope = x.T @ (weight * (p - target)) + ridge @ w
        curve = (x * (weight * np.maximum(p * (1 - p), 1e-4))[:, None]).T @ x + ridge
        step = np.linalg.solve(curve, slope)
        w -= step * min(1.0, 1.0 / (np.abs(step).max() + 1e-9))
        if np.abs(step).max() < 1e-5:
            break
    weights = w[:-1] / spread
    return KnockProfile(net.mark, weights.astype(np.float32), float(w[-1] - weights @ mean))


def counted(classify: Classifier, onsets: Sequence[Onset], net: KnockNet) -> int:
    """How many onsets count as a knock by themselves."""
    return int((classify(list(onsets)) >= net.first).sum())


def gestures_in(classify: Classifier, onsets: Sequence[Onset], net: KnockNet) -> int:
    """How many gestures are heard in a recording with these onsets."""
    gestures = Gestures(net.first, net.further)
    if not onsets:
        return 0
    places = [gestures.judge(o.t, float(c)) for o, c in zip(onsets, classify(list(onsets)), strict=True)]
    return sum(place is not None and place[1] == 1 for place in places)
