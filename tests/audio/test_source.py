"""Sound from files, films and microphones."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from audio.errors import MicrophoneUnavailable, UnreadableSound
from audio.resampling import RATE, Resampler, mono
from audio.source import Sequence, microphone, open_sound


def tone(rate: int, seconds: float = 0.5, channels: int = 1) -> np.ndarray:
    t = np.arange(round(rate * seconds)) / rate
    return np.repeat(0.4 * np.sin(2 * np.pi * 440 * t)[:, None], channels, axis=1).astype(np.float32)


def heard(path: Path) -> np.ndarray:
    return np.concatenate(list(open_sound(path)))


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 44100, 48000, 96000])
@pytest.mark.parametrize("channels", [1, 2, 6])
def test_any_rate_and_channel_count_becomes_mono_16_khz(tmp_path: Path, rate: int, channels: int) -> None:
    soundfile.write(tmp_path / "a.wav", tone(rate, 0.5, channels), rate)
    samples = heard(tmp_path / "a.wav")
    assert samples.dtype == np.float32
    assert abs(len(samples) - 8000) <= 1
    expected = tone(RATE)[:, 0]
    middle = slice(1000, 7000)
    assert np.abs(samples[middle] - expected[middle]).max() < 0.01  # the same tone at the same time


@pytest.mark.parametrize("name", ["a.flac", "a.ogg", "a.aiff", "a.au", "a.mp3"])
def test_formats_of_libsndfile(tmp_path: Path, name: str) -> None:
    soundfile.write(tmp_path / name, tone(44100), 44100)
    assert abs(len(heard(tmp_path / name)) - 8000) < 1600


@pytest.mark.parametrize(("name", "codec"), [("a.m4a", "aac"), ("a.mkv", "pcm_s16le"), ("a.mp4", "aac")])
def test_sound_tracks_of_films(tmp_path: Path, name: str, codec: str) -> None:
    av = pytest.importorskip("av")
    with av.open(str(tmp_path / name), "w") as film:
        track = film.add_stream(codec, rate=48000, layout="stereo")
        values = (tone(48000, 1.0, 2).T * 32767).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(values.T).reshape(1, -1), "s16", "stereo")
        frame.sample_rate = 48000
        for packet in [*track.encode(frame), *track.encode(None)]:
            film.mux(packet)
    samples = heard(tmp_path / name)
    assert abs(len(samples) - RATE) < 1600
    assert 0.25 < np.sqrt(np.mean(samples[4000:12000] ** 2)) < 0.31  # 0.4 / sqrt 2


def bad_files(folder: Path) -> dict[str, Path]:
    whole = folder / "whole.wav"
    soundfile.write(whole, tone(16000), 16000)
    soundfile.write(folder / "whole.flac", np.random.default_rng(0).normal(0, 0.1, 16000), 16000)
    soundfile.write(folder / "none.wav", np.zeros(0, np.float32), 16000)
    (folder / "empty.wav").write_bytes(b"")
    (folder / "text.wav").write_text("pas un son\n" * 50)
    (folder / "cut-in-head.wav").write_bytes(whole.read_bytes()[:30])
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(60))
    (folder / "folder.wav").mkdir()
    names = (
        "none.wav",
        "empty.wav",
        "text.wav",
        "cut-in-head.wav",
        "picture.png",
        "folder.wav",
        "missing.wav",
    )
    return {name: folder / name for name in names}


def test_bad_files_give_one_sentence(tmp_path: Path) -> None:
    for name, path in bad_files(tmp_path).items():
        with pytest.raises(UnreadableSound) as problem:
            heard(path)
        assert "\n" not in str(problem.value), name
        assert str(path) in str(problem.value)


@pytest.mark.parametrize("name", ["a.wav", "a.flac"])
def test_a_file_that_breaks_off_is_heard_so_far_and_then_reported(tmp_path: Path, name: str) -> None:
    soundfile.write(tmp_path / name, np.random.default_rng(0).normal(0, 0.1, 32000), 16000)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    got = 0
    with pytest.raises(UnreadableSound, match="s'arrête"):  # noqa: PT012
        for block in open_sound(tmp_path / name):
            got += len(block)
    assert 9000 < got < 20000


def test_numbers_that_are_none_and_overload(tmp_path: Path) -> None:
    wild = tone(16000)
    wild[100], wild[200], wild[300], wild[400] = np.nan, np.inf, -np.inf, 37.0
    soundfile.write(tmp_path / "a.wav", wild, 16000, subtype="FLOAT")
    samples = heard(tmp_path / "a.wav")
    assert np.isfinite(samples).all()
    assert np.abs(samples).max() <= 1
    assert samples[100] == samples[200] == 0
    assert samples[400] == 1


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=8))
@settings(max_examples=20, deadline=None)
def test_resampling_does_not_depend_on_the_blocks(sizes: list[int]) -> None:
    sound = np.random.default_rng(3).normal(0, 0.2, sum(sizes)).astype(np.float32)

    def run(blocks: list[np.ndarray]) -> np.ndarray:
        resampler = Resampler(44100)
        return np.concatenate(
            [*(resampler.accept(b) for b in blocks), resampler.accept(sound[:0], last=True)]
        )

    pieces = np.split(sound, np.cumsum(sizes)[:-1])
    assert np.allclose(run(pieces), run([sound]), atol=1e-5)


def test_mono_is_the_mean_of_the_channels() -> None:
    assert mono(np.array([[0.2, 0.4], [1.0, -1.0]])).tolist() == pytest.approx([0.3, 0.0])


def test_a_gap_counts_only_where_the_device_lost_something() -> None:
    sequence = Sequence(1000)
    assert sequence.missing_before(10.0, 100, False) == 0
    assert sequence.missing_before(10.12, 100, False) == 0  # jitter
    assert sequence.missing_before(10.25, 100, True) == 30
    assert sequence.missing_before(11.35, 100, False) == 1000  # nobody said so, but a second is missing
    assert sequence.missing_before(0.0, 100, False) == 0  # a device without a clock


class FakePortAudio(types.ModuleType):
    """sounddevice as far as Microphone uses it."""

    class PortAudioError(Exception):
        pass

    def __init__(self, blocks: list[tuple[float, bool, np.ndarray]], rate: int = 48000) -> None:
        super().__init__("sounddevice")
        self.blocks = blocks
        self.rate = rate

    def query_devices(self, device: Any, kind: str) -> dict[str, Any]:
        if device not in (None, 1, "Yeti"):
            raise ValueError(device)
        return {"name": "Yeti", "index": 1, "default_samplerate": float(self.rate), "max_input_channels": 2}

    def InputStream(self, *, callback: Any, finished_callback: Any, **settings: Any) -> Any:
        assert settings["channels"] == 2
        blocks = self.blocks

        class Stream:
            def start(self) -> None:
                for when, overflow, block in blocks:
                    clock = types.SimpleNamespace(inputBufferAdcTime=when)
                    callback(block, len(block), clock, types.SimpleNamespace(input_overflow=overflow))
                finished_callback()

            def abort(self) -> None: ...

            def close(self) -> None: ...

        return Stream()


def test_a_microphone_keeps_every_sample_and_fills_what_the_device_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    block = tone(48000, 0.1, 2)
    blocks = [(1.0, False, block), (1.1, False, block), (1.3, True, block)]  # 0.1 s lost before the third
    monkeypatch.setitem(sys.modules, "sounddevice", FakePortAudio(blocks))
    source = microphone("1")
    samples = []
    with pytest.raises(MicrophoneUnavailable, match="ne répond plus"):  # noqa: PT012  # unplugged after three blocks
        for part in source:
            samples.append(part)
    got = np.concatenate(samples)
    assert abs(len(got) - 0.4 * RATE) < 700  # but for what the resampler still held
    assert source.lost_seconds == pytest.approx(0.1)
    assert np.abs(got[3500:4600]).max() < 1e-3
    source.close()


def test_an_unknown_microphone_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", FakePortAudio([]))
    with pytest.raises(MicrophoneUnavailable, match="Zoom"):
        microphone("Zoom")


def test_without_portaudio_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
            if name == "sounddevice":
                raise OSError("PortAudio library not found")

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(MicrophoneUnavailable, match="libportaudio2"):
        microphone(None)
