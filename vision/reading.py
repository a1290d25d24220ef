"""Find and read the cards of a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from vision.candidates import Candidates
from vision.confidence import Confidence
from vision.contours import outlined_cards
from vision.crops import Picture, Pyramid
from vision.decks import Deck
from vision.detector import Detector
from vision.edges import edge_support, onto_edges
from vision.events import CardSighting, Quad
from vision.finder import FinderNet, Sight
from vision.indices import IndexNet
from vision.judging import QUICK, THOROUGH, Gear, Liking, any_card, judged
from vision.letters import FRENCH, LETTERS
from vision.looks import looks_of
from vision.naming import Comparing, Name, names
from vision.plane import CardSize
from vision.quads import Floats, in_order
from vision.reader import ReaderNet
from vision.usual import cut_off, large_enough, usual_size
from vision.witnesses import Witnesses, surest, whole_cards

LONGEST_SIDE = 1600
"""Larger pictures are shrunk to this before anything else."""
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

    Attributes:
        size: how large cards are all over the picture, where earlier pictures of one table told; None: each picture
            tells for itself.
    """

    def __init__(self, deck: Deck | Comparing, *, thorough: bool = True, detector: Detector | None = None) -> None:
        self.deck = deck
        self.thorough = thorough
        self.size: CardSize | None = None
        self._detector = detector
        self._finder = FinderNet()
        self._reader = ReaderNet()
        self._names: Callable[[Candidates], list[Name]]
        self._liking: Liking
        if isinstance(deck, Deck):
            self._names = partial(names, deck=deck, confidence=Confidence.shipped())
            letters = LETTERS.get(deck.family)
            self._liking = letters.liking if letters is not None else any_card
        else:
            self._names, self._liking = deck.names, deck.liking
            letters = FRENCH if deck.lettered else None
        self._comparing = not isinstance(deck, Deck) and deck.by_looks
        self._witnesses = Witnesses(self._reader, IndexNet(), letters) if letters is not None else None

    def read(self, image: Picture) -> list[CardSighting]:
        """Every face-up card of a BGR picture, surest first."""
        if self._detector is not None and self._detector.reads and isinstance(self.deck, Deck):
            return self._detector.sightings(image, self.deck)
        sightings = self._named(self.candidates(image))
        return sorted(sightings, key=lambda s: (s.card is None, -s.confidence))

    def candidates(self, image: Picture) -> Candidates:
        """What may be cards of a BGR picture, before any name is given."""
        scale = min(1.0, LONGEST_SIDE / max(image.shape[:2]))
        size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        picture = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
        back = np.array([image.shape[1] / picture.shape[1], image.shape[0] / picture.shape[0]], np.float32)
        sides = FINDER_SIDES if self.thorough else (QUICK_SIDE,)
        known = self.size.scaled(scale) if self.size is not None else None
        found = self._found(picture, sides, THOROUGH if self.thorough else QUICK, known)
        return replace(found, quads=found.quads * back)

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
        whole = whole_cards(np.concatenate([given, moved])[better], readings.of(better), seen)
        if self._witnesses is not None:
            whole = self._witnesses.weighed(pyramid, whole)
        return self._named(replace(self._looked_at(pyramid, whole), quads=given))

    def find_in(self, image: Picture, box: tuple[float, float, float, float]) -> list[CardSighting]:
        """The cards inside a pixel box (x0, y0, x1, y1), in the quick gear; quads in pixels of ``image``."""
        height, width = image.shape[:2]
        x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
        x1, y1 = min(width, int(np.ceil(box[2]))), min(height, int(np.ceil(box[3])))
        if x1 <= x0 or y1 <= y0:
            return []
        part = np.ascontiguousarray(image[y0:y1, x0:x1])
        known = self.size.moved(-x0, -y0) if self.size is not None else None
        found = self._found(part, (QUICK_SIDE,), QUICK, known)
        return self._named(replace(found, quads=found.quads + np.array([x0, y0], np.float32)))

    def proposals(self, picture: Picture, sights: list[Sight], slow: bool) -> list[Floats]:
        """What may be cards, quads (N, 4, 2) in order: from the finder, from outlines, from the user's own detector.

        Outlines are exact, and dear: the quick gear leaves corners to the edges of the picture instead.
        """
        found = [sight.quads for sight in sights]
        if slow:
            outlined = outlined_cards(picture)
            found.append(outlined)
            if len(outlined):
                grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
                found.append(in_order(onto_edges(grey, outlined, 0.14)))
        if self._detector is not None:
            found.append(self._detector.proposals(picture, slow))
        return found

    def _sights(self, pyramid: Pyramid, sides: tuple[int, ...], slow: bool) -> list[Sight]:
        """What the finder sees at several widths, in pixels of the whole picture."""
        out = []
        for side in sides:
            level, scale = pyramid.seen_at(side)
            sight = self._finder.see(level, side, 60 if slow else 12, slow)
            corners = replace(sight.corners, quads=sight.corners.quads / scale)
            out.append(replace(sight, quads=sight.quads / scale, corners=corners))
        return out

    def _found(self, picture: Picture, sides: tuple[int, ...], gear: Gear, known: CardSize | None) -> Candidates:
        slow = gear is THOROUGH
        pyramid = Pyramid(picture)
        sights: list[Sight] = []
        proposals = [np.zeros((0, 4, 2), np.float32)]
        if min(picture.shape[:2]) >= LEAST_SIDE:
            sights = self._sights(pyramid, sides, slow)
            proposals += self.proposals(picture, sights, slow)
        every = np.concatenate(proposals)
        quads, readings, seen = judged(picture, pyramid, every, self._reader, gear, self._liking, known)
        score = self._liking(readings) * readings.quality
        size = usual_size(quads, score, known)
        kept = large_enough(quads, size)
        quads, readings, seen, score = quads[kept], readings.of(kept), seen[kept], score[kept]
        cut = cut_off(quads, score, picture.shape[1], picture.shape[0], size)
        whole = whole_cards(quads, readings, seen, cut)
        if self._witnesses is None:
            return self._looked_at(pyramid, whole)
        corners = surest([sight.corners for sight in sights], gear.corners, gear.least_heat)
        return self._looked_at(pyramid, self._witnesses.heard(pyramid, whole, corners, gear.asked, size, gear.on_top))

    def _looked_at(self, pyramid: Pyramid, found: Candidates) -> Candidates:
        """With their looks, where the deck compares them."""
        return replace(found, looks=looks_of(pyramid.crops(found.quads))) if self._comparing else found

    def _named(self, found: Candidates) -> list[CardSighting]:
        return [
            CardSighting(name.card, round(name.confidence, 4), _corners(quad), name.guesses, whole=not alone)
            for name, quad, alone in zip(self._names(found), found.quads, found.alone, strict=True)
        ]


def _corners(quad: Floats) -> Quad:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return a, b, c, d
