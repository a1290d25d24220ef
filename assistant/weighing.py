"""Weighing what was read against what can be: which card it is.

Pure functions. The eyes give guesses with their chances; the rules say which cards are already out. Neither
alone decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

SURE_RANK = 0.8
"""Chance of a rank from which it is taken at once (ranks alone win tricks)."""
LIKELY_RANK = 0.5
"""Chance of a rank from which it is taken after a second look brought nothing better."""
ELIMINATED = 0.6
"""Share of what is left from which a card found by elimination is believed."""
UNLISTED = 0.01
"""Chance of all the cards that a list of guesses does not name."""
SURE_SUIT = 0.5
"""Chance of a suit, given the rank, below which the suit is left open (``7?``)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a card is taken for.

    Attributes:
        card: as the record has it, ``7?`` with an open suit, None where nothing is known.
        p: chance that the rank is right.
        twin: the card that it looked like although that card already lies, None where it did not.
    """

    card: str | None
    p: float
    twin: str | None = None


def rank_of(card: str) -> str:
    """``10h`` → ``10``; a bare number of the numbered deck stays."""
    return card if card.isdigit() else card[:-1]


def has_suits(card: str) -> bool:
    return not card.isdigit()


def weigh_card(
    card: str | None,
    confidence: float,
    guesses: Iterable[tuple[str, float]],
    possible: Callable[[str], bool],
) -> Reading:
    """The likeliest card that can be laid now.

    What cannot be is left out before the chances are compared: a king of diamonds that already lies there
    makes the queen of diamonds, a poor second guess, the likeliest. Only where the second guesses say next to
    nothing is the rank believed and the suit left open.

    Args:
        card, confidence, guesses: as the eyes report them (``vision.events.CardLaid``).
        possible: False for a card that is not in the pack or that already lies in this round; ``7?`` is
            possible while one of the four is.
    """
    chances: dict[str, float] = {}
    for name, p in guesses:
        chances[name] = max(chances.get(name, 0.0), p)
    if card is not None:
        chances[card] = max(chances.get(card, 0.0), confidence)
    if not chances:
        return Reading(None, 0.0)
    looked_like = max(chances, key=lambda name: (chances[name], name))
    left = {name: p for name, p in chances.items() if possible(name)}
    if possible(looked_like):
        return _likeliest(left, 1.0)
    by_elimination = _likeliest(left, sum(left.values()) + UNLISTED)
    if by_elimination.card is not None and by_elimination.p >= ELIMINATED:
        return by_elimination
    open_suit = rank_of(looked_like) + "?" if has_suits(looked_like) else looked_like
    if possible(open_suit):
        return Reading(open_suit, min(1.0, chances[looked_like]), looked_like)
    return Reading(looked_like, min(1.0, chances[looked_like]), looked_like)


def _likeliest(chances: Mapping[str, float], total: float) -> Reading:
    """The likeliest rank and within it the likeliest suit, ``7?`` where no suit stands out."""
    ranks: dict[str, float] = {}
    for name, p in chances.items():
        ranks[rank_of(name)] = ranks.get(rank_of(name), 0.0) + p
    if not ranks:
        return Reading(None, 0.0)
    rank = max(ranks, key=lambda r: (ranks[r], r))
    best = max((n for n in chances if rank_of(n) == rank), key=lambda n: (chances[n], n))
    p = min(1.0, ranks[rank] / total)
    if chances[best] >= SURE_SUIT * ranks[rank] or not has_suits(best):
        return Reading(best, p)
    return Reading(rank + "?", p)
