"""Records for tests: all golden ones, and games played at random."""

from __future__ import annotations

from pathlib import Path

from assistant.testing import played_at_random
from engine import GAMES, Header, Record, header_lines
from engine.header import SEATS

ROOT = Path(__file__).parents[2]
RECORDS = sorted(
    path for folder in (ROOT / "tests" / "cases", ROOT.parent / "shared" / "cases") for path in folder.rglob("*.trut")
)
TABLES = [(game, seats) for game in GAMES for seats in SEATS[game]]
"""Every game with every number of players."""


def random_record(game: str, seats: int, seed: int, rounds: int = 3) -> Record:
    """The record of a game that people play who choose at random."""
    header = Header(game, seats=seats)
    events = [str(timed.event) for timed in played_at_random(header, seed, rounds)]
    return Record.parse("\n".join([*header_lines(header), *events, ""]))
