"""Section 6 of RULES.md: every clause of ``truc-y-flou``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import BadHeader, Game, Header

Table = Callable[[str], Game]

DEAL = "game truc-y-flou\ndeal\n"
FIRST_A = "play 1 3e\nplay 2 4b\nplay 3 4c\nplay 4 5b\nplay 5 5c\nplay 6 6b\n"
"""A first trick won by seat 1."""
SECOND_A = "play 1 3o\nplay 2 4e\nplay 3 4o\nplay 4 5e\nplay 5 5o\nplay 6 6e\n"
WON_BY_A = FIRST_A + SECOND_A
FIRST_B = "play 1 4b\nplay 2 3e\nplay 3 4c\nplay 4 5b\nplay 5 5c\nplay 6 6b\n"
SECOND_B = "play 2 3o\nplay 3 4o\nplay 4 5e\nplay 5 5o\nplay 6 6e\nplay 1 4e\n"
WON_BY_B = FIRST_B + SECOND_B
TIED = (
    "play 1 3e\nplay 2 3b\nplay 3 4c\nplay 4 5c\nplay 5 5b\nplay 6 6b\n"
    "play 1 2e\nplay 2 2b\nplay 3 4o\nplay 4 5o\nplay 5 5e\nplay 6 6e\n"
    "play 1 12e\nplay 2 12b\nplay 3 6c\nplay 4 6o\nplay 5 7b\nplay 6 7c\n"
)


def test_players(table: Table) -> None:
    """F-1: six players; the captain binds nobody; the foot of a team plays last in the current trick."""
    with pytest.raises(BadHeader):
        Header("truc-y-flou", 4)
    with pytest.raises(BadHeader):
        Header("truc-y-flou", captains={"A": 2})
    table("game truc-y-flou\ncaptain A 3\ncaptain B 4\ndealer 2\ndeal\nexpect foot A 1\nexpect foot B 2")


def test_pack() -> None:
    """F-2: 40 Spanish-suited cards."""
    assert len(Game(Header("truc-y-flou")).table.PACK) == 40


def test_deal(table: Table) -> None:
    """F-3: the deal passes to the next seat; the one before the dealer cuts; eldest leads."""
    table(f"""
        game truc-y-flou
        dealer 6
        expect cutter 5
        {DEAL[17:]}expect turn 1
        {WON_BY_A}expect next-dealer 1
        expect cutter 6
    """)


@pytest.mark.parametrize("option", ["low", "court"])
def test_ranking(option: str) -> None:
    """F-4, F-5: the rows of the table; the périques lowest, or by option in the place of a valet and a
    cavalier."""
    game = Game(Header("truc-y-flou", options={"peric-rank": option}))
    rows = (
        "1e|1b|7e|7o|3e 3b 3o 3c|2e 2b 2o 2c|1o 1c|12e 12b 12o 12c|"
        "11e 11o 11c|10e 10b 10c|7b 7c|6e 6b 6o 6c|5e|4e 4c"
    )
    strengths = [{game.strength(card) for card in row.split()} for row in rows.split("|")]
    assert all(len(row) == 1 for row in strengths)
    flat = [row.pop() for row in strengths]
    assert flat == sorted(flat, reverse=True)
    assert len(set(flat)) == len(flat)
    if option == "low":
        assert game.strength("10o") == game.strength("11b") < game.strength("4e")
    else:
        assert (game.strength("10o"), game.strength("11b")) == (game.strength("10e"), game.strength("11e"))


@pytest.mark.parametrize(
    ("hand", "embit", "flor"),
    [
        ("7e 6e 5e", "33", "38"),
        ("7e 6e 5b", "33", "none"),
        ("1e 12e 4b", "20", "none"),
        ("4e 5b 6c", "none", "none"),
        ("10o 7b 4c", "34", "none"),
        ("10o 7b 4b", "34", "38"),
        ("10o 11b 7c", "34", "41"),
        ("10o 11b 12e", "34", "34"),
        ("10e 11e 12e", "20", "20"),
        ("11b 1o 1c", "27", "none"),
    ],
)
def test_values(table: Table, hand: str, embit: str, flor: str) -> None:
    """F-6, F-21, F-40: numbers count, court cards and aces 0, a périque 7 and of whatever suit."""
    table(f"{DEAL}hand 1 {hand}\nexpect value embit 1 {embit}\nexpect value flor 1 {flor}")


def test_ace_points(table: Table) -> None:
    """F-6: option ``ace-points 1``."""
    table("game truc-y-flou\noption ace-points 1\ndeal\nhand 1 1e 12e 4b\nexpect value embit 1 21")


@pytest.mark.parametrize(
    ("option", "leader"), [("leader", 1), ("first-equal", 2), ("rotter", 3), ("last-equal", 3)]
)
def test_lead_after_a_tie(table: Table, option: str, leader: int) -> None:
    """F-10: after a tied trick its leader leads again; option."""
    table(f"""
        game truc-y-flou
        option rotten-lead {option}
        deal
        play 1 4e
        play 2 3e
        play 3 3b
        play 4 4b
        play 5 5e
        play 6 5b
        expect trick rotten
        expect turn {leader}
    """)


def test_worth_of_the_deal(table: Table) -> None:
    """F-15: 1, or what the truc made of it."""
    table(f"{DEAL}{WON_BY_A}expect round A points 1")
    table(f"{DEAL}truc 2\nretruc 1\naccept 2\n{WON_BY_A}expect round A points 3")


def test_stop_when_decided(table: Table) -> None:
    """F-16: the deal stops when decided; by option all three are played, with the same outcome."""
    table(f"{DEAL}{WON_BY_A}expect phase deal")
    table(f"""
        game truc-y-flou
        option play-out on
        deal
        {WON_BY_A}expect phase play
        expect turn 1
        play 1 7b
        play 2 1e
        play 3 6o
        play 4 6c
        play 5 2e
        play 6 2b
        expect round A points 1
        expect score A 1 B 2
    """)


def test_three_ties(table: Table) -> None:
    """F-17: scored by nobody; by option by the team of the eldest hand."""
    table(f"{DEAL}{TIED}expect round none nothing\nexpect score A 0 B 0")
    table(f"game truc-y-flou\noption all-tied elder\ndeal\n{TIED}expect round A points 1")


def test_one_occasion(table: Table) -> None:
    """F-20, F-22: at one's turn in the first trick, before the card, once; one embit a deal."""
    table(f"""
        {DEAL}embit 2
        expect error out-of-turn
        falta 2
        expect error out-of-turn
        flor 2
        expect error out-of-turn
        trucrest 2
        expect error out-of-turn
        embit 1
        flor 1
        expect error already-declared
        play 1 4e
        embit 1
        expect error too-late
        embit 2
        expect error already-declared
        trucrest 2
        expect error already-declared
    """)
    table(f"{DEAL}{FIRST_A}embit 1\nexpect error too-late\nflor 1\nexpect error too-late")


