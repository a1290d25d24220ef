"""Log-likelihoods of what may have been said in an utterance: a call, or everyday words.

All are Viterbi scores of the same outputs from the first to the last, silences included, so that they can be compared:
a call that explains the sound as well as free talk does is about as likely as it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from audio.phones import FULL_VOWELS, INDEX, SIL

Scores = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
_NEVER = -1e9
_FULL = frozenset(INDEX[v] for v in FULL_VOWELS)


#: Vowels that one region or one mouth says for another, and what that costs (log-likelihood).
_ACCENTS = tuple((INDEX[a], INDEX[b]) for a, b in ("Ee", "Oo", "WY", "@W", "@Y", "@o", ("A~", "O~"), ("E~", "W~")))
_ACCENT_PRICE = 1.0


def any_accent(likelihoods: npt.NDArray[np.floating]) -> Scores:
    """Outputs (..., 35) of scaled log-likelihoods, with neighbouring vowels forgiven for each other at a price."""
    row = likelihoods.astype(np.float64)
    heard = row.copy()
    for a, b in _ACCENTS:
        heard[..., a] = np.maximum(heard[..., a], row[..., b] - _ACCENT_PRICE)
        heard[..., b] = np.maximum(heard[..., b], row[..., a] - _ACCENT_PRICE)
    return heard


def held(phones: Sequence[int]) -> list[int]:
    """The states of a pronunciation: a full vowel takes two, so that it lasts 60 ms at least."""
    return [p for phone in phones for p in ((phone, phone) if phone in _FULL else (phone,))]


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a pronunciation fits the outputs it was matched to (all in log-posteriors, 0 is best).

    Attributes:
        sure: mean over the phones of how sure the net is of them.
        near: mean over the phones of how far each is behind the likeliest phone of its moment.
        worst: the same for the phone that fits worst (schwas left out).
        before, after: how sure the net is of the pauses.
        slow: longest time spent in one phone, outputs over 8.
        pause: outputs of silence inside the phrase (at a comma); they say nothing for it.
    """

    sure: float
    near: float
    worst: float
    before: float
    after: float
    slow: float
    pause: int


def fit(posteriors: Scores, chain: Sequence[int], before: int, after: int) -> Fit:
    """Align ``chain`` to ``posteriors`` between the pauses, and see how well it fits.

    Args:
        posteriors: (T, 35) log-posteriors of the pause, the phrase and the pause.
        chain: the phones of the phrase, as :func:`held` gives them.
        before, after: outputs of the two pauses.
    """
    inner = posteriors[before : len(posteriors) - after]
    steps, states = len(inner), len(chain)
    emitted = inner[:, list(chain)]
    score = np.full(states, _NEVER)
    score[0] = emitted[0, 0]
    moved = np.zeros((steps, states), bool)
    for t in range(1, steps):
        come = np.concatenate([[_NEVER], score[:-1]])
        moved[t] = come > score
        score = np.maximum(come, score) + emitted[t]
    path = np.zeros(steps, np.int64)
    state = states - 1
    for t in range(steps - 1, -1, -1):
        path[t] = state
        state -= int(moved[t, state])
    best = inner.max(axis=1)
    # states of one phone (held vowels) follow each other: group them by where the phone changes or repeats
    phone_of = np.cumsum([0] + [int(not (a == b and a in _FULL)) for a, b in pairwise(chain)])
    owner = phone_of[path]
    sure, near, worst, longest, pause = [], [], [], 0, 0
    for phone in range(int(phone_of[-1]) + 1):
        at = np.flatnonzero(owner == phone)
        if not len(at):
            continue
        index = chain[int(np.flatnonzero(phone_of == phone)[0])]
        if index == SIL:
            pause += len(at)
            continue
        value = inner[at, index]
        sure.append(float(value.mean()))
        near.append(float((value - best[at]).mean()))
        if index != INDEX["@"]:
            worst.append(near[-1])
        longest = max(longest, len(at))
    return Fit(
        sure=float(np.mean(sure)),
        near=float(np.mean(near)),
        worst=min(worst, default=0.0),
        before=float(posteriors[:before, SIL].mean()) if before else 0.0,
        after=float(posteriors[len(posteriors) - after :, SIL].mean()) if after else 0.0,
        slow=max(0.0, longest - 8.0),
        pause=pause,
    )


@dataclass(frozen=True, slots=True)
class Best:
    """The best match of every chain in an utterance (arrays, one entry a chain).

    Attributes:
        score: log-likelihood of all outputs, the silence around the phrase included.
        start: index of the first output of the phrase.
        stop: index after its last output.
    """

    score: Scores
    start: Whole
    stop: Whole


def _laid_out(chains: Sequence[Sequence[int]]) -> tuple[Whole, Whole, Whole]:
    """All states in a row, and where each chain begins and ends."""
    states = np.array([phone for chain in chains for phone in chain], np.int64)
    last = np.cumsum([len(chain) for chain in chains]).astype(np.int64) - 1
    first = np.concatenate([[0], last[:-1] + 1]).astype(np.int64) if len(chains) else last
    return states, first, last


class Chains:
    """Phrases that stand alone in an utterance, searched side by side.

    Args:
        chains: the states of each, at least one.
    """

    def __init__(self, chains: Sequence[Sequence[int]]) -> None:
        self._states, self._first, self._last = _laid_out(chains)

    def search(self, rows: Scores) -> Best:
        """The best match of each: silence, the phrase, silence.

        Args:
            rows: (T, 35) log-likelihoods of the utterance and the silence around it.
        """
        silence = np.concatenate([[0.0], np.cumsum(rows[:, SIL])])
        emitted = rows[:, self._states]
        score = np.full(len(self._states), _NEVER)
        began = np.zeros(len(self._states), np.int64)
        count = len(self._first)
        best = np.full(count, -np.inf)
        start, stop = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for t in range(len(rows)):
            come = np.concatenate([[_NEVER], score[:-1]])
            since = np.concatenate([[0], began[:-1]])
            come[self._first], since[self._first] = silence[t], t
            began = np.where(score > come, began, since)
            score = np.maximum(come, score) + emitted[t]
            whole = score[self._last] + (silence[-1] - silence[t + 1])
            better = whole > best
            best = np.where(better, whole, best)
            start = np.where(better, began[self._last], start)
            stop = np.where(better, t + 1, stop)
        return Best(best, start, stop)


class Loop:
    """Words in any order with silences between, each at a cost.

    Args:
        chains: the states of each word.
        costs: what each costs (log-likelihood).
    """

    def __init__(self, chains: Sequence[Sequence[int]], costs: npt.NDArray[np.floating]) -> None:
        self._states, self._first, self._last = _laid_out(chains)
        self._costs = np.asarray(costs, np.float32)

    def run(self, rows: Scores, left_out: Whole | None = None) -> Scores:
        """Score (T,) of the best sequence of words up to each output.

        Args:
            rows: (T, 35) log-likelihoods.
            left_out: numbers of words that do not count.
        """
        costs = self._costs
        if left_out is not None and len(left_out):
            costs = costs.copy()
            costs[left_out] = -_NEVER
        rows = rows.astype(np.float32)
        score = np.full(len(self._states), _NEVER, np.float32)
        come = np.empty_like(score)
        out = np.zeros(len(rows))
        between = silent = 0.0  # best score of having ended a word, or of being silent, before this output
        for t, row in enumerate(rows):
            come[1:] = score[:-1]
            come[self._first] = between - costs
            np.maximum(come, score, out=score)
            score += row[self._states]
            silent = max(silent, between) + float(row[SIL])
            between = max(silent, float(score[self._last].max()))
            out[t] = between
        return out
