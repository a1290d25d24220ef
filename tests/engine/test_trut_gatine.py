"""Section 3 of RULES.md: every clause of ``trut-gatine``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import Game, Header

Table = Callable[[str], Game]

WON_BY_A = "play 1 8s\nplay 2 9s\nplay 3 9h\nplay 4 9d\nplay 1 8h\nplay 2 Js\nplay 3 Jh\nplay 4 Jd"
WON_BY_B = "play 1 9s\nplay 2 8s\nplay 3 9h\nplay 4 9d\nplay 2 8h\nplay 3 Js\nplay 4 Jh\nplay 1 Jd"
ROTTEN_OF_TWO = "play 1 8s\nplay 2 8h\nplay 2 7s\nplay 1 7h\nplay 1 9s\nplay 2 9h"
"""Three rotten tricks of two players, 1 leading."""


def test_no_conversion_and_no_fortial(table: Table) -> None:
    """G-1: no conversion, no fortial: a team with target - 1 truts and two points holds instead; nothing to
    pass."""
    table("game trut-gatine\nscore A 6 2 B 0 0\nexpect fortial none\ndeal\nexpect phase hold")
    table("game trut-gatine\ndeal\npass 1\nexpect error not-in-game")


@pytest.mark.parametrize(("ten", "order"), [("high", "8 7 A 10 K Q J 9"), ("low", "8 7 A K Q J 10 9")])
def test_ranking(ten: str, order: str) -> None:
    """G-4: 8, 7, ace, 10, king, queen, jack, 9; by option the 10 after the jack."""
    game = Game(Header("trut-gatine", options={"ten": ten}))
    strengths = [game.strength(f"{rank}s") for rank in order.split()]
    assert strengths == [8, 7, 6, 5, 4, 3, 2, 1]


def test_like_the_classic_game(table: Table) -> None:
    """G-5, G-20: deal, lead, rotten tricks and trut as in section 2."""
    table("""
        game trut-gatine
        expect cutter 3
        deal
        expect turn 1
        play 1 8s
        play 2 8h
        play 3 9s
        play 4 8d
        expect trick rotten
        expect turn 2
        trut 3
        expect awaiting 2 4
        fold 2
        accept 4
        trut 1
        expect error already-truted
    """)


def test_tierce(table: Table) -> None:
    """G-21: three consecutive ranks of the normal order in any suits, no wrap-round, before the first card;
    option."""
    game = "game trut-gatine\nseats 2\ndeal\n"
    for hand in ("7s 8h 9d", "As Kh Qd", "Jh 10h 9h"):
        table(f"{game}hand 1 {hand}\ntierce 1\nexpect awaiting 2")
    for hand in ("As Kh 7d", "7s 8h 8d", "7s 8h 10d"):
        table(f"{game}hand 1 {hand}\ntierce 1\nexpect error false-claim")
    table(f"{game}play 1 7s\ntierce 1\nexpect error too-late")
    table("game trut-gatine\noption tierce off\ndeal\ntierce 1\nexpect error not-in-game")


def test_deux_petits(table: Table) -> None:
    """G-22: a trut and nothing else, whenever a trut may be made; the hand is not checked; option."""
    table("game trut-gatine\ndeal\nhand 1 8s 8h 8d\nplay 1 8s\ndeux-petits 1\nexpect phase answer")
    table("game trut-gatine\noption deux-petits off\ndeal\ndeux-petits 1\nexpect error not-in-game")


def test_berlan(table: Table) -> None:
    """G-23: brelan as in T-29, on by default; option."""
    table("game trut-gatine\ndeal\nhand 1 8s 8h 8d\nbrelan 1\nexpect phase answer")
    table("game trut-gatine\noption brelan off\ndeal\nbrelan 1\nexpect error not-in-game")


def test_points_and_truts(table: Table) -> None:
    """G-30, G-31: a point without trut or for a fold, a trut for a trut taken, never a third point."""
    table(f"game trut-gatine\ndeal\n{WON_BY_A}\nexpect round A petit\nexpect score A 0 1 B 0 0")
    table("""
        game trut-gatine
        score A 0 1 B 0 0
        deal
        trut 1
        fold 2
        fold 4
        expect score A 0 2 B 0 0
        deal
        expect phase hold
    """)
    table(
        f"game trut-gatine\ndeal\ntrut 1\naccept 2\n{WON_BY_B}\nexpect round B long\nexpect score A 0 0 B 1 0"
    )


@pytest.mark.parametrize(
    ("clears", "score"), [("winner", "A 1 0 B 0 1"), ("opponent", "A 1 1 B 0 0"), ("both", "A 1 0 B 0 0")]
)
def test_a_trut_costs_the_winner_his_points(table: Table, clears: str, score: str) -> None:
    """G-32: the team that gains a trut loses its own points; by option the other team's, or both teams'."""
    table(f"""
        game trut-gatine
        option long-clears {clears}
        score A 0 1 B 0 1
        deal
        trut 1
        accept 2
        {WON_BY_A}
        expect score {score}
    """)


def test_holding(table: Table) -> None:
    """G-40, G-41: the members of the team with two points say in turn; one who holds makes it trut d'off."""
    table("""
        game trut-gatine
        dealer 1
        score A 0 2 B 0 1
        deal
        expect phase hold
        expect awaiting 3 1
        hold 1
        expect error not-your-challenge
        fold 3
        expect error declare-pending
        hand 2 7s 8s 9s
        refuse 3
        hold 1
        expect stake long
        hold 3
        expect error no-challenge
        trut 2
        expect error trut-d-off
        tierce 2
        expect error trut-d-off
        deux-petits 4
        expect error trut-d-off
    """)


