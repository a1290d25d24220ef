"""The record: append-only, on the disk before anything is said, the same game when it is read again."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from faulty_disk import Fault, FaultyDisk

from assistant import journal as journals
from assistant.acts import Action
from assistant.journal import Journal, RecordInUse, RecordUnwritable, lines_of
from assistant.testing import Clock
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
    journal = Journal(tmp_path, Header("trut", seats=4, dealer=3, names={1: "Anne"}, options={"fortial": "off"}))
    for act in (action("deal", p=None), action("play 4 9d"), action("play 4 8d", refused="out-of-turn")):
        journal.write(act)
    journal.close()
    result = replay(Record.load(journal.path))
    assert result.holds
    assert result.game.turn == 1
    assert result.record.header.names == {1: "Anne"}
    assert result.record.header.options == {"fortial": "off"}


def test_each_event_is_on_the_disk_when_write_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_disk_that_is_full_at_the_start_is_one_clear_error() -> None:
    disk = FaultyDisk(Fault("full", 2, steps=100))
    with pytest.raises(RecordUnwritable) as problem:
        Journal(Path("/parties"), Header("trut"), storage=disk)
    assert "No space left" in str(problem.value)
    disk.heal()
    assert Journal(Path("/parties"), Header("trut"), storage=disk).path.name == "trut-1.trut"


def test_a_correction_says_how_many_events_belong_to_it() -> None:
    undo = Action(4.0, 4.0, Event("undo", None, ("2",)), "camera")
    lines = lines_of(undo, action("play 1 9d"), action("play 2 9d", refused="duplicate-card"))
    assert lines.splitlines()[0] == "undo 2 | t=4.00 by=camera then=2"
    assert lines_of(undo) == "undo 2 | t=4.00 by=camera\n"


def test_a_new_game_at_the_same_table_has_a_record_of_its_own(tmp_path: Path) -> None:
    first = Journal(tmp_path, Header("trut", date="2026-11-30"))
    second = first.next(Header("trut", dealer=1), 2.5)
    second.write(action("deal", p=None))
    second.close()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["trut-1.trut", "trut-2.trut"]
    assert "dealer 1\ndeal | t=0.25 by" in second.path.read_text()


def test_a_new_game_on_a_full_disk_is_played_and_both_are_saved_later() -> None:
    disk, clock = FaultyDisk(), Clock()
    first = Journal(Path("/parties"), Header("trut"), storage=disk, now=clock)
    disk.fault = Fault("full", len(disk.steps) + 1, steps=1000)
    first.write(action("deal", p=None))
    second = first.next(Header("trut", dealer=1))
    second.write(action("deal", p=None))
    assert (first.news(), second.news()) == ([], ["record-full"])
    assert second.unsaved == [first, second]
    disk.heal()
    clock.now += 10
    second.retry()
    assert second.news() == ["record-back"]
    assert second.unsaved == []
    assert [disk.text(path).count("deal |") for path in disk.files()] == [1, 1]


def test_a_stick_that_is_pulled_out_and_put_back_gets_what_is_missing(tmp_path: Path) -> None:
    clock = Clock()
    journal = Journal(tmp_path / "stick", Header("trut"), now=clock)
    journal.write(action("deal", p=None))
    (tmp_path / "stick").rename(tmp_path / "elsewhere")
    os.close(journal._file._handle or 0)
    journal.write(action("play 1 9d"))
    assert journal.news() == ["record-lost"]
    (tmp_path / "elsewhere").rename(tmp_path / "stick")
    clock.now += 3
    journal.retry()
    assert journal.news() == ["record-back"]
    journal.close()
    assert [path.name for path in (tmp_path / "stick").iterdir()] == ["trut-1.trut"]
    assert journal.path.read_text() == journal.text


def test_a_record_that_another_program_changed_meanwhile_is_left_alone() -> None:
    disk, clock = FaultyDisk(), Clock()
    journal = Journal(Path("/parties"), Header("trut"), storage=disk, now=clock)
    first = journal.path
    disk.fault = Fault("broken", len(disk.steps) + 1)
    journal.write(action("deal", p=None))
    disk.put(first, b"game trut\nsomething else\n")
    clock.now += 3
    journal.retry()
    assert disk.text(first) == "game trut\nsomething else\n"
    assert journal.path.name == "trut-2.trut"
    assert disk.text(journal.path) == journal.text


def test_two_programs_cannot_write_one_record(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Header("trut"))
    with pytest.raises(RecordInUse) as problem:
        Journal.resume(journal.path)
    assert problem.value.exit_status == 2
    journal.close()
    Journal.resume(journal.path)[0].close()


def test_a_disk_that_hangs_is_not_waited_for_and_gets_all_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "PATIENCE", 0.02)
    monkeypatch.setattr(journals, "SHORT_PATIENCE", 0.02)
    disk, clock, awake = FaultyDisk(), Clock(), threading.Event()
    journal = Journal(Path("/parties"), Header("trut"), storage=disk, now=clock)
    sync = disk.sync

    def hanging(handle: int) -> None:
        awake.wait(5)
        sync(handle)

    monkeypatch.setattr(disk, "sync", hanging)
    journal.write(action("deal", p=None))
    journal.write(action("play 1 9d"))
    clock.now += 10
    journal.write(action("play 2 8d"))
    assert journal.news() == ["record-lost"]
    assert disk.durable(journal.path).count(b"\n") == 4
    awake.set()
    clock.now += 10
    while journal.unsaved:
        clock.now += 10
        journal.retry()
    assert journal.news() == ["record-back"]
    assert disk.durable(journal.path).decode() == journal.text


def test_a_disk_that_hangs_to_the_end_loses_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "PATIENCE", 0.02)
    disk, awake = FaultyDisk(), threading.Event()
    journal = Journal(Path("/parties"), Header("trut"), storage=disk)
    sync = disk.sync
    monkeypatch.setattr(disk, "sync", lambda handle: awake.wait(5) and None)
    journal.write(action("deal", p=None))
    journal.close()
    assert journal.unsaved == [journal]
    monkeypatch.setattr(disk, "sync", sync)
    assert journal.rescue([Path("/ailleurs")]) == Path("/ailleurs/trut-1.trut")
    awake.set()
    assert disk.text(Path("/ailleurs/trut-1.trut")) == journal.text
