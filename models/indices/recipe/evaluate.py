"""How well an index reader reads what its training never saw: the development set, source by source.

    python -m models.indices.recipe.evaluate models/indices/indices.onnx --flat DIR --crops DIR \
        --surfaces DIR --prepared DIR --tables DIR

Rendered: corners of flat decks held out of training (gm-paris also with R D V 1 over its letters), of crops set
aside of cards53 and of cut-outs set aside, laid on tables and seen at four sizes through exact windows and such
as a detector finds. Photographed: windows of all four corners of the free cards of the photographs set aside,
as the runtime cuts them. Score = rank probability x quality. Also printed: what is taken for an index though
none stands there, which ranks are taken for which, how right a score is, and the temperature that would make
the rank probabilities most likely.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from models.reader.recipe import cards as source
from models.reader.recipe.letters import find_fonts
from vision.crops import Pyramid
from vision.indices import windows as cut_windows

from .corners import FOUR_CORNERS, Corner, corners_of, crop_corners, cut_corners, spanish_corners
from .fresh import Type, cast
from .net import DEVIATION, MEAN, RANKS
from .windows import View, Windows

THRESHOLD = 0.7
THRESHOLDS = (0.3, 0.5, 0.7, 0.85, 0.95)
WIDTHS = (32, 50, 90, 160)
WRONG = {"exact": 0.1, "found": 0.5, "rough": 0.9}
"""How wrong the windows of a rendered source are (see `windows.error`)."""


@dataclass(frozen=True)
class Reading:
    """Arrays over n windows: logits (n, 20), rank read, suit read, quality, score."""

    logits: np.ndarray
    rank: np.ndarray
    suit: np.ndarray
    quality: np.ndarray
    score: np.ndarray


def softmax(z: np.ndarray) -> np.ndarray:
    """Along the last axis."""
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


class OnnxIndexReader:
    """The shipped weights, read as the runtime reads them."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.mean, self.deviation = MEAN.numpy().ravel(), DEVIATION.numpy().ravel()

    def read(self, windows: np.ndarray) -> Reading:
        """Windows (n, 54, 40, 3) BGR."""
        parts = []
        for i in range(0, len(windows), 128):
            x = (windows[i : i + 128, :, :, ::-1].astype(np.float32) / 255 - self.mean) / self.deviation
            parts.append(self.session.run(None, {"x": np.ascontiguousarray(x.transpose(0, 3, 1, 2))})[0])
        out = np.concatenate(parts)
        ranks, quality = softmax(out[:, :15]), 1 / (1 + np.exp(-out[:, 19]))
        return Reading(out, ranks.argmax(1), out[:, 15:19].argmax(1), quality, ranks.max(1) * quality)


def pools(arguments: argparse.Namespace) -> dict[str, list[Corner]]:
    """The corners set aside, by source."""
    rng = np.random.default_rng(7)
    names = ("kde-gm-paris", "npm-letele", "anglo-geaxgx-photo")
    held = source.flat_faces(arguments.flat, only=names)
    out = {name: corners_of(held[name]) for name in names}
    fonts = find_fonts(arguments.fonts)
    out["gm-paris R D V 1"] = corners_of(source.relettered(rng, held["kde-gm-paris"], fonts, ("french",) * 3))
    out["gm-paris swapped"] = corners_of(
        source.relettered(rng, held["kde-gm-paris"], fonts, ("french", "german", "english"), swapped=True)
    )
    out["spanish-mcmd numbers"] = spanish_corners(source.held_out(arguments.flat, "spanish-mcmd"))
    out["cards53 aside"] = crop_corners(rng, source.real_crops(arguments.crops, development=True))
    out["cut-outs aside"] = cut_corners(source.cut_outs(arguments.prepared / "cut", development=True))
    return out


