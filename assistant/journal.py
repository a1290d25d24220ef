"""The record of a game, written while it is played: append-only, on the disk before it is announced.

A power cut loses at most the event in flight. A correction is an ``undo`` and what follows it, never an edit; it
and an infraction with its ``expect error`` are one write each (NOTATION.md sections 4 and 9). A disk that fails
stops no game: it goes on in memory, and what is missing is written as soon as it can be
(docs/decisions/never-losing-a-game.md).
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from assistant.acts import Action
from assistant.growing import FULL, GrowingFile
from assistant.i18n import N_
from assistant.mending import THEN, Mended, mend, repair
from assistant.storage import Disk, Storage
from assistant.waiting import Waiting
from engine import Header
from engine.errors import TrutError
from engine.record import Line, RecordError, header_lines

SUFFIX = ".trut"
AGAIN = 2.0
"""Seconds after which a disk that failed is tried again. Not at every event: a dying one may take long to say no."""
PATIENCE, SHORT_PATIENCE = 2.0, 0.2
"""Seconds that a disk may take for a write; one that has failed already is not waited for so long."""


class RecordUnwritable(TrutError):
    """The folder of records, or a record, cannot be written to."""

    code = "record-unwritable"


class RecordInUse(TrutError):
    """Another program is writing this record."""

    code = "record-in-use"


def default_folder() -> Path:
    """Where records go unless ``--record`` or the settings say otherwise: the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("trut", appauthor=False) / "games"


