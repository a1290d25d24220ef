"""Fits the confidence that belongs to the shipped weights, on pictures that no training saw.

    python -m models.reader.recipe.calibrate --prepared DIR --tables DIR

Runs the whole runtime (contours, finder, reader, judging) over the photographs that `prepare` set aside,
compares what it found with the truth, and fits two logistic regressions (`vision/confidence.py`): is a card
there and its rank right; is its suit right. The rank counts as read from the lowest confidence at which the
rank precision on these pictures stays at `--precision`. Writes `models/reader/confidence.json` and prints how
right the confidences are. To be run after every training of either net.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from vision.confidence import FILE, rank_features, suit_features
from vision.decks import deck_named
from vision.reading import CardReader
from vision.weights import MODELS

from . import cards as source
from .quads import box_of, box_overlap

Rows = list[tuple[float, float, float, float, bool, bool | None]]
"""(rank probability, quality, share of sides seen, suit probability, rank right, suit right or None)."""

LEAST_ERRORS = 10
"""Wrong suits from which their regression means something."""


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


def compared(reader: CardReader, image: np.ndarray, truth: list[tuple[np.ndarray, int, int]], rows: Rows) -> None:
    """Adds what the runtime finds on a picture; `truth`: box, rank, suit (-1: unknown) of each card."""
    quads, readings, seen = reader.candidates(image)
    free = list(truth)
    for i in np.argsort(-readings.score, kind="stable"):
        hit = max(free, key=lambda t: box_overlap(t[0], box_of(quads[i])), default=None)
        if hit is not None and box_overlap(hit[0], box_of(quads[i])) > 0.4:
            free = [t for t in free if t is not hit]
        else:
            hit = None
        rank_right = hit is not None and int(readings.ranks[i].argmax()) == hit[1]
        suit_right = None if hit is None or hit[2] < 0 else int(readings.suits[i].argmax()) == hit[2]
        facts = (readings.ranks[i].max(), readings.quality[i], seen[i], readings.suits[i].max())
        rows.append((*map(float, facts), rank_right, suit_right))


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
        (MODELS / FILE).write_text('{"rank": [-6, 1, 1, 0], "suit": [0, 1], "rank_sure": 0.7}')
    reader = CardReader(deck_named("french52"))
    rows: Rows = []
    total = 0
    material = photographs(arguments.prepared, arguments.tables, arguments.count)
    for image, truth in material:
        compared(reader, image, truth, rows)
        total += len(truth)
    rank, quality, seen, right = (np.array([row[k] for row in rows]) for k in (0, 1, 2, 4))
    suited = [(row[3], row[5]) for row in rows if row[4] and row[5] is not None]
    features = rank_features(rank, quality, seen)
    rank_weights = fit(features, right.astype(float))
    if rank_weights[-1] < 0:  # quality already says it; sides that are seen never count against a card
        rank_weights = np.append(fit(features[:, :-1], right.astype(float)), 0.0)
    suit_weights = np.array([0.0, 1.0])  # the reader at its word, unless there are errors enough to fit
    if sum(not r for _, r in suited) >= LEAST_ERRORS:
        suit_weights = fit(suit_features(np.array([s for s, _ in suited])), np.array([float(r) for _, r in suited]))
    confidence = 1 / (1 + np.exp(-features @ rank_weights))
    order = np.argsort(-confidence)
    precision = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(precision >= arguments.precision)
    sure = float(np.clip(confidence[order[enough[-1]]], 0.5, 0.9)) if len(enough) else 0.9
    facts = {
        "rank": [round(float(w), 4) for w in rank_weights],
        "suit": [round(float(w), 4) for w in suit_weights],
        "rank_sure": round(sure, 3),
    }
    (MODELS / FILE).write_text(json.dumps(facts) + "\n", encoding="utf-8")
    print(f"{len(material)} pictures, {total} cards, {len(rows)} candidates: {json.dumps(facts)}")
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
        inside = (confidence >= low) & (confidence < high)
        if inside.any():
            share = right[inside].mean()
            print(f"confidence {low:.2f} to {min(high, 1):.2f}: {inside.sum():4d}, right {share:.3f}")
    for threshold in (0.5, sure, 0.9):
        taken = confidence >= threshold
        recall, exact = right[taken].sum() / total, right[taken].mean()
        print(f"read from {threshold:.2f}: rank recall {recall:.3f}, precision {exact:.3f}")
    if arguments.rows:
        np.save(arguments.rows, np.array([row[:5] for row in rows], float))
    return float(right[confidence >= sure].sum() / total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("prepared", "tables"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--count", type=int, default=60, help="photographs of each source")
    parser.add_argument("--precision", type=float, default=0.985, help="rank precision of what counts as read")
    parser.add_argument("--rows", type=Path, help="also write the compared readings there (.npy)")
    cv2.setNumThreads(1)
    calibrate(parser.parse_args())


if __name__ == "__main__":
    main()
