"""The games that are kept: listed, told, taken away and brought in.

Everybody with the link may read the running game; the others, which are the players' own business, and bringing one in
are for those who have the code. The ids of games are made here from the names of the files in the folder of records; a
request only ever picks one of them, so nothing from the network reaches a file name. Records are read and replayed in
worker threads, few at a time; the event loop and the referee do not wait for them.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from assistant.belongings import RECORD
from assistant.growing import GrowingFile
from assistant.i18n import LANGUAGES, both, describe
from assistant.journal import SUFFIX
from assistant.page.access import body_of, correcting, must_correct, page_of
from assistant.page.history import MOST, Book, NoSuchMoment, Row
from assistant.page.refusals import Refused
from assistant.report.page import page as report_page
from assistant.report.reading import told
from assistant.storage import Disk
from engine import Record
from engine.errors import TrutError

RUNNING: Final = "running"
"""The id of the game at the table, whichever it is."""
LARGEST: Final = 1 << 20
"""Bytes of the largest record that is brought in, or read here; a long evening has a tenth of that."""
LISTED: Final = 500
"""Games that are listed, the newest first."""
KEPT: Final = 5000
"""Records in the folder from which on no more are brought in."""
OPEN: Final = 8
"""Books that stay open."""
AT_ONCE: Final = 2
"""Records that are worked through at the same time."""
KIND: Final = "application/octet-stream"

Found = TypeVar("Found")


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        Route("/api/games", _games, methods=["GET"]),
        Route("/api/games", _bring_in, methods=["POST"]),
        Route("/api/games/{id}", _history),
        Route("/api/games/{id}/moment/{k}", _moment),
        Route("/api/games/{id}/record", _record),
        Route("/api/games/{id}/report", _report),
    ]


# The shelf


@dataclass(frozen=True, slots=True)
class File:
    """A record in the folder, as it was when it was looked at. ``id`` is its name without the ending."""

    id: str
    path: Path
    size: int
    changed: int
    """Nanoseconds."""


class Shelf:
    """The games of one page. Used by several threads.

    Args:
        folder: of records, None where none are kept.
        running: gives the record of the game at the table and its file, None where no game is.
    """

    def __init__(self, folder: Path | None, running: Callable[[], tuple[str, Path | None] | None]) -> None:
        self.folder, self._running = folder, running
        self._lock = threading.Lock()
        self._bringing = threading.Lock()
        self._books: OrderedDict[tuple[str, int, int], Book] = OrderedDict()
        self._summaries: dict[tuple[str, int, int], Row] = {}
        self._now: Book | None = None

    def files(self) -> list[File]:
        """The records in the folder, the newest first. Links are not followed."""
        found: list[File] = []
        if self.folder is None:
            return found
        with contextlib.suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                if not (entry.name.endswith(SUFFIX) and RECORD.fullmatch(entry.name)):
                    continue
                with contextlib.suppress(OSError):
                    if entry.is_file(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        path = self.folder / entry.name
                        found.append(File(path.stem, path, status.st_size, status.st_mtime_ns))
        return sorted(found, key=lambda file: (file.changed, file.id), reverse=True)

    def listing(self, *, all_games: bool) -> Row:
        """The running game and, if asked for, the others; ``more`` is how many are not listed."""
        rows: list[Row] = []
        now, path = self.running()
        if now is not None:
            rows.append({"id": RUNNING, "running": True, **now.summary()})
        if not all_games:
            return {"games": rows, "more": 0, "all": False}
        files = [file for file in self.files() if path is None or file.path.name != path.name]
        rows += [self._summary(file) for file in files[:LISTED]]
        return {"games": rows, "more": max(0, len(files) - LISTED), "all": True}

    def _summary(self, file: File) -> Row:
        key = (file.id, file.size, file.changed)
        row = self._summaries.get(key)
        if row is None:
            row = {"id": file.id, "running": False}
            try:
                row |= self._open(file).summary()
            except TrutError as problem:
                row |= {"problem": both(partial(describe, problem))}
            with self._lock:
                if len(self._summaries) > 2 * LISTED:
                    self._summaries.clear()
                self._summaries[key] = row
        return row

    def running(self) -> tuple[Book | None, Path | None]:
        """The game at the table, and its file."""
        found = self._running()
        if found is None:
            return None, None
        text, path = found
        with self._lock:
            if self._now is None:
                self._now = Book(text)
            else:
                self._now.grow(text)
            return self._now, path

    def book(self, name: str) -> tuple[Book, str]:
        """A game by its id, and the name under which it is taken away.

        Raises:
            Refused: there is none.
            TrutError: it cannot be read.
        """
        if name == RUNNING:
            now, path = self.running()
            if now is None:
                raise _no_game()
            return now, path.stem if path is not None else now.header.game
        file = self._file(name)
        return self._book(file), file.id

    def record(self, name: str) -> tuple[bytes, str]:
        """A record as it is, and its name without the ending.

        Raises:
            Refused: there is none.
        """
        if name == RUNNING:
            found = self._running()
            if found is None:
                raise _no_game()
            text, path = found
            return text.encode(), path.stem if path is not None else RUNNING
        file = self._file(name)
        return _bytes(file), file.id

    def _file(self, name: str) -> File:
        for file in self.files():
            if file.id == name:
                return file
        raise _no_game()

    def _book(self, file: File) -> Book:
        key = (file.id, file.size, file.changed)
        with self._lock:
            book = self._books.pop(key, None)
        if book is None:
            book = self._open(file)
        with self._lock:
            self._books[key] = book
            while len(self._books) > OPEN:
                self._books.popitem(last=False)
        return book

    def _open(self, file: File) -> Book:
        return Book(_text(_bytes(file)))

    def bring_in(self, data: bytes) -> tuple[str, bool]:
        """Keep a record that came from elsewhere.

        Returns:
            The id of the game, and whether it was there already.

        Raises:
            RecordError, RecordTooLong: it is no record.
            Refused: no records are kept here, or too many, or the disk takes none.
        """
        if self.folder is None:
            raise Refused("Cette table ne garde pas de parties.", "no-records", 409)
        record = Record.from_bytes(data)
        told(record, MOST)
        with self._bringing:
            files = self.files()
            for file in files:
                if file.size == len(data) and _bytes(file) == data:
                    return file.id, True
            if len(files) >= KEPT:
                raise Refused("Il y a déjà trop de parties dans ce dossier.", "too-many-games", 409)
            grown = GrowingFile(Disk(), self.folder, record.header.game, SUFFIX)
            grown.text += data
            try:
                grown.save()
            except OSError as problem:
                why = problem.strerror or str(problem)
                raise Refused(
                    "Impossible d'enregistrer la partie ({why}).", "record-unwritable", 507, why=why
                ) from None
            finally:
                grown.close()
            assert grown.path is not None
            _date_back(grown.path, record.header.date)
            return grown.path.stem, False


def _bytes(file: File) -> bytes:
    """What is in a file.

    Raises:
        Refused: too much, or it has gone.
    """
    if file.size > LARGEST:
        raise Refused("Cette partie est trop longue pour la page.", "record-too-long", 413)
    try:
        with file.path.open("rb") as opened:
            return opened.read(LARGEST + 1)
    except OSError:
        raise _no_game() from None


def _text(data: bytes) -> str:
    """A record as text. What a torn end has of half a letter does not count."""
    Record.from_bytes(data)  # says what is wrong, with its line
    return data.decode("utf-8-sig", "replace")


def _date_back(path: Path, day: str | None) -> None:
    """A game that was brought in is not the one to go on with (``trut resume`` takes the newest): its file is as old
    as the game."""
    when = datetime.combine(date.fromisoformat(day), time(12), UTC).timestamp() if day else 1.0
    with contextlib.suppress(OSError, OverflowError, ValueError):
        os.utime(path, (when, min(when, path.stat().st_mtime - 60.0)))


def _no_game() -> Refused:
    return Refused("Cette partie n'est pas là.", "no-such-game", 404)


# Requests


async def _games(request: Request) -> Response:
    shelf = _shelf(request)
    page = page_of(request)
    joined = bool(page.access.visitor(request).name)
    return JSONResponse(await _aside(request, lambda: shelf.listing(all_games=joined)))


async def _history(request: Request) -> Response:
    since = _number(request.query_params.get("since", ""), 1)
    return _json(await _of_game(request, lambda book, name: book.history(since)))


async def _moment(request: Request) -> Response:
    k = _number(request.path_params["k"], -1)
    try:
        return _json(await _of_game(request, lambda book, name: book.moment(k)))
    except NoSuchMoment:
        raise Refused("La partie n'a pas tant de coups.", "no-such-moment", 404) from None


async def _record(request: Request) -> Response:
    name = _named(request)
    shelf = _shelf(request)
    data, stem = await _aside(request, lambda: shelf.record(name))
    return _download(data, f"{stem}{SUFFIX}", "text/plain; charset=utf-8")


async def _report(request: Request) -> Response:
    lang = request.query_params.get("lang", page_of(request).lang)
    if lang not in LANGUAGES:
        raise Refused("Il n'y a que deux langues : fr et en.", "bad-request", 400)
    html, name = await _of_game(request, lambda book, name: (report_page(book.story, lang), name))
    return _download(html, f"{name}.{lang}.html", "text/html; charset=utf-8")


@correcting
async def _bring_in(request: Request) -> Response:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != KIND:
        raise Refused("Il faut une partie enregistrée (content-type: {kind}).", "not-a-record", 415, kind=KIND)
    data = await body_of(request, LARGEST)
    shelf = _shelf(request)
    name, known = await _aside(request, lambda: shelf.bring_in(data))
    return JSONResponse({"id": name, "known": known}, status_code=200 if known else 201)


async def _of_game(request: Request, work: Callable[[Book, str], Found]) -> Found:
    """Do something with the game that a request names."""
    name = _named(request)
    shelf = _shelf(request)
    return await _aside(request, lambda: work(*shelf.book(name)))


def _named(request: Request) -> str:
    """The id of the game that a request names, if he who asks may read it."""
    name: str = request.path_params["id"]
    if name != RUNNING:
        must_correct(request)
    return name


async def _aside(request: Request, work: Callable[[], Found]) -> Found:
    """Work in a thread of its own; of a record that cannot be used is told why."""
    state = request.app.state
    if not hasattr(state, "readers"):
        state.readers = anyio.CapacityLimiter(AT_ONCE)
    try:
        return await anyio.to_thread.run_sync(work, limiter=state.readers)
    except Refused:
        raise
    except TrutError as problem:
        raise Refused("{why}", problem.code, 422, why=problem) from None


def _shelf(request: Request) -> Shelf:
    state = request.app.state
    if not hasattr(state, "shelf"):
        page = page_of(request)
        state.shelf = Shelf(page.records, page.running)
    shelf: Shelf = state.shelf
    return shelf


def _number(word: str, otherwise: int) -> int:
    """The number that a request names, of no more digits than any game needs."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 9 else otherwise


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")


def _download(text: str | bytes, name: str, kind: str) -> Response:
    """A file to keep. Its name is made of ours alone."""
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
