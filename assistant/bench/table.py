"""``trut bench table``: simulated tables of all games before the real pipeline: how often was it right?

Every game is played in two conditions, counted apart: ``good`` (good light, a quiet room) and ``cafe`` (the light of
a café in the evening, talk and glasses some 10 dB below the voices). Deck, table top, camera angle, hands, voices,
room and the number of players change from table to table.

The assistant works as at a live table: what pictures, sounds and rules leave open it asks, and the players answer a
second later. At tables apart, ``hidden``, every fist knocks outside the picture: there a question is right, and only
knocks given to a wrong seat without one are counted. They are in no other figure.

A round is *perfect* only if the seat and rank of every card, every call with its seat and its number, every infraction,
the winner and the award are those of the truth, with no correction and no question in it; the last round of a table is
not perfect if the record holds a round that never was or ends at another score. A round that is wrong is a *silent
error* if nothing was asked in it.

What took part in training: no picture and no sound of a simulated table. Arms, table tops, light and drawn decks are
this program's alone. ``letele`` was kept back from all trainings, but thresholds of the eyes were chosen while looking
at it. The voices are two that ``models/phrases`` kept back, and its confidences were fitted on eight of which they are
two. The fists are computed as a struck plate, as half of the knocks are on which ``models/knocks`` was trained: other
code, other numbers, the same physics.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from assistant.simulation.faces import DECKS, faces_named, pattern_of
from assistant.simulation.learning import LEARNT, learn
from assistant.simulation.manners import MANNERS
from assistant.simulation.match import HEARD, Knock, Match, Said, referee_table
from assistant.simulation.plan import plan
from assistant.simulation.players import FAMILY
from assistant.simulation.script import Fist
from assistant.simulation.table import SimulatedTable
from engine import GAMES
from engine.header import SEATS

ROUNDS = 50
"""Rounds of each game."""
EACH = 2
"""Rounds a table: then another table, deck, light, number of players."""
FIRST_SEED = 1000
CONDITIONS = ("good", "cafe")
NOISE = {"good": (18.0, 30.0), "cafe": (8.0, 12.0)}
"""Least and most noise of the room by condition, in dB below the voices."""
SIZES = ((1280, 720), (960, 540), (1920, 1080))
"""Sizes of the pictures; the first at four tables of five."""
KNOCK = 0.5
"""Seconds within which an announced trut is that of a knock."""
APART = frozenset({"hidden"})
"""Manners that are measured by themselves."""
WORKERS = 2
"""Processes that referee tables at the same time."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One table of the bench; everything else follows from the seed."""

    game: str
    condition: str
    seed: int
    seats: int
    rounds: int
    faces: str
    noise: float
    manners: tuple[str, ...] = ()
    size: tuple[int, int] = (1280, 720)

    def table(self) -> SimulatedTable:
        """The table, ready to be filmed."""
        return SimulatedTable(
            self.seed,
            game=self.game,
            seats=self.seats,
            rounds=self.rounds,
            faces=faces_named(self.faces),
            noise=self.noise,
            lighting=self.lighting,
            manners=self.manners,
            width=self.size[0],
            height=self.size[1],
        )

    @property
    def lighting(self) -> str:
        """The light of its condition."""
        return "cafe" if self.condition == "cafe" else "good"

    @property
    def command(self) -> str:
        """The command line that films this very table."""
        words = {
            "game": self.game,
            "seats": self.seats,
            "seed": self.seed,
            "rounds": self.rounds,
            "deck": self.faces,
            "light": self.lighting,
            "noise": f"{self.noise:g}",
            "size": f"{self.size[0]}x{self.size[1]}",
            **({"manner": " ".join(self.manners)} if self.manners else {}),
            "out": "TABLE",
        }
        return " ".join(["trut simulate", *(f"--{name} {value}" for name, value in words.items())])


@dataclass(frozen=True, slots=True)
class Report:
    """What came of one table, without its pictures.

    Attributes:
        perfect, silent: for each round.
        wrong: for each round that is not perfect: its number, when it was dealt (seconds), what was wrong.
        knocks: what became of each.
        cards: seconds from a card that lies to what is said because of it.
        acknowledged: seconds from each knock to the first that is heard of it, its tone; None where nothing was.
        told: seconds from a knock to the sentence about it.
        work: seconds of processor time for all of it, the drawing included.
    """

    setting: Setting
    perfect: tuple[bool, ...]
    silent: tuple[bool, ...]
    wrong: tuple[tuple[int, float, str], ...]
    questions: int
    corrections: int
    knocks: tuple[Knock, ...]
    cards: tuple[float, ...]
    acknowledged: tuple[float | None, ...]
    told: tuple[float, ...]
    work: float = 0.0


