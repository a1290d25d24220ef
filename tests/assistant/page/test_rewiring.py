"""Another game, or another number of players, at a live table: the same devices, other eyes and ears."""

from __future__ import annotations

import json
from pathlib import Path

from assistant.journal import Journal
from assistant.page.feed import Feed
from assistant.testing import ScriptedTable
from engine import Header, Record

FOUR = "game trut\nseats 4\ndealer 4\ndeal | t=1.00\nplay 1 As | t=3.00\nplay 2 Kh | t=5.00\n"
TWO = (
    "game truc\nseats 2\ndealer 2\ndeal | t=14.00\nplay 1 7h | t=16.00\nraise 2 | t=18.00\naccept 1 | t=20.00\n"
    "play 2 8h | t=22.00\n"
)


def test_another_game_is_seen_and_heard_at_the_same_table(tmp_path: Path) -> None:
    feed = Feed()
    table = ScriptedTable(
        FOUR,
        later=[TWO],
        journal=Journal(tmp_path, Header("trut", seats=4, dealer=4)),
        feed=feed,
        taps=[(10.0, {"do": "begin", "after": 1, "game": "truc", "seats": 2})],
        seconds=26.0,
    ).run()
    assert [answer.ok for answer in table.answers] == [True]
    assert table.events == ["deal", "play 1 7h", "raise 2", "accept 1", "play 2 8h"]
    state = json.loads(feed.state().text)
    assert (state["game"]["name"], state["game"]["seats"], state["game"]["n"]) == ("truc", 2, 2)
    times = {line.event: float(line.remarks["t"]) for line in _record(tmp_path / "truc-1.trut").lines if line.remarks}
    assert abs(max(times.values()) - (22.0 - 10.0)) < 0.7  # the record of another game begins its own time
    first = [str(line.event) for line in _record(tmp_path / "trut-1.trut").lines if line.kind == "event"]
    assert first == ["deal", "play 1 As", "play 2 Kh"]


def test_without_other_eyes_only_the_running_game_is_begun() -> None:
    feed = Feed()
    table = ScriptedTable(FOUR, feed=feed, taps=[(10.0, {"do": "begin", "after": 1, "game": "truc"})]).run()
    assert json.loads(feed.state().text)["can"]["begin"] == ["trut"]
    assert [(answer.ok, answer.code) for answer in table.answers] == [(False, "not-here")]
    assert table.events == ["deal", "play 1 As", "play 2 Kh"]


def _record(path: Path) -> Record:
    return Record.parse(path.read_text())
