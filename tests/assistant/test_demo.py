"""``trut demo``: the comparison can fail, the pace is kept, a real round comes out right."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from assistant.cli import main
from assistant.simulation import match as matches
from assistant.simulation.match import referee_table
from assistant.simulation.media import SimulatedCamera, SimulatedMicrophone, WallClock
from assistant.simulation.plan import plan
from assistant.simulation.table import SimulatedTable
from assistant.testing import Clock, ScriptedEars, ScriptedEyes, script_of

Change = Callable[[str], str]


def small_table(seed: int = 11, **options: Any) -> SimulatedTable:
    return SimulatedTable(seed, **{"seats": 2, "rounds": 1, "width": 160, "height": 90, **options})


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Eyes and ears that report what a record says instead of looking."""

    def use(record: str) -> None:
        observations = script_of(record)
        monkeypatch.setattr(matches, "eyes_for", lambda deck, seats, table=None: ScriptedEyes(observations))
        monkeypatch.setattr(matches, "ears_for", lambda game: ScriptedEars(observations))

    return use


def other_rank(record: str) -> str:
    """The truth with the first card laid of another rank, so that the record differs from it."""
    seat, card = re.search(r"play (\d) (\w+)", record).groups()  # type: ignore[union-attr]
    laid = re.findall(r"play \d (\w+)", record)
    new = next(c for c in ("9s", "7s", "Ks", "9h", "7h") if c not in laid and c[:-1] != card[:-1])
    return record.replace(f"play {seat} {card}", f"play {seat} {new}")


def test_perfect_eyes_and_ears_are_found_perfect(scripted: Callable[[str], None]) -> None:
    table = small_table(rounds=3)
    scripted(table.truth)
    match = referee_table(table)
    assert match.verdict.perfect
    assert not any(knock.misattributed for knock in match.knocks)
    assert match.witness.announcements
    assert all(late > 0 for late in match.witness.latencies)


def test_a_misread_card_is_found(scripted: Callable[[str], None]) -> None:
    table = small_table()
    scripted(other_rank(table.truth))
    match = referee_table(table)
    assert not match.verdict.perfect
    assert match.verdict.right == 0


def test_a_knock_given_to_another_seat_is_counted(scripted: Callable[[str], None]) -> None:
    table = next(t for t in (small_table(seed, seats=4) for seed in range(60)) if t.knocks)
    knock = next(g for g in table.script.gestures if g.__class__.__name__ == "Fist")
    partner = (knock.seat + 1) % 4 + 1
    line = f"trut {knock.seat} | t={knock.t:.2f}"
    assert line in table.truth
    scripted(table.truth)
    match = referee_table(table)
    assert [(k.seat, k.given) for k in match.knocks if k.t == knock.t] == [(knock.seat, knock.seat)]
    witness = match.witness
    witness.actions = [
        type(a)(a.t, a.decided, type(a.event)("trut", partner), a.by) if a.event.verb == "trut" else a
        for a in witness.actions
    ]
    assert any(k.misattributed for k in matches._knocks(table, witness))


@pytest.mark.parametrize("wrong", [False, True])
def test_the_exit_status_says_whether_all_was_right(
    scripted: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    wrong: bool,
) -> None:
    monkeypatch.setattr(
        "assistant.commands.demo.table_of", lambda args, rounds: small_table(args.seed, rounds=rounds)
    )
    truth = small_table().truth
    scripted(other_rank(truth) if wrong else truth)
    status = main(["--lang", "fr", "demo", "--fast", "--rounds", "1", "--seed", "11", "--no-speak"])
    shown = capsys.readouterr().out
    assert status == int(wrong)
    assert f"{int(not wrong)} manche juste sur 1." in shown
    assert "Score : " in shown
    assert ("fausse" in shown) == wrong


def test_without_rounds_the_game_fits_in_two_minutes() -> None:
    from argparse import Namespace

    from assistant.commands import demo

    for seed in range(12):
        for seats in (2, 4):
            rounds = demo._fitting(Namespace(seed=seed, game="trut", seats=seats, manner=[]))
            assert plan(seed, seats=seats, rounds=rounds).duration <= demo.SECONDS
            assert rounds >= 2


# pace


def test_at_real_pace_pictures_and_sound_come_when_they_are_due() -> None:
    table, hand = small_table(), Clock()
    clock = WallClock(now=hand, sleep=hand.sleep)
    camera = SimulatedCamera(table, clock)
    came = [(frame.t, hand.now) for _n, frame in zip(range(20), camera, strict=False)]
    assert all(now == pytest.approx(t) for t, now in came)
    hand = Clock()
    clock = WallClock(now=hand, sleep=hand.sleep)
    assert clock() == 0
    heard = 0
    for block in SimulatedMicrophone(np.zeros(16000, np.float32), clock):
        heard += len(block)
        assert hand.now == pytest.approx(heard / 16000)


def test_a_slow_table_leaves_pictures_out_instead_of_coming_late() -> None:
    table, hand = small_table(), Clock()
    camera = SimulatedCamera(table, WallClock(now=hand, sleep=hand.sleep))
    times = []
    for frame in camera:
        times.append((frame.t, hand.now))
        hand.now += 0.35  # who looks at it takes his time
        if frame.t > 5:
            break
    assert camera.left_out > 10
    assert all(now - t < 0.11 for t, now in times)


def test_live_each_part_has_its_thread_and_the_record_is_the_same(scripted: Callable[[str], None]) -> None:
    table = small_table(285)  # a knock and a fold, seven seconds
    assert table.script.duration < 10
    scripted(table.truth)
    match = referee_table(table, pace="live")
    assert match.verdict.perfect
    assert match.witness.latencies
    assert not match.problems


# the real thing


def test_the_real_pipeline_gets_a_simulated_round_right(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(
        ["--lang", "fr", "demo", "--fast", "--seats", "2", "--rounds", "1", "--seed", "2", "--no-speak"]
    )
    shown = capsys.readouterr().out
    assert status == 0, shown
    assert "1 manche juste sur 1." in shown
