"""The recordings that training may use, cut into single sounds, and struck plates made from nothing.

A sound is mono float32 at 16 kHz; its ``source`` is the recording or library that it comes from, by which
training and measuring are kept apart.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 16_000
LEAD = 0.012
"""Seconds before the onset in the cut of a single knock."""
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


SET_ASIDE = 4
"""One package of effects in so many is never trained on: the noises by which a training is judged."""
MAYBE_KNOCKS = re.compile(r"knock|wood|thud|bash|bump|tap\b|table|chess|drum|stomp", re.IGNORECASE)
"""Names of effects that may well be a hand on a table."""
NOT_TRAINED = (*AMBIGUOUS, "impact-wood", "speech-other", "speech-fr")
"""Kinds of effects that are left out: doubtful, or not what their label says."""


def is_set_aside(source: str) -> bool:
    """Whether a package of effects is kept for judging."""
    return zlib.crc32(f"aside {source}".encode()) % SET_ASIDE == 0


def effects(folder: Path) -> list[Sound]:
    """Effects and music of free games and desktops: a folder a package, with ``labels.jsonl`` as in cases/sounds.
    What may be a knock is left out."""
    found = []
    for labels in sorted(folder.glob("*/labels.jsonl")):
        for line in labels.read_text().splitlines():
            row = json.loads(line)
            name = row["source"].rsplit("/", 1)[-1]
            if row["kind"] in NOT_TRAINED or MAYBE_KNOCKS.search(name):
                continue
            samples = load(labels.parent / row["file"])
            if len(samples) > 800 and np.abs(samples).max() > 1e-4:
                kind, package = row["kind"], labels.parent.name
                found.append(Sound(samples, kind, package, file=f"{package}/{row['file']}"))
    return found


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
        start, end = round((t - LEAD) * RATE), round((min(following - 0.015, t + 0.3)) * RATE)
        if start < 0 or end - start < 0.1 * RATE:
            continue
        cut = sound.samples[start:end].copy()
        fade = min(len(cut) // 3, 640)
        cut[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
        cut[:48] *= np.linspace(0, 1, 48, dtype=np.float32)
        out.append(cut)
    return out


def tap_recordings(folder: Path) -> list[Sound]:
    """The recordings of data/knocks: of knuckles, with the times of their knocks, and of pads and nails."""
    found = []
    for line in (folder / "labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        samples = load(folder / row["file"])
        # the event's start lies 13 to 26 ms before its peak
        starts = tuple(_sharp_start(samples, start) for start, _ in row["events"])
        knuckle = row["kind"] == "knock-knuckle"
        kind, knocks, light = ("knock", starts, ()) if knuckle else ("light-tap", (), starts)
        found.append(Sound(samples, kind, "tapsense", knocks, light, row["file"]))
    return found


def taps(folder: Path) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """data/knocks, hit by hit: the knuckles' (knocks) and the light taps of pads and nails (none)."""
    knuckles: list[np.ndarray] = []
    light: list[np.ndarray] = []
    for sound in tap_recordings(folder):
        if sound.kind == "knock":
            knuckles += hits_of(sound)
        else:
            light += hits_of(Sound(sound.samples, "knock", sound.source, sound.ignore))
    return knuckles, light


def _sharp_start(samples: np.ndarray, around: float) -> float:
    """The moment of the steepest rise within 40 ms after ``around``."""
    first = max(0, round((around - 0.005) * RATE))
    energy = np.convolve(samples[first : first + 800] ** 2, np.ones(32) / 32, "same")
    return (first + int(np.argmax(np.diff(np.log(energy + 1e-9), n=1)))) / RATE


def struck_plate(rng: np.random.Generator) -> np.ndarray:
    """A knock made from nothing: a soft hammer on a wooden plate, as a sum of damped modes.

    The modes of a simply supported plate lie at f(m, n) = f0 (m^2 + (r n)^2) / (1 + r^2), r the ratio of its
    sides; damping grows with frequency; a fist in contact for 1 to 8 ms excites only what is slower than
    that. Some click of bone.
    """
    length = round(rng.uniform(0.2, 0.5) * RATE)
    t = np.arange(length) / RATE
    lowest, ratio = np.exp(rng.uniform(np.log(45), np.log(260))), rng.uniform(0.6, 1.9)
    contact = np.exp(rng.uniform(np.log(0.001), np.log(0.008)))
    decay = np.exp(rng.uniform(np.log(0.01), np.log(0.14)))  # of the lowest mode, to -8.7 dB
    slope = rng.uniform(0.4, 0.9)
    at = rng.uniform(0.1, 0.5, 2)
    m, n = (a.ravel() for a in np.meshgrid(np.arange(1, 9), np.arange(1, 9)))
    f = lowest * (m**2 + (ratio * n) ** 2) / (1 + ratio**2) * rng.uniform(0.94, 1.06, 64)
    some = f < 5000
    m, n, f = m[some], n[some], f[some]
    weight = (np.abs(np.sin(np.pi * m * at[0]) * np.sin(np.pi * n * at[1])) + 0.05) / (1 + (f * contact * 1.6) ** 2)
    damping = decay / (1 + (f / 500) ** slope)
    phase = rng.uniform(0, 0.5, len(f))
    heard = np.argsort(weight)[-24:]
    out = np.zeros(length)
    for k in heard:
        out += weight[k] * np.sin(2 * np.pi * f[k] * t + phase[k]) * np.exp(-t / damping[k])
    thump = np.exp(-t / rng.uniform(0.008, 0.03)) * np.sin(2 * np.pi * rng.uniform(60, 160) * t)
    click = rng.standard_normal(length) * np.exp(-t / rng.uniform(0.0008, 0.003))
    out = out / np.abs(out).max() + rng.uniform(0, 0.8) * thump + 10 ** rng.uniform(-2.2, -0.7) * click
    attack = max(1, round(contact * RATE * rng.uniform(0.3, 1.0)))
    out[:attack] *= np.linspace(0, 1, attack)
    fade = length // 4
    out[-fade:] *= np.linspace(1, 0, fade)
    before = np.zeros(round(LEAD * RATE))
    return np.concatenate([before, out / np.abs(out).max()]).astype(np.float32)


