"""Vosk as recogniser: the model that ships, or any French Vosk model that allows grammars at run time.

The model of the user's is named by the environment variable ``TRUT_VOSK_MODEL`` (or the settings, which set it).
Nothing is downloaded. The grammar is that of the moment: the calls that are welcome now, and ``[unk]`` for all
other speech.

For the model that ships, each phrase is a word of its own with the pronunciations of :mod:`audio.lexicon`, and its
graph is written at the start: any phrase can be heard. Another model has its own words; those that it lacks are
replaced by the nearest sounding ones that it has (:mod:`audio.vosk_words`), and the list is shown.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from audio.acoustic import FIRST, Loudness
from audio.errors import Caution, EngineUnavailable
from audio.features import FLOOR, HOP, PORTION, RATE, EnergyStream, Floats, clean
from audio.lexicon import Pronunciation, spelled
from audio.phrasebook import COMMANDS, Call
from audio.spotter import Heard
from audio.vosk_folder import check, model_folder, speaks_our_phones
from audio.vosk_graph import UNKNOWN, write_graph
from audio.vosk_words import Replacement, cautions, fit_words, vocabulary

Pcm = npt.NDArray[np.int16]

#: Samples given at a time, so that the result does not depend on the blocks that come: 90 ms.
BLOCK = PORTION * HOP
#: Seconds of sound that are heard again when the grammar changes, so that a call under way is not lost.
_AGAIN = 1.6
#: Silence (seconds) asked before and after a call; a call at the table stands alone.
_BEFORE, _AFTER = 0.12, 0.15
#: Readings of an utterance that are compared.
_READINGS = 8
#: Differences of log-likelihood beyond this are not seen: the model's ``lattice-beam``.
_FAR = 12.0
#: A recogniser is replaced by a fresh one after so many seconds, at the next pause: memory stays flat.
_RENEW = 60.0
#: Silence that stands for what comes after the end of the stream (seconds).
_TAIL = 0.6
#: A rival that is nearer than this (log-likelihood) leaves a doubt, and so does less confidence than this.
_DOUBT, _SURE = 2.0, 0.8
#: What is left out of a phrase's name in the graph.
_MARKS = re.compile(r"[^\w']+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a call in an utterance.

    Attributes:
        over_talk: log-likelihood before the best reading without any call there, 0 to 12 (:data:`_FAR`).
        over_rival: the same before the best reading with a call that means something else.
        seconds: how long the call lasted, at most 1.
    """

    over_talk: float
    over_rival: float
    seconds: float


#: Logistic regression on :class:`Evidence` (fields in order, then the constant); found by
#: models/vosk/recipe/confidence.py on words of speakers that the net never heard, and on talk.
WEIGHING = (0.383, 0.339, 0.89, -3.211)
#: Confidence from which a call counts as heard: of a game, while somebody is asked, to the assistant,
#: that laughter sounds like, of a list.
LEAST, LEAST_ANSWER, LEAST_COMMAND, LEAST_CAREFUL, LEAST_LISTED = 0.5, 0.4, 0.6, 0.9, 0.2


def confidence(evidence: Evidence) -> float:
    """Probability that the call was said, 0 to 1."""
    total = sum(w * f for w, f in zip(WEIGHING, astuple(evidence), strict=False)) + WEIGHING[-1]
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


class _Level:
    """Sound in blocks of :data:`BLOCK`, brought to one loudness over a floor, as the net of models/phrases was trained.

    A block is given when the next one is known, so that the first syllable already has its level.
    """

    def __init__(self) -> None:
        self._energies, self._loudness = EnergyStream(), Loudness()
        self._held = np.zeros(0, np.float32)
        self._gain = 10 ** (-FIRST / 20)
        self._floor = np.random.default_rng(0).normal(0, FLOOR, 4 * RATE).astype(np.float32)
        self._at = 0

    def accept(self, samples: Floats) -> Iterator[Pcm]:
        self._held = np.concatenate([self._held, samples])
        for portion in self._energies.accept(samples):
            before, self._gain = self._gain, self._loudness.gain(portion)
            block, self._held = self._held[:BLOCK], self._held[BLOCK:]
            yield self._pcm(block, np.linspace(before, self._gain, len(block), dtype=np.float32))

    def finish(self) -> Iterator[Pcm]:
        """The rest, and a pause."""
        yield from self.accept(np.zeros(int(_TAIL * RATE), np.float32))
        self._held = np.zeros(0, np.float32)

    def _pcm(self, block: Floats, gain: Floats) -> Pcm:
        floor = np.take(self._floor, np.arange(self._at, self._at + len(block)), mode="wrap")
        self._at += len(block)
        return np.asarray(np.clip(block * gain * 32768 + floor, -32768, 32767), dtype="<i2")


