"""The disk, as far as a record needs it: few calls, so that a test can stand in for it and let any of them fail.

Writes are at a given place of the file. What may be lost (a write whose ``sync`` failed) is simply written again at
its place: after a failed fsync Linux forgets what it could not write, so a second fsync alone proves nothing.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from pathlib import Path
from typing import Protocol


class Storage(Protocol):
    """Every call may raise ``OSError``."""

    def make_folder(self, folder: Path) -> None:
        """Make a folder and those above it, unless they are there."""

    def names(self, folder: Path) -> list[str]:
        """What lies in a folder."""
        ...

    def create(self, path: Path) -> int:
        """A new, empty file that is open; FileExistsError if there is one."""
        ...

    def open(self, path: Path) -> int:
        """Open a file that is there, to read and write it."""
        ...

    def lock(self, handle: int) -> None:
        """Keep other programs from this file until it is closed; BlockingIOError if one has it."""

    def read(self, handle: int) -> bytes:
        """The whole file."""
        ...

    def write(self, handle: int, data: bytes, at: int) -> int:
        """Write at a place of the file; how many bytes were written, which may be fewer."""
        ...

    def cut(self, handle: int, size: int) -> None:
        """Leave the first ``size`` bytes."""

    def sync(self, handle: int) -> None:
        """Return when the file will survive a power cut."""

    def sync_folder(self, folder: Path) -> None:
        """Return when the names in a folder will survive a power cut."""

    def rename(self, old: Path, new: Path) -> None: ...

    def remove(self, path: Path) -> None: ...

    def close(self, handle: int) -> None: ...


_FLAGS = os.O_RDWR | getattr(os, "O_BINARY", 0)
_NO_LOCKS = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.ENOLCK, errno.EINVAL}
"""Errors of file systems that know no locks: there a record is written without one."""
_FAR = 1 << 40
"""Windows locks bytes, and nobody can read them then: this one lies behind every record."""


class Disk:
    """The storage of this machine."""

    def make_folder(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)

    def names(self, folder: Path) -> list[str]:
        return os.listdir(folder)

    def create(self, path: Path) -> int:
        return os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o644)

    def open(self, path: Path) -> int:
        return os.open(path, _FLAGS)

    def lock(self, handle: int) -> None:
        try:
            _lock(handle)
        except OSError as problem:
            if problem.errno not in _NO_LOCKS:
                raise

    def read(self, handle: int) -> bytes:
        os.lseek(handle, 0, os.SEEK_SET)
        pieces = []
        while piece := os.read(handle, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)

    def write(self, handle: int, data: bytes, at: int) -> int:
        os.lseek(handle, at, os.SEEK_SET)
        return os.write(handle, data)

    def cut(self, handle: int, size: int) -> None:
        os.truncate(handle, size)

    def sync(self, handle: int) -> None:
        os.fsync(handle)

    def sync_folder(self, folder: Path) -> None:
        if os.name != "posix":  # not possible, nor needed, on Windows
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError as problem:
            if problem.errno != errno.EINVAL:  # a file system whose folders need no fsync
                raise
        finally:
            os.close(handle)

    def rename(self, old: Path, new: Path) -> None:
        os.replace(old, new)

    def remove(self, path: Path) -> None:
        os.remove(path)

    def close(self, handle: int) -> None:
        os.close(handle)


if os.name == "posix":
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

else:
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except PermissionError:
            raise BlockingIOError from None


def write_whole(storage: Storage, path: Path, data: bytes) -> None:
    """Put a file in place at once: whoever looks sees the former one or all of ``data``, also after a power cut."""
    beside = path.with_name(path.name + ".new")
    with contextlib.suppress(FileNotFoundError):
        storage.remove(beside)
    handle = storage.create(beside)
    try:
        write_at(storage, handle, data, 0)
        storage.sync(handle)
    finally:
        storage.close(handle)
    storage.rename(beside, path)
    storage.sync_folder(path.parent)


def write_at(storage: Storage, handle: int, data: bytes, at: int) -> None:
    """Write all of ``data``, however little the disk takes at a time."""
    written = 0
    while written < len(data):
        count = storage.write(handle, data[written:], at + written)
        if count <= 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        written += count


def write_times(storage: Storage, folder: Path, lines: int = 9) -> list[float]:
    """Seconds that each of some lines takes to be surely on the disk of ``folder``, which must exist; nothing is left
    there.

    Raises:
        OSError: nothing can be written there.
    """
    trial = folder / f".trut-trial-{os.getpid()}"
    handle = storage.create(trial)
    line, times = b"play 1 9d | t=2.75 by=camera p=0.97\n", []
    try:
        for number in range(lines):
            began = time.perf_counter()
            write_at(storage, handle, line, number * len(line))
            storage.sync(handle)
            times.append(time.perf_counter() - began)
    finally:
        storage.close(handle)
        storage.remove(trial)
    return times
