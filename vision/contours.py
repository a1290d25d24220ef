"""Cards found by their outline: bright rectangles on a darker table.

The cheap half of finding. It is exact where a card lies alone on a table of another brightness, and blind
on pale wood and where cards touch; the finder network (``vision.finder``) sees those.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.quads import Floats, card_shaped, distinct, in_order, short_sides, side_lengths

WORKING_SIDE = 1280
QUICK_SIDE = 640
"""Cards of 60 pixels in a frame of 1280 are still 30 wide here, and the edges of the full frame mend the corners."""
LEAST_AREA, MOST_AREA = 0.0022, 0.6  # of the picture


def _masks(picture: np.ndarray) -> list[np.ndarray]:
    """Four ways of parting cards from the table; in the last one the cards are what edges enclose."""
    height = picture.shape[0]
    smooth = cv2.GaussianBlur(picture, (5, 5), 0)
    light = cv2.extractChannel(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB), 0)
    blue, green, red = cv2.split(smooth)
    darkest = cv2.min(cv2.min(blue, green), red)  # high only where all are: white paper, not a bright red cloth
    masks = [cv2.threshold(channel, 0, 255, cv2.THRESH_OTSU)[1] for channel in (light, darkest)]
    block = max(3, int(height * 0.35) | 1)
    masks.append(cv2.adaptiveThreshold(light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -8))
    histogram = np.cumsum(cv2.calcHist([light], [0], None, [256], [0, 256]))
    middle = float(np.searchsorted(histogram, light.size / 2))
    edges = cv2.Canny(light, max(10, 0.33 * middle), max(30, 0.9 * middle))
    masks.append(255 - cv2.dilate(edges, np.ones((3, 3), np.uint8)))
    return masks


def _four_corners(outline: np.ndarray) -> np.ndarray | None:
    hull = cv2.convexHull(outline)
    length = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.035, 0.05):
        corners = cv2.approxPolyDP(hull, tolerance * length, True)
        if len(corners) == 4:
            return corners.reshape(4, 2).astype(np.float32)
    return None


def _completed(
    blobs: list[tuple[np.ndarray, float]], shape: tuple[int, int], width: float, height: float
) -> list[Floats]:
    """Cards guessed from a right-angled corner of a blob of touching cards, as large as those found."""
    quads: list[Floats] = []
    for outline, area in blobs[:14]:
        if not 0.5 * width * height <= area <= 14 * width * height:
            continue
        mask = np.zeros(shape, np.uint8)
        cv2.drawContours(mask, [outline], -1, 1, -1)
        points = cv2.approxPolyDP(outline, 0.012 * cv2.arcLength(outline, True), True)[:, 0].astype(np.float32)
        turning = cv2.contourArea(points.reshape(-1, 1, 2), True)
        for i, corner in enumerate(points):
            a, b = points[i - 1] - corner, points[(i + 1) % len(points)] - corner
            len_a, len_b = float(np.hypot(*a)), float(np.hypot(*b))
            if min(len_a, len_b) < 0.3 * width:
                continue
            a, b = a / len_a, b / len_b
            if abs(float(a @ b)) > 0.3 or (a[0] * b[1] - a[1] * b[0]) * turning > 0:
                continue  # not a right angle, or one that points inwards
            for x, y in ((width, height), (height, width)):
                quad = np.array([corner, corner + a * x, corner + a * x + b * y, corner + b * y], np.float32)
                inside = np.zeros(shape, np.uint8)
                cv2.fillConvexPoly(inside, quad.astype(np.int32), 1)
                covered = int(inside.sum())
                if covered and int((inside & mask).sum()) > 0.93 * covered:
                    quads.append(quad)
    return quads


def outlined_cards(picture: np.ndarray, complete: bool = True) -> Floats:
    """Quads (N, 4, 2), in order, of what is outlined like a card in a BGR picture, surest first.

    ``complete``: look at 1280 pixels instead of 640, and also guess the cards of blobs where several touch, from a
    corner and the size of the others.
    """
    scale = min(1.0, (WORKING_SIDE if complete else QUICK_SIDE) / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    shape = small.shape[:2]
    if min(shape) < 16:
        return np.zeros((0, 4, 2), np.float32)
    least, most = shape[0] * shape[1] * LEAST_AREA, shape[0] * shape[1] * MOST_AREA
    found: list[Floats] = []
    solidity: list[float] = []
    blobs: list[tuple[np.ndarray, float, int | None]] = []
    masks = _masks(small)
    for n, mask in enumerate(masks):
        enclosed_by_edges = n == len(masks) - 1
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        mode = cv2.RETR_LIST if enclosed_by_edges else cv2.RETR_EXTERNAL
        for outline in cv2.findContours(mask, mode, cv2.CHAIN_APPROX_NONE)[0]:
            area = cv2.contourArea(outline)
            if not least < area < most:
                continue
            filled = area / max(cv2.contourArea(cv2.convexHull(outline)), 1.0)
            corners = _four_corners(outline) if filled > 0.9 else None
            if not enclosed_by_edges:
                blobs.append((outline, area, None if corners is None else len(found)))
            if corners is not None:
                found.append(corners)
                solidity.append(filled * (0.97 if enclosed_by_edges else 1.0))
    if not found:
        return np.zeros((0, 4, 2), np.float32)
    quads = in_order(np.stack(found))
    shaped = card_shaped(quads, least, most)
    quads = quads[shaped][np.argsort(-np.array(solidity)[shaped], kind="stable")]
    quads = quads[distinct(quads, 0.45)]
    if complete and len(quads):
        sides = side_lengths(quads)
        long = float(np.median((sides[:, 1] + sides[:, 3]) / 2))
        merged = [(outline, area) for outline, area, k in blobs if k is None or not shaped[k]]
        more = _completed(merged, (shape[0], shape[1]), float(np.median(short_sides(quads))), long)
        if more:
            quads = np.concatenate([quads, in_order(np.stack(more))])
            quads = quads[distinct(quads, 0.55)]
    scale = np.array([shape[1] / picture.shape[1], shape[0] / picture.shape[0]], np.float32)
    return np.asarray(quads / scale, np.float32)
