"""Where the shipped weights are, and how they are run: ONNX files, on the processor, one thread."""

from __future__ import annotations

from pathlib import Path

import onnxruntime

from vision.errors import MissingWeights

MODELS = Path(__file__).resolve().parents[1] / "models"
"""The folder of the weights: beside ``vision`` in the sources as in an installed wheel."""


def open_weights(name: str, threads: int = 1) -> onnxruntime.InferenceSession:
    """The network in ``models/NAME``.

    Raises:
        MissingWeights: the file is not there or is no network.
    """
    path = MODELS / name
    if not path.is_file():
        raise MissingWeights("il manque le fichier de poids {file} ; réinstallez trut", file=f"models/{name}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime's errors share no base class
        raise MissingWeights("le fichier de poids {file} est illisible", file=f"models/{name}") from problem
