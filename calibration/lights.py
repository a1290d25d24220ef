"""Five things that reading depends on, measured before play, each with a traffic light.

Light, blur, glare, angle and card size; each is measured on the cards that lie on the table where some do, for they
are what has to be read, else as well as it can be on the table. The bounds are where reading begins to suffer, and
where it breaks down; ``python -m calibration.measure_lights`` measures that on labelled photographs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.setup import TableSetup
from vision.camera import Image
from vision.events import CardSighting
from vision.quads import areas, in_order
from vision.seats import Mask

Kind = Literal["light", "blur", "glare", "angle", "size"]
Level = Literal["green", "amber", "red"]
Floats = NDArray[np.float32]

CARD_MM = (63.0, 88.0)
TABLE_MM = 800.0
"""Width that a table is taken to have where no card tells how large things are: that of a café's square table."""
SATURATED = 250
"""Grey level from which a pixel shows nothing but light."""
STRONG = 40.0
"""Grey levels that an edge must at least step to show how blurred it is."""
FEWEST_EDGES = 12
EDGE_WIDTH = 0.15
"""Part of a card's height within which an edge has risen, however blurred."""


@dataclass(frozen=True)
class Bounds:
    """Between which figures a light is green, amber or red.

    Attributes:
        amber, red: from where it is so.
        more: whether more is better.
    """

    amber: float
    red: float
    more: bool

    def level(self, value: float) -> Level:
        """The colour for a figure."""
        sign = 1.0 if self.more else -1.0
        if sign * value < sign * self.red:
            return "red"
        return "amber" if sign * value < sign * self.amber else "green"


BOUNDS: dict[Kind, Bounds] = {
    "light": Bounds(45.0, 26.0, more=True),
    "blur": Bounds(0.022, 0.03, more=False),
    "glare": Bounds(0.1, 0.5, more=False),
    "angle": Bounds(35.0, 50.0, more=False),
    "size": Bounds(45.0, 32.0, more=True),
}
"""Grey level of the cards' white; blur as part of a card's height; glare as part of a card's area; degrees off the
vertical; pixels of a card's height. In the dark it is not reading that fails first but noticing: a card must differ
from the table by 13 grey levels (``vision.stillness``), and its white is twice that where it hardly does."""


@dataclass(frozen=True)
class Light:
    """One traffic light.

    Attributes:
        kind: what was measured.
        value: the figure, in the unit of ``BOUNDS``.
        level: its colour.
        sure: whether it was measured on cards.
    """

    kind: Kind
    value: float
    level: Level
    sure: bool


def traffic_lights(picture: Image, setup: TableSetup, cards: Sequence[CardSighting]) -> list[Light]:
    """The five lights of a calibrated table.

    Args:
        picture: BGR, from the calibrated place.
        cards: what was read on it.
    """
    h, w = picture.shape[:2]
    setup = setup.scaled(w, h)
    zone = setup.seat_map().play_zone(w, h)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    quads = _whole_cards(cards)
    known = len(quads) > 0
    height = card_height(quads) if known else expected_height(setup)
    angle = card_slant(quads) if known else setup.slant
    if known and setup.found != "picture":
        angle = (angle + setup.slant) / 2
    figures: dict[Kind, tuple[float, bool]] = {
        "light": (white_level(grey, zone, quads), known),
        "blur": (blur(grey, zone, quads, height) / max(height, 1.0), known),
        "glare": (glare(picture, zone, quads) / max(height**2 * CARD_MM[0] / CARD_MM[1], 1.0), known),
        "angle": (angle, known or setup.found != "picture"),
        "size": (height, known),
    }
    return [Light(kind, value, BOUNDS[kind].level(value), sure) for kind, (value, sure) in figures.items()]


def _whole_cards(cards: Sequence[CardSighting]) -> Floats:
    """Quads (N, 4, 2) of the cards that are seen whole, a short side first."""
    quads = [np.asarray(card.quad, np.float32) for card in cards if card.whole and card.card is not None]
    return in_order(np.stack(quads)) if quads else np.zeros((0, 4, 2), np.float32)


def card_height(quads: Floats) -> float:
    """Height of the middle one of the cards (N, 4, 2) in pixels: of a card with its area that is not foreshortened."""
    return float(np.sqrt(np.median(areas(quads)) * CARD_MM[1] / CARD_MM[0]))


