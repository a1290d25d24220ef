"""One training view: a card laid on a table, seen by a camera at its real size, pulled straight again.

The card is drawn as small as a camera sees it (26 to 135 pixels wide), lit, blurred and compressed at
that size, and only then rectified through a quad that is a little, or badly, wrong. So the net sees the
very resampling that it meets at work. The quality target is how well that quad fits.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .cards import Card, back, with_smaller
from .net import HEIGHT, MARGIN, WIDTH
from .quads import Quad, overlap, rectified


@dataclass(frozen=True)
class View:
    """Crop (144, 96, 3) BGR bytes; rank, suit, Spanish rank and suit, identity (-1: not asked); quality 0 to 1.

    `visible`: share of the card that nothing covers and that lies in the picture.
    """

    crop: np.ndarray
    rank: int
    suit: int
    quality: float
    spanish: tuple[int, int] = (-1, -1)
    identity: int = -1
    visible: float = 1.0


RANK_SHOWS, SUIT_SHOWS, VECTOR_SHOWS = 0.12, 0.16, 0.25
"""Visible share from which on each is asked."""


GRAIN = np.random.default_rng(0).standard_normal((1280, 1280), dtype=np.float32)
"""One sheet of noise; views cut theirs out of it, which is much quicker than drawing it."""


def grain(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """White noise of unit strength."""
    y, x = rng.integers(0, 1281 - h), rng.integers(0, 1281 - w)
    return GRAIN[y : y + h, x : x + w]


def noise(rng: np.random.Generator, h: int, w: int, sx: float, sy: float) -> np.ndarray:
    """Smooth noise of unit strength with grains of sx x sy pixels."""
    return cv2.resize(grain(rng, max(2, int(h / sy)), max(2, int(w / sx))), (w, h), interpolation=cv2.INTER_LINEAR)


def wood(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Pale or dark wood: grain along one direction, boards and their joints; (h, w, 3) float.

    Pale wood is what thresholds fail on: hardly darker than the paper of a card.
    """
    base = np.float32([rng.uniform(95, 190), rng.uniform(140, 212), rng.uniform(170, 235)])  # BGR: yellowish
    pale = rng.random()
    if pale < 0.3:
        base = np.float32([rng.uniform(165, 220), rng.uniform(195, 235), rng.uniform(215, 248)])
    elif pale < 0.5:
        base = base * np.float32(rng.uniform(0.25, 0.7))
    side = int(np.hypot(h, w)) + 2
    out = np.empty((side, side, 3), np.float32)
    out[:] = base
    grain = noise(rng, side, side, rng.uniform(0.3, 1) * side, rng.uniform(1.2, 7)) * np.float32(rng.uniform(2, 10))
    grain += noise(rng, side, side, 0.7 * side, rng.uniform(10, 60)) * np.float32(rng.uniform(2, 13))
    out += grain[..., None] * np.float32([1.2, 1, 0.8])
    if rng.random() < 0.6:
        board = int(rng.uniform(0.12, 0.5) * side)
        for y in range(int(rng.integers(0, board)), side + board, board):
            out[max(0, y - board) : y] *= np.float32(rng.uniform(0.93, 1.05))
            joint = (base * rng.uniform(0.5, 0.9)).tolist()
            cv2.line(out, (0, y), (side, y), joint, int(rng.integers(1, 3)))
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(0, 360), 1)
    turn[:, 2] -= [(side - w) / 2, (side - h) / 2]
    return cv2.warpAffine(out, turn, (w, h), borderMode=cv2.BORDER_REFLECT)


