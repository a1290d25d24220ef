"""The players' own voices: comparing, joining with the net's score, telling who spoke, the file."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import soundfile

from assistant.cli import main
from audio import embedding
from audio.acoustic import PhoneStream
from audio.embedding import Embedding, mel_frames
from audio.errors import UnreadableVoices
from audio.espeak import espeak
from audio.phrases import PhraseSpotter
from audio.resampling import resampled
from audio.voices import (
    EDGE,
    MOST_KEPT,
    MOST_SITTINGS,
    NEUTRAL,
    SpeakerVoices,
    Take,
    Utterance,
    VoicesOfAnotherNet,
    take_of,
    utterance,
    warped,
)

RATE = 16000
TEXTS = ("je trutte", "je vais voir", "je me couche", "oui", "non")
PLAYERS = {"Anne": ("f3", 60), "Jean": ("m5", 35)}


@lru_cache(maxsize=64)
def said(text: str, voice: str, pitch: int, rate: int, seed: int = 0) -> Utterance:
    """A synthetic take between silences; its place is where it is loud."""
    wave = espeak().say(text, f"fr+{voice}", rate, pitch, 50)
    samples = resampled((wave.samples / 32768).astype(np.float32), wave.rate, RATE)
    loud = np.flatnonzero(np.abs(samples) > 0.02)
    pause = np.zeros(RATE, np.float32)
    stream = np.concatenate([pause, samples / np.abs(samples).max() * 0.3, pause])
    stream += np.random.default_rng(seed).normal(0, 3e-4, len(stream)).astype(np.float32)
    start, stop = (round((1 + loud[i] / RATE) / 0.03) for i in (0, -1))
    return utterance(PhoneStream().accept(stream).hidden, 0, stream, 0, start, stop)


@lru_cache(maxsize=1)
def table() -> SpeakerVoices:
    """Two players, each phrase once."""
    return SpeakerVoices(
        take_of(said(text, voice, pitch, 165), name, text) for name, (voice, pitch) in PLAYERS.items() for text in TEXTS
    )


# -- the embedding -----------------------------------------------------------------------------------------------------


def test_embeddings_come_every_40_ms_over_their_sight() -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, RATE * 2).astype(np.float32)
    made = Embedding().of(noise)
    frames = len(mel_frames(noise))
    assert made.shape == ((frames - embedding.SIGHT) // 4 + 1, embedding.WIDTH)
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)


def test_an_embedding_depends_on_what_it_sees_alone() -> None:
    noise = np.random.default_rng(2).normal(0, 0.1, RATE * 2).astype(np.float32)
    later = Embedding().of(noise[640 * 4 :])
    assert np.allclose(Embedding().of(noise)[4 : 4 + len(later)], later, atol=1e-4)


def test_a_short_sound_has_no_embedding() -> None:
    assert Embedding().of(np.zeros(RATE // 2, np.float32)).shape == (0, embedding.WIDTH)


def test_mel_bands_of_a_tone_peak_where_it_is() -> None:
    tone = (0.3 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE)).astype(np.float32)
    edges = embedding._hertz(np.linspace(embedding._mel(60.0), embedding._mel(3800.0), 34))
    peak = int(mel_frames(tone).mean(axis=0).argmax())
    assert edges[peak] < 1000 < edges[peak + 2]


# -- time warping ------------------------------------------------------------------------------------------------------


def slow_warp(cost: np.ndarray, free: int) -> float:
    """The textbook recursion, for comparison."""
    n, m = cost.shape
    free = min(free, (n - 1) // 2)
    best = np.full((n + 1, m + 1), np.inf)
    began = np.zeros((n + 1, m + 1), int)
    for i in range(free + 1):
        best[i, 0], began[i, 0] = 0.0, i
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            ways = [
                (best[i - 1, j - 1] + 2 * cost[i - 1, j - 1], began[i - 1, j - 1]),
                (best[i - 1, j] + cost[i - 1, j - 1], began[i - 1, j]),
                (best[i, j - 1] + cost[i - 1, j - 1], began[i, j - 1]),
            ]
            best[i, j], began[i, j] = min(ways, key=lambda way: way[0])
    return min(best[i, m] / (i - began[i, m] + m) for i in range(n - free, n + 1))


@pytest.mark.parametrize("free", [0, 3, 50])
def test_warping_side_by_side_is_the_textbooks(free: int) -> None:
    rng = np.random.default_rng(free)
    costs = [rng.random((17, m)) for m in (9, 14, 1)]
    together = np.full((3, 17, 14), 9.0)
    for row, cost in zip(together, costs, strict=True):
        row[:, : cost.shape[1]] = cost
    found = warped(together, np.array([9, 14, 1]), free)
    assert found == pytest.approx([slow_warp(cost, free) for cost in costs])


# -- comparing ---------------------------------------------------------------------------------------------------------


def test_a_take_is_nearest_to_its_own_phrase() -> None:
    for name, (voice, pitch) in PLAYERS.items():
        for text in TEXTS:
            near = table().distances(TEXTS, said(text, voice, pitch, 185, seed=1), name)
            assert min(near, key=lambda t: near[t]) == text
            assert near[text] < NEUTRAL < min(near[t] for t in TEXTS if t != text) + 1.5


def test_a_phrase_that_nobody_said_has_no_distance() -> None:
    heard = said("oui", "f3", 60, 165)
    assert set(table().distances(["oui", "je tiens"], heard)) == {"oui"}
    assert table().distances(["je tiens"], heard) == {}
    assert SpeakerVoices().distances(["oui"], heard) == {}
    assert table().joined({"je tiens": -3.0}, 20, heard) is None


def test_an_own_take_overrules_the_net_and_the_net_decides_without_one() -> None:
    heard = said("je vais voir", "f3", 60, 180, seed=2)
    wrong = {"je vais voir": -40.0, "je me couche": 0.0}
    joined = table().joined(wrong, 25, heard)
    assert joined is not None
    assert joined.text == "je vais voir"
    strangers = SpeakerVoices(t for t in table().takes if t.text == "oui")
    other = strangers.joined({**wrong, "oui": -200.0}, 25, heard)
    assert other is not None
    assert (other.text, other.distance, other.taught, other.speaker) == ("je me couche", NEUTRAL, False, None)


def test_phrases_of_one_meaning_are_no_rivals() -> None:
    heard = said("oui", "m5", 35, 165, seed=3)
    scores = {"oui": 0.0, "ouais": 0.0}
    apart = table().joined(scores, 12, heard)
    same = table().joined({**scores, "ça": -3.0}, 12, heard, same={"oui": "yes", "ouais": "yes"})
    assert apart is not None
    assert same is not None
    assert same.margin > apart.margin
    assert apart.margin == pytest.approx(6 * (NEUTRAL - apart.distance))
    assert same.confidence(0.5) > 0.9
    assert 0 < replace(same, distance=8.0).confidence(0.99) < 0.1


def test_who_spoke_when_voices_differ_and_nobody_when_a_stranger_did() -> None:
    named = {
        name: table().who(text, said(text, voice, pitch, 165, seed=4))
        for name, (voice, pitch) in PLAYERS.items()
        for text in ("je trutte",)
    }
    assert named == {"Anne": "Anne", "Jean": "Jean"}
    assert table().only("Jean").who("je trutte", said("je trutte", "f3", 60, 165, seed=4)) is None
    twins = SpeakerVoices([*table().takes, *(replace(t, speaker="Paul") for t in table().takes if t.speaker == "Jean")])
    assert twins.who("je trutte", said("je trutte", "m5", 35, 165, seed=4)) is None


def test_only_one_voice() -> None:
    assert table().only("Anne").names == ("Anne",)
    with pytest.raises(UnreadableVoices, match="Anne, Jean"):
        table().only("Pierre")


def test_an_utterance_at_the_edge_of_what_is_remembered_has_its_full_length() -> None:
    hidden = np.random.default_rng(5).random((40, 8)).astype(np.float32)
    samples = np.ones(RATE, np.float32)
    cut = utterance(hidden, 100, samples, 100 * 480, 101, 139)
    assert len(cut.hidden) == 38 + 2 * EDGE
    assert (cut.hidden[0] == hidden[0]).all()
    assert (cut.hidden[-1] == hidden[-1]).all()
    assert len(cut.samples) == pytest.approx(((38 + 2 * EDGE - 1) * 0.03 + 2 * embedding.MIDDLE) * RATE, abs=2)
    assert cut.samples[0] == 0
    assert cut.samples[-1] == 0


# -- sittings ----------------------------------------------------------------------------------------------------------


def test_the_last_sittings_stay() -> None:
    take = table().takes[0]
    voices = SpeakerVoices()
    for _evening in range(MOST_SITTINGS + 2):
        voices = voices.with_takes([replace(take, sitting=voices.next_sitting(take.speaker))])
    assert [t.sitting for t in voices.takes] == [3, 4, 5]


def test_good_takes_of_a_game_are_kept_and_bad_ones_are_not() -> None:
    voices = table()
    good, bad = said("oui", "f3", 60, 175, seed=6), said("non", "f3", 60, 175, seed=6)
    assert voices.keeping(bad, "oui", "Anne") is voices
    assert voices.keeping(good, "je tiens", "Anne") is voices
    for _game in range(MOST_KEPT + 2):
        voices = voices.keeping(good, "oui", "Anne")
    kept = [t for t in voices.takes if t.kept]
    assert [(t.speaker, t.text) for t in kept] == [("Anne", "oui")] * MOST_KEPT
    assert len(voices.takes) == len(table().takes) + MOST_KEPT
    assert voices.next_sitting("Anne") == table().next_sitting("Anne")


# -- the file ----------------------------------------------------------------------------------------------------------


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "new" / "table.voices"
    table().save(path)
    back = SpeakerVoices.load(path)
    assert [(t.speaker, t.text, t.sitting, t.kept) for t in back.takes] == [
        (t.speaker, t.text, t.sitting, t.kept) for t in table().takes
    ]
    heard = said("non", "f3", 60, 185, seed=7)
    assert back.distances(TEXTS, heard) == table().distances(TEXTS, heard)
    assert [p.name for p in path.parent.iterdir()] == ["table.voices"]
    assert path.stat().st_size < 20_000 * len(table().takes)


def test_no_sound_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.voices"
    table().save(path)
    with np.load(path, allow_pickle=False) as file:
        assert set(file.files) == {"facts", "hidden", "embedding", "colour"}
        assert all(file[name].dtype == np.float16 for name in ("hidden", "embedding", "colour"))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04broken", b"{}", b"\x80\x04\x95"])
def test_a_broken_file_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.voices"
    path.write_bytes(content)
    with pytest.raises(UnreadableVoices, match=r"t\.voices"):
        SpeakerVoices.load(path)


def test_a_missing_file_and_a_folder_are_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(UnreadableVoices):
            SpeakerVoices.load(path)


def changed(tmp_path: Path, **parts: object) -> Path:
    """A saved file with some of its arrays, or of its facts, changed."""
    path = tmp_path / "t.voices"
    table().save(path)
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    facts = json.loads(bytes(arrays["facts"]).decode())
    for name, value in parts.items():
        if name in arrays:
            arrays[name] = np.asarray(value)
        else:
            facts[name] = value
    arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    with path.open("wb") as out:
        np.savez(out, **arrays)  # type: ignore[arg-type]
    return path


@pytest.mark.parametrize(
    "parts",
    [
        {"trut-voices": 2},
        {"hidden": np.zeros((3, 4), np.float16)},
        {"embedding": np.full((2, 96), np.nan)},
        {"colour": np.zeros(7)},
        {"takes": [{"speaker": "A"}]},
        {"takes": []},
        {"takes": 3},
    ],
)
def test_a_file_that_was_changed_is_one_line(tmp_path: Path, parts: dict[str, object]) -> None:
    with pytest.raises(UnreadableVoices):
        SpeakerVoices.load(changed(tmp_path, **parts))


def test_voices_of_another_net_say_so(tmp_path: Path) -> None:
    with pytest.raises(VoicesOfAnotherNet, match="trut calibrate voice"):
        SpeakerVoices.load(changed(tmp_path, phones="0" * 16))


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "t.voices"
    with path.open("wb") as out:
        np.savez(out, facts=np.array([{"a": 1}], object), hidden=np.zeros(1), embedding=np.zeros(1), colour=np.zeros(1))
    with pytest.raises(UnreadableVoices):
        SpeakerVoices.load(path)


def test_a_take_is_spelled_as_phrases_are_looked_up() -> None:
    take: Take = take_of(said("oui", "f3", 60, 165), "Anne", "  OUI ! ")
    assert take.text == "oui"


# -- through the whole ear ---------------------------------------------------------------------------------------------


def test_the_spotter_knows_who_speaks_whatever_the_blocks() -> None:
    wave = espeak().say("je vais voir", "fr+f3", 172, 60, 50)
    samples = resampled((wave.samples / 32768).astype(np.float32), wave.rate, RATE)
    quiet = np.random.default_rng(9).normal(0, 3e-4, RATE).astype(np.float32)
    stream = np.concatenate([quiet, samples / np.abs(samples).max() * np.float32(0.3), quiet])
    found = []
    for size in (160, 5000):
        spotter = PhraseSpotter(phrases=TEXTS, voices=table())
        heard = [p for i in range(0, len(stream), size) for p in spotter.accept(stream[i : i + size])]
        found.append(heard + spotter.finish())
    assert found[0] == found[1]
    assert [(p.text, p.speaker_name) for p in found[0]] == [("je vais voir", "Anne")]
    assert found[0][0].confidence > 0.9


def test_listening_with_voices_that_cannot_be_used_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound, voices = tmp_path / "s.wav", tmp_path / "t.voices"
    soundfile.write(sound, np.zeros(RATE), RATE)
    table().save(voices)
    for words in (
        ["--voices", str(sound)],
        ["--speaker", "Anne"],
        ["--voices", str(voices), "--speaker", "Pierre"],
        ["--voices", str(voices), "--engine", "vosk"],
    ):
        assert main(["listen", str(sound), *words]) == 2, words
        assert len(capsys.readouterr().err.splitlines()) == 1, words
    assert main(["listen", str(sound), "--voices", str(voices), "--speaker", "Anne", "--json"]) == 0
