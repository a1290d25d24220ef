"""espeak-ng through its C library: how a French text is pronounced, and the text spoken with the time of
every phoneme.

The library keeps one global voice, so every call goes through one lock; the speaking thread and the ears can
share it.
The library and its data come with the package ``espeakng-loader``; the C interface is that of
``speak_lib.h`` (1.52).
"""

from __future__ import annotations

import ctypes as c
import os
import re
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from audio.errors import SpeechUnavailable

_SYNCHRONOUS = 2
_PHONEME_EVENTS = 0x0001
_DONT_EXIT = 0x8000
_UTF8 = 1
_RATE, _PITCH, _RANGE = 1, 3, 4
_EVENT_END, _EVENT_PHONEME = 6, 7
SEPARATOR = "_"

_EAST = re.compile(r"(?<![\w-])Est(?![\w-])")
"""The player in the East, whose name espeak takes for the verb of the same letters."""

#: Held during every call into the library, whoever makes it.
LOCK = threading.RLock()


class _EventId(c.Union):
    _fields_ = (("number", c.c_int), ("name", c.c_char_p), ("string", c.c_char * 8))


class _Event(c.Structure):
    _fields_ = (
        ("type", c.c_int),
        ("unique_identifier", c.c_uint),
        ("text_position", c.c_int),
        ("length", c.c_int),
        ("audio_position", c.c_int),
        ("sample", c.c_int),
        ("user_data", c.c_void_p),
        ("id", _EventId),
    )


@dataclass(frozen=True, slots=True)
class Spoken:
    """A spoken text.

    Attributes:
        samples: int16, mono.
        rate: samples a second.
        phonemes: (start in seconds, espeak's name); a pause starts with ``_``.
    """

    samples: npt.NDArray[np.int16]
    rate: int
    phonemes: tuple[tuple[float, str], ...]


class Espeak:
    """The one instance of the library in this process; get it with :func:`espeak`.

    Raises:
        SpeechUnavailable: the library or its data are missing.
    """

    def __init__(self) -> None:
        try:
            import espeakng_loader

            data = espeakng_loader.get_data_path()
            library = c.CDLL(espeakng_loader.get_library_path())
        except (ImportError, OSError) as problem:
            raise SpeechUnavailable(
                "la synthèse espeak-ng est introuvable ; essayez : pip install espeakng-loader"
            ) from problem
        self._library: Any = library
        self._samples: list[npt.NDArray[np.int16]] = []
        self._events: list[tuple[float, str]] = []
        library.espeak_TextToPhonemes.restype = c.c_char_p
        library.espeak_TextToPhonemes.argtypes = [c.POINTER(c.c_char_p), c.c_int, c.c_int]
        library.espeak_SetVoiceByName.argtypes = [c.c_char_p]
        library.espeak_Synth.argtypes = [
            c.c_char_p, c.c_size_t, c.c_uint, c.c_int, c.c_uint, c.c_uint, c.c_void_p, c.c_void_p,
        ]  # fmt: skip
        library.espeak_Initialize.argtypes = [c.c_int, c.c_int, c.c_char_p, c.c_int]
        parent = os.path.dirname(data) if os.path.basename(data) == "espeak-ng-data" else data
        with LOCK:
            self.rate = library.espeak_Initialize(
                _SYNCHRONOUS, 0, parent.encode(), _PHONEME_EVENTS | _DONT_EXIT
            )
            if self.rate <= 0:
                raise SpeechUnavailable(
                    "les voix d'espeak-ng sont introuvables ; essayez : pip install espeakng-loader"
                )
            self._callback = c.CFUNCTYPE(c.c_int, c.POINTER(c.c_short), c.c_int, c.POINTER(_Event))(
                self._collect
            )
            library.espeak_SetSynthCallback(self._callback)
        self.data = data

    def _collect(self, wav: Any, count: int, events: Any) -> int:
        if count > 0 and wav:
            self._samples.append(np.ctypeslib.as_array(wav, (count,)).copy())
        i = 0
        while events[i].type:
            if events[i].type == _EVENT_PHONEME:
                self._events.append(
                    (events[i].audio_position / 1000, events[i].id.string.decode("utf-8", "ignore"))
                )
            elif events[i].type == _EVENT_END:
                self._events.append((events[i].audio_position / 1000, "_END"))
            i += 1
        return 0

    def _voice(self, voice: str) -> None:
        if self._library.espeak_SetVoiceByName(voice.encode()):
            raise SpeechUnavailable("espeak-ng n'a pas la voix {voice}", voice=voice)

    def phonemes(self, text: str, voice: str = "fr") -> tuple[tuple[str, ...], ...]:
        """The words of ``text``, each as espeak's phoneme names; stress and language marks are left in."""
        words: list[tuple[str, ...]] = []
        with LOCK:
            self._voice(voice)
            rest = c.c_char_p(text.encode())
            while rest.value:
                clause = self._library.espeak_TextToPhonemes(c.byref(rest), _UTF8, ord(SEPARATOR) << 8) or b""
                words += [tuple(w.split(SEPARATOR)) for w in clause.decode("utf-8", "ignore").split()]
        return tuple(words)

    def say(
        self, text: str, voice: str = "fr", rate: int = 175, pitch: int = 50, pitch_range: int = 50
    ) -> Spoken:
        """The text spoken at ``rate`` words a minute; ``pitch`` and ``pitch_range`` from 0 to 99."""
        with LOCK:
            self._voice(voice)
            for parameter, value in ((_RATE, rate), (_PITCH, pitch), (_RANGE, pitch_range)):
                self._library.espeak_SetParameter(parameter, int(value), 0)
            self._samples, self._events = [], []
            self._library.espeak_SetSynthCallback(self._callback)
            data = text.encode() + b"\0"
            self._library.espeak_Synth(data, len(data), 0, 1, 0, _UTF8, None, None)
            self._library.espeak_Synchronize()
            samples = np.concatenate(self._samples) if self._samples else np.zeros(0, np.int16)
            return Spoken(samples, self.rate, tuple(self._events))


def with_east(text: str) -> str:
    """French as espeak must have it to say East as players do, whatever else it reads.

    >>> with_east("Est trute. Nord-Sud contre Est-Ouest. C'est à Est de jouer.")
    "Este trute. Nord-Sud contre Est-Ouest. C'est à Este de jouer."
    """
    return _EAST.sub("Este", text)


@lru_cache(maxsize=1)
def espeak() -> Espeak:
    """The library, loaded once."""
    with LOCK:
        return Espeak()
