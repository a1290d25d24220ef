"""Hits and false gestures per group: ``python -m models.knocks.recipe.evaluate --sounds DIR [--effects DIR]
[--model DIR | --folds DIR0 DIR1]``.

The rules are those of tools/listen_eval.py: a hit lies within 0.05 s; the first and last 0.1 s of a knock
file and weak hits count neither way; only the first hit of a gesture can be a false alarm. With ``--folds``
each source of negatives is measured on the net that did not train on it (``train --leave-out foldK``); the
shipped one has heard the redistributable ones. ``--effects``: the packages that are set aside from every training.
"""

from __future__ import annotations

import argparse
import collections
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.bench.ears import knock_score
from assistant.bench.tally import rate_interval, share_interval
from audio.knocks import Gestures, KnockNet

from .material import AMBIGUOUS, RATE, Sound, effects, is_set_aside, labelled_sounds, may_train
from .train import fold_of, onsets_of

CALM = ("speech-fr", "speech-fr-words", "speech-other", "ambience", "music")
"""Speech, places and music: at most one false gesture an hour is wanted, and ten among the dense noises."""
LEVELS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)


@dataclass(frozen=True)
class Judged:
    """One recording: the times of its onsets and how sure the net is of each."""

    sound: Sound
    seconds: float
    times: np.ndarray
    confidence: np.ndarray

    def count(self, first: float, further: float) -> tuple[int, int, int]:
        """(knocks, hits, false gestures)."""
        gestures = Gestures(first, further)
        heard = [
            (float(t), place[1])
            for t, c in zip(self.times, self.confidence, strict=True)
            if (place := gestures.judge(float(t), float(c))) is not None
        ]
        return knock_score(self.sound.knocks, heard, self.seconds, self.sound.ignore)


def judged(sounds: Iterable[Sound], nets: Sequence[KnockNet]) -> list[Judged]:
    """Each recording as the net hears it that did not train on it; knocks, which no fold leaves out, as all do."""
    out = []
    for sound in sounds:
        onsets = onsets_of(sound.samples)
        own = nets if sound.kind == "knock" else [nets[fold_of(sound.source) if len(nets) > 1 else 0]]
        confidence = np.mean([net(onsets) for net in own], axis=0)
        out.append(Judged(sound, len(sound.samples) / RATE, np.array([o.t for o in onsets]), confidence))
    return out


def part_of(sound: Sound) -> str:
    """The line on which a recording counts."""
    if sound.kind == "knock":
        return "trained knocks" if may_train(sound) else "unseen knocks"
    return "ambiguous" if sound.kind in AMBIGUOUS else "calm" if sound.kind in CALM else "dense"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sounds", type=Path, required=True)
    parser.add_argument("--effects", type=Path)
    parser.add_argument("--model", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--folds", type=Path, nargs=2)
    parser.add_argument("--first", type=float)
    parser.add_argument("--further", type=float)
    parser.add_argument("--list", action="store_true", help="print each false gesture")
    args = parser.parse_args()
    nets = [KnockNet(folder) for folder in (args.folds or [args.model])]
    first, further = args.first or nets[0].first, args.further or nets[0].further
    parts: dict[str, list[Judged]] = collections.defaultdict(list)
    for row in judged(labelled_sounds(args.sounds), nets):
        parts[part_of(row.sound)].append(row)
    if args.effects:
        aside = [s for s in effects(args.effects) if is_set_aside(s.source)]
        for row in judged(aside, nets):
            parts["set aside, music" if row.sound.kind == "music" else "set aside, effects"].append(row)

    print("threshold  " + "  ".join(f"{part:>22s}" for part in sorted(parts)))
    for level in LEVELS:
        low = min(further, level)
        cells = [_cell(part, rows, level, low) for part, rows in sorted(parts.items())]
        print(f"{level:9.2f}  " + "  ".join(f"{cell:>22s}" for cell in cells))
    print(f"\nat first {first}, further {further}:")
    for part, rows in sorted(parts.items()):
        _table(part, rows, first, further, bool(args.folds), args.list)


def _cell(part: str, rows: Sequence[Judged], first: float, further: float) -> str:
    counts = np.sum([row.count(first, further) for row in rows], axis=0)
    if "knocks" in part:
        return f"{counts[1]}/{counts[0]}"
    hours = sum(row.seconds for row in rows) / 3600
    return f"{counts[2]} = {counts[2] / hours:.0f}/h"


def _table(part: str, rows: Sequence[Judged], first: float, further: float, folds: bool, listed: bool) -> None:
    groups: dict[tuple[str, str], list[Judged]] = collections.defaultdict(list)
    for row in rows:
        groups[row.sound.kind, row.sound.source].append(row)
    total = np.zeros(3, int)
    for (kind, source), members in sorted(groups.items()):
        counts = np.sum([row.count(first, further) for row in members], axis=0)
        total += counts
        heard = part.endswith("knocks") or not may_train(members[0].sound) or folds or part.startswith("set aside")
        role = "" if heard and part != "trained knocks" else " (trained on)"
        seconds = sum(row.seconds for row in members)
        print(f"  {kind:18s} {source + role:38s} {len(members):3d} files {seconds:7.1f} s  {_counts(counts, seconds)}")
        if listed:
            for row in members:
                if row.count(first, further)[2]:
                    sure = [
                        (round(float(t), 2), round(float(c), 2)) for t, c in zip(row.times, row.confidence, strict=True)
                    ]
                    print("    ", row.sound.file, [x for x in sure if x[1] >= further][:6])
    print(f"{part}: {_counts(total, sum(row.seconds for row in rows))}")


def _counts(counts: np.ndarray, seconds: float) -> str:
    knocks, hits, false = map(int, counts)
    if knocks:
        low, high = share_interval(hits, knocks)
        return f"{hits}/{knocks} (95 %: {low:.2f} to {high:.2f}), {false} false"
    low, high = rate_interval(false, seconds / 3600)
    return f"{false} false gestures = {false / seconds * 3600:.0f}/h (95 %: {low:.0f} to {high:.0f})"


if __name__ == "__main__":
    main()
