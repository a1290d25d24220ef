"""Cards over time: from frames to "this card was laid there, then".

A part of the picture that is not as it was last understood and has come to rest is looked at with the reader. A card
found there that was not there before is laid; a known card whose place looks like the bare table again is taken. What
moves is never read: a card counts from the moment it lies still.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
from vision.lying import Lying, Reading, doubted
from vision.plane import CardSize, Sizes
from vision.quads import common_area, iou
from vision.seats import SeatMap
from vision.stillness import MOTION_SPAN, THUMB_WIDTH, Look, Mask, Stillness

REST = 0.15
"""Seconds without motion after which a change is looked at."""
SURE = 0.9
"""Confidence at which one reading is enough; below it readings of several frames are averaged."""
PATIENCE = 0.55
"""Seconds after the first look at which a card is reported as well as it could be read."""
PAUSE = 0.2
"""Seconds at least between two looks at one place, however it changes."""
LOOKS = 10
"""Looks a second at most, all places together: a look costs some 20 ms, and hands may be all over the table."""
RETRIES = (0.2, 0.2, 0.2, 0.3, 0.5, 0.8, 1.0)
"""Seconds between the looks at a change that shows no card (a hand may still cover it)."""
ABSORB = 3.0
"""Seconds after which something that lies still and is no card belongs to the table (a glass, an ashtray)."""
SMALLEST_CHANGE = 40
"""Thumbnail pixels; a card of 60 pixels' height in 720p has about 150."""
REREADS = (0.3, 0.8, 2.0)
"""Seconds after which a card that was not read surely is read again."""


MARGINS = (0.5, 0.9, 0.35)
"""Margins, in card lengths, of the boxes tried one after another: the finder sees other scales in other boxes."""
SAME_PLACE = 0.35
"""Overlap from which two quads of one change are taken for one card: a badly cut card is off by a third."""
ON_TOP = 0.6
"""Overlap from which a card that is laid on another hides it."""
OWN = 0.15
"""Part of a card that must be its own, not explained by other cards, to say anything of it."""
INDEX = 0.1
"""Part of a card that an index with the white round it takes."""


class Reader(Protocol):
    """What the table needs of the card reader (``vision.reading.CardReader``).

    Attributes:
        size: how large cards are all over the picture, as far as the table told; None: not known yet.
    """

    size: CardSize | None

    def read(self, image: Image) -> list[CardSighting]: ...

    def find_in(self, image: Image, box: tuple[int, int, int, int]) -> list[CardSighting]: ...

    def read_quads(self, image: Image, quads: npt.NDArray[np.float32]) -> list[CardSighting]: ...


@dataclass(slots=True, eq=False)
class _Tentative:
    """A card seen but not yet reported, because it was not read surely."""

    quad: npt.NDArray[np.float32]
    reading: Reading
    first: float


@dataclass(slots=True, eq=False)
class _Change:
    """A part of the table that changed and is being looked at."""

    box: tuple[int, int, int, int]
    first: float
    looks: int = 0
    looked: float = -PAUSE
    next_look: float = 0.0
    tentative: list[_Tentative] = field(default_factory=list)
    seen: float = 0.0


