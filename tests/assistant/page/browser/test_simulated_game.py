"""A whole game at a simulated table, seen and heard by the real eyes and ears, followed on two pages."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from seen import shown, wait_for
from served import Served

from assistant.session import Referee, run_files
from assistant.simulation.media import SimulatedCamera, SimulatedMicrophone
from assistant.simulation.table import SimulatedTable
from assistant.simulation.verdict import truth_of
from assistant.wiring import ears_for, eyes_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

GAMES = [("truc", 116, 2), ("trut", 134, 2)]
"""Game, seed and rounds: truc from nought to its end, which somebody plays for; the end of a game of trut."""


class Play:
    """The table is played as fast as the machine can; after each round it waits until the pages have been looked at.

    Attributes:
        scores: score of both teams after each round, as the referee has them; None at the end.
    """

    def __init__(self, game: str, seed: int, rounds: int) -> None:
        self.table = SimulatedTable(seed, game=game, rounds=rounds)
        self.scores: queue.Queue[dict[str, str] | None] = queue.Queue()
        self.looked = threading.Semaphore(0)
        self._rounds = 0

    def __call__(self, referee: Referee) -> None:
        def look(_t: float) -> None:
            if len(referee.game.rounds) > self._rounds:
                self._rounds = len(referee.game.rounds)
                score = referee.game.score
                self.scores.put({team: "-".join(map(str, score[team].values())) for team in "AB"})
                assert self.looked.acquire(timeout=60.0)

        script = self.table.script
        pictures, sound = SimulatedCamera(self.table), SimulatedMicrophone(self.table.sound())
        try:
            run_files(referee, pictures, eyes_for("french32", script.seats), sound, ears_for(script.game), pace=look)
            look(0.0)
        finally:
            self.scores.put(None)


@pytest.mark.parametrize(("game", "seed", "rounds"), GAMES)
def test_a_game_is_followed_to_its_end_on_two_pages_and_put_right_from_one(
    tmp_path: Path, open_page: Callable[..., Page], game: str, seed: int, rounds: int
) -> None:
    play = Play(game, seed, rounds)
    truth = truth_of(play.table.truth)
    served = Served(truth.header, tmp_path, play)
    try:
        phone, wall = open_page(served.joined, "phone"), open_page(served.address, "television")
        seen = 0
        while (score := play.scores.get(timeout=120.0)) is not None:
            seen += 1
            for page in (phone, wall):
                wait_for(page, score=score)
            play.looked.release()
        assert seen == len(truth.rounds) == rounds
        for page in (phone, wall):
            wait_for(page, winner=truth.winner, bar="over")
        phone.click('#controls [data-do="undo"]')
        wait_for(wall, winner=None)
        assert shown(wall)["score"] == shown(phone)["score"]
    finally:
        served.close()
