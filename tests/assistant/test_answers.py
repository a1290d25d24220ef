"""Answers by seat, card, yes and no, from the keyboard, the page and by voice."""

from __future__ import annotations

import dataclasses

import pytest

from assistant.account import Account, Told
from assistant.acts import Act, Action, Notice, Question
from assistant.amending import Amending
from assistant.answering import Answering
from assistant.interpreter import Interpreter
from assistant.orders import Reply
from assistant.testing import place_of
from audio.events import Knock, Phrase
from engine import Event, Game, Header, parse_event
from vision.events import CameraBack, CameraLost, CardLaid, HandSeen

HEADER = Header("trut", seats=4, dealer=4, names={2: "Marie"})


class Table:
    """A live table; ``acts`` is all that came."""

    def __init__(self) -> None:
        self.game = Game(HEADER)
        self.interpreter = Interpreter(self.game, live=True)
        self.acts: list[Act] = []

    def sees(self, *seen: CardLaid | Knock | Phrase | HandSeen | CameraLost | CameraBack) -> Table:
        for each in seen:
            self.interpreter.observe([each])
            self.acts += self.interpreter.advance(each.decided + 2.0)
        return self

    def replies(self, t: float, answer: int | str | bool) -> list[Act]:
        acts = self.interpreter.order(Reply(t, t, "page", answer))
        self.acts += acts
        return acts

    @property
    def log(self) -> list[str]:
        return [str(event) for event in self.game.log]

    def asked(self) -> list[str]:
        return [act.kind for act in self.acts if isinstance(act, Question)]


def laid(t: float, card: str, seat: int, track: int, *, p: float = 0.97, hand: int | None = None) -> CardLaid:
    return CardLaid(t, t + 0.4, track, card, p, seat, place_of(seat, 4, track), hand or seat, ((card, p),))


def said(t: float, event: str, text: str = "") -> Phrase:
    return Phrase(t, t + 0.3, event, (event,), True, text or event, 0.95)


def kinds(acts: list[Act]) -> list[str]:
    return [act.kind for act in acts if isinstance(act, Notice)]


def test_whose_card_it_was_is_answered_by_a_seat() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), laid(8.0, "Jd", 3, 2, hand=4))
    assert table.asked() == ["whose-card"]
    assert table.log[-1] == "play 2 Jd"
    table.replies(11.0, 3)
    assert table.log == ["deal", "play 1 9h"]
    assert [(str(a.event), a.refused) for a in table.acts if isinstance(a, Action)][-1] == ("play 3 Jd", "out-of-turn")


def test_whose_card_it_was_is_confirmed_by_a_seat() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), laid(8.0, "Jd", 3, 2, hand=4))
    assert kinds(table.replies(11.0, 2)) == ["so-counted"]
    assert table.log[-1] == "play 2 Jd"
    assert kinds(table.replies(12.0, 3)) == ["nothing-asked"]


def test_who_called_is_answered_by_a_seat_and_counts_from_when_it_was_heard() -> None:
    game = Game(HEADER)
    told: list[Told] = []
    game.apply(parse_event("deal"))
    account = Account(game)
    amending = Amending(account, apply=lambda *_: [], replay=lambda *_: [], mark=lambda *_: None)
    answering = Answering(account, amending, lambda each, _: told.append(each) or [])
    answering.note([Question(3.0, 3.5, "who", {"verb": "trut"})])
    assert answering.waiting(4.0) is not None
    assert answering.seat(3, 4.0, 4.0, "voice") == []
    assert told == [Told(3.0, 4.0, Event("trut", 3), "voice")]
    assert answering.seat(3, 5.0, 5.0, "voice") is None


def test_a_question_is_not_answered_after_its_time_nor_when_the_game_has_overtaken_it() -> None:
    game = Game(HEADER)
    game.apply(parse_event("deal"))
    account = Account(game)
    amending = Amending(account, apply=lambda *_: [], replay=lambda *_: [], mark=lambda *_: None)
    answering = Answering(account, amending, lambda _each, _: [])
    answering.note([Question(3.0, 3.5, "who", {"verb": "trut"})])
    assert answering.waiting(60.0) is None
    answering.note([Question(3.0, 3.5, "who", {"verb": "trut"})])
    game.apply(parse_event("trut 1"))
    assert answering.waiting(4.0) is None


