"""``trut bench table``: which tables it plays, and that nothing wrong is counted as right."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from assistant.bench import table as bench
from assistant.cli import main
from assistant.simulation import match as matches
from assistant.simulation.faces import DECKS, pattern_of
from assistant.simulation.match import referee_table
from assistant.simulation.plan import plan
from assistant.simulation.script import Fist
from assistant.simulation.table import SimulatedTable
from assistant.testing import ScriptedEars, ScriptedEyes, script_of
from engine import GAMES
from engine.header import SEATS

SETTING = bench.Setting("trut", "good", 11, 2, 1, "drawn", 20.0)


def small_table(seed: int = 11, **options: Any) -> SimulatedTable:
    return SimulatedTable(seed, **{"seats": 2, "rounds": 1, "width": 160, "height": 90, **options})


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Eyes and ears that report what a record says instead of looking."""

    def use(record: str) -> None:
        observations = script_of(record)
        monkeypatch.setattr(matches, "eyes_for", lambda deck, seats: ScriptedEyes(observations))
        monkeypatch.setattr(matches, "ears_for", lambda game: ScriptedEars(observations))

    return use


@pytest.mark.parametrize("game", GAMES)
def test_tables_are_of_all_kinds(game: str) -> None:
    settings = bench.settings_of(game, 12)
    kinds = {(s.condition, s.seats, s.faces) for s in bench.settings_of(game, 40)}
    assert kinds == {(c, n, d) for c in bench.CONDITIONS for n in SEATS[game] for d in DECKS[pattern_of(game)]}
    assert sum(plan(s.seed, game=game, seats=s.seats, rounds=s.rounds).rounds for s in settings) == 12
    assert len({s.seed for s in settings}) == len(settings)
    assert all(s.noise >= 18 if s.condition == "good" else s.noise <= 12 for s in settings)


def test_hidden_fists_knock_at_tables_of_their_own() -> None:
    settings = bench.hidden_settings("trut", 3)
    assert len(settings) == 3
    for setting in settings:
        script = plan(setting.seed, game="trut", seats=setting.seats, rounds=setting.rounds, manners=setting.manners)
        fists = [g for g in script.gestures if isinstance(g, Fist)]
        assert fists
        assert all(fist.hidden for fist in fists)
    assert bench.hidden_settings("truc", 3) == []
    assert not any("hidden" in s.manners for s in bench.settings_of("trut", 40))


def test_the_command_of_a_table_films_that_table() -> None:
    from assistant.cli import build_parser
    from assistant.commands.simulate import table_of

    setting = bench.settings_of("trut-gatine", 4)[1]
    args = build_parser("simulate").parse_args(setting.command.split()[1:])
    width, height = (int(part) for part in args.size.split("x"))
    again, table = table_of(args, args.rounds, (width, height)), setting.table()
    assert again.truth == table.truth
    assert again.look == table.look
    assert again.room == table.room
    assert again.faces.name == table.faces.name


def test_the_bench_gives_every_figure_that_is_promised(
    scripted: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "WORKERS", 1)
    monkeypatch.setattr(bench.Setting, "table", lambda self: small_table(rounds=self.rounds))
    scripted(small_table(rounds=2).truth)
    assert main(["bench", "table", "--rounds", "4", "--game", "trut", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["rounds"] == 4
    assert figures["perfect_rounds"] == figures["trut cafe"]["perfect_rounds"] == 1.0
    assert figures["silent_errors"] == figures["misattributed_knocks"] == figures["questions"] == 0
    assert 0 < figures["announce_ms_p50"] <= figures["announce_ms_p95"] < 5000


def report(scripted: Callable[[str], None], truth: SimulatedTable, told: str) -> bench.Report:
    scripted(told)
    return bench.report_of(SETTING, referee_table(truth))


def test_what_is_right_is_perfect_and_what_is_wrong_is_told(scripted: Callable[[str], None]) -> None:
    table = small_table(rounds=2)
    good = report(scripted, table, table.truth)
    assert good.perfect == (True, True)
    assert good.silent == (False, False)
    assert not good.wrong
    lost = next(line for line in reversed(table.truth.splitlines()) if line.startswith("play"))
    short = report(scripted, table, table.truth.replace(lost + "\n", "").replace("expect", "# expect"))
    assert short.perfect[-1] is False
    assert short.silent[-1] or short.questions
    assert short.wrong[-1][0] == 2
    assert bench.figures([good, short])["perfect_rounds"] < 1


def test_a_round_that_never_was_is_an_error_of_the_last_one(scripted: Callable[[str], None]) -> None:
    table = small_table(rounds=1)
    longer = small_table(rounds=2)
    assert longer.truth.startswith(table.truth.split("expect winner")[0])
    got = report(scripted, table, longer.truth)
    assert got.perfect == (False,)
    assert "too many" in got.wrong[0][2]
