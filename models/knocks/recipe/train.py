"""Train the knock classifier:
``python -m models.knocks.recipe.train --knocks DIR --rooms DIR --speech DIR --sounds DIR --cache DIR``.

Seeds are fixed; two runs on one machine give the same weights. ``--leave-out foldK`` leaves out half of the
negative sources, so that ``evaluate --folds`` can measure every source on a model that has not heard it;
without it all allowed material is used.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from audio.knocks import AFTER, BEFORE, OnsetPatches
from audio.onsets import BANDS, HOP
from audio.resampling import RATE

from .material import BACKGROUNDS, hits_of, labelled_sounds, load, may_train, taps
from .scenes import Recording, Stock, scene

SHAPE = (2, BEFORE + 1 + AFTER, BANDS)
BATCH = 384
PART = 50
WARM = 2
"""Epochs over all onsets; from then on a share of EASY of those that are clearly no knock."""
EASY = 0.15
TOP_RATE = 4e-3
NEVER_HELD_OUT = ("sharwin-large", "tapsense", "plate", "made", "speech")
"""Sources of knocks, and of what is not measured on."""

MATCH_SECONDS = 0.045
"""An onset so close to a knock is that knock."""


def fold_of(source: str) -> int:
    """The half in which a source of negatives is measured."""
    return zlib.crc32(f"fold {source}".encode()) % 2


def make_stock(args: argparse.Namespace) -> Stock:
    """All material that may be trained on."""
    sounds = [s for s in labelled_sounds(args.sounds) if may_train(s)]
    knuckles, light = taps(args.knocks)
    by_kind: dict[str, list[Recording]] = {}
    backgrounds: dict[str, list[Recording]] = {}
    for s in sounds:
        if s.kind != "knock":
            place = backgrounds if s.kind in BACKGROUNDS else by_kind
            place.setdefault(s.kind, []).append((s.samples, s.source))
    speech: list[Recording] = [
        (load(labels.parent / json.loads(line)["file"]), "speech")
        for labels in sorted(args.speech.glob("*/labels.jsonl"))
        for line in labels.read_text().splitlines()
    ]
    speech += [r for kind in ("speech-fr", "speech-fr-words", "speech-other") for r in backgrounds.get(kind, [])]
    return Stock(
        knocks={
            "sharwin-large": [h for s in sounds if s.kind == "knock" for h in hits_of(s)],
            "tapsense": knuckles,
        },
        light=light,
        sounds=by_kind,
        backgrounds=backgrounds,
        speech=[r for r in speech if len(r[0]) > 1600],
        rooms=[load(p) for p in sorted(args.rooms.glob("*.wav"))],
        music=[load(p) for p in sorted(args.music.glob("*.ogg"))],
    )


def onset_patches(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(times in seconds, patches) of all onsets."""
    finder = OnsetPatches()
    found = finder.accept(samples.astype(np.float32)) + finder.finish()
    if not found:
        return np.zeros(0), np.zeros((0, *SHAPE), np.float32)
    return np.array([f * HOP / RATE for f, _, _ in found]), np.stack([p for _, _, p in found])


@dataclass
class Examples:
    """Onsets: (n, *SHAPE) patches, whether each is a knock, and the sources that can be heard in it."""

    patches: np.ndarray
    knock: np.ndarray
    sources: list[frozenset[str]]

    def without(self, left_out: Callable[[str], bool]) -> Examples:
        """The onsets in which no source is heard that is ``left_out``."""
        keep = np.array([not any(left_out(s) for s in heard) for heard in self.sources], bool)
        return Examples(self.patches[keep], self.knock[keep], [s for s, k in zip(self.sources, keep, strict=True) if k])


def examples(stock: Stock, scenes: range, seed: int, *, music: bool = False) -> Examples:
    """The onsets of some scenes."""
    patches, labels = [], []
    sources: list[frozenset[str]] = []
    placed = found = 0
    for k in scenes:
        made = scene(stock, np.random.default_rng((seed, k)), music=music)
        times, seen = onset_patches(made.samples)
        struck = np.array([t for t, _ in made.knocks])
        placed += len(struck)
        keep = []
        for i, t in enumerate(times):
            heard = {s for start, end, s in made.events if start - 0.02 <= t <= end + 0.4}
            heard |= {s for at, s in made.knocks if -0.15 < t - at < 0.6}
            gap = t - struck if len(struck) else np.full(1, 9.0)
            is_knock = bool(np.abs(gap).min() < MATCH_SECONDS)
            if not is_knock and ((gap > 0) & (gap < 0.1)).any():
                continue  # bounces and echoes of a knock teach nothing
            found += is_knock
            keep.append(i)
            labels.append(is_knock)
            sources.append(frozenset(heard))
        patches.append(seen[keep].astype(np.float16))
    print(f"{len(labels)} onsets, {sum(labels)} knocks; knocks that made an onset {found}/{placed}", flush=True)
    return Examples(np.concatenate(patches), np.array(labels, np.float32), sources)


class Net(nn.Module):
    """A small convolutional net over SHAPE."""

    def __init__(self) -> None:
        super().__init__()

        def layer(a: int, b: int, stride: tuple[int, int]) -> nn.Sequential:
            return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU())

        self.body = nn.Sequential(
            layer(SHAPE[0], 12, (2, 2)),
            layer(12, 16, (1, 2)),
            layer(16, 24, (2, 1)),
            layer(24, 24, (1, 2)),
            layer(24, 32, (2, 1)),
        )
        size = -(-SHAPE[1] // 8) * -(-SHAPE[2] // 8) * 32
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.4), nn.Linear(size, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.body(x)).squeeze(1)
        return out