def test_challenging_an_embit(table: Table) -> None:
    """F-23, F-24: later opponents at their own turn; the higher total gets 2; by option any opponent at any
    time."""
    table(f"""
        {DEAL}play 1 4e
        embit 2
        play 2 5e
        sing 4
        expect error not-your-challenge
        sing 1
        expect error too-late
        sing 5
        expect error out-of-turn
        sing 3
        expect phase count
        declare 1 30
        declare 6 29
        expect score A 2 B 0
        flor 3
        expect error already-declared
        sing 3
        expect error no-challenge
    """)
    table("""
        game truc-y-flou
        option embit-answer any
        deal
        play 1 4e
        embit 2
        raise 1 2
        expect awaiting 2 4 6
    """)


@pytest.mark.parametrize(("amount", "worth"), [("1", 2), ("2", 3), ("10", 11), ("rest", 25)])
@pytest.mark.parametrize("word", ["sing", "accept"])
def test_raise(table: Table, amount: str, worth: int, word: str) -> None:
    """F-25: taken, the winner gets 1 + the raise, whichever side it is; the rest is what the raiser's team
    lacks."""
    score = "A 25 B 1" if amount == "rest" else f"A {worth} B 1"
    end = "expect manche A 1 B 0" if amount == "rest" else "expect phase play"
    table(f"""
        game truc-y-flou
        score A 0 B 1
        deal
        embit 1
        play 1 4e
        raise 2 {amount}
        expect awaiting 3 5 1
        raise 3 1
        expect error challenge-pending
        {word} 5
        declare 2 20
        declare 1 20
        expect score {score}
        {end}
    """)


