"""How well a finder finds the cards that its training never saw.

    python -m models.finder.recipe.evaluate --models DIR --flat DIR --surfaces DIR --prepared DIR --tables DIR

`--models` is a folder with `finder/finder.onnx` (the repository's own by default). Rendered pictures with the
decks held out of training: cards found (a proposal of the runtime overlaps by half, by three quarters) by how
much of them is visible. Photographs set aside by `prepare`: the same for the cards whose quads are known, and
for boxes without a quad whether a proposal's box overlaps theirs by half. Proposals are many by design (the
reader judges them); their number is printed.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.reader.recipe import cards as source
from models.reader.recipe.quads import box_of, box_overlap, overlap
from vision import weights
from vision.finder import FinderNet

from . import photographs
from .scenes import Scenes
from .targets import HOLE, fill

SIDES = (256, 448)


def visible_shares(quads: list[np.ndarray], holes: list[np.ndarray], size: int) -> list[float]:
    """Which share of each card is visible in the picture."""
    owner = np.zeros((size // 2, size // 2), np.uint8)
    for k, quad in enumerate(quads):
        fill(owner, quad, k + 1)
    for hole in holes:
        fill(owner, hole, HOLE)
    return [float((owner == k + 1).sum() * 4 / max(cv2.contourArea(q), 1)) for k, q in enumerate(quads)]


def best_fit(quad: np.ndarray, proposals: np.ndarray) -> float:
    """Overlap of the proposal that fits a quad best."""
    near = [p for p in proposals if np.abs(p.mean(0) - quad.mean(0)).max() < np.ptp(quad, 0).max()]
    return max((overlap(quad, p) for p in near), default=0.0)


def report(name: str, fits: list[float]) -> None:
    """One line of the table."""
    f = np.array(fits)
    half, most = (f >= 0.5).mean(), (f >= 0.75).mean()
    print(f"{name:46s} {len(f):5d} cards, found at .5: {half:.3f}, at .75: {most:.3f}")


def evaluate(arguments: argparse.Namespace) -> float:
    """Print the tables; returns the share of visible rendered cards found at .75."""
    if arguments.models:
        weights.MODELS = arguments.models
    finder = FinderNet()
    decks = source.flat_faces(arguments.flat, only=("kde-gm-paris", "npm-letele", "anglo-geaxgx-photo"))
    groups = [[replace(c, image=source.at_height(c.image, source.HEIGHT)) for c in d] for d in decks.values()]
    scenes = Scenes(groups, [1.0] * len(groups), source.surfaces(arguments.surfaces), 24, 130)
    rng, size = np.random.default_rng(17), 448
    fits: dict[str, list[float]] = defaultdict(list)
    proposed = 0
    for _ in range(arguments.count):
        picture = scenes.draw(rng, size)
        found = np.concatenate([finder.proposals(picture.image, side)[0] for side in SIDES])
        proposed += len(found)
        for quad, share in zip(picture.quads, visible_shares(picture.quads, picture.holes, size), strict=True):
            if share > 0.1:
                bucket = "over 90 %" if share > 0.9 else "50 to 90 %" if share > 0.5 else "10 to 50 %"
                fits[f"rendered, {bucket} visible"].append(best_fit(quad, found))
    pictures = photographs.load(arguments.prepared, arguments.tables, development=True)
    boxes: list[float] = []
    for photograph in pictures[:: max(1, len(pictures) // arguments.count)]:
        image = cv2.imdecode(np.frombuffer(photograph.jpeg, np.uint8), cv2.IMREAD_COLOR)
        found = np.concatenate([finder.proposals(image, side)[0] for side in SIDES])
        proposed += len(found)
        fits["photographs set aside"] += [best_fit(q, found) for q in photograph.quads]
        for area in photograph.unknown:
            if len(area) == 4:
                boxes.append(max((box_overlap(box_of(area), box_of(p)) for p in found), default=0.0))
    for name in sorted(fits):
        report(name, fits[name])
    report("photographs set aside, boxes without a quad", boxes)
    print(f"{proposed / arguments.count / 2:.0f} proposals a picture")
    return float((np.array(fits["rendered, over 90 % visible"]) >= 0.75).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, help="folder with finder/finder.onnx")
    for name in ("flat", "surfaces", "prepared", "tables"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100, help="pictures of either kind")
    cv2.setNumThreads(1)
    evaluate(parser.parse_args())


if __name__ == "__main__":
    main()
