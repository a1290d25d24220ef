"""Table tops drawn by code: wood, cloth, felt, marble, laminate, and the light that falls on them."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.simulation.view import View

Image = NDArray[np.float32]

MM_PIXELS = 1.6  # texture pixels a millimetre, a little finer than the picture
WIDTH_MM, HEIGHT_MM = 1100, 900


def noise(rng: np.random.Generator, h: int, w: int, across: float, down: float) -> Image:
    """Smooth noise (h, w) of standard deviation about 1 with grains of ``across`` x ``down`` pixels."""
    small = rng.standard_normal((max(2, round(h / down)), max(2, round(w / across))), dtype=np.float32)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _flat(h: int, w: int, colour: tuple[float, float, float]) -> Image:
    return np.ones((h, w, 3), np.float32) * np.array(colour, np.float32)


def _planks(rng: np.random.Generator, h: int, w: int, colour: tuple[float, float, float]) -> Image:
    """Planks along x, each with rings bent by slow noise, fibres, pores and now and then a knot."""
    image = _flat(h, w, colour)
    tint = np.array([0.75, 0.9, 1.0], np.float32)
    pitch = int(rng.uniform(110, 260))
    y = -int(rng.uniform(0, pitch))
    while y < h:
        top, end = max(0, y), min(h, y + pitch)
        if end > top:
            n = end - top
            yy, xx = np.mgrid[:n, :w].astype(np.float32)
            bend = noise(rng, n, w, 500, max(n / 2, 2)) * 14 + noise(rng, n, w, 160, 40) * 3
            if rng.random() < 0.4:  # a knot pulls the rings round it
                kx, ky = rng.uniform(0, w), rng.uniform(0, n)
                bend += 60 * np.exp(-(((xx - kx) / 90) ** 2 + ((yy - ky) / 30) ** 2))
            rings = np.sin((yy + bend) * (2 * np.pi / rng.uniform(16, 34)))
            fibres = noise(rng, n, w, 140, 1.6)
            pores = np.minimum(0, noise(rng, n, w, 22, 1.4) + 1.7)
            value = rings * rng.uniform(3, 8) + fibres * rng.uniform(3, 6) + pores * 22 + rng.normal() * 6
            image[top:end] += value[..., None] * tint
            image[top : top + 2] *= 0.55
        y += pitch
    return image


def _cloth(rng: np.random.Generator, h: int, w: int, colour: tuple[float, float, float]) -> Image:
    image = _flat(h, w, colour)
    fuzz = noise(rng, h, w, 1.6, 1.6) * 5 + noise(rng, h, w, 6, 6) * 3 + noise(rng, h, w, 260, 260) * 5
    return image + fuzz[..., None]


def _checks(rng: np.random.Generator, h: int, w: int, colour: tuple[float, float, float]) -> Image:
    """An oilcloth or bistro cloth of two colours."""
    pitch = rng.uniform(28, 70)
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    share = (((xx // pitch) % 2) + ((yy // pitch) % 2)) / 2
    white = _flat(h, w, (205, 214, 218))
    image = white * (1 - share[..., None]) + _flat(h, w, colour) * share[..., None]
    return np.asarray(image + noise(rng, h, w, 1.8, 1.8)[..., None] * 5, dtype=np.float32)


def _marble(rng: np.random.Generator, h: int, w: int, colour: tuple[float, float, float]) -> Image:
    image = (
        _flat(h, w, colour)
        + noise(rng, h, w, 120, 120)[..., None] * 5
        + noise(rng, h, w, 2, 2)[..., None] * 1.5
    )
    for _ in range(3):
        field = noise(rng, h, w, 260, 180) + 0.45 * noise(rng, h, w, 70, 60) + 0.2 * noise(rng, h, w, 22, 20)
        vein = np.exp(-((field / rng.uniform(0.03, 0.08)) ** 2)) + 0.35 * np.exp(-((field / 0.3) ** 2))
        image -= vein[..., None] * np.array([22, 26, 28], np.float32) * rng.uniform(0.4, 1.1)
    return np.asarray(image, dtype=np.float32)


def _laminate(rng: np.random.Generator, h: int, w: int, colour: tuple[float, float, float]) -> Image:
    image = _flat(h, w, colour) + noise(rng, h, w, 3, 3)[..., None] * 2
    specks = (noise(rng, h, w, 3, 3) > 2.0).astype(np.float32) - (noise(rng, h, w, 3, 3) > 2.0)
    return image + cv2.GaussianBlur(specks, (0, 0), 0.8)[..., None] * 26


Painter = Callable[[np.random.Generator, int, int, tuple[float, float, float]], Image]

SURFACES: dict[str, tuple[Painter, tuple[float, float, float]]] = {  # colours are BGR
    "oak": (_planks, (92, 138, 178)),
    "walnut": (_planks, (48, 72, 102)),
    "cherry": (_planks, (58, 92, 150)),
    "grey-oak": (_planks, (118, 128, 136)),
    "green-felt": (_cloth, (62, 98, 42)),
    "red-felt": (_cloth, (38, 34, 118)),
    "blue-felt": (_cloth, (108, 70, 38)),
    "black-cloth": (_cloth, (40, 40, 42)),
    "beige-cloth": (_cloth, (150, 176, 192)),
    "bistro-checks": (_checks, (58, 48, 158)),
    "marble": (_marble, (205, 210, 212)),
    "dark-marble": (_marble, (82, 84, 80)),
    "laminate": (_laminate, (156, 166, 172)),
}


def table_top(rng: np.random.Generator, view: View, name: str) -> NDArray[np.uint8]:
    """The bare table as the camera sees it in even light, (height, width, 3) BGR."""
    painter, colour = SURFACES[name]
    h, w = round(HEIGHT_MM * MM_PIXELS), round(WIDTH_MM * MM_PIXELS)
    varied = tuple(float(c * f) for c, f in zip(colour, rng.normal(1, 0.05, 3), strict=True))
    texture = np.clip(painter(rng, h, w, varied), 0, 255).astype(np.uint8)  # type: ignore[arg-type]
    turn = np.radians(
        rng.choice([0.0, 90.0, rng.uniform(-12, 12)]) if painter is _planks else rng.uniform(-8, 8)
    )
    c, s = np.cos(turn) / MM_PIXELS, np.sin(turn) / MM_PIXELS
    place = np.array([[c, s, -c * w / 2 - s * h / 2], [s, -c, -s * w / 2 + c * h / 2], [0, 0, 1.0]])
    return np.asarray(
        cv2.warpPerspective(
            texture,
            view.plane() @ place,
            (view.width, view.height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
    )


def light(rng: np.random.Generator, view: View) -> Image:
    """How bright each pixel is and in which colour: (height, width, 3), about 1 in the middle."""
    h, w = view.height, view.width
    yy, xx = np.mgrid[: h // 8, : w // 8].astype(np.float32) * 8
    angle = rng.uniform(0, 2 * np.pi)
    fall = 1 + rng.uniform(0.03, 0.28) * ((xx - w / 2) * np.cos(angle) + (yy - h / 2) * np.sin(angle)) / w
    lamp = np.exp(
        -((xx - w * rng.uniform(0.3, 0.7)) ** 2 + (yy - h * rng.uniform(0.3, 0.7)) ** 2)
        / (2 * (w * rng.uniform(0.35, 0.7)) ** 2)
    )
    corner = 1 - 0.12 * ((xx / w - 0.5) ** 2 + (yy / h - 0.5) ** 2) * 2
    share = rng.uniform(0.15, 0.5)
    level = cv2.resize(
        fall * ((1 - share) + share * lamp * 1.15) * corner, (w, h), interpolation=cv2.INTER_LINEAR
    )
    level /= level[h // 4 : 3 * h // 4, w // 4 : 3 * w // 4].mean()
    warmth = rng.uniform(-0.05, 0.2)  # a bulb is yellow, a window blue
    colour = np.array([1 - warmth, 1 - warmth * 0.2, 1 + warmth * 0.2], np.float32) * rng.uniform(0.72, 1.02)
    return np.asarray(level[..., None] * colour, dtype=np.float32)
