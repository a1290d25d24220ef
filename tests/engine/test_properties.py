"""Properties that hold for every game, whatever happens at the table."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Accepted, Event, Game, Header, Record, Refusal, replay
from engine.refusals import SENTENCES

Walk = Callable[[random.Random, Game, int], None]
AnyEvent = Callable[[random.Random, Game], Event]
AnyHeader = Callable[[random.Random, str], Header]


@given(seed=st.integers(0, 2**40))
@settings(max_examples=150, deadline=None)
def test_refused_event_changes_nothing(
    ruleset: str, any_header: AnyHeader, any_event: AnyEvent, seed: int
) -> None:
    """C-4: whole states are compared; an accepted event is remembered, a refused one is not, and its code is
    known."""
    rng = random.Random(seed)
    game = Game(any_header(rng, ruleset))
    for _ in range(80):
        before, rounds, log = game.state(), game.rounds, game.log
        event = any_event(rng, game)
        answer = game.apply(event)
        if isinstance(answer, Refusal):
            assert (game.state(), game.rounds, game.log) == (before, rounds, log)
            assert answer.code in SENTENCES
            assert answer.message
        elif event.verb != "undo":
            assert game.log == (*log, event)


@given(seed=st.integers(0, 2**40))
@settings(max_examples=60, deadline=None)
def test_undo_restores(ruleset: str, any_header: AnyHeader, any_event: AnyEvent, seed: int) -> None:
    """undo N gives back the state of N accepted events ago, across tricks, rounds and the end of the game."""
    rng = random.Random(seed)
    game = Game(any_header(rng, ruleset))
    states = [(game.state(), game.rounds)]
    for _ in range(120):
        event = any_event(rng, game)
        if event.verb != "undo" and isinstance(game.apply(event), Accepted):
            states.append((game.state(), game.rounds))
        if rng.random() < 0.1:
            back = rng.randrange(len(states))
            assert isinstance(game.undo(back), Accepted)
            del states[len(states) - back :]
            assert (game.state(), game.rounds) == states[-1]
    assert isinstance(game.undo(len(states)), Refusal)


def test_undo_takes_back_the_winning_card(ruleset: str, walk: Walk) -> None:
    """undo works across the end of the game, and the rest of the game can be played again."""
    rng = random.Random(4)
    game = Game(Header(ruleset, options={"target": "1"}))
    while game.phase != "over":
        walk(rng, game, 1)
    end, last = game.state(), game.log[-1]
    game.undo()
    assert game.winner is None
    game.apply(last)
    assert game.state() == end


def test_replay_is_linear() -> None:
    """A record of twice the length takes about twice the time, undo included, even where it undoes all the
    way."""

    def seconds(rounds: int) -> float:
        plays = ["play 1 7s", "play 2 8s", "play 1 7h", "play 2 9s"]
        other = ["play 2 9s", "play 1 7s", "play 1 7h", "play 2 8s"]
        lines = ["game trut", "seats 2", "option target 999999"]
        for n in range(rounds):
            lines += [
                "deal",
                *(other if n % 2 else plays),
                "undo",
                "undo",
                "undo 1",
                (other if n % 2 else plays)[1],
            ]
            lines += (other if n % 2 else plays)[2:]
        lines += ["undo"] * (5 * rounds)
        record = Record.parse("\n".join(lines) + "\n")
        start = time.process_time()
        assert not replay(record).refused
        return time.process_time() - start

    short = min(seconds(300) for _ in range(3))
    assert min(seconds(1200) for _ in range(2)) < 10 * short


@pytest.mark.parametrize("times", [1, 7, 8, 9, 40])
def test_equal_games_compare_equal(times: int) -> None:
    """Two games with the same header and the same events are equal; one event more and they are not."""
    one, two = Game(Header("trut", 2)), Game(Header("trut", 2))
    for _ in range(times):
        for game in (one, two):
            for event in (Event("deal"), Event("trut", 1), Event("fold", 2)):
                game.apply(event)
    assert one == two
    two.undo()
    assert one != two
