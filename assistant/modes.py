"""The ways to speak, of which a table chooses one (``--speech``, ``speech.mode`` of the settings)."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """How the assistant speaks; ``assistant.speaking`` follows it.

    Attributes:
        NORMAL: announcements and questions aloud; a tone as soon as a fist is heard or somebody truts.
        EVERY_CARD: besides, every card with its player, and whose turn it is: for who cannot see the table.
        TONES: no words, tones alone (``audio.earcons``); what they mean is written.
        TEXT: no sound, large text (``assistant.showing.LargeSentences``): for who cannot hear.
        OFF: announcements are written, as everything else.
    """

    NORMAL = "normal"
    EVERY_CARD = "every-card"
    TONES = "tones"
    TEXT = "text"
    OFF = "off"

    @property
    def sounds(self) -> bool:
        """Whether it needs a loudspeaker."""
        return self in (Mode.NORMAL, Mode.EVERY_CARD, Mode.TONES)
