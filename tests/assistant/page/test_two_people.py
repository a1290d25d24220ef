"""Two people who tap at once: whatever they do, no change is lost unsaid, and none is made that nobody meant."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.page.clerk import Clerk
from assistant.page.feed import Answer, Feed
from assistant.session import Referee
from assistant.testing import place_of
from engine import Event, Game, Header, Record, replay
from vision.events import CardLaid

CARDS = st.sampled_from(["7h", "7d", "8s", "9c", "Jd", "Qs", "Kc", "As", "10h", "Kh", "8d", "9s"])
WHO = st.sampled_from(["anne", "jean"])
PICK = st.integers(0, 5)
DO = st.sampled_from([*("say", "seen", "rename") * 3, "reseat", "drop", "insert", "undo", "redo", "trut", "accept"])
STEP = st.tuples(WHO, DO, PICK, CARDS, st.booleans(), st.booleans())
State = Mapping[str, Any]


class Pad:
    """A score pad with a page, and two people who look at it, each at what he saw last."""

    def __init__(self) -> None:
        self.feed = Feed()
        self.referee = Referee(Game(Header("trut", seats=2, dealer=2)), live=True, page=Clerk(self.feed))
        self.clock = 0.0
        self.logs: dict[int, tuple[Event, ...]] = {1: ()}
        self.seen: dict[str, State] = {}
        self.answers: list[Answer] = []
        for who in ("anne", "jean"):
            self.look(who)
        self.sent = 0
        self.after: tuple[Event, ...] = ()

    @property
    def log(self) -> tuple[Event, ...]:
        return self.referee.game.log

    def look(self, who: str) -> None:
        """Somebody sees the newest state."""
        self.seen[who] = json.loads(self.feed.state().text)

    def lay(self, card: str, pick: int) -> None:
        """The camera sees a card, mostly of whoever's turn it is."""
        turn = self.referee.game.turn or 1
        seat = turn if pick else 3 - turn
        self.clock += 6.0
        self.sent += 1
        quad = place_of(seat, 2, 9 * self.sent)
        p = 0.7 + pick / 20
        guesses = ((card, p), ("Jh", 1 - p))
        self.referee.observe([CardLaid(self.clock, self.clock, self.sent, card, p, seat, quad, seat, guesses)])
        for _ in range(4):
            self.clock += 0.5
            self.referee.advance(self.clock)
        self.logs[self.feed.state().rev] = self.log

    def tap(self, who: str, message: Mapping[str, object], name: str | None = None) -> Answer:
        """Somebody taps, seeing what he saw last; what came of it."""
        self.sent += 1
        tap = {"id": name or f"{who}-{self.sent}", "rev": self.seen[who]["rev"], **message}
        self.feed.tap(tap, who, self.answers.append)
        count = len(self.answers)
        for tapped in self.feed.taken():
            self.clock += 0.5
            self.referee.order(dataclasses.replace(tapped, t=self.clock, decided=self.clock))
        self.after = self.log
        self.clock += 0.5
        self.referee.advance(self.clock)
        self.logs[self.feed.state().rev] = self.log
        assert len(self.answers) in (count, count + 1)
        return self.answers[-1]


def message_of(state: State, do: str, pick: int, card: str) -> Mapping[str, object] | None:
    """What somebody who sees this state taps."""
    cards = [*(card for trick in state["round_cards"] for card in trick), *state["trick"]]
    events = [*cards, *state["calls"]]
    turn = state["turn"]
    match do:
        case "say":
            seat = {} if turn is None else {"seat": turn}
            return {"do": "say", "verb": "play", "card": card, **seat}
        case "trut" | "accept":
            return {"do": "say", "verb": do, "seat": pick % 2 + 1}
        case "rename" if cards:
            one = cards[pick % len(cards)]
            return {"do": "rename", "event": one["event"], "was": one["card"], "card": card}
        case "reseat" if events:
            one = events[pick % len(events)]
            return {"do": "reseat", "event": one["event"], "was": one["seat"], "seat": 3 - one["seat"]}
        case "drop" if events:
            one = events[pick % len(events)]
            return {"do": "drop", "event": one["event"], "was": one["was"]}
        case "insert":
            before = events[pick % len(events)]["event"] if events and pick else None
            return {"do": "insert", "before": before, "verb": "play", "seat": pick % 2 + 1, "card": card}
        case "undo" if state["last_event"]:
            return {"do": "undo", "event": state["last_event"]}
        case "redo":
            return {"do": "redo"}
    return None


@given(steps=st.lists(STEP, max_size=30))
@settings(max_examples=80, deadline=None)
def test_no_change_is_lost_and_none_is_made_that_nobody_meant(
    steps: list[tuple[str, str, int, str, bool, bool]],
) -> None:
    pad = Pad()
    for who, do, pick, card, looks, again in steps:
        shown = pad.seen[who]
        if do == "seen":
            pad.lay(card, pick)
            continue
        message = message_of(shown, do, pick, card)
        if message is None:
            continue
        before, names = pad.log, named(pad)
        answer = pad.tap(who, message)
        if not answer.ok:
            assert answer.code
            assert answer.said is not None
            assert answer.said["fr"]
            assert answer.said["en"]
            assert pad.after == before
        else:
            meant(message, shown, pad, before, names, answer)
        if again:  # the line was cut and the tap comes again
            before = pad.log
            assert pad.tap(who, message, answer.id) == answer
            assert pad.after == before
        if looks:
            pad.look("anne")
            pad.look("jean")
    text, _path = pad.referee.record()
    result = replay(Record.parse(text))
    assert result.holds
    assert result.game.log == pad.log
    assert "by=page" in text or "by=camera" in text or not pad.log


def named(pad: Pad) -> dict[str, Event]:
    """The events by their names, as they are now."""
    ids = pad.referee.page._ids  # type: ignore[union-attr]
    return {ids[at].id: ids[at].event for at in range(len(ids))}


def meant(
    message: Mapping[str, Any],
    shown: State,
    pad: Pad,
    before: tuple[Event, ...],
    names: Mapping[str, Event],
    answer: Answer,
) -> None:
    """What was followed is what whoever tapped saw and meant; all else stands, or it is said that it does not."""
    now = named(pad)
    allowed: set[str] = set()
    match message["do"]:
        case "rename":
            assert names[message["event"]].args == (message["was"],)
            assert now[message["event"]].args == (message["card"],) or lost_by_rules(answer)
            allowed = {message["event"]}
        case "reseat":
            assert names[message["event"]].seat == message["was"]
            allowed = {message["event"]}
        case "drop":
            assert str(names[message["event"]]) == message["was"]
            assert message["event"] not in now
            allowed = {message["event"]}
        case "undo" | "redo":
            assert before == pad.logs[shown["rev"]]
            return
        case "say" if message["verb"] == "play":
            assert now[str(answer.fields["event"])].args == (message["card"],)
    gone = {name for name, event in names.items() if now.get(name) != event} - allowed
    assert all(name not in now or reread(pad, name) for name in gone)  # no other move has become another one
    moved = {name for name in gone if names[name].verb != "deal"}
    assert not moved or lost_by_rules(answer) or message["do"] != "say"


def reread(pad: Pad, name: str) -> bool:
    """Whether it is a card that the eyes did not read beyond doubt: with another card out it may be another one."""
    ids = pad.referee.page._ids  # type: ignore[union-attr]
    return ids[ids.place(name)].by == "camera"


def lost_by_rules(answer: Answer) -> bool:
    """Whether it was said that moves are no longer allowed."""
    return answer.said is not None and "permis" in answer.said["fr"]
