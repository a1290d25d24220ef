"""Ghosts: cards that no hand laid. A reflection, a picture on a box, a sleeve's button may look like a card; but cards
do not come by themselves.

Only where the eyes do see hands: in single pictures, two a second, or from an odd angle most cards come without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from assistant.hands import Hands
from vision.events import CardLaid

ARM = 1.0
"""Seconds before a card lies still within which the arm that laid it was over the table (154 of 154 cards of
simulated tables)."""
REMEMBERED = 12
"""Cards from which is known whether hands are seen at all."""
HANDS_SEEN = 2
"""So many of them, at least, and all but one in ten, must have come with a hand before one without it is doubted."""


class Ghosts:
    """Which cards came with a hand.

    Args:
        hands: what is known of the hands over the table.
        laid: the cards laid lately.
    """

    def __init__(self, hands: Hands, laid: Callable[[], Iterable[CardLaid]]) -> None:
        self._hands = hands
        self._laid = laid
        self._came_with_hand: dict[int, bool] = {}

    def over(self, laid: CardLaid) -> tuple[int, ...]:
        """Seats whose hand was over the table when the card was laid, and had not just laid another one."""
        others = [o for o in self._laid() if o.track != laid.track and 0 <= laid.t - o.t < ARM]
        busy = {o.zone if o.hand is None else o.hand for o in others}
        return tuple(seat for seat in self._hands.during(laid.t - ARM, laid.t) if seat not in busy)

    def may_be(self, laid: CardLaid) -> bool:
        """Whether no hand at all can have laid this card, where hands usually are seen."""
        came_with_hand = laid.hand is not None or bool(self.over(laid))
        before = [seen for track, seen in self._came_with_hand.items() if track != laid.track][-REMEMBERED:]
        self._came_with_hand[laid.track] = came_with_hand
        for track in list(self._came_with_hand)[: -2 * REMEMBERED]:
            del self._came_with_hand[track]
        return not came_with_hand and sum(before) >= HANDS_SEEN and 10 * sum(before) >= 9 * len(before)
