"""From samples to knocks and phrases; from text to speech."""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # since 1.29 onnxruntime reports home unless told not to
