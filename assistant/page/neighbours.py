"""Neighbours: the cards that one may be instead, likeliest first.

What the eyes themselves held possible comes first, then what looks like the card that was counted (the next rank of the
same suit, the same rank of another one), then all others. A card that is out already in that round comes last: it can
only be this one if another was misread too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine import Event, Game
from engine.cards import UNSEEN, Pack, rank_of

PICTURES = frozenset({"J", "Q", "K", "11", "12"})
"""Ranks with a figure on them."""
PAIRS = ({"h", "d"}, {"s", "c"})
"""Suits of one colour."""
OTHER_SUIT, OTHER_COLOUR, FAR = 1.6, 2.2, 9.0
"""How unlike cards are: a rank farther counts 1."""


def neighbours(game: Game, at: int, guesses: Sequence[tuple[str, float]] = ()) -> list[str]:
    """The cards that the one laid at ``game.log[at]`` may be instead.

    Args:
        game: as it stands.
        at: where the card stands in the log; the end of the log for one that nobody saw.
        guesses: what the eyes took it for: cards with probabilities.
    """
    log = game.log
    now = log[at].args[0] if at < len(log) and log[at].verb == "play" else None
    return likely(game.table.PACK, now, guesses, _out(log, at))


def likely(pack: Pack, now: str | None, guesses: Sequence[tuple[str, float]], out: Collection[str]) -> list[str]:
    """All cards of a pack but ``now``, likeliest first.

    Args:
        now: what the card was counted for, None where it was not.
        guesses: what the eyes took it for.
        out: the other cards that are out, each as often as it is.
    """
    chances: Mapping[str, float] = dict(guesses)
    pictured = max(guesses, key=lambda guess: guess[1])[0] if guesses else None
    like = now or pictured
    places = {card: place for place, card in enumerate(pack.tokens)}
    counts = [*out]

    def unlikely(card: str) -> tuple[bool, float, float, int]:
        return counts.count(card) >= pack.copies, -chances.get(card, 0.0), _unlike(pack, like, card), places[card]

    return sorted((card for card in pack.tokens if card != now), key=unlikely)


def _out(log: Sequence[Event], at: int) -> list[str]:
    """The cards of the round that ``at`` belongs to, without the one that stands there."""
    first = next((i for i in range(min(at, len(log) - 1), -1, -1) if log[i].verb == "deal"), 0)
    last = next((i for i in range(first + 1, len(log)) if log[i].verb == "deal"), len(log))
    return [log[i].args[0] for i in range(first, last) if i != at and log[i].verb == "play"]


def _unlike(pack: Pack, one: str | None, other: str) -> float:
    """How unlike two cards look."""
    if one is None:
        return 0.0
    rank, suit = rank_of(one), one[len(rank_of(one)) :]
    other_suit = other[len(rank_of(other)) :]
    ranks = abs(pack.ranks.index(rank) - pack.ranks.index(rank_of(other))) if rank in pack.ranks else FAR
    unlike = float(ranks)
    if (rank in PICTURES) != (rank_of(other) in PICTURES):
        unlike += 1.5
    if suit in ("", UNSEEN) or suit == other_suit:
        return unlike
    return unlike + (OTHER_SUIT if any({suit, other_suit} <= pair for pair in PAIRS) else OTHER_COLOUR)
