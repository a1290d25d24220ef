"""Arms over the table: what is foreign to it, reaches in over the border of the play zone, and is no card.

A knock is given to the seat whose hand is in the picture, so an arm is followed from the frame it comes in to the frame
it leaves. A card is given to the seat whose arm was at its place when it came to lie, and is not reported before the
hand lets go of it. Nothing of a hand is kept but the seat, the times and, for some seconds, where it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.events import HandGone, HandSeen
from vision.masks import Mask, grown, pixels, ring, share
from vision.seats import EDGE, SeatMap

SMALLEST_ARM = 0.002
"""Smallest share of the picture that counts as a hand; a fingertip or a shadow at the border is less."""
KEPT = 5.0
"""Seconds for which it is remembered where arms were."""
COARSE = 4
"""Thumbnail pixels along each side of what is remembered of an arm."""
AT_REST = 0.06
"""Share of an arm near a card that may move (noise at its edges) while the arm is said to rest."""
APART = 12
"""Pixels of border between two arms that are one blob: less is one sleeve."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm in one frame: the seat it comes from (None: unclear) and its pixels in the thumbnail."""

    seat: int | None
    mask: Mask


def border_of(seats: SeatMap, seen: Mask | None, shape: tuple[int, int]) -> Mask:
    """The inner border of the play zone, or of what a camera that has moved still sees of it (``seen``)."""
    height, width = shape
    if seen is None:
        return seats.border(width, height)
    zone = np.pad((seats.play_zone(width, height) & seen).astype(np.uint8), 1)
    return np.asarray((zone > cv2.erode(zone, np.ones((2 * EDGE + 1, 2 * EDGE + 1), np.uint8)))[1:-1, 1:-1])


def arms_in(
    foreign: Mask, cards: Mask, seats: SeatMap, border: Mask | None = None, leaning: Sequence[Arm] = ()
) -> list[Arm]:
    """Connected foreign regions that cross the border of the play zone and are not cards lying there.

    Args:
        foreign: pixels unlike the bare table, thumbnail size.
        cards: pixels of the cards known to lie on the table.
        border: where arms come in, by default at the border of the play zone.
        leaning: arms that lie on the table for so long that they have become part of it; they may reach out again.
    """
    if border is None:
        border = border_of(seats, None, (foreign.shape[0], foreign.shape[1]))
    scale = seats.width / foreign.shape[1]
    arms: list[Arm] = []
    roots = [(arm.seat, grown(arm.mask, 2)) for arm in leaning]
    for mask in _blobs(foreign & ~cards, border | _union([root for _, root in roots], foreign.shape)):
        contacts = _contacts(mask & border)
        if not contacts:
            arms += [Arm(seat, mask) for seat, root in roots if (root & mask).any()][:1]
        elif len(contacts) == 1:
            arms.append(Arm(seats.side(contacts[0] * scale), mask))
        else:
            parts = zip(contacts, _parts(mask, contacts), strict=True)
            arms += [Arm(seats.side(points * scale), part) for points, part in parts]
    return arms


def contact(mask: Mask, seats: SeatMap) -> npt.NDArray[np.float64]:
    """Where an arm with this mask crosses the border of the play zone, (N, 2) pixels of the picture."""
    h, w = mask.shape
    return np.asarray(_points(mask & seats.border(w, h)) * (seats.width / w))


def hand_at(place: Mask, foreign: Mask, cards: Mask, border: Mask) -> Mask:
    """The pixels next to a place, or over it, that belong to an arm; none where no hand is at it.

    Args:
        place: a card that was just seen; cards: those known to lie on the table.
        border: where arms come in, or lean.
    """
    around = ring(place, 1, 4)
    candidates = foreign & ~cards & ~grown(place, 1)
    if not (around & candidates).any():
        return np.zeros_like(place)
    arm = np.zeros_like(place)
    for mask in _blobs(candidates, border):
        arm |= mask
    at = around & arm
    return at if pixels(at) >= 4 else np.zeros_like(place)


def _union(masks: Sequence[Mask], shape: tuple[int, ...]) -> Mask:
    out = np.zeros(shape, bool)
    for mask in masks:
        out |= mask
    return out


