"""Scenes painted by the tests themselves: faces of a shipped deck laid on a table, with the truth known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from assistant.simulation.faces import faces_named
from vision.decks import deck_named
from vision.reading import CardReader


@dataclass(frozen=True)
class Laid:
    """One painted card: its name and its corners in the picture."""

    card: str
    quad: np.ndarray


def surface(kind: str, width: int, height: int) -> np.ndarray:
    """A table: plain "green", "dark" or pale "wood"."""
    rng = np.random.default_rng(len(kind))
    if kind == "wood":
        stripes = cv2.GaussianBlur(rng.normal(0, 22, (height, 1)).astype(np.float32), (1, 9), 0)
        base = np.array([140, 185, 215], np.float32) + np.repeat(stripes, width, 1)[..., None]
    else:
        base = np.zeros((height, width, 3), np.float32) + {"green": (60, 105, 40), "dark": (35, 32, 40)}[kind]
    return np.clip(base + rng.normal(0, 3, (height, width, 3)), 0, 255).astype(np.uint8)


def lay(
    table: np.ndarray,
    deck: str,
    cards: Sequence[tuple[str, float, float, float]],
    height: float,
    slant: float = 0.0,
) -> list[Laid]:
    """Paints cards (name or "back", centre x, centre y, degrees) of one height; returns where the faces lie.

    ``slant`` narrows what is far (the top of the picture), as a camera does that looks from below.
    """
    faces, laid = faces_named(deck), []
    rows, cols = table.shape[:2]
    far = np.array([[slant * cols, 0], [(1 - slant) * cols, 0], [cols, rows], [0, rows]], np.float32)
    view = cv2.getPerspectiveTransform(
        np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32), far
    )
    for name, x, y, degrees in cards:
        face = faces.back() if name == "back" else faces.face(name)
        h, w = face.shape[:2]
        turn = np.deg2rad(degrees)
        along = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        half = np.array([height * w / h, height]) / 2
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ along + [x, y]
        quad = cv2.perspectiveTransform(flat[None].astype(np.float32), view)[0]
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        size = (cols, rows)
        warped = cv2.warpPerspective(
            face, cv2.getPerspectiveTransform(corners, quad), size, flags=cv2.INTER_AREA
        )
        alpha = warped[..., 3:].astype(np.float32) / 255
        table[:] = (table * (1 - alpha) + warped[..., :3] * alpha * 0.93).astype(np.uint8)
        if name != "back":
            laid.append(Laid(name, quad))
    table[:] = cv2.GaussianBlur(table, (3, 3), 0)
    return laid


@pytest.fixture(scope="session")
def reader() -> CardReader:
    return CardReader(deck_named("french32"))


@pytest.fixture(scope="session")
def paint() -> Callable[..., tuple[np.ndarray, list[Laid]]]:
    """``paint(kind, deck, cards, height, slant=0, size=(960, 640))`` -> the picture and the truth."""

    def painted(
        kind: str,
        deck: str,
        cards: Sequence[tuple[str, float, float, float]],
        height: float,
        slant: float = 0.0,
        size: tuple[int, int] = (960, 640),
    ) -> tuple[np.ndarray, list[Laid]]:
        table = surface(kind, *size)
        return table, lay(table, deck, cards, height, slant)

    return painted
