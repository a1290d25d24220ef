"""The engine against the second referee of ``slow.py``: random games, and the perft counts kept in text
files."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Accepted, Event, Game, Header
from engine.header import TRUT_FAMILY

AnyHeader = Callable[[random.Random, str], Header]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("slow", Path(__file__).with_name("slow.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SLOW = _load()


def referee(header: Header) -> Any:
    """The second referee for the same start."""
    zero = {"longs": 0, "petits": 0} if header.game in TRUT_FAMILY else {"points": 0}
    score = {side: list((header.score or {"A": zero, "B": zero})[side].values()) for side in "AB"}
    return SLOW.Slow(header.game, header.seats, header.dealer, dict(header.options), score)


def words(event: Event) -> tuple[str, ...]:
    return tuple(str(event).split())


def deal_hands(rng: random.Random, game: Game) -> list[Event]:
    """Hands for some seats, from a well-shuffled pack."""
    cards = list(game.table.PACK.tokens * game.table.PACK.copies)
    rng.shuffle(cards)
    events = []
    for seat in range(1, game.seats + 1):
        hand = [cards.pop() for _ in range(3)]
        if rng.random() < 0.5:
            events.append(Event("hand", seat, tuple(hand)))
    return events


def compare(game: Game, slow: Any) -> None:
    seen = slow.look()
    assert game.phase == seen["phase"]
    assert {side: list(part.values()) for side, part in game.score.items()} == seen["score"]
    assert (game.dealer, game.next_dealer) == (
        seen["dealer"],
        seen["next"] if game.phase in ("deal", "over") else game.next_dealer,
    )
    assert game.winner == seen["winner"]
    assert [(ended.winner, ended.award) for ended in game.rounds] == seen["rounds"]
    if game.phase not in ("deal", "over"):
        assert game.turn == seen["turn"]
        assert list(game.awaiting) == seen["awaiting"]
        assert game.stake == seen["stake"]
        for seat in range(1, game.seats + 1):
            held = slow.hand(seen, seat)[0]
            known = game.known_hand(seat)
            assert sorted(known or ()) == sorted(held or ())
    if game.manches is not None:
        assert game.manches == seen["manches"]
    assert {words(event) for event in game.legal()} == slow.legal()


def likely(rng: random.Random, game: Game) -> list[Event]:
    """Legal events of one verb: cards often, ties often, an end of the round seldom."""
    legal = game.legal()
    verbs = sorted({event.verb for event in legal})
    verb = rng.choice(verbs)
    if verb in ("annul", "fold", "refuse", "truc", "trut"):
        verb = rng.choice(verbs)
    if "play" in verbs and rng.random() < 0.4:
        verb = "play"
    events = [event for event in legal if event.verb == verb]
    if verb == "play" and game.trick and rng.random() < 0.5:
        best = max(game.strength(card) for _, card in game.trick)
        return [event for event in events if game.strength(event.args[0]) == best] or events
    return events


@given(seed=st.integers(0, 2**40))
@settings(max_examples=20, deadline=None)
def test_random_games(ruleset: str, any_header: AnyHeader, seed: int) -> None:
    """Phase, turn, awaiting, stake, score, rounds, known hands and legal events after every event of random
    games."""
    rng = random.Random(seed)
    header = any_header(rng, ruleset)
    game, slow = Game(header), referee(header)
    for _ in range(50):
        compare(game, slow)
        legal = game.legal()
        if not legal:
            break
        event = rng.choice(likely(rng, game))
        assert isinstance(game.apply(event), Accepted)
        slow.events.append(words(event))
        if event.verb == "deal" and rng.random() < 0.5:
            for hand in deal_hands(rng, game):
                if isinstance(game.apply(hand), Accepted):
                    slow.events.append(words(hand))


# Perft


PERFT = sorted((Path(__file__).parents[1] / "cases" / "perft").glob("*.txt"))


def count(game: Game, depth: int) -> int:
    """The number of legal event sequences of that length."""
    legal = game.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for event in legal:
        game.apply(event)
        total += count(game, depth - 1)
        game.undo()
    return total


def slow_count(slow: Any, depth: int) -> int:
    legal = slow.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for event in legal:
        slow.events.append(event)
        total += slow_count(slow, depth - 1)
        slow.events.pop()
    return total


def position(path: Path) -> tuple[Game, Any, list[int]]:
    """A perft file is a record, and one comment line ``# perft N N N ...``: the counts to depth 1, 2, ..."""
    from engine import Record

    record = Record.load(path)
    game, slow = Game(record.header), referee(record.header)
    for event in record.events():
        assert isinstance(game.apply(event), Accepted)
        slow.events.append(words(event))
    (line,) = (line for line in record.lines if line.comment and line.comment.startswith(" perft"))
    return game, slow, [int(word) for word in (line.comment or "").split()[1:]]


@pytest.mark.parametrize("path", PERFT, ids=lambda path: path.stem)
def test_perft(path: Path) -> None:
    """The number of legal event sequences to each depth, as kept."""
    game, _, counts = position(path)
    for depth, wanted in enumerate(counts, 1):
        if wanted < 300_000:
            assert count(game, depth) == wanted


@pytest.mark.parametrize("path", PERFT, ids=lambda path: path.stem)
def test_perft_by_the_second_referee(path: Path) -> None:
    """The same numbers by the slow implementation, to the depth that it can afford."""
    _, slow, counts = position(path)
    for depth, wanted in enumerate(counts, 1):
        if wanted < 1500:
            assert slow_count(slow, depth) == wanted


def test_there_are_counts_of_every_game() -> None:
    """A perft file of each ruleset."""
    from engine.rulesets import RULESETS

    assert {position(path)[0].header.game for path in PERFT} == set(RULESETS)
