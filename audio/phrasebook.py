"""The phrases of the games, read from ``phrasebook.toml``, or from a text file of one phrase a line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from audio.cardnames import card_names, corrects
from audio.errors import UnpronounceablePhrase, UnreadablePhrases
from audio.lexicon import Pronunciation, pronounce
from audio.seatnames import dealer_names, numbered, seat_names
from audio.totals import totals

BOOK = Path(__file__).with_name("phrasebook.toml")

GAMES: tuple[str, ...] = ("trut", "trut-gatine", "trut-robin-red", "truc", "truc-y-flou")
_FAMILY = frozenset(("trut", "trut-gatine", "trut-robin-red"))

#: Words to the assistant, not to the players: they may be said at any moment.
COMMANDS = frozenset(
    (
        "undo", "score", "turn", "rules", "repeat", "quieter", "louder", "hush", "speak", "review", "pause", "resume",
        "new-game", "rematch", "annul", "before",
    )
)  # fmt: skip

#: What must be expected for the name of a card or of a player to count: the bare name answers a question about a
#: card or a player, a correction ("non, le roi", "c'était Marie") may follow any card.
CARD, SEAT, CORRECTION = "card", "seat", "correction"
#: What must be expected for words about who deals to count: they are said between rounds.
DEALER = "dealer"

#: Ways to say a name that are searched for, the careful ones; the rest would cost more than it brings.
NAME_WAYS = 4

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
        careful: True for a word that laughter and chatter sound like: it counts only where it is sure.
    """

    text: str
    phrase: str
    means: tuple[str, ...]
    answer: bool
    pronunciations: tuple[Pronunciation, ...]
    careful: bool = False

    @property
    def verbs(self) -> frozenset[str]:
        """The first words of what it may mean: ``raise`` of ``raise 10``."""
        return frozenset(event.split()[0] for event in self.means)

    @property
    def card(self) -> bool:
        """Whether it names a card and nothing else."""
        return _CARD.fullmatch(self.phrase) is not None

    @property
    def name(self) -> bool:
        """Whether it names a card or a player: there are many of these, and they are said only when one is asked
        for, corrected, or deals."""
        return self.card or bool(self.verbs & {SEAT, DEALER})

    def may_be_said(self, expected: frozenset[str]) -> bool:
        """Whether it counts while these verbs (and ``CARD``, ``SEAT``, ``DEALER``, ``CORRECTION``) are expected;
        commands always do."""
        if self.card:
            return CARD in expected or (CORRECTION in expected and corrects(self.text))
        if SEAT in self.verbs and CORRECTION in expected and corrects(self.text):
            return True
        return bool(self.verbs & (expected | COMMANDS))


@lru_cache(maxsize=1)
def _book() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(BOOK.read_text(encoding="utf-8"))


def _entries(section: str) -> Iterator[Call]:
    for entry in _book().get(section, []):
        phrase = entry.get("phrase", "")
        means = tuple(entry.get("means", [phrase] if phrase else []))
        for text in entry["say"]:
            answer, careful = bool(entry.get("answer", False)), bool(entry.get("careful", False))
            yield Call(text, phrase, means, answer, pronounce(text), careful)


def _totals() -> Iterator[Call]:
    for text, spoken, total in totals():
        event = f"declare {total}"
        yield Call(text, event, (event,), True, pronounce(spoken))


def _names(game: str, called: Sequence[str]) -> Iterator[Call]:
    """The names of cards and players. A player whose name cannot be said in French has the place alone."""
    called = [name if _can_be_said(name) else "" for name in called]
    for text, event in (*card_names(game), *seat_names(called), *dealer_names(called)):
        yield Call(text, event, (event,), True, pronounce(text)[:NAME_WAYS])


def _can_be_said(name: str) -> bool:
    try:
        pronounce(name)
    except UnpronounceablePhrase:
        return False
    return True


@lru_cache(maxsize=8)
def calls_of(game: str, called: tuple[str, ...] = ()) -> tuple[Call, ...]:
    """All calls of ``game``, the commands, and the talk that is passed over.

    Args:
        called: what the players are called, from place 1 on (an empty name where nobody has said); without it
            they are numbers.

    Raises:
        KeyError: an unknown game.
    """
    if game not in GAMES:
        raise KeyError(game)
    sections = [*(["trut-family"] if game in _FAMILY else []), game, "commands"]
    calls = [call for section in sections for call in _entries(section)]
    if game == "truc-y-flou":
        calls += _totals()
    said = {call.text for call in calls}
    calls += [call for call in (*_entries("asked"), *_names(game, called or numbered(game))) if call.text not in said]
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
