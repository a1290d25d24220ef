"""Which phrase was said: Viterbi search over pronunciations that stand between two silences, against free
talk.

Every score is a log-likelihood ratio to *free talk*, the best sequence of any phones at a price for each
change. A
phrase that explains the sound as well as free talk scores about 0, a better one more, a wrong one less. A
pause is
asked on both sides, because a call at the table stands alone and a word in a sentence does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from audio.phones import FULL_VOWELS, INDEX, SIL

Scores = npt.NDArray[np.float64]
_NEVER = -1e9
_FULL = frozenset(INDEX[v] for v in FULL_VOWELS)


#: Vowels that one region or one mouth says for another, and what that costs (log-likelihood).
_ACCENTS = tuple((INDEX[a], INDEX[b]) for a, b in ("Ee", "Oo", "WY", "@W", "@Y", "@o", ("A~", "O~"), ("E~", "W~")))
_ACCENT_PRICE = 1.0


def any_accent(likelihoods: npt.NDArray[np.floating]) -> Scores:
    """One output (35 scaled log-likelihoods), with neighbouring vowels forgiven for each other at a price."""
    row = likelihoods.astype(np.float64)
    heard = row.copy()
    for a, b in _ACCENTS:
        heard[a] = max(heard[a], row[b] - _ACCENT_PRICE)
        heard[b] = max(heard[b], row[a] - _ACCENT_PRICE)
    return heard


@dataclass(frozen=True, slots=True)
class Ends:
    """The best match of every pronunciation whose closing pause ends at one moment (arrays, one entry a
    pronunciation).

    Attributes:
        score: log-likelihood ratio of phrase and pauses together; ``-1e9`` where there is none.
        start: index of the first output of the phrase itself.
        stop: index after its last output.
    """

    score: Scores
    start: npt.NDArray[np.int64]
    stop: int


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
        before=float(posteriors[:before, SIL].mean()),
        after=float(posteriors[len(posteriors) - after :, SIL].mean()),
        slow=max(0.0, longest - 8.0),
        pause=pause,
    )


def held(phones: Sequence[int]) -> list[int]:
    """The states of a pronunciation: a full vowel takes two, so that it lasts 60 ms at least."""
    return [p for phone in phones for p in ((phone, phone) if phone in _FULL else (phone,))]


class PhraseSearch:
    """One step for each output of the net, all pronunciations side by side.

    Args:
        pronunciations: phone indices of each.
        before: outputs of silence asked before a phrase.
        after: outputs of silence asked after it.
        price: what free talk pays for each change of phone.
    """

    def __init__(
        self, pronunciations: Sequence[Sequence[int]], before: int = 4, after: int = 5, price: float = 2.0
    ) -> None:
        self._before, self._after, self._price = before, after, price
        chains = []
        for phones in pronunciations:
            chains.append([SIL] * before + held(phones) + [SIL] * after)
        width = max((len(chain) for chain in chains), default=1)
        # chains end at the right edge, so that every phrase ends in the last column
        self._all_states = np.full((len(chains), width), SIL, np.int64)
        self._all_stay = np.zeros((len(chains), width), bool)
        self._all_entry = np.full((len(chains), width), _NEVER)
        self._all_closed = np.zeros((len(chains), width), bool)
        for row, chain in enumerate(chains):
            first = width - len(chain)
            self._all_states[row, first:] = chain
            self._all_entry[row, first] = 0.0
            self._all_closed[row, :first] = True
            self._all_stay[row, first + before : width - after] = True
        self._rows = np.zeros(0, np.int64)
        self._score = np.zeros((0, width))
        self._start = np.zeros((0, width), np.int64)
        self.search_for(np.ones(len(chains), bool))
        self._talk: Scores | None = None
        self._time = 0

    def search_for(self, wanted: npt.NDArray[np.bool_]) -> None:
        """Search only for these pronunciations (one flag each) from now on; the others cost nothing."""
        rows = np.flatnonzero(wanted)
        if np.array_equal(rows, self._rows):
            return
        score = np.full(self._all_states.shape, _NEVER)
        start = np.zeros(self._all_states.shape, np.int64)
        score[self._rows], start[self._rows] = self._score, self._start
        self._rows = rows
        self._states, self._stay = self._all_states[rows], self._all_stay[rows]
        self._entry, self._closed = self._all_entry[rows], self._all_closed[rows]
        self._score, self._start = score[rows], start[rows]

    def _free_talk(self, row: Scores) -> float:
        """What free talk gains by this output."""
        if self._talk is None:
            self._talk = row.copy()
            return float(row.max())
        before = float(self._talk.max())
        self._talk = np.maximum(self._talk, before - self._price) + row
        return float(self._talk.max()) - before

    def step(self, likelihoods: npt.NDArray[np.floating]) -> Ends:
        """Take the next output (35 scaled log-likelihoods)."""
        row = likelihoods.astype(np.float64)
        ratio = row - self._free_talk(row)
        if self._talk is not None and abs(self._talk.max()) > 1e6:
            self._talk -= self._talk.max()
        moved = np.empty_like(self._score)
        moved[:, 0] = _NEVER
        moved[:, 1:] = self._score[:, :-1]
        origin = np.empty_like(self._start)
        origin[:, 1:] = self._start[:, :-1]
        enter = self._entry > moved
        moved = np.where(enter, self._entry, moved)
        origin = np.where(enter, self._time + self._before, origin)
        stayed = np.where(self._stay, self._score, _NEVER)
        stays = stayed > moved
        self._score = np.where(stays, stayed, moved) + ratio[self._states]
        self._score[self._closed] = _NEVER
        self._start = np.where(stays, self._start, origin)
        self._time += 1
        score = np.full(len(self._all_states), _NEVER)
        start = np.zeros(len(self._all_states), np.int64)
        score[self._rows], start[self._rows] = self._score[:, -1], self._start[:, -1]
        return Ends(score, start, self._time - self._after)
