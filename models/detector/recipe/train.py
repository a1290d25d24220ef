"""Train a YOLO nano on the finder's material with ultralytics, and export it as ONNX.

    python -m models.detector.recipe.train WORK/yolo/data.yaml --out WORK/yolo26n-obb.onnx --minutes 35

From scratch: weights that others trained on photographs of unclear licence are not used. One thread trains,
one process loads. Nothing is looked for in the network.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("YOLO_OFFLINE", "true")  # read when ultralytics is imported

import cv2
import torch
from ultralytics import YOLO
from ultralytics.models.yolo.obb import OBBTrainer
from ultralytics.nn.tasks import OBBModel

SIZE, BATCH, WARM = 320, 16, 200

AUGMENTATION: dict[str, Any] = {
    "mosaic": 0.3,
    "close_mosaic": 0,
    "degrees": 0.0,
    "fliplr": 0.5,
    "flipud": 0.5,
    "translate": 0.1,
    "scale": 0.35,
    "hsv_h": 0.02,
    "hsv_s": 0.5,
    "hsv_v": 0.4,
    "erasing": 0.0,
}
"""Views and light vary in the material already; this only keeps a second look from being the same."""


class HalfModel(OBBModel):
    """The same net, with 16-bit products: ultralytics does that on graphics cards only."""

    def _predict_once(self, x: Any, profile: bool = False, embed: Any = None) -> Any:
        if not self.training:
            return super()._predict_once(x, profile, embed)
        with torch.autocast("cpu", torch.bfloat16):
            out = super()._predict_once(x.contiguous(memory_format=torch.channels_last), profile, embed)
        return in_full(out)


def in_full(value: Any) -> Any:
    """The answers of the net (tensors in lists and dictionaries) as 32-bit numbers."""
    if isinstance(value, torch.Tensor):
        return value.float()
    if isinstance(value, dict):
        return {k: in_full(v) for k, v in value.items()}
    return type(value)(in_full(v) for v in value) if isinstance(value, (list, tuple)) else value


class Trainer(OBBTrainer):
    """ultralytics' own training of turned boxes, with `HalfModel`, one thread, and a count of the views."""

    views = 0

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> HalfModel:
        model = HalfModel(cfg, nc=self.data["nc"], ch=self.data["channels"], verbose=verbose)
        model = self.set_model_names_for_load(model)
        if weights:
            model.load(weights)
        return model.to(memory_format=torch.channels_last)

    def save_model(self) -> None:
        self.ema.ema.__class__ = OBBModel  # so that ultralytics opens the file without this module
        super().save_model()

    def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        torch.set_num_threads(1)  # ultralytics takes all cores when it chooses the device
        passed = min(1.0, (time.time() - self.train_time_start) / 3600 / self.args.time)
        warm = min(1.0, (self.views / BATCH + 1) / WARM)
        for group in self.optimizer.param_groups:  # ultralytics goes down by whole epochs; here there are few
            group["lr"] = group["initial_lr"] * warm * (0.49 * (1 + math.cos(math.pi * passed)) + 0.02)
        self.views += len(batch["img"])
        return super().preprocess_batch(batch)


def train(arguments: argparse.Namespace) -> Path:
    """Train, export, and write beside the export what it was made of; returns the ONNX file."""
    cv2.setNumThreads(1)
    folder = arguments.out.parent.resolve() / f"{arguments.out.stem}-run"
    if arguments.export_only is None:
        yolo = YOLO(arguments.net)
        yolo.train(
            trainer=Trainer,
            data=str(arguments.data.resolve()),
            time=arguments.minutes / 60,
            epochs=100,
            imgsz=SIZE,
            batch=BATCH,
            nbs=BATCH,
            device="cpu",
            workers=1,
            project=str(folder.parent),
            name=folder.name,
            exist_ok=True,
            pretrained=False,
            val=False,
            plots=False,
            amp=False,
            deterministic=False,
            seed=arguments.seed,
            optimizer="AdamW",
            lr0=arguments.rate,
            warmup_epochs=0.0,
            **AUGMENTATION,
        )
        arguments.out.with_suffix(".json").write_text(
            json.dumps(
                {
                    "net": arguments.net,
                    "seed": arguments.seed,
                    "minutes": arguments.minutes,
                    "views": yolo.trainer.views,
                    "material": json.loads((arguments.data.parent / "about.json").read_text(encoding="utf-8")),
                },
                indent=1,
            ),
            encoding="utf-8",
        )
    weights = arguments.export_only or folder / "weights" / "last.pt"
    made = YOLO(weights).export(format="onnx", imgsz=SIZE, dynamic=True, simplify=False, opset=17, device="cpu")
    shutil.move(made, arguments.out)
    return Path(arguments.out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="data.yaml that models.detector.recipe.material wrote")
    parser.add_argument("--out", type=Path, required=True, help="ONNX file to write")
    parser.add_argument("--net", default="yolo26n-obb.yaml", help="ultralytics' name of the net")
    parser.add_argument("--minutes", type=float, default=35)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--export-only", type=Path, metavar="WEIGHTS", help="export these weights, train nothing")
    print(train(parser.parse_args()))


if __name__ == "__main__":
    main()
