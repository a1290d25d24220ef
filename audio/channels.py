"""Many channels to one, so that nothing cancels and nothing drowns.

The plain mean of the channels fails where one is wired backwards (the two cancel), or where one microphone is plugged
into a box with eight sockets (its sound is an eighth, the noise of the others stays). So channels that are 12 dB
quieter than the loudest at their loudest moments are left out, and a channel that goes against the loudest is turned
round.

All is decided for every 20 ms by what is in them, so the result does not depend on the blocks that come, and the
beginning of a sound is never cancelled.
"""

from __future__ import annotations

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

    def accept(self, block: NDArray[Any]) -> Samples:
        """Mono samples for all whole hops of (n, count) samples (float in -1..1, or int16)."""
        clean = sane(block)
        if self.count == 1:
            return clean[:, 0]
        waiting = np.concatenate([self._waiting, clean])
        whole = len(waiting) // self._hop * self._hop
        self._waiting = waiting[whole:]
        hops = [self._joined(waiting[i : i + self._hop]) for i in range(0, whole, self._hop)]
        return np.concatenate(hops) if hops else np.zeros(0, np.float32)

    def finish(self) -> Samples:
        """What was waiting for the rest of its hop."""
        rest, self._waiting = self._waiting, self._waiting[:0]
        return self._joined(rest) if len(rest) else np.zeros(0, np.float32)

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
