"""YOLO detectors that a user trained: exported to ONNX, or ultralytics' own ``.pt``.

An exported file runs on onnxruntime alone. It says in its metadata, which ultralytics writes, what it was
trained for (``detect``, ``obb``, ``pose``), at which size, and the names of its classes. Both forms of answer
are understood: rows that are already the boxes found (YOLO26, or exported with ``nms=True``), and one column
for every place of the net, of which the overlapping ones are dropped here.

A ``.pt`` is a Python pickle: opening it can run any code. Take one only from somebody you trust.
"""

from __future__ import annotations

import ast
import importlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import onnxruntime

from vision.crops import Picture
from vision.errors import VisionError
from vision.quads import Floats, areas, distinct, in_order

TASKS = ("detect", "obb", "pose")
LEAST_SCORE, MOST = 0.1, 300
SAME_BOX = 0.7
LARGEST_INPUT, MOST_CLASSES = 2048, 1000
STRIDE, PADDING = 32, 114


class UnusableDetector(VisionError):
    """A detector of the user's own that cannot be loaded or run."""

    code = "unusable-detector"


@dataclass(frozen=True, slots=True)
class Found:
    """What a detector sees in one picture, surest first.

    Attributes:
        quads: (N, 4, 2) corners in pixels of the picture, in order.
        score: (N,) 0 to 1.
        kind: (N,) number of the class.
        turned: whether the quads turn with the things; else they are upright boxes round them.
    """

    quads: Floats
    score: Floats
    kind: np.ndarray
    turned: bool


class Yolo(Protocol):
    """A detector, however it is run."""

    names: tuple[str, ...]

    def look(self, picture: Picture, side: int | None = None) -> Found:
        """What it finds in a BGR picture; ``side``: longer side of what the net sees, where that is free."""
        ...


@dataclass(frozen=True, slots=True)
class Form:
    """What the columns of an answer mean: task, number of classes, (key points, numbers for each)."""

    task: str
    classes: int
    points: tuple[int, int] = (0, 0)

    @property
    def extra(self) -> int:
        """Numbers of an answer beside box and scores."""
        return {"detect": 0, "obb": 1, "pose": self.points[0] * self.points[1]}[self.task]

    @property
    def with_corners(self) -> bool:
        """Whether the four key points are the corners of a card."""
        return self.task == "pose" and self.points[0] == 4 and self.points[1] >= 2


def open_yolo(file: str | Path) -> Yolo:
    """The detector in a file.

    Raises:
        UnusableDetector: missing, no detector, of an unknown kind, or it needs what is not installed.
    """
    path = Path(file)
    if not path.is_file():
        raise UnusableDetector("{file} : ce fichier n'existe pas", file=path)
    return TorchYolo(path) if path.suffix.lower() in (".pt", ".pth") else OnnxYolo(path)


