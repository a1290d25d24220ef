"""Rendered training pictures for the finder: cards in layouts on a table, hands over them, clutter beside.

Everything is laid in millimetres on the table and seen through a random camera, at the size of the
training picture (256 pixels), so that each costs a few milliseconds and none comes twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.reader.recipe.cards import Card, back, with_smaller
from models.reader.recipe.quads import Quad
from models.reader.recipe.views import camera, ground, lay, light, noise

CARD_HEIGHT = 88.0
"""Millimetres."""


@dataclass(frozen=True)
class Picture:
    """A training picture (BGR bytes): quads as they were laid, what covers them, areas without truth."""

    image: np.ndarray
    quads: list[Quad]
    holes: list[np.ndarray]
    unknown: list[np.ndarray]


def seen(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Table millimetres -> pixels (or back, with the inverse)."""
    p = np.c_[np.asarray(points, float), np.ones(len(points))] @ homography.T
    return p[:, :2] / p[:, 2:]


def random_camera(rng: np.random.Generator, size: int, scale: float) -> np.ndarray:
    """Homography from the table (origin in the middle) to a picture; `scale` pixels a millimetre there.

    Tilt is half-normal with 24 degrees, at most 60: from straight above to a phone on a glass.
    """
    tilt = np.radians(min(abs(rng.normal(0, 24)), 60))
    focal = size * rng.uniform(1.2, 3.2)
    turn, roll = rng.uniform(0, 2 * np.pi), rng.normal() * 0.1

    def about_z(t: float) -> np.ndarray:
        return np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])

    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = about_z(roll) @ lean @ about_z(turn)
    intrinsic = np.array([[focal, 0, size / 2], [0, focal, size / 2], [0, 0, 1.0]])
    return intrinsic @ np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, focal / scale]])


LAYOUTS = {
    "spread": 0.2,
    "trick": 0.16,
    "cross": 0.1,
    "pile": 0.1,
    "fan": 0.1,
    "row": 0.12,
    "grid": 0.12,
    "stack": 0.1,
}


