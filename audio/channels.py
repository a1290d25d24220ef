"""Many channels to one, so that nothing cancels and nothing drowns.

The plain mean of the channels fails where one is wired backwards (the two cancel), or where one microphone is plugged
into a box with eight sockets (its sound is an eighth, the noise of the others stays). So channels that are 12 dB
quieter than the loudest at their loudest moments are left out, and a channel that goes against the loudest is turned
round.

All is decided for every 20 ms by what is in them, so the result does not depend on the blocks that come, and the
beginning of a sound is never cancelled.

Cheap microphones add a constant to every sample. A tenth of full scale would hide every knock, so it is taken away.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audio.resampling import Samples, sane

HOP_SECONDS = 0.02
OUT_DB = 12.0
"""A channel whose loudest moments are so far below those of the loudest channel is left out."""
FORGET_DB = 1.0
"""How fast a loud moment is forgotten, dB a second."""
LEAD_DB = 6.0
"""So much louder must a channel become for the others to be turned its way."""
AGAINST = 0.5
"""Correlation below minus which a channel is turned, above which it is turned back."""
FADE_SECONDS = 0.002
SILENCE_DB = -120.0

STEADY_HOPS = 25
"""The constant is the median over half a second of hops: a bang or a vowel does not move it."""
SMALL = 0.02
"""A smaller constant does no harm to the knocks: it is left, and most sounds stay as they were, to the bit."""


class Channels:
    """Joins the channels of a stream.

    Args:
        rate: samples a second.
        count: channels, from 1.
    """

    def __init__(self, rate: int, count: int) -> None:
        self._hop = max(1, round(rate * HOP_SECONDS))
        self._fade = max(1, min(self._hop, round(rate * FADE_SECONDS)))
        self._forget = FORGET_DB * self._hop / rate
        self.count = count
        self._waiting = np.zeros((0, count), np.float32)
        self._loudest = np.full(count, SILENCE_DB)
        self._lead = 0
        self._way = np.ones(count)
        self._weights: NDArray[np.float64] | None = None
        self._centre = _Centre(self._hop)

    def accept(self, block: NDArray[Any]) -> Samples:
        """Mono samples for all whole hops of (n, count) samples (float in -1..1, or int16)."""
        clean = sane(block)
        if self.count == 1:
            return self._centre.accept(clean[:, 0])
        waiting = np.concatenate([self._waiting, clean])
        whole = len(waiting) // self._hop * self._hop
        self._waiting = waiting[whole:]
        hops = [self._joined(waiting[i : i + self._hop]) for i in range(0, whole, self._hop)]
        return self._centre.accept(np.concatenate(hops)) if hops else np.zeros(0, np.float32)

    def finish(self) -> Samples:
        """What was waiting for the rest of its hop."""
        rest, self._waiting = self._waiting, self._waiting[:0]
        last = self._centre.accept(self._joined(rest)) if len(rest) else rest[:, 0]
        return np.concatenate([last, self._centre.finish()])

    def _joined(self, hop: Samples) -> Samples:
        before, after = self._weights, self._decide(hop)
        self._weights = after
        out: Samples = (hop * after.astype(np.float32)).sum(axis=1)
        if before is not None and not np.array_equal(before, after):
            fade = min(self._fade, len(hop))
            share = ((np.arange(fade) + 1) / fade).astype(np.float32)
            old = (hop[:fade] * before.astype(np.float32)).sum(axis=1)
            out[:fade] = old + share * (out[:fade] - old)
        return out

    def _decide(self, hop: Samples) -> NDArray[np.float64]:
        """Weights (count,) of this hop."""
        swing = hop.astype(np.float64)
        swing -= swing.mean(axis=0)
        power = (swing * swing).mean(axis=0)
        level = 10 * np.log10(power + 10 ** (SILENCE_DB / 10))
        self._loudest = np.maximum(level, np.maximum(self._loudest - self._forget, SILENCE_DB))
        loudest = int(self._loudest.argmax())
        if self._loudest[loudest] > self._loudest[self._lead] + LEAD_DB:
            self._lead = loudest
        together = (swing * swing[:, [self._lead]]).mean(axis=0)
        likeness = together / np.sqrt(power * power[self._lead] + 1e-30)
        way = self._way[self._lead]
        self._way = np.where(likeness < -AGAINST, -way, np.where(likeness > AGAINST, way, self._way))
        counts = self._loudest >= self._loudest[loudest] - OUT_DB
        weights: NDArray[np.float64] = self._way * counts / counts.sum()
        return weights


class _Centre:
    """Takes a constant away from a stream. Only the first hop waits until it is whole."""

    def __init__(self, hop: int) -> None:
        self._hop = hop
        self._now: list[Samples] = []  # of the hop that is not whole yet
        self._held = 0
        self._means: deque[float] = deque(maxlen=STEADY_HOPS)
        self._before = self._after = 0.0

    def accept(self, samples: Samples) -> Samples:
        """The samples without their constant."""
        out = []
        while len(samples):
            part = samples[: self._hop - self._held]
            samples = samples[len(part) :]
            if self._means:
                out.append(self._without(part))
            self._now.append(part)
            self._held += len(part)
            if self._held == self._hop:
                out += self._whole()
        return np.concatenate(out) if out else np.zeros(0, np.float32)

    def finish(self) -> Samples:
        """What was held where not even the first hop became whole."""
        return np.concatenate(self._whole() or [np.zeros(0, np.float32)]) if self._held else np.zeros(0, np.float32)

    def _whole(self) -> list[Samples]:
        hop = np.concatenate(self._now)
        first = not self._means
        self._now, self._held = [], 0
        self._means.append(float(hop.mean(dtype=np.float64)))
        middle = float(np.median(self._means))
        least = SMALL / 2 if self._after else SMALL
        self._before, self._after = self._after, middle if abs(middle) >= least else 0.0
        if not first:
            return []
        self._before = self._after
        return [self._without(hop)]

    def _without(self, part: Samples) -> Samples:
        """``part`` of the present hop, from ``_held`` on, less the constant that goes evenly from that of the hop
        before to the one known now."""
        if self._before == self._after == 0:
            return part
        share = (self._held + 1 + np.arange(len(part))) / self._hop
        constant = self._before + (self._after - self._before) * share
        out: Samples = part - constant.astype(np.float32)
        return out
