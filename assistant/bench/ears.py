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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.bench.moments import moments
from assistant.bench.tally import rate_interval, share_interval
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
CALM = ("speech-fr", "speech-fr-words", "speech-other", "ambience", "music")
"""Talk, places and music; all other kinds are dense noises, each hardly longer than itself."""
TRAINED_GROUPS = ("sharwin-large",)
"""Groups of knocks to which the shipped net was fitted."""


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
        counted = [h for h in heard if not edge(h[0]) or any(abs(h[0] - t) <= KNOCK_TOLERANCE for t in wanted)]
    used: set[int] = set()
    for t in wanted:
        near = (i for i, h in enumerate(counted) if i not in used and abs(h[0] - t) <= KNOCK_TOLERANCE)
        if (match := next(near, None)) is not None:
            used.add(match)
    return len(wanted), len(used), sum(h[1] == 1 for i, h in enumerate(counted) if i not in used)


def run(shared: Path | None = None, every: int = 1, report: Callable[[str], None] | None = None) -> dict[str, Any]:
    """The figures of the ears.

    Args:
        shared: where ``cases`` are; None looks beside the project.
        every: take each ``every``-th recording, for a quick look.
        report: told a line for each kind of sound.

    Returns:
        ``rtf`` (seconds of work for a second of sound), and where the recordings are: ``knock_hits`` (share
        by group),
        ``false_knocks_per_h`` (by kind; ``dense`` and ``calm``, both of them in ``all``; ``ambiguous``),
        ``knock_ms`` (decision after the onset, median and p95), ``phrase_hits`` (share by condition; "moment":
        with what may be said then),
        ``false_phrases_per_h``; and what :mod:`assistant.bench.live` measures.
    """
    from assistant.bench.live import figures as live  # which takes its sounds from here

    folder = (SHARED if shared is None else shared) / "cases"
    figures: dict[str, Any] = {}
    clock = _Clock()
    if (folder / "sounds" / "labels.jsonl").exists():
        figures |= _sounds(folder / "sounds", every, clock, report)
    if (folder / "phrases" / "clean" / "labels.jsonl").exists():
        figures |= _phrases(folder / "phrases", every, clock, report)
    if not clock.heard:
        noise = np.random.default_rng(0).normal(0, 0.03, 30 * RATE).astype(np.float32)
        clock.listen(Ears(), [noise[i : i + 1600] for i in range(0, len(noise), 1600)])
    return {"rtf": round(clock.worked / clock.heard, 4), **figures, **live()}


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


@dataclass
class _Kind:
    """What was heard in the recordings of one kind: false gestures, false phrases, hours."""

    knocks: int = 0
    phrases: int = 0
    hours: float = 0.0

    def __add__(self, other: _Kind) -> _Kind:
        return _Kind(self.knocks + other.knocks, self.phrases + other.phrases, self.hours + other.hours)

    def __str__(self) -> str:
        low, high = rate_interval(self.knocks, self.hours)
        rate = f"{self.knocks / self.hours:.0f}/h (95 %: {low:.0f} to {high:.0f})" if self.hours else ""
        return f"{60 * self.hours:6.1f} min  {self.phrases:3d} false phrases  {self.knocks:3d} false knocks = {rate}"


