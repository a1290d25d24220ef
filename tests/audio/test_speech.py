"""Speech out: the voice, and a speaker that never blocks."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import audio.speech
from audio.errors import SpeechUnavailable
from audio.speech import Speaker, synthesise


def test_french_is_spoken_and_longer_texts_last_longer() -> None:
    samples, rate = synthesise("Un petit pour l'équipe A.")
    assert samples.dtype == np.float32
    assert 0.8 < len(samples) / rate < 4
    assert 0.05 < np.abs(samples).max() <= 1
    longer, _ = synthesise("Un petit pour l'équipe A. La belle : un long partout.")
    assert len(longer) > 1.5 * len(samples)


def test_the_language_changes_the_voice() -> None:
    assert len(synthesise("petit", "fr")[0]) != len(synthesise("petit", "en")[0])


def test_nothing_is_no_sound() -> None:
    assert len(synthesise("  \n ")[0]) == 0


def test_an_unknown_language_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SpeechUnavailable, match="klingonais"):
        synthesise("bonjour", "klingonais")


def test_without_library_and_program_speech_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise SpeechUnavailable("rien")

    monkeypatch.setattr("audio.espeak.espeak", broken)
    monkeypatch.setattr(audio.speech.shutil, "which", lambda name: None)
    with pytest.raises(SpeechUnavailable, match="rien"):
        synthesise("bonjour")


def test_say_returns_at_once_and_texts_keep_their_order() -> None:
    release = threading.Event()
    played: list[int] = []

    def play(samples: np.ndarray, rate: int) -> None:
        release.wait(5)
        played.append(len(samples))

    speaker = Speaker(play=play)
    began = time.monotonic()
    for text in ("un", "un deux trois quatre", "oui"):
        speaker.say(text)
    assert time.monotonic() - began < 0.05
    deadline = time.monotonic() + 5
    while not speaker.speaking and time.monotonic() < deadline:
        time.sleep(0.005)
    assert speaker.speaking
    release.set()
    speaker.close()
    assert not speaker.speaking
    assert [
        n == len(synthesise(text)[0])
        for n, text in zip(played, ("un", "un deux trois quatre", "oui"), strict=True)
    ]
    assert played[1] > played[0]


def test_close_hushes_what_was_not_begun() -> None:
    release = threading.Event()
    played = []
    speaker = Speaker(play=lambda samples, rate: (played.append(1), release.wait(5), None)[2])
    for _ in range(5):
        speaker.say("bonjour")
    while not played:
        time.sleep(0.005)
    threading.Timer(0.05, release.set).start()
    speaker.close(hush=True)
    assert len(played) == 1
    assert speaker.unsaid == 4
    with pytest.raises(ValueError, match="closed"):
        speaker.say("trop tard")


def test_a_missing_loudspeaker_warns_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(device: object = None) -> None:
        raise SpeechUnavailable("aucun haut-parleur")

    monkeypatch.setattr(audio.speech, "loudspeaker", missing)
    warned: list[str] = []
    speaker = Speaker(warn=lambda problem: warned.append(str(problem)))
    for _ in range(3):
        speaker.say("bonjour")
    speaker.close()
    assert warned == ["aucun haut-parleur"]
    assert speaker.unsaid == 3
