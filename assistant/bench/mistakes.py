"""Mistakes: one card counted wrongly in a game that the table goes on playing rightly. Put right later, is the game
the one that was played? ``python -m assistant.bench.mistakes`` prints the table.

Two ways to be wrong: everything is told (``assistant.orders``) and one card told wrongly, in all five games; or
eyes and ears report everything and the eyes surely misread one card, so that what follows is refused, waits, goes to
other seats and opens rounds that nobody dealt.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.holding import Observation
from assistant.interpreter import Interpreter
from assistant.orders import Rename, Say
from assistant.testing import Script, played_at_random
from engine import GAMES, Event, Game, Header, Refusal
from engine.header import SEATS
from vision.events import CardLaid

DEALT = 6.0
"""Seconds from the last card of a round to the first thing of the next."""
STEP = 0.2
"""Seconds between two looks of the interpreter."""


@dataclass(frozen=True, slots=True)
class Mended:
    """One game with one wrong card.

    Attributes:
        right: after the correction it is the game that was played.
        back: events taken back by it.
        seconds: how long it took.
    """

    right: bool
    back: int
    seconds: float


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
        answer = game.apply(event)
        assert not isinstance(answer, Refusal), (event, answer)
    if game.log[-1].verb == "deal":  # nobody sees a deal before the first card or call
        game.undo()
    return game


def with_one_wrong(truth: Game, index: int, rng: random.Random) -> tuple[list[Say], Event]:
    """All that happened, told, the card ``truth.log[index]`` wrongly: nothing is said of the deals. And what was
    told instead."""
    pack, event = truth.table.PACK, truth.log[index]
    first = max(i for i in range(index) if truth.log[i].verb == "deal")
    last = next((i for i in range(index, len(truth.log)) if truth.log[i].verb == "deal"), len(truth.log))
    out = [e.args[0] for e in truth.log[first:last] if e.verb == "play"]
    left = [card for card in pack.tokens if card != event.args[0] and out.count(card) < pack.copies]
    wrong = Event("play", event.seat, (rng.choice(left),))
    told, t = [], 0.0
    for place, each in enumerate(truth.log):
        t += DEALT if each.verb == "deal" else 1.0
        if each.verb != "deal":
            told.append(Say(t, t, "keyboard", wrong if place == index else each))
    return told, wrong


def told_wrongly(ruleset: str, seed: int) -> Mended | None:
    """A game told with one wrong card, and put right at its end; None for a game without cards."""
    rng = random.Random(seed)
    seats = rng.choice(SEATS[ruleset])
    truth = played(Header(ruleset, seats, rng.randint(1, seats)), rng, rng.randrange(20, 120))
    plays = [i for i, event in enumerate(truth.log) if event.verb == "play"]
    if not plays:
        return None
    index = rng.choice(plays)
    table, at = Interpreter(Game(truth.header), live=True), -1
    orders, wrong = with_one_wrong(truth, index, rng)
    for order in orders:
        table.order(order)
        if order.event is wrong:
            at = len(table.game.log) - 1
    return _put_right(table, at, truth.log[index].args[0], truth.log)


def watched(header: Header, observations: Sequence[Observation], wrong: tuple[int, str] | None = None) -> Interpreter:
    """What an interpreter makes of a game; ``wrong``: the track of a card, and what it is surely taken for."""
    interpreter = Interpreter(Game(header), live=True)
    left, t = sorted(observations, key=lambda seen: seen.decided), 0.0
    while left:
        t = round(t + STEP, 3)
        while left and left[0].decided <= t:
            seen = left.pop(0)
            if isinstance(seen, CardLaid) and wrong is not None and seen.track == wrong[0]:
                seen = replace(seen, card=wrong[1], guesses=((wrong[1], 0.97),))
            interpreter.observe([seen])
        interpreter.advance(t)
    interpreter.finish(t)
    return interpreter


def misread(seats: int, seed: int) -> Mended | None:
    """A game of trut watched with one card misread, and put right at its end: what was seen and heard after it comes
    to what it would have come to. None where what followed has told the right card already."""
    rng = random.Random(seed)
    header = Header("trut", seats=seats)
    truth = played_at_random(header, seed, rounds=3)
    observations = Script(header, truth).build()
    laid = [timed.event for timed in truth if timed.event.verb == "play"]
    track = rng.randrange(len(laid)) + 1
    card, seat = laid[track - 1].args[0], laid[track - 1].seat
    never = [each for each in Game(header).table.PACK.cards() if all(each != event.args[0] for event in laid)]
    if not never:
        return None
    wrong = rng.choice(never)
    right, table = watched(header, observations), watched(header, observations, (track, wrong))
    at = next((i for i, event in enumerate(table.game.log) if event == Event("play", seat, (wrong,))), None)
    return None if at is None else _put_right(table, at, card, right.game.log)


def _put_right(table: Interpreter, at: int, card: str, right: Sequence[Event]) -> Mended:
    back, began = len(table.game.log) - at, time.perf_counter()
    table.order(Rename(9000.0, 9000.0, "page", at, card))
    return Mended(table.game.log == tuple(right), back, time.perf_counter() - began)


def report(games: int) -> Iterator[str]:
    """The lines of the table."""
    yield f"{'one wrong card':<24} {'games':>6} {'put right':>10} {'undone':>7} {'ms':>6} {'most ms':>8}"
    rows = [(f"told, {ruleset}", [told_wrongly(ruleset, seed) for seed in range(games)]) for ruleset in GAMES]
    rows += [(f"misread, trut of {seats}", [misread(seats, seed) for seed in range(games)]) for seats in (2, 4)]
    for name, found in rows:
        mended = [each for each in found if each is not None]
        times = sorted(each.seconds * 1000 for each in mended)
        undone = sum(each.back for each in mended) / len(mended)
        right = sum(each.right for each in mended)
        yield f"{name:<24} {len(mended):6d} {right:10d} {undone:7.1f} {times[len(times) // 2]:6.1f} {times[-1]:8.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="games of each kind")
    for line in report(parser.parse_args().games):
        print(line, flush=True)


if __name__ == "__main__":
    main()
