"""Manners of simulated tables: each does what its name says, and none changes the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.simulation.faces import faces_named
from assistant.simulation.manners import MANNERS
from assistant.simulation.plan import plan
from assistant.simulation.script import (
    Fist,
    Gesture,
    Lay,
    Push,
    Reach,
    Return,
    Script,
    Take,
    TakeBack,
    Turn,
    Words,
    rests,
)
from assistant.simulation.seating import place
from assistant.simulation.sound import RATE, RoomSound, render
from assistant.simulation.stage import FPS, Stage, TableLook
from assistant.simulation.verdict import infractions_of, judge, truth_of
from engine import Record
from engine.header import SEATS

TABLES = [(game, seats) for game, numbers in SEATS.items() for seats in numbers]


def scripts(*manners: str, seats: int = 4, count: int = 12) -> Iterator[Script]:
    return (plan(seed, seats=seats, rounds=2, manners=manners) for seed in range(count))


def gestures(*manners: str, seats: int = 4) -> list[Gesture]:
    return [gesture for script in scripts(*manners, seats=seats) for gesture in script.gestures]


def away(lay: Lay, seats: int = 4) -> float:
    """Millimetres from where the cards of its seat usually lie."""
    return float(np.hypot(*(np.array([lay.x, lay.y]) - place(lay.seat, seats).lays)))


def lays(*manners: str) -> list[Lay]:
    return [g for g in gestures(*manners) if isinstance(g, Lay)]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    table=st.sampled_from(TABLES),
    manners=st.sets(st.sampled_from(sorted(set(MANNERS) - {"infractions"}))),
)
def test_manners_change_no_card_and_no_call(seed: int, table: tuple[str, int], manners: set[str]) -> None:
    neat = plan(seed, game=table[0], seats=table[1], rounds=2)
    lively = plan(seed, game=table[0], seats=table[1], rounds=2, manners=manners)
    assert truth_of(neat.record).log == truth_of(lively.record).log


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), table=st.sampled_from(TABLES), manners=st.sets(st.sampled_from(sorted(MANNERS))))
def test_every_card_lies_once_and_is_away_at_the_end(
    seed: int, table: tuple[str, int], manners: set[str]
) -> None:
    script = plan(seed, game=table[0], seats=table[1], rounds=2, manners=manners)
    spans: dict[int, list[tuple[float, float]]] = {}
    for rest in rests(script):
        assert rest.start < rest.end
        spans.setdefault(rest.piece, []).append((rest.start, rest.end))
    assert all(a[1] <= b[0] for own in spans.values() for a, b in pairwise(own))
    assert all(own[-1][1] <= script.duration for own in spans.values())


NEAT: dict[str, Callable[[Gesture], bool]] = {
    "slide": lambda g: isinstance(g, Lay) and g.thrown is not None,
    "nudge": lambda g: isinstance(g, Push),
    "covered": lambda g: isinstance(g, Lay) and g.stays > 0.5,
    "face-down": lambda g: isinstance(g, Turn),
    "anyone": lambda g: isinstance(g, Take) and g.apart > 0,
    "heaps": lambda g: isinstance(g, Take) and g.heap is not None,
    "return": lambda g: isinstance(g, Return),
    "fidgets": lambda g: isinstance(g, Reach),
    "slap": lambda g: isinstance(g, Lay) and g.slap > 0,
    "chatter": lambda g: isinstance(g, Words) and g.talk,
    "hidden": lambda g: isinstance(g, Fist) and g.hidden,
    "infractions": lambda g: isinstance(g, TakeBack),
}


@pytest.mark.parametrize("name", sorted(NEAT))
def test_a_manner_does_what_its_name_says(name: str) -> None:
    assert any(map(NEAT[name], gestures(name)))
    others = set(MANNERS) - {name}
    assert not any(map(NEAT[name], gestures(*others)))


def test_cards_are_thrown_to_the_middle() -> None:
    middle = [lay for lay in lays("middle") if np.hypot(lay.x, lay.y) < 60]
    assert len(middle) > 0.15 * len(lays("middle"))
    assert all(away(lay) < 30 for lay in lays())


def test_a_card_overlaps_the_one_before() -> None:
    before: Lay | None = None
    close = 0
    for lay in lays("overlap"):
        close += before is not None and np.hypot(lay.x - before.x, lay.y - before.y) < 50
        before = lay
    assert close > 10


def test_two_lay_at_once_and_fast_players_are_fast() -> None:
    def steps(name: str) -> list[float]:
        found = []
        for script in scripts(name) if name else scripts():
            laid = [g.t for g in script.gestures if isinstance(g, Lay)]
            found += np.diff(laid).tolist()
        return found

    assert min(steps("")) > 1.2
    assert min(steps("together")) < 0.3
    assert 0.5 < min(steps("brisk")) < 1.0


def test_the_next_card_comes_while_the_trick_is_taken() -> None:
    found = 0
    for script in scripts("early"):
        takes = [g for g in script.gestures if isinstance(g, Take)]
        for lay in (g for g in script.gestures if isinstance(g, Lay)):
            meanwhile = [take for take in takes if take.t - 0.3 < lay.t < take.over]
            found += bool(meanwhile)
            assert all(lay.piece not in take.pieces for take in meanwhile)
    assert found > 5


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), table=st.sampled_from(TABLES))
def test_nobody_has_three_hands(seed: int, table: tuple[str, int]) -> None:
    """A hand that stays over its card has left it when the same player lays, knocks or takes."""
    script = plan(seed, game=table[0], seats=table[1], rounds=2, manners=["covered", "infractions", "anyone"])
    for lay in (g for g in script.gestures if isinstance(g, Lay) and g.stays > 0.5):
        own = [g for g in script.gestures if isinstance(g, Lay | Fist | Take) and g.seat == lay.seat]
        later = [g.t for g in own if g.t > lay.t]
        assert lay.t + lay.stays + 0.6 < min(later, default=99e9)


def test_an_infraction_is_taken_back_and_stands_in_the_record() -> None:
    codes: set[str] = set()
    for script in scripts("infractions"):
        record = Record.parse(script.record)
        wrong = {code for found in infractions_of(record).values() for code in found}
        backs = [g for g in script.gestures if isinstance(g, TakeBack)]
        assert bool(wrong) == bool(backs)
        assert {back.seat for back in backs} == {int(code.split()[1]) for code in wrong}
        codes |= {code.split()[0] for code in wrong}
    assert codes == {"out-of-turn", "duplicate-card", "challenge-pending"}


def test_an_infraction_that_is_missed_or_made_up_is_no_perfect_round() -> None:
    script = next(s for s in scripts("infractions") if "expect error" in s.record)
    game, there = truth_of(script.record), infractions_of(Record.parse(script.record))
    assert judge(game, game, (there, there)).rounds[0].perfect
    n = next(iter(there))
    for refused, way in (((there, {}), 0), (({}, there), 1)):
        one = judge(game, game, refused).rounds[n - 1]
        assert not one.perfect
        assert {pair[way] for pair in one.misjudged} == there[n]


# pictures and sound


def stage(script: Script) -> Stage:
    look = TableLook.random(2, surface="laminate", slant=0.0, things="none", width=320, height=180)
    return Stage(script, look, faces_named("letele"))


def patch(at: Stage, x: float, y: float, t: float) -> np.ndarray:
    """What is seen of 20 millimetres round a place."""
    u, v = np.round(at.view.project(np.array([[x, y, 0.0]]))[0]).astype(int)
    return at.frame(round(t * FPS))[v - 4 : v + 5, u - 4 : u + 5].astype(float)


def difference(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).mean())


def script(*made: Gesture) -> Script:
    return Script("trut", 4, made, "", 1, 9.0)


def test_a_card_laid_face_down_shows_its_face_only_when_it_is_turned() -> None:
    lay = Lay(1.0, 1, "7h", 0.0, -60.0, 0.0, 1, face_down=True)
    at = stage(script(lay, Turn(4.0, 1, 1)))
    other = stage(script(Lay(1.0, 1, "Ks", 0.0, -60.0, 0.0, 1, face_down=True), Turn(4.0, 1, 1)))
    assert difference(patch(at, 0, -40, 2.5), patch(other, 0, -40, 2.5)) < 3
    assert difference(patch(at, 0, -40, 5.5), patch(other, 0, -40, 5.5)) > 12


def test_a_pushed_card_leaves_its_place_bare() -> None:
    at = stage(script(Lay(1.0, 3, "7h", 0.0, 60.0, 180.0, 1), Push(4.0, 3, 1, 90.0, 40.0, 160.0)))
    bare, first, second = patch(at, 0, 60, 0.0), patch(at, 0, 60, 2.5), patch(at, 0, 60, 6.0)
    assert difference(bare, first) > 15
    assert difference(bare, second) < 5
    assert difference(patch(at, 90, 40, 0.0), patch(at, 90, 40, 6.0)) > 15


def test_an_arm_that_stays_covers_the_card() -> None:
    def covered(stays: float) -> float:
        at = stage(script(Lay(1.0, 1, "7h", 0.0, -60.0, 0.0, 1, stays=stays)))
        return difference(patch(at, 0, -130, 2.6), patch(at, 0, -130, 6.0))

    assert covered(2.5) > 15
    assert covered(0.12) < 5


def test_a_won_trick_lies_there_as_a_heap_of_backs() -> None:
    take = Take(3.0, 4, True, (1,), 0.0, (200.0, 0.0, 90.0), 2)
    at = stage(script(Lay(1.0, 1, "7h", 0.0, -60.0, 0.0, 1), take))
    assert difference(patch(at, 0, -60, 0.0), patch(at, 0, -60, 7.0)) < 5
    assert difference(patch(at, 200, 0, 0.0), patch(at, 200, 0, 7.0)) > 15


def test_nobody_sees_a_hidden_fist_but_it_is_heard() -> None:
    seen, hidden = Fist(2.0, 1, 0.0, -120.0, (2.0,)), Fist(2.0, 1, 0.0, -120.0, (2.0,), hidden=True)
    at, other = stage(script(seen)), stage(script(hidden))
    assert difference(at.frame(20).astype(float), at.frame(0).astype(float)) > 1
    assert difference(other.frame(20).astype(float), other.frame(0).astype(float)) < 1.5 + difference(
        other.frame(1).astype(float), other.frame(0).astype(float)
    )
    room = RoomSound(40.0, 0.3, False, 2)
    assert np.array_equal(render(script(seen), room), render(script(hidden), room))


def test_a_slapped_card_is_heard() -> None:
    room = RoomSound(60.0, 0.3, False, 2)
    soft = np.abs(render(script(Lay(2.0, 1, "7h", 0, 0, 0, 1)), room))
    loud = np.abs(render(script(Lay(2.0, 1, "7h", 0, 0, 0, 1, slap=0.3)), room))
    around = slice(int(1.95 * RATE), int(2.3 * RATE))
    assert loud[around].max() > 2.5 * soft[around].max()
