"""The recogniser that ships: the phone net and the search over pronunciations, turned into calls with a
confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from audio.acoustic import STEP, WEIGHTS, PhoneStream
from audio.decoding import Ends, PhraseSearch, Scores, any_accent, fit, held
from audio.features import RATE, Floats, clean
from audio.lexicon import phone_ids
from audio.phones import SIL
from audio.phrasebook import COMMANDS, Call

#: Silence that stands for what comes after the end of the stream (seconds): sight of the net and the pause.
_TAIL = 0.9
#: Outputs that are kept to look at a phrase again: no phrase is longer.
_MEMORY = 400
#: A rival that is this far behind (log-likelihood) is none.
_FAR = 10.0
#: Log-posterior of silence below which somebody is talking.
_PERHAPS_SILENT = math.log(0.25)
#: Phones after which a phrase counts as long.
_LONG = 9.0
#: Outputs of silence at a comma, at most: 0.45 s.
_LONGEST_PAUSE = 15
#: Outputs before a phrase that are asked how silent they were: a second.
_SECOND = 33


@dataclass(frozen=True, slots=True)
class Strictness:
    """When a phrase counts as heard. The figures and how they were found are in models/phrases/CARD.md.

    Attributes:
        candidate: log-likelihood ratio to free talk, per output of the phrase, from which a match is looked
            at.
        least: confidence from which a call counts as heard.
        least_answer: the same for words that count only while somebody is asked.
        least_command: the same for words to the assistant, which interrupt the game.
        settle: outputs to wait for a better match after the first one.
        quiet: outputs in a row that must be silent before a decision.
        patience: outputs to wait for that, at most.
        before, after: outputs of silence asked around a phrase.
        price: what free talk pays for each change of phone.
    """

    candidate: float = -1.0
    least: float = 0.5
    least_answer: float = 0.4
    least_command: float = 0.6
    settle: int = 2
    quiet: int = 4
    patience: int = 8
    before: int = 4
    after: int = 5
    price: float = 2.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a match; see :class:`audio.decoding.Fit`.

    Attributes:
        ratio: log-likelihood ratio to free talk, per output.
        lead: log-likelihood before the best call that means something else, at most 10.
        length: number of phones, at most 9.
        alone: share of the second before the phrase that was silent.
    """

    ratio: float
    lead: float
    length: float
    sure: float
    near: float
    worst: float
    before: float
    after: float
    slow: float
    alone: float


#: Logistic regression on :class:`Evidence` (fields in order, then the constant); fitted by
#: models/phrases/recipe/confidence.py on held-back speakers and on talk and noise without calls.
WEIGHING = (1.083, 0.157, 0.322, 1.977, -0.867, 0.548, 0.342, -0.134, -0.036, 0.141, 2.317)


def confidence(evidence: Evidence) -> float:
    """Probability that the call was said, 0 to 1."""
    total = sum(w * f for w, f in zip(WEIGHING, astuple(evidence), strict=False)) + WEIGHING[-1]
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True, slots=True)
class Heard:
    """A call that was recognised; ``t`` is its end, ``decided`` when that was known (stream seconds).

    ``doubtful``, ``rival`` and ``speaker_name`` as in :class:`audio.events.Phrase`.
    """

    call: Call
    t: float
    decided: float
    confidence: float
    doubtful: bool = False
    rival: str = ""
    speaker_name: str | None = None


@dataclass(frozen=True, slots=True)
class _Match:
    call: int
    row: int
    score: float
    ratio: float
    start: int
    stop: int


