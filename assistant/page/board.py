"""The board: how a game stands, as one message for everybody who looks at the page.

A pure function of the game and of what its clerk knows besides (``assistant.page.clerk``). The message is whole each
time: whoever missed some knows everything from the next. Sentences are in both languages.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from assistant.announcer import Announcer
from assistant.i18n import Both, _, both, language
from assistant.names import SIDES, Names
from assistant.page.event_ids import Named
from assistant.page.moves import words_of
from assistant.page.statebar import Bar
from assistant.taking_up import stake_sentence
from engine import Event, Game, Header
from engine.cards import team_of
from engine.header import TRUT_FAMILY

Row = dict[str, object]
NO_CALLS = frozenset({"deal", "cut", "hand", "play", "set-score", "concede", "annul"})
"""Events that nobody calls out in the course of a round."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that waits.

    Attributes:
        answers: what can be answered: a seat, a card, or yes and no, each with its words.
    """

    id: str
    kind: str
    text: Both
    answers: tuple[tuple[int | str | bool, Both], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What was announced last. ``n`` grows."""

    n: int
    text: Both
    question: bool


@dataclass(frozen=True, slots=True)
class Around:
    """What belongs to the board and is no part of the game.

    Attributes:
        mode: live, film, pad or record.
        n: which game at this table, from 1.
        bar: see ``assistant.page.statebar``.
        lies: the cards of a complete trick still lie there.
        camera, microphone: on, lost or none.
        undo, redo: what would be taken back, and brought back; None where nothing would.
        begin: the games that can be begun here.
        may: what may be said now (``assistant.page.moves``).
        pictured: the events of cards of which there is a picture.
    """

    mode: str = "pad"
    n: int = 1
    bar: Bar = "waiting"
    lies: bool = False
    said: Said | None = None
    asked: Asked | None = None
    infraction: Both | None = None
    camera: str = "none"
    microphone: str = "none"
    paused: bool = False
    undo: Both | None = None
    redo: Both | None = None
    begin: tuple[str, ...] = ()
    may: Sequence[Row] = ()
    pictured: Collection[str] = ()


