"""Train the card finder.

    python -m models.finder.recipe.train --flat DIR --crops DIR --surfaces DIR --prepared DIR --tables DIR \\
        --out finder.pt --minutes 45

`--prepared` is what `models.reader.recipe.prepare` wrote. A third of the pictures are photographs (half of
those as mosaics of four), the others are rendered. One thread trains, one process draws.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from models.reader.recipe import cards as source
from models.reader.recipe.letters import find_fonts
from models.reader.recipe.train import running_mean, save
from models.warm import warm_start

from . import photographs
from .net import Finder, normalise
from .scenes import Scenes
from .targets import FIELDS, Target, loss_of, target

SIZE, BATCH = 256, 12
REAL_SHARE, MOSAIC_SHARE = 0.35, 0.45


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


def begin(net: Finder, init: Path, pictures: torch.Tensor) -> None:
    """Fill a net from a checkpoint, or from an exported ONNX file with a batch of pictures to measure it on."""
    if init.suffix != ".onnx":
        net.load_state_dict(torch.load(init))
        return
    left = warm_start(net, init, normalise(pictures.numpy()))
    print(f"not in {init.name}: {', '.join(left) or 'nothing'}", flush=True)


def train(arguments: argparse.Namespace) -> list[float]:
    """Train, save, and return the loss of every batch."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)  # before the first use: a process forked from a pool of threads hangs
    torch.manual_seed(arguments.seed)
    scenes, real, about = collect(arguments)
    print(json.dumps(about), flush=True)
    net = Finder().to(memory_format=torch.channels_last)
    nn.init.constant_(net.fine.bias, -1.5)
    nn.init.constant_(net.corner[1].bias[:4], -4.0)
    if arguments.init:
        begin(net, arguments.init, next(iter(Batches(scenes, real, arguments.seed)))[0])
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=running_mean, use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), arguments.rate, weight_decay=1e-3)
    loader = torch.utils.data.DataLoader(
        Batches(scenes, real, arguments.seed),
        batch_size=None,
        num_workers=arguments.workers,
        prefetch_factor=6 if arguments.workers else None,
    )
    warming = 100 if arguments.minutes else max(1, min(100, arguments.samples / BATCH / 4))
    start, saved, seen, recent = time.time(), time.time(), 0, []
    for pictures, *truth in loader:
        passed = (time.time() - start) / 60 / arguments.minutes if arguments.minutes else seen / arguments.samples
        if passed >= 1:
            break
        warm = min(1.0, (seen / BATCH + 1) / warming)
        for group in optimiser.param_groups:
            group["lr"] = arguments.rate * warm * (0.49 * (1 + np.cos(np.pi * passed)) + 0.02)
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.half):
            out = net(normalise(pictures.numpy()))
        loss, parts = loss_of(out, dict(zip(FIELDS, truth, strict=True)))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(net)
        seen += len(pictures)
        recent.append((*parts, loss.item()))
        if seen // BATCH % 100 == 0:
            mean, spent = np.mean(recent[-100:], 0), time.time() - start
            print(
                f"{spent:.0f} s, {seen} pictures, {seen / spent:.1f}/s: entropy {mean[0]:.3f}, "
                f"inside {mean[1]:.3f}, "
                f"border {mean[2]:.3f}, depth {mean[3]:.3f}, geometry {mean[4]:.4f}, "
                f"heat {mean[5]:.3f}, axes {mean[6]:.4f}",
                flush=True,
            )
        if time.time() - saved > 60 * arguments.save_every:
            save(average.module, arguments.out)
            saved = time.time()
    save(average.module, arguments.out)
    about |= {"seed": arguments.seed, "pictures seen": seen, "seconds": round(time.time() - start)}
    arguments.out.with_suffix(".json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    print(json.dumps(about))
    return [r[-1] for r in recent]


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flat", type=Path, required=True, help="flat faces, one folder a deck")
    parser.add_argument("--crops", type=Path, help="real crops, one folder a card (cards53)")
    parser.add_argument("--surfaces", type=Path, help="pictures of bare tables")
    parser.add_argument("--prepared", type=Path, help="what models.reader.recipe.prepare wrote")
    parser.add_argument("--tables", type=Path, help="the photographs that were prepared")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--out", type=Path, required=True)
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--minutes", type=float)
    length.add_argument("--samples", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init", type=Path, help="weights to go on from: a checkpoint, or an exported ONNX file")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--drawn", type=int, default=20, help="drawn decks")
    parser.add_argument("--thin", type=int, default=3, help="take every n-th crop")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--save-every", type=float, default=3, help="minutes between two savings")
    parser.add_argument("--full", dest="half", action="store_false", help="train in 32 bits only")
    return parser.parse_args(argv)


def main() -> None:
    train(parse())


if __name__ == "__main__":
    main()
