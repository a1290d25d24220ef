"""Train the card reader.

    python -m models.reader.recipe.train --flat DIR --crops DIR --surfaces DIR --cut DIR \
        --out reader.pt --minutes 60

One thread trains (in bfloat16 where the processor has it), one process draws the views. With the same
seed, data and number of samples (`--samples` instead of `--minutes`) a run repeats itself.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from models import training

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


def train(arguments: argparse.Namespace) -> list[float]:
    """Train, save, and return the loss of every batch."""
    training.settle(arguments.seed)
    views, names, about = collect(arguments)
    print(json.dumps(about), flush=True)
    net, identities = Reader(), Identities(names)
    old: set[str] = set()
    if arguments.init:
        rng = np.random.default_rng(arguments.seed)
        unfilled = training.begin(
            net, arguments.init, lambda: normalise(np.stack([views.draw(rng).crop for _ in range(128)]))
        )
        if arguments.init.suffix == ".onnx":
            old = {name for name, _ in net.named_parameters() if name.startswith("trunk") and name not in unfilled}
        else:
            identities.start(net, [c for g in views.groups for c in g if c.identity >= 0])
    optimiser = torch.optim.AdamW(
        [
            {"params": [p for n, p in net.named_parameters() if n not in old]},
            {"params": [p for n, p in net.named_parameters() if n in old], "lr": arguments.rate * TRUNK_SHARE},
            {"params": list(identities.parameters()), "weight_decay": 0.0},
        ],
        arguments.rate,
        weight_decay=1e-3,
    )

    def judge(answers: tuple[torch.Tensor, torch.Tensor], asked: Asked) -> tuple[torch.Tensor, dict[str, float]]:
        out, vectors = (a.float() for a in answers)
        told = IDENTITY_WEIGHT * identities(vectors, asked.identity)
        french, spanish = asked.rank >= 0, asked.spanish_rank >= 0
        return loss_of(out, asked) + told, {
            "of it vectors": told.item(),
            "rank": (out[french, :13].argmax(1) == asked.rank[french]).float().mean().item(),
            "Spanish": (out[spanish, 18:30].argmax(1) == asked.spanish_rank[spanish]).float().mean().item(),
            "quality off by": (out[:, 17].sigmoid() - asked.quality).abs().mean().item(),
        }

    return training.train(
        training.Run.of(arguments), net, optimiser, Batches(views, arguments.seed), normalise, judge, about
    )


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = training.parser(__doc__, rate=2e-3)
    parser.add_argument("--flat", type=Path, required=True, help="flat faces, one folder a deck")
    parser.add_argument("--crops", type=Path, help="real crops, one folder a card (cards53)")
    parser.add_argument("--cut", type=Path, help="cut-outs that `prepare` wrote (its folder cut)")
    parser.add_argument("--surfaces", type=Path, help="pictures of bare tables")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--drawn", type=int, default=56, help="drawn French decks")
    parser.add_argument("--spanish", type=int, default=70, help="drawn Spanish decks")
    parser.add_argument("--numbered", type=int, default=24, help="drawn decks of other games")
    parser.add_argument("--fresh", type=int, default=4, help="French letterings of each flat face")
    return parser.parse_args(argv)


def main() -> None:
    train(parse())


if __name__ == "__main__":
    main()
