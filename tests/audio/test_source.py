"""Sound from files, films and microphones."""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from audio.channels import Channels
from audio.errors import MicrophoneUnavailable, UnreadableSound
from audio.microphone import Microphone
from audio.resampling import RATE, Resampler
from audio.source import microphone, open_sound
from audio.timing import Continuity


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


def header(*, rate: int = 16000, channels: int = 1, bits: int = 16, kind: int = 1, size: int | None = None) -> bytes:
    """A WAV file of 0.5 s whose header says these things, true or not."""
    data = np.random.default_rng(0).integers(-3000, 3000, 8000).astype("<i2").tobytes()
    align = channels * bits // 8
    form = struct.pack("<HHIIHH", kind, channels, rate, rate * align & 0xFFFFFFFF, align & 0xFFFF, bits)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data"
    body += struct.pack("<I", len(data) if size is None else size) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize(
    "wrong",
    [
        {"rate": 0},
        {"rate": 1},
        {"rate": 999},
        {"rate": 2**31 - 1},
        {"rate": 2**32 - 1},
        {"channels": 0},
        {"channels": 5000},
        {"bits": 0},
        {"kind": 99},
    ],
)
def test_headers_that_lie_give_one_sentence(tmp_path: Path, wrong: dict[str, int]) -> None:
    (tmp_path / "a.wav").write_bytes(header(**wrong))
    with pytest.raises(UnreadableSound) as problem:
        heard(tmp_path / "a.wav")
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("unusual", [{"rate": 3000}, {"rate": 768_000}, {"channels": 64}, {"size": 2**32 - 1}])
def test_headers_that_are_only_unusual_are_believed(tmp_path: Path, unusual: dict[str, int]) -> None:
    (tmp_path / "a.wav").write_bytes(header(**unusual))
    assert len(heard(tmp_path / "a.wav")) > 10


@pytest.mark.parametrize("kind", ["PCM_24", "PCM_32", "PCM_U8", "FLOAT", "DOUBLE", "ULAW", "ALAW"])
def test_any_kind_of_number(tmp_path: Path, kind: str) -> None:
    soundfile.write(tmp_path / "a.wav", tone(16000), 16000, subtype=kind)
    assert np.sqrt(np.mean(heard(tmp_path / "a.wav") ** 2)) == pytest.approx(0.283, abs=0.01)


def test_one_sample_and_none() -> None:
    assert len(Resampler(44100).accept(np.ones(1, np.float32), last=True)) <= 1
    assert len(Channels(44100, 3).accept(np.ones((0, 3), np.float32))) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.wav")
    for path in (tmp_path / "pipe.wav", Path(os.devnull), tmp_path / ("x" * 300), Path("a\0b")):
        with pytest.raises(UnreadableSound):
            heard(path)