def test_nobody_holds(table: Table) -> None:
    """G-42: the other team gets one point."""
    game = table("""
        game trut-gatine
        score A 0 2 B 0 1
        deal
        refuse 1
        refuse 3
        expect round B petit
        expect score A 0 2 B 0 2
    """)
    assert game.rounds[0].reason == "hold-refused"


def test_after_holding(table: Table) -> None:
    """G-43: the winners gain a trut and lose their points, the losers keep theirs and must hold again."""
    start = "game trut-gatine\nscore A 0 2 B 0 1\ndeal\nhold 1\n"
    table(f"{start}{WON_BY_A}\nexpect round A long\nexpect score A 1 0 B 0 1")
    table(f"""
        {start}{WON_BY_B}
        expect round B long
        expect score A 0 2 B 1 0
        deal
        expect phase hold
        expect awaiting 3 1
    """)
    table(f"""
        {start.replace("deal", "option long-clears opponent", 1).replace("hold 1", "deal")}hold 1
        {WON_BY_B}
        expect score A 0 0 B 1 1
    """)


def test_singing(table: Table) -> None:
    """G-45, G-46, G-48: with two points each, all players speak in turn; the first silent one settles it."""
    table(f"""
        game trut-gatine
        score A 0 2 B 0 2
        deal
        expect phase sing
        expect awaiting 1 2 3 4
        silent 2
        expect error not-your-challenge
        hold 1
        expect error declare-pending
        sing 1
        silent 2
        sing 3
        expect error no-challenge
        expect phase play
        {WON_BY_A}
        expect score A 1 0 B 0 0
    """)


def test_all_sing(table: Table) -> None:
    """G-47, G-48: three more cards each, three put back in any order, out of play; hands known before are
    forgotten."""
    game = table("""
        game trut-gatine
        seats 2
        score A 0 2 B 0 2
        deal
        hand 1 8s 8h 8d
        sing 1
        sing 2
        expect phase discard
        expect cards 2 6
        hand 1 8s 8h 8d
        expect error bad-hand
        hand 1 8s 8h 8d 7s 7h 7d
        discard 2 8s 9s 10s
        expect error duplicate-card
        discard 2 Ks Ks 10s
        expect error bad-hand
        discard 2 Ks 6s 10s
        expect error unknown-card
        discard 2 9s 10s Js
        hand 2 9s Kh Kd
        expect error duplicate-card
        hand 2 Kh Kd Kc
        discard 2
        expect error not-your-challenge
        discard 1
        expect phase play
        expect cards 1 3
        play 1 9s
        expect error duplicate-card
        play 1 8c
        play 2 Kh
    """)
    assert game.known_hand(1) is None


def test_two_players(table: Table) -> None:
    """G-49: the same rules with one player a side."""
    table("""
        game trut-gatine
        seats 2
        score A 0 2 B 0 0
        deal
        expect awaiting 1
        refuse 1
        expect round B petit
    """)
    table("""
        game trut-gatine
        seats 2
        score A 0 2 B 0 2
        deal
        expect awaiting 1 2
        sing 1
        silent 2
        expect phase play
    """)


