"""Finding the table top in a picture: its colours from the middle outwards, and straight edges round them.

The table lies in the middle. Its colours are those that most of the middle has; whatever hangs together and has them is
the table, with the cards and hands that lie on it. Straight lines are fitted to its outline, and of them and the sides
of the picture the four are taken that enclose it best. A round table, or one that fills the picture, has no such lines:
then the picture's own border is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import TableProblem
from calibration.setup import TableSetup
from vision.camera import Image
from vision.events import Quad
from vision.seats import Mask, Points

Lab = NDArray[np.float32]
"""(height, width, 3) picture in Lab."""

WIDTH = 320
"""Pixels of the picture in which the table is sought."""
MIDDLE = 0.35
"""Part of the picture, each way, that is taken for the table at first."""
COLOURS = 5
"""Colours that the middle is sorted into."""
TABLES = 0.8
"""Part of the middle whose colours, the most frequent first, are the table's: cards and things have the rest."""
LIKE = 2.4
"""Standard deviations, the mean of lightness and both colours, within which a pixel has a colour of the table."""
LEAST_SPREAD = (9.0, 3.5, 3.5)
"""Standard deviations of a colour at least, in Lab: light falls off towards the edges."""
LINE = 2.0
"""Pixels from a line within which the outline counts for it."""
LONG = 0.18
"""Part of the picture's height that a line must at least follow the outline."""
LINES = 6
"""Lines that are fitted at most."""
STEP, ASIDE = 8.0, 3.0
"""Lab units that the colour must change across a side, between points that lie so many pixels on either side of it."""
NEAR = 8
"""Pixels sideways within which the edge is sought for a line of the outline."""
STRAIGHT = 0.6
"""Part of the outline that must follow the lines."""
ROUND = 0.8
"""Part of the outline that follows an ellipse if the table is round."""
EDGE_SHARE = 0.6
"""Part of a side along which it must: arms and glasses hide the rest."""
BARE = 0.3
"""Part of the middle that must be free of cards."""
BORDER = 3
"""Pixels from the picture's border where an outline is the picture's, not the table's."""
CONFIDENT = 0.85
"""Overlap of the four lines with the table's pixels from which they are believed: sheets of paper hide corners."""
TURNED = 35.0
"""Degrees by which a table may be turned in the picture; beyond that it is not clear which side is seat 1's."""
FILLS = 0.93
"""Part of the picture from which a table fills it."""


@dataclass(frozen=True)
class FoundTable:
    """What was found.

    Attributes:
        setup: the corners, with the seats that were asked for.
        confidence: 0 to 1: how well the corners enclose what looks like the table; of the picture's border: how
            surely no edge is in sight.
    """

    setup: TableSetup
    confidence: float


def find_table(pictures: Sequence[Image], seats: int, cards: Sequence[Quad] = ()) -> FoundTable:
    """The table in one or several pictures from one place.

    Args:
        cards: where cards lie, so that none is taken for the table.

    Raises:
        TableProblem: no picture, or pictures of different sizes.
    """
    if not pictures:
        raise TableProblem("il faut au moins une image de la table")
    if len({p.shape for p in pictures}) > 1:
        raise TableProblem("ces images n'ont pas toutes la même taille : elles doivent venir de la même caméra")
    picture = pictures[0] if len(pictures) == 1 else without_hands(pictures)
    h, w = picture.shape[:2]
    whole = TableSetup.whole(seats, w, h)
    scale = w / WIDTH
    small = cv2.resize(picture, (WIDTH, max(16, round(h / scale))), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB).astype(np.float32)
    table = table_pixels(np.asarray(lab, np.float32), [np.array(card) / scale for card in cards])
    if table.mean() >= FILLS:
        return FoundTable(whole, float(table.mean()))
    lines = [on_edge(line, np.asarray(lab, np.float32)) for line in outline_lines(table)]
    quad, overlap = enclosing(lines, table, np.asarray(lab, np.float32))
    if quad is None or overlap < CONFIDENT:
        return FoundTable(whole, 1 - overlap)
    try:
        setup = whole.with_corners([(float(x) * scale, float(y) * scale) for x, y in quad], "seen")
    except TableProblem:
        return FoundTable(whole, 1 - overlap)
    if setup.share >= FILLS or _turned(setup) > TURNED:
        return FoundTable(whole, overlap)
    return FoundTable(setup, overlap)


def _turned(setup: TableSetup) -> float:
    """Degrees by which seat 1's side is turned in the picture."""
    (ax, ay), (bx, by) = setup.corners[3], setup.corners[2]
    return float(abs(np.degrees(np.arctan2(by - ay, bx - ax))))


