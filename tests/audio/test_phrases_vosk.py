"""The Vosk engine: the model that ships, the grammar of the moment, models of others, broken models."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from audio.errors import EngineUnavailable
from audio.phrasebook import calls_from, calls_of
from audio.phrases import PhraseSpotter
from audio.vosk_engine import BLOCK, Evidence, VoskEngine, confidence
from audio.vosk_folder import OURS, check
from audio.vosk_graph import SOUNDS, STAY, TRANSITIONS, UNKNOWN, write_graph
from audio.vosk_words import nearest, sound_distance, vocabulary

Floats = npt.NDArray[np.float32]
vosk = pytest.importorskip("vosk")


def spoken(text: str, voice: str = "fr", rate: int = 150) -> Floats:
    """The text in a synthetic voice, 16 kHz, with pauses around."""
    import soxr

    from audio.espeak import espeak

    said = espeak().say(text, voice, rate)
    samples = soxr.resample(said.samples.astype(np.float32) / 32768, said.rate, 16000)
    pause = np.zeros(12000, np.float32)
    return np.concatenate([pause, np.asarray(samples, np.float32) * 0.5, pause])


def hear(engine: Any, samples: Floats, size: int = 16000) -> list[Any]:
    heard = [one for at in range(0, len(samples), size) for one in engine.accept(samples[at : at + size])]
    return heard + engine.finish()


# ------------------------------------------------------------------ the model that ships


def test_it_hears_what_a_synthetic_voice_says() -> None:
    samples = np.concatenate([spoken(text) for text in ("je vais voir", "je me couche", "brelan")])
    heard = hear(PhraseSpotter("trut", engine="vosk"), samples)
    assert [phrase.phrase for phrase in heard] == ["accept", "fold", "brelan"]
    assert all(phrase.decided >= phrase.t for phrase in heard)
    assert heard[1].t - heard[0].t > 1


def test_any_list_of_phrases_can_be_heard() -> None:
    texts = ["tourne à droite", "sacrebleu", "la mirabelle"]
    heard = hear(PhraseSpotter(phrases=texts, engine="vosk"), np.concatenate([spoken(text) for text in texts]))
    assert [phrase.phrase for phrase in heard] == texts


def test_marks_in_a_list_mean_nothing_to_the_library() -> None:
    texts = ['je "trute"', "[unk]", "#0", "je me <eps>", "Je ME couche !"]
    heard = hear(
        PhraseSpotter(phrases=texts, engine="vosk"), np.concatenate([spoken("je trute"), spoken("je me couche")])
    )
    assert [p.phrase for p in heard] == ['je "trute"', "Je ME couche !"]


def test_the_size_of_the_blocks_does_not_matter() -> None:
    samples = np.concatenate([spoken("je vais voir"), spoken("je me couche")])
    whole = hear(PhraseSpotter("trut", engine="vosk"), samples, len(samples))
    assert whole
    for size in (333, BLOCK, 5000):
        assert hear(PhraseSpotter("trut", engine="vosk"), samples, size) == whole


def test_only_what_is_welcome_is_heard() -> None:
    calls = calls_of("trut")
    engine = VoskEngine(calls)
    engine.welcome([call.phrase == "fold" for call in calls])
    assert "je_me_couche" in engine._grammar()
    assert "je_vais_voir" not in engine._grammar()
    assert UNKNOWN in engine._grammar()
    heard = hear(engine, np.concatenate([spoken("je vais voir"), spoken("je me couche")]))
    assert [one.call.phrase for one in heard] == ["fold"]


def test_a_call_that_was_under_way_when_the_grammar_changed_is_heard_once() -> None:
    """The library itself ends the process when its grammar is changed while it listens."""
    samples = spoken("je me couche")
    calls = calls_of("trut")
    for cut in (4000, 16000, 24000, len(samples)):
        engine = VoskEngine(calls)
        heard = engine.accept(samples[:cut])
        engine.welcome([call.phrase in ("fold", "trut") for call in calls])
        heard += engine.accept(np.zeros(160, np.float32))
        engine.welcome([call.phrase in ("fold", "accept") for call in calls])
        heard += hear(engine, samples[cut:])
        assert [one.call.phrase for one in heard] == ["fold"], cut


def test_silence_and_noise_are_no_calls() -> None:
    noise = np.random.default_rng(1).normal(0, 0.02, 80000).astype(np.float32)
    assert hear(PhraseSpotter("trut", engine="vosk"), noise) == []
    assert hear(PhraseSpotter("trut", engine="vosk"), np.zeros(0, np.float32)) == []


def test_a_call_in_the_middle_of_a_sentence_does_not_count() -> None:
    samples = spoken("hier soir mon cousin brelan regardait tranquillement la télévision")
    assert [p.phrase for p in hear(PhraseSpotter("trut", engine="vosk"), samples)] == []


def test_more_evidence_is_more_confidence() -> None:
    assert confidence(Evidence(8, 8, 0.8)) > confidence(Evidence(1, 8, 0.8)) > confidence(Evidence(0.1, 8, 0.2))


def test_the_model_that_ships_is_an_ordinary_vosk_model() -> None:
    vosk.SetLogLevel(-1)
    model = vosk.Model(str(OURS))
    assert model.vosk_model_find_word("trute") > 0
    recogniser = vosk.KaldiRecognizer(model, 16000, json.dumps(["je me couche", UNKNOWN]))
    recogniser.AcceptWaveform((spoken("je me couche") * 32767).astype("<i2").tobytes())
    assert json.loads(recogniser.FinalResult())["text"] == "je me couche"


def test_the_numbers_of_the_transitions_are_those_of_the_topology() -> None:
    assert sum(2 * sound.states - (sound.states == 2) for sound in SOUNDS) == TRANSITIONS
    assert len(set(STAY.values())) == len(SOUNDS)


# ------------------------------------------------------------------ another model


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A model whose phones are not known to be ours, with few words."""
    folder = tmp_path / "other"
    for part in ("am", "conf"):
        shutil.copytree(OURS / part, folder / part)
    words = ["je", "me", "couche", "vais", "voir", "joue", "truite", "brute", "brelan", "passe", "on", "va", "fenêtre"]
    write_graph(folder / "graph", {call.text: call.pronunciations for call in calls_from(words)})
    (folder / "graph" / "phones.txt").unlink()
    return folder


