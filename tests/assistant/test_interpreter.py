"""The interpreter against scripted observations: what perfect and less perfect eyes and ears report of a
known game."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.acts import Action, Notice, Question
from assistant.holding import Observation
from assistant.interpreter import Interpreter
from assistant.testing import Script, Timed, place_of, played_at_random, script_of, timed_events
from audio.events import Knock, Phrase
from engine import Event, Game, Header, parse_event
from vision.events import CardLaid, CardReread, CardsTaken, HandGone, HandSeen

SHARED = Path(__file__).parents[2].parent / "shared" / "cases" / "matches"

ROUND = """\
game trut
seats 4
dealer 4
deal | t=1.00
play 1 9d | t=2.75
trut 4 | t=4.00
fold 1 | t=5.85
accept 3 | t=7.55
play 2 Jd | t=9.00
play 3 10s | t=10.51
play 4 Js | t=11.84
play 2 7s | t=15.80
play 3 Jc | t=17.20
play 4 10c | t=18.59
play 1 8d | t=19.85
"""


def watched(
    header: Header, observations: Iterable[Observation], *, live: bool = False, step: float = 0.1
) -> tuple[Game, list[object]]:
    """What an interpreter makes of observations that come when they are decided."""
    game = Game(header)
    interpreter = Interpreter(game, live=live)
    left = sorted(observations, key=lambda o: o.decided)
    acts: list[object] = []
    t = 0.0
    while left:
        t = round(t + step, 6)
        ready = [o for o in left if o.decided <= t]
        left = left[len(ready) :]
        interpreter.observe(ready)
        acts += interpreter.advance(t)
    acts += interpreter.finish(t)
    return game, acts


def events_of(acts: Sequence[object]) -> list[str]:
    return [str(a.event) for a in acts if isinstance(a, Action) and a.refused is None]


def refused(acts: Sequence[object]) -> list[tuple[str, str]]:
    return [(str(a.event), a.refused) for a in acts if isinstance(a, Action) and a.refused is not None]


def kinds(acts: Sequence[object], kind: type = Question) -> list[str]:
    return [a.kind for a in acts if isinstance(a, Notice | Question) and isinstance(a, kind)]


def as_text(events: Iterable[Timed]) -> list[str]:
    return [str(timed.event) for timed in events]


def laid(
    t: float,
    card: str | None,
    seat: int,
    track: int,
    *,
    p: float = 0.97,
    zone: int | None = -1,
    hand: int | None = -1,
    guesses: tuple[tuple[str, float], ...] = (),
    spot: int = 0,
) -> CardLaid:
    return CardLaid(
        t,
        t + 0.4,
        track,
        card,
        p,
        seat if zone == -1 else zone,
        place_of(seat, 4, spot or track),
        seat if hand == -1 else hand,
        guesses or (((card, p),) if card else ()),
    )


HEADER = Header("trut", seats=4, dealer=4)


# -- whole games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bicycle-4p", "bicycle-spoken-4p", "paris-2p", "gmparis-gatine-2p"])
def test_the_shared_matches_come_out_as_their_truth_says(name: str) -> None:
    file = SHARED / f"{name}.trut"
    if not file.exists():
        pytest.skip("the shared matches are not here")
    text = file.read_text()
    header, events = timed_events(text)
    _, acts = watched(header, script_of(text))
    assert events_of(acts) == as_text(events)
    assert refused(acts) == []


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from([2, 4]))
def test_a_game_played_at_random_comes_out_as_it_was_played(seed: int, seats: int) -> None:
    header = Header("trut", seats=seats, dealer=seats, options={"fortial": "off"})
    events = played_at_random(header, seed)
    game, acts = watched(header, Script(header, events, voices=True).build())
    assert events_of(acts) == as_text(events)
    assert refused(acts) == []
    assert len(game.rounds) == 3


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_late_news_and_a_missing_hand_or_place_change_nothing(seed: int) -> None:
    header = Header("trut", seats=4, dealer=4)
    events = played_at_random(header, seed)
    rng = random.Random(seed)
    jittered: list[Observation] = []
    for seen in Script(header, events, voices=True).build():
        if isinstance(seen, CardLaid):
            late = rng.choice([0.2, 0.4, 0.9])
            seen = dataclasses.replace(seen, t=seen.t + rng.uniform(-0.05, 0.05), decided=seen.t + late)
            if rng.random() < 0.3:
                seen = dataclasses.replace(seen, **rng.choice([{"hand": None}, {"zone": None}]))
        elif isinstance(seen, Phrase):
            seen = dataclasses.replace(seen, decided=seen.t + rng.uniform(0.2, 0.6))
        jittered.append(seen)
    game, acts = watched(header, jittered, step=rng.choice([0.04, 0.1, 0.21]))
    honest = Game(header)
    for timed in events:
        honest.apply(timed.event)
    assert refused(acts) == []
    assert (game.score, [r.row() for r in game.rounds]) == (honest.score, [r.row() for r in honest.rounds])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_how_fast_the_clock_is_turned_does_not_matter(seed: int) -> None:
    header = Header("trut", seats=4, dealer=4)
    script = Script(header, played_at_random(header, seed, rounds=2), voices=True).build()
    _, slow = watched(header, script, step=0.05)
    _, fast = watched(header, script, step=0.15)
    assert [str(a.event) for a in slow if isinstance(a, Action)] == [
        str(a.event) for a in fast if isinstance(a, Action)
    ]


# -- cards ---------------------------------------------------------------------------------------------------


def test_the_first_card_after_a_settled_round_implies_the_deal() -> None:
    _, acts = watched(HEADER, [laid(2.0, "7h", 1, 1)])
    assert events_of(acts) == ["deal", "play 1 7h"]
    assert [a.by for a in acts if isinstance(a, Action)] == ["rules", "camera"]


def test_a_card_that_lay_there_from_the_start_is_no_play() -> None:
    _, acts = watched(HEADER, [laid(0.0, "7h", 1, 1), laid(2.0, "8h", 1, 2, spot=20)])
    assert events_of(acts) == ["deal", "play 1 8h"]


def test_place_and_hand_of_another_seat_are_an_infraction() -> None:
    _, acts = watched(HEADER, [laid(2.0, "7h", 1, 1), laid(3.5, "8h", 3, 2)])
    assert refused(acts) == [("play 3 8h", "out-of-turn")]


def test_place_or_hand_that_agrees_with_the_turn_is_enough() -> None:
    _, acts = watched(HEADER, [laid(2.0, "7h", 1, 1, zone=3), laid(3.5, "8h", 2, 2, hand=4)])
    assert events_of(acts) == ["deal", "play 1 7h", "play 2 8h"]
    assert refused(acts) == []


def test_place_and_hand_that_contradict_each_other_go_to_the_turn_with_a_question() -> None:
    _, acts = watched(HEADER, [laid(2.0, "7h", 1, 1, zone=3, hand=2)])
    assert events_of(acts) == ["deal", "play 1 7h"]
    assert kinds(acts) == ["whose-card"]


def test_a_card_out_of_turn_that_is_taken_back_is_laid_again_in_its_turn() -> None:
    _, acts = watched(
        HEADER,
        [
            laid(2.0, "7h", 1, 1),
            laid(3.5, "8h", 3, 2),
            CardsTaken(5.0, 5.3, (2,)),
            laid(7.0, "9h", 2, 3),
            laid(8.5, "8h", 3, 4),
        ],
    )
    assert refused(acts) == [("play 3 8h", "out-of-turn")]
    assert events_of(acts) == ["deal", "play 1 7h", "play 2 9h", "play 3 8h"]


def test_a_card_out_of_turn_that_stays_is_played_when_its_turn_comes() -> None:
    observations = [
        laid(2.0, "7h", 1, 1),
        laid(3.5, "8h", 3, 2),
        laid(7.0, "9h", 2, 3),
        laid(9.5, "Kh", 4, 4),
    ]
    _, acts = watched(HEADER, observations)
    assert events_of(acts) == ["deal", "play 1 7h", "play 2 9h", "play 3 8h", "play 4 Kh"]


def test_the_card_before_known_only_later_is_put_in_its_place() -> None:
    late = dataclasses.replace(laid(3.0, "9h", 2, 2), decided=5.0)
    _, acts = watched(HEADER, [laid(2.0, "7h", 1, 1), late, laid(4.0, "8h", 3, 3)])
    assert events_of(acts) == ["deal", "play 1 7h", "play 2 9h", "play 3 8h"]
    assert refused(acts) == []


def test_the_card_before_known_much_later_is_put_in_its_place_too() -> None:
    late = dataclasses.replace(laid(3.0, "9h", 2, 2), decided=7.0)
    _, acts = watched(HEADER, [laid(2.0, "7h", 1, 1), late, laid(4.0, "8h", 3, 3)])
    assert refused(acts) == [("play 3 8h", "out-of-turn")]
    assert events_of(acts)[-2:] == ["play 2 9h", "play 3 8h"]


def test_a_suit_that_already_lies_there_is_left_open_and_asked_about() -> None:
    game, acts = watched(HEADER, [laid(2.0, "7h", 1, 1), laid(3.5, "7h", 2, 2)])
    assert events_of(acts) == ["deal", "play 1 7h", "play 2 7?"]
    assert kinds(acts) == ["twice"]
    assert game.turn == 3


def test_the_fifth_seven_is_a_duplicate() -> None:
    cards = [laid(2.0 + 1.5 * i, c, i + 1, i + 1) for i, c in enumerate(["7h", "7s", "7d", "7c"])]
    extra = laid(14.0, "7h", 2, 9)
    _, acts = watched(HEADER, [*cards, CardsTaken(9.0, 9.2, (1, 2, 3, 4)), extra])
    assert refused(acts) == [("play 2 7h", "duplicate-card")]


def test_a_doubtful_rank_waits_for_a_second_look() -> None:
    doubtful = laid(2.0, "Jh", 1, 1, p=0.5, guesses=(("Jh", 0.5), ("Qh", 0.4)))
    better = CardReread(2.0, 3.1, 1, "Qh", 0.95, (("Qh", 0.95),))
    _, acts = watched(HEADER, [doubtful, better])
    assert events_of(acts) == ["deal", "play 1 Qh"]


def test_a_card_that_stays_unread_is_asked_for() -> None:
    _, acts = watched(HEADER, [laid(2.0, None, 1, 1), HandSeen(9.0, 9.0, 1)])
    assert kinds(acts) == ["which-card"]
    assert "play" not in " ".join(events_of(acts))


def test_a_name_said_answers_the_question_for_a_card() -> None:
    named = Phrase(6.0, 6.3, "7s", ("7s",), False, "le sept de pique", 0.9)
    _, acts = watched(HEADER, [laid(2.0, None, 1, 1), named])
    assert events_of(acts)[-1] == "play 1 7s"


def test_a_correction_is_an_undo_and_the_right_event_and_those_after_it() -> None:
    first = laid(2.0, "8h", 1, 1)
    second = laid(3.5, "9h", 2, 2)
    better = CardReread(2.0, 5.0, 1, "7h", 0.99, (("7h", 0.99),))
    game, acts = watched(HEADER, [first, second, better, laid(6.5, "Kh", 3, 3)])
    assert events_of(acts) == [
        "deal",
        "play 1 8h",
        "play 2 9h",
        "undo 3",
        "deal",
        "play 1 7h",
        "play 2 9h",
        "play 3 Kh",
    ]
    assert kinds(acts, Notice) == ["corrected"]
    assert game.trick == ((1, "7h"), (2, "9h"), (3, "Kh"))


def test_a_correction_across_the_end_of_a_round_changes_its_winner() -> None:
    header, events = timed_events(ROUND)
    script = Script(header, events, voices=True).build()
    # the last card, 8d by seat 1, turns out to be the 7d: the trick is rotten and B wins by the first one
    last = next(o for o in script if isinstance(o, CardLaid) and o.card == "8d")
    reread = CardReread(last.t, last.t + 1.2, last.track, "7d", 0.99, (("7d", 0.99),))
    game, acts = watched(header, [*script, reread])
    assert events_of(acts)[-2:] == ["undo", "play 1 7d"]
    assert game.rounds[-1].tricks == ("B", "rotten")


MISREAD = [
    laid(2.0, "9h", 1, 1),
    laid(3.5, "8s", 2, 2),
    # seat 3 laid the queen; read as a king it would not matter, read as a seven it would win the trick
    laid(5.0, "7d", 3, 3, p=0.93, guesses=(("7d", 0.93), ("Qd", 0.05))),
    laid(6.5, "Kc", 4, 4),
    CardsTaken(8.0, 8.3, (1, 2, 3, 4)),
]


def test_who_leads_tells_which_card_was_misread() -> None:
    _, acts = watched(HEADER, [*MISREAD, laid(10.0, "10c", 2, 5, spot=30)])
    assert events_of(acts)[-4:] == ["undo 2", "play 3 Qd", "play 4 Kc", "play 2 10c"]
    assert refused(acts) == []
    assert kinds(acts, Notice) == ["corrected"]


def test_a_lead_out_of_turn_that_no_second_guess_explains_is_an_infraction() -> None:
    sure = dataclasses.replace(MISREAD[2], guesses=(("7d", 0.999), ("7h", 0.001)))  # type: ignore[type-var]
    _, acts = watched(HEADER, [*MISREAD[:2], sure, *MISREAD[3:], laid(10.0, "10c", 2, 5, spot=30)])
    assert refused(acts) == [("play 2 10c", "out-of-turn")]


def test_a_trick_more_than_the_round_should_have_tells_of_a_misread_card() -> None:
    cards = [("9h", 1), ("7s", 2), ("Kd", 3), ("Qc", 4), ("10s", 2), ("8h", 3), ("9c", 4), ("Js", 1)]
    # the second trick was A's by the eight of seat 3; read as a ten it would be B's, and the round over
    wrong = laid(11.5, "10h", 3, 6, p=0.9, guesses=(("10h", 0.9), ("8h", 0.08)), spot=26)
    times = [2.0, 3.5, 5.0, 6.5, 10.0, 11.5, 13.0, 14.5]
    script: list[Observation] = [
        wrong if t == 11.5 else laid(t, card, seat, n + 1, spot=n + 21)
        for n, (t, (card, seat)) in enumerate(zip(times, cards, strict=True))
    ]
    script += [CardsTaken(8.0, 8.3, (1, 2, 3, 4)), CardsTaken(16.0, 16.3, (5, 6, 7, 8))]
    script.append(laid(18.0, "Ah", 3, 9, spot=40))
    game, acts = watched(HEADER, script)
    assert events_of(acts)[-1] == "play 3 Ah"
    assert game.tricks == ("B", "A")
    assert refused(acts) == []


def test_what_cannot_lie_there_twice_is_found_by_elimination() -> None:
    second = laid(3.5, "Kd", 2, 2, p=0.93, guesses=(("Kd", 0.93), ("Qd", 0.05), ("Kh", 0.004)))
    _, acts = watched(HEADER, [laid(2.0, "Kd", 1, 1), second])
    assert events_of(acts) == ["deal", "play 1 Kd", "play 2 Qd"]


def test_cards_of_the_former_trick_still_lying_are_no_new_plays() -> None:
    first = [laid(2.0 + 1.5 * i, c, i + 1, i + 1) for i, c in enumerate(["9h", "8s", "Kd", "Qc"])]
    lead = laid(9.0, "7c", 2, 5, spot=40)
    taken = CardsTaken(9.3, 9.6, (1, 2, 3, 4))
    _, acts = watched(HEADER, [*first, lead, taken])
    assert events_of(acts)[-1] == "play 2 7c"
    assert refused(acts) == []


def test_a_card_lost_from_sight_and_found_again_is_the_same_card() -> None:
    again = dataclasses.replace(laid(4.1, "9h", 1, 7), quad=place_of(1, 4, 1))
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), CardsTaken(3.5, 3.8, (1,)), again, laid(6.0, "8h", 2, 8)])
    assert events_of(acts) == ["deal", "play 1 9h", "play 2 8h"]
    assert refused(acts) == []


def test_a_card_shown_after_an_early_end_opens_no_round() -> None:
    header, events = timed_events(ROUND)
    shown = dataclasses.replace(laid(21.0, "As", 3, 90), quad=place_of(3, 4, 30))
    script = [o for o in Script(header, events).build() if not (isinstance(o, CardsTaken) and o.t > 20)]
    game, acts = watched(header, [*script, shown])
    assert game.phase == "deal"
    assert events_of(acts) == as_text(events)


# -- knocks --------------------------------------------------------------------------------------------------


def knock(t: float, *, p: float = 0.96, hit: int = 1) -> Knock:
    return Knock(t, t + 0.05, p, 1, hit)


def test_a_knock_is_the_trut_of_the_hand_over_the_table() -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), HandSeen(3.6, 3.7, 4), knock(4.0), HandGone(4.5, 4.6, 4)])
    assert events_of(acts)[-1] == "trut 4"


def test_a_hand_seen_a_little_after_the_knock_still_counts() -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0), HandSeen(4.1, 4.4, 3)])
    assert events_of(acts)[-1] == "trut 3"


def test_a_knock_of_nobodys_hand_goes_to_the_turn() -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0)])
    assert events_of(acts)[-1] == "trut 2"


def test_a_faint_knock_of_nobodys_hand_is_dropped() -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0, p=0.6)])
    assert events_of(acts) == ["deal", "play 1 9h"]


def test_a_faint_knock_of_a_hand_that_has_nothing_else_to_do_counts() -> None:
    hand = [HandSeen(3.6, 3.7, 4), HandGone(4.5, 4.6, 4)]
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), *hand, knock(4.0, p=0.4)])
    assert events_of(acts) == ["deal", "play 1 9h", "trut 4"]


def test_a_faint_knock_of_a_hand_that_lays_a_card_is_none() -> None:
    hands = [HandSeen(3.4, 3.5, 2), HandGone(4.6, 4.7, 2)]
    late = dataclasses.replace(laid(4.4, "8h", 2, 2), decided=5.1)
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), *hands, knock(3.8, p=0.7), late])
    assert events_of(acts) == ["deal", "play 1 9h", "play 2 8h"]


def test_a_faint_knock_of_a_hand_that_gathers_the_trick_is_none() -> None:
    first = [laid(2.0 + 1.5 * i, c, i + 1, i + 1) for i, c in enumerate(["9h", "8s", "Kd", "Qc"])]
    hand = [HandSeen(8.0, 8.1, 2), HandGone(9.4, 9.5, 2)]
    taken = CardsTaken(8.9, 9.2, (1, 2, 3, 4))
    _, acts = watched(HEADER, [*first, *hand, knock(8.4, p=0.7), taken])
    assert len(events_of(acts)) == 5


def test_a_sure_hit_after_a_faint_one_counts_for_the_gesture() -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0, p=0.4), knock(4.3, hit=2)])
    assert events_of(acts) == ["deal", "play 1 9h", "trut 2"]


def test_who_speaks_and_knocks_truts_for_himself() -> None:
    hand = [HandSeen(3.8, 3.9, 4), HandGone(4.7, 4.8, 4)]
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), phrase(4.0, "trut"), *hand, knock(4.3)])
    assert events_of(acts) == ["deal", "play 1 9h", "trut 2", "undo", "trut 4"]


def test_a_call_on_the_heels_of_a_round_opens_no_other() -> None:
    words = [phrase(1.0, "trut"), phrase(2.0, "fold"), phrase(3.0, "fold"), phrase(4.0, "trut")]
    game, acts = watched(HEADER, words)
    assert events_of(acts) == ["deal", "trut 1", "fold 2", "fold 4"]
    assert game.phase == "deal"


def test_an_answer_to_a_knock_that_nobody_heard_tells_of_the_knock() -> None:
    hand = [HandSeen(3.6, 3.7, 4), HandGone(4.5, 4.6, 4)]
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), *hand, phrase(6.0, "fold")])
    assert events_of(acts) == ["deal", "play 1 9h", "trut 4", "fold 1"]


@pytest.mark.parametrize("what", ["no hand", "own card", "everyday word", "long ago"])
def test_an_answer_without_a_hand_that_may_have_knocked_is_dropped(what: str) -> None:
    hand = [HandSeen(3.6, 3.7, 4), HandGone(4.5, 4.6, 4)]
    own = [HandSeen(1.4, 1.5, 1), HandGone(2.5, 2.6, 1)]
    answer = phrase(14.0 if what == "long ago" else 6.0, "fold", answer=what == "everyday word")
    hands = {"no hand": [], "own card": own}.get(what, hand)
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), *hands, answer])
    assert events_of(acts) == ["deal", "play 1 9h"]


def test_an_answer_that_comes_before_a_faint_knock_is_believed_follows_it() -> None:
    hand = [HandSeen(3.6, 3.7, 4), HandGone(4.5, 4.6, 4)]
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), *hand, knock(4.0, p=0.4), phrase(5.0, "accept")])
    assert events_of(acts) == ["deal", "play 1 9h", "trut 4", "accept 1"]


def test_the_thump_of_a_card_is_no_knock() -> None:
    hands = [HandSeen(1.5, 1.6, 1), HandGone(2.4, 2.5, 1)]
    _, acts = watched(HEADER, [*hands, knock(1.95), laid(2.0, "9h", 1, 1)])
    assert events_of(acts) == ["deal", "play 1 9h"]


def test_the_thump_of_a_card_known_only_later_is_taken_back() -> None:
    hands = [HandSeen(1.5, 1.6, 1), HandGone(2.4, 2.5, 1)]
    late = dataclasses.replace(laid(2.0, "9h", 1, 1), decided=3.4)
    game, _ = watched(HEADER, [*hands, knock(1.95), late])
    assert game.phase == "play"
    assert game.trick == ((1, "9h"),)


@pytest.mark.parametrize("hit", [2, 3])
def test_only_the_first_hit_of_a_gesture_counts(hit: int) -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0, hit=hit)])
    assert events_of(acts) == ["deal", "play 1 9h"]


def test_knocks_under_an_open_challenge_and_after_it_are_dropped() -> None:
    accept = Phrase(6.0, 6.3, "accept", ("accept",), True, "joue", 0.9)
    fold = Phrase(5.0, 5.3, "fold", ("fold",), True, "je passe", 0.9)
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0), knock(4.8), fold, accept, knock(7.0)])
    assert events_of(acts)[2:] == ["trut 2", "fold 1", "accept 3"]
    assert refused(acts) == []


# -- words ---------------------------------------------------------------------------------------------------


def phrase(t: float, *means: str, answer: bool = False, speaker: int | None = None) -> Phrase:
    return Phrase(t, t + 0.3, means[0], means, answer, means[0], 0.9, speaker)


def test_a_spoken_trut_is_that_of_the_turn_and_answers_follow_the_order() -> None:
    _, acts = watched(
        HEADER,
        [laid(2.0, "9h", 1, 1), phrase(4.0, "trut"), phrase(5.0, "fold", "pass"), phrase(6.0, "accept")],
    )
    assert events_of(acts)[2:] == ["trut 2", "fold 1", "accept 3"]


def test_what_is_half_heard_on_the_heels_of_a_word_is_dropped() -> None:
    echo = dataclasses.replace(phrase(5.6, "fold", answer=True), confidence=0.5)
    words = [phrase(4.0, "trut"), phrase(5.0, "fold"), echo, phrase(6.5, "accept")]
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), *words])
    assert events_of(acts)[2:] == ["trut 2", "fold 1", "accept 3"]


def test_a_word_heard_better_takes_the_place_of_one_half_heard() -> None:
    doubtful = dataclasses.replace(phrase(5.0, "accept", answer=True), confidence=0.45)
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), phrase(4.0, "trut"), doubtful, phrase(6.1, "fold")])
    assert events_of(acts)[2:] == ["trut 2", "fold 1"]


def test_a_word_half_heard_counts_if_nothing_better_is_heard() -> None:
    doubtful = dataclasses.replace(phrase(5.0, "accept", answer=True), confidence=0.45)
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), phrase(4.0, "trut"), doubtful])
    assert events_of(acts)[2:] == ["trut 2", "accept 1"]


def test_a_known_voice_truts_for_itself() -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), phrase(4.0, "trut", speaker=4)])
    assert events_of(acts)[-1] == "trut 4"


def test_answers_that_nobody_asked_for_are_dropped() -> None:
    _, acts = watched(HEADER, [phrase(1.0, "fold"), laid(2.0, "9h", 1, 1), phrase(4.0, "accept", answer=True)])
    assert events_of(acts) == ["deal", "play 1 9h"]
    assert refused(acts) == []


def test_a_brelan_after_the_first_card_is_recorded_as_too_late() -> None:
    cards = [laid(2.0 + 1.5 * i, c, i + 1, i + 1) for i, c in enumerate(["9h", "8s", "Kd", "Qc"])]
    _, acts = watched(HEADER, [*cards, phrase(9.0, "brelan")])
    assert [code for _, code in refused(acts)] == ["too-late"]


def test_a_card_under_an_open_challenge_is_an_infraction() -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0), laid(6.0, "8h", 2, 2)])
    assert refused(acts) == [("play 2 8h", "challenge-pending")]


def test_two_cards_in_order_under_an_open_challenge_mean_that_it_was_taken_unheard() -> None:
    game, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0), laid(6.0, "8h", 2, 2), laid(7.5, "Kh", 3, 3)])
    assert kinds(acts) == ["who", "taken"]
    assert events_of(acts)[-3:] == ["accept 1", "play 2 8h", "play 3 Kh"]
    assert game.stake == "long"


FORTIAL = dataclasses.replace(HEADER, score={"A": {"longs": 6, "petits": 2}, "B": {"longs": 0, "petits": 0}})


def test_at_fortial_the_team_decides_and_the_others_answer() -> None:
    words = [phrase(1.0, "fold", "pass"), phrase(4.0, "trut"), phrase(5.5, "accept")]
    _, acts = watched(FORTIAL, [*words, laid(7.0, "7h", 1, 1)])
    assert events_of(acts) == ["deal", "pass 1", "trut 3", "accept 2", "play 1 7h"]


def test_an_answer_at_fortial_tells_of_the_trut_that_nobody_heard() -> None:
    _, acts = watched(FORTIAL, [phrase(3.0, "accept"), laid(5.0, "7h", 1, 1)])
    assert events_of(acts) == ["deal", "trut 1", "accept 2", "play 1 7h"]


def test_two_cards_at_fortial_tell_of_the_words_that_nobody_heard() -> None:
    _, acts = watched(FORTIAL, [laid(5.0, "7h", 1, 1), laid(6.5, "8h", 2, 2)])
    final = [e for e in events_of(acts) if not e.startswith("undo")]
    assert final[-5:] == ["deal", "trut 1", "accept 2", "play 1 7h", "play 2 8h"]
    assert refused(acts) == []


def test_cards_swept_away_under_an_open_challenge_mean_that_all_folded_unheard() -> None:
    game, acts = watched(
        HEADER,
        [
            laid(2.0, "9h", 1, 1),
            knock(4.0),
            phrase(5.0, "fold"),
            CardsTaken(7.0, 7.3, (1,)),
            HandSeen(12.0, 12.0, 2),
        ],
    )
    assert kinds(acts) == ["who", "folded"]
    assert game.rounds[-1].row()["reason"] == "fold"


def test_several_who_may_are_asked_for_live_and_ruled_from_files() -> None:
    assert Interpreter(Game(HEADER), live=True)._by_rules((3, 4)) == (None, "microphone")
    assert Interpreter(Game(HEADER), live=False)._by_rules((3, 4)) == (3, "rules")
    assert Interpreter(Game(HEADER), live=True)._by_rules((3,)) == (3, "microphone")
    assert Interpreter(Game(HEADER), live=True)._by_rules((4, 1)) == (1, "microphone")


def test_undo_by_voice_takes_back_the_last_event() -> None:
    game, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), knock(4.0), phrase(6.0, "undo")])
    assert events_of(acts)[-1] == "undo"
    assert game.phase == "play"


def test_undo_with_nothing_to_undo_says_so() -> None:
    _, acts = watched(HEADER, [phrase(1.0, "undo")])
    assert kinds(acts, Notice) == ["nothing-to-undo"]


def test_the_score_and_the_turn_are_said_on_request() -> None:
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), phrase(4.0, "score"), phrase(5.0, "turn")])
    assert kinds(acts, Notice) == ["score", "turn"]


def test_a_misdeal_annuls_the_running_round() -> None:
    words = [phrase(4.0, "annul"), phrase(6.0, "yes", answer=True)]
    game, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), *words])
    assert events_of(acts)[-1] == "annul"
    assert kinds(acts) == ["sure"]
    assert game.next_dealer == 4


@pytest.mark.parametrize("word", ["undo", "annul", "brelan"])
def test_a_rare_word_half_heard_is_dropped(word: str) -> None:
    faint = dataclasses.replace(phrase(4.0, word), confidence=0.8)
    _, acts = watched(HEADER, [laid(2.0, "9h", 1, 1), faint])
    assert events_of(acts) == ["deal", "play 1 9h"]


# -- what may be said ----------------------------------------------------------------------------------------


def test_what_may_be_said_follows_the_game() -> None:
    game = Game(HEADER)
    interpreter = Interpreter(game)
    assert "trut" in interpreter.expected()
    assert "accept" not in interpreter.expected()
    for line in ("deal", "play 1 9h", "trut 2"):
        game.apply(parse_event(line))
    assert {"accept", "fold", "undo", "score"} <= interpreter.expected()
    assert "trut" not in interpreter.expected()


def test_an_answer_may_be_said_as_soon_as_a_call_is_in_the_queue() -> None:
    interpreter = Interpreter(Game(HEADER))
    interpreter.observe([knock(1.0)])
    assert "accept" in interpreter.expected()


def test_a_gatine_hold_that_nobody_heard_follows_from_the_card() -> None:
    header = Header(
        "trut-gatine",
        seats=2,
        dealer=2,
        score={"A": {"longs": 0, "petits": 2}, "B": {"longs": 0, "petits": 0}},
    )
    _, acts = watched(header, [dataclasses.replace(laid(2.0, "9h", 1, 1), quad=place_of(1, 2, 1))])
    assert events_of(acts) == ["deal", "hold 1", "play 1 9h"]


def test_events_are_in_order_even_if_the_card_is_known_after_the_knock() -> None:
    header, events = timed_events(ROUND.replace("trut 4 | t=4.00", "trut 4 | t=3.20"))
    script = [
        dataclasses.replace(o, decided=o.t + 0.9) if isinstance(o, CardLaid) and o.card == "9d" else o
        for o in Script(header, events, voices=True).build()
    ]
    _game, acts = watched(header, script)
    final: list[str] = []
    for text in events_of(acts):
        event = parse_event(text)
        if event.verb == "undo":
            del final[len(final) - int(event.args[0] if event.args else 1) :]
        else:
            final.append(text)
    assert final == as_text(events)


def test_an_event_reads_as_it_was_made() -> None:
    assert str(Event("play", 1, ("9h",))) == "play 1 9h"
