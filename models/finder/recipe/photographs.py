"""Real training pictures for the finder: photographs whose boxes became quads.

`models.reader.recipe.prepare` gives the free cards quads, `bootstrap` many of the others, and says which of two
crossing cards lies above. Boxes that got no quad, places where cards cross in an order not known, and what an
earlier finder takes for cards that nobody labelled are left without supervision.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.reader.recipe.quads import Quad, sides

from .scenes import Picture


@dataclass(frozen=True)
class Photograph:
    """A picture (BGR bytes), the quads known, the upper ones later, the areas unknown."""

    image: np.ndarray
    quads: list[Quad]
    unknown: list[np.ndarray]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.image.shape[1], self.image.shape[0]


def shared_area(p: Quad, q: Quad) -> np.ndarray | None:
    """The polygon that two quads share, if it is more than a fiftieth of the first."""
    area, polygon = cv2.intersectConvexConvex(np.float32(p), np.float32(q))
    return polygon.reshape(-1, 2) if area > 0.02 * cv2.contourArea(np.float32(p)) else None


def laid_order(count: int, above: list[tuple[int, int]]) -> list[int]:
    """An order of `count` cards in which every upper card of `above` (pairs upper, lower) comes later.

    Where the pairs contradict each other (cards woven into one another), some are not heeded.
    """
    order: list[int] = []
    left = list(range(count))
    while left:
        free = [i for i in left if not any(upper == i and lower in left for upper, lower in above)]
        chosen = free[0] if free else left[0]
        order.append(chosen)
        left.remove(chosen)
    return order


def load(prepared: Path, tables: Path, development: bool = False, longest: int = 720) -> list[Photograph]:
    """The photographs of `prepared`/quads.json (and found.json), at most `longest` pixels a side."""
    out = []
    pictures = json.loads((prepared / "quads.json").read_text(encoding="utf-8"))
    extra = prepared / "found.json"
    found: list[dict] = json.loads(extra.read_text(encoding="utf-8")) if extra.exists() else [{}] * len(pictures)
    for about, more in zip(pictures, found, strict=True):
        if about["dev"] != development or not about["cards"]:
            continue
        image = cv2.imread(str(tables / about["source"] / about["file"]))
        scale = min(1.0, longest / max(image.shape[:2]))
        if scale < 1:
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        given = more.get("quads") or [card["quad"] for card in about["cards"]]
        order = laid_order(len(given), [(i, j) for i, j in more.get("above", [])])
        place = {k: n for n, k in enumerate(order)}
        known = {(i, j) for i, j in more.get("above", []) if place[i] > place[j]}
        quads, indices, unknown = [], [], []
        for k in order:
            if given[k]:
                quads.append(np.float32(given[k]) * np.float32(scale))
                indices.append(k)
            else:
                x0, y0, x1, y1 = np.float32(about["cards"][k]["box"]) * scale + np.float32([-3, -3, 3, 3])
                unknown.append(np.float32([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        for i, p in enumerate(quads):
            both = (shared_area(p, q) for q, k in zip(quads[:i], indices, strict=False) if (indices[i], k) not in known)
            unknown += [area for area in both if area is not None]
        unknown += [np.float32(q) * np.float32(scale) for q in more.get("strange", [])]
        out.append(Photograph(image, quads, unknown))
    return out


def view(rng: np.random.Generator, photograph: Photograph, size: int, smallest: float, largest: float) -> Picture:
    """A random part of a photograph, turned; one of its cards becomes `smallest` to `largest` wide."""
    width, height = photograph.size
    if photograph.quads:
        quad = photograph.quads[rng.integers(len(photograph.quads))]
        wanted = np.exp(rng.uniform(np.log(smallest), np.log(largest)))
        scale = float(np.clip(wanted / sides(quad)[0], size / min(width, height) * 0.7, 2.2))
        centre = quad.mean(0) + rng.normal(size=2) * size / scale * 0.22
    else:
        scale = float(np.exp(rng.uniform(np.log(size / max(width, height)), 0)))
        centre = rng.uniform(0, 1, 2) * [width, height]
    image, shrunk = photograph.image, 1.0
    if scale < 0.75:
        z = max(scale, 0.3)
        image = cv2.resize(image, None, fx=z, fy=z, interpolation=cv2.INTER_AREA)
        shrunk = image.shape[1] / width
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.choice(4) * np.pi / 2 + rng.normal() * 0.1
    mirror = np.diag([-1.0, 1.0]) if rng.random() < 0.3 else np.eye(2)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    linear = scale * turn @ mirror @ np.diag(np.exp(rng.normal(size=2) * 0.05))
    shift = np.array([size / 2, size / 2]) - linear @ centre
    fill = tuple(rng.uniform(0, 255, 3).tolist())
    out = cv2.warpAffine(image, np.float32(np.c_[linear / shrunk, shift]), (size, size), borderValue=fill)

    def moved(points: np.ndarray) -> np.ndarray:
        return (np.asarray(points, float) @ linear.T + shift).astype(np.float32)

    return Picture(out, [moved(q) for q in photograph.quads], [], [moved(a) for a in photograph.unknown])


def toned(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Another exposure, tint, focus and compression of a real picture."""
    x = image.astype(np.float32) * np.float32(rng.uniform(0.5, 1.35)) * rng.uniform(0.86, 1.14, 3).astype(np.float32)
    x = np.clip(x + rng.uniform(-28, 28), 0, 255).astype(np.uint8)
    k = rng.random()
    if k < 0.2:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 1.3))
    elif k < 0.45:
        quality = int(rng.integers(25, 85))
        x = cv2.imdecode(cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    if rng.random() < 0.1:
        x = cv2.cvtColor(cv2.cvtColor(x, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return x