def without_hands(pictures: Sequence[Image]) -> Image:
    """What most of the pictures show at each pixel: hands move, the table does not."""
    return np.asarray(np.median(np.stack(list(pictures)[-15:]), axis=0), np.uint8)


def table_pixels(lab: Lab, cards: Sequence[NDArray[np.float64]] = ()) -> Mask:
    """Which pixels of a small picture (height, width, 3) are the table's, with all that lies on it, (height, width)."""
    h, w = lab.shape[:2]
    y, x = round(h * (1 - MIDDLE) / 2), round(w * (1 - MIDDLE) / 2)
    bare = np.ones((h, w), np.uint8)
    for card in cards:
        cv2.fillConvexPoly(bare, np.round(card).astype(np.int32), 0)
    bare = np.asarray(cv2.erode(bare, np.ones((5, 5), np.uint8)), np.uint8)
    kept = bare[y : h - y, x : w - x] > 0
    if kept.mean() < BARE:  # cards all over the middle: look round them
        y, x, kept = 0, 0, bare > 0
    middle = lab[y : h - y, x : w - x][kept]
    if len(middle) < 10 * COLOURS:
        return np.zeros((h, w), bool)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    _, which, centres = cv2.kmeans(middle, COLOURS, None, stop, 2, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
    near = np.full((h, w), np.inf, np.float32)
    often = np.bincount(which[:, 0], minlength=COLOURS)
    covered = 0
    for k in np.argsort(-often):
        if covered >= TABLES * len(middle):
            break
        covered += int(often[k])
        own = middle[which[:, 0] == k]
        spread = np.maximum(own.std(0), LEAST_SPREAD)
        near = np.minimum(near, np.sqrt((((lab - centres[k]) / spread) ** 2).mean(2)))
    like = (near < LIKE).astype(np.uint8)
    like = np.asarray(cv2.morphologyEx(like, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    like[bare == 0] = 1  # cards lie on the table
    count, labels, _stats, _ = cv2.connectedComponentsWithStats(like, connectivity=4)
    if count < 2:
        return np.zeros((h, w), bool)
    inside = np.bincount(labels[y : h - y, x : w - x][kept], minlength=count)
    inside[0] = 0
    part = (labels == int(inside.argmax())).astype(np.uint8)
    part = cv2.morphologyEx(part, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    outlines, _ = cv2.findContours(np.asarray(part, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros((h, w), np.uint8)
    if outlines:
        cv2.drawContours(filled, [max(outlines, key=cv2.contourArea)], -1, 1, -1)
    return filled.astype(bool)


def outline_lines(table: Mask) -> list[NDArray[np.float64]]:
    """Straight edges of the table: lines (a, b, c) with a x + b y + c > 0 on its side, a^2 + b^2 = 1."""
    h, w = table.shape
    outlines, _ = cv2.findContours(table.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return []
    points = max(outlines, key=cv2.contourArea)[:, 0].astype(np.float64)
    x, y = points.T
    edge = (x < BORDER) | (y < BORDER) | (x >= w - BORDER) | (y >= h - BORDER)
    points = points[~edge]
    if _is_round(points, w, h):
        return []
    whole = len(points)
    middle = np.array([table.nonzero()[1].mean(), table.nonzero()[0].mean()])
    rng = np.random.default_rng(1)
    lines: list[NDArray[np.float64]] = []
    while len(lines) < LINES and len(points) >= LONG * h:
        best: NDArray[np.bool_] | None = None
        for _ in range(200):
            a, b = points[rng.choice(len(points), 2, replace=False)]
            along = b - a
            if np.hypot(*along) < LONG * h / 2:
                continue
            near = np.abs((points - a) @ np.array([-along[1], along[0]])) < LINE * np.hypot(*along)
            if best is None or near.sum() > best.sum():
                best = near
        if best is None or best.sum() < LONG * h:
            break
        found = points[best].astype(np.float32)
        dx, dy, px, py = cv2.fitLine(found, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        line = np.array([-dy, dx, dy * px - dx * py], np.float64)
        if line[:2] @ middle + line[2] < 0:
            line = -line
        lines.append(line)
        points = points[np.abs(points @ line[:2] + line[2]) > 2 * LINE]
    return lines if whole - len(points) >= STRAIGHT * whole else []


def _is_round(outline: Points, w: int, h: int) -> bool:
    """Whether an outline (N, 2) is that of a round table: an ellipse that is mostly in the picture."""
    if len(outline) < h:
        return False
    (x, y), (across, along), turn = cv2.fitEllipse(outline.astype(np.float32))
    if not (0 < x < w and 0 < y < h and max(across, along) < 2 * max(w, h) and min(across, along) > 0):
        return False
    angle = np.radians(turn)
    rotated = (outline - [x, y]) @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    radius = np.hypot(rotated[:, 0] / (across / 2), rotated[:, 1] / (along / 2))
    near = np.abs(radius - 1) * np.sqrt(across * along) / 2 < 1.5 * LINE
    return bool(np.mean(near) >= ROUND)


def on_edge(line: NDArray[np.float64], lab: Lab) -> NDArray[np.float64]:
    """A line moved sideways to where the colour changes most across it: the outline may end short of the edge."""
    h, w = lab.shape[:2]
    along = np.array([-line[1], line[0]])
    foot = np.array([w / 2, h / 2]) - (line[:2] @ [w / 2, h / 2] + line[2]) * line[:2]
    start, end = foot - w * along, foot + w * along
    moved = np.arange(-NEAR, NEAR + 1.0)
    sharp = np.array([steps_across(start - d * line[:2], end - d * line[:2], lab).clip(max=20).sum() for d in moved])
    sharpest = moved[sharp >= 0.97 * sharp.max()]  # across a sharp edge several lie beside it on either side
    return np.asarray(line + np.array([0, 0, float(sharpest.mean())]), np.float64)


def steps_across(start: Points, end: Points, lab: Lab) -> Points:
    """How much the colour changes across a side, in Lab units, at points along it that are in the picture."""
    h, w = lab.shape[:2]
    along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
    aside = ASIDE * np.array([-along[1], along[0]])
    points = start + np.linspace(0.03, 0.97, 150)[:, None] * (end - start)
    both = np.stack([points + aside, points - aside])
    both = np.round(both[:, ((both >= 0) & (both <= [w - 1, h - 1])).all(2).all(0)]).astype(int)
    one, other = (lab[p[:, 1], p[:, 0]] for p in both)
    return np.asarray(np.linalg.norm(one - other, axis=1), np.float64)


def edge_share(start: Points, end: Points, lab: Lab) -> float:
    """Along how much of a side, 0 to 1, the colour changes sharply across it: an edge, not a shadow's rim."""
    steps = steps_across(start, end, lab)
    return float((steps >= STEP).mean()) if len(steps) >= 10 else 0.0


def enclosing(lines: Sequence[NDArray[np.float64]], table: Mask, lab: Lab) -> tuple[Points | None, float]:
    """The four of these lines and the picture's sides that enclose the table best: corners (4, 2), and the overlap.

    The table must have an edge along each line; a shadow has none.
    """
    h, w = table.shape
    sides = [np.array(s, float) for s in ((1, 0, 0.5), (-1, 0, w - 0.5), (0, 1, 0.5), (0, -1, h - 0.5))]
    best: tuple[Points | None, float] = (None, 0.0)
    for four in combinations(range(len(lines) + 4), 4):
        quad = _corners([[*lines, *sides][k] for k in four], w, h)
        if quad is None:
            continue
        drawn = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(drawn, np.round(quad[1]).astype(np.int32), 1)
        shape = drawn.astype(bool)
        overlap = float((shape & table).sum() / max(1, (shape | table).sum()))
        if overlap <= best[1] + 1e-9:
            continue
        order, corners = quad
        seen = [edge_share(corners[i - 1], corners[i], lab) for i, k in enumerate(order) if four[k] < len(lines)]
        if all(share >= EDGE_SHARE for share in seen):
            best = (corners, overlap)
    return best


def _corners(lines: Sequence[NDArray[np.float64]], w: int, h: int) -> tuple[list[int], Points] | None:
    """Where four lines meet in turn; None where they enclose nothing, or only far outside the picture.

    Returns:
        The lines in turn, and (4, 2) corners: corner i lies between line i and the next.
    """
    turn = sorted(range(4), key=lambda k: float(np.arctan2(-lines[k][1], -lines[k][0])))
    corners = []
    for one, other in zip(turn, [*turn[1:], turn[0]], strict=True):
        meet = np.cross(lines[one], lines[other])
        if abs(meet[2]) < 0.05:  # nearly parallel
            return None
        corners.append(meet[:2] / meet[2])
    quad = np.array(corners)
    if (np.abs(quad - [w / 2, h / 2]) > [1.2 * w, 1.2 * h]).any():
        return None
    middle = quad.mean(0)
    if any(line[:2] @ middle + line[2] <= 0 for line in lines) or not cv2.isContourConvex(quad.astype(np.float32)):
        return None
    return turn, quad
