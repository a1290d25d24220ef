"""Players named in the middle of a game: the record begins otherwise, and nothing that happened is ever lost."""

from __future__ import annotations

import contextlib
import itertools
from pathlib import Path

import pytest
from faulty_disk import Died, Fault, FaultyDisk

from assistant.acts import Action
from assistant.journal import Journal, RecordUnwritable
from assistant.testing import Clock
from engine import Header, Record, parse_event, replay

FOLDER = Path("/parties")
HEADER = Header("trut", seats=2, dealer=2, names={1: "Anne"})
EVENTS = [parse_event(line) for line in ("deal", "play 1 As", "play 2 Kh", "trut 1", "accept 2", "play 1 7h")]
NAMES = {1: "Marie", 2: "Jean"}
NAMED_AFTER = 3


def write(disk: FaultyDisk, clock: Clock) -> Journal:
    journal = Journal(FOLDER, HEADER, storage=disk, now=clock)
    for n, event in enumerate(EVENTS):
        clock.now += 3.0
        if n == NAMED_AFTER:
            journal.rename(NAMES)
        journal.write(Action(float(n), float(n), event, "camera"))
    journal.close()
    return journal


def undisturbed() -> tuple[FaultyDisk, str]:
    disk = FaultyDisk()
    journal = write(disk, Clock())
    return disk, disk.text(journal.path)


def test_the_record_has_the_names_and_all_events() -> None:
    disk, text = undisturbed()
    assert disk.files() == [FOLDER / "trut-1.trut"]
    record = Record.parse(text)
    assert record.header.names == NAMES
    result = replay(record)
    assert result.holds
    assert list(result.game.log) == EVENTS


@pytest.mark.parametrize("kind", ["kill", "power", "short"])
def test_death_at_every_step(kind: str) -> None:
    for step in itertools.count(1):
        disk = FaultyDisk(Fault(kind, step))
        with contextlib.suppress(Died):
            write(disk, Clock())
        if not disk.hit:
            break
        check(disk)
    print(f"naming: {step - 1} faults, {kind}")
    assert step > 20


def test_every_write_torn_after_every_byte() -> None:
    sound, _text = undisturbed()
    runs = 0
    for step, size in enumerate(sound.written, 1):
        for prefix in range(size):
            disk = FaultyDisk(Fault("torn", step, prefix))
            with pytest.raises(Died):
                write(disk, Clock())
            check(disk)
            runs += 1
    print(f"naming: {runs} faults, torn")
    assert runs > 200


def check(disk: FaultyDisk) -> None:
    """What is there after a fault is a prefix of the game, with the old names or the new ones, and can go on."""
    done = sum(name == "write" for name in disk.steps)
    fault = disk.fault
    disk.start_again()
    records = [path for path in disk.files() if path.suffix == ".trut"]
    if not records:
        assert done <= 1
        return
    assert records == [FOLDER / "trut-1.trut"]
    journal, mended, _aside = Journal.resume(records[0], storage=disk)
    log = list(mended.game.log)
    assert log == EVENTS[: len(log)]
    assert mended.record.header.names in ({1: "Anne"}, NAMES)
    if mended.record.header.names == {1: "Anne"} and (fault is None or fault.kind != "short"):
        assert len(log) <= NAMED_AFTER
    journal.rename(NAMES)
    for event in EVENTS[len(log) :]:
        journal.write(Action(9.0, 9.0, event, "camera"))
    journal.close()
    result = replay(Record.parse(disk.durable(records[0]).decode()))
    assert list(result.game.log) == EVENTS
    assert result.game.header.names == NAMES


@pytest.mark.parametrize("kind", ["full", "broken"])
@pytest.mark.parametrize("steps", [1, 2, 4, 1000])
def test_a_disk_that_fails_costs_at_most_the_names(kind: str, steps: int) -> None:
    for step in itertools.count(1):
        disk, clock = FaultyDisk(Fault(kind, step, steps=steps)), Clock()
        try:
            journal = write(disk, clock)
        except RecordUnwritable:
            continue
        if not disk.hit:
            break
        assert list(replay(Record.parse(journal.text)).game.log) == EVENTS
        assert Record.parse(journal.text).header.names == NAMES
        if journal.unsaved:
            disk.heal()
            assert journal.rescue([Path("/ailleurs")]) == Path("/ailleurs/trut-1.trut")
        result = replay(Record.parse(disk.durable(journal.path).decode()))
        assert list(result.game.log) == EVENTS
        assert result.game.header.names in (NAMES, {1: "Anne"})
    print(f"naming: {step - 1} faults, {kind} for {steps}")
    assert step > 15


def test_a_header_written_by_hand_keeps_all_but_the_names() -> None:
    disk = FaultyDisk()
    path = FOLDER / "trut-1.trut"
    text = "game trut # à deux\nname 1 Anne\n# chez Marie\nseats 2\n\ndeal\nname 2 Zoé\nplay 1 As\n"
    disk.put(path, text.encode())
    journal, _mended, _aside = Journal.resume(path, storage=disk)
    journal.rename(NAMES)
    journal.close()
    assert disk.text(path).startswith("game trut # à deux\n# chez Marie\nseats 2\nname 1 Marie\nname 2 Jean\n\ndeal\n")
    assert "\nname 2 Zoé\n" in disk.text(path)  # no header any more: an event that is refused
