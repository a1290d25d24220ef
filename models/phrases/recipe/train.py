"""Train the net on windows of the streams; noise, level and microphone are drawn anew for every window."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from audio.features import BANDS, FLOOR_ENERGIES, cepstra, level
from models.phrases.recipe.net import PHONE_COUNT, SIGHT, PhoneNet
from models.phrases.recipe.streams import Stream

CHUNK = 50
WINDOW = 3 * CHUNK + 2 * SIGHT
BATCH = 64
#: Level of the loud parts of speech that the net is trained around (audio/acoustic.py), and its spread,
#: decibels.
_LEVEL, _SPREAD = -20.0, 6.0
_NO_SPEECH = 0.06


class Windows:
    """Windows of streams by share, mixed with noises."""

    def __init__(
        self, groups: Sequence[tuple[float, Stream]], noises: dict[str, np.ndarray], seed: int
    ) -> None:
        self._r = np.random.default_rng(seed)
        self._groups = groups
        self._noises = list(noises.values())
        self._starts = [_with_speech(stream) for _, stream in groups]
        total = sum(share for share, _ in groups)
        self._counts = [round(BATCH * share / total) for share, _ in groups]

    def batch(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Cepstra (B, 192, 40) and phones (B, 50)."""
        logs, phones = [], []
        for count, (_, stream), starts in zip(self._counts, self._groups, self._starts, strict=True):
            last = len(stream.logs) - WINDOW - 1
            for _ in range(count):
                if self._r.random() < 0.12:
                    at = int(self._r.integers(0, last))
                else:
                    at = min(
                        max(0, int(starts[self._r.integers(len(starts))]) + int(self._r.integers(-100, 60))),
                        last,
                    )
                logs.append(stream.logs[at : at + WINDOW])
                phones.append(stream.phones[at + SIGHT : at + SIGHT + 3 * CHUNK : 3])
        speech = np.exp(np.stack(logs).astype(np.float32))
        label = np.stack(phones).astype(np.int64)
        return torch.tensor(self._heard(speech, label)), torch.tensor(label)

    def _heard(self, speech: np.ndarray, label: np.ndarray) -> np.ndarray:
        r, n = self._r, len(speech)
        loud = np.quantile(speech.sum(2), 0.93, axis=1) + 1.0
        wanted = 10 ** ((_LEVEL + r.normal(0, _SPREAD, n)) / 10) * _FULL
        speech = speech * (wanted / loud)[:, None, None]
        noise = np.zeros_like(speech)
        silent = r.random(n) < _NO_SPEECH
        for i in range(n):
            if r.random() < 0.25 and not silent[i]:
                continue
            kind = int(r.integers(len(self._noises) + 1))
            if kind == len(self._noises):
                shape = np.exp(_smooth(r, 3.0) + r.uniform(-0.08, 0.02) * np.arange(BANDS) * 1.5)
                part = (
                    np.broadcast_to(shape, speech[i].shape)
                    * r.exponential(1, speech[i].shape).clip(0.05) ** 0.3
                )
            else:
                source = self._noises[kind]
                at = int(r.integers(0, len(source) - WINDOW))
                part = np.exp(source[at : at + WINDOW].astype(np.float32))
            ratio = r.uniform(2, 34) if not silent[i] else r.uniform(0, 20) if kind else r.uniform(8, 25)
            noise[i] = part / (np.quantile(part.sum(1), 0.8) + 1e-3) * wanted[i] * 10 ** (-ratio / 10)
        speech[silent] = 0
        label[silent] = 0
        mixed = speech + noise
        curve = np.exp(np.stack([_smooth(r, 0.5) for _ in range(n)]))
        for i in np.flatnonzero(r.random(n) < 0.15):
            cut = r.uniform(26, 38)  # bands: 3 to 6.5 kHz
            curve[i] *= np.exp(-np.clip(np.arange(BANDS) - cut, 0, None) * 3.0)
        hiss = FLOOR_ENERGIES * (10 ** (r.uniform(-10, 12, n) / 10))[:, None]
        mixed = mixed * curve[:, None, :] + hiss[:, None, :] * r.exponential(1, mixed.shape).clip(0.02) ** 0.5
        return cepstra(mixed.astype(np.float32))


_FULL = float(
    10 ** ((10 * np.log10(1e12 + 1) - level(np.full((1, BANDS), 1e12 / BANDS, np.float32))[0]) / 10)
)


def _smooth(r: np.random.Generator, size: float) -> np.ndarray:
    """A random smooth curve over the bands (natural logarithms of energy)."""
    at = np.arange(BANDS) / BANDS * np.pi
    return sum(r.normal(0, size / (k + 0.5)) * np.cos(k * at + r.uniform(0, 6)) for k in (0.5, 1, 2, 3))


def _with_speech(stream: Stream) -> np.ndarray:
    many = np.add.reduceat((stream.phones > 0).astype(np.int32), np.arange(0, len(stream.phones), 150))
    return np.flatnonzero(many > 40) * 150


def prior(groups: Sequence[tuple[float, Stream]]) -> torch.Tensor:
    counts = sum(share * np.bincount(s.phones, minlength=PHONE_COUNT) / len(s.phones) for share, s in groups)
    return torch.tensor(counts / counts.sum(), dtype=torch.float32)


def train(
    groups: Sequence[tuple[float, Stream]],
    noises: dict[str, np.ndarray],
    steps: int,
    rate: float,
    start: PhoneNet | None = None,
    width: int = 192,
    seed: int = 0,
) -> PhoneNet:
    """``steps`` batches with a one-cycle learning rate; goes on from ``start`` if given."""
    torch.manual_seed(seed)
    windows = Windows(groups, noises, seed)
    net = PhoneNet(width)
    if start is not None:
        net.load_state_dict(start.state_dict())
    else:
        sample = torch.cat([windows.batch()[0].reshape(-1, BANDS) for _ in range(10)])
        net.mu.copy_(sample.mean(0))
        net.sd.copy_(sample.std(0))
    net.pri.copy_(prior(groups))
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=2e-3)
    began = last = time.time()
    right = counted = 0
    net.train()
    for step in range(steps):
        u = step / steps
        now = rate * (
            min(1.0, u / 0.1 + 0.05) if u < 0.1 else 0.5 * (1 + np.cos(np.pi * (u - 0.1) / 0.9)) + 1e-3
        )
        for group in optimiser.param_groups:
            group["lr"] = now
        cep, phones = windows.batch()
        with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time, the same result
            logits = net(cep)
        logits = logits.float()
        loss = nn.functional.cross_entropy(
            logits.reshape(-1, PHONE_COUNT), phones.reshape(-1), label_smoothing=0.05
        )
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        spoken = phones > 0
        right += int((logits.argmax(2)[spoken] == phones[spoken]).sum())
        counted += int(spoken.sum())
        if time.time() - last > 60 or step == steps - 1:
            share = right / max(1, counted)
            print(
                f"{time.time() - began:.0f} s, step {step + 1} of {steps}, loss {loss.item():.3f}, "
                f"phones right {share:.3f}",
                flush=True,
            )
            last, right, counted = time.time(), 0, 0
    return net.eval()
