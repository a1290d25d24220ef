"""The record: append-only, on the disk before anything is said, the same game when it is read again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from assistant.acts import Action
from assistant.journal import Journal, RecordUnwritable, lines_of
from engine import Event, Header, Record, replay


def action(text: str, *, refused: str | None = None, p: float | None = 0.973) -> Action:
    verb, *rest = text.split()
    seat = int(rest.pop(0)) if rest else None
    return Action(2.754, 3.1, Event(verb, seat, tuple(rest)), "camera", p, refused)


def test_a_line_carries_when_from_where_and_how_sure() -> None:
    assert lines_of(action("play 1 9d")) == "play 1 9d | t=2.75 by=camera p=0.97\n"
    assert lines_of(action("deal", p=None)) == "deal | t=2.75 by=camera\n"


def test_an_infraction_and_its_expectation_are_one_text() -> None:
    assert lines_of(action("play 3 9d", refused="out-of-turn")) == (
        "play 3 9d | t=2.75 by=camera p=0.97\nexpect error out-of-turn\n"
    )


def test_the_record_replays_to_the_same_game(tmp_path: Path) -> None:
    journal = Journal(
        tmp_path, Header("trut", seats=4, dealer=3, names={1: "Anne"}, options={"fortial": "off"})
    )
    for act in (action("deal", p=None), action("play 4 9d"), action("play 4 8d", refused="out-of-turn")):
        journal.write(act)
    journal.close()
    result = replay(Record.load(journal.path))
    assert result.holds
    assert result.game.turn == 1
    assert result.record.header.names == {1: "Anne"}
    assert result.record.header.options == {"fortial": "off"}


def test_each_event_is_on_the_disk_when_write_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (synced.append(handle), real(handle))[1])
    journal = Journal(tmp_path, Header("trut"))
    before = len(synced)
    journal.write(action("deal", p=None))
    assert len(synced) == before + 1
    assert journal.path.read_text().endswith("deal | t=2.75 by=camera\n")
    journal.close()


def test_games_are_numbered_and_none_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "trut-7.trut").write_text("game trut\n")
    first, second = Journal(tmp_path / "a", Header("trut")), Journal(tmp_path, Header("trut"))
    assert (first.path.name, second.path.name) == ("trut-1.trut", "trut-8.trut")
    assert (tmp_path / "trut-7.trut").read_text() == "game trut\n"
    first.close()
    second.close()


def test_a_game_from_files_carries_no_date_and_a_live_one_does(tmp_path: Path) -> None:
    plain, dated = Journal(tmp_path, Header("trut")), Journal(tmp_path, Header("trut", date="2026-11-30"))
    plain.close()
    dated.close()
    assert "date" not in plain.path.read_text()
    assert "date 2026-11-30\n" in dated.path.read_text()


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordUnwritable) as problem:
        Journal(tmp_path / "file" / "records", Header("trut"))
    assert problem.value.exit_status == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no full device on Windows")
def test_a_full_disk_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path, Header("trut"))

    def full(handle: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(RecordUnwritable):
        journal.write(action("deal", p=None))
    monkeypatch.undo()
    journal.close()
