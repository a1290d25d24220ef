"""Eyes that notice when the camera is bumped, and find the table again.

Every picture is compared with the last one at rest (``vision.anchor``). Arms and cards change a part of it; if nearly
all changes at once the picture is held back: the table's watcher never reads from a camera that moves. When the
picture rests again the camera's new place is sought. From then on pictures are shown to the watcher as they would look
from the old place, so that seats, zones and lying cards stay where they are and nothing is laid anew. Where the place
is not found, nothing is read, and the players are told.

With a calibrated table only its play zone is passed on: hidden hands are never read, nor kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np

from vision.anchor import (
    AGREEING,
    COLUMNS,
    LEAST_CELLS,
    ROWS,
    Anchor,
    Detail,
    Homography,
    cells_of,
    detail,
    distinct,
    inside,
    likeness,
)
from vision.camera import Frame, Image
from vision.events import CameraBack, CameraLost, Quad, TableObservation
from vision.playzone import PlayZone
from vision.seats import Mask, SeatMap
from vision.stillness import MOTION_SPAN

DOUBT = 0.5
"""Share of the cells that must agree with the last picture at rest; below it the picture is held back."""
CALM = 0.7
"""Share from which a picture becomes the new one at rest."""
REFRESH = 1.0
"""Seconds between two pictures at rest."""
CREEP = 10.0
"""Seconds between two comparisons with the very first picture: a camera that sinks slowly never fails a single look."""
SLID = 0.6
"""Seconds after which it is asked whether the camera slid along the grain."""
SETTLED = 0.25
"""Seconds within which a picture must not move to be compared in earnest."""
ATTEMPTS = (0.3, 0.6, 1.2, 2.4)
"""Seconds between the searches for the camera's place; the last one again and again."""
LOST = 1.5
"""Seconds of doubt after which the players are told."""
FIRST_LOOK = 0.4
"""Seconds between the first two pictures that are compared."""
GIVE_UP = 15.0
"""Seconds of rest after which a table without a profile is taken as it is now."""
SMALL = 0.015
"""Part of the picture's width by which a camera may move without a word: half of what players would call a bump, and
less than what a turn by two degrees moves the corners. It is followed all the same."""


class Watcher(Protocol):
    """What is needed of ``vision.table.TableWatcher``."""

    seat_map: SeatMap | None

    @property
    def cards(self) -> tuple[tuple[int, str | None, Quad], ...]: ...

    def follows(self, frame: Frame) -> bool: ...

    def accept(self, frame: Frame) -> list[TableObservation]: ...


