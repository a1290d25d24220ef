"""The picture that is shown: small, and what is drawn over it as numbers, so that the page writes names as text."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Frame
from vision.events import Quad
from vision.seats import SeatMap

WIDTHS = (960, 640, 400)
"""Pixels of width, by what the way to the browser can carry."""
QUALITY = 70
AT = 0.92
"""Where a seat's name stands: so far from the middle to the border."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What lies over the picture, in shares of its width and height.

    Attributes:
        cards: for each its track, name (None: not read), chance (None: not known), what it was counted for (None: not),
            and corners.
        hands: seats whose hand is over the table.
        seats: seat -> where its name stands.
        borders: between the zones, from the middle to the border of the table.
        table: the corners of a table that does not fill the picture.
    """

    cards: Sequence[Mapping[str, object]] = ()
    hands: Sequence[int] = ()
    seats: Mapping[int, tuple[float, float]] | None = None
    borders: Sequence[tuple[tuple[float, float], tuple[float, float]]] = ()
    table: Sequence[tuple[float, float]] | None = None

    def row(self) -> dict[str, object]:
        """For the page."""
        seats = [{"seat": seat, "at": list(at)} for seat, at in (self.seats or {}).items()]
        borders = [[list(a), list(b)] for a, b in self.borders]
        table = None if self.table is None else [list(corner) for corner in self.table]
        return {
            "cards": list(self.cards),
            "hands": list(self.hands),
            "seats": seats,
            "borders": borders,
            "table": table,
        }


def shares(quad: Quad, width: int, height: int) -> list[list[float]]:
    """Pixels as shares of a picture."""
    return [[round(x / width, 4), round(y / height, 4)] for x, y in quad]


def zones(seats: SeatMap, width: int, height: int) -> Drawing:
    """The zones of the seats in a picture of that size: names and borders."""
    import cv2

    scale = np.array([seats.width / width, seats.height / height])
    size = np.array([width, height])
    shape = seats.proportion or seats.width / seats.height
    corners = seats.table or ((0, 0), (seats.width, 0), (seats.width, seats.height), (0, seats.height))
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    to_picture = cv2.getPerspectiveTransform(square, np.array(corners, np.float32))

    def pixel(point: np.ndarray) -> tuple[float, float]:
        x, y = cv2.perspectiveTransform(np.array([[point]], np.float64), to_picture)[0, 0] / scale / size
        return round(float(x), 4), round(float(y), 4)

    middle = seats.on(np.array([seats.centre]))[0]
    places = {seat: np.array(place, float) for seat, place in sorted(seats.places.items())}
    around = sorted(places.values(), key=lambda place: np.arctan2(place[1], place[0] * shape))
    borders = []
    for one, other in zip(around, [*around[1:], *around[:1]], strict=True):
        a, b = (v / np.linalg.norm(v) for v in (one * [shape, 1], other * [shape, 1]))
        way = a + b
        if np.linalg.norm(way) < 1e-6:  # they sit opposite each other: the border lies across
            way = np.array([-a[1], a[0]])
        way = way / [shape, 1]
        borders.append((pixel(middle), pixel(middle + way * _reach(middle, way))))
    names = {seat: pixel(middle + AT * (place - middle)) for seat, place in places.items()}
    table = None if seats.table is None else [pixel(corner.astype(float)) for corner in square]
    return Drawing(seats=names, borders=borders, table=table)


def _reach(start: np.ndarray, way: np.ndarray) -> float:
    """How far it is from ``start`` along ``way`` to the border of the table, in lengths of ``way``."""
    edges = [(np.sign(w) - s) / w for s, w in zip(start, way, strict=True) if abs(w) > 1e-9]
    return float(min((edge for edge in edges if edge > 0), default=0.0))


def jpeg(frame: Frame, width: int) -> tuple[bytes, int, int]:
    """A picture no wider than ``width``.

    Returns:
        The JPEG, its width and height. Empty where it could not be made.
    """
    import cv2

    there, high = frame.image.shape[1], frame.image.shape[0]
    scale = min(1.0, width / there)
    size = max(1, round(there * scale)), max(1, round(high * scale))
    small = frame.image if scale == 1 else cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    return (data.tobytes() if done else b""), size[0], size[1]


def packed(header: Mapping[str, object], data: bytes) -> bytes:
    """One message of a socket: the length of the header (four bytes, big end first), the header as JSON, the data."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return struct.pack(">I", len(text)) + text + data