def places(rng: np.random.Generator, layout: str, reach: float) -> list[tuple[np.ndarray, float]]:
    """Where the cards of a layout lie: (centre in mm, angle), in order; `reach`: mm to the picture's edge."""
    base, middle = rng.uniform(0, 2 * np.pi), rng.normal(size=2) * reach * 0.3
    along = np.array([np.cos(base), np.sin(base)])
    across = np.array([-along[1], along[0]])
    count = int(rng.choice([1, 2, 3, 4, 5, 6, 8, 10], p=[0.12, 0.15, 0.18, 0.22, 0.13, 0.1, 0.06, 0.04]))
    out: list[tuple[np.ndarray, float]] = []
    if layout == "spread":
        same = rng.random() < 0.4
        for _ in range(count):
            for _ in range(20):
                centre = rng.uniform(-1, 1, 2) * reach
                if all(np.hypot(*(centre - c)) > 75 for c, _ in out):
                    break
            out.append((centre, base + rng.normal() * 0.06 if same else rng.uniform(0, 2 * np.pi)))
    elif layout in ("trick", "cross"):
        far = rng.uniform(12, 60) if layout == "trick" else rng.uniform(45, 100)
        loose = 0.3 if layout == "trick" else 0.1
        outwards = rng.random() < 0.6
        for i in range(int(rng.integers(2, 5))):
            a = base + i * np.pi / 2 + rng.normal() * loose * 0.6
            r = far + rng.normal() * 6
            turned = a + np.pi / 2 if outwards else base
            out.append((middle + r * np.array([np.cos(a), np.sin(a)]), turned + rng.normal() * loose))
    elif layout == "pile":
        out = [(middle + rng.normal(size=2) * rng.uniform(6, 22), rng.uniform(0, 2 * np.pi)) for _ in range(count)]
    elif layout == "fan":
        step = rng.uniform(0.08, 0.28)
        for i in range(count + 1):
            t = base + (i - count / 2) * step
            out.append((middle + np.array([np.sin(t), -np.cos(t)]) * 95, t))
    elif layout in ("row", "stack"):  # stack: tricks kept in front of a player, each a strip further
        step = rng.uniform(18, 75) if layout == "row" else rng.uniform(7, 30)
        way = along if rng.random() < 0.6 else across
        for i in range(count + 1):
            out.append((middle + way * (i - count / 2) * step + rng.normal(size=2) * 2, base + rng.normal() * 0.05))
    else:
        columns, rows = int(rng.integers(2, 8)), int(rng.integers(2, 6))
        gx, gy, loose = rng.uniform(61, 82), rng.uniform(89, 115), rng.uniform(0, 4)
        for i in range(columns * rows):
            x, y = (i % columns - (columns - 1) / 2) * gx, (i // columns - (rows - 1) / 2) * gy
            out.append((middle + along * x + across * y + rng.normal(size=2) * loose, base + rng.normal() * 0.04))
    return out


def clutter(rng: np.random.Generator, scene: np.ndarray, card: float) -> None:
    """Glasses, papers, coins, writing and lines on the table (in place); `card`: short side in pixels."""
    h, w = scene.shape[:2]

    def colour() -> list[float]:
        return rng.uniform(0, 255, 3).tolist()

    for _ in range(int(rng.integers(1, 4))):
        x, y, size = int(rng.integers(0, w)), int(rng.integers(0, h)), card * rng.uniform(0.3, 1.2)
        kind = int(rng.integers(0, 6))
        if kind == 0:
            for share in (1.0, 0.72, 0.6):
                cv2.circle(scene, (x, y), max(1, int(size * share)), colour(), -1, cv2.LINE_AA)
        elif kind in (1, 2):  # phone, napkin, beer mat, note pad: what looks most like a card
            sides = (size * rng.uniform(0.6, 1.6), size * rng.uniform(0.9, 2.4))
            box = cv2.boxPoints(((x, y), sides, rng.uniform(0, 180)))
            shade = [rng.uniform(170, 250)] * 3 if rng.random() < 0.5 else colour()
            cv2.fillPoly(scene, [np.int32(box)], shade, cv2.LINE_AA)
            if rng.random() < 0.6:
                for j in range(1, 5):
                    a, b = box[0] * j / 5 + box[1] * (5 - j) / 5, box[3] * j / 5 + box[2] * (5 - j) / 5
                    cv2.line(scene, np.int32(a).tolist(), np.int32(b).tolist(), colour(), 1, cv2.LINE_AA)
        elif kind == 3:
            for _ in range(int(rng.integers(1, 6))):
                at = (int(x + rng.normal() * card), int(y + rng.normal() * card))
                cv2.circle(scene, at, int(size * 0.2) + 2, colour(), -1, cv2.LINE_AA)
        elif kind == 4:
            text, mask = "".join(rng.choice(list("ABCDERTV1789JQK abc"), 6)), np.zeros((h, w), np.uint8)
            cv2.putText(mask, text, (x, y), int(rng.integers(0, 4)), size / 40, 255, int(rng.integers(1, 3)))
            scene[mask > 127] = colour()
        else:
            to = (int(rng.integers(0, w)), int(rng.integers(0, h)))
            cv2.line(scene, (x, y), to, colour(), int(rng.integers(1, 8)), cv2.LINE_AA)


def hand(rng: np.random.Generator, scene: np.ndarray, tip: np.ndarray, card: float) -> list[np.ndarray]:
    """An arm, palm and fingers that reach to `tip` from outside (in place); returns their outlines."""
    h, w = scene.shape[:2]
    size = card * rng.uniform(1.0, 1.6)
    a = rng.uniform(0, 2 * np.pi)
    d = np.array([np.cos(a), np.sin(a)])
    side = np.array([-d[1], d[0]])
    palm = tip + d * size * rng.uniform(0.9, 1.5)

    def at(p: np.ndarray) -> tuple[int, int]:
        return int(np.clip(p[0], -3000, 3000)), int(np.clip(p[1], -3000, 3000))

    mask = np.zeros((h, w), np.uint8)
    cv2.line(mask, at(palm), at(palm + d * 2500), 255, max(1, int(size * rng.uniform(0.7, 1.0))), cv2.LINE_AA)
    cv2.ellipse(mask, (at(palm), (size * 1.15, size), float(np.degrees(a))), 255, -1, cv2.LINE_AA)
    fingers, gap = int(rng.integers(2, 6)), rng.uniform(0.12, 0.3)
    for i in range(fingers):
        root = palm - d * size * 0.3 + side * (i - (fingers - 1) / 2) * gap * size * 1.3
        bend = rng.normal() * 0.25
        end = root - (d * np.cos(bend) + side * np.sin(bend)) * size * rng.uniform(0.7, 1.15)
        cv2.line(mask, at(root), at(end), 255, int(size * rng.uniform(0.17, 0.25)) + 1, cv2.LINE_AA)
    skins = [[120, 150, 210], [95, 125, 190], [60, 85, 140], [40, 55, 95], [140, 170, 225], [60, 60, 60]]
    skin = np.float32(skins[int(rng.integers(len(skins)))]) * np.float32(rng.uniform(0.8, 1.15))
    alpha = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32)[..., None] / 255
    shade = 1 + 0.1 * noise(rng, h, w, 25, 25)[..., None]
    scene += alpha * (skin * shade - scene)
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_TC89_L1)[0]
    return [c[:, 0].astype(np.float32) for c in outlines]


