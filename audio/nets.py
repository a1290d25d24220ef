"""A net of the ears, opened to run beside everything else: on one core, and silent."""

from __future__ import annotations

from pathlib import Path

import onnxruntime


def opened(weights: Path | bytes) -> onnxruntime.InferenceSession:
    """The net of an ONNX file, or of its bytes. Raises what onnxruntime raises where it is none."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = weights if isinstance(weights, bytes) else str(weights)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
