"""What a record needs before a game can go on in it: its torn end cut off, its last infraction completed.

NOTATION.md section 9 "Torn tail". Nothing is thrown away: what is cut goes to a file beside the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.storage import Storage, write_at, write_whole
from engine import Game, Record, replay
from engine.record import Line

PAGE = 4096
"""Bytes at the end of a file that a power cut may have left as zeros."""
THEN = "then"
"""Remark of an ``undo``: how many of the events after it belong to the same correction."""


@dataclass(frozen=True)
class Mended:
    """A record that a game can go on in.

    Attributes:
        record, game: what it says, and the game after its last event.
        kept: the bytes of the file that stay.
        cut: those behind them.
        added: what is missing behind ``kept``.
        correction: what was cut begins with a correction that was not written to its end.
        holds: every expectation of the record holds, and what is refused was expected to be.
    """

    record: Record
    game: Game
    kept: bytes
    cut: bytes
    added: bytes
    correction: bool
    holds: bool

    @property
    def torn(self) -> str:
        """What was cut, as it can be shown in a sentence."""
        return " ".join(self.cut.replace(b"\0", b" ").decode("utf-8", "replace").split())

    @property
    def last(self) -> float:
        """The time of the newest event that has one, in seconds; 0 where there is none."""
        times = (_seconds(line) for line in self.record.lines if line.kind == "event")
        return max((t for t in times if t is not None), default=0.0)


def mend(data: bytes) -> Mended:
    """Look through the bytes of a record.

    Raises:
        RecordError: they are no record, or one of a newer version.
    """
    end = data.rfind(b"\n") + 1
    lost = data.find(b"\0", max(0, len(data) - PAGE))
    if lost >= 0:
        end = data.rfind(b"\n", 0, lost) + 1
    record = Record.from_bytes(data[:end])
    lines = list(_ends(data[:end]))
    half = _half_correction(record.lines)
    if half is not None:
        end = lines[half]
        record = Record.from_bytes(data[:end])
    kept = data[:end]
    code = _unexpected_at_the_end(record)
    added = b"" if code is None else f"expect error {code}\n".encode()
    if added:
        record = Record.from_bytes(kept + added)
    result = replay(record)
    return Mended(record, result.game, kept, data[end:], added, half is not None, result.holds)


def repair(storage: Storage, path: Path, handle: int, mended: Mended) -> Path | None:
    """Bring the file of a record to what ``mended`` says, so that a power cut now loses nothing either.

    Returns:
        Where what was cut is kept, None where nothing was.
    """
    aside = None
    if mended.cut:
        aside = _put_aside(storage, path, mended.cut)
        storage.cut(handle, len(mended.kept))
        storage.sync(handle)
    if mended.added:
        write_at(storage, handle, mended.added, len(mended.kept))
    storage.sync(handle)  # whoever wrote it may have been stopped just before
    storage.sync_folder(path.parent)
    return aside


def _put_aside(storage: Storage, path: Path, cut: bytes) -> Path:
    taken = set(storage.names(path.parent))
    number = 1
    while True:
        aside = path.with_name(path.name + (".torn" if number == 1 else f".torn-{number}"))
        if aside.name not in taken:
            write_whole(storage, aside, cut)
            return aside
        number += 1


def _ends(data: bytes) -> Iterator[int]:
    """Where the lines begin."""
    start = 0
    while start < len(data):
        yield start
        start = data.index(b"\n", start) + 1


def _half_correction(lines: tuple[Line, ...]) -> int | None:
    """The first line of a correction that was not written to its end."""
    behind = 0
    half = None
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        if line.kind != "event":
            continue
        if line.words[0] == "undo":
            then = line.remarks.get(THEN, "")
            if then.isascii() and then.isdigit() and int(then) > behind:
                half = place
        behind += 1
    return half


def _unexpected_at_the_end(record: Record) -> str | None:
    """The code of the last item, if it is an event that is refused and does not say so."""
    last = max((n for n, line in enumerate(record.lines, 1) if line.kind != "blank"), default=0)
    refused = replay(record).refused
    if refused and refused[-1].line == last and not refused[-1].expected:
        return refused[-1].refusal.code
    return None


def _seconds(line: Line) -> float | None:
    try:
        return float(line.remarks["t"])
    except (KeyError, ValueError):
        return None