def ground(rng: np.random.Generator, tables: list[np.ndarray], h: int, w: int) -> np.ndarray:
    """A piece of a real table, drawn wood, or a plain or grained colour; (h, w, 3) float."""
    kind = rng.random()
    if tables and kind < 0.6:
        table = tables[rng.integers(len(tables))]
        th, tw = table.shape[:2]
        share = rng.uniform(0.15, 0.9)
        ch, cw = max(16, int(th * share)), max(16, int(tw * share))
        y, x = int(rng.integers(0, th - ch + 1)), int(rng.integers(0, tw - cw + 1))
        part = cv2.resize(table[y : y + ch, x : x + cw], (w, h), interpolation=cv2.INTER_AREA)
        real = part.astype(np.float32)
        return real * np.float32(rng.uniform(0.6, 1.2)) if rng.random() < 0.4 else real
    if kind < 0.8:
        return wood(rng, h, w)
    plain = np.empty((h, w, 3), np.float32)
    colourful = rng.random() < 0.5
    plain[:] = rng.uniform(10, 235, 3) if colourful else rng.uniform(90, 245) + rng.normal(size=3) * 12
    strength = np.float32(rng.uniform(1, 14))
    plain += noise(rng, h, w, rng.uniform(3, 60), rng.uniform(2, 30))[..., None] * strength
    return plain


