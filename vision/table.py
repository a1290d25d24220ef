"""Cards over time: from frames to "this card was laid there, then".

A part of the picture that is not as it was last understood and has come to rest is looked at with the reader. A card
found there that was not there before is laid; a known card whose place looks like the bare table again is taken. What
moves is never read: a card counts from the moment it lies still.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Frame, Image
from vision.events import (
    CardLaid,
    CardMoved,
    CardReread,
    CardSighting,
    CardsTaken,
    Quad,
    TableObservation,
)
from vision.hands import Arm, Hands, arms_in
from vision.quads import common_area, iou
from vision.seats import SeatMap
from vision.stillness import MOTION_SPAN, THUMB_WIDTH, Look, Mask, Stillness

REST = 0.15
"""Seconds without motion after which a change is looked at."""
SURE = 0.9
"""Confidence at which one reading is enough; below it readings of several frames are averaged."""
PATIENCE = 0.55
"""Seconds after the first look at which a card is reported as well as it could be read."""
RETRIES = (0.0, 0.1, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0)
"""Seconds between the looks at a change that shows no card (a hand may still cover it)."""
ABSORB = 3.0
"""Seconds after which something that lies still and is no card belongs to the table (a glass, an ashtray)."""
SMALLEST_CHANGE = 40
"""Thumbnail pixels; a card of 60 pixels' height in 720p has about 150."""
REREADS = (0.3, 0.8, 2.0)
"""Seconds after which a card that was not read surely is read again."""


MARGINS = (0.5, 0.9, 0.35)
"""Margins, in card lengths, of the boxes tried one after another: the finder sees other scales in other boxes."""
SMALLEST_CARD = 0.45
"""An unread quad smaller than this part of the usual card is a court figure or a pip, not a card."""
SAME_PLACE = 0.35
"""Overlap from which two quads of one change are taken for one card: a badly cut card is off by a third."""


class Reader(Protocol):
    """What the table needs of the card reader (``vision.reading.CardReader``)."""

    def read(self, image: Image) -> list[CardSighting]: ...

    def find_in(self, image: Image, box: tuple[int, int, int, int]) -> list[CardSighting]: ...

    def read_quads(self, image: Image, quads: npt.NDArray[np.float32]) -> list[CardSighting]: ...


@dataclass(slots=True, eq=False)
class _Lying:
    """A card known to lie on the table."""

    track: int
    quad: npt.NDArray[np.float32]
    mask: Mask
    reading: _Reading
    laid: float
    rereads: int = 0


@dataclass(slots=True, eq=False)
class _Reading:
    """The average of what several frames said about one card."""

    chances: dict[str, float] = field(default_factory=dict)
    count: int = 0
    best: CardSighting | None = None

    def add(self, sighting: CardSighting) -> None:
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
        return tuple(sorted(self.chances.items(), key=lambda c: (-c[1], c[0]))[:5])


@dataclass(slots=True, eq=False)
class _Tentative:
    """A card seen but not yet reported, because it was not read surely."""

    quad: npt.NDArray[np.float32]
    reading: _Reading
    first: float


@dataclass(slots=True, eq=False)
class _Change:
    """A part of the table that changed and is being looked at."""

    box: tuple[int, int, int, int]
    first: float
    looks: int = 0
    next_look: float = 0.0
    tentative: list[_Tentative] = field(default_factory=list)
    seen: float = 0.0