class Probability(nn.Module):
    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.net(x))


def fit(data: Examples, *, epochs: int, seed: int) -> nn.Module:
    """Cross entropy, AdamW; patches jittered in level, bands masked; weights averaged at the end. After WARM
    epochs only a few of the onsets are taken that the net is sure are no knock."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Net()
    optimiser = torch.optim.AdamW(net.parameters(), TOP_RATE, weight_decay=2e-2)
    steps = epochs * max(1, len(data.knock) // BATCH)  # an upper bound: later epochs are shorter
    forget = torch.optim.swa_utils.get_ema_multi_avg_fn(max(0.0, 1 - 20 / steps))  # the last twentieth of the steps
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=forget, use_buffers=True)
    loss_of = nn.BCEWithLogitsLoss()
    hard = np.ones(len(data.knock), bool)
    for epoch in range(epochs):
        began = time.time()
        if epoch >= WARM:
            hard = (data.knock > 0.5) | (_judged(net, data.patches) > 0.02)
        order = rng.permutation(np.flatnonzero(hard | (rng.random(len(hard)) < EASY)))
        net.train()
        count = max(1, len(order) // BATCH)
        total = right = 0.0
        for k in range(count):
            pick = order[k * BATCH : (k + 1) * BATCH]
            patch = _jittered(torch.from_numpy(data.patches[pick].astype(np.float32)), rng)
            target = torch.from_numpy(data.knock[pick])
            out = net(patch)
            loss = loss_of(out, target * 0.98 + 0.01)
            optimiser.param_groups[0]["lr"] = TOP_RATE * _pace((epoch + k / count) / epochs)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            mean.update_parameters(net)
            total += float(loss.detach())
            right += float(((out > 0) == (target > 0.5)).float().mean())
        print(
            f"epoch {epoch} loss {total / count:.4f} right {right / count:.4f} {time.time() - began:.0f} s",
            flush=True,
        )
    return mean.module.eval()


def _pace(progress: float) -> float:
    """The share of TOP_RATE: up over the first fifth of the training, then down along a cosine."""
    if progress < 0.2:
        return 0.05 + 0.95 * progress / 0.2
    return 0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * (progress - 0.2) / 0.8))


def _judged(net: Net, patches: np.ndarray) -> np.ndarray:
    """The probability of a knock for each patch."""
    net.eval()
    with torch.no_grad():
        parts = [
            torch.sigmoid(net(torch.from_numpy(patches[i : i + 2048].astype(np.float32)))).numpy()
            for i in range(0, len(patches), 2048)
        ]
    return np.concatenate(parts)


def _jittered(patch: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Room estimates err, microphones colour: shift what is relative to the room, tilt and mask bands."""
    n = len(patch)
    patch[:, 1] = (patch[:, 1] + 0.15 * torch.randn(n, 1, 1)).clamp(-1, 2)
    colour = torch.randn(n, 1, 1, 5)
    colour = nn.functional.interpolate(colour.squeeze(1), size=BANDS, mode="linear", align_corners=True)
    patch = patch + 0.08 * colour.unsqueeze(1)
    if rng.random() < 0.5:
        band = int(rng.integers(BANDS - 4))
        patch[:, :, :, band : band + int(rng.integers(1, 5))] = -1
    return patch


def export(net: Net, path: Path) -> None:
    torch.onnx.export(
        Probability(net).eval(),
        (torch.zeros(1, *SHAPE),),
        str(path),
        input_names=["patch"],
        output_names=["knock"],
        dynamic_axes={"patch": {0: "n"}, "knock": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("knocks", "rooms", "speech", "sounds", "music"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--cache", type=Path, required=True, help="folder for the onsets of the scenes")
    parser.add_argument("--scenes", type=int, default=1500)
    parser.add_argument("--music-scenes", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--leave-out", choices=("fold0", "fold1", "sharwin-large"), help="sources not trained on")
    parser.add_argument("--seed", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(1)
    data = _cached(args)
    if args.leave_out in ("fold0", "fold1"):
        held = int(args.leave_out[-1])
        data = data.without(lambda s: s not in NEVER_HELD_OUT and fold_of(s) == held)
    elif args.leave_out:
        data = data.without(lambda s: s == args.leave_out)
    print(f"{len(data.knock)} onsets, {int(data.knock.sum())} knocks", flush=True)
    net = fit(data, epochs=args.epochs, seed=args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    export(net, args.out / "knocks.onnx")
    (args.out / "knocks.json").write_text(json.dumps({"first": 0.9, "further": 0.6}) + "\n")


def _cached(args: argparse.Namespace) -> Examples:
    """The onsets of all scenes, made once, PART scenes a file."""
    args.cache.mkdir(parents=True, exist_ok=True)
    stock = None
    parts = []
    for first in range(0, args.scenes + args.music_scenes, PART):
        path = args.cache / f"onsets-{args.seed}-{first}.npz"
        if not path.exists():
            stock = stock or make_stock(args)
            part = examples(stock, range(first, first + PART), args.seed, music=first >= args.scenes)
            heard = np.array(["|".join(sorted(s)) for s in part.sources])
            np.savez(path, patches=part.patches, knock=part.knock, sources=heard)
        with np.load(path) as saved:
            sources = [frozenset(filter(None, s.split("|"))) for s in saved["sources"].tolist()]
            parts.append(Examples(saved["patches"], saved["knock"], sources))
    return Examples(
        np.concatenate([p.patches for p in parts]),
        np.concatenate([p.knock for p in parts]),
        [s for p in parts for s in p.sources],
    )


if __name__ == "__main__":
    main()
