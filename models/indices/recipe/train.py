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
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from models.reader.recipe import cards as source
from models.reader.recipe.letters import find_fonts
from models.reader.recipe.train import running_mean, save

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


def train(arguments: argparse.Namespace) -> list[float]:
    """Train, save, and return the loss of every batch."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)  # before the first use: a process forked from a pool of threads hangs
    torch.manual_seed(arguments.seed)
    windows, about = collect(arguments)
    print(json.dumps(about), flush=True)
    net = IndexReader().to(memory_format=torch.channels_last)
    if arguments.init:
        net.load_state_dict(torch.load(arguments.init))
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=running_mean, use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), arguments.rate, weight_decay=1e-3)
    loader = torch.utils.data.DataLoader(
        Batches(windows, arguments.seed, arguments.pool),
        batch_size=None,
        num_workers=arguments.workers,
        prefetch_factor=8 if arguments.workers else None,
    )
    half = arguments.half and torch.backends.mkldnn.is_available()
    start, seen, saved, recent = time.time(), 0, time.time(), []
    for window, rank, suit, quality in loader:
        passed = (time.time() - start) / 60 / arguments.minutes if arguments.minutes else seen / arguments.samples
        if passed >= 1:
            break
        warm = min(1.0, (seen / BATCH + 1) / 100)
        for group in optimiser.param_groups:
            group["lr"] = arguments.rate * warm * (0.49 * (1 + np.cos(np.pi * passed)) + 0.02)
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            out = net(normalise(window.numpy()))
        loss = loss_of(out.float(), rank, suit, quality)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.update_parameters(net)
        seen += len(window)
        asked, suited = rank >= 0, suit >= 0
        recent.append(
            (
                loss.item(),
                (out[asked, :15].argmax(1) == rank[asked]).float().mean().item(),
                (out[suited, 15:19].argmax(1) == suit[suited]).float().mean().item(),
                (out[:, 19].float().sigmoid() - quality).abs().mean().item(),
            )
        )
        if seen // BATCH % 200 == 0:
            mean, spent = np.mean(recent[-200:], 0), time.time() - start
            print(
                f"{spent:.0f} s, {seen} views, {seen / spent:.0f}/s: loss {mean[0]:.3f}, rank {mean[1]:.3f}, "
                f"suit {mean[2]:.3f}, quality off by {mean[3]:.3f}",
                flush=True,
            )
        if time.time() - saved > 60 * arguments.save_every:
            save(average.module, arguments.out)
            saved = time.time()
    save(average.module, arguments.out)
    about |= {"seed": arguments.seed, "views": seen, "repeat": REPEAT, "seconds": round(time.time() - start)}
    arguments.out.with_suffix(".json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    print(json.dumps(about))
    return [r[0] for r in recent]


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flat", type=Path, required=True, help="flat faces, one folder a deck")
    parser.add_argument("--crops", type=Path, help="real crops, one folder a card (cards53)")
    parser.add_argument("--cut", type=Path, help="cut-outs that the reader's `prepare` wrote (its folder cut)")
    parser.add_argument("--surfaces", type=Path, help="pictures of bare tables")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--out", type=Path, required=True)
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--minutes", type=float)
    length.add_argument("--samples", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init", type=Path, help="weights to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--spanish", type=int, default=24, help="drawn Spanish decks")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--pool", type=int, default=200, help="batches of views that wait to be shown")
    parser.add_argument("--save-every", type=float, default=3, help="minutes between two savings")
    parser.add_argument("--full", dest="half", action="store_false", help="train in 32 bits only")
    return parser.parse_args(argv)


def main() -> None:
    train(parse())


if __name__ == "__main__":
    main()