def expected_height(setup: TableSetup) -> float:
    """Pixels of a card's height in the middle of a table of the usual size."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = setup.corners
    across = (np.hypot(x1 - x0, y1 - y0) + np.hypot(x2 - x3, y2 - y3)) / 2
    return float(across / TABLE_MM * CARD_MM[1])


def card_slant(quads: Floats) -> float:
    """Degrees between the camera's look and the vertical, from the shape of cards (N, 4, 2) that lie flat.

    Seen from afar a plane's picture is its picture from above, shrunk in one direction by the cosine of that angle. So
    there is a metric of the picture in which all cards measure 63 by 88 and stand square: three numbers, by least
    squares; the ratio of its axes is the cosine.
    """
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    sizes = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))[:, None]
    across, down = across / sizes, down / sizes
    ratio = CARD_MM[0] / CARD_MM[1]
    metric = np.eye(2)
    for _ in range(3):
        terms = np.concatenate([_terms(across, across), _terms(down, down), _terms(across, down)])
        wanted = np.repeat([ratio, 1 / ratio, 0.0], len(quads))
        a, b, c = np.linalg.lstsq(terms, wanted, rcond=None)[0]
        metric = np.array([[a, b], [b, c]])
        # Seen from low, the short side may look the longer one.
        wide = _terms(across, across) @ [a, b, c] > _terms(down, down) @ [a, b, c]
        across, down = np.where(wide[:, None], down, across), np.where(wide[:, None], across, down)
    low, high = np.linalg.eigvalsh(metric)
    cosine = np.sqrt(max(low, 1e-6) / max(high, 1e-6))
    return float(np.degrees(np.arccos(np.clip(cosine, 0, 1))))


def _terms(u: NDArray[np.floating], v: NDArray[np.floating]) -> NDArray[np.float64]:
    """What the three numbers of a symmetric (2, 2) metric are multiplied by in the product of u and v, (N, 3)."""
    return np.stack([u[:, 0] * v[:, 0], u[:, 0] * v[:, 1] + u[:, 1] * v[:, 0], u[:, 1] * v[:, 1]], 1)


def white_level(grey: NDArray[np.uint8], zone: Mask, quads: Floats) -> float:
    """Grey level, 0 to 255, of the white of the cards; without cards of the brightest hundredth of the table."""
    if not len(quads):
        return float(np.percentile(grey[zone], 99)) if zone.any() else 0.0
    levels = [np.percentile(grey[_inside(quad, grey.shape)], 75) for quad in quads]
    return float(np.median(levels))


def blur(grey: NDArray[np.uint8], zone: Mask, quads: Floats, height: float) -> float:
    """How blurred sharp edges are: standard deviation, in pixels, of the smoothing that the picture underwent.

    A step of height c that was smoothed with a Gaussian of deviation s rises at most by c / (s sqrt(2 pi)) a pixel. So
    the steepest of the strong edges tell it, on the cards where there are any.
    """
    where = zone.copy()
    if len(quads):
        where = np.zeros_like(zone)
        for quad in quads:
            where |= _inside(quad, grey.shape, grown=1.08)
        where &= zone
    values = grey.astype(np.float32)
    across = np.abs(cv2.filter2D(values, -1, np.array([[-0.5, 0, 0.5]], np.float32)))
    down = np.abs(cv2.filter2D(values, -1, np.array([[-0.5], [0], [0.5]], np.float32)))
    slope = np.maximum(across, down)
    reach = np.ones((1 + 2 * max(4, round(EDGE_WIDTH * height / 2)),) * 2, np.uint8)
    step = cv2.dilate(values, reach) - cv2.erode(values, reach)
    ridge = (slope >= cv2.dilate(slope, reach) - 1e-3) & (step >= STRONG) & where
    if ridge.sum() < FEWEST_EDGES:
        return 0.0
    widths = step[ridge] / np.maximum(slope[ridge], 0.5) / np.sqrt(2 * np.pi)
    return float(np.percentile(widths, 25))


def glare(picture: Image, zone: Mask, quads: Floats) -> float:
    """Square pixels of the largest spot on the table that shows nothing but light.

    On the cards themselves a spot cannot be told from white paper; a lamp that is mirrored there is mirrored beside
    them too, unless the table is of cloth.
    """
    bright = (picture.min(axis=2) >= SATURATED) & zone
    for quad in quads:
        bright &= ~_inside(quad, zone.shape, grown=1.03)
    spots = cv2.morphologyEx(bright.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, _labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(spots, np.uint8))
    return float(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0.0


def _inside(quad: Floats, shape: tuple[int, ...], grown: float = 0.96) -> Mask:
    """The pixels of a card, grown or shrunk round its middle."""
    out = np.zeros(shape[:2], np.uint8)
    corners = quad.mean(0) + grown * (quad - quad.mean(0))
    cv2.fillConvexPoly(out, np.round(corners).astype(np.int32), 1)
    return out.astype(bool)
