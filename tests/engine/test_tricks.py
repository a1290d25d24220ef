"""Section 1 of RULES.md: the clauses on tricks."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from engine import Accepted, Event, Game, Header, TrickRotten, TrickWon
from engine.header import SEATS
from engine.rulesets import RULESETS
from engine.tricks import DECIDED, ROTTEN, fall, next_leader_place, owner_of_rotten

TABLE = [  # the table of C-20 as printed: trick 1, trick 2, trick 3, winner, decided after trick
    "A A - A 2", "A r - A 2", "A B A A 3", "A B B B 3", "A B r A 3",
    "B B - B 2", "B r - B 2", "B A B B 3", "B A A A 3", "B A r B 3",
    "r A - A 2", "r B - B 2", "r r A A 3", "r r B B 3", "r r r - 3",
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE)
def test_rows_of_c20(row: str) -> None:
    """C-20, C-21, C-22: each row of the table, and no decision before it."""
    *tricks, winner, after = row.split()
    results = tuple("rotten" if trick == "r" else trick for trick in tricks if trick != "-")
    assert len(results) == int(after)
    assert DECIDED[results] == (None if winner == "-" else winner)
    assert all(results[:n] not in DECIDED for n in range(len(results)))


def test_c20_is_complete() -> None:
    """C-20: every course of three tricks is decided by exactly one row."""
    for course in itertools.product(("A", "B", ROTTEN), repeat=3):
        assert sum(course[:n] in DECIDED for n in (1, 2, 3)) == 1


@pytest.mark.parametrize("results", sorted(DECIDED, key=str))
def test_c15_owners_agree_with_c20(results: tuple[str, ...]) -> None:
    """C-15: counting rotten tricks for their owners, the team with most tricks wins, as C-20 says."""
    owners = [
        owner_of_rotten(results, place) if trick == ROTTEN else trick for place, trick in enumerate(results)
    ]
    counts = {team: owners.count(team) for team in "AB"}
    most = None if counts["A"] == counts["B"] else max(counts, key=lambda team: counts[team])
    assert most == DECIDED[results]


def slow_judgement(strengths: tuple[int, ...]) -> tuple[str, list[int]]:
    """C-11 and C-12 word for word: who has it (0: the leader's team, 1: the others, rotten), and the highest
    places."""
    top = [place for place, strength in enumerate(strengths) if strength == max(strengths)]
    teams = {place % 2 for place in top}
    return ("rotten" if len(teams) == 2 else str(teams.pop())), top


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_trick_of_three_strengths(seats: int) -> None:
    """C-11, C-12, C-13, C-14: every trick of cards of three strengths, judged as the clauses are worded."""
    for strengths in itertools.product((1, 2, 3), repeat=seats):
        whose, top = slow_judgement(strengths)
        fallen = fall(strengths)
        assert fallen.rotten == (whose == "rotten")
        if fallen.rotten:
            others = [place for place in top if place % 2 != top[0] % 2]
            leads = {"rotter": others[0], "last-equal": top[-1], "first-equal": top[0], "leader": 0}
            for option, place in leads.items():
                assert next_leader_place(fallen, option, "first") == place
        else:
            assert top[0] % 2 == int(whose)
            assert next_leader_place(fallen, "rotter", "first") == top[0]
            assert next_leader_place(fallen, "rotter", "last") == top[-1]


def numbers_of_players() -> list[tuple[str, int]]:
    return [(game, seats) for game in sorted(RULESETS) for seats in SEATS[game]]


@pytest.mark.parametrize(("name", "seats"), numbers_of_players())
def test_winner_of_a_trick_of_every_leader(name: str, seats: int) -> None:
    """C-11, C-13, C-6: every leader, every winner, first and later trick: the seat that wins leads, its team
    has the trick.

    A published referee of a sister game takes the place within the trick for the seat from the second trick
    on.
    """
    for dealer, first, second in itertools.product(range(1, seats + 1), repeat=3):
        game = Game(Header(name, seats, dealer))
        game.apply(Event("deal"))
        strong, weak = strong_and_weak(game)
        for winner in (first, second):
            leader = game.turn
            assert leader is not None
            for step in range(seats):
                seat = (leader - 1 + step) % seats + 1
                assert game.turn == seat
                answer = game.apply(Event("play", seat, (strong.pop() if seat == winner else weak.pop(),)))
                assert isinstance(answer, Accepted)
            (won,) = (outcome for outcome in answer.outcomes if isinstance(outcome, TrickWon))
            assert (won.seat, won.team, won.next_leader) == (winner, "A" if winner % 2 else "B", winner)
            if game.phase == "play":
                assert game.turn == winner
        assert (game.phase == "play") == (first % 2 != second % 2)


def strong_and_weak(game: Game) -> tuple[list[str], list[str]]:
    """Two cards that win, and weaker cards for everybody else, no two of them needed twice."""
    cards = sorted(game.table.PACK.tokens * game.table.PACK.copies, key=game.strength)
    best = cards[-1]
    strong = [card for card in cards if game.strength(card) >= game.strength(cards[-2])]
    weak = [card for card in cards if game.strength(card) < game.strength(cards[-2])]
    return sorted([strong[-2], best], key=game.strength), weak


@pytest.mark.parametrize(("name", "seats"), numbers_of_players())
def test_rotten_trick_of_every_leader(name: str, seats: int) -> None:
    """C-12, C-14: every leader, every pair of opponents with the two highest cards: rotten, and the right
    seat leads."""
    for dealer, one, two in itertools.product(range(1, seats + 1), repeat=3):
        if one % 2 == two % 2:
            continue
        for option in ("rotter", "last-equal", "first-equal", "leader"):
            game = Game(Header(name, seats, dealer, {"rotten-lead": option}))
            game.apply(Event("deal"))
            leader = game.turn
            assert leader is not None
            rows: dict[int, list[str]] = {}
            for card in game.table.PACK.tokens * game.table.PACK.copies:
                rows.setdefault(game.strength(card), []).append(card)
            high = next(rows[strength] for strength in sorted(rows, reverse=True) if len(rows[strength]) > 1)
            weak = [card for strength in sorted(rows) for card in rows[strength]]
            order = [(leader - 1 + step) % seats + 1 for step in range(seats)]
            for seat in order:
                answer = game.apply(Event("play", seat, (high.pop() if seat in (one, two) else weak.pop(0),)))
                assert isinstance(answer, Accepted)
            rotten = answer.outcomes[0]
            assert isinstance(rotten, TrickRotten)
            earlier, later = sorted((one, two), key=order.index)
            expected = {"rotter": later, "last-equal": later, "first-equal": earlier, "leader": leader}[
                option
            ]
            assert rotten.next_leader == expected == game.turn


def test_rotter_of_four_with_three_sevens(table: Callable[[str], Game]) -> None:
    """C-14, T-11: 7, 7, 9, 7: the rotter is the first equalising opponent, not the last equal card."""
    for option, leader in (("rotter", 2), ("last-equal", 4), ("first-equal", 1), ("leader", 1)):
        table(f"""
            game trut
            option rotten-lead {option}
            deal
            play 1 7s
            play 2 7h
            play 3 9d
            play 4 7d
            expect trick rotten
            expect turn {leader}
        """)


def test_partners_with_equal_highest_cards(table: Callable[[str], Game]) -> None:
    """C-12, C-13: partners with the two highest equal cards win; the first, or by option the last of them
    leads."""
    for option, leader in (("first", 1), ("last", 3)):
        table(f"""
            game trut
            option partner-lead {option}
            deal
            play 1 7s
            play 2 8h
            play 3 7d
            play 4 8d
            expect trick A
            expect turn {leader}
        """)


def test_equality_lower_down_means_nothing(table: Callable[[str], Game]) -> None:
    """C-12: two equal eights under a seven spoil nothing."""
    table("""
        game trut
        deal
        play 1 8s
        play 2 8h
        play 3 7d
        play 4 8d
        expect trick A
        expect turn 3
    """)
