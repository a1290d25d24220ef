"""The players' own voices: what was said is compared with takes of the same phrases by the same mouths.

A take is kept as two sequences of numbers, never as sound: how the phone net heard it (its hidden layer) and a
    pretrained embedding. Two sequences are laid over each other by dynamic time warping; the distance is one minus
    the cosine along the path, each of the two in units of its usual spread between different phrases, and the mean of
    both. Which figures this brings, alone and joined to the net's score, is in docs/decisions/voices.md.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from audio import embedding
from audio.acoustic import STEP as OUTPUT
from audio.acoustic import WEIGHTS as PHONES_WEIGHTS
from audio.acoustic import PhoneStream
from audio.embedding import Embedding
from audio.errors import UnreadableVoices
from audio.features import RATE, Floats, cepstra, energies
from audio.lexicon import spelled

SUFFIX = ".voices"
VERSION = 1
#: Outputs of the phone net on each side of a phrase that are compared too, so that a beginning or an end that was cut
#: wrongly is found.
EDGE = 4
#: The same for embeddings.
_EDGE_EMBEDDINGS = round(EDGE * OUTPUT / embedding.STEP)
#: The same for the colour, every 20 ms.
_EDGE_COLOURS = round(EDGE * OUTPUT / 0.02)
#: Outputs on each side of a take that belong to its template.
_ROUND = 1
#: Spread of the two distances between different phrases of one speaker (vocgame 25 to 30).
_SPREAD_HIDDEN, _SPREAD_EMBEDDING = 0.045, 0.0365
#: Distance at which a take is as likely of the phrase as of the nearest other one, and how fast the odds change with
#: it (log-odds; logistic regression on vocgame 25 to 30, clean and with noise at 10 dB, by
#: models/embedding/recipe/measure.py; the lead adds nothing to it).
NEUTRAL, PER_DISTANCE = 5.65, 2.06
#: The net's confidence (log-odds) counts no more than this beside a distance.
_MOST_OF_NET = 1.0
#: Margin where nothing else may have been said.
_FAR = 30.0
#: Margin under which the players had better be asked back: 1 in 50 right takes is under it, 1 in 2 wrong ones.
_CLOSE = 4.0
#: Sittings that are kept of a phrase; an older one makes room.
MOST_SITTINGS = 3
#: Takes kept from games, the last ones, and how near to one that was asked for they must be.
MOST_KEPT, KEPT_WITHIN = 2, 4.8
#: Takes that a file may hold, and bytes; more is no file of ours.
MOST_TAKES, MOST_BYTES = 2000, 64_000_000
#: What the net says against a phrase counts no more than this (log-likelihood over the root of the outputs) where own
#: takes are compared.
_MOST_AGAINST = 3.0
#: What a distance weighs beside it.
_WEIGHT = 6.0

#: Spread of the cepstra 1 to 19 in speech (vocgame).
_COLOUR_SPREAD = np.array((23, 23, 25, 30, 30, 30, 26, 25, 27, 23, 25, 23, 22, 20, 17, 16, 14, 11, 8), np.float32)
#: What the utterance's sound has before and after the frames that belong to its outputs, samples.
_COLOUR_MARGIN = round((embedding.MIDDLE - 0.0125) * RATE)
#: Whether two takes of a phrase are by one mouth: logistic regression on the three distances (hidden, embedding,
#: colour) and a constant, fitted on pairs of vocgame 1 to 24, half of them with every speaker's mean colour, and so
#: the microphone's, taken away.
_SAME_MOUTH = (-16.3, -10.5, -14.8, 14.4)
#: Log-odds of the likeliest speaker, and its lead before the next, from which a name is given.
SURE_OF_SPEAKER, LEAD_OF_SPEAKER = 0.0, 2.0

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Utterance:
    """A piece of the stream that may be a phrase, with some edge on both sides.

    Attributes:
        hidden: (n, width) what the phone net made of it, :data:`EDGE` outputs before the phrase and after it.
        samples: the sound from :data:`audio.embedding.MIDDLE` before the middle of the first output to as much after
            that of the last; silence where there is none yet.
    """

    hidden: Floats
    samples: Floats

    @cached_property
    def embedding(self) -> Floats:
        """(m, 96) unit vectors, edges included."""
        return _embedding().of(self.samples)

    @cached_property
    def colour(self) -> Floats:
        """(k, 19) cepstra every 20 ms without the loudness, edges included, in units of their spread."""
        return _colour(_piece(self.samples, _COLOUR_MARGIN, len(self.samples) - _COLOUR_MARGIN))


def utterance(hidden: Floats, first: int, samples: Floats, since: int, start: int, stop: int) -> Utterance:
    """Cut an utterance out of what is remembered of a stream.

    Args:
        hidden: (n, width) outputs ``first`` to ``first + n``.
        samples: the sound from sample ``since`` of the stream.
        start, stop: first output of the phrase, and the one after its last.
    """
    from_, to = start - EDGE, stop + EDGE
    rows = np.clip(np.arange(from_, to) - first, 0, len(hidden) - 1)
    begin = round((PhoneStream.time(from_) - embedding.MIDDLE) * RATE)
    end = round((PhoneStream.time(to - 1) + embedding.MIDDLE) * RATE)
    return Utterance(hidden[rows], _piece(samples, begin - since, end - since))


def _piece(samples: Floats, begin: int, end: int) -> Floats:
    """``samples[begin:end]``, with silence for what lies outside."""
    piece = np.zeros(max(0, end - begin), np.float32)
    low, high = max(0, begin), min(len(samples), end)
    if high > low:
        piece[low - begin : high - begin] = samples[low:high]
    return piece


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """One phrase, said once by one player.

    Attributes:
        speaker: the player's name.
        text: the phrase, spelled as :func:`audio.lexicon.spelled` gives it.
        sitting: 1 for the first evening, then 2 ...
        hidden: (n, width) unit vectors.
        embedding: (m, 96) unit vectors.
        colour: (k, 19) cepstra every 20 ms, in units of their spread.
        kept: True where it was kept from a game, not asked for.
    """

    speaker: str
    text: str
    sitting: int
    hidden: Floats
    embedding: Floats
    colour: Floats
    kept: bool = False


def _unit(rows: npt.NDArray[np.floating]) -> Floats:
    rows = np.asarray(rows, np.float32)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), np.float32)


def _stored(rows: npt.NDArray[np.floating]) -> Floats:
    """As a file keeps it: half precision, so that a take compares the same before and after it was saved."""
    return np.asarray(rows, np.float16).astype(np.float32)


def take_of(heard: Utterance, speaker: str, text: str, sitting: int = 1, *, kept: bool = False) -> Take:
    """A take of an utterance whose phrase is known."""
    edge = round(EDGE * OUTPUT * RATE)
    inside = _piece(heard.samples, edge, len(heard.samples) - edge)
    return Take(
        speaker,
        spelled(text),
        sitting,
        hidden=_stored(_unit(heard.hidden[EDGE - _ROUND : len(heard.hidden) - EDGE + _ROUND])),
        embedding=_stored(_embedding().of(inside)),
        colour=_stored(_colour(_piece(inside, _COLOUR_MARGIN, len(inside) - _COLOUR_MARGIN))),
        kept=kept,
    )


def _colour(samples: Floats) -> Floats:
    return np.asarray(cepstra(energies(samples)[::2])[:, 1 : 1 + len(_COLOUR_SPREAD)] / _COLOUR_SPREAD, np.float32)


@lru_cache(maxsize=1)
def _embedding() -> Embedding:
    return Embedding()


def warped(cost: Scores, lengths: npt.NDArray[np.int64], free: int) -> Scores:
    """Mean cost along the best path between what is heard and each of several takes; a step in both counts twice.

    The path crosses the whole take; of what is heard it may leave out up to ``free`` rows at each end. Columns go one
    by one, rows and takes side by side: to stay in one column of a take is a running minimum over sums.

    Args:
        cost: (takes, n of what is heard, columns); a take shorter than the longest has its columns first.
        lengths: (takes,) columns of each.
        free: at each end, fewer where little is heard.
    """
    takes, n, columns = cost.shape
    free = min(free, (n - 1) // 2)
    rows = np.arange(n + 1)
    # best[., i]: cheapest way to have heard i rows and the columns so far; began[., i]: where that way began
    best = np.tile(np.where(rows <= free, 0.0, np.inf), (takes, 1))
    began = np.tile(rows, (takes, 1))
    found = np.full(takes, np.inf)
    for j in range(columns):
        column = cost[:, :, j]
        sums = np.pad(np.cumsum(column, axis=1), ((0, 0), (1, 0)))
        diagonal, across = best[:, :-1] + 2 * column, best[:, 1:] + column
        step = across < diagonal
        enter = np.pad(np.where(step, across, diagonal), ((0, 0), (1, 0)), constant_values=np.inf)
        start = np.pad(np.where(step, began[:, 1:], began[:, :-1]), ((0, 0), (1, 0)))
        level = enter - sums
        lowest = np.minimum.accumulate(level, axis=1)
        came_from = np.maximum.accumulate(np.where(level <= lowest, rows, 0), axis=1)
        best = lowest + sums
        began = np.take_along_axis(start, came_from, axis=1)
        ends = lengths == j + 1
        if ends.any():
            mean = best[ends, n - free :] / (rows[n - free :] - began[ends, n - free :] + j + 1)
            found[ends] = mean.min(axis=1)
    return found


class _Bank:
    """Sequences side by side, the short ones filled up."""

    def __init__(self, sequences: Sequence[Floats]) -> None:
        self.lengths = np.array([len(s) for s in sequences], np.int64)
        self.rows = np.zeros((len(sequences), int(self.lengths.max()), sequences[0].shape[1]), np.float32)
        for i, sequence in enumerate(sequences):
            self.rows[i, : len(sequence)] = sequence

    def distances(
        self, heard: Floats, which: Sequence[int], free: int, apart: Callable[[Floats, Floats], Floats]
    ) -> Scores:
        """Mean of ``apart`` along the best path between ``heard`` (n, width) and each of the sequences asked for."""
        lengths = self.lengths[which]
        return warped(apart(heard, self.rows[which, : lengths.max()]).astype(np.float64), lengths, free)


def _turned(heard: Floats, rows: Floats) -> Floats:
    """One minus the cosine between unit vectors (n, width) and (takes, columns, width): (takes, n, columns)."""
    return np.asarray(1 - (rows @ heard.T).transpose(0, 2, 1), np.float32)


def _apart(heard: Floats, rows: Floats) -> Floats:
    """Root mean square of the differences, in the same shapes."""
    squares = (heard**2).sum(axis=1)[None, :, None] + (rows**2).sum(axis=2)[:, None, :]
    both = squares - 2 * (rows @ heard.T).transpose(0, 2, 1)
    return np.asarray(np.sqrt(np.maximum(both, 0) / heard.shape[1]), np.float32)


@dataclass(frozen=True, slots=True)
class Joined:
    """What the net and the own takes together make of the phrases that may have been said.

    Attributes:
        text: the best one.
        margin: how far it is before the best that means something else, in the units of the net's score (over the
            root of the outputs).
        distance: to the nearest own take of it; :data:`NEUTRAL` where there is none.
        taught: whether there is one.
        speaker: who said it, where the voices differ enough; else None.
    """

    text: str
    margin: float
    distance: float
    taught: bool
    speaker: str | None

    @property
    def close(self) -> bool:
        """True where another meaning is nearly as likely."""
        return self.margin < _CLOSE

    def confidence(self, net: float) -> float:
        """Probability that this phrase was said, given the net's own confidence in it (0 to 1)."""
        net = min(1 - 1e-6, max(1e-6, net))
        odds = min(_MOST_OF_NET, max(-_MOST_OF_NET, math.log(net / (1 - net)))) + PER_DISTANCE * (
            NEUTRAL - self.distance
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


class SpeakerVoices:
    """The enrolled voices of a table. Immutable; :meth:`with_takes` gives a larger one.

    Args:
        takes: any number, of any speakers.
    """

    def __init__(self, takes: Iterable[Take] = ()) -> None:
        self.takes = tuple(takes)
        self._by_text: dict[str, list[int]] = {}
        for i, take in enumerate(self.takes):
            self._by_text.setdefault(take.text, []).append(i)
        if len({take.hidden.shape[1] for take in self.takes}) > 1:
            raise ValueError("takes of different nets")
        self._hidden = _Bank([take.hidden for take in self.takes]) if self.takes else None
        self._embedded = _Bank([take.embedding for take in self.takes]) if self.takes else None
        self._colours = _Bank([take.colour for take in self.takes]) if self.takes else None

    @property
    def names(self) -> tuple[str, ...]:
        """The enrolled players, in the order of their first take."""
        return tuple(dict.fromkeys(take.speaker for take in self.takes))

    def texts(self, speaker: str | None = None) -> frozenset[str]:
        """The phrases that this player (or anybody) has said."""
        return frozenset(take.text for take in self.takes if speaker in (None, take.speaker))

    def only(self, speaker: str) -> SpeakerVoices:
        """The voice of one player. Raises UnreadableVoices for a name that is not enrolled."""
        if speaker not in self.names:
            raise UnreadableVoices(
                "la voix de {speaker} n'est pas apprise ; voix connues : {names}",
                speaker=speaker,
                names=", ".join(self.names),
            )
        return SpeakerVoices(take for take in self.takes if take.speaker == speaker)

    def with_takes(self, new: Iterable[Take]) -> SpeakerVoices:
        """These voices and more takes, one a sitting; of each phrase of a player the last :data:`MOST_SITTINGS` stay,
        and of those kept from games the last :data:`MOST_KEPT`."""
        by_place = {(t.speaker, t.text, t.kept, t.sitting): t for t in (*self.takes, *new)}
        later: dict[tuple[str, str, bool], list[int]] = {}
        for speaker, text, kept, sitting in by_place:
            later.setdefault((speaker, text, kept), []).append(sitting)
        return SpeakerVoices(
            take
            for (speaker, text, kept, sitting), take in by_place.items()
            if sum(s > sitting for s in later[speaker, text, kept]) < (MOST_KEPT if kept else MOST_SITTINGS)
        )

    def keeping(self, heard: Utterance, text: str, speaker: str) -> SpeakerVoices:
        """These voices and a good take of a game: one that a player confirmed, and that is as near as an own take is.

        For those who wish it (the setting ``keep-takes``). Without an own take that was asked for nothing is kept,
        and what is far from it is not either: so mistakes cannot teach more mistakes.
        """
        asked = SpeakerVoices(take for take in self.takes if take.speaker == speaker and not take.kept)
        distance = asked.distances([text], heard).get(text)
        if distance is None or distance > KEPT_WITHIN:
            return self
        known = [t.sitting for t in self.takes if t.kept and (t.speaker, t.text) == (speaker, spelled(text))]
        return self.with_takes([take_of(heard, speaker, text, 1 + max(known, default=0), kept=True)])

    def next_sitting(self, speaker: str) -> int:
        """The number of a sitting that begins now."""
        return 1 + max((t.sitting for t in self.takes if t.speaker == speaker and not t.kept), default=0)

    def distances(self, texts: Iterable[str], heard: Utterance, speaker: str | None = None) -> dict[str, float]:
        """How far what was heard is from the nearest own take of each of ``texts``; those that nobody said are left
        out.

        0 is the same sound; two takes of one phrase by one mouth are at some 1.5 to 5, other phrases at 5.5 to 8.
        """
        return {text: near[0] for text, near in self.nearest(texts, heard, speaker).items()}

    def nearest(
        self, texts: Iterable[str], heard: Utterance, speaker: str | None = None
    ) -> dict[str, tuple[float, str]]:
        """As :meth:`distances`, and whose take is the nearest."""
        asked = {
            text: [i for i in self._by_text.get(spelled(text), ()) if speaker in (None, self.takes[i].speaker)]
            for text in texts
        }
        which = sorted({i for places in asked.values() for i in places})
        if not which:
            return {}
        by_net, by_embedding = self._compared(heard, which)
        both = dict(zip(which, (by_net / _SPREAD_HIDDEN + by_embedding / _SPREAD_EMBEDDING) / 2, strict=True))
        return {
            text: min((float(both[i]), self.takes[i].speaker) for i in places)
            for text, places in asked.items()
            if places
        }

    def joined(
        self,
        scores: Mapping[str, float],
        outputs: int,
        heard: Utterance,
        *,
        same: Mapping[str, object] | None = None,
        speaker: str | None = None,
    ) -> Joined | None:
        """The net's score and the own takes together: score - weight * distance, over the root of the outputs.

        Args:
            scores: log-likelihood of each phrase that may have been said, from the net.
            outputs: length of the phrase.
            heard: the utterance.
            same: what each phrase means; phrases that mean the same are no rivals.
            speaker: whose takes alone are compared.

        Returns:
            The best; None where no own take of any of these phrases is known.
        """
        near = self.nearest(scores, heard, speaker)
        if not near:
            return None
        top = max(scores.values())
        root = max(1.0, float(outputs)) ** 0.5
        total = {
            text: max(-_MOST_AGAINST, (score - top) / root) - _WEIGHT * near[text][0]
            if text in near
            else (score - top) / root - _WEIGHT * NEUTRAL
            for text, score in scores.items()
        }
        best = max(total, key=lambda text: total[text])
        means = (lambda text: text) if same is None else (lambda text: same.get(text, text))
        rivals = [value for text, value in total.items() if means(text) != means(best)]
        margin = total[best] - max(rivals, default=total[best] - _FAR)
        if best not in near:
            return Joined(best, margin, NEUTRAL, False, None)
        return Joined(best, margin, near[best][0], True, self.who(best, heard))

    def who(self, text: str, heard: Utterance) -> str | None:
        """Who said this phrase; None where nobody or more than one voice of the table fits, or only strangers'
        would."""
        which = self._by_text.get(spelled(text), [])
        if not which or self._colours is None:
            return None
        by_net, by_embedding = self._compared(heard, which)
        by_colour = self._colours.distances(heard.colour, which, 2 * _EDGE_COLOURS, _apart)
        a, b, c, constant = _SAME_MOUTH
        odds: dict[str, float] = {}
        for i, value in zip(which, a * by_net + b * by_embedding + c * by_colour + constant, strict=True):
            name = self.takes[i].speaker
            odds[name] = max(odds.get(name, -np.inf), float(value))
        (best, name), *others = sorted(((value, name) for name, value in odds.items()), reverse=True)
        lead = best - others[0][0] if others else np.inf
        return name if best >= SURE_OF_SPEAKER and lead >= LEAD_OF_SPEAKER else None

    def _compared(self, heard: Utterance, which: Sequence[int]) -> tuple[Scores, Scores]:
        """Distances by hidden layer and by embedding to some takes."""
        assert self._hidden is not None
        assert self._embedded is not None
        return (
            self._hidden.distances(_unit(heard.hidden), which, 2 * EDGE, _turned),
            self._embedded.distances(heard.embedding, which, 2 * _EDGE_EMBEDDINGS, _turned),
        )

    def save(self, path: Path) -> None:
        """Write the file, all at once. Raises UnreadableVoices where it cannot be written."""
        facts = {
            "trut-voices": VERSION,
            "phones": _mark(PHONES_WEIGHTS),
            "embedding": _mark(embedding.WEIGHTS),
            "takes": [
                {
                    "speaker": take.speaker,
                    "text": take.text,
                    "sitting": take.sitting,
                    "kept": take.kept,
                    "hidden": len(take.hidden),
                    "embedding": len(take.embedding),
                    "colour": len(take.colour),
                }
                for take in self.takes
            ],
        }
        file = io.BytesIO()
        np.savez_compressed(
            file,
            facts=np.frombuffer(json.dumps(facts, ensure_ascii=False).encode(), np.uint8),
            hidden=_together([take.hidden for take in self.takes]),
            embedding=_together([take.embedding for take in self.takes]),
            colour=_together([take.colour for take in self.takes]),
        )
        made = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.write_bytes(file.getvalue())
            os.replace(made, path)
        except OSError as problem:
            raise UnreadableVoices(
                "{path} : impossible d'écrire ce fichier ({why})", path=path, why=problem.strerror or str(problem)
            ) from problem

    @classmethod
    def load(cls, path: Path) -> SpeakerVoices:
        """Read a file. Raises UnreadableVoices, one line, for anything that is none of ours."""
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError("too large")
            data = path.read_bytes()
        except FileNotFoundError:
            raise UnreadableVoices("{path} : ce fichier de voix n'existe pas", path=path) from None
        except (OSError, ValueError) as problem:
            raise UnreadableVoices("{path} : ce n'est pas un fichier de voix lisible", path=path) from problem
        try:
            return cls(_takes(data))
        except _OtherNet as problem:
            raise VoicesOfAnotherNet(
                "{path} : voix apprises avec un autre réseau, à réapprendre (trut calibrate voice)",
                path=path,
            ) from problem
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            OSError,
            zipfile.BadZipFile,
            EOFError,
            MemoryError,
        ) as problem:
            raise UnreadableVoices("{path} : ce n'est pas un fichier de voix lisible", path=path) from problem


