"""What the ears report: small frozen observations on the medium's clock (seconds, ``decided >= t``)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Knock:
    """One hit of a fist on the table.

    Attributes:
        t: onset.
        confidence: 0 to 1.
        gesture: number of the gesture from 1; hits within half a second of each other are one gesture.
        hit: number of the hit in its gesture from 1; only the first means anything to the game.
    """

    t: float
    decided: float
    confidence: float
    gesture: int
    hit: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A call that was heard.

    Attributes:
        t: end of the phrase.
        phrase: the likeliest event without a state, in NOTATION.md's words (``"trut"``, ``"raise 10"``), or a command
            (``undo score turn rules repeat quieter louder pause resume new-game annul``), or a card name.
        means: every event it may stand for in this game.
        answer: True for words that count only while somebody is asked.
        text: the words as recognised.
        confidence: 0 to 1.
        speaker: seat of the enrolled voice, None where unknown.
        doubtful: True where another reading is nearly as likely: to be asked back before it counts.
        rival: the words of the likeliest other reading that means something else; empty where there is none.
        speaker_name: name under which the voice was enrolled, None where unknown.
    """

    t: float
    decided: float
    phrase: str
    means: tuple[str, ...]
    answer: bool
    text: str
    confidence: float
    speaker: int | None = None
    doubtful: bool = False
    rival: str = ""
    speaker_name: str | None = None


SoundObservation = Knock | Phrase
