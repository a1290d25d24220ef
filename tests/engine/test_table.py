"""Section 1 of RULES.md: seats, turns, refusals, the end of a round; and the events of NOTATION.md section
10."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import Accepted, Event, Game, Header, Refusal, team_of

Table = Callable[[str], Game]


def test_seats_and_teams() -> None:
    """C-1, C-2: the next seat is S+1, and 1 after n; odd seats are team A, even seats team B."""
    game = Game(Header("trut"))
    assert [game.table.after(seat) for seat in (1, 2, 3, 4)] == [2, 3, 4, 1]
    assert [game.table.before(seat) for seat in (1, 2, 3, 4)] == [4, 1, 2, 3]
    assert [team_of(seat) for seat in range(1, 7)] == ["A", "B", "A", "B", "A", "B"]


def test_only_a_deal_begins_a_round(table: Table) -> None:
    """C-3: a round begins with a deal and ends when its winner is known; only a deal may follow."""
    table("""
        game trut
        seats 2
        play 1 7s
        expect error round-over
        trut 1
        expect error round-over
        accept 1
        expect error round-over
        deal
        deal
        expect error round-running
        cut 1
        expect error round-running
        play 1 7s
        play 2 8s
        play 1 7h
        play 2 8h
        expect round A petit
        expect phase deal
        expect turn none
        play 1 7d
        expect error round-over
        hand 1 7d 8d 9d
        expect error round-over
    """)


def test_after_the_end(table: Table) -> None:
    """C-5: once the game is won every event but undo is refused; unknown words keep their codes."""
    table("""
        game trut
        seats 2
        option target 1
        deal
        trut 1
        accept 2
        play 1 7s
        play 2 8s
        play 1 7h
        play 2 8h
        expect winner A
        expect phase over
        deal
        expect error game-over
        cut 1
        expect error game-over
        annul
        expect error game-over
        concede A
        expect error game-over
        set-score A 0 0 B 0 0
        expect error game-over
        hold 1
        expect error game-over
        foo 1
        expect error unknown-verb
        play 1
        expect error syntax
        play 9 7s
        expect error bad-seat
        undo
        expect winner none
        expect turn 2
        play 2 7d
        expect trick rotten
        expect winner A
    """)


def test_three_cards_and_free_play(table: Table) -> None:
    """C-6, C-7: three cards each, one a trick in seat order; any card may be laid, no suit to follow, no
    trump."""
    table("""
        game trut
        dealer 4
        deal
        expect cards 1 3
        play 1 7s
        expect cards 1 2
        expect cards 2 3
        play 2 9h
        play 3 9s
        play 4 As
        expect cards 4 2
        expect turn 1
    """)


def test_turn(table: Table) -> None:
    """C-8: only the seat whose turn it is may lay a card; a trut in mid-trick does not move the turn."""
    table("""
        game trut
        deal
        play 2 7s
        expect error out-of-turn
        play 1 7s
        trut 4
        expect turn 2
        play 2 8s
        expect error challenge-pending
        accept 1
        play 3 8s
        expect error out-of-turn
        play 2 8s
        expect turn 3
    """)


def test_no_repetition(table: Table) -> None:
    """C-9: no card twice in a round, none that another player is known to hold; a new round begins afresh."""
    table("""
        game trut
        seats 2
        deal
        hand 2 8s 8h 9d
        play 1 8h
        expect error duplicate-card
        play 1 7s
        play 2 7s
        expect error duplicate-card
        play 2 9h
        expect error not-in-hand
        play 2 9d
        play 1 7s
        expect error duplicate-card
        play 1 7h
        play 2 8s
        expect round A petit
        deal
        play 2 7s
    """)


def test_round_ends_at_once(table: Table) -> None:
    """C-21, C-20: a won trick and a rotten one end the round; nothing can be announced any more."""
    table("""
        game trut
        seats 2
        deal
        play 1 7s
        play 2 8s
        play 1 Ks
        play 2 Kh
        expect trick rotten
        expect round A petit
        expect turn none
        trut 2
        expect error round-over
        play 1 7h
        expect error round-over
    """)


def test_void_round(table: Table) -> None:
    """C-22, T-33: three rotten tricks: nobody scores, even after a trut taken, and it does not carry over."""
    game = table("""
        game trut
        seats 2
        score A 1 1 B 1 2
        deal
        trut 1
        accept 2
        play 1 7s
        play 2 7h
        play 2 8s
        play 1 8h
        play 1 9s
        play 2 9h
        expect trick rotten
        expect round none nothing
        expect score A 1 1 B 1 2
        expect next-dealer 1
        deal
        expect dealer 1
        expect stake petit
    """)
    assert game.rounds[0].reason == "void"
    assert game.rounds[0].tricks == ("rotten",) * 3


def test_the_cards_go_back(table: Table) -> None:
    """C-23: laid cards are forgotten with the round, and so is what was known of the hands."""
    game = table("""
        game trut
        seats 2
        deal
        hand 1 7s 8s 9s
        trut 2
        fold 1
        deal
        hand 2 7s 8s 9s
    """)
    assert game.known_hand(1) is None


@pytest.mark.parametrize(
    ("clears", "score"), [("opponent", "A 3 1 B 1 0"), ("winner", "A 3 0 B 1 2"), ("both", "A 3 0 B 1 0")]
)
def test_what_a_long_costs(table: Table, clears: str, score: str) -> None:
    """C-30: the petits that go with a long, by each value of the option."""
    table(f"""
        game trut
        seats 2
        score A 2 1 B 1 2
        option long-clears {clears}
        deal
        trut 1
        accept 2
        play 1 7s
        play 2 8s
        play 1 7h
        play 2 8h
        expect round A long
        expect score {score}
    """)


def test_refused_event_changes_nothing() -> None:
    """C-4: neither the turn, nor the cards, nor the score, nor a pending challenge."""
    game = Game(Header("trut"))
    for event in (Event("deal"), Event("play", 1, ("7s",)), Event("trut", 3)):
        assert isinstance(game.apply(event), Accepted)
    before = game.state()
    for event in (
        Event("play", 2, ("8s",)),
        Event("trut", 2),
        Event("accept", 4),
        Event("fold", 1),
        Event("deal"),
    ):
        assert isinstance(game.apply(event), Refusal)
        assert game.state() == before


# NOTATION.md section 10


def test_annul(table: Table) -> None:
    """annul: the round is void, nothing is scored, the same dealer deals again; round-over if none runs."""
    game = table("""
        game trut
        dealer 2
        annul
        expect error round-over
        deal
        play 3 7s
        trut 4
        annul
        expect phase deal
        expect round none nothing
        expect next-dealer 2
        expect cutter 1
        expect score A 0 0 B 0 0
        deal 3
        expect error wrong-dealer
        deal 2
        expect turn 3
        play 3 7s
        expect awaiting none
        undo 3
        expect awaiting 3 1
    """)
    assert game.phase == "answer"


def test_annul_at_fortial(table: Table) -> None:
    """annul, T-50: the deal that follows looks at fortial again."""
    table("""
        game trut
        score A 6 2 B 0 0
        deal
        expect phase fortial
        annul
        expect phase deal
        deal
        expect dealer 4
        expect phase fortial
        expect awaiting 1 3
    """)


def test_agreed_score(table: Table) -> None:
    """set-score: between rounds, below the target and at most two petits; out of range is syntax."""
    table("""
        game trut
        set-score A 6 2 B 0 1
        expect score A 6 2 B 0 1
        expect fortial A
        set-score A 7 0 B 0 0
        expect error syntax
        set-score A 0 3 B 0 0
        expect error syntax
        set-score A 1 B 2
        expect error syntax
        set-score B 1 0 A 0 0
        expect error syntax
        deal
        set-score A 0 0 B 0 0
        expect error round-running
        undo 2
        expect score A 0 0 B 0 0
        undo
        expect error nothing-to-undo
    """)


def test_giving_up(table: Table) -> None:
    """concede: the other team has won, at any time; undo takes it back."""
    game = table("""
        game trut
        concede C
        expect error syntax
        concede A
        expect winner B
        expect phase over
        undo
        expect winner none
        deal
        trut 1
        concede B
        expect winner A
        expect turn none
        expect score A 0 0 B 0 0
    """)
    assert [ended.reason for ended in game.rounds] == ["concede"]


def test_card_of_unseen_suit(table: Table) -> None:
    """A card ``7?`` has its rank and no suit; it is refused only if all four of its rank are known."""
    table("""
        game trut
        dealer 4
        deal
        play 1 7?
        play 2 7h
        play 3 7?
        play 4 7d
        expect trick rotten
        expect turn 2
        play 2 7?
        expect error duplicate-card
        play 2 7s
        expect error duplicate-card
        play 2 8?
        undo
        undo 2
        play 3 7c
        play 4 9s
        play 2 7s
        play 3 7?
        expect error duplicate-card
        play 3 Z?
        expect error unknown-card
    """)


def test_card_of_unseen_suit_and_known_hands(table: Table) -> None:
    """A card ``7?`` must be in a known hand by its rank; which of two sevens went is then unsure."""
    game = table("""
        game trut
        seats 2
        deal
        hand 1 7s 7h 9s
        play 1 8?
        expect error not-in-hand
        play 1 7?
        play 2 10d
        expect turn 1
        hand 2 8s 8h 8d
        expect error too-late
    """)
    assert game.known_hand(1) == ("9s", "7?")
    assert isinstance(game.apply(Event("play", 1, ("7h",))), Accepted)
    game.undo()
    assert isinstance(game.apply(Event("play", 1, ("9s",))), Accepted)
    assert game.known_hand(1) == ("7?",)


def test_known_hands(table: Table) -> None:
    """hand: knowledge in any phase of a round, before that seat's first card; a later line replaces the
    former."""
    table("""
        game trut
        seats 2
        deal
        hand 1 7s 8s 9s
        hand 2 7s 8h 9h
        expect error duplicate-card
        hand 1 7h 8h 9h
        hand 2 7s 8s 9s
        hand 2 7s 8s
        expect error bad-hand
        hand 2 7s 8s 9s 10s
        expect error bad-hand
        hand 2 7s 7s 9s
        expect error bad-hand
        hand 2 7s 8s 6s
        expect error unknown-card
        hand 2
        expect error syntax
        trut 2
        hand 1 7d 8d 9d
        accept 1
        play 1 7d
        hand 1 8d 9d 10d
        expect error too-late
        play 2 7d
        expect error duplicate-card
    """)


def test_cut_and_deal(table: Table) -> None:
    """cut, deal: only when a deal is due; wrong-cutter, wrong-dealer."""
    table("""
        game trut
        dealer 3
        expect dealer 3
        expect next-dealer 3
        expect cutter 2
        cut 1
        expect error wrong-cutter
        cut 2
        deal 2
        expect error wrong-dealer
        deal 3
        expect next-dealer 4
        expect cutter 3
    """)
