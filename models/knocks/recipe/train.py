"""The net of the knock detector, what it is trained on, and its training: see README.md."""

from __future__ import annotations

import argparse
import json
import math
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from scipy.ndimage import maximum_filter1d
from torch import nn

from audio.knocks import KEPT, PAST_BANDS, PAST_STEPS, Onset, past, patch
from audio.onsets import (
    AFTER,
    BANDS,
    BEFORE,
    HISTORY,
    HOP,
    MIN_RISE_DB,
    NEIGHBOURHOOD,
    STEP,
    WINDOW,
    Room,
    spectra,
    strengths,
)

from .material import (
    BACKGROUNDS,
    effects,
    hits_of,
    is_set_aside,
    labelled_sounds,
    load,
    may_train,
    tap_recordings,
    taps,
)
from .material import RATE as SOUND_RATE
from .scenes import Recording, Scene, Stock

PATCH = (2, BEFORE + 1 + AFTER, BANDS)
PAST = (PAST_STEPS, PAST_BANDS)
FEATURES = 32
"""Numbers in which the net sums up an onset: what a table's calibration builds on."""
BATCH = 384
PART = 50
WARM = 2
"""Epochs over all onsets; from then on a share of EASY of those that are clearly no knock."""
EASY = 0.15
TOP_RATE = 4e-3
NEVER_HELD_OUT = ("sharwin-large", "tapsense", "plate", "made", "speech")
"""Sources of knocks, and of what is not measured on."""

SETTINGS = {"first": 0.9, "further": 0.6, "scale": 1.0, "shift": 0.0}
"""Thresholds of confidence, and what is done to the logit so that they are where they belong (``ship``)."""
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
    pieces = [load(p) for p in sorted(args.music.glob("*.ogg"))]
    for s in effects(args.effects) if args.effects else ():
        if is_set_aside(s.source):
            continue
        if s.kind == "music":
            pieces.append(s.samples)
        else:
            place = backgrounds if s.kind in BACKGROUNDS and len(s.samples) > 5 * SOUND_RATE else by_kind
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
        knocked=[(s.samples, (*s.knocks, *s.ignore), s.source) for s in sounds if s.kind == "knock"]
        + [(s.samples, s.knocks, s.source) for s in tap_recordings(args.knocks) if s.knocks],
        light=light,
        sounds=by_kind,
        backgrounds=backgrounds,
        speech=[r for r in speech if len(r[0]) > 1600],
        rooms=[load(p) for p in sorted(args.rooms.glob("*.wav"))],
        music=pieces,
    )


