"""How well and how fast the ears hear: knocks and false knocks on real sounds, phrases on voices kept for
measuring.

The recordings are those of ``cases/sounds`` and ``cases/phrases`` of a folder ``shared`` beside the project;
without it only the speed is measured, on noise. A model's own training sounds flatter it:
``models/knocks/CARD.md`` has the figures by groups that training did not hear, and the command that prints
them.
"""

from __future__ import annotations

import collections
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from audio.ears import Ears
from audio.events import Knock, Phrase, SoundObservation
from audio.resampling import RATE, Samples
from audio.source import open_sound

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
KNOCK_TOLERANCE = 0.05
"""Seconds between a knock and its hit."""
PHRASE_TOLERANCE = 1.2
EDGE = 0.1
"""The first and last 0.1 s of a recording of knocks count neither way: its cuts click."""
WEAK = 0.06
"""Hits so near to a time that the labels ignore count neither way."""
AMBIGUOUS = ("impact-wood-object", "impact-wood-bash", "tap-table-hammer", "percussion")
"""Kinds that may well be a hand on a table: on their own line."""


def knock_score(
    wanted: Sequence[float], heard: Sequence[tuple[float, int]], seconds: float, ignore: Sequence[float] = ()
) -> tuple[int, int, int]:
    """(knocks, hits, false gestures) of one recording.

    Args:
        wanted: times of the knocks.
        heard: (time, hit number in its gesture) of what was heard; only first hits can be false alarms.
        seconds: length of the recording.
        ignore: times of weak or cut knocks.
    """

    def edge(t: float) -> bool:
        return t < EDGE or t > seconds - EDGE or any(abs(t - x) < WEAK for x in ignore)

    counted = list(heard)
    if wanted:
        wanted = [t for t in wanted if not edge(t)]
        counted = [
            h for h in heard if not edge(h[0]) or any(abs(h[0] - t) <= KNOCK_TOLERANCE for t in wanted)
        ]
    used: set[int] = set()
    for t in wanted:
        near = (i for i, h in enumerate(counted) if i not in used and abs(h[0] - t) <= KNOCK_TOLERANCE)
        if (match := next(near, None)) is not None:
            used.add(match)
    return len(wanted), len(used), sum(h[1] == 1 for i, h in enumerate(counted) if i not in used)


def run(
    shared: Path | None = None, every: int = 1, report: Callable[[str], None] | None = None
) -> dict[str, Any]:
    """The figures of the ears.

    Args:
        shared: where ``cases`` are; None looks beside the project.
        every: take each ``every``-th recording, for a quick look.
        report: told a line for each kind of sound.

    Returns:
        ``rtf`` (seconds of work for a second of sound), and where the recordings are: ``knock_hits`` (share
        by group),
        ``false_knocks_per_h`` (by kind, and ``all`` over the unambiguous kinds), ``phrase_hits``,
        ``false_phrases_per_h``.
    """
    folder = (SHARED if shared is None else shared) / "cases"
    figures: dict[str, Any] = {}
    clock = _Clock()
    if (folder / "sounds" / "labels.jsonl").exists():
        figures |= _sounds(folder / "sounds", every, clock, report)
    if (folder / "phrases" / "clean" / "labels.jsonl").exists():
        figures |= _phrases(folder / "phrases" / "clean", every, clock, report)
    if not clock.heard:
        noise = np.random.default_rng(0).normal(0, 0.03, 30 * RATE).astype(np.float32)
        clock.listen(Ears(), [noise[i : i + 1600] for i in range(0, len(noise), 1600)])
    return {"rtf": round(clock.worked / clock.heard, 4), **figures}


class _Clock:
    """Seconds of sound heard and of work done for it."""

    def __init__(self) -> None:
        self.heard = 0.0
        self.worked = 0.0

    def listen(self, ears: Ears, blocks: Sequence[Samples]) -> list[SoundObservation]:
        began = time.process_time()
        events = [e for block in blocks for e in ears.accept(block)] + ears.finish()
        self.worked += time.process_time() - began
        self.heard += sum(map(len, blocks)) / RATE
        return events


def _rows(folder: Path, every: int) -> Iterator[dict[str, Any]]:
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()[::every]:
        yield json.loads(line)


def _sounds(folder: Path, every: int, clock: _Clock, report: Callable[[str], None] | None) -> dict[str, Any]:
    hits: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    false: dict[str, list[float]] = collections.defaultdict(lambda: [0, 0, 0])
    for row in _rows(folder, every):
        blocks = list(open_sound(folder / row["file"]))
        events = clock.listen(Ears(), blocks)
        seconds = sum(map(len, blocks)) / RATE
        wanted = [e["t"] for e in row["events"] if e["type"] == "knock"]
        heard = [(e.t, e.hit) for e in events if isinstance(e, Knock)]
        knocks, found, wrong = knock_score(wanted, heard, seconds, row.get("ignore", ()))
        if row["kind"] == "knock":
            hits[row["group"]][0] += found
            hits[row["group"]][1] += knocks
        phrases = sum(isinstance(e, Phrase) and not e.answer for e in events)
        for i, value in enumerate((wrong, phrases, seconds / 3600)):
            false[row["kind"]][i] += value
    for kind, (knocked, said, length) in sorted(false.items()):
        if report:
            counts = f"{knocked:3.0f} false knocks  {said:3.0f} false phrases"
            report(f"{kind:20s} {60 * length:6.1f} min  {counts}")
    plain = [v for kind, v in false.items() if kind not in AMBIGUOUS and kind != "knock"]
    hours = sum(v[2] for v in plain)
    rates = {kind: round(v[0] / v[2], 1) for kind, v in sorted(false.items()) if v[2]}
    if hours:
        rates["all"] = round(sum(v[0] for v in plain) / hours, 1)
    if report:
        for group, (found, knocks) in sorted(hits.items()):
            report(f"knocks of {group}: {found}/{knocks}")
    return {
        "knock_hits": {
            group: round(found / knocks, 3) for group, (found, knocks) in sorted(hits.items()) if knocks
        },
        "false_knocks_per_h": rates,
        "false_phrases_per_h": round(sum(v[1] for v in plain) / hours, 1) if hours else None,
    }


def _phrases(folder: Path, every: int, clock: _Clock, report: Callable[[str], None] | None) -> dict[str, Any]:
    found = total = 0
    for row in _rows(folder, every):
        events = clock.listen(Ears(row.get("game", "trut")), list(open_sound(folder / row["file"])))
        phrases = [e for e in events if isinstance(e, Phrase)]
        for wanted in (e for e in row["events"] if e["type"] == "phrase"):
            total += 1
            found += any(
                abs(p.t - wanted["t"]) <= PHRASE_TOLERANCE and wanted["phrase"] in (p.phrase, *p.means)
                for p in phrases
            )
    if report:
        report(f"phrases: {found}/{total}")
    return {"phrase_hits": round(found / total, 3) if total else None}