def test_refused_raise(table: Table) -> None:
    """F-25: refused: 2 to the raisers, play goes on; a bad amount."""
    table(f"""
        {DEAL}embit 1
        play 1 4e
        raise 2 3
        expect error bad-raise
        raise 2 x
        expect error bad-raise
        raise 2 10
        refuse 2
        expect error not-your-challenge
        refuse 3
        expect score A 0 B 2
        expect turn 2
    """)


def test_unchallenged_embit(table: Table) -> None:
    """F-26: 1 when the first trick is complete, or when the deal ends before."""
    table(f"{DEAL}embit 1\n{FIRST_A}expect score A 1 B 0")
    table(f"{DEAL}embit 1\ntruc 2\nrefuse 3\nexpect round B points 1\nexpect score A 1 B 1")


def test_falta(table: Table) -> None:
    """F-27: no raise; passed 1; sung and won the manche; sung and lost 1 + what the bidders lack."""
    start = "game truc-y-flou\nscore A 20 B 10\ndeal\nfalta 1\n"
    table(f"{start}{FIRST_A}expect score A 21 B 10")
    table(
        f"{start}play 1 4e\nraise 2 1\nexpect error no-more-raises\nsing 2\ndeclare 1 30\ndeclare 2 20\n"
        "expect round A manche\nexpect score A 25 B 10\nexpect manche A 1 B 0"
    )
    table(f"{start}play 1 4e\nsing 2\ndeclare 1 30\ndeclare 2 31\nexpect score A 20 B 16")


def test_counting(table: Table) -> None:
    """F-28: each team once; equal totals by position after the dealer; a known hand must agree."""
    table(f"""
        {DEAL}hand 4 4b 5b 7e
        play 1 4e
        embit 2
        play 2 4c
        sing 3
        declare 4 30
        expect error false-claim
        declare 4 29
        declare 2 30
        expect error already-declared
        declare 3 x
        expect error syntax
        declare 3 35
        expect error bad-declare
        declare 3 19
        expect error bad-declare
        declare 5 29
        expect score A 0 B 2
    """)
    table(f"{DEAL}embit 1\nplay 1 4e\nsing 2\ndeclare 2 0\ndeclare 3 0\nexpect score A 0 B 2")


def test_the_tricks_go_on(table: Table) -> None:
    """F-29: neither conceding nor losing an embit ends the deal."""
    table(f"""
        {DEAL}embit 1
        play 1 3e
        raise 2 1
        refuse 1
        {FIRST_A[10:]}{SECOND_A}expect round A points 1
        expect score A 1 B 2
    """)


def test_truc_and_the_rest(table: Table) -> None:
    """F-30: refused 1 and the deal; sung the higher embit wins the manche; only before any embit, flor or
    truc."""
    table(f"""
        {DEAL}trucrest 1
        expect awaiting 2 4 6
        truc 2
        expect error challenge-pending
        refuse 6
        expect round A points 1
    """)
    for word in ("sing", "accept"):
        table(f"""
            {DEAL}trucrest 1
            {word} 2
            declare 2 33
            declare 1 33
            expect round A manche
            expect score A 25 B 0
        """)
    table(f"{DEAL}truc 2\naccept 1\ntrucrest 1\nexpect error no-more-raises")
    table(f"{DEAL}flor 1\nplay 1 4e\ntrucrest 2\nexpect error flor-in-force")