class OnnxYolo:
    """A detector that ultralytics exported to ONNX."""

    def __init__(self, file: Path) -> None:
        self._file = file
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        try:
            self._net = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
            about = self._net.get_modelmeta().custom_metadata_map
            fed = self._net.get_inputs()[0]
        except Exception as problem:  # onnxruntime's errors share no base class
            raise UnusableDetector("{file} : ce n'est pas un réseau ONNX lisible", file=file) from problem
        try:
            self.names = _class_names(about["names"])
            points = ast.literal_eval(about.get("kpt_shape", "(0, 0)"))
            self._form = Form(about["task"], len(self.names), (int(points[0]), int(points[1])))
            height, width = (int(v) for v in ast.literal_eval(about["imgsz"]))
            self._fixed = _fixed_size(fed.shape)
        except (KeyError, ValueError, SyntaxError, TypeError, IndexError, MemoryError, RecursionError) as problem:
            raise UnusableDetector(
                "{file} : ce réseau n'a pas été exporté par ultralytics (ni classes ni taille dans ses métadonnées)",
                file=file,
            ) from problem
        if self._form.task not in TASKS or not 1 <= self._form.classes <= MOST_CLASSES:
            raise UnusableDetector("{file} : il faut un réseau detect, obb ou pose", file=file)
        self._side = max(height, width)
        if not STRIDE <= self._side <= LARGEST_INPUT or (self._fixed and max(self._fixed) > LARGEST_INPUT):
            raise UnusableDetector("{file} : taille d'image impossible ({side})", file=file, side=self._side)
        self._input, self._half = fed.name, "float16" in fed.type
        self.look(np.full((self._side, self._side, 3), PADDING, np.uint8))  # it says now what it cannot do

    def look(self, picture: Picture, side: int | None = None) -> Found:
        """Raises UnusableDetector where the net does not answer as its metadata promise."""
        fed, scale, shift = boxed(picture, self._fixed, side or self._side)
        try:
            answer = self._net.run(None, {self._input: fed.astype(np.float16) if self._half else fed})[0]
            return decoded(np.asarray(answer, np.float32), self._form, scale, shift)
        except Exception as problem:  # onnxruntime's errors share no base class
            raise UnusableDetector(
                "{file} : ce réseau ne répond pas comme l'annoncent ses métadonnées", file=self._file
            ) from problem


def _class_names(text: str) -> tuple[str, ...]:
    names = ast.literal_eval(text)
    if isinstance(names, Mapping):
        names = [names[k] for k in range(len(names))]
    return tuple(str(name) for name in names)


def _fixed_size(shape: list[Any]) -> tuple[int, int] | None:
    """(height, width) that the net insists on, None where any size will do."""
    if len(shape) != 4:
        raise ValueError(shape)
    return (shape[2], shape[3]) if isinstance(shape[2], int) and isinstance(shape[3], int) else None


