"""Every announcement played back into the ears, through rooms, at 0 to -20 dB: what it sets off.

The sentences are those that the announcer makes of games played at random in all five games, and every
template of its own with its fields filled in, in French and English. Rooms are decaying noise behind the
direct sound. With recordings of knocks and calls beside the project (``shared/cases``) it is also measured
how many of a player's are heard over an announcement that is as loud as they are.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from assistant import announcer as sentences_of
from assistant.acts import Action, Notice, Question
from assistant.announcer import Announcer
from assistant.bench.ears import SHARED
from assistant.i18n import LANGUAGES, language, set_language
from assistant.knocking import LIKELY_KNOCK
from assistant.names import FRENCH_SUITS, RANKS, SPANISH_RANKS, SPANISH_SUITS, Names
from assistant.own_voice import OwnVoice
from audio import earcons
from audio.ears import Ears
from audio.events import Knock, Phrase, SoundObservation
from audio.knocks import KnockDetector
from audio.phrases import PhraseSpotter
from audio.resampling import RATE, resampled
from audio.source import open_sound
from audio.speech import synthesise
from engine import GAMES, Event, Game, Header, Refusal

Samples = npt.NDArray[np.float32]

LEVELS = (0, -6, -12, -20)
"""Peak of the announcement in the microphone, dB below full scale."""
DELAYS = (0.02, 0.1, 0.25)
"""Seconds from the loudspeaker's program to the microphone's, one after the other."""
REVERBERATION = (0.2, 0.4, 0.7)
"""Seconds until a room has lost 60 dB."""
PAUSE = 1.2
"""Seconds between two announcements: what one sets off is known before the next."""
ROOM_NOISE = 10 ** (-66 / 20)
NEAR = 0.06
"""Seconds between a knock and its hit; PHRASE_NEAR the same for the end of a call."""
PHRASE_NEAR = 0.4


# -- what is said ------------------------------------------------------------------------------------------------------


def announcements(seeds: Iterable[int] = range(3)) -> list[str]:
    """Every sentence that can be announced, in the language in force, each once."""
    found: dict[str, None] = {}
    for game, seed in itertools.product(GAMES, seeds):
        found |= dict.fromkeys(_of_a_game(Header(game), seed))
    found |= dict.fromkeys(_of_templates())
    return list(found)


def _of_a_game(header: Header, seed: int, events: int = 120) -> Iterator[str]:
    """What is said in a game played at random."""
    rng = random.Random(seed)
    game = Game(header)
    announcer = Announcer(game)
    for _ in range(events):
        legal = [event for event in game.legal() if event.verb != "annul" or rng.random() < 0.1]
        if not legal:
            return
        verbs = sorted({event.verb for event in legal})
        verb = rng.choice(verbs)
        event = rng.choice([event for event in legal if event.verb == verb])
        wrong = Event("play", rng.randint(1, game.seats), (rng.choice(game.table.PACK.tokens),))
        for said in (wrong, event):
            answer = game.apply(said)
            refused = answer.code if isinstance(answer, Refusal) else None
            if said is wrong and refused is None:
                game.undo()
                continue
            outcomes = (answer,) if isinstance(answer, Refusal) else answer.outcomes
            act = Action(0, 0, said, "camera", None, refused, outcomes, turn=game.turn, awaiting=game.awaiting)
            yield from (a.text for a in announcer.words(act))
        for kind in ("rules", "turn", "score"):
            yield from (a.text for a in announcer.words(Notice(0, 0, kind)))


def _of_templates() -> Iterator[str]:
    """Every question, notice and infraction, with each card, seat and number."""
    for game in GAMES:
        names = Names(Header(game))
        announcer = Announcer(Game(Header(game)))
        cards = itertools.cycle(_cards(game))
        meanings = {*sentences_of.ASKED_BACK, *sentences_of.CONFIRM, "declare 0", "declare 1", "declare 27"}
        for meaning in [*sorted(meanings - {"declare"}), *_cards(game)]:
            yield from (a.text for a in announcer.words(Question(0, 0, "sure", {"meaning": meaning})))
        for verb in sentences_of.WHO:
            yield from (a.text for a in announcer.words(Question(0, 0, "who", {"verb": verb})))
        for kind in sentences_of.QUESTIONS:
            kind = "which-card" if kind.startswith("which-card") else kind
            for fields in ({"seat": 1, "card": next(cards)}, {"seat": 2}, {"card": next(cards)}):
                yield from (a.text for a in announcer.words(Question(0, 0, kind, fields)))
        for reason in sentences_of.HINTS:
            kind, _sep, why = reason.partition(" ")
            yield from (a.text for a in announcer.words(Notice(0, 0, kind, {"reason": why})))
        for kind in sentences_of.NOTICES:
            for seat in (1, 2):
                told: dict[str, object] = {"seat": seat, "card": next(cards)}
                yield from (a.text for a in announcer.words(Notice(0, 0, kind, told)))
        for code in sentences_of.INFRACTIONS:
            act = Action(0, 0, Event("play", 1, (next(cards),)), "camera", None, code, turn=2, awaiting=(2,))
            yield announcer.infraction(act)
        for longs, petits in itertools.product((0, 1, 2, 7), (0, 1, 2)):
            yield names.points({"longs": longs, "petits": petits})
        yield from (names.points({"points": points}) for points in (0, 1, 2, 25))


def _cards(game: str) -> list[str]:
    if game == "trut-robin-red":
        return list("12345678")
    spanish = game == "truc-y-flou"
    ranks, suits = (SPANISH_RANKS, SPANISH_SUITS) if spanish else (RANKS, FRENCH_SUITS)
    return [rank + suit for rank in ranks for suit in (*suits, "?")]


# -- the way back into the microphone ----------------------------------------------------------------------------------


def room(rng: np.random.Generator, reverberation: float) -> Samples:
    """A room's response: the direct sound and a tail of decaying noise of the same energy."""
    n = int(reverberation * RATE)
    tail = rng.normal(0, 1, n) * np.exp(-6.9 * np.arange(n) / n)
    tail[: RATE // 200] = 0.0
    response = tail / np.sqrt(np.square(tail).sum())
    response[0] = 1.0
    return np.asarray(response, np.float32)


def in_room(sound: Samples, response: Samples, level: float) -> Samples:
    """The sound as the microphone has it, its peak at ``level`` dB below full scale."""
    size = 1 << int(np.ceil(np.log2(len(sound) + len(response))))
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)[: len(sound) + len(response) - 1]
    return np.asarray(wet / max(1e-9, np.abs(wet).max()) * 10 ** (level / 20), np.float32)


