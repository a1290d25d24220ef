"""Train the knock classifier: ``python -m models.knocks.recipe.train --knocks DIR --rooms DIR --speech DIR
--sounds DIR``.

Seeds are fixed; two runs on one machine give the same weights. ``--fold K`` leaves out a half of the
negative sources, so that
``evaluate`` can measure every source on a model that has not heard it; without it all allowed material is
used.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from pathlib import Path

import numpy as np
import torch
from torch import nn

from audio.knocks import AFTER, BEFORE, OnsetPatches
from audio.onsets import BANDS, HOP
from audio.resampling import RATE

from .material import BACKGROUNDS, hits_of, labelled_sounds, load, may_train, taps
from .scenes import Stock, scene

MATCH_SECONDS = 0.03
"""An onset so close to a knock is that knock."""


def fold_of(source: str) -> int:
    """The half in which a source of negatives is measured."""
    return zlib.crc32(f"fold {source}".encode()) % 2


def make_stock(args: argparse.Namespace) -> Stock:
    """The allowed material, without the sources that this fold is measured on."""
    sounds = [s for s in labelled_sounds(args.sounds) if may_train(s)]
    if args.fold is not None:
        sounds = [s for s in sounds if s.kind == "knock" or fold_of(s.source) != args.fold]
    knuckles, light = taps(args.knocks)
    by_kind: dict[str, list[np.ndarray]] = {}
    backgrounds: dict[str, list[np.ndarray]] = {}
    for s in sounds:
        if s.kind != "knock":
            (backgrounds if s.kind in BACKGROUNDS else by_kind).setdefault(s.kind, []).append(s.samples)
    speech = [
        load(folder.parent / json.loads(line)["file"])
        for folder in sorted(args.speech.glob("*/labels.jsonl"))
        for line in folder.read_text().splitlines()[:: args.thin]
    ]
    speech += [
        x for kind in ("speech-fr", "speech-fr-words", "speech-other") for x in backgrounds.get(kind, [])
    ]
    return Stock(
        knocks=[[h for s in sounds if s.kind == "knock" for h in hits_of(s)], knuckles],
        light=light,
        sounds=by_kind,
        backgrounds=backgrounds,
        speech=[x for x in speech if len(x) > 1600],
        rooms=[load(p) for p in sorted(args.rooms.glob("*.wav"))],
    )


def onset_patches(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(times in seconds, patches) of all onsets."""
    finder = OnsetPatches()
    found = finder.accept(samples.astype(np.float32)) + finder.finish()
    if not found:
        return np.zeros(0), np.zeros((0, 2, BEFORE + 1 + AFTER, BANDS), np.float32)
    return np.array([f * HOP / RATE for f, _, _ in found]), np.stack([p for _, _, p in found])


def examples(stock: Stock, scenes: int, seed: int) -> tuple[np.ndarray, np.ndarray, int, int]:
    """(patches float16, labels, knocks placed, knocks that have an onset)."""
    patches, labels = [], []
    placed = found = 0
    for k in range(scenes):
        samples, knocks, _ = scene(stock, np.random.default_rng((seed, k)))
        times, seen = onset_patches(samples)
        gap = np.abs(times[:, None] - np.array(knocks)[None]) if knocks else np.full((len(times), 1), 9.0)
        near = gap.min(axis=1) if len(times) else np.zeros(0)
        placed += len(knocks)
        found += int((gap.min(axis=0) < MATCH_SECONDS).sum()) if knocks and len(times) else 0
        after = (
            np.array([any(0 < t - x < 0.1 for x in knocks) for t in times], bool)
            if len(times)
            else np.zeros(0, bool)
        )
        keep = (near < MATCH_SECONDS) | ~after  # bounces and echoes of a knock teach nothing
        patches.append(seen[keep].astype(np.float16))
        labels.append((near < MATCH_SECONDS)[keep])
    return np.concatenate(patches), np.concatenate(labels).astype(np.float32), placed, found


class Net(nn.Module):
    """A small convolutional net over (2, frames, BANDS)."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width

        def layer(a: int, b: int, stride: tuple[int, int]) -> nn.Sequential:
            return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU())

        self.body = nn.Sequential(
            layer(2, w, (2, 1)),
            layer(w, w, (1, 2)),
            layer(w, 2 * w, (2, 1)),
            layer(2 * w, 2 * w, (1, 2)),
            layer(2 * w, 2 * w, (2, 2)),
        )
        frames, bands = (BEFORE + 1 + AFTER + 7) // 8, BANDS // 8
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.4),
            nn.Linear(2 * w * frames * bands, 48),
            nn.ReLU(),
            nn.Dropout(0.3),
            nn.Linear(48, 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x)).squeeze(1)


class Probability(nn.Module):
    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.net(x))


def fit(x: np.ndarray, y: np.ndarray, *, epochs: int, seed: int) -> Net:
    """Weighted cross entropy, AdamW, one-cycle rate, patches jittered in level and masked in bands and
    frames."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Net()
    optimiser = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-2)
    batch = 256
    steps = epochs * (len(y) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
    loss_of = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        net.train()
        order = rng.permutation(len(y))
        total = right = seen = 0.0
        began = time.time()
        for k in range(len(y) // batch):
            pick = order[k * batch : (k + 1) * batch]
            patch = torch.from_numpy(x[pick].astype(np.float32))
            patch[:, 1] = (patch[:, 1] + 0.15 * torch.randn(len(pick), 1, 1)).clamp(-1, 2)
            if rng.random() < 0.5:
                band = int(rng.integers(BANDS - 4))
                patch[:, :, :, band : band + int(rng.integers(1, 5))] = -1
            target = torch.from_numpy(y[pick])
            out = net(patch)
            loss = loss_of(out, target * 0.98 + 0.01)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach()) * len(pick)
            right += float(((out > 0) == (target > 0.5)).sum())
            seen += len(pick)
        print(
            f"epoch {epoch} loss {total / seen:.4f} accuracy {right / seen:.4f} {time.time() - began:.0f} s",
            flush=True,
        )
    return net.eval()


def export(net: Net, path: Path) -> None:
    torch.onnx.export(
        Probability(net).eval(),
        (torch.zeros(1, 2, BEFORE + 1 + AFTER, BANDS),),
        str(path),
        input_names=["patch"],
        output_names=["knock"],
        dynamic_axes={"patch": {0: "n"}, "knock": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("knocks", "rooms", "speech", "sounds"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--scenes", type=int, default=1500)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--thin", type=int, default=1, help="every N-th clip of speech")
    parser.add_argument("--fold", type=int, choices=(0, 1))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    began = time.time()
    stock = make_stock(args)
    print(
        "knocks",
        [len(k) for k in stock.knocks],
        "light",
        len(stock.light),
        "speech",
        len(stock.speech),
        flush=True,
    )
    x, y, placed, found = examples(stock, args.scenes, args.seed)
    print(
        f"{len(y)} onsets, {int(y.sum())} knocks; onsets found {found}/{placed}; {time.time() - began:.0f} s",
        flush=True,
    )
    net = fit(x, y, epochs=args.epochs, seed=args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    export(net, args.out / "knocks.onnx")
    (args.out / "knocks.json").write_text(json.dumps({"first": 0.9, "further": 0.6}) + "\n")


if __name__ == "__main__":
    main()