def test_saying_flor(table: Table) -> None:
    """F-40: a player must hold it."""
    table(
        f"{DEAL}hand 1 4e 5e 6b\nflor 1\nexpect error false-claim\nhand 1 4e 5e 6e\nflor 1\nexpect phase play"
    )


def test_flor_annuls(table: Table) -> None:
    """F-41: an open embit is void, none can be bid, its points are taken back; by option they stay."""
    table(f"""
        {DEAL}embit 1
        play 1 4e
        flor 2
        play 2 5e
        sing 3
        expect error no-challenge
        embit 3
        expect error flor-in-force
        falta 3
        expect error flor-in-force
    """)
    sung = "deal\nembit 1\nplay 1 4e\nsing 2\ndeclare 1 33\ndeclare 2 30\nexpect score A 2 B 0\n"
    sung += "play 2 5b\nflor 3\n"
    table(f"game truc-y-flou\n{sung}expect score A 0 B 0")
    table(f"game truc-y-flou\noption flor-annuls open\n{sung}expect score A 2 B 0")


def test_uncontested_flors(table: Table) -> None:
    """F-42: 3 for each when the first trick is complete or the deal ends before."""
    table(f"""
        {DEAL}flor 1
        play 1 3e
        play 2 4b
        flor 3
        play 3 4c
        play 4 5b
        flor 5
        play 5 5c
        expect score A 0 B 0
        play 6 6b
        expect score A 9 B 0
    """)
    table(f"{DEAL}flor 1\ntruc 3\nrefuse 2\nexpect round A points 1\nexpect score A 4 B 0")


def test_contested_flors(table: Table) -> None:
    """F-43, F-44: counted after the play and before the deal, by seats that said flor; 3 for each of one's
    own team."""
    flors = "flor 1\nplay 1 3e\nflor 2\nplay 2 4b\nflor 3\nplay 3 4c\nplay 4 5b\nplay 5 5c\nplay 6 6b\n"
    table(f"""
        {DEAL}{flors}expect score A 0 B 0
        {SECOND_A}expect phase count
        expect turn none
        expect awaiting 1 2 3
        declare 4 30
        expect error not-your-challenge
        declare 2 42
        expect error bad-declare
        declare 2 30
        declare 3 30
        expect score A 1 B 3
        expect round A points 1
    """)
    table(f"{DEAL}{flors}{SECOND_A}declare 2 30\ndeclare 1 30\nexpect score A 7 B 0")
    table(f"""
        {DEAL}flor 1
        play 1 3e
        flor 2
        truc 2
        refuse 1
        expect phase count
        declare 1 20
        declare 2 21
        expect round B points 1
        expect score A 0 B 4
    """)


def test_better_flor(table: Table) -> None:
    """F-45: only when the other team alone has flor; silent 3 to the challengers; the flor question is then
    closed."""
    table(f"""
        {DEAL}better 1
        expect error no-challenge
        flor 1
        play 1 3e
        play 2 4b
        better 3
        expect error not-your-challenge
        play 3 4c
        better 4
        expect awaiting 5 1 3
        accept 5
        expect error challenge-pending
        silent 4
        expect error not-your-challenge
        silent 5
        expect score A 0 B 3
        play 4 5b
        flor 5
        expect error already-declared
        better 5
        expect error no-challenge
        play 5 5c
        play 6 6b
        expect score A 0 B 3
    """)


def test_better_flor_sung(table: Table) -> None:
    """F-46: compared, the higher gets 5; or the challenger stays silent and the flor team gets 5."""
    start = f"{DEAL}flor 1\nplay 1 3e\nbetter 2\nsing 3\nexpect phase count\n"
    table(f"""
        {start}declare 4 30
        expect error not-your-challenge
        declare 2 30
        silent 2
        expect error not-your-challenge
        declare 1 30
        expect score A 5 B 0
        expect turn 2
    """)
    table(
        f"{start}silent 1\nexpect error not-your-challenge\nsilent 2\nexpect score A 5 B 0\nexpect phase play"
    )


