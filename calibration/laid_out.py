"""A pack laid out in a few pictures, in any order: where its cards lie, and which of them can be named.

A picture may say by its name which cards it shows, in reading order (``7s+8s+9s.jpg``). Else the program names
those that it knows: French and Spanish cards by what is printed on them, any card by one that was shown before.
The others stay open, and are asked for: a card that is guessed wrong here would be read wrong for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.enrolment import LEAST_PLACED, Enroller, card_named
from vision.crops import Picture, Pyramid
from vision.deck_file import DeckFile
from vision.decks import Deck
from vision.enrolled import EnrolledDeck
from vision.events import CardSighting
from vision.plane import CardSize
from vision.quads import Floats, areas, iou
from vision.reading import CardReader

SURE = 0.95
"""Confidence from which a card names itself: it will be believed for as long as the deck is played with."""
OVERLAPPING = 0.3
"""Overlap (intersection over union) from which two cuts are of one card: cards that are shown lie side by side."""
LIKE = 0.92
"""Likeness (cosine) to a card that was shown from which a card is that one: other pictures of it reach .90 and more,
different cards stay well below. What it comes to is counted by ``python -m calibration.measure --laid-out``."""
LEAD = 0.05
"""By how much the next card must be less like it."""
TOGETHER = "+"
"""What stands between the cards in the name of a picture of several."""


@dataclass(frozen=True, eq=False, slots=True)
class Found:
    """One card of a picture.

    Attributes:
        file: the picture.
        number: which card of it, from 1, in reading order.
        quad: (4, 2) pixels where it lies.
        crop: (144, 96, 3) the straightened card, BGR.
        card: its name, None where it must be asked for.
    """

    file: Path
    number: int
    quad: Floats
    crop: np.ndarray
    card: str | None = None


def cards_named(stem: str, like: Deck) -> tuple[str, ...]:
    """The cards that the name of a picture lists, ``7s+8s+9s``; empty where it is no such list."""
    words = stem.split(TOGETHER)
    cards = [card_named(word, like) for word in words]
    known = tuple(card for card in cards if card is not None)
    return known if len(words) > 1 and len(known) == len(words) else ()


def in_reading_order(quads: Floats) -> Floats:
    """Cards (N, 4, 2) row by row from the top, in a row from the left.

    A card belongs to the row above it as long as its middle lies within half a card's height of the row's first.
    """
    if not len(quads):
        return quads
    middles = quads.mean(1)
    height = float(np.median(quads[..., 1].max(1) - quads[..., 1].min(1)))
    rows: list[list[int]] = []
    for i in np.argsort(middles[:, 1], kind="stable"):
        if rows and middles[i, 1] - middles[rows[-1][0], 1] <= height / 2:
            rows[-1].append(int(i))
        else:
            rows.append([int(i)])
    return quads[[i for row in rows for i in sorted(row, key=lambda i: middles[i, 0])]]


def lying_in(picture: Picture, enroller: Enroller) -> Floats:
    """The cards of a picture, whatever is printed on them: (N, 4, 2) pixels in reading order.

    Of several cuts of one card the best placed counts, and what has not the size of the others is none.
    """
    found = enroller.candidates(picture)
    placed = found.readings.quality * found.seen
    kept: list[int] = []
    for i in np.argsort(-placed * areas(found.quads), kind="stable"):
        apart = all(iou(found.quads[i], found.quads[j]) < OVERLAPPING for j in kept)
        if placed[i] >= LEAST_PLACED and apart:
            kept.append(int(i))
    quads = found.quads[kept]
    if len(quads) > 1:
        quads = quads[CardSize.fitted(quads).fits(quads)]
    return in_reading_order(quads)


class PackReader:
    """Names the cards of a pack by itself where it can.

    Args:
        like: the pattern of the deck.
        enroller: finds the cards.
    """

    def __init__(self, like: Deck, enroller: Enroller) -> None:
        self._like = like
        self._enroller = enroller
        self._eyes = CardReader(like) if like.family != "numbered" else None

    def cards(self, file: Path, picture: Picture, shown: EnrolledDeck | None) -> list[Found]:
        """The cards of one picture.

        Args:
            shown: the deck as far as it is known already; None: nothing of it was shown yet.
        """
        quads = lying_in(picture, self._enroller)
        if not len(quads):
            return []
        crops = Pyramid(picture).crops(quads)
        names: Sequence[str | None] = cards_named(file.stem, self._like)
        if len(names) != len(quads):
            names = self.sure_of(picture, quads, shown)
        each = zip(quads, crops, names, strict=True)
        return [Found(file, n, quad, crop, card) for n, (quad, crop, card) in enumerate(each, 1)]

    def sure_of(self, picture: Picture, quads: Floats, shown: EnrolledDeck | None) -> list[str | None]:
        """The names of the cards at ``quads`` (N, 4, 2), None where they must be asked for."""
        seen = [self._seen_before(crop, shown) for crop in Pyramid(picture).crops(quads)]
        read = self._eyes.read_quads(picture, quads) if self._eyes is not None else [None] * len(quads)
        return [_agreed(before, now) for before, now in zip(seen, read, strict=True)]

    def _seen_before(self, crop: np.ndarray, shown: EnrolledDeck | None) -> str | None:
        """The card that was shown before and that this one is like."""
        if shown is None:
            return None
        likeness = shown.likeness(self._enroller.vectors(crop[None]))[0]
        order = np.argsort(-likeness)
        if likeness[order[0]] < LIKE or (len(order) > 1 and likeness[order[0]] - likeness[order[1]] < LEAD):
            return None
        return shown.cards[int(order[0])]


def _agreed(before: str | None, now: CardSighting | None) -> str | None:
    """The name from comparing and from reading, unless they contradict each other."""
    read = None
    if now is not None and now.card is not None and not now.card.endswith("?") and now.confidence >= SURE:
        read = now.card
    if before is not None and read is not None and before != read:
        return None
    return before or read


def known_so_far(file: DeckFile | None) -> EnrolledDeck | None:
    """A deck to compare with, from what was shown already."""
    from vision.comparing import Comparison

    return EnrolledDeck(file, Comparison.shipped()) if file is not None and file.shown else None
