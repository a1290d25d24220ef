"""The training loop that the recipes of the eyes share: `reader`, `finder` and `indices`.

A recipe brings its net, its optimiser, endless batches and what to make of the answers; the loop warms up,
lets the rate fall, averages the weights, tells how it goes, and saves every few minutes.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from models.warm import warm_start

Judge = Callable[..., tuple[Tensor, dict[str, float]]]
"""Answers of the net and what the batch holds besides its pictures -> the loss, and what is told of it."""


@dataclass(frozen=True)
class Run:
    """How long a net is trained, and where to.

    It lasts `minutes` on the clock, or else for `samples` views; `half` asks for bfloat16 where the
    processor has it; `save_every` is in minutes.
    """

    out: Path
    minutes: float | None = None
    samples: int | None = None
    seed: int = 1
    workers: int = 0
    save_every: float = 3.0
    half: bool = False

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Run:
        """The run that the arguments of `parser` ask for."""
        return cls(**{name: getattr(arguments, name) for name in cls.__dataclass_fields__})

    def passed(self, seconds: float, seen: int) -> float:
        """The share of the run that is over: 1 at its end."""
        if self.minutes:
            return seconds / 60 / self.minutes
        assert self.samples
        return seen / self.samples


def parser(description: str | None, rate: float) -> argparse.ArgumentParser:
    """A parser with the arguments that every training takes; the recipe adds its material."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--out", type=Path, required=True)
    length = made.add_mutually_exclusive_group(required=True)
    length.add_argument("--minutes", type=float)
    length.add_argument("--samples", type=int)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--init", type=Path, help="weights to go on from: a checkpoint, or an exported ONNX file")
    made.add_argument("--rate", type=float, default=rate)
    made.add_argument("--workers", type=int, default=1)
    made.add_argument("--save-every", type=float, default=3, help="minutes between two savings")
    made.add_argument("--full", dest="half", action="store_false", help="train in 32 bits only")
    return made


def settle(seed: int) -> None:
    """One thread, and the seed of the net's first weights: to be called before anything else."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)  # before the first use: a process forked from a pool of threads hangs
    torch.manual_seed(seed)


def begin(net: nn.Module, init: Path, batch: Callable[[], Tensor]) -> list[str]:
    """Fill a net from a checkpoint, or from an exported ONNX file; returns what the ONNX file did not fill.

    `batch` draws what the net takes, a few dozen typical pictures; it is called for an ONNX file only.
    """
    if init.suffix != ".onnx":
        net.load_state_dict(torch.load(init))
        return []
    unfilled = warm_start(net, init, batch())
    print(f"not in {init.name}: {', '.join(unfilled) or 'nothing'}", flush=True)
    return unfilled


def rate_at(top: float, step: int, passed: float, warming: float) -> float:
    """The learning rate: up to `top` over the first `warming` batches, then down a cosine to 2 % of it."""
    return top * min(1.0, (step + 1) / warming) * (0.49 * (1 + math.cos(math.pi * passed)) + 0.02)


@torch.no_grad()
def running_mean(kept: Sequence[Tensor], new: Sequence[Tensor], count: Tensor | int) -> None:
    """Mean of the weights over the last some 500 steps, over fewer at first (in place).

    What the averaged weights know, the last ones know too, less reliably: they shake with every batch.
    """
    decay = min(0.998, float((1 + count) / (10 + count)))
    for old, now in zip(kept, new, strict=True):
        if old.is_floating_point():
            old.lerp_(now, 1 - decay)
        else:
            old.copy_(now)


def save(net: nn.Module, path: Path) -> None:
    """Write the weights in one step, so that a reader of the file never sees half of them."""
    part = path.with_suffix(".part")
    torch.save(net.state_dict(), part)
    os.replace(part, path)


def train(
    run: Run,
    net: nn.Module,
    optimiser: torch.optim.Optimizer,
    batches: torch.utils.data.IterableDataset[Any],
    normalise: Callable[[np.ndarray], Tensor],
    judge: Judge,
    about: dict[str, object],
    *,
    unit: str = "views",
    every: int = 200,
    warming: float = 100,
    clip: float | None = None,
) -> list[float]:
    """Train, save the averaged weights with what they were made of, and return the loss of every batch.

    A batch is pictures (n, h, w, 3) uint8, and whatever `judge` wants to know of them. The rates that the
    optimiser comes with are the highest of each of its groups. `about` goes to the JSON file beside the
    weights; every so many batches the means of what `judge` tells are printed.
    """
    loader = torch.utils.data.DataLoader(
        batches, batch_size=None, num_workers=run.workers, prefetch_factor=8 if run.workers else None
    )
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=running_mean, use_buffers=True)
    half = run.half and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    tops = [group["lr"] for group in optimiser.param_groups]
    losses: list[float] = []
    told: list[dict[str, float]] = []
    seen, start, saved = 0, time.time(), time.time()
    for pictures, *truth in loader:
        passed = run.passed(time.time() - start, seen)
        if passed >= 1:
            break
        for group, top in zip(optimiser.param_groups, tops, strict=True):
            group["lr"] = rate_at(top, len(losses), passed, warming)
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            answers = net(normalise(pictures.numpy()))
        loss, facts = judge(answers, *truth)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if clip:
            nn.utils.clip_grad_norm_(net.parameters(), clip)
        optimiser.step()
        average.update_parameters(net)
        seen += len(pictures)
        losses.append(loss.item())
        told.append(facts)
        if len(told) == every:
            spent = time.time() - start
            means = ", ".join(f"{name} {np.nanmean([t[name] for t in told]):.4f}" for name in facts)
            told.clear()
            loss_told = np.mean(losses[-every:])
            print(f"{spent:.0f} s, {seen} {unit}, {seen / spent:.1f}/s: loss {loss_told:.4f}, {means}", flush=True)
        if time.time() - saved > 60 * run.save_every:
            save(average.module, run.out)
            saved = time.time()
    save(average.module, run.out)
    about = about | {"seed": run.seed, unit: seen, "seconds": round(time.time() - start)}
    run.out.with_suffix(".json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    print(json.dumps(about))
    return losses