def rendered(pool: list[Corner], tables: list[np.ndarray], width: float, rough: float, count: int) -> list[View]:
    """Views of the indexed corners of cards about `width` pixels wide."""
    indexed = [c for c in pool if c.indexed]
    drawn = Windows([indexed], [1.0], None, [], tables, width * 0.9, width * 1.1, 0.0, rough, plain=True)
    rng, out = np.random.default_rng(11), []
    while len(out) < count:
        out += [v for v in drawn.draw(rng) if v.rank >= 0]
    return out


def mixed(
    pool: list[Corner], type_: Type, wholes: list[source.Card], tables: list[np.ndarray], count: int
) -> list[View]:
    """Views as in training, covered, misplaced and strays too, of the corners of one source."""
    drawn = Windows([pool], [1.0], type_, wholes, tables, afresh=0.0)
    rng, out = np.random.default_rng(13), []
    while len(out) < count:
        out += drawn.draw(rng)
    return out


def photographed(prepared: Path, tables: Path, shake: float) -> dict[str, list[tuple[np.ndarray, int, int, int]]]:
    """Windows of the free cards of the photographs set aside: (window, corner, rank, suit), by source and scale.

    Each corner of a quad is off by a normal `shake` short sides.
    """
    rng = np.random.default_rng(17)
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
            pyramid = Pyramid(image)
            for card in picture["cards"]:
                index = source.index_of(card["rank"] + (card["suit"] or ""))
                if card["quad"] and index:
                    quad = np.float32(card["quad"]) * scale
                    quad = quad + rng.normal(size=(4, 2)) * shake * np.hypot(*(quad[1] - quad[0]))
                    cut = cut_windows(pyramid, np.float32([quad] * 4), np.arange(4))
                    out[f"{picture['source']} x{scale}"] += [(w, k, *index) for k, w in enumerate(cut)]
    return out


def line(name: str, got: Reading, ranks: np.ndarray, suits: np.ndarray) -> np.ndarray:
    """Print one row of the table; returns which ranks are right."""
    right, taken, suited = got.rank == ranks, got.score >= THRESHOLD, suits >= 0
    suit = float((got.suit == suits)[suited].mean()) if suited.any() else float("nan")
    print(
        f"| {name} | {len(ranks)} | {right.mean():.3f} | {suit:.3f} | {taken.mean():.3f} | "
        f"{right[taken].mean() if taken.any() else float('nan'):.4f} |"
    )
    return right


def temperature(logits: np.ndarray, truth: np.ndarray) -> float:
    """The divisor of the logits (n, k) that makes the truth (n,) most likely."""
    best, least = 1.0, np.inf
    for t in np.exp(np.linspace(np.log(0.4), np.log(2.5), 60)):
        p = softmax(logits / t)[np.arange(len(truth)), truth]
        loss = -np.log(np.maximum(p, 1e-9)).mean()
        if loss < least:
            best, least = float(t), loss
    return best


def reliability(title: str, value: np.ndarray, right: np.ndarray) -> None:
    """Print how often what got a value is right, by tenths of the value."""
    print(f"\n{title}\n\n| value | windows | mean | share right |\n|---|---|---|---|")
    for low in np.arange(10) / 10:
        inside = (value >= low) & (value < low + 0.1 + (low > 0.85))
        if inside.any():
            mean, share = value[inside].mean(), right[inside].mean()
            print(f"| {low:.1f} to {low + 0.1:.1f} | {inside.sum()} | {mean:.3f} | {share:.3f} |")


