"""House rules: every option, its values, and its default in each game (NOTATION.md section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GAMES: Final = ("trut", "trut-gatine", "trut-robin-red", "truc", "truc-y-flou")


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule.

    Attributes:
        values: the words it may have; empty for a number from 1.
        defaults: its default in each game that knows it.
        clauses: the clauses of RULES.md that it belongs to.
    """

    values: tuple[str, ...]
    defaults: dict[str, str]
    clauses: tuple[str, ...]

    def allows(self, value: str) -> bool:
        """Whether ``value`` is one of its values."""
        if self.values:
            return value in self.values
        return value.isascii() and value.isdigit() and len(value) <= 6 and int(value) >= 1


def _option(values: str, clauses: str, defaults: str) -> Option:
    """``defaults`` in the order of ``GAMES``, a dash where the game does not know the option."""
    words = zip(GAMES, defaults.split(), strict=True)
    known = {game: word for game, word in words if word != "-"}
    return Option(tuple(values.split()), known, tuple(clauses.split()))


OPTIONS: Final[dict[str, Option]] = {
    # name: values, clauses, and the defaults of trut, trut-gatine, trut-robin-red, truc, truc-y-flou
    "target": _option("", "T-60 G-60 R-31 L-40 F-80", "7 7 7 12 25"),
    "rotten-lead": _option(
        "rotter last-equal first-equal leader", "C-14", "rotter rotter first-equal leader leader"
    ),
    "partner-lead": _option("first last", "C-13", "first first first - first"),
    "long-clears": _option("opponent winner both", "C-30", "opponent winner both - -"),
    "brelan": _option("on off", "T-29", "on on off - -"),
    "tierce": _option("on off", "G-21", "off on off - -"),
    "deux-petits": _option("on off", "G-22", "off on off - -"),
    "fortial": _option("on off", "T-50", "on - off - -"),
    "trut-needs-card": _option("on off", "T-21 R-21", "off off on - -"),
    "trut-when": _option("any own-turn", "T-21 R-21", "any any any - -"),
    "answer": _option("individual team", "T-24 R-23", "individual individual individual - -"),
    "answer-order": _option("dealer truter", "T-24 R-23", "dealer dealer truter - -"),
    "dealer-rotation": _option("left best-card", "R-4", "- - left - -"),
    "ten": _option("high low", "G-4", "- high - - -"),
    "pate-exhausted": _option("null reshuffle", "G-53", "- null - - -"),
    "pate-lead": _option("first rotter", "G-52", "- first - - -"),
    "raise-ladder": _option("printed two double", "L-22", "- - - printed -"),
    "rest-refused": _option("game stake", "L-27", "- - - game -"),
    "redeal-who": _option("any non-dealer", "L-31", "- - - any -"),
    "peric-rank": _option("low court", "F-5", "- - - - low"),
    "ace-points": _option("0 1", "F-6", "- - - - 0"),
    "embit-answer": _option("later any", "F-23", "- - - - later"),
    "flor-annuls": _option("all open", "F-41", "- - - - all"),
    "bonus": _option("played won", "F-70", "- - - - played"),
    "truc-when": _option("any own-turn", "F-60", "- - - - any"),
    "truc-reopen": _option("on off", "F-64", "- - - - off"),
    "truc-skip": _option("on off", "F-62", "- - - - off"),
    "all-tied": _option("none elder", "F-17", "- - - - none"),
    "play-out": _option("on off", "F-16", "- - - - off"),
    "manches": _option("1 3", "F-81", "- - - - 3"),
}
"""Every house rule."""


def options_of(game: str) -> dict[str, str]:
    """The options that ``game`` knows, with their defaults.

    >>> options_of("trut")["rotten-lead"]
    'rotter'
    """
    return {name: option.defaults[game] for name, option in OPTIONS.items() if game in option.defaults}
