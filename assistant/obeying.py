"""Obeying: what becomes of an order, a thing that a person tells the assistant (``assistant.orders``).

A person needs no second look and no asking back: what is told counts at once, wherever it comes from, and is
kept as an entry like everything seen and heard, so that a correction offers it again. Only the rules judge it.
What they refuse is always answered: a person who typed it waits for that.
"""

from __future__ import annotations

from collections.abc import Callable

from assistant.account import Account, Told
from assistant.acts import Act, Notice, Question
from assistant.amending import Amending, Apply
from assistant.answering import Answering
from assistant.orders import Command, Drop, Insert, Order, Redo, Rename, Reply, Reseat, Say, Undo
from audio.events import Phrase
from engine import Event

GAME_WIDE = frozenset({"deal", "annul", "set-score", "concede"})
"""Events that need no seat."""
BETWEEN_ROUNDS = GAME_WIDE | {"cut"}
"""Events that bring no deal with them."""


class Obeying:
    """See the module.

    Args:
        account: what the game has come to.
        amending: what corrects, takes back and brings back.
        answering: the questions about seats.
        offer: offers something told in its place among all that happened.
        apply: see ``Apply``.
        command: follows a word to the assistant.
        card: a card is named; what that says to a question about a card, None where none waits.
        confirm: yes or no to what was asked back; None where nothing was.
    """

    def __init__(
        self,
        account: Account,
        amending: Amending,
        answering: Answering,
        *,
        offer: Callable[[Told, float], list[Act]],
        apply: Apply,
        command: Callable[[str, Phrase, float, str], list[Act]],
        card: Callable[[str, float, float, str], list[Act] | None],
        confirm: Callable[[bool, float], list[Act] | None],
    ) -> None:
        self._account = account
        self._amending = amending
        self._answering = answering
        self._offer = offer
        self._apply = apply
        self._command = command
        self._card = card
        self._confirm = confirm

    def follow(self, order: Order) -> list[Act]:
        """What comes of an order."""
        match order:
            case Say(t=t, decided=decided, by=by, event=Event("play", None, (card,)) as event):
                named = self._card(card, t, decided, by)
                return self._offer(Told(t, decided, event, by), decided) if named is None else named
            case Say(t=t, decided=decided, by=by, event=event):
                return self._offer(Told(t, decided, event, by), decided)
            case Insert(t=t, decided=decided, by=by, at=at, event=event) if at == len(self._account.game.log):
                return self._offer(Told(t, decided, event, by), decided)
            case Rename() | Reseat() | Drop() | Insert():
                return self._amending.amend(order)
            case Undo(t=t, decided=decided, by=by, count=count):
                return self._amending.undo(count, t, decided, by, None)
            case Redo(t=t, decided=decided, by=by):
                return self._amending.redo(t, decided, by)
            case Reply():
                return self._reply(order)
            case Command(t=t, decided=decided, by=by, word=word):
                return self._command(word, Phrase(t, decided, word, (word,), False, word, 1.0), decided, by)
        return []

    def _reply(self, reply: Reply) -> list[Act]:
        """An answer: to the assistant if it asked, else yes and no to the player who did."""
        t, decided, by, answer = reply.t, reply.decided, reply.by, reply.answer
        match answer:
            case True | False:
                acts = self._confirm(answer, decided)
                said = None if acts is not None else self._answering.said(answer)
                if said is not None:
                    acts = self._offer(Told(t, decided, said, by), decided)
            case int():
                acts = self._answering.seat(answer, t, decided, by)
            case str():
                acts = self._card(answer, t, decided, by)
        return [Notice(t, decided, "nothing-asked")] if acts is None else acts

    def tell(self, told: Told, decided: float) -> list[Act]:
        """Offer a told event to the rules, with the unseen ones that it proves."""
        entry = self._account.enter(told)
        event, implied = told.event, self._implied(told.event)
        if event.seat is None and event.verb not in GAME_WIDE:
            seat = self._whose(event)
            if seat is None:
                self._account.entries.remove(entry)
                return [Question(told.t, decided, "who", {"verb": event.verb, "args": event.args})]
            event = Event(event.verb, seat, event.args)
        with self._account.supposing(*implied, event) as refusal:
            pass
        acts: list[Act] = []
        if refusal is None:
            for unseen in implied:
                acts += self._apply(unseen, told.t, decided, "rules", None, entry)
        entry.seat, entry.p = event.seat, 1.0
        if told.by == "rules":  # the players were told so, and asked what it was
            entry.asked = decided
        acts += self._apply(event, told.t, decided, told.by, None, entry)
        if refusal is not None and not acts:
            acts.append(Notice(told.t, decided, "refused", {"refusal": refusal}))
        return acts

    def _implied(self, event: Event) -> tuple[Event, ...]:
        if event.verb == "play":
            return tuple(self._account.implied_by_card())
        return () if event.verb in BETWEEN_ROUNDS else self._account.deal_due()

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
