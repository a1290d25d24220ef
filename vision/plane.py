"""How large a card seems at each place of the table: cards are equal and lie on one plane.

A homography takes the picture to the plane of the table. It enlarges areas round the picture point (x, y) by
c / (a x + b y + 1)^3, the determinant of its Jacobian. Equal cards therefore seem as large as (a x + b y + 1)^3: **the
cube root of a card's area in the picture is linear in its place in the picture**, and zero on the horizon (O. Chum and
J. Matas, Planar Affine Rectification from Change of Scale, ACCV 2010). Three numbers say it all, however the camera
stands, and neither its lens nor the size of the cards has to be known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.quads import Floats, areas, iou

Points = NDArray[np.floating[Any]]

NOISE = 0.03
"""Part by which the cube root of a card's area is off where its corners are off by some hundredths of its width."""
SLOPE = 0.06
"""By what part that root is smaller one card farther away, before many cards were seen. For a camera at 80 cm it is
tan(slant) x 7 cm / 80 cm: 0.05 at 30 degrees, 0.1 at 50."""
COARSE_TO_FINE = (0.3, 0.15, 0.08, 0.06, 0.06, 0.06)
"""Deviations at which a card loses half its say, one fit after another: first all count, then those that agree."""
FITTING = (0.55, 1.8)
"""Between which parts of the expected area a card can be: half a card and two cards that touch are none."""
REMEMBERED = 40
"""Places whose cards are remembered over an evening."""
ONE_PLACE = 0.5
"""Overlap from which two cards lie at one place: what is seen there again and again has one say all the same."""
SETTLED = 4
"""Places from which the size is known beyond doubt."""


@dataclass(frozen=True)
class CardSize:
    """The size of cards over one picture.

    Attributes:
        middle: (2,) pixels, the middle of the cards that were seen.
        side: square root of the area of a card there, in pixels.
        line: (3,) cube root of a card's area, where that of ``side`` squared is 1: at ``middle``, and what it grows by
            per ``side`` along x and along y.
        spread: (3, 3) covariance of ``line``.
    """

    middle: NDArray[np.float64]
    side: float
    line: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def fitted(cls, quads: Floats) -> CardSize:
        """The size that whole cards (N, 4, 2), N at least 1, agree on.

        Least squares with an expectation: that the size is the same all over, up to ``SLOPE``. So one card gives
        a constant, two or three hardly more, and many, well apart, the perspective. Cards that disagree
        with the others lose their say (weights of Cauchy's distribution, from coarse to fine).
        """
        quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
        roots = np.cbrt(np.maximum(areas(quads), 1.0).astype(np.float64))
        usual = _usual(roots)
        side = usual**1.5
        places = quads.mean(1).astype(np.float64)
        middle = np.median(places, axis=0)
        terms = _terms((places - middle) / side)
        expected = np.diag([0.0, SLOPE**-2.0, SLOPE**-2.0])
        values = roots / usual
        say = np.minimum(values, 1) ** 6  # half a dozen keys of a keyboard that read as aces are no far cards
        line = np.array([1.0, 0.0, 0.0])
        for scale in COARSE_TO_FINE:
            weights = say / (1 + ((values - terms @ line) / scale) ** 2)
            informed = (terms * weights[:, None]).T @ terms / NOISE**2
            line = np.linalg.solve(informed + expected, (terms * weights[:, None]).T @ values / NOISE**2)
        return cls(middle, side, line, np.linalg.inv(informed + expected))

    def area_at(self, points: Points) -> NDArray[np.float64]:
        """Area in square pixels of a card whose middle lies at each of the points (N, 2); 0 beyond the horizon."""
        return self._root_at(points) ** 3 * self.side**2

    def unknown_at(self, points: Points) -> NDArray[np.float64]:
        """How badly the size is known there, (N,): standard deviation, as part of it, of the cube root of the area."""
        terms = self._terms_at(points)
        deviation = np.sqrt(np.einsum("ni,ij,nj->n", terms, self.spread, terms))
        return np.asarray(deviation / np.maximum(self._root_at(points), 1e-3))

    def fits(self, quads: Floats) -> NDArray[np.bool_]:
        """Which quads (N, 4, 2) can be whole cards by their size, (N,); in doubt where the size is not known well."""
        quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
        middles = quads.mean(1)
        expected = np.maximum(self.area_at(middles), 1e-3)
        doubt = np.exp(3 * 2 * np.minimum(self.unknown_at(middles), 10.0))  # two deviations, of the area
        ratio = areas(quads) / expected
        return np.asarray((ratio > FITTING[0] / doubt) & (ratio < FITTING[1] * doubt))

    def moved(self, x: float, y: float) -> CardSize:
        """The same over a picture whose origin lies elsewhere: all its points have moved by (x, y) pixels."""
        return replace(self, middle=self.middle + np.array([x, y]))

    def scaled(self, factor: float) -> CardSize:
        """The same over the picture enlarged by a factor."""
        return replace(self, middle=self.middle * factor, side=self.side * factor)

    def _terms_at(self, points: Points) -> NDArray[np.float64]:
        return _terms((np.asarray(points, np.float64).reshape(-1, 2) - self.middle) / self.side)

    def _root_at(self, points: Points) -> NDArray[np.float64]:
        """Cube root of the area, where that of ``side`` squared is 1, (N,)."""
        return np.asarray(np.maximum(self._terms_at(points) @ self.line, 0.0))


def _terms(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Constant, x and y of each place (N, 2), (N, 3)."""
    return np.concatenate([np.ones((len(places), 1)), places], 1)


def _usual(roots: NDArray[np.float64]) -> float:
    """The median of the cube roots of areas, weighed by the areas: small things that read as cards are many."""
    roots = np.sort(roots)
    share = np.cumsum(roots**3)
    return float(roots[np.searchsorted(share, share[-1] / 2)])


class Sizes:
    """What an evening teaches of the size of cards: one whole card a place, the latest there."""

    def __init__(self) -> None:
        self._quads: list[Floats] = []
        self._size: CardSize | None = None

    def see(self, quad: Floats) -> None:
        """A whole card (4, 2) was read."""
        others = [q for q in self._quads if iou(q, quad) < ONE_PLACE]
        self._quads = [*others, quad][-REMEMBERED:]
        self._size = None

    def forget(self) -> None:
        """The camera may stand elsewhere now."""
        self._quads, self._size = [], None

    @property
    def settled(self) -> bool:
        """Whether enough cards were seen that one misread thing among them does not matter."""
        return len(self._quads) >= SETTLED

    @property
    def size(self) -> CardSize | None:
        """The size that the cards agree on; None before the first."""
        if self._size is None and self._quads:
            self._size = CardSize.fitted(np.stack(self._quads))
        return self._size
