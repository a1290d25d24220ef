"""``trut bench table``: simulated tables of all kinds before the real pipeline: how often was it right?"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from assistant.simulation.match import Match, referee_table
from assistant.simulation.table import DECKS, SimulatedTable

ROUNDS = 12
EACH = 2
"""Rounds a table: then another table, deck, light, number of players."""
FIRST_SEED = 1000


def run(rounds: int = ROUNDS) -> dict[str, Any]:
    """Figures over ``rounds`` simulated rounds; progress goes to stderr.

    ``perfect_rounds``: share of the rounds with the right winner and award, seat and rank of every card, and every
    call given to its seat.
    ``silent_errors``: wrong rounds in which the assistant asked nothing. ``questions``: how often it asked.
    ``misattributed_knocks``: knocks given to another seat. ``announce_ms_p50`` and ``_p95``: from the event
    to the announcement, that is `decided - t` on the medium's clock plus the measured time that this machine
    needs for the picture and the sound (waiting for earlier pictures included), as if at real pace.
    """
    matches: list[Match] = []
    left = rounds
    seed = FIRST_SEED
    while left > 0:
        table = varied_table(seed, min(EACH, left))
        match = referee_table(table)
        matches.append(match)
        left -= len(match.verdict.rounds)
        _progress(match)
        seed += 1
    return figures(matches)


def varied_table(seed: int, rounds: int) -> SimulatedTable:
    """The table of one seed: decks and numbers of players take turns, the rest is drawn."""
    from assistant.simulation.faces import faces_named

    deck = DECKS[seed % len(DECKS)]
    seats = (4, 2)[seed // 2 % 2]
    return SimulatedTable(seed, seats=seats, rounds=rounds, faces=faces_named(deck), fidgets=0.08)


def figures(matches: list[Match]) -> dict[str, Any]:
    """The figures of several refereed tables."""
    verdicts = [(match, one) for match in matches for one in match.verdict.rounds]
    latencies = [1000 * late for match in matches for late in match.witness.latencies]
    by_deck: dict[str, list[bool]] = {}
    for match, one in verdicts:
        by_deck.setdefault(match.table.faces.name, []).append(one.perfect)
    return {
        "rounds": len(verdicts),
        "tables": len(matches),
        "perfect_rounds": float(np.mean([one.perfect for _match, one in verdicts])),
        "perfect_rounds_by_deck": {name: float(np.mean(right)) for name, right in sorted(by_deck.items())},
        "silent_errors": sum(_silent(match) for match in matches),
        "questions": sum(len(match.witness.questions) for match in matches),
        "knocks": sum(match.table.knocks for match in matches),
        "misattributed_knocks": sum(match.misattributed for match in matches),
        "announce_ms_p50": float(np.percentile(latencies, 50)) if latencies else None,
        "announce_ms_p95": float(np.percentile(latencies, 95)) if latencies else None,
    }


def _silent(match: Match) -> int:
    """Wrong rounds during which nothing was asked (a question belongs to the round in which it was asked)."""
    starts = match.table.deals
    ends = [*starts[1:], match.table.script.duration + 9]
    silent = 0
    for one in match.verdict.rounds:
        begin, end = starts[one.n - 1], ends[one.n - 1]
        silent += not one.perfect and not any(begin <= q.decided < end for q in match.witness.questions)
    return silent


def _progress(match: Match) -> None:
    table = match.table
    look = table.look
    print(
        f"{table.seed}: {table.script.seats} players, {table.faces.name}, {look.surface}, "
        f"slant {look.view.slant:.0f}, room {table.room.noise:.0f} dB: "
        f"{match.verdict.right}/{len(match.verdict.rounds)} rounds right",
        file=sys.stderr,
        flush=True,
    )
    for one in match.verdict.rounds:
        if not one.perfect:
            what = one.faults or "a call not heard or given to another seat"
            print(f"    round {one.n}: {what}", file=sys.stderr, flush=True)
