"""Where sound comes from: a sound file, the sound track of a film, a live microphone. Always mono float32 at
16 kHz.

Every source is iterated once, gives blocks of any length, and closes itself at its end. Sample ``i`` of what
came out so far lies at ``i / 16000`` seconds on the medium's clock.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from audio.channels import Channels
from audio.errors import UnreadableSound
from audio.resampling import RATE, Resampler, Samples

if TYPE_CHECKING:
    from audio.microphone import Microphone

BLOCK_SECONDS = 0.1
"""Length of a block read from a file."""
MOST_FRAMES = 100_000
"""Frames of a block at most: a damaged header may claim any rate."""
SLOWEST, FASTEST = 1_000, 10_000_000
"""Samples a second: below nothing could be heard, above it is a damaged header."""


class SoundSource(Protocol):
    """A stream of mono float32 blocks at ``rate`` samples a second."""

    rate: int
    name: str

    def __iter__(self) -> Iterator[Samples]: ...

    def close(self) -> None: ...


class _Closing:
    """``with`` for a source."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_sound(name: str | Path) -> SoundSource:
    """A sound file of any rate and channel count, or the sound track of a film.

    Raises:
        UnreadableSound: missing, empty, a directory, no sound in it. A file that breaks off (its header
            promises more than there is) is heard to where it breaks off and raises then.
    """
    path = Path(name)
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise UnreadableSound("{name} : c'est un dossier, il faut un fichier de son", name=str(name))
        if not stat.S_ISREG(kind):  # a pipe would wait for its writer, a device never ends
            raise UnreadableSound("{name} : ce n'est pas un fichier de son lisible", name=str(name))
        with path.open("rb") as file:
            head = file.read(12)
    except FileNotFoundError:
        raise UnreadableSound("{name} : ce fichier n'existe pas", name=str(name)) from None
    except OSError as problem:
        raise UnreadableSound(
            "{name} : impossible de lire ce fichier ({why})",
            name=str(name),
            why=problem.strerror or str(problem),
        ) from None
    except ValueError:  # a NUL in the name
        raise UnreadableSound("{name} : ce fichier n'existe pas", name=repr(str(name))) from None
    if not head:
        raise UnreadableSound("{name} : ce fichier est vide", name=str(name))
    try:
        return SoundFile(path, promised=_promised_bytes(head))
    except _NotForLibsndfile:
        return FilmSound(path)


def _promised_bytes(head: bytes) -> int | None:
    """The length of file that a RIFF header promises; None where it promises none (streams write 0 or all
    ones)."""
    if len(head) < 12 or head[:4] != b"RIFF" or head[8:12] != b"WAVE":
        return None
    (size,) = struct.unpack("<I", head[4:8])
    return None if size == 0 or size >= 0x7FFFFFFF else size + 8


