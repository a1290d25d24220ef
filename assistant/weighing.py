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
        p: chance that the rank is right (what decides tricks).
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
    worth: Callable[[str], object] = rank_of,
) -> Reading:
    """The likeliest card that can be laid now.

    What cannot be is left out before the chances are compared: a king of diamonds that already lies there
    makes the queen of diamonds, a poor second guess, the likeliest. Only where the second guesses say next to
    nothing is the rank believed and the suit left open.

    Args:
        card, confidence, guesses: as the eyes report them (``vision.events.CardLaid``).
        possible: False for a card that is not in the pack or that already lies in this round; ``7?`` is
            possible while one of the four is.
        worth: what decides tricks, the rank; in Truc y Flou the suit tells some cards of a rank apart. Cards of equal
            worth add up, and ``Reading.p`` is the chance that the worth is right.
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
        return _likeliest(left, 1.0, worth)
    by_elimination = _likeliest(left, sum(left.values()) + UNLISTED, worth)
    if by_elimination.card is not None and by_elimination.p >= ELIMINATED:
        return by_elimination
    open_suit = rank_of(looked_like) + "?" if has_suits(looked_like) else looked_like
    if possible(open_suit):
        return Reading(open_suit, min(1.0, chances[looked_like]), looked_like)
    return Reading(looked_like, min(1.0, chances[looked_like]), looked_like)


def _likeliest(chances: Mapping[str, float], total: float, worth: Callable[[str], object]) -> Reading:
    """The likeliest worth and within it the likeliest card, ``7?`` where no suit stands out."""
    alike: dict[object, list[str]] = {}
    for name in chances:
        alike.setdefault(worth(name), []).append(name)
    if not alike:
        return Reading(None, 0.0)
    names = max(alike.values(), key=lambda names: (sum(chances[name] for name in names), max(names)))
    best = max(names, key=lambda name: (chances[name], name))
    all_alike = sum(chances[name] for name in names)
    p = min(1.0, all_alike / total)
    open_suit = rank_of(best) + "?"
    if chances[best] >= SURE_SUIT * all_alike or not has_suits(best) or worth(open_suit) != worth(best):
        return Reading(best, p)
    return Reading(open_suit, p)
