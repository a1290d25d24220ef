"""What docs/rules.md decides beyond the rulebook, as far as no other test of this folder shows it."""

from __future__ import annotations

from collections.abc import Callable

from engine import Accepted, Event, Game, Header, Record, replay

Table = Callable[[str], Game]


def test_card_of_unseen_suit_is_the_plain_card(table: Table) -> None:
    """In truc-y-flou ``1?`` is a pout, ``7?`` no manille, ``10?``, ``11?`` no périque; no bonus."""
    game = Game(Header("truc-y-flou"))
    for unseen, plain in (("1?", "1c"), ("7?", "7b"), ("10?", "10e"), ("11?", "11o"), ("3?", "3e")):
        assert game.strength(unseen) == game.strength(plain)
    table("game truc-y-flou\ndeal\nplay 1 1?\nexpect score A 0 B 0\nplay 2 1e\nexpect score A 0 B 2")


def test_either_side_may_declare_first(table: Table) -> None:
    """F-46: the flor team may declare first; the challenger may then still be silent."""
    start = "game truc-y-flou\ndeal\nflor 1\nplay 1 3e\nbetter 2\nsing 3\nexpect awaiting 1 2\ndeclare 1 30\n"
    table(f"{start}declare 2 31\nexpect score A 0 B 5")
    table(f"{start}silent 2\nexpect score A 5 B 0")


def test_who_declares_for_the_challengers(table: Table) -> None:
    """F-47: the seat that said better, whoever of its team took the rest."""
    table("""
        game truc-y-flou
        deal
        flor 1
        play 1 3e
        better 2
        rest 1
        better 4
        declare 4 31
        expect error not-your-challenge
        declare 2 31
        declare 1 31
        expect round A manche
    """)


def test_undo_of_nothing() -> None:
    """``undo 0`` is allowed and does nothing."""
    game = Game(Header("trut"))
    game.apply(Event("deal"))
    before = game.state()
    assert isinstance(game.apply(Event("undo", None, ("0",))), Accepted)
    assert game.state() == before


def test_header_after_an_expectation() -> None:
    """A header line before the first event is one, also behind an ``expect``."""
    result = replay(Record.parse("game trut\nexpect turn none\nseats 2\ndeal\nexpect turn 1\n"))
    assert result.holds
    assert result.game.seats == 2


def test_who_cuts_after_an_annulled_round(table: Table) -> None:
    """The seat that cuts for that dealer anyway."""
    table("game trut\ndealer 3\ndeal\nannul\nexpect next-dealer 3\nexpect cutter 2")
    table("game trut-robin-red\ndealer 3\ndeal\nannul\nexpect next-dealer 3\nexpect cutter 4")


def test_reason_of_a_refusal() -> None:
    """A refused "mon reste" is ``rest``, a refused raise is ``refuse``."""
    for asked, reason in (("rest", "rest"), ("raise", "refuse")):
        result = replay(Record.parse(f"game truc\ndeal\n{asked} 1\nrefuse 2\n"))
        assert result.game.rounds[0].reason == reason