def test_words_that_a_model_lacks_are_replaced_and_listed(other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUT_VOSK_MODEL", str(other))
    engine = VoskEngine(calls_from(["je trute", "je me couche", "on va voir", "sacrebleu"]))
    assert {r.word: r.instead for r in engine.replaced} == {"trute": ("truite", "brute")}
    assert set(json.loads(engine._grammar())) == {
        "je truite", "je brute", "je me couche", "on va voir", UNKNOWN,
    }  # fmt: skip
    assert engine.unheard == ("sacrebleu",)
    assert [caution.fields for caution in engine.cautions] == [
        {"words": "trute → truite, brute"}, {"phrases": "sacrebleu"},
    ]  # fmt: skip
    assert [one.call.text for one in hear(engine, spoken("je me couche"))] == ["je me couche"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "words that the Vosk model lacks"), ("fr", "mots que le modèle Vosk n'a pas")]
)
def test_whoever_listens_is_told_once_in_their_language(
    other: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
    words: str,
) -> None:
    import soundfile

    from assistant.cli import main

    monkeypatch.setenv("TRUT_VOSK_MODEL", str(other))
    soundfile.write(tmp_path / "a.wav", np.zeros(16000, np.float32), 16000)
    (tmp_path / "phrases.txt").write_text("je trute\n")
    files = [str(tmp_path / "a.wav")] * 2
    options = ["--engine", "vosk", "--phrases", str(tmp_path / "phrases.txt"), "--json", "--lang", language]
    assert main(["listen", *files, *options]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err
    assert "truite, brute" in err


def test_a_model_that_has_nothing_like_the_words(other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUT_VOSK_MODEL", str(other))
    with pytest.raises(EngineUnavailable, match="aucune"):
        PhraseSpotter(phrases=["sacrebleu", "mirabelle"], engine="vosk")


def test_near_words_are_nearer_than_far_ones() -> None:
    known = frozenset(("truite", "brute", "fenêtre", "maison", "trotte"))
    assert nearest("trute", known)[0] == "truite"
    assert nearest("hippopotame", known) == ()
    assert sound_distance(("t", "r"), ("t", "r")) == 0
    assert sound_distance(("e",), ("E",)) < sound_distance(("e",), ("u",)) < sound_distance(("e",), ("k",))


def test_words_inside_the_grammar_are_found(tmp_path: Path) -> None:
    """Some models have no words.txt: the words are in a table inside Gr.fst."""
    table = b"".join(
        len(w).to_bytes(4, "little") + w + i.to_bytes(8, "little") for i, w in enumerate((b"<eps>", "é".encode()))
    )
    head = b"\xd6\xfd\xb2\x7e" + b"\0" * 40 + b"\x74\xfb\xb2\x7e" + b"\x04\0\0\0name"
    (tmp_path / "graph").mkdir()
    counts = (2).to_bytes(8, "little") * 2
    (tmp_path / "graph" / "Gr.fst").write_bytes(head + counts + table)
    assert vocabulary(tmp_path) == {"é"}


# ------------------------------------------------------------------ broken models


def _cut(path: Path, share: float) -> None:
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])


