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
from typing import Any

import numpy as np

from audio.errors import SpeechUnavailable
from audio.resampling import Samples

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

STALE = 6.0
"""Seconds after which an announcement that still waits is left out: the game has gone on."""
SOON = 1.0
"""The same for a tone."""
MOST_WAITING = 6
"""Announcements that wait at most; the oldest gives way."""
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


def loudspeaker(device: int | str | None = None) -> Play:
    """The loudspeaker of the system, or one by number or name.

    Raises:
        SpeechUnavailable: no PortAudio or no such device.
    """
    try:
        import sounddevice
    except OSError as problem:
        raise SpeechUnavailable(
            "il manque PortAudio pour parler ; sous Debian ou Ubuntu : sudo apt install libportaudio2"
        ) from problem
    try:
        sounddevice.query_devices(device, "output")
    except (sounddevice.PortAudioError, ValueError) as problem:
        raise SpeechUnavailable("aucun haut-parleur : les annonces sont seulement écrites") from problem

    def play(samples: Samples, rate: int) -> None:
        from audio.devices import portaudio_in_use
        from audio.resampling import resampled

        try:
            with portaudio_in_use():
                # asked anew each time: who plugs in headphones is followed
                info: Any = sounddevice.query_devices(device, "output")
                device_rate = int(info["default_samplerate"])
                with sounddevice.OutputStream(device_rate, channels=1, dtype="float32", device=info["index"]) as stream:
                    stream.write(resampled(samples, rate, device_rate).reshape(-1, 1))
        except (sounddevice.PortAudioError, ValueError) as problem:
            raise SpeechUnavailable("le haut-parleur ne répond plus : les annonces sont seulement écrites") from problem

    return play


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
        warn: told once, in the speaker's thread, why nothing is heard; None writes one line on stderr.
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
        self._tones: deque[_Waiting] = deque()
        self._texts: deque[_Waiting] = deque()
        self._speaking = threading.Event()
        self._closed = False
        self._hush = False
        self._began: Began = lambda samples, rate: None
        self._ended: Ended = lambda: None
        self.unsaid = 0
        self._failed_at: float | None = None
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
        """Play a tone before all texts that wait; never blocks. Raises ValueError as ``say``."""
        with self._ready:
            self._refuse_if_closed()
            self._tones.append(_Waiting(_Tone(samples, rate), self._now(), self._steps))
            self._ready.notify()

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
                if self._failed_at is None:
                    self._warn(problem)
                self._failed_at = self._now()

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
        self._play(samples, rate)


def _is_stale(waiting: Utterance | _Tone, newer: Utterance) -> bool:
    """Whether something that waits need not be said any more once ``newer`` will be."""
    return isinstance(waiting, Utterance) and bool(newer.topic) and waiting.topic == newer.topic


def _to_stderr(problem: SpeechUnavailable) -> None:
    sys.stderr.write(f"trut: {problem}\n")
