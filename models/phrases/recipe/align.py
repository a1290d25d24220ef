"""When each phone of a transcribed recording is said: forced alignment with a net."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
import onnxruntime

from audio.errors import AudioError
from audio.features import BANDS, HOP, cepstra, clean, energies
from audio.lexicon import phone_ids, pronounce
from models.phrases.recipe.corpus import RATE, Clip, load
from models.phrases.recipe.streams import Spoken

#: In how many rooms a clip is heard, where not in four.
_PLACES = {"asp": 2, "gcompris": 3, "tuxpaint": 3}
#: Peak that a clip is brought to before alignment; quiet added before and after (seconds).
_PEAK, _QUIET = 0.27, 0.3


@numba.njit(cache=True)
def best_path(likelihoods: np.ndarray, phones: np.ndarray, price: float) -> tuple[float, np.ndarray]:
    """Viterbi over phones with a possible silence (at a price) around each. Returns the score and the state
    of each output.

    Even states are silences, odd state 2k + 1 is phone k.
    """
    steps, states = likelihoods.shape[0], 2 * len(phones) + 1
    score = np.full((steps, states), -1e9)
    back = np.zeros((steps, states), np.int64)
    score[0, 0] = likelihoods[0, 0]
    score[0, 1] = likelihoods[0, phones[0]]
    for t in range(1, steps):
        for s in range(states):
            best, origin = score[t - 1, s], s
            if s > 0:
                value = score[t - 1, s - 1] - (price if s % 2 == 0 and s < states - 1 else 0.0)
                if value > best:
                    best, origin = value, s - 1
            if s > 1 and s % 2 == 1 and score[t - 1, s - 2] > best:
                best, origin = score[t - 1, s - 2], s - 2
            score[t, s] = best + (likelihoods[t, phones[s // 2]] if s % 2 else likelihoods[t, 0])
            back[t, s] = origin
    state = states - 1
    if score[steps - 1, states - 2] > score[steps - 1, state]:
        state = states - 2
    total = score[steps - 1, state]
    path = np.zeros(steps, np.int64)
    for t in range(steps - 1, -1, -1):
        path[t] = state
        state = back[t, state]
    return total, path


@dataclass(frozen=True, slots=True)
class Aligned:
    clip: Clip
    spoken: Spoken
    fit: float
    longest: int


class Aligner:
    """Any net of this recipe as ONNX, heard over a whole clip."""

    def __init__(self, weights: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        self._sight = self._reach()

    def _reach(self) -> int:
        """Frames seen before the middle of an output: what is missing of the outputs of 300 frames."""
        outputs = self._run(np.zeros((300, BANDS), np.float32)).shape[0]
        return (300 - 3 * outputs) // 2

    def _run(self, cep: np.ndarray) -> np.ndarray:
        return np.asarray(self._session.run(["likelihoods"], {"cepstra": cep.T[None]})[0][0].T)

    def likelihoods(self, samples: np.ndarray) -> np.ndarray:
        """Scaled log-likelihoods (T', 35) of a clip, silence added around it."""
        quiet = np.zeros(int(_QUIET * RATE), np.float32)
        samples = clean(np.concatenate([quiet, samples / max(1e-4, np.abs(samples).max()) * _PEAK, quiet]))
        band = energies(samples)
        edge = np.zeros((self._sight, BANDS), np.float32)
        return self._run(cepstra(np.concatenate([edge, band, edge]))).astype(np.float64)


def align(aligner: Aligner, clips: Iterable[Clip]) -> list[Aligned]:
    """All clips that can be aligned, with how well they fit (log-likelihood per output, 0 = as well as any
    phones at all)."""
    out = []
    for clip in clips:
        samples = load(clip.path)
        if not 3000 <= len(samples) <= 16 * RATE or np.abs(samples).max() < 1e-3:
            continue
        try:
            ways = _ways(clip.text)
        except AudioError:
            continue
        scores = aligner.likelihoods(samples)
        best: tuple[float, np.ndarray, tuple[int, ...]] | None = None
        for way in ways:
            if len(way) + 2 > len(scores):
                continue
            total, path = best_path(scores, np.array(way), 4.0)
            if best is None or total > best[0]:
                best = (total, path, way)
        if best is None:
            continue
        total, path, way = best
        turns = np.flatnonzero(np.diff(np.concatenate([[-1], path])))
        runs = np.diff(np.concatenate([turns, [len(path)]]))
        phones = tuple((t * 3 * HOP / RATE - _QUIET - 0.0025, way[path[t] // 2] if path[t] % 2 else 0) for t in turns)
        longest = max((int(run) for run, t in zip(runs, turns, strict=True) if path[t] % 2), default=0)
        out.append(Aligned(clip, Spoken(samples, phones), (total - scores.max(1).sum()) / len(scores), longest))
    return out


def _ways(text: str) -> list[tuple[int, ...]]:
    """Pronunciations to try: all of a short text; of a long one its parts' first ways joined."""
    text = re.sub(r'[«»"()]', " ", text).strip()
    if len(text) < 40:
        return [phone_ids(way) for way in pronounce(text)]
    words = text.split()
    parts = [" ".join(words[i : i + 6]) for i in range(0, len(words), 6)]
    return [tuple(phone for part in parts for phone in phone_ids(pronounce(part)[0]))]


def fitting(aligned: list[Aligned], keep: float = 0.93) -> list[Aligned]:
    """The clips whose text fits: the worst ones left out, and clips where one phone lasts 0.8 s."""
    least = np.quantile([a.fit for a in aligned], 1 - keep)
    return [a for a in aligned if a.fit >= least and a.longest <= 26]


def placements(aligned: Sequence[Aligned]) -> list[Spoken]:
    """Each clip as often as it is put into another room: seldomer where one speaker says very much."""
    return [a.spoken for a in aligned for _ in range(_PLACES.get(a.clip.source, 4))]
