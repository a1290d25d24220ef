"""Train the card finder.

    python -m models.finder.recipe.train --flat DIR --crops DIR --surfaces DIR --prepared DIR --tables DIR \\
        --out finder.pt --minutes 45

`--prepared` is what `models.reader.recipe.prepare` wrote. A third of the pictures are photographs (half of
those as mosaics of four), the others are rendered. One thread trains, one process draws.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models import training
from models.reader.recipe import cards as source
from models.reader.recipe.letters import find_fonts

from . import photographs
from .net import Finder, normalise
from .scenes import Scenes
from .targets import FIELDS, Target, loss_of, target

SIZE, BATCH = 256, 12
REAL_SHARE, MOSAIC_SHARE = 0.35, 0.45
PARTS = ("entropy", "inside", "border", "depth", "geometry", "heat", "axes")
"""What the loss is made of, in the order that `loss_of` gives it."""


def collect(arguments: argparse.Namespace) -> tuple[Scenes, list[photographs.Photograph], dict[str, object]]:
    """The cards to render with, the photographs, and a summary for the model card."""
    rng = np.random.default_rng(arguments.seed)
    fonts = find_fonts(arguments.fonts)
    flat = source.flat_faces(arguments.flat)
    decks = [[replace(c, image=source.at_height(c.image, source.HEIGHT)) for c in d] for d in flat.values()]
    crops = source.rimmed(rng, source.real_crops(arguments.crops))[:: arguments.thin] if arguments.crops else []
    cuts = source.cut_outs(arguments.prepared / "cut") if arguments.prepared else []
    drawn = [source.drawn_decks(rng, fonts, 1, flat) for _ in range(arguments.drawn)]
    groups = [crops, cuts, *decks, *drawn]
    shares = [0.4, 0.12, *[0.3 / len(decks)] * len(decks), *[0.18 / max(len(drawn), 1)] * len(drawn)]
    tables = source.surfaces(arguments.surfaces) if arguments.surfaces else []
    real = photographs.load(arguments.prepared, arguments.tables) if arguments.prepared else []
    about = {
        "crops": len(crops),
        "cut-outs": len(cuts),
        "flat decks": sorted(flat),
        "drawn decks": len(drawn),
        "surfaces": len(tables),
        "photographs": len(real),
        "quads": sum(len(p.quads) for p in real),
        "digest": source.digest(c for g in groups for c in g),
    }
    return Scenes(groups, shares, tables), real, about


def mosaic(rng: np.random.Generator, real: list[photographs.Photograph]) -> tuple[np.ndarray, Target]:
    """Four photographs in one picture, each tile with its own truth: small cards in many surroundings."""
    half = SIZE // 2
    tiles = []
    for _ in range(4):
        tile = photographs.view(rng, real[rng.integers(len(real))], half, 12, 58)
        image = photographs.toned(rng, tile.image)
        tiles.append((image, target(tile.quads, tile.holes, tile.unknown, half, half)))

    def joined(arrays: list[np.ndarray]) -> np.ndarray:
        top, bottom = (np.concatenate(arrays[i : i + 2], axis=-1) for i in (0, 2))
        return np.concatenate([top, bottom], axis=-2)

    image = np.vstack([np.hstack([t[0] for t in tiles[:2]]), np.hstack([t[0] for t in tiles[2:]])])
    return image, Target(**{name: joined([getattr(t, name) for _, t in tiles]) for name in FIELDS})


def draw(rng: np.random.Generator, scenes: Scenes, real: list[photographs.Photograph]) -> tuple[np.ndarray, Target]:
    """One training picture with its target."""
    if not real or rng.random() >= REAL_SHARE:
        picture = scenes.draw(rng, SIZE)
        return picture.image, target(picture.quads, picture.holes, picture.unknown, SIZE, SIZE, list(picture.face_up))
    if rng.random() < MOSAIC_SHARE:
        return mosaic(rng, real)
    picture = photographs.view(rng, real[rng.integers(len(real))], SIZE, 18, 125)
    image = photographs.toned(rng, picture.image)
    return image, target(picture.quads, picture.holes, picture.unknown, SIZE, SIZE)


class Batches(torch.utils.data.IterableDataset):
    """Endless batches: pictures and the arrays of their targets, in the order of FIELDS."""

    def __init__(self, scenes: Scenes, real: list[photographs.Photograph], seed: int) -> None:
        self.scenes, self.real, self.seed = scenes, real, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:
            drawn = [draw(rng, self.scenes, self.real) for _ in range(BATCH)]
            arrays = [np.stack([image for image, _ in drawn])]
            arrays += [np.stack([getattr(t, name) for _, t in drawn]) for name in FIELDS]
            yield tuple(torch.from_numpy(a) for a in arrays)


def train(arguments: argparse.Namespace) -> list[float]:
    """Train, save, and return the loss of every batch."""
    training.settle(arguments.seed)
    scenes, real, about = collect(arguments)
    print(json.dumps(about), flush=True)
    net = Finder()
    nn.init.constant_(net.fine.bias, -1.5)
    nn.init.constant_(net.corner[1].bias[:4], -4.0)
    batches = Batches(scenes, real, arguments.seed)
    if arguments.init:
        training.begin(net, arguments.init, lambda: normalise(next(iter(batches))[0].numpy()))
    optimiser = torch.optim.AdamW(net.parameters(), arguments.rate, weight_decay=1e-3)

    def judge(answers: tuple[torch.Tensor, ...], *truth: torch.Tensor) -> tuple[torch.Tensor, dict[str, float]]:
        loss, parts = loss_of(answers, dict(zip(FIELDS, truth, strict=True)))
        return loss, dict(zip(PARTS, parts, strict=True))

    return training.train(
        training.Run.of(arguments),
        net,
        optimiser,
        batches,
        normalise,
        judge,
        about,
        unit="pictures seen",
        every=100,
        warming=100 if arguments.minutes else max(1, min(100, arguments.samples / BATCH / 4)),
        clip=5.0,
    )


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = training.parser(__doc__, rate=3e-3)
    parser.add_argument("--flat", type=Path, required=True, help="flat faces, one folder a deck")
    parser.add_argument("--crops", type=Path, help="real crops, one folder a card (cards53)")
    parser.add_argument("--surfaces", type=Path, help="pictures of bare tables")
    parser.add_argument("--prepared", type=Path, help="what models.reader.recipe.prepare wrote")
    parser.add_argument("--tables", type=Path, help="the photographs that were prepared")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--drawn", type=int, default=20, help="drawn decks")
    parser.add_argument("--thin", type=int, default=3, help="take every n-th crop")
    return parser.parse_args(argv)


def main() -> None:
    train(parse())


if __name__ == "__main__":
    main()
