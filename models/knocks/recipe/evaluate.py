"""Hits and false gestures per group: ``python -m models.knocks.recipe.evaluate --sounds DIR [--model DIR |
--folds DIR0 DIR1]``.

The rules are those of tools/listen_eval.py: a hit lies within 0.05 s; the first and last 0.1 s of a knock
file and weak hits count neither way; only the first hit of a gesture can be a false alarm. With ``--folds``
each source of negatives is measured on the model that did not train on it (``train --fold``); the shipped
model has heard the redistributable ones.
"""

from __future__ import annotations

import argparse
import collections
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from assistant.bench.ears import knock_score
from audio.knocks import Classifier, Gestures, shipped_classifier

from .material import AMBIGUOUS, RATE, Sound, labelled_sounds, may_train
from .train import fold_of, onset_patches


def scored(sounds: Iterable[Sound], classifiers: list[Classifier]) -> list[tuple[Sound, np.ndarray, np.ndarray]]:
    """(sound, onset times, confidence) of each recording."""
    out = []
    for sound in sounds:
        times, patches = onset_patches(sound.samples)
        classify = classifiers[fold_of(sound.source) if len(classifiers) > 1 else 0]
        if len(times) and sound.kind == "knock" and len(classifiers) > 1:  # no knock source differs between the folds
            confidence = np.mean([c(patches) for c in classifiers], axis=0)
        else:
            confidence = classify(patches) if len(times) else np.zeros(0)
        out.append((sound, times, confidence))
    return out


def count(
    sound: Sound, times: np.ndarray, confidence: np.ndarray, first: float, further: float
) -> tuple[int, int, int]:
    """(knocks, hits, false gestures) of one recording."""
    gestures = Gestures(first, further)
    heard = [
        (float(t), place[1])
        for t, c in zip(times, confidence, strict=True)
        if (place := gestures.judge(float(t), float(c))) is not None
    ]
    return knock_score(sound.knocks, heard, len(sound.samples) / RATE, sound.ignore)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sounds", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--folds", type=Path, nargs=2)
    parser.add_argument("--first", type=float)
    parser.add_argument("--further", type=float)
    parser.add_argument("--list", action="store_true", help="print each false gesture")
    args = parser.parse_args()
    loaded = [shipped_classifier(folder) for folder in (args.folds or [args.model])]
    first = args.first or loaded[0][1]
    further = args.further or loaded[0][2]
    rows = scored(labelled_sounds(args.sounds), [c for c, _, _ in loaded])

    print("threshold  unseen knocks        false gestures an hour (unambiguous kinds)")
    unseen = [r for r in rows if r[0].kind == "knock" and r[0].source != "sharwin-large"]
    plain = [r for r in rows if r[0].kind != "knock" and r[0].kind not in AMBIGUOUS]
    hours = sum(len(r[0].samples) for r in plain) / RATE / 3600
    for level in (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98):
        low = min(further, level)
        hit = [count(*r, level, low) for r in unseen]
        false = sum(count(*r, level, low)[2] for r in plain)
        found, total = sum(h[1] for h in hit), sum(h[0] for h in hit)
        share, rate = found / max(total, 1), false / hours
        print(f"{level:9.2f}  {found:4d}/{total} = {share:.3f}   {false:4d} in {hours:.3f} h = {rate:.0f}")

    print(f"\nat first {first}, further {further}:")
    table: dict[tuple[str, str, str], list[float]] = collections.defaultdict(lambda: [0, 0, 0, 0.0, 0])
    for sound, times, confidence in rows:
        group = "knock" if sound.kind == "knock" else "ambiguous" if sound.kind in AMBIGUOUS else "plain"
        role = "trained" if may_train(sound) and (not args.folds or sound.kind == "knock") else "unseen"
        n, hit_count, false_count = count(sound, times, confidence, first, further)
        entry = table[group, sound.kind, f"{sound.source} ({role})"]
        for i, v in enumerate((n, hit_count, false_count, len(sound.samples) / RATE, 1)):
            entry[i] += v
        if args.list and false_count:
            shown = [
                (round(float(t), 2), round(float(c), 2)) for t, c in zip(times, confidence, strict=True) if c >= further
            ]
            print("  false:", sound.file, sound.kind, shown[:6])
    for (group, kind, source), (n, hits, false, seconds, files) in sorted(table.items()):
        name = f"{group:10s}{kind:18s}{source:28s} files {files:3.0f} {seconds:6.1f} s"
        print(f"{name}  hits {hits:3.0f}/{n:3.0f}  false gestures {false:.0f}")


if __name__ == "__main__":
    main()
