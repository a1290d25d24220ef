"""Whose hand knocked; cards that no hand laid; cards out of their place."""

from __future__ import annotations

import dataclasses

import pytest

from assistant.acts import Action, Question
from assistant.bench.doubt import watched
from assistant.holding import Observation
from assistant.interpreter import Interpreter
from assistant.knocking import Knockers, Knocks
from assistant.orders import Reply
from assistant.tabletop import Tabletop
from assistant.testing import place_of
from audio.events import Knock, Phrase
from engine import Game, Header
from vision.events import CardLaid, CardsTaken, HandGone, HandSeen

HEADER = Header("trut", seats=4, dealer=4)


def card(t: float, name: str, seat: int, track: int, *, hand: int | None = -1, zone: int | None = -1) -> CardLaid:
    place = seat if zone == -1 else zone
    return CardLaid(
        t, t + 0.4, track, name, 0.97, place, place_of(seat, 4, track), seat if hand == -1 else hand, ((name, 0.97),)
    )


def visit(seat: int, start: float, end: float) -> list[Observation]:
    return [HandSeen(start, start + 0.1, seat), HandGone(end, end + 0.1, seat)]


def played(t: float, name: str, seat: int, track: int) -> list[Observation]:
    return [card(t, name, seat, track), *visit(seat, t - 0.6, t + 0.4)]


def knock(t: float, confidence: float = 0.96) -> Knock:
    return Knock(t, t + 0.05, confidence, 1, 1)


def asked(acts: object) -> list[str]:
    assert isinstance(acts, list)
    return [act.kind for act in acts if isinstance(act, Question)]


def log(game: Game) -> list[str]:
    return [str(event) for event in game.log]


LEAD = played(2.0, "9h", 1, 1)


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        ([], Knockers()),
        (visit(3, 3.6, 4.5), Knockers((3,), settled=True)),
        (visit(3, 3.6, 4.5) + visit(2, -2.0, 6.0), Knockers((3, 2), settled=True)),
        (visit(3, 3.6, 4.5) + visit(2, 3.5, 6.0), Knockers((3, 2), settled=False)),
        (visit(2, -2.0, 6.0), Knockers((2,), settled=False)),
    ],
    ids=["none", "came", "came, another rests", "two came", "one rests"],
)
def test_the_hand_that_came_for_it_knocked(hands: list[HandSeen | HandGone], expected: Knockers) -> None:
    knocks = Knocks(lambda: (), lambda seat: False)
    for hand in sorted(hands, key=lambda o: o.t):
        knocks.hands.accept(hand)
    assert knocks.knockers(knock(4.0)) == expected


def test_a_hand_that_lays_a_card_is_less_likely_than_one_that_comes_for_nothing() -> None:
    knocks = Knocks(lambda: (card(4.1, "9h", 2, 1),), lambda seat: False)
    for hand in sorted(visit(3, 3.6, 4.5) + visit(2, 3.5, 4.6), key=lambda o: o.t):
        assert isinstance(hand, HandSeen | HandGone)
        knocks.hands.accept(hand)
    assert knocks.knockers(knock(4.0)) == Knockers((3, 2), settled=True)


def test_a_knock_of_a_hidden_hand_is_never_given_to_a_seat_without_a_question() -> None:
    game, acts = watched(HEADER, [*LEAD, knock(4.0)])
    assert asked(acts) == ["who"]
    assert log(game)[-1] == "trut 2"
    assert next(a.by for a in acts if isinstance(a, Action) and a.event.verb == "trut") == "rules"


def test_at_the_table_the_knock_waits_for_the_answer_and_counts_from_when_it_was_made() -> None:
    game = Game(HEADER)
    interpreter = Interpreter(game, live=True)
    interpreter.observe([*LEAD, knock(4.0)])
    acts = interpreter.advance(6.0)
    assert asked(acts) == ["who"]
    assert log(game)[-1] == "play 1 9h"
    assert "accept" in interpreter.expected()
    acts = interpreter.order(Reply(7.0, 7.0, "voice", 4))
    assert log(game)[-1] == "trut 4"
    assert [act.t for act in acts if isinstance(act, Action)] == [4.0]


