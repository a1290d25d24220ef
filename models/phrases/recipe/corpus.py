"""Recordings of people, with what they say: the folder ``speech`` (labels.jsonl a source) and the stamps of
Tux Paint.

What is never trained on: the vocgame speakers from 25 on (the model is chosen by them), and whatever a list
    of measuring sounds names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 16000
#: First vocgame speaker who is kept for choosing.
KEPT_BACK = 25
#: How often a clip is taken; few minutes of many voices weigh more.
COPIES = {"meteodo": 2, "sppas": 2, "fleurs": 2, "vendor": 2, "childsplay": 2}


@dataclass(frozen=True, slots=True)
class Clip:
    source: str
    speaker: str
    text: str
    path: Path


def load(path: Path) -> np.ndarray:
    """Mono float32 at 16 kHz."""
    samples, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    mono = samples.mean(axis=1)
    return mono if rate == RATE else soxr.resample(mono, rate, RATE).astype(np.float32)


def clips(speech: Path, packages: Path | None, measured: Path | None) -> Iterator[Clip]:
    """All clips to train on, in a fixed order."""
    for labels in sorted(speech.glob("*/labels.jsonl")):
        source = labels.parent.name
        for line in labels.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if source == "vocgame" and int(row["speaker"].split("-")[1]) >= KEPT_BACK:
                continue
            yield Clip(source, row["speaker"], row["text"], labels.parent / row["file"])
    if packages is not None:
        yield from _stamps(packages, measured)


def kept_back(speech: Path) -> list[Clip]:
    """The clips that the model is chosen by."""
    labels = speech / "vocgame" / "labels.jsonl"
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    return [
        Clip("vocgame", row["speaker"], row["text"], labels.parent / row["file"])
        for row in rows
        if int(row["speaker"].split("-")[1]) >= KEPT_BACK
    ]


def _stamps(packages: Path, measured: Path | None) -> Iterator[Clip]:
    used: set[str] = set()
    if measured is not None:
        rows = [json.loads(line) for line in measured.read_text(encoding="utf-8").splitlines()]
        used = {row["source"].split(":")[-1] for row in rows if "tuxpaint" in row.get("source", "")}
    root = packages / "usr/share/tuxpaint/stamps"
    for described in sorted(root.glob("**/*.txt")):
        sound = described.with_name(described.stem + "_desc_fr.ogg")
        if not sound.exists() or "/" + str(sound.relative_to(packages)) in used:
            continue
        for line in described.read_text(encoding="utf-8", errors="ignore").splitlines():
            if line.startswith("fr.utf8="):
                yield Clip("tuxpaint", "tuxpaint", re.sub(r"\(.*?\)", "", line[8:]).strip(" .!\n"), sound)
