"""Find the weighing of the Vosk engine's evidence: what it makes of words of speakers that the net never heard.

Right readings against wrong ones, over the closed set of the kept-back vocgame speakers, clean and with music and
clatter behind; and against calls of a game heard where people talk of something else.

usage: python -m models.vosk.recipe.confidence --speech SPEECH [--model DIR]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from audio.phrasebook import Call, calls_from, calls_of
from audio.vosk_engine import Evidence, VoskEngine
from audio.vosk_folder import OURS
from models.phrases.recipe.corpus import RATE, Clip, clips, kept_back, load, sentences_kept_back
from models.phrases.recipe.sounds import clatter, music

#: Decibels between the loudest tenth of a second of a word and the noise behind it.
NOISE = 8.0
_GAP = 1.2
#: Of the sentences that the net was trained on, one in so many.
_SOME = 12
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


def _tape(spoken: Sequence[Clip], noise: np.ndarray | None, decibels: float) -> tuple[np.ndarray, list[float]]:
    """All clips with a pause after each, and when each pause ends."""
    parts, ends, at = [np.zeros(RATE, np.float32)], [], RATE
    for clip in spoken:
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


@dataclass(frozen=True, slots=True)
class Task:
    """Clips, what is listened for in them, and the decibels over the noise behind."""

    clips: Sequence[Clip]
    calls: tuple[Call, ...]
    decibels: float | None = None


def tasks(words: Sequence[Clip], sentences: Sequence[Clip]) -> list[Task]:
    """The closed set of the words, clean and in noise; a game listened for where people talk of something else."""
    listed = calls_from(sorted({clip.text for clip in words}))
    return [Task(words, listed), Task(words, listed, NOISE), Task(sentences, calls_of("trut"))]


def talk(speech: Path) -> list[Clip]:
    """Sentences of three words and more: those kept back, and some that the net has heard, so few are the others."""
    heard = [clip for clip in clips([speech], None, None) if len(clip.text.split()) > 2]
    return sentences_kept_back(speech) + heard[::_SOME]


def readings(task: Task, folder: Path) -> Iterator[tuple[Evidence, bool]]:
    """Evidence of everything that is heard, and whether it was said."""
    noise = None
    if task.decibels is not None:
        r = np.random.default_rng(0)
        noise = music(r) + clatter(r)
    tape, ends = _tape(task.clips, noise, task.decibels or 0)
    engine = Listener(task.calls, folder)
    engine.accept(tape)
    engine.finish()
    for t, text, evidence in engine.seen:
        clip = task.clips[min(int(np.searchsorted(ends, t)), len(task.clips) - 1)]
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
    parser.add_argument("--every", type=int, default=1, help="take each so manieth clip, for a quick look")
    args = parser.parse_args()
    made = tasks(kept_back(args.speech)[:: args.every], talk(args.speech)[:: args.every])
    rows = [row for task in made for row in readings(task, args.model)]
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
