"""Amending: an earlier event was another one, another player's, or none; or something was missed.

The record is never edited: ``undo N``, the right event, then everything later offered again in order, what the rules
had refused too (NOTATION.md section 9). Nothing is announced twice: one sentence says what was put right and what
that changed (``assistant.retelling``). Undo and redo go from one state of the account to another: the last events
taken back, or, straight after a correction, the correction itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from assistant.account import Account, Entry, Offered, Past, Ruled, Told
from assistant.acts import Act, Action, Notice
from assistant.orders import Correction, Drop, Insert, Rename, Reseat
from assistant.retelling import Standing
from engine import Event, Refusal
from vision.events import CardLaid

MOST = 32
"""States of the account that are kept for undo and redo."""
AT_ONCE = 0.3
"""Seconds within which two things happen at once: the order in which they were counted stands."""
OUT = frozenset({"duplicate-card", "unknown-card", "not-in-hand"})
"""Why a card cannot have been the one that was laid."""
NOBODY = "bad-seat"
"""Why an event cannot have been anybody's."""


class Apply(Protocol):
    """Offers one event to the rules and says what came of it; nothing for a refusal that is not recorded."""

    def __call__(
        self, event: Event, t: float, decided: float, by: str, p: float | None, entry: Entry | None
    ) -> list[Act]: ...


@dataclass(frozen=True, slots=True)
class _Amended:
    """The ``n``-th correction: the account before it, and the log that it left."""

    n: int
    before: Past
    log: tuple[Event, ...]


class Amending:
    """See the module.

    Args:
        account: what the game has come to.
        apply: see ``Apply``.
        replay: takes back the entries from an index on and offers others in their place.
        mark: the card of an entry lies on the table as one that counts, or as one that does not.
        returned: offers what waited again, once the account is what it was before.
    """

    def __init__(
        self,
        account: Account,
        *,
        apply: Apply,
        replay: Callable[[int, Sequence[Offered], float, str], list[Act]],
        mark: Callable[[Entry, bool], None],
        returned: Callable[[float], list[Act]] = lambda decided: [],
    ) -> None:
        self._account = account
        self._apply = apply
        self._replay = replay
        self._mark = mark
        self._returned = returned
        self._amended: list[_Amended] = []
        self._undone: list[tuple[Past, _Amended | None]] = []
        self._returning = False
        self._count = 0

    # -- corrections -----------------------------------------------------------------------------------------

    def amend(self, order: Correction) -> list[Act]:
        """Follow a correction of ``game.log[order.at]``."""
        account, log = self._account, self._account.game.log
        t, decided, at = order.t, order.decided, order.at
        if not 0 <= at < len(log):
            return [Notice(t, decided, "nothing-to-correct")]
        now = log[at]
        right = _right(order, now)
        if right is None:
            return [Notice(t, decided, "nothing-to-correct")]
        if right == now and not isinstance(order, Insert | Drop):
            return [Notice(t, decided, "so-counted", {"event": now})]
        with account.back_to(at), account.supposing(right) as refusal:
            pass
        if refusal is not None and (refusal.code == NOBODY or (isinstance(order, Rename) and refusal.code in OUT)):
            return [_why_not(order, refusal)]
        index, place = account.reach(at)
        entry = account.entries[index]
        what: dict[str, object] = {"event": right}
        match order:
            case Insert():
                told = Told(entry.seen.t, decided, right, order.by)
                items: list[Offered] = [told, *account.still_offered(index)]
            case Drop():
                kept = _without(entry, place)
                if kept is entry.seen:
                    return [Notice(t, decided, "nothing-to-correct")]
                items = [*([] if kept is None else [kept]), *account.still_offered(index + 1)]
            case _:
                items = [_seen_as(entry, right, place, order.by), *account.still_offered(index + 1)]
        if isinstance(order, Rename):
            what |= {"seat": right.seat, "card": right.args[0]}
        kind = "dropped" if isinstance(order, Drop) else "corrected"
        return self.recount(index, items, Notice(t, decided, kind, what), order.by)

    def recount(self, index: int, items: Sequence[Offered], notice: Notice, by: str) -> list[Act]:
        """Take back the entries from ``index`` on, offer ``items`` in their place, and say once, in
        ``notice``, what that changed."""
        account, game = self._account, self._account.game
        past = account.past()
        before = Standing.of(account.game)
        begun = len(game.log) - sum(len(entry.events) for entry in account.entries[index:])
        with account.back_to(begun):
            rounds = len(game.rounds)
        refused = sum(entry.refused is not None for entry in account.entries[index:])
        acts: list[Act] = []
        corrected = True
        for act in self._replay(index, _as_they_happened(items), notice.decided, by):
            if isinstance(act, Action):
                act = dataclasses.replace(act, quiet=True)
                if corrected and act.event == notice.fields.get("event") and act.by == "camera":
                    act, corrected = dataclasses.replace(act, by=by), False
                acts.append(act)
        refused = sum(entry.refused is not None for entry in account.entries[index:]) - refused
        changed = before.changes(Standing.of(game), rounds) | {"refused": max(0, refused)}
        self._count += 1
        self._amended = [*self._amended[1 - MOST :], _Amended(self._count, past, game.log)]
        return [*acts, dataclasses.replace(notice, fields={**notice.fields, **changed})]

    @property
    def brings_back(self) -> Event | None:
        """The last event that ``redo`` would bring back; None where it would bring back a correction, or nothing."""
        if not self._undone:
            return None
        past, amended = self._undone[-1]
        return past.log[-1] if amended is None and len(past.log) > len(self._account.game.log) else None

    # -- undo and redo ---------------------------------------------------------------------------------------

    @property
    def corrected(self) -> int | None:
        """The number of the correction that one ``undo`` would take back now, None where it would take back the last
        event."""
        last = self._amended[-1] if self._amended else None
        return last.n if last is not None and last.log == self._account.game.log else None

    @property
    def undone(self) -> tuple[int, int] | None:
        """What ``redo`` would bring back, as something to be compared; None where there is nothing."""
        return (len(self._undone), self._count) if self._undone else None

    def happened(self) -> None:
        """Something new was accepted: what was taken back before stays taken back."""
        if not self._returning:
            self._undone.clear()

    def undo(self, count: int, t: float, decided: float, by: str, p: float | None) -> list[Act]:
        """Take back the last ``count`` events, or one correction that was made just now."""
        account, log = self._account, self._account.game.log
        if not 1 <= count <= len(log):
            return [Notice(t, decided, "nothing-to-undo")]
        past = account.past()
        self._count += 1
        if count == 1 and self.corrected is not None:
            amended = self._amended.pop()
            self._undone = [*self._undone[1 - MOST :], (past, amended)]
            return self._return(amended.before, Notice(t, decided, "uncorrected"), by)
        self._undone = [*self._undone[1 - MOST :], (past, None)]
        account.reach(len(log) - count)
        for entry in account.take_back(count):
            entry.withdrawn = True
            self._mark(entry, False)
        event = Event("undo") if count == 1 else Event("undo", args=(str(count),))
        return self._apply(event, t, decided, by, p, None)

    def redo(self, t: float, decided: float, by: str) -> list[Act]:
        """Bring back what was taken back last."""
        if not self._undone:
            return [Notice(t, decided, "nothing-to-redo")]
        past, amended = self._undone.pop()
        self._count += 1
        if amended is not None:
            self._amended.append(amended)
        return self._return(past, Notice(t, decided, "redone"), by)

    def _return(self, past: Past, notice: Notice, by: str) -> list[Act]:
        """Make the account what it was, by ``undo`` and the events that it had."""
        account, game = self._account, self._account.game
        before, log = Standing.of(game), game.log
        same = next((i for i, (a, b) in enumerate(zip(log, past.log, strict=False)) if a != b), None)
        same = min(len(log), len(past.log)) if same is None else same
        for entry in account.entries:
            self._mark(entry, False)
        account.return_to(past)
        acts: list[Act] = []
        self._returning = True
        try:
            back = len(log) - same
            if back:
                event = Event("undo") if back == 1 else Event("undo", args=(str(back),))
                acts += self._apply(event, notice.t, notice.decided, by, None, None)
            for event in past.log[same:]:
                acts += self._apply(event, notice.t, notice.decided, by, None, None)
        finally:
            self._returning = False
        for entry in account.entries:
            self._mark(entry, entry.card is not None)
        quiet = [dataclasses.replace(act, quiet=True) if isinstance(act, Action) else act for act in acts]
        changed = before.changes(Standing.of(game), None)
        return [*quiet, dataclasses.replace(notice, fields=changed), *self._returned(notice.decided)]