def set_down(rng: np.random.Generator) -> np.ndarray:
    """A glass or a cup put on the table: a little thud of the table and a lot of ringing, often twice."""
    out = np.zeros(round(1.2 * RATE))
    t = rng.uniform(0, 0.02)
    for _ in range(int(rng.integers(1, 3))):
        thud, ring = struck_plate(rng)[round(LEAD * RATE) :], ringing(rng)
        for sound, loud in ((thud, 10 ** (rng.uniform(-20, -2) / 20)), (ring, 1.0)):
            start = round(t * RATE)
            out[start : start + len(sound)] += loud * sound[: len(out) - start]
        t += rng.uniform(0.02, 0.12)
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def pop(rng: np.random.Generator) -> np.ndarray:
    """Breath on the microphone (p, b, t close by): a low puff that dies slowly and without a tone."""
    length = round(rng.uniform(0.1, 0.4) * RATE)
    t = np.arange(length) / RATE
    attack, release = rng.uniform(0.004, 0.03), rng.uniform(0.02, 0.12)
    envelope = np.minimum(1, t / attack) * np.exp(-np.maximum(0, t - attack) / release)
    out = _band(rng, length, rng.uniform(40, 250), rng.uniform(0.8, 2.0)) * envelope
    out += rng.uniform(0, 0.2) * _band(rng, length, rng.uniform(1500, 4000), 1.0) * envelope
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def kick(rng: np.random.Generator) -> np.ndarray:
    """A bass drum: a tone that falls from 100-400 to 40-70 Hz and lasts longer than a knock."""
    length = round(0.45 * RATE)
    t = np.arange(length) / RATE
    high, low = rng.uniform(90, 400), rng.uniform(38, 75)
    f = low + (high - low) * np.exp(-t / rng.uniform(0.01, 0.06))
    out = np.sin(2 * np.pi * np.cumsum(f) / RATE) * np.exp(-t / rng.uniform(0.06, 0.25))
    out += rng.uniform(0, 0.3) * rng.standard_normal(length) * np.exp(-t / 0.004)
    out[-800:] *= np.linspace(1, 0, 800)
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def drums(rng: np.random.Generator, seconds: float = 20.0) -> np.ndarray:
    """Dance music: bass drum, snare, hats in a pattern of sixteenths, a bass line and chords."""
    length = round(seconds * RATE)
    out = np.zeros(length + RATE)
    step = 60 / rng.uniform(70, 150) / 4
    drum, snare, hat = kick(rng), clap(rng), ringing(rng)[:1600]
    patterns = [rng.random(16) < density for density in (0.28, 0.18, 0.5)]
    patterns[0][0] = True
    loud = 10 ** (rng.uniform([-6, -12, -24], [3, 0, -8]) / 20)
    notes = np.exp(rng.uniform(np.log(45), np.log(180), 4))
    for k in range(int(seconds / step)):
        start = round(k * step * RATE)
        for pattern, sound, gain in zip(patterns, (drum, snare, hat), loud, strict=True):
            if pattern[k % 16]:
                out[start : start + len(sound)] += gain * rng.uniform(0.8, 1.1) * sound
        if k % 4 == 0:
            size = round(4 * step * RATE)
            t = np.arange(size) / RATE
            fade = np.minimum(1, t / 0.01) * np.minimum(1, (t[-1] - t) / 0.02)
            for octave in (1, 2, 4, 5, 6):
                out[start : start + size] += (
                    fade * rng.uniform(0, 0.25) * np.sin(2 * np.pi * notes[k // 4 % 4] * octave * t)
                )
    out = out[:length]
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


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
    out = out * np.minimum(1, t / attack) * np.exp(-t / rng.uniform(0.08, 0.8)) * np.minimum(1, (t[-1] - t) / 0.01)
    return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def _band(rng: np.random.Generator, length: int, centre: float, octaves: float) -> np.ndarray:
    """Noise around ``centre`` Hz."""
    spectrum = np.fft.rfft(rng.standard_normal(length))
    f = np.fft.rfftfreq(length, 1 / RATE)
    return np.fft.irfft(spectrum * np.exp(-0.5 * (np.log2(np.maximum(f, 1) / centre) / octaves) ** 2), length)
