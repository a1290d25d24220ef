"""What else lies on a card table: a glass on its mat, a pad to keep the score, jetons. They never move."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from assistant.simulation.sprites import Pixels, Sprite

SCALE = 3.0  # sprite pixels a millimetre
PAD = 14  # millimetres of room for the shadow

INKS = ((110, 50, 30), (40, 40, 44), (40, 40, 150))


def _sheet(width: float, height: float) -> Pixels:
    """An empty transparent sprite of so many millimetres and the room round it."""
    return np.zeros((round((height + 2 * PAD) * SCALE), round((width + 2 * PAD) * SCALE), 4), np.uint8)


def _sprite(sheet: Pixels, shadow: float) -> Sprite:
    alpha = sheet[..., 3]
    sheet = np.asarray(cv2.GaussianBlur(sheet, (0, 0), 0.8), dtype=np.uint8)
    dark = np.asarray(cv2.GaussianBlur(alpha, (0, 0), shadow * SCALE), dtype=np.uint8)
    return Sprite(sheet, dark, (sheet.shape[1] / 2, sheet.shape[0] / 2), SCALE)


def _disc(
    sheet: Pixels, radius: float, colour: tuple[float, ...], at: tuple[float, float] = (0.0, 0.0)
) -> None:
    """A filled circle of ``radius`` mm, ``at`` mm from the middle of the sheet."""
    centre = (round(sheet.shape[1] / 2 + at[0] * SCALE), round(sheet.shape[0] / 2 + at[1] * SCALE))
    cv2.circle(sheet, centre, round(radius * SCALE), (*colour[:3], 255), -1, cv2.LINE_AA)


def glass(rng: np.random.Generator) -> Sprite:
    """A beer mat and a glass on it, from above: rim, drink, a gleam."""
    sheet = _sheet(100, 100)
    mat = rng.uniform(120, 225, 3)
    if rng.random() < 0.7:
        _disc(sheet, 46, tuple(mat))
        _disc(sheet, 41, tuple(mat * 0.8))
    rim = float(rng.uniform(30, 36))
    drink = ((60, 150, 215), (40, 60, 120), (180, 190, 195), (45, 40, 90))[rng.integers(4)]
    _disc(sheet, rim, (205, 212, 215))
    _disc(sheet, rim - 2, tuple(0.8 * c for c in drink))
    _disc(sheet, rim - 5, drink)
    at = (sheet.shape[1] // 2, sheet.shape[0] // 2)
    axes = (round((rim - 7) * SCALE), round((rim - 7) * SCALE))
    cv2.ellipse(sheet, at, axes, float(rng.uniform(0, 360)), 0, 55, (240, 245, 248, 255), 5, cv2.LINE_AA)
    return _sprite(sheet, 5.0)


def pad(rng: np.random.Generator) -> Sprite:
    """A score pad with lines, strokes of a pencil and the pencil itself."""
    sheet = _sheet(100, 140)
    x0, y0, w, h = (round(v * SCALE) for v in (PAD, PAD, 100, 140))
    paper = rng.uniform(205, 245)
    sheet[y0 : y0 + h, x0 : x0 + w] = (paper * 0.94, paper * 0.98, paper, 255)
    for y in range(y0 + 30, y0 + h - 12, 21):
        cv2.line(sheet, (x0 + 9, y), (x0 + w - 9, y), (200, 170, 150, 255), 1, cv2.LINE_AA)
    cv2.line(sheet, (x0 + w // 2, y0 + 12), (x0 + w // 2, y0 + h - 12), (90, 80, 80, 255), 2, cv2.LINE_AA)
    ink = INKS[rng.integers(len(INKS))]
    for side in (0.1, 0.58):
        for row in range(int(rng.integers(1, 7))):
            for stroke in range(int(rng.integers(1, 5))):
                x = round(x0 + w * side + stroke * 16 + rng.normal() * 2)
                y = y0 + 36 + row * 42
                cv2.line(sheet, (x, y), (round(x + rng.normal() * 3), y + 25), (*ink, 255), 3, cv2.LINE_AA)
    a = rng.uniform(0, np.pi)
    middle = np.array([x0 + w * 0.6, y0 + h * 0.6])
    along = np.array([np.cos(a), np.sin(a)]) * 55 * SCALE / 2
    p, q = np.round(middle - along).astype(int), np.round(middle + along).astype(int)
    cv2.line(sheet, (int(p[0]), int(p[1])), (int(q[0]), int(q[1])), (50, 160, 220, 255), 18, cv2.LINE_AA)
    return _sprite(sheet, 2.0)


def jetons(rng: np.random.Generator) -> Sprite:
    """A handful of round tokens, the petits, and long ones, the longs."""
    sheet = _sheet(110, 80)
    wood, red = (120, 170, 205), (60, 50, 170)
    for _ in range(int(rng.integers(3, 7))):
        at = (float(rng.uniform(-40, 40)), float(rng.uniform(-28, 28)))
        shade = float(rng.uniform(0.85, 1.1))
        _disc(sheet, 9, tuple(shade * c * 0.75 for c in wood), at)
        _disc(sheet, 7.5, tuple(shade * c for c in wood), at)
    for _ in range(int(rng.integers(0, 3))):
        centre = rng.uniform([-30, -20], [30, 20]) * SCALE + [sheet.shape[1] / 2, sheet.shape[0] / 2]
        box = ((float(centre[0]), float(centre[1])), (48 * SCALE, 9 * SCALE), float(rng.uniform(0, 180)))
        cv2.fillPoly(sheet, [np.round(cv2.boxPoints(box)).astype(np.int32)], (*red, 255), cv2.LINE_AA)
    return _sprite(sheet, 2.0)


PROPS: tuple[Callable[[np.random.Generator], Sprite], ...] = (glass, pad, jetons)
