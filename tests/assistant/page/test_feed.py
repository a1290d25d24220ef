"""The feed and the form of taps: nothing that comes from a network is believed, nothing is followed twice."""

from __future__ import annotations

import dataclasses
import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.page.feed import MOST_WAITING, Answer, Feed
from assistant.page.taps import (
    BadTap,
    BeginTap,
    DropTap,
    InsertTap,
    NamesTap,
    RenameTap,
    ReplyTap,
    ResultTap,
    SayTap,
    UndoTap,
    tap_of,
)
from engine import Event

GOOD = [
    ({"do": "rename", "event": "e17", "was": "7h", "card": "10s"}, RenameTap("e17", "7h", "10s")),
    ({"do": "drop", "event": "e1", "was": "play 2 7h"}, DropTap("e1", "play 2 7h")),
    ({"do": "insert", "before": None, "verb": "play", "seat": 2, "card": "8h"},
     InsertTap(None, Event("play", 2, ("8h",)))),
    ({"do": "say", "verb": "play", "seat": None, "args": ["7?"]}, SayTap(Event("play", None, ("7?",)))),
    ({"do": "say", "verb": "deal"}, SayTap(Event("deal"))),
    ({"do": "say", "verb": "raise", "seat": 1, "args": [10]}, SayTap(Event("raise", 1, ("10",)))),
    ({"do": "say", "verb": "set-score", "args": ["A", "1", "0", "B", "0", "2"]},
     SayTap(Event("set-score", None, ("A", "1", "0", "B", "0", "2")))),
    ({"do": "say", "verb": "result", "seat": None, "args": ["A", "petit"]}, ResultTap("A", "petit")),
    ({"do": "undo", "event": "e3"}, UndoTap("e3")),
    ({"do": "reply", "question": "q7", "answer": True}, ReplyTap("q7", True)),
    ({"do": "reply", "question": "q7", "answer": 3}, ReplyTap("q7", 3)),
    ({"do": "names", "names": {"2": "  Jean-Marc  D. ", "1": ""}}, NamesTap(((1, ""), (2, "Jean-Marc D.")))),
    ({"do": "begin", "after": 1, "rematch": True}, BeginTap(1, True)),
    ({"do": "begin", "after": 2, "game": "truc", "seats": 2, "dealer": 1, "options": {"target": "9"}, "names": {},
      "score": {"A": {"points": 2}, "B": {"points": 0}}, "kind": "points"},
     BeginTap(2, False, "truc", 2, 1, (("target", "9"),), (), (("A", (("points", 2),)), ("B", (("points", 0),))))),
]  # fmt: skip


@pytest.mark.parametrize(("message", "do"), GOOD)
def test_what_the_page_sends_is_read(message: dict[str, object], do: object) -> None:
    tap = tap_of({"type": "tap", "id": "a-1", "rev": 3, **message})
    assert (tap.id, tap.rev, tap.do) == ("a-1", 3, do)


BAD = [
    {"do": "rename", "event": "17", "was": "7h", "card": "8h"},
    {"do": "rename", "event": "e17", "was": "7h", "card": "8h # x"},
    {"do": "rename", "event": "e17", "was": "7h"},
    {"do": "rename", "event": "e17", "was": "7h", "card": "8h", "by": "camera"},
    {"do": "reseat", "event": "e1", "was": 1, "seat": True},
    {"do": "reseat", "event": "e1", "was": 1, "seat": 7},
    {"do": "say", "verb": "undo", "args": ["5"]},
    {"do": "say", "verb": "trut", "seat": 1, "args": ["x y"]},
    {"do": "say", "verb": "trut", "seat": 1, "args": ["x\ndeal"]},
    {"do": "say", "verb": "hack"},
    {"do": "say", "verb": "deal", "seat": 1, "args": ["4"]},
    {"do": "say", "verb": "result", "args": ["A", "0"]},
    {"do": "undo", "event": None},
    {"do": "reply", "question": "q7", "answer": 1.5},
    {"do": "reply", "question": "q7", "answer": None},
    {"do": "names", "names": {"7": "x"}},
    {"do": "names", "names": {"1": "x # y"}},
    {"do": "names", "names": {"1": "x" * 25}},
    {"do": "names", "names": {"1": "a\x07b"}},
    {"do": "begin", "after": 1, "game": "poker"},
    {"do": "begin", "after": 1, "options": {"target": "-1"}},
    {"do": "begin", "after": 1, "score": {"A": {"points": 1}}},
    {"do": ["undo"]},
    {"do": "fly"},
    {},
]


