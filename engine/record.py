"""Records: one table, one game, one item a line (NOTATION.md).

A record is read into lines that keep everything, remarks and comments too, so that writing it gives back what
was read.

>>> record = Record.parse("game trut # à deux\\nseats 2\\ndeal | t=1.50 by=camera\\nexpect turn 1\\n")
>>> record.header.seats, record.lines[2].event, record.lines[2].remarks["by"]
(2, Event(verb='deal', seat=None, args=()), 'camera')
>>> Record.parse(str(record)) == record
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Final

from engine.errors import TrutError
from engine.events import Event, event_of, number, words_of
from engine.expectations import KEYS
from engine.header import BadHeader, Header, score_of_words, score_words
from engine.table import HEADER_WORDS

VERSION: Final = 1
"""The highest version of the notation that this program reads."""

_KEPT_LINES = 1 << 16


class RecordError(TrutError):
    """A text that is no record at all. ``code`` is ``bad-header``, ``syntax`` or ``not-text``."""

    code = "bad-header"

    def __init__(self, template: str, *, code: str = "bad-header", line: int = 0, **fields: object) -> None:
        self.code = code
        self.line = line
        super().__init__(template, line=line, **fields)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record.

    Attributes:
        text: the line as it stands, without its end.
        kind: ``blank``, ``header``, ``event`` or ``expect``. A header word among the events is an event that
            is refused.
        words: the words of the item itself, without remarks and comment.
        event: what a line of kind ``header`` or ``event`` says as an event.
        remark: what follows ``|``, without it; None where there is none.
        comment: what follows ``#``, without it; None where there is none.
    """

    text: str
    kind: str
    words: tuple[str, ...]
    event: Event | None
    remark: str | None = None
    comment: str | None = None

    @classmethod
    def parse(cls, text: str) -> Line:
        """Read one line, without its end. Never fails."""
        body, mark, comment = text.partition("#")
        item, bar, remark = body.partition("|")
        words = words_of(item)
        if not words:
            kind = "blank"
        elif words[0] == "expect":
            kind = "expect"
        elif words[0] in HEADER_WORDS:
            kind = "header"
        else:
            kind = "event"
        event = event_of(words) if kind in ("header", "event") else None
        return cls(text, kind, words, event, remark if bar else None, comment if mark else None)

    @property
    def remarks(self) -> dict[str, str]:
        """How the event came about: ``t``, ``by``, ``p``, ``see`` and whatever else was written."""
        pairs = (word.partition("=") for word in words_of(self.remark or ""))
        return {key: value for key, _, value in pairs}

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record.

    Attributes:
        header: what the header lines say.
        lines: all lines, the header lines among them.
        torn: a last line that did not end; it is not one of ``lines`` (NOTATION.md section 9).
    """

    header: Header
    lines: tuple[Line, ...]
    torn: str | None = field(default=None, compare=False)

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record.

        Raises:
            RecordError: the text is no record at all: a header is malformed, or an expectation unknown.
        """
        text = text.removeprefix("\ufeff")
        tail = text[text.rfind("\n") + 1 :].rstrip("\r")
        lines = tuple(_lines(_whole_lines(text)))
        return cls(_header(lines), lines, tail if words_of(tail) else None)

    @classmethod
    def from_bytes(cls, data: bytes) -> Record:
        """Read a record from the bytes of its file; only a last line without an end may break off in a
        letter."""
        whole, end, tail = data.rpartition(b"\n")
        try:
            text = (whole + end).decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            line = data.count(b"\n", 0, problem.start) + 1
            raise RecordError(
                "ligne {line} : ce n'est pas du texte UTF-8", code="not-text", line=line
            ) from None
        return cls.parse(text + tail.decode("utf-8", "replace"))

    @classmethod
    def load(cls, path: Path | str) -> Record:
        """Read the record in a file.

        Raises:
            RecordError: no record, or a file that cannot be read.
        """
        try:
            data = Path(path).read_bytes()
        except FileNotFoundError:
            raise RecordError("ce fichier n'existe pas", code="unreadable-file") from None
        except IsADirectoryError:
            raise RecordError(
                "c'est un dossier, pas une partie enregistrée", code="unreadable-file"
            ) from None
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            raise RecordError("fichier illisible ({reason})", code="unreadable-file", reason=reason) from None
        return cls.from_bytes(data)

    def events(self) -> Iterator[Event]:
        """The events in order, refused ones too."""
        started = False
        for line in self.lines:
            started = started or line.kind == "event"
            if started and line.event is not None:
                yield line.event

    def __str__(self) -> str:
        return "".join(f"{line.text}\n" for line in self.lines)


