"""More truth for the photographs: boxes without a quad get one from a finder trained before.

    python -m models.finder.recipe.bootstrap --prepared DIR --tables DIR

Reads `quads.json` of `--prepared` and writes `found.json` beside it, one entry a picture, in the same order:

- `quads`: one a card; where `prepare` found none, the proposal of the finder whose box agrees with the labelled
  box on all four sides (null if none does);
- `above`: pairs (i, j): card i lies over card j where they cross, because there its sides are seen and j's are not;
- `strange`: quads that the finder is sure of where nothing is labelled: no truth there.

Pictures set aside for development stay as they are.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import cv2
import numpy as np

from models.reader.recipe.quads import Quad
from vision.edges import along_sides
from vision.finder import FinderNet

SIDES = (256, 448, 704)
AGREES = 0.05
"""A proposal is a box's card if no side of its box lies further off, as a share of the box's longer side."""
SURE = 0.7
SEEN_MORE = 0.25
"""How much more (of the border map, 0 to 1) the sides of the upper card have to be seen."""


def in_box(box: np.ndarray, proposals: np.ndarray, seen: np.ndarray, size: tuple[int, int]) -> Quad | None:
    """The proposal that fills a box best; None if none fills it well.

    `seen` (N,): how well the sides of each proposal are seen, 0 to 1; of two that fill the box about as well the
    better seen one is taken. `size`: width and height of the picture.
    """
    if not len(proposals):
        return None
    spans = np.clip(np.concatenate([proposals.min(1), proposals.max(1)], 1), 0, [*size, *size])
    off = np.abs(spans - box).max(1) / max(box[2] - box[0], box[3] - box[1], 1.0)
    best = int((off - 0.04 * seen + (off >= AGREES)).argmin())
    return proposals[best] if off[best] < AGREES else None


def crossing_support(border: np.ndarray, p: Quad, q: Quad) -> float | None:
    """How well the sides of p are seen where they run through q; None if they hardly do."""
    t = np.linspace(0, 1, 41, dtype=np.float32)[:, None]
    points = np.concatenate([p[i] + (p[(i + 1) % 4] - p[i]) * t for i in range(4)])
    inner = q.mean(0) + (q - q.mean(0)) * np.float32(0.92)
    inner = np.float32(inner)
    points = np.float32([x for x in points if cv2.pointPolygonTest(inner, tuple(map(float, x)), False) > 0])
    if len(points) < 5:
        return None
    at = np.int32(np.round(points))
    sound = (at >= 0).all(1) & (at[:, 0] < border.shape[1]) & (at[:, 1] < border.shape[0])
    if sound.sum() < 5:
        return None
    near = cv2.dilate(border, np.ones((5, 5), np.uint8))
    return float(near[at[sound, 1], at[sound, 0]].mean())


def lies_above(border: np.ndarray, p: Quad, q: Quad) -> bool | None:
    """Whether p lies over q (False: q over p; None: not to be told)."""
    mine, other = crossing_support(border, p, q), crossing_support(border, q, p)
    if mine is None or other is None or abs(mine - other) < SEEN_MORE:
        return None
    return mine > other


def completed(finder: FinderNet, image: np.ndarray, cards: list[dict]) -> dict[str, list]:
    """The entry of one picture."""
    size = image.shape[1], image.shape[0]
    sights = [finder.see(image, side) for side in SIDES]
    proposals = np.concatenate([s.quads for s in sights] + [s.corners.quads for s in sights])
    fine = finder.maps(image, SIDES[-1])
    visible = along_sides(fine.border, proposals * fine.scale).mean((1, 2))
    quads = [
        np.float32(c["quad"]) if c["quad"] else in_box(np.float32(c["box"]), proposals, visible, size) for c in cards
    ]
    above = []
    for i, p in enumerate(quads):
        for j, q in enumerate(quads[:i]):
            if p is None or q is None or cv2.intersectConvexConvex(p, q)[0] < 4:
                continue
            over = lies_above(fine.border, p * fine.scale, q * fine.scale)
            if over is not None:
                above.append((i, j) if over else (j, i))
    labelled = np.zeros(image.shape[:2], np.uint8)
    for card in cards:
        x0, y0, x1, y1 = (max(0, round(v)) for v in card["box"])
        labelled[y0:y1, x0:x1] = 1
    strange = []
    sure = np.concatenate([s.quads[s.score > SURE] for s in sights])
    for quad in sure:
        mask = np.zeros_like(labelled)
        cv2.fillConvexPoly(mask, np.int32(np.round(quad)), 1)
        if mask.any() and labelled[mask > 0].mean() < 0.3:
            strange.append(quad)
    return {
        "quads": [None if q is None else np.round(q, 2).tolist() for q in quads],
        "above": above,
        "strange": [np.round(q, 1).tolist() for q in strange],
    }


def bootstrap(prepared: Path, tables: Path) -> int:
    """Write `found.json`; returns how many quads were added."""
    finder, out, added = FinderNet(), [], 0
    for about in json.loads((prepared / "quads.json").read_text(encoding="utf-8")):
        cards = about["cards"]
        entry: dict[str, list] = {"quads": [c["quad"] for c in cards], "above": [], "strange": []}
        if not about["dev"] and cards:
            image = cv2.imread(str(tables / about["source"] / about["file"]))
            entry = completed(finder, image, cards)
        added += sum(q is not None for q in entry["quads"]) - sum(c["quad"] is not None for c in cards)
        out.append(entry)
        if len(out) % 100 == 0:
            print(f"{len(out)} pictures, {added} quads more", flush=True)
    part = prepared / "found.part"
    part.write_text(json.dumps(out), encoding="utf-8")
    os.replace(part, prepared / "found.json")
    print(f"{len(out)} pictures, {added} quads more")
    return added


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepared", type=Path, required=True, help="what models.reader.recipe.prepare wrote")
    parser.add_argument("--tables", type=Path, required=True, help="the photographs that were prepared")
    cv2.setNumThreads(1)
    arguments = parser.parse_args()
    bootstrap(arguments.prepared, arguments.tables)


if __name__ == "__main__":
    main()
