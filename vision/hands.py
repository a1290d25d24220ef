"""Arms over the table: what is foreign to it, reaches in over the border of the play zone, and is no card.

A knock is given to the seat whose hand is in the picture, so an arm is followed from the frame it comes in to the frame
it leaves. Nothing of a hand is kept but the seat and the times.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.events import HandGone, HandSeen
from vision.seats import SeatMap
from vision.stillness import Mask

SMALLEST_ARM = 0.002
"""Smallest share of the picture that counts as a hand; a fingertip or a shadow at the border is less."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm in one frame: the seat it comes from (None: unclear) and its pixels in the thumbnail."""

    seat: int | None
    mask: Mask


def arms_in(foreign: Mask, cards: Mask, seats: SeatMap) -> list[Arm]:
    """Connected foreign regions that cross the border of the play zone and are not cards lying there.

    Args:
        foreign: pixels unlike the bare table, thumbnail size.
        cards: pixels of the cards known to lie on the table.
    """
    h, w = foreign.shape
    region = (foreign & ~cards).astype(np.uint8)
    closed = cv2.morphologyEx(region, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    border = seats.border(w, h)
    crossing = set(np.unique(labels[border]).tolist())
    arms = []
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < SMALLEST_ARM * h * w or label not in crossing:
            continue
        mask: Mask = labels == label
        arms.append(Arm(seats.side(contact(mask, seats)), mask))
    return arms


def contact(mask: Mask, seats: SeatMap) -> npt.NDArray[np.float64]:
    """Where an arm with this mask crosses the border of the play zone, (N, 2) pixels of the picture."""
    h, w = mask.shape
    ys, xs = np.nonzero(mask & seats.border(w, h))
    return np.asarray(np.stack([xs, ys], 1) * (seats.width / w), np.float64)


class Hands:
    """Follows which seats have an arm in the picture."""

    def __init__(self) -> None:
        self._in: set[int | None] = set()
        self._coming: dict[int | None, float] = {}
        self._last_seen: dict[int | None, float] = {}

    def update(self, t: float, arms: list[Arm]) -> list[HandSeen | HandGone]:
        """Report arms that came in or left.

        An arm counts when two frames in a row show it (one alone is a flicker), from the first of them; it is gone
        when it was away for more than a tenth of a second.
        """
        events: list[HandSeen | HandGone] = []
        present = {arm.seat for arm in arms}
        for seat in present:
            if seat in self._coming and seat not in self._in:
                self._in.add(seat)
                events.append(HandSeen(self._coming[seat], t, seat))
            if seat in self._in:
                self._last_seen[seat] = t
        self._coming = {seat: self._coming.get(seat, t) for seat in present}
        for seat in list(self._in):
            if t - self._last_seen[seat] > 0.1 + 1e-6:
                self._in.discard(seat)
                events.append(HandGone(self._last_seen[seat], t, seat))
        return sorted(events, key=lambda e: (e.t, str(e.seat)))

    def latest(self, since: float) -> int | None:
        """The only seat whose arm was in the picture since ``since``; None if none or several."""
        seats = {seat for seat, seen in self._last_seen.items() if seen >= since and seat is not None}
        return seats.pop() if len(seats) == 1 else None
