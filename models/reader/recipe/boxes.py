"""Axis-parallel boxes of real pictures -> quads: contours and GrabCut inside each box.

Only quads that fill their box, that do not merely repeat it, and whose four sides lie on a change of
colour are kept; without those checks one in ten is wrong. A box without a quad gets None.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from .quads import (
    Quad,
    box_of,
    box_overlap,
    card_like,
    ordered,
    refined,
    sides,
    step_support,
)

SIZE = 300
"""Boxes are looked at with their longer side scaled to this many pixels."""


def paper_masks(view: np.ndarray, box: np.ndarray, grabcut: bool) -> Iterator[np.ndarray]:
    """Masks in which the card may be one white patch: thresholds, distance to paper, GrabCut."""
    soft = cv2.GaussianBlur(view, (5, 5), 0)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    x0, y0, x1, y1 = (int(v) for v in box)
    for channel in (lab[..., 0], soft.min(2)):
        otsu, _ = cv2.threshold(channel, 0, 255, cv2.THRESH_OTSU)
        for shift in (-25, 0, 25):
            yield ((channel > otsu + shift) * 255).astype(np.uint8)
    inner = np.float32(lab[max(0, y0) : y1, max(0, x0) : x1]).reshape(-1, 3)
    if len(inner):
        paper = np.median(inner[inner[:, 0] >= np.percentile(inner[:, 0], 85)], 0)
        distance = np.abs(np.float32(lab) - paper).sum(2)
        for limit in (30, 50, 75):
            yield ((distance < limit) * 255).astype(np.uint8)
    if grabcut:
        marks = np.full(view.shape[:2], cv2.GC_BGD, np.uint8)
        marks[max(0, y0 - 2) : y1 + 3, max(0, x0 - 2) : x1 + 3] = cv2.GC_PR_FGD
        cx, cy, r = (x0 + x1) // 2, (y0 + y1) // 2, int(0.22 * min(x1 - x0, y1 - y0))
        marks[cy - r : cy + r, cx - r : cx + r] = cv2.GC_FGD
        try:
            cv2.grabCut(view, marks, None, np.zeros((1, 65)), np.zeros((1, 65)), 2, cv2.GC_INIT_WITH_MASK)
        except cv2.error:  # one colour only: nothing to cut
            return
        yield (((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD)) * 255).astype(np.uint8)


def candidates(image: np.ndarray, box: np.ndarray, grabcut: bool) -> list[tuple[float, Quad]]:
    """(how well the patch fills the quad, quad) for every patch of every mask."""
    x0, y0, x1, y1 = (int(v) for v in box)
    height, width = image.shape[:2]
    room = int(0.15 * max(x1 - x0, y1 - y0)) + 4
    left, top = max(0, x0 - room), max(0, y0 - room)
    part = image[top : min(height, y1 + room), left : min(width, x1 + room)]
    scale = SIZE / max(part.shape[:2])
    view = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    inner = np.int32((np.float32([x0, y0, x1, y1]) - [left, top, left, top]) * scale)
    bx0, by0, bx1, by1 = np.clip(inner + np.int32([-6, -6, 6, 6]), 0, None)
    area = float((inner[2] - inner[0]) * (inner[3] - inner[1]))
    found = []
    for mask in paper_masks(view, inner, grabcut):
        kept = np.zeros_like(mask)
        kept[by0:by1, bx0:bx1] = mask[by0:by1, bx0:bx1]
        for opened in (kept, cv2.morphologyEx(kept, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))):
            for contour in cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
                if cv2.contourArea(contour) < 0.25 * area:
                    continue
                hull = cv2.convexHull(contour)
                shapes = [cv2.boxPoints(cv2.minAreaRect(contour))]
                for slack in (0.02, 0.035, 0.05):
                    four = cv2.approxPolyDP(hull, slack * cv2.arcLength(hull, True), True)
                    if len(four) == 4:
                        shapes.append(four[:, 0].astype(np.float32))
                        break
                for shape in shapes:
                    fill = cv2.contourArea(contour) / max(cv2.contourArea(np.float32(shape)), 1)
                    found.append((fill, ordered(np.float32(shape) / scale + [left, top])))
    return found


def slant(quad: Quad) -> float:
    """Largest angle of a side to the picture's axes, in degrees."""
    d = np.roll(quad, -1, 0) - quad
    return float(np.abs((np.degrees(np.arctan2(d[:, 1], d[:, 0])) + 45) % 90 - 45).max())


def quad_in_box(image: np.ndarray, gray: np.ndarray, box: np.ndarray, grabcut: bool = True) -> Quad | None:
    """The card that fills the box, or None when no quad passes the checks."""
    box = np.asarray(box, float)
    rated = []
    for fill, quad in candidates(image, box, grabcut):
        fit = box_overlap(box_of(quad), box)
        if fit > 0.8 and card_like(quad):
            rated.append((fit * (0.7 + 0.3 * min(fill, 1)), fill, quad))
    best, best_score = None, 0.0
    for _, fill, quad in sorted(rated, key=lambda r: -r[0])[:4]:
        for shape in (quad, ordered(refined(gray, quad))):
            if not card_like(shape):
                continue
            fit, (short, long) = box_overlap(box_of(shape), box), sides(shape)
            score = fit * (0.7 + 0.3 * min(fill, 1)) - 0.04 * abs(long / short - 1.43)
            if fit > 0.9 and fill > 0.9 and score > best_score:
                best, best_score = shape, score
    if best is None or slant(best) < 4 or step_support(cv2.GaussianBlur(image, (3, 3), 0), best) < 0.75:
        return None
    return best
