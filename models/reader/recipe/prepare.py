"""Real cards cut out of photographs of tables, and the quads of their boxes.

    python -m models.reader.recipe.prepare --tables DIR --out DIR

Every folder of `--tables` holds a `labels.jsonl` (one picture a line: file, boxes with rank and suit).
Written to `--out`: `quads.json` (what the finder's recipe trains on), `cut/*.png` with `cut.json` (rank,
suit, source of each cut-out; `dev` marks those set aside for choosing). Pictures without boxes are skipped.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from .boxes import quad_in_box
from .quads import rectified, sides

DEVELOPMENT_GROUPS = ("2d 3d 4d Ad", "5s 6s 7s 8s", "10h 9h Jh Kh Qh")
"""Groups of cards of the Roboflow pictures that no training sees; see `is_development`."""


def is_development(picture: dict) -> bool:
    """Whether a picture is set aside: by group where a source has groups, else by its own test split."""
    if "group" in picture:
        return picture["group"] in DEVELOPMENT_GROUPS
    return picture.get("split") == "test"


def covered_by_others(boxes: list[list[float]], index: int) -> float:
    """Largest share of a box that another box of the picture lies over."""
    x0, y0, x1, y1 = boxes[index]
    worst = 0.0
    for j, (a0, b0, a1, b1) in enumerate(boxes):
        if j != index:
            shared = max(0.0, min(x1, a1) - max(x0, a0)) * max(0.0, min(y1, b1) - max(y0, b0))
            worst = max(worst, shared / max((x1 - x0) * (y1 - y0), 1.0))
    return worst


def prepare(tables: Path, out: Path, grabcut: bool) -> None:
    """Label every boxed picture with quads and cut the free cards out."""
    (out / "cut").mkdir(parents=True, exist_ok=True)
    pictures, cuts, boxes_seen, quads_found = [], {}, 0, 0
    for labels in sorted(tables.glob("*/labels.jsonl")):
        source = labels.parent.name
        for line in labels.read_text(encoding="utf-8").splitlines():
            picture = json.loads(line)
            image = cv2.imread(str(labels.parent / picture["file"])) if picture["boxes"] else None
            if image is None:
                continue
            gray, boxes, cards = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), [], []
            boxes = [b["box"] for b in picture["boxes"]]
            for i, b in enumerate(picture["boxes"]):
                quad = quad_in_box(image, gray, np.asarray(b["box"]), grabcut)
                boxes_seen, quads_found = boxes_seen + 1, quads_found + (quad is not None)
                cards.append(
                    {
                        "box": b["box"],
                        "rank": b["rank"],
                        "suit": b["suit"],
                        "quad": None if quad is None else quad.round(2).tolist(),
                    }
                )
                if quad is None or covered_by_others(boxes, i) > 0.15:
                    continue
                height = int(min(300, sides(quad)[1]))
                if height < 70:
                    continue
                name = f"{len(cuts):05d}.png"
                cut = rectified(image, quad, int(height / 1.45), height)
                cv2.imwrite(str(out / "cut" / name), cut, [cv2.IMWRITE_PNG_COMPRESSION, 1])
                cuts[name] = {
                    "rank": b["rank"],
                    "suit": b["suit"],
                    "source": source,
                    "dev": is_development(picture),
                }
            pictures.append(
                {
                    "source": source,
                    "file": picture["file"],
                    "cards": cards,
                    "dev": is_development(picture),
                }
            )
            if len(pictures) % 100 == 0:
                print(f"{len(pictures)} pictures, {boxes_seen} boxes, {quads_found} quads", flush=True)
    (out / "quads.json").write_text(json.dumps(pictures), encoding="utf-8")
    (out / "cut" / "cut.json").write_text(json.dumps(cuts), encoding="utf-8")
    print(f"{len(pictures)} pictures, {boxes_seen} boxes, {quads_found} quads, {len(cuts)} cut-outs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=Path, required=True, help="folder of sources with labels.jsonl")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--no-grabcut", dest="grabcut", action="store_false", help="quicker, fewer quads")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    prepare(arguments.tables, arguments.out, arguments.grabcut)


if __name__ == "__main__":
    main()
