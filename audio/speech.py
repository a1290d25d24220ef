"""Text to speech with espeak-ng, offline, and a speaker that never makes anybody wait."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from audio.errors import SpeechUnavailable
from audio.resampling import Samples, resampled

WORDS_A_MINUTE = 150
"""Slower than espeak's 175: an announcement is heard over the talk of a café."""
PITCH = 42
PITCH_RANGE = 62
"""espeak's French is flat at its usual 50: a wider range makes the end of a sentence audible."""

VOICES = {"fr": "fr", "en": "en"}
"""espeak's voice of a language; other names are handed to it as they are (``fr-be``, ``fr-ch``, ``ca``)."""

STEP_DB = 6.0
"""Decibels by which the voice is turned up or down at a time."""
QUIETEST, LOUDEST = -4, 2
"""Steps that the voice can be turned, 0 being espeak's own level."""
VOLUME, LOUDEST_VOLUME = 7, 10
"""The volume of the settings at which the voice is left as espeak makes it; 0 is silence."""
VOLUME_DB = 4.0
"""Decibels of one degree of volume."""

BLOCK = 0.05
"""Seconds of sound that are handed to the system at a time: a tone in the middle of a voice waits no longer."""
STALE = 6.0
"""Seconds after which an announcement that still waits is left out: the game has gone on."""
SOON = 1.0
"""The same for a tone."""
MOST_WAITING = 6
"""Announcements that wait at most; the oldest gives way."""
HANGING = 5.0
"""Seconds after which a sound that should be over is not waited for any longer."""
TRY_AGAIN = 20.0
"""Seconds after which a loudspeaker that failed is tried again."""

Play = Callable[[Samples, int], None]
"""Plays samples at a rate and returns when they have been heard."""
Warn = Callable[[SpeechUnavailable], None]
Began = Callable[[Samples, int], None]
Ended = Callable[[], None]


def synthesise(text: str, language: str = "fr") -> tuple[Samples, int]:
    """``text`` spoken: (mono float32 -1..1, samples a second). An empty text is no sound.

    Uses the library of the package ``espeakng-loader``; where that is missing, the program ``espeak-ng`` of
    the system.

    Raises:
        SpeechUnavailable: neither is there, or the language is unknown.
    """
    from audio.espeak import espeak, with_east

    clean = " ".join(text.split()).replace("\0", "")
    clean = with_east(clean) if language.startswith("fr") else clean
    voice = VOICES.get(language, language)
    try:
        if not clean:
            return np.zeros(0, np.float32), 22_050
        spoken = espeak().say(clean, voice, WORDS_A_MINUTE, PITCH, PITCH_RANGE)
    except SpeechUnavailable:
        program = shutil.which("espeak-ng") or shutil.which("espeak")
        if program is None:
            raise
        return _by_program(program, clean, voice)
    return (spoken.samples / np.float32(32768)).astype(np.float32), spoken.rate


def turned(samples: Samples, steps: float) -> Samples:
    """The sound ``steps`` steps louder; what would go over the top is rounded off."""
    louder = samples * np.float32(10 ** (STEP_DB * steps / 20))
    knee = np.float32(0.7)
    over = np.abs(louder) > knee
    if over.any():
        rounded = knee + (1 - knee) * np.tanh((np.abs(louder) - knee) / (1 - knee))
        louder = np.where(over, np.sign(louder) * rounded, louder)
    return louder.astype(np.float32)


def _by_program(program: str, text: str, voice: str) -> tuple[Samples, int]:
    import soundfile

    command = [
        program,
        "--stdout",
        "-v",
        voice,
        "-s",
        str(WORDS_A_MINUTE),
        "-p",
        str(PITCH),
        "-P",
        str(PITCH_RANGE),
    ]
    try:
        done = subprocess.run([*command, "--", text], capture_output=True, timeout=30, check=True)
        samples, rate = soundfile.read(io.BytesIO(done.stdout), dtype="float32", always_2d=True)
    except (OSError, subprocess.SubprocessError, RuntimeError) as problem:
        raise SpeechUnavailable("espeak-ng ne sait pas parler avec la voix {voice}", voice=voice) from problem
    return samples.mean(axis=1).astype(np.float32), int(rate)


class Sounding:
    """A sound on its way out, into which others can still be mixed."""

    def __init__(self, samples: Samples) -> None:
        self._left = samples
        self._lock = threading.Lock()

    def next(self, count: int) -> Samples:
        """The next samples, at most so many; none at the end."""
        with self._lock:
            block, self._left = self._left[:count], self._left[count:]
        return block

    def mix(self, samples: Samples) -> None:
        """Let ``samples`` be heard from now on beside what is left."""
        with self._lock:
            mixed = np.zeros(max(len(self._left), len(samples)), np.float32)
            mixed[: len(self._left)] += self._left
            mixed[: len(samples)] += samples
            self._left = mixed


