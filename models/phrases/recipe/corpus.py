"""Recordings of people, with what they say: the folder ``speech`` (labels.jsonl a source) and the stamps of
Tux Paint.

What is never trained on: the vocgame speakers from 25 on (the model is chosen by them), two speakers of other
sources, and whatever a list of measuring sounds names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 16000
#: First vocgame speaker who is kept for choosing.
KEPT_BACK = 25
#: Speakers of sentences who are kept for measuring how many phones are right.
SENTENCES_KEPT_BACK = ("fleurs-02", "sppas-05")


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


def clips(
    speech: Sequence[Path], packages: Path | None, measured: Path | None, without: Sequence[str] = ()
) -> Iterator[Clip]:
    """All clips to train on, in a fixed order, but those of the sources ``without``."""
    for clip in _labelled(speech):
        if clip.source not in without and not _held(clip):
            yield clip
    if packages is not None and "tuxpaint" not in without:
        yield from _stamps(packages, measured)


def _held(clip: Clip) -> bool:
    if clip.source == "vocgame":
        return int(clip.speaker.split("-")[1]) >= KEPT_BACK
    return clip.speaker in SENTENCES_KEPT_BACK


def _labelled(speech: Sequence[Path]) -> Iterator[Clip]:
    for folder in speech:
        for labels in sorted(folder.glob("*/labels.jsonl")):
            for line in labels.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                yield Clip(labels.parent.name, row["speaker"], row["text"], labels.parent / row["file"])


def kept_back(speech: Path) -> list[Clip]:
    """The words that the model is chosen by."""
    return [clip for clip in _labelled([speech]) if clip.source == "vocgame" and _held(clip)]


def sentences_kept_back(speech: Path) -> list[Clip]:
    """The sentences that phones are counted in."""
    return [clip for clip in _labelled([speech]) if clip.source != "vocgame" and _held(clip)]


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
