"""The words that the model knows by itself: those of the games, numbers, cards, and those that people say in the
recordings that the phone net learned from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from audio.errors import UnpronounceablePhrase
from audio.lexicon import Pronunciation, pronounce, spelled
from audio.phrasebook import GAMES, calls_of

_WORD = re.compile(r"[a-zàâäçéèêëîïôöùûüœæ]+(?:['-][a-zàâäçéèêëîïôöùûüœæ]+)*")

_CARDS = """
    as roi dame valet cavalier dix neuf huit sept six cinq quatre trois deux joker atout
    pique cœur carreau trèfle épée bâton coupe denier soleil
"""
_NUMBERS = """
    zéro un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit
    dix-neuf vingt trente quarante cinquante soixante soixante-dix septante quatre-vingts huitante nonante cent mille
    et premier première deuxième troisième dernier
"""
_SMALL = """
    je tu il elle on nous vous ils elles me te se le la les un une des de du au aux à en y que qui quoi ne pas plus
    moins mon ton son ma ta sa mes tes ses ce cette ces c'est j'ai oui non ouais si bon alors allez va vas vais veux
    peux sais suis es est a ai as ont faut fais fait joue jouer gauche droite haut bas avance recule stop arrête
    encore fin bonjour merci pardon
"""


def words_of(text: str) -> Iterator[str]:
    """The words of a text as the grammar of a Vosk model has them."""
    yield from _WORD.findall(spelled(text))


def texts(speech: Iterable[Path]) -> Iterator[str]:
    """Everything that is said: the phrase book, then the transcripts."""
    for game in GAMES:
        yield from (call.text for call in calls_of(game))
    yield from (_CARDS, _NUMBERS, _SMALL)
    for folder in speech:
        for labels in sorted(folder.glob("*/labels.jsonl")):
            for line in labels.read_text(encoding="utf-8").splitlines():
                yield json.loads(line)["text"]


def words_in(graph: Path) -> tuple[str, ...]:
    """The words of the model whose folder ``graph`` this is; none where there is none."""
    path = graph / "words.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    words = [line.split(" ")[0] for line in lines]
    return tuple(word for word in words if _WORD.fullmatch(word))


def vocabulary(speech: Iterable[Path], kept: Iterable[str] = ()) -> dict[str, tuple[Pronunciation, ...]]:
    """The words and how they are said: those of ``texts``, and those that are kept of an earlier model."""
    ways: dict[str, tuple[Pronunciation, ...]] = {}
    for word in sorted({*kept, *(word for text in texts(speech) for word in words_of(text))}):
        try:
            ways[word] = _ways(word)
        except UnpronounceablePhrase:
            continue
    return ways


def _ways(word: str) -> tuple[Pronunciation, ...]:
    """The ways to say a word inside a sentence too: "je" is also "j'", before a sound without voice "ch'"."""
    ways = list(pronounce(word))
    first = ways[0]
    if len(first) == 2 and first[1] == "@":
        ways += [first[:1], *([("S",)] if first[0] == "Z" else [])]
    return tuple(dict.fromkeys(way for way in ways if way and "SIL" not in way))
