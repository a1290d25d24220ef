"""Cards found by a small network, also on pale tables and where they overlap.

The network sees the picture at one width and gives five maps: at half resolution the inside of cards, their
visible border and the index places of corners that are seen, at a quarter how deep a pixel lies in the visible
part of its card and the half-axes of the card round each seen corner, at an eighth the geometry of the *whole*
card of a pixel (centre, logarithms of the half-axes, their doubled angles).

Two decoders turn them into proposals: a vote of the deepest pixels, and the connected pieces of inside between
borders; both are then moved onto the border map. A third reads the seen corners: of a card in a fan or under
others one index is often all that shows, and it tells where the card lies.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import along_sides, onto_ridge
from vision.quads import Floats, areas, card_shaped, distinct, in_order, short_sides
from vision.weights import open_weights

UNIT = 40.0
"""Half-axes are given as logarithms of multiples of this many network pixels."""

INDEX_PLACE = (0.12, 0.14)
"""Where a card prints its index, from a corner: along the short and the long side, as shares of these sides."""

PART, SIDE_SEEN = (0.6, 0.42), 0.3
"""Sides are followed that far from their corner, as shares of them, where the border map shows them so surely."""

LEAST_HEAT = 0.18
"""A corner is proposed where the heat map says so at least that surely."""


@dataclass(frozen=True, slots=True)
class Maps:
    """What the network says of a picture seen at one width.

    Attributes:
        inside, border: (h, w), 0 to 1, in network pixels.
        heat: (h/2, w/2), 0 to 1, peaks at the index places of seen corners.
        depth: (h/4, w/4), 0 to 1.
        geometry: (8, h/8, w/8), see ``models/finder/CARD.md``.
        axes: (6, h/4, w/4), the same.
        scale: network pixels a picture pixel, along x and y.
    """

    inside: np.ndarray
    border: np.ndarray
    heat: np.ndarray
    depth: np.ndarray
    geometry: np.ndarray
    axes: np.ndarray
    scale: Floats


@dataclass(frozen=True, slots=True)
class Corners:
    """Corners that show an index, surest first.

    Attributes:
        quads: (N, 4, 2) picture pixels, the whole card of each corner; sides 0 and 2 are the card's short ones.
        which: (N,), the corner of the quad that is seen: 0 top left, 1 top right, 2 bottom right, 3 bottom left.
        score: (N,), 0 to 1.
    """

    quads: Floats
    which: NDArray[np.intp]
    score: Floats

    def __len__(self) -> int:
        return len(self.quads)


@dataclass(frozen=True, slots=True)
class Sight:
    """What the finder sees at one width: quads (N, 4, 2) of whole cards, best first, score (N,), and corners."""

    quads: Floats
    score: Floats
    corners: Corners


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)


class FinderNet:
    """``models/finder/finder.onnx``: where cards are, not which."""

    def __init__(self) -> None:
        self._net = open_weights("finder/finder.onnx")

    def see(self, picture: np.ndarray, side: int, most: int = 60, thorough: bool = True) -> Sight:
        """Whole cards and seen corners, in picture pixels, from one pass of the network.

        Args:
            picture: BGR.
            side: the longer side of the picture is seen at this many pixels; cards of 15 to 125 px are found.
            most: at most about this many quads.
            thorough: take the pieces at three border thresholds, twice, instead of one.
        """
        maps = self.maps(picture, side)
        return Sight(*_proposals(maps, most, thorough), _corners(maps))

    def proposals(self, picture: np.ndarray, side: int, most: int = 60, thorough: bool = True) -> tuple[Floats, Floats]:
        """Quads (N, 4, 2) in picture pixels, in order, and how sure the finder is of each, (N,), best first.

        The arguments are those of ``see``.
        """
        return _proposals(self.maps(picture, side), most, thorough)

    def corners(self, picture: np.ndarray, side: int) -> Corners:
        """The seen corners of face-up cards; ``side`` as in ``see``."""
        return _corners(self.maps(picture, side))

    def maps(self, picture: np.ndarray, side: int) -> Maps:
        """The maps of a picture whose longer side is seen at ``side`` pixels."""
        factor = side / max(picture.shape[:2])
        size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
        scale = np.array([size[0] / picture.shape[1], size[1] / picture.shape[0]], np.float32)
        grey = (110, 110, 110)
        small = cv2.copyMakeBorder(small, 0, -size[1] % 32, 0, -size[0] % 32, cv2.BORDER_CONSTANT, value=grey)
        fed = ((small[None].astype(np.float32) - 110) / 60).transpose(0, 3, 1, 2)
        maps, depth, geometry, axes = self._net.run(None, {"x": np.ascontiguousarray(fed)})
        twice = (small.shape[1], small.shape[0])
        half = _sigmoid(maps[0])
        inside, border = (cv2.resize(m, twice, interpolation=cv2.INTER_LINEAR) for m in half[:2])
        return Maps(inside, border, half[2], _sigmoid(depth[0, 0]), geometry[0], axes[0], scale)


def _proposals(maps: Maps, most: int, thorough: bool) -> tuple[Floats, Floats]:
    """Quads of whole cards in picture pixels, and their scores."""
    votes, trust = _votes(maps.depth, maps.geometry)
    pieces = _pieces(maps.inside, maps.border, thorough)
    quads = np.concatenate([votes, pieces])
    score = np.concatenate([trust, np.full(len(pieces), 0.5, np.float32)])
    order = np.argsort(-score, kind="stable")
    quads, score = quads[order], score[order]
    kept = distinct(quads, 0.88, most)
    quads, score = quads[kept], score[kept]
    moved = onto_ridge(maps.border, quads)
    moved = in_order(moved) if len(moved) else moved
    sound = card_shaped(moved, 60, ratio=(1.0, 2.1)) if len(moved) else np.zeros(0, bool)
    quads, moved, score = quads[sound], moved[sound], score[sound]
    if not len(moved):
        return moved, score
    best_three = np.sort(along_sides(maps.border, moved).mean(2), axis=1)[:, 1:]  # one side may be covered
    support = best_three.mean(1)
    everything = np.concatenate([moved, quads]) if thorough else moved
    score = np.concatenate([support * score, score * 0.5]) if thorough else support * score
    order = np.argsort(-score, kind="stable")
    everything, score = everything[order], score[order]
    kept = distinct(everything, 0.93)
    return np.asarray(everything[kept] / maps.scale, np.float32), score[kept]


def _votes(depth: np.ndarray, geometry: np.ndarray) -> tuple[Floats, Floats]:
    """One whole card from each local maximum of depth, in network pixels."""
    smooth = cv2.GaussianBlur(depth, (3, 3), 0)
    y, x = _peaks(smooth, 0.3, 80)
    row = np.minimum(np.round(y / 2).astype(int), geometry.shape[1] - 1)
    col = np.minimum(np.round(x / 2).astype(int), geometry.shape[2] - 1)
    v = geometry[:, row, col]
    half_a, half_b = np.exp(np.clip(v[2:4], -3, 3)) * UNIT
    centre = np.stack([col * 8 + 1.5 + v[0] * half_a, row * 8 + 1.5 + v[1] * half_a], 1)
    angle_a, angle_b = np.arctan2(v[5], v[4]) / 2, np.arctan2(v[7], v[6]) / 2
    a = half_a[:, None] * np.stack([np.cos(angle_a), np.sin(angle_a)], 1)
    b = half_b[:, None] * np.stack([np.cos(angle_b), np.sin(angle_b)], 1)
    quads = np.stack([centre - a - b, centre - a + b, centre + a + b, centre + a - b], 1).astype(np.float32)
    quads = in_order(quads)
    sound = areas(quads) > 50
    return quads[sound], smooth[y, x][sound].astype(np.float32)


def _peaks(heat: np.ndarray, least: float, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the local maxima above ``least``, highest first."""
    y, x = np.nonzero((heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > least))
    first = np.argsort(-heat[y, x], kind="stable")[:most]
    return y[first], x[first]


