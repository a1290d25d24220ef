"""How cards lie together on a table: tricks, fans, columns of a patience, laid-out packs.

A layout is drawn in millimetres round the middle of the picture: spots (centre, angle) in the order in which
the cards are put down, so that later ones cover earlier ones. Cards that lie far out are cut by the picture's
edge.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Spot = tuple[np.ndarray, float]
"""Centre of a card in mm and its angle; at angle 0 the card stands upright in the picture's axes."""

WIDTH, HEIGHT = 61.0, 88.0
"""Millimetres of the card that layouts reckon with."""


def direction(angle: float) -> np.ndarray:
    """Unit vector."""
    return np.array([np.cos(angle), np.sin(angle)])


def spread(rng: np.random.Generator, reach: float) -> list[Spot]:
    """Separate cards, all over the picture."""
    base, same = rng.uniform(0, 2 * np.pi), rng.random() < 0.4
    out: list[Spot] = []
    for _ in range(int(rng.choice([1, 2, 3, 4, 6, 8, 10], p=[0.15, 0.15, 0.2, 0.2, 0.14, 0.1, 0.06]))):
        for _ in range(20):
            centre = rng.uniform(-1, 1, 2) * reach
            if all(np.hypot(*(centre - c)) > 75 for c, _ in out):
                break
        out.append((centre, base + rng.normal() * 0.06 if same else rng.uniform(0, 2 * np.pi)))
    return out


def trick(rng: np.random.Generator, reach: float) -> list[Spot]:
    """Two to four cards thrown to the middle from all sides, half over each other."""
    return _round(rng, reach, rng.uniform(12, 60), 0.3)


def cross(rng: np.random.Generator, reach: float) -> list[Spot]:
    """Two to four cards laid in a cross, their ends over each other."""
    return _round(rng, reach, rng.uniform(25, 95), 0.1)


def _round(rng: np.random.Generator, reach: float, far: float, loose: float) -> list[Spot]:
    base, middle, outwards = rng.uniform(0, 2 * np.pi), rng.normal(size=2) * reach * 0.3, rng.random() < 0.6
    out: list[Spot] = []
    for i in range(int(rng.integers(2, 5))):
        a = base + i * np.pi / 2 + rng.normal() * loose * 0.6
        centre = middle + (far + rng.normal() * 6) * direction(a)
        out.append((centre, (a + np.pi / 2 if outwards else base) + rng.normal() * loose))
    return out


def pile(rng: np.random.Generator, reach: float) -> list[Spot]:
    """Cards thrown on a heap, every way round."""
    middle, wide = rng.normal(size=2) * reach * 0.3, rng.uniform(8, 45)
    return [(middle + rng.normal(size=2) * wide, rng.uniform(0, 2 * np.pi)) for _ in range(int(rng.integers(2, 10)))]


def fan(rng: np.random.Generator, reach: float) -> list[Spot]:
    """Three to thirteen cards turned round one point below them, opened to either side."""
    count, radius = int(rng.integers(3, 14)), rng.uniform(55, 190)
    step = rng.uniform(9, 30) / (radius + HEIGHT / 2) * (1 if rng.random() < 0.7 else -1)
    base, middle = rng.uniform(0, 2 * np.pi), rng.normal(size=2) * reach * 0.3
    pivot = middle - radius * np.array([np.sin(base), -np.cos(base)])
    out: list[Spot] = []
    for i in range(count):
        t = base + (i - count / 2) * step + rng.normal() * 0.015
        out.append((pivot + np.array([np.sin(t), -np.cos(t)]) * (radius + rng.normal() * 1.5), t))
    return out


def row(rng: np.random.Generator, reach: float) -> list[Spot]:
    """Cards side by side, touching or each over part of the one before."""
    step, base, middle = rng.uniform(10, 72), rng.uniform(0, 2 * np.pi), rng.normal(size=2) * reach * 0.3
    count, way = int(rng.integers(2, 11)), direction(base) * (1 if rng.random() < 0.7 else -1)
    turned = base + (np.pi / 2 if rng.random() < 0.15 else 0)
    return [
        (middle + way * (i - count / 2) * step + rng.normal(size=2) * 1.5, turned + rng.normal() * 0.04)
        for i in range(count)
    ]


def stack(rng: np.random.Generator, reach: float) -> list[Spot]:
    """Tricks kept in front of a player, each a strip further."""
    step, base, middle = rng.uniform(7, 30), rng.uniform(0, 2 * np.pi), rng.normal(size=2) * reach * 0.3
    count, way = int(rng.integers(2, 9)), direction(rng.uniform(0, 2 * np.pi))
    return [
        (middle + way * (i - count / 2) * step + rng.normal(size=2) * 3, base + rng.normal() * 0.08)
        for i in range(count)
    ]


def columns(rng: np.random.Generator, reach: float) -> list[Spot]:
    """A patience: columns in which 12 to 35 % of each card shows above the next one."""
    base = rng.normal() * 0.12 + rng.choice(4) * np.pi / 2 if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
    across, down = direction(base), direction(base + np.pi / 2)
    strip, gap = rng.uniform(0.12, 0.35) * HEIGHT, rng.uniform(62, 90)
    down = down * (1 if rng.random() < 0.85 else -1)
    count, middle = int(rng.integers(1, 8)), rng.normal(size=2) * reach * 0.3
    longest = int(rng.integers(3, 12))
    out: list[Spot] = []
    for i in range(count):
        length, top = int(rng.integers(1, longest + 1)), rng.normal() * 4
        for j in range(length):
            along = top + (j - longest / 2) * strip
            centre = middle + across * (i - (count - 1) / 2) * gap + down * along
            out.append((centre + rng.normal(size=2) * 1.2, base + rng.normal() * 0.025))
    return out


def grid(rng: np.random.Generator, reach: float) -> list[Spot]:
    """A pack laid out in rows, nearly touching."""
    base, middle = rng.uniform(0, 2 * np.pi), rng.normal(size=2) * reach * 0.3
    across, down = direction(base), direction(base + np.pi / 2)
    wide, high = int(rng.integers(2, 14)), int(rng.integers(2, 6))
    gx, gy, loose = rng.uniform(58, 82), rng.uniform(80, 115), rng.uniform(0, 4)
    out: list[Spot] = []
    for i in range(wide * high):
        x, y = (i % wide - (wide - 1) / 2) * gx, (i // wide - (high - 1) / 2) * gy
        out.append((middle + across * x + down * y + rng.normal(size=2) * loose, base + rng.normal() * 0.04))
    return out


LAYOUTS: dict[str, tuple[Callable[[np.random.Generator, float], list[Spot]], float]] = {
    "spread": (spread, 0.12),
    "trick": (trick, 0.13),
    "cross": (cross, 0.1),
    "pile": (pile, 0.09),
    "fan": (fan, 0.16),
    "row": (row, 0.13),
    "stack": (stack, 0.07),
    "columns": (columns, 0.13),
    "grid": (grid, 0.07),
}
"""The layouts and how often each is drawn."""


def places(rng: np.random.Generator, layout: str, reach: float) -> list[Spot]:
    """Where the cards of a layout lie; `reach`: mm from the picture's middle to its edge."""
    return LAYOUTS[layout][0](rng, reach)
