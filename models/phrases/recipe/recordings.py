"""Recorded noises: a folder of folders, one a kind; ``labels.jsonl`` beside them is not needed.

One file in eight of each kind is never trained on; the closed sets are mixed with those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from audio.features import energies
from models.phrases.recipe.corpus import RATE, load
from models.phrases.recipe.sounds import Rooms, placed

_SOUNDS = (".wav", ".ogg", ".flac", ".mp3", ".oga")
#: Kinds of which one file is one short event; they follow each other in a stream.
_LONGEST = 300 * RATE


def measured_with(path: Path) -> bool:
    """Whether a recording is kept for measuring, by its name."""
    return hashlib.sha256(path.name.encode()).digest()[0] % 8 == 0


def recordings(folder: Path, for_measuring: bool) -> Iterator[tuple[str, Path]]:
    """(kind, file), in a fixed order."""
    for path in sorted(folder.glob("*/**/*")):
        if path.suffix.lower() in _SOUNDS and measured_with(path) == for_measuring:
            yield path.relative_to(folder).parts[0], path


def recorded_noises(folder: Path, rooms: Rooms, r: np.random.Generator) -> dict[str, np.ndarray]:
    """Log band energies (T, 40) of each kind: its files one after the other, twice, each at its own level."""
    parts: dict[str, list[np.ndarray]] = {}
    for kind, path in recordings(folder, for_measuring=False):
        sound = load(path)[:_LONGEST]
        if len(sound) < RATE // 10 or np.abs(sound).max() < 1e-4:
            continue
        for _ in range(2):
            heard, _ = placed(sound, rooms, r)
            parts.setdefault(kind, []).append(np.log(energies(heard) + 1e-2).astype(np.float16))
    return {f"recorded {kind}": np.concatenate(logs) for kind, logs in parts.items()}
