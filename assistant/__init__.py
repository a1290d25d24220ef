"""The referee: where pictures, sounds and rules meet, and the command line."""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # before any command, trut doctor too, can load onnxruntime
