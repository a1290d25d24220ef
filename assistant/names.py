"""What people, teams, cards and scores are called."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.i18n import N_, _, ngettext
from engine import Header
from engine.cards import rank_of, team_of

SIDES: dict[int, tuple[str, ...]] = {
    2: (N_("Sud"), N_("Nord")),
    4: (N_("Sud"), N_("Ouest"), N_("Nord"), N_("Est")),
    6: (N_("Sud"), N_("Sud-Est"), N_("Nord-Est"), N_("Nord"), N_("Nord-Ouest"), N_("Sud-Ouest")),
}
"""Seats by where they sit in the picture (CLI.md): the bottom of the picture is south."""

RANKS: dict[str, str] = {
    "7": N_("le sept"),
    "8": N_("le huit"),
    "9": N_("le neuf"),
    "10": N_("le dix"),
    "J": N_("le valet"),
    "Q": N_("la dame"),
    "K": N_("le roi"),
    "A": N_("l'as"),
}
SPANISH_RANKS: dict[str, str] = {
    "1": N_("l'as"),
    "2": N_("le deux"),
    "3": N_("le trois"),
    "4": N_("le quatre"),
    "5": N_("le cinq"),
    "6": N_("le six"),
    "7": N_("le sept"),
    "10": N_("le valet"),
    "11": N_("le cavalier"),
    "12": N_("le roi"),
}
FRENCH_SUITS = {"s": N_("de pique"), "h": N_("de cœur"), "d": N_("de carreau"), "c": N_("de trèfle")}
SPANISH_SUITS = {"e": N_("d'épées"), "b": N_("de bâtons"), "o": N_("d'or"), "c": N_("de coupes")}


class Names:
    """Names at one table, in the language in force when they are asked for."""

    def __init__(self, header: Header) -> None:
        self._header = header

    def use(self, header: Header) -> None:
        """The names at the table are others now, or the table is."""
        self._header = header

    def seat(self, seat: object) -> str:
        """``Marie``, or the side of the table."""
        if not isinstance(seat, int):
            return _("quelqu'un")
        return self._header.names.get(seat) or _(SIDES[self._header.seats][seat - 1])

    def to_hear(self) -> tuple[str, ...]:
        """What the players may call each seat, from seat 1 on: its name, else the side of the table. In French, the
        language of the ears."""
        seats = range(1, self._header.seats + 1)
        return tuple(self._header.names.get(seat) or SIDES[self._header.seats][seat - 1] for seat in seats)

    def team(self, team: str) -> str:
        """Both partners' names; the two sides joined where nobody gave a name."""
        seats = [s for s in range(1, self._header.seats + 1) if team_of(s) == team]
        if len(seats) == 1:
            return self.seat(seats[0])
        if not any(s in self._header.names for s in seats):
            if self._header.seats == 4:
                return _("Nord-Sud") if team == "A" else _("Est-Ouest")
            return _("l'équipe du Sud") if team == "A" else _("l'équipe du Nord")
        first = ", ".join(self.seat(s) for s in seats[:-1])
        return _("{first} et {last}").format(first=first, last=self.seat(seats[-1]))

    def card(self, card: object) -> str:
        """``le huit de pique``; without the suit where it was not seen."""
        if not isinstance(card, str):
            return _("une carte")
        if card.isdigit():
            return _("le {number}").format(number=card)
        rank, suit = rank_of(card), card[-1]
        if self._header.game == "truc-y-flou":
            ranks, suits = SPANISH_RANKS, SPANISH_SUITS
        else:
            ranks, suits = RANKS, FRENCH_SUITS
        if rank not in ranks:
            return card
        name = _(ranks[rank])
        return f"{name} {_(suits[suit])}" if suit in suits else name

    def points(self, score: Mapping[str, int]) -> str:
        """``1 long et 2 petits``, ``7 points``."""
        if "points" in score:
            return ngettext("{n} point", "{n} points", score["points"]).format(n=score["points"])
        longs = ngettext("{n} long", "{n} longs", score["longs"]).format(n=score["longs"])
        petits = ngettext("{n} petit", "{n} petits", score["petits"]).format(n=score["petits"])
        return _("{longs} et {petits}").format(longs=longs, petits=petits)

    def score(self, score: Mapping[str, Mapping[str, int]]) -> str:
        """``Nord-Sud contre Est-Ouest : 1 long et 2 petits à 0 long et 1 petit.``"""
        return _("{a} contre {b} : {score_a} à {score_b}.").format(
            a=capital(self.team("A")),
            b=self.team("B"),
            score_a=self.points(score["A"]),
            score_b=self.points(score["B"]),
        )


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
