"""Rulings in a sentence, with the clause and the source of the rule, in French and English.

For the announcer and the coach: why was this trick rotten, why may he not play?
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.cards import rank_of
from engine.events import Event
from engine.options import GAMES
from engine.outcomes import (
    ChallengeFolded,
    ChallengeMade,
    ChallengeTaken,
    DeclarationDue,
    Declared,
    GameWon,
    MancheWon,
    Outcome,
    PetitsConverted,
    PointsScored,
    RoundDealt,
    RoundEnded,
    ScoreSet,
    TrickRotten,
    TrickWon,
    Undone,
)
from engine.refusals import Refusal
from engine.rulebook import Clause, clause
from engine.table import Table


def _by_game(*numbers: str) -> dict[str, str]:
    return dict(zip(GAMES, numbers, strict=True))


_RULES: Final[dict[str, dict[str, str]]] = {
    # what happened, and the clause for it in each game
    "deal": _by_game("T-6", "G-5", "R-5", "L-5", "F-3"),
    "challenge": _by_game("T-22", "T-22", "R-20", "L-21", "F-62"),
    "taken": _by_game("T-28", "T-28", "R-20", "L-24", "F-64"),
    "folded": _by_game("T-26", "T-26", "R-20", "L-23", "F-63"),
    "petit": _by_game("T-30", "G-30", "R-30", "L-7", "F-15"),
    "long": _by_game("T-31", "G-43", "R-30", "L-26", "F-15"),
    "fold": _by_game("T-27", "G-30", "R-30", "L-28", "F-63"),
    "refuse": _by_game("T-27", "G-42", "R-30", "L-23", "F-63"),
    "void": _by_game("T-33", "G-30", "R-10", "L-7", "F-17"),
    "game": _by_game("T-60", "G-60", "R-31", "L-40", "F-81"),
    "conversion": _by_game("T-34", "G-31", "R-30", "L-40", "F-80"),
    "voice": _by_game("T-24", "T-24", "R-23", "L-21", "F-62"),
    "cutter": _by_game("T-4", "G-5", "R-3", "L-4", "F-3"),
    "dealer": _by_game("T-4", "G-5", "R-4", "L-4", "F-3"),
    "pack": _by_game("T-2", "T-2", "R-2", "L-2", "F-2"),
    "needs-card": _by_game("T-21", "T-21", "R-21", "L-20", "F-60"),
    "late": _by_game("T-29", "T-29", "T-29", "L-30", "F-20"),
    "claim": _by_game("T-29", "T-29", "T-29", "L-20", "F-28"),
    "limit": _by_game("T-23", "T-23", "R-20", "L-26", "F-64"),
    "declare": _by_game("T-51", "G-40", "T-51", "L-30", "F-28"),
}

_REFUSALS: Final = {
    "out-of-turn": "C-8",
    "duplicate-card": "C-9",
    "not-in-hand": "C-9",
    "bad-hand": "C-6",
    "game-over": "C-5",
    "round-over": "C-3",
    "round-running": "C-3",
    "redeal-due": "G-50",
    "discard-pending": "G-47",
    "trut-d-off": "G-41",
    "already-truted": "T-23",
    "flor-in-force": "F-41",
    "already-declared": "F-20",
    "already-raised": "L-20",
    "redeal-used": "L-30",
    "bad-raise": "F-62",
    "bad-declare": "F-28",
    "unknown-card": "pack",
    "wrong-dealer": "dealer",
    "wrong-cutter": "cutter",
    "no-cards-left": "needs-card",
    "too-late": "late",
    "false-claim": "claim",
    "no-more-raises": "limit",
    "challenge-pending": "challenge",
    "declare-pending": "declare",
    "no-challenge": "voice",
    "not-your-challenge": "voice",
}
"""The clause, or the row of the table above, that stands behind a refusal; C-4 for the rest."""

_REASONS: Final = {
    "fortial": "T-53",
    "hold-refused": "G-42",
    "annul": "C-3",
    "concede": "C-5",
    "rest": "L-27",
}

_ENGLISH: Final = {
    "bad-header": "{event}: a header must stand before the first event",
    "unknown-verb": "{event}: unknown event",
    "syntax": "{event}: words are missing, too many or malformed",
    "bad-seat": "{event}: there is no such seat at this table",
    "not-in-game": "there is no {verb} in this game",
    "discard-pending": "everyone must first put three cards back",
    "redeal-due": "all is rotten: three new cards each must be dealt first",
    "nothing-to-undo": "there are not so many events to take back",
    "bad-hand": "{event}: the wrong number of cards, or a card twice",
    "flor-in-force": "a flor was said: embits no longer count",
    "already-declared": "{verb}: it has been said already",
    "already-raised": "seat {seat} has already raised in this trick",
    "bad-raise": "{event}: this raise is not allowed here",
    "bad-declare": "{event}: there is no such total",
    "redeal-used": "other cards have been asked for in this round",
    "out-of-turn": "it is not the turn of seat {seat} but of seat {expected}",
    "duplicate-card": "the card {card} is already out or in another hand",
    "not-in-hand": "seat {seat} does not hold {card}",
    "unknown-card": "{card} is no card of this pack",
    "challenge-pending": "seat {expected} must answer first",
    "declare-pending": "seat {expected} must declare first",
    "already-truted": "there has been a trut in this round",
    "trut-d-off": "the round is automatic: nobody truts",
    "game-over": "the game is over",
    "round-over": "no round is running: deal first",
    "round-running": "a round is running",
    "no-challenge": "there is nothing to answer",
    "not-your-challenge": "it is not for seat {seat} to answer",
    "too-late": "too late for {verb}",
    "no-cards-left": "seat {seat} has no card left",
    "false-claim": "the known hand of seat {seat} contradicts {verb}",
    "wrong-dealer": "seat {expected} deals",
    "wrong-cutter": "seat {expected} cuts",
    "no-more-raises": "nothing may be raised any further",
}

_RANKS: Final = {
    "7": ("sept", "sevens"), "8": ("huit", "eights"), "9": ("neuf", "nines"), "10": ("dix", "tens"),
    "J": ("valets", "jacks"), "Q": ("dames", "queens"), "K": ("rois", "kings"), "A": ("as", "aces"),
}  # fmt: skip
_COUNTS: Final = ("zéro", "un", "deux", "trois", "quatre", "cinq", "six")
_COUNTS_EN: Final = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was decided, and by which rule. ``str`` of it is French, with the clause."""

    french: str
    english: str
    clause: Clause

    def text(self, language: str = "fr") -> str:
        """The sentence with its clause, in French or for ``en`` in English."""
        return f"{self.english if language == 'en' else self.french}, clause {self.clause.number}"

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the rule is from: tags of ``engine.rulebook.SOURCES``."""
        return self.clause.sources

    def __str__(self) -> str:
        return self.text()


def ruling(table: Table, what: Outcome | Refusal | Event) -> Ruling:
    """The ruling on an outcome or a refusal at this table. An event without any is allowed."""
    number, french, english = _words(table, what)
    number = _RULES[number][table.header.game] if number in _RULES else number
    return Ruling(french, english, clause(number, table.header))


def _words(table: Table, what: Outcome | Refusal | Event) -> tuple[str, str, str]:
    if isinstance(what, Refusal):
        return _REFUSALS.get(what.code, "C-4"), what.message, _ENGLISH[what.code].format(**what.fields)
    if isinstance(what, TrickRotten):
        return "C-12", *_rotten(table, what)
    if isinstance(what, TrickWon):
        best = max(what.cards, key=table.strengths.__getitem__, default="")
        return (
            "C-11",
            f"pli pour l'équipe {what.team} : {best} de la place {what.seat} est la plus forte",
            f"trick to team {what.team}: {best} of seat {what.seat} is highest",
        )
    if isinstance(what, RoundEnded):
        return _round(table, what)
    if isinstance(what, Event):
        return "C-4", f"« {what} » est permis", f"{what} is allowed"
    return _simple(table, what)


def _rotten(table: Table, trick: TrickRotten) -> tuple[str, str]:
    """Pli pourri : deux sept, un de chaque camp."""
    top = max(table.strengths[card] for card in trick.cards)
    best = [(place, card) for place, card in enumerate(trick.cards) if table.strengths[card] == top]
    ranks = {rank_of(card) for _, card in best}
    sides = [sum(place % 2 == side for place, _ in best) for side in (0, 1)]
    french, english = _RANKS.get(next(iter(ranks)), ("", "")) if len(ranks) == 1 else ("", "")
    cards = ", ".join(card for _, card in best)
    if not french:
        return (
            f"pli pourri : {cards} à égalité dans les deux camps",
            f"rotten trick: {cards} equal on both sides",
        )
    if sides[0] == sides[1] and sides[0] < len(_COUNTS):
        one = "une" if french == "dames" else _COUNTS[sides[0]]
        name = french if sides[0] > 1 else french.removesuffix("s") if french != "as" else french
        each = english if sides[0] > 1 else english.removesuffix("s")
        return (
            f"pli pourri : {one if sides[0] == 1 else _COUNTS[sides[0]]} {name} de chaque camp",
            f"rotten trick: {_COUNTS_EN[sides[0]]} {each} on each side",
        )
    number = len(best)
    return (
        f"pli pourri : {_COUNTS[number]} {french} à égalité dans les deux camps",
        f"rotten trick: {_COUNTS_EN[number]} equal {english} on both sides",
    )


_AWARDS: Final = {
    "petit": ("un petit", "one petit"),
    "long": ("un long", "one long"),
    "game": ("la partie", "the game"),
    "manche": ("la manche", "the manche"),
}


def _round(table: Table, ended: RoundEnded) -> tuple[str, str, str]:
    if ended.winner is None:
        number = _REASONS.get(ended.reason, "void")
        return number, "manche nulle : personne ne marque", "void round: nobody scores"
    french, english = _AWARDS.get(ended.award, (ended.award, ended.award))
    number = _REASONS.get(ended.reason, ended.reason)
    if ended.reason == "tricks":
        number = "long" if ended.award in ("long", "game") else "petit"
    elif ended.reason in ("declaration", "bonus"):
        number = "F-80"
    return (
        number,
        f"manche à l'équipe {ended.winner} : {french}",
        f"round to team {ended.winner}: {english}",
    )


_DUE: Final = {
    "fortial": ("T-51", "au fortial : qui trute ?", "fortial: who truts?"),
    "hold": ("G-40", "à tenir : qui veut ?", "to hold: who will?"),
    "sing": ("G-45", "qui chante ?", "who sings?"),
    "discard": ("G-47", "chacun écarte trois cartes", "everyone puts three cards back"),
    "redeal": ("G-50", "tout pâté : on redonne trois cartes", "tout pâté: three new cards each"),
    "count": ("F-28", "on compare les totaux", "totals are compared"),
}


_TRUTS: Final = {"brelan": "T-29", "tierce": "G-21", "deux-petits": "G-22"}
_CALLED: Final = {
    "trut": _TRUTS,
    "trut-gatine": _TRUTS,
    "trut-robin-red": _TRUTS,
    "truc": {"rest": "L-25", "redeal": "L-30"},
    "truc-y-flou": {"raise": "F-25", "trucrest": "F-30", "better": "F-45", "rest": "F-47"},
}
"""The clause of a challenge, where it is not that of the table above."""

_DECLARED: Final = {
    "trut-gatine": {"sing": "G-45", "silent": "G-46", "discard": "G-47"},
    "truc-y-flou": {
        "embit": "F-21", "falta": "F-27", "sing": "F-24", "raise": "F-25", "trucrest": "F-30",
        "flor": "F-40", "better": "F-45", "silent": "F-45", "rest": "F-47",
    },
}  # fmt: skip
"""The clause of a declaration, where it is not that of the table above."""


def _simple(table: Table, what: Outcome) -> tuple[str, str, str]:
    if isinstance(what, RoundDealt):
        return "deal", f"donne de la place {what.dealer} : la place {what.leader} entame", (
            f"seat {what.dealer} deals, seat {what.leader} leads"
        )  # fmt: skip
    if isinstance(what, ChallengeMade):
        number = _CALLED.get(table.header.game, {}).get(what.verb, "challenge")
        return number, f"la place {what.seat} : « {what.verb} » ; on attend la réponse", (
            f"seat {what.seat}: {what.verb}; an answer is due"
        )  # fmt: skip
    if isinstance(what, ChallengeTaken):
        return "taken", f"la place {what.seat} accepte : la manche vaut {what.stake}", (
            f"seat {what.seat} accepts: the round is worth {what.stake}"
        )  # fmt: skip
    if isinstance(what, ChallengeFolded):
        return (
            "fold" if what.settled else "folded",
            f"la place {what.seat} se couche",
            f"seat {what.seat} folds",
        )
    if isinstance(what, DeclarationDue):
        return _DUE[what.phase]
    if isinstance(what, Declared):
        number = _DECLARED.get(table.header.game, {}).get(what.verb, "declare")
        return number, f"la place {what.seat} : « {what.verb} »", f"seat {what.seat}: {what.verb}"
    if isinstance(what, PetitsConverted):
        return "conversion", f"trois petits de l'équipe {what.team} font un long", (
            f"three petits of team {what.team} make a long"
        )  # fmt: skip
    if isinstance(what, PointsScored):
        number = {"bonus": "F-70", "embit": "F-24", "falta": "F-27", "annulled": "F-41"}.get(
            what.kind, "F-44"
        )
        return number, f"{what.kind} : {what.points} à l'équipe {what.team}", (
            f"{what.kind}: {what.points} to team {what.team}"
        )  # fmt: skip
    if isinstance(what, MancheWon):
        return "F-80", f"l'équipe {what.team} gagne la manche", f"team {what.team} wins the manche"
    if isinstance(what, GameWon):
        return "game", f"l'équipe {what.team} gagne la partie", f"team {what.team} wins the game"
    if isinstance(what, ScoreSet):
        return "C-3", "score convenu entre les joueurs", "score agreed by the players"
    assert isinstance(what, Undone)
    return "C-4", f"événements repris : {what.count}", f"events taken back: {what.count}"
