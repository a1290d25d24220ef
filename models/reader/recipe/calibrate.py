"""Fits the confidence that belongs to the shipped weights, on pictures that no training saw.

    python -m models.reader.recipe.calibrate --prepared DIR --tables DIR

Runs the whole runtime (contours, finder, reader, judging) over the photographs that `prepare` set aside,
compares what it found with the truth, and fits three logistic regressions (`vision/confidence.py`): is a card
found whole there and its rank right; the same of a card of which only an index is read; is the suit right. The
rank counts as read from the lowest confidence at which the rank precision on these pictures stays at `--precision`.
Writes `models/reader/confidence.json` and prints how
right the confidences are. To be run after every training of any of the three nets.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.confidence import FILE, Confidence, index_features, rank_features, suit_features
from vision.decks import deck_named
from vision.reading import CardReader
from vision.weights import MODELS
from vision.witnesses import index_places

from . import cards as source
from . import table_scenes
from .quads import box_of, box_overlap

DECKS = ("kde-gm-paris", "npm-letele", "npm-heruka", "anglo-geaxgx-photo")
LEAST_SEEN = 0.12
"""Cards of a rendered scene of which less is seen are not asked for; one that is read all the same counts as wrong."""
LEAST_ERRORS = 10
"""Wrong suits from which their regression means something."""


@dataclass(frozen=True)
class Row:
    """One candidate against the truth; ``suit_right`` is None where the truth knows no suit."""

    rank: float
    quality: float
    index: float
    seen: float
    suit: float
    alone: bool
    rank_right: bool
    suit_right: bool | None


def fit(features: np.ndarray, right: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Logistic regression by Newton's method, the constant not shrunk."""
    weights = np.zeros(features.shape[1])
    shrink = np.diag([0.0] + [ridge] * (features.shape[1] - 1))
    for _ in range(40):
        p = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (right - p) - shrink @ weights
        curvature = (features * (p * (1 - p))[:, None]).T @ features + shrink
        weights += np.linalg.solve(curvature + 1e-9 * np.eye(len(weights)), gradient)
    return weights


def rising(features: np.ndarray, right: np.ndarray) -> np.ndarray:
    """As ``fit``, but no figure counts against a card: one that would is left out (weight 0)."""
    used = list(range(features.shape[1]))
    while True:
        weights = fit(features[:, used], right)
        falling = [k for k, w in zip(used, weights, strict=True) if k > 0 and w < 0]
        if not falling:
            out = np.zeros(features.shape[1])
            out[used] = weights
            return out
        used.remove(falling[-1])


Truth = list[tuple[np.ndarray, int, int]]
"""Corners or box, rank, suit (-1: unknown) of each card of a picture."""


def compared(reader: CardReader, image: np.ndarray, truth: Truth) -> list[Row]:
    """What the runtime finds on a picture.

    The quad of a card under others is rough: it lies on a card if its middle or one of its index places does, and
    on that of its own rank where there are several. What is found near the edge and has no truth is passed over:
    the photographs' sources left some cards there without a box.
    """
    found = reader.candidates(image)
    rows: list[Row] = []
    free = list(truth)
    for i in np.argsort(-np.maximum(found.readings.score, found.index), kind="stable"):
        rank = int(found.readings.ranks[i].argmax())
        there = [t for t in free if _at(t[0], found.quads[i])]
        hit = max(there, key=lambda t: (t[1] == rank, box_overlap(_box(t[0]), box_of(found.quads[i]))), default=None)
        if hit is None and _near_edge(image, found.quads[i]):
            continue
        free = [t for t in free if t is not hit]
        suit_right = None if hit is None or hit[2] < 0 else int(found.readings.suits[i].argmax()) == hit[2]
        rows.append(
            Row(
                float(found.readings.ranks[i].max()),
                float(found.readings.quality[i]),
                float(found.index[i]),
                float(found.seen[i]),
                float(found.readings.suits[i].max()),
                bool(found.alone[i]),
                hit is not None and rank == hit[1],
                suit_right,
            )
        )
    return rows


def _box(place: np.ndarray) -> np.ndarray:
    return place if place.ndim == 1 else box_of(place)


