"""Obeying: what becomes of an order, a thing that a person tells the assistant (``assistant.orders``).

A person needs no second look and no asking back: what is told counts at once, wherever it comes from, and is
kept as an entry like everything seen and heard, so that a correction offers it again. Only the rules judge it.
What they refuse is always answered: a person who typed it waits for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from assistant.account import Account, Entry, Told
from assistant.acts import Act, Notice, Question
from assistant.orders import Command, Order, Say, Undo
from audio.events import Phrase
from engine import Event

GAME_WIDE = frozenset({"deal", "annul", "set-score", "concede"})
"""Events that need no seat."""


class Apply(Protocol):
    """Offers one event to the rules and says what came of it; nothing for a refusal that is not recorded."""

    def __call__(
        self, event: Event, t: float, decided: float, by: str, p: float | None, entry: Entry | None
    ) -> list[Act]: ...


class Obeying:
    """See the module.

    Args:
        account: what the game has come to.
        offer: offers something told in its place among all that happened.
        apply: see ``Apply``.
        command: follows a word to the assistant.
        taken_back: called with each entry whose events were taken back.
    """

    def __init__(
        self,
        account: Account,
        *,
        offer: Callable[[Told, float], list[Act]],
        apply: Apply,
        command: Callable[[str, Phrase, float, str], list[Act]],
        taken_back: Callable[[Entry], None],
    ) -> None:
        self._account = account
        self._offer = offer
        self._apply = apply
        self._command = command
        self._taken_back = taken_back

    def follow(self, order: Order) -> list[Act]:
        """What comes of an order."""
        match order:
            case Say(t=t, decided=decided, by=by, event=event):
                return self._offer(Told(t, decided, event, by), decided)
            case Undo(t=t, decided=decided, by=by, count=count):
                return self.undo(count, t, decided, by, None)
            case Command(t=t, decided=decided, by=by, word=word):
                return self._command(word, Phrase(t, decided, word, (word,), False, word, 1.0), decided, by)
        return []

    def tell(self, told: Told, decided: float) -> list[Act]:
        """Offer a told event to the rules, with the unseen ones that it proves."""
        entry = self._account.enter(told)
        event, implied = told.event, self._implied(told.event)
        if event.seat is None and event.verb not in GAME_WIDE:
            seat = self._whose(event)
            if seat is None:
                return [Question(told.t, decided, "who", {"verb": event.verb})]
            event = Event(event.verb, seat, event.args)
        with self._account.supposing(*implied, event) as refusal:
            pass
        acts: list[Act] = []
        if refusal is None:
            for unseen in implied:
                acts += self._apply(unseen, told.t, decided, "rules", None, entry)
        entry.seat, entry.p = event.seat, 1.0
        acts += self._apply(event, told.t, decided, told.by, None, entry)
        if refusal is not None and not acts:
            acts.append(Notice(told.t, decided, "refused", {"refusal": refusal}))
        return acts

    def _implied(self, event: Event) -> tuple[Event, ...]:
        if event.verb == "play":
            return tuple(self._account.implied_by_card())
        return () if event.verb in GAME_WIDE or event.verb == "cut" else self._account.deal_due()

    def _whose(self, event: Event) -> int | None:
        """The seat of an event told without one: whose turn it is to lay a card or to speak; None where more
        than one may speak and none of them is due."""
        if event.verb == "play":
            return self._account.turn() or 1
        may = self._account.who_may(event.verb, event.args)
        with self._account.dealt():
            game = self._account.game
            due = [*game.awaiting[:1], *([game.turn] if game.turn else [])]
        return next((seat for seat in due if seat in may or not may), may[0] if len(may) == 1 else None)

    def undo(self, count: int, t: float, decided: float, by: str, p: float | None) -> list[Act]:
        """Take back the last ``count`` events."""
        if not 1 <= count <= len(self._account.game.log):
            return [Notice(t, decided, "nothing-to-undo")]
        for entry in self._account.take_back(count):
            entry.withdrawn = True
            self._taken_back(entry)
        event = Event("undo") if count == 1 else Event("undo", args=(str(count),))
        return self._apply(event, t, decided, by, p, None)