class Spotter:
    """Hears a closed set of calls in a stream. The result does not depend on the sizes of the blocks."""

    def __init__(self, calls: Sequence[Call], strictness: Strictness | None = None, weights: Path = WEIGHTS) -> None:
        self._calls = tuple(calls)
        self._strict = strictness or Strictness()
        self._owner = np.array([i for i, call in enumerate(self._calls) for _ in call.pronunciations], np.int64)
        self._ways = [phone_ids(way) for call in self._calls for way in call.pronunciations]
        self._search = PhraseSearch(
            self._ways, before=self._strict.before, after=self._strict.after, price=self._strict.price
        )
        self._phones = PhoneStream(weights)
        self._welcome = np.ones(len(self._calls), bool)
        self._samples = 0
        self._outputs = 0
        self._memory: list[Scores] = []
        self._pending: dict[int, _Match] = {}
        self._due: int | None = None
        self._free_from = 0

    def welcome(self, calls: Sequence[bool] | None) -> None:
        """Which calls may be said now (one flag each); the others still compete, so that they are not taken
        for these. The many names of cards do not: they are searched for only while a card may be named."""
        self._welcome = np.ones(len(self._calls), bool) if calls is None else np.array(calls, bool)
        named = np.array([call.card for call in self._calls], bool)
        self._search.search_for((self._welcome | ~named)[self._owner])

    def accept(self, samples: Floats) -> list[Heard]:
        """What is decided with these samples."""
        samples = clean(samples)
        self._samples += len(samples)
        return self._hear(samples)

    def finish(self) -> list[Heard]:
        """What the end of the stream decides; it counts as followed by silence."""
        return self._hear(np.zeros(int(_TAIL * RATE), np.float32))

    def _hear(self, samples: Floats) -> list[Heard]:
        heard: list[Heard] = []
        for likelihoods in self._phones.accept(samples).likelihoods:
            row = any_accent(likelihoods)
            self._gather(self._search.step(row))
            self._memory.append(row - row.max() - math.log(float(np.exp(row - row.max()).sum())))
            del self._memory[:-_MEMORY]
            self._outputs += 1
            if self._due is not None and self._outputs >= self._due:
                heard += self._settle()
        return heard

    def _gather(self, ends: Ends) -> None:
        length = np.maximum(ends.stop - ends.start, 1)
        ratio = ends.score / length
        for row in np.flatnonzero((ratio >= self._strict.candidate) & (ends.start >= self._free_from)):
            call = int(self._owner[row])
            known = self._pending.get(call)
            if known is None or ends.score[row] > known.score:
                self._pending[call] = _Match(
                    call, int(row), float(ends.score[row]), float(ratio[row]), int(ends.start[row]), ends.stop
                )
        if self._pending and self._due is None:
            self._due = self._outputs + 1 + self._strict.settle

    def _settle(self) -> list[Heard]:
        """Decide if somebody has really stopped talking; else wait a little for what the rest makes of it."""
        assert self._due is not None
        silent = [row[SIL] >= _PERHAPS_SILENT for row in self._memory[-self._strict.quiet :]]
        if not all(silent) and self._outputs < self._due + self._strict.patience:
            return []  # the t of "je ne chante pas" is a short silence: no end of a phrase
        if not any(silent):
            self._pending, self._due = {}, None
            return []
        match, evidence, pause = self._decide()
        return self._judge(match, evidence) if pause <= _LONGEST_PAUSE else []

    def _decide(self) -> tuple[_Match, Evidence, int]:
        """The best of the pending matches, what speaks for it, and how long it pauses inside."""
        matches = sorted(self._pending.values(), key=lambda match: -match.score)
        best = matches[0]
        self._pending, self._due = {}, None
        means = self._calls[best.call].means
        rivals = [m.score for m in matches[1:] if self._calls[m.call].means != means]
        start = best.start - (self._outputs - len(self._memory))
        seen = np.array(self._memory[max(0, start - self._strict.before) :])
        after = self._outputs - best.stop
        found = fit(seen, held(self._ways[best.row]), self._strict.before, after)
        earlier = [row[SIL] == row.max() for row in self._memory[max(0, start - _SECOND) : max(0, start)]]
        evidence = Evidence(
            ratio=best.score / max(1, best.stop - best.start - found.pause),
            lead=min(_FAR, best.score - rivals[0]) if rivals else _FAR,
            length=min(_LONG, float(len([phone for phone in self._ways[best.row] if phone != SIL]))),
            sure=found.sure,
            near=found.near,
            worst=found.worst,
            before=found.before,
            after=found.after,
            slow=found.slow,
            alone=float(np.mean(earlier)) if earlier else 1.0,
        )
        return best, evidence, found.pause

    def _least(self, call: Call) -> float:
        if call.phrase in COMMANDS:
            return self._strict.least_command
        return self._strict.least_answer if call.answer else self._strict.least

    def _judge(self, match: _Match, evidence: Evidence) -> list[Heard]:
        sure = confidence(evidence)
        call = self._calls[match.call]
        if sure < self._least(call):
            return []
        self._free_from = match.stop
        if not call.phrase or not self._welcome[match.call]:
            return []
        end_of_stream = self._samples / RATE
        t = min(match.stop * STEP, end_of_stream)
        decided = max(t, min(self._phones.known_at(self._outputs - 1), end_of_stream))
        return [Heard(call, t, decided, sure)]