def _as_they_happened(items: Sequence[Offered]) -> list[Offered]:
    """In order of time, which the wrong state of the game may have changed; what happened at once stays as it is."""
    ordered: list[Offered] = []
    for item in items:
        place = len(ordered)
        while place and ordered[place - 1].t > item.t + AT_ONCE:
            place -= 1
        ordered.insert(place, item)
    return ordered


def _right(order: Correction, now: Event) -> Event | None:
    """What stands at ``order.at`` by right; None where it cannot be corrected so."""
    match order:
        case Rename(card=card):
            return Event("play", now.seat, (card,)) if now.verb == "play" else None
        case Reseat(seat=seat):
            return None if now.seat is None else Event(now.verb, seat, now.args)
        case Insert(event=event):
            return event
        case _:
            return now


def _why_not(order: Correction, refusal: Refusal) -> Notice:
    if isinstance(order, Rename) and refusal.code == "duplicate-card":
        return Notice(order.t, order.decided, "card-out", {"card": order.card})
    return Notice(order.t, order.decided, "refused", {"refusal": refusal})


def _seen_as(entry: Entry, right: Event, place: int, by: str) -> Offered:
    """What an entry was made of, put right: a card keeps its place on the table, all else is told."""
    seen = entry.seen
    if isinstance(seen, CardLaid) and entry.events[place].verb == "play":
        card = right.args[0]
        surely = dataclasses.replace(seen, card=card, confidence=1.0, guesses=((card, 1.0),))
        return surely if right.seat == entry.seat else dataclasses.replace(surely, zone=right.seat, hand=right.seat)
    if isinstance(seen, Ruled):
        return Ruled(seen.t, seen.decided, (*entry.events[:place], right, *entry.events[place + 1 :]))
    track = seen.track if isinstance(seen, Told) else None
    return Told(seen.t, seen.decided, right, by, track)


def _without(entry: Entry, place: int) -> Offered | None:
    """What is left of an entry without one of its events: nothing, or the rest of what followed from the rules.
    What only follows from the event after it cannot be left out: the entry as it is."""
    if isinstance(entry.seen, Ruled) and len(entry.events) > 1:
        return Ruled(entry.seen.t, entry.seen.decided, (*entry.events[:place], *entry.events[place + 1 :]))
    return None if place == len(entry.events) - 1 else entry.seen
