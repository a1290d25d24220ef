"""Section 2 of RULES.md: every clause of ``trut``."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from engine import Event, Game, Header, PetitsConverted

Table = Callable[[str], Game]

WON_BY_A = """
    play 1 7s
    play 2 9s
    play 3 9h
    play 4 9d
    play 1 7h
    play 2 10s
    play 3 10h
    play 4 10d
"""
"""The rest of a round in which 1 leads and team A takes the first two tricks."""

WON_BY_B = """
    play 1 9c
    play 2 7s
    play 3 9h
    play 4 9d
    play 2 7h
    play 3 10h
    play 4 10d
    play 1 10s
"""
"""The same for team B."""


@pytest.mark.parametrize("seats", [2, 4])
def test_two_or_four(seats: int) -> None:
    """T-1: two players, or four in two teams."""
    assert Game(Header("trut", seats)).seats == seats


def test_the_pack() -> None:
    """T-2: 32 French-suited cards, 7 to ace."""
    pack = Game(Header("trut")).table.PACK
    assert len(pack) == 32 == len(set(pack.tokens))


def test_ranking() -> None:
    """T-3, C-10: 7, 8, ace, king, queen, jack, 10, 9 from high to low; suits are equal."""
    game = Game(Header("trut"))
    strengths = [game.strength(f"{rank}s") for rank in ("7", "8", "A", "K", "Q", "J", "10", "9")]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == 8
    assert {game.strength(f"A{suit}") for suit in "shdc?"} == {game.strength("As")}


def test_the_deal_moves_left(table: Table) -> None:
    """T-4: the deal moves one seat left every round, void and conceded rounds too; the dealer of the last
    round cuts."""
    table("""
        game trut
        dealer 4
        expect cutter 3
        deal
        expect next-dealer 1
        expect cutter 4
        trut 1
        fold 2
        fold 4
        cut 4
        deal 1
        expect turn 2
        play 2 7s
        play 3 7h
        play 4 9d
        play 1 9s
        play 3 8s
        play 4 8h
        play 1 10s
        play 2 10h
        play 4 As
        play 1 Ah
        play 2 Js
        play 3 Jh
        expect round none nothing
        deal 2
        expect dealer 2
    """)


def test_cards_are_dealt(table: Table) -> None:
    """T-5: three cards each."""
    table("game trut\ndeal\nexpect cards 1 3\nexpect cards 2 3\nexpect cards 3 3\nexpect cards 4 3")


def test_left_of_the_dealer_leads(table: Table) -> None:
    """T-6: the player left of the dealer leads."""
    for dealer, leader in ((1, 2), (2, 3), (3, 4), (4, 1)):
        table(f"game trut\ndealer {dealer}\ndeal\nexpect turn {leader}")


@pytest.mark.parametrize("leader", [1, 2])
def test_rotter_of_two(table: Table, leader: int) -> None:
    """T-10, T-11: qui pourrit dépourrit; with two players that is always the second player of the trick."""
    second = 3 - leader
    table(f"""
        game trut
        seats 2
        dealer {second}
        deal
        play {leader} 8s
        play {second} 8h
        expect trick rotten
        expect turn {second}
    """)


def test_third_rotten_after_one_each(table: Table) -> None:
    """T-12: one each and the third rotten: the owner of the first trick."""
    table("""
        game trut
        seats 2
        deal
        play 1 7s
        play 2 9s
        play 1 9h
        play 2 8s
        expect trick B
        expect phase play
        play 2 As
        play 1 Ah
        expect trick rotten
        expect round A petit
    """)


def test_no_third_trick_after_won_and_rotten(table: Table) -> None:
    """T-12: a third trick after won and rotten is not played."""
    table("""
        game trut
        seats 2
        deal
        play 1 9s
        play 2 7s
        play 2 8s
        play 1 8h
        expect round B petit
    """)


# T-20 to T-29


def test_a_trut_says_that_his_side_will_win(table: Table) -> None:
    """T-20, T-28, T-31: a trut taken: play goes on where it was, and the winners get a long."""
    table(f"""
        game trut
        deal
        trut 1
        expect stake petit
        accept 2
        expect stake long
        expect phase play
        expect turn 1
        {WON_BY_A}
        expect round A long
        expect score A 1 0 B 0 0
    """)


def test_lost_by_the_trutters(table: Table) -> None:
    """T-31: no matter by which team the trut was made."""
    table(f"game trut\ndeal\ntrut 1\naccept 2\n{WON_BY_B}\nexpect round B long\nexpect score A 0 0 B 1 0")


def test_at_any_moment(table: Table) -> None:
    """T-21: any player, in mid-trick, out of turn, and also with his last card laid."""
    table("""
        game trut
        deal
        trut 3
        undo
        play 1 7s
        trut 4
        undo
        trut 1
        undo
        play 2 9s
        play 3 9h
        play 4 9d
        play 1 9c
        play 2 7h
        play 3 10h
        play 4 10d
        play 2 As
        expect cards 2 0
        trut 2
        expect awaiting 1 3
        expect turn 3
        accept 1
        expect turn 3
    """)


def test_a_card_is_needed(table: Table) -> None:
    """T-21: option ``trut-needs-card on``."""
    table("""
        game trut
        option trut-needs-card on
        deal
        play 1 7s
        play 2 9s
        play 3 9h
        play 4 9d
        play 1 9c
        play 2 7h
        play 3 10h
        play 4 10d
        play 2 As
        trut 2
        expect error no-cards-left
        brelan 2
        expect error too-late
        trut 1
        expect awaiting 2 4
    """)


def test_only_in_turn(table: Table) -> None:
    """T-21: option ``trut-when own-turn``; the decision at fortial is exempt."""
    table("""
        game trut
        option trut-when own-turn
        deal
        trut 2
        expect error out-of-turn
        brelan 2
        expect error out-of-turn
        trut 1
        accept 2
    """)
    table("""
        game trut
        option trut-when own-turn
        score A 0 0 B 6 2
        deal
        expect turn 1
        trut 2
        expect phase answer
    """)


def test_a_trut_suspends_the_play(table: Table) -> None:
    """T-22: while a trut is unanswered nobody may lay a card or trut."""
    table("""
        game trut
        deal
        trut 1
        play 1 7s
        expect error challenge-pending
        trut 2
        expect error challenge-pending
        brelan 3
        expect error challenge-pending
        pass 2
        expect error challenge-pending
        deal
        expect error round-running
    """)


def test_one_trut_a_round(table: Table) -> None:
    """T-23: after it was taken nobody may trut again; the next round is free."""
    table(f"""
        game trut
        deal
        trut 1
        accept 2
        trut 4
        expect error already-truted
        brelan 3
        expect error already-truted
        {WON_BY_A}
        deal
        trut 4
    """)


@pytest.mark.parametrize("dealer", [1, 2, 3, 4])
@pytest.mark.parametrize("truter", [1, 2, 3, 4])
@pytest.mark.parametrize("order", ["dealer", "truter"])
def test_order_of_answers(table: Table, dealer: int, truter: int, order: str) -> None:
    """T-24: the opponents alone answer, in seat order from the dealer's left, or by option from the trutter's
    left."""
    start = dealer if order == "dealer" else truter
    seats = [(start + step) % 4 + 1 for step in range(4)]
    first, second = (seat for seat in seats if seat % 2 != truter % 2)
    table(f"""
        game trut
        dealer {dealer}
        option answer-order {order}
        deal
        trut {truter}
        expect awaiting {first} {second}
        accept {second}
        expect error not-your-challenge
        accept {truter}
        expect error not-your-challenge
        fold {first}
        expect awaiting {second}
        accept {first}
        expect error not-your-challenge
        accept {second}
        expect awaiting none
    """)


def test_first_word_binds_the_team(table: Table) -> None:
    """T-24: option ``answer team``: the first word of either opponent binds both."""
    table("""
        game trut
        option answer team
        deal
        trut 3
        expect awaiting 4 2
        accept 1
        expect error not-your-challenge
        fold 2
        expect round A petit
        deal
        trut 1
        expect awaiting 2 4
        accept 4
        expect stake long
    """)


def test_one_acceptance_is_enough(table: Table) -> None:
    """T-25: it is settled with the first acceptance; a later word is refused without effect."""
    table("""
        game trut
        deal
        trut 1
        accept 2
        accept 4
        expect error no-challenge
        fold 4
        expect error no-challenge
        expect stake long
    """)


def test_a_fold_by_one_partner(table: Table) -> None:
    """T-26: he keeps his cards and plays on."""
    table(f"game trut\ndeal\ntrut 1\nfold 2\naccept 4\nexpect cards 2 3\n{WON_BY_B}\nexpect round B long")


def test_all_fold(table: Table) -> None:
    """T-27, T-32: the round ends, the trutters get one petit."""
    game = table("""
        game trut
        deal
        play 1 7s
        trut 4
        fold 1
        expect phase answer
        fold 3
        expect round B petit
        expect score A 0 0 B 0 1
        expect phase deal
    """)
    assert game.rounds[0].reason == "fold"


def test_brelan(table: Table) -> None:
    """T-29: three cards of one rank, before the first card; a known hand must agree, an unknown one is
    believed."""
    table("""
        game trut
        deal
        hand 1 Ks Kh Kd
        hand 2 7s 8s 9s
        brelan 2
        expect error false-claim
        brelan 1
        expect awaiting 2 4
        undo
        brelan 3
        accept 2
        undo 2
        play 1 Ks
        brelan 1
        expect error too-late
        brelan 4
        expect awaiting 1 3
    """)


def test_announcements_by_option(table: Table) -> None:
    """T-29, G-21, G-22: brelan off; tierce and deux-petits on."""
    table("""
        game trut
        option brelan off
        option tierce on
        option deux-petits on
        deal
        brelan 1
        expect error not-in-game
        hand 1 7s 8h 9d
        hand 2 Ks Ah 7d
        tierce 2
        expect error false-claim
        tierce 1
        expect awaiting 2 4
        undo
        play 1 7s
        tierce 1
        expect error too-late
        deux-petits 1
        expect awaiting 2 4
        tierce 4
        expect error challenge-pending
    """)


# T-30 to T-37


def test_a_petit(table: Table) -> None:
    """T-30: a round won without a trut: one petit."""
    table(f"game trut\ndeal\n{WON_BY_A}\nexpect round A petit\nexpect score A 0 1 B 0 0")


@pytest.mark.parametrize("how", ["tricks", "fold", "fortial"])
def test_conversion(table: Table, how: str) -> None:
    """T-34: three petits become one long at once, by whatever way the third was got (T-30, T-32, T-53)."""
    events = {
        "tricks": WON_BY_A,
        "fold": "trut 1\nfold 2\nfold 4",
        "fortial": "expect phase fortial\npass 2\npass 4",
    }[how]
    other = "6 2" if how == "fortial" else "1 2"
    game = table(f"""
        game trut
        score A 0 2 B {other}
        deal
        {events}
        expect round A petit
        expect score A 1 0 B {other[0]} 0
    """)
    assert game.rounds[0].reason == how


def test_conversion_is_told() -> None:
    """T-34: the outcome says so."""
    game = Game(Header("trut", 2, score={"A": {"longs": 0, "petits": 2}, "B": {"longs": 0, "petits": 0}}))
    for event in (Event("deal"), Event("trut", 1)):
        game.apply(event)
    answer = game.apply(Event("fold", 2))
    assert PetitsConverted("A") in answer.outcomes  # type: ignore[union-attr]


def test_example_of_the_source(table: Table) -> None:
    """T-35: A 2 truts 2 points, B 3 truts 1 point, B wins a truted round: A 2 truts 0, B 4 truts 1."""
    table(f"""
        game trut
        score A 2 2 B 3 1
        deal
        trut 1
        accept 2
        {WON_BY_B}
        expect score A 2 0 B 4 1
    """)


@pytest.mark.parametrize(("a", "b"), [*itertools.product(range(3), repeat=2)])
def test_only_one_team_is_awarded(table: Table, a: int, b: int) -> None:
    """T-36, T-37: only one team is awarded anything, and petits are 0, 1 or 2 between rounds."""
    after = f"1 0 B 0 {0}" if a == 2 else f"0 {a + 1} B 0 {b}"
    table(f"game trut\nscore A 0 {a} B 0 {b}\ndeal\n{WON_BY_A}\nexpect score A {after}")


def test_two_petits_stay_with_a_long(table: Table) -> None:
    """T-37: with 2 petits a long leaves 2 petits; the next petit then converts."""
    table(f"""
        game trut
        score A 0 2 B 0 0
        deal
        trut 1
        accept 2
        {WON_BY_A}
        expect score A 1 2 B 0 0
        deal
        trut 1
        fold 4
        expect error not-your-challenge
        fold 2
        fold 4
        expect score A 2 0 B 0 0
    """)


# T-50 to T-60


@pytest.mark.parametrize(("score", "who"), [
    ("A 6 2 B 0 0", "A"), ("A 0 0 B 6 2", "B"), ("A 6 2 B 6 2", "both"), ("A 6 1 B 5 2", "none"),
])  # fmt: skip
def test_who_is_at_fortial(table: Table, score: str, who: str) -> None:
    """T-50: a team with target - 1 longs and 2 petits, by the score alone."""
    table(f"game trut\nscore {score}\nexpect fortial {who}")


def test_fortial_with_another_target(table: Table) -> None:
    """T-50: target - 1 longs."""
    table("game trut\noption target 2\nscore A 1 2 B 0 0\nexpect fortial A\ndeal\nexpect phase fortial")


def test_fortial_off(table: Table) -> None:
    """T-50: option ``fortial off`` plays such a round like any other, and there is nothing to pass."""
    table("game trut\noption fortial off\nscore A 6 2 B 0 0\nexpect fortial none\ndeal\nexpect phase play\n"
          "pass 1\nexpect error not-in-game")  # fmt: skip


@pytest.mark.parametrize("dealer", [1, 2, 3, 4])
@pytest.mark.parametrize("team", ["A", "B"])
def test_order_at_fortial(table: Table, dealer: int, team: str) -> None:
    """T-51: the members decide in seat order from the dealer's left, each alone; nobody else may act."""
    seats = [(dealer + step) % 4 + 1 for step in range(4)]
    first, second = (seat for seat in seats if seat % 2 == (team == "A"))
    score = "A 6 2 B 0 0" if team == "A" else "A 0 0 B 6 2"
    table(f"""
        game trut
        dealer {dealer}
        score {score}
        deal
        expect awaiting {first} {second}
        trut {second}
        expect error not-your-challenge
        pass {second}
        expect error not-your-challenge
        trut {first % 4 + 1}
        expect error not-your-challenge
        play {seats[0]} 7s
        expect error declare-pending
        accept {first}
        expect error declare-pending
        hand 1 7s 7h 7d
        pass {first}
        expect awaiting {second}
        brelan {second}
        expect phase answer
    """)


