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
from models.reader.recipe.views import camera, ground, lay, light, noise, wood

from .layouts import HEIGHT as CARD_HEIGHT
from .layouts import LAYOUTS, Spot, places


@dataclass(frozen=True)
class Picture:
    """A training picture (BGR bytes): quads as they were laid, what covers them, areas without truth.

    `face_up` says of each quad whether its face is seen; empty: all of them.
    """

    image: np.ndarray
    quads: list[Quad]
    holes: list[np.ndarray]
    unknown: list[np.ndarray]
    face_up: tuple[bool, ...] = ()


def seen(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Table millimetres -> pixels (or back, with the inverse)."""
    p = np.c_[np.asarray(points, float), np.ones(len(points))] @ homography.T
    return p[:, :2] / p[:, 2:]


def random_camera(rng: np.random.Generator, size: int, scale: float) -> np.ndarray:
    """Homography from the table (origin in the middle) to a picture; `scale` pixels a millimetre there.

    Tilt: two thirds half-normal with 22 degrees, one third 20 to 55: from straight above to a phone on a glass.
    """
    tilt = np.radians(min(abs(rng.normal(0, 22)), 60) if rng.random() < 0.67 else rng.uniform(20, 55))
    focal = size * rng.uniform(1.2, 3.2)
    turn, roll = rng.uniform(0, 2 * np.pi), rng.normal() * 0.1

    def about_z(t: float) -> np.ndarray:
        return np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])

    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = about_z(roll) @ lean @ about_z(turn)
    intrinsic = np.array([[focal, 0, size / 2], [0, focal, size / 2], [0, 0, 1.0]])
    return intrinsic @ np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, focal / scale]])


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
    arm = max(1, int(size * rng.uniform(0.7, 1.0)))
    cv2.line(mask, at(palm), at(palm + d * 2500), 255, arm, cv2.LINE_AA)
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
    if rng.random() < 0.6:
        sleeve = np.zeros((h, w), np.uint8)
        cuff = palm + d * size * rng.uniform(0.6, 1.6)
        cv2.line(sleeve, at(cuff), at(cuff + d * 2500), 255, int(arm * rng.uniform(1.1, 1.9)), cv2.LINE_AA)
        cloth = np.float32(rng.uniform(10, 240, 3)) * (1 + 0.2 * noise(rng, h, w, rng.uniform(2, 20), 4)[..., None])
        if rng.random() < 0.3:  # striped
            y, x = np.mgrid[:h, :w].astype(np.float32)
            cloth *= 1 - 0.4 * (((x * d[1] + y * d[0]) // max(2.0, size * 0.12)) % 2)[..., None]
        scene += cv2.GaussianBlur(sleeve, (0, 0), 0.8).astype(np.float32)[..., None] / 255 * (cloth - scene)
        mask |= sleeve
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_TC89_L1)[0]
    return [c[:, 0].astype(np.float32) for c in outlines]


def hard_shadow(rng: np.random.Generator, scene: np.ndarray) -> None:
    """The sharp shadow of an arm, a lamp or a window frame, over table and cards alike (in place)."""
    h, w = scene.shape[:2]
    a, mask = rng.uniform(0, 2 * np.pi), np.zeros((h, w), np.uint8)
    d = np.array([np.cos(a), np.sin(a)])
    middle, wide = rng.uniform(0, 1, 2) * [w, h], w * float(np.exp(rng.uniform(np.log(0.03), np.log(0.6))))
    for i in range(int(rng.integers(1, 4))):
        at = middle + np.array([-d[1], d[0]]) * i * wide * rng.uniform(1.3, 2.5)
        cv2.line(mask, np.int32(at - d * 700).tolist(), np.int32(at + d * 700).tolist(), 255, max(1, int(wide)))
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 3))
    scene *= 1 - mask[..., None].astype(np.float32) * np.float32(rng.uniform(0.2, 0.6) / 255)


def sheet(rng: np.random.Generator) -> Card:
    """White paper of a card's size and shape, blank or written on: no card."""
    h, w = 210, int(210 * rng.uniform(0.6, 0.8))
    image = np.full((h, w, 4), 255, np.uint8)
    image[..., :3] = np.clip(rng.uniform(215, 255) + rng.normal(size=3) * 6, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        ink = [*rng.uniform(0, 160, 3).tolist(), 255]
        for y in range(int(rng.integers(15, 60)), h - 20, int(rng.integers(14, 40))):
            cv2.line(image, (15, y), (int(rng.uniform(0.3, 0.92) * w), y), ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    return Card(image, -1, -1, "sheet")


def shade(scene: np.ndarray, quad: Quad, soft: float, strength: float) -> None:
    """The shadow of a card, `soft` pixels wide at its edge (in place)."""
    margin = int(3 * soft) + 2
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - margin, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + margin, scene.shape[1::-1])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.int32(np.round(quad - [x0, y0])), 255)
    mask = cv2.GaussianBlur(mask, (0, 0), soft)
    scene[y0:y1, x0:x1] *= 1 - mask[..., None].astype(np.float32) * np.float32(strength / 255)


class Scenes:
    """Draws rendered pictures without end. `decks`: groups of cards; a picture keeps to one of them."""

    def __init__(
        self,
        decks: list[list[Card]],
        shares: list[float],
        tables: list[np.ndarray],
        smallest: float = 15,
        largest: float = 125,
    ) -> None:
        kept = [([with_smaller(c) for c in d], s) for d, s in zip(decks, shares, strict=True) if d]
        self.decks = [d for d, _ in kept]
        self.shares = np.array([s for _, s in kept]) / sum(s for _, s in kept)
        self.tables, self.smallest, self.largest = tables, smallest, largest
        rng = np.random.default_rng(len(self.decks))
        self.backs = [with_smaller(Card(back(rng), -1, -1, "back")) for _ in range(60)]

    def draw(self, rng: np.random.Generator, size: int = 256) -> Picture:
        """One picture of size x size pixels."""
        scene = wood(rng, size, size) if rng.random() < 0.12 else ground(rng, self.tables, size, size)
        short = float(np.exp(rng.uniform(np.log(self.smallest), np.log(self.largest))))
        if rng.random() < 0.45:
            clutter(rng, scene, short)
        homography = random_camera(rng, size, short / 60)
        reach = size / 2 / short * 60
        shares = [share for _, share in LAYOUTS.values()]
        layout = str(rng.choice(list(LAYOUTS), p=np.array(shares) / sum(shares)))
        laid = [] if rng.random() < 0.04 else places(rng, layout, reach)
        quads, face_up, holes = self._laid(rng, scene, laid, homography, short)
        if rng.random() < 0.26:
            near = quads[rng.integers(len(quads))].mean(0) if quads else rng.uniform(0, size, 2)
            holes += hand(rng, scene, near + rng.normal(size=2) * short * 0.7, short)
        if rng.random() < 0.18:
            hard_shadow(rng, scene)
        return Picture(camera(rng, light(rng, scene)), quads, holes, [], tuple(face_up))

    def _laid(
        self, rng: np.random.Generator, scene: np.ndarray, laid: list[Spot], homography: np.ndarray, short: float
    ) -> tuple[list[Quad], list[bool], list[np.ndarray]]:
        """Lay cards into the scene (in place): quads, whether each lies face up, sheets of paper over them."""
        size = scene.shape[0]
        deck = self.decks[rng.choice(len(self.decks), p=self.shares)]
        paper = np.float32(rng.uniform(0.8, 1)) * np.float32([1 - rng.uniform(0, 0.14), 1, 1])
        shadow, slip = rng.uniform(0, 0.45), rng.normal(size=2) * short * 0.03
        shown_back, backs = self.backs[rng.integers(len(self.backs))], 0.35 if rng.random() < 0.15 else 0.02
        if rng.random() < 0.08:  # the pack, face down, a little askew
            pack, turn = rng.uniform(-1, 1, 2) * size / short * 30, rng.uniform(0, 2 * np.pi)
            count = int(rng.integers(1, 5))
            laid = [(pack + rng.normal(size=2) * 1.5, turn + rng.normal() * 0.03) for _ in range(count)] + laid
        else:
            count = 0
        quads: list[Quad] = []
        face_up: list[bool] = []
        for n, (centre, angle) in enumerate(laid):
            down = n < count or rng.random() < backs
            card = shown_back if down else deck[rng.integers(len(deck))]
            if rng.random() < 0.015 and not quads:
                card = sheet(rng)  # under the cards, on the table
            h, w = card.image.shape[:2]
            c, s = np.cos(angle), np.sin(angle)
            half = np.array([CARD_HEIGHT * w / h / 2, CARD_HEIGHT / 2])
            corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]]) + centre
            quad = seen(homography, corners).astype(np.float32)
            if quad.max(0).min() < 2 or quad.min(0).max() > size - 2 or np.ptp(quad, 0).max() > 3 * size:
                continue
            if rng.random() < 0.7:
                shade(scene, quad + slip, 0.5 + short * 0.015, shadow)
            lay(scene, card, quad, paper * np.float32(rng.uniform(0.92, 1.04)))
            if card.kind != "sheet":
                quads.append(quad)
                face_up.append(not down)
        holes = []
        if rng.random() < 0.05:  # a note put over part of a card
            note, where = sheet(rng), rng.normal(size=2) * 60
            turn = rng.uniform(0, 2 * np.pi)
            c, s = np.cos(turn), np.sin(turn)
            corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [30, 42] @ np.array([[c, s], [-s, c]]) + where
            quad = seen(homography, corners).astype(np.float32)
            lay(scene, note, quad, paper)
            holes = [quad]
        return quads, face_up, holes