class SteadyEyes:
    """Wraps a watcher of the table. Observations are in the pixels of the first picture, or of the profile's.

    Args:
        watcher: who reads the table.
        seats: gives the seats of a calibrated table for a picture's width and height; None: the watcher's own.
        reference: the picture of the calibrated table; the camera is expected where it was then. Its play zone must be
            given by ``seats``.
    """

    def __init__(
        self,
        watcher: Watcher,
        seats: Callable[[int, int], SeatMap] | None = None,
        reference: Image | None = None,
    ) -> None:
        self._watcher = watcher
        self._seats = seats
        self._reference = reference
        self._zone: Mask | None = None
        self._play: PlayZone | None = None
        self._first: Anchor | None = None
        self._memory = _Memory()
        self._place: Homography | None = None
        self._seen: Mask | None = None
        self._doubt: _Doubt | None = None
        self._crept = -np.inf
        self._slid: float | None = None
        self.view: Frame | None = None

    def settle(self, seats: Callable[[int, int], SeatMap], reference: Image) -> None:
        """Another calibration of the same table, from the next picture on; to be called between two pictures.

        Cards that lie there stay known, and are not laid anew; those outside the new play zone count as taken.

        Args:
            seats, reference: as in the constructor; the camera stands where ``reference`` was taken.
        """
        self._seats, self._reference = seats, reference
        self._zone = self._play = self._first = self._place = self._seen = self._doubt = self._slid = None
        self._memory = _Memory()
        self.view = None

    @property
    def cards(self) -> tuple[tuple[int, str | None, Quad], ...]:
        """The cards that lie on the table now: (track, card, quad)."""
        return self._watcher.cards

    @property
    def watcher(self) -> Watcher:
        """Who reads the table behind these eyes."""
        return self._watcher

    @property
    def zone(self) -> Mask | None:
        """What of the picture is the table's, as it was calibrated; None: all of it, or no picture came yet."""
        return self._zone

    @property
    def seat_map(self) -> SeatMap | None:
        """The seats in the pixels of the observations; None before the first picture."""
        return self._watcher.seat_map

    @property
    def place(self) -> Homography | None:
        """Takes pixels of the observations to those of the camera's picture now; None: they are the same."""
        return self._place

    def accept(self, frame: Frame) -> list[TableObservation]:
        """Look at the next frame; reports what the watcher sees, and ``CameraLost`` and ``CameraBack``.

        ``view`` is then what was looked at: the table zone only, from the old place; None while pictures are held back.
        """
        if self._first is None:
            self._begin(frame)
        assert self._first is not None
        image = fitted(frame.image, self._first.width, self._first.height)
        view = self._from_old_place(image)
        self._memory.lie_there(self._watcher.cards, self._first.width, self._first.height)
        if self._doubt is None:
            if self._memory.knows(view, frame.t) and not self._slid_along(view, frame.t):
                if self._memory.refreshed == frame.t and frame.t - self._crept >= CREEP:
                    self._crept = frame.t
                    self._look_for_creeping(view)
                return self._pass(frame, view)
            if self._watcher.follows(replace(frame, image=view)):  # it is held by hand, or the table is leant on
                if frame.t - self._memory.refreshed >= REFRESH:
                    self._memory.refresh(view, frame.t)
                return self._pass(frame, view)
            self._doubt = _Doubt(frame.t)
        return self._in_doubt(frame, image, view, self._doubt)

    def _begin(self, frame: Frame) -> None:
        """The first picture: where is the table, and does the camera stand where it stood?"""
        h, w = frame.image.shape[:2]
        if self._seats is not None:
            self._watcher.seat_map = self._seats(w, h)
            self._zone = self._watcher.seat_map.play_zone(w, h)
        self._memory.inner = inside(self._zone)
        self._crept = frame.t
        known = frame.image if self._reference is None else fitted(self._reference, w, h)
        if self._zone is not None:
            self._play = PlayZone(self._zone, known)
        self._first = Anchor(self._masked(known), self._zone)
        if self._reference is not None and self._first.counted.sum() >= LEAST_CELLS:
            self._memory.keep(self._first)
            self._doubt = _Doubt(frame.t, at_start=True)

    def _pass(self, frame: Frame, view: Image) -> list[TableObservation]:
        self.view = replace(frame, image=view)
        return self._watcher.accept(self.view)

    # -- in doubt --------------------------------------------------------------------------------------------

    def _in_doubt(self, frame: Frame, image: Image, view: Image, doubt: _Doubt) -> list[TableObservation]:
        """Hold the picture back until it is as it was, or the camera's new place is known."""
        self.view = None
        t = frame.t
        if self._memory.knows(view, t) and self._memory.distinct_agree:
            self._doubt = self._slid = None
            back: list[TableObservation] = [CameraBack(t, t)] if doubt.told else []
            return back + self._pass(frame, view)
        doubt.see(image, t)
        if doubt.settled(t) and doubt.may_try(t):
            place = self._sought(image, doubt)
            if place is not None:
                return self._arrive(frame, image, place, doubt)
            if self._seats is None and t - doubt.since >= GIVE_UP:
                return self._start_anew(frame, image, doubt)
        over = LOST if doubt.settled(t) else 2 * LOST
        if doubt.told or t - doubt.since < over:
            return []
        doubt.told = True
        return [CameraLost(doubt.since, t, "moved" if doubt.sharp(self._memory) else "covered")]

    def _sought(self, image: Image, doubt: _Doubt) -> Homography | None:
        """The camera's place, from the last picture at rest or else from the first one."""
        assert self._first is not None
        if doubt.anchor is None:
            doubt.anchor = self._first if self._memory.image is None else self._memory.anchor(self._zone)
        for anchor in dict.fromkeys((doubt.anchor, self._first)):
            found = anchor.place_of(image)
            if found is not None:
                return found[0]
        return None

    def _arrive(self, frame: Frame, image: Image, place: Homography, doubt: _Doubt) -> list[TableObservation]:
        """The camera's new place is known: go on from there."""
        assert self._first is not None
        far = self._apart(self._place, place)
        self._go_to(image, place)
        view = self._from_old_place(image)
        self._memory.start_at(view, frame.t)
        self._doubt = self._slid = None
        events: list[TableObservation] = []
        if not doubt.told and not doubt.at_start and far >= SMALL:
            events.append(CameraLost(doubt.since, frame.t, "moved"))
        if doubt.told or events:
            events.append(CameraBack(frame.t, frame.t))
        return events + self._pass(frame, view)

    def _start_anew(self, frame: Frame, image: Image, doubt: _Doubt) -> list[TableObservation]:
        """Nothing is as it was, and nobody said where the table lies in the picture: it still fills it."""
        self._place, self._seen = None, None
        if self._watcher.seat_map is not None:
            self._watcher.seat_map = self._watcher.seat_map.seeing(None)
        self._first, self._memory, self._doubt = Anchor(image), _Memory(), None
        events: list[TableObservation] = [CameraBack(frame.t, frame.t)] if doubt.told else []
        return events + self._pass(frame, image)

    def _slid_along(self, view: Image, t: float) -> bool:
        """Whether the camera has moved along the grain of a table that looks the same all along.

        Then only the few things agree no more that do not look the same a little farther on (the pack, a knot); they
        may as well have been carried off, so that the place is sought before anything is said.
        """
        if self._memory.distinct_agree:
            self._slid = None
            return False
        if self._slid is None:
            self._slid = t
        if t - self._slid < SLID:
            return False
        found = self._memory.anchor(self._zone).place_of(view)
        if found is not None and self._apart(None, found[0]) >= SMALL:
            return True
        self._memory.refresh(view, t)
        self._slid = None
        return False

    def _look_for_creeping(self, view: Image) -> None:
        """Whether the camera has sunk so slowly that no picture differed from the last one; if so, follow it."""
        assert self._first is not None
        seen = self._first.cells(view, self._seen)
        if not seen.enough or seen.agreement >= DOUBT:
            return
        found = self._first.place_of(view)
        if found is None:
            return
        place = found[0] if self._place is None else self._place @ found[0]
        if self._apart(self._place, place) >= SMALL / 4:
            self._go_to(view, place)
            self._memory.forget()

    # -- places ----------------------------------------------------------------------------------------------

    def _apart(self, old: Homography | None, new: Homography) -> float:
        """How far the table's picture moves between two places of the camera, in picture widths."""
        assert self._first is not None
        w, h = self._first.width, self._first.height
        corners = np.array([[[0, 0]], [[w, 0]], [[w, h]], [[0, h]]], np.float64)
        before = corners if old is None else cv2.perspectiveTransform(corners, old)
        return float(np.linalg.norm(cv2.perspectiveTransform(corners, new) - before, axis=2).mean() / w)

    def _go_to(self, image: Image, place: Homography) -> None:
        assert self._first is not None
        self._place = place
        seen = self._first.seen(image, place)
        self._seen = None if seen.all() else seen
        rest = seen if self._zone is None else seen & self._zone
        self._memory.inner = None if rest.all() else inside(rest)
        if self._watcher.seat_map is not None:
            outline = None if self._seen is None else self._first.in_sight(image, place)
            self._watcher.seat_map = self._watcher.seat_map.seeing(outline)

    def _from_old_place(self, image: Image) -> Image:
        """A picture as it would look from the old place; what is out of sight there stays as it was seen last."""
        if self._place is None or self._first is None:
            return self._masked(image)
        view = self._first.from_here(image, self._place)
        if self._seen is not None:
            last = self._memory.image
            kept = np.zeros_like(view) if last is None else last.copy()
            view = np.asarray(cv2.copyTo(view, self._seen.astype(np.uint8), kept), np.uint8)
        return self._masked(view)

    def _masked(self, image: Image) -> Image:
        """The play zone of a picture; beyond it are always the same colours of its rim."""
        return image if self._play is None else self._play.read(image)


