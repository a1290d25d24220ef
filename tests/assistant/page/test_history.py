"""The history of a game: it adds up, tells every card once, grows with the game, and shows any moment."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records_to_tell import RECORDS, TABLES, random_record

from assistant.page.board import Around, board
from assistant.page.event_ids import EventIds
from assistant.page.history import Book, NoSuchMoment
from engine import Game, Record, RecordError, replay


def read(book: Book, since: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(book.history(since))
    return found


def things(history: dict[str, Any]) -> list[dict[str, Any]]:
    told = [thing for played in history["list"] for passage in played["passages"] for thing in passage["things"]]
    return told + history["after"]


def adds_up(history: dict[str, Any], game: Game) -> None:
    assert [team["score"] for team in history["teams"]] == [dict(game.score[team]) for team in "AB"]
    cards = [(thing["k"], thing["seat"], thing["card"]) for thing in things(history) if thing["kind"] == "card"]
    played = [(at, event.seat, event.args[0]) for at, event in enumerate(game.log, 1) if event.verb == "play"]
    assert cards == played
    happened = [thing["k"] for thing in things(history) if thing["kind"] in ("card", "call", "note")]
    assert happened == list(range(1, len(game.log) + 1))
    awards = [(p["award"]["winner"], p["award"]["award"]) for p in history["list"] if p["award"] is not None]
    assert awards == [(ended.winner, ended.award) for ended in game.rounds]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_record(path: Any) -> None:
    record = Record.load(path)
    book = Book(path.read_text(encoding="utf-8"))
    game = replay(record).game
    adds_up(read(book), game)
    for k in {0, len(game.log) // 2, len(game.log)}:
        state = json.loads(book.moment(k))
        assert state["moment"] == {"k": k, "of": len(game.log)}
    assert json.loads(book.moment(len(game.log)))["winner"] == game.winner


@given(st.sampled_from(TABLES), st.integers(0, 10_000))
@settings(max_examples=15)
def test_any_moment_in_any_order(table: tuple[str, int], seed: int) -> None:
    """A moment is the board of a game to which only its events were applied, whatever was asked for before."""
    record = random_record(*table, seed)
    book, log = Book(str(record)), replay(record).game.log
    wanted = [random.Random(seed).randint(0, len(log)) for _ in range(8)]
    for k in wanted:
        game, ids = Game(record.header), EventIds()
        for event in log[:k]:
            game.apply(event)
        ids.follow(game.log, ())
        state = json.loads(book.moment(k))
        last = log[k - 1] if k else None
        lies = last is not None and last.verb == "play" and not game.trick
        want = json.loads(json.dumps(board(game, ids, book._announcer, Around(mode="record", lies=lies))))
        for key in set(want) - {"said", "bar", "trick", "round_cards", "last_event"}:
            assert state[key] == want[key], key
        assert [card["card"] for card in state["trick"]] == [card["card"] for card in want["trick"]]
        assert state["last_event"] == (f"e{k}" if k else None)


@given(st.sampled_from(TABLES), st.integers(0, 10_000))
@settings(max_examples=15)
def test_a_book_grows_with_its_game(table: tuple[str, int], seed: int) -> None:
    """Line by line, with half lines between, the book is that of the record so far."""
    lines = str(random_record(*table, seed)).splitlines(keepends=True)
    lines[len(lines) // 2 :] = ["undo 2\n", *lines[len(lines) // 2 - 2 :]]
    start = next(at for at, line in enumerate(lines) if line.startswith("deal"))
    book = Book("".join(lines[:start]))
    for end in range(start, len(lines), 5):
        book.grow("".join(lines[:end]))
        assert book.history() == Book("".join(lines[:end])).history()
        if end < len(lines):
            book.grow("".join(lines[:end]) + lines[end][:3])
        k = book.story.events // 2
        assert book.moment(k) == Book("".join(lines[:end])).moment(k)


def test_only_the_last_rounds() -> None:
    book = Book(str(random_record("trut", 4, 5, rounds=4)))
    whole = read(book)
    assert len(whole["list"]) == 4
    assert read(book, 3)["list"] == whole["list"][2:]
    assert read(book, 99)["list"] == []
    assert read(book, 3)["since"] == 3


def test_another_record_begins_anew() -> None:
    book = Book(str(random_record("trut", 4, 5)))
    other = str(random_record("truc", 2, 6))
    book.grow(other)
    assert read(book) == read(Book(other)) | {"begun": 2}


def test_corrections_and_infractions_say_where() -> None:
    text = (
        "game trut\nseats 2\nname 1 Zoé\ndeal\nplay 2 7h\nexpect error out-of-turn\n"
        "play 1 7h | t=3.00 by=camera p=0.61\n"
        "undo | t=4.00 by=page then=1\nplay 1 8h | t=3.00 by=page\n"
    )
    found = [thing for thing in things(read(Book(text))) if thing["kind"] in ("infraction", "correction")]
    assert [(thing["kind"], thing["k"]) for thing in found] == [("infraction", 1), ("correction", 1)]
    assert found[0]["text"]["en"].startswith("It is not")
    assert "Zoé joue le sept de cœur. En fait\N{NO-BREAK SPACE}: Zoé joue le huit de cœur." in found[1]["text"]["fr"]
    assert found[1]["by"] == "page"


@pytest.mark.parametrize("k", [-1, 10_000])
def test_there_is_no_such_moment(k: int) -> None:
    with pytest.raises(NoSuchMoment):
        Book(str(random_record("trut", 2, 1))).moment(k)


def test_what_is_no_record() -> None:
    with pytest.raises(RecordError):
        Book("hello\n")
