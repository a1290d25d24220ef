"""What calibrating one table's knocks gains: ``python -m calibration.measure_knocks --sounds DIR``.

Each group of knocks in turn is taken for a table: calibrated on some of its knocks and half a minute of talk and
glasses, measured on its other knocks and on all the negatives that the half minute did not hold, before and after,
over several drawings. The group ``sharwin-large`` was trained on; the others were not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from audio.knocks import KnockNet, Onset, calibrated, shipped_net
from audio.resampling import RATE, Samples
from audio.source import open_sound
from calibration.knocks import WANTED, Anchors, fitted, gestures_in, onsets_in, shipped_anchors

TALK_KINDS = ("speech-fr", "glass", "laugh", "cough", "coins-keys", "board-pieces-dice", "office-objects")
"""What is heard in the half minute."""
TALK_SECONDS = 30.0
AMBIGUOUS = ("impact-wood-object", "impact-wood-bash", "tap-table-hammer", "percussion")
NEAR = 0.05
"""Seconds between a knock and its onset."""


@dataclass(frozen=True)
class Recording:
    """One labelled recording: its onsets, the times of its knocks, its length in seconds."""

    kind: str
    group: str
    onsets: tuple[Onset, ...]
    knocks: tuple[float, ...]
    seconds: float


@dataclass(frozen=True)
class Gained:
    """Over all drawings of one group: knocks measured, hits before and after; false gestures and hours."""

    group: str
    knocks: int
    before: int
    after: int
    false_before: int
    false_after: int
    hours: float


def recordings(folder: Path) -> list[Recording]:
    """The recordings of a folder with ``labels.jsonl``, but for the ambiguous kinds."""
    found = []
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] in AMBIGUOUS:
            continue
        samples: Samples = np.concatenate(list(open_sound(folder / row["file"])))
        times = tuple(e["t"] for e in row["events"] if e["type"] == "knock" and e["t"] not in row.get("ignore", ()))
        found.append(Recording(row["kind"], row["group"], tuple(onsets_in(samples)), times, len(samples) / RATE))
    return found


def gained(
    group: str, sounds: Sequence[Recording], net: KnockNet, anchors: Anchors, *, drawings: int, seed: int = 0
) -> Gained | None:
    """One group as a table; None where it has too few knocks to leave some for measuring."""
    struck = [o for r in sounds if r.group == group for o in r.onsets if any(abs(o.t - t) < NEAR for t in r.knocks)]
    others = [r for r in sounds if r.kind != "knock"]
    taught = min(WANTED, len(struck) - 2)
    if taught < 2:
        return None
    total = np.zeros(5, int)
    hours = 0.0
    for drawing in range(drawings):
        rng = np.random.default_rng((seed, drawing))
        order = rng.permutation(len(struck))
        talk = _talk(others, rng)
        profile = fitted(net, [struck[i] for i in order[:taught]], [o for r in talk for o in r.onsets], anchors)
        at_table = calibrated(profile, net)
        asked = [struck[i] for i in order[taught:]]
        heard = {id(r) for r in talk}
        left = [r for r in others if id(r) not in heard]
        total += (
            len(asked),
            int((net(asked) >= net.first).sum()),
            int((at_table(asked) >= net.first).sum()),
            sum(gestures_in(net, r.onsets, net) for r in left),
            sum(gestures_in(at_table, r.onsets, net) for r in left),
        )
        hours += sum(r.seconds for r in left) / 3600
    asked_in_all, before, after, false_before, false_after = map(int, total)
    return Gained(group, asked_in_all, before, after, false_before, false_after, hours)


def _talk(others: Sequence[Recording], rng: np.random.Generator) -> list[Recording]:
    """Half a minute of what happens at a table: every kind in turn."""
    kinds = [[r for r in others if r.kind == kind and r.seconds < 10] for kind in TALK_KINDS]
    talk: list[Recording] = []
    seconds = 0.0
    while seconds < TALK_SECONDS:
        for of_kind in filter(None, kinds):
            chosen = of_kind[int(rng.integers(len(of_kind)))]
            talk.append(chosen)
            seconds += chosen.seconds
    return talk


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sounds", type=Path, required=True)
    parser.add_argument("--drawings", type=int, default=10)
    args = parser.parse_args()
    sounds, net, anchors = recordings(args.sounds), shipped_net(), shipped_anchors()
    print("group                 knocks asked   hit before   hit after   false gestures before, after (an hour)")
    for group in sorted({r.group for r in sounds if r.kind == "knock"}):
        got = gained(group, sounds, net, anchors, drawings=args.drawings)
        if got is None:
            print(f"{group:20s}  too few knocks")
            continue
        rates = f"{got.false_before / got.hours:.0f}, {got.false_after / got.hours:.0f}"
        print(f"{group:20s}  {got.knocks:12d}  {got.before:11d}  {got.after:10d}   {rates}")


if __name__ == "__main__":
    main()
