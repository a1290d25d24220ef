"""Hands on tables, made from nothing: a force that comes in one to three touches, on a plate of damped modes.

After Fletcher and Rossing, *The Physics of Musical Instruments* (thin plates, the contact of a soft hammer). A knuckle
touches for a millisecond, the flesh of a fist for up to twenty: that, and how far and through what it is heard, decides
whether a knock is bright or dull. The same table is struck several times, never twice alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.signal import fftconvolve

RATE = 16_000
LEAD = 0.012
"""Seconds of silence before the first touch."""


@dataclass(frozen=True)
class Table:
    """A table, and the hand that strikes it.

    Attributes:
        modes: (k, 3) hertz, damping in 1/s, weight: how strongly each is struck and heard.
        contact: seconds that the hand touches.
        touches: how many times it does so in one blow.
        spread: seconds between the touches.
        slap: level of the air between a flat hand and the wood, and of bone.
        rattle: level of what stands on the table and trembles.
    """

    modes: np.ndarray
    contact: float
    touches: int
    spread: float
    slap: float
    slap_decay: float
    rattle: float

    @staticmethod
    def random(rng: np.random.Generator) -> Table:
        """Some table: a café's, a kitchen's, a desk, a crate; struck with knuckles, a fist or a flat hand."""
        lowest, ratio = _log(rng, 38, 260), rng.uniform(0.5, 2.2)
        m, n = np.mgrid[1:14, 1:11].reshape(2, -1)
        f = lowest * (m**2 + (ratio * n) ** 2) / (1 + ratio**2) * rng.normal(1, 0.03, m.shape)
        x, y = rng.uniform(0.08, 0.92, 2)
        heard = np.abs(np.sin(np.pi * m * x) * np.sin(np.pi * n * y)) + 0.05
        weight = heard * (np.maximum(f, 30) / 200) ** rng.uniform(-0.3, 0.8) / (1 + (f / _log(rng, 300, 4000)) ** 2)
        damping = 1 / _log(rng, 0.012, 0.16) + f * rng.uniform(0.01, 0.12)
        some = np.argsort(weight * (f < 6000))[-36:]
        modes = np.stack([f, damping, weight * (f < 6000)], 1)[some]
        if rng.random() < 0.4:  # the frame, the legs, the floor: a hum that outlasts the rest
            hums = int(rng.integers(1, 4))
            loud = modes[:, 2].max() * 10 ** (rng.uniform(-20, 3, hums) / 20)
            modes = np.concatenate(
                [modes, np.stack([_logs(rng, 35, 190, hums), 1 / _logs(rng, 0.06, 0.5, hums), loud], 1)]
            )
        hand = rng.random()
        contact = _log(rng, 0.0005, 0.003) if hand < 0.5 else _log(rng, 0.003, 0.018)
        return Table(
            modes,
            contact,
            int(rng.choice([1, 1, 1, 2, 2, 3])),
            _log(rng, 0.004, 0.035),
            10 ** (rng.uniform(-45, -12) / 20) if hand < 0.8 else 10 ** (rng.uniform(-16, 3) / 20),
            _log(rng, 0.0008, 0.006) if hand < 0.8 else _log(rng, 0.003, 0.02),
            10 ** (rng.uniform(-34, -12) / 20) if rng.random() < 0.2 else 0.0,
        )

    def answer(self, rng: np.random.Generator, seconds: float = 0.4) -> np.ndarray:
        """What the table rings after a click; root of its energy 1."""
        t = np.arange(round(seconds * RATE)) / RATE
        f, damping, weight = (self.modes[:, k, None] for k in range(3))
        phase = rng.uniform(0, 0.6, f.shape)
        waves = np.sin(2 * np.pi * f * t + phase) * np.exp(-damping * t)
        out: np.ndarray = (weight * rng.uniform(0.6, 1.3, f.shape) * waves).sum(axis=0)
        return out / (np.sqrt(np.sum(out**2)) + 1e-9)

    def hit(self, rng: np.random.Generator) -> np.ndarray:
        """One blow, its loudest sample 1; the first touch LEAD seconds after the start."""
        force = np.zeros(round(0.12 * RATE))
        t = 0.0
        for k in range(self.touches):
            size = max(2, round(self.contact * rng.uniform(0.8, 1.25) * RATE))
            pulse = np.sin(np.pi * (np.arange(size) + 0.5) / size) ** rng.uniform(1, 2)
            start = round(t * RATE)
            loud = 1.0 if k == 0 else 10 ** (rng.uniform(-12, 8) / 20)  # first a light touch, or first the blow
            force[start : start + size] += loud * pulse / pulse.sum()
            t += self.spread * rng.uniform(0.8, 1.25)
        out = fftconvolve(self.answer(rng), force)
        out /= np.abs(out).max() + 1e-9
        t_all = np.arange(len(out)) / RATE
        air = rng.standard_normal(len(out)) * np.exp(-t_all / self.slap_decay)
        width = max(1, round(RATE / _log(rng, 1500, 8000)))
        out += self.slap * np.convolve(air, np.ones(width) / np.sqrt(width), "same")
        if self.rattle:
            for _ in range(int(rng.integers(1, 7))):
                start = round(rng.uniform(0.004, 0.12) * RATE)
                size = len(out) - start
                tone = np.sin(2 * np.pi * _log(rng, 900, 6000) * t_all[:size] + rng.uniform(0, 6))
                out[start:] += self.rattle * rng.uniform(0.2, 1) * tone * np.exp(-t_all[:size] / _log(rng, 0.003, 0.05))
        fade = len(out) // 5
        out[-fade:] *= np.linspace(1, 0, fade)
        out = np.concatenate([np.zeros(round(LEAD * RATE)), out])
        return (out / (np.abs(out).max() + 1e-9)).astype(np.float32)


def _log(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _logs(rng: np.random.Generator, low: float, high: float, n: int) -> np.ndarray:
    return np.exp(rng.uniform(np.log(low), np.log(high), n))
