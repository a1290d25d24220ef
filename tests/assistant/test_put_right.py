"""Infractions: what the rules refuse, the table puts right, and the program follows."""

from __future__ import annotations

import dataclasses

from assistant.acts import Act, Action, Question
from assistant.interpreter import Interpreter
from assistant.orders import Rename, Say
from assistant.testing import place_of
from engine import Event, Game, Header
from vision.events import CardLaid, CardsTaken

HEADER = Header("trut", seats=4, dealer=4)


class Table:
    def __init__(self) -> None:
        self.game = Game(HEADER)
        self.interpreter = Interpreter(self.game, live=True)
        self.acts: list[Act] = []

    def sees(self, *seen: CardLaid | CardsTaken) -> None:
        for each in seen:
            self.interpreter.observe([each])
            self.acts += self.interpreter.advance(each.decided + 1.5)

    @property
    def log(self) -> list[str]:
        return [str(event) for event in self.game.log][1:]

    @property
    def refused(self) -> list[tuple[str, str]]:
        return [(str(a.event), a.refused) for a in self.acts if isinstance(a, Action) and a.refused]


def laid(t: float, card: str, seat: int, track: int) -> CardLaid:
    return CardLaid(t, t + 0.4, track, card, 0.97, seat, place_of(seat, 4, 9 * track), seat, ((card, 0.97),))


def taken(t: float, *tracks: int) -> CardsTaken:
    return CardsTaken(t, t + 0.3, tracks)


def test_a_card_taken_back_and_laid_again_in_turn_counts() -> None:
    table = Table()
    table.sees(laid(2.0, "9h", 1, 1), laid(4.0, "Ks", 4, 2), taken(7.0, 2))
    assert table.refused == [("play 4 Ks", "out-of-turn")]
    table.sees(laid(9.0, "Jd", 2, 3), laid(12.0, "10d", 3, 4), laid(15.0, "Ks", 4, 5))
    assert table.log == ["play 1 9h", "play 2 Jd", "play 3 10d", "play 4 Ks"]
    assert len(table.refused) == 1


def test_another_card_may_be_laid_instead_of_the_one_taken_back() -> None:
    table = Table()
    table.sees(laid(2.0, "9h", 1, 1), laid(4.0, "Ks", 4, 2), taken(7.0, 2))
    table.sees(laid(9.0, "Jd", 2, 3), laid(12.0, "10d", 3, 4), laid(15.0, "As", 4, 5))
    assert table.log[-1] == "play 4 As"


def test_a_card_that_the_others_let_lie_counts_when_its_turn_has_come() -> None:
    table = Table()
    table.sees(laid(2.0, "9h", 1, 1), laid(4.0, "Ks", 4, 2), laid(9.0, "Jd", 2, 3), laid(12.0, "10d", 3, 4))
    table.acts += table.interpreter.advance(16.0)
    assert table.log == ["play 1 9h", "play 2 Jd", "play 3 10d", "play 4 Ks"]


def test_two_cards_of_one_player_the_second_is_refused_until_it_is_taken_back() -> None:
    table = Table()
    table.sees(laid(2.0, "9h", 1, 1), laid(5.0, "8h", 1, 2), taken(9.0, 2), laid(11.0, "Jd", 2, 3))
    assert table.refused == [("play 1 8h", "out-of-turn")]
    assert table.log == ["play 1 9h", "play 2 Jd"]


def test_a_second_card_laid_just_on_ones_own_is_no_better_reading_of_it() -> None:
    table = Table()
    own = laid(4.0, "Jd", 2, 2)
    table.sees(laid(2.0, "9h", 1, 1))
    table.interpreter.observe([own])
    table.acts += table.interpreter.advance(4.9)
    table.interpreter.observe([taken(5.1, 2), dataclasses.replace(laid(5.2, "Kc", 2, 3), quad=own.quad)])
    for clock in (5.8, 6.5, 7.5):
        table.acts += table.interpreter.advance(clock)
    assert table.log == ["play 1 9h", "play 2 Jd"]
    assert table.refused == [("play 2 Kc", "out-of-turn")]


def test_hands_thrown_in_face_up_open_no_round() -> None:
    """A card of a player who does not lead, before anybody can have dealt."""
    table = Table()
    round_ = [("7h", 1), ("9s", 2), ("10s", 3), ("9d", 4), ("8h", 1), ("9c", 2), ("10h", 3), ("Js", 4)]
    for n, (card, seat) in enumerate(round_):
        table.sees(laid(2.0 + 2 * n, card, seat, n + 1))
        if seat == 4:
            table.sees(taken(2.9 + 2 * n, *range(n - 2, n + 2)))
    assert len(table.game.rounds) == 1
    end = 2.0 + 2 * len(round_) - 2
    table.sees(laid(end + 3.8, "Qd", 3, 20), taken(end + 5.0, 20))
    assert table.game.phase == "deal"
    assert table.refused == []
    table.sees(laid(end + 12.0, "Kd", 2, 21))
    assert table.log[-2:] == ["deal", "play 2 Kd"]


def test_players_who_know_better_say_what_it_was() -> None:
    """A card refused because another had been misread counts as soon as that one is put right."""
    table = Table()
    table.sees(laid(2.0, "9h", 1, 1), laid(5.0, "Jd", 2, 2))
    table.interpreter.order(Say(8.0, 8.0, "keyboard", Event("play", 3, ("Jd",))))
    assert table.log == ["play 1 9h", "play 2 Jd"]
    table.interpreter.order(Rename(9.0, 9.0, "keyboard", 2, "Qd"))
    assert table.log == ["play 1 9h", "play 2 Qd", "play 3 Jd"]


def test_the_same_infraction_is_told_once() -> None:
    table = Table()
    out = laid(4.0, "Ks", 4, 2)
    table.sees(laid(2.0, "9h", 1, 1), out, dataclasses.replace(out, t=6.0, decided=6.4, track=3))
    assert [event for event, _ in table.refused] == ["play 4 Ks"]
    assert not [a for a in table.acts if isinstance(a, Question) and a.kind == "twice"]
