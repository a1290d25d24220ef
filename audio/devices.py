"""Which microphones there are, and how one is opened: what the ears need of PortAudio, behind a small protocol so that
tests can unplug things.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from audio.errors import MicrophoneUnavailable

MOST_CHANNELS = 8
"""Channels that are opened at most; sound servers claim 32 or 128 for a microphone with one."""
LATENCY = 0.05
"""Seconds that the device buffers: other threads may hold the interpreter for a while."""
OTHER_RATES = (48_000, 44_100, 16_000, 96_000, 32_000, 22_050, 11_025, 8_000, 192_000)
"""Rates to try where a device refuses its own."""


@dataclass(frozen=True, slots=True)
class InputDevice:
    """A microphone as PortAudio lists it; ``index`` changes when others come or go, name and host do not."""

    index: int
    name: str
    rate: int
    channels: int
    host: str = ""
    default: bool = False


@dataclass(frozen=True, slots=True)
class Captured:
    """What a device hands over.

    Attributes:
        samples: (n, channels), float32 in -1..1 or int16; the receiver's to keep.
        when: time of the first sample on the device's clock, seconds; 0 where it has none.
        overflow: the device says that it lost something before this.
        ended: moment of the last sample on the machine's clock, where the device knows it better than whoever
            receives it (sound that came over a network); None where it does not.
    """

    samples: NDArray[Any]
    when: float
    overflow: bool
    ended: float | None = None


class InputStream(Protocol):
    """A device that was opened; it hands over nothing before ``start``.

    Both methods may raise MicrophoneUnavailable.
    """

    rate: int
    channels: int

    def start(self) -> None: ...

    def close(self) -> None: ...


class Backend(Protocol):
    """Whatever knows the microphones."""

    def inputs(self) -> Sequence[InputDevice]:
        """The microphones known now, the default one marked."""
        ...

    def open(self, device: InputDevice, captured: Callable[[Captured], None], ended: Callable[[], None]) -> InputStream:
        """Open one; both functions are called in a thread of the device's.

        Raises:
            MicrophoneUnavailable: it is gone, taken, or gives no sound that can be used.
        """
        ...

    def rescan(self) -> None:
        """Look anew which devices there are. No stream may be open."""
        ...

    def changed(self) -> bool:
        """Whether devices have come or gone since the last look; False where that cannot be known cheaply."""
        ...


def choose(devices: Sequence[InputDevice], wanted: int | str | None) -> InputDevice:
    """The microphone by number, by name or part of its name, or (None, empty) the system's choice.

    Windows lists a microphone once for each of its sound systems: the one of the default device's counts first.

    Raises:
        MicrophoneUnavailable: there is none such.
    """
    host = next((d.host for d in devices if d.default), "")
    ordered = sorted(devices, key=lambda d: (not d.default, d.host != host, d.index))
    if wanted is None or wanted == "":
        found = ordered
    elif isinstance(wanted, int) or wanted.strip().isdecimal():
        found = [d for d in ordered if d.index == int(wanted)]
    else:
        asked = wanted.strip().casefold()
        found = [d for d in ordered if d.name.casefold() == asked] or [d for d in ordered if asked in d.name.casefold()]
    if not found:
        shown = "par défaut" if wanted in (None, "") else str(wanted)
        raise MicrophoneUnavailable(
            "micro {device} introuvable ou occupé (trut doctor montre ceux qui sont là)", device=shown
        )
    return found[0]


_in_use = threading.Lock()


@contextmanager
def portaudio_in_use() -> Iterator[None]:
    """While a loudspeaker plays: looking for microphones anew would silence it."""
    with _in_use:
        yield


class PortAudio:
    """The microphones of this machine.

    Raises:
        MicrophoneUnavailable: PortAudio itself is missing.
    """

    #: Linux lists its sound cards here; elsewhere nothing cheap tells that one came or went.
    CARDS = Path("/proc/asound/cards")

    def __init__(self) -> None:
        try:
            import sounddevice
        except OSError as problem:
            raise MicrophoneUnavailable(
                "il manque PortAudio pour le micro ; sous Debian ou Ubuntu : sudo apt install libportaudio2"
            ) from problem
        self._sd: Any = sounddevice
        self._cards = self._listed()

    def _listed(self) -> bytes:
        try:
            return self.CARDS.read_bytes()
        except OSError:
            return b""

    def inputs(self) -> list[InputDevice]:
        """All devices with at least one channel to record from."""
        try:
            default = self._default()
            hosts = [str(api["name"]) for api in self._sd.query_hostapis()]
            return [
                InputDevice(
                    index=i,
                    name=str(info["name"]),
                    rate=round(info["default_samplerate"]),
                    channels=int(info["max_input_channels"]),
                    host=hosts[info["hostapi"]],
                    default=i == default,
                )
                for i, info in enumerate(self._sd.query_devices())
                if info["max_input_channels"] > 0
            ]
        except (self._sd.PortAudioError, ValueError, KeyError, IndexError) as problem:
            raise MicrophoneUnavailable("PortAudio ne trouve aucun micro") from problem

    def _default(self) -> int:
        try:
            return int(self._sd.query_devices(kind="input")["index"])
        except (self._sd.PortAudioError, ValueError, KeyError):  # the system has chosen none
            return -1

    def open(self, device: InputDevice, captured: Callable[[Captured], None], ended: Callable[[], None]) -> InputStream:
        """Open a device as it likes it best: its own rate, all its channels, float32; else what it accepts."""
        problem: Exception | None = None
        for rate in dict.fromkeys((device.rate, *OTHER_RATES)):
            for channels in dict.fromkeys((_channels(device), min(2, device.channels), 1)):
                for kind in ("float32", "int16"):
                    try:
                        return _Stream(self._sd, device.index, rate, channels, kind, captured, ended)
                    except self._sd.PortAudioError as refused:
                        problem = refused
                        if not self._about_the_format(refused):
                            raise _unavailable(device) from refused
                    except ValueError as refused:
                        raise _unavailable(device) from refused
        raise _unavailable(device) from problem

    @staticmethod
    def _about_the_format(refused: Exception) -> bool:
        """Whether another rate, channel count or kind of number may help (PortAudio's error codes; -9999: the sound
        system's own error, which can be anything)."""
        return len(refused.args) < 2 or refused.args[1] in (-9999, -9998, -9997, -9994)

    def rescan(self) -> None:
        """PortAudio lists devices only when it is started: start it anew, unless somebody is speaking just now."""
        if _in_use.acquire(blocking=False):
            try:
                self._cards = self._listed()
                self._sd._terminate()
                self._sd._initialize()
            except (self._sd.PortAudioError, AttributeError) as problem:
                raise MicrophoneUnavailable("PortAudio ne trouve aucun micro") from problem
            finally:
                _in_use.release()

    def changed(self) -> bool:
        return not _in_use.locked() and self._listed() != self._cards


def _channels(device: InputDevice) -> int:
    """All channels of a sound card, two of a sound server's make-believe device."""
    return device.channels if device.channels <= MOST_CHANNELS else 2


def _unavailable(device: InputDevice) -> MicrophoneUnavailable:
    return MicrophoneUnavailable(
        "micro {device} introuvable ou occupé (trut doctor montre ceux qui sont là)", device=device.name
    )


class _Stream:
    def __init__(
        self,
        sd: Any,
        index: int,
        rate: int,
        channels: int,
        kind: str,
        captured: Callable[[Captured], None],
        ended: Callable[[], None],
    ) -> None:
        self.rate, self.channels = rate, channels
        self._error = sd.PortAudioError

        def called(data: NDArray[Any], frames: int, when: Any, status: Any) -> None:
            captured(Captured(np.array(data), float(when.inputBufferAdcTime), bool(status.input_overflow)))

        self._stream: Any = sd.InputStream(
            device=index,
            channels=channels,
            samplerate=rate,
            dtype=kind,
            latency=LATENCY,
            callback=called,
            finished_callback=ended,
        )

    def start(self) -> None:
        try:
            self._stream.start()
        except self._error as problem:
            raise MicrophoneUnavailable("le micro ne démarre pas") from problem

    def close(self) -> None:
        try:
            self._stream.abort()
            self._stream.close()
        except self._error as problem:
            raise MicrophoneUnavailable("le micro ne répond plus") from problem
