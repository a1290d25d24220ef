"""Everyday French, said in any order: where all goes that is no call.

``everyday.txt`` has the commonest words with how often they are said, and rarer ones that sound nearly like a word of
the games (truite, brute, flûte, mouche). "Je suis", "la truite", "on va boire" are sequences of its words, and a call
is believed only as far as it explains a sound better than they do.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from audio.decoding import Loop, Scores, held
from audio.lexicon import Pronunciation, phone_ids

WORDS = Path(__file__).with_name("everyday.txt")

#: How much what is usual counts beside what was heard: 30 ms are no independent witnesses.
_WEIGHT = 2.0
#: A rare word costs no more than this (log-likelihood): one that sounds like a call must be able to win.
_RAREST = 14.0


@dataclass(frozen=True, slots=True)
class Word:
    """Words that sound the same.

    Attributes:
        text: the commonest of them.
        count: how often they were said, among 350 millions.
        phones: how.
    """

    text: str
    count: int
    phones: Pronunciation


@lru_cache(maxsize=1)
def words() -> tuple[Word, ...]:
    """The list, the commonest first."""
    rows = [line.split("\t") for line in WORDS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return tuple(Word(text, int(count), tuple(phones.split())) for text, count, phones in rows)


@lru_cache(maxsize=1)
def _loop() -> Loop:
    counts = np.array([word.count for word in words()], np.float64)
    costs = np.minimum(_RAREST, -_WEIGHT * np.log(counts / counts.sum()))
    return Loop([held(phone_ids(word.phones)) for word in words()], costs)


class Everyday:
    """Scores of everyday talk.

    Args:
        but: pronunciations that are left out, being calls themselves.
    """

    def __init__(self, but: Collection[Pronunciation] = ()) -> None:
        said = frozenset(but)
        self._left_out: npt.NDArray[np.int64] = np.array(
            [i for i, word in enumerate(words()) if word.phones in said], np.int64
        )

    def score(self, rows: Scores) -> float:
        """Log-likelihood of (T, 35) as everyday words with silences anywhere."""
        return float(_loop().run(rows, self._left_out)[-1])
