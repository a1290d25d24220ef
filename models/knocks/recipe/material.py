"""The recordings that training may use, cut into single sounds, and struck plates made from nothing.

A sound is mono float32 at 16 kHz; its ``source`` is the recording or library that it comes from, by which
training and measuring are kept apart.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 16_000
AMBIGUOUS = ("impact-wood-object", "impact-wood-bash", "tap-table-hammer", "percussion")
"""Kinds that may well be a knock: neither trained on nor counted."""
BACKGROUNDS = ("ambience", "music", "speech-fr", "speech-fr-words", "speech-other", "keyboard-typing")
"""Kinds that fill a scene rather than happen in it."""


@dataclass
class Sound:
    """One recording: ``knocks`` are the times of its hits, ``kind`` what it is."""

    samples: np.ndarray
    kind: str
    source: str
    knocks: tuple[float, ...] = ()
    ignore: tuple[float, ...] = ()
    file: str = ""
    redistributable: bool = True


def load(path: Path) -> np.ndarray:
    """A file as mono float32 at 16 kHz."""
    data, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    mono = data.mean(axis=1)
    return mono if rate == RATE else soxr.resample(mono, rate, RATE).astype(np.float32)


def labelled_sounds(folder: Path) -> list[Sound]:
    """The recordings of a folder with ``labels.jsonl`` as cases/sounds has it."""
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines() if line.strip()]
    return [
        Sound(
            load(folder / row["file"]),
            row["kind"],
            row["group"],
            tuple(e["t"] for e in row["events"] if e["type"] == "knock"),
            tuple(row.get("ignore", ())),
            row["file"],
            bool(row.get("redistributable", False)),
        )
        for row in rows
    ]


def may_train(sound: Sound) -> bool:
    """Whether the README of the collection lets a model be fitted to this recording."""
    if sound.kind == "knock":
        return sound.source == "sharwin-large"
    return sound.redistributable and sound.kind not in AMBIGUOUS


def hits_of(sound: Sound) -> list[np.ndarray]:
    """Each knock of a recording by itself: from 12 ms before it to the next one, at most 0.3 s, faded at
    both ends."""
    times = sorted((*sound.knocks, *sound.ignore))
    out = []
    for t in sound.knocks:
        following = min([x for x in times if x > t + 0.01] + [len(sound.samples) / RATE])
        start, end = round((t - 0.012) * RATE), round((min(following - 0.015, t + 0.3)) * RATE)
        if start < 0 or end - start < 0.1 * RATE:
            continue
        cut = sound.samples[start:end].copy()
        fade = min(len(cut) // 3, 640)
        cut[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
        cut[:48] *= np.linspace(0, 1, 48, dtype=np.float32)
        out.append(cut)
    return out


def taps(folder: Path) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """data/knocks: the knuckle hits (knocks) and the light taps of pads and nails (none)."""
    knuckles: list[np.ndarray] = []
    light: list[np.ndarray] = []
    for line in (folder / "labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        samples = load(folder / row["file"])
        # the event's start lies 13 to 26 ms before its peak
        starts = tuple(_sharp_start(samples, start) for start, _ in row["events"])
        hits = hits_of(Sound(samples, "knock", "tapsense", starts))
        (knuckles if row["kind"] == "knock-knuckle" else light).extend(hits)
    return knuckles, light


def _sharp_start(samples: np.ndarray, around: float) -> float:
    """The moment of the steepest rise within 40 ms after ``around``."""
    first = max(0, round((around - 0.005) * RATE))
    energy = np.convolve(samples[first : first + 800] ** 2, np.ones(32) / 32, "same")
    return (first + int(np.argmax(np.diff(np.log(energy + 1e-9), n=1)))) / RATE


def struck_plate(rng: np.random.Generator) -> np.ndarray:
    """A knock made from nothing: a soft hammer on a wooden plate, as a sum of damped modes.

    The modes of a simply supported plate lie at f(m, n) = f0 (m^2 + (r n)^2) / (1 + r^2), r the ratio of its
    sides; damping grows with frequency; a fist in contact for 1 to 6 ms excites only what is slower than
    that. Some click of bone.
    """
    length = round(rng.uniform(0.15, 0.35) * RATE)
    t = np.arange(length) / RATE
    lowest, ratio = np.exp(rng.uniform(np.log(55), np.log(230))), rng.uniform(0.6, 1.9)
    contact = rng.uniform(0.001, 0.006)
    decay = np.exp(rng.uniform(np.log(0.012), np.log(0.06)))  # of the lowest mode, to -8.7 dB
    at = rng.uniform(0.1, 0.5, 2)
    out = np.zeros(length)
    for m in range(1, 9):
        for n in range(1, 9):
            f = lowest * (m**2 + (ratio * n) ** 2) / (1 + ratio**2) * rng.uniform(0.94, 1.06)
            if f > 5000:
                continue
            shape = abs(np.sin(np.pi * m * at[0]) * np.sin(np.pi * n * at[1])) + 0.05
            excited = 1 / (1 + (f * contact * 1.6) ** 2)
            damping = decay / (1 + (f / 500) ** rng.uniform(0.5, 0.9))
            out += shape * excited * np.sin(2 * np.pi * f * t + rng.uniform(0, 0.5)) * np.exp(-t / damping)
    thump = np.exp(-t / rng.uniform(0.008, 0.03)) * np.sin(2 * np.pi * rng.uniform(60, 160) * t)
    click = rng.standard_normal(length) * np.exp(-t / rng.uniform(0.0008, 0.003))
    out = out / np.abs(out).max() + rng.uniform(0, 0.8) * thump + 10 ** rng.uniform(-2.2, -0.7) * click
    attack = round(contact * RATE * rng.uniform(0.3, 1.0))
    out[:attack] *= np.linspace(0, 1, attack)
    fade = length // 4
    out[-fade:] *= np.linspace(1, 0, fade)
    before = np.zeros(round(0.012 * RATE))
    return np.concatenate([before, out / np.abs(out).max()]).astype(np.float32)


def clap(rng: np.random.Generator) -> np.ndarray:
    """A clap: a burst of noise around 0.8 to 3 kHz, 5 to 30 ms long, sometimes of several hands."""
    length = round(0.2 * RATE)
    t = np.arange(length) / RATE
    out = np.zeros(length)
    for _ in range(rng.integers(1, 4)):
        start = rng.uniform(0, 0.02)
        envelope = np.where(t >= start, np.exp(-(t - start) / rng.uniform(0.003, 0.02)), 0)
        out += _band(rng, length, rng.uniform(600, 3000), rng.uniform(0.3, 1.2)) * envelope
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def ringing(rng: np.random.Generator) -> np.ndarray:
    """Glass, a coin, a plate, cutlery: a few long, high, unharmonic modes."""
    length = round(rng.uniform(0.2, 0.9) * RATE)
    t = np.arange(length) / RATE
    out = np.zeros(length)
    base = np.exp(rng.uniform(np.log(700), np.log(4500)))
    for k in range(rng.integers(2, 9)):
        f = base * (1 + k * rng.uniform(0.3, 1.4))
        if f < 7800:
            out += (
                rng.uniform(0.1, 1)
                * np.sin(2 * np.pi * f * t + rng.uniform(0, 6))
                * np.exp(-t / rng.uniform(0.02, 0.4))
            )
    out += rng.uniform(0, 0.6) * rng.standard_normal(length) * np.exp(-t / rng.uniform(0.001, 0.006))
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def rustle(rng: np.random.Generator) -> np.ndarray:
    """Cards shuffled, clothes, paper, a page: strings of small bursts of bright noise."""
    length = round(rng.uniform(0.1, 0.9) * RATE)
    out = np.zeros(length)
    for _ in range(rng.integers(1, 25)):
        start = rng.integers(0, length - 400)
        size = min(length - start, round(rng.uniform(0.004, 0.06) * RATE))
        burst = (
            rng.standard_normal(size) * np.hanning(size)
            if rng.random() < 0.5
            else rng.standard_normal(size) * np.exp(-np.arange(size) / rng.uniform(20, 300))
        )
        out[start : start + size] += rng.uniform(0.1, 1) * burst
    shaped = out + 0 if rng.random() < 0.5 else np.diff(out, prepend=0)
    return (shaped / (np.abs(shaped).max() + 1e-9)).astype(np.float32)


def rumble(rng: np.random.Generator) -> np.ndarray:
    """A chair moved, a slow thud, wind on the microphone: low, but it rises slowly or lasts."""
    length = round(rng.uniform(0.3, 1.2) * RATE)
    t = np.arange(length) / RATE
    attack, release = rng.uniform(0.03, 0.25), rng.uniform(0.08, 0.5)
    envelope = np.minimum(1, t / attack) * np.exp(-np.maximum(0, t - attack) / release)
    out = _band(rng, length, rng.uniform(60, 500), rng.uniform(0.5, 1.5)) * envelope
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def beep(rng: np.random.Generator) -> np.ndarray:
    """A notification, a ringing phone, a played note."""
    length = round(rng.uniform(0.1, 0.8) * RATE)
    t = np.arange(length) / RATE
    f = np.exp(rng.uniform(np.log(110), np.log(3000)))
    out = sum(rng.uniform(0, 1) / k * np.sin(2 * np.pi * f * k * t) for k in range(1, 6) if f * k < 7800)
    attack = rng.uniform(0.001, 0.03)
    out = (
        out
        * np.minimum(1, t / attack)
        * np.exp(-t / rng.uniform(0.08, 0.8))
        * np.minimum(1, (t[-1] - t) / 0.01)
    )
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def _band(rng: np.random.Generator, length: int, centre: float, octaves: float) -> np.ndarray:
    """Noise around ``centre`` Hz."""
    spectrum = np.fft.rfft(rng.standard_normal(length))
    f = np.fft.rfftfreq(length, 1 / RATE)
    return np.fft.irfft(spectrum * np.exp(-0.5 * (np.log2(np.maximum(f, 1) / centre) / octaves) ** 2), length)
