"""What is told on the page beside corrections: answers to questions, names, other games, the pause."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.acts import Action
from assistant.journal import Journal
from assistant.orders import Say
from assistant.page.clerk import Clerk
from assistant.page.feed import Answer, Feed
from assistant.page.neighbours import likely, neighbours
from assistant.session import Referee
from assistant.testing import place_of
from audio.events import Knock, Phrase
from engine import GAMES, Event, Game, Header, Record, parse_event
from engine.cards import FRENCH32, NUMBERED8
from vision.camera import Frame
from vision.events import CardLaid

State = dict[str, Any]


class Table:
    """A live table without threads, with its page."""

    def __init__(self, header: Header, journal: Journal | None = None, *, sees: bool = True) -> None:
        self.feed = Feed()
        self.referee = Referee(Game(header), journal, live=True, page=Clerk(self.feed))
        self.referee.has(camera=sees, microphone=sees)
        self.t = 1.0
        self.go_on(0.1)

    @property
    def state(self) -> State:
        found: State = json.loads(self.feed.state().text)
        return found

    def go_on(self, seconds: float = 1.0) -> None:
        for _ in range(round(10 * seconds)):
            self.t = round(self.t + 0.1, 3)
            self.referee.advance(self.t)

    def told(self, *lines: str) -> None:
        for line in lines:
            self.t += 6.0
            self.referee.order(Say(self.t, self.t, "keyboard", parse_event(line)))
        self.go_on(0.1)

    def seen(self, seat: int, card: str, p: float = 0.97, *others: tuple[str, float]) -> None:
        quad = place_of(seat, self.referee.game.seats)
        self.referee.observe(
            [CardLaid(self.t, self.t, int(self.t * 10), card, p, seat, quad, seat, ((card, p), *others))]
        )

    def tap(self, **message: object) -> Answer:
        answers: list[Answer] = []
        self.feed.tap({"id": f"t{self.t}", "rev": self.state["rev"], **message}, "anne", answers.append)
        for one in self.feed.taken():
            self.t = round(self.t + 0.5, 3)
            self.referee.order(dataclasses.replace(one, t=self.t, decided=self.t))
        self.go_on(0.1)
        return answers[0]


def values(state: State) -> list[object]:
    return [answer["value"] for answer in state["question"]["answers"]]


# -- questions -------------------------------------------------------------------------------------------------------


def who_truts() -> Table:
    table = Table(Header("trut", seats=4, dealer=4, names={2: "Marie"}))
    table.told("deal", "play 1 As")
    table.t += 3.0
    table.referee.observe([Knock(table.t, table.t, 0.97, 1, 1)])
    table.go_on(2.0)
    return table


def test_who_truts_is_asked_and_answered_by_a_tap() -> None:
    table = who_truts()
    asked = table.state["question"]
    assert asked["kind"] == "who"
    assert asked["text"] == {"fr": "Qui trute ?", "en": "Who truts?"}
    assert set(values(table.state)) == {1, 2, 3, 4}
    assert {"value": 2, "text": {"fr": "Marie", "en": "Marie"}} in asked["answers"]
    assert table.state["bar"] == "question"
    assert table.tap(do="reply", question=asked["id"], answer=3).ok
    assert table.state["question"] is None
    assert table.referee.game.log[-1] == Event("trut", 3)


def test_an_answer_that_comes_too_late_is_told_so() -> None:
    table = who_truts()
    asked = table.state["question"]["id"]
    assert table.tap(do="reply", question="q99", answer=3).code == "changed"
    assert table.tap(do="reply", question=asked, answer=True).code == "bad-tap"
    table.told("trut 2")
    answer = table.tap(do="reply", question=asked, answer=3)
    assert (answer.ok, answer.code) == (False, "changed")
    assert table.referee.game.log[-1] == Event("trut", 2)


def test_a_question_lapses_by_itself() -> None:
    table = who_truts()
    table.go_on(25.0)
    assert table.state["question"] is None
    assert table.state["bar"] == "waiting"


def test_which_card_is_asked_with_likely_cards() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    table.told("deal", "play 1 As")
    table.t += 3.0
    table.seen(2, "Kh", 0.45, ("Qh", 0.4), ("Jh", 0.1))
    table.go_on(3.0)
    asked = table.state["question"]
    assert asked["kind"] == "which-card"
    assert values(table.state)[:2] == ["Kh", "Qh"]
    assert "As" not in values(table.state)
    assert table.tap(do="reply", question=asked["id"], answer="Qh").ok
    assert table.referee.game.log[-1] == Event("play", 2, ("Qh",))


def test_what_was_heard_with_doubt_is_confirmed_by_a_tap() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    table.told("deal", "play 1 As")
    table.t += 3.0
    heard = Phrase(table.t, table.t, "trut", ("trut",), False, "je trute", 0.7, 2, doubtful=True)
    table.referee.observe([heard])
    table.go_on(1.0)
    asked = table.state["question"]
    assert (asked["kind"], values(table.state)) == ("sure", [True, False])
    assert table.tap(do="reply", question=asked["id"], answer=False).ok
    assert table.state["question"] is None
    assert table.referee.game.log[-1].verb == "play"


# -- neighbours ------------------------------------------------------------------------------------------------------


def test_what_the_eyes_thought_comes_first() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    table.told("deal")
    table.t += 3.0
    table.seen(1, "7h", 0.93, ("Ah", 0.05), ("9c", 0.02))
    table.go_on(1.0)
    (card,) = table.state["trick"]
    cards = table.tap(do="neighbours", event=card["event"]).fields["cards"]
    assert isinstance(cards, list)
    assert cards[:4] == ["Ah", "9c", "8h", "7d"]
    assert len(cards) == 31


def test_cards_that_are_out_come_last() -> None:
    game = Game(Header("trut", seats=2, dealer=2))
    for line in ("deal", "play 1 7h", "play 2 8h"):
        game.apply(parse_event(line))
    found = neighbours(game, 1)
    assert found[:2] == ["7d", "9h"]
    assert found[-1] == "8h"


def test_a_pack_without_suits_has_neighbours_too() -> None:
    assert likely(NUMBERED8, "4", (), ["3", "3", "3", "3"]) == ["5", "2", "6", "1", "7", "8", "3"]
    assert len(likely(FRENCH32, None, (), [])) == 32


# -- names -----------------------------------------------------------------------------------------------------------


def test_names_are_in_the_record_and_in_what_is_said(tmp_path: Path) -> None:
    header = Header("trut", seats=2, dealer=2, names={1: "Anne"})
    table = Table(header, Journal(tmp_path, header))
    table.told("deal", "play 1 As")
    assert table.tap(do="names", names={"1": "Marie", "2": "Jean"}).ok
    state = table.state
    assert [(player["name"], player["given"]) for player in state["players"]] == [("Marie", True), ("Jean", True)]
    table.told("play 2 Kh")
    assert table.state["said"]["text"]["fr"] == "Pli pour Marie."
    (path,) = tmp_path.iterdir()
    record = Record.parse(path.read_text())
    assert record.header.names == {1: "Marie", 2: "Jean"}
    assert [line.event for line in record.lines if line.kind == "event"] == list(table.referee.game.log)
    assert table.tap(do="names", names={"1": ""}).ok
    assert Record.parse(path.read_text()).header.names == {2: "Jean"}
    assert table.state["players"][0] == {**table.state["players"][0], "name": "Sud", "given": False}


def test_a_name_that_somebody_has_just_changed_is_not_written_over() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    rev = table.state["rev"]
    assert table.tap(do="names", names={"1": "Marie"}).ok
    late = table.tap(do="names", names={"1": "Zoé"}, rev=rev)
    assert (late.ok, late.code) == (False, "changed")
    assert table.tap(do="names", names={"2": "Jean"}, rev=rev).ok  # another seat
    assert table.tap(do="names", names={"5": "Luc"}).code == "bad-header"
    assert table.referee.game.header.names == {1: "Marie", 2: "Jean"}


# -- another game ----------------------------------------------------------------------------------------------------


def test_a_new_game_begins_as_asked(tmp_path: Path) -> None:
    header = Header("trut", seats=2, dealer=2, names={1: "Marie"}, options={"fortial": "off"})
    table = Table(header, Journal(tmp_path, header))
    table.told("deal", "play 1 As")
    score = {"A": {"longs": 1, "petits": 0}, "B": {"longs": 0, "petits": 2}}
    answer = table.tap(do="begin", after=1, dealer=1, options={"tierce": "on"}, names={"2": "Jean"}, score=score)
    assert answer.ok
    state = table.state
    assert (state["game"]["n"], state["phase"], state["last_event"]) == (2, "deal", None)
    assert state["teams"][1]["score"] == {"longs": 0, "petits": 2}
    assert state["said"]["text"]["en"] == "New game. Marie deals."
    assert table.referee.game.header.options == {"fortial": "off", "tierce": "on"}
    first, second = sorted(tmp_path.iterdir())
    assert "play 1 As" in first.read_text()
    assert Record.parse(second.read_text()).header == dataclasses.replace(table.referee.game.header, version=1)
    again = table.tap(do="begin", after=1)
    assert (again.ok, again.code) == (False, "changed")
    table.told("deal")
    assert table.state["last_event"] not in (None, "e1")  # names are never given twice


def test_a_rematch_is_said_as_one() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    table.told("deal", "concede B")
    assert table.state["bar"] == "over"
    assert table.tap(do="begin", after=1, rematch=True).ok
    assert table.state["said"]["text"]["fr"].startswith("La revanche.")


def test_a_score_pad_keeps_any_game_and_a_watched_table_its_own() -> None:
    pad, watched = Table(Header("trut"), sees=False), Table(Header("trut"))
    assert pad.state["can"]["begin"] == list(GAMES)
    assert watched.state["can"]["begin"] == ["trut"]
    for asked in ({"game": "truc"}, {"seats": 2}):
        assert watched.tap(do="begin", after=1, **asked).code == "not-here"
        watched.t += 1
    assert pad.tap(do="begin", after=1, game="truc-y-flou").ok
    assert pad.state["game"]["name"] == "truc-y-flou"
    assert len(pad.state["players"]) == 6
    pad.t += 1
    assert pad.tap(do="begin", after=2, game="truc", options={"target": "21"}).ok
    assert pad.state["game"]["to"] == {"points": 21}


@pytest.mark.parametrize("wrong", [{"dealer": 5}, {"options": {"ten": "low"}}, {"seats": 6}])
def test_a_game_that_cannot_be_is_refused_with_its_reason(wrong: Mapping[str, object]) -> None:
    table = Table(Header("trut"), sees=False)
    answer = table.tap(do="begin", after=1, **wrong)
    assert (answer.ok, answer.code) == (False, "bad-header")
    assert table.state["game"]["n"] == 1


# -- the rest --------------------------------------------------------------------------------------------------------


def test_a_pause_holds_and_ends() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    table.told("deal")
    assert table.tap(do="pause").ok
    assert (table.state["paused"], table.state["bar"]) == (True, "paused")
    assert table.tap(do="resume").ok
    assert table.state["paused"] is False


def test_a_round_is_counted_at_once_on_a_score_pad() -> None:
    table = Table(Header("trut", seats=2, dealer=2), sees=False)
    assert table.tap(do="say", verb="result", args=["A", "petit"]).ok
    assert table.state["teams"][0]["score"] == {"longs": 0, "petits": 1}
    assert table.tap(do="say", verb="result", args=["A", "7"]).code == "not-possible"


def test_calls_are_offered_as_buttons() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    assert [move["verb"] for move in table.state["may"]][:2] == ["deal", "trut"]
    table.told("deal", "play 1 As", "trut 2")
    moves = {move["verb"]: move for move in table.state["may"]}
    assert moves["accept"]["seats"] == [1]
    assert moves["accept"]["text"] == {"fr": "Je vais voir", "en": "I accept"}
    assert moves["concede"]["args"] == [["A"], ["B"]]
    assert table.tap(do="say", verb="accept", seat=1).ok
    assert table.state["undo"]["text"]["en"] == "South accepts."
    assert table.tap(do="undo", event=table.state["last_event"]).ok
    assert table.state["redo"]["text"]["en"] == "South accepts."
    assert table.tap(do="redo").ok
    assert table.state["stake"] == "long"


def test_everything_that_is_tapped_is_told_as_tapped() -> None:
    acts: list[Action] = []
    table = Table(Header("trut", seats=2, dealer=2))
    table.referee.viewer.acted = lambda act: acts.append(act)  # type: ignore[method-assign, assignment, arg-type, return-value]
    table.tap(do="say", verb="deal")
    table.tap(do="say", verb="play", seat=1, card="As")
    table.tap(do="rename", event=table.state["last_event"], was="As", card="Ks")
    assert [act.by for act in acts if isinstance(act, Action)] == ["page"] * 4


def test_it_is_told_of_which_cards_there_is_a_picture() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    table.told("deal")
    table.t += 3.0
    image = np.zeros((720, 1280, 3), np.uint8)
    track, quad = int(table.t * 10), place_of(1, 2)
    laid = CardLaid(table.t, table.t, track, "7h", 0.97, 1, quad, 1, (("7h", 0.97),))
    table.referee.close_ups.keep(Frame(table.t, image, 0), [laid])
    table.seen(1, "7h")
    table.go_on(1.0)
    table.told("play 2 8h")
    assert [card["picture"] for trick in table.state["round_cards"] for card in trick] == [True, False]
