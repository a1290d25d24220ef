"""What a torn record is brought to, and that nothing valid is lost on the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from faulty_disk import Died, Fault, FaultyDisk
from hypothesis import given
from hypothesis import strategies as st

from assistant.journal import Journal
from assistant.mending import mend, repair
from engine import Game, Record, replay
from engine.record import RecordError

RECORD = """\
game trut
version 1
seats 2
dealer 2
deal | t=2.75 by=rules
play 1 8s | t=2.75 by=camera p=0.97
play 1 9c | t=3.00 by=camera p=0.97
expect error out-of-turn
trut 2 | t=4.00 by=microphone p=0.96
undo 3 | t=2.75 by=camera then=3
deal | t=2.75 by=rules
play 1 As | t=2.75 by=camera p=0.99
trut 2 | t=4.00 by=microphone p=0.96
accept 1 | t=5.50 by=microphone p=0.90 # « Jouez ! » dit Léa
undo | t=6.00 by=voice p=0.95
fold 1 | t=7.00 by=microphone
"""
DATA = RECORD.encode()
HEAD = DATA.index(b"deal")


def states() -> list[Game]:
    """The game after each event; a correction is one step."""
    lines = RECORD.splitlines(keepends=True)
    ends = [4, 5, 6, 8, 9, 13, 14, 15, 16]
    return [replay(Record.parse("".join(lines[:n]))).game for n in ends]


@given(st.integers(HEAD, len(DATA)), st.integers(0, 60))
def test_any_end_that_a_power_cut_leaves_is_mended(size: int, zeros: int) -> None:
    data = DATA[:size] + b"\0" * zeros
    mended = mend(data)
    whole = mended.kept + mended.added
    assert mended.kept + mended.cut == data
    assert DATA.startswith(whole)
    assert mended.game in states()
    assert replay(Record.from_bytes(whole)).holds
    again = mend(whole)
    assert (again.kept, again.cut, again.added) == (whole, b"", b"")


@given(st.integers(HEAD, len(DATA)), st.integers(1, 12), st.sampled_from(["kill", "power"]))
def test_dying_while_a_record_is_repaired_loses_nothing(size: int, step: int, kind: str) -> None:
    path = Path("/parties/trut-1.trut")
    disk = FaultyDisk(Fault(kind, step))
    disk.put(path, DATA[:size])
    mended = mend(DATA[:size])
    try:
        Journal.resume(path, storage=disk)[0].close()
    except Died:
        disk.start_again()
        Journal.resume(path, storage=disk)[0].close()
    assert disk.durable(path) == mended.kept + mended.added
    torn = [name for name in disk.files() if ".torn" in name.name and not name.name.endswith(".new")]
    assert bool(torn) == bool(mended.cut)
    assert all(disk.data(name) == mended.cut for name in torn)


def test_a_whole_record_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "trut-1.trut"
    path.write_bytes(DATA)
    journal, mended, aside = Journal.resume(path)
    journal.close()
    assert (path.read_bytes(), aside, mended.last) == (DATA, None, 7.0)
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_cut_is_kept_beside_the_record(tmp_path: Path) -> None:
    path = tmp_path / "trut-1.trut"
    path.write_bytes(DATA + b"play 2 K")
    for copy in ("trut-1.trut.torn", "trut-1.trut.torn-2"):
        journal, mended, aside = Journal.resume(path)
        journal.close()
        assert aside == tmp_path / copy
        assert (aside.read_bytes(), path.read_bytes(), mended.torn) == (b"play 2 K", DATA, "play 2 K")
        path.write_bytes(DATA + b"play 2 K")


def test_an_infraction_without_its_expectation_is_completed(tmp_path: Path) -> None:
    path = tmp_path / "trut-1.trut"
    path.write_text("game trut\nseats 2\ndeal\nplay 2 9c\n")
    journal, mended, _ = Journal.resume(path)
    journal.close()
    assert mended.added == b"expect error out-of-turn\n"
    assert path.read_text().endswith("deal\nplay 2 9c\nexpect error out-of-turn\n")


def test_half_a_correction_is_left_out_as_a_whole() -> None:
    whole = DATA.index(b"accept")
    for size in range(DATA.index(b"undo") + 1, whole):
        assert mend(DATA[:size]).kept == DATA[: DATA.index(b"undo")]
    assert mend(DATA[:whole]).kept == DATA[:whole]


@pytest.mark.parametrize("data", [b"", b"\0" * 600, b"game tr", b"hello\n", b"game trut\nseats 9\n"])
def test_what_is_no_record_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(RecordError):
        mend(data)


def test_repair_touches_nothing_where_nothing_is_wrong() -> None:
    disk = FaultyDisk()
    path = Path("/parties/trut-1.trut")
    disk.put(path, DATA)
    assert repair(disk, path, disk.open(path), mend(DATA)) is None
    assert set(disk.steps) == {"sync", "sync_folder"}


REFEREE = """
import sys
from pathlib import Path
from assistant.acts import Action
from assistant.journal import Journal
from assistant.session import NoViewer, Referee
from assistant.testing import played_at_random, Script
from engine import Game, Header

class Shouting(NoViewer):
    def acted(self, act):
        if isinstance(act, Action):
            print(act.event, flush=True)

header = Header("trut", seats=4, dealer=4, options={"target": "99"})
referee = Referee(Game(header), Journal(Path(sys.argv[1]), header), Shouting())
for seen in Script(header, played_at_random(header, 7, rounds=60)).build():
    referee.observe([seen])
    referee.advance(seen.decided)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of another kind there")
@pytest.mark.parametrize("after", [1, 20, 150])
def test_a_referee_killed_at_the_table(tmp_path: Path, after: int) -> None:
    """Everything that was shown before ``kill -9`` is in the record, and the game goes on from there."""
    program = subprocess.Popen(
        [sys.executable, "-c", REFEREE, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    assert program.stdout is not None
    shown = [program.stdout.readline().strip() for _ in range(after)]
    program.kill()
    shown += program.stdout.read().splitlines()
    program.wait()
    journal, mended, _ = Journal.resume(tmp_path / "trut-1.trut")
    journal.close()
    assert replay(Record.load(journal.path)).holds
    assert len(shown) >= after
    assert [str(event) for event in mended.record.events()][: len(shown)] == shown
