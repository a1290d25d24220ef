"""Cards over time: from frames to "this card was laid there, then".

A part of the picture that is not as it was last understood and has come to rest is looked at with the reader. A card
found there that was not there before is laid; a known card whose place looks like the bare table again is taken. What
moves is never read, and what a hand still holds is not reported: a card counts from the moment it lies still, and is
told when it is let go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from vision.backs import Backs
from vision.camera import Frame, Image
from vision.changes import PAUSE, Change, Changes, Tentative
from vision.events import (
    CardLaid,
    CardMoved,
    CardReread,
    CardSighting,
    CardsTaken,
    Quad,
    TableObservation,
)
from vision.hands import Arm, Hands, arms_in, border_of, hand_at, rests
from vision.lying import Lying, LyingCards, Reading, doubted, own_part
from vision.masks import Mask, as_array, as_quad, grown, mask_of, pixels, share
from vision.news import News, is_restless
from vision.outlines import went_away
from vision.plane import CardSize, Sizes
from vision.quads import Floats, iou
from vision.seats import SeatMap
from vision.stillness import MOTION_SPAN, THUMB_WIDTH, Look, Stillness, Thumb, difference
from vision.view import View

REST = 0.05
"""Seconds without motion after which a change is looked at; motion itself is seen over a fifth of a second."""
SETTLED = 0.09
"""Seconds for which a card that was read must look the same to lie still."""
SURE = 0.9
"""Confidence at which one reading is enough; below it readings of several frames are averaged."""
PATIENCE = 0.55
"""Seconds after the first look at which a card is reported as well as it could be read."""
HELD = 1.0
"""Seconds after which a hand that lies still at a card rests there, and no longer holds it."""
FIDDLED = 2.5
"""Seconds after which a card that lies still is reported though a hand goes on moving at it."""
LOOKS = 10
"""Looks a second at most, all places together: a look costs some 20 ms, and hands may be all over the table."""
BURST = 4
"""Looks one right after the other at most; then others must have their turn."""
RESTING = 0.6
"""Seconds for which an arm lies still before something is looked for under it."""
RETRIES = (0.2, 0.2, 0.2, 0.3, 0.5, 0.8, 1.0)
"""Seconds between the looks at a change that shows no card (a hand may still cover it)."""
ABSORB = 3.0
"""Seconds after which something that lies still and is no card belongs to the table (a glass, a leaning arm)."""
MISSED, MISSED_FIRST = 3, 0.3
"""Times that a card must be missed at its place to be gone, and seconds after which it is looked for first."""
RETURNS, NEARBY = 2.0, 20
"""Seconds within which a card that left its place and comes to rest elsewhere was pushed there, however slowly; in
thumbnail pixels, how near to its place something must have moved when it was missed."""
REREADS = (0.3, 0.8, 2.0)
"""Seconds after which a card that was not read surely is read again."""
MARGINS = (0.5, 0.9, 0.35)
"""Margins, in card lengths, of the boxes tried one after another: the finder sees other scales in other boxes."""
GIVEN_UP = 5.0
"""Seconds after which a card that was seen but could not be reported is forgotten."""
UNMOVED = 0.95
"""Share of a card's place that must look as when it was read, if it has not moved since."""
ALIKE = 20.0
"""Difference of a channel up to which a place looks now as it did some seconds ago."""


