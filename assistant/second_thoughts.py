"""Second thoughts: who leads tells who won the trick before, and so which card may have been misread.

If the seat that leads is not the one expected, either it is out of turn, which is rare, or an earlier card
was misread. The eyes' second guesses say which card, and how likely that is (Bayes' rule over the guesses
that fit all that happened).
"""

from __future__ import annotations

import dataclasses

from assistant.account import Account
from assistant.weighing import rank_of
from engine import Event, Refusal
from vision.events import CardLaid

OUT_OF_TURN = 0.01
"""Odds that a player leads out of turn, against those of a card misread."""
ENOUGH = 0.6
"""Chance of one misread card from which it is corrected."""
DEALING = 4.8
"""Seconds from the last card of a round that a deal takes at least."""


def misread_card(account: Account, play: Event, t: float) -> tuple[int, CardLaid] | None:
    """The card of the running round (between rounds: of the last one) that must have been misread for
    ``play`` to be a lead in turn.

    Args:
        play: a card laid at ``t`` by the seat that seems to lead.

    Returns:
        The index of its entry and the card as it should have been read, or None if ``play`` is in turn, is no
        lead, or no second guess explains it well enough.
    """
    game = account.game
    if game.trick or game.phase not in ("play", "deal"):
        return None
    with account.supposing(*account.implied_by_card(), play) as refusal:
        if refusal is None or refusal.code != "out-of-turn":
            return None
    fits: list[tuple[float, int, CardLaid]] = []
    for index in range(len(account.entries) - 1, -1, -1):
        entry = account.entries[index]
        now = entry.card
        if isinstance(entry.seen, CardLaid) and now is not None and not entry.withdrawn:
            for name, p in entry.seen.guesses:
                if rank_of(name) != rank_of(now) and _would_lead(account, index, name, play, t):
                    fits.append((p / max(entry.p, 1e-3), index, dataclasses.replace(entry.seen, card=name)))
        if any(event.verb == "deal" for event in entry.events):
            break
    total = sum(odds for odds, _, _ in fits) + OUT_OF_TURN
    odds, index, seen = max(fits, key=lambda fit: fit[0], default=(0.0, 0, None))
    if seen is None or odds / total < ENOUGH:
        return None
    chance = odds / total
    return index, dataclasses.replace(seen, confidence=chance, guesses=((seen.card or "", chance),))


def _would_lead(account: Account, index: int, card: str, play: Event, t: float) -> bool:
    """Whether all that happened since fits, and ``play`` is a lead in turn, if the card of entry ``index``
    were ``card``."""
    game = account.game
    happened = [event for entry in account.entries[index:] for event in entry.events]
    last = max((e.seen.t for e in account.entries if e.events and isinstance(e.seen, CardLaid)), default=t)
    place = next(i for i, event in enumerate(happened) if event.verb == "play")
    supposed = [*happened[:place], dataclasses.replace(happened[place], args=(card,)), *happened[place + 1 :]]
    game.undo(len(happened))
    made = 0
    try:
        for event in supposed:
            if isinstance(game.apply(event), Refusal):
                return False
            made += 1
        if game.phase == "deal" and t - last < DEALING:
            return False
        with account.supposing(*account.implied_by_card()):
            return game.phase == "play" and game.turn == play.seat and not game.trick
    finally:
        game.undo(made)
        for event in happened:
            game.apply(event)