def test_a_yes_and_a_no_answer_what_was_asked_back() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), dataclasses.replace(said(5.0, "trut"), doubtful=True, answer=False))
    assert table.asked() == ["sure"]
    table.replies(8.0, True)
    assert table.log[-1] == "trut 2"
    table.replies(9.0, False)
    assert table.log[-1].startswith("fold ")


def test_a_yes_is_the_answer_to_a_challenge_where_the_assistant_asked_nothing() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), dataclasses.replace(said(5.0, "trut"), answer=False))
    table.replies(8.0, True)
    assert table.log[-1].startswith("accept ")


@pytest.mark.parametrize("answer", [True, False, 3, "8h"])
def test_an_answer_to_nothing_says_so(answer: int | str | bool) -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1))
    before = table.log
    assert kinds(table.replies(40.0, answer)) == ["nothing-asked"]
    assert table.log == before


def test_a_card_that_was_asked_about_is_named() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), laid(6.0, "Jd", 2, 2, p=0.4))
    assert "which-card" in table.asked()
    table.replies(9.0, "Qd")
    assert table.log[-1] == "play 2 Qd"


def test_it_was_marie() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), dataclasses.replace(said(5.0, "trut"), answer=False))
    assert table.log[-1] == "trut 2"
    table.sees(said(9.0, "seat 4", "c'était la place quatre"))
    assert table.log[-1] == "trut 4"
    table.sees(said(13.0, "seat 2", "c'était Marie"))
    assert table.log[-1] == "trut 2"
    assert [a.by for a in table.acts if isinstance(a, Action)][-1] == "voice"


def test_a_name_in_talk_changes_nothing() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1))
    before = table.log
    table.sees(said(6.0, "seat 3", "numéro trois"))
    assert table.log == before


def test_cards_are_dictated_while_nobody_sees_the_table() -> None:
    table = Table()
    table.interpreter.sees(False)
    assert "card" in table.interpreter.expected()
    table.sees(said(2.0, "9h", "neuf de cœur"), said(5.0, "Q?", "la dame"))
    assert table.log == ["deal", "play 1 9h", "play 2 Q?"]


def test_cards_are_dictated_only_while_the_camera_is_lost_and_not_counted_again_after_it() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), said(5.0, "Qd", "dame de carreau"))
    assert table.log == ["deal", "play 1 9h"]
    table.sees(CameraLost(8.0, 8.0, "gone"), said(11.0, "Qd", "dame de carreau"))
    assert table.log == ["deal", "play 1 9h", "play 2 Qd"]
    table.sees(CameraBack(15.0, 15.0), laid(16.0, "Qd", 2, 2), laid(20.0, "Kc", 3, 3))
    assert table.log == ["deal", "play 1 9h", "play 2 Qd", "play 3 Kc"]
    table.sees(said(25.0, "8s", "huit de pique"))
    assert table.log[-1] == "play 3 Kc"


def test_a_dictated_card_is_corrected_by_voice() -> None:
    table = Table()
    table.interpreter.sees(False)
    table.sees(said(2.0, "9h", "neuf de cœur"), said(5.0, "9d", "non, le neuf de carreau"))
    assert table.log == ["deal", "play 1 9d"]
    assert kinds(table.acts) == ["corrected"]


def test_the_card_before_is_pointed_at_and_named() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), laid(5.0, "Jd", 2, 2), laid(8.0, "Qs", 3, 3))
    table.sees(said(11.0, "before", "la carte d'avant"), said(15.0, "Kd", "le roi de carreau"))
    assert table.asked() == ["which-card"]
    assert table.log == ["deal", "play 1 9h", "play 2 Kd", "play 3 Qs"]


def test_the_card_before_that_is_pointed_at_by_saying_it_again() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), laid(5.0, "Jd", 2, 2), laid(8.0, "Qs", 3, 3))
    again = [said(t, "before", "la carte d'avant") for t in (11.0, 14.0)]
    table.sees(*again, said(18.0, "9s", "le neuf de pique"), said(22.0, "before", "la carte d'avant"))
    assert table.log == ["deal", "play 1 9s", "play 2 Jd", "play 3 Qs"]
    assert [a.fields["card"] for a in table.acts if isinstance(a, Question)] == ["Jd", "9h", "Jd"]


def test_there_is_no_card_before_the_first() -> None:
    table = Table().sees(laid(2.0, "9h", 1, 1), said(5.0, "before", "la carte d'avant"))
    assert kinds(table.acts) == ["nothing-to-correct"]
