"""Corrections of anything earlier: a game put right is the game played rightly from the start."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.acts import Act, Action, Notice
from assistant.announcer import Announcer
from assistant.bench.mistakes import DEALT, misread, played, report, with_one_wrong
from assistant.interpreter import Interpreter
from assistant.journal import lines_of
from assistant.orders import Drop, Insert, Order, Redo, Rename, Reseat, Say, Undo
from engine import GAMES, Event, Game, Header, Record, parse_event
from engine import replay as replay_record
from engine.header import SEATS
from engine.record import header_lines


class Table:
    """A table at which everything is told, with its record."""

    def __init__(self, header: Header) -> None:
        self.game = Game(header)
        self.interpreter = Interpreter(self.game, live=True)
        self.lines = "".join(f"{line}\n" for line in header_lines(header))
        self.acts: list[Act] = []
        self.t = 0.0

    def follow(self, order: Order) -> list[Act]:
        self.t = order.t
        return self.took(self.interpreter.order(order))

    def took(self, acts: Sequence[Act]) -> list[Act]:
        self.lines += "".join(lines_of(act) for act in acts if isinstance(act, Action))
        self.acts += acts
        return list(acts)

    def say(self, event: Event | str, pause: float = 1.0) -> list[Act]:
        event = parse_event(event) if isinstance(event, str) else event
        acts = self.follow(Say(self.t + pause, self.t + pause, "keyboard", event))
        return acts + self.took(self.interpreter.advance(self.t))

    def rename(self, at: int, card: str) -> list[Act]:
        return self.follow(Rename(self.t + 1, self.t + 1, "page", at, card))

    def undo(self, count: int = 1) -> list[Act]:
        return self.follow(Undo(self.t + 1, self.t + 1, "keyboard", count))

    def redo(self) -> list[Act]:
        return self.follow(Redo(self.t + 1, self.t + 1, "keyboard"))

    def announced(self, acts: Sequence[Act]) -> list[str]:
        announcer = Announcer(self.game)
        return [said.text for act in acts for said in announcer.words(act)]

    def holds(self) -> bool:
        """Whether the record replays to this very game without anything that it does not expect."""
        again = replay_record(Record.parse(self.lines))
        return again.holds and (again.game.state(), again.game.log) == (self.game.state(), self.game.log)


@pytest.mark.parametrize("ruleset", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_game_with_one_wrong_card_put_right_is_the_game_played_rightly(ruleset: str, seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.choice(SEATS[ruleset])
    truth = played(Header(ruleset, seats, rng.randint(1, seats)), rng, rng.randrange(5, 90))
    plays = [i for i, event in enumerate(truth.log) if event.verb == "play"]
    if not plays:
        return
    index = rng.choice(plays)
    table, at = Table(truth.header), -1
    orders, told = with_one_wrong(truth, index, rng)
    for order in orders:
        table.follow(order)
        if order.event is told:
            assert table.game.log[-1] == told
            at = len(table.game.log) - 1
    wrong = table.game.log
    acts = table.rename(at, truth.log[index].args[0])
    assert table.game.log == truth.log
    assert table.game == truth
    assert table.holds()
    assert len(table.announced(acts)) == 1
    table.undo()
    assert table.game.log == wrong
    table.redo()
    assert table.game == truth
    assert table.holds()


# -- by hand ------------------------------------------------------------------------------------------------

TRUT = Header("trut", seats=4, dealer=4)


def told(*lines: str, header: Header = TRUT) -> Table:
    table = Table(header)
    for line in lines:
        table.say(line)
    return table


def log(table: Table) -> list[str]:
    return [str(event) for event in table.game.log]


def kinds(acts: Sequence[Act]) -> list[str]:
    return [act.kind for act in acts if isinstance(act, Notice)]


TRICK = ("play 1 9d", "play 2 Jd", "play 3 10s", "play 4 Js")


def test_a_correction_says_what_is_right_and_what_it_changed_and_nothing_else() -> None:
    table = told(*TRICK)
    acts = table.rename(1, "8d")
    assert table.announced(acts) == ["Je corrige : Sud a joué le huit de carreau. Pli pour Nord-Sud. À Sud de jouer."]
    assert log(table) == ["deal", "play 1 8d", "play 2 Jd", "play 3 10s", "play 4 Js"]


def test_a_card_of_a_round_that_is_over_is_corrected_and_the_score_said_once() -> None:
    table = told(*TRICK, "play 1 7c", "play 2 Qd", "play 3 Ks", "play 4 9c")
    assert not table.game.rounds
    assert "play 1 7c" not in log(table)  # it seemed to be out of turn
    acts = table.rename(1, "8d")
    assert table.announced(acts) == [
        "Je corrige : Sud a joué le huit de carreau. "
        "Nord-Sud contre Est-Ouest : 0 long et 1 petit à 0 long et 0 petit. À Sud de donner."
    ]
    assert len(table.game.rounds) == 1
    assert table.holds()


def test_the_card_that_won_the_game_is_corrected_and_the_game_goes_on() -> None:
    table = told(
        "set-score A 6 1 B 0 0", "play 1 7h", "trut 2", "accept 1", "play 2 Jd", "play 3 10s", "play 4 Js",
        "play 1 8h", "play 2 Qd", "play 3 10c", "play 4 Qs",
    )  # fmt: skip
    assert table.game.winner == "A"
    table.say("play 3 Kh")
    at = log(table).index("play 1 8h")
    acts = table.rename(at, "9h")
    assert table.game.winner is None
    assert table.game.phase == "play"
    assert len(table.announced(acts)) == 1
    assert "La partie n'est donc pas finie." in table.announced(acts)[0]
    assert table.holds()


def test_what_was_refused_because_of_the_wrong_reading_counts_after_the_correction() -> None:
    table = told("play 1 9d", "play 2 Jd", "play 3 10s", "play 4 Js", "play 1 7s", "play 2 Kc")
    assert log(table)[-2:] == ["play 4 Js", "play 2 Kc"]
    table.rename(1, "8d")
    assert log(table)[-2:] == ["play 1 7s", "play 2 Kc"]
    assert table.holds()


def test_what_is_refused_after_a_correction_gets_its_line_and_is_told() -> None:
    table = told("play 1 8d", "play 2 Jd", "play 3 10s", "play 4 Js", "play 1 7s")
    acts = table.rename(1, "9d")
    assert table.lines.endswith("play 1 7s | t=5.00 by=keyboard\nexpect error out-of-turn\n")
    assert "Un coup n'est plus permis." in table.announced(acts)[0]
    assert table.holds()


def test_another_player_did_it() -> None:
    table = told("play 1 9d", "trut 2", "accept 3")
    acts = table.follow(Reseat(9.0, 9.0, "page", 2, 4))
    assert log(table)[:3] == ["deal", "play 1 9d", "trut 4"]
    assert table.announced(acts)[0].startswith("Je corrige : Est trute.")
    assert table.holds()


def test_it_never_happened() -> None:
    table = told("play 1 9d", "trut 2")
    acts = table.follow(Drop(9.0, 9.0, "page", 2))
    assert log(table) == ["deal", "play 1 9d"]
    assert table.announced(acts) == ["Je retire : Ouest trute. À Ouest de jouer."]


def test_a_call_that_was_missed_is_put_in_before_the_card_that_followed_it() -> None:
    table = told("play 1 9d", "play 2 Jd")
    table.follow(Insert(9.0, 9.0, "page", 2, Event("trut", 3)))
    assert log(table) == ["deal", "play 1 9d", "trut 3"]
    table.follow(Insert(10.0, 10.0, "page", 3, Event("accept", 2)))
    assert log(table) == ["deal", "play 1 9d", "trut 3", "accept 2"]
    assert table.holds()


def test_the_first_call_of_a_round_can_be_put_in() -> None:
    table = told("play 1 9d")
    table.follow(Insert(9.0, 9.0, "page", 1, Event("trut", 1)))
    assert log(table) == ["deal", "trut 1"]


@pytest.mark.parametrize(
    ("order", "kind"),
    [
        (Rename(9.0, 9.0, "page", 7, "8d"), "nothing-to-correct"),
        (Rename(9.0, 9.0, "page", 0, "8d"), "nothing-to-correct"),
        (Rename(9.0, 9.0, "page", 1, "2d"), "refused"),
        (Rename(9.0, 9.0, "page", 2, "9d"), "card-out"),
        (Rename(9.0, 9.0, "page", 1, "9d"), "so-counted"),
        (Drop(9.0, 9.0, "page", 0), "nothing-to-correct"),
        (Reseat(9.0, 9.0, "page", 0, 1), "nothing-to-correct"),
        (Reseat(9.0, 9.0, "page", 1, 9), "refused"),
        (Reseat(9.0, 9.0, "page", 2, 0), "refused"),
        (Insert(9.0, 9.0, "page", 2, Event("trut", 5)), "refused"),
        (Redo(9.0, 9.0, "page"), "nothing-to-redo"),
    ],
)
def test_a_correction_that_cannot_be_changes_nothing_and_says_why(order: Order, kind: str) -> None:
    table = told("play 1 9d", "play 2 Jd")
    before, lines = table.game.log, table.lines
    acts = table.follow(order)
    assert kinds(acts) == [kind]
    assert all(table.announced(acts))
    assert (table.game.log, table.lines) == (before, lines)


def test_redo_brings_back_what_undo_took_and_something_new_forbids_it() -> None:
    table = told("play 1 9d", "play 2 Jd", "trut 3")
    table.undo()
    table.undo(2)
    assert log(table) == ["deal"]
    table.redo()
    table.redo()
    assert log(table) == ["deal", "play 1 9d", "play 2 Jd", "trut 3"]
    table.undo()
    table.say("play 3 10s")
    assert kinds(table.redo()) == ["nothing-to-redo"]
    assert table.holds()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_undo_and_redo_go_and_come_through_any_game(seed: int) -> None:
    rng = random.Random(seed)
    truth = played(Header(rng.choice(GAMES)), rng, 60)
    table = Table(truth.header)
    for event in truth.log:
        table.say(event)
    states = [table.game.log]
    for _ in range(rng.randrange(1, 6)):
        if table.game.log:
            table.undo(rng.randint(1, len(table.game.log)))
            states.append(table.game.log)
    for state in reversed(states[:-1]):
        table.redo()
        assert table.game.log == state
    assert table.game == truth
    assert table.holds()


def test_undo_straight_after_a_correction_takes_the_correction_back() -> None:
    table = told(*TRICK)
    wrong = table.game.log
    table.rename(1, "8d")
    right = table.game.log
    acts = table.undo()
    assert kinds(acts) == ["uncorrected"]
    assert table.game.log == wrong
    table.redo()
    assert table.game.log == right
    table.say("play 1 7s")
    table.undo()
    assert table.game.log == right


def test_what_is_older_than_the_memory_is_corrected_from_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.account.REMEMBERED", 12)
    truth = played(Header("trut", seats=4), random.Random(5), 80)
    table = Table(truth.header)
    for event in truth.log:
        table.say(event)
    at = next(i for i, event in enumerate(truth.log) if event.verb == "play")
    table.rename(at, "7?" if truth.log[at].args[0][0] != "7" else "8?")
    table.undo()
    assert table.game.log == truth.log
    table.rename(at, "7?" if truth.log[at].args[0][0] != "7" else "8?")
    table.rename(at, truth.log[at].args[0])
    assert table.game.log[: at + 2] == truth.log[: at + 2]
    assert table.holds()


def test_a_correction_five_rounds_back_is_quick() -> None:
    truth = played(Header("trut", seats=4), random.Random(11), 120)
    table = Table(truth.header)
    for event in truth.log:
        table.say(event, DEALT if event.verb == "deal" else 1.0)
    rounds = [i for i, event in enumerate(truth.log) if event.verb == "deal"]
    at = next(i for i in range(rounds[-6], len(truth.log)) if truth.log[i].verb == "play")
    began = time.perf_counter()
    table.rename(at, "Q?" if truth.log[at].args[0][0] != "Q" else "K?")
    assert time.perf_counter() - began < 0.2


# -- cards that the eyes misread ----------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_a_card_misread_at_a_table_that_went_on_rightly_is_put_right(seats: int, seed: int) -> None:
    """What was seen and heard after it comes to what it would have come to."""
    mended = misread(seats, seed)
    assert mended is None or mended.right


def test_the_figures_are_printed() -> None:
    lines = list(report(2))
    assert len(lines) == 1 + len(GAMES) + 2
    assert all(line.split()[-4] == line.split()[-5] for line in lines[1:])  # as many put right as there are


def test_corrections_in_a_row_say_the_score_once() -> None:
    table = Table(Header("trut", seats=2, dealer=2))
    for line in ("deal", "play 1 7s", "play 2 Kh", "play 1 8d", "play 2 Qs", "play 1 9c"):
        table.say(line)
    announcer = Announcer(table.game)
    score = "Sud contre Nord : 0 long et 1 petit à 0 long et 0 petit."

    def rename(at: int, card: str, pause: float) -> list[str]:
        table.t += pause
        return [said.text for act in table.rename(at, card) for said in announcer.words(act)]

    assert rename(2, "Ks", 1.0) == [f"Je corrige : Nord a joué le roi de pique. {score}"]
    assert rename(4, "Qc", 2.0) == ["Je corrige : Nord a joué la dame de trèfle."]
    assert rename(4, "Qd", 30.0) == [f"Je corrige : Nord a joué la dame de carreau. {score}"]