class TableWatcher:
    """Frames in, observations out; everything on the frames' own clock, the same for the same frames.

    Args:
        reader: finds and reads cards in a picture.
        seats: number of players; ignored where ``seat_map`` is given.
        seat_map: calibrated seats; by default those of CLI.md for the size of the first frame.
        copies: how many of each card the deck holds.
    """

    def __init__(self, reader: Reader, seats: int = 4, seat_map: SeatMap | None = None, copies: int = 1) -> None:
        self._reader = reader
        self._seats = seats
        self._map = seat_map
        self._copies = copies
        self._still = Stillness()
        self._hands = Hands()
        self._lying: dict[int, Lying] = {}
        self._changes: list[_Change] = []
        self._tracks = 0
        self._sizes = Sizes()
        self._looks: deque[float] = deque(maxlen=LOOKS)
        self._scale = 1.0
        self._unrest_since: float | None = None
        self._last_t: float | None = None
        self._step = 0.1

    @property
    def cards(self) -> tuple[tuple[int, str | None, Quad], ...]:
        """The cards that lie on the table now: (track, card, quad)."""
        return tuple((c.track, c.reading.card, _quad(c.quad)) for c in self._lying.values())

    @property
    def seat_map(self) -> SeatMap | None:
        """The seats, and what of the picture is the table's; None before the first picture. May be set at any time."""
        return self._map

    @seat_map.setter
    def seat_map(self, seats: SeatMap | None) -> None:
        self._map = seats

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
        labels, regions = self._regions(rest, t)
        due = [(label, change) for label, change in regions.items() if t + 1e-6 >= change.next_look]
        for label, change in sorted(due, key=lambda region: region[1].looked):
            events += self._examine(change, labels == label, look, arms, frame)
        self._changes = [c for c in self._changes if t - c.seen <= 1.0]
        events += self._reread(frame, look, arms)
        return sorted(events, key=lambda e: e.t)

    # -- the start and great changes -------------------------------------------------------------------------

    def _start(self, frame: Frame, look: Look) -> list[TableObservation]:
        """Cards that lie on the table when the eyes open; they were laid before anything that is seen (time 0)."""
        events: list[TableObservation] = []
        for sighting in self._reader.read(frame.image):
            if sighting.card is not None:
                reading = Reading()
                reading.add(sighting)
                self._learn_size(sighting)
                events.append(self._lay(_array(sighting.quad), reading, 0.0, frame.t, look))
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
        self._sizes.forget()
        self._reader.size = None
        return True

    # -- cards that go ---------------------------------------------------------------------------------------

    def _taken(self, look: Look, arms: Sequence[Arm]) -> list[TableObservation]:
        """Known cards whose place looks like the bare table again."""
        gone, heap, own = [], self._heaped(look), dict[int, Mask]()
        for card in self._lying.values():
            if _share(look.changed, card.mask) < 0.4 * OWN:
                continue
            inside = own[card.track] = _own_part(card, heap)
            if _share(look.changed, inside) < 0.4 or _share(look.moving, inside) > 0.05:
                continue
            at_rest = look.t - look.still_since[inside].max() >= REST - 1e-6
            if at_rest and _share(look.foreign, inside) < 0.15:
                gone.append(card)
        if not gone:
            return []
        t = min(float(np.median(look.still_since[own[c.track]])) for c in gone)
        return [self._remove(gone, t, look)]

    def _remove(self, cards: Sequence[Lying], t: float, look: Look) -> CardsTaken:
        for card in cards:
            self._still.accept(_grown(card.mask, 2), look.thumb)
            del self._lying[card.track]
        return CardsTaken(min(t, look.t), look.t, tuple(sorted(c.track for c in cards)))

    def _heaped(self, look: Look) -> npt.NDArray[np.uint8]:
        """How many cards lie at each pixel of the thumbnail."""
        heap = np.zeros(look.changed.shape, np.uint8)
        for card in self._lying.values():
            heap += card.mask
        return heap

    # -- places that changed ---------------------------------------------------------------------------------

    def _regions(self, rest: Mask, t: float) -> tuple[npt.NDArray[np.int32], dict[int, _Change]]:
        """Connected changed places at rest: a picture of their labels, and for each label what earlier looks noted."""
        closed = cv2.morphologyEx(rest.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
        found: dict[int, _Change] = {}
        free = list(self._changes)
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
                change = _Change(box, t, next_look=t)
                self._changes.append(change)
            change.box, change.seen = box, t
            found[label] = change
        return np.asarray(labels, np.int32), found

    def _examine(
        self, change: _Change, mask: Mask, look: Look, arms: Sequence[Arm], frame: Frame
    ) -> list[TableObservation]:
        """Read the place and decide: laid, moved, taken, back to bare, or wait."""
        t = look.t
        if _share(look.foreign, mask) < 0.2 and not (mask & (self._heaped(look) > 0)).any():
            self._still.accept(_grown(mask, 1), look.thumb)  # a hand went away, the table is as before
            return []
        if len(self._looks) == LOOKS and t < self._looks[0] + 1:
            return []
        self._looks.append(t)
        change.looked = t
        change.next_look = t + RETRIES[min(change.looks, len(RETRIES) - 1)]
        change.looks += 1
        events: list[TableObservation] = []
        box = self._box(change.box, frame, MARGINS[change.looks % len(MARGINS)])
        sightings = self._of_card_size(self._reader.find_in(frame.image, box))
        fresh = [s for s in sightings if self._is_news(s, sightings, mask, look)]
        known = {card.reading.card for card in self._lying.values()}
        for sighting in sorted(fresh, key=lambda s: s.card not in known):  # a card that was pushed frees its old place
            events += self._weigh(change, self._once(sighting, frame, look), look)
        if fresh:
            return events
        # A card that was seen here before but not now (a hand went over it) is reported as well as it was read.
        events += self._overdue(change, look)
        under_arm = any(_share(arm.mask, mask) > 0.2 for arm in arms)
        age = t - change.first
        if not events and not under_arm and change.looks >= 4 and age > 0.5:
            gone = [c for c in self._lying.values() if _share(mask, c.mask) > 0.6]
            # Whoever gathers a trick may lead at once in the same place: what still moves there is a card, not the
            # table.
            if gone and not any(_overlap(_array(s.quad), c.quad) > 0.3 for s in sightings for c in gone):
                self._still.learn_bare(mask, look.thumb)
                events.append(self._remove(gone, float(np.median(look.still_since[mask])), look))
        if age > ABSORB and not events:
            self._still.accept(_grown(mask, 1), look.thumb)
            self._still.learn_bare(mask & ~self._card_mask(look), look.thumb)
        return events

    def _of_card_size(self, sightings: Sequence[CardSighting]) -> list[CardSighting]:
        """Those that can be cards by their size; named ones only in doubt as long as few cards were seen.

        Of covered cards nothing is asked: their size was taken from the others.
        """
        size = self._sizes.size
        for sighting in sightings:
            self._learn_size(sighting)
        if size is None:
            return list(sightings)
        out = []
        for sighting in sightings:
            if not sighting.whole or size.fits(_array(sighting.quad)[None])[0]:
                out.append(sighting)
            elif sighting.card is not None and not self._sizes.settled:
                out.append(replace(sighting, card=None))
        return out

    def _learn_size(self, sighting: CardSighting) -> None:
        if sighting.whole and sighting.card is not None and sighting.confidence >= SURE:
            self._sizes.see(_array(sighting.quad))
            self._reader.size = self._sizes.size if self._sizes.settled else None

    def _is_news(self, sighting: CardSighting, sightings: Sequence[CardSighting], mask: Mask, look: Look) -> bool:
        """A sighting that the change explains, at rest, and not a card known to lie just there.

        What counts is the part of it that no other sighting explains: where a card was laid over another, the
        lower one has not changed.
        """
        quad = _array(sighting.quad)
        inside = self._mask_of(quad, look)
        if _share(look.moving, inside) > 0.06:
            return False
        others = [_array(s.quad) for s in sightings if s is not sighting and s.card is not None]
        others = [other for other in others if _overlap(other, quad) <= ON_TOP]
        own = self._besides(inside, others, look)
        if _share(mask, own) < 0.15:
            return False
        if not sighting.whole and not self._shows_anew(own, _pixels(inside), look):
            return False
        for card in self._lying.values():
            if sighting.card is None and _mostly_inside(quad, card.quad) and _overlap(quad, card.quad) <= ON_TOP:
                return False  # the figure or a strip of a card that is known, badly cut
            same = sighting.card is not None and sighting.card == card.reading.card
            if same and self._stays(card, quad, others, look):
                return False  # one more look at a card that other cards cover in part
            if _overlap(quad, card.quad) > ON_TOP:
                unlike = _share(look.changed, own) >= 0.3
                if sighting.card is None and unlike:
                    return False  # perhaps another card in its place, half under a hand: look again
                if sighting.card == card.reading.card or not unlike:
                    self._still.accept(own, look.thumb)
                    return False
        return True

    def _besides(self, inside: Mask, others: Sequence[npt.NDArray[np.float32]], look: Look) -> Mask:
        """The part of a place that lies in none of the other quads; all of it where they leave too little."""
        own = inside.copy()
        for other in others:
            own &= ~self._mask_of(other, look)
        return own if _share(own, inside) >= OWN else inside

    def _shows_anew(self, own: Mask, size: int, look: Look) -> bool:
        """Whether an index can be that of a new card: it must show where no known card lies, or lay."""
        for card in self._lying.values():
            if _share(look.changed, card.mask) < 0.8:
                own = own & ~card.mask
        return _pixels(own) >= max(1, INDEX * size) and _share(look.changed, own) >= 0.5

    def _stays(
        self, card: Lying, quad: npt.NDArray[np.float32], others: Sequence[npt.NDArray[np.float32]], look: Look
    ) -> bool:
        """Whether a card that is seen at ``quad`` lies where it lay: what the others leave of it is as it was."""
        if not _mostly_inside(quad, card.quad):
            return False
        rest = self._besides(_own_part(card, self._heaped(look)), others, look)
        return _share(rest, card.mask) < 0.95 and _share(look.changed, rest) < 0.2

    def _once(self, sighting: CardSighting, frame: Frame, look: Look, of: Lying | None = None) -> CardSighting:
        """The deck holds each card but so many times: one more than those that surely lie elsewhere is a doubt.

        ``of``: the lying card that was read again.
        """
        if sighting.card is None or sighting.card.endswith("?"):
            return sighting
        quad = _array(sighting.quad)
        same = [
            card
            for card in self._lying.values()
            if card is not of
            and card.reading.card == sighting.card
            and card.reading.confidence >= SURE
            and _share(look.changed, card.mask) < 0.1
            and _overlap(quad, card.quad) <= 0.2
        ]
        if len(same) < self._copies:
            return sighting
        again = self._reader.read_quads(frame.image, np.stack([card.quad for card in same]))
        if any(seen.card != sighting.card for seen in again):
            return sighting
        return doubted(sighting, min(seen.confidence for seen in again))

    def _weigh(self, change: _Change, sighting: CardSighting, look: Look) -> list[TableObservation]:
        """Report a sighting at once if it is sure, else average it with those of the next frames."""
        quad = _array(sighting.quad)
        tentative = next((c for c in change.tentative if _same_card(c, quad, sighting.card)), None)
        if tentative is None:
            tentative = _Tentative(quad, Reading(), look.t)
            change.tentative.append(tentative)
        tentative.reading.add(sighting)
        if tentative.reading.best is sighting:
            tentative.quad = quad
        sure = tentative.reading.card is not None and tentative.reading.confidence >= SURE
        if not sure and look.t - tentative.first < PATIENCE:
            change.next_look = look.t + PAUSE
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
        covered = [c for c in self._lying.values() if _overlap(quad, c.quad) > ON_TOP]
        if reading.card is not None and any(c.reading.card == reading.card for c in covered):
            self._still.accept(inside, look.thumb)  # it came to light a moment ago
            return []
        if covered:
            events.append(self._remove(covered, t, look))
        for top in covered:
            again = _under(top, reading.card)
            if again is not None:
                return [*events, self._back(again, t, look)]
        twin = self._twin(reading.card, quad, look)
        if twin is not None:
            if twin.under is not None and _overlap(quad, twin.quad) <= ON_TOP:
                events.append(self._back(twin.under, t, look))
                twin.under = None
            twin.quad, twin.mask = quad, inside
            self._still.accept(_grown(inside, 2), look.thumb)
            return [*events, CardMoved(t, look.t, twin.track, self._zone(quad), _quad(quad))]
        laid = self._lay(quad, reading, t, look.t, look)
        self._lying[laid.track].under = max(covered, key=lambda c: c.laid, default=None)
        return [*events, laid]

    def _back(self, card: Lying, t: float, look: Look) -> CardMoved:
        """The card on top of this one has gone: it lies there as before."""
        self._lying[card.track] = card
        self._still.accept(_grown(card.mask, 2), look.thumb)
        return CardMoved(t, look.t, card.track, self._zone(card.quad), _quad(card.quad))

    def _twin(self, card: str | None, quad: npt.NDArray[np.float32], look: Look) -> Lying | None:
        """The card of that name that has left its place: it was pushed here, not laid anew."""
        for lying in self._lying.values():
            named = card is not None and lying.reading.card == card
            if named and (_share(look.changed, lying.mask) > 0.3 or _overlap(quad, lying.quad) > 0.2):
                return lying
        return None

    def _lay(self, quad: npt.NDArray[np.float32], reading: Reading, t: float, decided: float, look: Look) -> CardLaid:
        self._tracks += 1
        mask = self._mask_of(quad, look)
        self._lying[self._tracks] = Lying(self._tracks, quad, mask, reading, decided)
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
            again = self._reader.read_quads(frame.image, card.quad[None])[0]
            reading.add(self._once(again, frame, look, card))
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

    def _box(self, box: tuple[int, int, int, int], frame: Frame, part: float) -> tuple[int, int, int, int]:
        """Thumbnail box -> picture box with a margin of ``part`` card lengths, so that a half-changed card is whole."""
        size = self._sizes.size
        if size is not None:
            middle = self._scale * np.array([[box[0] + box[2], box[1] + box[3]]], np.float32) / 2
            margin = part * 1.2 * float(size.area_at(middle)[0]) ** 0.5
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


def _own_part(card: Lying, heap: npt.NDArray[np.uint8]) -> Mask:
    """Where nothing lies but this card; all of it where other cards leave too little."""
    own = card.mask & (heap == 1)
    return own if _share(own, card.mask) >= OWN else card.mask


def _pixels(mask: Mask) -> int:
    return int(np.count_nonzero(mask))


def _share(part: Mask, mask: Mask) -> float:
    """Which share of a mask lies in another, 0 to 1."""
    return _pixels(part & mask) / max(1, _pixels(mask))


def _under(card: Lying, name: str | None) -> Lying | None:
    """The card of that name in the pile that a card lies on."""
    below = card.under
    while below is not None and (name is None or below.reading.card != name):
        below = below.under
    return below


def _mostly_inside(p: npt.NDArray[np.float32], q: npt.NDArray[np.float32]) -> bool:
    """Whether the smaller of two quads lies for the most part in the other."""
    smaller = min(float(cv2.contourArea(p)), float(cv2.contourArea(q)))
    return common_area(p, q) > 0.6 * max(smaller, 1.0)


def _box_overlaps(boxes: npt.NDArray[np.float64], box: tuple[int, int, int, int]) -> npt.NDArray[np.float64]:
    """Intersection over union of boxes (N, 4) with one, (N,)."""
    sides = np.minimum(boxes[:, 2:], box[2:]) - np.maximum(boxes[:, :2], box[:2])
    common = np.maximum(sides, 0).prod(1)
    total = (boxes[:, 2:] - boxes[:, :2]).prod(1) + (box[2] - box[0]) * (box[3] - box[1])
    return np.asarray(common / np.maximum(total - common, 1))


def _grown(mask: Mask, by: int) -> Mask:
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return cv2.dilate(mask.astype(np.uint8), kernel).astype(bool)
