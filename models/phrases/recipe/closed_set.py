"""How well the net alone tells words apart, quiet and in noise: the likeliest of a closed set, no confidence asked.

usage: python -m models.phrases.recipe.closed_set --speech DIR [--noises DIR] [--weights phones.onnx ...]
    [--ratios 10 5 0] [--list]

Words of the vocgame speakers who were kept back (8 words), and calls of trut in espeak voices that were kept back.
Noise at ``ratios`` decibels against the loud half of each clip: babble of the kept-back speakers, the same with
clatter, made hum, and the recorded noises that were kept back. Sentences kept back: share of the outputs whose
likeliest phone is the one that the alignment finds there.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soxr

from assistant.bench.tally import share_interval
from audio.acoustic import WEIGHTS, PhoneStream
from audio.decoding import any_accent, held
from audio.espeak import espeak
from audio.lexicon import phone_ids, pronounce
from audio.phrasebook import calls_of
from models.phrases.recipe.align import Aligner, align, best_path
from models.phrases.recipe.corpus import RATE, kept_back, load, sentences_kept_back
from models.phrases.recipe.recordings import recordings
from models.phrases.recipe.sounds import babble, clatter, hum
from models.phrases.recipe.streams import TEST_VOICES

_SEED = 5
_QUIET = np.zeros(int(0.6 * RATE), np.float32)
#: Silence inside a word is never taken.
_NEVER = 1e9


@dataclass(frozen=True, slots=True)
class Trial:
    """A sound and the number of what is said in it, in the closed set."""

    samples: np.ndarray
    said: int


class Choice:
    """The likeliest of a closed set, each with its ways to say it (phone indices)."""

    def __init__(self, ways: Sequence[Sequence[tuple[int, ...]]]) -> None:
        self._ways = [[np.array(held(way)) for way in of_one] for of_one in ways]

    def likeliest(self, outputs: np.ndarray) -> int:
        """Index of the likeliest for log-likelihoods (n, 35)."""
        heard = np.array([any_accent(row) for row in outputs])
        scores = [
            max((best_path(heard, way, _NEVER)[0] for way in of_one if len(way) < len(heard)), default=-_NEVER)
            for of_one in self._ways
        ]
        return int(np.argmax(scores))


def heard(samples: np.ndarray, weights: Path) -> np.ndarray:
    """Log-likelihoods of a whole sound, as the ears get them."""
    return PhoneStream(weights).accept(np.concatenate([samples, _QUIET]).astype(np.float32)).likelihoods


def people(speech: Path) -> tuple[list[Trial], Choice]:
    clips = kept_back(speech)
    words = sorted({clip.text for clip in clips})
    choice = Choice([[phone_ids(way) for way in pronounce(word)] for word in words])
    return [Trial(load(clip.path), words.index(clip.text)) for clip in clips], choice


def calls(count: int) -> tuple[list[Trial], Choice]:
    """Calls of trut by voices that were kept back; calls of one meaning count as one."""
    choose = random.Random(_SEED)
    known = [call for call in calls_of("trut") if call.phrase]
    meanings = sorted({call.means for call in known})
    ways = [[phone_ids(way) for call in known if call.means == m for way in call.pronunciations] for m in meanings]
    trials = []
    for _ in range(count):
        call = choose.choice(known)
        text = " ".join("trutte" if word == "trut" else word for word in call.text.split())
        voice = f"{choose.choice(('fr', 'fr-be', 'fr-ch'))}+{choose.choice(TEST_VOICES)}"
        said = espeak().say(text, voice, choose.randint(140, 210), choose.randint(20, 80), choose.randint(30, 80))
        samples = soxr.resample(said.samples.astype(np.float32) / 32768, said.rate, RATE)
        trials.append(Trial(samples.astype(np.float32), meanings.index(call.means)))
    return trials, Choice(ways)


def backgrounds(talk: list[np.ndarray], noises: Path | None) -> dict[str, np.ndarray]:
    r = np.random.default_rng(_SEED)
    talking = np.concatenate([babble(talk, r) for _ in range(3)])
    hits = np.concatenate([clatter(r) for _ in range(3)])
    out = {
        "babble": talking,
        "café": talking / talking.std() + 0.7 * hits / hits.std(),
        "hum": np.concatenate([hum(r, 20) / 3 for _ in range(9)]),
    }
    if noises is not None:
        kept = [load(path) for _, path in recordings(noises, for_measuring=True)]
        kept = [sound[: 60 * RATE] / (sound.std() + 1e-6) for sound in kept if len(sound) > RATE // 4]
        if kept:
            out["recorded"] = np.concatenate(kept)
    return out


def mixed(samples: np.ndarray, noise: np.ndarray | None, ratio: float, r: np.random.Generator) -> np.ndarray:
    """The clip between two silences at a usual level, with noise ``ratio`` decibels below its loud half."""
    clip = samples / max(1e-4, np.abs(samples).max()) * 10 ** (-r.uniform(8, 20) / 20)
    out = np.concatenate([_QUIET, clip, _QUIET])
    if noise is not None:
        at = int(r.integers(0, len(noise) - len(out)))
        part = noise[at : at + len(out)]
        power = np.sort(clip**2)[len(clip) // 2 :].mean()
        out = out + part * np.sqrt(power / ((part**2).mean() + 1e-12)) * 10 ** (-ratio / 20)
    return np.clip(out, -1, 1)


def rows(
    sets: dict[str, tuple[list[Trial], Choice]], noise: dict[str, np.ndarray], ratios: Sequence[float], weights: Path
) -> Iterator[tuple[str, str, int, int]]:
    """(set, condition, right, tried)."""
    conditions = [("quiet", None, 0.0)] + [(f"{n} {ratio:g} dB", noise[n], ratio) for ratio in ratios for n in noise]
    for name, (trials, choice) in sets.items():
        for condition, background, ratio in conditions:
            r = np.random.default_rng(_SEED)
            found = [choice.likeliest(heard(mixed(t.samples, background, ratio, r), weights)) for t in trials]
            yield name, condition, sum(f == t.said for f, t in zip(found, trials, strict=True)), len(trials)


def phones_right(speech: Path, aligner: Path, weights: Path) -> tuple[int, int]:
    """Outputs within sentences kept back whose likeliest phone is the aligned one, and all such outputs."""
    right = counted = 0
    for aligned in align(Aligner(aligner), sentences_kept_back(speech)):
        stream = PhoneStream(weights)
        outputs = stream.accept(np.concatenate([aligned.spoken.samples, _QUIET])).likelihoods
        starts = np.array([start for start, _ in aligned.spoken.phones])
        phones = np.array([phone for _, phone in aligned.spoken.phones])
        at = np.searchsorted(starts, [stream.time(i) for i in range(len(outputs))], side="right") - 1
        wanted = phones[np.maximum(at, 0)]
        right += int((outputs.argmax(1)[wanted > 0] == wanted[wanted > 0]).sum())
        counted += int((wanted > 0).sum())
    return right, counted


def share(right: int, tried: int) -> str:
    low, high = share_interval(right, tried)
    return f"{right}/{tried} = {right / tried:.3f} [{low:.2f}, {high:.2f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, required=True)
    parser.add_argument("--noises", type=Path)
    parser.add_argument("--weights", type=Path, nargs="+", default=[WEIGHTS])
    parser.add_argument("--ratios", type=float, nargs="*", default=[10, 5, 0])
    parser.add_argument("--calls", type=int, default=120)
    parser.add_argument("--every", type=int, default=1, help="only every so many clips")
    args = parser.parse_args()
    words, choice = people(args.speech)
    sets = {"words": (words[:: args.every], choice), "calls": calls(args.calls)}
    noise = backgrounds([load(clip.path) for clip in sentences_kept_back(args.speech)], args.noises)
    for weights in args.weights:
        together: dict[str, list[int]] = {}
        for name, condition, right, tried in rows(sets, noise, args.ratios, weights):
            print(f"{weights.name:16s} {name:6s} {condition:16s} {share(right, tried)}", flush=True)
            total = together.setdefault(f"{name} {'quiet' if condition == 'quiet' else 'noisy'}", [0, 0])
            total[0] += right
            total[1] += tried
        print("; ".join(f"{name} {share(right, tried)}" for name, (right, tried) in together.items()))
        right, counted = phones_right(args.speech, WEIGHTS, weights)
        print(f"{weights.name:16s} outputs right in sentences kept back: {share(right, counted)}")


if __name__ == "__main__":
    main()
