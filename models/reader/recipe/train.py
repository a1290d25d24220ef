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
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from models.warm import warm_start

from . import cards as source
from .identities import Identities
from .letters import find_fonts
from .net import Reader, normalise
from .views import View, Views

BATCH = 64
SHARES = {
    "crop": 0.28,
    "flat": 0.10,
    "cut": 0.13,
    "lettered-flat": 0.10,
    "lettered-crop": 0.06,
    "drawn": 0.10,
    "spanish": 0.19,
    "numbered": 0.04,
}
"""How often each kind of card is drawn; ancient_french counts with the lettered faces."""

IDENTITY_WEIGHT = 0.25
TRUNK_SHARE = 0.5
"""Of the learning rate, for the layers that a warm start filled."""


def collect(arguments: argparse.Namespace) -> tuple[Views, list[str], dict[str, object]]:
    """All cards of the data folders, the names of the cards, and a summary for the model card."""
    rng = np.random.default_rng(arguments.seed)
    fonts = find_fonts(arguments.fonts)
    flat = source.flat_faces(arguments.flat)
    faces = [c for deck in flat.values() for c in deck]
    crops = source.real_crops(arguments.crops) if arguments.crops else []
    cuts = source.cut_outs(arguments.cut) if arguments.cut else []
    french = [replace(c, image=source.at_height(c.image, source.HEIGHT)) for c in flat.get("ar-ancient_french", [])]
    groups: dict[str, list[source.Card]] = {
        "crop": source.rimmed(rng, crops),
        "flat": [replace(c, image=source.at_height(c.image, source.HEIGHT)) for c in faces],
        "cut": cuts,
        "lettered-flat": french * 3
        + source.relettered(rng, faces, fonts, ("french",) * arguments.fresh + ("german", "french-as")),
        "lettered-crop": source.rimmed(rng, source.relettered(rng, crops, fonts, ("french", "german"))),
        "drawn": source.drawn_decks(rng, fonts, arguments.drawn, flat),
        "spanish": source.spanish_decks(rng, fonts, arguments.spanish),
        "numbered": source.numbered_decks(rng, fonts, arguments.fonts, arguments.numbered),
    }
    groups, names = source.with_identities(groups)
    tables = source.surfaces(arguments.surfaces) if arguments.surfaces else []
    about = {
        "counts": {k: len(v) for k, v in groups.items()},
        "surfaces": len(tables),
        "identities": len(names),
        "digest": source.digest(c for g in groups.values() for c in g),
        "decks": sorted(flat),
    }
    return Views(list(groups.values()), [SHARES[k] for k in groups], tables), names, about


@dataclass(frozen=True)
class Asked:
    """What a batch of n views is to be answered: (n,) each, -1 where it is not asked; qualities 0 to 1."""

    rank: torch.Tensor
    suit: torch.Tensor
    quality: torch.Tensor
    spanish_rank: torch.Tensor
    spanish_suit: torch.Tensor
    identity: torch.Tensor

    @classmethod
    def of(cls, views: list[View]) -> Asked:
        return cls(
            torch.tensor([v.rank for v in views]),
            torch.tensor([v.suit for v in views]),
            torch.tensor([v.quality for v in views], dtype=torch.float32),
            torch.tensor([v.spanish[0] for v in views]),
            torch.tensor([v.spanish[1] for v in views]),
            torch.tensor([v.identity for v in views]),
        )


class Batches(torch.utils.data.IterableDataset):
    """Endless batches of views: crops and what is asked of them."""

    def __init__(self, views: Views, seed: int) -> None:
        self.views, self.seed = views, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, Asked]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        drawn: list[View] = []
        while True:
            while len(drawn) < BATCH:
                drawn += self.views.scene(rng)
            batch, drawn = drawn[:BATCH], drawn[BATCH:]
            yield torch.from_numpy(np.stack([v.crop for v in batch])), Asked.of(batch)


