"""Texts said by another synthesiser, SVOX Pico's French voice, as a source of recordings for ``build --voices``.

usage: python -m models.phrases.recipe.pico OUT --speech DIR [DIR ...] [--packages DIR] [--count 4000]

Needs the package py-nanotts (engine and voice, Apache-2.0). Pitch, speed and resampling make many of its one woman.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np
import soundfile
import soxr

from models.phrases.recipe.corpus import RATE, clips
from models.phrases.recipe.texts import drawn, sentences

_SEED = 7
_PITCHES = ((0.62, 0.85), (0.85, 1.15), (1.15, 1.5))
_QUIET = 1600


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the folder of the source: OUT/pico")
    parser.add_argument("--speech", type=Path, nargs="+", required=True, help="whose texts are everyday sentences")
    parser.add_argument("--packages", type=Path)
    parser.add_argument("--count", type=int, default=4000)
    args = parser.parse_args()
    from py_nanotts import NanoTTS

    engine, r = NanoTTS(), random.Random(_SEED)
    texts = drawn(r, sentences([clip.text for clip in clips(args.speech, args.packages, None)]))
    folder = args.out / "pico"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for i in range(args.count):
            text, pitch = next(texts), r.uniform(*r.choice(_PITCHES))
            said = engine.speak(text, voice="fr-FR", speed=r.uniform(0.75, 1.45), pitch=pitch)
            samples = np.frombuffer(said, dtype="<i2").astype(np.float32) / 32768
            samples = soxr.resample(samples, RATE * r.uniform(0.88, 1.14), RATE)
            loud = np.flatnonzero(np.abs(samples) > 0.01)
            if not len(loud):
                continue
            samples = samples[max(0, loud[0] - _QUIET) : loud[-1] + _QUIET]
            soundfile.write(folder / f"{i:05d}.flac", np.clip(samples, -1, 1), RATE)
            row = {"file": f"{i:05d}.flac", "text": text, "speaker": "pico", "licence": "Apache-2.0"}
            labels.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
