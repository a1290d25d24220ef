"""Moves: what the players may say now, as buttons, and the words for moves that are no card."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from assistant.announcer import ASKED_BACK, ASKED_BACK_HERE
from assistant.i18n import N_, Both, _, both, ngettext
from engine import Event

Row = dict[str, object]
WORDS = {
    "deal": N_("On donne"),
    "annul": N_("Maldonne"),
    "concede": N_("On abandonne"),
    "discard": N_("J'écarte trois cartes"),
    "declare": N_("J'annonce mes points"),
    "redeal": N_("On redonne"),
}
"""Words of moves that nobody is asked back about."""
NO_BUTTONS = frozenset({"play", "cut", "hand", "undo", "set-score"})
LAST = ("redeal", "concede", "annul")
"""What is said seldom comes last."""
MOST_CHOICES = 12
"""Words after a call that are listed; of more (points) any number may be given."""


@lru_cache(maxsize=256)
def moves(game: str, legal: tuple[Event, ...]) -> list[Row]:
    """The calls among the legal events, each once: ``{"verb", "seats", "args", "texts", "text", "free"}``.

    Args:
        game: one of ``engine.GAMES``.
        legal: what the rules allow now.

    Returns:
        The usual ones first. ``seats``: who may, empty for a move of nobody in particular. ``args``: the words that may
        follow, ``texts`` the same as sentences; None where none do. ``free``: ``number`` or ``cards`` where any number
        or cards may follow, else None.
    """
    by_verb: dict[str, list[Event]] = {}
    for event in legal:
        if event.verb not in NO_BUTTONS:
            by_verb.setdefault(event.verb, []).append(event)
    return [
        _row(game, verb, by_verb[verb])
        for verb in sorted(by_verb, key=lambda verb: LAST.index(verb) + 1 if verb in LAST else 0)
    ]


def _row(game: str, verb: str, events: Iterable[Event]) -> Row:
    events = list(events)
    seats = list(dict.fromkeys(event.seat for event in events if event.seat is not None))
    args = list(dict.fromkeys(event.args for event in events if event.args))
    free = None
    if verb == "discard":
        free, args = "cards", []
    elif verb == "declare" or len(args) > MOST_CHOICES:
        free, args = "number", []
    return {
        "verb": verb,
        "seats": seats,
        "args": [list(words) for words in args] or None,
        "texts": [words_of(game, verb, words) for words in args] or None,
        "text": words_of(game, verb, ()),
        "free": free,
    }


@lru_cache(maxsize=256)
def words_of(game: str, verb: str, args: tuple[str, ...]) -> Both:
    """A call as one says it: "Je trute"."""
    meaning = " ".join((verb, *args))
    here = ASKED_BACK_HERE.get(game, {})
    if verb == "declare" and args and args[0].isdigit():
        return both(lambda: ngettext("{n} point", "{n} points", int(args[0])).format(n=args[0]))
    sentence = here.get(meaning) or ASKED_BACK.get(meaning) or here.get(verb) or ASKED_BACK.get(verb) or WORDS.get(verb)
    return both(lambda: _(sentence) if sentence else meaning)
