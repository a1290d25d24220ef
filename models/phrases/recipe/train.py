"""Train the net on windows of the streams; what counts is the mean of its weights over the last minutes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from audio.features import BANDS
from models.phrases.recipe.net import WIDTH, PhoneNet
from models.phrases.recipe.streams import Stream
from models.phrases.recipe.windows import Windows, prior

#: Steps until the learning rate is full; share of the steps at the end in which it falls to nothing.
_WARM, _COOL = 200, 0.3
#: Steps that the mean of the weights looks back on.
_MEAN = 500
#: Seconds between two states that are kept.
_KEEP = 300.0


class Mean:
    """The mean of a net's weights and statistics over the last steps: usable at any time of the training."""

    def __init__(self, net: PhoneNet, width: int) -> None:
        self.net = PhoneNet(width)
        self.net.load_state_dict(net.state_dict())
        self.net.eval()
        self._steps = 0

    def take(self, net: PhoneNet) -> None:
        self._steps += 1
        share = max(1 / _MEAN, 1 / (1 + self._steps))
        with torch.no_grad():
            for mean, now in zip(self.net.state_dict().values(), net.state_dict().values(), strict=True):
                if mean.is_floating_point():
                    mean.lerp_(now, share)


def train(
    groups: Sequence[tuple[float, Stream]],
    noises: Mapping[str, np.ndarray],
    steps: int,
    rate: float,
    width: int = WIDTH,
    seed: int = 0,
    state: Path | None = None,
    report: Callable[[PhoneNet], None] | None = None,
    compiled: bool = False,
) -> PhoneNet:
    """``steps`` batches from nothing.

    Args:
        groups: streams of speech with their shares.
        noises: log band energies (T, 40) by kind.
        steps: batches; the learning rate ``rate`` is held for the first 70 % and then falls.
        state: where the training is kept every five minutes; one that is there goes on.
        report: called with the mean net at the same times.
        compiled: let PyTorch write the net in C++ (needs a compiler; 75 s, then three steps in the time of two).
    """
    torch.manual_seed(seed)
    windows = Windows(groups, noises, seed)
    net = PhoneNet(width)
    sample = torch.cat([windows.batch()[0].reshape(-1, BANDS) for _ in range(10)])
    net.mean.copy_(sample.mean(0))
    net.deviation.copy_(sample.std(0))
    net.prior.copy_(prior(windows))
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=2e-3, fused=True)
    first, mean = 0, Mean(net, width)
    if state is not None and state.exists():
        known = torch.load(state, weights_only=True)
        net.load_state_dict(known["net"])
        optimiser.load_state_dict(known["optimiser"])
        mean = Mean(net, width)
        mean.net.load_state_dict(known["mean"])
        first = known["step"]
        windows = Windows(groups, noises, seed + first)
    forward = torch.compile(net) if compiled else net
    began = said = kept = time.time()
    right = counted = 0
    net.train()
    for step in range(first, steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / _WARM, (steps - step) / (steps * _COOL))
        cepstra, phones = windows.batch()
        with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time, the same result
            logits = forward(cepstra)
        logits = logits.float().flatten(0, 1)
        loss = nn.functional.cross_entropy(logits, phones.flatten(), label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        mean.take(net)
        spoken = phones.flatten() > 0
        right += int((logits.argmax(1)[spoken] == phones.flatten()[spoken]).sum())
        counted += int(spoken.sum())
        if time.time() - said > 60 or step == steps - 1:
            print(
                f"{time.time() - began:.0f} s, step {step + 1} of {steps}, loss {loss.item():.3f}, "
                f"phones right {right / max(1, counted):.3f}",
                flush=True,
            )
            said, right, counted = time.time(), 0, 0
        if state is not None and time.time() - kept > _KEEP:
            kept = time.time()
            known = {"net": net.state_dict(), "mean": mean.net.state_dict(), "step": step + 1}
            torch.save(known | {"optimiser": optimiser.state_dict()}, state)
            if report is not None:
                report(mean.net)
    return mean.net


def load(path: Path, width: int) -> PhoneNet:
    """A net that was kept."""
    net = PhoneNet(width)
    net.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return net.eval()
