"""A card that the eyes miss altogether: one question, the later cards wait, and the game goes on."""

from __future__ import annotations

import dataclasses

import pytest

from assistant.acts import Action, Question
from assistant.bench.doubt import watched
from assistant.holding import Observation
from assistant.testing import Script, place_of, timed_events
from audio.events import Phrase
from engine import Game
from vision.events import CardLaid, CardReread, CardsTaken, HandGone, HandSeen

ROUND = """\
game trut
seats 4
dealer 4
deal | t=1.00
play 1 9d | t=3.00
play 2 Jd | t=4.50
play 3 10s | t=6.00
play 4 Js | t=7.50
play 2 7s | t=11.50
play 3 Jc | t=13.00
play 4 10c | t=14.50
play 1 8d | t=16.00
"""
HEADER, EVENTS = timed_events(ROUND)


def seen(*without: str) -> list[Observation]:
    """What perfect eyes report of the round, but for these cards."""
    return [o for o in Script(HEADER, EVENTS).build() if not (isinstance(o, CardLaid) and o.card in without)]


def plays(game: Game) -> list[str]:
    return [f"{event.seat} {event.args[0]}" for event in game.log if event.verb == "play"]


def questions(acts: object) -> list[tuple[str, object]]:
    assert isinstance(acts, list)
    return [(a.kind, a.fields.get("seat")) for a in acts if isinstance(a, Question)]


def refused(acts: object) -> list[str | None]:
    assert isinstance(acts, list)
    return [a.refused for a in acts if isinstance(a, Action) and a.refused]


WHOLE = ["1 9d", "2 Jd", "3 10s", "4 Js", "2 7s", "3 Jc", "4 10c", "1 8d"]


def named(t: float, card: str) -> Phrase:
    return Phrase(t, t + 0.3, card, (card,), True, "…", 0.9)


@pytest.mark.parametrize(("card", "seat", "t"), [("Jd", 2, 8.5), ("10s", 3, 9.5), ("Js", 4, 14.0), ("Jc", 3, 18.0)])
def test_the_players_are_asked_once_and_their_answer_sets_all_right(card: str, seat: int, t: float) -> None:
    game, acts = watched(HEADER, [*seen(card), named(t, card)], live=True)
    assert questions(acts) == [("which-card", seat)]
    assert refused(acts) == []
    assert plays(game) == WHOLE
    assert len(game.rounds) == 1


def test_a_card_found_late_sets_all_right_too() -> None:
    late = next(o for o in seen() if isinstance(o, CardLaid) and o.card == "Jd")
    game, acts = watched(HEADER, [*seen("Jd"), dataclasses.replace(late, decided=9.0)])
    assert questions(acts) == [("which-card", 2)]
    assert plays(game) == WHOLE


def test_without_an_answer_what_followed_tells_what_the_card_was() -> None:
    game, acts = watched(HEADER, seen("Js"))  # seat 2 leads: seat 4 cannot have beaten the jack of its partner
    assert questions(acts) == [("which-card", 4), ("counted", 4)]
    assert [play for play in plays(game) if not play.startswith("4")] == [p for p in WHOLE if not p.startswith("4")]
    assert game.rounds[-1].winner == "B"
    assert game.rounds[-1].tricks == ("B", "B")


def test_live_the_players_are_given_time_to_answer() -> None:
    _, acts = watched(HEADER, seen("Jd"), live=True)
    asked, counted = (a for a in acts if isinstance(a, Question))
    assert counted.decided - asked.decided == pytest.approx(8.0)


def test_a_card_without_its_hand_is_missed_when_two_cards_follow() -> None:
    without = [o for o in seen("Jd") if not (isinstance(o, HandSeen | HandGone) and o.seat == 2 and o.t < 6)]
    game, acts = watched(HEADER, [*without, named(9.5, "Jd")])
    assert refused(acts) == ["out-of-turn"]  # so it looked at first
    assert questions(acts) == [("which-card", 2)]
    assert plays(game) == WHOLE


def test_a_card_of_the_next_seat_alone_without_that_hand_is_out_of_turn() -> None:
    early = [o for o in seen("Jd") if o.decided < 7.0 and not (isinstance(o, HandSeen | HandGone) and o.seat == 2)]
    _, acts = watched(HEADER, early)
    assert refused(acts) == ["out-of-turn"]
    assert questions(acts) == []


def test_the_last_card_of_a_trick_is_asked_for_when_it_is_gathered() -> None:
    game, acts = watched(HEADER, [*(o for o in seen("Js") if o.t < 10.5), named(12.0, "Js")])
    assert questions(acts) == [("which-card", 4)]
    assert plays(game) == WHOLE[:4]
    assert game.tricks == ("B",)


def test_a_card_that_stays_unread_lets_the_others_wait() -> None:
    dark = next(o for o in seen() if isinstance(o, CardLaid) and o.card == "Jd")
    blind = dataclasses.replace(dark, card=None, confidence=0.0, guesses=())
    game, acts = watched(HEADER, [*seen("Jd"), blind, named(8.0, "J?")])
    assert questions(acts) == [("which-card", 2)]
    assert refused(acts) == []
    assert plays(game) == ["1 9d", "2 J?", *WHOLE[2:]]


def test_a_card_read_at_last_lets_the_others_count() -> None:
    dark = next(o for o in seen() if isinstance(o, CardLaid) and o.card == "Jd")
    blind = dataclasses.replace(dark, card=None, confidence=0.0, guesses=())
    better = CardReread(dark.t, 9.0, dark.track, "Jd", 0.99, (("Jd", 0.99),))
    game, _ = watched(HEADER, [*seen("Jd"), blind, better])
    assert plays(game) == WHOLE


def test_who_lays_early_and_takes_it_back_has_not_played() -> None:
    start = [o for o in seen("Jd") if o.decided < 7.0 and not (isinstance(o, CardLaid) and o.card == "10s")]
    early = CardLaid(6.0, 6.4, 50, "Ks", 0.97, 3, place_of(3, 4, 9), 3, (("Ks", 0.97),))
    later = [
        CardLaid(9.0, 9.4, 51, "Jd", 0.97, 2, place_of(2, 4, 2), 2, (("Jd", 0.97),)),
        CardLaid(10.5, 10.9, 52, "10s", 0.97, 3, place_of(3, 4, 3), 3, (("10s", 0.97),)),
    ]
    game, acts = watched(HEADER, [*start, early, CardsTaken(7.5, 7.8, (50,)), *later])
    assert questions(acts) == [("which-card", 2)]
    assert plays(game) == WHOLE[:3]
