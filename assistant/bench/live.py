"""What the ears cost while they listen: work for a second of sound, in blocks as a microphone gives them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from assistant.bench.hours import lap
from assistant.bench.korean import vosk_ko_ratio
from audio.ears import Ears
from audio.resampling import RATE, Samples

SECONDS = 63.0
BLOCKS_MS = (20, 100)


def cpu_percent(sound: Samples, block: int, ears: Callable[[], Ears] = Ears) -> float:
    """Share of one core at the pace of the sound, percent.

    Args:
        sound: float32, 16 kHz, mono.
        block: samples given at a time.
        ears: what is measured; made before the clock starts.
    """
    listening = ears()
    began = time.process_time()
    for start in range(0, len(sound), block):
        listening.accept(sound[start : start + block])
    listening.finish()
    return 100 * (time.process_time() - began) * RATE / max(1, len(sound))


def figures(ears: Callable[[], Ears] = Ears) -> dict[str, Any]:
    """``live_cpu_percent`` by block, and where Vosk's Korean model is installed ``vosk_ko_ratio``: our work over its
    work on the same sound."""
    sound = lap(SECONDS)
    work = {f"{ms} ms": round(cpu_percent(sound, RATE * ms // 1000, ears), 2) for ms in BLOCKS_MS}
    ratio = vosk_ko_ratio(sound, ears)
    return {"live_cpu_percent": work, **({} if ratio is None else {"vosk_ko_ratio": ratio})}