@dataclass(frozen=True, slots=True)
class Triggered:
    """Something that an announcement set off; ``own`` where it was known to be the assistant's voice."""

    text: str
    level: float
    heard: SoundObservation
    own: bool


class _NoWords:
    """Stands for a phrase recogniser and hears nothing."""

    def accept(self, samples: Samples) -> list[Phrase]:
        return []

    def finish(self) -> list[Phrase]:
        return []

    def expect(self, verbs: frozenset[str] | None) -> None: ...


class Loop:
    """A loudspeaker and a microphone in one room: announcements go in, what the ears make of them comes out.

    Attributes:
        sounded: when the last sentence's sound began in the microphone.

    Args:
        level: of the announcements in the microphone, dB below full scale.
        game: whose phrases the ears know.
        words: whether they listen for phrases at all; for knocks alone they are many times as quick.
    """

    def __init__(self, level: float, game: str = "trut", seed: int = 0, *, words: bool = True) -> None:
        self._rng = np.random.default_rng(seed)
        self._rooms = [room(self._rng, seconds) for seconds in REVERBERATION]
        self._level = level
        spotter = None if words else cast(PhraseSpotter, _NoWords())
        self._ears = Ears(game=game, knocks=KnockDetector(first=LIKELY_KNOCK), spotter=spotter)
        self._own = OwnVoice()
        self._heard = 0
        self._said = 0
        self.sounded = 0.0

    @property
    def t(self) -> float:
        """Seconds that the ears have heard."""
        return self._heard / RATE

    def say(
        self, text: str, besides: Samples | None = None, at: float = 0.0, *, level: float | None = None
    ) -> list[Triggered]:
        """Say a sentence; what is heard of it, and of ``besides`` that sounds ``at`` seconds after its begin."""
        return self._play(text, *synthesise(text, language()), besides, at, self._level if level is None else level)

    def sound(self, name: str) -> list[Triggered]:
        """Play a tone, of which the ears are not told; what is heard of it."""
        return self._play(f"[{name}]", earcons.earcon(name), earcons.RATE, None, 0.0, self._level, told=False)

    def _play(
        self,
        text: str,
        sound: Samples,
        rate: int,
        besides: Samples | None,
        at: float,
        level: float,
        *,
        told: bool = True,
    ) -> list[Triggered]:
        wet = in_room(resampled(sound, rate, RATE), self._rooms[self._said % len(self._rooms)], level)
        delay = int(DELAYS[self._said % len(DELAYS)] * RATE)
        self._said += 1
        silence = int(PAUSE * RATE)
        mixed = np.zeros(2 * silence + delay + len(wet), np.float32)
        mixed[silence + delay : silence + delay + len(wet)] = wet
        if besides is not None:
            start = silence + delay + int(at * RATE)
            mixed = np.pad(mixed, (0, max(0, start + len(besides) + silence - len(mixed))))
            mixed[start : start + len(besides)] += besides
        mixed += self._rng.normal(0, ROOM_NOISE, len(mixed)).astype(np.float32)
        began = self.t + PAUSE
        self.sounded = began + delay / RATE
        if told:
            self._own.begins(began, sound, rate)
        found = self._ears.accept(mixed)
        if told:
            self._own.ends(began + len(sound) / rate)
        self._heard += len(mixed)
        return [Triggered(text, level, heard, self._own.is_own(heard)) for heard in found]


