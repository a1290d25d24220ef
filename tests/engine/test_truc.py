"""Section 5 of RULES.md: every clause of ``truc``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import BadHeader, Game, Header

Table = Callable[[str], Game]

WON_BY_1 = "play 1 7s\nplay 2 9s\nplay 1 7h\nplay 2 9h"


def test_two_players() -> None:
    """L-1: two players."""
    with pytest.raises(BadHeader):
        Header("truc", 4)


def test_cards() -> None:
    """L-2, L-3: 32 cards; 7, 8, ace, king, queen, jack, 10, 9 from high to low."""
    game = Game(Header("truc"))
    assert len(game.table.PACK) == 32
    assert [game.strength(f"{rank}s") for rank in "7 8 A K Q J 10 9".split()] == [8, 7, 6, 5, 4, 3, 2, 1]  # noqa: SIM905


def test_deal(table: Table) -> None:
    """L-4, L-5: the deal alternates, conceded and redealt rounds included; the other cuts; the non-dealer
    leads."""
    table("game truc\ndealer 2\nexpect cutter 1\ndeal\nexpect turn 1\nredeal 2\naccept 1\nfold 1\n"
          "expect next-dealer 1\nexpect cutter 2\ndeal\nexpect turn 2")  # fmt: skip


def test_spoiled_tricks(table: Table) -> None:
    """L-6, L-7: the leader of a spoiled trick leads again; three spoiled give nothing to anybody."""
    table("""
        game truc
        deal
        raise 1
        accept 2
        play 1 7s
        play 2 7h
        expect turn 1
        play 1 8s
        play 2 8h
        expect turn 1
        play 1 9s
        play 2 9h
        expect round none nothing
        expect score A 0 B 0
        expect next-dealer 1
    """)


def test_raising(table: Table) -> None:
    """L-20, L-21, L-24: before his card, once, by the player whose turn it is; the other answers; then he
    lays."""
    table("""
        game truc
        deal
        raise 2
        expect error out-of-turn
        raise 1
        expect awaiting 2
        expect stake 1
        raise 2
        expect error challenge-pending
        rest 2
        expect error challenge-pending
        play 1 7s
        expect error challenge-pending
        accept 1
        expect error not-your-challenge
        accept 2
        expect turn 1
        raise 1
        expect error already-raised
        rest 1
        expect error already-raised
        play 1 7s
        raise 2
        accept 1
        expect stake 6
        play 2 8s
        raise 1
        accept 2
        expect stake 8
    """)


@pytest.mark.parametrize(
    ("ladder", "steps"), [("printed", "2 6 8 10 12"), ("two", "2 4 6 8 10"), ("double", "2 4 8 16 32")]
)
def test_ladder(table: Table, ladder: str, steps: str) -> None:
    """L-22: the steps of the ladder by each value of the option; there is no upper limit."""
    game = table(f"game truc\noption raise-ladder {ladder}\noption target 99\ndeal")
    worth = 1
    for step in steps.split():
        worth = game.table.next_step(worth)  # type: ignore[attr-defined]
        assert worth == int(step)


def test_refused_raise(table: Table) -> None:
    """L-23: the raiser scores what the round was worth before the raise."""
    table("game truc\ndeal\nraise 1\naccept 2\nplay 1 7s\nraise 2\nrefuse 1\nexpect round B points 2")


def test_rest(table: Table) -> None:
    """L-25, L-26: under the conditions of a raise; taken by rest or accept; the winner of the round wins the
    game."""
    for word in ("rest", "accept"):
        table(f"""
            game truc
            deal
            rest 2
            expect error out-of-turn
            rest 1
            expect stake 1
            {word} 2
            expect stake rest
            raise 1
            expect error no-more-raises
            rest 1
            expect error no-more-raises
            {WON_BY_1}
            expect round A game
            expect score A 12 B 0
            expect winner A
        """)
    table("""
        game truc
        deal
        rest 1
        accept 2
        play 1 7s
        play 2 7h
        play 1 8s
        play 2 8h
        play 1 9s
        play 2 9h
        expect round none nothing
        expect winner none
        deal
        expect stake 1
    """)  # fmt: skip


def test_refused_rest(table: Table) -> None:
    """L-27: the proposer wins the game; by option he scores the worth of the round."""
    for word in ("refuse", "fold"):
        game = table(f"""
            game truc
            score A 3 B 4
            deal
            rest 1
            {word} 2
            expect round A game
            expect score A 12 B 4
            expect winner A
        """)
        assert game.rounds[0].reason == "rest"
        table(f"""
            game truc
            option rest-refused stake
            deal
            rest 1
            {word} 2
            expect round A points 1
            expect winner none
        """)


def test_folding(table: Table) -> None:
    """L-28: at any time; a refusal by the asked, the worth before by the proposer, the game after a rest
    taken."""
    table("game truc\ndeal\nfold 2\nexpect round A points 1")
    table("game truc\ndeal\nraise 1\naccept 2\nplay 1 7s\nraise 2\nfold 2\nexpect round A points 2")
    table("game truc\ndeal\nraise 1\naccept 2\nplay 1 7s\nraise 2\nfold 1\nexpect round B points 2")
    table("game truc\ndeal\nrest 1\nfold 1\nexpect round B points 1")
    table("game truc\ndeal\nrest 1\nrest 2\nfold 1\nexpect round B game\nexpect winner B")
    table("game truc\ndeal\nredeal 1\nfold 2\nexpect round A points 1")


def test_other_cards(table: Table) -> None:
    """L-30: once a round, before any card and any raise; cards put aside are out; the answer may be no."""
    table("""
        game truc
        deal
        hand 1 7s 8s 9s
        redeal 2
        expect awaiting 1
        refuse 1
        expect phase play
        redeal 1
        expect error redeal-used
        undo 2
        redeal 1
        redeal 2
        expect error challenge-pending
        accept 2
        hand 2 7s 8h 9h
        expect error duplicate-card
        hand 2 7h 8h 9h
        play 1 9s
        expect error duplicate-card
        play 1 9d
        redeal 2
        expect error too-late
        undo 1
        raise 1
        accept 2
        redeal 1
        expect error too-late
    """)


def test_who_may_ask(table: Table) -> None:
    """L-31: either; by option only the non-dealer."""
    table("game truc\noption redeal-who any\ndeal\nredeal 2\nexpect awaiting 1")
    table("game truc\noption redeal-who non-dealer\ndeal\nredeal 2\nexpect error out-of-turn\nredeal 1")


def test_the_end(table: Table) -> None:
    """L-40: 12 or more points win; the score is not cut down."""
    table(f"""
        game truc
        score A 11 B 0
        deal
        raise 1
        accept 2
        {WON_BY_1}
        expect score A 13 B 0
        expect winner A
    """)