@pytest.mark.parametrize("message", BAD)
def test_what_nobody_can_have_tapped_is_refused(message: dict[str, object]) -> None:
    feed, answers = Feed(), list[Answer]()
    with pytest.raises(BadTap):
        tap_of({"id": "a", **message})
    feed.tap({"id": "a", **message}, "anne", answers.append)
    assert [(answer.ok, answer.code) for answer in answers] == [(False, "bad-tap")]
    assert feed.taken() == []


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["e1", "7h", "say", "A"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    [
        "do",
        "id",
        "rev",
        "event",
        "was",
        "card",
        "seat",
        "verb",
        "args",
        "before",
        "question",
        "answer",
        "names",
        "after",
    ]
)


@given(
    message=st.dictionaries(FIELDS, ANYTHING, max_size=8),
    do=st.sampled_from(["say", "rename", "names", "begin", "reply"]),
)
@settings(max_examples=200)
def test_any_message_is_read_or_refused(message: dict[str, object], do: str) -> None:
    for whole in (message, {"id": "a", **message, "do": do}):
        try:
            tap = tap_of(whole)
        except BadTap:
            continue
        assert isinstance(tap.id, str)
        said = getattr(tap.do, "said", None)
        if isinstance(said, Event):
            assert "\n" not in str(said)
            assert not set(str(said)) & set("#|")


def test_a_tap_sent_again_is_answered_again_and_followed_once() -> None:
    feed, answers = Feed(), list[Answer]()
    message = {"id": "a-1", "do": "redo"}
    feed.tap(message, "anne", answers.append)
    feed.tap(message, "anne", answers.append)  # the line was cut before the answer came
    (tapped,) = feed.taken()
    tapped.answer(Answer("a-1", True))
    feed.tap(message, "anne", answers.append)
    feed.tap(message, "jean", answers.append)  # another person's tap that happens to be called so
    assert [answer.ok for answer in answers] == [True, True, True]
    assert [one.who for one in feed.taken()] == ["jean"]


def test_a_closed_table_answers_everybody() -> None:
    feed, answers = Feed(), list[Answer]()
    feed.tap({"id": "a", "do": "redo"}, "anne", answers.append)
    feed.end()
    feed.tap({"id": "b", "do": "redo"}, "anne", answers.append)
    assert [(answer.id, answer.code) for answer in answers] == [("a", "ended"), ("b", "ended")]


def test_who_taps_like_a_machine_is_told_to_wait() -> None:
    feed, answers = Feed(), list[Answer]()
    for n in range(MOST_WAITING + 1):
        feed.tap({"id": f"a{n}", "do": "redo"}, "anne", answers.append)
    assert [(answer.id, answer.code) for answer in answers] == [(f"a{MOST_WAITING}", "busy")]
    assert len(feed.taken()) == MOST_WAITING


def test_watchers_are_woken_from_the_thread_that_publishes() -> None:
    feed = Feed()
    woken: list[tuple[int, int]] = []
    stop = feed.listen(lambda: woken.append((threading.get_ident(), feed.state().rev)))
    publisher = threading.Thread(target=feed.publish, args=({"type": "state"},))
    publisher.start()
    publisher.join()
    assert woken == [(publisher.ident, 1)]
    assert json.loads(feed.state().text) == {"type": "state", "rev": 1}
    stop()
    feed.publish({"type": "state"})
    assert len(woken) == 1


def test_an_answer_is_a_message() -> None:
    answer = Answer("a", False, "changed", {"fr": "é", "en": "e"}, {"by": "page"})
    row = {"type": "answer", "id": "a", "ok": False, "code": "changed", "text": {"fr": "é", "en": "e"}, "by": "page"}
    assert json.loads(answer.text) == row
    assert json.loads(dataclasses.replace(answer, code="").text)["code"] is None
