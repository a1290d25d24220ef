"""One training view: a card's corner on a table, seen by a camera, cut out through a window that is off.

Only the surroundings of the corner are drawn, at the real size of the card; one drawing gives several
windows. The quality asked is whether a complete index stands upright in its place.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.reader.recipe.cards import Card, back
from models.reader.recipe.quads import Quad
from models.reader.recipe.views import camera, ground, lay, light, placed

from .corners import ACROSS, DOWN, Box, Corner
from .fresh import Type, fresh
from .net import BOTTOM, HEIGHT, LEFT, RANKS, RIGHT, TOP, WIDTH


@dataclass(frozen=True)
class View:
    """Window (54, 40, 3) BGR bytes; rank and suit (-1: not asked); quality 0 to 1."""

    window: np.ndarray
    rank: int
    suit: int
    quality: float


@dataclass(frozen=True)
class Scene:
    """A picture, the map from card to picture (short sides -> pixels), and what is covered (bytes)."""

    picture: np.ndarray
    laid: np.ndarray
    cover: np.ndarray
    width: float


def moved(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points (n, 2) through a projective map."""
    p = points @ matrix[:, :2].T + matrix[:, 2]
    return p[:, :2] / p[:, 2:]


def window_map(right: bool) -> np.ndarray:
    """From pixels of the window to short sides from the card's corner (3, 3)."""
    x = -RIGHT if right else LEFT
    return np.array([[(RIGHT - LEFT) / WIDTH, 0, x], [0, (BOTTOM - TOP) / HEIGHT, TOP], [0, 0, 1]])


