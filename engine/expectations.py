"""Expectations: what a record says of the state, by which it checks itself (NOTATION.md section 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.events import number
from engine.game import Game
from engine.header import score_words

UNDEFINED: Final = "-"
"""What the state has to say where the question makes no sense (NOTATION.md section 11)."""


def actual(game: Game, words: tuple[str, ...]) -> str:
    """What the state says to an expectation, in the very words of the notation.

    Args:
        words: the words after ``expect``, the first being a key other than ``error``.

    >>> from engine.header import Header
    >>> game = Game(Header("trut"))
    >>> actual(game, ("turn", "1")), actual(game, ("score", "A", "1", "0", "B", "0", "0"))
    ('turn none', 'score A 0 0 B 0 0')
    """
    return f"{words[0]} {KEYS[words[0]](game, words[1:])}"


def holds(game: Game, words: tuple[str, ...]) -> bool:
    """Whether an expectation is true."""
    told = actual(game, words)
    return told == " ".join(words) and not told.endswith(UNDEFINED)


def _seats(seats: tuple[int, ...]) -> str:
    return " ".join(map(str, seats)) or "none"


def _trick(game: Game, words: tuple[str, ...]) -> str:
    return game.last_trick or "none"


def _round(game: Game, words: tuple[str, ...]) -> str:
    if not game.table.rounds:
        return "none"
    ended = game.table.rounds[-1]
    return f"{ended.winner or 'none'} {ended.award}"


def _score(game: Game, words: tuple[str, ...]) -> str:
    return score_words(game.score)


def _manche(game: Game, words: tuple[str, ...]) -> str:
    manches = game.manches
    return UNDEFINED if manches is None else f"A {manches['A']} B {manches['B']}"


def _turn(game: Game, words: tuple[str, ...]) -> str:
    return str(game.turn or "none")


def _dealer(game: Game, words: tuple[str, ...]) -> str:
    return str(game.dealer)


def _next_dealer(game: Game, words: tuple[str, ...]) -> str:
    return str(game.next_dealer)


def _cutter(game: Game, words: tuple[str, ...]) -> str:
    return str(game.cutter)


def _awaiting(game: Game, words: tuple[str, ...]) -> str:
    return _seats(game.awaiting)


def _phase(game: Game, words: tuple[str, ...]) -> str:
    return game.phase


def _stake(game: Game, words: tuple[str, ...]) -> str:
    return game.stake or UNDEFINED


def _fortial(game: Game, words: tuple[str, ...]) -> str:
    return game.fortial


def _winner(game: Game, words: tuple[str, ...]) -> str:
    return game.winner or "none"


def _cards(game: Game, words: tuple[str, ...]) -> str:
    seat = _seat(game, words[0] if words else "")
    held = game.cards_held(seat) if seat else None
    return f"{seat} {held}" if held is not None else UNDEFINED


def _foot(game: Game, words: tuple[str, ...]) -> str:
    team = words[0] if words else ""
    foot = game.foot(team) if team in ("A", "B") else None
    return f"{team} {foot}" if foot else UNDEFINED


def _value(game: Game, words: tuple[str, ...]) -> str:
    kind, seat = (words[0], _seat(game, words[1])) if len(words) > 1 else ("", 0)
    value = game.value(kind, seat) if seat and kind in ("embit", "flor") else None
    return f"{kind} {seat} {value}" if value else UNDEFINED


def _seat(game: Game, word: str) -> int:
    seat = number(word) or 0
    return seat if seat <= game.seats else 0


def _error(game: Game, words: tuple[str, ...]) -> str:
    return UNDEFINED  # it looks at the event before, not at the state: engine.replay


KEYS: Final[dict[str, Callable[[Game, tuple[str, ...]], str]]] = {
    "trick": _trick,
    "round": _round,
    "score": _score,
    "manche": _manche,
    "turn": _turn,
    "dealer": _dealer,
    "next-dealer": _next_dealer,
    "cutter": _cutter,
    "awaiting": _awaiting,
    "phase": _phase,
    "stake": _stake,
    "fortial": _fortial,
    "cards": _cards,
    "foot": _foot,
    "value": _value,
    "winner": _winner,
    "error": _error,
}
"""The keys of NOTATION.md section 6."""
