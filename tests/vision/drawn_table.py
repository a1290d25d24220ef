"""A drawn table with cards, arms and things on it, and a reader that knows the truth of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.camera import Frame
from vision.events import CardSighting
from vision.plane import CardSize
from vision.table import TableWatcher

WIDTH, HEIGHT, RATE = 640, 360, 10
ARM = 34
"""Pixels of an arm's width."""

Line = tuple[tuple[int, int], tuple[int, int]]


def quad_at(x: float, y: float, w: float = 40, h: float = 60) -> np.ndarray:
    return np.float32([[x - w / 2, y - h / 2], [x + w / 2, y - h / 2], [x + w / 2, y + h / 2], [x - w / 2, y + h / 2]])


def corners(x: float, y: float, w: float = 40, h: float = 60) -> tuple:
    return tuple(map(tuple, quad_at(x, y, w, h).tolist()))


@dataclass
class Stage:
    """A drawn table: cards by name and place, the later ones on top, arms, and the reader's knowledge of both.

    A name that begins with "back" is a card that lies face down: the reader sees a card there and cannot read it.

    Attributes:
        arm, arms: one arm, or several, each from the border to its hand.
        misread: what the reader says instead of a card; also: what it sees besides, wherever it looks.
        camera: how the camera has moved, 2 x 3; None: not at all.
        shade: what the light has become at each pixel, as a part of what it was.
    """

    cards: dict[str, tuple[float, float]] = field(default_factory=dict)
    arm: Line | None = None
    arms: list[Line] = field(default_factory=list)
    confidence: float = 0.97
    mute: set[str] = field(default_factory=set)
    misread: dict[str, CardSighting] = field(default_factory=dict)
    also: list[CardSighting] = field(default_factory=list)
    size: CardSize | None = None
    light: float = 1.0
    shade: np.ndarray | None = None
    camera: np.ndarray | None = None
    reads: int = 0
    t: float = 0.0
    frames: int = 0
    rate: float = RATE
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def __post_init__(self) -> None:
        grain = cv2.GaussianBlur(self.rng.normal(0, 30, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 3)
        self.table = np.clip(np.float32([40, 80, 120]) + grain[..., None], 0, 255)
        self.noise = self.rng.normal(0, 2, (HEIGHT + 64, WIDTH + 64, 3)).astype(np.float32)

    def draw(self) -> np.ndarray:
        im = self.table.astype(np.uint8)
        for name, (x, y) in self.cards.items():
            q = quad_at(x, y)
            if name.startswith("back"):
                cv2.fillConvexPoly(im, np.int32(q), (225, 225, 225))
                cv2.fillConvexPoly(im, np.int32(quad_at(x, y, 34, 54)), (60, 40, 150))
                continue
            cv2.fillConvexPoly(im, np.int32(q), (235, 235, 235))
            cv2.putText(im, name, (int(x) - 14, int(y) + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 2)
        for arm in self._arms():
            cv2.line(im, *arm, (120, 150, 210), ARM)
        im = im.astype(np.float32) * (np.float32(self.light) if self.shade is None else self.shade[..., None])
        if self.camera is not None:
            im = cv2.warpAffine(im, self.camera, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
        x, y = self.rng.integers(0, 64, 2)
        im = im + self.noise[y : y + HEIGHT, x : x + WIDTH]
        return np.clip(im, 0, 255).astype(np.uint8)

    def frame(self) -> Frame:
        frame = Frame(round(self.t, 3), self.draw(), self.frames)
        self.t += 1 / self.rate
        self.frames += 1
        return frame

    def _arms(self) -> list[Line]:
        return [*self.arms, *([self.arm] if self.arm else [])]

    # the reader
    def _see(self, name: str, place: tuple[float, float]) -> CardSighting:
        quad = corners(*place)
        if name in self.misread:
            return self.misread[name]
        if name.startswith("back"):
            return CardSighting(None, 0.5, quad, (("Jd", 0.4), ("Kd", 0.1)))
        if name in self.mute:
            return CardSighting(None, 0.3, quad, ((name, 0.3),))
        return CardSighting(name, self.confidence, quad, ((name, self.confidence),))

    def _covered(self, place: tuple[float, float]) -> bool:
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        for arm in self._arms():
            cv2.line(mask, *arm, 1, ARM)
        x, y = map(int, place)
        return bool(mask[y - 30 : y + 30, x - 20 : x + 20].any())

    def read(self, image: np.ndarray) -> list[CardSighting]:
        return [self._see(n, p) for n, p in self.cards.items()]

    def find_in(self, image: np.ndarray, box: tuple[int, int, int, int]) -> list[CardSighting]:
        self.reads += 1
        x0, y0, x1, y1 = box
        cards = [
            self._see(n, (x, y))
            for n, (x, y) in self.cards.items()
            if x0 <= x - 20 and x + 20 <= x1 and y0 <= y - 30 and y + 30 <= y1 and not self._covered((x, y))
        ]
        return cards + self.also

    def read_quads(self, image: np.ndarray, quads: np.ndarray) -> list[CardSighting]:
        out = []
        for q in quads:
            x, y = q.mean(0)
            if not self.cards:
                out.append(CardSighting(None, 0.0, corners(x, y)))
                continue
            name = min(self.cards, key=lambda n: abs(self.cards[n][0] - x) + abs(self.cards[n][1] - y))
            out.append(self._see(name, self.cards[name]))
        return out


def run(stage: Stage, watcher: TableWatcher, seconds: float, each: Callable[[float], None] | None = None) -> list:
    """Watch for some seconds; ``each`` is called before every picture with the seconds since the start of the run."""
    events = []
    for k in range(round(seconds * stage.rate)):
        if each is not None:
            each(k / stage.rate)
        events += watcher.accept(stage.frame())
    return events


def only(events: list, kind: type) -> list:
    return [e for e in events if isinstance(e, kind)]