class Scenes:
    """Draws rendered pictures without end. `decks`: groups of cards; a picture keeps to one of them."""

    def __init__(
        self,
        decks: list[list[Card]],
        shares: list[float],
        tables: list[np.ndarray],
        smallest: float = 13,
        largest: float = 125,
    ) -> None:
        kept = [([with_smaller(c) for c in d], s) for d, s in zip(decks, shares, strict=True) if d]
        self.decks = [d for d, _ in kept]
        self.shares = np.array([s for _, s in kept]) / sum(s for _, s in kept)
        self.tables, self.smallest, self.largest = tables, smallest, largest

    def draw(self, rng: np.random.Generator, size: int = 256) -> Picture:
        """One picture of size x size pixels."""
        scene = ground(rng, self.tables, size, size)
        short = float(np.exp(rng.uniform(np.log(self.smallest), np.log(self.largest))))
        if rng.random() < 0.45:
            clutter(rng, scene, short)
        homography = random_camera(rng, size, short / 60)
        reach = size / 2 / short * 60
        layout = str(rng.choice(list(LAYOUTS), p=list(LAYOUTS.values())))
        laid = [] if rng.random() < 0.04 else places(rng, layout, reach)
        deck = self.decks[rng.choice(len(self.decks), p=self.shares)]
        paper = np.float32(rng.uniform(0.8, 1)) * np.float32([1 - rng.uniform(0, 0.14), 1, 1])
        shadow, quads = rng.uniform(0, 0.45), []
        slip = rng.normal(size=2) * short * 0.03
        for centre, angle in laid:
            card = Card(back(rng), -1, -1, "back") if rng.random() < 0.05 else deck[rng.integers(len(deck))]
            h, w = card.image.shape[:2]
            c, s = np.cos(angle), np.sin(angle)
            half = np.array([CARD_HEIGHT * w / h / 2, CARD_HEIGHT / 2])
            corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]]) + centre
            quad = seen(homography, corners).astype(np.float32)
            if quad.max(0).min() < 2 or quad.min(0).max() > size - 2 or np.ptp(quad, 0).max() > 3 * size:
                continue
            if rng.random() < 0.7:
                mask = np.zeros((size, size), np.uint8)
                cv2.fillConvexPoly(mask, np.int32(np.round(quad + slip)), 255)
                mask = cv2.GaussianBlur(mask, (0, 0), 0.5 + short * 0.015)
                scene *= 1 - mask[..., None].astype(np.float32) * np.float32(shadow / 255)
            lay(scene, card, quad, paper * np.float32(rng.uniform(0.92, 1.04)))
            quads.append(quad)
        holes = []
        if rng.random() < 0.22:
            near = quads[rng.integers(len(quads))].mean(0) if quads else rng.uniform(0, size, 2)
            holes = hand(rng, scene, near + rng.normal(size=2) * short * 0.7, short)
        return Picture(camera(rng, light(rng, scene)), quads, holes, [])
