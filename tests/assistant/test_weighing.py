"""Weighing what was seen against what can be; order; hands."""

from __future__ import annotations

import pytest

from assistant.hands import Hands
from assistant.holding import HoldingQueue
from assistant.weighing import Reading, weigh_card
from assistant.whose import Layer, who_laid
from audio.events import Knock
from vision.events import HandGone, HandSeen


@pytest.mark.parametrize(
    ("turn", "zone", "hand", "expected"),
    [
        (1, 1, 1, Layer(1)),
        (1, None, None, Layer(1)),
        (1, 3, 1, Layer(1)),
        (1, 1, 3, Layer(1)),
        (1, 3, 3, Layer(3)),
        (1, 3, None, Layer(1, clear=False)),
        (1, None, 3, Layer(1, clear=False)),
        (1, 2, 3, Layer(1, clear=False)),
        (None, 2, 2, Layer(2)),
        (None, None, None, Layer(None, clear=False)),
    ],
)
def test_who_laid(turn: int | None, zone: int | None, hand: int | None, expected: Layer) -> None:
    assert who_laid(turn, zone, hand) == expected


def anything(card: str) -> bool:
    return True


def test_suits_of_one_rank_add_up() -> None:
    reading = weigh_card("10s", 0.45, (("10s", 0.45), ("10c", 0.44), ("9s", 0.1)), anything)
    assert reading == Reading("10s", pytest.approx(0.89))


def test_a_rank_of_two_halves_beats_a_likelier_single_card() -> None:
    assert weigh_card("Kd", 0.4, (("Kd", 0.4), ("Qs", 0.3), ("Qc", 0.25)), anything).card in ("Qs", "Q?")


def test_what_is_out_is_left_out() -> None:
    reading = weigh_card("Kd", 0.93, (("Kd", 0.93), ("Qd", 0.05)), lambda c: c != "Kd")
    assert reading.card == "Qd"
    assert reading.p == pytest.approx(0.05 / 0.06)


def test_without_a_second_guess_the_rank_stays_and_the_suit_is_open() -> None:
    assert weigh_card("Kd", 0.97, (("Kd", 0.97),), lambda c: c != "Kd") == Reading("K?", 0.97, "Kd")


def test_a_rank_all_of_which_is_out_is_given_as_seen() -> None:
    assert weigh_card("Kd", 0.97, (("Kd", 0.97),), lambda c: not c.startswith("K")) == Reading(
        "Kd", 0.97, "Kd"
    )


def test_numbered_cards_have_no_suit() -> None:
    assert weigh_card("5", 0.9, (("5", 0.9), ("6", 0.1)), anything) == Reading("5", 0.9)


def test_nothing_read_is_nothing() -> None:
    assert weigh_card(None, 0.0, (), anything) == Reading(None, 0.0)


def knock(t: float, decided: float) -> Knock:
    return Knock(t, decided, 0.9, 1, 1)


def test_what_happened_first_comes_out_first_even_if_known_later() -> None:
    queue = HoldingQueue(0.5)
    queue.put([knock(2.0, 2.1), knock(1.8, 2.2)])
    assert queue.due(2.25, 1.7) is None
    first, second = queue.due(2.6, 2.1), queue.due(2.6, 2.1)
    assert first is not None
    assert second is not None
    assert (first[0].t, second[0].t) == (1.8, 2.0)
    assert first[1] == pytest.approx(2.3)


def test_nothing_is_held_longer_than_needed() -> None:
    queue = HoldingQueue(0.5)
    queue.put([knock(2.0, 2.1)])
    assert queue.due(2.2, 2.0) is not None


def test_hands_over_the_table() -> None:
    hands = Hands()
    hands.accept(HandSeen(1.0, 1.1, 2))
    hands.accept(HandSeen(1.5, 1.6, 4))
    hands.accept(HandGone(2.0, 2.1, 2))
    assert hands.at(1.7) == (4, 2)
    assert hands.at(2.3) == (4,)
    assert hands.gone_after(1.7) is None
    hands.accept(HandGone(3.0, 3.1, 4))
    assert hands.at(3.3) == (4,)
    assert hands.at(4.0) == ()
    assert hands.gone_after(1.7) == 3.0
    assert hands.visits(0.0, 3.5) == [(4, 1.5, 3.0), (2, 1.0, 2.0)]
