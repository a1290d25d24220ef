"""Text to speech with espeak-ng, offline, and a speaker that never makes anybody wait."""

from __future__ import annotations

import io
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
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
    clean = " ".join(text.split()).replace("\0", "")
    voice = VOICES.get(language, language)
    try:
        from audio.espeak import espeak

        if not clean:
            return np.zeros(0, np.float32), 22_050
        spoken = espeak().say(clean, voice, WORDS_A_MINUTE, PITCH, PITCH_RANGE)
    except SpeechUnavailable:
        program = shutil.which("espeak-ng") or shutil.which("espeak")
        if program is None:
            raise
        return _by_program(program, clean, voice)
    return (spoken.samples / np.float32(32768)).astype(np.float32), spoken.rate


def turned(samples: Samples, steps: int) -> Samples:
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


class Speaker:
    """Says one text after the other in a thread of its own.

    ``say`` returns at once: nobody's eyes or ears wait for a voice. Without a synthesiser or a loudspeaker
    one warning is given and what follows stays silent; ``unsaid`` counts it.

    Args:
        language: of the texts.
        play: how sound is played; None opens the system's loudspeaker at the first text.
        warn: told once, in the speaker's thread, why nothing is heard; None writes one line on stderr.
    """

    def __init__(self, language: str = "fr", *, play: Play | None = None, warn: Warn | None = None) -> None:
        self._language = language
        self._play = play
        self._warn = warn or _to_stderr
        self._texts: queue.SimpleQueue[tuple[str, int] | None] = queue.SimpleQueue()
        self._speaking = threading.Event()
        self._closed = False
        self._hush = False
        self._began: Began = lambda samples, rate: None
        self._ended: Ended = lambda: None
        self._steps = 0
        self.unsaid = 0
        self._mute = False
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
        if self._closed:
            raise ValueError("speaker is closed")
        self._texts.put((text, self._steps))

    def tell(self, began: Began, ended: Ended) -> None:
        """Call ``began`` with the sound just before it is played, ``ended`` when it has been heard, both in
        the speaker's thread."""
        self._began, self._ended = began, ended

    def turn(self, steps: int) -> None:
        """Turn the voice up by so many steps of 6 dB (down, if negative), from the next text on."""
        self._steps = max(QUIETEST, min(LOUDEST, self._steps + steps))

    def close(self, timeout: float | None = 10.0, *, hush: bool = False) -> None:
        """Say what is waiting, at most ``timeout`` seconds long, then end; ``hush`` leaves out what was not
        begun."""
        self._hush = self._hush or hush
        if not self._closed:
            self._closed = True
            self._texts.put(None)
        self._thread.join(timeout)

    def _run(self) -> None:
        while (said := self._texts.get()) is not None:
            text, steps = said
            if self._mute or self._hush:
                self.unsaid += 1
                continue
            self._speaking.set()
            try:
                samples, rate = synthesise(text, self._language)
                if self._play is None:
                    self._play = loudspeaker()
                if len(samples):
                    samples = turned(samples, steps)
                    self._began(samples, rate)
                    try:
                        self._play(samples, rate)
                    finally:
                        self._ended()
            except SpeechUnavailable as problem:
                self._mute = True
                self.unsaid += 1
                self._warn(problem)
            finally:
                self._speaking.clear()


def _to_stderr(problem: SpeechUnavailable) -> None:
    sys.stderr.write(f"trut: {problem}\n")
