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

import numpy as np
import numpy.typing as npt

from audio.phones import FULL_VOWELS, INDEX, SIL

Scores = npt.NDArray[np.float64]
_NEVER = -1e9
_FULL = frozenset(INDEX[v] for v in FULL_VOWELS)


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
            held = [p for phone in phones for p in ((phone, phone) if phone in _FULL else (phone,))]
            chains.append([SIL] * before + held + [SIL] * after)
        width = max((len(chain) for chain in chains), default=1)
        # chains end at the right edge, so that every phrase ends in the last column
        self._states = np.full((len(chains), width), SIL, np.int64)
        self._stay = np.zeros((len(chains), width), bool)
        self._entry = np.full((len(chains), width), _NEVER)
        self._closed = np.zeros((len(chains), width), bool)
        for row, chain in enumerate(chains):
            first = width - len(chain)
            self._states[row, first:] = chain
            self._entry[row, first] = 0.0
            self._closed[row, :first] = True
            self._stay[row, first + before : width - after] = True
        self._score = np.full(self._states.shape, _NEVER)
        self._start = np.zeros(self._states.shape, np.int64)
        self._talk: Scores | None = None
        self._time = 0

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
        return Ends(self._score[:, -1].copy(), self._start[:, -1].copy(), self._time - self._after)
