"""Find and read the cards of a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from vision.confidence import Confidence
from vision.contours import outlined_cards
from vision.crops import Picture, Pyramid
from vision.decks import Deck
from vision.detector import Detector
from vision.edges import edge_support, onto_edges
from vision.events import CardSighting, Quad
from vision.finder import FinderNet
from vision.judging import QUICK, THOROUGH, Gear, Liking, any_card, judged, rank_known
from vision.naming import Comparing, Name, names
from vision.quads import Floats, in_order
from vision.reader import ReaderNet, Readings
from vision.usual import cut_off, large_enough

LONGEST_SIDE = 1600
"""Larger pictures are halved and halved for finding; the reader still sees their full detail up to this."""
FINDER_SIDES = (256, 448, 704)
QUICK_SIDE = 256
LEAST_SIDE = 16
"""No card can be read in a picture narrower than this many pixels."""


class CardReader:
    """Reads cards of one deck.

    Args:
        deck: what a card can be: a deck known by name, or one that names its cards by comparison.
        thorough: use three scales and search for the best quad (stills); else one scale (films).
        detector: one of the user's own: it reads in our place, or proposes beside our finder.
    """

    def __init__(self, deck: Deck | Comparing, *, thorough: bool = True, detector: Detector | None = None) -> None:
        self.deck = deck
        self.thorough = thorough
        self._detector = detector
        self._finder = FinderNet()
        self._reader = ReaderNet()
        self._names: Callable[[Readings, np.ndarray], list[Name]]
        self._liking: Liking
        if isinstance(deck, Deck):
            self._names = partial(names, deck=deck, confidence=Confidence.shipped())
            self._liking = rank_known if deck.family == "french" else any_card
        else:
            self._names, self._liking = deck.names, deck.liking

    def read(self, image: Picture) -> list[CardSighting]:
        """Every face-up card of a BGR picture, surest first."""
        if self._detector is not None and self._detector.reads and isinstance(self.deck, Deck):
            return self._detector.sightings(image, self.deck)
        sightings = self._named(*self.candidates(image))
        return sorted(sightings, key=lambda s: (s.card is None, -s.confidence))

    def candidates(self, image: Picture) -> tuple[Floats, Readings, np.ndarray]:
        """What may be cards, before any name is given: quads (N, 4, 2), readings, share of sides seen."""
        scale = min(1.0, LONGEST_SIDE / max(image.shape[:2]))
        size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        picture = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
        back = np.array([image.shape[1] / picture.shape[1], image.shape[0] / picture.shape[0]], np.float32)
        sides = FINDER_SIDES if self.thorough else (QUICK_SIDE,)
        quads, readings, seen = self._found(picture, sides, THOROUGH if self.thorough else QUICK)
        return quads * back, readings, seen

    def read_quads(self, image: Picture, quads: Floats | Sequence[Quad]) -> list[CardSighting]:
        """What the given quads (N, 4, 2) show, one sighting each, in their order; ``card`` None where not
        sure.

        The quads may be a little off: their sides are moved onto the edges of the picture, and the better
        reading of the two counts.
        """
        given = in_order(np.asarray(quads, np.float32).reshape(-1, 4, 2))
        if not len(given):
            return []
        moved = onto_edges(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), given, 0.1)
        pyramid = Pyramid(image)
        readings = self._reader.read(pyramid.crops(np.concatenate([given, moved])))
        score = (self._liking(readings) * readings.quality).reshape(2, -1)
        better = np.where(score[1] > score[0], len(given), 0) + np.arange(len(given))
        seen = edge_support(image, np.concatenate([given, moved])[better]).mean(1)
        return self._named(given, readings.of(better), seen)

    def find_in(self, image: Picture, box: tuple[float, float, float, float]) -> list[CardSighting]:
        """The cards inside a pixel box (x0, y0, x1, y1), in the quick gear; quads in pixels of ``image``."""
        height, width = image.shape[:2]
        x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
        x1, y1 = min(width, int(np.ceil(box[2]))), min(height, int(np.ceil(box[3])))
        if x1 <= x0 or y1 <= y0:
            return []
        part = np.ascontiguousarray(image[y0:y1, x0:x1])
        quads, readings, seen = self._found(part, (QUICK_SIDE,), QUICK)
        return self._named(quads + np.array([x0, y0], np.float32), readings, seen)

    def proposals(self, picture: Picture, sides: tuple[int, ...], slow: bool) -> list[Floats]:
        """What may be cards, quads (N, 4, 2) in order: from outlines, the finder, the user's own detector."""
        outlined = outlined_cards(picture, complete=slow)
        found = [outlined]
        if slow and len(outlined):
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
            found.append(in_order(onto_edges(grey, outlined, 0.14)))
        found += [self._finder.proposals(picture, side, 60 if slow else 12, slow)[0] for side in sides]
        if self._detector is not None:
            found.append(self._detector.proposals(picture, slow))
        return found

    def _found(self, picture: Picture, sides: tuple[int, ...], gear: Gear) -> tuple[Floats, Readings, np.ndarray]:
        proposals = [np.zeros((0, 4, 2), np.float32)]
        if min(picture.shape[:2]) >= LEAST_SIDE:
            proposals += self.proposals(picture, sides, gear is THOROUGH)
        pyramid = Pyramid(picture)
        every = np.concatenate(proposals)
        quads, readings, seen = judged(picture, pyramid, every, self._reader, gear, liking=self._liking)
        score = self._liking(readings) * readings.quality
        kept = large_enough(quads, score)
        quads, readings, seen, score = quads[kept], readings.of(kept), seen[kept], score[kept]
        cut = cut_off(quads, score, picture.shape[1], picture.shape[0])
        readings = replace(readings, quality=np.where(cut, 0, readings.quality))
        return quads, readings, seen

    def _named(self, quads: Floats, readings: Readings, seen: np.ndarray) -> list[CardSighting]:
        return [
            CardSighting(name.card, round(name.confidence, 4), _corners(quad), name.guesses)
            for name, quad in zip(self._names(readings, seen), quads, strict=True)
        ]


def _corners(quad: Floats) -> Quad:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return a, b, c, d
