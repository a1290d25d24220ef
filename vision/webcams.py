"""The cameras of this machine: which there are, by names that stay, and how one is opened.

Numbers change: after a restart or a replug camera 0 may be another one. Where the system gives names that stay (on
Linux ``/dev/v4l/by-id``) a camera is known by its name, elsewhere by its number.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.camera import Image, quiet_capture
from vision.errors import CameraBusy, NoSuchCamera

WIDTH, HEIGHT = 1280, 720
"""Enough for cards of 80 pixels and up."""
YOUNGEST, OLDEST = 0.0, 5.0
"""Seconds that a device's time stamp may lie back to be believed."""


@dataclass(frozen=True, slots=True)
class Webcam:
    """One camera.

    Attributes:
        index: its number now.
        name: for people.
        path: a name that stays with the device (``/dev/v4l/by-id/...``), empty where the system gives none.
    """

    index: int
    name: str
    path: str = ""


class Capture(Protocol):
    """An open camera; only one thread uses it."""

    def grab(self) -> bool:
        """Wait for the next picture; False: none will come any more."""
        ...

    def retrieve(self) -> Image | None:
        """The picture that was grabbed last."""
        ...

    def stamp(self) -> float | None:
        """When it was taken, on the clock of ``time.monotonic``; None where the device does not say."""
        ...

    def close(self) -> None: ...


class Backend(Protocol):
    """Whatever knows the cameras."""

    def cameras(self) -> Sequence[Webcam]:
        """The cameras there are now; none where the system does not list them."""
        ...

    def open(self, source: int | str, attempt: int) -> Capture:
        """Open a camera by number, a device by path, or a stream by address. May take long, or hang.

        Args:
            attempt: 0, 1, ...: a system with several ways to a camera tries another at each.

        Raises:
            NoSuchCamera: it is not there, or gives no picture.
            CameraBusy: another program has it.
        """
        ...


def choose(cameras: Sequence[Webcam], wanted: str) -> Webcam:
    """The camera by number, by path, by name or part of its name; empty: the first.

    Raises:
        NoSuchCamera: there is none such.
    """
    asked = wanted.strip().casefold()
    if not asked:
        found = list(cameras[:1])
    elif asked.isdecimal():
        found = [c for c in cameras if c.index == int(asked)]
    else:
        found = [c for c in cameras if asked in (c.path.casefold(), c.name.casefold(), f"/dev/video{c.index}")]
        found = found or [c for c in cameras if asked in c.name.casefold()]
    if not found:
        raise unavailable(wanted or "0")
    return found[0]


class OpenCV:
    """The cameras as OpenCV opens them.

    Args:
        root: of the file system in which Linux lists its devices.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def cameras(self) -> list[Webcam]:
        """Those of Linux, in the order of their numbers. A camera has several nodes, the first gives its pictures."""
        by_id = {_index(path.resolve().name): path for path in _sorted(self._root / "dev/v4l/by-id")}
        found = []
        for node in _sorted(self._root / "sys/class/video4linux"):
            index = _index(node.name)
            if index is None or _read(node / "index", "0") != "0":
                continue
            path = by_id.get(index)
            found.append(Webcam(index, _read(node / "name", node.name), "" if path is None else str(path)))
        return sorted(found, key=lambda webcam: webcam.index)

    def open(self, source: int | str, attempt: int) -> Capture:
        device = source
        if isinstance(source, str) and "://" not in source:
            number = _index(Path(source).resolve().name)
            if number is None:
                raise unavailable(source)
            device = number
        capture = quiet_capture(device, _way(device, attempt))
        if not capture.isOpened():
            capture.release()
            raise self._why(source, device)
        if isinstance(device, int):
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # what we see is young
        if not capture.grab():
            capture.release()
            raise self._why(source, device)
        return _OpenCVCapture(capture)

    def _why(self, source: int | str, device: int | str) -> NoSuchCamera:
        """A camera that another program has cannot be read: says which program, where that can be known."""
        if isinstance(device, int):
            holder = self.holder(device)
            if holder is not None:
                return CameraBusy("la caméra {name} est prise par {program} : fermez-le", name=source, program=holder)
        return unavailable(source)

    def holder(self, index: int) -> str | None:
        """The program that has camera ``index`` open, of those that this user may look at; None where none has."""
        node = self._root / f"dev/video{index}"
        for process in self._root.glob("proc/[0-9]*"):
            if process.name == str(os.getpid()):
                continue
            try:
                if any(os.path.realpath(fd) == str(node) for fd in (process / "fd").iterdir()):
                    return _read(process / "comm", process.name)
            except OSError:  # ended meanwhile, or another user's
                continue
        return None


class _OpenCVCapture:
    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture
        self._stamps = capture.getBackendName() == "V4L2"

    def grab(self) -> bool:
        return bool(self._capture.grab())

    def retrieve(self) -> Image | None:
        ok, image = self._capture.retrieve()
        return np.asarray(image, np.uint8) if ok and image is not None else None

    def stamp(self) -> float | None:
        """V4L2 stamps with the clock of ``time.monotonic``; a driver that does otherwise is not believed."""
        if not self._stamps:
            return None
        stamp = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        return stamp if YOUNGEST <= time.monotonic() - stamp <= OLDEST else None

    def close(self) -> None:
        self._capture.release()


def _way(device: int | str, attempt: int) -> int:
    """The sound choices of each system, taken in turn: one of Windows' two is slow with some cameras (opencv#17687)."""
    if isinstance(device, str):
        return int(cv2.CAP_ANY)
    ways = {"linux": (cv2.CAP_V4L2, cv2.CAP_ANY), "win32": (cv2.CAP_MSMF, cv2.CAP_DSHOW)}.get(
        sys.platform, (cv2.CAP_ANY,)
    )
    return int(ways[attempt % len(ways)])


def unavailable(source: int | str) -> NoSuchCamera:
    """The error of a camera that is not there, or gives nothing."""
    return NoSuchCamera("caméra {name} introuvable ou muette ; « trut doctor » liste ce qui est branché", name=source)


def _sorted(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _index(name: str) -> int | None:
    match = re.fullmatch(r"video(\d+)", name)
    return int(match[1]) if match else None


def _read(path: Path, default: str) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or default
    except OSError:
        return default
