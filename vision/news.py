"""What of that which the reader sees is news: a card that was not there, and is none that is known to lie there.

What counts is the part of a sighting that no other one explains: where a card was laid over another, of the upper one
everything has changed, of the lower one nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.events import CardSighting
from vision.lying import ON_TOP, OWN, Lying, LyingCards, own_part
from vision.masks import Mask, as_array, grown, mostly_inside, pixels, share
from vision.outlines import fits_change
from vision.quads import Floats, iou
from vision.stillness import Look

INDEX = 0.1
"""Part of a card that an index with the white round it takes."""
RESTLESS = 0.06
"""Share of a card's place that may move while the card is said to lie still."""


def is_restless(place: Mask, look: Look) -> bool:
    """Whether something moves, or moved a moment ago, at a place."""
    return share(look.moving, place) > RESTLESS


@dataclass(frozen=True)
class News:
    """Which sightings of one look are news.

    Attributes:
        cards: those known to lie on the table.
        look: what the frame shows.
        place: where a quad lies in the thumbnail.
        understood: called with a place that has been explained.
        face_down: whether what cannot be read is the back of a card.
    """

    cards: LyingCards
    look: Look
    place: Callable[[Floats], Mask]
    understood: Callable[[Mask], None]
    face_down: Callable[[Floats], bool]

    def among(self, sightings: Sequence[CardSighting], mask: Mask) -> list[CardSighting]:
        """Those that a change (``mask``) explains."""
        return [sighting for sighting in sightings if self._is_news(sighting, sightings, mask)]

    def _is_news(self, sighting: CardSighting, sightings: Sequence[CardSighting], mask: Mask) -> bool:
        quad = as_array(sighting.quad)
        inside = self.place(quad)
        restless = is_restless(inside, self.look)
        if restless and sighting.card is None:
            return False
        others = [as_array(s.quad) for s in sightings if s is not sighting and s.card is not None]
        others = [other for other in others if iou(other, quad) <= ON_TOP]
        own = self._besides(inside, others)
        if share(mask, own) < 0.15:
            return False
        if not sighting.whole and not self._shows_anew(own, pixels(inside)):
            return False
        for card in self.cards:
            if sighting.card is None and mostly_inside(quad, card.quad) and iou(quad, card.quad) <= ON_TOP:
                return False  # the figure or a strip of a card that is known, badly cut
            same = sighting.card is not None and sighting.card == card.reading.card
            if same and self._stays(card, quad, others):
                return False  # one more look at a card that other cards cover in part
            if iou(quad, card.quad) > ON_TOP:
                unlike = share(self.look.changed, own) >= 0.3
                if sighting.card is None and unlike:
                    return False  # perhaps another card in its place, half under a hand: look again
                if sighting.card == card.reading.card or not unlike:
                    if not restless:
                        self.understood(own)
                    return False
        if sighting.card is not None:
            return True
        return self._looks_laid(inside, sightings, sighting) and not self.face_down(quad)

    def _looks_laid(self, inside: Mask, sightings: Sequence[CardSighting], sighting: CardSighting) -> bool:
        """Whether what cannot be read was laid there: it is whole, and the change has its shape.

        A letter of the cloth that comes to light, or a piece of a sleeve, has the shape of a card but not the change.
        """
        if not sighting.whole:
            return False
        explained = self.cards.mask()
        for other in sightings:
            if other is not sighting:
                explained |= grown(self.place(as_array(other.quad)), 2)
        return fits_change(inside, self.look.changed, explained)

    def _besides(self, inside: Mask, others: Sequence[Floats]) -> Mask:
        """The part of a place that lies in none of the other quads; all of it where they leave too little."""
        own = inside.copy()
        for other in others:
            own &= ~self.place(other)
        return own if share(own, inside) >= OWN else inside

    def _shows_anew(self, own: Mask, size: int) -> bool:
        """Whether an index can be that of a new card: it must show where no known card lies, or lay."""
        for card in self.cards:
            if share(self.look.changed, card.mask) < 0.8:
                own = own & ~card.mask
        return pixels(own) >= max(1, INDEX * size) and share(self.look.changed, own) >= 0.5

    def _stays(self, card: Lying, quad: Floats, others: Sequence[Floats]) -> bool:
        """Whether a card that is seen at ``quad`` lies where it lay: what the others leave of it is as it was."""
        if not mostly_inside(quad, card.quad):
            return False
        rest = self._besides(own_part(card, self.cards.heap()), others)
        return share(rest, card.mask) < 0.95 and share(self.look.changed, rest) < 0.2