def played_back(texts: Iterable[str], levels: Iterable[float] = LEVELS, *, words: bool = True) -> Iterator[Triggered]:
    """What the texts set off at each level."""
    texts = list(texts)
    for number, level in enumerate(levels):
        loop = Loop(level, GAMES[number % len(GAMES)], number, words=words)
        for text in texts:
            yield from loop.say(text)


def tones_played_back(levels: Iterable[float] = LEVELS, times: int = 9) -> Iterator[Triggered]:
    """What the tones set off at each level, each in every room and at every delay."""
    for number, level in enumerate(levels):
        loop = Loop(level, GAMES[number % len(GAMES)], number)
        for name in [name for name in earcons.EARCONS for _ in range(times)]:
            yield from loop.sound(name)


# -- players who knock and call meanwhile ------------------------------------------------------------------------------


def knocks_of(folder: Path, most: int = 6) -> list[Samples]:
    """Knocks cut out of labelled recordings, at most so many of each, from 50 ms before the onset to the next."""
    found = []
    for row in _rows(folder / "labels.jsonl"):
        if row["kind"] != "knock":
            continue
        sound = np.concatenate(list(open_sound(folder / row["file"])))
        onsets = [event["t"] for event in row["events"]]
        for before, t, after in list(zip(onsets, onsets[1:], onsets[2:], strict=False))[:most]:
            if min(t - before, after - t) > 0.15:
                piece = sound[int((t - 0.05) * RATE) : int(min(after - 0.03, t + 0.4) * RATE)]
                found.append(np.asarray(piece / max(1e-9, np.abs(piece).max()), np.float32))
    return found


def calls_in(folder: Path, verbs: Iterable[str] = ("trut", "accept", "fold")) -> list[tuple[str, float, Samples]]:
    """(event, end in seconds, sound) of labelled calls."""
    wanted = set(verbs)
    found = []
    for row in _rows(folder / "labels.jsonl"):
        if row["kind"] in wanted and row["game"] == "trut" and row["events"]:
            sound = np.concatenate(list(open_sound(folder / row["file"])))
            event = row["events"][0]
            found.append((event["phrase"], event["t"], np.asarray(sound / max(1e-9, np.abs(sound).max()), np.float32)))
    return found


