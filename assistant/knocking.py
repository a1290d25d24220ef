"""Knocks: a sound and a hand. The microphone cannot tell whose it was, the hand in the picture can; and a
hand that lays or takes a card explains most thuds that are no knocks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assistant.hands import NEAR, Hands
from assistant.holding import PROMPT
from audio.events import Knock
from vision.events import CardLaid

THUMP = 0.35
"""Seconds between a card's landing and the thump that it makes."""
SURE_KNOCK = 0.9
"""Confidence of a knock that counts by itself."""
LIKELY_KNOCK = 0.33
"""Confidence of a knock that counts if a hand was over the table that neither laid nor took a card."""
BUSY = 1.0
"""Seconds round a knock within which a hand that lays or takes a card explains the sound."""
PATIENCE = 1.2
"""Seconds after a doubtful knock until which the eyes are waited for to tell what the hand was doing; twice
that if it stays."""
AFTERWARDS = 0.8
"""Seconds after a hand has gone until the card is read that it may have laid."""
FRESH = 2.0
"""Seconds before a knock within which a hand comes over the table in order to knock."""
ANSWERED = 5.0
"""Seconds within which a knock is answered."""


def is_sure(knock: Knock) -> bool:
    """Whether it counts by its sound alone."""
    return knock.confidence >= SURE_KNOCK


@dataclass(frozen=True, slots=True)
class Knockers:
    """Seats whose hand may have knocked, the likeliest first, and whether it surely was the first of them."""

    seats: tuple[int, ...] = ()
    settled: bool = False


class Knocks:
    """What is known of knocks and of the hands that may have made them.

    Args:
        laid: the cards laid lately, also those that the interpreter still holds back.
        has_to_do: whether the hand of a seat is expected over the table for something else than a knock.
    """

    def __init__(self, laid: Callable[[], Iterable[CardLaid]], has_to_do: Callable[[int], bool]) -> None:
        self.hands = Hands()
        self._laid = laid
        self._has_to_do = has_to_do
        self._takings: list[float] = []
        self._doubtful: list[Knock] = []
        self._counted: dict[int, bool] = {}
        self._heard: list[float] = []

    def taken(self, t: float) -> None:
        """Cards were taken at ``t``."""
        self._takings = [*self._takings[-8:], t]

    @property
    def doubtful(self) -> bool:
        """Whether a knock waits for what the eyes will tell."""
        return bool(self._doubtful)

    def counts(self, knock: Knock) -> bool:
        """Whether a hit counts at once. The first of a gesture does; a faint first one leaves it to the next.
        What is not sure by its sound waits (``due``)."""
        self._heard = [*self._heard[-8:], knock.t]
        if knock.hit == 1:
            self._counted = {knock.gesture: False}
        if self._counted.get(knock.gesture, True):
            return False
        if is_sure(knock):
            self._counted[knock.gesture] = True
            return True
        if knock.confidence >= LIKELY_KNOCK:
            self._doubtful.append(knock)
        return False

    def due(self, clock: float) -> list[tuple[Knock, float]]:
        """Doubtful knocks that count, now that the eyes have told what the hands were doing, and when that
        was known."""
        found = []
        while self._doubtful and clock >= self._known_at(self._doubtful[0]):
            knock = self._doubtful.pop(0)
            if not self._counted.get(knock.gesture, False) and self.idle_hands(knock):
                self._counted[knock.gesture] = True
                found.append((knock, max(knock.decided, self._known_at(knock))))
        return found

    def only_knocks(self, knock: Knock) -> bool:
        """Whether the one hand that came over the table has nothing else to do there: nothing need be waited for."""
        knockers = self.knockers(knock)
        return knockers.settled and not self._has_to_do(knockers.seats[0])

    def _known_at(self, knock: Knock) -> float:
        if self.only_knocks(knock):
            return knock.t + PROMPT
        gone = self.hands.gone_after(knock.t)
        explained = math.inf if gone is None else gone + AFTERWARDS
        return min(knock.t + 2 * PATIENCE, max(knock.t + PATIENCE, explained))

    def knockers(self, knock: Knock) -> Knockers:
        """Whose hand may have knocked. One that has just come over the table for nothing else is the knocker; a hand
        that rests there, or one that lays or gathers cards, may be; of two that came nobody can tell."""
        there = self.hands.at(knock.t)
        busy = self._busy(knock.t - BUSY, knock.t + BUSY)
        came = [seat for seat in there if self.hands.came(seat, knock.t - FRESH, knock.t + NEAR)]
        idle = [seat for seat in came if busy is not None and seat not in busy]
        if idle:
            likely, settled = idle, len(idle) == 1
        else:
            likely, settled = came, len(came) == 1 and len(there) == 1
        return Knockers((*likely, *(seat for seat in there if seat not in likely)), settled)

    def idle_hands(self, knock: Knock) -> tuple[int, ...]:
        """Hands over the table at a knock that neither lay nor take a card."""
        busy = self._busy(knock.t - BUSY, knock.t + BUSY)
        return () if busy is None else tuple(seat for seat in self.hands.at(knock.t) if seat not in busy)

    def idle_visits(self, before: float) -> list[tuple[int, float]]:
        """Hands that came and went shortly before and neither laid nor took a card, the latest first: (seat,
        middle of the visit)."""
        visits = []
        for seat, start, end in self.hands.visits(before - ANSWERED, before):
            busy = self._busy(start - NEAR, end + NEAR)
            if busy is not None and seat not in busy:
                visits.append((seat, (start + end) / 2))
        return visits

    def may_have_laid(self, seat: int, since: float, until: float) -> bool:
        """Whether the hand of ``seat`` came over the table in that time for nothing that was seen or heard: it neither
        laid a known card nor gathered a trick nor knocked."""
        for start, end in self.hands.came(seat, since, until):
            busy = self._busy(start - NEAR, end + NEAR)
            if busy is not None and seat not in busy and not any(start <= t <= end for t in self._heard):
                return True
        return False

    def _busy(self, start: float, end: float) -> set[int] | None:
        """Seats that laid a card in that time; None if cards were taken, by whom is not known."""
        if any(start <= t <= end for t in self._takings):
            return None
        laid = [card for card in self._laid() if start <= card.t <= end]
        return {seat for card in laid for seat in (card.zone, card.hand) if seat is not None}


def may_be_thump(knock: Knock, card: CardLaid) -> bool:
    """Whether a knock may be the sound of this card being laid."""
    return abs(card.t - knock.t) <= (THUMP if is_sure(knock) else BUSY)
