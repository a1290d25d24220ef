"""Simulated players answer the assistant's questions truthfully, a moment later."""

from __future__ import annotations

import pytest

from assistant.acts import Question
from assistant.simulation.answering import ANSWERS, Tablemates, events_of

RECORD = """game trut
deal | t=1.00 by=camera
play 1 7h | t=2.60 by=camera
trut 3 | t=4.00 by=microphone
play 2 8h | t=5.00 by=camera
expect error challenge-pending
fold 2 | t=7.00 by=microphone
"""


@pytest.mark.parametrize(
    ("kind", "t", "fields", "answer"),
    [
        ("who", 4.1, {"verb": "trut"}, 3),
        ("which-card", 2.5, {"seat": 1}, "7h"),
        ("which-card", 3.9, {"seat": 1}, "7h"),
        ("which-card", 3.9, {"seat": 2}, "8h"),
        ("which-card", 3.9, {"seat": 3}, None),
        ("whose-card", 5.2, {"card": "8h"}, 2),
        ("sure", 7.0, {"meaning": "fold"}, True),
        ("sure", 7.0, {"meaning": "brelan"}, False),
        ("who", 9.0, {"verb": "trut"}, None),
        ("taken", 7.0, {"seat": 2}, None),
    ],
)
def test_the_answer_is_the_truth(kind: str, t: float, fields: dict[str, object], answer: object) -> None:
    assert Tablemates(events_of(RECORD)).answer(Question(t, t + 0.4, kind, fields)) == answer


def test_an_answer_takes_a_moment_and_is_given_once() -> None:
    players = Tablemates(events_of(RECORD))
    players.asked(Question(4.0, 4.4, "who", {"verb": "trut"}))
    assert not players.replies(4.4 + ANSWERS - 0.1)
    (reply,) = players.replies(4.4 + ANSWERS)
    assert (reply.answer, reply.by, reply.t) == (3, "voice", 4.4 + ANSWERS)
    assert not players.replies(99.0)
