"""How well a reader reads what its training never saw: the development set, source by source.

    python -m models.reader.recipe.evaluate reader.onnx --flat DIR --crops DIR \
        --surfaces DIR --prepared DIR --tables DIR

Sources: crops set aside of cards53 and drawn decks held out of training (gm-paris as it is, and with R D V 1
over its letters), laid on tables and seen at three sizes; real photographs set aside by `prepare`, cut out
through their quads as they are and shrunk to a half and to a third. Score = rank probability x quality, as
the runtime counts it (mean of both half turns). Also printed: how often a wrong quad or a bare table is
taken for a card, and how right a score is (reliability).
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from . import cards as source
from .letters import find_fonts
from .views import Views, straightened

THRESHOLD = 0.7
MEAN, DEVIATION = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])


@dataclass(frozen=True)
class Reading:
    """Arrays over crops: rank and suit read, score."""

    rank: np.ndarray
    suit: np.ndarray
    score: np.ndarray


class OnnxReader:
    """The shipped weights, read as the runtime reads them."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def probabilities(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rank (n, 13), suit (n, 4) and quality (n,) of crops (n, 144, 96, 3) BGR, one turn."""
        parts = []
        for i in range(0, len(crops), 64):
            x = (crops[i : i + 64, :, :, ::-1].astype(np.float32) / 255 - MEAN) / DEVIATION
            parts.append(self.session.run(None, {"x": np.ascontiguousarray(x.transpose(0, 3, 1, 2))})[0])
        out = np.concatenate(parts)

        def softmax(z: np.ndarray) -> np.ndarray:
            e = np.exp(z - z.max(1, keepdims=True))
            return e / e.sum(1, keepdims=True)

        return softmax(out[:, :13]), softmax(out[:, 13:17]), 1 / (1 + np.exp(-out[:, 17]))

    def read(self, crops: np.ndarray) -> Reading:
        """Mean of both half turns."""
        a, b = self.probabilities(crops), self.probabilities(crops[:, ::-1, ::-1])
        rank, suit, quality = ((p + q) / 2 for p, q in zip(a, b, strict=True))
        return Reading(rank.argmax(1), suit.argmax(1), rank.max(1) * quality)


def rendered(cards: list[source.Card], tables: list[np.ndarray], short: float, count: int, seed: int) -> list:
    """Views of cards about `short` pixels wide: quads nearly right, light and camera as in training."""
    views = Views([cards], [1.0], tables, short * 0.9, short * 1.1, hardness=0.4)
    rng, out = np.random.default_rng(seed), []
    while len(out) < count:
        view = views.draw(rng)
        if view.rank >= 0 and view.quality > 0.8:
            out.append((view.crop, view.rank, view.suit))
    return out


def photographed(prepared: Path, tables: Path) -> dict[str, list]:
    """Crops of the photographs set aside, by source and scale."""
    out: dict[str, list] = defaultdict(list)
    for picture in json.loads((prepared / "quads.json").read_text(encoding="utf-8")):
        if not picture["dev"] or not any(c["quad"] for c in picture["cards"]):
            continue
        whole = cv2.imread(str(tables / picture["source"] / picture["file"]))
        for scale in (1.0, 0.5, 0.33):
            image = whole
            if scale < 1:
                image = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 60])[1], 1)
            for card in picture["cards"]:
                index = source.index_of(card["rank"] + (card["suit"] or ""))
                if card["quad"] and index:
                    crop = straightened(image, np.float32(card["quad"]) * scale)
                    out[f"{picture['source']} x{scale}"].append((crop, *index))
    return out


def wrong(views: Views, count: int, seed: int) -> np.ndarray:
    """Crops that are no card or whose quad fits badly (overlap below .55)."""
    rng, out = np.random.default_rng(seed), []
    while len(out) < count:
        view = views.draw(rng)
        if view.quality == 0:
            out.append(view.crop)
    return np.stack(out)


def evaluate(arguments: argparse.Namespace) -> float:
    """Print the tables; returns the mean rank accuracy over the sources."""
    reader = OnnxReader(arguments.reader)
    tables = source.surfaces(arguments.surfaces)
    sets: dict[str, list] = {}
    rng = np.random.default_rng(7)
    held = source.flat_faces(arguments.flat, only=("kde-gm-paris", "anglo-geaxgx-photo"))
    held = {k: [replace(c, image=source.at_height(c.image, source.HEIGHT)) for c in v] for k, v in held.items()}
    paris = [c for c in held["kde-gm-paris"] if source.RANKS[c.rank] in "AJQK"]
    pools = {
        "cards53 aside": source.rimmed(rng, source.real_crops(arguments.crops, development=True)),
        **held,
        "gm-paris courts R D V 1": source.relettered(rng, paris, find_fonts(arguments.fonts), ("french",) * 3),
    }
    for name, pool in pools.items():
        for short in (32, 50, 90):
            sets[f"{name} {short} px"] = rendered(pool, tables, short, arguments.count, 11)
    sets |= photographed(arguments.prepared, arguments.tables)
    scores, rights, accuracies = [], [], []
    print(f"{'source':44s} {'crops':>5s}  rank  suit  | score >= {THRESHOLD}: taken, right")
    for name, items in sets.items():
        crops = np.stack([c for c, _, _ in items])
        ranks, suits = np.array([r for _, r, _ in items]), np.array([s for _, _, s in items])
        got = reader.read(crops)
        right, taken, suited = got.rank == ranks, got.score >= THRESHOLD, suits >= 0
        suit = float((got.suit == suits)[suited].mean()) if suited.any() else float("nan")
        print(
            f"{name:44s} {len(items):5d}  {right.mean():.3f} {suit:.3f} | {taken.mean():.3f} "
            f"{right[taken].mean() if taken.any() else float('nan'):.4f}"
        )
        accuracies.append(right.mean())
        scores.append(got.score)
        rights.append(right)
    bad = reader.read(wrong(Views(list(pools.values()), [1.0] * len(pools), tables), arguments.count, 13))
    for threshold in (THRESHOLD, 0.85):
        taken = (bad.score >= threshold).mean()
        print(f"wrong quads and bare tables taken for a card at {threshold}: {taken:.4f}")
    print("\nreliability (real and rendered crops with good quads): score, crops, share right")
    score, right = np.concatenate(scores), np.concatenate(rights)
    for low in (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        inside = (score >= low) & (score < low + 0.1 + (low == 0.9))
        if inside.any():
            print(f"{low:.1f} to {low + 0.1:.1f}  {inside.sum():5d}  {right[inside].mean():.3f}")
    mean = float(np.mean(accuracies))
    print(f"\nmean rank accuracy over the sources: {mean:.4f}")
    return mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader", type=Path, help="ONNX weights")
    for name in ("flat", "crops", "surfaces", "prepared", "tables"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--count", type=int, default=400, help="views of a rendered source")
    cv2.setNumThreads(1)
    evaluate(parser.parse_args())


if __name__ == "__main__":
    main()
