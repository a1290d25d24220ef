"""How fast the eyes are here, and how well they read the photographs kept for measuring.

Speed is measured on simulated tables, as processor time of one core: whole pictures (``trut read``), a frame
with four cards and one changed region of a frame in the quick gear (``trut watch``), the look at a frame in
which nothing happens. The photographs are those of ``cases/photos`` of a folder ``shared`` beside the project;
without it only the speed is measured.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.bench.peer import NoPeer, Peer
from assistant.bench.tally import Tally, tally
from assistant.i18n import _, describe
from assistant.simulation.sprites import Pixels
from assistant.simulation.table import SimulatedTable
from vision.decks import deck_named
from vision.pictures import load_picture, save_picture
from vision.reading import CardReader
from vision.stillness import Stillness

PHOTOS = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "photos"
TABLES, FRAMES, ROUNDS = 3, 12, 15
REST = 1.0
"""Seconds after the fourth card of a trick: the hand is gone, the four cards lie."""


def run(peer: str | None = None) -> dict[str, Any]:
    """The figures: times in milliseconds of processor time, medians; ``start_s`` in seconds on the clock.

    Args:
        peer: a file with an exported YOLO26n to compare with; by default one is built where ultralytics is
            installed. Without either ``yolo26n_640_ratio`` is None, and why is told.
    """
    cv2.setNumThreads(1)
    frames = list(_frames())
    reader = CardReader(deck_named("french32"))
    stills = [_spent(partial(reader.read, frame)) for frame in frames[::3]]
    boxes = [
        (frame, sighting.quad) for frame in frames[::4] for sighting in reader.read(frame) if sighting.card is not None
    ]
    regions = [_spent(partial(reader.find_in, frame, _round(quad))) for frame, quad in boxes]
    gate = Stillness()
    looks = [_spent(partial(gate.look, frame, i / 10)) for i, frame in enumerate(_film())][1:]
    figures: dict[str, Any] = {
        "ms_per_picture": statistics.median(stills),
        "find_ms": statistics.median(regions) if regions else None,
        "gate_ms": statistics.median(looks),
        **_beside_peer(reader, peer),
        "start_s": _start(),
    }
    return figures | (_photographs() if PHOTOS.is_dir() else {})


def _frames() -> Iterator[Pixels]:
    """Frames of a few simulated tables, some seconds apart, so that cards lie on them."""
    for seed in range(TABLES):
        table = SimulatedTable(seed + 40, rounds=1)
        yield from islice(table.frames(), 30, 30 + FRAMES * 12, 12)


def _film() -> Iterator[Pixels]:
    """Frames of one simulated table, one after another, as a camera gives them; nearly nothing moves."""
    return islice(SimulatedTable(40, rounds=1).frames(), 0, FRAMES * 4)


def trick(seed: int) -> Pixels:
    """A frame of 1280x720 in which the four cards of a table's first trick lie."""
    table = SimulatedTable(seed, rounds=1)
    laid = [float(line.partition(" | t=")[2].split()[0]) for line in table.truth.splitlines() if line[:5] == "play "]
    return table.stage.frame(round((laid[3] + REST) * table.fps))


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def _beside_peer(reader: CardReader, file: str | None) -> dict[str, Any]:
    """The quick gear on whole frames with four cards, by turns with the peer: what slows one slows the other."""
    tricks = [trick(seed + 40) for seed in range(TABLES)]
    try:
        peer = Peer(Path(file) if file else None)
    except NoPeer as problem:
        sys.stderr.write(_("pas de comparaison avec YOLO26n : {why}").format(why=describe(problem)) + "\n")
        peer = None
    ours: list[float] = []
    theirs: list[float] = []
    for n in range(ROUNDS):
        frame = tricks[n % TABLES]
        ours.append(_spent(partial(reader.find_in, frame, (0, 0, frame.shape[1], frame.shape[0]))))
        if peer is not None:
            theirs.append(_spent(peer.look))
    quick = statistics.median(ours)
    yolo = statistics.median(theirs) if theirs else None
    return {"quick_ms": quick, "yolo26n_640_ms": yolo, "yolo26n_640_ratio": quick / yolo if yolo else None}


def _start() -> float:
    """Seconds from starting ``trut read`` on a frame with four cards to its answer, the best of three."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trick.png"
        save_picture(file, trick(40))
        command = [sys.executable, "-m", "assistant.cli", "read", "--json", str(file)]
        took = []
        for _n in range(3):
            began = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            took.append(time.perf_counter() - began)
    return min(took)


def _round(quad: tuple[tuple[float, float], ...]) -> tuple[float, float, float, float]:
    """The box round a card with half a card of room, as the table watcher looks at a change."""
    corners = np.array(quad)
    low, high = corners.min(0), corners.max(0)
    room = (high - low).max() / 2
    return float(low[0] - room), float(low[1] - room), float(high[0] + room), float(high[1] + room)


def _photographs() -> dict[str, Any]:
    """Ranks on photographs: Anglo-American and Paris decks with the cards apart, by source and in all; decks of
    all kinds with French suits where cards overlap; Spanish decks."""
    reader, spanish_reader = CardReader(deck_named("french52")), CardReader(deck_named("spanish40"))
    sources: dict[str, Tally] = {}
    covered, spanish, spent = Tally(), Tally(), []
    for labels in sorted(PHOTOS.glob("*/labels.jsonl")):
        for row in map(json.loads, labels.read_text(encoding="utf-8").splitlines()):
            apart = row["deck"] in ("anglo", "paris") and row["scene"] in ("single", "several")
            from_spain = row["deck"] == "spanish"
            over = not from_spain and row["scene"] == "overlap"
            if not apart and not over and not from_spain:
                continue
            picture = load_picture(labels.parent / row["file"])
            began = time.process_time()
            cards = [s.card for s in (spanish_reader if from_spain else reader).read(picture)]
            spent.append((time.process_time() - began) * 1000)
            hidden = row.get("partial") or 0
            one = tally(cards, row["cards"], hidden if isinstance(hidden, int) else len(hidden))
            if from_spain:
                spanish += one
            elif over:
                covered += one
            else:
                sources[labels.parent.name] = sources.get(labels.parent.name, Tally()) + one
    total = sum(sources.values(), Tally())
    return {
        "photo_ms": statistics.median(spent),
        "photos": total.pictures,
        "rank_recall": total.recall,
        "rank_precision": total.precision,
        "exact_photos": total.exact,
        "overlap_photos": covered.pictures,
        "overlap_rank_recall": covered.recall,
        "overlap_rank_precision": covered.precision,
        "overlap_exact": covered.exact,
        "spanish_photos": spanish.pictures,
        "spanish_rank_recall": spanish.recall,
        "spanish_rank_precision": spanish.precision,
        "recall_by_source": {name: t.recall for name, t in sources.items()},
        "precision_by_source": {name: t.precision for name, t in sources.items()},
        "exact_by_source": {name: f"{t.exact}/{t.pictures}" for name, t in sources.items()},
    }
