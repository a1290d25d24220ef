"""The phrases of the games, read from ``phrasebook.toml``, or from a text file of one phrase a line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from audio.errors import UnreadablePhrases
from audio.lexicon import Pronunciation, pronounce

BOOK = Path(__file__).with_name("phrasebook.toml")

GAMES: tuple[str, ...] = ("trut", "trut-gatine", "trut-robin-red", "truc", "truc-y-flou")
_FAMILY = frozenset(("trut", "trut-gatine", "trut-robin-red"))

#: Words to the assistant, not to the players: they may be said at any moment.
COMMANDS = frozenset(
    ("undo", "score", "turn", "rules", "repeat", "quieter", "louder", "pause", "resume", "new-game", "annul")
)

#: Card-point totals that can be declared in truc-y-flou (RULES.md F-21, F-40), and the word for none.
_TOTALS = {0: ("rien", "zéro")} | {
    n: (words,)
    for n, words in enumerate(
        [
            "vingt",
            "vingt et un",
            "vingt-deux",
            "vingt-trois",
            "vingt-quatre",
            "vingt-cinq",
            "vingt-six",
            "vingt-sept",
            "vingt-huit",
            "vingt-neuf",
            "trente",
            "trente et un",
            "trente-deux",
            "trente-trois",
            "trente-quatre",
            "trente-cinq",
            "trente-six",
            "trente-sept",
            "trente-huit",
            "trente-neuf",
            "quarante",
            "quarante et un",
        ],
        start=20,
    )
}

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
    for total, words in _TOTALS.items():
        for text in words:
            yield Call(text, f"declare {total}", (f"declare {total}",), True, pronounce(text))


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
    talk = [
        call for section in ("talk", f"{game}-talk") for call in _entries(section) if call.text not in said
    ]
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
        raise UnreadablePhrases(
            "trop de phrases : {count} (au plus {most})", count=len(texts), most=MOST_PHRASES
        )
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
    lines = tuple(
        line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    )
    if not lines:
        raise UnreadablePhrases("{path} : aucune phrase à écouter", path=path)
    return lines
