"""Speaking: which of what happens is said aloud, which is a tone, which is only written (``assistant.modes``).

"Tais-toi" leaves tones, questions, and answers to what the players ask.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from assistant.acts import Act, Action, Notice, Question
from assistant.announcer import Announcement
from assistant.i18n import _
from assistant.modes import Mode
from assistant.names import Names, capital
from audio import earcons
from audio.speech import STALE, Utterance
from engine import ChallengeMade, GameWon, MancheWon, RoundEnded, TrickRotten, TrickWon

Samples = npt.NDArray[np.float32]


class Voice(Protocol):
    """What can say a text: ``audio.speech.Speaker``, or a test."""

    @property
    def speaking(self) -> bool: ...

    def say(self, text: str) -> None: ...


@runtime_checkable
class Loudspeaker(Protocol):
    """A voice with a queue and tones, that tells when its words begin and end, and that can be turned up and down."""

    def announce(self, utterance: Utterance) -> None: ...

    def sound(self, samples: Samples, rate: int) -> None: ...

    def tell(self, began: Callable[[Samples, int], None], ended: Callable[[], None]) -> None: ...

    def turn(self, steps: int) -> None: ...


ASKED = frozenset({"score", "turn", "rules", "repeat", "review", "speak"})
"""Notices that answer what the players asked: they are said even by who was told to be silent."""
VOLUME = {"quieter": -1, "louder": 1}
"""Steps by which the voice is turned up."""
QUESTION_WITHIN = 8.0
"""Seconds in which a question must begin: as long as it waits for its answer."""
CARD_WITHIN = 10.0
"""The same for a card, in ``every-card``: who cannot see the table misses more by one left out than by one late."""


class Spokesman:
    """Says, sounds or leaves out what the announcer has words for.

    Args:
        mode: how.
        names: what the players and cards are called.
    """

    def __init__(self, mode: Mode, names: Names) -> None:
        self.mode = mode
        self.names = names
        self._hushed = False
        self._turn: int | None = None

    def tell(self, voice: Voice | None, act: Act, announcements: Sequence[Announcement]) -> None:
        """Speak of an act.

        Args:
            voice: who speaks, None says nothing.
            act: what happened.
            announcements: the announcer's words for it; often none.
        """
        if isinstance(act, Notice):
            self._follow(voice, act.kind)
        if voice is None or not self.mode.sounds:
            return
        self._sound(voice, act)
        if self.mode is Mode.TONES:
            return
        aloud = not self._hushed or isinstance(act, Question) or (isinstance(act, Notice) and act.kind in ASKED)
        every_card = self.mode is Mode.EVERY_CARD and isinstance(act, Action) and not self._hushed
        if every_card:
            self._say_card(voice, act)
        for announcement in announcements if aloud else ():
            _say(voice, announcement.text, announcement.topic, QUESTION_WITHIN if announcement.question else STALE)
        if every_card:
            self._say_turn(voice, act)

    def _follow(self, voice: Voice | None, kind: str) -> None:
        """What the players asked of the voice itself."""
        if kind in VOLUME and isinstance(voice, Loudspeaker):
            voice.turn(VOLUME[kind])
        elif kind in ("hush", "speak"):
            self._hushed = kind == "hush"

    def _sound(self, voice: Voice, act: Act) -> None:
        name = earcon_of(act)
        wanted = self.mode is Mode.TONES or self._hushed or name in ("heard", "challenge")
        if name is not None and wanted and isinstance(voice, Loudspeaker):
            voice.sound(earcons.earcon(name), earcons.RATE)

    def _say_card(self, voice: Voice, act: Act) -> None:
        """ "Marie, le sept de cœur." """
        if isinstance(act, Action) and act.refused is None and act.event.verb == "play" and not act.quiet:
            name, card = self.names.seat(act.event.seat), self.names.card(act.event.args[0])
            _say(voice, _("{name}, {card}.").format(name=capital(name), card=card), within=CARD_WITHIN)

    def _say_turn(self, voice: Voice, act: Act) -> None:
        """ "À Jean.", unless the rules alone brought it: what proved that (a card, a call) is told next."""
        if not isinstance(act, Action) or act.by == "rules":
            return
        turn, self._turn = self._turn, act.turn
        if act.turn is not None and act.turn != turn and not act.awaiting:
            _say(voice, _("À {name}.").format(name=self.names.seat(act.turn)), "turn")


def _say(voice: Voice, text: str, topic: str = "", within: float = STALE) -> None:
    if isinstance(voice, Loudspeaker):
        voice.announce(Utterance(text, topic, within))
    else:
        voice.say(text)


def earcon_of(act: Act) -> str | None:
    """The tone that goes with an act, None where nothing is to be heard."""
    match act:
        case Question():
            return "question"
        case Notice(kind="heard"):
            return "heard"
        case Notice(kind=kind) if kind.endswith(("-lost", "-silent", "-full")):
            return "lost"
        case Notice(kind=kind) if kind.endswith("-back"):
            return "back"
        case Notice():
            return "done"
        case Action(quiet=True):
            return None
        case Action(refused=None):
            return _earcon_of(act)
    return "refused"


def _earcon_of(action: Action) -> str | None:
    """The most telling outcome of an accepted event."""
    for name, kinds in (
        ("round", RoundEnded | MancheWon | GameWon),
        ("rotten", TrickRotten),
        ("trick", TrickWon),
        ("challenge", ChallengeMade),
    ):
        if any(isinstance(outcome, kinds) for outcome in action.outcomes):
            return name
    if action.event.verb == "play":
        return "card"
    return None if action.by == "rules" else "done"
