"""The rulebook in French and English, clause by clause, filled in from what the code plays by.

Rankings, targets, packs and house rules in it are those of the ruleset itself, so that it cannot drift from
the code.

>>> clause("T-3", Header("trut")).english
'From high to low: 7, 8, A, K, Q, J, 10, 9. Suits are equal.'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from engine.header import Header
from engine.rulesets import ruleset_of
from engine.rulesets.truc import Truc
from engine.rulesets.truc_y_flou import LEVELS
from engine.table import Table

SECTION: Final = {"trut": "T", "trut-gatine": "G", "trut-robin-red": "R", "truc": "L", "truc-y-flou": "F"}
"""The letter of the clauses that are a game's own."""

_SOURCES: Final = {"C": "S0/S1, S2, S3, S4", "T": "S0/S1", "G": "S0/S1", "R": "S2", "L": "S4", "F": "S3"}

SOURCES: Final = {
    "S0/S1": "Wikipédia, « Trut » (d'après deux traductions)",
    "S2": "Robin Red Games, règles du Trut",
    "S3": "Wikipedia, “Truc y Flou” (from a translation)",
    "S4": "gamerules.com, “Le Truc” (from a translation)",
    "FW": "franco.wiki, « Trut »",
    "JDC": "jeuxdecartes.net, « Trut »",
    "PT": "ptsi.1fr1.net, « Le trut »",
    "CI": "cwowd.com, entretien avec l'éditeur",
    "TT1": "forum.trictrac.net, sujet 170433",
    "TT2": "forum.trictrac.net, sujet 171212",
    "RP": "livret imprimé de Robin Red",
    "CW": "CyberFoxar/CardWeb, trut.md",
    "TG": "com.trutgame.server",
    "JL": "jeuxloisirs.net",
    "PW": "pokerwiner.com",
    "AD": "adpoker.fr",
    "JB": "JorisL/blog",
    "EW": "Wikipedia, “Truc”",
    "DZ": "doczz.fr, « Truc y Flou »",
    "PG": "pagat.com, “Put”",
}
"""The sources that clauses name."""

_REPLACED: Final = {
    "trut": "",
    "trut-gatine": "T-3 T-30 T-31 T-32 T-33 T-34 T-35 T-36 T-37 T-50 T-51 T-52 T-53 T-54 T-55 T-56 T-60",
    "trut-robin-red": "T-1 T-2 T-3 T-4 T-6 T-11 T-21 T-24 T-30 T-31 T-34 T-35 T-60",
    "truc": "C-13 C-30",
    "truc-y-flou": "C-30",
}
"""Clauses of the sections that a game takes over, for which it has its own."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as it holds in one game."""

    number: str
    french: str
    english: str
    sources: tuple[str, ...]

    def text(self, language: str) -> str:
        """In French, or in English for ``en``."""
        return self.english if language == "en" else self.french


def clause(number: str, header: Header) -> Clause:
    """One clause, filled in for a game with its house rules. KeyError where there is no such clause."""
    return _clause(number, header.game, header.seats, tuple(sorted(header.options.items())))


@lru_cache(maxsize=1024)
def _clause(number: str, game: str, seats: int, options: tuple[tuple[str, str], ...]) -> Clause:
    """A clause depends on nothing else of a header; a report names the same few for every trick."""
    sources, french, english = _clauses()[number]
    fields = _fields(ruleset_of(Header(game, seats=seats, options=dict(options))))
    return Clause(number, french.format_map(fields), english.format_map(fields), sources)


def numbers(game: str) -> tuple[str, ...]:
    """The clauses that hold in a game, common ones first."""
    letters = {"trut": "CT", "trut-gatine": "CTG", "trut-robin-red": "CTR"}.get(game, "C" + SECTION[game])
    replaced = _REPLACED[game].split()
    borrowed = ("G-21", "G-22") if letters in ("CT", "CTR") else ()  # by option
    return tuple(
        number
        for number in _clauses()
        if number in borrowed or (number[0] in letters and number not in replaced)
    )


def clauses(header: Header) -> Iterator[Clause]:
    """All clauses that hold in a game."""
    for number in numbers(header.game):
        yield clause(number, header)


@cache
def _clauses() -> dict[str, tuple[tuple[str, ...], str, str]]:
    """Number to sources, French and English, as ``clauses.txt`` has them: three lines each."""
    text = resources.files(__name__).joinpath("clauses.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = {}
    for head, french, english in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        number, _, sources = head.partition(" ")
        named = sources or _SOURCES[number[0]]
        found[number] = (tuple(named.split(", ")), french, english)
    return found


class _Fields(dict[str, str]):
    """What a clause names and this game does not have is a dash."""

    def __missing__(self, key: str) -> str:
        return "–"


def _fields(table: Table) -> _Fields:
    """The facts that the clauses name, taken from the ruleset."""
    fields = _Fields(table.options)
    fields["seats"] = str(table.seats)
    fields["pack"] = str(len(table.PACK))
    fields["ranking"] = ", ".join(" = ".join(row) for row in table.ranking())
    fields["levels"] = ", ".join(LEVELS)
    if isinstance(table, Truc):
        ladder = [table.next_step(1)]
        while len(ladder) < 5:
            ladder.append(table.next_step(ladder[-1]))
        fields["ladder"] = ", ".join(map(str, ladder))
    return fields
