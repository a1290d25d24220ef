"""Where frames come from: a live camera, a film, a folder of pictures. One inner form, ``Frame``.

The name of a source decides what it is: a number is a device, a folder is its pictures in the order of their
names (two a second), an existing file is a film (or one picture), anything with ``://`` is a stream, part of a camera's
name is that camera.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import CameraUnavailable

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET; OpenCV looks when it first needs FFmpeg

Image = npt.NDArray[np.uint8]

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
FOLDER_RATE = 2.0
"""Pictures a second of a folder (CLI.md, `trut watch`)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the table.

    Attributes:
        t: seconds on the medium's clock.
        image: height x width x 3, BGR, uint8.
        index: number of the frame from 0; a gap means that pictures were dropped.
    """

    t: float
    image: Image
    index: int


class Camera(Protocol):
    """Anything that yields frames in the order of time."""

    live: bool

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None: ...


def quiet_capture(source: str | int, way: int = cv2.CAP_ANY) -> cv2.VideoCapture:
    """Open quietly: FFmpeg and OpenCV print a page of their own about a file that is no film.

    Args:
        way: OpenCV's name for the library that opens it.
    """
    logging = cv2.utils.logging
    level = logging.getLogLevel()
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(source, way)
    finally:
        logging.setLogLevel(level)


class FilmCamera:
    """The frames of a film, all of them, on its own clock (the container's time stamps)."""

    live = False

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.stat().st_size == 0:
            raise CameraUnavailable("{name} : fichier vide, il faut un film", name=path)
        self._capture = quiet_capture(str(path))
        ok, first = self._capture.read() if self._capture.isOpened() else (False, None)
        if not ok or first is None:
            raise CameraUnavailable("{name} : ce n'est pas un film lisible", name=path)
        self._first = np.asarray(first, np.uint8)
        self._first_t = self._stamp()
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._step = 1 / rate if math.isfinite(rate) and 1 <= rate <= 240 else 0.04

    def _stamp(self) -> float:
        return float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000

    def __iter__(self) -> Iterator[Frame]:
        t = self._first_t if math.isfinite(self._first_t) and self._first_t >= 0 else 0.0
        yield Frame(t, self._first, 0)
        index = 0
        while True:
            ok, image = self._capture.read()
            if not ok or image is None:
                break
            index += 1
            stamp = self._stamp()
            # A container without time stamps, or with broken ones, falls back to its frame rate.
            t = stamp if math.isfinite(stamp) and stamp > t else t + self._step
            yield Frame(t, np.asarray(image, np.uint8), index)
        promised = float(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        # The number is an estimate in some containers: only a clear difference tells.
        if math.isfinite(promised) and index + 1 < 0.9 * promised - 10:
            raise CameraUnavailable(
                "{name} : le film s'arrête avant sa fin, il est abîmé ou incomplet", name=self.path
            )

    def close(self) -> None:
        self._capture.release()


class FolderCamera:
    """A folder's pictures in the order of their names, two a second."""

    live = False

    def __init__(self, folder: Path) -> None:
        self.files = sorted(
            (p for p in folder.iterdir() if p.suffix.lower() in PICTURES), key=lambda p: _natural(p.name)
        )
        if not self.files:
            raise CameraUnavailable("{name} : aucun film ni aucune image dans ce dossier", name=folder)

    def __iter__(self) -> Iterator[Frame]:
        for index, file in enumerate(self.files):
            data = np.frombuffer(file.read_bytes(), np.uint8)
            image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
            if image is None:
                raise CameraUnavailable("{name} : image illisible", name=file)
            yield Frame(index / FOLDER_RATE, np.asarray(image, np.uint8), index)

    def close(self) -> None:
        pass


def is_live(source: str) -> bool:
    """Whether ``--camera`` names a device (number, path, or what is no file: a part of its name) or a stream."""
    if re.fullmatch(r"\d+", source) or "://" in source or Path(source).is_char_device():
        return True
    from vision.webcams import OpenCV

    name = source.strip().casefold()
    return not Path(source).exists() and any(name in webcam.name.casefold() for webcam in OpenCV().cameras())


def open_camera(source: str) -> Camera:
    """Open what ``--camera`` names.

    Raises:
        NoSuchCamera: a device that is not there (exit status 1).
        CameraUnavailable: a file or folder that holds no pictures (exit status 2).
    """
    if is_live(source):
        from vision.live_camera import LiveCamera  # films are seen without it

        return LiveCamera(source)
    path = Path(source)
    if path.is_dir():
        return FolderCamera(path)
    if not path.is_file():
        raise CameraUnavailable("{name} : ni un film, ni un dossier, ni un numéro de caméra", name=source)
    if path.suffix.lower() in PICTURES:
        return _SinglePicture(path)
    return FilmCamera(path)


class _SinglePicture(FolderCamera):
    """One picture as a film of one frame."""

    def __init__(self, file: Path) -> None:
        self.files = [file]


def _natural(name: str) -> list[object]:
    """Sort key that puts 2.jpg before 10.jpg."""
    return [(0, int(part)) if part.isdigit() else (1, part) for part in re.split(r"(\d+)", name)]
