"""Answering: what a seat, a card, a yes or a no says to the question that was asked, or to the latest event.

The players are asked who called ("Qui trute ?") and whose card one is; a bare seat answers it. Without a question
a seat that comes as a correction ("c'était Marie") is that of the latest card or call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from assistant.account import Account, Told
from assistant.acts import Act, Notice, Question
from assistant.amending import Amending
from assistant.correcting import OPEN
from assistant.orders import Reseat
from engine import Event

YES = ("accept", "hold", "sing")
NO = ("fold", "refuse", "pass", "silent")
"""What yes and no mean to the players who are asked something by another player."""


class Answering:
    """The questions about seats that wait, the newest last.

    Args:
        account: what the game has come to.
        amending: corrects what was counted.
        offer: offers something told in its place among all that happened.
    """

    def __init__(self, account: Account, amending: Amending, offer: Callable[[Told, float], list[Act]]) -> None:
        self._account = account
        self._amending = amending
        self._offer = offer
        self._asked: list[Question] = []

    def note(self, acts: Iterable[Act]) -> None:
        """Remember what the players are being asked."""
        self._asked += [a for a in acts if isinstance(a, Question) and a.kind in ("who", "whose-card")]
        del self._asked[:-4]

    def waiting(self, t: float) -> Question | None:
        """The newest question about a seat that can still be answered at ``t``."""
        self._asked = [asked for asked in self._asked if t - asked.decided < OPEN and self._open(asked)]
        return self._asked[-1] if self._asked else None

    def waits_for(self, question: Question, t: float) -> bool:
        """Whether this question is among those that can still be answered at ``t``."""
        return self.waiting(t) is not None and any(asked is question for asked in self._asked)

    def _open(self, asked: Question) -> bool:
        if asked.kind == "who":
            return bool(self._account.who_may(*_call(asked)))
        return self._place(asked) is not None

    def _place(self, asked: Question) -> int | None:
        """Where in the log the card stands that was asked about."""
        for at, entry, event in self._account.latest():
            if event.verb == "play" and entry.seen.t == asked.t:
                return at
        return None

    def seat(self, seat: int, t: float, decided: float, by: str) -> list[Act] | None:
        """A seat is named: what comes of it, None where no question waits."""
        asked = self.waiting(t)
        if asked is None:
            return None
        self._asked.remove(asked)
        if asked.kind == "who":
            verb, args = _call(asked)
            return self._offer(Told(asked.t, decided, Event(verb, seat, args), by), decided)
        at = self._place(asked)
        assert at is not None
        return self._amending.amend(Reseat(t, decided, by, at, seat))

    def it_was(self, seat: int, t: float, decided: float, by: str) -> list[Act]:
        """The latest card or call was this seat's, unless a question waits that a seat answers."""
        answered = self.seat(seat, t, decided, by)
        if answered is not None:
            return answered
        for at, _entry, event in self._account.latest():
            if event.seat is not None and event.verb not in ("deal", "cut"):
                return self._amending.amend(Reseat(t, decided, by, at, seat))
        return [Notice(t, decided, "nothing-to-correct")]

    def said(self, yes: bool) -> Event | None:
        """The word for yes or no to whoever asked last among the players; None where nobody is asked."""
        return next((Event(verb) for verb in (YES if yes else NO) if self._account.who_may(verb)), None)


def _call(asked: Question) -> tuple[str, tuple[str, ...]]:
    """The verb and the words of the call that nobody is known to have made."""
    args = asked.fields.get("args", ())
    assert isinstance(args, tuple)
    return str(asked.fields["verb"]), args
