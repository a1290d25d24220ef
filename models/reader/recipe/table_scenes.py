"""Pictures of a table at the size a camera gives, with names and truth: for judging decks by comparison.

The training views (`views`) show one card; here whole pictures of 1280x720 hold several cards of one deck, some
half under another, so that finding, judging, comparing and naming can be measured together.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.finder.recipe.scenes import CARD_HEIGHT, clutter, hand, random_camera, seen

from .cards import Card, with_smaller
from .quads import Quad
from .views import camera, ground, lay, light

WIDTH, HEIGHT = 1280, 720
Deck = dict[str, Card]
"""Cards by name."""


@dataclass(frozen=True)
class Laid:
    """A card of a scene: its name, corners (4, 2) in pixels, and which part of it is seen, 0 to 1."""

    name: str
    quad: Quad
    visible: float


@dataclass(frozen=True)
class Scene:
    """A picture (720, 1280, 3) BGR bytes and what lies there."""

    image: np.ndarray
    cards: tuple[Laid, ...]


def deck_of(faces: dict[str, np.ndarray]) -> Deck:
    """A deck to draw with from BGRA faces by name."""
    return {name: with_smaller(Card(face, -1, -1, "flat")) for name, face in faces.items()}


def spots(rng: np.random.Generator, count: int, apart: bool) -> list[tuple[np.ndarray, float]]:
    """Centres (mm) and angles of cards laid apart, or as tricks and rows in which one covers part of another."""
    base = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(base), np.sin(base)])
    across = np.array([-along[1], along[0]])
    out: list[tuple[np.ndarray, float]] = []
    if apart:
        for _ in range(200):
            centre = rng.uniform(-1, 1, 2) * [200, 95]
            if all(np.hypot(*(centre - c)) > 108 for c, _ in out):
                out.append((centre, rng.uniform(0, 2 * np.pi)))
            if len(out) == count:
                break
        return out
    middle = rng.normal(size=2) * [60, 20]
    kind = rng.integers(3)
    if kind == 0:  # a trick: one card from every side
        far = rng.uniform(18, 45)
        for i in range(count):
            a = base + 2 * np.pi * i / count + rng.normal() * 0.2
            out.append((middle + far * np.array([np.cos(a), np.sin(a)]), a + np.pi / 2 + rng.normal() * 0.25))
    elif kind == 1:  # a row
        step = rng.uniform(24, 52)
        for i in range(count):
            out.append((middle + along * (i - count / 2) * step + rng.normal(size=2) * 2, base + rng.normal() * 0.05))
    else:  # thrown on each other in pairs
        for i in range(count):
            pair = middle + across * (i // 2 - count / 4) * 115
            out.append((pair + rng.normal(size=2) * [22, 12], rng.uniform(0, 2 * np.pi)))
    return out


def drawn_scene(
    rng: np.random.Generator,
    deck: Deck,
    names: list[str],
    tables: list[np.ndarray],
    apart: bool = True,
    widths: tuple[float, float] = (70, 130),
) -> Scene:
    """The cards `names` on a table, each `widths` pixels wide or so (for one card up to twice that)."""
    scene = ground(rng, tables, HEIGHT, WIDTH)
    short = float(np.exp(rng.uniform(*np.log(widths)))) * (1.0 if len(names) > 1 else rng.uniform(1, 2))
    if rng.random() < 0.3:
        clutter(rng, scene, short)
    shifted = np.array([[1, 0, (WIDTH - HEIGHT) / 2], [0, 1, 0], [0, 0, 1.0]])
    homography = shifted @ random_camera(rng, HEIGHT, short / 60)
    paper = np.float32(rng.uniform(0.85, 1)) * np.float32([1 - rng.uniform(0, 0.12), 1, 1])
    shadow, slip = rng.uniform(0, 0.45), rng.normal(size=2) * short * 0.03
    owner = np.zeros((HEIGHT, WIDTH), np.uint8)
    laid: list[tuple[str, Quad]] = []
    places = spots(rng, len(names), apart) if len(names) > 1 else [(rng.normal(size=2) * 20, rng.uniform(0, 6.28))]
    for name, (centre, angle) in zip(names, places, strict=False):
        card = deck[name]
        h, w = card.image.shape[:2]
        c, s = np.cos(angle), np.sin(angle)
        half = np.array([CARD_HEIGHT * w / h / 2, CARD_HEIGHT / 2])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]]) + centre
        quad = seen(homography, corners).astype(np.float32)
        if np.ptp(quad, 0).max() > WIDTH or quad.max(0).min() < 0 or (quad.min(0) > [WIDTH, HEIGHT]).any():
            continue
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        cv2.fillConvexPoly(mask, np.int32(np.round(quad + slip)), 255)
        scene *= 1 - cv2.GaussianBlur(mask, (0, 0), 0.5 + short * 0.015)[..., None] * np.float32(shadow / 255)
        lay(scene, card, quad, paper * np.float32(rng.uniform(0.94, 1.03)))
        laid.append((name, quad))
        cv2.fillConvexPoly(owner, np.int32(np.round(quad)), len(laid))
    if not apart and laid and rng.random() < 0.2:
        near = laid[rng.integers(len(laid))][1].mean(0)
        for outline in hand(rng, scene, near + rng.normal(size=2) * short * 0.8, short):
            cv2.fillPoly(owner, [np.int32(np.round(outline))], 255)
    seen_cards = tuple(
        Laid(name, quad, min(1.0, float((owner == k + 1).sum()) / max(float(cv2.contourArea(quad)), 1.0)))
        for k, (name, quad) in enumerate(laid)
    )
    return Scene(camera(rng, light(rng, scene)), seen_cards)