def _sounds(folder: Path, every: int, clock: _Clock, report: Callable[[str], None] | None) -> dict[str, Any]:
    hits: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    kinds: dict[str, _Kind] = collections.defaultdict(_Kind)
    delays: list[float] = []
    for row in _rows(folder, every):
        blocks = list(open_sound(folder / row["file"]))
        events = clock.listen(Ears(), blocks)
        seconds = sum(map(len, blocks)) / RATE
        wanted = [e["t"] for e in row["events"] if e["type"] == "knock"]
        knocks = [e for e in events if isinstance(e, Knock)]
        asked, found, wrong = knock_score(wanted, [(e.t, e.hit) for e in knocks], seconds, row.get("ignore", ()))
        delays += [e.decided - e.t for e in knocks]
        if row["kind"] == "knock":
            hits[row["group"]][0] += found
            hits[row["group"]][1] += asked
        phrases = sum(isinstance(e, Phrase) and not e.answer for e in events)
        kinds[row["kind"]] += _Kind(wrong, phrases, seconds / 3600)
    ambiguous = [v for kind, v in kinds.items() if kind in AMBIGUOUS]
    calm = [v for kind, v in kinds.items() if kind in CALM]
    dense = [v for kind, v in kinds.items() if kind not in (*AMBIGUOUS, *CALM, "knock")]
    totals = {name: sum(parts, _Kind()) for name, parts in (("dense", dense), ("calm", calm), ("ambiguous", ambiguous))}
    everything = totals["dense"] + totals["calm"]
    if report:
        _say_sounds(report, kinds, totals, hits)
    rates = {kind: round(v.knocks / v.hours, 1) for kind, v in sorted(kinds.items()) if v.hours}
    rates |= {name: round(v.knocks / v.hours, 1) for name, v in totals.items() if v.hours}
    if everything.hours:
        rates["all"] = round(everything.knocks / everything.hours, 1)
    return {
        "knock_hits": {group: round(found / knocks, 3) for group, (found, knocks) in sorted(hits.items()) if knocks},
        "knock_counts": {group: [found, knocks] for group, (found, knocks) in sorted(hits.items()) if knocks},
        "knock_ms": {
            "median": round(1000 * float(np.median(delays))) if delays else None,
            "p95": round(1000 * float(np.quantile(delays, 0.95))) if delays else None,
        },
        "false_knocks_per_h": rates,
        "false_phrases_per_h": round(everything.phrases / everything.hours, 1) if everything.hours else None,
    }


def _say_sounds(
    report: Callable[[str], None],
    kinds: Mapping[str, _Kind],
    totals: Mapping[str, _Kind],
    hits: Mapping[str, Sequence[int]],
) -> None:
    """A line for each kind of sound, the totals, and each group of knocks."""
    for kind, heard in sorted(kinds.items()):
        if kind != "knock":
            report(f"{kind:20s} {heard}" + (" (ambiguous)" if kind in AMBIGUOUS else ""))
    for name, heard in totals.items():
        report(f"together, {name:10s} {heard}")
    unseen = [0, 0]
    for group, (found, knocks) in sorted(hits.items()):
        low, high = share_interval(found, knocks)
        trained = group in TRAINED_GROUPS
        report(
            f"knocks of {group}: {found}/{knocks} (95 %: {low:.2f} to {high:.2f})"
            + (" (trained on)" if trained else "")
        )
        if not trained:
            unseen = [unseen[0] + found, unseen[1] + knocks]
    low, high = share_interval(*unseen)
    report(f"knocks of the groups that training never heard: {unseen[0]}/{unseen[1]} (95 %: {low:.2f} to {high:.2f})")


def _phrases(folder: Path, every: int, clock: _Clock, report: Callable[[str], None] | None) -> dict[str, Any]:
    """Calls in voices kept for measuring, quiet and in a café: with all phrases of the game, and with those that may be
    said in the moment of the call."""
    hits: dict[str, float] = {}
    for condition in sorted(path.parent.name for path in folder.glob("*/labels.jsonl")):
        for grammar in ("", " moment"):
            found = total = false = near = 0
            for row in _rows(folder / condition, every):
                wanted = [e for e in row["events"] if e["type"] == "phrase"]
                phrases = _heard(folder / condition, row, bool(grammar), clock)
                near += not wanted
                false += not wanted and any(not p.answer for p in phrases)
                total += len(wanted)
                found += sum(any(_is(p, event) for p in phrases) for event in wanted)
            if not total:
                continue
            hits[condition + grammar] = round(found / total, 3)
            if report:
                what = "what may be said now" if grammar else "all phrases"
                low, high = share_interval(found, total)
                line = f"phrases, {condition}, {what}: {found}/{total} [{low:.2f}, {high:.2f}]"
                report(line + (f"; near misses taken for a call: {false}/{near}" if near else ""))
    return {"phrase_hits": hits or None}


def _heard(folder: Path, row: dict[str, Any], moment: bool, clock: _Clock) -> list[Phrase]:
    """The phrases heard in a recording; in the moment of its call, or in that of a trut where there is none."""
    game = row.get("game", "trut")
    ears = Ears(game)
    if moment:
        verb = row["events"][0]["phrase"].split()[0] if row["events"] else "trut"
        ears.expect(moments(game).get(verb))
    return [e for e in clock.listen(ears, list(open_sound(folder / row["file"]))) if isinstance(e, Phrase)]


def _is(heard: Phrase, wanted: dict[str, Any]) -> bool:
    """Whether a phrase is the one that was said."""
    return abs(heard.t - wanted["t"]) <= PHRASE_TOLERANCE and wanted["phrase"] in (heard.phrase, *heard.means)
