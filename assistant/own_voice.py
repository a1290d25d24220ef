"""The assistant's own voice in its own microphone: what it says is not taken for a player's call.

Words are not believed while it speaks and for a moment after: its sentences contain "je trute" and "on
reprend", and a player cannot be told from it. A knock needs no silence round it, so a player's knock during an
announcement counts if it is sure by its sound; but each announcement is listened to before it is played, and
where it would itself make a knock, none is believed (docs/decisions/asking-back.md has the figures).

    python -m assistant.own_voice --check     plays every announcement back into the ears, and says what it
                                              triggers
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from assistant.knocking import LIKELY_KNOCK, is_sure
from audio.events import Phrase, SoundObservation
from audio.resampling import RATE, resampled

Samples = npt.NDArray[np.float32]

TAIL = 0.5
"""Seconds after the voice has ended during which a word may still be its own: the way through loudspeaker,
room and microphone."""
EARLY, LATE = 0.1, 0.5
"""Seconds before and after the place of a knock in the announcement itself within which a knock is taken for
it."""
FAINTEST = LIKELY_KNOCK / 3
"""Confidence from which the announcement is said to knock: a room may make more of it."""
REMEMBERED = 8
"""Announcements that are remembered: what they set off is known within a second."""


@dataclass(slots=True)
class _Speech:
    """One announcement: when it began and ended (None while it lasts), and where it knocks."""

    began: float
    ended: float | None = None
    knocks: tuple[float, ...] = field(default=())


class OwnVoice:
    """What the assistant has said lately, on the session's clock."""

    def __init__(self) -> None:
        self._said: list[_Speech] = []

    def begins(self, t: float, samples: Samples | None = None, rate: int = RATE) -> None:
        """An announcement begins; with its sound, where that is known."""
        knocks = () if samples is None else knocks_in(samples.tobytes(), rate)
        self._said = [*self._said[1 - REMEMBERED :], _Speech(t, None, knocks)]

    def ends(self, t: float) -> None:
        """The announcement has been heard."""
        if self._said and self._said[-1].ended is None:
            self._said[-1].ended = t

    def is_own(self, heard: SoundObservation) -> bool:
        """Whether a sound may be the assistant's own."""
        speech = [s for s in self._said if s.began <= heard.t and (s.ended is None or heard.t <= s.ended + TAIL)]
        if isinstance(heard, Phrase) or not is_sure(heard):
            return bool(speech)
        return any(-EARLY <= heard.t - (s.began + at) <= LATE for s in speech for at in s.knocks)


@lru_cache(maxsize=256)
def knocks_in(sound: bytes, rate: int) -> tuple[float, ...]:
    """Where an announcement (float32 samples) would be taken for a knock, in seconds from its beginning."""
    from audio.knocks import KnockDetector

    detector = KnockDetector(first=FAINTEST, further=FAINTEST)
    samples = resampled(np.frombuffer(sound, np.float32), rate, RATE)
    silence = np.zeros(RATE // 2, np.float32)
    heard = detector.accept(np.concatenate([silence, samples, silence]).astype(np.float32)) + detector.finish()
    return tuple(round(knock.t - len(silence) / RATE, 3) for knock in heard)


def main() -> int:
    """See the module."""
    from assistant.bench.own_voice import main as check  # measuring needs what refereeing does not

    return check()


if __name__ == "__main__":
    raise SystemExit(main())