class TableWatcher:
    """Frames in, observations out; everything on the frames' own clock, the same for the same frames.

    Args:
        reader: finds and reads cards in a picture.
        seats: number of players; ignored where ``seat_map`` is given.
        seat_map: calibrated seats; by default those of CLI.md for the size of the first frame.
    """

    def __init__(self, reader: Reader, seats: int = 4, seat_map: SeatMap | None = None) -> None:
        self._reader = reader
        self._seats = seats
        self._map = seat_map
        self._still = Stillness()
        self._hands = Hands()
        self._lying: dict[int, _Lying] = {}
        self._changes: list[_Change] = []
        self._tracks = 0
        self._areas: deque[float] = deque(maxlen=40)
        self._scale = 1.0
        self._unrest_since: float | None = None
        self._last_t: float | None = None
        self._step = 0.1

    @property
    def cards(self) -> tuple[tuple[int, str | None, Quad], ...]:
        """The cards that lie on the table now: (track, card, quad)."""
        return tuple((c.track, c.reading.card, _quad(c.quad)) for c in self._lying.values())

    def accept(self, frame: Frame) -> list[TableObservation]:
        """Look at the next frame and report what it settles, in the order of ``t``."""
        t = frame.t
        first = self._still.accepted is None
        look = self._still.look(frame.image, t)
        if first:
            self._scale = frame.image.shape[1] / THUMB_WIDTH
            if self._map is None:
                self._map = SeatMap.default(self._seats, frame.image.shape[1], frame.image.shape[0])
            self._last_t = t
            return self._start(frame, look)
        if self._last_t is not None and t > self._last_t:
            self._step += 0.2 * (min(t - self._last_t, MOTION_SPAN) - self._step)
        self._last_t = t
        assert self._map is not None
        arms = arms_in(look.foreign, self._card_mask(look), self._map)
        events: list[TableObservation] = list(self._hands.update(t, arms))
        if self._relearn(look):
            return events
        events += self._taken(look, arms)
        rest = look.changed & ~look.moving & (t - look.still_since >= REST - 1e-6)
        for change, mask in self._regions(rest, t):
            if t + 1e-6 >= change.next_look:
                events += self._examine(change, mask, look, arms, frame)
        self._changes = [c for c in self._changes if t - c.seen <= 1.0]
        events += self._reread(frame, look, arms)
        return sorted(events, key=lambda e: e.t)

    # -- the start and great changes -------------------------------------------------------------------------

    def _start(self, frame: Frame, look: Look) -> list[TableObservation]:
        """Cards that lie on the table when the eyes open."""
        events: list[TableObservation] = []
        for sighting in self._reader.read(frame.image):
            if sighting.card is not None:
                reading = _Reading()
                reading.add(sighting)
                events.append(self._lay(_array(sighting.quad), reading, frame.t, frame.t, look))
        return events

    def _relearn(self, look: Look) -> bool:
        """Most of the picture changed and stays so (the light was switched, the camera was bumped): start anew."""
        if look.changed.mean() < 0.6:
            self._unrest_since = None
            return False
        if self._unrest_since is None:
            self._unrest_since = look.t
        if look.t - self._unrest_since < 1.0 or look.moving.mean() > 0.1:
            return True
        everything = np.ones(look.changed.shape, bool)
        self._still.accept(everything, look.thumb)
        self._still.learn_bare(everything & ~self._card_mask(look), look.thumb)
        self._unrest_since = None
        self._changes.clear()
        return True

    # -- cards that go ---------------------------------------------------------------------------------------

    def _taken(self, look: Look, arms: Sequence[Arm]) -> list[TableObservation]:
        """Known cards whose place looks like the bare table again."""
        gone = []
        for card in self._lying.values():
            inside = card.mask
            size = max(1, int(inside.sum()))
            if (look.changed & inside).sum() < 0.4 * size or (look.moving & inside).sum() > 0.05 * size:
                continue
            at_rest = look.t - look.still_since[inside].max() >= REST - 1e-6
            if at_rest and (look.foreign & inside).sum() < 0.15 * size:
                gone.append(card)
        if not gone:
            return []
        t = min(float(np.median(look.still_since[c.mask])) for c in gone)
        return [self._remove(gone, t, look)]

    def _remove(self, cards: Sequence[_Lying], t: float, look: Look) -> CardsTaken:
        for card in cards:
            self._still.accept(_grown(card.mask, 2), look.thumb)
            del self._lying[card.track]
        return CardsTaken(min(t, look.t), look.t, tuple(sorted(c.track for c in cards)))

    # -- places that changed ---------------------------------------------------------------------------------

    def _regions(self, rest: Mask, t: float) -> list[tuple[_Change, Mask]]:
        """Connected changed places at rest, each with the notes that earlier looks at it left."""
        closed = cv2.morphologyEx(rest.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
        found: list[tuple[_Change, Mask]] = []
        for label in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[label])
            if area < SMALLEST_CHANGE:
                continue
            box = (x, y, x + w, y + h)
            known = [c for c in self._changes if _box_overlap(c.box, box) > 0.3 and all(c is not f for f, _ in found)]
            change = max(known, key=lambda c: _box_overlap(c.box, box)) if known else _Change(box, t, next_look=t)
            if not known:
                self._changes.append(change)
            elif _box_overlap(change.box, box) < 0.8:
                change.looks, change.next_look = 0, t  # it grew or shrank: worth a fresh look
            change.box, change.seen = box, t
            found.append((change, labels == label))
        return found

    def _examine(
        self, change: _Change, mask: Mask, look: Look, arms: Sequence[Arm], frame: Frame
    ) -> list[TableObservation]:
        """Read the place and decide: laid, moved, taken, back to bare, or wait."""
        t = look.t
        if (look.foreign & mask).mean() * mask.size < 0.2 * mask.sum() and not any(
            (c.mask & mask).any() for c in self._lying.values()
        ):
            self._still.accept(_grown(mask, 1), look.thumb)  # a hand went away, the table is as before
            return []
        wait = RETRIES[min(change.looks, len(RETRIES) - 1)]
        change.looks += 1
        change.next_look = t + max(wait, 0.05)
        events: list[TableObservation] = []
        box = self._box(change.box, frame, MARGINS[change.looks % len(MARGINS)])
        sightings = self._reader.find_in(frame.image, box)
        fresh = [s for s in sightings if self._is_news(s, mask, look)]
        for sighting in fresh:
            events += self._weigh(change, sighting, look)
        if fresh:
            return events
        # A card that was seen here before but not now (a hand went over it) is reported as well as it was read.
        events += self._overdue(change, look)
        under_arm = any((arm.mask & mask).sum() > 0.2 * mask.sum() for arm in arms)
        age = t - change.first
        if not events and not under_arm and change.looks >= 4 and age > 0.5:
            gone = [c for c in self._lying.values() if (c.mask & mask).sum() > 0.6 * c.mask.sum()]
            # Whoever gathers a trick may lead at once in the same place: what still moves there is a card, not the
            # table.
            if gone and not any(_overlap(_array(s.quad), c.quad) > 0.3 for s in sightings for c in gone):
                self._still.learn_bare(mask, look.thumb)
                events.append(self._remove(gone, float(np.median(look.still_since[mask])), look))
        if age > ABSORB and not events:
            self._still.accept(_grown(mask, 1), look.thumb)
            self._still.learn_bare(mask & ~self._card_mask(look), look.thumb)
        return events

    def _is_news(self, sighting: CardSighting, mask: Mask, look: Look) -> bool:
        """A sighting that the change explains, at rest, and not a card known to lie just there."""
        quad = _array(sighting.quad)
        if sighting.card is None and float(cv2.contourArea(quad)) < SMALLEST_CARD * self._usual_area():
            return False
        inside = self._mask_of(quad, look)
        size = max(1, int(inside.sum()))
        if (inside & mask).sum() < 0.15 * size or (look.moving & inside).sum() > 0.06 * size:
            return False
        for card in self._lying.values():
            if sighting.card is None and _mostly_inside(quad, card.quad) and _overlap(quad, card.quad) <= 0.6:
                return False  # the figure or a strip of a card that is known, badly cut
            if _overlap(quad, card.quad) > 0.6:
                unlike = (look.changed & inside).sum() >= 0.3 * size
                if sighting.card is None and unlike:
                    return False  # perhaps another card in its place, half under a hand: look again
                if sighting.card == card.reading.card or not unlike:
                    self._still.accept(inside, look.thumb)
                    return False
        return True

    def _weigh(self, change: _Change, sighting: CardSighting, look: Look) -> list[TableObservation]:
        """Report a sighting at once if it is sure, else average it with those of the next frames."""
        quad = _array(sighting.quad)
        tentative = next((c for c in change.tentative if _same_card(c, quad, sighting.card)), None)
        if tentative is None:
            tentative = _Tentative(quad, _Reading(), look.t)
            change.tentative.append(tentative)
        tentative.reading.add(sighting)
        if tentative.reading.best is sighting:
            tentative.quad = quad
        sure = tentative.reading.card is not None and tentative.reading.confidence >= SURE
        if not sure and look.t - tentative.first < PATIENCE:
            change.next_look = look.t + 0.05
            return []
        return self._report(change, tentative, look)

    def _overdue(self, change: _Change, look: Look) -> list[TableObservation]:
        events: list[TableObservation] = []
        for tentative in list(change.tentative):
            if tentative.reading.card is not None and look.t - tentative.first > 2 * PATIENCE:
                events += self._report(change, tentative, look)
        return events

    def _report(self, change: _Change, tentative: _Tentative, look: Look) -> list[TableObservation]:
        quad, reading = tentative.quad, tentative.reading
        # Other quads tried at this place were the same card, seen less well.
        change.tentative = [c for c in change.tentative if not _same_card(c, quad, reading.card)]
        inside = self._mask_of(quad, look)
        rest = float(np.percentile(look.still_since[inside], 60)) if inside.any() else look.t
        t = min(look.t, max(0.0, rest + self._step - MOTION_SPAN))
        events: list[TableObservation] = []
        covered = [c for c in self._lying.values() if _overlap(quad, c.quad) > 0.6]
        if covered:
            events.append(self._remove(covered, t, look))
        twin = self._twin(reading.card, quad, look)
        if twin is not None:
            twin.quad, twin.mask = quad, inside
            self._still.accept(_grown(inside, 2), look.thumb)
            return [*events, CardMoved(t, look.t, twin.track, self._zone(quad), _quad(quad))]
        events.append(self._lay(quad, reading, t, look.t, look))
        return events

    def _twin(self, card: str | None, quad: npt.NDArray[np.float32], look: Look) -> _Lying | None:
        """The card of that name that has left its place: it was pushed here, not laid anew."""
        for lying in self._lying.values():
            if card is not None and lying.reading.card == card:
                size = max(1, int(lying.mask.sum()))
                if (look.changed & lying.mask).sum() > 0.3 * size or _overlap(quad, lying.quad) > 0.2:
                    return lying
        return None

    def _lay(
        self, quad: npt.NDArray[np.float32], reading: _Reading, t: float, decided: float, look: Look
    ) -> CardLaid:
        self._tracks += 1
        mask = self._mask_of(quad, look)
        if reading.card is not None:
            self._areas.append(float(cv2.contourArea(quad)))
        self._lying[self._tracks] = _Lying(self._tracks, quad, mask, reading, decided)
        self._still.accept(_grown(mask, 2), look.thumb)
        hand = self._hands.latest(t - 0.8)
        zone = self._zone(quad)
        return CardLaid(
            t, decided, self._tracks, reading.card, reading.confidence, zone, _quad(quad), hand, reading.guesses
        )

    def _reread(self, frame: Frame, look: Look, arms: Sequence[Arm]) -> list[TableObservation]:
        """Read doubtful cards again when some time has passed and no arm covers them."""
        events: list[TableObservation] = []
        for card in self._lying.values():
            reading = card.reading
            if card.rereads >= len(REREADS) or (reading.card is not None and reading.confidence >= SURE):
                continue
            if look.t - card.laid < REREADS[card.rereads] or any((arm.mask & card.mask).any() for arm in arms):
                continue
            card.rereads += 1
            before = reading.card
            reading.add(self._reader.read_quads(frame.image, card.quad[None])[0])
            if reading.card is not None and reading.card != before:
                events.append(
                    CardReread(card.laid, look.t, card.track, reading.card, reading.confidence, reading.guesses)
                )
        return events

    # -- small geometry --------------------------------------------------------------------------------------

    def _zone(self, quad: npt.NDArray[np.float32]) -> int | None:
        assert self._map is not None
        x, y = quad.mean(0)
        return self._map.zone(float(x), float(y))

    def _mask_of(self, quad: npt.NDArray[np.float32], look: Look) -> Mask:
        out = np.zeros(look.changed.shape, np.uint8)
        cv2.fillConvexPoly(out, np.round(quad / self._scale - 0.5).astype(np.int32), 1)
        return out.astype(bool)

    def _card_mask(self, look: Look) -> Mask:
        out = np.zeros(look.changed.shape, bool)
        for card in self._lying.values():
            out |= _grown(card.mask, 2)
        return out

    def _usual_area(self) -> float:
        """Median area in pixels of the cards read so far on this table; 0 before the first."""
        return float(np.median(self._areas)) if self._areas else 0.0

    def _box(self, box: tuple[int, int, int, int], frame: Frame, part: float) -> tuple[int, int, int, int]:
        """Thumbnail box -> picture box with a margin of ``part`` card lengths, so that a half-changed card is whole."""
        if self._areas:
            margin = part * 1.2 * self._usual_area() ** 0.5
        else:
            margin = part * self._scale * max(box[2] - box[0], box[3] - box[1])
        margin = max(margin, 16.0)
        h, w = frame.image.shape[:2]
        return (
            max(0, int(box[0] * self._scale - margin)),
            max(0, int(box[1] * self._scale - margin)),
            min(w, int(box[2] * self._scale + margin)),
            min(h, int(box[3] * self._scale + margin)),
        )


