"""The recogniser that ships: the phone net and the search over pronunciations, turned into calls with a
confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from audio.acoustic import STEP, WEIGHTS, PhoneStream
from audio.decoding import Ends, PhraseSearch
from audio.features import RATE, Floats, clean
from audio.lexicon import phone_ids
from audio.phrasebook import Call

#: Silence that stands for what comes after the end of the stream (seconds): sight of the net and the closing
#: pause.
_TAIL = 0.9


@dataclass(frozen=True, slots=True)
class Strictness:
    """When a phrase counts as heard. The figures and how they were found are in models/phrases/CARD.md.

    Attributes:
        worst: log-likelihood ratio to free talk, per output of the phrase, below which nothing was said.
        half: the ratio at which the confidence is one half.
        slope: confidence is the logistic function of ``slope * (ratio - half)``.
        margin: how much better (whole log-likelihood) the best call must be than the best one that means
            something else.
        settle: outputs to wait for a better match after the first one.
        before, after: outputs of silence asked around a phrase.
        price: what free talk pays for each change of phone.
    """

    worst: float = -0.35
    half: float = -0.45
    slope: float = 6.0
    margin: float = 0.0
    settle: int = 2
    before: int = 4
    after: int = 5
    price: float = 2.0


@dataclass(frozen=True, slots=True)
class Heard:
    """A call that was recognised; ``t`` is its end, ``decided`` when that was known, seconds of the
    stream."""

    call: Call
    t: float
    decided: float
    confidence: float


@dataclass(frozen=True, slots=True)
class _Match:
    call: int
    score: float
    ratio: float
    start: int
    stop: int


class Spotter:
    """Hears a closed set of calls in a stream. The result does not depend on the sizes of the blocks."""

    def __init__(
        self, calls: Sequence[Call], strictness: Strictness | None = None, weights: Path = WEIGHTS
    ) -> None:
        self._calls = tuple(calls)
        self._strict = strictness or Strictness()
        self._owner = np.array(
            [i for i, call in enumerate(self._calls) for _ in call.pronunciations], np.int64
        )
        self._search = PhraseSearch(
            [phone_ids(way) for call in self._calls for way in call.pronunciations],
            before=self._strict.before,
            after=self._strict.after,
            price=self._strict.price,
        )
        self._phones = PhoneStream(weights)
        self._welcome = np.ones(len(self._calls), bool)
        self._samples = 0
        self._outputs = 0
        self._pending: dict[int, _Match] = {}
        self._due: int | None = None
        self._free_from = 0

    def welcome(self, calls: Sequence[bool] | None) -> None:
        """Which calls may be said now (one flag each); the others still compete, so that they are not taken
        for these."""
        self._welcome = np.ones(len(self._calls), bool) if calls is None else np.array(calls, bool)

    def accept(self, samples: Floats) -> list[Heard]:
        """What is decided with these samples."""
        samples = clean(samples)
        self._samples += len(samples)
        return self._hear(samples, self._samples)

    def finish(self) -> list[Heard]:
        """What the end of the stream decides; it counts as followed by silence."""
        return self._hear(np.zeros(int(_TAIL * RATE), np.float32), self._samples)

    def _hear(self, samples: Floats, until: int) -> list[Heard]:
        heard: list[Heard] = []
        for likelihoods in self._phones.accept(samples):
            self._gather(self._search.step(likelihoods))
            self._outputs += 1
            if self._due is not None and self._outputs >= self._due:
                heard += self._decide(until / RATE)
        return heard

    def _gather(self, ends: Ends) -> None:
        length = np.maximum(ends.stop - ends.start, 1)
        ratio = ends.score / length
        for row in np.flatnonzero((ratio >= self._strict.worst) & (ends.start >= self._free_from)):
            call = int(self._owner[row])
            known = self._pending.get(call)
            if known is None or ends.score[row] > known.score:
                self._pending[call] = _Match(
                    call, float(ends.score[row]), float(ratio[row]), int(ends.start[row]), ends.stop
                )
        if self._pending and self._due is None:
            self._due = self._outputs + 1 + self._strict.settle

    def _decide(self, end_of_stream: float) -> list[Heard]:
        matches = sorted(self._pending.values(), key=lambda match: -match.score)
        best = matches[0]
        self._pending, self._due = {}, None
        self._free_from = best.stop
        call = self._calls[best.call]
        if not call.phrase or not self._welcome[best.call]:
            return []
        rivals = [m for m in matches[1:] if self._calls[m.call].means != call.means]
        lead = best.score - rivals[0].score if rivals else math.inf
        if lead < self._strict.margin:
            return []
        t = min(best.stop * STEP, end_of_stream)
        decided = max(t, min(PhoneStream.known_at(self._outputs - 1), end_of_stream))
        confidence = 1 / (1 + math.exp(-self._strict.slope * (best.ratio - self._strict.half)))
        return [Heard(call, t, decided, confidence)]