def boxed(picture: Picture, fixed: tuple[int, int] | None, side: int) -> tuple[np.ndarray, float, Floats]:
    """The picture as the net wants it, (1, 3, h, w) RGB 0 to 1, how much it was scaled, where it lies (x, y)."""
    height, width = picture.shape[:2]
    room = fixed or (side, side)
    scale = min(room[0] / height, room[1] / width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    rows, columns = fixed or (size[1] + -size[1] % STRIDE, size[0] + -size[0] % STRIDE)
    left, top = (columns - size[0]) // 2, (rows - size[1]) // 2
    canvas = np.full((rows, columns, 3), PADDING, np.uint8)
    canvas[top : top + size[1], left : left + size[0]] = small
    fed = np.ascontiguousarray(canvas[..., ::-1].transpose(2, 0, 1)[None], np.float32) / 255
    return fed, scale, np.array([left, top], np.float32)


def decoded(answer: np.ndarray, form: Form, scale: float, shift: Floats) -> Found:
    """The answer of an exported net for one picture, (1, rows, columns), in pixels of the picture.

    Raises:
        ValueError: the answer has another shape than the form promises.
    """
    if answer.ndim != 3 or len(answer) != 1:
        raise ValueError(answer.shape)
    rows = answer[0]
    as_rows, as_columns = 6 + form.extra, 4 + form.classes + form.extra
    if rows.shape[1] == as_rows:
        score, kind, extra, sides_given = rows[:, 4], rows[:, 5], rows[:, 6:], form.task != "obb"
    elif rows.shape[0] == as_columns:
        rows = rows.T
        chances = rows[:, 4 : 4 + form.classes]
        score, kind, extra, sides_given = chances.max(1), chances.argmax(1), rows[:, 4 + form.classes :], False
    else:
        raise ValueError(answer.shape)
    best = np.flatnonzero(np.isfinite(rows).all(1) & (score >= LEAST_SCORE) & (kind >= 0) & (kind < form.classes))
    best = best[np.argsort(-score[best], kind="stable")][:MOST]
    box, extra = rows[best, :4], extra[best]
    if sides_given:  # x0 y0 x1 y1 -> centre and size
        box = np.concatenate([(box[:, :2] + box[:, 2:]) / 2, box[:, 2:] - box[:, :2]], 1)
    if form.with_corners:
        quads = extra.reshape(len(best), 4, form.points[1])[..., :2]
    else:
        quads = turned_boxes(box, extra[:, 0] if form.task == "obb" else np.zeros(len(best), np.float32))
    turned = form.task == "obb" or form.with_corners
    return tidy((quads - shift) / scale, np.clip(score[best], 0, 1), kind[best].astype(int), turned)


def turned_boxes(box: np.ndarray, angle: np.ndarray) -> Floats:
    """Boxes (N, 4: centre x, y, width, height) turned by angles (N,) in radians: corners (N, 4, 2)."""
    along = np.stack([np.cos(angle), np.sin(angle)], 1) * box[:, 2:3] / 2
    down = np.stack([-np.sin(angle), np.cos(angle)], 1) * box[:, 3:4] / 2
    centre = box[:, :2]
    corners = [centre - along - down, centre + along - down, centre + along + down, centre - along + down]
    return np.asarray(np.stack(corners, 1), np.float32)


def tidy(quads: np.ndarray, score: np.ndarray, kind: np.ndarray, turned: bool) -> Found:
    """Without boxes that have no area, and the surest only where several lie at one place."""
    ordered = in_order(np.clip(quads, -1e5, 1e5))
    real = np.flatnonzero(areas(ordered) > 4)
    kept = real[distinct(ordered[real], SAME_BOX)] if len(real) else real
    return Found(ordered[kept], np.asarray(score[kept], np.float32), kind[kept], turned)


class TorchYolo:
    """A ``.pt`` of the user's own, run by ultralytics itself (extra ``train``)."""

    def __init__(self, file: Path) -> None:
        os.environ.setdefault("YOLO_OFFLINE", "true")  # read when ultralytics is imported: it fetches nothing
        try:
            ultralytics = importlib.import_module("ultralytics")
        except ImportError:
            raise UnusableDetector(
                "{file} : les poids .pt demandent ultralytics (pip install \"trut[train]\") ; "
                "exportés en ONNX, ils s'en passent",
                file=file,
            ) from None
        self._file = file
        try:
            self._net = ultralytics.YOLO(str(file))
            names = self._net.names
            self.names = tuple(str(names[k]) for k in range(len(names)))
            task = self._net.task
        except Exception as problem:  # a pickle can fail in any way
            raise UnusableDetector("{file} : ce ne sont pas des poids d'ultralytics", file=file) from problem
        if task not in TASKS:
            raise UnusableDetector("{file} : il faut un réseau detect, obb ou pose", file=file)

    def look(self, picture: Picture, side: int | None = None) -> Found:
        """Raises UnusableDetector where ultralytics cannot run the weights."""
        options = {"conf": LEAST_SCORE, "device": "cpu", "verbose": False, "save": False}
        try:
            (result,) = self._net.predict(picture, **options, **({"imgsz": side} if side else {}))
        except Exception as problem:  # whatever the user's own net does
            raise UnusableDetector(
                "{file} : ultralytics n'a pas pu faire tourner ces poids", file=self._file
            ) from problem
        boxes = result.boxes if result.obb is None else result.obb
        score, kind = boxes.conf.cpu().numpy(), boxes.cls.cpu().numpy().astype(int)
        points = result.keypoints
        if result.obb is not None:
            quads, turned = boxes.xyxyxyxy.cpu().numpy(), True
        elif points is not None and points.data.shape[1] == 4:
            quads, turned = points.xy.cpu().numpy(), True
        else:
            box = boxes.xywh.cpu().numpy()
            quads, turned = turned_boxes(box, np.zeros(len(box), np.float32)), False
        order = np.argsort(-score, kind="stable")
        return tidy(quads[order].reshape(-1, 4, 2), score[order], kind[order], turned)
