"""From what darkness, blur, glare, angle and size on reading begins to fail.

    python -m calibration.measure_lights DIR... [--pictures N] [--deck NAME] [--json]

Labelled photographs (``labels.jsonl``: ``file``, ``cards``) are read as they are, then made darker (with the noise of
a sensor in the dark), blurred, shown a lamp, tilted and shrunk, step by step. Of the cards that were read right
before, prints how many still are, and how many are read wrong. The bounds of ``calibration.lights`` come from here.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from calibration.lights import CARD_MM, Floats, card_height, white_level
from vision.camera import Image
from vision.decks import deck_named
from vision.events import CardSighting
from vision.pictures import load_picture
from vision.reading import CardReader

NOISE = 4.0
"""Standard deviation, in grey levels, of a webcam's noise in the dark."""
FEWEST = 2
"""Cards that a photograph must show: one alone, close up, is no table."""
USUAL_HEIGHT = 130.0
"""Pixels of a card's height to which pictures are shrunk first, so that only one thing is bad at a time."""

Worse = Callable[[Image, Floats, float, np.random.Generator], Image]


def darker(picture: Image, quads: Floats, level: float, rng: np.random.Generator) -> Image:
    """So dark that the cards' white has a grey level."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    white = white_level(grey, np.ones(grey.shape, bool), quads)
    dim = picture * (level / max(white, 1.0)) + rng.normal(0, NOISE, picture.shape)
    return np.asarray(np.clip(dim, 0, 255), np.uint8)


def blurred(picture: Image, quads: Floats, part: float, rng: np.random.Generator) -> Image:
    """Smoothed with a Gaussian of a part of a card's height."""
    sigma = part * card_height(quads)
    return picture if sigma <= 0 else np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def mirrored(picture: Image, quads: Floats, part: float, rng: np.random.Generator) -> Image:
    """A lamp as large as a part of a card's area is mirrored at a corner of every card."""
    out = picture.astype(np.float32)
    radius = float(np.sqrt(part * card_height(quads) ** 2 * CARD_MM[0] / CARD_MM[1] / np.pi))
    spot = np.zeros(picture.shape[:2], np.float32)
    for quad in quads:
        x, y = quad.mean(0) + 0.75 * (quad[rng.integers(4)] - quad.mean(0))
        cv2.circle(spot, (round(float(x)), round(float(y))), max(1, round(radius)), 1.0, -1)
    soft = cv2.GaussianBlur(spot, (0, 0), max(0.8, radius / 8))
    return np.asarray(np.clip(out + 400 * soft[..., None], 0, 255), np.uint8)


def tilted(picture: Image, quads: Floats, degrees: float, rng: np.random.Generator) -> Image:
    """As a camera would see it that leans over by so many degrees; the middle keeps its size."""
    h, w = picture.shape[:2]
    far, angle = 1.5 * w, np.radians(degrees)
    to_middle = np.array([[1, 0, -w / 2], [0, 1, -h / 2], [0, 0, 1.0]])
    lean = np.array([[1, 0, 0], [0, np.cos(angle), 0], [0, -np.sin(angle) / far, 1.0]])
    place = np.linalg.inv(to_middle) @ lean @ to_middle
    return np.asarray(cv2.warpPerspective(picture, place, (w, h), flags=cv2.INTER_AREA), np.uint8)


def smaller(picture: Image, quads: Floats, height: float, rng: np.random.Generator) -> Image:
    """So small that a card has a height in pixels."""
    factor = height / card_height(quads)
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


STEPS: dict[str, tuple[Worse, tuple[float, ...]]] = {
    "light": (darker, (160, 120, 90, 60, 45, 30, 20)),
    "blur": (blurred, (0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04)),
    "glare": (mirrored, (0.05, 0.1, 0.25, 0.5, 1.0)),
    "angle": (tilted, (15, 30, 40, 50, 60)),
    "size": (smaller, (110, 90, 75, 60, 50, 40, 30)),
}


def read(reader: CardReader, picture: Image) -> tuple[Counter[str], list[CardSighting]]:
    """The names of the cards that are read, and all that is seen."""
    seen = reader.read(picture)
    return Counter(s.card for s in seen if s.card is not None), seen


def chosen(folders: list[Path], most: int) -> list[tuple[Path, Counter[str]]]:
    """Photographs of some cards, evenly from all folders."""
    rows: list[tuple[Path, Counter[str]]] = []
    for folder in folders:
        for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            good = row.get("scene") == "several" and not row.get("partial") and row.get("deck") in ("anglo", "paris")
            if good and len(row["cards"]) >= FEWEST:
                rows.append((folder / row["file"], Counter(row["cards"])))
    step = max(1, len(rows) // most)
    return rows[::step][:most]


def main() -> None:
    """Prints the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pictures", type=int, default=20)
    parser.add_argument("--deck", default="french52")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    reader = CardReader(deck_named(args.deck))
    rng = np.random.default_rng(1)
    counts = {(kind, step): Counter[str]() for kind, (_worse, steps) in STEPS.items() for step in steps}
    for file, want in chosen([f for f in args.folders if (f / "labels.jsonl").is_file()], args.pictures):
        picture = load_picture(file)
        got, seen = read(reader, picture)
        quads = np.array([s.quad for s in seen if s.card in want and s.whole], np.float32).reshape(-1, 4, 2)
        if not len(quads):
            continue
        if card_height(quads) > USUAL_HEIGHT:
            factor = USUAL_HEIGHT / card_height(quads)
            picture, quads = smaller(picture, quads, USUAL_HEIGHT, rng), quads * factor
            got, _seen = read(reader, picture)
        right = got & want
        for kind, (worse, steps) in STEPS.items():
            for step in steps:
                now, _seen = read(reader, worse(picture, quads, step, rng))
                count = counts[kind, step]
                count.update(cards=right.total(), right=(now & right).total(), wrong=(now - want).total())
    if args.json:
        print(json.dumps([{"kind": kind, "step": step, **count} for (kind, step), count in counts.items()]))
        return
    for (kind, step), count in counts.items():
        share = count["right"] / max(1, count["cards"])
        print(f"{kind:6} {step:7g}: {share:6.1%} of {count['cards']} still read, {count['wrong']} read wrong")


if __name__ == "__main__":
    main()