class SystemLoudspeaker:
    """A loudspeaker of the system; calling it plays a sound and returns when it has been heard.

    Args:
        device: number or name, None for the system's choice.

    Raises:
        SpeechUnavailable: no PortAudio or no such device.
    """

    def __init__(self, device: int | str | None = None) -> None:
        try:
            import sounddevice
        except OSError as problem:
            raise SpeechUnavailable(
                "il manque PortAudio pour parler ; sous Debian ou Ubuntu : sudo apt install libportaudio2"
            ) from problem
        self._sounddevice: Any = sounddevice
        self._device = device
        self._playing: tuple[Sounding, int] | None = None
        try:
            sounddevice.query_devices(device, "output")
        except (sounddevice.PortAudioError, ValueError) as problem:
            if device is not None:
                raise SpeechUnavailable(
                    "haut-parleur {device} introuvable : les annonces sont seulement écrites", device=device
                ) from problem
            raise SpeechUnavailable("aucun haut-parleur : les annonces sont seulement écrites") from problem

    def __call__(self, samples: Samples, rate: int) -> None:
        from audio.devices import portaudio_in_use

        sd = self._sounddevice
        try:
            with portaudio_in_use():
                # asked anew each time: who plugs in headphones is followed
                info: Any = sd.query_devices(self._device, "output")
                own = int(info["default_samplerate"])
                sounding = Sounding(resampled(samples, rate, own))
                with sd.OutputStream(own, channels=1, dtype="float32", device=info["index"]) as stream:
                    self._playing = sounding, own
                    while len(block := sounding.next(round(BLOCK * own))):
                        stream.write(block.reshape(-1, 1))
        except (sd.PortAudioError, ValueError) as problem:
            raise SpeechUnavailable("le haut-parleur ne répond plus : les annonces sont seulement écrites") from problem
        finally:
            self._playing = None

    def mix(self, samples: Samples, rate: int) -> bool:
        """Let a short sound be heard in the middle of one that is being played; False where none is."""
        playing = self._playing
        if playing is None:
            return False
        sounding, own = playing
        sounding.mix(resampled(samples, rate, own))
        return True


def loudspeaker(device: int | str | None = None) -> Play:
    """See :class:`SystemLoudspeaker`."""
    return SystemLoudspeaker(device)


