"""What can go wrong with sounds and microphones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import TrutError


class AudioError(TrutError):
    code = "audio"


class UnreadableSound(AudioError):
    """A sound file that is missing, empty, truncated or no sound."""

    code = "unreadable-sound"


class MicrophoneUnavailable(AudioError):
    """No such microphone, or no PortAudio to reach it with."""

    code = "microphone-unavailable"


class SpeechUnavailable(AudioError):
    """No synthesiser or no loudspeaker."""

    code = "speech-unavailable"


class UnpronounceablePhrase(AudioError):
    """A phrase of a list that has nothing to be said in French."""

    code = "unpronounceable-phrase"


class UnreadablePhrases(AudioError):
    """A list of phrases that is missing, empty or no text."""

    code = "unreadable-phrases"


class EngineUnavailable(AudioError):
    """A recogniser that is not installed or has no model."""

    code = "engine-unavailable"


class UnreadableVoices(AudioError):
    """A file of voices that is missing, broken, or made with other nets; or a name that is not in it."""

    code = "unreadable-voices"


class UnreadableKnockProfile(AudioError):
    """A profile of ``trut calibrate knock`` that is missing, damaged or made for another net."""

    code = "unreadable-knock-profile"


@dataclass(frozen=True, slots=True)
class Caution:
    """What the user should know of the ears; a sentence that is translated where it is shown, as an error's is.

    Attributes:
        template: French, with ``{named}`` fields.
        fields: their values.
    """

    template: str
    fields: Mapping[str, object]
