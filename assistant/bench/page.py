"""Does a café full of watchers slow the table down, or make it misread?

    trut bench page --watchers 200

A simulated table is refereed live, each part in its thread, as with a camera and a microphone: by turns without a page
and with one at which so many web sockets watch from another process. What was recorded must be the same, and the
announcements must not come later.
"""

from __future__ import annotations

import io
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.page.table_page import TablePage
from assistant.session import Referee
from assistant.simulation.match import Match, referee_table
from assistant.simulation.table import SimulatedTable

WATCHERS = 200
SEED, SEATS, ROUNDS = 31, 2, 1
TURNS = 2
"""How often each of the two is measured, by turns."""
PORT = "127.0.0.1"


class _Served(TablePage):
    """A page that does not stay open after the end, and whose watchers come when it opens."""

    def __init__(self, watchers: int) -> None:
        super().__init__(PORT, out=io.StringIO())
        self._count = watchers
        self.figures: dict[str, Any] = {}
        self._crowd: subprocess.Popen[str] | None = None

    def start(self) -> None:
        super().start()
        port = self._server.ports[0]
        words = [sys.executable, "-m", "assistant.bench.watchers", str(port), str(self._count)]
        self._crowd = subprocess.Popen(
            words, cwd=Path(__file__).parents[2], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._crowd.stdout is not None
        assert self._crowd.stdout.readline().strip() == "ready"

    def stay(self, referee: Referee) -> None:
        """Nobody has to see the end."""
        if self._crowd is not None:
            out, _nothing = self._crowd.communicate(timeout=60)
            self.figures = json.loads(out)
            self._crowd = None

    def close(self) -> None:
        if self._crowd is not None:
            self._crowd.kill()
            self._crowd.communicate()
        super().close()


@contextmanager
def _page(watchers: int | None) -> Iterator[_Served | None]:
    if watchers is None:
        yield None
    else:
        with _Served(watchers) as page:
            yield page


def _one(watchers: int | None) -> tuple[Match, dict[str, Any]]:
    with _page(watchers) as page:
        match = referee_table(SimulatedTable(SEED, seats=SEATS, rounds=ROUNDS), pace="live", page=page)
        return match, {} if page is None else page.figures


def run(watchers: int = WATCHERS) -> dict[str, Any]:
    """``rounds_right`` and ``late_ms`` (median) ``late_ms_p95`` without and with watchers, ``late_ratio`` of the
    medians, ``same_record`` whether every run recorded the same, ``dropped`` pictures, and how the watchers fared."""
    alone: list[Match] = []
    watched: list[Match] = []
    crowds: list[dict[str, Any]] = []
    for _ in range(TURNS):
        alone.append(_one(None)[0])
        match, figures = _one(watchers)
        watched.append(match)
        crowds.append(figures)
    records = {tuple(map(str, match.game.log)) for match in [*alone, *watched]}
    without, with_them = _late(alone), _late(watched)
    return {
        "watchers": watchers,
        "rounds_right": {"without": _right(alone), "with": _right(watched)},
        "same_record": len(records) == 1,
        "late_ms": {"without": without[0], "with": with_them[0]},
        "late_ms_p95": {"without": without[1], "with": with_them[1]},
        "late_ratio": round(with_them[0] / without[0], 3),
        "late_ratio_p95": round(with_them[1] / without[1], 3),
        "announcements": {"without": _count(alone), "with": _count(watched)},
        "dropped": {"without": sum(m.dropped for m in alone), "with": sum(m.dropped for m in watched)},
        "states": sum(crowd["states"] for crowd in crowds),
        "shown_to": min(crowd["shown"] for crowd in crowds),
        "spread_ms_p95": max(crowd["spread_ms_p95"] for crowd in crowds),
        "lost": sum(crowd["lost"] for crowd in crowds),
    }


def _right(matches: list[Match]) -> str:
    right = sum(match.verdict.right for match in matches)
    return f"{right} of {sum(len(match.verdict.rounds) for match in matches)}"


def _late(matches: list[Match]) -> tuple[float, float]:
    """How late announcements came, ms: the median, and that of 95 %."""
    late = sorted(1000 * seconds for match in matches for seconds in match.witness.latencies)
    return round(statistics.median(late), 1), round(late[int(0.95 * (len(late) - 1))], 1)


def _count(matches: list[Match]) -> int:
    return sum(len(match.witness.latencies) for match in matches)