def test_better_flor_for_the_rest(table: Table) -> None:
    """F-47: refused 5 to the flor team; taken by better or accept, both declare and the higher wins the
    manche."""
    start = f"{DEAL}flor 1\nplay 1 3e\nbetter 2\nrest 5\nexpect phase answer\nexpect awaiting 6 2 4\n"
    table(f"""
        {start}silent 6
        expect error challenge-pending
        sing 6
        expect error challenge-pending
        refuse 6
        expect score A 5 B 0
    """)
    for word in ("better 4", "accept 4"):
        table(f"{start}{word}\ndeclare 2 31\ndeclare 1 30\nexpect round B manche\nexpect manche A 0 B 1")


def test_a_bluff_that_is_known(table: Table) -> None:
    """F-47: a challenger whose known hand is no flor can only declare 0 (docs/rules.md)."""
    table(f"""
        {DEAL}flor 1
        play 1 3e
        better 2
        rest 1
        better 2
        hand 2 4e 5b 6c
        declare 2 30
        expect error false-claim
        declare 2 0
        declare 1 20
        expect round A manche
    """)


def test_calling_truc(table: Table) -> None:
    """F-60: any player at any time when nothing waits for an answer; by option at one's own turn."""
    table(
        f"{DEAL}truc 4\nexpect awaiting 5 1 3\ntruc 5\nexpect error challenge-pending\naccept 5\n{WON_BY_A}"
    )
    table("game truc-y-flou\noption truc-when own-turn\ndeal\ntruc 4\nexpect error out-of-turn\ntruc 1")


def test_levels(table: Table) -> None:
    """F-61, F-62, F-63: 2, 3, 4, 6, partido, none skipped; refused: the level in force before the bid."""
    steps = [
        ("truc 1", "1"),
        ("retruc 2", "2"),
        ("balou 1 4", "3"),
        ("balou 2 6", "4"),
        ("balou 1 partido", "6"),
    ]
    said = ""
    for n, (step, worth) in enumerate(steps):
        said += f"{step}\nexpect stake {worth}\n"
        asked = 2 if n % 2 == 0 else 1
        winner = "A" if n % 2 == 0 else "B"
        table(f"{DEAL}{said}refuse {asked}\nexpect round {winner} points {worth}")
    table(f"""
        {DEAL}retruc 1
        expect error no-challenge
        balou 1 4
        expect error no-challenge
        truc 1
        balou 2 4
        expect error bad-raise
        balou 2 5
        expect error bad-raise
        retruc 1
        expect error not-your-challenge
        retruc 2
        retruc 1
        expect error bad-raise
    """)
    table("""
        game truc-y-flou
        option truc-skip on
        deal
        truc 1
        balou 2 partido
        balou 1 6
        expect error no-more-raises
        expect stake 2
        accept 1
        expect stake partido
    """)


def test_accepted(table: Table) -> None:
    """F-64: closed after an acceptance; by option the team that accepted may call the next level."""
    table(
        f"{DEAL}truc 1\naccept 2\nretruc 2\nexpect error no-more-raises\ntruc 2\nexpect error no-more-raises"
    )
    table("""
        game truc-y-flou
        option truc-reopen on
        deal
        truc 1
        accept 2
        truc 2
        expect error bad-raise
        retruc 1
        expect error no-more-raises
        balou 4 4
        expect error bad-raise
        retruc 4
        accept 1
        balou 1 4
        accept 2
        balou 2 6
        accept 1
        balou 1 partido
        accept 2
        balou 2 partido
        expect error no-more-raises
    """)


