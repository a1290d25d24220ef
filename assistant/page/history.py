"""The history of a game for the page: trick by trick, and the board as it stood after any of its events.

A ``Book`` holds one game and is read by several threads; what it has told it does not make again. Sentences are in both
languages. A *moment* is a number of events: moment 0 is before the first one, moment ``n`` is how the game stands after
the ``n`` th event of its log.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from assistant.announcer import Announcer
from assistant.i18n import LANGUAGES, Both, both, in_language, typeset
from assistant.page.board import Around, board
from assistant.page.board import Said as Announced
from assistant.page.event_ids import Named
from assistant.report.reading import too_long
from assistant.report.story import Broken, Corrected, Laid, Passage, Round, Said, Story, Teller, Thing
from assistant.report.words import Told, Words, pack_of
from engine import Event, Game, Header, Record, TrickRotten
from engine.cards import team_of
from engine.header import TRUT_FAMILY
from engine.record import Line

Row = dict[str, object]
Asked = TypeVar("Asked")
MOST: Final = 10_000
"""Events of the longest game that is told here; a long evening has three thousand, and the table goes on meanwhile."""


class NoSuchMoment(IndexError):
    """The game has not so many events."""


class Book:
    """One game.

    Args:
        record: the text of its record; ``grow`` takes a longer one.

    Raises:
        RecordError: it is no record.
        RecordTooLong: it has more events than any evening.
    """

    def __init__(self, record: str) -> None:
        self._lock = threading.RLock()
        self._begun = 0
        self._begin(record)

    def _begin(self, text: str) -> None:
        self._begun += 1
        record = Record.parse(text)
        _check(record.lines)
        self.header: Header = record.header
        self._text, self._torn = text, record.torn
        self._teller = Teller(record.header)
        for line in record.lines:
            self._teller.hear(line)
        self._tell()
        self._rows: list[tuple[Round, str]] = []
        self._game = Game(record.header)
        self._announcer = Announcer(self._game)

    def grow(self, record: str) -> None:
        """The record as it is now. Where it only has more lines than before, nothing of before is read again."""
        with self._lock:
            if record == self._text:
                return
            kept = self._text[: self._text.rfind("\n") + 1]
            if not record.startswith(kept) or self._torn is not None:
                self._begin(record)
                return
            whole = record[: record.rfind("\n") + 1]
            lines = [Line.parse(text.rstrip("\r")) for text in whole[len(kept) :].split("\n")[:-1]]
            if self._teller.lines + len(lines) > 2 * MOST:
                raise too_long(MOST)
            for line in lines:
                self._teller.hear(line)
            self._text = record
            self._tell()

    def _tell(self) -> None:
        self.story: Story = self._teller.story()
        self._log = self._teller.game.log

    # -- trick by trick --------------------------------------------------------------------------------------

    def summary(self) -> Row:
        """What a list of games says of it."""
        story, header = self.story, self.header
        words = Words(header)
        return {
            "game": header.game,
            "title": both(words.title),
            "seats": header.seats,
            "date": header.date,
            "teams": [
                {"id": team, "name": _named(words.team, team), "score": dict(story.score[team])} for team in "AB"
            ],
            "rounds": len(story.rounds),
            "events": story.events,
            "winner": story.winner,
        }

    def history(self, since: int = 1) -> str:
        """The whole story as JSON, or its rounds from number ``since`` on, as they are counted here. As long as
        ``undone`` and ``begun`` are the same, earlier rounds are."""
        with self._lock:
            story, header = self.story, self.header
            words = Words(header)
            kind = "longs" if header.game in TRUT_FAMILY else "points"
            head: Row = self.summary() | {
                "kind": kind,
                "to": header.target,
                "pack": pack_of(header).name,
                "players": [
                    {"seat": seat, "team": team_of(seat), "name": _named(words.names.seat, seat)}
                    for seat in range(1, header.seats + 1)
                ],
                "rules": self._rules(words),
                "start": story.start,
                "manches": story.manches,
                "since": since,
                "undone": self._teller.undone,
                "begun": self._begun,
                "after": [_thing(thing, words) for thing in story.after],
            }
            rounds = [self._round(place, played, words) for place, played in enumerate(story.rounds)]
            told = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
            return f'{told[:-1]},"list":[{",".join(rounds[max(0, since - 1) :])}]}}'

    def _rules(self, words: Words) -> list[Row]:
        """The house rules; in both languages, since they are words of the page."""
        count = len(words.house_rules())
        return [_told(partial(_rule, words, place)) for place in range(count)]

    def _round(self, place: int, played: Round, words: Words) -> str:
        """A round as JSON; made once for as long as nothing of it changes."""
        if place < len(self._rows) and self._rows[place][0] == played:
            return self._rows[place][1]
        told = json.dumps(_round(played, words), ensure_ascii=False, separators=(",", ":"))
        del self._rows[place:]
        self._rows.append((played, told))
        return told

    # -- moments ---------------------------------------------------------------------------------------------

    def moment(self, k: int) -> str:
        """The state message of the board after ``k`` events, as JSON.

        The game goes there from the moment that was asked for last: back by its own snapshots, onward event by event.

        Raises:
            NoSuchMoment: there are not so many events.
        """
        with self._lock:
            if not 0 <= k <= len(self._log):
                raise NoSuchMoment(k)
            self._go(k)
            game, log = self._game, self._log
            last = log[k - 1] if k else None
            said = None
            if last is not None:
                said = Announced(k, both(lambda: self._announcer.sentence(last)), False)
            lies = last is not None and last.verb == "play" and not game.trick
            around = Around(mode="record", bar="over" if game.phase == "over" else "waiting", lies=lies, said=said)
            state = board(game, _Names(log, k), self._announcer, around)
            row = {**state, "rev": k, "moment": {"k": k, "of": len(log)}}
            return json.dumps(row, ensure_ascii=False, separators=(",", ":"))

    def _go(self, k: int) -> None:
        game, log = self._game, self._log
        at = game.log
        same = len(at) if at == log[: len(at)] else _same(at, log)
        if min(same, k) < len(at):
            game.undo(len(at) - min(same, k))
        for event in log[min(same, k) : k]:
            game.apply(event)


class _Names:
    """The events of a log with the names that they have in a kept game."""

    def __init__(self, log: Sequence[Event], count: int) -> None:
        self._log, self._count = log, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, at: int) -> Named:
        return Named(f"e{at + 1}", self._log[at])


def _check(lines: Sequence[Line]) -> None:
    if sum(line.event is not None for line in lines) > MOST:
        raise too_long(MOST)


def _same(one: Sequence[object], other: Sequence[object]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# Rows


def _round(played: Round, words: Words) -> Row:
    ended = played.ended
    return {
        "n": played.n,
        "dealer": played.dealer,
        "first": played.first,
        "last": played.last,
        "passages": [_passage(passage, words) for passage in played.passages],
        "award": None
        if ended is None
        else {
            "winner": ended.winner,
            "award": ended.award,
            "reason": ended.reason,
            **_told(lambda: words.award(played)),
        },
        "score": played.score,
        "manches": played.manches,
    }


def _passage(passage: Passage, words: Words) -> Row:
    result: Row | None = None
    if passage.result is not None:
        rotten = isinstance(passage.result, TrickRotten)
        team = None if isinstance(passage.result, TrickRotten) else passage.result.team
        result = {"rotten": rotten, "team": team, **_told(lambda: words.result(passage))}
    return {"n": passage.n, "things": [_thing(thing, words) for thing in passage.things], "result": result}


def _thing(thing: Thing, words: Words) -> Row:
    """``k`` is the moment at which it has happened; of what is no event, the moment at which it was."""
    match thing:
        case Laid():
            row: Row = {"kind": "card", "k": thing.at + 1, "seat": thing.seat, "card": thing.card, "best": thing.best}
            told = _told(lambda: words.effects(thing.outcomes)) if thing.outcomes else {}
            told = told if told.get("clauses") else {}
        case Said():
            quote = both(lambda: words.quote(thing.event))
            row = {
                "kind": "call" if quote["fr"] else "note",
                "k": thing.at + 1,
                "seat": thing.event.seat,
                "verb": thing.event.verb,
                "quote": quote if quote["fr"] else None,
            }
            told = _told(lambda: words.effects(thing.outcomes) if quote["fr"] else words.said(thing))
        case Broken():
            row = {"kind": "infraction", "k": thing.at, "seat": thing.event.seat, "code": thing.refusal.code}
            row["expected"] = thing.expected
            told = _told(lambda: words.infraction(thing))
        case Corrected():
            row = {"kind": "correction", "k": thing.at}
            told = _told(lambda: words.correction(thing))
    source = thing.source
    return row | {"t": source.t, "by": source.by[:_MOST_WORD] or None, "p": source.p} | told


_MOST_WORD: Final = 40
_MOST_NAME: Final = 200
"""Letters that are told; a name in a record that was brought in can be as long as its file."""


def _rule(words: Words, place: int) -> Told:
    return words.house_rules()[place]


def _named(name: Callable[[Asked], str], whose: Asked) -> Both:
    return both(lambda: name(whose)[:_MOST_NAME])


def _told(tell: Callable[[], Told]) -> Row:
    """A sentence in both languages with its clauses."""
    told: dict[str, Told] = {}
    for language in LANGUAGES:
        with in_language(language):
            told[language] = tell()
    text = {language: typeset(one.text[:_MOST_TEXT], language) for language, one in told.items()}
    return {"text": text, "clauses": list(told["fr"].clauses)}


_MOST_TEXT: Final = 2000