def _whole_lines(text: str) -> Iterator[str]:
    """The lines that end, without their ends; the text itself is not copied."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end].rstrip("\r")
        start = end + 1


def _lines(texts: Iterable[str]) -> Iterator[Line]:
    """Read the lines. Equal lines are read once: a long record is mostly made of the same few."""
    known: dict[str, Line] = {}
    for place, text in enumerate(texts, 1):
        line = known.get(text)
        if line is None:
            line = Line.parse(text)
            if line.kind == "expect" and (len(line.words) < 2 or line.words[1] not in KEYS):
                raise RecordError(
                    "ligne {line} : attente inconnue « {text} »",
                    code="syntax",
                    line=place,
                    text=" ".join(line.words),
                )
            if len(known) < _KEPT_LINES:
                known[text] = line
        yield line


# The header lines


def _header(lines: tuple[Line, ...]) -> Header:
    """The header that the lines before the first event make together; the last of two equal ones counts."""
    found: list[tuple[int, Line]] = []
    for place, line in enumerate(lines, 1):
        if line.kind == "event":
            break
        if line.kind == "header":
            found.append((place, line))
        if line.kind == "expect" and not found:
            break
    if not found or found[0][1].words[0] != "game":
        raise RecordError(
            "ce n'est pas une partie enregistrée : la première ligne doit être « game … »", line=1
        )
    header: Header | None = None
    last = {line.text: place for place, line in found}  # of equal lines only the last one counts
    for word in ("game", "seats", "option", *sorted(HEADER_WORDS - {"game", "seats", "option"})):
        for place, line in found:
            if line.words[0] != word or last[line.text] != place:
                continue
            try:
                header = _HEADER_LINES[word](header, line)
            except BadHeader as problem:
                raise RecordError("ligne {line} : {detail}", line=place, detail=problem) from None
    assert header is not None
    return header


def _malformed(line: Line) -> BadHeader:
    return BadHeader("en-tête mal écrit : « {text} »", text=" ".join(line.words))


def _numbers(line: Line, *words: str) -> list[int]:
    numbers = [number(word) for word in words]
    known = [value for value in numbers if value is not None]
    if not words or len(known) != len(numbers):
        raise _malformed(line)
    return known


def _one(line: Line) -> str:
    if len(line.words) != 2:
        raise _malformed(line)
    return line.words[1]


def _game(header: Header | None, line: Line) -> Header:
    return Header(_one(line))


def _seats(header: Header | None, line: Line) -> Header:
    assert header is not None
    (seats,) = _numbers(line, _one(line))
    if seats == 0:
        raise _malformed(line)
    return replace(header, seats=seats, dealer=0)


def _dealer(header: Header | None, line: Line) -> Header:
    assert header is not None
    (dealer,) = _numbers(line, _one(line))
    if dealer == 0:
        raise _malformed(line)
    return replace(header, dealer=dealer)


def _score(header: Header | None, line: Line) -> Header:
    assert header is not None
    score = score_of_words(header.game, line.words[1:])
    if score is None:
        raise _malformed(line)
    return replace(header, score=score)


def _manche(header: Header | None, line: Line) -> Header:
    assert header is not None
    if len(line.words) != 5 or (line.words[1], line.words[3]) != ("A", "B"):
        raise _malformed(line)
    a, b = _numbers(line, line.words[2], line.words[4])
    return replace(header, manches={"A": a, "B": b})


def _option(header: Header | None, line: Line) -> Header:
    assert header is not None
    if len(line.words) != 3:
        raise _malformed(line)
    return replace(header, options=dict(header.options) | {line.words[1]: line.words[2]})


def _name(header: Header | None, line: Line) -> Header:
    assert header is not None
    words = words_of(line.text.partition("#")[0])  # a bar is no remark in a name
    if len(words) < 3:
        raise _malformed(line)
    (seat,) = _numbers(line, words[1])
    return replace(header, names=dict(header.names) | {seat: " ".join(words[2:])})


def _captain(header: Header | None, line: Line) -> Header:
    assert header is not None
    if len(line.words) != 3:
        raise _malformed(line)
    (seat,) = _numbers(line, line.words[2])
    return replace(header, captains=dict(header.captains) | {line.words[1]: seat})


def _version(header: Header | None, line: Line) -> Header:
    assert header is not None
    (version,) = _numbers(line, _one(line))
    if not 1 <= version <= VERSION:
        raise BadHeader("version {version} du format : ce programme lit la version 1", version=version)
    return replace(header, version=version)


def _date(header: Header | None, line: Line) -> Header:
    assert header is not None
    text = _one(line)
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
        raise _malformed(line)
    try:
        date.fromisoformat(text)
    except ValueError:
        raise _malformed(line) from None
    return replace(header, date=text)


_HEADER_LINES: Final[dict[str, Callable[[Header | None, Line], Header]]] = {
    "game": _game,
    "seats": _seats,
    "dealer": _dealer,
    "score": _score,
    "manche": _manche,
    "option": _option,
    "name": _name,
    "captain": _captain,
    "version": _version,
    "date": _date,
}


# Writing


def header_lines(header: Header) -> tuple[str, ...]:
    """The header lines of a new record.

    >>> header_lines(Header("trut", seats=2, dealer=1, options={"fortial": "off"}, names={1: "Marie"}))
    ('game trut', 'version 1', 'seats 2', 'dealer 1', 'option fortial off', 'name 1 Marie')
    """
    lines = [f"game {header.game}", f"version {header.version or VERSION}"]
    if header.date:
        lines.append(f"date {header.date}")
    lines += [f"seats {header.seats}", f"dealer {header.dealer}"]
    lines += [f"option {name} {value}" for name, value in sorted(header.options.items())]
    if header.score is not None:
        lines.append(f"score {score_words(header.score)}")
    if header.manches is not None:
        lines.append(f"manche A {header.manches['A']} B {header.manches['B']}")
    lines += [f"captain {team} {seat}" for team, seat in sorted(header.captains.items())]
    lines += [f"name {seat} {' '.join(name.split())}" for seat, name in sorted(header.names.items())]
    return tuple(lines)


def event_line(event: Event, remarks: Mapping[str, object] | None = None) -> str:
    """The line of an event with how it came about. A float ``t`` gets two decimals.

    >>> event_line(Event("play", 1, ("7h",)), {"t": 2.754, "by": "camera", "p": 0.98})
    'play 1 7h | t=2.75 by=camera p=0.98'
    """
    if not remarks:
        return str(event)
    words = (
        f"{key}={value:.2f}" if isinstance(value, float) else f"{key}={''.join(str(value).split())}"
        for key, value in remarks.items()
    )
    return f"{event} | {' '.join(words)}"