def test_fortial_trut_folded(table: Table) -> None:
    """T-52: if all fold they lose the game at once, by the conversion of the petit of T-27."""
    table("""
        game trut
        score A 6 2 B 6 2
        option target 7
        set-score A 6 2 B 6 1
        deal
        trut 1
        fold 2
        fold 4
        expect round A petit
        expect score A 7 0 B 6 0
        expect winner A
    """)


def test_fortial_trut_taken(table: Table) -> None:
    """T-52: taken: the fortial team wins the game, or it loses its two petits and leaves fortial, or the
    round is void."""
    table(
        f"game trut\nscore A 6 2 B 3 1\ndeal\ntrut 1\naccept 2\n{WON_BY_A}"
        "expect score A 7 2 B 3 0\nexpect winner A"
    )
    table(f"""
        game trut
        score A 6 2 B 3 1
        deal
        trut 1
        accept 2
        {WON_BY_B}
        expect score A 6 0 B 4 1
        expect fortial none
    """)
    table("""
        game trut
        seats 2
        score A 6 2 B 3 1
        deal
        trut 1
        accept 2
        play 1 7s
        play 2 7h
        play 2 8s
        play 1 8h
        play 1 9s
        play 2 9h
        expect round none nothing
        expect fortial A
        deal
        expect phase fortial
    """)