@runtime_checkable
class Mixing(Protocol):
    """A loudspeaker that can play a tone beside a voice."""

    def mix(self, samples: Samples, rate: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something to be said.

    Attributes:
        text: the words.
        topic: of all that wait with the same one only the newest is said (two scores in a row help nobody); empty
            for none.
        within: seconds in which it must begin, else it is left out.
    """

    text: str
    topic: str = ""
    within: float = STALE


@dataclass(frozen=True, slots=True)
class _Tone:
    samples: Samples
    rate: int
    within: float = SOON


@dataclass(frozen=True, slots=True)
class _Waiting:
    what: Utterance | _Tone
    since: float
    steps: float


class Speaker:
    """Says one text after the other in a thread of its own.

    Nobody's eyes or ears wait for a voice: ``say``, ``announce`` and ``sound`` return at once. What waits too long is
    left out, what is newer takes the place of what it makes stale. Without a synthesiser or a loudspeaker one warning
    is given, what follows stays silent, and now and then it is tried again; ``unsaid`` counts all that was left out.

    Args:
        language: of the texts.
        play: how sound is played; None opens the loudspeaker at the first text.
        warn: told once why nothing is heard, in the speaker's thread (in that of the caller, if the loudspeaker
            hangs); None writes one line on stderr.
        volume: 0 (silent) to 10, 7 being espeak's own level.
        device: the loudspeaker by number or name, None for the system's.
        now: the clock, in seconds.
    """

    def __init__(
        self,
        language: str = "fr",
        *,
        play: Play | None = None,
        warn: Warn | None = None,
        volume: int = VOLUME,
        device: int | str | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._language = language
        self._play = play
        self._device = device
        self._warn = warn or _to_stderr
        self._now = now
        self._silent = volume <= 0
        self._steps = (min(volume, LOUDEST_VOLUME) - VOLUME) * VOLUME_DB / STEP_DB
        self._ready = threading.Condition()
        self._tones: deque[_Waiting] = deque(maxlen=MOST_WAITING)
        self._texts: deque[_Waiting] = deque()
        self._speaking = threading.Event()
        self._closed = False
        self._hush = False
        self._began: Began = lambda samples, rate: None
        self._ended: Ended = lambda: None
        self.unsaid = 0
        self._failed_at: float | None = None
        self._over_by: float | None = None
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    @property
    def speaking(self) -> bool:
        """Whether a text is being said now: the ears may not believe what they hear."""
        return self._speaking.is_set()

    def say(self, text: str) -> None:
        """Say ``text`` after what is waiting; never blocks.

        Raises:
            ValueError: the speaker is closed.
        """
        self.announce(Utterance(text))

    def announce(self, utterance: Utterance) -> None:
        """Say something after what is waiting and still worth saying; never blocks. Raises ValueError as ``say``."""
        self._look_at_the_clock()
        with self._ready:
            self._refuse_if_closed()
            stale = [w for w in self._texts if _is_stale(w.what, utterance)]
            for waiting in stale:
                self._texts.remove(waiting)
            if len(self._texts) >= MOST_WAITING:
                stale.append(self._texts.popleft())
            self.unsaid += len(stale)
            self._texts.append(_Waiting(utterance, self._now(), self._steps))
            self._ready.notify()

    def sound(self, samples: Samples, rate: int) -> None:
        """Play a tone at once, beside the text that is being said, else before all that wait; never blocks. Raises
        ValueError as ``say``."""
        self._look_at_the_clock()
        play, louder = self._play, turned(samples, self._steps)
        if not self._silent and isinstance(play, Mixing) and play.mix(louder, rate):
            return
        with self._ready:
            self._refuse_if_closed()
            self._tones.append(_Waiting(_Tone(samples, rate), self._now(), self._steps))
            self._ready.notify()

    def _look_at_the_clock(self) -> None:
        """Warn of a loudspeaker that hangs: its own thread cannot."""
        over_by = self._over_by
        if over_by is not None and self._now() > over_by:
            self._fail(SpeechUnavailable("le haut-parleur ne répond plus : les annonces sont seulement écrites"))

    def _fail(self, problem: SpeechUnavailable) -> None:
        if self._failed_at is None:
            self._warn(problem)
        self._failed_at = self._now()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise ValueError("speaker is closed")

    def tell(self, began: Began, ended: Ended) -> None:
        """Call ``began`` with the sound of a text just before it is played, ``ended`` when it has been heard, both in
        the speaker's thread. Tones are not told: the ears take none for a knock or a word."""
        self._began, self._ended = began, ended

    def turn(self, steps: int) -> None:
        """Turn the voice up by so many steps of 6 dB (down, if negative), from the next text on."""
        self._silent = self._silent and steps <= 0
        self._steps = max(QUIETEST, min(LOUDEST, self._steps + steps))

    def close(self, timeout: float | None = 10.0, *, hush: bool = False) -> None:
        """Say what is waiting, at most ``timeout`` seconds long, then end; ``hush`` leaves out what was not
        begun."""
        with self._ready:
            self._hush = self._hush or hush
            self._closed = True
            self._ready.notify()
        self._thread.join(timeout)

    # -- the speaker's thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        while (waiting := self._next()) is not None:
            what = waiting.what
            if self._silent or self._hush or self._is_broken() or self._now() - waiting.since > what.within:
                self.unsaid += 1
                continue
            try:
                if isinstance(what, _Tone):
                    self._out(turned(what.samples, waiting.steps), what.rate)
                else:
                    self._say(what.text, waiting.steps)
                self._failed_at = None
            except SpeechUnavailable as problem:
                self.unsaid += 1
                self._fail(problem)

    def _next(self) -> _Waiting | None:
        """The next thing to say, a tone before words; None when all is over."""
        with self._ready:
            self._ready.wait_for(lambda: self._tones or self._texts or self._closed)
            if self._tones:
                return self._tones.popleft()
            return self._texts.popleft() if self._texts else None

    def _is_broken(self) -> bool:
        return self._failed_at is not None and self._now() - self._failed_at < TRY_AGAIN

    def _say(self, text: str, steps: float) -> None:
        self._speaking.set()
        try:
            samples, rate = synthesise(text, self._language)
            if not len(samples):
                return
            samples = turned(samples, steps)
            self._began(samples, rate)
            try:
                self._out(samples, rate)
            finally:
                self._ended()
        finally:
            self._speaking.clear()

    def _out(self, samples: Samples, rate: int) -> None:
        if self._play is None:
            self._play = loudspeaker(self._device)
        self._over_by = self._now() + len(samples) / rate + HANGING
        try:
            self._play(samples, rate)
        finally:
            self._over_by = None


def _is_stale(waiting: Utterance | _Tone, newer: Utterance) -> bool:
    """Whether something that waits need not be said any more once ``newer`` will be."""
    return isinstance(waiting, Utterance) and bool(newer.topic) and waiting.topic == newer.topic


def _to_stderr(problem: SpeechUnavailable) -> None:
    sys.stderr.write(f"trut: {problem}\n")
