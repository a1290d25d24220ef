"""Bringing clips into rooms, and the noises of a café: all made here or from the clips themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.signal import butter, fftconvolve, lfilter

from models.phrases.recipe.corpus import RATE, load

Samples = np.ndarray


class Rooms:
    """Room responses: those of a folder, and exponential tails."""

    def __init__(self, folder: Path | None) -> None:
        self._measured = [] if folder is None else [load(path) for path in sorted(folder.glob("*.wav"))]

    def draw(self, r: np.random.Generator) -> Samples:
        if self._measured and r.random() < 0.5:
            response = self._measured[r.integers(len(self._measured))]
            response = response[np.abs(response).argmax() :][: RATE // 2].copy()
            response /= np.sqrt((response**2).sum())
            response[0] += r.uniform(0, 1.5)
            return response
        tail = r.uniform(0.1, 0.8)
        n = int(tail * RATE)
        response = r.standard_normal(n) * np.exp(-6.9 * np.arange(n) / n)
        response[: int(r.uniform(0.002, 0.01) * RATE)] = 0
        response *= 10 ** (-r.uniform(-4, 14) / 20) / np.sqrt((response**2).sum() + 1e-9)
        response[0] += 1
        return response


def placed(clip: Samples, rooms: Rooms, r: np.random.Generator) -> tuple[Samples, float]:
    """The clip as heard somewhere, its peak at 1, and how much longer it became (voices get deeper with
    it)."""
    stretch = 1.0
    if r.random() < 0.6:
        stretch = float(r.uniform(0.86, 1.18))
        at = np.arange(int(len(clip) * stretch)) / stretch
        clip = np.interp(at, np.arange(len(clip)), clip)
    tilt = r.uniform(-0.5, 0.5)
    clip = clip + tilt * np.concatenate([[0.0], clip[:-1]])
    if r.random() < 0.3:
        pole = r.uniform(0.9, 0.99)
        clip = lfilter([1, -1], [1, -pole], clip)
    if r.random() < 0.55:
        clip = fftconvolve(clip, rooms.draw(r))
    return (clip / max(1e-6, np.abs(clip).max())).astype(np.float32), stretch


def recorded(clip: Samples, r: np.random.Generator) -> Samples:
    """The clip (peak 1) after a bad recording, one time in five: clipped, or through eight bits of a telephone."""
    draw = r.random()
    if draw < 0.08:
        most = r.uniform(0.1, 0.5)
        return np.clip(clip, -most, most) / most
    if draw < 0.14:
        curved = np.sign(clip) * np.log1p(255 * np.abs(clip)) / np.log(256)
        steps = np.round(curved * 127 * r.uniform(0.3, 1)) / 127
        return np.sign(steps) * np.expm1(np.abs(steps) * np.log(256)) / 255
    if draw < 0.2:
        low, high = butter(2, [r.uniform(150, 400), r.uniform(2800, 3900)], "band", fs=RATE)
        return lfilter(low, high, clip)
    return clip


def hum(r: np.random.Generator, seconds: int = 60) -> Samples:
    """Fans, engines, coffee machines and drones: harmonics of one to four blades or pistons, and rushing air.

    The speed wanders, so that the harmonics are no pure tones."""
    n = seconds * RATE
    out = np.zeros(n)
    slow = np.linspace(0, 1, seconds * 2)
    for _ in range(int(r.integers(1, 5))):
        base = np.exp(r.uniform(np.log(25), np.log(400)))
        wander = np.interp(np.linspace(0, 1, n), slow, r.normal(0, r.uniform(0.001, 0.05), len(slow)))
        phase = 2 * np.pi * np.cumsum(base * (1 + wander)) / RATE + r.uniform(0, 6)
        falling = r.uniform(0.3, 1.6)
        for k in range(1, min(60, int(7800 / base))):
            out += np.sin(k * phase + r.uniform(0, 6)) * r.uniform(0.2, 1) / k**falling
    air = lfilter([1], [1, -r.uniform(0.2, 0.98)], r.standard_normal(n))
    gusts = np.interp(np.linspace(0, 1, n), slow, 10 ** (r.normal(0, r.uniform(0.5, 4), len(slow)) / 20))
    out = out / np.sqrt((out**2).mean()) + air * gusts / np.sqrt((air**2).mean()) * 10 ** (r.uniform(-15, 10) / 20)
    return (out / np.abs(out).max()).astype(np.float32)


def babble(clips: list[Samples], r: np.random.Generator, seconds: int = 60) -> Samples:
    """Several talkers at once, two to ten of them."""
    out = np.zeros(seconds * RATE, np.float32)
    for _ in range(int(r.integers(2, 11)) * seconds // 2):
        clip = clips[r.integers(len(clips))]
        at = int(r.integers(0, len(out) - RATE))
        part = clip[: len(out) - at]
        out[at : at + len(part)] += part / max(1e-4, np.abs(part).max()) * r.uniform(0.2, 1)
    return out


def clatter(r: np.random.Generator, seconds: int = 60) -> Samples:
    """Glasses, plates, coins, chairs, knocks: damped modes and short bursts of coloured noise."""
    out = np.zeros(seconds * RATE, np.float32)
    for _ in range(seconds * 2):
        n = int(r.uniform(0.03, 0.5) * RATE)
        t = np.arange(n) / RATE
        if r.random() < 0.6:
            base = np.exp(r.uniform(np.log(80), np.log(5000)))
            hit = sum(
                r.uniform(0.1, 1)
                * np.sin(2 * np.pi * base * ratio * t + r.uniform(0, 6))
                * np.exp(-t * r.uniform(8, 120))
                for ratio in np.cumsum(np.r_[1, r.uniform(0.2, 1.5, 5)])
                if base * ratio < 7900
            )
        else:
            hit = lfilter([1], [1, -r.uniform(-0.6, 0.98)], r.standard_normal(n)) * np.exp(-t * r.uniform(4, 80))
        hit = np.asarray(hit, dtype=np.float64)
        at = int(r.integers(0, len(out) - n))
        out[at : at + n] += (hit / (np.abs(hit).max() + 1e-9) * 10 ** (-r.uniform(0, 25) / 20)).astype(np.float32)
    return out


def music(r: np.random.Generator, seconds: int = 60) -> Samples:
    """Chords and a melody of harmonic notes with vibrato: what a radio in the corner does to the spectrum."""
    out = np.zeros(seconds * RATE, np.float32)
    at = 0
    while at < len(out) - RATE:
        n = int(r.uniform(0.12, 0.9) * RATE)
        t = np.arange(n) / RATE
        envelope = np.minimum(1, t / 0.02) * np.exp(-t * r.uniform(0.5, 6))
        for _ in range(int(r.integers(1, 5))):
            base = 55 * 2 ** (r.integers(0, 48) / 12)
            bright = r.uniform(0.5, 2)
            phase = 2 * np.pi * base * t + r.uniform(0, 0.3) * np.sin(2 * np.pi * r.uniform(4, 7) * t)
            note = sum(np.sin(k * phase) / k**bright for k in range(1, 12) if k * base < 7000)
            out[at : at + n] += (note * envelope * r.uniform(0.2, 1)).astype(np.float32)
        if r.random() < 0.3:
            out[at : at + n] += (r.standard_normal(n) * np.exp(-t * 30) * 0.7).astype(np.float32)
        at += int(n * r.uniform(0.3, 1.1))
    return out
