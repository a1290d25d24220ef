"""Arms over the table: a hand, a wrist and a sleeve, modelled as rounded bones and lit from one side.

A limb is a list of tapered capsules. Their upper surface is a height map; the slope of that map gives the
shading, so that fingers, knuckles and folds look round under the lamp of the table. Each arm is drawn once,
pointing up, and then only moved, which keeps a frame cheap.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.simulation.sprites import Sprite
from assistant.simulation.surface import Sheet

FINENESS = 1.15  # sprite pixels for each pixel of the picture
HALF_WIDTH = 92.0  # millimetres on each side of the arm's axis
AHEAD = 22.0  # millimetres of room in front of the fingertips
LENGTH = 760.0  # millimetres from the fingertips to where the arm is cut off

Bone = tuple[float, float, float, float, float, float, float]
"""x0, y0, radius 0, x1, y1, radius 1 (millimetres, y away from the fingertips), height of the axis."""

# fmt: off
SKINS = ((150, 178, 226), (128, 158, 214), (112, 146, 200), (84, 116, 172), (58, 84, 132), (44, 62, 98),
         (140, 170, 232))
SLEEVES = ((120, 60, 40), (48, 42, 46), (60, 96, 52), (52, 44, 140), (196, 200, 204), (104, 104, 108),
           (150, 128, 92), (70, 120, 160))

_BACK: tuple[Bone, ...] = (
    (-23, 80, 13, -15, 150, 19, 14),
    (-7, 76, 14, -6, 150, 20, 16),
    (11, 78, 14, 6, 150, 20, 15),
    (27, 88, 12, 15, 150, 18, 12),
    (0, 140, 25, 0, 190, 25, 12),
    (-30, 118, 15, -14, 148, 16, 10),
)
_FOREARM: tuple[Bone, ...] = ((0, 180, 25, 0, 330, 38, 12), (0, 330, 38, 0, 470, 42, 12))

POSES: dict[str, tuple[Bone, ...]] = {
    "grip": (
        (-23, 80, 11, -20, 40, 9.5, 22), (-20, 40, 9.5, -10, 6, 7.5, 16),
        (-6, 76, 11.5, -2, 34, 9.8, 26), (-2, 34, 9.8, 5, 0, 7.8, 18),
        (11, 78, 11, 17, 42, 9.2, 22), (17, 42, 9.2, 17, 12, 7.5, 14),
        (27, 88, 10, 35, 60, 8.2, 14), (35, 60, 8.2, 34, 36, 6.8, 8),
        (-32, 116, 14, -44, 84, 11.5, 8), (-44, 84, 11.5, -32, 50, 9, 4),
        *_BACK,
    ),
    "fist": (
        (-26, 46, 12.5, -25, 12, 12, 20), (-9, 42, 13, -8, 5, 12.5, 23), (9, 44, 13, 9, 7, 12, 21),
        (26, 52, 12, 25, 18, 10.5, 16),
        (-40, 70, 13, -36, 30, 11, 8), (-36, 30, 11, -16, 6, 9, 4),
        *tuple((x0, y0 - 36, r0, x1, y1 - 34, r1, z) for x0, y0, r0, x1, y1, r1, z in _BACK),
        (0, 100, 25, 0, 190, 25, 12),
    ),
    "rake": (
        (-24, 82, 11, -34, 40, 9.5, 14), (-34, 40, 9.5, -38, 8, 7.5, 10),
        (-6, 76, 11.5, -9, 30, 9.8, 16), (-9, 30, 9.8, -9, 0, 7.8, 10),
        (12, 78, 11, 17, 36, 9.2, 14), (17, 36, 9.2, 20, 6, 7.5, 10),
        (28, 88, 10, 42, 56, 8.2, 12), (42, 56, 8.2, 50, 32, 6.8, 8),
        (-32, 116, 14, -56, 92, 11.5, 8), (-56, 92, 11.5, -70, 64, 9, 6),
        *_BACK,
    ),
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Look:
    """A player's arm: skin and sleeve (BGR), where the sleeve begins (mm), its pattern, which hand."""

    skin: tuple[int, int, int]
    sleeve: tuple[int, int, int]
    cuff: float
    pattern: str
    left_handed: bool
    size: float
    seed: int

    @staticmethod
    def random(rng: np.random.Generator) -> Look:
        return Look(
            skin=SKINS[rng.integers(len(SKINS))],
            sleeve=SLEEVES[rng.integers(len(SLEEVES))],
            cuff=float(
                rng.choice([rng.uniform(172, 215), rng.uniform(240, 330), 430.0], p=[0.6, 0.25, 0.15])
            ),
            pattern=str(rng.choice(["plain", "stripes", "checks"], p=[0.6, 0.2, 0.2])),
            left_handed=bool(rng.random() < 0.15),
            size=float(rng.uniform(0.9, 1.08)),
            seed=int(rng.integers(1 << 31)),
        )