def test_partido(table: Table) -> None:
    """F-65: the winner of the deal wins the manche; three ties score nothing, or with ``elder`` win it for
    eldest."""
    ladder = "truc 1\nretruc 2\nbalou 1 4\nbalou 2 6\nbalou 1 partido\naccept 2\n"
    table(f"{DEAL}{ladder}{WON_BY_B}expect round B manche\nexpect score A 0 B 25")
    table(f"{DEAL}{ladder}{TIED}expect round none nothing")
    table(f"game truc-y-flou\noption all-tied elder\ndeal\n{ladder}{TIED}expect round A manche")


def test_each_goes_its_own_way(table: Table) -> None:
    """F-66: a truc stops no declaration and a declaration no truc."""
    table(
        f"{DEAL}truc 1\naccept 2\nembit 1\ntruc 3\nexpect error no-more-raises\n{FIRST_A}expect score A 1 B 0"
    )


def test_bonus(table: Table) -> None:
    """F-70: the Épée 2 and the Bâton 1 at once, whoever wins; by option only for the card that wins its
    trick."""
    cards = "play 1 1b\nplay 2 1e\nplay 3 4c\nplay 4 5b\nplay 5 5c\n"
    table(f"{DEAL}{cards}expect score A 1 B 2")
    table(f"""
        game truc-y-flou
        option bonus won
        deal
        {cards}expect score A 0 B 0
        play 6 6b
        expect score A 0 B 2
    """)


def test_order_of_scoring(table: Table) -> None:
    """F-75, F-83: bonus, embit, flors at the end of the first trick, contested flors, deal; the first at 25
    wins."""
    game = table("""
        game truc-y-flou
        score A 24 B 23
        deal
        embit 2
        expect error out-of-turn
        play 1 4b
        embit 2
        play 2 1b
        expect score A 24 B 24
        play 3 4c
        play 4 5b
        play 5 5c
        play 6 6b
        expect round B manche
    """)
    assert game.rounds[0].reason == "declaration"
    won = "game truc-y-flou\noption bonus won\nscore A 24 B 24\ndeal\nembit 1\nplay 1 4b\nplay 2 1e\n"
    table(f"{won}{FIRST_A[20:]}expect round A manche")


def test_manche(table: Table) -> None:
    """F-80: 25 wins at once, in mid-trick if need be; scores are never above 25."""
    game = table("""
        game truc-y-flou
        score A 24 B 0
        deal
        play 1 1e
        expect round A manche
        expect score A 25 B 0
        expect phase deal
        expect turn none
        play 2 4b
        expect error round-over
        undo
        play 1 3e
        expect turn 2
    """)
    assert game.rounds == ()
    table(f"""
        game truc-y-flou
        score A 22 B 0
        deal
        truc 1
        retruc 2
        balou 3 4
        accept 4
        {WON_BY_A}expect score A 25 B 0
    """)


def test_match(table: Table) -> None:
    """F-81, F-82: two manches out of three; the next one starts at 0-0 with the next deal; option ``manches
    1``."""
    table(f"""
        game truc-y-flou
        manche A 0 B 1
        score A 24 B 20
        deal
        {WON_BY_A}
        expect manche A 1 B 1
        expect score A 25 B 20
        expect winner none
        deal
        expect score A 0 B 0
        expect dealer 1
        annul
        expect score A 0 B 0
        set-score A 24 B 3
        deal
        expect score A 24 B 3
        play 2 4e
        play 3 1e
        expect manche A 2 B 1
        expect winner A
        expect phase over
    """)
    table(f"game truc-y-flou\noption manches 1\nscore A 24 B 0\ndeal\n{WON_BY_A}expect winner A")
    with pytest.raises(BadHeader):
        Header("truc-y-flou", manches={"A": 2, "B": 0})


def test_annul_takes_back_what_the_deal_scored(table: Table) -> None:
    """annul: nothing is scored, neither bonus nor embit."""
    table(f"""
        {DEAL}embit 1
        play 1 1e
        sing 2
        declare 2 30
        declare 1 0
        expect score A 2 B 2
        annul
        expect score A 0 B 0
    """)
