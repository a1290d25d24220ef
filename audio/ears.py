"""Both listeners on one stream: the fist and the words, in the order in which they were decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from audio.events import Knock, Phrase, SoundObservation
from audio.knocks import KnockDetector
from audio.resampling import RATE, Samples

if TYPE_CHECKING:
    from audio.phrases import PhraseSpotter

CHUNK = RATE // 50
"""Samples that the listeners get at a time (20 ms), however the stream is cut: what they hear does not
depend on it."""


class Ears:
    """Hears knocks and the phrases of a game.

    Args:
        game: name of the game whose phrases are heard.
        phrases: a closed list of phrases heard instead of the game's.
        engine: which phrase recogniser (``spotter`` or ``vosk``).
        knocks: another knock detector, for one table or for a test; None takes the shipped one.
        spotter: another phrase recogniser; None makes one of the above.
    """

    def __init__(
        self,
        game: str = "trut",
        phrases: Sequence[str] | None = None,
        engine: str = "spotter",
        *,
        knocks: KnockDetector | None = None,
        spotter: PhraseSpotter | None = None,
    ) -> None:
        if spotter is None:
            from audio.phrases import PhraseSpotter  # its models take a moment: only who listens pays

            spotter = PhraseSpotter(game=game, phrases=phrases, engine=engine)
        self._knocks = KnockDetector() if knocks is None else knocks
        self._phrases = spotter
        self._waiting = np.zeros(0, np.float32)

    def accept(self, samples: Samples) -> list[SoundObservation]:
        """What is decided with these samples (float32, 16 kHz, any number), in the order of ``decided``."""
        self._waiting = np.concatenate([self._waiting, samples])
        heard: list[SoundObservation] = []
        whole = len(self._waiting) // CHUNK * CHUNK
        for start in range(0, whole, CHUNK):
            heard += self._hear(self._waiting[start : start + CHUNK])
        self._waiting = self._waiting[whole:]
        return heard

    def finish(self) -> list[SoundObservation]:
        """What the end of the stream decides."""
        heard = self._hear(self._waiting) if len(self._waiting) else []
        self._waiting = np.zeros(0, np.float32)
        return heard + _in_order(self._knocks.finish(), self._phrases.finish())

    def expect(self, verbs: frozenset[str] | None) -> None:
        """Narrow the phrases to those whose event may happen now; None hears all."""
        self._phrases.expect(verbs)

    def _hear(self, chunk: Samples) -> list[SoundObservation]:
        return _in_order(self._knocks.accept(chunk), self._phrases.accept(chunk))


def _in_order(knocks: Iterable[Knock], phrases: Iterable[Phrase]) -> list[SoundObservation]:
    return sorted([*knocks, *phrases], key=lambda event: (event.decided, event.t))