def _rows(labels: Path) -> Iterator[dict[str, Any]]:
    for line in labels.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def knocks_heard(texts: Sequence[str], knocks: Sequence[Samples], level: float = -12) -> tuple[int, int, int]:
    """(knocks, of them heard over an announcement of the same peak, of them heard without one)."""
    rng = np.random.default_rng(5)
    loop, alone = Loop(level, words=False), Loop(-200, words=False)
    over = quiet = 0
    for number, knock in enumerate(knocks):
        text = texts[number % len(texts)]
        at = float(rng.uniform(0.1, 0.8))
        loud = knock * np.float32(10 ** (level / 20))
        for talk in (loop, alone):
            heard = [h for h in talk.say(text, loud, at) if isinstance(h.heard, Knock) and not h.own]
            hit = any(abs(h.heard.t - (talk.sounded + at + 0.05)) < NEAR for h in heard)
            over, quiet = over + (hit and talk is loop), quiet + (hit and talk is alone)
    return len(knocks), over, quiet


def calls_heard(
    texts: Sequence[str], calls: Sequence[tuple[str, float, Samples]], level: float = -12
) -> tuple[int, int, int]:
    """(calls, of them heard over an announcement of the same peak by ears that believe all, without one)."""
    rng = np.random.default_rng(6)
    loop, alone = Loop(level), Loop(-200)
    over = quiet = 0
    for number, (verb, end, sound) in enumerate(calls):
        text = texts[number % len(texts)]
        at = float(rng.uniform(-0.2, 0.2))
        loud = sound * np.float32(10 ** (level / 20))
        for talk in (loop, alone):
            heard = [h.heard for h in talk.say(text, loud, max(0.0, at)) if isinstance(h.heard, Phrase)]
            hit = any(verb in h.means and abs(h.t - (talk.sounded + max(0.0, at) + end)) < PHRASE_NEAR for h in heard)
            over, quiet = over + (hit and talk is loop), quiet + (hit and talk is alone)
    return len(calls), over, quiet


def main(argv: Sequence[str] | None = None) -> int:
    """``python -m assistant.own_voice --check``: exit status 1 if anything is set off."""
    parser = argparse.ArgumentParser(prog="python -m assistant.own_voice", description=__doc__)
    parser.add_argument("--check", action="store_true", help="play every announcement back (the only thing to do)")
    parser.add_argument("--knocks", action="store_true", help="listen for knocks alone, which is far quicker")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each N-th sentence")
    options = parser.parse_args(argv)
    if not options.check:
        parser.print_help()
        return 2
    leaked: list[Triggered] = []
    before = language()
    try:
        for code in LANGUAGES:
            set_language(code)
            texts = announcements()[:: options.every]
            counts: Counter[str] = Counter()
            for set_off in played_back(texts, words=not options.knocks):
                counts[f"{type(set_off.heard).__name__.lower()} {'own' if set_off.own else 'LEAKED'}"] += 1
                leaked += [] if set_off.own else [set_off]
            _print(f"{code}: {len(texts)} sentences at {LEVELS} dB: {dict(sorted(counts.items())) or 'nothing'}")
        tones = list(tones_played_back())
        leaked += tones
        _print(f"{len(earcons.EARCONS)} tones, 9 times each, at {LEVELS} dB: {len(tones) or 'nothing'}")
        set_language("fr")
        _players(announcements()[7::40], words=not options.knocks)
    finally:
        set_language(before)
    for set_off in leaked:
        _print(f"{set_off.text!r} at {set_off.level} dB: {set_off.heard}")
    return 1 if leaked else 0


def _players(texts: Sequence[str], *, words: bool) -> None:
    """How many knocks and calls of players are heard over an announcement."""
    cases = SHARED / "cases"
    if not (cases / "sounds" / "labels.jsonl").exists():
        _print("no recordings of knocks and calls beside the project: nothing measured over announcements")
        return
    number, over, quiet = knocks_heard(texts, knocks_of(cases / "sounds"))
    _print(f"knocks over an announcement of the same peak: {over} of {number} heard; without it {quiet}")
    if not words:
        return
    number, over, quiet = calls_heard(texts, calls_in(cases / "phrases" / "clean"))
    _print(f"calls over an announcement of the same peak: {over} of {number} recognised; without it {quiet}")


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
