"""The clauses on tricks that all five games share: C-10 to C-15 and the table C-20."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ROTTEN: Final = "rotten"

A, B, r = "A", "B", ROTTEN

DECIDED: Final[dict[tuple[str, ...], str | None]] = {
    (A, A): A,
    (A, r): A,
    (A, B, A): A,
    (A, B, B): B,
    (A, B, r): A,  # the first trick
    (B, B): B,
    (B, r): B,
    (B, A, B): B,
    (B, A, A): A,
    (B, A, r): B,  # the first trick
    (r, A): A,
    (r, B): B,
    (r, r, A): A,
    (r, r, B): B,
    (r, r, r): None,  # C-22: void
}
"""C-20: the winner of the round, for every course of the tricks that decides it. In words: two tricks win;
with a rotten trick about, the earliest trick that was won decides."""

DECIDED_IF_PLAYED_OUT: Final = DECIDED | {
    (*two, third): winner for two, winner in DECIDED.items() if len(two) == 2 for third in (A, B, r)
}
"""F-16 ``play-out on``: all three tricks are played although two have decided."""


@dataclass(frozen=True, slots=True)
class Fall:
    """How the cards of one trick fell; places count from 0 in the order in which they were laid.

    Attributes:
        rotten: C-12: both teams laid a card of the highest strength.
        first: place of the first highest card.
        last: place of the last highest card.
        rotter: place of the first highest card of the other team than the very first one (C-14), -1 if not
            rotten.
    """

    rotten: bool
    first: int
    last: int
    rotter: int


def fall(strengths: Sequence[int]) -> Fall:
    """Judge one complete trick by the strengths of its cards in the order laid (C-11, C-12).

    Partners sit alternately, so two places are of one team when they lie an even number apart; equality
    between partners and equality lower down mean nothing.

    >>> fall((8, 3, 8, 1)).rotten, fall((8, 3, 1, 8)).rotten
    (False, True)
    """
    best = max(strengths)
    first = last = strengths.index(best)
    rotter = -1
    for place in range(first + 1, len(strengths)):
        if strengths[place] == best:
            last = place
            if rotter < 0 and (place - first) % 2:
                rotter = place
    return Fall(rotter >= 0, first, last, rotter)


def next_leader_place(fallen: Fall, rotten_lead: str, partner_lead: str) -> int:
    """Who leads the next trick, as the place in this one: C-13 after a won trick, C-14 after a rotten one.

    Args:
        rotten_lead: option ``rotten-lead``: rotter, last-equal, first-equal, leader.
        partner_lead: option ``partner-lead``: first, last.
    """
    if not fallen.rotten:
        return fallen.first if partner_lead == "first" else fallen.last
    if rotten_lead == "rotter":
        return fallen.rotter
    if rotten_lead == "last-equal":
        return fallen.last
    if rotten_lead == "first-equal":
        return fallen.first
    return 0


def owner_of_rotten(tricks: Sequence[str], place: int) -> str | None:
    """C-15: to whom a rotten trick belongs: the winner of the first trick won before it, else of the next one
        won.

    >>> owner_of_rotten(("rotten", "B"), 0), owner_of_rotten(("A", "B", "rotten"), 2)
    ('B', 'A')
    """
    before = [trick for trick in tricks[:place] if trick != ROTTEN]
    after = [trick for trick in tricks[place + 1 :] if trick != ROTTEN]
    return next(iter(before or after), None)