def about(centre: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """The map that does `matrix` round a centre."""
    there, back_ = np.eye(3), np.eye(3)
    there[:2, 2], back_[:2, 2] = centre, -centre
    return there @ matrix @ back_


def turning(angle: float) -> np.ndarray:
    """Rotation by an angle (radians)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def error(rng: np.random.Generator, rough: float | None = None) -> tuple[np.ndarray, float]:
    """How a detected corner is wrong: a map round the card's corner, and its shift in short sides.

    A quarter nearly exact, half as the finder errs, a quarter very rough; `rough` (0 to 1) picks.
    """
    k = rng.random() if rough is None else rough
    if k < 0.25:
        shift, angle, scale, key = rng.normal(size=2) * 0.01, rng.normal() * 0.025, rng.normal(size=2) * 0.02, 0.02
    elif k < 0.75:
        shift, angle, scale, key = rng.normal(size=2) * 0.04, rng.normal() * 0.08, rng.normal(size=2) * 0.05, 0.06
    else:
        far, way = rng.uniform(0, 0.1), rng.uniform(0, 2 * np.pi)
        shift, angle = np.array([np.cos(way), np.sin(way)]) * far, rng.uniform(-0.21, 0.21)
        scale, key = np.full(2, rng.uniform(-0.15, 0.15)) + rng.normal(size=2) * 0.04, 0.1
    wrong = turning(angle) @ np.diag([*np.exp(scale), 1.0])
    wrong[0, 1] += rng.normal() * key * 0.5
    wrong[2, :2] = rng.normal(size=2) * key
    wrong[:2, 2] = shift
    return wrong, float(np.hypot(*shift))


MIDDLE = np.array([(LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2])
GRID = np.stack(np.meshgrid(np.linspace(0.04, 0.96, 7), np.linspace(0.04, 0.96, 7)), -1).reshape(-1, 2)


def seen(scene: Scene, to_picture: np.ndarray, box: Box) -> float:
    """Share of a box (short sides) inside the window, inside the picture and not covered."""
    points = GRID * [box[2] - box[0], box[3] - box[1]] + [box[0], box[1]]
    at = moved(scene.laid, points)
    inside = moved(np.linalg.inv(to_picture), at)
    good = (inside > -0.2).all(1) & (inside[:, 0] < WIDTH) & (inside[:, 1] < HEIGHT)
    pixel = np.round(at).astype(int)
    h, w = scene.cover.shape
    good &= (pixel >= 0).all(1) & (pixel[:, 0] < w) & (pixel[:, 1] < h)
    pixel = pixel.clip(0, [w - 1, h - 1])
    return float((good & (scene.cover[pixel[:, 1], pixel[:, 0]] == 0)).mean())


def cut(picture: np.ndarray, to_picture: np.ndarray, width: float) -> np.ndarray:
    """The window (54, 40, 3), taken from a halved picture where the card is large, as at work."""
    shrink = width / (WIDTH / (RIGHT - LEFT))
    if shrink >= 1.4:
        h, w = picture.shape[:2]
        picture = cv2.resize(picture, (w // 2, h // 2), interpolation=cv2.INTER_AREA)
        to_picture = np.diag([(w // 2) / w, (h // 2) / h, 1]) @ to_picture
    return cv2.warpPerspective(
        picture,
        to_picture,
        (WIDTH, HEIGHT),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )


def text_on_paper(rng: np.random.Generator, scene: np.ndarray, type_: Type, unit: float) -> None:
    """Printed lines: a newspaper, a rule sheet, a label (in place)."""
    side = scene.shape[0]
    scene[:] = rng.uniform(170, 255) * np.float32([rng.uniform(0.85, 1), rng.uniform(0.95, 1), 1])
    texts = list(type_.glyphs)
    tall, ink = rng.uniform(0.06, 0.2) * unit, np.float32(rng.uniform(0, 110, 3))
    font = int(rng.integers(len(type_.glyphs["A"])))
    y = rng.uniform(0, tall)
    while y < side:
        x = rng.uniform(0, tall)
        while x < side:
            drawn = type_.glyphs[texts[rng.integers(len(texts))]][font]
            wide = max(2, round(tall * drawn.shape[1] / drawn.shape[0]))
            shape = cv2.resize(drawn, (wide, max(3, round(tall))), interpolation=cv2.INTER_AREA)
            x0, y0 = int(x), int(y)
            place = scene[y0 : y0 + shape.shape[0], x0 : x0 + shape.shape[1]]
            a = shape[: place.shape[0], : place.shape[1], None].astype(np.float32) / 255
            place += a * (ink - place)
            x += wide * (1.15 if rng.random() < 0.85 else 2)
        y += tall * rng.uniform(1.4, 2)


def telephone(rng: np.random.Generator, scene: np.ndarray, unit: float) -> None:
    """A dark slab with a lit screen of coloured tiles (in place)."""
    side = scene.shape[0]
    x, y = int(rng.uniform(0, 0.4) * side), int(rng.uniform(0, 0.4) * side)
    scene[y:, x:] = rng.uniform(0, 40)
    rim = max(1, int(0.04 * unit))
    scene[y + 3 * rim :, x + rim :] = rng.uniform(10, 250, 3)
    step = max(4, int(rng.uniform(0.12, 0.3) * unit))
    for top in range(y + 4 * rim, side, step + rim):
        for left in range(x + 2 * rim, side, step + rim):
            scene[top : top + step, left : left + step] = rng.uniform(0, 255, 3)


class Windows:
    """Draws views without end from groups of corners; `shares` says how often each group is taken.

    `wholes`: faces that lie beside, over and under the corner, and whose middles are no corners. `afresh`: share
    of the corners that are drawn anew. `rough`: fixes how wrong the windows are (see `error`); `plain`: one whole,
    uncovered index a scene.
    """

    def __init__(
        self,
        groups: list[list[Corner]],
        shares: list[float],
        type_: Type | None,
        wholes: list[Card],
        tables: list[np.ndarray],
        smallest: float = 26,
        largest: float = 240,
        afresh: float = 0.45,
        rough: float | None = None,
        plain: bool = False,
    ) -> None:
        kept = [(g, s) for g, s in zip(groups, shares, strict=True) if g]
        self.groups = [g for g, _ in kept]
        self.shares = np.array([s for _, s in kept]) / max(sum(s for _, s in kept), 1e-9)
        self.type, self.wholes, self.tables = type_, wholes, tables
        self.afresh, self.smallest, self.largest, self.rough, self.plain = afresh, smallest, largest, rough, plain

    def corner(self, rng: np.random.Generator, width: float) -> Corner:
        """A corner of a random group, or drawn afresh for a card `width` pixels wide."""
        if self.type is not None and (not self.groups or rng.random() < self.afresh):
            unit = float(np.clip(width * rng.uniform(1.0, 1.4), 60, 200))
            return fresh(rng, self.type, self.wholes, unit, rng.random() < 0.3, rng.random() < 0.95)
        group = self.groups[rng.choice(len(self.groups), p=self.shares)]
        return group[rng.integers(len(group))]

    def pose(self, rng: np.random.Generator, width: float, side: int, right: bool) -> np.ndarray:
        """The map from short sides to a picture `side` pixels wide, the window in its middle."""
        ratio = rng.uniform(1.38, 1.6)
        angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.65 else rng.normal() * 0.12
        quad = placed(rng, width, (int(100 * ratio), 100), np.zeros(2, np.float32), angle)
        x = -1.0 if right else 0.0
        card = np.float32([[x, 0], [x + 1, 0], [x + 1, ratio], [x, ratio]])
        laid = cv2.getPerspectiveTransform(card, quad).astype(np.float64)
        middle = MIDDLE * [-1, 1] if right else MIDDLE
        shift = np.eye(3)
        shift[:2, 2] = side / 2 - moved(laid, middle[None])[0]
        return shift @ laid

    def whole(self, rng: np.random.Generator) -> Card:
        """A whole face, now and then a back."""
        if not self.wholes or rng.random() < 0.08:
            return Card(back(rng), -1, -1, "back")
        return self.wholes[rng.integers(len(self.wholes))]

    def cover(
        self, rng: np.random.Generator, scene: np.ndarray, cover: np.ndarray, laid: np.ndarray, right: bool
    ) -> None:
        """Something over part of the window: a card's edge, a finger or another thing (in place)."""
        sign = -1.0 if right else 1.0
        k = rng.random()
        if k < 0.35:  # a fan or a row: the next card leaves a strip of this one
            way, far = np.array([sign, 0.0]), rng.uniform(0.06, 0.4)
            start = np.array([sign * far, rng.uniform(-0.1, 0.4)])
        elif k < 0.55:  # a column
            way, far = np.array([0.0, 1.0]), rng.uniform(0.08, 0.5)
            start = np.array([sign * rng.uniform(0, 0.5), far])
        else:
            a = rng.uniform(0, 2 * np.pi)
            way = np.array([np.cos(a), np.sin(a)])
            start = np.array([sign * 0.1, 0.2]) + way * rng.uniform(-0.2, 0.25)
        along = np.array([-way[1], way[0]])
        if rng.random() < 0.7:
            other = self.whole(rng)
            h, w = other.image.shape[:2]
            a = rng.normal() * 0.12
            c, s = np.cos(a), np.sin(a)
            askew = np.array([[c, -s], [s, c]])
            long, short = h / w, 1.0
            deep, wide = (short, long) if rng.random() < 0.6 else (long, short)
            left = rng.uniform(0.0, 1.0) * wide
            # clockwise; whichever side leads, the card's own up is turned at random below
            q = np.array([-along * left, along * (wide - left), along * (wide - left) + way * deep])
            q = np.vstack([q, -along * left + way * deep]) @ askew.T + start
            quad = moved(laid, q).astype(np.float32)
            if deep == short:
                quad = np.roll(quad, 1, 0)
            if cv2.contourArea(quad, oriented=True) < 0:
                quad = quad[::-1].copy()
                quad = np.roll(quad, 1, 0) if np.hypot(*(quad[1] - quad[0])) > np.hypot(*(quad[2] - quad[1])) else quad
            if rng.random() < 0.5:
                quad = np.roll(quad, 2, 0)
            shade = np.zeros(cover.shape, np.uint8)
            cv2.fillConvexPoly(shade, np.int32(np.round(quad)), 255)
            if rng.random() < 0.5:
                dark = cv2.GaussianBlur(shade, (0, 0), max(0.5, 0.02 * float(np.hypot(*(quad[1] - quad[0])))))
                scene *= 1 - dark[..., None].astype(np.float32) / 255 * np.float32(rng.uniform(0.1, 0.5))
            lay(scene, other, quad, np.float32(rng.uniform(0.78, 1)) * np.float32([1 - rng.uniform(0, 0.1), 1, 1]))
            cover |= shade
            return
        m = np.zeros(cover.shape, np.uint8)
        half = rng.uniform(0.08, 0.4)
        centre = moved(laid, (start + way * half)[None])[0]
        scale = float(np.hypot(*(moved(laid, start[None])[0] - centre))) / half
        size = (2 * half * scale, 2 * half * scale * rng.uniform(1, 3))
        spin_to = moved(laid, (start + way * (half + 0.1))[None])[0] - centre
        cv2.ellipse(
            m,
            ((float(centre[0]), float(centre[1])), size, float(np.degrees(np.arctan2(spin_to[1], spin_to[0])))),
            255,
            -1,
        )
        b = cv2.GaussianBlur(m, (0, 0), 0.8).astype(np.float32)[..., None] / 255
        skins = [[120, 150, 210], [60, 85, 140], [200, 200, 210], [30, 30, 30], [150, 175, 225], rng.uniform(0, 255, 3)]
        scene *= 1 - b
        scene += np.float32(skins[int(rng.integers(6))]) * np.float32(rng.uniform(0.7, 1.1)) * b
        cover |= m

    def stray(self, rng: np.random.Generator, width: float, side: int) -> list[View]:
        """Windows of what is no corner: table, cloth, text, telephone, a back, the middle of a face."""
        scene = ground(rng, self.tables, side, side)
        k = rng.random()
        middle = np.float32([side / 2, side / 2])
        if k < 0.18 and self.type is not None:
            text_on_paper(rng, scene, self.type, width)
        elif k < 0.26:
            telephone(rng, scene, width)
        elif k < 0.85:
            card = self.whole(rng)
            aim = rng.uniform([-0.3, -0.5], [0.3, 0.5])  # stays clear of the corners of the face
            quad = placed(rng, width, card.image.shape[:2], middle, rng.uniform(0, 2 * np.pi))
            across, down = quad[1] - quad[0], quad[3] - quad[0]
            lay(scene, card, quad - aim[0] * across - aim[1] * 0.6 * down, np.float32([rng.uniform(0.75, 1)]))
        picture = camera(rng, light(rng, scene))
        out = []
        for _ in range(2):
            laid = self.pose(rng, width * rng.uniform(0.8, 1.25), side, False)
            out.append(View(cut(picture, laid @ window_map(False), width), -1, -1, 0.0))
        return out

    def scene(self, rng: np.random.Generator, corner: Corner, width: float, side: int) -> Scene:
        """A corner laid on a table, lit and filmed."""
        scene = ground(rng, self.tables, side, side)
        laid = self.pose(rng, width, side, corner.right)
        paper = np.float32(rng.uniform(0.78, 1)) * np.float32([1 - rng.uniform(0, 0.14), 1, 1])
        if rng.random() < 0.35:  # something under or beside it
            t = rng.uniform(0, 2 * np.pi)
            where = np.float32([np.cos(t), np.sin(t)]) * width * rng.uniform(0.3, 1.1) + side / 2
            other = self.whole(rng)
            lay(scene, other, placed(rng, width, other.image.shape[:2], where.astype(np.float32), t), paper)
        x = -ACROSS if corner.right else 0.0
        patch = np.array([[x, 0], [x + ACROSS, 0], [x + ACROSS, DOWN], [x, DOWN]])
        quad: Quad = moved(laid, patch).astype(np.float32)
        if rng.random() < 0.4:  # its shadow
            m = np.zeros((side, side), np.uint8)
            cv2.fillConvexPoly(m, np.int32(np.round(quad + rng.normal(size=2) * width * 0.03)), 255)
            m = cv2.GaussianBlur(m, (0, 0), width * rng.uniform(0.008, 0.05) + 0.3)
            scene *= 1 - m[..., None].astype(np.float32) / 255 * np.float32(rng.uniform(0, 0.5))
        lay(scene, corner.card, quad, paper)
        cover = np.zeros((side, side), np.uint8)
        if not self.plain and rng.random() < 0.38:
            self.cover(rng, scene, cover, laid, corner.right)
        picture = camera(rng, light(rng, scene))
        if not self.plain and rng.random() < 0.06:  # the picture ends here
            keep = int(side * rng.uniform(0.35, 0.75))
            if rng.random() < 0.5:
                picture, cover = np.ascontiguousarray(picture[:keep]), cover[:keep]
            else:
                picture, cover = np.ascontiguousarray(picture[:, :keep]), cover[:, :keep]
        return Scene(picture, laid, cover, width)

    def view(self, scene: Scene, corner: Corner, wrong: np.ndarray, off: float) -> View:
        """The window through a wrong map, and what may be asked of it."""
        to_picture = scene.laid @ wrong @ window_map(corner.right)
        window = cut(scene.picture, to_picture, scene.width)
        if not corner.indexed:
            return View(window, -1, -1, 0.0)
        rank = seen(scene, to_picture, corner.rank_box)
        quality = float(np.clip((rank - 0.7) / 0.15, 0, 1) * np.clip((0.26 - off) / 0.08, 0, 1))
        if quality < 0.5:
            return View(window, -1, -1, quality)
        suited = corner.suit_box is not None and seen(scene, to_picture, corner.suit_box) > 0.75
        return View(window, corner.card.rank, corner.card.suit if suited else -1, quality)

    def misplaced(self, rng: np.random.Generator, corner: Corner) -> tuple[np.ndarray, float]:
        """A window far off, on its head, or lying on its side, and how far off it is."""
        wrong, _ = error(rng)
        middle = MIDDLE * [-1, 1] if corner.right else MIDDLE
        k = rng.random()
        if k < 0.4:
            return about(middle, turning(np.pi)) @ wrong, 1.0
        if k < 0.6:
            return about(middle, turning(rng.choice([-0.5, 0.5]) * np.pi)) @ wrong, 1.0
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.6)
        wrong[:2, 2] = np.array([np.cos(way), np.sin(way)]) * far
        return wrong, far

    def draw(self, rng: np.random.Generator) -> list[View]:
        """Two or three views of one scene."""
        width = float(np.exp(rng.uniform(np.log(self.smallest), np.log(self.largest))))
        side = int(width * 1.0) + 12
        if not self.plain and rng.random() < 0.11:
            return self.stray(rng, width, side)
        corner = self.corner(rng, width)
        scene = self.scene(rng, corner, width, side)
        views = [self.view(scene, corner, *error(rng, self.rough))]
        if not self.plain:
            views.append(self.view(scene, corner, *error(rng)))
            if rng.random() < 0.4:
                views.append(self.view(scene, corner, *self.misplaced(rng, corner)))
        return views


__all__ = ["RANKS", "View", "Windows"]
