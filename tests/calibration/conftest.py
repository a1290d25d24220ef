"""Decks and tables painted by the tests: a French deck that no training saw, and one of numbers with shapes."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from assistant.simulation.faces import faces_named, rounded

Spot = tuple[np.ndarray, float, float, float]
"""A face (BGRA) and where it lies: centre x, centre y, degrees."""


def photo(spots: list[Spot], height: float, seed: int, size: tuple[int, int] = (480, 360)) -> np.ndarray:
    """A picture of cards so high on a table of its own colour and light."""
    rng = np.random.default_rng(seed)
    columns, rows = size
    table = np.array([(60, 105, 40), (38, 34, 44), (110, 70, 45), (70, 110, 150)][seed % 4], np.float32)
    scene = np.zeros((rows, columns, 3), np.float32) + table
    scene = cv2.GaussianBlur(scene + rng.normal(0, 16, scene.shape).astype(np.float32), (0, 0), 1.2)
    for face, x, y, degrees in spots:
        h, w = face.shape[:2]
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, height / h)
        turn[:, 2] += [x - w / 2, y - h / 2]
        small = cv2.GaussianBlur(face, (0, 0), 0.35 * h / height) if h > height else face
        laid = cv2.warpAffine(small, turn, size, flags=cv2.INTER_AREA).astype(np.float32)
        shadow = cv2.GaussianBlur(np.roll(laid[..., 3], (2, 3), (0, 1)), (0, 0), 3)[..., None] / 255
        scene *= 1 - 0.35 * shadow
        alpha = laid[..., 3:] / 255
        scene = laid[..., :3] * alpha + scene * (1 - alpha)
    light = np.linspace(*rng.uniform(0.75, 1.1, 2), columns, dtype=np.float32)[None, :, None]
    scene = scene * light * rng.uniform(0.92, 1.05, 3).astype(np.float32)
    return np.clip(cv2.GaussianBlur(scene, (0, 0), 0.6) + rng.normal(0, 3, scene.shape), 0, 255).astype(np.uint8)


@pytest.fixture(scope="session")
def paint() -> Callable[..., np.ndarray]:
    return photo


@pytest.fixture(scope="session")
def french() -> dict[str, np.ndarray]:
    """A dozen faces of a deck held out of all training."""
    faces = faces_named("letele")
    return {card: faces.face(card) for card in (rank + suit for rank in ("7", "10", "Q", "A") for suit in "shd")}


@pytest.fixture(scope="session")
def numbers() -> dict[str, np.ndarray]:
    """Eight faces with a number and a shape each, of no deck that was ever printed."""
    out = {}
    for n in range(1, 9):
        rng = np.random.default_rng(n)
        face = np.full((420, 280, 3), 246, np.uint8)
        ink = rng.integers(20, 190, 3).tolist()
        middle = np.array([140, 230])
        for points in (5, 4):
            reach = rng.uniform(40, 110, points)[:, None]
            angles = np.sort(rng.uniform(0, 2 * np.pi, points))
            outline = middle + reach * np.stack([np.cos(angles), np.sin(angles)], 1) + rng.normal(0, 14, 2)
            cv2.fillPoly(face, [np.int32(outline)], rng.integers(20, 220, 3).tolist(), cv2.LINE_AA)
        cv2.putText(face, str(n), (18, 76), cv2.FONT_HERSHEY_SIMPLEX, 2.4, ink, 7, cv2.LINE_AA)
        turned = np.ascontiguousarray(face[::-1, ::-1])
        cv2.putText(turned, str(n), (18, 76), cv2.FONT_HERSHEY_SIMPLEX, 2.4, ink, 7, cv2.LINE_AA)
        out[str(n)] = rounded(turned)
    return out
