"""How well a reader reads what its training never saw: the development set, source by source.

    python -m models.reader.recipe.evaluate reader.onnx --flat DIR --crops DIR \
        --surfaces DIR --prepared DIR --tables DIR

Sources: crops set aside of cards53 and drawn decks held out of training (gm-paris as it is, and with R D V 1
over its letters), laid on tables and seen at three sizes; real photographs set aside by `prepare`, cut out
through their quads as they are and shrunk to a half and to a third. Score = rank probability x quality, as
the runtime counts it (mean of both half turns). Also printed: how often a wrong quad or a bare table is
taken for a card, and how right a score is (reliability); a Spanish deck by the Spanish answers; cards covered
in part, by what is seen of them; and every held-out deck read by comparison with one view a card.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from . import cards as source
from .letters import find_fonts
from .views import View, Views, straightened

THRESHOLD = 0.7
CONTRARY = "letters of other courts"
"""Ends the names of sources that no deck is like; they have rows of their own and count in no mean."""

LIKENESSES = (0.5, 0.6, 0.7)
"""Cosines from which on a view may count as an enrolled card."""

SHARES = (0.25, 0.5, 0.75, 0.9, 1.0)
"""Bounds of the visible share in the tables of covered cards."""

MEAN, DEVIATION = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])


@dataclass(frozen=True)
class Reading:
    """Arrays over n crops: rank, suit, score, the same as Spanish cards, quality, vectors (n, 128)."""

    rank: np.ndarray
    suit: np.ndarray
    score: np.ndarray
    spanish_rank: np.ndarray
    spanish_suit: np.ndarray
    spanish_score: np.ndarray
    quality: np.ndarray
    vectors: np.ndarray


def _softmax(z: np.ndarray) -> np.ndarray:
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


class OnnxReader:
    """The shipped weights, read as the runtime reads them; older ones without Spanish answers and vectors too."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.has_vectors = len(self.session.get_outputs()) > 1

    def answers(self, crops: np.ndarray) -> list[np.ndarray]:
        """Probabilities of rank (n, 13), suit (n, 4), quality (n, 1), Spanish rank and suit; vectors; one turn."""
        parts, vectors = [], []
        for i in range(0, len(crops), 64):
            x = (crops[i : i + 64, :, :, ::-1].astype(np.float32) / 255 - MEAN) / DEVIATION
            got = self.session.run(None, {"x": np.ascontiguousarray(x.transpose(0, 3, 1, 2))})
            parts.append(got[0])
            vectors.append(got[1] if self.has_vectors else np.ones((len(x), 1), np.float32))
        out = np.concatenate(parts)
        if not self.has_vectors:
            out = np.c_[out, np.zeros((len(out), 16), np.float32)]
        return [
            _softmax(out[:, :13]),
            _softmax(out[:, 13:17]),
            1 / (1 + np.exp(-out[:, 17:18])),
            _softmax(out[:, 18:30]),
            _softmax(out[:, 30:34]),
            np.concatenate(vectors),
        ]

    def read(self, crops: np.ndarray) -> Reading:
        """Mean of both half turns."""
        turns = zip(self.answers(crops), self.answers(crops[:, ::-1, ::-1]), strict=True)
        rank, suit, quality, spanish_rank, spanish_suit, vectors = ((p + q) / 2 for p, q in turns)
        return Reading(
            rank.argmax(1),
            suit.argmax(1),
            rank.max(1) * quality[:, 0],
            spanish_rank.argmax(1),
            spanish_suit.argmax(1),
            spanish_rank.max(1) * quality[:, 0],
            quality[:, 0],
            vectors / np.linalg.norm(vectors, axis=1, keepdims=True),
        )


def drawn_views(views: Views, count: int, seed: int, least: float = 0.0) -> list[View]:
    """Views with a nearly right quad, of which at least a share `least` is seen."""
    rng, out = np.random.default_rng(seed), []
    while len(out) < count:
        view = views.draw(rng)
        if max(view.rank, view.spanish[0], view.identity) >= 0 and view.quality > 0.8 and view.visible >= least:
            out.append(view)
    return out


