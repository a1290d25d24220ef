"""Speech out: the voice, and a speaker that never blocks."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import audio.speech
from audio.errors import SpeechUnavailable
from audio.speech import (
    HANGING,
    MOST_WAITING,
    STALE,
    TRY_AGAIN,
    Sounding,
    Speaker,
    SystemLoudspeaker,
    Utterance,
    synthesise,
    turned,
)


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


class Loud:
    """A loudspeaker that holds what it plays until it is let go, and a clock."""

    def __init__(self) -> None:
        self.played: list[np.ndarray] = []
        self.begun, self.go = threading.Event(), threading.Event()
        self.time = 0.0

    def play(self, samples: np.ndarray, rate: int) -> None:
        self.played.append(samples)
        self.begun.set()
        self.go.wait(5)

    def now(self) -> float:
        return self.time

    @property
    def lengths(self) -> list[int]:
        return [len(samples) for samples in self.played]


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A voice that says each letter as one sample."""
    monkeypatch.setattr(
        audio.speech, "synthesise", lambda text, language: (np.full(len(text), 0.1, np.float32), 22_050)
    )


@pytest.fixture
def busy(letters: None) -> Iterator[tuple[Loud, Speaker]]:
    """A speaker in the middle of a word."""
    loud = Loud()
    speaker = Speaker(play=loud.play, now=loud.now)
    speaker.say("bonjour")
    assert loud.begun.wait(5)
    yield loud, speaker
    loud.go.set()
    speaker.close()


def test_of_two_scores_only_the_newest_is_said(busy: tuple[Loud, Speaker]) -> None:
    loud, speaker = busy
    speaker.announce(Utterance("un à zéro", "score"))
    speaker.announce(Utterance("pli pourri"))
    speaker.announce(Utterance("deux à zéro partout", "score"))
    loud.go.set()
    speaker.close()
    assert loud.lengths == [*map(len, ("bonjour", "pli pourri", "deux à zéro partout"))]
    assert speaker.unsaid == 1


def test_what_waited_too_long_is_left_out(busy: tuple[Loud, Speaker]) -> None:
    loud, speaker = busy
    speaker.say("un à zéro")
    speaker.announce(Utterance("quelle carte, Marie ?", within=60.0))
    speaker.sound(np.full(7, 0.1, np.float32), 22_050)
    loud.time = STALE + 1
    loud.go.set()
    speaker.close()
    assert loud.lengths == [*map(len, ("bonjour", "quelle carte, Marie ?"))]
    assert speaker.unsaid == 2


def test_a_tone_comes_before_the_words_that_wait_and_is_not_told(busy: tuple[Loud, Speaker]) -> None:
    loud, speaker = busy
    told: list[int] = []
    speaker.tell(lambda samples, rate: told.append(len(samples)), lambda: None)
    speaker.say("pli pourri")
    speaker.sound(np.full(7, 0.1, np.float32), 22_050)
    loud.go.set()
    speaker.close()
    assert loud.lengths == [len("bonjour"), 7, len("pli pourri")]
    assert told == [len("pli pourri")]


def test_few_announcements_wait_and_the_oldest_gives_way(busy: tuple[Loud, Speaker]) -> None:
    loud, speaker = busy
    for number in range(MOST_WAITING + 3):
        speaker.say("a" * (number + 1))
    loud.go.set()
    speaker.close()
    assert loud.lengths == [len("bonjour"), *range(4, MOST_WAITING + 4)]
    assert speaker.unsaid == 3


@pytest.mark.usefixtures("letters")
def test_a_loudspeaker_that_comes_back_is_heard_again() -> None:
    loud, warned = Loud(), []
    loud.go.set()
    broken = True

    def play(samples: np.ndarray, rate: int) -> None:
        if broken:
            raise SpeechUnavailable("débranché")
        loud.play(samples, rate)

    speaker = Speaker(play=play, now=loud.now, warn=lambda problem: warned.append(str(problem)))
    for text in ("un", "deux"):
        speaker.say(text)
    deadline = time.monotonic() + 5
    while speaker.unsaid < 2 and time.monotonic() < deadline:
        time.sleep(0.005)
    broken, loud.time = False, TRY_AGAIN + 1
    speaker.say("trois")
    speaker.close()
    assert warned == ["débranché"]
    assert loud.lengths == [len("trois")]