def onsets_of(samples: np.ndarray) -> list[Onset]:
    """All onsets of a recording: what ``audio.knocks.Onsets`` finds, faster because all is there at once."""
    padded = np.concatenate([np.zeros(WINDOW // 2), samples, np.zeros((AFTER + 2 * STEP) * HOP + WINDOW)])
    count = (len(padded) - WINDOW) // (HOP * STEP) * STEP
    heard = spectra(padded.astype(np.float32), count)
    rooms = Room().follow(heard)
    quiet = np.minimum(heard[0], np.float32(Room.START_DB))
    levels = np.concatenate([np.tile(quiet, (KEPT, 1)), heard])
    rooms = np.concatenate([np.tile(quiet, (KEPT, 1)), rooms])
    strength = np.concatenate([np.zeros(HISTORY, np.float32), strengths(levels, rooms)])
    strength[:KEPT] = 0
    strongest = maximum_filter1d(strength, 2 * NEIGHBOURHOOD + 1)
    found = []
    for i in np.flatnonzero((strength >= MIN_RISE_DB) & (strength >= strongest)):
        if KEPT <= i < len(levels) - AFTER:
            start, room = i - BEFORE, rooms[i - 3]
            seen = patch(levels[start : i + AFTER + 1], room)
            before = past(levels[start - PAST_STEPS * STEP : start], room)
            found.append(Onset(int(i) - KEPT, float(strength[i]), seen, before))
    return found


@dataclass
class Examples:
    """Onsets: (n, *PATCH) patches and the (n, *PAST) before them, whether each is a knock, and the sources that can
    be heard in it."""

    patches: np.ndarray
    pasts: np.ndarray
    knock: np.ndarray
    sources: list[frozenset[str]]

    def without(self, left_out: Callable[[str], bool]) -> Examples:
        """The onsets in which no source is heard that is ``left_out``."""
        out: dict[frozenset[str], bool] = {heard: any(map(left_out, heard)) for heard in set(self.sources)}
        keep = np.array([not out[heard] for heard in self.sources], bool)
        sources = [s for s, k in zip(self.sources, keep, strict=True) if k]
        return Examples(self.patches[keep], self.pasts[keep], self.knock[keep], sources)


def allowed(data: Examples, leave_out: str) -> Examples:
    """What may be trained on: all, or all but one fold of the negative sources, or one source of knocks."""
    if leave_out in ("fold0", "fold1"):
        held = int(leave_out[-1])
        return data.without(lambda s: s not in NEVER_HELD_OUT and fold_of(s) == held)
    return data.without(lambda s: s == leave_out) if leave_out else data


def together(parts: Sequence[Examples]) -> Examples:
    """Several sets as one."""
    return Examples(
        np.concatenate([p.patches for p in parts]),
        np.concatenate([p.pasts for p in parts]),
        np.concatenate([p.knock for p in parts]),
        [s for p in parts for s in p.sources],
    )


def examples(scenes: Iterable[Scene]) -> Examples:
    """The onsets of some scenes."""
    patches, pasts, labels = [], [], []
    sources: list[frozenset[str]] = []
    placed = found = 0
    for made in scenes:
        struck, buried = np.array([t for t, _ in made.knocks]), np.array(made.buried)
        placed += len(struck)
        onsets = onsets_of(made.samples)
        found += sum(any(abs(o.t - t) < MATCH_SECONDS for o in onsets) for t in struck)
        for onset in onsets:
            t = onset.t
            gap = t - struck if len(struck) else np.full(1, 9.0)
            is_knock = bool(np.abs(gap).min() < MATCH_SECONDS)
            if not is_knock and ((gap > 0) & (gap < 0.1)).any():
                continue  # bounces and echoes of a knock teach nothing
            if not is_knock and len(buried) and (np.abs(t - buried) < 0.1).any():
                continue
            heard = {s for start, end, s in made.events if start - 0.02 <= t <= end + 0.4}
            heard |= {s for at, s in made.knocks if -0.15 < t - at < 0.6}
            patches.append(onset.patch.astype(np.float16))
            pasts.append(onset.past.astype(np.float16))
            labels.append(is_knock)
            sources.append(frozenset(heard))
    print(f"{len(labels)} onsets, {sum(labels)} knocks; knocks that made an onset {found}/{placed}", flush=True)
    if not labels:
        return Examples(np.zeros((0, *PATCH)), np.zeros((0, *PAST)), np.zeros(0), [])
    return Examples(np.stack(patches), np.stack(pasts), np.array(labels, np.float32), sources)


class Net(nn.Module):
    """A small convolutional net over the patch, a smaller one over what was before."""

    def __init__(self) -> None:
        super().__init__()

        def layer(a: int, b: int, stride: tuple[int, int]) -> nn.Sequential:
            return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU())

        self.body = nn.Sequential(
            layer(PATCH[0], 16, (2, 2)),
            layer(16, 24, (1, 2)),
            layer(24, 32, (2, 1)),
            layer(32, 40, (1, 2)),
            layer(40, 48, (2, 1)),
        )
        size = -(-PATCH[1] // 8) * -(-PATCH[2] // 8) * 48
        self.before = nn.Sequential(
            nn.Conv1d(PAST[1], 16, 5, 2, 2), nn.ReLU(), nn.Conv1d(16, 16, 5, 2, 2), nn.ReLU(), nn.Flatten()
        )
        self.features = nn.Sequential(
            nn.Dropout(0.4), nn.Linear(size + 16 * -(-PAST[0] // 4), FEATURES), nn.BatchNorm1d(FEATURES), nn.ReLU()
        )
        self.last = nn.Linear(FEATURES, 1)

    def forward(self, patch: torch.Tensor, past: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logit (n,) and features (n, FEATURES)."""
        seen = torch.cat(
            [
                self.body(patch.contiguous(memory_format=torch.channels_last)).flatten(1),
                self.before(past.transpose(1, 2)),
            ],
            1,
        )
        features = self.features(seen)
        return self.last(nn.functional.dropout(features, 0.2, self.training)).squeeze(1), features


def fit(data: Examples, *, epochs: int, seed: int, start: nn.Module | None = None) -> nn.Module:
    """Cross entropy, AdamW; patches jittered in level, bands masked; weights averaged at the end. After WARM
    epochs only a few of the onsets are taken that the net is sure are no knock."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Net()
    if start is not None:
        net.load_state_dict(start.state_dict())
    net.body.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), TOP_RATE, weight_decay=2e-2)
    steps = epochs * max(1, len(data.knock) // BATCH)  # an upper bound: later epochs are shorter
    forget = torch.optim.swa_utils.get_ema_multi_avg_fn(max(0.0, 1 - 20 / steps))  # the last twentieth of the steps
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=forget, use_buffers=True)
    loss_of = nn.BCEWithLogitsLoss()
    hard = np.ones(len(data.knock), bool)
    for epoch in range(epochs):
        began = time.time()
        if epoch >= WARM or start is not None:
            hard = (data.knock > 0.5) | (judged(net, data) > 0.02)
        order = rng.permutation(np.flatnonzero(hard | (rng.random(len(hard)) < EASY)))
        net.train()
        count = max(1, len(order) // BATCH)
        total = right = 0.0
        for k in range(count):
            pick = order[k * BATCH : (k + 1) * BATCH]
            patch, past = _jittered(
                torch.from_numpy(data.patches[pick].astype(np.float32)),
                torch.from_numpy(data.pasts[pick].astype(np.float32)),
                rng,
            )
            target = torch.from_numpy(data.knock[pick])
            with torch.autocast("cpu", torch.bfloat16):  # twice as fast on processors that know it, and as good
                out, _ = net(patch, past)
            loss = loss_of(out.float(), target * 0.99 + 0.005)
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


def judged(net: nn.Module, data: Examples) -> np.ndarray:
    """The probability of a knock for each onset."""
    net.eval()
    parts = []
    with torch.no_grad():
        for i in range(0, len(data.patches), 2048):
            patch, past = (torch.from_numpy(x[i : i + 2048].astype(np.float32)) for x in (data.patches, data.pasts))
            with torch.autocast("cpu", torch.bfloat16):
                logit, _ = net(patch, past)
            parts.append(torch.sigmoid(logit.float()).numpy())
    return np.concatenate(parts)


def _jittered(patch: torch.Tensor, past: torch.Tensor, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Room estimates err, microphones colour: shift what is relative to the room, tilt and mask bands; now and then
    forget what was before."""
    n = len(patch)
    shift = 0.15 * torch.randn(n, 1, 1)
    patch[:, 1] = (patch[:, 1] + shift).clamp(-1, 2)
    colour = torch.randn(n, 1, 1, 5)
    colour = nn.functional.interpolate(colour.squeeze(1), size=BANDS, mode="linear", align_corners=True)
    patch = patch + 0.08 * colour.unsqueeze(1)
    if rng.random() < 0.5:
        band = int(rng.integers(BANDS - 4))
        patch[:, :, :, band : band + int(rng.integers(1, 5))] = -1
    past = (past + shift).clamp(-1, 2)
    past[torch.rand(n) < 0.25] = 0.0
    return patch, past


class Answer(nn.Module):
    """The net as it ships: logit and features."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, patch: torch.Tensor, past: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        out: tuple[torch.Tensor, torch.Tensor] = self.net(patch, past)
        return out


def export(net: nn.Module, path: Path) -> None:
    torch.onnx.export(
        Answer(net).eval(),
        (torch.zeros(1, *PATCH), torch.zeros(1, *PAST)),
        str(path),
        input_names=["patch", "past"],
        output_names=["logit", "features"],
        dynamic_axes={name: {0: "n"} for name in ("patch", "past", "logit", "features")},
        opset_version=17,
        dynamo=False,
    )


def save(path: Path, data: Examples) -> None:
    heard = np.array(["|".join(sorted(s)) for s in data.sources])
    np.savez(path, patches=data.patches, pasts=data.pasts, knock=data.knock, sources=heard)


def read(path: Path) -> Examples:
    with np.load(path) as saved:
        sources = [frozenset(filter(None, s.split("|"))) for s in saved["sources"].tolist()]
        return Examples(saved["patches"], saved["pasts"], saved["knock"], sources)
