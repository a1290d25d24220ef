"""Corrections of anything earlier: a game put right is the game played rightly from the start."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.acts import Act, Action, Notice
from assistant.announcer import Announcer
from assistant.interpreter import Interpreter
from assistant.journal import lines_of
from assistant.orders import Drop, Insert, Order, Redo, Rename, Reseat, Say, Undo
from engine import GAMES, Event, Game, Header, Record, Refusal, parse_event, replay
from engine.header import SEATS
from engine.record import header_lines

DEALT = 6.0
"""Seconds from the last card of a round to the first thing of the next."""


class Table:
    """A table at which everything is told, with its record."""

    def __init__(self, header: Header) -> None:
        self.game = Game(header)
        self.interpreter = Interpreter(self.game, live=True)
        self.lines = "".join(f"{line}\n" for line in header_lines(header))
        self.acts: list[Act] = []
        self.t = 0.0

    def follow(self, order: Order) -> list[Act]:
        self.t = order.t
        return self.took(self.interpreter.order(order))

    def took(self, acts: Sequence[Act]) -> list[Act]:
        self.lines += "".join(lines_of(act) for act in acts if isinstance(act, Action))
        self.acts += acts
        return list(acts)

    def say(self, event: Event | str, pause: float = 1.0) -> list[Act]:
        event = parse_event(event) if isinstance(event, str) else event
        acts = self.follow(Say(self.t + pause, self.t + pause, "keyboard", event))
        return acts + self.took(self.interpreter.advance(self.t))

    def rename(self, at: int, card: str) -> list[Act]:
        return self.follow(Rename(self.t + 1, self.t + 1, "page", at, card))

    def undo(self, count: int = 1) -> list[Act]:
        return self.follow(Undo(self.t + 1, self.t + 1, "keyboard", count))

    def redo(self) -> list[Act]:
        return self.follow(Redo(self.t + 1, self.t + 1, "keyboard"))

    def announced(self, acts: Sequence[Act]) -> list[str]:
        announcer = Announcer(self.game)
        return [said.text for act in acts for said in announcer.words(act)]

    def holds(self) -> bool:
        """Whether the record replays to this very game without anything that it does not expect."""
        again = replay(Record.parse(self.lines))
        return again.holds and (again.game.state(), again.game.log) == (self.game.state(), self.game.log)


def played(header: Header, rng: random.Random, most: int) -> Game:
    """A game of at most ``most`` events played at random, with calls and answers of every kind."""
    game = Game(header)
    pack = list(game.table.PACK.tokens) * game.table.PACK.copies
    hands: dict[int, list[str]] = {}
    while game.phase != "over" and len(game.log) < most:
        calls = [e for e in game.legal() if e.verb not in ("play", "deal", "annul")]
        if game.phase == "deal":
            rng.shuffle(pack)
            hands = {s: pack[6 * (s - 1) : 6 * s] for s in range(1, game.seats + 1)}
            event = Event("deal")
        elif calls and (game.phase != "play" or rng.random() < 0.12):
            event = rng.choice(calls)
        else:
            assert game.turn is not None
            event = Event("play", game.turn, (hands[game.turn].pop(),))
        assert not isinstance(game.apply(event), Refusal)
    if game.log[-1].verb == "deal":  # nobody sees a deal before the first card or call
        game.undo()
    return game


def misread(truth: Game, index: int, rng: random.Random) -> tuple[Table, int]:
    """The table told all that happened, but one card wrongly: nothing is said of the deals."""
    table, at = Table(truth.header), -1
    rounds = 0
    for place, event in enumerate(truth.log):
        if event.verb == "deal":
            rounds += 1
            table.t += DEALT
            continue
        if place == index:
            pack = truth.table.PACK
            first = max(i for i in range(place) if truth.log[i].verb == "deal")
            last = next((i for i in range(place, len(truth.log)) if truth.log[i].verb == "deal"), len(truth.log))
            out = [e.args[0] for e in truth.log[first:last] if e.verb == "play"]
            wrong = rng.choice([card for card in pack.tokens if card != event.args[0] and out.count(card) < pack.copies])
            table.say(Event("play", event.seat, (wrong,)))
            assert str(table.game.log[-1]) == f"play {event.seat} {wrong}"
            at = len(table.game.log) - 1
        else:
            table.say(event)
    return table, at


@pytest.mark.parametrize("ruleset", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_game_with_one_wrong_card_put_right_is_the_game_played_rightly(ruleset: str, seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.choice(SEATS[ruleset])
    truth = played(Header(ruleset, seats, rng.randint(1, seats)), rng, rng.randrange(5, 90))
    plays = [i for i, event in enumerate(truth.log) if event.verb == "play"]
    if not plays:
        return
    index = rng.choice(plays)
    table, at = misread(truth, index, rng)
    wrong = table.game.log
    acts = table.rename(at, truth.log[index].args[0])
    assert table.game.log == truth.log
    assert table.game == truth
    assert table.holds()
    assert len(table.announced(acts)) == 1
    table.undo()
    assert table.game.log == wrong
    table.redo()
    assert table.game == truth
    assert table.holds()
