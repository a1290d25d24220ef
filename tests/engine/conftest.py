"""What the tests of the engine share: scenarios as records, random events, random walks."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import OPTIONS, Accepted, Event, Game, Header, Record, replay
from engine.events import FORMS, event_of
from engine.header import SEATS, TRUT_FAMILY
from engine.options import options_of
from engine.rulesets import RULESETS
from engine.table import HEADER_WORDS

RECORDS = Path(__file__).parents[1] / "cases" / "records"


def _table(text: str) -> Game:
    """Replay a record; everything in it must hold."""
    lines = "\n".join(line.strip() for line in text.strip().splitlines())
    result = replay(Record.parse(lines + "\n"))
    problems = [f"line {f.line}: want {f.want}, got {f.got}" for f in result.failures]
    problems += [
        f"line {r.line}: {r.event} refused with {r.refusal.code}" for r in result.refused if not r.expected
    ]
    assert not problems, "\n".join([*problems, lines])
    return result.game


def _header(rng: random.Random, game: str) -> Header:
    """A random header: any house rules, any dealer, any score; short games are made likely."""
    options = {}
    for name in options_of(game):
        if rng.random() < 0.5:
            values = OPTIONS[name].values
            options[name] = (
                rng.choice(values) if values else str(rng.choice((1, 2, 3, int(options_of(game)[name]))))
            )
    target = int(options.get("target", options_of(game)["target"]))
    seats = rng.choice(SEATS[game])
    if game in TRUT_FAMILY:
        part = lambda: {"longs": rng.choice((0, target - 1)), "petits": rng.choice((0, 1, 2, 2))}  # noqa: E731
    else:
        part = lambda: {"points": rng.randrange(target)}  # noqa: E731
    score = {"A": part(), "B": part()} if rng.random() < 0.7 else None
    return Header(game, seats, rng.randint(1, seats), options, score)


def _event(rng: random.Random, game: Game) -> Event:
    """Any event: often a legal one, sometimes a card or a hand, sometimes nonsense."""
    chance = rng.random()
    tokens = (*game.table.PACK.cards(), "Zx", "7z", "") if chance < 0.95 else ("1", "0")
    token = rng.choice(tokens) or "x"
    if chance < 0.55 and (legal := game.legal()):
        event = rng.choice(legal)
        if event.verb == "annul" and rng.random() < 0.9:
            event = rng.choice(legal)
        return event
    if chance < 0.65:
        return Event("play", rng.randint(1, game.seats), (token,))
    if chance < 0.75:
        return Event("hand", rng.randint(1, game.seats), tuple(rng.sample(game.table.PACK.tokens, 3)))
    if chance < 0.78:
        return event_of(("undo", rng.choice(("1", "2", "9", "x"))))
    verb = rng.choice((*FORMS, *HEADER_WORDS, "foo"))
    words = [verb]
    if rng.random() < 0.9:
        words.append(rng.choice(("1", "2", "3", "4", "5", "6", "0", "7", "A", "B", "x")))
    for _ in range(rng.choice((0, 0, 0, 1, 1, 3, 6))):
        words.append(
            rng.choice((token, "1", "2", "10", "4", "6", "20", "33", "partido", "rest", "A", "B", "0", "٣"))
        )
    return event_of(tuple(words))


def _walk(rng: random.Random, game: Game, steps: int) -> None:
    """Let random events happen, mostly legal ones."""
    for _ in range(steps):
        if game.phase == "over":
            return
        assert isinstance(game.apply(rng.choice(game.legal())), Accepted)


@pytest.fixture(scope="session")
def table() -> Callable[[str], Game]:
    """``table(text)``: replay a record in which everything must hold."""
    return _table


@pytest.fixture(scope="session")
def any_header() -> Callable[[random.Random, str], Header]:
    return _header


@pytest.fixture(scope="session")
def any_event() -> Callable[[random.Random, Game], Event]:
    return _event


@pytest.fixture(scope="session")
def walk() -> Callable[[random.Random, Game, int], None]:
    return _walk


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of the golden records."""
    return RECORDS


@pytest.fixture(scope="session", params=sorted(RULESETS))
def ruleset(request: pytest.FixtureRequest) -> str:
    """Each game in turn."""
    return str(request.param)
