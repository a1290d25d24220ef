"""Train the index reader.

    python -m models.indices.recipe.train --flat DIR --crops DIR --surfaces DIR --cut DIR \
        --out indices.pt --minutes 35

One thread trains (in bfloat16 where the processor has it), one process draws the windows. With the same
seed, data and number of samples (`--samples` instead of `--minutes`) a run repeats itself.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from models import training
from models.reader.recipe import cards as source
from models.reader.recipe.letters import find_fonts

from .corners import FOUR_CORNERS, HEIGHT, LETTERLESS, Corner, corners_of, crop_corners, cut_corners, spanish_corners
from .fresh import cast
from .net import IndexReader, normalise
from .windows import Windows

BATCH = 128
SHARES = {"flat": 0.2, "lettered": 0.2, "crop": 0.35, "cut": 0.16, "spanish": 0.09}
"""How often each kind of corner is taken when none is drawn afresh."""

REPEAT = 2
"""How often a view is shown, in batches mixed anew: drawing costs more than learning."""


def collect(arguments: argparse.Namespace) -> tuple[Windows, dict[str, object]]:
    """All corners of the data folders, with a summary for the model card."""
    rng = np.random.default_rng(arguments.seed)
    flat = source.flat_faces(arguments.flat)
    fonts = find_fonts(arguments.fonts)
    groups: dict[str, list[Corner]] = {k: [] for k in SHARES}
    for name, deck in flat.items():
        groups["flat"] += corners_of(deck, name in FOUR_CORNERS, LETTERLESS.get(name, ""))
        lettered = source.relettered(rng, deck, fonts, ("french", "french", "french", "german", "english"))
        groups["lettered"] += [c for c in corners_of(lettered, name in FOUR_CORNERS) if c.indexed]
    if arguments.crops:
        crops = source.real_crops(arguments.crops)
        groups["crop"] = crop_corners(rng, crops)
        lettered = source.relettered(rng, crops, fonts, ("french", "german"))
        groups["lettered"] += crop_corners(rng, lettered)
    if arguments.cut:
        groups["cut"] = cut_corners(source.cut_outs(arguments.cut))
    spanish = source.spanish_decks(rng, fonts, arguments.spanish)
    groups["spanish"] = spanish_corners(spanish)
    faces = [c for deck in flat.values() for c in deck] + spanish[:: max(1, len(spanish) // 240)]
    wholes = [
        source.with_smaller(source.Card(source.at_height(c.image, HEIGHT), c.rank, c.suit, c.kind)) for c in faces
    ]
    tables = source.surfaces(arguments.surfaces) if arguments.surfaces else []
    type_ = cast(arguments.fonts)
    digest = hashlib.sha256()
    for group in groups.values():
        for corner in group:
            digest.update(f"{corner.card.kind} {corner.card.rank} {corner.card.suit} {corner.right}".encode())
            digest.update(corner.card.image.tobytes())
    about = {
        "counts": {k: len(v) for k, v in groups.items()},
        "with an index": {k: sum(c.indexed for c in v) for k, v in groups.items()},
        "glyphs": {k: len(v) for k, v in type_.glyphs.items()},
        "marks": {k: len(v) for k, v in type_.marks.items()},
        "surfaces": len(tables),
        "digest": digest.hexdigest()[:16],
        "decks": sorted(flat),
    }
    return Windows(list(groups.values()), list(SHARES.values()), type_, wholes, tables), about


class Batches(torch.utils.data.IterableDataset):
    """Endless batches of views: windows, ranks, suits, qualities.

    Views wait in a pool and leave it at random, each after REPEAT showings: neighbours of one scene
    do not meet in one batch.
    """

    def __init__(self, windows: Windows, seed: int, pool: int) -> None:
        self.windows, self.seed, self.pool = windows, seed, pool

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        pool: list[list] = []  # view, showings left
        while True:
            while len(pool) < self.pool * BATCH:
                pool += [[view, REPEAT] for view in self.windows.draw(rng)]
            order = rng.choice(len(pool), BATCH, replace=False)
            batch = [pool[i][0] for i in order]
            yield (
                torch.from_numpy(np.stack([v.window for v in batch])),
                torch.tensor([v.rank for v in batch]),
                torch.tensor([v.suit for v in batch]),
                torch.tensor([v.quality for v in batch], dtype=torch.float32),
            )
            for i in order:
                pool[i][1] -= 1
            pool = [entry for entry in pool if entry[1] > 0]


def loss_of(out: torch.Tensor, rank: torch.Tensor, suit: torch.Tensor, quality: torch.Tensor) -> torch.Tensor:
    """Cross entropy of rank and suit (where asked) and of the quality."""
    known, suited = (rank >= 0).sum().clamp(min=1), (suit >= 0).sum().clamp(min=1)
    ranks = F.cross_entropy(out[:, :15], rank, label_smoothing=0.02, ignore_index=-1, reduction="sum") / known
    suits = F.cross_entropy(out[:, 15:19], suit, label_smoothing=0.02, ignore_index=-1, reduction="sum") / suited
    return ranks + 0.6 * suits + 0.8 * F.binary_cross_entropy_with_logits(out[:, 19], quality)


def judge(
    out: torch.Tensor, rank: torch.Tensor, suit: torch.Tensor, quality: torch.Tensor
) -> tuple[torch.Tensor, dict[str, float]]:
    """The loss of a batch, and how well it went."""
    out, asked, suited = out.float(), rank >= 0, suit >= 0
    return loss_of(out, rank, suit, quality), {
        "rank": (out[asked, :15].argmax(1) == rank[asked]).float().mean().item(),
        "suit": (out[suited, 15:19].argmax(1) == suit[suited]).float().mean().item(),
        "quality off by": (out[:, 19].sigmoid() - quality).abs().mean().item(),
    }


def train(arguments: argparse.Namespace) -> list[float]:
    """Train, save, and return the loss of every batch."""
    training.settle(arguments.seed)
    windows, about = collect(arguments)
    print(json.dumps(about), flush=True)
    net, batches = IndexReader(), Batches(windows, arguments.seed, arguments.pool)
    if arguments.init:
        training.begin(net, arguments.init, lambda: normalise(next(iter(batches))[0].numpy()))
    optimiser = torch.optim.AdamW(net.parameters(), arguments.rate, weight_decay=1e-3)
    return training.train(
        training.Run.of(arguments), net, optimiser, batches, normalise, judge, about | {"repeat": REPEAT}
    )


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = training.parser(__doc__, rate=3e-3)
    parser.add_argument("--flat", type=Path, required=True, help="flat faces, one folder a deck")
    parser.add_argument("--crops", type=Path, help="real crops, one folder a card (cards53)")
    parser.add_argument("--cut", type=Path, help="cut-outs that the reader's `prepare` wrote (its folder cut)")
    parser.add_argument("--surfaces", type=Path, help="pictures of bare tables")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--spanish", type=int, default=24, help="drawn Spanish decks")
    parser.add_argument("--pool", type=int, default=200, help="batches of views that wait to be shown")
    return parser.parse_args(argv)


def main() -> None:
    train(parse())


if __name__ == "__main__":
    main()