class _Memory:
    """The last picture at rest, from the old place, and which cells of it can be relied on.

    Attributes:
        image: the picture, None before the first.
        inner: where it is looked at (``anchor.inside``); None: everywhere.
        refreshed: when it was taken.
        distinct_agree: whether half of the cells that do not look the same a little farther on agree with the last
            view; True where there is none.
    """

    def __init__(self) -> None:
        self.image: Image | None = None
        self.inner: Detail | None = None
        self.refreshed = -np.inf
        self._detail: Detail | None = None
        self._counted: Mask | None = None
        self._distinct: Mask | None = None
        self.distinct_agree = True
        self._cards: tuple[object, ...] = ()
        self._under_cards = np.zeros((ROWS, COLUMNS), bool)
        self._touched = np.zeros((ROWS, COLUMNS), bool)

    def lie_there(self, cards: tuple[tuple[int, str | None, Quad], ...], width: int, height: int) -> None:
        """The cards that lie there now: the first thing to go when a trick is taken, they prove no place.

        Args:
            width, height: of the picture that their corners are given in.
        """
        if cards == self._cards:
            return
        self._cards, self._under_cards = cards, cells_of([quad for _, _, quad in cards], width, height)
        self._touched |= self._under_cards

    def keep(self, anchor: Anchor) -> None:
        """Start from a picture of another day."""
        self._detail, self._counted = anchor.detail, anchor.counted

    def start_at(self, view: Image, t: float) -> None:
        """Another place of the camera, the same table; what of it can be relied on must show itself."""
        self.image, self.refreshed = view, t
        self._detail, self._counted, self._distinct = detail(view, self.inner), None, None
        self.distinct_agree = True

    def forget(self) -> None:
        """Nothing is known until the next picture."""
        self._detail, self._counted, self.refreshed = None, None, -np.inf

    def knows(self, view: Image, t: float) -> bool:
        """Whether a view agrees; from time to time it becomes the new picture at rest.

        The detail of a cell is relied on where two pictures at rest agree on it: noise and moving hands do not.
        """
        now = detail(view, self.inner)
        if self._detail is None:
            self.start_at(view, t)
            return True
        alike = likeness(self._detail, now) >= AGREEING
        if self._counted is None:
            if t - self.refreshed >= FIRST_LOOK:
                self._refresh(view, now, alike, t)
            return True
        counted = self._counted & ~self._touched
        if counted.sum() < LEAST_CELLS:
            if t - self.refreshed >= REFRESH:
                self._refresh(view, now, alike, t)
            return True
        agreement = float(alike[counted].mean())
        if self._distinct is not None:
            telling = self._distinct & ~self._touched
            self.distinct_agree = bool(2 * alike[telling].sum() >= telling.sum())
        if agreement >= CALM and self.distinct_agree and t - self.refreshed >= REFRESH:
            self._refresh(view, now, alike, t)
        return agreement >= DOUBT

    def refresh(self, view: Image, t: float) -> None:
        """Take a view for the new picture at rest."""
        now = detail(view, self.inner)
        alike = np.ones((ROWS, COLUMNS), bool) if self._detail is None else likeness(self._detail, now) >= AGREEING
        self._refresh(view, now, alike, t)

    def _refresh(self, view: Image, now: Detail, alike: Mask, t: float) -> None:
        self.image, self._detail, self._counted, self.refreshed = view, now, alike, t
        self._distinct = alike & distinct(now)
        self._touched = self._under_cards.copy()
        self.distinct_agree = True

    @property
    def detailed(self) -> int:
        """Cells that can be relied on."""
        return 0 if self._counted is None else int(self._counted.sum())

    def anchor(self, zone: Mask | None) -> Anchor:
        """The last picture at rest as an anchor."""
        assert self.image is not None
        return Anchor(self.image, zone)