def test_a_damaged_mp3_says_nothing_by_itself(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    soundfile.write(tmp_path / "a.mp3", np.random.default_rng(0).normal(0, 0.1, 32000), 16000)
    data = bytearray((tmp_path / "a.mp3").read_bytes())
    data[len(data) // 2 : len(data) // 2 + 300] = bytes(300)
    (tmp_path / "a.mp3").write_bytes(data[: len(data) * 3 // 4])
    with contextlib.suppress(UnreadableSound):
        heard(tmp_path / "a.mp3")
    assert capfd.readouterr().err == ""


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
        return np.concatenate([*(resampler.accept(b) for b in blocks), resampler.accept(sound[:0], last=True)])

    pieces = np.split(sound, np.cumsum(sizes)[:-1])
    assert np.allclose(run(pieces), run([sound]), atol=1e-5)


@pytest.mark.parametrize(
    "gains", [(1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (1.0, -1.0), (-0.5, 1.0), (0, 0, 1.0, 0, 0, 0, 0, 0)]
)
@pytest.mark.parametrize("rate", [16000, 48000])
def test_channels_neither_cancel_nor_drown(gains: tuple[float, ...], rate: int) -> None:
    """A dead channel, one wired backwards, one microphone in a box with eight sockets."""
    sound = tone(rate, 1.0)
    rng = np.random.default_rng(0)
    block = (sound * np.array(gains) + rng.normal(0, 1e-4, (len(sound), len(gains)))).astype(np.float32)
    channels = Channels(rate, len(gains))
    heard = np.concatenate([channels.accept(block[:700]), channels.accept(block[700:]), channels.finish()])
    assert len(heard) == len(block)
    assert np.sqrt(np.mean(heard**2)) > 0.7 * 0.28  # a tone of amplitude .4, at worst 3 dB down
    assert np.sqrt(np.mean(heard[: rate // 10] ** 2)) > 0.7 * 0.28  # from the first moment on
    heard -= sound[:, 0] * np.sign(heard @ sound[:, 0]) * np.linalg.norm(heard) / np.linalg.norm(sound)
    assert np.abs(heard).max() < 0.01


def test_two_people_with_a_microphone_each_are_both_heard() -> None:
    left, right = tone(16000, 1.0)[:, 0], tone(16000, 1.0)[:, 0]
    still = np.zeros_like(left)
    block = np.stack([np.concatenate([left, still]), np.concatenate([still, right])], axis=1)
    channels = Channels(16000, 2)
    heard = channels.accept(block)
    assert np.sqrt(np.mean(heard[:16000] ** 2)) > 0.13
    assert np.sqrt(np.mean(heard[16000:] ** 2)) > 0.13


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=8), st.integers(1, 4))
@settings(max_examples=20, deadline=None)
def test_joining_channels_does_not_depend_on_the_blocks(sizes: list[int], count: int) -> None:
    rng = np.random.default_rng(4)
    sound = rng.normal(0, 0.2, (sum(sizes), count)).astype(np.float32)
    sound[: len(sound) // 2, 0] *= -0.01
    sound += np.float32(0.1)
    whole, parts = Channels(8000, count), Channels(8000, count)
    one = np.concatenate([whole.accept(sound), whole.finish()])
    many = [parts.accept(piece) for piece in np.split(sound, np.cumsum(sizes)[:-1])]
    assert np.array_equal(one, np.concatenate([*many, parts.finish()]))


@pytest.mark.parametrize("offset", [0.05, -0.3])
@pytest.mark.parametrize("count", [1, 3])
def test_a_constant_is_taken_away(offset: float, count: int) -> None:
    sound = tone(16000, 2.0, count)
    channels = Channels(16000, count)
    heard = np.concatenate([channels.accept(sound + np.float32(offset)), channels.finish()])
    assert np.abs(heard - sound[:, 0]).max() < 0.02
    assert np.array_equal(Channels(16000, 1).accept(tone(16000)), tone(16000)[:, 0])  # where there is none, to the bit


def test_a_sound_shorter_than_a_hop_is_heard() -> None:
    channels = Channels(16000, 2)
    assert len(channels.accept(np.full((7, 2), 0.1, np.float32))) + len(channels.finish()) == 7


def run_sequence(blocks: list[tuple[float, bool]], size: int = 100, rate: int = 1000) -> list[int]:
    sequence = Continuity(rate)
    return [sequence.missing_before(when, size, overflow) for when, overflow in blocks]


def test_no_gap_where_blocks_follow_each_other() -> None:
    jitter = [0.0, 0.02, -0.03, 0.05, 0.0, 0.04, -0.05, 0.01]
    assert run_sequence([(10 + 0.1 * i + j, False) for i, j in enumerate(jitter)]) == [0] * 8
    assert run_sequence([(10 + 0.1001 * i, False) for i in range(10_000)]) == [0] * 10_000  # drift: ten seconds in all


def test_a_gap_that_the_device_tells_is_filled_at_once() -> None:
    assert run_sequence([(10, False), (10.1, False), (10.25, True), (10.35, False)]) == [0, 0, 50, 0]
    assert run_sequence([(10, False), (10.1, True), (10.2, True)]) == [0, 0, 0]  # it says so, but nothing is missing


def test_a_gap_that_nobody_tells_is_filled_when_it_is_sure() -> None:
    assert run_sequence([(10, False), (11.1, False), (11.2, False), (11.3, False)]) == [0, 0, 1000, 0]
    assert run_sequence([(10, False), (10.6, False), (10.2, False), (10.3, False)]) == [
        0,
        0,
        0,
        0,
    ]  # one stamp was late


def test_a_clock_that_goes_backwards_is_no_gap() -> None:
    assert run_sequence([(10, False), (3.0, False), (3.1, False), (3.5, True)]) == [0, 0, 0, 300]


class FakePortAudio(types.ModuleType):
    """sounddevice as far as the microphone uses it.

    Args:
        blocks: (time, overflow, samples) that the device captures as soon as it is started, then it ends.
        refuses: settings of a stream that the device does not accept.
    """

    class PortAudioError(Exception):
        pass

    def __init__(
        self,
        blocks: list[tuple[float, bool, np.ndarray]],
        channels: int = 2,
        refuses: dict[str, list[Any]] | None = None,
    ) -> None:
        super().__init__("sounddevice")
        self.blocks, self.channels, self.refuses = blocks, channels, refuses or {}
        self.opened: list[dict[str, Any]] = []

    def query_hostapis(self) -> list[dict[str, Any]]:
        return [{"name": "ALSA"}]

    def query_devices(self, kind: str | None = None) -> Any:
        common = {"hostapi": 0, "default_samplerate": 48000.0}
        yeti = {"name": "Yeti", "max_input_channels": self.channels, "index": 1, **common}
        return yeti if kind == "input" else [{"name": "HDMI", "max_input_channels": 0, "index": 0, **common}, yeti]

    def _terminate(self) -> None: ...

    def _initialize(self) -> None: ...

    def InputStream(self, *, callback: Any, finished_callback: Any, **settings: Any) -> Any:
        for name, values in self.refuses.items():
            if settings[name] in values:
                raise self.PortAudioError(f"no {name}", -9997)
        self.opened.append(settings)
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


def heard_from(source: Microphone, blocks: int) -> np.ndarray:
    """What comes out with the first blocks of the device."""
    samples = []
    for part in source:
        samples.append(part)
        if len(samples) == blocks:
            break
    source.close()
    return np.concatenate(samples)


def test_a_microphone_keeps_every_sample_and_fills_what_the_device_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    block = tone(48000, 0.1, 2)
    blocks = [(1.0, False, block), (1.1, False, block), (1.3, True, block)]  # 0.1 s lost before the third
    monkeypatch.setitem(sys.modules, "sounddevice", FakePortAudio(blocks))
    source = microphone("1")
    got = heard_from(source, 5)  # three blocks, the silence, and what the filter held when the device ended
    assert abs(len(got) - 0.4 * RATE) < 10
    assert source.lost_seconds == pytest.approx(0.1, abs=0.001)
    assert np.abs(got[3300:4700]).max() < 1e-2
    assert np.sqrt(np.mean(got[4900:6300] ** 2)) > 0.25


@pytest.mark.parametrize(
    ("channels", "refuses", "expected"),
    [
        (1, {}, (48000, 1, "float32")),
        (6, {}, (48000, 6, "float32")),
        (32, {}, (48000, 2, "float32")),
        (2, {"dtype": ["float32"]}, (48000, 2, "int16")),
        (4, {"channels": [4]}, (48000, 2, "float32")),
        (4, {"channels": [4, 2]}, (48000, 1, "float32")),
        (2, {"samplerate": [48000, 44100]}, (16000, 2, "float32")),
    ],
)
def test_a_device_is_opened_as_it_accepts(
    monkeypatch: pytest.MonkeyPatch, channels: int, refuses: dict[str, list[Any]], expected: tuple[int, int, str]
) -> None:
    rate, count, kind = expected
    block = tone(rate, 0.2, count)
    values = block if kind == "float32" else (block * 32768).astype(np.int16)
    device = FakePortAudio([(1.0, False, values)], channels, refuses)
    monkeypatch.setitem(sys.modules, "sounddevice", device)
    got = heard_from(microphone("yeti"), 2 if rate != RATE else 1)
    settings = device.opened[0]
    assert (settings["samplerate"], settings["channels"], settings["dtype"]) == expected
    assert abs(len(got) - 0.2 * RATE) < 10
    assert np.sqrt(np.mean(got**2)) == pytest.approx(0.283, abs=0.02)


def test_an_unknown_microphone_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", FakePortAudio([]))
    for name in ("Zoom", "7", "HDMI"):
        with pytest.raises(MicrophoneUnavailable, match=name):
            microphone(name)


def test_a_microphone_that_is_taken_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", FakePortAudio([], refuses={"dtype": ["float32", "int16"]}))
    with pytest.raises(MicrophoneUnavailable, match="Yeti"):
        microphone(None)


def test_without_portaudio_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
            if name == "sounddevice":
                raise OSError("PortAudio library not found")

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(MicrophoneUnavailable, match="libportaudio2"):
        microphone(None)
