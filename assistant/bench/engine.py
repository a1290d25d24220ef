"""``trut bench engine``: how fast the rules are on this machine, in one process and pure Python.

Every figure is a rate per second of processor time, so that another program on the machine does not spoil it.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable
from typing import Any

from engine import GAMES, Accepted, Event, Game, Header

SECONDS = 1.0
"""Processor time spent on each figure."""


def run() -> dict[str, Any]:
    """The figures.

    Returns:
        ``events_per_s``: events of random games of trut applied, the slowest of two and four players;
        ``undos_per_s``: events applied and taken back; ``actions_per_s`` by game: chosen from ``legal()`` and
            applied; ``pytruco_actions_per_s`` and ``pytruco_ratio`` (trut of two against its game of two)
            and ``pytruco_ratio_by_game`` where pytruco is installed.
    """
    actions = {game: _rate(_actions(game)) for game in GAMES}
    actions["trut, 2"] = _rate(_actions("trut", 2))
    figures: dict[str, Any] = {
        "events_per_s": min(_rate(_events("trut", 2)), _rate(_events("trut", 4))),
        "undos_per_s": _rate(_undos("trut", 4)),
        "actions_per_s": {game: round(rate) for game, rate in actions.items()},
    }
    peer = _pytruco()
    if peer is not None:
        rate = _rate(peer)
        figures["pytruco_actions_per_s"] = rate
        figures["pytruco_ratio"] = actions["trut, 2"] / rate
        figures["pytruco_ratio_by_game"] = {game: round(done / rate, 1) for game, done in actions.items()}
    return figures


def _rate(work: Callable[[], int]) -> float:
    """How many things ``work`` does in a second; it returns how many it did."""
    work()
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        done += work()
    return done / spent


def _random_game(game: str, seats: int, seed: int) -> list[Event]:
    """The events of one random game, played to its end."""
    choose = random.Random(seed).choice
    table = Game(Header(game, seats))
    while table.phase != "over":
        event = choose([event for event in table.legal() if event.verb != "annul"])
        assert isinstance(table.apply(event), Accepted)
    return list(table.log)


def _events(game: str, seats: int) -> Callable[[], int]:
    """Apply the events of ten random games."""
    games = [_random_game(game, seats, seed) for seed in range(10)]

    def work() -> int:
        for events in games:
            apply = Game(Header(game, seats)).apply
            for event in events:
                apply(event)
        return sum(map(len, games))

    return work


def _undos(game: str, seats: int) -> Callable[[], int]:
    """Apply the events of a random game and take all back, one by one."""
    events = _random_game(game, seats, 1)

    def work() -> int:
        table = Game(Header(game, seats))
        for event in events:
            table.apply(event)
        for _ in events:
            table.undo()
        return len(events)

    return work


def _actions(game: str, seats: int = 0) -> Callable[[], int]:
    """Play one random game: choose from ``legal()``, apply."""
    choose = random.Random(7).choice

    def work() -> int:
        table = Game(Header(game, seats))
        done = 0
        while legal := table.legal():
            table.apply(choose(legal))
            done += 1
        return done

    return work


def _pytruco() -> Callable[[], int] | None:
    """One random game of two by pytruco, None where it is not installed."""
    try:
        random_action = importlib.import_module("pytruco.pdt.chi").random_action
        partida = importlib.import_module("pytruco.pdt.partida").Partida
    except ImportError:
        return None

    def work() -> int:
        game = partida(20, ["Alice"], ["Bob"], verbose=False)
        done = 0
        while not game.terminada():
            random_action(game, allow_mazo=False).hacer(game)
            done += 1
        return done

    return work
