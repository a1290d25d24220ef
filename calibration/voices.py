"""Enrolling the voices of the players: from recordings of their phrases to takes that the ears compare with."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from audio.acoustic import PhoneStream
from audio.decoding import Scores, any_accent, held
from audio.errors import UnpronounceablePhrase
from audio.features import PORTION, RATE, Floats, clean
from audio.lexicon import phone_ids, pronounce, spelled
from audio.phones import SIL
from audio.source import open_sound
from audio.voices import SpeakerVoices, Take, take_of, utterance
from engine.errors import TrutError

PAUSE = 0.75
"""Silence that is put before and after a take, seconds: the sight of the nets, and the pause around a call."""
LONGEST = 15.0
"""A recording of one phrase that lasts longer (seconds) is none; what comes after is not heard."""
MOST_ROWS = 2000
LEAST_SPOKEN = 3
"""Outputs (90 ms) that must be speech; under that nothing was said."""
FORGIVEN = -2.0
"""Mean log-likelihood behind the likeliest phones from which what was said is taken for the phrase that was asked."""
SAME_SOUND = 0.9995
"""Two takes this alike are one recording, given twice."""


FRAME = RATE // 100
"""Samples of the 10 ms in which the level is followed while a player is asked."""
ABOVE = 9.0
"""Speech is so many decibels above the room."""
STARTED, ENDED = 8, 60
"""Loud frames of the last 15 that begin a phrase, and quiet ones in a row that end it."""
BEFORE = 40
"""Frames before the beginning that are kept."""
CLIPPED, MOST_CLIPPED = 0.985, 8
"""A sample this high is cut off by the microphone; a take bears a few of them."""

_NEVER = -1e9


class BadTakes(TrutError):
    """A list of takes that cannot be used."""

    code = "takes"


class NothingHeard(TrutError):
    """A take in which nobody speaks."""

    code = "nothing-heard"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list of takes: this file is that phrase, said by this player."""

    file: Path
    text: str
    speaker: str


@dataclass(frozen=True, slots=True)
class Said:
    """A take, and how well it fits what was asked.

    Attributes:
        near: mean log-likelihood of its phones behind the likeliest ones, 0 is best.
    """

    take: Take
    near: float

    @property
    def doubtful(self) -> bool:
        """True where something else was said, or where the sound is very bad."""
        return self.near < FORGIVEN


def read_rows(path: Path) -> list[Row]:
    """The rows of a LABELS.jsonl (CLI.md, ``trut calibrate voice``); files are beside it.

    Raises:
        BadTakes: no such file, no text, or a row that is none; the sentence names file, line, and what is wrong.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise BadTakes("{path} : ce fichier n'existe pas", path=path) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise BadTakes("{path} : ce n'est pas une liste de prises lisible", path=path) from problem
    rows = [_row(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not rows:
        raise BadTakes("{path} : aucune prise dans cette liste", path=path)
    if len(rows) > MOST_ROWS:
        raise BadTakes("{path} : trop de prises ({count}, au plus {most})", path=path, count=len(rows), most=MOST_ROWS)
    return rows


def _row(path: Path, number: int, line: str) -> Row:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise BadTakes("{path}, ligne {line} : ce n'est pas du JSON", path=path, line=number) from None
    if not isinstance(fields, dict):
        raise BadTakes("{path}, ligne {line} : il faut un objet JSON", path=path, line=number)
    values = {}
    for key in ("file", "text", "speaker"):
        value = fields.get(key)
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise BadTakes("{path}, ligne {line} : il manque le champ « {key} »", path=path, line=number, key=key)
        values[key] = value.strip()
    file = path.parent / values["file"]
    if not os.path.isfile(file):  # of Path, a name that is too long would be an error
        raise BadTakes("{path}, ligne {line} : {file} n'existe pas", path=path, line=number, file=file)
    try:
        pronounce(values["text"])
    except UnpronounceablePhrase as problem:
        raise BadTakes("{path}, ligne {line} : {why}", path=path, line=number, why=problem) from None
    return Row(file, values["text"], values["speaker"])


class Learner:
    """Makes takes of recordings whose phrase is known."""

    def listen(self, samples: Floats, text: str, speaker: str, sitting: int = 1) -> Said:
        """The take in ``samples`` (float32, 16 kHz), wherever in them the phrase is said.

        Raises:
            NothingHeard: nobody speaks there.
            UnpronounceablePhrase: a phrase that cannot be said in French.
        """
        pause = np.zeros(round(PAUSE * RATE), np.float32)
        samples = np.concatenate([pause, clean(samples[: round(LONGEST * RATE)]), pause])
        # the last outputs are known when what the net sees after them is: silence
        rest = np.zeros(2 * PORTION * RATE // 100, np.float32)
        heard = PhoneStream().accept(np.concatenate([samples, rest]))
        rows = np.array([any_accent(row) for row in heard.likelihoods])
        spoken = rows.argmax(axis=1) != SIL
        start, stop = _where(rows, text)
        if spoken[start:stop].sum() < LEAST_SPOKEN:
            raise NothingHeard("on n'y entend pas « {text} »", text=text)
        near = _near(rows[start:stop], text)
        found = utterance(heard.hidden, 0, samples, 0, start, stop)
        return Said(take_of(found, speaker, text, sitting), near)


def _where(rows: Scores, text: str) -> tuple[int, int]:
    """Where in ``rows`` (T, 35) the phrase is, given that it is the only one: first output, and the one after its
    last."""
    return max(_between_silences(rows, phone_ids(way)) for way in pronounce(text))[1:]


def _between_silences(rows: Scores, phones: Sequence[int]) -> tuple[float, int, int]:
    """Log-likelihood, start and stop of the best silence - phrase - silence."""
    states = [SIL, *held(phones), SIL]
    last = len(states) - 1
    score = np.full(len(states), _NEVER)
    score[0] = rows[0, SIL]
    start = np.zeros(len(states), np.int64)
    stop = np.full(len(states), len(rows), np.int64)
    for t in range(1, len(rows)):
        moved = np.concatenate([[_NEVER], score[:-1]])
        step = moved > score
        start = np.where(step, np.concatenate([[0], start[:-1]]), start)
        if step[1]:
            start[1] = t
        if step[last]:
            stop[last] = t
        score = np.where(step, moved, score) + rows[t, states]
    return float(score[last]), int(start[last]), int(max(stop[last], start[last] + 1))


def _near(rows: Scores, text: str) -> float:
    """How far the phrase is behind the likeliest phones, per output."""
    best = float(rows.max(axis=1).sum())
    said = max(_through(rows, phone_ids(way)) for way in pronounce(text))
    return max(-100.0, (said - best) / len(rows))


def _through(rows: Scores, phones: Sequence[int]) -> float:
    states = held(phones)
    score = np.full(len(states), _NEVER)
    score[0] = rows[0, states[0]]
    for t in range(1, len(rows)):
        score = np.maximum(score, np.concatenate([[_NEVER], score[:-1]])) + rows[t, states]
    return float(score[-1])


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of a list of takes.

    Attributes:
        voices: the voices, old and new.
        added: how many takes are new.
        unheard: rows in which nobody speaks.
        doubtful: new takes that sound like another phrase; they are kept, for in much noise a right one does too.
    """

    voices: SpeakerVoices
    added: int
    unheard: tuple[Row, ...]
    doubtful: tuple[Row, ...]


