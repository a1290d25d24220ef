"""The clerk: what the page is shown after each step, and what becomes of taps."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from assistant.page.clerk import Clerk
from assistant.page.feed import Answer, Feed
from assistant.session import Referee
from assistant.testing import ScriptedTable, Tapping
from engine import Game, Header

TRUTH = (
    "game trut\nseats 2\ndealer 2\ndeal | t=1.00\nplay 1 As | t=2.75\nplay 2 Kh | t=5.00\ntrut 2 | t=7\n"
    "accept 1 | t=8.5\nplay 1 7s | t=10\n"
)
State = dict[str, Any]


def shown(truth: str, taps: Iterable[tuple[float, Tapping]] = (), **options: Any) -> tuple[ScriptedTable, list[State]]:
    """A whole table and all that the page was shown of it."""
    feed = Feed()
    states: list[State] = []
    feed.listen(lambda: states.append(json.loads(feed.state().text)))
    return ScriptedTable(truth, feed=feed, taps=taps, **options).run(), states


def first_card(state: Mapping[str, Any]) -> str:
    return str(state["round_cards"][0][0]["event"])


def test_the_page_follows_the_table() -> None:
    _table, states = shown(TRUTH)
    bars = [state["bar"] for state in states]
    assert [bar for bar in ("waiting", "hand", "still", "complete") if bar not in bars] == []
    trick = next(state for state in states if state["bar"] == "complete")
    assert [(card["seat"], card["card"]) for card in trick["trick"]] == [(1, "As"), (2, "Kh")]
    assert trick["tricks"] == ["A"]
    assert trick["said"]["text"] == {"fr": "Pli pour Sud.", "en": "Trick to South."}
    last = states[-1]
    assert last["trick"][0]["card"] == "7s"
    assert last["stake"] == "long"
    assert [call["text"]["en"] for call in last["calls"]] == ["North truts.", "South accepts."]
    assert [call["says"]["fr"] for call in last["calls"]] == ["Je trute", "Je vais voir"]
    assert [state["rev"] for state in states] == sorted({state["rev"] for state in states})


def test_a_card_is_renamed_and_everything_follows() -> None:
    def rename(state: Mapping[str, Any]) -> Mapping[str, object]:
        return {"do": "rename", "event": first_card(state), "was": "As", "card": "9s"}

    table, states = shown(TRUTH, [(6.5, rename)])
    assert [answer.ok for answer in table.answers] == [True]
    assert table.events[:3] == ["deal", "play 1 9s", "play 2 Kh"]
    said = next(s["said"]["text"]["en"] for s in states if s["tricks"] == ["B"])
    assert said == "Correction: South played the nine of spades. Trick to North. North to play."
    named = {first_card(state) for state in states if state["round_cards"]}
    assert len(named) == 1  # the same card by the same name, before and after


@pytest.mark.parametrize(
    ("header", "award", "said", "event"),
    [
        ("game trut\nseats 2\ndealer 2\n", "petit", "Un petit pour Nord.", "set-score A 0 0 B 0 1"),
        ("game truc\nseats 2\ndealer 2\n", "12", "12 points pour Nord.", "concede A"),
        ("game truc\nseats 2\ndealer 2\n", "2", "2 points pour Nord.", "set-score A 0 B 2"),
    ],
)
def test_a_round_that_is_counted_is_told_as_it_was_counted(header: str, award: str, said: str, event: str) -> None:
    """Also where it wins the game, which the record writes as a game given up."""
    feed = Feed()
    tap = {"do": "say", "verb": "result", "seat": None, "args": ["B", award]}
    table = ScriptedTable(header, feed=feed, taps=[(1.0, tap)]).run()
    assert [(answer.ok, answer.said and answer.said["fr"]) for answer in table.answers] == [(True, said)]
    assert table.events == [event]


def test_the_answer_comes_after_the_state_that_shows_it() -> None:
    feed = Feed()
    heard: list[str] = []
    table = ScriptedTable(TRUTH, feed=feed, taps=[(6.5, {"do": "say", "verb": "trut", "seat": 1})])
    feed.listen(lambda: heard.append(f"state {json.loads(feed.state().text)['last_event']}"))
    table.answers = _Telling(heard)  # type: ignore[assignment]
    table.run()
    assert heard[heard.index("answer") - 1] == "state e4"


class _Telling(list[object]):
    def __init__(self, heard: list[str]) -> None:
        super().__init__()
        self._heard = heard

    def append(self, _answer: object) -> None:
        self._heard.append("answer")


def test_what_is_no_longer_so_is_not_followed() -> None:
    def undo(state: Mapping[str, Any]) -> Mapping[str, object]:
        return {"do": "undo", "event": first_card(state)}

    def wrong(state: Mapping[str, Any]) -> Mapping[str, object]:
        return {"do": "rename", "event": first_card(state), "was": "8d", "card": "9s"}

    table, _states = shown(TRUTH, [(6.5, undo), (6.6, wrong), (6.7, {"do": "drop", "event": "e99", "was": "deal"})])
    assert [(answer.ok, answer.code) for answer in table.answers] == [(False, "changed")] * 3
    text = table.answers[1].said
    assert text is not None
    assert text["en"] == "Meanwhile this move has changed: South plays the ace of spades."
    assert "play 1 As" in table.events


def test_a_refusal_comes_with_its_clause_in_both_languages() -> None:
    table, states = shown(TRUTH, [(6.5, {"do": "say", "verb": "play", "seat": 2, "card": "7h"})])
    (answer,) = table.answers
    assert (answer.ok, answer.code) == (False, "out-of-turn")
    assert answer.said == {
        "fr": "Ce n'est pas à Nord de jouer, c'est à Sud (règle C-8).",
        "en": "It is not North's turn, it is South's (rule C-8).",
    }
    assert any(state["infraction"] == answer.said for state in states)
    assert states[-1]["infraction"] is None  # the next event has come


@pytest.mark.parametrize("failing", ["stepped", "acted", "observed", "announced"])
def test_a_page_that_fails_stops_no_table(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object) -> None:
        raise RuntimeError("the page is broken")

    feed = Feed()
    table = ScriptedTable(TRUTH, feed=feed)
    monkeypatch.setattr(Clerk, failing, broken)
    table.run()
    assert table.events == ["deal", "play 1 As", "play 2 Kh", "trut 2", "accept 1", "play 1 7s"]
    assert table.told("page-lost")


def test_a_table_without_a_page_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with_page, _states = shown(TRUTH)
    without = ScriptedTable(TRUTH).run()
    assert without.acts == with_page.acts
    assert [said.text for said in without.announcements] == [said.text for said in with_page.announcements]
    assert isinstance(without.referee, Referee)
    assert without.referee.page is None


def test_what_was_meant_for_the_game_before_is_not_followed_in_the_next() -> None:
    feed = Feed()
    referee = Referee(Game(Header("trut", seats=2, dealer=2)), live=True, page=Clerk(feed))
    answers: list[Answer] = []

    def tap(message: Mapping[str, object]) -> Answer:
        clock = float(len(answers) + 1)
        feed.tap({"id": str(clock), **message}, "anne", answers.append)
        for tapped in feed.taken():
            referee.order(dataclasses.replace(tapped, t=clock, decided=clock))
        referee.advance(clock)
        return answers[-1]

    assert tap({"do": "say", "verb": "deal"}).ok
    seen = json.loads(feed.state().text)["rev"]
    assert tap({"do": "begin", "after": 1, "rev": seen, "dealer": 2}).ok
    assert tap({"do": "say", "verb": "deal"}).ok
    for meant in (
        {"do": "say", "verb": "play", "seat": 1, "card": "7h"},
        {"do": "say", "verb": "trut", "seat": 1},
        {"do": "say", "verb": "concede", "args": ["A"]},
        {"do": "say", "verb": "result", "args": ["A", "petit"]},
        {"do": "redo"},
    ):
        answer = tap({**meant, "rev": seen})
        assert (answer.ok, answer.code) == (False, "changed"), meant
    assert [str(event) for event in referee.game.log] == ["deal"]
