"""Find the weighing of the Vosk engine's evidence: what it makes of words of speakers that the net never heard.

Right readings against wrong ones, over the closed set of the kept-back vocgame speakers, clean and with talk and
clatter behind; and against the same words heard as if they were calls of a game.

usage: python -m models.vosk.recipe.confidence --speech SPEECH [--model DIR]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np

from audio.phrasebook import Call, calls_from, calls_of
from audio.vosk_engine import Evidence, VoskEngine
from audio.vosk_folder import OURS
from models.phrases.recipe.corpus import RATE, Clip, kept_back, load
from models.phrases.recipe.sounds import babble, clatter

#: Decibels between the loudest tenth of a second of a word and the noise behind it.
NOISES = (10.0, 5.0)
_GAP = 1.2
#: Pull of the weights to zero, in readings.
_PULL = 1.0


class Listener(VoskEngine):
    """Keeps the evidence of every reading, however unlikely."""

    def __init__(self, calls: Sequence[Call], folder: Path) -> None:
        super().__init__(calls, folder, listed=True)
        self.seen: list[tuple[float, str, Evidence]] = []

    def _evidence(self, word, call, readings):  # type: ignore[no-untyped-def]
        found = super()._evidence(word, call, readings)
        self.seen.append((word.end, call.text, found[0]))
        return found


def _tape(clips: Sequence[Clip], noise: np.ndarray | None, decibels: float) -> tuple[np.ndarray, list[float]]:
    """All clips with a pause after each, and when each pause ends."""
    parts, ends, at = [np.zeros(RATE, np.float32)], [], RATE
    for clip in clips:
        samples = np.concatenate([load(clip.path), np.zeros(int(_GAP * RATE), np.float32)])
        if noise is not None:
            start = at % (len(noise) - len(samples))
            behind = noise[start : start + len(samples)]
            gain = _loudest(samples) / max(1e-6, _loudest(behind)) * 10 ** (-decibels / 20)
            samples = samples + gain * behind
        parts.append(samples.astype(np.float32))
        at += len(samples)
        ends.append(at / RATE)
    return np.concatenate(parts), ends


def _loudest(samples: np.ndarray) -> float:
    frames = samples[: len(samples) // 1600 * 1600].reshape(-1, 1600)
    return float(np.sqrt((frames**2).mean(axis=1).max()))


def readings(clips: Sequence[Clip], folder: Path) -> Iterator[tuple[Evidence, bool]]:
    """Evidence of everything that is heard, and whether it was said."""
    r = np.random.default_rng(0)
    talk = [load(clip.path) for clip in clips[::3]]
    noise = babble(talk, r) + 0.5 * clatter(r)
    listed = calls_from(sorted({clip.text for clip in clips}))
    said = {clip.text for clip in clips}
    game = tuple(call for call in calls_of("trut") if call.text not in said)
    for calls, decibels in ((listed, None), *((listed, level) for level in NOISES), (game, None), (game, NOISES[0])):
        tape, ends = _tape(clips, noise if decibels is not None else None, decibels or 0)
        engine = Listener(calls, folder)
        engine.accept(tape)
        engine.finish()
        for t, text, evidence in engine.seen:
            clip = clips[min(int(np.searchsorted(ends, t)), len(clips) - 1)]
            yield evidence, text == clip.text


def fit(evidence: np.ndarray, right: np.ndarray, rounds: int = 100) -> np.ndarray:
    """Logistic regression by Newton's method: the weights, then the constant."""
    x = np.column_stack([evidence, np.ones(len(evidence))])
    weights = np.zeros(x.shape[1])
    pull = np.diag([*[_PULL] * evidence.shape[1], 0.0])
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-(x @ weights)))
        slope = x.T @ (right - chance) - pull @ weights
        weights += np.linalg.solve((x * (chance * (1 - chance))[:, None]).T @ x + pull, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=OURS)
    args = parser.parse_args()
    rows = list(readings(kept_back(args.speech), args.model))
    evidence, right = np.array([astuple(e) for e, _ in rows]), np.array([ok for _, ok in rows], float)
    weights = fit(evidence, right)
    print("WEIGHING = (" + ", ".join(f"{w:.3f}" for w in weights) + ")")
    chance = 1 / (1 + np.exp(-(evidence @ weights[:-1] + weights[-1])))
    for least in (0.3, 0.4, 0.5, 0.6, 0.8):
        kept = chance >= least
        print(f"from {least}: {int(right[kept].sum())} of {int(right.sum())} right, {int((1 - right)[kept].sum())} of "
              f"{int((1 - right).sum())} wrong")  # fmt: skip


if __name__ == "__main__":
    main()