class _AsItComes:
    """Sound in blocks of :data:`BLOCK`, as another model was trained on it."""

    def __init__(self) -> None:
        self._held = np.zeros(0, np.float32)

    def accept(self, samples: Floats) -> Iterator[Pcm]:
        self._held = np.concatenate([self._held, samples])
        while len(self._held) >= BLOCK:
            block, self._held = self._held[:BLOCK], self._held[BLOCK:]
            yield (block * 32767).astype("<i2")

    def finish(self) -> Iterator[Pcm]:
        yield from self.accept(np.zeros(int(_TAIL * RATE), np.float32))
        self._held = np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to understand an utterance, its words in stream seconds, and its log-likelihood."""

    words: tuple[_Word, ...]
    score: float


class VoskEngine:
    """Hears calls with Vosk.

    Attributes:
        replaced: words that the model lacks, with the nearest sounding ones that stand for them.
        unheard: phrases that cannot be heard, because nothing in the model sounds like one of their words.
        cautions: both as sentences, for the user to be shown.
    """

    def __init__(self, calls: Sequence[Call], folder: Path | None = None, *, listed: bool = False) -> None:
        self._calls, self._listed = tuple(calls), listed
        self.replaced: tuple[Replacement, ...] = ()
        self.unheard: tuple[str, ...] = ()
        self.cautions: tuple[Caution, ...] = ()
        folder = folder or model_folder()
        check(folder)
        try:
            import vosk
        except (ImportError, OSError) as problem:
            raise EngineUnavailable("le moteur vosk n'est pas installé ; essayez : pip install vosk") from problem
        vosk.SetLogLevel(-1)
        self._vosk: Any = vosk
        self._source: _Level | _AsItComes
        if speaks_our_phones(folder):
            self._model, self._by_text, self._source = self._with_phrases(folder), _joined(self._calls), _Level()
        else:
            self._model, self._source = self._load(folder), _AsItComes()
            self._by_text = self._with_words(folder)
        self._welcome = np.ones(len(self._calls), bool)
        self._given = 0
        self._recent: deque[Pcm] = deque(maxlen=int(_AGAIN * RATE) // BLOCK)
        self._late: list[Heard] = []
        self._free_from = self._spoke_until = -1.0
        self._renew()

    # ------------------------------------------------------------------ the model and its words

    def _load(self, folder: Path) -> Any:
        try:
            return self._vosk.Model(str(folder))
        except Exception as problem:  # the library raises bare Exception
            raise EngineUnavailable("Vosk ne peut pas lire le modèle {folder}", folder=folder) from problem

    def _with_phrases(self, folder: Path) -> Any:
        """The acoustic model of ``folder`` over a graph of the phrases themselves."""
        ways: dict[str, list[Pronunciation]] = {}
        for text, owners in _joined(self._calls).items():
            ways[text] = [way for i in owners for way in self._calls[i].pronunciations]
        with tempfile.TemporaryDirectory(prefix="trut-vosk-") as made:
            for part in ("am", "conf"):
                shutil.copytree(folder / part, Path(made) / part)
            write_graph(Path(made) / "graph", ways)
            return self._load(Path(made))

    def _with_words(self, folder: Path) -> dict[str, list[int]]:
        """The phrases in words that the model has."""
        fitted = fit_words([call.text for call in self._calls], vocabulary(folder))
        self.replaced, self.unheard = fitted.replaced, fitted.unheard
        if not fitted.by_text:
            raise EngineUnavailable("ce modèle Vosk ne connaît les mots d'aucune des phrases : {folder}", folder=folder)
        self.cautions = cautions(fitted)
        return fitted.by_text

    # ------------------------------------------------------------------ the grammar of the moment

    def welcome(self, calls: Sequence[bool] | None) -> None:
        """Narrow the grammar to these calls (one flag each); what was just said is heard again with it."""
        welcome = np.ones(len(self._calls), bool) if calls is None else np.array(calls, bool)
        if np.array_equal(welcome, self._welcome):
            return
        self._welcome = welcome
        again = list(self._recent)
        self._renew(sum(map(len, again)))
        for block in again:
            if self._recogniser.AcceptWaveform(block.tobytes()):
                self._late += self._heard(self._recogniser.Result())

    def _grammar(self) -> str:
        texts = [text for text, owners in self._by_text.items() if self._welcome[owners].any()]
        return json.dumps([*texts, UNKNOWN], ensure_ascii=False)

    def _renew(self, again: int = 0) -> None:
        """A fresh recogniser, which will be given the last ``again`` samples once more."""
        self._recogniser = self._vosk.KaldiRecognizer(self._model, RATE, self._grammar())
        self._recogniser.SetWords(True)
        self._recogniser.SetMaxAlternatives(_READINGS)
        self._origin = self._given - again
        if again and self._origin:
            self._spoke_until = max(self._spoke_until, self._origin / RATE)

    # ------------------------------------------------------------------ hearing

    def accept(self, samples: Floats) -> list[Heard]:
        """What is decided with these samples."""
        heard, self._late = self._late, []
        for block in self._source.accept(clean(samples)):
            heard += self._give(block)
        return heard

    def finish(self) -> list[Heard]:
        """What the end of the stream decides; it counts as followed by silence."""
        end = self._given + len(self._source._held)
        heard, self._late = self._late, []
        for block in self._source.finish():
            heard += self._give(block)
        heard += self._heard(self._recogniser.FinalResult())
        return [_no_later_than(end / RATE, one) for one in heard]

    def _give(self, block: Pcm) -> list[Heard]:
        self._given += len(block)
        self._recent.append(block)
        if not self._recogniser.AcceptWaveform(block.tobytes()):
            return []
        heard = self._heard(self._recogniser.Result())
        if self._given - self._origin > _RENEW * RATE:
            self._renew()
        return heard

    def _heard(self, answer: str) -> list[Heard]:
        """The calls of an utterance that stand alone and are likely enough."""
        readings = list(self._readings(json.loads(answer)))
        if not readings or not readings[0].words:
            return []
        best = readings[0]
        ends = [self._spoke_until, *(word.end for word in best.words)]
        starts = [*(word.start for word in best.words[1:]), math.inf]
        self._spoke_until = max(ends)
        heard = []
        for word, before, after in zip(best.words, ends, starts, strict=False):
            alone = word.start - before >= _BEFORE and after - word.end >= _AFTER
            if alone and word.start >= self._free_from:
                heard += self._judge(word, readings)
        return heard

    def _readings(self, answer: dict[str, Any]) -> Iterator[_Reading]:
        origin = self._origin / RATE
        for way in answer.get("alternatives", []):
            words = [
                _Word(w["word"], origin + float(w["start"]), origin + float(w["end"])) for w in way.get("result", [])
            ]
            yield _Reading(tuple(_phrases(words, self._by_text)), float(way["confidence"]))

    def _judge(self, word: _Word, readings: Sequence[_Reading]) -> list[Heard]:
        call = self._likeliest(word.text)
        if call is None:
            return []
        evidence, rival = self._evidence(word, call, readings)
        sure = confidence(evidence)
        if sure < self._least(call) or not call.phrase:
            return []
        self._free_from = word.end
        doubtful = not self._listed and (evidence.over_rival < _DOUBT or sure < _SURE)
        return [Heard(call, word.end, self._given / RATE, sure, doubtful, rival if doubtful else "")]

    def _likeliest(self, text: str) -> Call | None:
        """The call that these words are; None for talk, or what is not welcome."""
        return next((self._calls[i] for i in self._by_text.get(text, ()) if self._welcome[i]), None)

    def _evidence(self, word: _Word, call: Call, readings: Sequence[_Reading]) -> tuple[Evidence, str]:
        over_talk = over_rival = _FAR
        rival = ""
        for reading in readings[1:]:
            behind = min(_FAR, readings[0].score - reading.score)
            other = next((w for w in reading.words if w.start < word.end and w.end > word.start), None)
            said = None if other is None else self._likeliest(other.text)
            if said is None:
                over_talk = min(over_talk, behind)
            elif said.means != call.means and behind < over_rival:
                over_rival, rival = behind, said.text
        return Evidence(over_talk, over_rival, min(1.0, word.end - word.start)), rival

    def _least(self, call: Call) -> float:
        if self._listed:
            return LEAST_LISTED
        if call.phrase in COMMANDS:
            return LEAST_CAREFUL if call.careful else LEAST_COMMAND
        return LEAST_ANSWER if call.answer else LEAST


def _joined(calls: Iterable[Call]) -> dict[str, list[int]]:
    """Each phrase as one word of the graph, and the calls that it is.

    Letters, digits and apostrophes alone are kept: other marks mean something in a graph (``[unk]``, ``<eps>``, ``#0``)
    or in the JSON that the library reads in its own way.
    """
    by_text: dict[str, list[int]] = {}
    for i, call in enumerate(calls):
        by_text.setdefault(_MARKS.sub("_", spelled(call.text)).strip("_"), []).append(i)
    return by_text


def _phrases(words: Sequence[_Word], known: dict[str, list[int]]) -> list[_Word]:
    """Words joined to phrases where they follow each other as one; the longest first."""
    joined, at = [], 0
    while at < len(words):
        for stop in range(len(words), at, -1):
            text = " ".join(word.text for word in words[at:stop])
            if stop == at + 1 or text in known:
                joined.append(_Word(text, words[at].start, words[stop - 1].end))
                at = stop
                break
    return joined


def _no_later_than(end: float, heard: Heard) -> Heard:
    t = min(heard.t, end)
    decided = max(t, min(heard.decided, end))
    return Heard(heard.call, t, decided, heard.confidence, heard.doubtful, heard.rival, heard.speaker_name)