def _is_mp3(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(3)
    return head == b"ID3" or (head[:1] == b"\xff" and head[1:2] >= b"\xe0")


@contextlib.contextmanager
def _quiet_library() -> Iterator[None]:
    """The MP3 decoder inside libsndfile writes what it thinks of a file on stderr by itself: let it not."""
    try:
        there = os.dup(2)
    except OSError:  # nothing is there to be kept quiet
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(there, 2)
        os.close(there)
        os.close(nowhere)


def _check_rate(name: str, rate: int) -> None:
    if not SLOWEST <= rate <= FASTEST:
        raise UnreadableSound("{name} : {rate} échantillons par seconde, ce n'est pas un son", name=name, rate=rate)


class _NotForLibsndfile(Exception):
    """libsndfile does not know this format: perhaps it is a film."""


def _broken_off(name: object) -> UnreadableSound:
    return UnreadableSound("{name} : le fichier s'arrête avant sa fin, il est abîmé ou incomplet", name=str(name))


class SoundFile(_Closing):
    """A file that libsndfile reads."""

    rate = RATE

    def __init__(self, path: Path, *, promised: int | None = None) -> None:
        import soundfile

        self.name = str(path)
        self._failure = soundfile.LibsndfileError
        self._short = promised is not None and path.stat().st_size < promised - 1  # a missing pad byte is common
        self._quiet = _quiet_library if _is_mp3(path) else contextlib.nullcontext
        try:
            with self._quiet():
                self._file = soundfile.SoundFile(str(path))
        except (soundfile.LibsndfileError, RuntimeError, TypeError) as problem:
            if self._short:
                raise _broken_off(path) from problem
            raise _NotForLibsndfile from problem
        if self._file.frames <= 0:
            self._file.close()
            if self._short:
                raise _broken_off(path)
            raise UnreadableSound("{name} : ce fichier ne contient aucun son", name=self.name)
        _check_rate(self.name, self._file.samplerate)

    def __iter__(self) -> Iterator[Samples]:
        stream = _Stream(self._file.samplerate)
        size = max(1, min(round(BLOCK_SECONDS * self._file.samplerate), MOST_FRAMES))
        read = 0
        with self._file as file:
            while True:
                try:
                    with self._quiet():
                        block = file.read(size, dtype="float32", always_2d=True)
                except (self._failure, RuntimeError) as problem:
                    yield from stream.finish()
                    raise _broken_off(self.name) from problem
                if not len(block):
                    break
                read += len(block)
                yield from stream.accept(block)
            yield from stream.finish()
            lossless = file.format in ("WAV", "WAVEX", "AIFF", "FLAC", "AU", "CAF", "W64", "RF64")
            if self._short or (lossless and read < file.frames):
                raise _broken_off(self.name)

    def close(self) -> None:
        self._file.close()


class _Stream:
    """Blocks (n, channels) at any rate to mono at 16 kHz."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._resampler = Resampler(rate)
        self._channels: Channels | None = None

    def accept(self, block: NDArray[np.floating]) -> Iterator[Samples]:
        if self._channels is None or self._channels.count != block.shape[1]:
            yield from self._mono()
            self._channels = Channels(self._rate, block.shape[1])
        yield from _some(self._resampler.accept(self._channels.accept(block)))

    def silence(self, samples: int) -> Iterator[Samples]:
        """A gap of the medium, which has times but no sound there."""
        yield from self._mono()
        yield from _some(self._resampler.accept(np.zeros(samples, np.float32)))

    def finish(self) -> Iterator[Samples]:
        yield from self._mono()
        yield from _some(self._resampler.accept(np.zeros(0, np.float32), last=True))

    def _mono(self) -> Iterator[Samples]:
        if self._channels is not None:
            yield from _some(self._resampler.accept(self._channels.finish()))


def _some(block: Samples) -> Iterator[Samples]:
    if len(block):
        yield block


class FilmSound(_Closing):
    """The sound track of a film, or a sound format that only FFmpeg knows (PyAV)."""

    rate = RATE

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        try:
            import av
            import av.error
        except (ImportError, OSError) as problem:
            raise UnreadableSound(
                "{name} : ce format demande la bibliothèque PyAV (pip install av)", name=self.name
            ) from problem
        self._failure: Any = (av.error.FFmpegError, ValueError, OSError)
        av.logging.set_level(av.logging.PANIC)
        try:
            self._container = av.open(str(path))
        except self._failure as problem:
            raise UnreadableSound("{name} : ce n'est pas un fichier de son lisible", name=self.name) from problem
        if not self._container.streams.audio:
            self._container.close()
            raise UnreadableSound("{name} : ce fichier n'a pas de piste sonore", name=self.name)
        self._track = self._container.streams.audio[0]
        if self._track.codec_context is None:
            self._container.close()
            raise UnreadableSound("{name} : ce n'est pas un fichier de son lisible", name=self.name)
        _check_rate(self.name, self._track.codec_context.sample_rate)

    def __iter__(self) -> Iterator[Samples]:
        rate = self._track.codec_context.sample_rate
        stream = _Stream(rate)
        heard = 0
        broken: Exception | None = None
        try:
            for frame in self._container.decode(self._track):
                block = _frame_samples(frame)
                if frame.pts is not None and frame.time_base is not None:
                    # a track may begin after the pictures, or leave gaps: its times must stay those of the
                    # film
                    gap = round(float(frame.pts * frame.time_base) * rate) - heard
                    if rate // 50 < gap < rate * 3600:
                        yield from stream.silence(gap)
                        heard += gap
                heard += len(block)
                yield from stream.accept(block)
        except self._failure as problem:
            broken = problem
        finally:
            self._container.close()
        yield from stream.finish()
        if broken is not None:
            raise _broken_off(self.name) from broken
        if not heard:
            raise UnreadableSound("{name} : ce fichier ne contient aucun son", name=self.name)

    def close(self) -> None:
        self._container.close()


def _frame_samples(frame: Any) -> NDArray[np.floating]:
    """One decoded frame (samples, channels): planar frames are (channels, samples), packed ones (1, samples x
    channels)."""
    values: NDArray[Any] = frame.to_ndarray()
    values = values.T if frame.format.is_planar else values.reshape(-1, len(frame.layout.channels))
    if np.issubdtype(values.dtype, np.integer):
        info = np.iinfo(values.dtype)
        middle = (info.max + 1) / 2 if info.min == 0 else 0
        values = (values.astype(np.float32) - middle) / (info.max - middle + 1)
    return values


def microphone(device: int | str | None = None) -> Microphone:
    """A live microphone by number or by part of its name; None is the system's choice.

    Raises:
        MicrophoneUnavailable: no PortAudio, no such device, or the device is taken.
    """
    from audio.microphone import Microphone  # files are heard without it

    return Microphone(device)
