"""Cards found by a small network, also on pale tables and where they overlap.

The network sees the picture at one width and gives four maps: at half resolution the inside of cards and
their visible border, at a quarter how deep a pixel lies in the visible part of its card, at an eighth the
geometry of the *whole* card of that pixel (centre, logarithms of the half-axes, their doubled angles). Two
decoders turn them into quads: a vote of the deepest pixels, and the connected pieces of inside between
borders; both are then moved onto the border map.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.edges import along_sides, onto_ridge
from vision.quads import Floats, areas, card_shaped, distinct, in_order, short_sides
from vision.weights import open_weights

UNIT = 40.0
"""Half-axes are given as logarithms of multiples of this many network pixels."""


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)


class FinderNet:
    """``models/finder/finder.onnx``: where cards are, not which."""

    def __init__(self) -> None:
        self._net = open_weights("finder/finder.onnx")

    def proposals(self, picture: np.ndarray, side: int, most: int = 60, thorough: bool = True) -> tuple[Floats, Floats]:
        """Quads (N, 4, 2) in picture pixels, in order, and how sure the finder is of each, (N,), best first.

        Args:
            picture: BGR.
            side: the longer side of the picture is seen at this many pixels; cards of 13 to 125 px are found.
            most: at most about this many quads.
            thorough: take the pieces at three border thresholds, twice, instead of one.
        """
        inside, border, depth, geometry, scale = self._maps(picture, side)
        votes, trust = self._votes(depth, geometry)
        pieces = self._pieces(inside, border, thorough)
        quads = np.concatenate([votes, pieces])
        score = np.concatenate([trust, np.full(len(pieces), 0.5, np.float32)])
        order = np.argsort(-score, kind="stable")
        quads, score = quads[order], score[order]
        kept = distinct(quads, 0.88, most)
        quads, score = quads[kept], score[kept]
        moved = onto_ridge(border, quads)
        moved = in_order(moved) if len(moved) else moved
        sound = card_shaped(moved, 60, ratio=(1.0, 2.1)) if len(moved) else np.zeros(0, bool)
        quads, moved, score = quads[sound], moved[sound], score[sound]
        if not len(moved):
            return moved, score
        best_three = np.sort(along_sides(border, moved).mean(2), axis=1)[:, 1:]  # one side may be covered
        support = best_three.mean(1)
        everything = np.concatenate([moved, quads]) if thorough else moved
        score = np.concatenate([support * score, score * 0.5]) if thorough else support * score
        order = np.argsort(-score, kind="stable")
        everything, score = everything[order], score[order]
        kept = distinct(everything, 0.93)
        return np.asarray(everything[kept] / scale, np.float32), score[kept]

    def _maps(self, picture: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Floats]:
        factor = side / max(picture.shape[:2])
        size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
        scale = np.array([size[0] / picture.shape[1], size[1] / picture.shape[0]], np.float32)
        grey = (110, 110, 110)
        small = cv2.copyMakeBorder(small, 0, -size[1] % 32, 0, -size[0] % 32, cv2.BORDER_CONSTANT, value=grey)
        fed = ((small[None].astype(np.float32) - 110) / 60).transpose(0, 3, 1, 2)
        maps, depth, geometry = self._net.run(None, {"x": np.ascontiguousarray(fed)})
        twice = (small.shape[1], small.shape[0])
        inside, border = (cv2.resize(m, twice, interpolation=cv2.INTER_LINEAR) for m in _sigmoid(maps[0, :2]))
        return inside, border, _sigmoid(depth[0, 0]), geometry[0], scale

    @staticmethod
    def _votes(depth: np.ndarray, geometry: np.ndarray) -> tuple[Floats, Floats]:
        """One whole card from each local maximum of depth, in network pixels."""
        smooth = cv2.GaussianBlur(depth, (3, 3), 0)
        peak = (smooth >= cv2.dilate(smooth, np.ones((3, 3), np.uint8))) & (smooth > 0.3)
        y, x = np.nonzero(peak)
        first = np.argsort(-smooth[y, x], kind="stable")[:80]
        y, x = y[first], x[first]
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

    @staticmethod
    def _pieces(inside: np.ndarray, border: np.ndarray, thorough: bool) -> Floats:
        """The boxes round connected pieces of inside between borders, grown by the border's own width."""
        quads: list[Floats] = []
        for threshold in (0.2, 0.4, 0.6) if thorough else (0.4,):
            for eroded in (0, 1) if thorough else (0,):
                mask: np.ndarray = ((inside > 0.5) & (border < threshold)).astype(np.uint8)
                if eroded:
                    mask = cv2.erode(mask, np.ones((3, 3), np.uint8))
                for outline in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
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
