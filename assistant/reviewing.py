"""The last trick once more: which cards it had, how sure each reading was, and the picture behind it.

Of every card that is read a small picture is kept for a while, in memory alone: the card and a rim of the table
round it, never what lies farther (a hand that somebody holds is no business of the assistant's). At most
``MOST`` pictures of at most ``LARGEST`` bytes: under 2 MB, whatever the camera.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.account import Entry
from engine import Game, Refusal, TrickRotten, TrickWon
from vision.camera import Frame
from vision.events import CardLaid, CardReread, Quad, TableObservation

MOST = 48
"""Pictures that are kept: eight tricks of six players."""
SIDE = 240
"""Pixels of the longer side of a picture."""
LARGEST = 40_000
"""Bytes of a picture; a larger one is not kept (at ``SIDE`` and ``QUALITY`` none is: noise makes 35,000)."""
QUALITY = 80
RIM = 0.25
"""Share of the card's size that is seen round it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A card of a trick and where it comes from.

    Attributes:
        p: how sure the reading is, 0 to 1; None where nobody read it (dictated, or a record taken up again).
        picture: JPEG, None where there is none any more.
    """

    seat: int
    card: str
    p: float | None = None
    picture: bytes | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """The cards of the last trick in the order in which they were laid; of the running one where none is complete.

    Attributes:
        complete: whether everybody has laid a card.
        winner: the seat that took it, None for a rotten trick or a running one.
    """

    cards: tuple[Reading, ...]
    complete: bool = False
    winner: int | None = None


class CloseUps:
    """The pictures behind the readings. Eyes keep them in their thread, others ask for them in theirs."""

    def __init__(self) -> None:
        self._jpegs: OrderedDict[int, bytes] = OrderedDict()
        self._quads: OrderedDict[int, Quad] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._jpegs)

    def keep(self, frame: Frame | None, seen: Iterable[TableObservation]) -> None:
        """Keep what the cards that were read in this frame look like in it; None: nothing of it may be kept."""
        if frame is None:
            return
        for one in seen:
            if isinstance(one, CardLaid):
                self._quads[one.track] = one.quad
            if isinstance(one, CardLaid | CardReread) and one.track in self._quads:
                self._keep(one.track, frame)

    def _keep(self, track: int, frame: Frame) -> None:
        jpeg = close_up(frame, self._quads[track])
        with self._lock:
            if jpeg is not None and len(jpeg) <= LARGEST:
                self._jpegs[track] = jpeg
                self._jpegs.move_to_end(track)
            while len(self._jpegs) > MOST:
                self._jpegs.popitem(last=False)
            while len(self._quads) > MOST:
                self._quads.popitem(last=False)

    def of(self, track: int) -> bytes | None:
        """The picture of a card, JPEG; None where there is none any more."""
        with self._lock:
            return self._jpegs.get(track)


def close_up(frame: Frame, quad: Quad) -> bytes | None:
    """A card and a rim round it as JPEG; None where it lies outside the picture."""
    import cv2

    corners = np.array(quad)
    low, high = corners.min(axis=0), corners.max(axis=0)
    rim = RIM * (high - low)
    height, width = frame.image.shape[:2]
    left, top = np.clip(np.floor(low - rim), 0, (width, height)).astype(int)
    right, bottom = np.clip(np.ceil(high + rim), 0, (width, height)).astype(int)
    if right - left < 2 or bottom - top < 2:
        return None
    scale = min(1.0, SIDE / max(right - left, bottom - top))
    small = cv2.resize(frame.image[top:bottom, left:right], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    done, jpeg = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    return jpeg.tobytes() if done else None


def review(game: Game, entries: Sequence[Entry], close_ups: CloseUps) -> Review:
    """The last trick of a game, or the running one where none is complete.

    Args:
        game: as it stands.
        entries: the account's, whose events are the last ones of the game's log.
        close_ups: the pictures kept.
    """
    plays, complete, winner = _last_trick(game)
    newest = [entry for entry in reversed(entries) for _event in entry.events]
    behind = dict(zip(range(len(game.log) - 1, -1, -1), newest, strict=False))
    return Review(tuple(_reading(game, at, behind.get(at), close_ups) for at in plays), complete, winner)


def _last_trick(game: Game) -> tuple[list[int], bool, int | None]:
    """Where its cards stand in the log, whether it is complete, and who took it."""
    again = Game(game.header)
    last: tuple[list[int], bool, int | None] | None = None
    running: list[int] = []
    for at, event in enumerate(game.log):
        answer = again.apply(event)
        if event.verb == "deal":
            running = []
        if isinstance(answer, Refusal) or event.verb != "play":
            continue
        running.append(at)
        for outcome in answer.outcomes:
            if isinstance(outcome, TrickWon | TrickRotten):
                last = running, True, outcome.seat if isinstance(outcome, TrickWon) else None
                running = []
    return last if last is not None else (running, False, None)


def _reading(game: Game, at: int, entry: Entry | None, close_ups: CloseUps) -> Reading:
    event = game.log[at]
    assert event.seat is not None
    if entry is None or not isinstance(entry.seen, CardLaid):
        return Reading(event.seat, event.args[0])
    return Reading(event.seat, event.args[0], entry.p, close_ups.of(entry.seen.track))
