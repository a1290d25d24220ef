"""What ships of a training: several nets as one, the thresholds, and the anchors of a table's calibration."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from .combine import combined
from .train import SETTINGS, Examples

OPERATING = 2.7
"""The nets' mean logit from which a knock counts, chosen on the packages set aside, on talk and on the unseen groups
of knocks (docs/decisions/knocks.md). A shift brings it to the threshold of ``SETTINGS``, so that confidences mean the
same from training to training."""
KNOCKS, HARD, EASY = 160, 240, 80
"""How many anchors of each sort."""


def ship(nets: Sequence[Path], data: Examples, out: Path, *, seed: int = 0) -> None:
    """Write ``knocks.onnx``, ``knocks.json`` and ``anchors.npz`` into a folder."""
    out.mkdir(parents=True, exist_ok=True)
    onnx.save(combined([onnx.load(str(path)) for path in nets]), str(out / "knocks.onnx"))
    shift = math.log(SETTINGS["first"] / (1 - SETTINGS["first"])) - OPERATING
    (out / "knocks.json").write_text(json.dumps(SETTINGS | {"shift": round(shift, 3)}) + "\n")
    logit, features = _answers(out / "knocks.onnx", data)
    kept = _chosen(data.knock > 0.5, logit, np.random.default_rng(seed))
    np.savez_compressed(
        out / "anchors.npz",
        logit=(logit[kept] + shift).astype(np.float16),
        features=features[kept].astype(np.float16),
        knock=data.knock[kept] > 0.5,
    )


def _answers(path: Path, data: Examples) -> tuple[np.ndarray, np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    parts = [
        session.run(
            ["logit", "features"],
            {
                "patch": data.patches[i : i + 1024].astype(np.float32),
                "past": data.pasts[i : i + 1024].astype(np.float32),
            },
        )
        for i in range(0, len(data.knock), 1024)
    ]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _chosen(knock: np.ndarray, logit: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Knocks as they come, and of the others the hardest twentieth and some of the rest."""
    others = np.flatnonzero(~knock)
    others = others[np.argsort(-logit[others])]
    twentieth = max(1, len(others) // 20)
    picks = [
        rng.permutation(np.flatnonzero(knock))[:KNOCKS],
        rng.permutation(others[:twentieth])[:HARD],
        rng.permutation(others[twentieth:])[:EASY],
    ]
    return np.sort(np.concatenate(picks))
