"""Places of the table that are not as they were last understood, from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.events import CardSighting
from vision.lying import Reading
from vision.masks import Mask, mostly_inside
from vision.quads import Floats, iou
from vision.stillness import Thumb

PAUSE = 0.2
"""Seconds at least between two looks at one place, however it changes."""
SMALLEST_CHANGE = 40
"""Thumbnail pixels; a card of 60 pixels' height in 720p has about 150."""
SAME_PLACE = 0.35
"""Overlap from which two quads of one change are taken for one card: a badly cut card is off by a third."""
FORGOTTEN = 1.0
"""Seconds after which a change that is seen no more is forgotten."""


@dataclass(slots=True, eq=False)
class Tentative:
    """A card seen but not yet reported: it was not read surely, or a hand was still at it.

    Attributes:
        first: when it was first seen; seen: when it was last read.
        thumb: the thumbnail of the picture in which it was last read.
    """

    quad: Floats
    reading: Reading
    first: float
    seen: float
    thumb: Thumb

    def is_same(self, quad: Floats, card: str | None) -> bool:
        """Whether a sighting is one more look at this card: at the same place, or unread and mostly inside it."""
        if iou(self.quad, quad) >= SAME_PLACE:
            return True
        return (card is None or self.reading.card is None) and mostly_inside(self.quad, quad)


@dataclass(slots=True, eq=False)
class Change:
    """A part of the table that changed and is being looked at.

    Attributes:
        box: x0, y0, x1, y1 in thumbnail pixels; area: how many of them have changed.
        first: when it came to rest; seen: when it was last there; looked: when it was last read.
    """

    box: tuple[int, int, int, int]
    first: float
    area: int = 0
    looks: int = 0
    looked: float = -PAUSE
    next_look: float = 0.0
    seen: float = 0.0


class Changes:
    """All changes at rest, each kept while it is seen.

    Attributes:
        tentative: cards seen in them that are not yet reported.
    """

    def __init__(self) -> None:
        self._known: list[Change] = []
        self.tentative: list[Tentative] = []

    def clear(self) -> None:
        self._known.clear()
        self.tentative.clear()

    def seen_as(self, sighting: CardSighting, quad: Floats, t: float, thumb: Thumb) -> Tentative:
        """The card that a sighting shows, with what earlier looks said of it."""
        known = next((c for c in self.tentative if c.is_same(quad, sighting.card)), None)
        if known is not None and t - known.seen > FORGOTTEN and known.reading.card != sighting.card:
            self.drop(known)  # that card went on its way, this is another one
            known = None
        if known is None:
            known = Tentative(quad, Reading(), t, t, thumb)
            self.tentative.append(known)
        known.reading.add(sighting)
        known.seen, known.thumb = t, thumb
        if known.reading.best is sighting:
            known.quad = quad
        return known

    def drop(self, card: Tentative) -> None:
        """A card is reported, or gone; other quads tried at its place were the same card, seen less well."""
        self.tentative = [c for c in self.tentative if c is not card and not c.is_same(card.quad, card.reading.card)]

    def regions(self, rest: Mask, t: float, *, blurred: bool) -> tuple[npt.NDArray[np.int32], dict[int, Change]]:
        """Connected changed places at rest: a picture of their labels, and for each label what earlier looks noted.

        Args:
            blurred: edges may be a pixel off, because the camera sways: what is thinner than three is no change.
        """
        closed = cv2.morphologyEx(rest.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        if blurred:
            closed = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
        found: dict[int, Change] = {}
        free = [change for change in self._known if t - change.seen <= FORGOTTEN]
        self._known = list(free)
        boxes = np.array([c.box for c in free], np.float64).reshape(-1, 4)
        for label in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[label])
            if area < SMALLEST_CHANGE:
                continue
            box = (x, y, x + w, y + h)
            overlaps = _box_overlaps(boxes, box)
            best = int(overlaps.argmax()) if len(free) else -1
            if len(free) and overlaps[best] > 0.3:
                change = free[best]
                boxes[best] = -1  # one place, one region
                if overlaps[best] < 0.8:
                    change.looks, change.next_look = 0, change.looked + PAUSE  # it grew or shrank: worth a fresh look
            else:
                change = Change(box, t, next_look=t)
                self._known.append(change)
            change.box, change.area, change.seen = box, area, t
            found[label] = change
        return np.asarray(labels, np.int32), found


def _box_overlaps(boxes: npt.NDArray[np.float64], box: tuple[int, int, int, int]) -> npt.NDArray[np.float64]:
    """Intersection over union of boxes (N, 4) with one, (N,)."""
    sides = np.minimum(boxes[:, 2:], box[2:]) - np.maximum(boxes[:, :2], box[:2])
    common = np.maximum(sides, 0).prod(1)
    total = (boxes[:, 2:] - boxes[:, :2]).prod(1) + (box[2] - box[0]) * (box[3] - box[1])
    return np.asarray(common / np.maximum(total - common, 1))