def _named(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Cross entropy, mean over the views that are asked."""
    known = (wanted >= 0).sum().clamp(min=1)
    return F.cross_entropy(logits, wanted, label_smoothing=0.01, ignore_index=-1, reduction="sum") / known


def loss_of(out: torch.Tensor, asked: Asked) -> torch.Tensor:
    """Cross entropy of rank and suit, French and Spanish (where asked), and of the fit of the quad."""
    french = _named(out[:, :13], asked.rank) + 0.7 * _named(out[:, 13:17], asked.suit)
    spanish = _named(out[:, 18:30], asked.spanish_rank) + 0.7 * _named(out[:, 30:34], asked.spanish_suit)
    quality = F.binary_cross_entropy_with_logits(out[:, 17], asked.quality)
    return french + 0.4 * spanish + 0.7 * quality


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
    views, names, about = collect(arguments)
    print(json.dumps(about), flush=True)
    net, identities = Reader(), Identities(names)
    old: set[str] = set()
    if arguments.init and arguments.init.suffix == ".onnx":
        rng = np.random.default_rng(arguments.seed)
        batch = normalise(np.stack([views.draw(rng).crop for _ in range(128)]))
        unfilled = warm_start(net, arguments.init, batch)
        old = {name for name, _ in net.named_parameters() if name.startswith("trunk") and name not in unfilled}
        print(f"filled from {arguments.init.name}, but for {unfilled}", flush=True)
    elif arguments.init:
        net.load_state_dict(torch.load(arguments.init))
        identities.start(net, [c for g in views.groups for c in g if c.identity >= 0])
    net = net.to(memory_format=torch.channels_last)
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=running_mean, use_buffers=True)
    optimiser = torch.optim.AdamW(
        [
            {"params": [p for n, p in net.named_parameters() if n not in old], "share": 1.0},
            {"params": [p for n, p in net.named_parameters() if n in old], "share": TRUNK_SHARE},
            {"params": list(identities.parameters()), "share": 1.0, "weight_decay": 0.0},
        ],
        arguments.rate,
        weight_decay=1e-3,
    )
    loader = torch.utils.data.DataLoader(
        Batches(views, arguments.seed),
        batch_size=None,
        num_workers=arguments.workers,
        prefetch_factor=8 if arguments.workers else None,
    )
    half = arguments.half and torch.backends.mkldnn.is_available()
    start, seen, saved, recent = time.time(), 0, time.time(), []
    for crops, asked in loader:
        passed = (time.time() - start) / 60 / arguments.minutes if arguments.minutes else seen / arguments.samples
        if passed >= 1:
            break
        warm = min(1.0, (seen / BATCH + 1) / 100)
        for group in optimiser.param_groups:
            group["lr"] = arguments.rate * group["share"] * warm * (0.49 * (1 + np.cos(np.pi * passed)) + 0.02)
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            out, vectors = net(normalise(crops.numpy()))
        told = identities(vectors.float(), asked.identity)
        loss = loss_of(out.float(), asked) + IDENTITY_WEIGHT * told
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.update_parameters(net)
        seen += len(crops)
        french, spanish = asked.rank >= 0, asked.spanish_rank >= 0
        recent.append(
            (
                loss.item(),
                told.item(),
                (out[french, :13].argmax(1) == asked.rank[french]).float().mean().item(),
                (out[spanish, 18:30].argmax(1) == asked.spanish_rank[spanish]).float().mean().item(),
                (out[:, 17].float().sigmoid() - asked.quality).abs().mean().item(),
            )
        )
        if seen // BATCH % 200 == 0:
            mean, spent = np.nanmean(recent[-200:], 0), time.time() - start
            print(
                f"{spent:.0f} s, {seen} views, {seen / spent:.0f}/s: loss {mean[0]:.3f}, of it vectors "
                f"{IDENTITY_WEIGHT * mean[1]:.3f}, rank {mean[2]:.3f}, Spanish {mean[3]:.3f}, "
                f"quality off by {mean[4]:.3f}",
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
    parser.add_argument("--init", type=Path, help="weights to go on from: .pt of the same net, or an older .onnx")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--drawn", type=int, default=56, help="drawn French decks")
    parser.add_argument("--spanish", type=int, default=70, help="drawn Spanish decks")
    parser.add_argument("--numbered", type=int, default=24, help="drawn decks of other games")
    parser.add_argument("--fresh", type=int, default=4, help="French letterings of each flat face")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--save-every", type=float, default=3, help="minutes between two savings")
    parser.add_argument("--full", dest="half", action="store_false", help="train in 32 bits only")
    return parser.parse_args(argv)


def main() -> None:
    train(parse())


if __name__ == "__main__":
    main()