def _raise(heights: NDArray[np.float32], pixels: float, bone: Bone, flat: float) -> None:
    """Lift the height map to the upper side of one tapered capsule."""
    x0, y0, r0, x1, y1, r1, z = bone
    h, w = heights.shape
    reach = max(r0, r1) + 2
    left = max(0, int((min(x0, x1) - reach + HALF_WIDTH) * pixels))
    right = min(w, int((max(x0, x1) + reach + HALF_WIDTH) * pixels) + 1)
    top = max(0, int((min(y0, y1) - reach + AHEAD) * pixels))
    bottom = min(h, int((max(y0, y1) + reach + AHEAD) * pixels) + 1)
    if right <= left or bottom <= top:
        return
    yy, xx = np.mgrid[top:bottom, left:right].astype(np.float32)
    px, py = xx / pixels - HALF_WIDTH - x0, yy / pixels - AHEAD - y0
    ax, ay = x1 - x0, y1 - y0
    along = np.clip((px * ax + py * ay) / (ax * ax + ay * ay + 1e-6), 0, 1)
    radius = r0 + (r1 - r0) * along
    away = (px - along * ax) ** 2 + (py - along * ay) ** 2
    rise = np.where(away < radius**2, z + flat * np.sqrt(np.maximum(radius**2 - away, 0)), 0)
    part = heights[top:bottom, left:right]
    np.maximum(part, rise.astype(np.float32), out=part)


def _shade(
    heights: NDArray[np.float32], pixels: float, lamp: tuple[float, float, float]
) -> NDArray[np.float32]:
    """Brightness of a height map (mm) under a lamp in the direction (x, y, up): ambient, slope, hollows."""
    gy, gx = np.gradient(heights * pixels)
    flat = np.sqrt(gx**2 + gy**2 + 1)
    lx, ly, lz = np.array(lamp) / np.linalg.norm(lamp)
    slope = np.clip((-gx * lx - gy * ly + lz) / flat, 0, 1)
    hollow = np.clip((heights - cv2.GaussianBlur(heights, (0, 0), 7 * pixels)) / 18, -1, 0.3)
    return np.asarray(0.5 + 0.62 * slope + 0.35 * hollow, dtype=np.float32)


def draw_arm(look: Look, pose: str, lamp: tuple[float, float, float], scale: float) -> Sprite:
    """One arm in one pose.

    Args:
        look: whose arm.
        pose: one of ``POSES``.
        lamp: direction to the lamp in the arm's own frame: x right, y to the elbow, up.
        scale: pixels of the picture for a millimetre.
    """
    pixels = scale * FINENESS
    sheet = Sheet(np.random.default_rng(look.seed), 2 * HALF_WIDTH, AHEAD + LENGTH, pixels)
    h, w = sheet.shape
    mirror = -1 if look.left_handed else 1
    skin_h = np.zeros((h, w), np.float32)
    for x0, y0, r0, x1, y1, r1, z in (*POSES[pose], *_FOREARM):
        k = look.size
        _raise(skin_h, pixels, (mirror * x0 * k, y0 * k, r0 * k, mirror * x1 * k, y1 * k, r1 * k, z), 0.9)
    skin_h = np.where(skin_h > 0, cv2.GaussianBlur(skin_h, (0, 0), 1.6 * pixels), 0).astype(np.float32)
    cloth_h = np.zeros((h, w), np.float32)
    c = look.cuff
    wide = 33 + 0.055 * max(0.0, c - 170)
    for bone in (
        (0, c + wide * 0.1, wide, 0, c + 200, wide + 15, 14),
        (0, c + 200, wide + 15, 0, LENGTH + 80, wide + 22, 14),
    ):
        _raise(cloth_h, pixels, bone, 0.8)
    edge = int((c + AHEAD) * pixels)
    cloth_h[:edge] = 0
    folds = sheet.noise(30, 13) * 2.2 + sheet.noise(60, 30) * 3 + sheet.noise(10, 5) * 0.5
    cloth_h = np.where(cloth_h > 0, np.maximum(cloth_h + folds, 1), 0).astype(np.float32)
    cloth_h[edge : edge + int(9 * pixels)] *= 1.06  # the hem

    skin = np.array(look.skin, np.float32) * (1 + 0.035 * sheet.noise(20) + 0.015 * sheet.noise(2))[..., None]
    blush = cv2.GaussianBlur((skin_h > 0).astype(np.float32), (0, 0), 6 * pixels)  # thin places shine red
    skin *= np.stack([0.86 + 0.14 * blush, 0.9 + 0.1 * blush, 1.04 - 0.04 * blush], -1)
    lit = _shade(skin_h, pixels, lamp)
    skin = skin * lit[..., None] + np.clip(lit - 1.02, 0, 1)[..., None] * 120
    yy, xx = sheet.grid()
    tint = np.ones((h, w), np.float32)
    if look.pattern != "plain":
        pitch = sheet.rng.uniform(9, 22)
        tint = np.where((xx // pitch) % 2 < 1, 1.0, 0.72)
        if look.pattern == "checks":
            tint = tint * np.where((yy // pitch) % 2 < 1, 1.0, 0.78)
    weave = 1 + 0.05 * sheet.noise(1)
    cloth = np.array(look.sleeve, np.float32) * (tint * weave * _shade(cloth_h, pixels, lamp))[..., None]

    over = cloth_h > 0
    colour = np.where(over[..., None], cloth, skin)
    alpha = cv2.GaussianBlur(((skin_h > 0) | over).astype(np.float32), (0, 0), 0.8)
    image = np.dstack([np.clip(colour, 0, 255) * alpha[..., None], alpha * 255]).astype(np.uint8)
    shadow = (cv2.GaussianBlur(alpha, (0, 0), 7 * pixels) * 255).astype(np.uint8)
    return Sprite(image, shadow, (HALF_WIDTH * pixels, AHEAD * pixels), pixels)
