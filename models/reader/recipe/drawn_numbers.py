"""Decks of other games, drawn: a big number, a letter, a few symbols on a coloured ground.

They have no rank that the reader could name; they teach its vectors that a card is told by whatever it shows.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from .drawn import rounded
from .letters import glyph, paint

HEIGHT = 300


def symbols(folder: Path) -> list[tuple[str, str]]:
    """Pictures that symbol fonts hold, as (font, character); card suits left out."""
    wanted = {
        "D050000L": [*range(0x2701, 0x2760), *range(0x2761, 0x27A0)],
        "NotoSansSymbols2-Regular": [*range(0x1F400, 0x1F4FF), *range(0x2654, 0x2660), *range(0x1F300, 0x1F380)],
        "DejaVuSans": [*range(0x2600, 0x2660), *range(0x2668, 0x26B0), *range(0x1F42D, 0x1F435)],
    }
    found = []
    for name, codes in wanted.items():
        for path in sorted(p for p in folder.rglob(f"{name}.*") if p.suffix in (".ttf", ".otf"))[:1]:
            missing = glyph("\U000fffff", str(path), 24)
            for code in codes:
                ink = glyph(chr(code), str(path), 24)
                if ink.any() and not np.array_equal(ink, missing):
                    found.append((str(path), chr(code)))
    return found


def beast(rng: np.random.Generator) -> np.ndarray:
    """Coverage of an animal seen from the side: body, head, legs, tail, ears; 160 pixels a side."""
    m = np.zeros((160, 160), np.uint8)
    body = (int(rng.uniform(28, 52)), int(rng.uniform(16, 36)))
    middle = (78, int(rng.uniform(75, 95)))
    cv2.ellipse(m, middle, body, rng.uniform(-15, 15), 0, 360, 255, -1, cv2.LINE_AA)
    head = (middle[0] + body[0] + int(rng.uniform(-4, 14)), middle[1] - int(rng.uniform(-5, 45)))
    r = int(rng.uniform(10, 22))
    cv2.line(m, (middle[0] + body[0] // 2, middle[1]), head, 255, int(rng.uniform(8, 20)), cv2.LINE_AA)
    cv2.ellipse(m, head, (r, int(r * rng.uniform(0.6, 1))), rng.uniform(-30, 30), 0, 360, 255, -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 3))):
        tip = (head[0] + int(rng.uniform(-12, 12)), head[1] - r - int(rng.uniform(4, 20)))
        cv2.line(m, head, tip, 255, int(rng.uniform(3, 9)), cv2.LINE_AA)
    for x in np.linspace(-0.8, 0.8, int(rng.choice([2, 4, 4, 6]))):
        top = (int(middle[0] + x * body[0]), middle[1])
        cv2.line(
            m,
            top,
            (top[0] + int(rng.uniform(-8, 8)), middle[1] + body[1] + int(rng.uniform(5, 35))),
            255,
            int(rng.uniform(4, 11)),
            cv2.LINE_AA,
        )
    tail = (middle[0] - body[0] - int(rng.uniform(5, 25)), middle[1] - int(rng.uniform(-30, 40)))
    cv2.line(m, (middle[0] - body[0] + 5, middle[1]), tail, 255, int(rng.uniform(2, 14)), cv2.LINE_AA)
    cv2.circle(m, (head[0] + 3, head[1] - 2), 3, 0, -1, cv2.LINE_AA)
    return m


def deck(
    rng: np.random.Generator, fonts: list[str], pictures: list[tuple[str, str]], count: int = 40
) -> list[np.ndarray]:
    """Cards (BGRA, 300 pixels high) of one drawn deck: numbers up to `count`, with pictures or without."""
    h, w = HEIGHT, int(HEIGHT * rng.uniform(0.6, 0.74))
    font = str(rng.choice(fonts))
    big, corner = rng.uniform(0.18, 0.5), rng.uniform(0.06, 0.12)
    shows = str(rng.choice(["number", "picture", "both"], p=[0.35, 0.25, 0.4]))
    grounds = [
        np.float32(rng.uniform(140, 255, 3)) if rng.random() < 0.5 else np.float32([248, 248, 248])
        for _ in range(int(rng.integers(1, 5)))
    ]
    inks = [np.float32(rng.uniform(0, 170, 3)) for _ in range(int(rng.integers(1, 5)))]
    corners = shows != "picture" and rng.random() < 0.8
    panel = rng.random() < 0.35
    out = []
    for number in range(1, count + 1):
        card = np.full((h, w, 3), 250, np.uint8)
        ground, ink = grounds[number % len(grounds)], inks[number % len(inks)]
        if panel:
            m = int(w * 0.09)
            cv2.rectangle(card, (m, m), (w - m, h - m), ground.tolist(), -1)
        else:
            card[:] = ground.astype(np.uint8)
        if shows != "number":
            if pictures and rng.random() < 0.5:
                path, character = pictures[rng.integers(len(pictures))]
                shape = glyph(character, path, 160)
            else:
                shape = beast(rng)
            many = int(rng.choice([1, 1, 1, 2, 3, 4, 6]))
            size = w * (0.62 if many == 1 else 0.36 if many < 4 else 0.26)
            scale = size / max(shape.shape)
            shape = cv2.resize(shape, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            shade = np.float32(rng.uniform(0, 200, 3))
            for i in range(many):
                x = 0.5 if many in (1, 2, 3) else 0.3 + 0.4 * (i % 2)
                y = 0.5 if many == 1 else 0.28 + 0.46 * (i / (many - 1) if many < 4 else (i // 2) / (many // 2 - 1))
                paint(card, shape, x * w, y * h, shade)
        text = str(number)
        if shows == "number" or (shows == "both" and not corners):
            number_ink = glyph(text, font, int(big * h))
            if number_ink.shape[1] > 0.85 * w:
                number_ink = cv2.resize(number_ink, (int(0.85 * w), int(big * h)), interpolation=cv2.INTER_AREA)
            paint(card, number_ink, w / 2, h * (0.5 if shows == "number" else 0.2), ink)
        if corners:
            small = glyph(text, font, int(corner * h))
            for turned in (False, True):
                paint(card, small, max(0.12 * w, small.shape[1] / 2 + 4), 0.1 * h, ink, turned)
        out.append(np.dstack([card, rounded(h, w, w * 0.06)]))
    return out