def evaluate(arguments: argparse.Namespace) -> float:
    """Print the tables; returns the mean rank accuracy over the rendered sources."""
    reader = OnnxIndexReader(arguments.indices)
    tables = source.surfaces(arguments.surfaces)
    sources = pools(arguments)
    logits, ranks, suits, accuracies = [], [], [], []
    confused: Counter[tuple[str, str]] = Counter()
    print("| source | windows | rank | suit | taken | right |\n|---|---|---|---|---|---|")
    for name, pool in sources.items():
        for kind, rough in WRONG.items():
            for width in WIDTHS:
                views = rendered(pool, tables, width, rough, arguments.count)
                rank, suit = np.array([v.rank for v in views]), np.array([v.suit for v in views])
                got = reader.read(np.stack([v.window for v in views]))
                right = line(f"{name}, {kind}, {width} px", got, rank, suit)
                accuracies.append(right.mean())
                if kind != "rough" and name != "cards53 aside":
                    logits.append(got.logits)
                    ranks.append(rank)
                    suits.append(suit)
                    confused.update((RANKS[a], RANKS[b]) for a, b in zip(rank[~right], got.rank[~right], strict=True))
    for shake, kind in ((0.0, "exact"), (0.04, "off by 4 %")):
        for name, items in photographed(arguments.prepared, arguments.tables, shake).items():
            four = name.split(" ")[0] in FOUR_CORNERS
            for opposite in (0, 1):
                part = [i for i in items if i[1] % 2 == opposite]
                got = reader.read(np.stack([i[0] for i in part]))
                title = f"photographs {name}, {kind}, corners {'1 and 3' if opposite else '0 and 2'}"
                if opposite and not four:
                    taken = (got.score >= THRESHOLD).mean()
                    print(f"| {title}: without index | {len(part)} | | | {taken:.3f} | |")
                else:
                    line(title, got, np.array([i[2] for i in part]), np.array([i[3] for i in part]))
    print("\nranks most often taken for others (read right -> wrong, of exact and found windows):")
    print(", ".join(f"{a} as {b}: {n}" for (a, b), n in confused.most_common(24)))

    type_ = cast(arguments.fonts)
    held = source.flat_faces(arguments.flat, only=source.HELD_OUT)
    wholes = [source.with_smaller(c) for deck in held.values() for c in deck]
    views = [
        v
        for name in ("kde-gm-paris", "npm-letele", "anglo-geaxgx-photo", "gm-paris R D V 1", "cut-outs aside")
        for v in mixed(sources[name], type_, wholes, tables, arguments.count * 6)
    ]
    got = reader.read(np.stack([v.window for v in views]))
    rank, quality = np.array([v.rank for v in views]), np.array([v.quality for v in views])
    there, none = quality > 0.99, quality < 0.01
    print(f"\n{there.sum()} windows of a complete index and {none.sum()} without, as in training, of decks set aside")
    print("\n| threshold | quality: recall | precision | score: recall | precision | rank right of these |")
    print("|---|---|---|---|---|---|")
    for t in THRESHOLDS:
        row = []
        for value in (got.quality, got.score):
            taken = value >= t
            row += [taken[there].mean(), taken[there].sum() / max(taken[there].sum() + taken[none].sum(), 1)]
        taken = (got.score >= t) & there
        print(f"| {t} | " + " | ".join(f"{v:.4f}" for v in [*row, (got.rank == rank)[taken].mean()]) + " |")
    clear = there | none
    reliability("Quality of all these windows:", got.quality[clear], there[clear])
    reliability("Score of all these windows:", got.score[clear], (there & (got.rank == rank))[clear])
    every, rank, suit = np.concatenate(logits), np.concatenate(ranks), np.concatenate(suits)
    probability = softmax(every[:, :15]).max(1)
    reliability("Rank probability of exact and found windows:", probability, every[:, :15].argmax(1) == rank)
    for title, low, high, truth in (("ranks", 0, 15, rank), ("suits", 15, 19, suit)):
        asked = truth >= 0
        print(f"\nbest temperature of the {title}: {temperature(every[asked, low:high], truth[asked]):.2f}")
    mean = float(np.mean(accuracies))
    print(f"mean rank accuracy over the rendered sources: {mean:.4f}")
    return mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("indices", type=Path, help="ONNX weights")
    for name in ("flat", "crops", "surfaces", "prepared", "tables"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--count", type=int, default=250, help="views of a rendered source and size")
    cv2.setNumThreads(1)
    evaluate(parser.parse_args())


if __name__ == "__main__":
    main()