def lay(scene: np.ndarray, card: Card, quad: Quad, tone: np.ndarray) -> None:
    """Draw a card into a scene of floats at a quad, in place."""
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, scene.shape[1::-1])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    image = card.at(max(np.hypot(*(quad[3] - quad[0])), np.hypot(*(quad[2] - quad[1]))))
    h, w = image.shape[:2]
    source = np.float32([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]])
    turn = cv2.getPerspectiveTransform(source, np.float32(quad - [x0, y0]))
    laid = cv2.warpPerspective(image, turn, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    a = laid[..., 3] * np.float32(1 / 255)
    colours = cv2.multiply(laid[..., :3], (*(float(v) for v in np.resize(tone, 3)), 0.0), dtype=cv2.CV_32F)
    place = scene[y0:y1, x0:x1]
    place[:] = cv2.blendLinear(colours, np.ascontiguousarray(place), a, 1 - a)


def placed(rng: np.random.Generator, short: float, shape: tuple[int, int], centre: np.ndarray, angle: float) -> Quad:
    """Where a card `short` pixels wide lies: turned by `angle`, seen at a slant now and then."""
    h, w = shape
    half = np.float32([short / 2, short / 2 * h / w])
    q = np.float32([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    squeeze = np.exp(-abs(rng.normal()) * 0.16)  # foreshortening along a random direction
    d = rng.uniform(0, np.pi)
    axis = np.float32([np.cos(d), np.sin(d)])
    c, s = np.cos(angle), np.sin(angle)
    q = q @ np.float32([[c, s], [-s, c]])
    q -= np.outer(q @ axis, axis) * np.float32(1 - squeeze)
    q *= 1 + (q @ axis / short)[:, None] * np.float32(rng.normal() * 0.05)  # the far end is smaller
    return (q + centre).astype(np.float32)


def beside(rng: np.random.Generator, quad: Quad, way: str) -> tuple[np.ndarray, float]:
    """Where a card that covers `quad` lies, and how it is turned: in a row, a column, a cross, a fan, a pile."""
    u, v = quad[1] - quad[0], quad[3] - quad[0]
    angle = float(np.arctan2(u[1], u[0]))
    centre = quad.mean(0)
    sign = float(rng.choice([-1, 1]))
    if way == "row":
        return centre + sign * u * rng.uniform(0.2, 0.9) + v * rng.normal() * 0.06, angle + rng.normal() * 0.05
    if way == "column":
        return centre + sign * v * rng.uniform(0.12, 0.7) + u * rng.normal() * 0.06, angle + rng.normal() * 0.05
    if way == "cross":
        where = centre + u * rng.uniform(-0.6, 0.6) + sign * v * rng.uniform(0.1, 0.7)
        return where, angle + np.pi / 2 + rng.normal() * 0.12
    if way == "fan":
        return centre + sign * u * rng.uniform(0.15, 0.5) + v * rng.uniform(-0.1, 0.2), angle + sign * rng.uniform(
            0.1, 0.5
        )
    t = rng.uniform(0, 2 * np.pi)
    return centre + (u * np.cos(t) + v * np.sin(t)) * rng.uniform(0.35, 0.95), rng.uniform(0, 2 * np.pi)


def hand(rng: np.random.Generator, scene: np.ndarray, quad: Quad) -> np.ndarray:
    """A finger or a thing of one colour over part of the card (in place); returns its outline."""
    short = float(np.hypot(*(quad[1] - quad[0])))
    a = rng.uniform(0, 2 * np.pi)
    d = np.float32([np.cos(a), np.sin(a)])
    u, v = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2
    reach = abs(d @ u) + abs(d @ v)
    where = quad.mean(0) + d * (reach * rng.uniform(0.1, 1.0) + short * 0.6)
    size = (short * rng.uniform(0.5, 1.3), short * rng.uniform(0.9, 1.6))
    if rng.random() < 0.4:  # one finger, pointing inwards
        size = (short * rng.uniform(0.16, 0.3), short * rng.uniform(0.8, 2.0))
    turn = float(np.degrees(a) + 90 + rng.normal() * 25) if size[1] > 2 * size[0] else rng.uniform(0, 180)
    outline = cv2.ellipse2Poly(
        (int(where[0]), int(where[1])), (int(size[0] / 2), int(size[1] / 2)), int(turn), 0, 360, 12
    )
    m = np.zeros(scene.shape[:2], np.uint8)
    cv2.fillPoly(m, [outline], 255)
    b = cv2.GaussianBlur(m, (0, 0), 1).astype(np.float32)[..., None] / 255
    skin = [[120, 150, 210], [60, 85, 140], [200, 200, 210], [30, 30, 30], [150, 175, 225]][int(rng.integers(5))]
    scene *= 1 - b
    scene += np.float32(skin) * np.float32(rng.uniform(0.7, 1.1)) * b
    return outline


def sleeve(rng: np.random.Generator, scene: np.ndarray, quad: Quad) -> None:
    """A clear film round the card: a rim of plastic, a veil, and bands of light (in place)."""
    centre = quad.mean(0)
    film = (quad - centre) * np.float32(rng.uniform(1.03, 1.09)) + centre
    m = np.zeros(scene.shape[:2], np.float32)
    cv2.fillConvexPoly(m, np.int32(np.round(film)), rng.uniform(0.03, 0.16))
    u, v = film[1] - film[0], film[3] - film[0]
    for _ in range(int(rng.integers(1, 4))):
        at, tilt, wide = rng.uniform(-0.2, 1.1), rng.uniform(-0.5, 0.5), rng.uniform(0.02, 0.25)
        band = [(at, 0), (at + wide, 0), (at + wide + tilt, 1), (at + tilt, 1)]
        cv2.fillConvexPoly(
            m, np.int32(np.round([film[0] + u * x + v * y for x, y in band])), float(rng.uniform(0.1, 0.75))
        )
    inside = np.zeros(scene.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.int32(np.round(film)), 1)
    m = cv2.GaussianBlur(m, (0, 0), float(rng.uniform(0.6, 4))) * inside
    scene += (rng.uniform(200, 255) - scene) * m[..., None]


def seen_share(quad: Quad, over: list[np.ndarray], shape: tuple[int, int]) -> float:
    """Share of a quad that lies in a picture of (height, width) and under none of the outlines `over`."""
    scale = 40 / max(float(np.hypot(*(quad[1] - quad[0]))), 1)
    m = np.zeros((int(shape[0] * scale) + 1, int(shape[1] * scale) + 1), np.uint8)
    cv2.fillConvexPoly(m, np.int32(np.round(quad * scale)), 1)
    for outline in over:
        cv2.fillConvexPoly(m, np.int32(np.round(np.float32(outline) * scale)), 0)
    return min(1.0, cv2.countNonZero(m) / max(cv2.contourArea(np.float32(quad * scale)), 1.0))


LIGHT_Y, LIGHT_X = np.mgrid[-0.5:0.5:40j, -0.5:0.5:40j].astype(np.float32)
"""Light varies slowly: it is worked out on 40 x 40 points and stretched over the view."""


def light(rng: np.random.Generator, scene: np.ndarray) -> np.ndarray:
    """Uneven, warm or dim light, shadow edges and glare."""
    size = scene.shape[1::-1]
    a = rng.uniform(0, 2 * np.pi)
    ramp = LIGHT_X * np.float32(np.cos(a)) + LIGHT_Y * np.float32(np.sin(a))
    gain = 1 + np.float32(rng.uniform(0, 0.5)) * ramp
    if rng.random() < 0.2:  # the edge of a shadow
        where, soft = rng.uniform(-0.35, 0.35), rng.uniform(0.005, 0.05)
        edge = 1 + np.exp(np.clip((where - ramp) / soft, -30, 30))
        gain = gain * (1 - rng.uniform(0.15, 0.55) / edge)
    gain = gain * np.exp(rng.uniform(np.log(0.28), np.log(1.3)))
    warm = rng.uniform(-0.14, 0.45)
    tint = np.float32([1 - warm, 1 - warm * 0.25, 1 + warm * 0.25])
    cv2.multiply(scene, cv2.resize(gain.astype(np.float32)[..., None] * tint, size), dst=scene)
    if rng.random() < 0.3:  # glare
        gx, gy = rng.uniform(-0.4, 0.4, 2)
        sx, sy = rng.uniform(0.05, 0.3), rng.uniform(0.04, 0.2)
        t = rng.uniform(0, np.pi)
        x = (LIGHT_X - gx) * np.cos(t) + (LIGHT_Y - gy) * np.sin(t)
        y = (LIGHT_Y - gy) * np.cos(t) - (LIGHT_X - gx) * np.sin(t)
        spot = rng.uniform(40, 230) * np.exp(-((x / sx) ** 2) - (y / sy) ** 2)
        spot = np.repeat(spot.astype(np.float32)[..., None], 3, 2)
        cv2.add(scene, cv2.resize(spot, size), dst=scene)
    return scene


LEVELS = np.arange(256) / 255


def camera(rng: np.random.Generator, scene: np.ndarray) -> np.ndarray:
    """Focus, motion, sensor noise, sharpening and compression at the size the camera sees."""
    if rng.random() < 0.5:
        noisy = np.ascontiguousarray(grain(rng, *scene.shape[:2]))
        scene = cv2.addWeighted(scene, 1, cv2.merge([noisy, noisy, noisy]), float(rng.uniform(0, 9)), 0)
    out = np.clip(scene, 0, 255).astype(np.uint8)
    k = rng.random()
    if k < 0.45:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.25))
    elif k < 0.6:
        n = int(rng.integers(3, 8))
        kernel, t = np.zeros((n, n), np.float32), rng.uniform(0, np.pi)
        dx, dy = np.cos(t) * n / 2, np.sin(t) * n / 2
        cv2.line(kernel, (int(n / 2 - dx), int(n / 2 - dy)), (int(n / 2 + dx), int(n / 2 + dy)), 1.0)
        out = cv2.filter2D(out, -1, kernel / max(float(kernel.sum()), 1.0))
    if rng.random() < 0.2:
        much = rng.uniform(0.3, 1.4)
        out = cv2.addWeighted(out, 1 + much, cv2.GaussianBlur(out, (0, 0), 1.2), -much, 0)
    out = cv2.LUT(out, (255 * LEVELS ** rng.uniform(0.75, 1.35)).astype(np.uint8))
    if rng.random() < 0.7:  # films and web cameras: few bits, half the colour
        quality = int(rng.uniform(14, 40)) if rng.random() < 0.4 else int(rng.uniform(40, 92))
        out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
        if rng.random() < 0.1:  # smoothed between blocks, as films are
            out = cv2.bilateralFilter(out, 3, 25, 2)
    if rng.random() < 0.03:
        out = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return out


def guess(rng: np.random.Generator, quad: Quad) -> Quad:
    """The quad a finder might propose: mostly close, sometimes of another thing."""
    short = float(np.hypot(*(quad[1] - quad[0])))
    k = rng.random()
    if k < 0.68:
        shake, shift = 0.022, 0.016
    elif k < 0.84:
        shake, shift = 0.05, 0.05
    elif k < 0.93:  # part of a card, turned, too large
        centre = quad.mean(0)
        t = float(rng.choice([rng.normal() * 0.25, np.pi / 2 + rng.normal() * 0.1, rng.uniform(0, 6.28)]))
        turn = np.float32([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])
        grow = np.exp(rng.normal() * 0.3 + rng.choice([-0.3, 0.25]))
        return ((quad - centre) @ turn * np.float32(grow) + centre + rng.normal(size=2) * short * 0.22).astype(
            np.float32
        )
    else:  # one side cut off or carried too far: under another card, out of the picture, into the next card
        out, side, share = (
            quad.copy(),
            int(rng.integers(4)),
            float(rng.choice([-1, 1, 1]) * rng.uniform(0.08, 0.5)),
        )
        i, j = side, (side + 1) % 4
        out[i] += (quad[(i - 1) % 4] - quad[i]) * share
        out[j] += (quad[(j + 1) % 4] - quad[j]) * share
        return out
    moved = quad + (rng.normal(size=(4, 2)) * shake + rng.normal(size=(1, 2)) * shift) * short
    return moved.astype(np.float32)


def straightened(scene: np.ndarray, quad: Quad) -> np.ndarray:
    """The reader's crop of a quad, shrinking first what is much larger than the crop."""
    short = float(np.hypot(*(quad[1] - quad[0])))
    if short > 2 * WIDTH:
        scale = 1.5 * WIDTH / short
        scene = cv2.resize(scene, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        quad = quad * scale
    return rectified(scene, quad, WIDTH, HEIGHT, MARGIN)


class Views:
    """Draws views without end from groups of cards; `shares` says how often each group is taken.

    `covered`: share of the scenes in which something lies over part of the card.
    """

    def __init__(
        self,
        groups: list[list[Card]],
        shares: list[float],
        tables: list[np.ndarray],
        smallest: float = 26,
        largest: float = 135,
        covered: float = 0.32,
    ) -> None:
        kept = [([with_smaller(c) for c in g], s) for g, s in zip(groups, shares, strict=True) if g]
        self.groups = [g for g, _ in kept]
        self.shares = np.array([s for _, s in kept]) / sum(s for _, s in kept)
        self.tables, self.smallest, self.largest, self.covered = tables, smallest, largest, covered

    def card(self, rng: np.random.Generator) -> Card:
        """A card of a random group."""
        group = self.groups[rng.choice(len(self.groups), p=self.shares)]
        return group[rng.integers(len(group))]

    def draw(self, rng: np.random.Generator) -> View:
        """One view."""
        return self.scene(rng)[0]

    def scene(self, rng: np.random.Generator) -> list[View]:
        """The views of one drawn scene: of its card, sometimes through a second quad or of what covers it."""
        card = self.card(rng)
        smallest = min(max(self.smallest, card.least), self.largest)
        short = float(np.exp(rng.uniform(np.log(smallest), np.log(self.largest))))
        angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.normal() * 0.15
        if rng.random() < 0.04:  # bare table
            side = int(short * 2.05) + 8
            scene = ground(rng, self.tables, side, side)
            middle = np.float32([side / 2, side / 2])
            quad = placed(rng, short * rng.uniform(0.6, 1.1), (144, 96), middle, angle)
            return [View(straightened(camera(rng, light(rng, scene)), quad), -1, -1, 0.0)]
        face_down = rng.random() < 0.025
        if face_down:
            card = Card(back(rng), -1, -1, "back")
        quad = placed(rng, short, card.image.shape[:2], np.zeros(2, np.float32), angle)
        rim = short * np.float32(rng.uniform(0.22, 0.4))
        quad -= quad.min(0) - rim
        width, height = (int(v) for v in quad.max(0) + rim)
        scene = ground(rng, self.tables, height, width)
        middle = quad.mean(0)
        paper = np.float32(rng.uniform(0.78, 1)) * np.float32([1 - rng.uniform(0, 0.14), 1, 1])
        if rng.random() < 0.25:  # a neighbour beside or under it
            other = self.card(rng)
            t = rng.uniform(0, 2 * np.pi)
            where = middle + np.float32([np.cos(t), np.sin(t)]) * short * rng.uniform(0.7, 1.5)
            turn = angle + (rng.normal() * 0.1 if rng.random() < 0.6 else rng.uniform(0, 6.28))
            lay(scene, other, placed(rng, short, other.image.shape[:2], where, turn), paper)
        if rng.random() < 0.6:  # its shadow on the table
            m = np.zeros(scene.shape[:2], np.uint8)
            cv2.fillConvexPoly(m, np.int32(np.round(quad + rng.normal(size=2) * short * 0.03)), 255)
            m = cv2.GaussianBlur(m, (0, 0), short * rng.uniform(0.008, 0.05) + 0.3)
            scene *= 1 - m[..., None].astype(np.float32) * np.float32(rng.uniform(0, 0.5) / 255)
        lay(scene, card, quad, paper)
        over: list[np.ndarray] = []
        tops: list[tuple[Card, Quad]] = []
        if rng.random() < self.covered:
            if rng.random() < 0.78:
                way = str(rng.choice(["row", "column", "cross", "fan", "pile"]))
                for _ in range(1 if rng.random() < 0.75 else 2):
                    top = self.card(rng) if rng.random() < 0.95 else Card(back(rng), -1, -1, "back")
                    where, turn = beside(rng, quad, way)
                    top_quad = placed(rng, short, top.image.shape[:2], np.float32(where), turn)
                    lay(scene, top, top_quad, paper * np.float32(rng.uniform(0.88, 1)))
                    over.append(top_quad)
                    tops = [(top, top_quad)] if top.kind != "back" else []
            else:
                over.append(hand(rng, scene, quad))
        if rng.random() < 0.06:
            sleeve(rng, scene, quad)
        picture = camera(rng, light(rng, scene))
        if rng.random() < 0.04:  # cut by the picture's edge: what lies outside repeats the last row
            axis, keep = int(rng.integers(2)), rng.uniform(0.5, 0.85)
            picture = picture[: int(height * keep)] if axis else picture[:, : int(width * keep)]
        if face_down:
            return [View(straightened(picture, guess(rng, quad)), -1, -1, 0.0)]
        views = [self._view(rng, picture, card, quad, over)]
        if tops and seen_share(tops[0][1], [], picture.shape[:2]) > 0.6 and tops[0][0].least < short:
            views.append(self._view(rng, picture, *tops[0], []))
        elif rng.random() < 0.3:
            views.append(self._view(rng, picture, card, quad, over))
        return views

    def _view(
        self, rng: np.random.Generator, picture: np.ndarray, card: Card, quad: Quad, over: list[np.ndarray]
    ) -> View:
        """A card of a picture through a quad as a finder might propose it."""
        proposal = guess(rng, quad)
        fit = overlap(proposal, quad)
        if rng.random() < 0.5:
            proposal = np.roll(proposal, 2, 0)
        visible = seen_share(quad, over, picture.shape[:2])
        known = fit > 0.72
        shows_rank, shows_suit = known and visible > RANK_SHOWS, known and visible > SUIT_SHOWS
        return View(
            straightened(picture, proposal),
            card.rank if shows_rank else -1,
            card.suit if shows_suit else -1,
            float(np.clip((fit - 0.55) / 0.33, 0, 1)),
            (card.spanish[0] if shows_rank else -1, card.spanish[1] if shows_suit else -1),
            card.identity if known and visible > VECTOR_SHOWS else -1,
            visible,
        )