def learn(rows: Iterable[Row], old: SpeakerVoices | None = None) -> Learnt:
    """Enrol the voices of a list. Several takes of a phrase count as sittings, in the order of the list, after those
    of ``old``.

    Raises:
        UnreadableSound: a file that is no sound.
    """
    old = old or SpeakerVoices()
    learner = Learner()
    sittings = Counter[tuple[str, str]]()
    for take in old.takes:
        sittings[take.speaker, take.text] = max(sittings[take.speaker, take.text], take.sitting)
    known, new = list(old.takes), list[Take]()
    unheard, doubtful = list[Row](), list[Row]()
    for row in rows:
        place = row.speaker, spelled(row.text)
        try:
            said = learner.listen(heard_in(row.file), row.text, row.speaker, sittings[place] + 1)
        except NothingHeard:
            unheard.append(row)
            continue
        if not any(same_recording(take, said.take) for take in known):
            sittings[place] += 1
            known.append(said.take)
            new.append(said.take)
            if said.doubtful:
                doubtful.append(row)
    return Learnt(old.with_takes(new), len(new), tuple(unheard), tuple(doubtful))


def heard_in(file: Path) -> Floats:
    """The whole sound of a file (16 kHz), no more than a phrase can last. Raises UnreadableSound."""
    blocks, length = [np.zeros(0, np.float32)], 0
    with open_sound(file) as source:  # type: ignore[attr-defined]
        for block in source:
            blocks.append(block)
            length += len(block)
            if length > LONGEST * RATE:
                break
    return np.concatenate(blocks)


def same_recording(a: Take, b: Take) -> bool:
    """True for one recording given twice."""
    if (a.speaker, a.text, a.embedding.shape) != (b.speaker, b.text, b.embedding.shape):
        return False
    return float((a.embedding * b.embedding).sum(axis=1).mean()) > SAME_SOUND


class Asked:
    """Cuts out of a live stream the one phrase that a player was asked to say.

    Args:
        floor: level of the room in decibels, as :attr:`floor` of the one before; None: it is found in the first
            moments.

    Attributes:
        level: how loud it is now, decibels of full scale.
        floor: how loud the room is.
    """

    def __init__(self, floor: float | None = None) -> None:
        self.level = -100.0
        self.floor = floor
        self._quietest: list[float] = []
        self._rest = np.zeros(0, np.float32)
        self._frames: list[Floats] = []
        self._loud: list[bool] = []
        self._begun: int | None = None

    @property
    def begun(self) -> bool:
        """True once somebody speaks."""
        return self._begun is not None

    def accept(self, samples: Floats) -> Floats | None:
        """The phrase with a little of the room around it, once it is over; None before."""
        self._rest = np.concatenate([self._rest, clean(samples)])
        while len(self._rest) >= FRAME:
            frame, self._rest = self._rest[:FRAME], self._rest[FRAME:]
            if self._follow(frame):
                assert self._begun is not None
                return np.concatenate(self._frames[self._begun :])
        return None

    def _follow(self, frame: Floats) -> bool:
        """Take 10 ms; True where the phrase is over."""
        self.level = 10 * float(np.log10((frame**2).mean() + 1e-10))
        self._quietest = [*self._quietest[-199:], self.level]
        room = float(np.percentile(self._quietest, 20))
        self.floor = room if self.floor is None else min(room, self.floor + 0.02)
        self._frames.append(frame)
        self._loud.append(self.level > max(self.floor + ABOVE, -60.0))
        if self._begun is None:
            if len(self._loud) > 30 and sum(self._loud[-15:]) >= STARTED:
                self._begun = max(0, len(self._frames) - 15 - BEFORE)
            return False
        return not any(self._loud[-ENDED:]) or len(self._frames) - self._begun > LONGEST * 100


def clipped(samples: Floats) -> bool:
    """True where the microphone was too loud to be understood."""
    return int((np.abs(samples) >= CLIPPED).sum()) > MOST_CLIPPED