class NamedEvents(Protocol):
    """The events of a log with their names: those of ``EventIds``, or of a game that is kept."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int, /) -> Named: ...


def board(game: Game, ids: NamedEvents, announcer: Announcer, around: Around) -> Row:
    """The state message, without its number.

    Args:
        game: only read.
        ids: of its log.
        announcer: of the same game, for sentences.
    """
    header = game.header
    start = round_begins(game.log)
    plays, calls = [], []
    for at in range(start, len(ids)):
        named = ids[at]
        if named.event.verb == "play":
            plays.append(named)
        elif named.event.verb not in NO_CALLS:
            calls.append(named)
    running = game.phase not in ("deal", "over")
    tricks = [plays[first : first + game.seats] for first in range(0, len(plays), game.seats)]
    unfinished = tricks.pop() if running and tricks and len(tricks[-1]) < game.seats else []
    on_table = unfinished or (tricks[-1] if around.lies and tricks else [])
    last = ids[len(ids) - 1].id if len(ids) else None
    return {
        "type": "state",
        "lang": language(),
        "mode": around.mode,
        "game": _game(game, around.n),
        "teams": [_team(game, team) for team in "AB"],
        "players": [_player(game, seat, running) for seat in range(1, game.seats + 1)],
        "round": len(game.rounds) + running,
        "phase": game.phase,
        "turn": game.turn,
        "awaiting": list(game.awaiting),
        "stake": _stake(game.stake),
        "stake_text": _stake_text(game.stake),
        "trick": [_card(named, around) for named in on_table],
        "tricks": list(game.tricks) if plays or running else [],
        "round_cards": [[_card(named, around) for named in trick] for trick in tricks],
        "calls": [_call(named, announcer, header.game) for named in calls],
        "said": _said(around.said),
        "question": _question(around.asked),
        "bar": around.bar,
        "devices": {"camera": around.camera, "microphone": around.microphone},
        "paused": around.paused,
        "winner": game.winner,
        "last_event": last,
        "undo": None if around.undo is None or last is None else {"event": last, "text": around.undo},
        "redo": None if around.redo is None else {"text": around.redo},
        "may": list(around.may),
        "out": [named.event.args[0] for named in plays] if running else [],
        "can": {"undo": last is not None, "redo": around.redo is not None, "names": True, "begin": list(around.begin)},
        "infraction": around.infraction,
        "date": header.date,
    }


def round_begins(log: Sequence[Event]) -> int:
    """Where the running round begins in a log, between rounds the last one; the end of the log where there is
    none."""
    return next((at for at in range(len(log) - 1, -1, -1) if log[at].verb == "deal"), len(log))


def _game(game: Game, n: int) -> Row:
    header = game.header
    kind = "longs" if header.game in TRUT_FAMILY else "points"
    return {
        "name": header.game,
        "n": n,
        "seats": header.seats,
        "kind": kind,
        "to": {kind: header.target},
        "pack": game.table.PACK.name,
        "options": dict(game.table.options),
        "date": header.date,
    }


def _team(game: Game, team: str) -> Row:
    names = _team_names(*_key(game.header), team)
    manches = game.manches
    return {
        "id": team,
        "seats": [seat for seat in range(1, game.seats + 1) if team_of(seat) == team],
        "name": names[language()],
        "label": names,
        "score": dict(game.score[team]),
        "manches": None if manches is None else manches[team],
        "fortial": game.fortial in (team, "both"),
    }


def _player(game: Game, seat: int, running: bool) -> Row:
    given = game.header.names.get(seat)
    side = _side(game.seats, seat)
    return {
        "seat": seat,
        "name": given or side[language()],
        "given": given is not None,
        "side": side,
        "team": team_of(seat),
        "cards": game.cards_held(seat),
        "dealer": seat == (game.dealer if running else game.next_dealer),
        "turn": seat == game.turn and not game.awaiting,
        "speaks": seat in game.awaiting,
    }


def _card(named: Named, around: Around) -> Row:
    event = named.event
    return {
        "event": named.id,
        "seat": event.seat,
        "card": event.args[0],
        "p": None if named.p is None else round(named.p, 2),
        "by": named.by,
        "picture": named.id in around.pictured,
        "was": str(event),
    }


def _call(named: Named, announcer: Announcer, game: str) -> Row:
    """``text`` tells who called what, ``says`` is what was said."""
    event = named.event
    text = both(lambda: announcer.sentence(event))
    return {
        "event": named.id,
        "seat": event.seat,
        "verb": event.verb,
        "args": list(event.args),
        "text": text,
        "says": words_of(game, event.verb, event.args),
        "was": str(event),
    }


def _said(said: Said | None) -> Row | None:
    return None if said is None else {"n": said.n, "text": said.text, "question": said.question}


def _question(asked: Asked | None) -> Row | None:
    if asked is None:
        return None
    answers = [{"value": value, "text": text} for value, text in asked.answers]
    return {"id": asked.id, "kind": asked.kind, "text": asked.text, "answers": answers}


def _stake(stake: str | None) -> str | None:
    return f"points {stake}" if stake is not None and stake.isdigit() else stake


def _stake_text(stake: str | None) -> Both:
    return _stake_words(stake or "")


@lru_cache(maxsize=64)
def _stake_words(stake: str) -> Both:
    return both(lambda: stake_sentence(stake))


@lru_cache(maxsize=16)
def _side(seats: int, seat: int) -> Both:
    return both(lambda: _(SIDES[seats][seat - 1]))


def _key(header: Header) -> tuple[str, int, tuple[tuple[int, str], ...]]:
    return header.game, header.seats, tuple(sorted(header.names.items()))


@lru_cache(maxsize=64)
def _team_names(game: str, seats: int, names: tuple[tuple[int, str], ...], team: str) -> Both:
    return both(lambda: Names(Header(game, seats=seats, names=dict(names))).team(team))
