"""The phrases of the games, read from ``phrasebook.toml``, or from a text file of one phrase a line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from audio.cardnames import card_names, corrects
from audio.errors import UnreadablePhrases
from audio.lexicon import Pronunciation, pronounce
from audio.totals import totals

BOOK = Path(__file__).with_name("phrasebook.toml")

GAMES: tuple[str, ...] = ("trut", "trut-gatine", "trut-robin-red", "truc", "truc-y-flou")
_FAMILY = frozenset(("trut", "trut-gatine", "trut-robin-red"))

#: Words to the assistant, not to the players: they may be said at any moment.
COMMANDS = frozenset(
    ("undo", "score", "turn", "rules", "repeat", "quieter", "louder", "pause", "resume", "new-game", "annul")
)

#: What must be expected for the name of a card to count: its bare name answers a question about a card, a
#: correction ("non, le roi") may follow any card.
CARD, SEAT, CORRECTION = "card", "seat", "correction"

#: Ways to say the name of a card that are searched for, the careful ones; the rest would cost more than it
#: brings.
CARD_WAYS = 4

_CARD = re.compile(r"(?:1?\d|[JQKA])[shdcebo?]?")

#: Longest list of phrases: more could not be told apart, nor searched in real time.
MOST_PHRASES = 400


@dataclass(frozen=True, slots=True)
class Call:
    """One way to say one thing.

    Attributes:
        text: the words.
        phrase: the likeliest event without a state; empty for talk, which is heard and passed over.
        means: every event it may stand for.
        answer: True for words that count only while somebody is asked.
        pronunciations: the ways to say it, in phones.
    """

    text: str
    phrase: str
    means: tuple[str, ...]
    answer: bool
    pronunciations: tuple[Pronunciation, ...]

    @property
    def verbs(self) -> frozenset[str]:
        """The first words of what it may mean: ``raise`` of ``raise 10``."""
        return frozenset(event.split()[0] for event in self.means)

    @property
    def card(self) -> bool:
        """Whether it names a card and nothing else."""
        return _CARD.fullmatch(self.phrase) is not None

    def may_be_said(self, expected: frozenset[str]) -> bool:
        """Whether it counts while these verbs (and ``CARD``, ``CORRECTION``) are expected; commands always
        do."""
        if self.card:
            return CARD in expected or (CORRECTION in expected and corrects(self.text))
        return bool(self.verbs & (expected | COMMANDS))


@lru_cache(maxsize=1)
def _book() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(BOOK.read_text(encoding="utf-8"))


def _entries(section: str) -> Iterator[Call]:
    for entry in _book().get(section, []):
        phrase = entry.get("phrase", "")
        means = tuple(entry.get("means", [phrase] if phrase else []))
        for text in entry["say"]:
            yield Call(text, phrase, means, bool(entry.get("answer", False)), pronounce(text))


def _totals() -> Iterator[Call]:
    for text, spoken, total in totals():
        event = f"declare {total}"
        yield Call(text, event, (event,), True, pronounce(spoken))


def _cards(game: str) -> Iterator[Call]:
    for text, card in card_names(game):
        yield Call(text, card, (card,), True, pronounce(text)[:CARD_WAYS])


@lru_cache(maxsize=8)
def calls_of(game: str) -> tuple[Call, ...]:
    """All calls of ``game``, the commands, and the talk that is passed over. Raises KeyError for an unknown
    game."""
    if game not in GAMES:
        raise KeyError(game)
    sections = [*(["trut-family"] if game in _FAMILY else []), game, "commands"]
    calls = [call for section in sections for call in _entries(section)]
    if game == "truc-y-flou":
        calls += _totals()
    said = {call.text for call in calls}
    calls += [call for call in (*_entries("asked"), *_cards(game)) if call.text not in said]
    said = {call.text for call in calls}
    talk = [call for section in ("talk", f"{game}-talk") for call in _entries(section) if call.text not in said]
    return (*calls, *talk)


def calls_from(lines: Iterable[str]) -> tuple[Call, ...]:
    """One call for each phrase; its event is the line as written. Empty lines and repetitions are skipped.

    Raises:
        UnreadablePhrases: no phrase, or far too many.
        UnpronounceablePhrase: a phrase that cannot be said in French.
    """
    texts = list(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not texts:
        raise UnreadablePhrases("aucune phrase à écouter dans cette liste")
    if len(texts) > MOST_PHRASES:
        raise UnreadablePhrases("trop de phrases : {count} (au plus {most})", count=len(texts), most=MOST_PHRASES)
    return tuple(Call(text, text, (text,), False, pronounce(text)) for text in texts)


def read_phrases(path: Path) -> tuple[str, ...]:
    """The lines of a text file of phrases (UTF-8, one a line, lines that start with # are comments).

    Raises:
        UnreadablePhrases: missing, a directory, or no text.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as problem:
        raise UnreadablePhrases("{path} : ce fichier n'existe pas", path=path) from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise UnreadablePhrases("{path} : ce n'est pas une liste de phrases lisible", path=path) from problem
    if "\0" in text:
        raise UnreadablePhrases("{path} : ce n'est pas une liste de phrases lisible", path=path)
    lines = tuple(line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    if not lines:
        raise UnreadablePhrases("{path} : aucune phrase à écouter", path=path)
    return lines