def test_a_loudspeaker_that_hangs_is_told_once_and_nobody_waits(letters: None) -> None:
    loud, warned = Loud(), []
    speaker = Speaker(play=loud.play, now=loud.now, warn=lambda problem: warned.append(str(problem)))
    speaker.say("bonjour")
    assert loud.begun.wait(5)
    speaker.say("un")
    assert warned == []
    loud.time = HANGING + 1
    for text in ("deux", "trois"):
        speaker.say(text)
    assert warned == ["le haut-parleur ne répond plus : les annonces sont seulement écrites"]
    loud.go.set()
    speaker.close()


@pytest.mark.parametrize(("volume", "factor"), [(7, 1.0), (5, 0.4), (1, 0.063)])
def test_the_volume_is_that_of_the_settings(volume: int, factor: float) -> None:
    loud = Loud()
    loud.go.set()
    speaker = Speaker(play=loud.play, volume=volume)
    speaker.say("bonjour")
    speaker.close()
    own = turned(synthesise("bonjour")[0], 0)
    assert np.abs(loud.played[0]).max() == pytest.approx(factor * np.abs(own).max(), rel=0.02)


def test_without_volume_nothing_is_played() -> None:
    loud = Loud()
    speaker = Speaker(play=loud.play, volume=0)
    speaker.say("bonjour")
    speaker.close()
    assert loud.played == []
    assert speaker.unsaid == 1


def test_a_sound_on_its_way_out_takes_another_in() -> None:
    sounding = Sounding(np.full(5, 0.25, np.float32))
    assert len(sounding.next(3)) == 3
    sounding.mix(np.full(4, 0.5, np.float32))
    assert sounding.next(3).tolist() == [0.75, 0.75, 0.5]
    assert sounding.next(3).tolist() == [0.5]
    assert len(sounding.next(3)) == 0


def test_a_tone_is_heard_in_the_middle_of_a_voice(letters: None) -> None:
    class Mixing(Loud):
        mixed = 0

        def __call__(self, samples: np.ndarray, rate: int) -> None:
            self.play(samples, rate)

        def mix(self, samples: np.ndarray, rate: int) -> bool:
            self.mixed += len(samples)
            return not self.go.is_set()

    loud = Mixing()
    speaker = Speaker(play=loud)
    speaker.say("bonjour")
    assert loud.begun.wait(5)
    speaker.sound(np.full(3, 0.1, np.float32), 22_050)
    assert loud.mixed == 3
    loud.go.set()
    speaker.close()
    assert loud.lengths == [len("bonjour")]


@pytest.mark.parametrize(("device", "named"), [(None, "aucun haut-parleur"), ("Bose", "haut-parleur Bose introuvable")])
def test_a_loudspeaker_that_is_not_there_is_named(
    device: str | None, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sounddevice: Any = ModuleType("sounddevice")

    def none(device: str | None, kind: str) -> None:
        raise ValueError("No output device")

    sounddevice.PortAudioError, sounddevice.query_devices = OSError, none
    monkeypatch.setitem(sys.modules, "sounddevice", sounddevice)
    with pytest.raises(SpeechUnavailable, match=named):
        SystemLoudspeaker(device)


def test_the_system_s_loudspeaker_plays_block_by_block_and_mixes(monkeypatch: pytest.MonkeyPatch) -> None:
    sounddevice: Any = ModuleType("sounddevice")
    written: list[np.ndarray] = []

    class Stream:
        def __init__(self, rate: int, **options: object) -> None:
            assert (rate, options["device"]) == (22_050, 7)

        def __enter__(self) -> Stream:
            return self

        def __exit__(self, *_: object) -> None: ...

        def write(self, block: np.ndarray) -> None:
            if not written:
                assert loud.mix(np.full(4_000, 0.5, np.float32), 22_050)
            written.append(block[:, 0])

    info = {"default_samplerate": 22_050.0, "index": 7}
    sounddevice.PortAudioError = OSError
    sounddevice.query_devices, sounddevice.OutputStream = lambda device, kind: info, Stream
    monkeypatch.setitem(sys.modules, "sounddevice", sounddevice)
    loud = SystemLoudspeaker("USB")
    assert not loud.mix(np.zeros(1, np.float32), 22_050)
    loud(np.full(2_500, 0.25, np.float32), 22_050)
    heard = np.concatenate(written)
    assert len(written) > 2
    assert len(heard) == len(written[0]) + 4_000
    assert (heard[0], heard[1_200], heard[2_600]) == (0.25, 0.75, 0.5)
    assert not loud.mix(np.zeros(1, np.float32), 22_050)
