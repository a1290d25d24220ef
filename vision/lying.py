"""Cards that lie on the table, and what several looks at them said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from vision.events import CardSighting
from vision.masks import Mask, grown, share
from vision.quads import Floats, iou

GUESSES = 5
ON_TOP = 0.6
"""Overlap from which a card that is laid on another hides it."""
OWN = 0.15
"""Part of a card that must be its own, not explained by other cards, to say anything of it."""
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
        missed: how often in a row something else was seen at its place; next_look: when it is looked for again.
    """

    track: int
    quad: Floats
    mask: Mask
    reading: Reading
    laid: float
    rereads: int = 0
    under: Lying | None = None
    missed: int = 0
    next_look: float = 0.0

    def below(self, name: str | None) -> Lying | None:
        """The card of that name in the pile that this one lies on."""
        card = self.under
        while card is not None and (name is None or card.reading.card != name):
            card = card.under
        return card


class LyingCards:
    """All cards known to lie on the table, by their tracks.

    Args:
        shape: height and width of the masks.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._shape = shape
        self._cards: dict[int, Lying] = {}
        self._tracks = 0

    def __iter__(self) -> Iterator[Lying]:
        return iter(self._cards.values())

    def __getitem__(self, track: int) -> Lying:
        return self._cards[track]

    def add(self, quad: Floats, mask: Mask, reading: Reading, laid: float) -> Lying:
        """A card that was not known before."""
        self._tracks += 1
        card = self._cards[self._tracks] = Lying(self._tracks, quad, mask, reading, laid)
        return card

    def put_back(self, card: Lying) -> None:
        """A card that lay under another is there again."""
        self._cards[card.track] = card

    def remove(self, card: Lying) -> None:
        del self._cards[card.track]

    def heap(self) -> npt.NDArray[np.uint8]:
        """How many cards lie at each pixel."""
        heap = np.zeros(self._shape, np.uint8)
        for card in self:
            heap += card.mask
        return heap

    def mask(self) -> Mask:
        """Where cards lie, with their edges."""
        out = np.zeros(self._shape, bool)
        for card in self:
            out |= card.mask
        return grown(out, 2) if self._cards else out

    def under(self, quad: Floats) -> list[Lying]:
        """The cards that a card with these corners hides."""
        return [card for card in self if iou(quad, card.quad) > ON_TOP]


def own_part(card: Lying, heap: npt.NDArray[np.uint8]) -> Mask:
    """Where nothing lies but this card; all of it where other cards leave too little."""
    own = card.mask & (heap == 1)
    return own if share(own, card.mask) >= OWN else card.mask


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
