"""Enrolling a deck: from pictures of its cards to a deck file that crops can be compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.candidates import Candidates
from vision.crops import Picture, Pyramid
from vision.deck_file import MOST_SHOWN, DeckFile, Shown, crop_of, thumbnail
from vision.decks import Deck
from vision.enrolled import reader_hash
from vision.naming import NOTHING, Name
from vision.quads import Floats, areas, iou
from vision.reader import ReaderNet, Readings
from vision.reading import CardReader

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
LEAST_PLACED = 0.25
"""Placement below which nothing in a picture is taken for its card."""
RIVAL = 0.75
"""Another cut of the same card, placed this well beside the best, is kept too: one of the two is right."""
SAME_CARD = 0.5
SIZE = 0.3
"""Exponent of the area: between a card and the frame printed on it, both well seen, the card wins."""
NOTHING_NEW = 0.995
"""A picture this like one of the same card adds nothing."""
LETTERS = {"1": "A", "R": "K", "V": "J", "B": "J", "AS": "A"}
"""What a French player may write for a rank (D is a lady, and so is Q)."""


class AnyCard:
    """The deck of somebody who is about to show it: a card is a card, and has no name yet."""

    lettered = False
    by_looks = False

    def names(self, found: Candidates) -> list[Name]:
        return [NOTHING] * len(found)

    def liking(self, readings: Readings) -> np.ndarray:
        return np.ones_like(readings.quality)


@dataclass(frozen=True, slots=True)
class View:
    """A card as it was found in one picture.

    Attributes:
        card: its name.
        crops: (K, 144, 96, 3) the straightened card; more than one where two cuts are about as good, none where
            no card was found.
    """

    card: str
    crops: np.ndarray


def card_named(stem: str, like: Deck) -> str | None:
    """Which card a file shows by its name: ``7h``, ``7H-2``, ``rc (3)``; None where it is no card of the deck.

    French ranks may be written as on French cards: R D V 1.
    """
    word = re.split(r"[-_ .(]", stem.strip(), maxsplit=1)[0]
    if like.family == "numbered":
        return word if word in like.cards else None
    rank, suit = word[:-1].upper(), word[-1:].lower()
    for spelled in (rank, LETTERS.get(rank, rank), "Q" if rank == "D" else rank):
        if spelled + suit in like.cards:
            return spelled + suit
    return None


def pictures_in(folder: Path, like: Deck) -> tuple[list[tuple[Path, str]], list[Path]]:
    """The pictures of a folder with the cards that their names say, and those whose names say none."""
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES and not p.name.startswith("."))
    named = [(file, card) for file in files if (card := card_named(file.stem, like)) is not None]
    known = {file for file, _ in named}
    return named, [file for file in files if file not in known]


def best_cuts(quads: Floats, quality: np.ndarray, seen: np.ndarray) -> list[int]:
    """Which of the quads found in a picture of one card show it, best first; none where nothing does.

    Args:
        quads: (N, 4, 2) pixels.
        quality, seen: (N,) how well each fits a card, and how much of its sides lies on a step of colour.
    """
    placed = quality * seen
    if not len(placed) or placed.max() < LEAST_PLACED:
        return []
    weight = placed * (areas(quads) / areas(quads).max()) ** SIZE
    best = int(weight.argmax())
    rivals = [
        int(i)
        for i in np.argsort(-weight)
        if i != best and placed[i] >= RIVAL * placed[best] and iou(quads[i], quads[best]) > SAME_CARD
    ]
    return [best, *rivals[:1]]


class Enroller:
    """Finds the cards in the pictures that are shown, and makes the deck of them."""

    def __init__(self) -> None:
        self._eyes = CardReader(AnyCard())
        self._reader = ReaderNet()

    def candidates(self, picture: Picture) -> Candidates:
        """What may be whole cards in a picture, whatever is printed on them."""
        found = self._eyes.candidates(picture)
        return found.of(~found.alone)

    def view(self, picture: Picture, card: str) -> View:
        """The one card of a picture, straightened."""
        return self.cut(picture, self.cuts(picture), card)

    def cuts(self, picture: Picture) -> Floats:
        """Where the one card of a picture lies, best cut first: (K, 4, 2) pixels, none where there is no card."""
        found = self.candidates(picture)
        return np.asarray(found.quads[best_cuts(found.quads, found.readings.quality, found.seen)])

    def cut(self, picture: Picture, quads: Floats, card: str) -> View:
        """A card whose place is known: quads (K, 4, 2), one or more cuts of the same card."""
        return View(card, Pyramid(picture).crops(quads))

    def vectors(self, crops: np.ndarray) -> np.ndarray:
        """What the reader makes of straightened cards (N, 144, 96, 3): unit vectors (N, D)."""
        return np.asarray(self._reader.read(crops).vectors)

    def deck(
        self,
        name: str,
        like: Deck,
        ranking: str,
        views: Iterable[View],
        old: DeckFile | None = None,
        light: int | None = None,
    ) -> DeckFile:
        """The deck that was shown; ``old``: what it was shown before, which it keeps.

        ``light``: number of the light condition of the new pictures; None: another one than all before.
        """
        if light is None:
            light = 1 + max((s.light for s in old.shown), default=0) if old is not None else 1
        new = [Shown(view.card, light, thumbnail(crop)) for view in views for crop in view.crops]
        shown, vectors = list(old.shown) if old is not None else [], list(old.vectors) if old is not None else []
        if new:
            made = self.vectors(np.stack([crop_of(s) for s in new]))
            for picture, vector in zip(new, made, strict=True):
                same = [v for s, v in zip(shown, vectors, strict=True) if s.card == picture.card]
                if all(float(v @ vector) < NOTHING_NEW for v in same):
                    shown.append(picture)
                    vectors.append(vector)
        if old is not None:
            return replace(
                old,
                ranking=ranking or old.ranking,
                shown=tuple(shown[-MOST_SHOWN:]),
                vectors=np.stack(vectors[-MOST_SHOWN:]),
            )
        return DeckFile(name, like, ranking, reader_hash(), tuple(shown), np.stack(vectors))
