"""Still pictures: read from files, and drawn on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from vision.crops import Picture
from vision.errors import UnreadablePicture
from vision.events import CardSighting

GREEN, ORANGE = (60, 200, 60), (0, 140, 255)


def load_picture(path: str | Path) -> Picture:
    """The picture as (height, width, 3) uint8 BGR, turned upright as its EXIF data say.

    Raises:
        UnreadablePicture: missing, a folder, empty, truncated, or no picture.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UnreadablePicture("{file} : ce fichier n'existe pas", file=path) from None
    except IsADirectoryError:
        raise UnreadablePicture("{file} : c'est un dossier, donnez un fichier image", file=path) from None
    except OSError as problem:
        raise UnreadablePicture("{file} : illisible ({why})", file=path, why=problem.strerror or problem) from None
    return picture_of(data, path)


def picture_of(data: bytes, path: str | Path) -> Picture:
    """The same for the bytes of a file.

    Args:
        path: what it is called in what is said of it.

    Raises:
        UnreadablePicture
    """
    if not data:
        raise UnreadablePicture("{file} : ce fichier est vide", file=path)
    if _cut_short(data):
        raise UnreadablePicture("{file} : cette image est tronquée, copiez-la de nouveau", file=path)
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # absurd sizes in the header
        picture = None
    if picture is None:
        raise UnreadablePicture("{file} : ce n'est pas une image lisible (JPEG, PNG, WebP, BMP ou TIFF)", file=path)
    return picture


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG or PNG as its head says, before anything is decoded; None for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) if len(data) >= 24 else None
    if not data.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):  # start of frame (ITU T.81, table B.1)
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _cut_short(data: bytes) -> bool:
    """Whether a JPEG or PNG ends before its end mark; decoders fill the rest with grey, silently."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return b"IEND" not in data[-64:] and b"IEND\xae\x42\x60\x82" not in data
    return data.startswith(b"\xff\xd8\xff") and not _jpeg_ends(data)


def _jpeg_ends(data: bytes) -> bool:
    """Walks the segments of a JPEG (ITU T.81, annex B) to the scan data and looks for its end mark FFD9.

    A thumbnail inside the EXIF segment has an end mark of its own, so searching the whole file would not do.
    """
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return False
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif marker == 0xDA:  # start of the (first) scan: no more segments with thumbnails behind it
            return data.find(b"\xff\xd9", at) >= 0
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        elif marker == 0xD9:
            return True
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


def annotated(picture: Picture, sightings: Iterable[CardSighting]) -> Picture:
    """A copy of the picture with a box and a name round each card; orange where it was not read."""
    drawn = picture.copy()
    thick = max(1, round(max(drawn.shape[:2]) / 500))
    for sighting in sightings:
        colour = ORANGE if sighting.card is None else GREEN
        quad = np.int32(np.round(np.asarray(sighting.quad)))
        cv2.polylines(drawn, [quad.reshape(-1, 1, 2)], True, colour, thick, cv2.LINE_AA)
        text = f"{sighting.card or '-'} {sighting.confidence:.2f}"
        x, y = quad.mean(0)
        (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.3 * thick, thick)
        at = (int(x - width / 2), int(y))
        for ink, weight in (((0, 0, 0), 3 * thick), (colour, thick)):
            cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.3 * thick, ink, weight, cv2.LINE_AA)
    return drawn


def picture_file(path: str | Path) -> Path:
    """A place for a picture, before the work for it begins.

    Raises:
        UnreadablePicture: pictures are not written in the format of its ending.
    """
    path = Path(path)
    if not cv2.haveImageWriter(path.name if path.suffix else ".png"):
        raise UnreadablePicture("{file} : une image s'écrit en .png ou .jpg", file=path)
    return path


def save_picture(path: str | Path, picture: Picture) -> None:
    """Writes a picture in the format of the file's ending.

    Raises:
        UnreadablePicture: the place cannot be written, or pictures are not written in this format.
    """
    path = picture_file(path)
    _done, data = cv2.imencode(path.suffix or ".png", picture)
    try:
        path.write_bytes(data.tobytes())
    except OSError as problem:
        raise UnreadablePicture(
            "{file} : impossible d'écrire cette image ({why})", file=path, why=problem.strerror or problem
        ) from None
