"""From clips with phone times to training streams: log band energies and the phone of every 10 ms.

Levels, noise and microphone curves are not mixed in here but while training (train.py), in the energies,
anew for every window.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soxr

from audio.errors import AudioError
from audio.espeak import espeak
from audio.features import HOP, energies
from audio.phones import INDEX, from_espeak
from models.phrases.recipe.corpus import RATE
from models.phrases.recipe.recordings import recorded_noises
from models.phrases.recipe.sounds import Rooms, babble, clatter, hum, music, placed, recorded
from models.phrases.recipe.texts import drawn

#: espeak variants that are no usable voices, and those that the tests keep for themselves.
_ODD = re.compile(r"whisper|Demonic|Robot|robo|AnxiousAndy|Storm|croak|RicishayMax|fast|Mr serious|klatt|grandpa")
#: Minutes of each made background.
_MINUTES = {"babble": 8, "clatter": 6, "music": 6, "hum": 10}
TEST_VOICES = ("f3", "m5", "Alicia", "Denis", "linda", "steph2", "Michael", "adam")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A clip (float32, 16 kHz) and when each phone starts (seconds, index into PHONES)."""

    samples: np.ndarray
    phones: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class Stream:
    """Log band energies (T, 40) in half precision and the phone (T,) of every frame."""

    logs: np.ndarray
    phones: np.ndarray


def voices() -> list[str]:
    """espeak's variants to train on."""
    names = sorted(path.name for path in (Path(espeak().data) / "voices" / "!v").iterdir())
    return [name for name in names if not _ODD.search(name) and name not in TEST_VOICES]


def synthetic(count: int, seed: int, everyday: Sequence[str]) -> list[Spoken]:
    """``count`` texts (:func:`texts.drawn`) spoken by espeak's voices."""
    r = random.Random(seed)
    names, texts = voices(), drawn(r, everyday)
    out: list[Spoken] = []
    while len(out) < count:
        text = next(texts)
        voice = f"{r.choice(('fr', 'fr', 'fr-be', 'fr-ch'))}+{r.choice(names)}"
        try:
            said = espeak().say(text, voice, r.randint(120, 240), r.randint(10, 90), r.randint(15, 85))
        except AudioError:
            continue
        phones = _phones(said.phonemes)
        if phones is None or len(said.samples) < 2000:
            continue
        samples = soxr.resample(said.samples.astype(np.float32) / 32768, said.rate, RATE)
        out.append(Spoken(samples.astype(np.float32), phones))
    return out


def _phones(said: Sequence[tuple[float, str]]) -> tuple[tuple[float, int], ...] | None:
    out = []
    for time, name in said:
        if name.startswith("_") and name != "_|":
            out.append((time, 0))
            continue
        phone = from_espeak(name)
        if phone is None:
            return None
        if phone:
            out.append((time, INDEX[phone]))
    return tuple(out) if any(phone for _, phone in out) else None


def stream(clips: Sequence[Spoken], seed: int, rooms: Rooms) -> Stream:
    """The clips in random order, each somewhere else, with gaps of silence: most short, a third 0.5 to 1.2 s."""
    r = np.random.default_rng(seed)
    logs, labels = [], []
    order = r.permutation(len(clips))
    for first in range(0, len(order), 40):
        parts, times, at = [np.zeros(RATE // 4, np.float32)], [(0.0, 0)], RATE // 4
        for i in order[first : first + 40]:
            samples, stretch = placed(clips[i].samples, rooms, r)
            samples = recorded(samples, r)
            samples = samples * 10 ** (-r.uniform(0, 14) / 20) * 0.5
            times += [(at / RATE + time * stretch, phone) for time, phone in clips[i].phones]
            times.append((at / RATE + len(clips[i].samples) * stretch / RATE, 0))
            gap = int((r.uniform(0.1, 0.5) if r.random() < 0.7 else r.uniform(0.5, 1.2)) * RATE)
            parts += [samples, np.zeros(gap, np.float32)]
            at += len(samples) + gap
        log = np.log(energies(np.concatenate(parts)) + 1e-2)
        times.sort(key=lambda pair: pair[0])
        starts = np.array([time for time, _ in times])
        middle = np.arange(len(log)) * HOP / RATE + 0.0125
        known = np.array([phone for _, phone in times])
        logs.append(log.astype(np.float16))
        labels.append(known[np.maximum(np.searchsorted(starts, middle, side="right") - 1, 0)].astype(np.int8))
    return Stream(np.concatenate(logs), np.concatenate(labels))


def noises(clips: Sequence[Spoken], seed: int, rooms: Rooms, recordings: Path | None = None) -> dict[str, np.ndarray]:
    """Log band energies of backgrounds, some minutes each: made ones by kind, and recorded ones by folder."""
    r = np.random.default_rng(seed)
    talk = [clip.samples for clip in clips]
    makers: dict[str, Callable[[], np.ndarray]] = {
        "babble": lambda: babble(talk, r),
        "clatter": lambda: clatter(r),
        "music": lambda: music(r),
        "hum": lambda: hum(r),
    }
    out = {}
    for kind, make in makers.items():
        minutes = []
        for _ in range(_MINUTES[kind]):
            sound, _ = placed(make(), rooms, r)
            minutes.append(np.log(energies(sound) + 1e-2).astype(np.float16))
        out[kind] = np.concatenate(minutes)
    length = min(len(out["babble"]), len(out["clatter"]))
    both = np.logaddexp(out["babble"][:length].astype(np.float32), out["clatter"][:length].astype(np.float32))
    out["cafe"] = both.astype(np.float16)
    if recordings is not None:
        out |= recorded_noises(recordings, rooms, r)
    return out
