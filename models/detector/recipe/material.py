"""The finder's own material as files that ultralytics can train on: pictures and one label file each.

    python -m models.detector.recipe.material --flat DIR --crops DIR --surfaces DIR --prepared DIR --tables DIR \\
        --out WORK/yolo --count 7000

The same cards, scenes, photographs and shares as `models.finder.recipe.train`, so that the two kinds of net
can be compared; the pictures are larger (320 pixels), for a YOLO of this size wants them so. One class,
"card", whole cards, also those that others cover in part. Nothing in a YOLO's labels says "unknown": where a
photograph has a box without a quad, it is painted over.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from models.finder.recipe import photographs
from models.finder.recipe.scenes import Picture, Scenes
from models.finder.recipe.targets import HOLE, fill
from models.finder.recipe.train import REAL_SHARE, collect

SIZE = 320
SMALLEST, LARGEST = 16.0, 156.0
"""Short sides of cards in pixels: those of the finder's training (13 to 125 at 256 pixels) at this size."""
LEAST_VISIBLE = 0.12
"""Cards of which less is visible get no label: nothing could find them."""
LEAST_INSIDE = 0.3
HELD_BACK = 200
"""Pictures that ultralytics validates on, beside the `--count` it trains on."""


def inside(quad: np.ndarray, size: int) -> np.ndarray:
    """The part of a quad that lies in the picture, as a polygon (K, 2); empty where it is too little."""
    frame = np.float32([[0, 0], [size, 0], [size, size], [0, size]])
    area, polygon = cv2.intersectConvexConvex(np.float32(quad), frame)
    enough = area > LEAST_INSIDE * cv2.contourArea(np.float32(quad))
    return polygon.reshape(-1, 2) if enough and polygon is not None else np.zeros((0, 2), np.float32)


def visible_shares(picture: Picture, size: int) -> list[float]:
    """Which share of each card, of what lies in the picture or not, is visible."""
    owner = np.zeros((size // 2, size // 2), np.uint8)
    for k, quad in enumerate(picture.quads):
        fill(owner, quad, k + 1)
    for hole in picture.holes:
        fill(owner, hole, HOLE)
    return [float((owner == k + 1).sum() * 4 / max(cv2.contourArea(q), 1)) for k, q in enumerate(picture.quads)]


def labels(picture: Picture, size: int) -> list[str]:
    """One line a card: class 0 and the corners as shares of the picture; ultralytics puts a turned box round
    them."""
    lines = []
    for quad, visible in zip(picture.quads, visible_shares(picture, size), strict=True):
        polygon = inside(quad, size)
        if visible >= LEAST_VISIBLE and len(polygon) >= 4:
            lines.append("0 " + " ".join(f"{v:.5f}" for v in np.clip(polygon / size, 0, 1).ravel()))
    return lines


def without_unknown(rng: np.random.Generator, picture: Picture) -> Picture:
    """A photograph whose cards without a quad are painted over; known cards are put back on top."""
    image = picture.image.copy()
    known = np.zeros(image.shape[:2], np.uint8)
    for quad in picture.quads:
        cv2.fillPoly(known, [np.int32(np.round(quad))], 1)
    covered = np.zeros_like(known)
    for area in picture.unknown:
        if len(area) == 4:  # a box; overlaps of two known cards need nothing here
            cv2.fillPoly(covered, [np.int32(np.round(area))], 1)
    covered &= 1 - known
    image[covered > 0] = rng.uniform(0, 255, 3).astype(np.uint8)
    return Picture(image, picture.quads, [], [])


def draw(rng: np.random.Generator, scenes: Scenes, real: list[photographs.Photograph], size: int = SIZE) -> Picture:
    """One picture: a photograph's part, or a rendered scene."""
    if not real or rng.random() >= REAL_SHARE:
        return scenes.draw(rng, size)
    with_quads = [p for p in real if p.quads]
    chosen = with_quads if rng.random() < 0.9 else real
    view = photographs.view(rng, chosen[rng.integers(len(chosen))], size, 1.4 * SMALLEST, LARGEST)
    return without_unknown(rng, Picture(photographs.toned(rng, view.image), view.quads, [], view.unknown))


def write(arguments: argparse.Namespace) -> int:
    """Write pictures, labels and `data.yaml`; returns the number of labelled cards."""
    scenes, real, about = collect(arguments)
    scenes.smallest, scenes.largest = SMALLEST, LARGEST
    rng, cards = np.random.default_rng(arguments.seed), 0
    for n in range(arguments.count + HELD_BACK):
        part = "train" if n < arguments.count else "val"
        images, texts = (arguments.out / kind / part for kind in ("images", "labels"))
        for folder in (images, texts):
            folder.mkdir(parents=True, exist_ok=True)
        picture = draw(rng, scenes, real)
        lines = labels(picture, SIZE)
        cards += len(lines)
        cv2.imwrite(str(images / f"{n:05d}.jpg"), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        (texts / f"{n:05d}.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        if n % 500 == 0:
            print(f"{n} pictures, {cards} cards", flush=True)
    place = arguments.out.resolve()
    (arguments.out / "data.yaml").write_text(
        f"path: {place}\ntrain: images/train\nval: images/val\nnames:\n  0: card\n", encoding="utf-8"
    )
    about |= {"pictures": arguments.count, "labelled cards": cards, "seed": arguments.seed}
    (arguments.out / "about.json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    print(json.dumps(about))
    return cards


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("flat", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("crops", "surfaces", "prepared", "tables"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--count", type=int, default=7000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drawn", type=int, default=20, help="drawn decks")
    parser.add_argument("--thin", type=int, default=3, help="take every n-th crop")
    cv2.setNumThreads(1)
    write(parser.parse_args())


if __name__ == "__main__":
    main()
