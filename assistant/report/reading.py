"""Reading a record for a report: what is no record, and what is too long to be drawn, is refused in one line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from assistant.i18n import N_
from assistant.report.story import Story, story_of
from engine import Record, Replay, replay
from engine.errors import TrutError

MOST: Final = 50_000
"""Events of the longest record that is told. A long evening has some three thousand."""
MOST_BYTES: Final = 16 << 20


class RecordTooLong(TrutError):
    """A record with more events than any evening has."""

    code = "record-too-long"


def read(name: str) -> tuple[Replay, Story]:
    """What a record comes to, and its story. ``-`` reads the standard input.

    Raises:
        RecordError: no record, or a file that cannot be read.
        RecordTooLong: more than ``MOST`` events.
    """
    if name == "-":
        record = Record.from_bytes(_bounded(sys.stdin.buffer.read(MOST_BYTES + 1)))
    else:
        path = Path(name)
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            raise too_long()
        record = Record.load(name)
    return told(record)


def told(record: Record, most: int = MOST) -> tuple[Replay, Story]:
    """What a record comes to, and its story.

    Raises:
        RecordTooLong: more than ``most`` events.
    """
    if sum(line.event is not None for line in record.lines) > most:
        raise too_long(most)
    return replay(record), story_of(record)


def _bounded(data: bytes) -> bytes:
    if len(data) > MOST_BYTES:
        raise too_long()
    return data


def too_long(most: int = MOST) -> RecordTooLong:
    """The error, ready to be raised."""
    return RecordTooLong(N_("cette partie est trop longue pour un compte rendu (plus de {most} événements)"), most=most)