def rendered(cards: list[source.Card], tables: list[np.ndarray], short: float, count: int, seed: int) -> list:
    """Views of cards about `short` pixels wide: quads nearly right, light and camera as in training."""
    views = Views([cards], [1.0], tables, short * 0.9, short * 1.1, covered=0.12)
    return [(v.crop, v.rank, v.suit) for v in drawn_views(views, count, seed)]


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


def _share(right: np.ndarray) -> float:
    return float(right.mean()) if len(right) else float("nan")


def print_table(reader: OnnxReader, sets: dict[str, list], threshold: float) -> tuple[float, np.ndarray, np.ndarray]:
    """The table of the sources; returns the mean rank accuracy, and score and correctness of every crop."""
    scores, rights, accuracies = [], [], []
    print("| source | crops | rank | suit | taken | right |\n|---|---|---|---|---|---|")
    for name, items in sets.items():
        crops = np.stack([c for c, _, _ in items])
        ranks, suits = np.array([r for _, r, _ in items]), np.array([s for _, _, s in items])
        got = reader.read(crops)
        right, suited = got.rank == ranks, suits >= 0
        taken = got.score >= threshold
        suit = f"{(got.suit == suits)[suited].mean():.3f}" if suited.any() else "-"
        print(
            f"| {name} | {len(crops)} | {right.mean():.3f} | {suit} | {taken.mean():.3f} | {_share(right[taken]):.4f} |"
        )
        if CONTRARY in name:
            continue
        accuracies.append(right.mean())
        scores.append(got.score)
        rights.append(right)
    return float(np.mean(accuracies)), np.concatenate(scores), np.concatenate(rights)


def print_spanish(reader: OnnxReader, deck: list[source.Card], tables: list[np.ndarray], count: int) -> None:
    """A Spanish deck that training never saw, read by the Spanish answers."""
    print(
        "\n| Spanish deck, its rank and suit answers | crops | rank | suit | taken | right |\n|---|---|---|---|---|---|"
    )
    for short in (32, 50, 90):
        views = drawn_views(Views([deck], [1.0], tables, short * 0.9, short * 1.1, covered=0.12), count, 17)
        got = reader.read(np.stack([v.crop for v in views]))
        right = got.spanish_rank == np.array([v.spanish[0] for v in views])
        suit = got.spanish_suit == np.array([v.spanish[1] for v in views])
        taken = got.spanish_score >= THRESHOLD
        print(
            f"| spanish-mcmd {short} px | {len(views)} | {right.mean():.3f} | {suit.mean():.3f} | {taken.mean():.3f} | "
            f"{_share(right[taken]):.4f} |"
        )


def print_covered(
    reader: OnnxReader, decks: dict[str, list[source.Card]], tables: list[np.ndarray], count: int
) -> None:
    """French decks with something over every card: right ranks by what is seen of the card."""
    print("\n| covered cards | seen | crops | rank | taken | right | quality |\n|---|---|---|---|---|---|---|")
    for name, deck in decks.items():
        views = drawn_views(Views([deck], [1.0], tables, 40, 110, covered=1.0), 2 * count, 19, 0.12)
        got = reader.read(np.stack([v.crop for v in views]))
        right = got.rank == np.array([v.rank for v in views])
        seen, taken = np.array([v.visible for v in views]), got.score >= THRESHOLD
        for low, high in zip((0.12, *SHARES), SHARES, strict=False):
            of = (seen >= low) & (seen < high + (high == 1))
            if of.any():
                print(
                    f"| {name} | {low} to {high} | {of.sum()} | {right[of].mean():.3f} | {taken[of].mean():.3f} | "
                    f"{_share(right[of & taken]):.4f} | {got.quality[of].mean():.2f} |"
                )