def _blobs(region: Mask, border: Mask) -> list[Mask]:
    """Connected parts of a region that are as large as a hand and reach the border."""
    h, w = region.shape
    closed = cv2.morphologyEx(region.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    touching = set(np.unique(labels[border])) - {0}
    large = (label for label in range(1, count) if stats[label][4] >= SMALLEST_ARM * h * w)
    return [np.asarray(labels == label) for label in large if label in touching]


def _contacts(border_pixels: Mask) -> list[npt.NDArray[np.float64]]:
    """Where a blob meets the border: for each place its pixels (x, y), (N, 2)."""
    joined = cv2.dilate(border_pixels.astype(np.uint8), np.ones((APART + 1, APART + 1), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    found = []
    for label in range(1, count):
        found.append(_points(border_pixels & (labels == label)))
    return found


def _points(mask: Mask) -> npt.NDArray[np.float64]:
    """The pixels (x, y) of a mask, (N, 2)."""
    ys, xs = np.nonzero(mask)
    return np.stack([xs, ys], 1).astype(np.float64)


def _parts(mask: Mask, contacts: Sequence[npt.NDArray[np.float64]]) -> list[Mask]:
    """A blob shared out among the places where it meets the border: each pixel goes to the nearest."""
    distances = []
    for points in contacts:
        source = np.ones(mask.shape, np.uint8)
        source[points[:, 1].astype(int), points[:, 0].astype(int)] = 0
        distances.append(cv2.distanceTransform(source, cv2.DIST_L2, 3))
    nearest = np.argmin(np.stack(distances), axis=0)
    return [mask & (nearest == k) for k in range(len(contacts))]


class Hands:
    """Follows which seats have an arm in the picture, and where it reached in the last seconds."""

    def __init__(self) -> None:
        self._in: set[int | None] = set()
        self._coming: dict[int | None, float] = {}
        self._last_seen: dict[int | None, float] = {}
        self._reached: deque[tuple[float, int, Mask]] = deque()
        self.leaning: list[Arm] = []

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
        self._reached.extend((t, arm.seat, _coarse(arm.mask)) for arm in arms if arm.seat is not None)
        while self._reached and self._reached[0][0] < t - KEPT:
            self._reached.popleft()
        return sorted(events, key=lambda e: (e.t, str(e.seat)))

    def lean(self, mask: Mask, arms: Sequence[Arm]) -> None:
        """What lies still there will be taken for the table: arms of which it is the most lean on it from now on."""
        for arm in arms:
            if share(arm.mask, mask) > 0.5:
                self.leaning.append(Arm(arm.seat, mask.copy()))

    def draw_back(self, mask: Mask) -> None:
        """What lay there has gone, and an arm with it if one leant there."""
        self.leaning = [arm for arm in self.leaning if share(mask, arm.mask) < 0.5]

    def where_they_lean(self, shape: tuple[int, ...]) -> Mask:
        """The pixels of all leaning arms, and those next to them."""
        return _union([grown(arm.mask, 2) for arm in self.leaning], shape)

    def laid_by(self, place: Mask, t: float) -> int | None:
        """The seat whose arm was at a place when a card came to lie there, at ``t``.

        Of several the one that was there nearest to that moment; None where two were alike near, or no arm was there
        and not just one in the picture.
        """
        near = _coarse(grown(place, 6))
        weights: dict[int, float] = {}
        for when, seat, arm in self._reached:
            if -1.0 <= when - t <= 0.3 and (arm & near).any():
                weights[seat] = weights.get(seat, 0.0) + float(np.exp(-abs(when - t) / 0.3))
        ranked = sorted(weights.items(), key=lambda seat: -seat[1])
        if ranked:
            return ranked[0][0] if len(ranked) == 1 or ranked[0][1] > 2 * ranked[1][1] else None
        seats = {seat for when, seat, _ in self._reached if -0.8 <= when - t <= 0.3}
        return seats.pop() if len(seats) == 1 else None


def rests(at: Mask, moving: Mask) -> bool:
    """Whether an arm that is at a card (``at``: its pixels there) lies still."""
    return share(moving, at) <= AT_REST


def _coarse(mask: Mask) -> Mask:
    """A mask at a quarter of its size: where anything of it is."""
    h, w = mask.shape
    cut = mask[: h - h % COARSE, : w - w % COARSE]
    return np.asarray(cut.reshape(h // COARSE, COARSE, w // COARSE, COARSE).any(axis=(1, 3)))
