"""Write ``audio/everyday.txt``: the commonest French words, and the rarer ones that sound nearly like one of the games.

usage: python -m models.phrases.recipe.everyday COUNTS [--out audio/everyday.txt]

``COUNTS`` is a list of words with how often they were said in film subtitles, JSON, ``{"word": count}``, plain or
gzipped: that of pyspellchecker 0.9 (``spellchecker/resources/fr.json.gz``, MIT; its counts come from OpenSubtitles).
It splits at apostrophes, so elided words are added here with counts of their order of magnitude.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from audio.errors import AudioError
from audio.everyday import WORDS
from audio.lexicon import Pronunciation, pronounce, spelled
from audio.phrasebook import GAMES, calls_of

#: So many of the commonest words are taken whatever they sound like.
COMMON = 5000
#: A rarer word said less often than this is none that a table says.
RARE = 150
_WORD = re.compile(r"[a-zàâçéèêëîïôöùûüœ][a-zàâçéèêëîïôöùûüœ'-]+|[aày]")
#: What elided words sound like, and how often (of 350 millions, roughly).
_ELIDED = {
    "l'": ("l", 3_000_000), "d'": ("d", 2_500_000), "j'": ("Z", 3_000_000), "c'": ("s", 1_500_000),
    "m'": ("m", 1_200_000), "t'": ("t", 1_200_000), "s'": ("s", 1_000_000), "n'": ("n", 2_000_000),
    "qu'": ("k", 1_500_000), "ch'": ("S", 500_000),
}  # fmt: skip
#: Words that the list lacks because it splits them, and their counts (roughly).
_SPLIT = {
    "c'est": 8_000_000, "j'ai": 3_000_000, "oui": 2_500_000, "qu'est-ce": 1_000_000, "n'est": 900_000,
    "d'accord": 700_000, "ouais": 600_000, "hein": 600_000, "s'il": 600_000, "y'a": 500_000, "ben": 300_000,
    "t'as": 300_000, "t'es": 300_000, "quelqu'un": 250_000, "euh": 200_000, "aujourd'hui": 200_000,
}  # fmt: skip


def distance(a: Sequence[str], b: Sequence[str]) -> int:
    """Phones to change, add or leave out to make ``b`` of ``a``.

    >>> distance(("t", "r", "y", "i", "t"), ("t", "r", "y", "t"))
    1
    """
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
    return row[-1]


def ways(said: Sequence[Pronunciation]) -> list[Pronunciation]:
    """The careful way, and one without a schwa."""
    first = said[0]
    if first[-1] == "@" and len(first) > 2:
        return [first, first[:-1]]
    return [first, *(way for way in said[1:] if len(way) == len(first) - 1)][:2]


def words_of_the_games() -> set[Pronunciation]:
    """How each word of each call sounds alone."""
    found = set()
    for game in GAMES:
        for call in calls_of(game):
            for word in re.split(r"[ ,'-]+", spelled(call.text)) if call.phrase and not call.name else ():
                try:
                    found.add(pronounce(word)[0])
                except AudioError:
                    continue
    return found


class Neighbours:
    """Finds what sounds nearly like one of some words: one phone apart, two where they are longer than four.

    Two words that are one change apart are equal after a phone has been left out of each; so only those are compared.
    """

    def __init__(self, words: set[Pronunciation]) -> None:
        self._by_part: dict[Pronunciation, set[Pronunciation]] = {}
        for word in words:
            for part in self._parts(word, self._apart(word)):
                self._by_part.setdefault(part, set()).add(word)

    @staticmethod
    def _apart(word: Pronunciation) -> int:
        return 1 if len(word) <= 4 else 2

    @staticmethod
    def _parts(word: Pronunciation, left_out: int) -> set[Pronunciation]:
        parts = {word}
        for _ in range(left_out):
            parts |= {part[:i] + part[i + 1 :] for part in parts for i in range(len(part))}
        return parts

    def near(self, way: Pronunciation) -> bool:
        """Whether it sounds nearly like one of the words, and is not one."""
        likely = {word for part in self._parts(way, 2) for word in self._by_part.get(part, ())}
        return any(0 < distance(way, word) <= self._apart(word) for word in likely)


def chosen(counts: dict[str, int]) -> Iterator[tuple[str, int, Pronunciation]]:
    """(word, count, pronunciation) of everything that goes into the list."""
    said = {word: n for word, n in counts.items() if n >= RARE and _WORD.fullmatch(word)} | _SPLIT
    games = Neighbours(words_of_the_games())
    for rank, (word, n) in enumerate(sorted(said.items(), key=lambda item: (-item[1], item[0]))):
        try:
            found = pronounce(word)
        except AudioError:
            continue
        if rank < COMMON or games.near(found[0]):
            yield from ((word, n, way) for way in ways(found))
    for word, (phone, n) in _ELIDED.items():
        yield word, n, (phone,)


def write(counts: dict[str, int], out: Path) -> int:
    """Write the list; words that sound the same share a line. Returns the number of lines."""
    total: collections.Counter[Pronunciation] = collections.Counter()
    name: dict[Pronunciation, tuple[int, str]] = {}
    for word, n, way in chosen(counts):
        total[way] += n
        name[way] = max(name.get(way, (0, "")), (n, word))
    lines = [f"{name[way][1]}\t{n}\t{' '.join(way)}" for way, n in sorted(total.items(), key=lambda i: (-i[1], i[0]))]
    head = "# word, count in film subtitles (pyspellchecker, MIT), phones; written by models/phrases/recipe/everyday.py"
    out.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return len(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", type=Path)
    parser.add_argument("--out", type=Path, default=WORDS)
    args = parser.parse_args()
    data = args.counts.read_bytes()
    if args.counts.suffix == ".gz":
        data = gzip.decompress(data)
    print(write(json.loads(data), args.out), "lines")


if __name__ == "__main__":
    main()
