"""An evening's sound through the ears: does anything grow, slow down or drift?

``python -m assistant.bench.hours`` replays four hours as fast as the machine allows, in blocks of 20 ms as a live
microphone gives them. The sound is a lap of some minutes (recordings of ``cases`` in a folder ``shared`` beside the
project; without it a simulated table) that comes again and again: what was heard in the second lap must be heard in
every later one, at the same moments of the lap.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assistant.bench.ears import SHARED
from assistant.figures import rss_mb
from audio.ears import Ears
from audio.events import Knock, SoundObservation
from audio.resampling import RATE, Samples
from audio.source import open_sound

BLOCK = RATE // 50
LAP_SECONDS = 306.0
"""About five minutes."""
GRID = 9 * RATE
"""A lap is a multiple of this: then every frame and output of the nets falls in the same place in every lap."""
REPORT_SECONDS = 1800.0
SAME = 0.002
"""Seconds within which an event of a lap is the same as that of another."""

Event = tuple[float, str]
"""Seconds from the beginning of its lap, what."""


@dataclass
class Period:
    """What half an hour of sound cost."""

    began: float
    heard: float = 0.0
    worked: float = 0.0
    slowest: float = 0.0
    events: int = 0
    latencies: list[float] = field(default_factory=list)

    def row(self, now: float) -> dict[str, Any]:
        """The figures at the stream's second ``now``."""
        return {
            "hours": round(now / 3600, 2),
            "rss_mb": rss_mb(),
            "cpu_percent": round(100 * self.worked / max(self.heard, 1e-9), 2),
            "slowest_block_ms": round(1000 * self.slowest, 1),
            "latency_ms": round(1000 * statistics.median(self.latencies)) if self.latencies else None,
            "events": self.events,
        }


def lap(seconds: float = LAP_SECONDS, shared: Path | None = None) -> Samples:
    """Knocks, calls, talk and noises, mixed; a whole number of grids long."""
    folder = (SHARED if shared is None else shared) / "cases"
    recorded = folder / "sounds" / "labels.jsonl"
    sounds = _recorded(folder) if recorded.is_file() else _simulated()
    parts: list[Samples] = []
    wanted = max(GRID, round(seconds * RATE) // GRID * GRID)
    while sum(map(len, parts)) < wanted:
        parts.append(next(sounds))
    return np.concatenate(parts)[:wanted]


def _recorded(folder: Path) -> Iterator[Samples]:
    """Recordings in an order that is always the same, a little silence between them."""
    names = [
        folder / kind / json.loads(line)["file"]
        for kind in ("sounds", "phrases/clean", "phrases/cafe10")
        if (folder / kind / "labels.jsonl").is_file()
        for line in (folder / kind / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    rng = np.random.default_rng(1)
    while True:
        for i in rng.permutation(len(names)):
            yield np.concatenate([*open_sound(names[i]), rng.normal(0, 3e-4, RATE).astype(np.float32)])


def _simulated() -> Iterator[Samples]:
    """Tables as ``trut simulate`` renders them."""
    from assistant.simulation.script import Fist, Gesture, Script, Words
    from assistant.simulation.sound import RoomSound, render

    texts = ("je trute", "je vais voir", "je me couche", "à qui de jouer", "il pleut encore")
    for seed in range(1_000_000):
        gestures: list[Gesture] = []
        for i, text in enumerate(texts):
            t = 3.0 + 6 * i
            gestures.append(Words(t, 1 + i % 4, text))
            gestures.append(Fist(t + 3, 1 + i % 4, 0.0, 0.0, (t + 3, t + 3.25)))
        yield render(Script("trut", 4, tuple(gestures), "", 1, 33.0), RoomSound.random(seed))


def replay(hours: float, sound: Samples, ears: Ears | None = None) -> Iterator[dict[str, Any]]:
    """Replay ``sound`` for so many hours; a row of figures at the start, every half hour and at the end. The last
    one has ``laps`` and ``laps_that_differ`` as well."""
    listener = Ears() if ears is None else ears
    blocks = [sound[i : i + BLOCK] for i in range(0, len(sound), BLOCK)]
    seconds = len(sound) / RATE
    wanted = max(1, round(hours * 3600 * RATE / BLOCK))
    heard: dict[int, list[Event]] = {}
    second: list[Event] | None = None
    differ = laps = 0
    period = Period(0.0)
    yield period.row(0.0)
    for n in range(wanted):
        began = time.thread_time()
        events = listener.accept(blocks[n % len(blocks)])
        spent = time.thread_time() - began
        now = (n + 1) * BLOCK / RATE
        period.heard += BLOCK / RATE
        period.worked += spent
        period.slowest = max(period.slowest, spent)
        period.events += len(events)
        for event in events:
            period.latencies.append(event.decided - event.t)
            which = int(event.t // seconds)
            heard.setdefault(which, []).append((event.t - which * seconds, _what(event)))
        done = int(now // seconds) - 2  # what belongs to that lap is decided by now
        if done > laps:
            laps, this = done, sorted(heard.pop(done, []))
            second = this if second is None else second
            differ += not _same(this, second)
            heard.pop(0, None)
        if now - period.began >= REPORT_SECONDS and n + 1 < wanted:
            yield period.row(now)
            period = Period(now)
    yield {**period.row(wanted * BLOCK / RATE), "laps": laps, "laps_that_differ": differ}


def _what(event: SoundObservation) -> str:
    return "knock" if isinstance(event, Knock) else event.text


def _same(one: list[Event], other: list[Event]) -> bool:
    return len(one) == len(other) and all(
        a[1] == b[1] and abs(a[0] - b[0]) <= SAME for a, b in zip(one, other, strict=True)
    )


def run(hours: float = 4.0) -> dict[str, Any]:
    """The figures of an evening; progress goes to stderr."""
    rows = []
    for row in replay(hours, lap()):
        print(json.dumps(row), file=sys.stderr, flush=True)
        rows.append(row)
    worked = rows[1:]
    latencies = [row["latency_ms"] for row in worked if row["latency_ms"] is not None]
    return {
        "hours": hours,
        "rss_mb": [row["rss_mb"] for row in rows],
        "rss_growth_mb": round(rows[-1]["rss_mb"] - rows[min(1, len(rows) - 1)]["rss_mb"], 1),
        "cpu_percent": [row["cpu_percent"] for row in worked],
        "slowest_block_ms": max(row["slowest_block_ms"] for row in worked),
        "latency_drift_ms": latencies[-1] - latencies[0] if latencies else None,
        "laps": rows[-1]["laps"],
        "laps_that_differ": rows[-1]["laps_that_differ"],
    }


def main() -> None:
    """``python -m assistant.bench.hours``."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hours", type=float, default=4.0, metavar="N")
    print(json.dumps(run(parser.parse_args().hours)))


if __name__ == "__main__":
    main()
