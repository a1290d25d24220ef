"""``Game.legal()`` is exact: everything in it is accepted, and everything that is accepted is in it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Accepted, Event, Game, Header, Record, parse_event
from engine.events import FORMS

AnyEvent = Callable[[random.Random, Game], Event]
AnyHeader = Callable[[random.Random, str], Header]

LEFT_OUT = {"hand", "cut", "undo", "set-score", "concede"}
WORDS = ("1", "2", "3", "4", "6", "10", "rest", "partido", "0", *map(str, range(20, 42)))


def copy_of(game: Game) -> Game:
    """Another game in the same state, made by playing the same events."""
    other = Game(game.header)
    for event in game.log:
        other.apply(event)
    assert other == game
    return other


def every_event(game: Game) -> Iterator[Event]:
    """Every event that could be legal at all, without those left out and without optional forms."""
    seats = range(1, game.seats + 1)
    yield Event("deal")
    yield Event("annul")
    if game.header.game == "trut-gatine":
        yield Event("redeal")
    for verb in sorted(FORMS.keys() - LEFT_OUT - {"deal", "annul", "play"}):
        for seat in seats:
            if verb == "redeal" and game.header.game == "trut-gatine":
                continue
            yield Event(verb, seat)
            if verb in ("raise", "balou", "declare"):
                yield from (Event(verb, seat, (word,)) for word in WORDS)
    for seat in seats:
        yield from (Event("play", seat, (token,)) for token in game.table.PACK.tokens)


def check_both_directions(game: Game) -> None:
    legal = game.legal()
    assert len(set(legal)) == len(legal), "an event twice"
    accepted = set()
    before = game.state()
    for event in every_event(game):
        if isinstance(game.apply(event), Accepted):
            accepted.add(event)
            game.undo()
            assert game.state() == before
    assert set(legal) == accepted


@given(seed=st.integers(0, 2**40))
@settings(max_examples=25, deadline=None)
def test_legal_is_exact(ruleset: str, any_header: AnyHeader, any_event: AnyEvent, seed: int) -> None:
    """legal(): exact in both directions, after any events, by any house rules, hands known or not."""
    rng = random.Random(seed)
    game = Game(any_header(rng, ruleset))
    for _ in range(rng.randrange(60)):
        game.apply(any_event(rng, game))
    for _ in range(4):
        check_both_directions(game)
        game.apply(any_event(rng, game))


def test_legal_along_the_golden_records(ruleset: str, records: object) -> None:
    """legal(): exact in every position of the golden records."""
    from pathlib import Path

    paths = sorted((Path(str(records)) / ruleset).glob("*.trut"))
    assert paths
    for path in paths:
        record = Record.load(path)
        game = Game(record.header)
        for event in record.events():
            game.apply(event)
            check_both_directions(game)


def test_the_challenger_is_not_mixed_up() -> None:
    """F-46: the same seats may declare, but only the one that said better may stay silent."""
    for flor, better, silent in (("flor 1", "better 2", "silent 2"), ("flor 2", "better 3", "silent 3")):
        game = Game(Header("truc-y-flou"))
        start = ["deal"] if flor == "flor 1" else ["deal", "play 1 4e"]
        events = [*start, flor, f"play {flor[-1]} 5e", better, f"sing {flor[-1]}"]
        for event in events:
            assert isinstance(game.apply(parse_event(event)), Accepted)
        assert [str(event) for event in game.legal() if event.verb == "silent"] == [silent]
        check_both_directions(game)