@pytest.mark.parametrize("share", [0, 0.001, 0.5, 0.9999])
@pytest.mark.parametrize("name", ["am/final.mdl", "graph/HCLr.fst", "graph/Gr.fst"])
def test_a_truncated_model_is_named_in_one_line(other: Path, name: str, share: float) -> None:
    _cut(other / name, share)
    with pytest.raises(EngineUnavailable, match=Path(name).name):
        check(other)


@pytest.mark.parametrize("name", ["am/final.mdl", "graph/HCLr.fst"])
def test_text_in_the_place_of_a_model(other: Path, name: str) -> None:
    (other / name).write_text("<html>not found</html>\n" * 100)
    with pytest.raises(EngineUnavailable, match=Path(name).name):
        check(other)


def test_a_model_with_damage_inside_is_tried_elsewhere(other: Path) -> None:
    path = other / "am" / "final.mdl"
    data = bytearray(path.read_bytes())
    data[2000:2100] = b"\xff" * 100
    path.write_bytes(data)
    with pytest.raises(EngineUnavailable, match="other"):
        check(other)


@pytest.mark.parametrize("missing", ["am/final.mdl", "graph/Gr.fst", "graph/HCLr.fst"])
def test_a_missing_file(other: Path, missing: str) -> None:
    (other / missing).unlink()
    with pytest.raises(EngineUnavailable):
        check(other)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match="existe"):
        check(tmp_path / "nowhere")
    with pytest.raises(EngineUnavailable, match="modèle Vosk"):
        check(tmp_path)


def test_a_model_without_a_grammar_of_the_moment(other: Path) -> None:
    (other / "graph" / "HCLr.fst").rename(other / "graph" / "HCLG.fst")
    with pytest.raises(EngineUnavailable, match="small"):
        check(other)


def test_the_command_ends_with_one_line(other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import soundfile

    _cut(other / "am" / "final.mdl", 0.5)
    soundfile.write(tmp_path / "a.wav", np.zeros(16000, np.float32), 16000)
    monkeypatch.setenv("TRUT_VOSK_MODEL", str(other))
    command = [sys.executable, "-m", "assistant.cli", "listen", str(tmp_path / "a.wav"), "--engine", "vosk"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "final.mdl" in done.stderr


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vosk", None)  # type: ignore[arg-type]
    with pytest.raises(EngineUnavailable, match="pip install vosk"):
        VoskEngine(calls_of("trut"))


def test_a_library_that_cannot_read_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    library: Any = ModuleType("vosk")

    def fails(path: str) -> None:
        raise Exception("Failed to create a model")

    library.Model, library.SetLogLevel = fails, lambda level: None
    monkeypatch.setitem(sys.modules, "vosk", library)
    with pytest.raises(EngineUnavailable, match="ne peut pas lire"):
        VoskEngine(calls_of("trut"))
