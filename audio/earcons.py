"""Earcons: soft short tones for what words take too long to say, and for those who want no words.

Each is a melody of a few notes that no fist and no voice makes: pure, higher than people speak, short, and with a slow
beginning. Longer and deeper ones were taken for "non", and quicker ones for a knock, when they came back through the
microphone (``python -m assistant.own_voice --check``). Rising is good news or a question, falling is bad news.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from audio.resampling import Samples

RATE = 22_050
"""Samples a second, as espeak's."""
PEAK = 0.2
"""Loudest sample, full scale being 1: well under a spoken announcement."""
ATTACK = 0.04
"""Seconds in which a note swells: a knock is there at once."""
A5 = 880.0


@dataclass(frozen=True, slots=True)
class Note:
    """``step`` semitones over a'', ``seconds`` long, ``rest`` seconds of silence after it."""

    step: int
    seconds: float
    rest: float = 0.0


EARCONS: dict[str, tuple[Note, ...]] = {
    "heard": (Note(7, 0.11),),
    "card": (Note(0, 0.10),),
    "done": (Note(0, 0.10, 0.02), Note(0, 0.10)),
    "challenge": (Note(0, 0.11), Note(5, 0.11), Note(9, 0.15)),
    "question": (Note(4, 0.12, 0.06), Note(11, 0.15)),
    "refused": (Note(5, 0.12, 0.06), Note(-1, 0.15)),
    "trick": (Note(-5, 0.14),),
    "rotten": (Note(-5, 0.12, 0.06), Note(-5, 0.14)),
    "round": (Note(-5, 0.11), Note(0, 0.11), Note(4, 0.11), Note(7, 0.15)),
    "lost": (Note(8, 0.12), Note(3, 0.12), Note(-4, 0.15)),
    "back": (Note(-4, 0.12), Note(3, 0.12), Note(8, 0.15)),
}
"""``heard``: a fist, before it is known whose; ``card``: one was counted; ``done``: a command was followed; ``lost``
and ``back``: the camera, the microphone or the record."""


@lru_cache(maxsize=32)
def earcon(name: str) -> Samples:
    """The sound of an earcon: mono float32 at :data:`RATE`. Raises KeyError for one that there is not."""
    return np.concatenate([_played(note) for note in EARCONS[name]]).astype(np.float32)


def _played(note: Note) -> Samples:
    t = np.arange(round(note.seconds * RATE)) / RATE
    pitch = A5 * 2 ** (note.step / 12)
    wave = np.sin(2 * np.pi * pitch * t)
    swell = np.sin(np.pi / 2 * np.minimum(1.0, t / ATTACK)) ** 2
    fade = np.sin(np.pi / 2 * np.minimum(1.0, (note.seconds - t) / (0.6 * note.seconds))) ** 2
    sound = PEAK * wave * swell * fade
    return np.concatenate([sound, np.zeros(round(note.rest * RATE))]).astype(np.float32)
