"""Doubt: one fault in an otherwise perfectly observed game. Is the record still right, does the assistant ask, or is
it wrong and silent? ``python -m assistant.bench.doubt`` prints the table; silent errors are the figure to bring to
nought.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from assistant.acts import Act, Action, Notice, Question
from assistant.bench.corruptions import CORRUPTIONS, Perfect
from assistant.holding import Observation
from assistant.interpreter import Interpreter
from assistant.testing import Script, Timed, played_at_random
from engine import Event, Game, Header
from engine.cards import rank_of

RIGHT, TOLD, ASKED, SILENT = "right", "told", "asked", "silent"
"""How a game with one fault came out: right without a word; right, but a question or a ruling was spoken because of
the fault; wrong, and the players were asked or told; wrong and nobody was told."""
TABLES: tuple[tuple[str, int], ...] = (
    ("trut", 2),
    ("trut", 4),
    ("trut-gatine", 4),
    ("trut-robin-red", 4),
    ("truc", 2),
    ("truc-y-flou", 6),
)
"""The games and numbers of players that take turns."""
WITHIN = 20.0
"""Seconds after the fault within which the assistant must have spoken up: longer than a trick takes."""
STEP = 0.1
"""Seconds of the medium between two looks of the interpreter."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game with one fault.

    Attributes:
        how: RIGHT, TOLD, ASKED or SILENT.
        questions: how many questions were asked.
        game, seats, seed: which game it was.
        t: when the fault was.
    """

    how: str
    questions: int
    game: str
    seats: int
    seed: int
    t: float


def trial(kind: str, seed: int, *, live: bool = False) -> Outcome | None:
    """A game of three rounds with one fault of ``kind``; None where the game has no place for it."""
    name, seats = TABLES[seed % len(TABLES)]
    header = Header(name, seats=seats, dealer=seats)
    events = played_at_random(header, seed)
    perfect = Script(header, events, voices=True).build()
    rng = random.Random(zlib.crc32(f"{kind} {seed}".encode()))
    corrupted = CORRUPTIONS[kind](Perfect(Game(header), perfect, rng))
    if corrupted is None:
        return None
    seen, t = corrupted
    game, acts = watched(header, seen, live=live)
    return Outcome(_how(game, acts, events, t), _questions(acts), name, seats, seed, t)


def watched(header: Header, seen: Iterable[Observation], *, live: bool = False) -> tuple[Game, list[Act]]:
    """What the interpreter makes of observations that come when they are decided."""
    game = Game(header)
    interpreter = Interpreter(game, live=live)
    left = sorted(seen, key=lambda o: o.decided)
    acts: list[Act] = []
    clock, place = 0.0, 0
    while place < len(left):
        clock = round(clock + STEP, 6)
        first = place
        while place < len(left) and left[place].decided <= clock:
            place += 1
        interpreter.observe(left[first:place])
        acts += interpreter.advance(clock)
    acts += interpreter.finish(clock)
    return game, acts


def _how(game: Game, acts: Sequence[Act], truth: Sequence[Timed], t: float) -> str:
    spoken = any(_speaks_up(act) and act.decided < t + WITHIN for act in acts)
    if what_counts(game.log, game) == what_counts((timed.event for timed in truth), game):
        return TOLD if spoken else RIGHT
    return ASKED if spoken else SILENT


def what_counts(events: Iterable[Event], game: Game) -> list[tuple[object, ...]]:
    """Seat, rank and strength of every card, seat and words of every call. A deal counts by what it leads to."""
    counted: list[tuple[object, ...]] = []
    for event in events:
        if event.verb == "play":
            card = event.args[0]
            counted.append(("play", event.seat, rank_of(card), game.strength(card)))
        elif event.verb != "deal":
            counted.append((event.verb, event.seat, *event.args))
    return counted


def _speaks_up(act: Act) -> bool:
    """Whether players hear of a doubt: a question, a ruling, a correction."""
    match act:
        case Question():
            return True
        case Action():
            return act.refused is not None
        case Notice():
            return act.kind in ("corrected", "card-out")
    return False


def _questions(acts: Iterable[Act]) -> int:
    return sum(isinstance(act, Question) for act in acts)


def trials(kind: str, count: int, *, live: bool = False) -> Iterator[Outcome]:
    """``count`` games of the first seeds."""
    for seed in range(count):
        outcome = trial(kind, seed, live=live)
        if outcome is not None:
            yield outcome


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m assistant.bench.doubt", description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[[], *CORRUPTIONS], help="which faults; all without")
    parser.add_argument("--games", type=int, default=60, help="games a fault")
    parser.add_argument("--live", action="store_true", help="as at a live table where nobody answers")
    parser.add_argument("--silent", action="store_true", help="name the games of the silent errors")
    args = parser.parse_args()
    print(f"{'fault':20}{'games':>7}{RIGHT:>8}{TOLD:>8}{ASKED:>8}{SILENT:>8}{'questions':>11}")
    whole: Counter[str] = Counter()
    for kind in args.kinds or CORRUPTIONS:
        outcomes = list(trials(kind, args.games, live=args.live))
        counts = Counter(outcome.how for outcome in outcomes)
        whole += counts
        questions = sum(outcome.questions for outcome in outcomes)
        row = "".join(f"{counts[how]:8}" for how in (RIGHT, TOLD, ASKED, SILENT))
        print(f"{kind:20}{len(outcomes):7}{row}{questions:11}", flush=True)
        if args.silent:
            for one in outcomes:
                if one.how == SILENT:
                    print(f"    seed {one.seed}: {one.game}, {one.seats} players, at {one.t:.2f} s")
    print(f"{'all':20}{sum(whole.values()):7}" + "".join(f"{whole[how]:8}" for how in (RIGHT, TOLD, ASKED, SILENT)))


if __name__ == "__main__":
    main()
