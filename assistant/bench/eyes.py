"""How fast the eyes are here, and how well they read the photographs kept for measuring.

Speed is measured on simulated tables, as processor time of one core: whole pictures (``trut read``), one
changed region of a frame (``trut watch``), the look at a frame in which nothing happens. The photographs are
those of ``cases/photos`` of a folder ``shared`` beside the project; without it only the speed is measured.
"""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from assistant.simulation.table import SimulatedTable
from vision.decks import deck_named
from vision.pictures import load_picture
from vision.reading import CardReader
from vision.stillness import Stillness

PHOTOS = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "photos"
TABLES, FRAMES = 3, 12


def run() -> dict[str, Any]:
    """The figures: times in milliseconds of processor time, medians.

    ``yolo26n_640_ratio`` compares with a yolo26n at 640 pixels; it is None, for nothing here runs one yet.
    """
    frames = list(_frames())
    reader = CardReader(deck_named("french32"))
    stills = [_spent(partial(reader.read, frame)) for frame in frames[::3]]
    boxes = [
        (frame, sighting.quad) for frame in frames[::4] for sighting in reader.read(frame) if sighting.card is not None
    ]
    regions = [_spent(partial(reader.find_in, frame, _round(quad))) for frame, quad in boxes]
    gate = Stillness()
    looks = [_spent(partial(gate.look, frame, i / 10)) for i, frame in enumerate(frames)]
    figures: dict[str, Any] = {
        "ms_per_picture": statistics.median(stills),
        "find_ms": statistics.median(regions) if regions else None,
        "gate_ms": statistics.median(looks),
        "yolo26n_640_ratio": None,
    }
    return figures | (_photographs() if PHOTOS.is_dir() else {})


def _frames() -> Iterator[np.ndarray]:
    """Frames of a few simulated tables, some seconds apart, so that cards lie on them."""
    for seed in range(TABLES):
        table = SimulatedTable(seed + 40, rounds=1)
        yield from islice(table.frames(), 30, 30 + FRAMES * 12, 12)


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def _round(quad: tuple[tuple[float, float], ...]) -> tuple[float, float, float, float]:
    """The box round a card with half a card of room, as the table watcher looks at a change."""
    corners = np.array(quad)
    low, high = corners.min(0), corners.max(0)
    room = (high - low).max() / 2
    return float(low[0] - room), float(low[1] - room), float(high[0] + room), float(high[1] + room)


def _photographs() -> dict[str, Any]:
    """Rank recall and precision on photographs of Anglo-American and Paris decks, cards apart; by source and in all."""
    reader = CardReader(deck_named("french52"))
    counts: dict[str, list[int]] = {}
    for labels in sorted(PHOTOS.glob("*/labels.jsonl")):
        for row in map(json.loads, labels.read_text(encoding="utf-8").splitlines()):
            if row["deck"] in ("anglo", "paris") and row["scene"] in ("single", "several"):
                one = _read_against(reader, labels.parent / row["file"], row)
                so_far = counts.setdefault(labels.parent.name, [0] * 5)
                counts[labels.parent.name] = [a + b for a, b in zip(so_far, one, strict=True)]
    right, read, there, exact, photos = (sum(column) for column in zip(*counts.values(), strict=True))
    return {
        "photos": photos,
        "rank_recall": right / max(1, there),
        "rank_precision": right / max(1, read),
        "exact_photos": exact,
        "recall_by_source": {name: c[0] / max(1, c[2]) for name, c in counts.items()},
        "precision_by_source": {name: c[0] / max(1, c[1]) for name, c in counts.items()},
        "exact_by_source": {name: f"{c[3]}/{c[4]}" for name, c in counts.items()},
    }


def _read_against(reader: CardReader, photo: Path, row: dict[str, Any]) -> list[int]:
    """Ranks right, read and there, picture right (0 or 1), pictures (1). Half-hidden cards count neither way."""
    got = Counter(s.card[:-1] for s in reader.read(load_picture(photo)) if s.card)
    want = Counter(card[:-1] for card in row["cards"])
    hits = sum((got & want).values())
    hidden = row.get("partial") or 0
    extra = max(0, sum(got.values()) - hits - (hidden if isinstance(hidden, int) else len(hidden)))
    there = sum(want.values())
    return [hits, hits + extra, there, int(hits == there and not extra), 1]
