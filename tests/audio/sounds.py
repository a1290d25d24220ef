"""Sounds that the tests make themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

RATE = 16_000
SHARED = Path(__file__).parents[2].parent / "shared"


def thud(seed: int = 0, *, lowest: float = 110.0, decay: float = 0.03) -> np.ndarray:
    """A fist on a table top: damped modes of a plate, excited slowly, and a little click."""
    rng = np.random.default_rng(seed)
    t = np.arange(round(0.25 * RATE)) / RATE
    out = np.zeros(len(t))
    for m in range(1, 5):
        for n in range(1, 5):
            f = lowest * (m * m + 1.4 * n * n) / 2.4
            weight = (0.2 + rng.random()) / (1 + (f / 350) ** 2)
            out += weight * np.sin(2 * np.pi * f * t) * np.exp(-t / (decay / (1 + (f / 500) ** 0.7)))
    out += 0.08 * rng.standard_normal(len(t)) * np.exp(-t / 0.0015)
    return (out / np.abs(out).max()).astype(np.float32)


def hiss(seconds: float, level_db: float = -60.0, seed: int = 1) -> np.ndarray:
    noise = np.random.default_rng(seed).standard_normal(round(seconds * RATE))
    return (noise * 10 ** (level_db / 20)).astype(np.float32)


def put(sound: np.ndarray, what: np.ndarray, t: float, peak: float = 0.4) -> None:
    start = round(t * RATE)
    end = min(len(sound), start + len(what))
    sound[start:end] += peak * what[: end - start]


def table(knocks: list[float], seconds: float | None = None, level_db: float = -60.0) -> np.ndarray:
    """Knocks at these times over a quiet room."""
    sound = hiss((max(knocks, default=0) + 1.0) if seconds is None else seconds, level_db)
    for t in knocks:
        put(sound, thud(), t)
    return sound
