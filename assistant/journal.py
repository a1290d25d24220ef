"""The record of a game, written while it is played: append-only, on the disk before it is announced.

A power cut loses at most the event in flight. A correction is an ``undo`` and what follows it, never an edit;
an infraction is the refused event and its ``expect error`` in one write (NOTATION.md sections 4 and 9).
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from assistant.acts import Action
from assistant.i18n import N_
from engine import Header
from engine.errors import TrutError
from engine.record import header_lines


class RecordUnwritable(TrutError):
    """The folder of records cannot be written to."""

    code = "record-unwritable"


def default_folder() -> Path:
    """Where records go unless ``--record`` says otherwise: the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("trut", appauthor=False) / "games"


class Journal:
    """One game's record, ``GAME-N.trut`` (``trut-1.trut``) with the next free number of its folder.

    Args:
        folder: made if it is not there.
        header: how the game starts; its ``date`` is that of a live game. From files there is none, since the
            record then depends on nothing but the files.

    Raises:
        RecordUnwritable: the folder cannot be made or written to.
    """

    def __init__(self, folder: Path, header: Header) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.path, self._file = _create(folder, header.game)
        except OSError as problem:
            raise RecordUnwritable(
                N_("{name} : impossible d'y écrire la partie ({why})"),
                name=folder,
                why=problem.strerror or problem,
            ) from None
        self._write("".join(f"{line}\n" for line in header_lines(header)))
        _sync_folder(folder)

    def write(self, action: Action) -> None:
        """Append one event; it is on the disk when this returns."""
        self._write(lines_of(action))

    def close(self) -> None:
        os.close(self._file)

    def _write(self, text: str) -> None:
        data = text.encode()
        try:
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as problem:
            raise RecordUnwritable(
                N_("{name} : impossible d'y écrire la partie ({why})"),
                name=self.path,
                why=problem.strerror or problem,
            ) from None


def lines_of(action: Action) -> str:
    """The line of one event with its remarks, and its ``expect error`` if it was refused.

    >>> from engine import Event
    >>> lines_of(Action(2.75, 3.1, Event("play", 1, ("9d",)), "camera", 0.973))
    'play 1 9d | t=2.75 by=camera p=0.97\\n'
    """
    remarks = f"t={action.t:.2f} by={action.by}" + ("" if action.p is None else f" p={action.p:.2f}")
    refused = "" if action.refused is None else f"expect error {action.refused}\n"
    return f"{action.event} | {remarks}\n{refused}"


def _create(folder: Path, game: str) -> tuple[Path, int]:
    """The next free GAME-N.trut, made so that two tables never share one."""
    name = re.compile(re.escape(game) + r"-(\d+)\.trut")
    taken = [int(m[1]) for p in folder.iterdir() if (m := name.fullmatch(p.name))]
    number = max(taken, default=0) + 1
    while True:
        path = folder / f"{game}-{number}.trut"
        try:
            return path, os.open(
                path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644
            )
        except FileExistsError:
            number += 1


def _sync_folder(folder: Path) -> None:
    """Make the new file's name itself survive a power cut (not possible, nor needed, on Windows)."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