def test_tout_pate(table: Table) -> None:
    """G-50, G-52: all rotten: the same dealer deals again from the same talon; the new cards are played at
    once."""
    game = table(f"""
        game trut-gatine
        seats 2
        score A 0 2 B 0 1
        deal
        hold 1
        {ROTTEN_OF_TWO}
        expect phase redeal
        expect turn none
        expect awaiting none
        trut 1
        expect error redeal-due
        deal
        expect error redeal-due
        cut 1
        expect error round-running
        redeal 1
        expect error wrong-dealer
        redeal
        expect phase play
        expect turn 1
        hand 1 8s Ks Kh
        expect error duplicate-card
        play 1 8d
        play 2 Jh
        play 1 8c
        play 2 Js
        expect round A long
        expect score A 1 0 B 0 1
        expect next-dealer 1
    """)
    assert game.rounds[0].tricks == ("rotten", "rotten", "rotten", "A", "A")


def test_discards_may_come_back(table: Table) -> None:
    """G-50, G-47: after a song's tout pâté the cards put back may be dealt, those laid may not; G-48 still
    holds."""
    table(f"""
        game trut-gatine
        seats 2
        score A 0 2 B 0 2
        deal
        sing 1
        sing 2
        discard 1 8d Kd Ks
        discard 2
        play 1 8d
        expect error duplicate-card
        {ROTTEN_OF_TWO}
        redeal
        play 1 8s
        expect error duplicate-card
        play 1 8d
        play 2 Jd
        play 1 8c
        play 2 Jh
        expect score A 1 0 B 0 0
    """)


TENS = "play 1 10s\nplay 2 10h\nplay 2 Ks\nplay 1 Kh\nplay 1 Js\nplay 2 Jh"
ACES = "play 1 As\nplay 2 Ah\nplay 2 Qs\nplay 1 Qh\nplay 1 8d\nplay 2 8c"
SEVENS = "play 1 7d\nplay 2 7c\nplay 2 9d\nplay 1 9c\nplay 1 10d\nplay 2 10c"
LAST = "play 1 Kd\nplay 2 Kc\nplay 2 Jd\nplay 1 Jc\nplay 1 Ad\nplay 2 Ac"


def test_two_players_have_four_redeals(table: Table) -> None:
    """G-51, G-53: four redeals with two players; then the round is void, all points stay, the next dealer
    deals."""
    start = "game trut-gatine\nseats 2\nscore A 0 2 B 0 1\n"
    rounds = "\nredeal\n".join((ROTTEN_OF_TWO, TENS, ACES, SEVENS, LAST))
    table(f"{start}deal\nhold 1\n{rounds}\nexpect round none nothing\nexpect score A 0 2 B 0 1\n"
          "expect next-dealer 1\ndeal\nexpect phase hold")  # fmt: skip
    table(f"{start}option pate-exhausted reshuffle\ndeal\nhold 1\n{rounds}\nexpect phase redeal\nredeal\n"
          f"{ROTTEN_OF_TWO}\nexpect phase redeal\nredeal\nplay 1 8s\nplay 2 9s\nplay 1 8h\nplay 2 9h\n"
          "expect round A long")  # fmt: skip


def test_four_players_have_one_redeal(table: Table) -> None:
    """G-51: once with four players."""
    rotten = "\n".join(
        (
            "play 1 8s\nplay 2 8h\nplay 3 9s\nplay 4 9h\nplay 2 7s\nplay 3 7h\nplay 4 9d\nplay 1 9c",
            "play 3 As\nplay 4 Ah\nplay 1 Js\nplay 2 Jh",
            "redeal",
            "play 1 8d\nplay 2 8c\nplay 3 Jd\nplay 4 Jc\nplay 2 7d\nplay 3 7c\nplay 4 Qs\nplay 1 Qh",
            "play 3 Ad\nplay 4 Ac\nplay 1 Qd\nplay 2 Qc",
        )
    )
    table(f"""
        game trut-gatine
        score A 0 2 B 0 0
        deal
        hold 1
        {rotten}
        expect round none nothing
        expect phase deal
    """)


def test_lead_after_a_pate(table: Table) -> None:
    """G-52: option ``pate-lead rotter``: the last rotter leads the new cards."""
    table(f"""
        game trut-gatine
        seats 2
        option pate-lead rotter
        score A 0 2 B 0 0
        deal
        hold 1
        {ROTTEN_OF_TWO}
        redeal 2
        expect turn 2
    """)


def test_the_end(table: Table) -> None:
    """G-60: seven truts win; the variant to five by option."""
    table(f"game trut-gatine\nscore A 6 0 B 0 0\ndeal\ntrut 1\naccept 2\n{WON_BY_A}\nexpect winner A")
    table(f"""
        game trut-gatine
        option target 5
        score A 4 0 B 0 0
        deal
        trut 1
        accept 2
        {WON_BY_A}
        expect winner A
    """)
