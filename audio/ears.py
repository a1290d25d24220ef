"""Both listeners on one stream: the fist and the words, in the order in which they were decided."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from audio.events import Knock, Phrase, SoundObservation
from audio.knocks import Classifier, KnockDetector
from audio.resampling import RATE, Samples

if TYPE_CHECKING:
    from audio.phrases import PhraseSpotter
    from audio.voices import SpeakerVoices

CHUNK = RATE // 50
"""Samples that the listeners get at a time (20 ms), however the stream is cut: what they hear does not
depend on it."""

KNOCK_COVERS = (-0.05, 0.35)
"""A phrase that ends so many seconds after the onset of a knock may be that knock: its thud makes a
syllable."""
SURE_WORDS = 0.85
"""Confidence from which a phrase counts beside a knock all the same, unless both mean a trut."""


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
        self._knocked: deque[float] = deque(maxlen=8)
        self._expected: deque[frozenset[str] | None] = deque()
        self._narrowed: frozenset[str] | None = None
        self._called: deque[tuple[str, ...]] = deque()
        self._heard = self._began = 0

    def accept(self, samples: Samples) -> list[SoundObservation]:
        """What is decided with these samples (float32, 16 kHz, any number), in the order of ``decided``."""
        self._learn_what_is_expected()
        self._waiting = np.concatenate([self._waiting, samples])
        heard: list[SoundObservation] = []
        whole = len(self._waiting) // CHUNK * CHUNK
        for start in range(0, whole, CHUNK):
            heard += self._hear(self._waiting[start : start + CHUNK])
        self._waiting = self._waiting[whole:]
        return heard

    def finish(self) -> list[SoundObservation]:
        """What the end of the stream decides."""
        self._learn_what_is_expected()
        heard = self._hear(self._waiting) if len(self._waiting) else []
        self._waiting = np.zeros(0, np.float32)
        return heard + self._in_order(self._knocks.finish(), self._on_our_clock(self._phrases.finish()))

    def calibrate(self, knocks: Classifier) -> None:
        """The knocks of this table were learnt; in the thread that listens, between two blocks."""
        self._knocks.calibrate(knocks)

    def teach(self, voices: SpeakerVoices) -> None:
        """The voices of the players were learnt; in the thread that listens, between two blocks."""
        self._phrases.teach(voices)

    def expect(self, verbs: frozenset[str] | None) -> None:
        """Narrow the phrases to those whose event may happen now; None hears all.

        May be called in any thread; it counts from the next samples on.
        """
        self._expected.append(verbs)

    def call(self, called: tuple[str, ...]) -> None:
        """The players are called so from the next samples on, from place 1 on; from any thread."""
        self._called.append(called)

    def _learn_what_is_expected(self) -> None:
        if self._called:
            self._phrases = self._phrases.renamed(self._called.pop())
            self._called.clear()
            self._began = self._heard
            self._expected.appendleft(self._narrowed)
        while len(self._expected) > 1:
            self._expected.popleft()
        if self._expected:
            self._narrowed = self._expected.popleft()
            self._phrases.expect(self._narrowed)

    def _hear(self, chunk: Samples) -> list[SoundObservation]:
        phrases = self._phrases.accept(chunk)
        self._heard += len(chunk)
        return self._in_order(self._knocks.accept(chunk), self._on_our_clock(phrases))

    def _on_our_clock(self, phrases: Iterable[Phrase]) -> list[Phrase]:
        """Seconds of the whole stream: a spotter that came later counts from there."""
        since = self._began / RATE
        return [replace(one, t=one.t + since, decided=one.decided + since) if since else one for one in phrases]

    def _in_order(self, knocks: Iterable[Knock], phrases: Iterable[Phrase]) -> list[SoundObservation]:
        """Knocks and phrases by the time of their decision; what was one sound counts once, as a knock.

        A phrase is decided later than a knock at its end, so the knock is known by then.
        """
        hits = list(knocks)
        self._knocked.extend(hit.t for hit in hits)
        apart = [phrase for phrase in phrases if not self._is_a_knock(phrase)]
        return sorted([*hits, *apart], key=lambda event: (event.decided, event.t))

    def _is_a_knock(self, phrase: Phrase) -> bool:
        soonest, latest = KNOCK_COVERS
        covered = any(soonest <= phrase.t - t <= latest for t in self._knocked)
        return covered and (phrase.confidence < SURE_WORDS or "trut" in phrase.means)