def test_knocking_again_with_a_hand_to_be_seen_answers_the_question() -> None:
    again = [Knock(6.0, 6.05, 0.96, 2, 1), *visit(3, 5.6, 6.4)]
    game, acts = watched(HEADER, [*LEAD, knock(4.0), *again], live=True)
    assert log(game)[-1] == "trut 3"
    assert asked(acts) == ["who"]


def test_an_answer_tells_that_the_knock_was_one() -> None:
    answer = Phrase(6.0, 6.3, "accept", ("accept",), False, "je vais voir", 0.9, speaker=1)
    game, acts = watched(HEADER, [*LEAD, knock(4.0), answer], live=True)
    assert log(game)[-2:] == ["trut 2", "accept 1"]
    assert asked(acts) == ["who"]


def test_a_knock_that_can_be_nothing_else_is_acknowledged_at_once() -> None:
    _, acts = watched(HEADER, [*LEAD, knock(4.0), *visit(4, 3.5, 4.5)])
    assert [a.decided - a.t <= 0.35 for a in acts if isinstance(a, Action) and a.event.verb == "trut"] == [True]


def test_a_card_that_no_hand_laid_gives_way_to_the_one_that_a_hand_lays() -> None:
    before = [*LEAD, *played(3.5, "8s", 2, 2)]
    ghost = card(4.3, "Ks", 3, 3, hand=None)
    game, acts = watched(HEADER, [*before, ghost, *played(5.4, "Jd", 3, 4), *played(7.0, "Qd", 4, 5)])
    assert log(game)[-2:] == ["play 3 Jd", "play 4 Qd"]
    assert asked(acts) == []


def test_a_card_that_no_hand_laid_and_that_stays_counts_with_a_question() -> None:
    before = [*LEAD, *played(3.5, "8s", 2, 2)]
    game, acts = watched(HEADER, [*before, card(5.4, "Jd", 3, 3, hand=None), HandSeen(12.0, 12.0, 1)])
    assert log(game)[-1] == "play 3 Jd"
    assert asked(acts) == ["whose-card"]


def test_where_hands_are_not_seen_no_card_is_doubted_for_that() -> None:
    names = ["9h", "8s", "Jd", "Qd"]
    cards = [card(2.0 + 1.5 * i, name, i + 1, i + 1, hand=None) for i, name in enumerate(names)]
    game, acts = watched(HEADER, list(cards))
    assert len(game.tricks) == 1
    assert asked(acts) == []


def test_a_card_out_of_its_place_without_a_hand_is_counted_for_the_turn_with_a_question() -> None:
    both = [*visit(2, 2.9, 3.9), *visit(3, 2.9, 3.9)]
    _, acts = watched(HEADER, [*LEAD, card(3.5, "8s", 2, 2, zone=3, hand=None), *both])
    assert asked(acts) == ["whose-card"]


def test_of_two_cards_laid_at_once_the_one_whose_turn_it_is_comes_first() -> None:
    second, first = card(3.4, "Jd", 3, 3), card(3.6, "8s", 2, 2)
    game, acts = watched(HEADER, [*LEAD, second, first])
    assert log(game) == ["deal", "play 1 9h", "play 2 8s", "play 3 Jd"]
    assert asked(acts) == []


def test_a_card_pushed_aside_is_no_second_play() -> None:
    aside = dataclasses.replace(card(4.3, "9h", 1, 9, hand=None), quad=place_of(1, 4, 40))
    game, acts = watched(HEADER, [*LEAD, CardsTaken(4.2, 4.5, (1,)), aside, *played(6.0, "8s", 2, 2)])
    assert log(game) == ["deal", "play 1 9h", "play 2 8s"]
    assert asked(acts) == []


def test_a_card_taken_before_it_was_known_does_not_lie_there() -> None:
    table = Tabletop()
    table.take(CardsTaken(3.0, 3.3, (7,)))
    assert table.lay(card(2.0, "9h", 1, 7)).gone == 3.0
    assert list(table) == []
