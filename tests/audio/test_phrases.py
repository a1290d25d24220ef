"""The phrases of a game in a stream: heard, narrowed, and the same however the stream is cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audio.errors import AudioError, EngineUnavailable, UnreadablePhrases
from audio.espeak import espeak
from audio.events import Phrase
from audio.phrases import PhraseSpotter
from audio.resampling import resampled

RATE = 16000


def spoken(*texts: str, voice: str = "fr", level: float = 0.3, gap: float = 0.7) -> np.ndarray:
    """The texts one after the other, with silence around each."""
    parts = [np.zeros(int(gap * RATE), np.float32)]
    for text in texts:
        said = espeak().say(text, voice, 160, 50, 50)
        samples = resampled((said.samples / 32768).astype(np.float32), said.rate, RATE)
        parts += [samples / np.abs(samples).max() * level, np.zeros(int(gap * RATE), np.float32)]
    return np.concatenate(parts).astype(np.float32)


def listen(samples: np.ndarray, *sizes: int, **options: object) -> list[Phrase]:
    spotter = PhraseSpotter(**options)  # type: ignore[arg-type]
    heard, at, turn = [], 0, 0
    sizes = sizes or (len(samples),)
    while at < len(samples):
        size = sizes[turn % len(sizes)]
        heard += spotter.accept(samples[at : at + size])
        at, turn = at + size, turn + 1
    return heard + spotter.finish()


def test_the_calls_of_trut_are_heard_in_order() -> None:
    heard = listen(spoken("je trutte", "je vais voir", "je me couche", "brelan"))
    assert [p.phrase for p in heard] == ["trut", "accept", "fold", "brelan"]
    assert all(p.decided >= p.t and 0 <= p.confidence <= 1 for p in heard)


def test_everyday_words_are_marked_as_answers() -> None:
    heard = listen(spoken("je passe"))
    assert [(p.phrase, p.means, p.answer) for p in heard] == [("fold", ("fold", "pass"), True)]


_STREAM = spoken("je trutte", "on va voir")
_WHOLE = listen(_STREAM)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(1, 9000), min_size=1, max_size=5))
def test_block_sizes_do_not_matter(sizes: list[int]) -> None:
    sizes = [max(size, 40) for size in sizes]  # one sample at a time would only be slow
    cut = listen(_STREAM, *sizes)
    assert [(p.phrase, p.t, p.decided, p.confidence) for p in cut] == [
        (p.phrase, p.t, p.decided, p.confidence) for p in _WHOLE
    ]
    assert _WHOLE


def test_only_what_may_be_said_now_is_heard() -> None:
    spotter = PhraseSpotter("trut")
    spotter.expect(frozenset({"accept", "fold"}))
    heard = spotter.accept(spoken("je trutte", "je me couche")) + spotter.finish()
    assert [p.phrase for p in heard] == ["fold"]
    spotter = PhraseSpotter("trut")
    spotter.expect(frozenset({"play"}))
    assert [p.phrase for p in spotter.accept(spoken("je me couche", "annule")) + spotter.finish()] == ["undo"]


@pytest.mark.parametrize(
    "samples",
    [
        np.zeros(5 * RATE, np.float32),
        np.full(5 * RATE, 0.7, np.float32),
        np.full(3 * RATE, np.nan, np.float32),
        np.random.default_rng(1).normal(0, 0.05, 5 * RATE).astype(np.float32),
        np.sign(np.sin(np.arange(5 * RATE) / 30)).astype(np.float32),
        np.zeros(0, np.float32),
        np.ones(1, np.float32),
        np.full(900, np.inf, np.float32),
    ],
    ids=["silence", "offset", "nan", "noise", "clipped", "empty", "one sample", "infinite"],
)
def test_what_is_no_speech_is_no_phrase(samples: np.ndarray) -> None:
    assert listen(samples) == []


def test_a_list_of_phrases_is_heard_as_written() -> None:
    heard = listen(spoken("le perroquet", "au revoir"), phrases=["Le perroquet", "au revoir", "la maison"])
    assert [(p.phrase, p.means) for p in heard] == [
        ("Le perroquet", ("Le perroquet",)),
        ("au revoir", ("au revoir",)),
    ]


@pytest.mark.parametrize(
    "phrases", [[], ["", "  "], ["!?"], ["日本"], [f"phrase {i}" for i in range(500)], ["mot " * 300]]
)
def test_lists_that_cannot_be_listened_for(phrases: list[str]) -> None:
    with pytest.raises(AudioError):
        PhraseSpotter(phrases=phrases)
    with pytest.raises(UnreadablePhrases):
        PhraseSpotter(phrases=[])


def test_vosk_without_a_model_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("TRUT_VOSK_MODEL", str(tmp_path))
    with pytest.raises(EngineUnavailable, match="modèle Vosk"):
        PhraseSpotter("trut", engine="vosk")
    with pytest.raises(EngineUnavailable):
        PhraseSpotter("trut", engine="whisper")
