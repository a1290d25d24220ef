"""The phrases of a game, or of a list, heard in a stream of sound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from audio.errors import Caution, EngineUnavailable
from audio.events import Phrase
from audio.phrasebook import Call, calls_from, calls_of
from audio.spotter import Heard, Spotter, Strictness
from audio.voices import SpeakerVoices

#: Who gives a list wants its words told apart; the phrases of a game are also kept apart from the talk at
#: the table.
_FOR_LISTS = Strictness(least=0.001, least_short=0.001, unquiet=1.5)
#: The same where the speakers' own takes are known: noise takes a take far from them, but farther from the others.
_FOR_TAUGHT_LISTS = replace(_FOR_LISTS, least=0.01, least_short=0.01)


def strictness(listed: bool, taught: bool = False) -> Strictness:
    """How strict the shipped recogniser is with a list of phrases (that the speakers taught it), or with those of a
    game."""
    if not listed:
        return Strictness()
    return _FOR_TAUGHT_LISTS if taught else _FOR_LISTS


class Recogniser(Protocol):
    """What an engine does: hear calls, be told which may be said now."""

    def accept(self, samples: npt.NDArray[np.float32]) -> list[Heard]: ...

    def finish(self) -> list[Heard]: ...

    def welcome(self, calls: Sequence[bool] | None) -> None: ...


class PhraseSpotter:
    """Hears phrases in a stream; the same whatever the sizes of the blocks.

    Args:
        game: whose phrases are heard (``trut``, ``trut-gatine``, ``trut-robin-red``, ``truc``,
            ``truc-y-flou``).
        phrases: a closed list heard instead; the event of a phrase is then the line as written.
        voices: the players' own takes, which the spotter compares with what it hears.
        engine: ``spotter`` (what ships) or ``vosk`` (the Vosk model that ships, or one of the user's).
        called: what the players of the game are called, from place 1 on (``calls_of``).

    Attributes:
        cautions: what the user should know of this engine: words that it lacks, and what stands for them.

    Raises:
        KeyError: an unknown game.
        UnreadablePhrases, UnpronounceablePhrase: a list that cannot be listened for.
        EngineUnavailable: an unknown engine, or one without its model.
    """

    def __init__(
        self,
        game: str = "trut",
        phrases: Sequence[str] | None = None,
        engine: str = "spotter",
        *,
        voices: SpeakerVoices | None = None,
        called: tuple[str, ...] = (),
    ) -> None:
        self._game, self._list, self._kind, self._voices = game, phrases, engine, voices
        self._calls: tuple[Call, ...] = calls_of(game, called) if phrases is None else calls_from(phrases)
        self._engine: Recogniser
        self.cautions: tuple[Caution, ...] = ()
        if engine == "spotter":
            strict = strictness(phrases is not None, voices is not None)
            self._engine = Spotter(self._calls, strict, voices=voices)
        elif engine == "vosk":
            from audio.vosk_engine import VoskEngine  # the library is loaded for those who ask for it

            vosk = VoskEngine(self._calls, listed=phrases is not None)
            self._engine, self.cautions = vosk, vosk.cautions
        else:
            raise EngineUnavailable("moteur de reconnaissance inconnu : {engine}", engine=engine)

    def teach(self, voices: SpeakerVoices) -> None:
        """Compare what is said from now on with the players' own takes, learnt in the middle of the stream. An engine
        that compares nothing goes on as before."""
        self._voices = voices
        if isinstance(self._engine, Spotter):
            self._engine.teach(voices)

    def renamed(self, called: tuple[str, ...]) -> PhraseSpotter:
        """The same spotter, at the beginning of a stream, for players who are called so."""
        return PhraseSpotter(self._game, self._list, self._kind, voices=self._voices, called=called)

    def accept(self, samples: npt.NDArray[np.float32]) -> list[Phrase]:
        """Phrases that are decided with these samples (float32 in -1..1, 16 kHz, mono, any number)."""
        return [_phrase(heard) for heard in self._engine.accept(samples)]

    def finish(self) -> list[Phrase]:
        """Phrases that the end of the stream decides."""
        return [_phrase(heard) for heard in self._engine.finish()]

    def expect(self, verbs: frozenset[str] | None) -> None:
        """Narrow the choice to calls that may mean one of ``verbs`` (``Call.may_be_said``); commands are always
        heard. None: everything."""
        if verbs is None:
            self._engine.welcome(None)
        else:
            self._engine.welcome([call.may_be_said(verbs) for call in self._calls])


def _phrase(heard: Heard) -> Phrase:
    call = heard.call
    return Phrase(
        t=round(heard.t, 3),
        decided=round(heard.decided, 3),
        phrase=call.phrase,
        means=call.means,
        answer=call.answer,
        text=call.text,
        confidence=round(heard.confidence, 3),
        doubtful=heard.doubtful,
        rival=heard.rival,
        speaker_name=heard.speaker_name,
    )
