"""Section 4 of RULES.md: every clause of ``trut-robin-red``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import BadHeader, Game, Header

Table = Callable[[str], Game]

WON_BY_B = "play 4 8\nplay 1 1\nplay 2 1\nplay 3 1\nplay 4 8\nplay 1 2\nplay 2 2\nplay 3 2"
"""The dealer, seat 4, leads and takes two tricks."""


def test_players() -> None:
    """R-1: two players, or four in two teams; three are not offered."""
    assert [Game(Header("trut-robin-red", seats)).seats for seats in (2, 4)] == [2, 4]
    with pytest.raises(BadHeader):
        Header("trut-robin-red", 3)


def test_cards(table: Table) -> None:
    """R-2: the numbers 1 to 8, four copies each, 8 is highest; a fifth copy is impossible."""
    game = Game(Header("trut-robin-red"))
    assert len(game.table.PACK) == 32
    assert [game.strength(card) for card in "12345678"] == list(range(1, 9))
    table("""
        game trut-robin-red
        deal
        hand 1 5 5 5
        hand 2 5 5 8
        expect error duplicate-card
        play 4 5
        hand 2 5 6 7
        expect error duplicate-card
        play 1 5
        play 2 5
        expect error duplicate-card
        play 2 9
        expect error unknown-card
        play 2 7?
        expect error unknown-card
    """)


def test_cut(table: Table) -> None:
    """R-3: the dealer's left neighbour cuts."""
    table("""
        game trut-robin-red
        dealer 2
        cut 1
        expect error wrong-cutter
        cut 3
        expect cutter 3
        deal
        expect cutter 4
    """)


def test_next_dealer(table: Table) -> None:
    """R-4: one seat left each round; by option whoever laid the best card, the first of equals, or left
    without cards."""
    table(f"game trut-robin-red\ndeal\n{WON_BY_B}\nexpect next-dealer 1\nexpect cutter 2")
    best = "game trut-robin-red\noption dealer-rotation best-card\ndeal\n"
    table(f"{best}{WON_BY_B}\nexpect next-dealer 4")
    table(f"{best}play 4 1\nplay 1 7\nplay 2 1\nplay 3 7\ntrut 1\nfold 2\nfold 4\nexpect next-dealer 1")
    table(f"{best}trut 1\nfold 2\nfold 4\nexpect next-dealer 1")
    table(f"{best}play 4 1\nplay 1 7\nannul\nexpect next-dealer 4")


def test_the_dealer_leads(table: Table) -> None:
    """R-5: the dealer leads, not his left neighbour."""
    table("game trut-robin-red\ndealer 3\ndeal\nexpect turn 3")


def test_tricks(table: Table) -> None:
    """R-10: two tricks end the round; a tie in the second gives it to the winner of the first; three ties
    annul it."""
    game = "game trut-robin-red\nseats 2\ndeal\n"
    table(f"{game}play 2 8\nplay 1 7\nplay 2 3\nplay 1 3\nexpect round B petit")
    table(f"{game}play 2 8\nplay 1 8\nplay 2 7\nplay 1 7\nplay 2 3\nplay 1 3\nexpect round none nothing")
    table(f"{game}play 2 8\nplay 1 7\nplay 2 1\nplay 1 7\nplay 1 3\nplay 2 3\nexpect round B petit")


@pytest.mark.parametrize(
    ("option", "leader"), [("first-equal", 1), ("leader", 4), ("rotter", 2), ("last-equal", 2)]
)
def test_lead_after_a_tie(table: Table, option: str, leader: int) -> None:
    """R-11: the first to have laid one of the equal highest cards leads; by option the same leader again."""
    table(f"""
        game trut-robin-red
        option rotten-lead {option}
        deal
        play 4 1
        play 1 7
        play 2 7
        play 3 1
        expect trick rotten
        expect turn {leader}
    """)


def test_trut(table: Table) -> None:
    """R-20, R-22: a trut taken is played where it was; "Joue !" does not make the trutter play."""
    table(f"""
        game trut-robin-red
        deal
        trut 2
        play 4 8
        expect error challenge-pending
        accept 3
        expect turn 4
        trut 1
        expect error already-truted
        {WON_BY_B}
        expect round B long
    """)  # fmt: skip


def test_when_to_trut(table: Table) -> None:
    """R-21: as long as he has a card in hand, in turn or not; options."""
    cards = "play 4 8\nplay 1 1\nplay 2 1\nplay 3 1\nplay 4 1\nplay 1 8\nplay 2 2\nplay 3 2\nplay 1 3\n"
    table(
        f"game trut-robin-red\ndeal\n{cards}trut 1\nexpect error no-cards-left\ntrut 4\nexpect phase answer"
    )
    table(f"game trut-robin-red\noption trut-needs-card off\ndeal\n{cards}trut 1\nexpect phase answer")
    table("game trut-robin-red\noption trut-when own-turn\ndeal\ntrut 1\nexpect error out-of-turn\ntrut 4")


def test_answers(table: Table) -> None:
    """R-23: the opponents one by one from the trutter's left; by option from the dealer, who leads, or
    together."""
    table("game trut-robin-red\ndeal\ntrut 2\nexpect awaiting 3 1\nfold 1\nexpect error not-your-challenge")
    table("game trut-robin-red\ndealer 1\noption answer-order dealer\ndeal\ntrut 2\nexpect awaiting 1 3")
    table("game trut-robin-red\noption answer team\ndeal\ntrut 2\nfold 1\nexpect round B petit")


def test_announcements_by_option(table: Table) -> None:
    """R-24: no brelan, tierce, deux-petits and fortial but by option; at fortial the dealer is first."""
    table("""
        game trut-robin-red
        score A 6 2 B 0 0
        deal
        expect phase play
        brelan 4
        expect error not-in-game
        tierce 4
        expect error not-in-game
        deux-petits 4
        expect error not-in-game
        pass 4
        expect error not-in-game
    """)  # fmt: skip
    table("""
        game trut-robin-red
        option brelan on
        option tierce on
        option deux-petits on
        option fortial on
        score A 0 0 B 6 2
        deal
        hand 4 1 2 3
        expect phase fortial
        expect awaiting 4 2
        brelan 4
        expect error false-claim
        tierce 4
        expect awaiting 1 3
        undo
        pass 4
        deux-petits 2
        expect awaiting 3 1
    """)


@pytest.mark.parametrize(
    ("option", "score"), [("both", "A 0 0 B 1 0"), ("opponent", "A 0 0 B 1 2"), ("winner", "A 0 1 B 1 0")]
)
def test_scoring(table: Table, option: str, score: str) -> None:
    """R-30: with a long all petits of both teams are discarded; options."""
    table(f"""
        game trut-robin-red
        option long-clears {option}
        score A 0 1 B 0 2
        deal
        trut 4
        accept 1
        {WON_BY_B}
        expect score {score}
    """)
    table("game trut-robin-red\nscore A 0 1 B 0 2\ndeal\ntrut 4\nfold 1\nfold 3\nexpect score A 0 0 B 1 0")


def test_the_end(table: Table) -> None:
    """R-31: seven longs win."""
    table(f"game trut-robin-red\nscore A 0 0 B 6 0\ndeal\ntrut 4\naccept 1\n{WON_BY_B}\nexpect winner B")