def test_fortial_passed(table: Table) -> None:
    """T-53: none of them truts: the round ends unplayed and the other team gets one petit; fortial lasts."""
    table("""
        game trut
        score A 6 2 B 0 0
        deal
        pass 1
        pass 3
        expect round B petit
        expect score A 6 2 B 0 1
        expect fortial A
        expect next-dealer 1
        deal
        expect phase fortial
    """)


def test_both_at_fortial(table: Table) -> None:
    """T-54: no declaration; the winner wins the game, by a petit as by a long; folding to a trut loses it."""
    table(
        "game trut\nscore A 6 2 B 6 2\ndeal\nexpect phase play\npass 1\nexpect error no-challenge\n"
        f"{WON_BY_A}\nexpect winner A"
    )
    table(
        "game trut\nscore A 6 2 B 6 2\ndeal\ntrut 2\nfold 1\nfold 3\n"
        "expect winner B\nexpect score A 6 0 B 7 0"
    )


def test_fortial_of_two(table: Table) -> None:
    """T-55: in a two-player game the one player decides alone."""
    table("game trut\nseats 2\nscore A 6 2 B 0 0\ndeal\nexpect awaiting 1\npass 1\nexpect round B petit")


def test_the_others_cannot_trut_at_fortial(table: Table) -> None:
    """T-56: before the decision they may not speak, after a trut T-23 forbids it."""
    table("""
        game trut
        score A 6 2 B 0 0
        deal
        trut 2
        expect error not-your-challenge
        trut 1
        accept 2
        trut 2
        expect error already-truted
    """)


@pytest.mark.parametrize("target", [1, 2, 7])
def test_the_end(table: Table, target: int) -> None:
    """T-60: the first team with ``target`` longs wins at once."""
    table(f"""
        game trut
        option target {target}
        score A {target - 1} 0 B {target - 1} 1
        deal
        trut 1
        accept 2
        {WON_BY_B}
        expect winner B
        expect score A {target - 1} 0 B {target} 1
        expect phase over
    """)
