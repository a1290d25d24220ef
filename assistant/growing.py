"""A file that only grows, and its copy in memory: what the disk does not take now it gets later.

What counts is the memory. ``save`` brings the disk up to it: it writes what is not surely there at its place and
syncs. After a failure nothing behind the last success is believed to be there, and it is written again. A file that
has gone, or that another program has changed meanwhile, is left alone: the whole text goes to a new one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from dataclasses import dataclass
from pathlib import Path

from assistant.storage import Storage, write_at, write_whole

FULL = frozenset({errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC})
"""Errors of a disk that is full: the file itself is sound and stays open."""
TRIES = 3
"""How often a disk is asked to put a file with a new beginning in the place of the old one."""


class GrowingFile:
    """One file.

    Args:
        storage: where it lies.
        folder: made if it is not there.
        stem, suffix: it is called ``STEM-N.SUFFIX`` with the next free number.

    Attributes:
        path: None until it has been made.
        text: all that it should hold.
        safe: bytes of it that are surely on the disk.
    """

    def __init__(self, storage: Storage, folder: Path, stem: str, suffix: str) -> None:
        self.path: Path | None = None
        self.text = bytearray()
        self.safe = 0
        self.storage, self.folder, self.stem, self._suffix = storage, folder, stem, suffix
        self._handle: int | None = None
        self._head: _Head | None = None
        self._lock = threading.Lock()

    @classmethod
    def opened(cls, storage: Storage, path: Path, handle: int, text: bytes) -> GrowingFile:
        """One that is open already, locked, and holds ``text``."""
        stem, _sep, _number = path.stem.rpartition("-")
        file = cls(storage, path.parent, stem or path.stem, path.suffix)
        file.path, file.text, file.safe, file._handle = path, bytearray(text), len(text), handle
        return file

    @property
    def saved(self) -> bool:
        """Whether all of it is on the disk; a beginning that is only written otherwise does not count."""
        return self.safe == len(_as_there(self.text, self._head))

    def begin_with(self, head: bytes, length: int) -> None:
        """Let the file begin with ``head`` instead of its first ``length`` bytes.

        The next ``save`` puts the whole file in its place at once. Where the disk does not take that, the file stands
        as it was, and what comes behind is written to it as before; a few later ones try again.
        """
        with self._lock:
            was = bytes(self.text[:length]) if self._head is None else self._head.was
            self.text[:length] = head
            self._head = None if self.path is None else _Head(was, len(head))

    def save(self) -> None:
        """Bring the disk up to the memory; everything is there when this returns.

        Raises:
            OSError: it could not be done, nothing is lost, try again.
        """
        with self._lock:
            whole, head = bytes(self.text), self._head  # it may grow meanwhile
        if head is not None and self._put_in_place(whole, head):
            head = None
        text = bytes(_as_there(whole, head))
        if self.safe == len(text):
            return
        try:
            if self._handle is None:
                self._open(text)
            if self._handle is not None and self.safe < len(text):
                write_at(self.storage, self._handle, text[self.safe :], self.safe)
                self.storage.sync(self._handle)
                self.safe = len(text)
        except OSError as problem:
            if problem.errno not in FULL:
                self.close()
            raise

    def _put_in_place(self, text: bytes, head: _Head) -> bool:
        """Put the file with its new beginning in the place of the old one; False where the old one stands."""
        assert self.path is not None
        if not head.tries:
            return False
        head.tries -= 1
        if os.name != "posix":
            self.close()  # there nothing is renamed over a file that is open
        try:
            write_whole(self.storage, self.path, text)
        except OSError:
            if not self._is_there(text):
                return False
        self.close()
        self.safe = 0  # until it has been opened and synced again
        with self._lock:
            self._head = None if self._head is head else self._head
        return True

    def _is_there(self, text: bytes) -> bool:
        """Whether the file has this text already: only the last step failed."""
        assert self.path is not None
        try:
            handle = self.storage.open(self.path)
            try:
                return self.storage.read(handle) == text
            finally:
                self.storage.close(handle)
        except OSError:
            return False

    def close(self) -> None:
        """Let go of the file; the memory stays."""
        handle, self._handle = self._handle, None
        if handle is not None:
            with contextlib.suppress(OSError):  # nothing rests on it: what counts was synced
                self.storage.close(handle)

    def _open(self, text: bytes) -> None:
        if self.path is not None:
            try:
                handle = self.storage.open(self.path)
            except FileNotFoundError:
                handle = None
            if handle is not None and self._take(handle, text):
                return
            self.path, self.safe = None, 0
        self._create(text)

    def _take(self, handle: int, text: bytes) -> bool:
        """Go on with a file that was closed, if it still is ours."""
        try:
            self.storage.lock(handle)
            there = self.storage.read(handle)
        except BlockingIOError:
            self.storage.close(handle)
            return False
        except OSError:
            self.storage.close(handle)
            raise
        if len(there) > len(text) or there[: self.safe] != text[: self.safe]:
            self.storage.close(handle)
            return False
        try:
            self.storage.sync_folder(self.folder)  # its name may not be safe yet
        except OSError:
            self.storage.close(handle)
            raise
        self._handle = handle
        return True

    def _create(self, text: bytes) -> None:
        """Make the file at once: under its name it has never held less than it does now.

        It is written beside its place first, under a name that keeps others from taking the same number.
        """
        storage = self.storage
        storage.make_folder(self.folder)
        number = 1 + max((self._number(name) for name in storage.names(self.folder)), default=0)
        while True:
            path = self.folder / f"{self.stem}-{number}{self._suffix}"
            beside = path.with_name(path.name + ".new")
            number += 1
            try:
                handle = storage.create(beside)
            except FileExistsError:
                continue
            try:
                free = path.name not in storage.names(self.folder)
                if free:
                    write_at(storage, handle, text, 0)
                    storage.sync(handle)
            except OSError:
                with contextlib.suppress(OSError):
                    storage.close(handle)
                    storage.remove(beside)
                raise
            storage.close(handle)
            if not free:
                storage.remove(beside)
                continue
            storage.rename(beside, path)
            self.path = path  # from here on it is ours, whatever fails
            storage.sync_folder(self.folder)
            self._handle = storage.open(path)
            storage.lock(self._handle)
            self.safe = len(text)
            return

    def _number(self, name: str) -> int:
        """The number of a file of this kind, 0 for any other."""
        number = name.removeprefix(f"{self.stem}-").removesuffix(self._suffix)
        ours = name == f"{self.stem}-{number}{self._suffix}"
        return int(number) if ours and number.isascii() and number.isdigit() else 0


@dataclass(eq=False)
class _Head:
    """A new beginning that the file has not got yet: what stands there, how long the new one is, and how often the disk
    is still asked to take it."""

    was: bytes
    length: int
    tries: int = TRIES


def _as_there(text: bytes | bytearray, head: _Head | None) -> bytes | bytearray:
    """The text as the file has it, or should: it may begin otherwise still."""
    return text if head is None else head.was + text[head.length :]
