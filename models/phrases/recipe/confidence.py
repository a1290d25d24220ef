"""Fit how evidence becomes confidence (audio/spotter.py, WEIGHING): matches that are right against matches
that are not.

Right ones: the vocgame speakers who were kept back, and game phrases in espeak voices that the net never
    heard,
both quiet and in noise. Wrong ones: the phrases of trut found in stories, talk, near misses, babble, clatter
and music.
Prints the weights, and the table of misses and false calls by confidence.

usage: python -m models.phrases.recipe.confidence --speech DIR [--rooms DIR] [--weights phones.onnx]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import astuple, fields
from pathlib import Path

import numpy as np
import soxr
from sklearn.linear_model import LogisticRegression

from audio.acoustic import WEIGHTS
from audio.espeak import espeak
from audio.phrasebook import GAMES, Call, calls_from, calls_of
from audio.spotter import Evidence, Heard, Spotter, Strictness, _Match
from models.phrases.recipe.corpus import RATE, clips, kept_back, load
from models.phrases.recipe.sounds import Rooms, babble, clatter, music, placed
from models.phrases.recipe.streams import TEST_VOICES
from models.phrases.recipe.texts import NEAR

#: Stands in a row that only counts how often something was said, or how long was listened.
NOTHING = Evidence(*[0.0] * len(fields(Evidence)))


class Witness(Spotter):
    """A spotter that writes down every decision."""

    def __init__(self, calls: tuple[Call, ...], weights: Path) -> None:
        super().__init__(calls, Strictness(least=0.0), weights)
        self.seen: list[tuple[Call, Evidence]] = []

    def _judge(self, match: _Match, evidence: Evidence) -> list[Heard]:
        self.seen.append((self._calls[match.call], evidence))
        self._free_from = match.stop
        return []


def evidence_in(calls: tuple[Call, ...], samples: np.ndarray, weights: Path) -> list[tuple[Call, Evidence]]:
    witness = Witness(calls, weights)
    witness.accept(samples.astype(np.float32))
    witness.finish()
    return [(call, found) for call, found in witness.seen if call.phrase]


def around(samples: np.ndarray, noise: np.ndarray | None, ratio: float, r: np.random.Generator) -> np.ndarray:
    """0.6 s of silence on both sides, brought to a usual level, with noise at ``ratio`` decibels."""
    quiet = np.zeros(int(0.6 * RATE))
    out = np.concatenate(
        [quiet, samples / max(1e-4, np.abs(samples).max()) * 10 ** (-r.uniform(6, 22) / 20), quiet]
    )
    if noise is not None:
        at = int(r.integers(0, max(1, len(noise) - len(out))))
        part = np.resize(noise[at:], len(out))
        power = (samples**2).mean() / max(1e-8, np.abs(samples).max() ** 2) * np.abs(out).max() ** 2
        out = out + part / np.sqrt((part**2).mean() + 1e-12) * np.sqrt(power) * 10 ** (-ratio / 20)
    return np.clip(out, -1, 1)


def after_talk(sound: np.ndarray, talk: list[np.ndarray], r: np.random.Generator) -> np.ndarray:
    """Two times in five somebody talks first, and falls silent 0.25 to 0.7 s before the call."""
    if r.random() > 0.4:
        return sound
    part = talk[r.integers(len(talk))][: int(r.uniform(0.6, 2.5) * RATE)]
    part = part / max(1e-4, np.abs(part).max()) * np.abs(sound).max() * 10 ** (-r.uniform(-3, 15) / 20)
    fade = np.minimum(1, np.arange(len(part))[::-1] / 800)
    pause = int(r.uniform(0.25, 0.7) * RATE)
    out = np.concatenate([np.zeros(RATE // 2), part * fade, sound])
    quiet = int(0.6 * RATE)  # what around() put before the call
    cut = RATE // 2 + len(part)
    return np.concatenate([out[:cut], out[cut + quiet - pause :]]) if pause < quiet else out


def said(text: str, r: random.Random) -> np.ndarray:
    voice = f"{r.choice(('fr', 'fr-be', 'fr-ch'))}+{r.choice(TEST_VOICES)}"
    text = " ".join("trutte" if word == "trut" else word for word in text.split())
    spoken = espeak().say(text, voice, r.randint(130, 220), r.randint(20, 80), r.randint(30, 80))
    return soxr.resample(spoken.samples.astype(np.float32) / 32768, spoken.rate, RATE)


def rows(speech: Path, rooms: Rooms, weights: Path) -> Iterator[tuple[str, bool, Evidence, float]]:
    """(kind, right, evidence, seconds listened)"""
    r, choose = np.random.default_rng(77), random.Random(77)
    people = list(clips(speech, None, None))
    talk = [load(c.path) for c in choose.sample([c for c in people if c.source in ("asp", "gcompris")], 120)]
    noise = [
        placed(babble(talk, r), rooms, r)[0],
        placed(clatter(r), rooms, r)[0],
        placed(music(r), rooms, r)[0],
    ]
    noise.append(noise[0][: 50 * RATE] + noise[1][: 50 * RATE])

    mine = kept_back(speech)
    words = calls_from(sorted({clip.text for clip in mine}))
    for clip in mine:
        for noisy in (False, True):
            background = noise[int(r.integers(4))] if noisy else None
            sound = around(load(clip.path), background, r.uniform(5, 20), r)
            found = evidence_in(words, after_talk(sound, talk, r), weights)
            yield "people, noise" if noisy else "people", False, NOTHING, -1.0
            for call, seen in found:
                yield "people, noise" if noisy else "people", call.text == clip.text, seen, 0.0
    texts = [(game, call) for game in GAMES for call in calls_of(game) if call.phrase]
    for game, call in choose.sample(texts, min(300, len(texts))):
        noisy = choose.random() < 0.5
        sound, _ = placed(said(call.text, choose), rooms, r)
        sound = around(sound, noise[int(r.integers(4))] if noisy else None, r.uniform(6, 25), r)
        found = evidence_in(calls_of(game), after_talk(sound, talk, r), weights)
        yield "voices", False, NOTHING, -1.0
        for heard, seen in found:
            yield "voices", bool(set(heard.means) & set(call.means)), seen, 0.0
    trut = calls_of("trut")
    for text in NEAR:
        sound = around(said(text, choose), None, 0, r)
        found = evidence_in(trut, sound, weights)
        yield "near misses", False, NOTHING, len(sound) / RATE
        for _, seen in found:
            yield "near misses", False, seen, 0.0
    stories = [c for c in people if c.source in ("asp", "sppas", "fleurs", "artikulate", "vendor")]
    for clip in choose.sample(stories, 160):
        sound = around(
            load(clip.path), noise[int(r.integers(4))] if choose.random() < 0.3 else None, r.uniform(5, 25), r
        )
        found = evidence_in(trut, sound, weights)
        yield "talk", False, NOTHING, len(sound) / RATE
        for _, seen in found:
            yield "talk", False, seen, 0.0
    for i, sound in enumerate(noise):
        found = evidence_in(trut, np.clip(sound * 0.15, -1, 1), weights)
        yield f"noise {i}", False, NOTHING, len(sound) / RATE
        for _, seen in found:
            yield f"noise {i}", False, seen, 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, required=True)
    parser.add_argument("--rooms", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    kinds: dict[str, list[float]] = {}  # tried (times said), seconds
    data: list[tuple[str, bool, Evidence]] = []
    for kind, right, seen, seconds in rows(args.speech, Rooms(args.rooms), args.weights):
        tried = kinds.setdefault(kind, [0.0, 0.0])
        if seconds < 0:
            tried[0] += 1
        elif seconds > 0:
            tried[1] += seconds
        else:
            data.append((kind, right, seen))
    x = np.array([astuple(seen) for _, _, seen in data])
    y = np.array([right for _, right, _ in data])
    people = np.array([kind.startswith("people") for kind, _, _ in data])
    weight = np.where(y, np.where(people, 1.5, 1.0), 1.0)
    scale = x.std(0) + 1e-6
    model = LogisticRegression(C=1.0, max_iter=2000).fit(x / scale, y, sample_weight=weight)
    weights = [*(model.coef_[0] / scale), float(model.intercept_[0])]
    print("WEIGHING = (" + ", ".join(f"{w:.3f}" for w in weights) + ")")
    p = model.predict_proba(x / scale)[:, 1]
    for least in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        parts = []
        for kind, (said_times, seconds) in kinds.items():
            at = np.array([k == kind for k, _, _ in data])
            right, wrong = int((p[at & y] >= least).sum()), int((p[at & ~y] >= least).sum())
            parts.append(
                f"{kind} {right}/{said_times:.0f} wrong {wrong}"
                if said_times
                else f"{kind} {wrong / seconds * 3600:.0f}/h"
            )
        print(f"confidence {least}: " + "; ".join(parts))


if __name__ == "__main__":
    main()
