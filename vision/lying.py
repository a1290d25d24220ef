"""Cards that lie on the table, and what several looks at them said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from vision.events import CardSighting
from vision.stillness import Mask

GUESSES = 5
CERTAIN = 0.999
"""No reading is surer than this where it is weighed against another."""


@dataclass(slots=True, eq=False)
class Reading:
    """The average of what several frames said about one card."""

    chances: dict[str, float] = field(default_factory=dict)
    count: int = 0
    best: CardSighting | None = None

    def add(self, sighting: CardSighting) -> None:
        """One more frame."""
        said = dict(sighting.guesses)
        if sighting.card is not None:
            said.setdefault(sighting.card, sighting.confidence)
        for card in set(self.chances) | set(said):
            old = self.chances.get(card, 0.0)
            self.chances[card] = old + (said.get(card, 0.0) - old) / (self.count + 1)
        self.count += 1
        if self.best is None or sighting.confidence > self.best.confidence:
            self.best = sighting

    @property
    def card(self) -> str | None:
        """The best single reading's card, as long as the average does not prefer another."""
        if self.best is None or self.best.card is None:
            return None
        ranked = self.guesses
        if ranked and ranked[0][0] != self.best.card and ranked[0][1] > 1.5 * self.chances.get(self.best.card, 0.0):
            return ranked[0][0]
        return self.best.card

    @property
    def confidence(self) -> float:
        return 0.0 if self.best is None else self.best.confidence

    @property
    def guesses(self) -> tuple[tuple[str, float], ...]:
        return tuple(sorted(self.chances.items(), key=lambda c: (-c[1], c[0]))[:GUESSES])


@dataclass(slots=True, eq=False)
class Lying:
    """A card known to lie on the table.

    Attributes:
        track: its number, kept while it lies, also under another card.
        quad: (4, 2) corners in pixels.
        mask: where it lies in the thumbnail.
        under: the card that it covers wholly.
    """

    track: int
    quad: npt.NDArray[np.float32]
    mask: Mask
    reading: Reading
    laid: float
    rereads: int = 0
    under: Lying | None = None


def doubted(sighting: CardSighting, elsewhere: float) -> CardSighting:
    """A sighting of a card that lies elsewhere too, with probability ``elsewhere``, of which the deck has but one.

    Both cannot be right, and of the rest this one is with a share of p (1 - q) / (1 - p q), where p and q are the two
    probabilities. So the guesses are weighed anew, and no name is given.
    """
    p, q = min(sighting.confidence, CERTAIN), min(elsewhere, CERTAIN)
    now = p * (1 - q) / (1 - p * q)
    others = (1 - now) / (1 - p)
    chances = {card: others * chance for card, chance in sighting.guesses if card != sighting.card}
    if sighting.card is not None:
        chances[sighting.card] = now
    guesses = tuple(sorted(chances.items(), key=lambda guess: (-guess[1], guess[0]))[:GUESSES])
    return replace(sighting, card=None, confidence=guesses[0][1] if guesses else 0.0, guesses=guesses)
