"""Flat pictures that are moved about over the table, with their shadow: cards and arms."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.simulation.faces import CARD_MM, Picture
from assistant.simulation.view import Array, View

Pixels = NDArray[np.uint8]

MOST_SMEAR = 41.0
"""Pixels that motion smears at most."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A picture to move about.

    Attributes:
        image: BGRA, premultiplied.
        shadow: its alpha, blurred.
        anchor: the pixel (x, y) that is put where it is told.
        pixels: pixels a millimetre.
    """

    image: Pixels
    shadow: Pixels
    anchor: tuple[float, float]
    pixels: float


def card_sprite(picture: Picture, scale: float, paper: NDArray[np.float32]) -> Sprite:
    """A card to lay on the table.

    Args:
        picture: its face or back.
        scale: pixels of the picture for a millimetre.
        paper: (3,) the colour of old white paper, BGR, 1 being white.
    """
    pixels = scale * 1.3
    size = (max(8, round(CARD_MM[0] * pixels)), max(8, round(CARD_MM[1] * pixels)))
    image = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)
    alpha = image[..., 3:] / 255
    lit = np.clip((image[..., :3] * 0.93 + 8) * paper, 0, 255) * alpha
    pad = round(8 * pixels)
    whole = np.pad(np.dstack([lit, alpha * 255]).astype(np.uint8), ((pad, pad), (pad, pad), (0, 0)))
    shadow = np.asarray(cv2.GaussianBlur(whole[..., 3], (0, 0), 2.2 * pixels), dtype=np.uint8)
    return Sprite(whole, shadow, (whole.shape[1] / 2, whole.shape[0] / 2), pixels)


@dataclass(frozen=True, slots=True)
class Painter:
    """Puts sprites into pictures of one table.

    Attributes:
        view: the camera.
        light: (height, width, 3), brightness and colour of the light at each pixel.
        lamp: direction from the table to the lamp (x, y, up).
    """

    view: View
    light: NDArray[np.float32]
    lamp: Array

    def paste(
        self, canvas: Pixels, sprite: Sprite, at: Array, down: Array, height: float, dark: float, drift: Array
    ) -> None:
        """Paint the shadow, away from the lamp, then the sprite, smeared by its motion.

        Args:
            canvas: changed in place.
            at: where the anchor is on the table (mm).
            down: direction (unit x, y) on the table of the sprite's downward axis.
            height: millimetres above the table.
            dark: how much light the shadow takes, 0 to 1.
            drift: pixels that it moves while the shutter is open.
        """
        fall = at - self.lamp[:2] / self.lamp[2] * (height + 1.5)
        self._shade(canvas, sprite, fall, down, dark)
        length = float(np.hypot(*drift))
        seen = self._warped(sprite.image, _place(sprite, at, down), height, length)
        if seen is None:
            return
        patch, box = seen
        if length >= 1.5:
            patch = _smeared(patch, drift)
        under = canvas[box]
        alpha = cv2.merge([patch[..., 3]] * 3)
        lit = cv2.multiply(patch[..., :3], self.light[box], dtype=cv2.CV_8U)
        np.copyto(under, cv2.add(cv2.multiply(under, 255 - alpha, scale=1 / 255), lit))

    def _shade(self, canvas: Pixels, sprite: Sprite, at: Array, down: Array, dark: float) -> None:
        seen = self._warped(sprite.shadow, _place(sprite, at, down), 0.0, 0.0)
        if seen is None:
            return
        patch, box = seen
        left = cv2.LUT(patch, np.round(255 - np.arange(256) * dark).astype(np.uint8))
        under = canvas[box]
        np.copyto(under, cv2.multiply(under, cv2.merge([left] * 3), scale=1 / 255))

    def _warped(
        self, image: Pixels, place: Array, height: float, margin: float
    ) -> tuple[Pixels, tuple[slice, slice]] | None:
        """The sprite as the camera sees it and its box in the picture; None where it is out of it."""
        whole = self.view.plane(height) @ place
        h, w = image.shape[:2]
        corners = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1.0]]) @ whole.T
        q = corners[:, :2] / corners[:, 2:]
        x0, y0 = (int(v) for v in np.maximum(np.floor(q.min(0) - margin), 0))
        x1, y1 = (int(v) for v in np.minimum(np.ceil(q.max(0) + margin), [self.view.width, self.view.height]))
        if x1 - x0 < 2 or y1 - y0 < 2:
            return None
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        patch = cv2.warpPerspective(image, shift @ whole, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        return np.asarray(patch, dtype=np.uint8), (slice(y0, y1), slice(x0, x1))


def _place(sprite: Sprite, at: Array, down: Array) -> Array:
    """Homography from the pixels of a sprite to millimetres on the table."""
    k, (x, y) = 1 / sprite.pixels, sprite.anchor
    across = np.array([-down[1], down[0]])
    origin = at - (across * x + down * y) * k
    return np.array(
        [[across[0] * k, down[0] * k, origin[0]], [across[1] * k, down[1] * k, origin[1]], [0, 0, 1.0]]
    )


def _smeared(patch: Pixels, drift: Array) -> Pixels:
    """A picture smeared evenly along a motion given in pixels: halves that lie apart, then their halves, and so on."""
    apart = drift / 4 * min(1.0, MOST_SMEAR / float(np.hypot(*drift)))
    while np.abs(apart).max() >= 0.5:
        x, y = (int(v) for v in np.round(apart))
        patch = np.asarray(cv2.addWeighted(_shifted(patch, x, y), 0.5, _shifted(patch, -x, -y), 0.5, 0), dtype=np.uint8)
        apart = apart / 2
    return patch


def _shifted(patch: Pixels, x: int, y: int) -> Pixels:
    """The picture moved by whole pixels; what comes in from outside is empty."""
    h, w = patch.shape[:2]
    out = np.zeros_like(patch)
    if abs(x) >= w or abs(y) >= h:
        return out
    out[max(0, y) : h + min(0, y), max(0, x) : w + min(0, x)] = patch[
        max(0, -y) : h - max(0, y), max(0, -x) : w - max(0, x)
    ]
    return out