class Journal:
    """One game's record, ``GAME-N.trut`` (``trut-1.trut``) with the next free number of its folder.

    Args:
        folder: made if it is not there.
        header: how the game starts; its ``date`` is that of a live game. From files there is none, since the
            record then depends on nothing but the files.
        storage: the disk.
        now: a clock in seconds, for trying again.

    Attributes:
        since: the time in the record at which the media's clock was 0.
        why: what the disk said when it failed last, None if it never did.

    Raises:
        RecordUnwritable: the folder cannot be made or written to.
    """

    def __init__(
        self,
        folder: Path,
        header: Header,
        *,
        storage: Storage | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._begin(_new_file(storage or Disk(), folder, header), now)
        if not self._save():
            self._file.close()
            raise _unwritable(folder, self.why)

    def _begin(self, file: GrowingFile, now: Callable[[], float]) -> None:
        self._file, self._now = file, now
        self._earlier: list[Journal] = []
        self._waiting = Waiting()
        self._failing = False
        self._again = 0.0
        self._news: list[str] = []
        self.since = 0.0
        self.why: OSError | None = None

    @classmethod
    def resume(
        cls, path: Path, *, storage: Storage | None = None, now: Callable[[], float] = time.monotonic
    ) -> tuple[Journal, Mended, Path | None]:
        """Go on in a record; its torn end is repaired first.

        Returns:
            The journal, what the record says, and where what was cut off is kept.

        Raises:
            RecordError: it is no record, or cannot be read.
            RecordInUse: another program is writing it.
            RecordUnwritable: it can be read, and not be written.
        """
        storage = storage or Disk()
        try:
            handle = storage.open(path)
        except OSError as problem:
            raise _unopened(path, problem) from None
        try:
            storage.lock(handle)
            mended = mend(storage.read(handle))
            aside = repair(storage, path, handle, mended)
        except BlockingIOError:
            storage.close(handle)
            raise RecordInUse(N_("{name} : un autre programme écrit déjà cette partie"), name=path) from None
        except OSError as problem:
            storage.close(handle)
            raise _unwritable(path, problem) from None
        except RecordError as problem:
            storage.close(handle)
            raise _of_file(path, problem) from None
        journal = cls.__new__(cls)
        journal._begin(GrowingFile.opened(storage, path, handle, mended.kept + mended.added), now)
        journal.since = mended.last
        return journal, mended, aside

    def next(self, header: Header, t: float = 0.0) -> Journal:
        """The record of another game at the same table, which begins at ``t`` of the media's clock; this one is
        closed. A disk that fails now is no reason not to play."""
        self._again = 0.0
        self._save()
        journal = Journal.__new__(Journal)
        journal._begin(_new_file(self._file.storage, self._file.folder, header), self._now)
        journal._failing, journal._news, journal.why = self._failing, self.news(), self.why
        journal._waiting, journal.since = self._waiting, -t
        if self._file.saved:
            self._file.close()
            journal._earlier = self._earlier
        else:
            journal._earlier = [*self._earlier, self]
        journal._save()
        return journal

    @property
    def path(self) -> Path:
        """The file; while the disk has not taken it yet, where it should be."""
        return self._file.path or self._file.folder

    @property
    def text(self) -> str:
        """The whole record, as it is or should be on the disk."""
        return self._file.text.decode()

    @property
    def unsaved(self) -> list[Journal]:
        """The records of this table that are not wholly on the disk."""
        return [*self._earlier, *([] if self._file.saved else [self])]

    def write(self, *actions: Action) -> None:
        """Append events that became known together; they are on the disk when this returns, unless the disk fails
        (``news``)."""
        self._file.text += lines_of(*actions, since=self.since).encode()
        self._save()

    def rename(self, names: Mapping[int, str]) -> None:
        """Write down what the players are called now. The whole file is put in its place at once, so that neither the
        power nor the disk can cost an event; a disk that does not take it keeps the old names and all that happens."""
        file = self._file
        head, length = named(bytes(file.text), names)
        file.begin_with(head, length)
        self._save()

    def retry(self) -> None:
        """Try again to save what could not be saved, if it is time."""
        if self._failing:
            self._save()

    def news(self) -> list[str]:
        """What became of the disk since this was asked last: ``record-full``, ``record-lost``, ``record-back``."""
        news, self._news = self._news, []
        return news

    def close(self) -> None:
        """Save what is left, and let go of the file; what ``unsaved`` then lists is only in memory."""
        self._again = 0.0
        if self._save() or self._at_rest():
            for journal in (*self._earlier, self):
                journal._file.close()
        self._earlier = [journal for journal in self._earlier if not journal._file.saved]

    def rescue(self, folders: Iterable[Path]) -> Path | None:
        """Save the whole record in the first of these folders that takes it; None if none does."""
        for folder in folders:
            file = GrowingFile(self._file.storage, folder, self._file.stem, SUFFIX)
            file.text += self._file.text
            try:
                file.save()
            except OSError:
                continue
            finally:
                file.close()
            self._file = file
            return file.path
        return None

    def _save(self) -> bool:
        """Bring the disk up to date; False, and news, where it fails."""
        if self._failing and self._now() < self._again:
            return False
        try:
            if not self._waiting.do(self._bring_up_to_date, SHORT_PATIENCE if self._failing else PATIENCE):
                raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        except OSError as problem:
            self.why = problem
            self._again = self._now() + AGAIN
            if not self._failing:
                self._failing = True
                self._news.append("record-full" if problem.errno in FULL else "record-lost")
            return False
        self._earlier = []
        if self._failing:
            self._failing = False
            self._news.append("record-back")
        return True

    def _bring_up_to_date(self) -> None:
        for journal in self._earlier:
            journal._file.save()
            journal._file.close()
        self._file.save()

    def _at_rest(self) -> bool:
        """Whether no write hangs; a file is not closed under it."""
        try:
            return self._waiting.finished(0.0)
        except OSError:
            return True


def look(path: Path) -> Mended:
    """What a record says, and what it needs before it can be resumed; nothing is changed.

    Raises:
        RecordError: it is no record, one of a newer version, or cannot be read.
    """
    try:
        return mend(path.read_bytes())
    except OSError as problem:
        raise _unopened(path, problem) from None
    except RecordError as problem:
        raise _of_file(path, problem) from None


def lines_of(*actions: Action, since: float = 0.0) -> str:
    """The lines of events with their remarks, and the ``expect error`` of those that were refused.

    An ``undo`` says how many of the events behind it belong to it, so that half a correction can be told from a
    whole one.

    >>> from engine import Event
    >>> lines_of(Action(2.75, 3.1, Event("play", 1, ("9d",)), "camera", 0.973))
    'play 1 9d | t=2.75 by=camera p=0.97\\n'
    """
    lines = []
    for place, action in enumerate(actions, 1):
        remarks = f"t={max(0.0, action.t + since):.2f} by={action.by}"
        if action.p is not None:
            remarks += f" p={action.p:.2f}"
        if action.event.verb == "undo" and place < len(actions):
            remarks += f" {THEN}={len(actions) - place}"
        lines.append(f"{action.event} | {remarks}\n")
        if action.refused is not None:
            lines.append(f"expect error {action.refused}\n")
    return "".join(lines)


def named(text: bytes, names: Mapping[int, str]) -> tuple[bytes, int]:
    """The header of a record with other names, and how many bytes of ``text`` are its header now.

    >>> named(b"game trut\\nname 1 Marie\\nseats 2\\ndeal\\n", {2: "Jean"})
    (b'game trut\\nseats 2\\nname 2 Jean\\n', 31)
    """
    kept: list[bytes] = []
    length = end = 0
    for line in text.splitlines(keepends=True):
        read = Line.parse(line.decode("utf-8", "replace").rstrip("\r\n"))
        if read.kind in ("event", "expect"):
            break
        length += len(line)
        if read.kind != "header" or read.words[0] != "name":
            kept.append(line)
            end = len(kept) if read.kind == "header" else end
    lines = [f"name {seat} {name}\n".encode() for seat, name in sorted(names.items())]
    return b"".join([*kept[:end], *lines, *kept[end:]]), length


def _new_file(storage: Storage, folder: Path, header: Header) -> GrowingFile:
    file = GrowingFile(storage, folder, header.game, SUFFIX)
    file.text += "".join(f"{line}\n" for line in header_lines(header)).encode()
    return file


def _unwritable(name: Path, problem: OSError | None) -> RecordUnwritable:
    why = problem and (problem.strerror or problem)
    return RecordUnwritable(N_("{name} : impossible d'y écrire la partie ({why})"), name=name, why=why)


def _unopened(path: Path, problem: OSError) -> TrutError:
    """Why a record cannot be gone on with."""
    if isinstance(problem, PermissionError):
        return _unwritable(path, problem)
    why = problem.strerror or problem
    return RecordError(N_("{name} : fichier illisible ({why})"), code="unreadable-file", name=path, why=why)


def _of_file(path: Path, problem: RecordError) -> RecordError:
    """The same error with the name of the file."""
    return RecordError(N_("{name} : {problem}"), code=problem.code, line=problem.line, name=path, problem=problem)
