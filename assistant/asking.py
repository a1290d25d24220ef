"""Asking back: what is heard with doubt, or would cost a game if it was not meant, is asked before it counts.

One question at a time, about something that is allowed now. It is answered by "oui" or "non", by saying the
call again, or by what follows only if the call was made: its answer, or the card that it allows. Unanswered
it lapses (docs/decisions/asking-back.md).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto

from assistant.account import Account
from audio.events import Phrase
from audio.phrasebook import COMMANDS, DEALER
from engine import Event
from vision.events import CardLaid

ANSWER_WITHIN = 8.0
"""Seconds that a question waits: two in which it is said, six to answer."""
UNHEARD = 2.0
"""Seconds that an answer in a film waits, where nobody hears the question, for one that is heard better."""
DEALT = 4.0
"""Seconds after a fold before which nobody lays a card of the next round."""
TO_ASSISTANT = COMMANDS | {DEALER}
"""Words to the assistant, not to the players."""
BEGINS = frozenset({"new-game", "rematch"})
"""Words to the assistant that begin a game: when the last one is over they cost nothing."""
ALWAYS = frozenset({"annul", "pause", DEALER}) | BEGINS
"""Words to the assistant that are asked back always: heard falsely, they would cost a round or more."""
IF_DOUBTFUL = frozenset({"undo"})
"""Words to the assistant that are asked back if they were heard with doubt; other doubtful ones are
ignored."""


class Reply(Enum):
    """What something heard says to the question that waits."""

    YES = auto()
    NO = auto()
    IMPLIED = auto()
    """It can only be said, or done, if the call was made; it counts too."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that waits.

    Attributes:
        phrase: what was heard.
        meaning: the event, the command or the card that is asked about.
        since, until: when it was asked, when it lapses.
        events, rounds: how many the game had.
        due: whether the rules waited for an answer, so that something had to be said.
    """

    phrase: Phrase
    meaning: str
    since: float
    until: float
    events: int
    rounds: int
    due: bool

    @property
    def verb(self) -> str:
        return self.meaning.split(" ")[0]

    @property
    def args(self) -> tuple[str, ...]:
        return tuple(self.meaning.split(" ")[1:])


class Asking:
    """The question that waits, if any.

    Args:
        account: what the game has come to.
        live: whether the players can hear the question. From files nobody could, so a call said again is a
            second call and not a yes, and an answer that had to be given is taken as it was heard.
    """

    def __init__(self, account: Account, *, live: bool) -> None:
        self._account = account
        self._live = live
        self._waiting: Asked | None = None

    @property
    def waiting(self) -> Asked | None:
        """The question that waits, unless the game has overtaken it: it is only about what is allowed now."""
        if self._waiting is not None and self._overtaken(self._waiting):
            self._waiting = None
        return self._waiting

    def _overtaken(self, asked: Asked) -> bool:
        game = self._account.game
        if asked.due or asked.verb in IF_DOUBTFUL:
            return asked.events != len(game.log)
        if asked.verb in TO_ASSISTANT or asked.verb[:1] in "123456789JQKA":
            return False
        return asked.rounds != len(game.rounds) or not self._account.who_may(asked.verb, asked.args)

    def ask(self, phrase: Phrase, meaning: str, decided: float) -> bool:
        """Let ``meaning`` wait for an answer; False where another question waits."""
        if self.waiting is not None:
            return False
        game = self._account.game
        due = game.phase not in ("play", "deal", "over")
        until = decided + (ANSWER_WITHIN if self._live or not due else UNHEARD)
        self._waiting = Asked(phrase, meaning, decided, until, len(game.log), len(game.rounds), due)
        return True

    def take(self) -> Asked | None:
        """The question that waits, which is then settled."""
        asked, self._waiting = self.waiting, None
        return asked

    def lapsed(self, clock: float) -> Asked | None:
        """The question that nobody answered in time and that is now settled as it was heard: from files,
        where the rules waited for just such a word."""
        asked = self.waiting
        if asked is None or clock < asked.until:
            return None
        self._waiting = None
        return asked if asked.due and not self._live and asked.verb not in TO_ASSISTANT else None

    def heard(self, phrase: Phrase) -> Reply | None:
        """What a phrase says to the question, None where it is about something else."""
        asked = self.waiting
        if asked is None or phrase.t <= asked.phrase.t:
            return None
        if phrase.t > asked.since and not {"yes", "no"}.isdisjoint(phrase.means):
            return Reply.YES if "yes" in phrase.means else Reply.NO
        if asked.verb in TO_ASSISTANT:
            return None
        if asked.meaning in phrase.means:
            return Reply.YES if self._live or phrase.doubtful else Reply.IMPLIED
        return Reply.IMPLIED if not phrase.doubtful and self._allows(phrase) else None

    def seen(self, laid: CardLaid) -> Reply | None:
        """Whether a card shows that the call was made: it may be laid only after it."""
        asked = self.waiting
        game = self._account.game
        if asked is None or not asked.due or asked.verb in TO_ASSISTANT:
            return None  # no card follows from a word to the assistant
        with self._account.supposing(*self._call(asked)) as refusal:
            possible = refusal is None and (game.phase == "play" or laid.t - asked.phrase.t >= DEALT)
            with self._account.dealt():
                allowed = possible and game.phase == "play" and game.turn in (laid.zone, laid.hand)
        return Reply.IMPLIED if allowed else None

    def verbs(self) -> frozenset[str]:
        """What may be said because of the question."""
        asked = self.waiting
        if asked is None:
            return frozenset()
        if asked.verb in TO_ASSISTANT:
            return frozenset({"yes", "no"})
        with self._account.supposing(*self._call(asked)) as refusal:
            after = frozenset() if refusal is not None else self._account.verbs()
        return after | {"yes", "no"}

    def _allows(self, phrase: Phrase) -> bool:
        """Whether somebody may say this only if the call was made; whose voice is known, only he."""
        assert self._waiting is not None
        words = {(verb, tuple(args)) for verb, *args in (meaning.split(" ") for meaning in phrase.means)}
        now, after = self._said_now(words, phrase), frozenset[Event]()
        with self._account.supposing(*self._call(self._waiting)) as refusal:
            after = self._said_now(words, phrase)
        return refusal is None and bool(after - now)

    def _said_now(self, words: Collection[tuple[str, tuple[str, ...]]], phrase: Phrase) -> frozenset[Event]:
        """The legal events that these words can be, said by the voice of the phrase."""
        legal = (e for e in self._account.game.legal() if (e.verb, e.args) in words)
        return frozenset(e for e in legal if phrase.speaker in (None, e.seat))

    def _call(self, asked: Asked) -> tuple[Event, ...]:
        """The events that the question is about."""
        may = self._account.who_may(asked.verb, asked.args)
        return (*self._account.deal_due(), Event(asked.verb, may[0] if may else None, asked.args))
