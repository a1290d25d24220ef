"""The cards on the table as the interpreter knows them: which lie there, which were played, which only
wait."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vision.events import CardLaid, CardMoved, CardsTaken, Quad

FOUND_AGAIN = 2.0
"""Seconds within which a card that was lost from sight may turn up again in its place."""
AT_ONCE = 0.6
"""Seconds within which a card "taken" and another one "laid" in its place are one card, read otherwise."""
SURE = 0.95
"""Confidence of a reading that is not taken for another one's correction."""
REMEMBERED = 64
"""Cards that are gone and still remembered, for corrections."""


@dataclass(slots=True)
class TableCard:
    """One card on the table.

    Attributes:
        laid: what the eyes reported, with the reading that counts now.
        quad, zone: where it lies now.
        played: the rules have accepted it.
        waits: laid too early; it is played if it still lies there when its turn comes.
        gone: when it was taken away, None while it lies.
    """

    laid: CardLaid
    quad: Quad
    zone: int | None
    played: bool = False
    waits: bool = False
    gone: float | None = None


class Tabletop:
    """All cards that lie on the table, and the last ones that lay there."""

    def __init__(self) -> None:
        self._cards: dict[int, TableCard] = {}
        self._alias: dict[int, int] = {}
        self._taken: dict[int, float] = {}

    def __iter__(self) -> Iterator[TableCard]:
        """The cards that lie there now, in the order in which they were laid."""
        return (card for card in self._cards.values() if card.gone is None)

    def get(self, track: int) -> TableCard | None:
        """The card of a track, also one that is gone."""
        return self._cards.get(self._alias.get(track, track))

    def lay(self, laid: CardLaid) -> TableCard:
        """Put a card down, or give the one of that track its new reading."""
        card = self.get(laid.track)
        if card is None:
            gone = self._taken.get(laid.track)  # taken before it was known
            card = self._cards[laid.track] = TableCard(laid, laid.quad, laid.zone, gone=gone)
            self._forget()
        card.laid = laid
        return card

    def found_again(self, laid: CardLaid, card: TableCard) -> None:
        """The new track is a card that was known already."""
        self._alias[laid.track] = card.laid.track
        card.gone, card.quad, card.zone = None, laid.quad, laid.zone

    def move(self, moved: CardMoved) -> None:
        """A card lies elsewhere now, or has come to light again."""
        card = self.get(moved.track)
        if card is not None:
            card.quad, card.zone, card.gone = moved.quad, moved.zone, None

    def take(self, taken: CardsTaken) -> list[TableCard]:
        """Take cards away; those that lay there."""
        self._taken = dict(list(self._taken.items())[-REMEMBERED:]) | dict.fromkeys(taken.tracks, taken.t)
        cards = [card for card in map(self.get, taken.tracks) if card is not None and card.gone is None]
        for card in cards:
            card.gone, card.waits = taken.t, False
        return cards

    def same_as(self, laid: CardLaid, possible: Callable[[str], bool], *, unlikely: bool) -> TableCard | None:
        """The known card that a new track really is: lost from sight and found again in its place.

        Args:
            possible: whether a card may be laid now; of most packs none can come a second time in a round.
            unlikely: nothing speaks for a new card of whoever's turn it is.
        """
        once = laid.card is not None and (unlikely or not possible(laid.card))
        for card in self:
            apart = _distance(card.quad, laid.quad) / _size(card.quad)
            if card.laid.track == laid.track:
                continue
            other = laid.hand is not None and not unlikely and laid.card not in (None, card.laid.card)
            if (apart < 0.12 and not other) or (apart < 0.5 and once and laid.card == card.laid.card):
                return card
        for card in reversed(self._cards.values()):
            if card.gone is None or not card.played or laid.t - card.gone > FOUND_AGAIN:
                continue
            if once and laid.card == card.laid.card and (unlikely or laid.hand is None):
                return card  # pushed aside
            if _distance(card.quad, laid.quad) > 0.35 * _size(card.quad):
                continue
            if once and laid.card == card.laid.card:
                return card
            if unlikely and laid.t - card.gone < AT_ONCE and not _surely_another(card.laid, laid):
                return card
        return None

    def _forget(self) -> None:
        gone = [track for track, card in self._cards.items() if card.gone is not None]
        for track in gone[:-REMEMBERED]:
            del self._cards[track]


def _surely_another(lay: CardLaid, laid: CardLaid) -> bool:
    """Whether a hand laid another card on the one that lay there, both read beyond doubt."""
    sure = min(lay.confidence, laid.confidence) >= SURE and None not in (lay.card, laid.card)
    return sure and laid.hand is not None and lay.card != laid.card


def _distance(p: Quad, q: Quad) -> float:
    """Pixels between the middles of two cards."""
    return math.hypot(
        sum(x for x, _ in p) / 4 - sum(x for x, _ in q) / 4,
        sum(y for _, y in p) / 4 - sum(y for _, y in q) / 4,
    )


def _size(quad: Quad) -> float:
    """Half the sum of the diagonals: a little more than a card's length."""
    return max(1.0, (math.dist(quad[0], quad[2]) + math.dist(quad[1], quad[3])) / 2)
