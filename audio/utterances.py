"""Cutting talk into utterances: what somebody says between two silences.

Every output of the phone net says how much likelier some phone is than silence. A Viterbi path over two states, talking
and silent, with a price for each change, makes utterances of that: a blip of noise pays too little to begin one, a
closure inside a word lasts too short to end one. What is decided is decided online and never taken back, so the result
does not depend on how the stream is cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audio.decoding import Scores
from audio.phones import SIL

#: What it costs to begin or to end an utterance (log-likelihood).
CHANGE = 4.0
#: One output says no more than this for talk or for silence (log-likelihood).
MOST = 3.0
#: Outputs of silence that end an utterance: 0.15 s, longer than the closure of a t.
PAUSE = 5


@dataclass(frozen=True, slots=True)
class Span:
    """An utterance, in outputs of the stream.

    Attributes:
        start: its first output.
        stop: the one after its last.
        known: the output by which its end was known.
    """

    start: int
    stop: int
    known: int

    def __len__(self) -> int:
        return self.stop - self.start


class Cutter:
    """Takes one output after the other and tells when an utterance has ended."""

    def __init__(self) -> None:
        self._time = 0
        self._talking = False
        self._gained = 0.0
        self._since = 0
        self._start = 0

    def step(self, row: Scores) -> Span | None:
        """Take the next output (35 log-likelihoods); the utterance that ends with it, if one does."""
        talk = max(-MOST, min(MOST, float(np.delete(row, SIL).max() - row[SIL])))
        now = self._time
        self._time += 1
        # what silence gains is bounded, so that the burst after a closure weighs against it
        self._gained = min(CHANGE, self._gained + (-talk if self._talking else talk))
        if self._gained <= 0:
            self._gained, self._since = 0.0, now + 1
            return None
        if self._gained < CHANGE or (self._talking and now + 1 - self._since < PAUSE):
            return None
        change, self._gained, self._since = self._since, 0.0, now + 1
        self._talking = not self._talking
        if self._talking:
            self._start = change
            return None
        return Span(self._start, change, now)