class Reader(Protocol):
    """What the table needs of the card reader (``vision.reading.CardReader``).

    Attributes:
        size: how large cards are all over the picture, as far as the table told; None: not known yet.
    """

    size: CardSize | None

    def read(self, image: Image) -> list[CardSighting]: ...

    def find_in(self, image: Image, box: tuple[int, int, int, int]) -> list[CardSighting]: ...

    def read_quads(self, image: Image, quads: npt.NDArray[np.float32]) -> list[CardSighting]: ...


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
        self._lying = LyingCards((0, 0))
        self._changes = Changes()
        self._sizes = Sizes()
        self._backs = Backs()
        self._gone: dict[str, tuple[Lying, float]] = {}
        self._looks: deque[float] = deque(maxlen=LOOKS)
        self._scale = 1.0
        self._fold = 1
        self._unrest_since: float | None = None
        self._last_t: float | None = None
        self._step = 0.1
        self._border: Mask = np.zeros((0, 0), bool)
        self._as_given: Callable[[Quad], Quad] = lambda quad: quad

    @property
    def cards(self) -> tuple[tuple[int, str | None, Quad], ...]:
        """The cards that lie on the table now: (track, card, quad)."""
        return tuple((c.track, c.reading.card, self._as_given(as_quad(c.quad))) for c in self._lying)

    @property
    def seat_map(self) -> SeatMap | None:
        """The seats, and what of the picture is the table's; None before the first picture. May be set at any time."""
        return self._map

    @seat_map.setter
    def seat_map(self, seats: SeatMap | None) -> None:
        self._map = seats

    @property
    def players(self) -> int:
        """How many sit round the table."""
        return self._seats if self._map is None else len(self._map.places)

    @property
    def reader(self) -> Reader:
        """Who reads the cards. May be set between two pictures; cards that lie there keep the names they have."""
        return self._reader

    @reader.setter
    def reader(self, reader: Reader) -> None:
        reader.size = self._reader.size
        self._reader = reader

    def follows(self, frame: Frame) -> bool:
        """Whether a picture in which nearly all has moved is that of a camera which sways, and can be accepted."""
        return self._still.follows(View(frame.image, THUMB_WIDTH).taken, frame.t)

    def accept(self, frame: Frame) -> list[TableObservation]:
        """Look at the next frame and report what it settles, in the order of ``t``."""
        view = View(frame.image, THUMB_WIDTH)
        first = self._still.accepted is None
        look = self._still.look(view.taken, frame.t)
        view.from_where(look.motion)
        self._as_given = view.as_given
        if first:
            self._scale, self._fold = view.scale, view.fold
            self._lying = LyingCards(look.changed.shape)
            if self._map is None:
                self._map = SeatMap.default(self._seats, frame.image.shape[1], frame.image.shape[0])
            self._last_t = frame.t
            return self._given(self._start(view, look))
        if self._last_t is not None and frame.t > self._last_t:
            self._step += 0.2 * (min(frame.t - self._last_t, MOTION_SPAN) - self._step)
        self._last_t = frame.t
        assert self._map is not None
        self._border = border_of(self._map, look.seen, look.changed.shape)
        arms = arms_in(look.foreign, self._lying.mask(), self._map, self._border, self._hands.leaning)
        events: list[TableObservation] = list(self._hands.update(frame.t, arms))
        if self._relearn(look):
            return events
        events += self._taken(look)
        events += self._vanished(view, look, arms)
        rest = look.changed & ~look.moving & (look.t - look.still_since >= REST - 1e-6)
        events += self._let_go(look)
        labels, regions = self._changes.regions(rest, look.t, blurred=look.blurred)
        due = [(label, change) for label, change in regions.items() if look.t + 1e-6 >= change.next_look]
        for label, change in sorted(due, key=lambda region: self._turn(region[1])):
            events += self._examine(change, labels, label, look, arms, view)
        events += self._reread(view, look, arms)
        return self._given(sorted(events, key=lambda e: e.t))

    def _given(self, events: Sequence[TableObservation]) -> list[TableObservation]:
        """Events with quads in pixels of the picture that the camera gave."""
        return [
            replace(e, quad=self._as_given(e.quad)) if isinstance(e, CardLaid | CardMoved) else e for e in events
        ]

    # -- the start and great changes -------------------------------------------------------------------------

    def _start(self, view: View, look: Look) -> list[TableObservation]:
        """Cards that lie on the table when the eyes open; they were laid before anything that is seen (time 0)."""
        events: list[TableObservation] = []
        for sighting in self._reader.read(view.image):
            if sighting.card is not None:
                reading = Reading()
                reading.add(sighting)
                self._learn_size(sighting)
                events.append(self._lay(as_array(sighting.quad), reading, 0.0, look.t, look))
            elif sighting.whole:
                self._backs.learn(view.image, as_array(sighting.quad))
        return events

    def _relearn(self, look: Look) -> bool:
        """Most of the picture changed and stays so (a lamp was switched, the camera was put elsewhere): start anew."""
        if look.changed.mean() < 0.6:
            self._unrest_since = None
            return False
        if self._unrest_since is None:
            self._unrest_since = look.t
        if look.t - self._unrest_since < 1.0 or look.moving.mean() > 0.1:
            return True
        everything = np.ones(look.changed.shape, bool)
        self._still.accept(everything, look.thumb)
        self._still.learn_bare(everything & ~self._lying.mask(), look.thumb)
        self._unrest_since = None
        self._changes.clear()
        self._sizes.forget()
        self._reader.size = None
        return True

    # -- cards that go ---------------------------------------------------------------------------------------

    def _taken(self, look: Look) -> list[TableObservation]:
        """Known cards whose place looks like the bare table again."""
        gone, heap, own = [], self._lying.heap(), dict[int, Mask]()
        for card in self._lying:
            inside = own[card.track] = own_part(card, heap)
            if share(look.changed, inside) < 0.4 or share(look.moving, inside) > 0.05:
                continue
            at_rest = look.t - look.still_since[inside].max() >= REST - 1e-6
            if at_rest and share(look.foreign, inside) < 0.15:
                gone.append(card)
        if not gone:
            return []
        for card in gone:
            self._still.accept(grown(card.mask, 2), look.thumb)
        t = min(float(np.median(look.still_since[own[c.track]])) for c in gone)
        return [self._remove(gone, t, look)]

    def _vanished(self, view: View, look: Look, arms: Sequence[Arm]) -> list[TableObservation]:
        """Known cards whose place shows something else at rest that is not the bare table.

        The pack that lay under a card, a trick turned face down, the table under a card that lay there when the eyes
        opened: the bare table is not known there. So the place is read again, until the card was missed often enough.
        """
        gone, heap = [], self._lying.heap()
        seen = [self._place(card.quad) for card in self._changes.tentative]
        for card in self._lying:
            inside = own_part(card, heap)
            if any((place & inside).any() for place in seen):
                continue  # another card lies there, and is about to be reported
            unlike = share(look.changed, inside) >= 0.4 and share(look.moving, inside) <= 0.05
            if not unlike or any((arm.mask & card.mask).any() for arm in arms):
                card.missed, card.next_look = 0, look.t + MISSED_FIRST
                continue
            if look.t < card.next_look or self._is_busy(look.t):
                continue
            self._looks.append(look.t)
            card.next_look = look.t + PAUSE
            again = self._reader.read_quads(view.image, card.quad[None])[0]
            if again.card is not None and again.card == card.reading.card:
                self._still.accept(card.mask, look.thumb)
                continue
            card.missed += 1
            if card.missed >= MISSED:
                gone.append(card)
        return [self._remove(gone, min(float(np.median(look.still_since[c.mask])) for c in gone), look)] if gone else []

    def _remove(self, cards: Sequence[Lying], t: float, look: Look) -> CardsTaken:
        for card in cards:
            self._lying.remove(card)
            if card.reading.card is not None and (look.moving & grown(card.mask, NEARBY)).any():
                self._gone[card.reading.card] = (card, look.t)
        return CardsTaken(min(t, look.t), look.t, tuple(sorted(c.track for c in cards)))

    # -- places that changed ---------------------------------------------------------------------------------

    def _examine(
        self,
        change: Change,
        labels: npt.NDArray[np.int32],
        label: int,
        look: Look,
        arms: Sequence[Arm],
        view: View,
    ) -> list[TableObservation]:
        """Read the place (where ``labels`` has ``label``) and decide: laid, moved, back to bare, or wait."""
        mask = labels == label
        if share(look.foreign, mask) < 0.2 and not (mask & (self._lying.heap() > 0)).any():
            self._still.accept(grown(mask, 1), look.thumb)  # a hand went away, the table is as before
            return []
        if self._is_arm(change, mask, look, arms) or self._is_busy(look.t):
            return []
        self._looks.append(look.t)
        change.looked = look.t
        change.next_look = look.t + RETRIES[min(change.looks, len(RETRIES) - 1)]
        change.looks += 1
        box = self._box(change.box, view, MARGINS[change.looks % len(MARGINS)])
        sightings = self._of_card_size(self._reader.find_in(view.image, box))
        news = News(
            self._lying,
            look,
            self._place,
            understood=lambda place: self._still.accept(place, look.thumb),
            face_down=lambda quad: self._backs.is_back(view.image, quad),
        )
        fresh = news.among(sightings, labels > 0)
        if any((self._place(as_array(sighting.quad)) & mask).any() for sighting in fresh):
            change.next_look = look.t + PAUSE
        known = {card.reading.card for card in self._lying}
        events: list[TableObservation] = []
        for sighting in sorted(fresh, key=lambda s: s.card not in known):  # a card that was pushed frees its old place
            events += self._weigh(self._once(sighting, view, look), look)
        return events if fresh else self._without_card(change, mask, look, arms)

    def _turn(self, change: Change) -> tuple[int, float, float]:
        """Whose turn it is to be looked at, least first: places looked at seldom, as large as a card, long ago."""
        size = self._sizes.size
        unlike = 0.0
        if size is not None:
            x0, y0, x1, y1 = change.box
            middle = self._scale * np.array([[x0 + x1, y0 + y1]], np.float32) / 2
            card = float(size.area_at(middle)[0]) / self._scale**2
            unlike = abs(np.log(max(change.area, 1) / max(card, 1.0)))
        return min(change.looks, 3), unlike, change.looked

    def _is_busy(self, t: float) -> bool:
        """Whether as much was read of late as there is time for."""
        many = len(self._looks) == LOOKS and t < self._looks[0] + 1
        return many or (len(self._looks) >= BURST and t < self._looks[-BURST] + BURST / LOOKS)

    def _is_arm(self, change: Change, mask: Mask, look: Look, arms: Sequence[Arm]) -> bool:
        """Whether a place is but an arm that has only just come to rest: nothing can be read there yet."""
        return look.t - change.first < RESTING and any(share(arm.mask, mask) > 0.85 for arm in arms)

    def _without_card(
        self, change: Change, mask: Mask, look: Look, arms: Sequence[Arm]
    ) -> list[TableObservation]:
        """A changed place that shows no new card: something went, or it belongs to the table, or it takes time."""
        assert self._still.accepted is not None
        if not (mask & self._lying.mask()).any() and went_away(mask, self._still.accepted, look.thumb):
            self._hands.draw_back(mask)
            self._belongs_to_table(mask, look)
        elif look.t - change.first > ABSORB:
            self._hands.lean(mask, arms)
            self._belongs_to_table(mask, look)
        return []

    def _belongs_to_table(self, mask: Mask, look: Look) -> None:
        self._still.accept(grown(mask, 1), look.thumb)
        self._still.learn_bare(mask & ~self._lying.mask(), look.thumb)

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
            if not sighting.whole or size.fits(as_array(sighting.quad)[None])[0]:
                out.append(sighting)
            elif sighting.card is not None and not self._sizes.settled:
                out.append(replace(sighting, card=None))
        return out

    def _learn_size(self, sighting: CardSighting) -> None:
        if sighting.whole and sighting.card is not None and sighting.confidence >= SURE:
            self._sizes.see(as_array(sighting.quad))
            self._reader.size = self._sizes.size if self._sizes.settled else None

    def _once(self, sighting: CardSighting, view: View, look: Look, of: Lying | None = None) -> CardSighting:
        """The deck holds each card but so many times: one more than those that surely lie elsewhere is a doubt.

        ``of``: the lying card that was read again.
        """
        if sighting.card is None or sighting.card.endswith("?"):
            return sighting
        quad = as_array(sighting.quad)
        same = [
            card
            for card in self._lying
            if card is not of
            and card.reading.card == sighting.card
            and card.reading.confidence >= SURE
            and share(look.changed, card.mask) < 0.1
            and iou(quad, card.quad) <= 0.2
        ]
        if len(same) < self._copies:
            return sighting
        again = self._reader.read_quads(view.image, np.stack([card.quad for card in same]))
        if any(seen.card != sighting.card for seen in again):
            return sighting
        return doubted(sighting, min(seen.confidence for seen in again))

    # -- cards that come -------------------------------------------------------------------------------------

    def _weigh(self, sighting: CardSighting, look: Look) -> list[TableObservation]:
        """Report a sighting at once if it is sure, at rest and let go, else average it with those of the next."""
        card = self._changes.seen_as(sighting, as_array(sighting.quad), look.t, look.thumb)
        settled = _is_sure(card) or look.t - card.first >= PATIENCE
        waits = not settled or is_restless(self._place(card.quad), look) or self._is_held(card.quad, look)
        return [] if waits else self._report(card, look)

    def _let_go(self, look: Look) -> list[TableObservation]:
        """Cards that wait to be reported: they had just come to rest when they were read, or a hand held them.

        One that was read surely and still looks the same needs no other look.
        """
        events: list[TableObservation] = []
        for card in list(self._changes.tentative):
            if card not in self._changes.tentative:
                continue  # what was reported before it was the same card
            place = self._place(card.quad)
            if share(look.changed, place) < 0.1 or look.t - card.seen > GIVEN_UP:
                self._changes.drop(card)
                continue
            rested = look.t - card.seen >= SETTLED and _looks_alike(place, card.thumb, look.thumb)
            overdue = card.reading.card is not None and look.t - card.first > 2 * PATIENCE
            if rested and (overdue or _is_sure(card)) and not self._is_held(card.quad, look):
                events += self._report(card, look)
        return events

    def _is_held(self, quad: Floats, look: Look) -> bool:
        """Whether a hand is at a card and has not yet let go of it, or moves over it."""
        place = self._place(quad)
        hand = hand_at(place, look.foreign, self._lying.mask(), self._border | self._hands.where_they_lean(place.shape))
        if not hand.any():
            return False
        if rests(hand, look.moving) and look.t - float(np.median(look.still_since[hand])) >= HELD:
            return False
        return look.t - float(np.percentile(look.still_since[place], 90)) < FIDDLED

    def _report(self, card: Tentative, look: Look) -> list[TableObservation]:
        quad, reading = card.quad, card.reading
        self._changes.drop(card)
        inside = self._place(quad)
        t = self._came_to_lie(inside, look)
        events: list[TableObservation] = []
        covered = self._lying.under(quad)
        if reading.card is not None and any(c.reading.card == reading.card for c in covered):
            self._still.accept(inside, look.thumb)  # it came to light a moment ago
            return []
        if covered:
            events.append(self._remove(covered, t, look))
        for top in covered:
            again = top.below(reading.card)
            if again is not None:
                return [*events, self._back(again, t, look)]
        twin = self._twin(reading.card, quad, look)
        if twin is not None:
            if twin.under is not None and quad is not twin.quad and iou(quad, twin.quad) <= 0.6:
                events.append(self._back(twin.under, t, look))
                twin.under = None
            twin.quad, twin.mask = quad, inside
            self._still.accept(grown(inside, 2), look.thumb)
            return [*events, CardMoved(t, look.t, twin.track, self._zone(quad), as_quad(quad))]
        back, since = self._gone.pop(reading.card or "", (None, 0.0))
        if back is not None and self._copies == 1 and look.t - since <= RETURNS:
            back.quad, back.mask = quad, inside
            return [*events, self._back(back, t, look)]
        laid = self._lay(quad, reading, t, look.t, look)
        self._lying[laid.track].under = max(covered, key=lambda c: c.laid, default=None)
        return [*events, laid]

    def _came_to_lie(self, inside: Mask, look: Look) -> float:
        """When what is seen at a place came to rest there; a hand that passed over it since does not count."""
        rest = float(np.percentile(look.still_since[inside], 60)) if inside.any() else look.t
        t = rest + self._step - MOTION_SPAN
        new = inside & look.changed
        if pixels(new) >= 0.3 * pixels(inside):
            assert self._still.accepted is not None
            first = self._still.recall.since(new, look.thumb, self._still.accepted, ALIKE)
            t = t if first is None else min(t, first)
        return min(look.t, max(0.0, t))

    def _back(self, card: Lying, t: float, look: Look) -> CardMoved:
        """A card lies there again: the one on top of it has gone, or it was on its way."""
        self._lying.put_back(card)
        self._still.accept(grown(card.mask, 2), look.thumb)
        return CardMoved(t, look.t, card.track, self._zone(card.quad), as_quad(card.quad))

    def _twin(self, card: str | None, quad: Floats, look: Look) -> Lying | None:
        """The card of that name that has left its place: it was pushed here, not laid anew."""
        for lying in self._lying:
            named = card is not None and lying.reading.card == card
            if named and (share(look.changed, lying.mask) > 0.3 or iou(quad, lying.quad) > 0.2):
                return lying
        return None

    def _lay(self, quad: Floats, reading: Reading, t: float, decided: float, look: Look) -> CardLaid:
        mask = self._place(quad)
        card = self._lying.add(quad, mask, reading, decided)
        self._still.accept(grown(mask, 2), look.thumb)
        hand = self._hands.laid_by(mask, t)
        zone = self._zone(quad)
        return CardLaid(
            t, decided, card.track, reading.card, reading.confidence, zone, as_quad(quad), hand, reading.guesses
        )

    def _reread(self, view: View, look: Look, arms: Sequence[Arm]) -> list[TableObservation]:
        """Read doubtful cards again when some time has passed and no arm covers them."""
        events: list[TableObservation] = []
        for card in self._lying:
            reading = card.reading
            if card.rereads >= len(REREADS) or (reading.card is not None and reading.confidence >= SURE):
                continue
            if look.t - card.laid < REREADS[card.rereads] or any((arm.mask & card.mask).any() for arm in arms):
                continue
            card.rereads += 1
            before = reading.card
            again = self._reader.read_quads(view.image, card.quad[None])[0]
            reading.add(self._once(again, view, look, card))
            if reading.card is None and card.rereads == len(REREADS):
                self._backs.learn(view.image, card.quad)
            if reading.card is not None and reading.card != before:
                events.append(
                    CardReread(card.laid, look.t, card.track, reading.card, reading.confidence, reading.guesses)
                )
        return events

    # -- small geometry --------------------------------------------------------------------------------------

    def _place(self, quad: Floats) -> Mask:
        assert self._still.accepted is not None
        return mask_of(quad, self._still.accepted.shape[:2], self._scale)

    def _zone(self, quad: Floats) -> int | None:
        assert self._map is not None
        x, y = self._fold * quad.mean(0)
        return self._map.zone(float(x), float(y))

    def _box(self, box: tuple[int, int, int, int], view: View, part: float) -> tuple[int, int, int, int]:
        """Thumbnail box -> picture box with a margin of ``part`` card lengths, so that a half-changed card is whole."""
        size = self._sizes.size
        if size is not None:
            middle = self._scale * np.array([[box[0] + box[2], box[1] + box[3]]], np.float32) / 2
            margin = part * 1.2 * float(size.area_at(middle)[0]) ** 0.5
        else:
            margin = part * self._scale * max(box[2] - box[0], box[3] - box[1])
        margin = max(margin, 16.0)
        h, w = view.taken.shape[:2]
        return (
            max(0, int(box[0] * self._scale - margin)),
            max(0, int(box[1] * self._scale - margin)),
            min(w, int(box[2] * self._scale + margin)),
            min(h, int(box[3] * self._scale + margin)),
        )


def _looks_alike(place: Mask, one: Thumb, other: Thumb) -> bool:
    """Whether a place looks the same in two thumbnails."""
    ys, xs = np.nonzero(place)
    if not len(xs):
        return False
    box = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    return bool((difference(one[box], other[box])[place[box]] <= ALIKE).mean() >= UNMOVED)


def _is_sure(card: Tentative) -> bool:
    return card.reading.card is not None and card.reading.confidence >= SURE
