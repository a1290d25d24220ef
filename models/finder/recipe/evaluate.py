"""How well a finder finds the cards that its training never saw.

    python -m models.finder.recipe.evaluate --models DIR --flat DIR --surfaces DIR --prepared DIR --tables DIR

`--models` is a folder with `finder/finder.onnx` (the repository's own by default). Rendered pictures with the
decks held out of training, photographs set aside by `prepare`. Printed are

- cards found: a proposal of the runtime (or the quad of a seen corner) overlaps by half, by three quarters, by how
  much of the card is visible; for photographs also whether the box round a quad overlaps a labelled box;
- seen corners found: an index place within 0.08 card widths of the true one, by width and visible share of the card;
  of these how many lie well (the window round the index is off by less than 0.1 widths at each of its corners and
  the right way up or turned by a half); and how many of the corners proposed are true ones.

Proposals are many by design (the reader judges them); their number is printed.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.reader.recipe import cards as source
from models.reader.recipe.quads import Quad, box_of, box_overlap, overlap, sides
from vision import weights
from vision.finder import Corners, FinderNet

from . import photographs
from .corners import SEEN, place_of, seen_shares, window_of
from .scenes import Picture, Scenes
from .targets import HOLE, fill

SIDES = (256, 448)
NEAR = 0.08
"""An index place is found within that many card widths."""
WELL = 0.1
"""A window lies well if none of its corners is further off, in card widths."""

Counts = dict[str, list[float]]


@dataclass(frozen=True)
class Found:
    """What the runtime proposes for one picture at all widths."""

    proposals: np.ndarray
    corners: Corners


def found_in(finder: FinderNet, image: np.ndarray, widths: tuple[int, ...] = SIDES) -> Found:
    """Proposals and corners of all widths together."""
    sights = [finder.see(image, width) for width in widths]
    corners = [s.corners for s in sights]
    return Found(
        np.concatenate([s.quads for s in sights]),
        Corners(*(np.concatenate([getattr(c, k) for c in corners]) for k in ("quads", "which", "score"))),
    )


def owners(quads: list[np.ndarray], holes: list[np.ndarray], size: int) -> np.ndarray:
    """Which card (from 1) is seen at each place of a map of half the size."""
    owner = np.zeros((size // 2, size // 2), np.uint8)
    for k, quad in enumerate(quads):
        fill(owner, quad, k + 1)
    for hole in holes:
        fill(owner, hole, HOLE)
    return owner


def bucket(share: float) -> str:
    return "over 90 %" if share > 0.9 else "50 to 90 %" if share > 0.5 else "10 to 50 %"


def best_fit(quad: np.ndarray, proposals: np.ndarray) -> float:
    """Overlap of the proposal that fits a quad best."""
    near = [p for p in proposals if np.abs(p.mean(0) - quad.mean(0)).max() < np.ptp(quad, 0).max()]
    return max((overlap(quad, p) for p in near), default=0.0)


def window_error(truth: Quad, corner: int, quad: Quad, which: int) -> float:
    """How far the corners of the proposed window are off the true ones, at most, in widths of the card."""
    off = np.linalg.norm(window_of(truth, corner) - window_of(quad, which), axis=1)
    return float(off.max()) / sides(truth)[0]


def count_corners(picture: Picture, owner: np.ndarray, shares: list[float], got: Corners, into: Counts) -> None:
    """Add the corners of one rendered picture: which of the true ones are found, which of those found are true."""
    at = np.array([place_of(q, int(k)) for q, k in zip(got.quads, got.which, strict=True)]).reshape(-1, 2)
    true = np.zeros(len(got), bool)
    for k, quad in enumerate(picture.quads):
        if not picture.face_up[k]:
            continue
        width = sides(quad)[0]
        visible = seen_shares(quad, owner, k + 1)
        for corner in range(4):
            off = np.linalg.norm(at - place_of(quad, corner), axis=1) / width if len(at) else np.zeros(0)
            if visible[corner] >= SEEN - 0.2:
                true |= off < 1.5 * NEAR
            if visible[corner] < SEEN or shares[k] < 0.05:
                continue
            errors = [window_error(quad, corner, got.quads[i], int(got.which[i])) for i in np.flatnonzero(off < NEAR)]
            wide = "24 to 40 px" if width < 40 else "40 to 80 px" if width < 80 else "80 px and more"
            for name in (f"{bucket(shares[k])} visible", f"cards {wide} wide"):
                into[name].append(min(errors, default=np.inf))
    for score, right in zip(got.score, true, strict=True):
        into["~all"].append(float(right))
        if score > 0.5:
            into["~score over .5"].append(float(right))


def report(name: str, fits: list[float]) -> None:
    """One line of the table of cards."""
    f = np.array(fits)
    half, most = (f >= 0.5).mean(), (f >= 0.75).mean()
    print(f"{name:46s} {len(f):5d} cards, found at .5: {half:.3f}, at .75: {most:.3f}")


def report_corners(counts: Counts) -> None:
    """The table of corners."""
    for name, values in sorted(counts.items()):
        v = np.array(values)
        if name.startswith("~"):
            print(f"corners proposed, {name[1:]:28s} {len(v):5d}, of these true ones: {v.mean():.3f}")
        else:
            found, well = np.isfinite(v).mean(), (v < WELL).mean()
            print(f"seen corners, {name:32s} {len(v):5d}, found: {found:.3f}, the window lies well: {well:.3f}")


def rendered(finder: FinderNet, arguments: argparse.Namespace) -> tuple[dict[str, Counts], float]:
    """Overlaps of rendered cards by who proposed them and by visible share, the corners; proposals a picture."""
    decks = source.flat_faces(arguments.flat, only=("kde-gm-paris", "npm-letele", "anglo-geaxgx-photo"))
    groups = [[replace(c, image=source.at_height(c.image, source.HEIGHT)) for c in d] for d in decks.values()]
    scenes = Scenes(groups, [1.0] * len(groups), source.surfaces(arguments.surfaces), 24, 130)
    rng, size = np.random.default_rng(17), 448
    counts: dict[str, Counts] = {k: defaultdict(list) for k in ("proposals", "corners", "either", "seen")}
    proposed = 0
    for _ in range(arguments.count):
        picture = scenes.draw(rng, size)
        found = found_in(finder, picture.image)
        proposed += len(found.proposals)
        owner = owners(picture.quads, picture.holes, size)
        shares = [float((owner == k + 1).sum() * 4 / max(cv2.contourArea(q), 1)) for k, q in enumerate(picture.quads)]
        for quad, share, up in zip(picture.quads, shares, picture.face_up, strict=True):
            if share > 0.1:
                whole, corner = best_fit(quad, found.proposals), best_fit(quad, found.corners.quads)
                name = f"rendered, {bucket(share)} visible"
                counts["proposals"][name].append(whole)
                if up:
                    counts["corners"][name].append(corner)
                    counts["either"][name].append(max(whole, corner))
        count_corners(picture, owner, shares, found.corners, counts["seen"])
    return counts, proposed / arguments.count


def photographed(finder: FinderNet, arguments: argparse.Namespace) -> tuple[dict[str, Counts], float]:
    """The same for the photographs set aside: their quads, and the boxes that have none."""
    pictures = photographs.load(arguments.prepared, arguments.tables, development=True)
    counts: dict[str, Counts] = {k: defaultdict(list) for k in ("proposals", "corners", "either")}
    proposed, chosen = 0, pictures[:: max(1, len(pictures) // arguments.count)]
    for photograph in chosen:
        found = found_in(finder, photograph.image)
        proposed += len(found.proposals)

        def add(name: str, best: Callable[[np.ndarray], float], found: Found = found) -> None:
            whole, corner = best(found.proposals), best(found.corners.quads)
            for who, fit in (("proposals", whole), ("corners", corner), ("either", max(whole, corner))):
                counts[who][name].append(fit)

        for quad in photograph.quads:
            add("photographs set aside", lambda quads, q=quad: best_fit(q, quads))
        for area in photograph.unknown:
            if len(area) == 4:
                box = np.clip(box_of(area), 0, [*photograph.size, *photograph.size])
                add("photographs set aside, boxes without a quad", lambda quads, b=box: best_box(b, quads))
    return counts, proposed / len(chosen)


def best_box(box: np.ndarray, quads: np.ndarray) -> float:
    """Overlap of a box with the box of the quad that fits it best."""
    return max((box_overlap(box, box_of(q)) for q in quads), default=0.0)


def evaluate(arguments: argparse.Namespace) -> float:
    """Print the tables; returns the share of visible rendered cards found at .75."""
    if arguments.models:
        weights.MODELS = arguments.models
    finder = FinderNet()
    drawn, drawn_many = rendered(finder, arguments)
    real, real_many = photographed(finder, arguments)
    for who in ("proposals", "corners", "either"):
        print({"proposals": "by proposals", "corners": "by seen corners", "either": "by either"}[who])
        for counts in (real[who], drawn[who]):
            for name in sorted(counts):
                report(name, counts[name])
    report_corners(drawn["seen"])
    print(f"{(drawn_many + real_many) / 2:.0f} proposals a picture")
    return float((np.array(drawn["proposals"]["rendered, over 90 % visible"]) >= 0.75).mean())


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
