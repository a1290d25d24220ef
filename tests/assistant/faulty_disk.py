"""A disk in memory on which every single step can fail, as SQLite tests its files.

Every call that changes something is a step. What was written and not synced is lost in a power cut, names too; a
killed process loses nothing that it has written.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


class Died(BaseException):
    """The program ends here, without a chance to do anything more."""


@dataclass
class Inode:
    content: bytearray = field(default_factory=bytearray)
    safe: bytes = b""
    holder: int | None = None


@dataclass(frozen=True)
class Fault:
    """What befalls the step of this number (from 1) on.

    Attributes:
        kind: ``kill`` and ``power``: before the step; ``torn``: power is cut in a write, of which ``prefix`` bytes
            survive; ``full``, ``broken``: the step and those after it fail with ENOSPC (after half a write) or EIO;
            ``short``: a write takes a single byte, only that once.
        steps: how long it stays full or broken.
    """

    kind: str
    step: int
    prefix: int = 0
    steps: int = 1


class FaultyDisk:
    """See the module.

    Attributes:
        steps: what was done, by name.
        written: the bytes of the steps that were writes, 0 for others.
    """

    def __init__(self, fault: Fault | None = None) -> None:
        self.fault = fault
        self.steps: list[str] = []
        self.written: list[int] = []
        self.hit = False
        self._names: dict[Path, Inode] = {}
        self._safe_names: dict[Path, Inode] = {}
        self._open: dict[int, Inode] = {}
        self._next = 3
        self._folders: set[Path] = set()

    # -- what a test does with it ----------------------------------------------------------------------------

    def durable(self, path: Path) -> bytes:
        """What of a file would survive a power cut now."""
        inode = self._safe_names.get(path)
        return b"" if inode is None else inode.safe

    def files(self) -> list[Path]:
        return sorted(self._names)

    def data(self, path: Path) -> bytes:
        return bytes(self._names[path].content)

    def text(self, path: Path) -> str:
        return self.data(path).decode()

    def put(self, path: Path, data: bytes) -> None:
        self._folders.add(path.parent)
        self._names[path] = self._safe_names[path] = Inode(bytearray(data), data)

    def heal(self) -> None:
        """Nothing fails any more."""
        self.fault = None

    def start_again(self) -> None:
        """The program (after ``kill``) or the machine (after the others) has come up again; nothing fails now."""
        if self.fault is not None and self.fault.kind in ("power", "torn"):
            self._names = dict(self._safe_names)
            for inode in self._names.values():
                inode.content = bytearray(inode.safe)
        self.fault = None
        self._open.clear()
        for inode in self._names.values():
            inode.holder = None

    # -- Storage ---------------------------------------------------------------------------------------------

    def make_folder(self, folder: Path) -> None:
        if folder not in self._folders:
            self._step("make_folder", lambda: self._folders.add(folder))

    def names(self, folder: Path) -> list[str]:
        return [path.name for path in self._names if path.parent == folder]

    def create(self, path: Path) -> int:
        if path in self._names:
            raise FileExistsError(path)
        self._step("create", lambda: self._names.__setitem__(path, Inode()))
        return self.open(path)

    def open(self, path: Path) -> int:
        if path not in self._names:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
        self._next += 1
        self._open[self._next] = self._names[path]
        return self._next

    def lock(self, handle: int) -> None:
        inode = self._open[handle]
        if inode.holder not in (None, handle):
            raise BlockingIOError
        inode.holder = handle

    def read(self, handle: int) -> bytes:
        return bytes(self._open[handle].content)

    def write(self, handle: int, data: bytes, at: int) -> int:
        inode = self._open[handle]
        fault = self._coming()
        taken = len(data)
        if fault is not None and fault.kind == "short":
            taken = 1
        elif fault is not None and fault.kind == "torn":
            self._place(inode, data[: fault.prefix], at)
            inode.safe = bytes(inode.content)
        elif fault is not None and fault.kind == "full":
            self._place(inode, data[: len(data) // 2], at)
        self._step("write", lambda: self._place(inode, data[:taken], at), size=len(data))
        return taken

    def cut(self, handle: int, size: int) -> None:
        self._step("cut", lambda: self._open[handle].content.__delitem__(slice(size, None)))

    def sync(self, handle: int) -> None:
        inode = self._open[handle]
        self._step("sync", lambda: setattr(inode, "safe", bytes(inode.content)))

    def sync_folder(self, folder: Path) -> None:
        def keep() -> None:
            others = {path: inode for path, inode in self._safe_names.items() if path.parent != folder}
            self._safe_names = others | {p: i for p, i in self._names.items() if p.parent == folder}

        self._step("sync_folder", keep)

    def rename(self, old: Path, new: Path) -> None:
        self._step("rename", lambda: self._names.__setitem__(new, self._names.pop(old)))

    def remove(self, path: Path) -> None:
        if path not in self._names:
            raise FileNotFoundError(path)
        self._step("remove", lambda: self._names.pop(path))

    def close(self, handle: int) -> None:
        inode = self._open.pop(handle)
        if inode.holder == handle:
            inode.holder = None

    # -- how it fails ----------------------------------------------------------------------------------------

    def _coming(self) -> Fault | None:
        """The fault of the next step."""
        fault = self.fault
        step = len(self.steps) + 1
        lasts = fault is not None and fault.kind in ("full", "broken") and fault.step < step < fault.step + fault.steps
        return fault if fault is not None and (step == fault.step or lasts) else None

    def _step(self, name: str, do: Callable[[], object], *, size: int = 0) -> None:
        fault = self._coming()
        self.steps.append(name)
        self.written.append(size)
        if fault is None:
            do()
            return
        self.hit = True
        match fault.kind:
            case "kill" | "power":
                raise Died
            case "torn" if name == "write":
                raise Died
            case "full" if name not in ("close", "remove", "cut"):
                raise OSError(errno.ENOSPC, "No space left on device")
            case "broken":
                raise OSError(errno.EIO, "Input/output error")
        do()

    @staticmethod
    def _place(inode: Inode, data: bytes, at: int) -> None:
        inode.content[at : at + len(data)] = data
