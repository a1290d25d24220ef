"""The net that the eyes are timed against: YOLO26n at 640x640, as ONNX on one thread.

Its time does not depend on its weights, so it is built from ultralytics' description of it, untrained, where
ultralytics is installed, and kept in the user's cache. Only the net is timed, neither what comes before nor after.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
from platformdirs import user_cache_path

from assistant.i18n import N_
from engine.errors import TrutError

NAME, SIDE = "yolo26n", 640
_EXPORT = (
    "import torch; torch.set_num_threads(1); from ultralytics import YOLO; "
    f"print(YOLO('{NAME}.yaml').export(format='onnx', imgsz={SIDE}, device='cpu', simplify=False, verbose=False))"
)


class NoPeer(TrutError):
    """There is no net to compare with; the template says why."""

    code = "no-peer"


class Peer:
    """The net, ready to run.

    Args:
        file: an exported net; by default the one in the cache, built if need be.

    Raises:
        NoPeer: there is none.
    """

    def __init__(self, file: Path | None = None) -> None:
        path = file or _cached()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        try:
            self._net = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as problem:  # onnxruntime's errors share no base class
            raise NoPeer(N_("{file} : ce n'est pas un réseau ONNX lisible"), file=path) from problem
        fed = self._net.get_inputs()[0]
        shape = [n if isinstance(n, int) else free for n, free in zip(fed.shape, (1, 3, SIDE, SIDE), strict=False)]
        if shape != [1, 3, SIDE, SIDE]:
            raise NoPeer(N_("{file} : il faut un réseau qui prend des images de {side}x{side}"), file=path, side=SIDE)
        self._fed = {fed.name: np.random.default_rng(0).random(shape, np.float32)}

    def look(self) -> None:
        """Run the net once."""
        self._net.run(None, self._fed)


def _cached() -> Path:
    path = Path(user_cache_path("trut")) / f"{NAME}-{SIDE}.onnx"
    if not path.is_file():
        if importlib.util.find_spec("ultralytics") is None:
            raise NoPeer(N_("ultralytics n'est pas installé (pip install \"trut[train]\"), et pas de --peer FICHIER"))
        _build(path)
    return path


def _build(path: Path) -> None:
    """Export the net in a process of its own: it brings its threads and writes into the folder it runs in."""
    with tempfile.TemporaryDirectory() as folder:
        surroundings = os.environ | {"YOLO_OFFLINE": "true", "YOLO_CONFIG_DIR": folder, "OMP_NUM_THREADS": "1"}
        made = Path(folder) / f"{NAME}.onnx"
        done = subprocess.run([sys.executable, "-c", _EXPORT], cwd=folder, env=surroundings, capture_output=True)
        if done.returncode or not made.is_file():
            raise NoPeer(N_("ultralytics n'a pas pu exporter {net}"), net=NAME)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(made.read_bytes())
        part.replace(path)