class _Doubt:
    """The picture does not look as it did.

    Attributes:
        since: when that began.
        at_start: the camera's place was never known yet in this session.
        told: the players know.
        anchor: the last picture at rest, once it was needed.
    """

    def __init__(self, since: float, at_start: bool = False) -> None:
        self.since, self.at_start = since, at_start
        self.told = False
        self.anchor: Anchor | None = None
        self._tries, self._next_try = 0, -np.inf
        self._past: deque[tuple[float, Anchor]] = deque()
        self._restless = since
        self._cells = 0

    def see(self, image: Image, t: float) -> None:
        """The next picture, as the camera gives it; compared with that of a while before, or a slow swing is rest."""
        now = Anchor(image)
        self._cells = int(now.counted.sum())
        self._past.append((t, now))
        while len(self._past) > 1 and self._past[1][0] <= t - MOTION_SPAN + 1e-6:
            self._past.popleft()
        cells = self._past[0][1].cells(image)
        if cells.enough and cells.agreement < CALM:
            self._restless = t

    def may_try(self, t: float) -> bool:
        """Whether it is time to look for the camera's place once more; if so, the next time comes later."""
        if t < self._next_try:
            return False
        self._next_try = t + ATTEMPTS[min(self._tries, len(ATTEMPTS) - 1)]
        self._tries += 1
        return True

    def settled(self, t: float) -> bool:
        """Whether the picture has come to rest, whatever it shows."""
        return t - self._restless >= SETTLED

    def sharp(self, memory: _Memory) -> bool:
        """Whether the picture shows about as much detail as it did: a hand on the lens leaves none."""
        return 4 * self._cells >= memory.detailed


def fitted(image: Image, width: int, height: int) -> Image:
    """A picture at another size: scaled to the width, cut or filled with black at the bottom."""
    if image.shape[:2] == (height, width):
        return image
    size = (width, max(1, round(image.shape[0] * width / image.shape[1])))
    scaled = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    out = np.zeros((height, width, 3), np.uint8)
    rows = min(height, scaled.shape[0])
    out[:rows] = scaled[:rows]
    return out
