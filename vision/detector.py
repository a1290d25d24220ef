"""A detector of the user's own beside our finder, or in place of our reader.

The names of its classes decide. Where they are cards ("Qh", "10 of spades"), it reads by itself: what it sees
of one card, two corners mostly, becomes one card. Where there is one class only, it says where cards lie and
our reader reads them.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from vision.card_words import card_named
from vision.crops import Picture
from vision.decks import Deck
from vision.edges import onto_edges
from vision.events import CardSighting, Quad
from vision.quads import Floats, card_shaped, in_order
from vision.yolo import Found, UnusableDetector, Yolo, open_yolo

MOSTLY = 0.6
"""A detector whose classes are cards in at least this share reads by itself (others: jokers, backs)."""
READS = 0.4
"""Score from which a class counts as read."""
MOST = 60
"""At most so many boxes are proposed to our reader: as many as our finder proposes at one width."""
RATIO = 1.45
"""Long side over short side of the card that is guessed inside an upright box."""
BAND, LEAST_AREA, SHAPES = 0.14, 80.0, (1.0, 2.4)


class Detector:
    """Cards by a net that the user brings.

    Args:
        yolo: the net.
        file: its name, for messages.

    Raises:
        UnusableDetector: its classes are neither cards nor one thing.
    """

    def __init__(self, yolo: Yolo, file: str | Path = "") -> None:
        self._yolo = yolo
        self._cards = tuple(card_named(name) for name in yolo.names)
        known = sum(card is not None for card in self._cards)
        self.reads = len(self._cards) > 1 and known >= MOSTLY * len(self._cards)
        if not self.reads and len(self._cards) != 1:
            raise UnusableDetector(
                "{file} : ses {n} classes ne sont ni des cartes (« Qh », « queen of hearts ») ni une seule (« card »)",
                file=file,
                n=len(self._cards),
            )

    def proposals(self, picture: Picture, thorough: bool = True, side: int | None = None) -> Floats:
        """Where cards may lie: quads (N, 4, 2) in picture pixels, in order; ``thorough``: also as they came."""
        found = self._yolo.look(picture, side)
        best = found.quads[:MOST]
        quads = best if found.turned else cards_in_boxes(best)
        quads = quads[card_shaped(quads, LEAST_AREA, ratio=SHAPES)]
        if not len(quads):
            return quads
        moved = in_order(onto_edges(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), quads, BAND))
        return np.concatenate([moved, quads]) if thorough else moved

    def sightings(self, picture: Picture, deck: Deck) -> list[CardSighting]:
        """The cards that the detector reads by itself, surest first; confidence is its score, not calibrated."""
        out = []
        for card, score, quad in one_each(self._yolo.look(picture), self._cards, deck):
            sure = round(score, 4)
            out.append(CardSighting(card if _belongs(card, deck) else None, sure, _corners(quad), ((card, sure),)))
        return out


def open_detector(file: str | Path) -> Detector:
    """The detector in a file: weights exported to ONNX, or a ``.pt`` where ultralytics is installed.

    Raises:
        UnusableDetector: it cannot be loaded, or its classes are no cards.
    """
    return Detector(open_yolo(file), file)


def cards_in_boxes(boxes: Floats) -> Floats:
    """Cards that may lie in upright boxes, (3 N, 4, 2): turned one way, turned the other way, and the box itself.

    A card of ratio r turned by t fills a box whose sides are w (cos t + r sin t) and w (sin t + r cos t).
    """
    low, high = boxes.min(1), boxes.max(1)
    width, height = np.maximum(high - low, 1e-3).T
    q = np.clip(height / width, 1 / RATIO, RATIO)
    turn = np.arctan2(RATIO - q, q * RATIO - 1)
    short = width / (np.cos(turn) + RATIO * np.sin(turn))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * np.array([1, RATIO], np.float32) / 2
    out = [boxes]
    for angle in (turn, -turn):
        rotation = np.stack([np.cos(angle), np.sin(angle), -np.sin(angle), np.cos(angle)], 1).reshape(-1, 2, 2)
        out.append((half * short[:, None, None]) @ rotation + ((low + high) / 2)[:, None])
    return in_order(np.concatenate(out))


def one_each(found: Found, cards: tuple[str | None, ...], deck: Deck) -> list[tuple[str, float, Floats]]:
    """(card, score, quad) of every card, surest first.

    A detector trained on the corners of cards sees each card twice. Where the deck has a card once, all that is
    seen of it is one card, and its quad the smallest rectangle round that; else each box is a card.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for i, kind in enumerate(found.kind):
        card = cards[kind]
        if card is not None and found.score[i] >= READS:
            places[card].append(i)
    out: list[tuple[str, float, Floats]] = []
    for card, seen in places.items():
        alone = deck.copies > 1 or card.endswith("?")
        for group in [[i] for i in seen] if alone else [seen]:
            quad = found.quads[group[0]]
            if len(group) > 1:
                round_all = cv2.minAreaRect(found.quads[group].reshape(-1, 2))
                quad = in_order(np.asarray(cv2.boxPoints(round_all), np.float32))[0]
            out.append((card, float(found.score[group].max()), quad))
    return sorted(out, key=lambda one: -one[1])


def _belongs(card: str, deck: Deck) -> bool:
    return card in deck.cards or (card.endswith("?") and card[:-1] in deck.ranks)


def _corners(quad: Floats) -> Quad:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return a, b, c, d
