"""The five games as perfect eyes and ears report them, and the same games with one thing wrong."""

from __future__ import annotations

import pytest

from assistant.bench.corruptions import CORRUPTIONS
from assistant.bench.doubt import RIGHT, TABLES, trial, watched
from assistant.testing import UNSAID, Script, call_for, played_at_random
from engine import Event, Header
from engine.events import FORMS

SCORES = {
    "trut": {"A": {"longs": 6, "petits": 2}, "B": {"longs": 6, "petits": 1}},
    "trut-gatine": {"A": {"longs": 0, "petits": 2}, "B": {"longs": 0, "petits": 2}},
}
"""Scores at which words are due after the deal."""


@pytest.mark.parametrize(("name", "seats"), [*TABLES, ("trut-robin-red", 2), ("trut-gatine", 2)])
@pytest.mark.parametrize("seed", range(6))
def test_every_game_comes_out_as_it_was_played(name: str, seats: int, seed: int) -> None:
    header = Header(name, seats=seats, dealer=seats, score=SCORES.get(name) if seed % 2 else None)
    events = played_at_random(header, seed)
    game, acts = watched(header, Script(header, events, voices=True).build())
    assert [str(event) for event in game.log] == [str(timed.event) for timed in events]
    assert len(acts) == len(events)


@pytest.mark.parametrize("game", ["trut", "trut-gatine", "trut-robin-red", "truc", "truc-y-flou"])
def test_every_word_of_every_game_can_be_said(game: str) -> None:
    table = Header(game, seats=6 if game == "truc-y-flou" else 2, dealer=1)
    verbs = {verb for verb in FORMS if verb not in UNSAID | {"play", "undo", "annul", "set-score", "concede"}}
    known = {event.event.verb for seed in range(12) for event in played_at_random(table, seed, rounds=2)} & verbs
    args = {"raise": ("2",) if game == "truc-y-flou" else (), "balou": ("4",), "declare": ("27",)}
    assert known
    for verb in known:
        assert call_for(game, Event(verb, 1, args.get(verb, ()))) is not None, verb


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_a_fault_is_put_in_and_judged(kind: str) -> None:
    outcomes = [outcome for seed in range(3) if (outcome := trial(kind, seed)) is not None]
    assert outcomes or kind in ("thrown-in", "hidden-hand")
    if kind == "nothing":
        assert {outcome.how for outcome in outcomes} == {RIGHT}
