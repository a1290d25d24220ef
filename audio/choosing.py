"""The choice: which call an utterance is likeliest to be, beside everything that is no call, and what speaks for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from audio.decoding import Chains, Scores, any_accent, fit, held
from audio.everyday import Everyday
from audio.lexicon import Pronunciation, phone_ids
from audio.phones import SIL
from audio.phrasebook import Call
from audio.utterances import PAUSE, Cutter, Span

#: Utterances of so many outputs may be a call: 60 ms to 5 s.
_SHORTEST, _LONGEST = 2, 167
#: Outputs of silence before an utterance that are looked at, and at a comma at most: 0.24 and 0.45 s.
_BEFORE, _COMMA = 8, 15
#: Outputs before a phrase that are asked how silent they were: a second.
_SECOND = 33
#: Outputs that are remembered: two utterances and what is before them.
MEMORY = 2 * _LONGEST + _COMMA + 2 * _SECOND
#: A rival that is this far behind (log-likelihood) is none; so much a call may gain on everyday talk.
_FAR, _MOST_GAIN = 10.0, 25.0
#: What a call that cannot be said now is behind one that can (log-likelihood).
_UNWELCOME = 2.0
#: The same for one that counts only while somebody is asked, where nothing is known of the state.
_ANSWER = 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a call; see :class:`audio.decoding.Fit`.

    Attributes:
        gain: log-likelihood before everyday words in any order, -25 to 25.
        lead: log-likelihood before the best call that means something else, -10 to 10.
        alone: share of the second before the phrase that was silent.
    """

    gain: float
    lead: float
    sure: float
    near: float
    worst: float
    before: float
    after: float
    slow: float
    alone: float


@dataclass(frozen=True, slots=True)
class Match:
    """The best way to find one call in an utterance; ``start`` and ``stop`` in outputs of the stream."""

    call: int
    way: int
    score: float
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Choice:
    """What an utterance may have been.

    Attributes:
        matches: the calls, the likeliest first.
        everyday: log-likelihood of everyday words.
        span: the utterance.
    """

    matches: tuple[Match, ...]
    everyday: float
    span: Span

    @property
    def gain(self) -> float:
        """Log-likelihood of the likeliest call before everyday words."""
        return self.matches[0].score - self.everyday


class _Group:
    """Some of the pronunciations, searched together."""

    def __init__(self, ways: Sequence[Pronunciation], numbers: Iterable[int]) -> None:
        self.numbers = np.array(list(numbers), np.int64)
        self.chains = Chains([held(phone_ids(ways[i])) for i in self.numbers]) if len(self.numbers) else None


class Chooser:
    """Takes the outputs of the phone net one by one, and tells what each utterance may have been.

    Args:
        calls: what may be said.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls = tuple(calls)
        self._ways = [way for call in self.calls for way in call.pronunciations]
        self._owner = np.array([i for i, call in enumerate(self.calls) for _ in call.pronunciations], np.int64)
        self._everyday = Everyday({way for call in self.calls if call.phrase for way in call.pronunciations})
        self._named = np.array([call.name for call in self.calls], bool)
        self._groups: dict[tuple[bool, bool], _Group] = {}
        self.welcome = np.ones(len(self.calls), bool)
        self._cutter = Cutter()
        self.outputs = 0
        self._rows: list[Scores] = []
        self._last = Span(0, 0, 0)

    def step(self, likelihoods: npt.NDArray[np.floating]) -> Choice | None:
        """Take the next output (35 scaled log-likelihoods).

        Returns:
            The choice, where an utterance ends with this output that may be a call.
        """
        row = any_accent(likelihoods)
        self._rows.append(row)
        del self._rows[:-MEMORY]
        self.outputs += 1
        span = self._cutter.step(row)
        if span is None:
            return None
        last, self._last = self._last, span
        choices = [self._choice(span, last.stop, self._group(pauses=False))]
        if span.start - last.stop <= _COMMA:
            choices.append(self._choice(Span(last.start, span.stop, span.known), 0, self._group(pauses=True)))
        return max((choice for choice in choices if choice is not None), key=lambda choice: choice.gain, default=None)

    def _at(self, output: int) -> int:
        """Where an output is in memory."""
        return max(0, output - (self.outputs - len(self._rows)))

    def _group(self, pauses: bool) -> _Group:
        """The pronunciations to search: all, or those with a pause inside. The many names of cards and players
        compete only while one of them may be said."""
        names = bool((self.welcome & self._named).any())
        group = self._groups.get((pauses, names))
        if group is None:
            fits = [i for i, way in enumerate(self._ways) if "SIL" in way or not pauses]
            group = _Group(self._ways, [i for i in fits if names or not self._named[self._owner[i]]])
            self._groups[pauses, names] = group
        return group

    def _choice(self, span: Span, since: int, group: _Group) -> Choice | None:
        """All calls of a group in an utterance; None where it can be none."""
        if not _SHORTEST <= len(span) <= _LONGEST or group.chains is None:
            return None
        first = max(since, span.start - _BEFORE, self.outputs - len(self._rows))
        rows = np.array(self._rows[self._at(first) : self._at(span.known) + 1])
        best = group.chains.search(rows)
        matches: dict[int, Match] = {}
        for i in np.argsort(-best.score, kind="stable"):
            way = int(group.numbers[i])
            call = int(self._owner[way])
            if call not in matches:
                start, stop = first + int(best.start[i]), first + int(best.stop[i])
                matches[call] = Match(call, way, float(best.score[i]) - self._behind(call), start, stop)
        ranked = sorted(matches.values(), key=lambda match: -match.score)
        return Choice(tuple(ranked), self._everyday.score(rows), span)

    def _behind(self, call: int) -> float:
        """How much less likely a call is than others for what is known of the state (log-likelihood)."""
        if not self.welcome[call]:
            return _UNWELCOME
        return _ANSWER if self.calls[call].answer and self.welcome.all() else 0.0

    def rival(self, choice: Choice, best: Match) -> Match | None:
        """The likeliest call that means something else."""
        means = self.calls[best.call].means
        return next((match for match in choice.matches if self.calls[match.call].means != means), None)

    def evidence(self, choice: Choice, best: Match) -> Evidence | None:
        """What speaks for a match; None where it pauses inside for too long. To be asked before the next step."""
        rival = self.rival(choice, best)
        start, stop = self._at(best.start), self._at(best.stop)
        before, after = min(4, start), min(PAUSE, len(self._rows) - stop)
        seen = np.array(self._rows[start - before : stop + after])
        seen = seen - seen.max(axis=1, keepdims=True)
        seen -= np.log(np.exp(seen).sum(axis=1, keepdims=True))
        way = phone_ids(self._ways[best.way])
        found = fit(seen, held(way), before, after)
        if found.pause > _COMMA:
            return None
        earlier = np.array(self._rows[max(0, start - _SECOND) : start])
        return Evidence(
            gain=max(-_MOST_GAIN, min(_MOST_GAIN, best.score - choice.everyday)),
            lead=max(-_FAR, min(_FAR, best.score - rival.score)) if rival else _FAR,
            sure=found.sure,
            near=found.near,
            worst=found.worst,
            before=found.before,
            after=found.after,
            slow=found.slow,
            alone=float(np.mean(earlier.argmax(axis=1) == SIL)) if len(earlier) else 1.0,
        )