class VoicesOfAnotherNet(UnreadableVoices):
    """The file is sound, and was made with other weights: its numbers mean nothing now."""

    code = "voices-of-another-net"


class _OtherNet(Exception):
    """Found while reading."""


@lru_cache(maxsize=4)
def _mark(weights: Path) -> str:
    """Which net made the numbers."""
    return hashlib.sha256(weights.read_bytes()).hexdigest()[:16]


def _together(parts: Sequence[Floats]) -> npt.NDArray[np.float16]:
    return np.concatenate([*parts, np.zeros((0, parts[0].shape[1] if parts else 0), np.float32)]).astype(np.float16)


_PARTS = ("hidden", "embedding", "colour")


def _takes(data: bytes) -> list[Take]:
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        facts = json.loads(bytes(file["facts"].astype(np.uint8)).decode())
        parts = {name: np.asarray(file[name], np.float32) for name in _PARTS}
    if facts["trut-voices"] != VERSION or len(facts["takes"]) > MOST_TAKES:
        raise ValueError("another version")
    if facts["phones"] != _mark(PHONES_WEIGHTS) or facts["embedding"] != _mark(embedding.WEIGHTS):
        raise _OtherNet
    if not all(rows.ndim == 2 and np.isfinite(rows).all() for rows in parts.values()):
        raise ValueError("not numbers")
    takes, at = [], dict.fromkeys(_PARTS, 0)
    for row in facts["takes"]:
        own = {}
        for name, rows in parts.items():
            length = int(row[name])
            own[name] = rows[at[name] : at[name] + length]
            at[name] += length
            if length < 1 or len(own[name]) != length:
                raise ValueError("a take is missing")
        speaker, text = row["speaker"], row["text"]
        if not (isinstance(speaker, str) and isinstance(text, str) and speaker and text):
            raise ValueError("nobody said it")
        takes.append(Take(speaker, text, int(row["sitting"]), **own, kept=bool(row["kept"])))
    if any(at[name] != len(parts[name]) for name in _PARTS):
        raise ValueError("more than was said")
    return takes
