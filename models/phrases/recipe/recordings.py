"""Recorded noises: a folder of sources, each with ``labels.jsonl`` (``{"file", "kind"}``).

One file in eight is never trained on; the closed sets are mixed with those.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from audio.features import BANDS, energies
from models.phrases.recipe.corpus import RATE, load
from models.phrases.recipe.sounds import Rooms, placed

#: Before the name of a kind that was recorded.
RECORDED = "recorded "
#: Kinds in which somebody talks: those are no silence.
_TALK = frozenset(("speech", "speech-other", "speech-fr"))
#: Taken of one file, and of one kind, at most (samples).
_LONGEST, _MOST = 60 * RATE, 600 * RATE


def measured_with(path: Path) -> bool:
    """Whether a recording is kept for measuring, by its name."""
    return hashlib.sha256(path.name.encode()).digest()[0] % 8 == 0


def recordings(folder: Path, for_measuring: bool) -> Iterator[tuple[str, Path]]:
    """(kind, file) of what is no talk, in a fixed order."""
    for labels in sorted(folder.glob("*/labels.jsonl")):
        for line in labels.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            path = labels.parent / row["file"]
            if row["kind"] not in _TALK and measured_with(path) == for_measuring:
                yield row["kind"], path


def recorded_noises(folder: Path, rooms: Rooms, r: np.random.Generator) -> dict[str, np.ndarray]:
    """Log band energies (T, 40) of each kind: its files one after the other, each in two rooms."""
    kinds: dict[str, list[Path]] = {}
    for kind, path in recordings(folder, for_measuring=False):
        kinds.setdefault(kind, []).append(path)
    return {f"{RECORDED}{kind}": _in_rooms(paths, rooms, r) for kind, paths in sorted(kinds.items())}


def _in_rooms(paths: list[Path], rooms: Rooms, r: np.random.Generator) -> np.ndarray:
    logs, taken = [np.zeros((0, BANDS), np.float16)], 0
    for i in r.permutation(len(paths)):
        sound = load(paths[i])[:_LONGEST]
        if len(sound) < RATE // 10 or np.abs(sound).max() < 1e-4 or taken > _MOST:
            continue
        taken += len(sound)
        for _ in range(2):
            heard, _ = placed(sound, rooms, r)
            logs.append(np.log(energies(heard) + 1e-2).astype(np.float16))
    return np.concatenate(logs)