def _quad(quad: npt.NDArray[np.float32]) -> Quad:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return (a, b, c, d)


def _array(quad: Quad) -> npt.NDArray[np.float32]:
    return np.asarray(quad, np.float32)


def _overlap(p: npt.NDArray[np.float32], q: npt.NDArray[np.float32]) -> float:
    """Intersection over union of two convex quads."""
    return iou(p, q)


def _same_card(tentative: _Tentative, quad: npt.NDArray[np.float32], card: str | None) -> bool:
    """Whether a sighting is one more look at a tentative card: at the same place, or unread and mostly inside it."""
    if _overlap(tentative.quad, quad) >= SAME_PLACE:
        return True
    return (card is None or tentative.reading.card is None) and _mostly_inside(tentative.quad, quad)


def _mostly_inside(p: npt.NDArray[np.float32], q: npt.NDArray[np.float32]) -> bool:
    """Whether the smaller of two quads lies for the most part in the other."""
    smaller = min(float(cv2.contourArea(p)), float(cv2.contourArea(q)))
    return common_area(p, q) > 0.6 * max(smaller, 1.0)


def _box_overlap(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> float:
    """Intersection over union of two boxes."""
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    area = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h
    return w * h / max(area, 1)


def _grown(mask: Mask, by: int) -> Mask:
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return cv2.dilate(mask.astype(np.uint8), kernel).astype(bool)
