"""What counts is when things happened: slow eyes, slow ears, late news and drifting clocks change no ruling."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import accumulate

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.acts import Act, Action
from assistant.holding import HOLD, HoldingQueue, Observation
from assistant.interpreter import Interpreter
from assistant.live import LAG
from assistant.testing import ScriptedTable, Timed, played_at_random, script_of, timed_events
from audio.events import Knock, Phrase
from engine import GAMES, Game, Header
from engine.header import SEATS
from vision.events import CardLaid, HandGone, HandSeen

STEP = 0.05
EVENINGS = [(game, SEATS[game][0]) for game in GAMES]


def truth(game: str, seats: int, seed: int, rounds: int = 2) -> str:
    """A game that people play at random, with its times."""
    events: list[Timed] = played_at_random(Header(game, seats=seats, dealer=seats), seed, rounds=rounds)
    lines = "".join(f"{timed.event} | t={timed.t:.2f}\n" for timed in events)
    return f"game {game}\nseats {seats}\ndealer {seats}\n{lines}"


def rulings(acts: Sequence[Act]) -> list[tuple[str, str | None, float]]:
    """What was decided, of what moment; not when."""
    return [(str(a.event), a.refused, round(a.t, 3)) for a in acts if isinstance(a, Action)]


def arrivals(observations: Sequence[Observation], delay: Callable[[], float]) -> list[tuple[float, Observation]]:
    """When each comes if it is late by ``delay()``, but no later than what the interpreter waits for. Eyes and ears
    each tell one thing after the other."""
    out: list[tuple[float, Observation]] = []
    for heard in (False, True):
        source = [o for o in observations if isinstance(o, Knock | Phrase) == heard]
        times = [min(o.decided + delay(), max(o.t + LAG + HOLD - STEP, o.decided)) for o in source]
        in_turn = list(accumulate(reversed(times), min))[::-1]
        out += zip(in_turn, source, strict=True)
    return sorted(out, key=lambda coming: coming[0])


def told_late(text: str, delay: Callable[[], float]) -> list[Act]:
    """The acts of an interpreter to which everything comes late, as ``Live`` would ask for them."""
    coming = arrivals(script_of(text), delay)
    interpreter = Interpreter(Game(timed_events(text)[0]), live=True)
    acts: list[Act] = []
    now = 0.0
    while coming:
        now += STEP
        while coming and coming[0][0] <= now:
            interpreter.observe([coming.pop(0)[1]])
        acts += interpreter.advance(max(0.0, now - LAG))
    return acts + interpreter.finish(now)


@pytest.mark.parametrize(("game", "seats"), EVENINGS)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_delays_within_what_is_waited_give_the_same_rulings(game: str, seats: int, data: st.DataObject) -> None:
    text = truth(game, seats, data.draw(st.integers(0, 20), "seed"))
    shuffle = random.Random(data.draw(st.integers(0, 10**6), "delays"))
    most = data.draw(st.sampled_from([0.2, 0.6, 1.5]), "most")
    late = told_late(text, lambda: shuffle.uniform(0.0, most))
    assert rulings(late) == rulings(told_late(text, lambda: 0.0))


@settings(max_examples=5, deadline=None)
@given(
    seed=st.integers(0, 20),
    need=st.sampled_from([0.05, 0.2, 0.4]),
    ears=st.sampled_from([0.0, 0.3]),
    game=st.sampled_from(EVENINGS),
)
def test_a_slow_machine_gives_the_record_of_a_quick_one(
    seed: int, need: float, ears: float, game: tuple[str, int]
) -> None:
    text = truth(*game, seed, rounds=1)
    work = random.Random(seed)
    quick = ScriptedTable(text).run()
    slow = ScriptedTable(
        text,
        eyes_need=lambda t: work.uniform(0.0, need),
        ears_need=lambda t: ears if work.random() < 0.02 else 0.0,
    ).run()
    assert rulings(slow.acts) == rulings(quick.acts)
    assert slow.events == quick.events


@pytest.mark.parametrize("seed", range(2))
def test_eyes_that_need_a_second_and_a_half_end_at_the_same_score(seed: int) -> None:
    """Longer than the interpreter waits: what comes too late is put right by taking back what followed it."""
    text = truth("trut", 2, seed, rounds=1)
    quick, slow = ScriptedTable(text).run(), ScriptedTable(text, eyes_need=1.5, seconds=90.0).run()
    assert slow.referee.game.score == quick.referee.game.score


@settings(max_examples=60, deadline=None)
@given(
    gap=st.floats(0.11, 0.6),
    jitter=st.tuples(st.floats(-0.05, 0.05), st.floats(-0.05, 0.05)),
    late=st.tuples(st.floats(0.0, 0.8), st.floats(0.0, 0.8)),
    knock_first=st.booleans(),
)
def test_a_knock_and_a_card_keep_their_order_at_fifty_milliseconds_of_jitter(
    gap: float, jitter: tuple[float, float], late: tuple[float, float], knock_first: bool
) -> None:
    """A card and a fist more than a tenth of a second apart, each timed wrong by up to 50 ms, and told late."""
    first, second = 2.0 + jitter[0], 2.0 + gap + jitter[1]
    knock_at, card_at = (first, second) if knock_first else (second, first)
    queue = HoldingQueue()
    knock = Knock(knock_at, knock_at + late[0], 0.96, 1, 1)
    card = CardLaid(card_at, card_at + late[1], 1, "As", 0.97, 1, ((0, 0), (1, 0), (1, 1), (0, 1)))
    coming: list[Observation] = sorted([knock, card], key=lambda o: o.decided)
    order: list[type] = []
    now = 1.0
    while len(order) < 2:
        now += STEP
        while coming and coming[0].decided <= now:
            queue.put([coming.pop(0)])
        clock = now - LAG
        while (due := queue.due(clock, clock - HOLD)) is not None:
            order.append(type(due[0]))
    assert order == ([Knock, CardLaid] if knock_first else [CardLaid, Knock])


@pytest.mark.parametrize("drift", [-5e-3, 5e-3])
def test_a_microphone_whose_quartz_drifts_stays_in_step_with_the_camera(drift: float) -> None:
    """5000 ppm, fifty times a bad quartz: 0.3 s in a minute, and the order stays."""
    text = truth("trut", 4, 3, rounds=1)
    later = "".join(
        f"{line.split('t=')[0]}t={float(line.split('t=')[1]) + 60:.2f}\n" if "t=" in line else f"{line}\n"
        for line in text.splitlines()
    )
    steady = ScriptedTable(later, rate=5.0).run()
    drifting = ScriptedTable(later, rate=5.0, drift=drift).run()
    assert drifting.events == steady.events


def test_hands_are_known_before_the_knock_they_make() -> None:
    """The eyes tell of a hand later than the ears of its knock: the knock waits."""
    interpreter = Interpreter(Game(Header("trut", seats=4, dealer=4)), live=True)
    acts: list[Act] = []
    interpreter.observe([Knock(3.0, 3.1, 0.97, 1, 1), Knock(3.2, 3.3, 0.95, 1, 2)])
    for step in range(1, 200):
        now = step * STEP
        if now == pytest.approx(4.3):
            interpreter.observe([HandSeen(2.5, 4.3, 1), HandGone(3.6, 4.3, 1)])
        acts += interpreter.advance(max(0.0, now - LAG))
    assert ("trut 1", None, 3.0) in rulings(acts)
