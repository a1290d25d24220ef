"""Train the card reader.

    python -m models.reader.recipe.train --flat DIR --crops DIR --surfaces DIR --cut DIR \
        --out reader.pt --minutes 60

One thread trains (in bfloat16 where the processor has it), one process draws the views. With the same
seed, data and number of samples (`--samples` instead of `--minutes`) a run repeats itself.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from . import cards as source
from .letters import find_fonts
from .net import Reader, normalise
from .views import Views

BATCH = 64
SHARES = {
    "crop": 0.36,
    "flat": 0.10,
    "cut": 0.16,
    "lettered-flat": 0.12,
    "lettered-crop": 0.10,
    "drawn": 0.16,
}
"""How often each kind of card is drawn; ancient_french counts with the lettered faces."""


def collect(arguments: argparse.Namespace) -> tuple[Views, dict[str, object]]:
    """All cards of the data folders, with a summary for the model card."""
    rng = np.random.default_rng(arguments.seed)
    fonts = find_fonts(arguments.fonts)
    flat = source.flat_faces(arguments.flat)
    faces = [c for deck in flat.values() for c in deck]
    crops = source.real_crops(arguments.crops) if arguments.crops else []
    cuts = source.cut_outs(arguments.cut) if arguments.cut else []
    french = [replace(c, image=source.at_height(c.image, source.HEIGHT)) for c in flat.get("ar-ancient_french", [])]
    groups = {
        "crop": source.rimmed(rng, crops),
        "flat": [replace(c, image=source.at_height(c.image, source.HEIGHT)) for c in faces],
        "cut": cuts,
        "lettered-flat": french * 3
        + source.relettered(rng, faces, fonts, ("french",) * arguments.fresh + ("german", "french-as")),
        "lettered-crop": source.rimmed(rng, source.relettered(rng, crops, fonts, ("french", "french", "german"))),
        "drawn": source.drawn_decks(rng, fonts, arguments.drawn, flat),
    }
    tables = source.surfaces(arguments.surfaces) if arguments.surfaces else []
    about = {
        "counts": {k: len(v) for k, v in groups.items()},
        "surfaces": len(tables),
        "digest": source.digest(c for g in groups.values() for c in g),
        "decks": sorted(flat),
    }
    return Views(list(groups.values()), [SHARES[k] for k in groups], tables), about


class Batches(torch.utils.data.IterableDataset):
    """Endless batches of views: crops, ranks, suits, qualities."""

    def __init__(self, views: Views, seed: int) -> None:
        self.views, self.seed = views, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:
            batch = [self.views.draw(rng) for _ in range(BATCH)]
            yield (
                torch.from_numpy(np.stack([v.crop for v in batch])),
                torch.tensor([v.rank for v in batch]),
                torch.tensor([v.suit for v in batch]),
                torch.tensor([v.quality for v in batch], dtype=torch.float32),
            )


def loss_of(out: torch.Tensor, rank: torch.Tensor, suit: torch.Tensor, quality: torch.Tensor) -> torch.Tensor:
    """Cross entropy of rank and suit (where known) and of the fit of the quad."""
    known = (rank >= 0).sum().clamp(min=1)
    suited = (suit >= 0).sum().clamp(min=1)
    ranks = F.cross_entropy(out[:, :13], rank, label_smoothing=0.03, ignore_index=-1, reduction="sum") / known
    suits = F.cross_entropy(out[:, 13:17], suit, label_smoothing=0.03, ignore_index=-1, reduction="sum") / suited
    return ranks + 0.7 * suits + 0.7 * F.binary_cross_entropy_with_logits(out[:, 17], quality)


@torch.no_grad()
def running_mean(kept: list[torch.Tensor], new: list[torch.Tensor], count: torch.Tensor) -> None:
    """Mean of the weights over the last some 500 steps, over fewer at first (in place).

    What the averaged weights know, the last ones know too, less reliably: they shake with every batch.
    """
    decay = min(0.998, float((1 + count) / (10 + count)))
    for old, now in zip(kept, new, strict=True):
        if old.is_floating_point():
            old.lerp_(now, 1 - decay)
        else:
            old.copy_(now)


def save(net: torch.nn.Module, path: Path) -> None:
    """Write the weights in one step, so that a reader of the file never sees half of them."""
    part = path.with_suffix(".part")
    torch.save(net.state_dict(), part)
    os.replace(part, path)


def train(arguments: argparse.Namespace) -> list[float]:
    """Train, save, and return the loss of every batch."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)  # before the first use: a process forked from a pool of threads hangs
    torch.manual_seed(arguments.seed)
    views, about = collect(arguments)
    print(json.dumps(about), flush=True)
    net = Reader().to(memory_format=torch.channels_last)
    if arguments.init:
        net.load_state_dict(torch.load(arguments.init))
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=running_mean, use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), arguments.rate, weight_decay=1e-3)
    loader = torch.utils.data.DataLoader(
        Batches(views, arguments.seed),
        batch_size=None,
        num_workers=arguments.workers,
        prefetch_factor=8 if arguments.workers else None,
    )
    half = arguments.half and torch.backends.mkldnn.is_available()
    start, seen, saved, recent = time.time(), 0, time.time(), []
    for crops, rank, suit, quality in loader:
        passed = (time.time() - start) / 60 / arguments.minutes if arguments.minutes else seen / arguments.samples
        if passed >= 1:
            break
        warm = min(1.0, (seen / BATCH + 1) / 100)
        for group in optimiser.param_groups:
            group["lr"] = arguments.rate * warm * (0.49 * (1 + np.cos(np.pi * passed)) + 0.02)
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            out = net(normalise(crops.numpy()))
        loss = loss_of(out.float(), rank, suit, quality)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.update_parameters(net)
        seen += len(crops)
        asked = rank >= 0
        recent.append(
            (
                loss.item(),
                (out[asked, :13].argmax(1) == rank[asked]).float().mean().item(),
                (out[:, 17].float().sigmoid() - quality).abs().mean().item(),
            )
        )
        if seen // BATCH % 200 == 0:
            mean, spent = np.mean(recent[-200:], 0), time.time() - start
            print(
                f"{spent:.0f} s, {seen} views, {seen / spent:.0f}/s: loss {mean[0]:.3f}, rank {mean[1]:.3f}, "
                f"quality off by {mean[2]:.3f}",
                flush=True,
            )
        if time.time() - saved > 60 * arguments.save_every:
            save(average.module, arguments.out)
            saved = time.time()
    save(average.module, arguments.out)
    about |= {"seed": arguments.seed, "views": seen, "seconds": round(time.time() - start)}
    arguments.out.with_suffix(".json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    print(json.dumps(about))
    return [r[0] for r in recent]


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flat", type=Path, required=True, help="flat faces, one folder a deck")
    parser.add_argument("--crops", type=Path, help="real crops, one folder a card (cards53)")
    parser.add_argument("--cut", type=Path, help="cut-outs that `prepare` wrote (its folder cut)")
    parser.add_argument("--surfaces", type=Path, help="pictures of bare tables")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--out", type=Path, required=True)
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--minutes", type=float)
    length.add_argument("--samples", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init", type=Path, help="weights to go on from")
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--drawn", type=int, default=80, help="drawn decks")
    parser.add_argument("--fresh", type=int, default=4, help="French letterings of each flat face")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--save-every", type=float, default=3, help="minutes between two savings")
    parser.add_argument("--full", dest="half", action="store_false", help="train in 32 bits only")
    return parser.parse_args(argv)


def main() -> None:
    train(parse())


if __name__ == "__main__":
    main()