def print_enrolled(
    reader: OnnxReader, decks: dict[str, list[source.Card]], tables: list[np.ndarray], count: int
) -> None:
    """Decks read by comparison: gallery of one view a card, queries in other light and sizes, covered or not.

    Every fifth card of each deck is left out of the gallery: what is taken for another card then is wrong.
    """
    print("\nvectors: nearest of a gallery of one view a card; from a likeness on: right ranks, wrong, strangers taken")
    likely = " | ".join(f"{t}: right, wrong, strangers" for t in LIKENESSES)
    print(f"| deck | seen | crops | card | rank | {likely} |\n|---|---|---|---|---|{'---|' * len(LIKENESSES)}")
    for name, deck in decks.items():
        cards = [replace(c, identity=i) for i, c in enumerate(deck)]
        gallery = np.stack(
            [drawn_views(Views([[c]], [1.0], tables, 60, 110, covered=0), 1, 100 + c.identity)[0].crop for c in cards]
        )
        vectors = reader.read(gallery).vectors
        stranger = np.arange(len(cards)) % 5 == 4
        ranks = np.array([c.name.split("/")[-1][:-1] for c in cards])
        views = drawn_views(Views([cards], [1.0], tables, 36, 120, covered=0.6), 2 * count, 23, 0.25)
        views = [v for v in views if v.identity >= 0]
        likeness = reader.read(np.stack([v.crop for v in views])).vectors @ vectors.T
        who = np.array([v.identity for v in views])
        nearest = likeness.argmax(1)
        right, rank = nearest == who, ranks[nearest] == ranks[who]
        best = likeness.max(1)
        without = np.where(stranger, -1.0, likeness).max(1)
        seen = np.array([v.visible for v in views])
        for low, high in pairwise(SHARES):
            of = (seen >= low) & (seen < high + (high == 1))
            if not of.any():
                continue
            cells = []
            for t in LIKENESSES:
                taken, strangers = of & (best >= t), of & stranger[who]
                cells.append(
                    f"{(rank & taken).sum() / of.sum():.3f}, {(~rank & taken).sum() / of.sum():.3f}, "
                    f"{_share(without[strangers] >= t):.2f}"
                )
            print(
                f"| {name} | {low} to {high} | {of.sum()} | {right[of].mean():.3f} | {rank[of].mean():.3f} | "
                + " | ".join(cells)
                + " |"
            )


def evaluate(arguments: argparse.Namespace) -> float:
    """Print the tables; returns the mean rank accuracy over the French sources."""
    reader = OnnxReader(arguments.reader)
    tables = source.surfaces(arguments.surfaces)
    rng = np.random.default_rng(7)
    aside = {name: source.held_out(arguments.flat, name) for name in source.HELD_OUT}
    held = {name: aside[name] for name in ("kde-gm-paris", "anglo-geaxgx-photo")}
    large = source.held_out(arguments.flat, "kde-gm-paris", source.LETTERING_HEIGHT)
    paris, fonts = [c for c in large if source.RANKS[c.rank] in "AJQK"], find_fonts(arguments.fonts)
    pools = {
        "cards53 aside": source.rimmed(rng, source.real_crops(arguments.crops, development=True)),
        **held,
        "gm-paris courts R D V 1": source.relettered(rng, paris, fonts, ("french",) * 3),
        f"gm-paris courts, {CONTRARY}": source.relettered(rng, paris, fonts, ("french",) * 3, swapped=True),
    }
    sets: dict[str, list] = {}
    for name, pool in pools.items():
        for short in (32, 50, 90):
            if short >= pool[0].least:
                sets[f"{name} {short} px"] = rendered(pool, tables, short, arguments.count, 11)
    sets |= photographed(arguments.prepared, arguments.tables)
    mean, score, right = print_table(reader, sets, THRESHOLD)
    usual = [pool for name, pool in pools.items() if CONTRARY not in name]
    bad = reader.read(wrong(Views(usual, [1.0] * len(usual), tables), arguments.count, 13))
    for threshold in (THRESHOLD, 0.85):
        taken = (bad.score >= threshold).mean()
        print(f"wrong quads and bare tables taken for a card at {threshold}: {taken:.4f}")
    print("\n| score (crops with good quads, real and rendered) | crops | share right |\n|---|---|---|")
    for low in (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        inside = (score >= low) & (score < low + 0.1 + (low == 0.9))
        if inside.any():
            print(f"| {low:.1f} to {low + 0.1:.1f} | {inside.sum()} | {right[inside].mean():.3f} |")
    print(f"\nmean rank accuracy over the sources: {mean:.4f}")
    print_covered(reader, held, tables, arguments.count)
    if reader.has_vectors:
        print_spanish(reader, aside["spanish-mcmd"], tables, arguments.count)
        print_enrolled(reader, aside, tables, arguments.count)
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