def run(rounds: int = ROUNDS, game: str | None = None) -> dict[str, Any]:
    """Figures over ``rounds`` simulated rounds of each game, or of one; progress goes to stderr.

    ``announce_ms_p50`` and ``_p95``: from a card that lies to what is said because of it (a trick, an award, an
    infraction), that is ``decided - t`` on the medium's clock plus the processor time that this machine needs for the
    picture and the sound (waiting for earlier pictures included), as if at real pace; ``knock_ms_p95``: from a knock
    to the tone that acknowledges it, ``knock_told_ms_p95``: to the sentence that says who truts. ``work_s`` is
    the processor time of all tables, ``run_s`` how long the bench took.
    """
    games = (game,) if game is not None else GAMES
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="trut-") as folder:
        decks = _learnt(games, Path(folder))
        settings = [s for one in games for s in (*settings_of(one, rounds), *hidden_settings(one, rounds // 10))]
        reports = []
        for report in _reports(settings, decks):
            _progress(report)
            reports.append(report)
    work = sum(report.work for report in reports)
    return {**figures(reports), "work_s": round(work), "run_s": round(time.monotonic() - began)}


def settings_of(game: str, rounds: int) -> list[Setting]:
    """Tables enough for ``rounds`` rounds: conditions, numbers of players and decks take turns, the rest is drawn."""
    settings: list[Setting] = []
    left = rounds
    decks = DECKS[pattern_of(game)]
    for n in count():
        if left <= 0:
            break
        seed = FIRST_SEED + n
        condition = CONDITIONS[n % 2]
        seats = SEATS[game][n // 2 % len(SEATS[game])]
        rng = np.random.default_rng([seed, 9])
        noise = round(float(rng.uniform(*NOISE[condition])), 1)
        wanted = min(EACH, left)
        left -= plan(seed, game=game, seats=seats, rounds=wanted).rounds  # a game may be won before
        deck, size = decks[n // 4 % len(decks)], SIZES[int(rng.choice(len(SIZES), p=[0.8, 0.15, 0.05]))]
        settings.append(Setting(game, condition, seed, seats, wanted, deck, noise, _drawn_manners(rng), size))
    return settings


def hidden_settings(game: str, tables: int) -> list[Setting]:
    """Tables at which somebody knocks outside the picture; none of the games that know no knock."""
    if game not in FAMILY:
        return []
    settings: list[Setting] = []
    for seed in count(FIRST_SEED):
        if len(settings) >= tables:
            break
        seats = SEATS[game][len(settings) % 2]
        if any(isinstance(g, Fist) for g in plan(seed, game=game, seats=seats, rounds=EACH).gestures):
            deck = DECKS[pattern_of(game)][0]
            settings.append(Setting(game, "hidden", seed, seats, EACH, deck, 24.0, ("hidden",)))
    return settings


def _drawn_manners(rng: np.random.Generator) -> tuple[str, ...]:
    """What the players of one table do beside laying cards neatly: at every fourth table nothing."""
    if rng.random() < 0.25:
        return ()
    names = sorted(set(MANNERS) - APART)
    return tuple(str(name) for name in rng.choice(names, int(rng.integers(1, 4)), replace=False))


def _learnt(games: tuple[str, ...], folder: Path) -> dict[str, str]:
    """Name of a deck -> what the eyes are told of it."""
    names = {name for game in games for name in DECKS[pattern_of(game)]}
    patterns = {name: faces_named(name).like for name in sorted(names)}
    return {
        name: str(learn(faces_named(name), folder / f"{name}.deck")) if like in LEARNT else like
        for name, like in patterns.items()
    }


def _reports(settings: list[Setting], decks: dict[str, str]) -> Iterator[Report]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = min(WORKERS, len(settings), cores)
    if workers < 2:
        yield from (referee(setting, decks[setting.faces]) for setting in settings)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield from pool.map(referee, settings, [decks[s.faces] for s in settings])


def referee(setting: Setting, deck: str) -> Report:
    """Referee one table."""
    began = time.process_time()
    report = report_of(setting, referee_table(setting.table(), deck=deck, answers=True))
    return replace(report, work=time.process_time() - began)


def report_of(setting: Setting, match: Match) -> Report:
    """What counts of a refereed table."""
    starts = match.table.deals
    ends = [*starts[1:], match.table.script.duration + 9]
    perfect, silent, wrong = [], [], []
    last = len(match.verdict.rounds)
    for one in match.verdict.rounds:
        begin, end = starts[one.n - 1], ends[one.n - 1]
        faults = [f"{want} -> {got}" for want, got in (*one.faults, *one.misheard, *one.misjudged)]
        if one.n == last and match.verdict.extra:
            faults.append(f"{match.verdict.extra} rounds too many")
        if one.n == last and not match.verdict.score_right:
            faults.append("wrong score")
        asked = [q for q in match.witness.questions if begin <= q.decided < end]
        corrected = [t for t in match.witness.corrections if begin <= t < end]
        silent.append(bool(faults) and not asked)
        perfect.append(not faults and not asked and not corrected)
        if not perfect[-1]:
            told = [*faults, *(f"asked: {q.text}" for q in asked), *(f"corrected at {t:.1f}" for t in corrected)]
            wrong.append((one.n, begin, "; ".join(told)))
    return Report(
        setting,
        tuple(perfect),
        tuple(silent),
        tuple(wrong),
        len(match.witness.questions),
        len(match.witness.corrections),
        match.knocks,
        tuple(said.late for said in match.witness.said if said.verb == "play"),
        tuple(_first_heard(knock.t, match.witness.said) for knock in match.knocks),
        tuple(
            said.late
            for said in match.witness.said
            if said.verb == "trut" and any(abs(said.t - knock.t) < KNOCK for knock in match.knocks)
        ),
    )


def _first_heard(t: float, said: list[Said]) -> float | None:
    """Seconds from a fist at ``t`` to its tone, or to the sentence about it where that comes first."""
    return min((one.late for one in said if one.verb in (HEARD, "trut") and abs(one.t - t) < KNOCK), default=None)


def figures(reports: list[Report]) -> dict[str, Any]:
    """The figures of several refereed tables: over all, by condition, by game and condition."""
    there = [r for r in reports if r.setting.condition in CONDITIONS]
    out = _figures(there)
    for condition in CONDITIONS:
        out |= _part(condition, [r for r in there if r.setting.condition == condition])
    for game in dict.fromkeys(r.setting.game for r in there):
        for condition in CONDITIONS:
            mine = [r for r in there if (r.setting.game, r.setting.condition) == (game, condition)]
            out |= _part(f"{game} {condition}", mine)
    out["by_manner"] = {name: _share(there, name) for name in ("", *MANNERS) if _share(there, name) is not None}
    hidden = [knock for r in reports if r.setting.condition == "hidden" for knock in r.knocks]
    out["hidden_knocks"] = len(hidden)
    out["hidden_knocks_asked"] = sum(knock.asked for knock in hidden)
    out["hidden_knocks_misattributed"] = sum(knock.misattributed for knock in hidden)
    return out


def _part(name: str, reports: list[Report]) -> dict[str, Any]:
    return {name: _figures(reports)} if reports else {}


def _share(reports: list[Report], manner: str) -> float | None:
    """Share of perfect rounds at the tables with a manner; with ``""`` at the neat ones."""
    mine = [r for r in reports if manner in r.setting.manners or (not manner and not r.setting.manners)]
    perfect = [one for report in mine for one in report.perfect]
    return float(np.mean(perfect)) if perfect else None


def _figures(reports: list[Report]) -> dict[str, Any]:
    perfect = [one for report in reports for one in report.perfect]
    knocks = [knock for report in reports for knock in report.knocks]
    cards = [1000 * late for report in reports for late in report.cards]
    acknowledged = [1000 * late for report in reports for late in report.acknowledged if late is not None]
    told = [1000 * late for report in reports for late in report.told]
    return {
        "rounds": len(perfect),
        "tables": len(reports),
        "perfect_rounds": float(np.mean(perfect)) if perfect else None,
        "silent_errors": sum(sum(report.silent) for report in reports),
        "questions": sum(report.questions for report in reports),
        "corrections": sum(report.corrections for report in reports),
        "knocks": len(knocks),
        "knocks_right": sum(knock.given == knock.seat for knock in knocks),
        "misattributed_knocks": sum(knock.misattributed for knock in knocks),
        "announce_ms_p50": _percentile(cards, 50),
        "announce_ms_p95": _percentile(cards, 95),
        "knocks_acknowledged": len(acknowledged),
        "knock_ms_p50": _percentile(acknowledged, 50),
        "knock_ms_p95": _percentile(acknowledged, 95),
        "knock_told_ms_p95": _percentile(told, 95),
    }


def _percentile(values: list[float], percent: float) -> float | None:
    return float(np.percentile(values, percent)) if values else None


def _progress(report: Report) -> None:
    setting = report.setting
    print(
        f"{setting.game} {setting.condition} {setting.seed}: {setting.seats} players, {setting.faces}, "
        f"{' '.join(setting.manners) or 'neat'}: "
        f"{sum(report.perfect)}/{len(report.perfect)} rounds perfect",
        file=sys.stderr,
        flush=True,
    )
    for n, t, what in report.wrong:
        print(f"    round {n}, dealt at {t:.1f} s: {what}", file=sys.stderr)
    if report.wrong:
        print(f"    {setting.command}", file=sys.stderr, flush=True)
