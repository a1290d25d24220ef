"""The Vosk engine, with a stand-in for the library: grammar, lacking words, results."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from audio.errors import EngineUnavailable
from audio.phrases import PhraseSpotter
from audio.vosk_engine import VoskEngine

KNOWN = {
    "je",
    "vais",
    "voir",
    "me",
    "couche",
    "passe",
    "joue",
    "brelan",
    "j'ai",
    "un",
    "annule",
    "le",
    "score",
    "pause",
}


class Model:
    def __init__(self, path: str) -> None:
        if "broken" in path:
            raise Exception("Failed to create a model")

    def vosk_model_find_word(self, word: str) -> int:
        return 1 if word in KNOWN else -1


class Recogniser:
    """Says after one second of sound that "je vais voir" was said."""

    def __init__(self, model: Model, rate: int, grammar: str) -> None:
        self.grammars = [json.loads(grammar)]
        self.samples = 0
        self.blocks: list[int] = []

    def SetWords(self, on: bool) -> None:
        assert on

    def SetGrammar(self, grammar: str) -> None:
        self.grammars.append(json.loads(grammar))

    def AcceptWaveform(self, data: bytes) -> bool:
        self.samples += len(data) // 2
        self.blocks.append(len(data) // 2)
        return self.samples == 16000

    def Result(self) -> str:
        words = [
            {"word": w, "conf": 0.9, "start": 0.2, "end": 0.3 + 0.1 * i}
            for i, w in enumerate(["je", "vais", "voir"])
        ]
        return json.dumps({"text": "je vais voir", "result": words})

    def FinalResult(self) -> str:
        return '{"text": ""}'


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    library: Any = ModuleType("vosk")
    library.Model, library.KaldiRecognizer, library.SetLogLevel = Model, Recogniser, lambda level: None
    monkeypatch.setitem(sys.modules, "vosk", library)
    (tmp_path / "am").mkdir()
    (tmp_path / "am" / "final.mdl").touch()
    monkeypatch.setenv("TRUT_VOSK_MODEL", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("size", [100, 1600, 5000])
def test_a_phrase_is_reported_once_whatever_the_blocks(size: int) -> None:
    spotter = PhraseSpotter("trut", engine="vosk")
    heard = []
    for _ in range(0, 32000, size):
        heard += spotter.accept(np.zeros(size, np.float32))
    heard += spotter.finish()
    assert [(p.phrase, p.text, p.t, p.decided, p.confidence) for p in heard] == [
        ("accept", "je vais voir", 0.5, 1.0, 0.9)
    ]


@pytest.mark.usefixtures("folder")
def test_words_that_the_model_lacks_are_named(caplog: pytest.LogCaptureFixture) -> None:
    from audio.phrasebook import calls_of

    with caplog.at_level(logging.WARNING, "trut"):
        engine = VoskEngine(calls_of("trut"))
    assert "trute" in engine.lacking
    assert "je" not in engine.lacking
    assert "trute" in caplog.text


def test_a_model_that_knows_no_word_of_the_list(folder: Path) -> None:
    with pytest.raises(EngineUnavailable, match="aucune"):
        PhraseSpotter(phrases=["trute", "brelande"], engine="vosk")


def test_a_broken_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = folder / "broken"
    (broken / "am").mkdir(parents=True)
    (broken / "am" / "final.mdl").touch()
    monkeypatch.setenv("TRUT_VOSK_MODEL", str(broken))
    with pytest.raises(EngineUnavailable, match="broken"):
        PhraseSpotter("trut", engine="vosk")


@pytest.mark.usefixtures("folder")
def test_the_grammar_is_narrowed() -> None:
    from audio.phrasebook import calls_of

    calls = calls_of("trut")
    engine = VoskEngine(calls)
    engine.welcome([call.phrase == "fold" for call in calls])
    assert set(engine._recogniser.grammars[-1]) == {"je me couche", "je passe", "[unk]"}
    assert "je vais voir" in engine._recogniser.grammars[0]