def _at(place: np.ndarray, quad: np.ndarray) -> bool:
    x0, y0, x1, y1 = _box(place)
    shape = place if place.ndim == 2 else np.float32([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    points = np.concatenate([quad.mean(0)[None], index_places(quad)[0]])
    inside = any(cv2.pointPolygonTest(np.float32(shape), (float(x), float(y)), False) >= 0 for x, y in points)
    return inside or box_overlap(_box(place), box_of(quad)) > 0.4


def _near_edge(image: np.ndarray, quad: np.ndarray, share: float = 0.12) -> bool:
    height, width = image.shape[:2]
    x, y = quad.mean(0) / [width, height]
    return bool(min(x, y, 1 - x, 1 - y) < share)


def rendered(flat: Path, tables: list[np.ndarray], count: int) -> list[tuple[np.ndarray, Truth]]:
    """Scenes of decks that no training saw: cards apart, under each other, in rows, with hands, and their backs."""
    rng = np.random.default_rng(5)
    out: list[tuple[np.ndarray, Truth]] = []
    for name in DECKS:
        faces = {p.stem: source.face(p, 300) for p in sorted((flat / name).glob("*.png")) if source.index_of(p.stem)}
        deck = table_scenes.deck_of(faces)
        for i in range(count):
            laid = [str(card) for card in rng.choice(list(faces), int(rng.integers(2, 9)), replace=False)]
            backs = {f"back{k}": source.Card(source.back(rng), -1, -1, "back") for k in range(2)}
            hidden = [*laid, *backs] if i % 3 == 0 else laid
            scene = table_scenes.drawn_scene(rng, deck | backs, hidden, tables, apart=i % 4 == 0, widths=(50, 150))
            cards = [
                (c.quad, *source.index_of(c.name)) for c in scene.cards if c.name in faces and c.visible > LEAST_SEEN
            ]
            out.append((scene.image, cards))
    return out


def photographs(prepared: Path, tables: Path, count: int) -> list[tuple[np.ndarray, list]]:
    """Photographs set aside with the boxes of their cards, evenly over the sources."""
    pictures = [p for p in json.loads((prepared / "quads.json").read_text(encoding="utf-8")) if p["dev"]]
    out = []
    for name in sorted({p["source"] for p in pictures}):
        own = [p for p in pictures if p["source"] == name]
        for picture in own[:: max(1, len(own) // count)][:count]:
            truth = []
            for card in picture["cards"]:
                index = source.index_of(card["rank"] + (card["suit"] or "")) if card["rank"] else None
                if index:
                    truth.append((np.float32(card["box"]), *index))
            out.append((cv2.imread(str(tables / picture["source"] / picture["file"])), truth))
    return out


def calibrate(arguments: argparse.Namespace) -> float:
    """Fits, writes, prints; returns the share of cards read at the chosen threshold."""
    if not (MODELS / FILE).exists():  # a first one, so that the runtime starts
        (MODELS / FILE).write_text(
            '{"rank": [-6, 1, 1, 0], "index": [-6, 1, 1, 0], "suit": [0, 1], "rank_sure": 0.7}', encoding="utf-8"
        )
    reader = CardReader(deck_named("french52"))
    rows: list[Row] = []
    total = 0
    material = photographs(arguments.prepared, arguments.tables, arguments.count)
    if arguments.flat:
        material += rendered(arguments.flat, source.surfaces(arguments.tables / "surfaces"), arguments.scenes)
    for image, truth in material:
        rows += compared(reader, image, truth)
        total += len(truth)
    right = np.array([row.rank_right for row in rows])
    alone = np.array([row.alone for row in rows])
    rank, quality, index, seen = (np.array([getattr(r, k) for r in rows]) for k in ("rank", "quality", "index", "seen"))
    features = np.where(alone[:, None], index_features(rank, index, seen), rank_features(rank, quality, seen))
    rank_weights, index_weights = (rising(features[own], right[own].astype(float)) for own in (~alone, alone))
    suited = [(row.suit, row.suit_right) for row in rows if row.rank_right and row.suit_right is not None]
    suit_weights = np.array([0.0, 1.0])  # the reader at its word, unless there are errors enough to fit
    if sum(not r for _, r in suited) >= LEAST_ERRORS:
        suit_weights = fit(suit_features(np.array([s for s, _ in suited])), np.array([float(r) for _, r in suited]))
    fitted = Confidence(tuple(rank_weights), tuple(index_weights), tuple(suit_weights), 0.0)
    confidence = fitted.of_cards(rank, quality, seen, index, alone)
    order = np.argsort(-confidence)
    precision = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(precision >= arguments.precision)
    sure = float(np.clip(confidence[order[enough[-1]]], 0.5, 0.9)) if len(enough) else 0.9
    facts = {
        "rank": [round(float(w), 4) for w in rank_weights],
        "index": [round(float(w), 4) for w in index_weights],
        "suit": [round(float(w), 4) for w in suit_weights],
        "rank_sure": round(sure, 3),
    }
    (MODELS / FILE).write_text(json.dumps(facts) + "\n", encoding="utf-8")
    print(f"{len(material)} pictures, {total} cards, {len(rows)} candidates, {alone.sum()} by an index")
    print(json.dumps(facts))
    for name, own in (("found whole", ~alone), ("by an index", alone)):
        print(f"{name}:")
        for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
            inside = (confidence >= low) & (confidence < high) & own
            if inside.any():
                share = right[inside].mean()
                print(f"| {low:.2f} to {min(high, 1):.2f} | {inside.sum()} | {share:.3f} |")
    for threshold in (0.5, sure, 0.9):
        taken = confidence >= threshold
        recall, exact = right[taken].sum() / total, right[taken].mean()
        print(f"read from {threshold:.2f}: rank recall {recall:.3f}, precision {exact:.3f}")
    if arguments.rows:
        np.save(arguments.rows, np.column_stack([rank, quality, index, seen, alone, right]).astype(float))
    return float(right[confidence >= sure].sum() / total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("prepared", "tables"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--count", type=int, default=60, help="photographs of each source")
    parser.add_argument("--flat", type=Path, help="flat faces: also rendered scenes of the decks held out")
    parser.add_argument("--scenes", type=int, default=24, help="rendered scenes of each deck held out")
    parser.add_argument("--precision", type=float, default=0.985, help="rank precision of what counts as read")
    parser.add_argument("--rows", type=Path, help="also write the compared readings there (.npy)")
    cv2.setNumThreads(1)
    calibrate(parser.parse_args())


if __name__ == "__main__":
    main()
