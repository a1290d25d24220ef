"""Orders: what a person tells the assistant counts at once, and only the rules judge it."""

from __future__ import annotations

import pytest

from assistant.acts import Act, Action, Notice, Question
from assistant.announcer import Announcer
from assistant.interpreter import Interpreter
from assistant.orders import Command, Rename, Reply, Say, Undo
from assistant.testing import place_of
from engine import Event, Game, Header, parse_event
from vision.events import CardLaid

HEADER = Header("trut", seats=4, dealer=4)


class Told:
    """A table at which everything is told by key, one line a second."""

    def __init__(self, header: Header = HEADER) -> None:
        self.game = Game(header)
        self.interpreter = Interpreter(self.game, live=True)
        self.t = 0.0

    def say(self, *lines: str) -> list[Act]:
        acts: list[Act] = []
        for line in lines:
            self.t += 1.0
            acts += self.interpreter.order(Say(self.t, self.t, "keyboard", parse_event(line)))
            acts += self.interpreter.advance(self.t)
        return acts

    @property
    def log(self) -> list[str]:
        return [str(event) for event in self.game.log]


def actions(acts: list[Act]) -> list[str]:
    return [str(a.event) for a in acts if isinstance(a, Action) and a.refused is None]


def notices(acts: list[Act]) -> list[str]:
    return [a.kind for a in acts if isinstance(a, Notice)]


def test_a_told_card_brings_its_deal_and_is_that_of_whose_turn_it_is() -> None:
    table = Told()
    acts = table.say("play 7h", "play 9d")
    assert actions(acts) == ["deal", "play 1 7h", "play 2 9d"]
    assert [a.by for a in acts if isinstance(a, Action)] == ["rules", "keyboard", "keyboard"]


def test_a_told_call_goes_to_whose_turn_it_is_and_its_answer_to_who_is_asked() -> None:
    table = Told()
    table.say("play 7h", "trut", "accept")
    assert table.log == ["deal", "play 1 7h", "trut 2", "accept 1"]


def test_a_told_seat_is_believed() -> None:
    table = Told()
    table.say("deal", "trut 3", "fold 2")
    assert table.log == ["deal", "trut 3", "fold 2"]


def test_a_card_told_out_of_turn_is_an_infraction_of_the_record() -> None:
    table = Told()
    acts = table.say("play 1 7h", "play 4 9d")
    assert [(str(a.event), a.refused) for a in acts if isinstance(a, Action) and a.refused] == [
        ("play 4 9d", "out-of-turn")
    ]
    assert table.log == ["deal", "play 1 7h"]


def test_what_the_rules_refuse_is_answered_though_it_is_no_infraction() -> None:
    table = Told()
    table.say("play 7h")
    acts = table.say("accept")
    assert notices(acts) == ["refused"]
    assert [a.text for a in Announcer(table.game).words(acts[0])] == ["« Je vais voir » : il n'y a rien à répondre."]
    assert table.log == ["deal", "play 1 7h"]


def test_a_deal_and_a_score_are_told_without_a_seat() -> None:
    table = Told()
    table.say("set-score A 2 1 B 0 0", "deal")
    assert table.log == ["set-score A 2 1 B 0 0", "deal"]


def test_undo_takes_back_as_many_events_as_were_said() -> None:
    table = Told()
    table.say("play 7h", "play 9d", "trut")
    acts = table.interpreter.order(Undo(9.0, 9.0, "page", 2))
    assert actions(acts) == ["undo 2"]
    assert table.log == ["deal", "play 1 7h"]
    table.say("play 8d")
    assert table.log == ["deal", "play 1 7h", "play 2 8d"]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_nothing_is_undone_where_there_is_not_that_much(count: int) -> None:
    table = Told()
    assert notices(table.interpreter.order(Undo(1.0, 1.0, "keyboard", count))) == ["nothing-to-undo"]


def test_a_command_is_followed_at_once_and_not_asked_back() -> None:
    table = Told()
    table.say("play 7h")
    acts = table.interpreter.order(Command(3.0, 3.0, "keyboard", "annul"))
    assert actions(acts) == ["annul"]
    assert not [a for a in acts if isinstance(a, Question)]
    assert [a.by for a in acts if isinstance(a, Action)] == ["keyboard"]
    assert notices(table.interpreter.order(Command(4.0, 4.0, "page", "score"))) == ["score"]


def test_something_told_ends_a_pause() -> None:
    table = Told()
    table.interpreter.order(Command(1.0, 1.0, "keyboard", "pause"))
    acts = table.say("play 7h")
    assert notices(acts) == ["resumed"]
    assert table.game.log == (Event("deal"), Event("play", 1, ("7h",)))


# -- a game taken up in the middle, and cards told before they are seen ---------------------------------------


def lying(card: str, seat: int, track: int, t: float) -> CardLaid:
    return CardLaid(t, t, track, card, 0.97, seat, place_of(seat, 4, track), None, ((card, 0.97),))


def taken_up(*lines: str) -> tuple[Game, Interpreter]:
    game = Game(HEADER)
    for line in lines:
        game.apply(parse_event(line))
    interpreter = Interpreter(Game(HEADER), live=True)
    interpreter.restore(game)
    return game, interpreter


def test_the_cards_of_a_game_taken_up_are_not_laid_twice() -> None:
    game, interpreter = taken_up("deal", "play 1 7h", "play 2 9d")
    interpreter.observe([lying("7h", 1, 1, 0.0), lying("9d", 2, 2, 0.3)])
    acts = interpreter.advance(2.0)
    interpreter.observe([lying("Jd", 3, 3, 3.0)])
    acts += interpreter.advance(4.0)
    assert actions(acts) == ["play 3 Jd"]
    assert [a.refused for a in acts if isinstance(a, Action)] == [None]
    assert len(game.log) == 4


def test_a_game_taken_up_can_be_corrected_and_undone_before_the_first_new_thing() -> None:
    game, interpreter = taken_up("deal", "play 1 7h", "play 2 9d", "play 3 Jd")
    acts = interpreter.order(Rename(1.0, 1.0, "page", 1, "8h"))
    assert actions(acts) == ["undo 3", "play 1 8h", "play 2 9d", "play 3 Jd"]
    interpreter.order(Undo(2.0, 2.0, "keyboard", 3))
    assert [str(event) for event in game.log] == ["deal"]


def test_a_card_that_is_told_before_it_is_seen_counts_once() -> None:
    table = Told()
    table.say("play 7h")
    table.interpreter.observe([lying("7h", 1, 1, 1.5), lying("9d", 2, 2, 3.0)])
    acts = table.interpreter.advance(4.0)
    assert table.log == ["deal", "play 1 7h", "play 2 9d"]
    assert not [a for a in acts if isinstance(a, Action) and a.refused]


def test_a_card_that_was_only_thought_of_is_named_afterwards() -> None:
    table = Told()
    table.say("play 7h")
    table.interpreter.order(Say(3.0, 3.0, "rules", Event("play", 2, ("Q?",))))
    table.interpreter.order(Reply(5.0, 5.0, "keyboard", "Jd"))
    assert table.log == ["deal", "play 1 7h", "play 2 Jd"]
