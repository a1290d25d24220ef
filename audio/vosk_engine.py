"""A Vosk model of the user's as recogniser: any French model folder, its grammar narrowed to the phrases.

The folder is named by the environment variable ``TRUT_VOSK_MODEL`` (or the settings, which set it). The
model must allow
grammars at run time (the "small" ones do). Nothing is downloaded.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from audio.errors import EngineUnavailable
from audio.features import RATE, Floats, clean
from audio.lexicon import spelled
from audio.phrasebook import Call
from audio.spotter import Heard

MODEL_VARIABLE = "TRUT_VOSK_MODEL"
#: Samples given at a time, so that the result does not depend on the blocks that come.
_BLOCK = RATE // 10
_LEAST_CONFIDENCE = 0.5

_log = logging.getLogger("trut")


def model_folder() -> Path:
    """The folder that the user named. Raises EngineUnavailable where there is none."""
    named = os.environ.get(MODEL_VARIABLE, "")
    if not named:
        raise EngineUnavailable(
            "le moteur vosk a besoin d'un modèle français : indiquez son dossier dans {variable}",
            variable=MODEL_VARIABLE,
        )
    folder = Path(named)
    if not (folder / "am" / "final.mdl").is_file() and not (folder / "final.mdl").is_file():
        raise EngineUnavailable("{folder} n'est pas un modèle Vosk", folder=folder)
    return folder


class VoskEngine:
    """Hears calls with Vosk.

    Attributes:
        lacking: words that the model does not know; phrases that need one cannot be heard. They are also
            logged.
    """

    def __init__(self, calls: Sequence[Call], folder: Path | None = None) -> None:
        folder = folder or model_folder()
        try:
            import vosk
        except (ImportError, OSError) as problem:
            raise EngineUnavailable(
                "le moteur vosk n'est pas installé ; essayez : pip install vosk"
            ) from problem
        vosk.SetLogLevel(-1)
        try:
            self._model: Any = vosk.Model(str(folder))
        except Exception as problem:  # the library raises bare Exception
            raise EngineUnavailable("Vosk ne peut pas lire le modèle {folder}", folder=folder) from problem
        self._calls = tuple(calls)
        self._by_text: dict[str, int] = {}
        lacking: set[str] = set()
        for i, call in enumerate(self._calls):
            words = spelled(call.text).replace(",", " ").split()
            unknown = {word for word in words if self._model.vosk_model_find_word(word) < 0}
            lacking |= unknown
            if not unknown:
                self._by_text.setdefault(" ".join(words), i)
        self.lacking = tuple(sorted(lacking))
        if not self._by_text:
            raise EngineUnavailable(
                "ce modèle Vosk ne connaît les mots d'aucune des phrases : {folder}", folder=folder
            )
        if lacking:
            _log.warning("trut: le modèle Vosk ne connaît pas : %s", ", ".join(self.lacking))
        self._welcome = np.ones(len(self._calls), bool)
        self._recogniser = vosk.KaldiRecognizer(self._model, RATE, self._grammar())
        self._recogniser.SetWords(True)
        self._pending = np.zeros(0, np.float32)
        self._given = 0

    def _grammar(self) -> str:
        texts = [text for text, i in self._by_text.items() if self._welcome[i]]
        return json.dumps([*texts, "[unk]"], ensure_ascii=False)

    def welcome(self, calls: Sequence[bool] | None) -> None:
        """Narrow the grammar to these calls (one flag each)."""
        self._welcome = np.ones(len(self._calls), bool) if calls is None else np.array(calls, bool)
        self._recogniser.SetGrammar(self._grammar())

    def accept(self, samples: Floats) -> list[Heard]:
        """What is decided with these samples."""
        self._pending = np.concatenate([self._pending, clean(samples)])
        heard: list[Heard] = []
        while len(self._pending) >= _BLOCK:
            heard += self._give(self._pending[:_BLOCK])
            self._pending = self._pending[_BLOCK:]
        return heard

    def finish(self) -> list[Heard]:
        """What the end of the stream decides."""
        heard = self._give(self._pending) if len(self._pending) else []
        self._pending = np.zeros(0, np.float32)
        return heard + self._heard(self._recogniser.FinalResult())

    def _give(self, samples: Floats) -> list[Heard]:
        self._given += len(samples)
        done = self._recogniser.AcceptWaveform((samples * 32767).astype("<i2").tobytes())
        return self._heard(self._recogniser.Result()) if done else []

    def _heard(self, answer: str) -> list[Heard]:
        words = [w for w in json.loads(answer).get("result", []) if w["word"] != "[unk]"]
        index = self._by_text.get(" ".join(w["word"] for w in words))
        if index is None or not self._welcome[index]:
            return []
        call = self._calls[index]
        confidence = min(float(w["conf"]) for w in words)
        if not call.phrase or confidence < _LEAST_CONFIDENCE:
            return []
        return [Heard(call, float(words[-1]["end"]), self._given / RATE, confidence)]