def _pieces(inside: np.ndarray, border: np.ndarray, thorough: bool) -> Floats:
    """The boxes round connected pieces of inside between borders, grown by the border's own width."""
    quads: list[Floats] = []
    solid = inside > 0.5
    for threshold in (0.2, 0.4, 0.6) if thorough else (0.4,):
        mask: np.ndarray = (solid & (border < threshold)).astype(np.uint8)
        for eroded in (0, 1) if thorough else (0,):
            if eroded:
                mask = cv2.erode(mask, np.ones((3, 3), np.uint8))
            for outline in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
                if cv2.contourArea(outline) < 60:
                    continue
                quad = np.asarray(cv2.boxPoints(cv2.minAreaRect(outline)), np.float32)
                hull = cv2.convexHull(outline)
                corners = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True)
                if len(corners) == 4 and cv2.contourArea(corners) > 0.7 * cv2.contourArea(quad):
                    quad = corners.reshape(4, 2).astype(np.float32)
                width = float(short_sides(quad)[0])
                if width >= 6:
                    centre = quad.mean(0)
                    quads.append(centre + (quad - centre) * ((width + 3 + 2 * eroded) / width))
    return in_order(np.stack(quads)) if quads else np.zeros((0, 4, 2), np.float32)


def _corners(maps: Maps, most: int = 120) -> Corners:
    """The whole card of each seen corner: its index place is the peak, its sides follow the axes there."""
    y, x = _peaks(maps.heat, LEAST_HEAT, most)
    score = maps.heat[y, x]
    place = np.stack([x + _finer(maps.heat, y, x, 1), y + _finer(maps.heat, y, x, 0)], 1) * 2 + 0.5
    row, col = np.minimum(y // 2, maps.axes.shape[1] - 1), np.minimum(x // 2, maps.axes.shape[2] - 1)
    v = maps.axes[:, row, col].T
    short, long = (
        _unit(v[:, k : k + 2]) * (2 * UNIT * np.exp(np.clip(v[:, j, None], -3, 3))) for j, k in ((0, 2), (1, 4))
    )
    short, long = _along_border(maps.border, place, short, long)
    corner = place - INDEX_PLACE[0] * short - INDEX_PLACE[1] * long
    quads = np.stack([corner, corner + short, corner + short + long, corner + long], 1).astype(np.float32)
    flat = np.abs((_unit(short) * _unit(long)).sum(1)) > 0.75  # no corner of a card is that far from a right angle
    sound = ~flat & (areas(quads) > 60)
    quads, score, short = quads[sound], score[sound], short[sound]
    if not len(quads):
        return Corners(quads, np.zeros(0, np.intp), score.astype(np.float32))
    ordered = in_order(quads)
    # Seen from low the card's short side may look longer: the network tells them apart, lengths do not.
    sides = _unit(np.roll(ordered, -1, 1) - ordered)
    across, along = (np.abs((sides[:, k] * short).sum(1)) for k in (0, 1))
    ordered[across < along] = np.roll(ordered[across < along], 1, axis=1)
    which = np.linalg.norm(ordered - quads[:, :1], axis=2).argmin(1)
    picture = (ordered + 0.5) / maps.scale - 0.5  # pixel centres lie at whole numbers in both
    return Corners(picture.astype(np.float32), which, score.astype(np.float32))


def _along_border(border: np.ndarray, place: np.ndarray, short: np.ndarray, long: np.ndarray) -> tuple[np.ndarray, ...]:
    """The axes (N, 2) turned to where the border map shows the two sides that meet in the corner."""
    if not len(place):
        return short, long
    corner = place - INDEX_PLACE[0] * short - INDEX_PLACE[1] * long
    across, down = PART[0] * short, PART[1] * long
    stub = np.stack([corner, corner + across, corner + across + down, corner + down], 1).astype(np.float32)
    moved = onto_ridge(border, stub, 0.3)
    seen = along_sides(border, moved, 12).mean(2) > SIDE_SEEN
    out = []
    for axis, side, to in ((short, 0, 1), (long, 3, 3)):
        turned = _unit(moved[:, to] - moved[:, 0])
        near = (turned * _unit(axis)).sum(1) > 0.9
        turned = turned * np.linalg.norm(axis, axis=1, keepdims=True)
        out.append(np.where((seen[:, side] & near)[:, None], turned, axis))
    return out[0], out[1]


def _unit(vectors: np.ndarray) -> np.ndarray:
    """The vectors (..., 2) with length 1."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6))


def _finer(heat: np.ndarray, y: NDArray[np.intp], x: NDArray[np.intp], axis: int) -> np.ndarray:
    """How far beside the peaks the top of a bell through three neighbours along ``axis`` lies, -0.5 to 0.5."""
    dy, dx = (1, 0) if axis == 0 else (0, 1)
    top = np.log(np.maximum(np.pad(heat, 1, mode="edge"), 1e-4))
    before, here, after = top[y + 1 - dy, x + 1 - dx], top[y + 1, x + 1], top[y + 1 + dy, x + 1 + dx]
    bend = before - 2 * here + after
    return np.asarray(np.clip(0.5 * (before - after) / np.where(bend > -1e-6, np.inf, bend), -0.5, 0.5))
