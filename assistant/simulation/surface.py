"""Table tops drawn by code: wood, cloth, felt, marble, laminate, and the light that falls on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.simulation.view import View

Image = NDArray[np.float32]
Colour = tuple[float, float, float]

WIDTH, HEIGHT = 1100.0, 900.0  # millimetres of table that are drawn
FINENESS = 0.92  # texture pixels for each pixel of the picture


@dataclass(frozen=True, slots=True)
class Sheet:
    """A piece of texture: its size in millimetres, its fineness, its source of chance."""

    rng: np.random.Generator
    width: float
    height: float
    pixels: float

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return max(1, round(self.height * self.pixels)), max(1, round(self.width * self.pixels))

    def flat(self, colour: Colour) -> Image:
        """One colour all over, (rows, columns, 3)."""
        return np.ones((*self.shape, 3), np.float32) * np.array(colour, np.float32)

    def noise(self, across: float, down: float | None = None) -> Image:
        """Smooth noise of standard deviation about 1 with grains of ``across`` x ``down`` millimetres."""
        rows, columns = self.shape
        grains = (max(2, round(self.height / (down or across))), max(2, round(self.width / across)))
        small = self.rng.standard_normal((min(rows, grains[0]), min(columns, grains[1])), dtype=np.float32)
        return np.asarray(cv2.resize(small, (columns, rows), interpolation=cv2.INTER_CUBIC), dtype=np.float32)

    def grid(self) -> tuple[Image, Image]:
        """y and x of every pixel in millimetres."""
        yy, xx = np.mgrid[: self.shape[0], : self.shape[1]].astype(np.float32)
        return yy / self.pixels, xx / self.pixels


def _planks(sheet: Sheet, colour: Colour) -> Image:
    """Planks along x, each with rings bent by slow noise, fibres, pores and now and then a knot."""
    rng = sheet.rng
    pitch = rng.uniform(70, 160)
    planks = [
        _plank(Sheet(rng, sheet.width, pitch, sheet.pixels), colour)
        for _ in range(int(sheet.height / pitch) + 2)
    ]
    offset = int(rng.uniform(0, planks[0].shape[0]))
    return np.concatenate(planks)[offset : offset + sheet.shape[0]]


def _plank(sheet: Sheet, colour: Colour) -> Image:
    rng = sheet.rng
    yy, xx = sheet.grid()
    bend = sheet.noise(310, sheet.height / 2) * 9 + sheet.noise(100, 25) * 2
    if rng.random() < 0.4:  # a knot pulls the rings round it
        kx, ky = rng.uniform(0, sheet.width), rng.uniform(0, sheet.height)
        bend += 38 * np.exp(-(((xx - kx) / 56) ** 2 + ((yy - ky) / 19) ** 2))
    rings = np.sin((yy + bend) * (2 * np.pi / rng.uniform(10, 21)))
    fibres, pores = sheet.noise(88, 1), np.minimum(0, sheet.noise(14, 0.9) + 1.7)
    value = rings * rng.uniform(3, 8) + fibres * rng.uniform(3, 6) + pores * 22 + rng.normal() * 6
    image = sheet.flat(colour) + value[..., None] * np.array([0.75, 0.9, 1.0], np.float32)
    image[: max(1, round(1.2 * sheet.pixels))] *= 0.55  # the joint
    return np.asarray(image, dtype=np.float32)


def _cloth(sheet: Sheet, colour: Colour) -> Image:
    fuzz = sheet.noise(1) * 5 + sheet.noise(3.8) * 3 + sheet.noise(160) * 5
    return sheet.flat(colour) + fuzz[..., None]


def _checks(sheet: Sheet, colour: Colour) -> Image:
    """An oilcloth or bistro cloth of two colours."""
    pitch = sheet.rng.uniform(18, 44)
    yy, xx = sheet.grid()
    share = ((((xx // pitch) % 2) + ((yy // pitch) % 2)) / 2)[..., None]
    image = sheet.flat((205, 214, 218)) * (1 - share) + sheet.flat(colour) * share
    return np.asarray(image + sheet.noise(1.1)[..., None] * 5, dtype=np.float32)


def _marble(sheet: Sheet, colour: Colour) -> Image:
    image = sheet.flat(colour) + sheet.noise(75)[..., None] * 5 + sheet.noise(1.2)[..., None] * 1.5
    for _ in range(3):
        field = sheet.noise(160, 112) + 0.45 * sheet.noise(44, 38) + 0.2 * sheet.noise(14, 12)
        vein = np.exp(-((field / sheet.rng.uniform(0.03, 0.08)) ** 2)) + 0.35 * np.exp(-((field / 0.3) ** 2))
        image -= vein[..., None] * np.array([22, 26, 28], np.float32) * sheet.rng.uniform(0.4, 1.1)
    return np.asarray(image, dtype=np.float32)


def _laminate(sheet: Sheet, colour: Colour) -> Image:
    specks = (sheet.noise(1.9) > 2.0).astype(np.float32) - (sheet.noise(1.9) > 2.0)
    soft = cv2.GaussianBlur(specks, (0, 0), max(0.1, 0.5 * sheet.pixels))
    return sheet.flat(colour) + sheet.noise(1.9)[..., None] * 2 + soft[..., None] * 26


Painter = Callable[[Sheet, Colour], Image]

SURFACES: dict[str, tuple[Painter, Colour]] = {  # colours are BGR
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
    painter, (blue, green, red) = SURFACES[name]
    vary = rng.normal(1, 0.05, 3)
    sheet = Sheet(rng, WIDTH, HEIGHT, view.scale * FINENESS)
    drawn = painter(sheet, (blue * vary[0], green * vary[1], red * vary[2]))
    texture = np.clip(drawn, 0, 255).astype(np.uint8)
    wooden = painter is _planks
    turn = np.radians(rng.choice([0.0, 90.0, rng.uniform(-12, 12)]) if wooden else rng.uniform(-8, 8))
    h, w = texture.shape[:2]
    c, s = np.cos(turn) / sheet.pixels, np.sin(turn) / sheet.pixels
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


@dataclass(frozen=True, slots=True)
class Lighting:
    """How a room is lit.

    Attributes:
        level: least and most brightness in the middle of the table; 1 shows colours as they are.
        fall: most that the light falls from one side of the picture to the other.
        spot: least and most share of the light that comes from one lamp over the table.
        warmth: from the blue of a window (negative) to the yellow of old bulbs.
        flicker: by how much the brightness swings between pictures.
        glare: most grey levels that a shine adds to what lies under the lamp; it comes at every second table.
        grain: least and most noise of the sensor, in grey levels.
    """

    level: tuple[float, float]
    fall: float
    spot: tuple[float, float]
    warmth: tuple[float, float]
    flicker: float
    glare: float
    grain: tuple[float, float]


LIGHTS = {
    "good": Lighting((0.72, 1.02), 0.28, (0.15, 0.5), (-0.05, 0.2), 0.004, 0.0, (1.0, 3.5)),
    "cafe": Lighting((0.38, 0.66), 0.55, (0.4, 0.75), (0.15, 0.42), 0.02, 60.0, (3.0, 6.0)),
}


def light(rng: np.random.Generator, view: View, lighting: Lighting = LIGHTS["good"]) -> Image:
    """How bright each pixel is and in which colour: (height, width, 3), about ``level`` in the middle."""
    h, w = view.height, view.width
    yy, xx = np.mgrid[: h // 8, : w // 8].astype(np.float32) * 8
    angle = rng.uniform(0, 2 * np.pi)
    slope = rng.uniform(0.03, lighting.fall)
    fall = 1 + slope * ((xx - w / 2) * np.cos(angle) + (yy - h / 2) * np.sin(angle)) / w
    lamp = np.exp(
        -((xx - w * rng.uniform(0.3, 0.7)) ** 2 + (yy - h * rng.uniform(0.3, 0.7)) ** 2)
        / (2 * (w * rng.uniform(0.35, 0.7)) ** 2)
    )
    corner = 1 - 0.12 * ((xx / w - 0.5) ** 2 + (yy / h - 0.5) ** 2) * 2
    share = rng.uniform(*lighting.spot)
    level = cv2.resize(
        fall * ((1 - share) + share * lamp * 1.15) * corner, (w, h), interpolation=cv2.INTER_LINEAR
    )
    level /= level[h // 4 : 3 * h // 4, w // 4 : 3 * w // 4].mean()
    warmth = rng.uniform(*lighting.warmth)  # a bulb is yellow, a window blue
    colour = np.array([1 - warmth, 1 - warmth * 0.2, 1 + warmth * 0.2], np.float32) * rng.uniform(*lighting.level)
    return np.asarray(level[..., None] * colour, dtype=np.float32)


def glare(rng: np.random.Generator, view: View, lighting: Lighting) -> NDArray[np.uint8] | None:
    """The shine of the lamp on varnish and glossy cards, to be added to every picture; None where there is none."""
    strength, shines = rng.uniform(0.3, 1) * lighting.glare, rng.random() < 0.5
    if not strength or not shines:
        return None
    h, w = view.height, view.width
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    x, y, radius = w * rng.uniform(0.2, 0.8), h * rng.uniform(0.2, 0.8), h * rng.uniform(0.08, 0.2)
    shine = strength * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * radius**2))
    return np.repeat(np.round(shine).astype(np.uint8)[..., None], 3, axis=2)
