"""The same told by key, by voice and on the page: the same events, the same rulings in the same words."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from assistant.acts import Act
from assistant.announcer import Announcement
from assistant.holding import Observation
from assistant.keyboard import BY
from assistant.orders import Say, Typed
from assistant.page.clerk import Clerk
from assistant.page.feed import Answer, Feed
from assistant.session import Referee
from audio.events import Phrase
from audio.health import Trouble
from engine import Game, Header, Record, parse_event, replay

GAME = "deal, play 1 As, play 2 Ah, play 2 8d"
State = Mapping[str, Any]
Tap = Callable[[State], Mapping[str, object]]


class Table:
    """A score pad at which something has been told, and all that it says from then on."""

    def __init__(self, told: str = GAME) -> None:
        self.feed = Feed()
        self.said: list[str] = []
        header = Header("trut", seats=2, dealer=2, names={1: "Marie", 2: "Jean"})
        self.referee = Referee(Game(header), viewer=self, live=True, page=Clerk(self.feed))
        self.referee.has(camera=False, microphone=False)
        self.t = 0.0
        for line in told.split(", "):
            self.t += 6.0
            self.referee.order(Say(self.t, self.t, "keyboard", parse_event(line)))
            self.referee.advance(self.t)
        self.said.clear()

    def typed(self, line: str) -> None:
        self.t += 2.0
        self.referee.order(Typed(self.t, self.t, BY, line))
        self.over()

    def spoken(self, phrase: str, text: str) -> None:
        self.t += 2.0
        self.referee.observe([Phrase(self.t, self.t, phrase, (phrase,), False, text, 0.97)])
        self.over()

    def tapped(self, tap: Tap) -> Answer:
        self.t += 2.0
        answers: list[Answer] = []
        state = json.loads(self.feed.state().text)
        self.feed.tap({"id": "t", "rev": state["rev"], **tap(state)}, "anne", answers.append)
        for one in self.feed.taken():
            self.referee.order(dataclasses.replace(one, t=self.t, decided=self.t))
        self.over()
        return answers[0]

    def over(self) -> None:
        for _ in range(4):
            self.t += 1.0
            self.referee.advance(self.t)

    @property
    def events(self) -> list[str]:
        """Every item of the record, without when and by whom."""
        text, _path = self.referee.record()
        assert replay(Record.parse(text)).holds
        return [line.split(" | ")[0] for line in text.splitlines()]

    def observed(self, observation: Observation | Trouble) -> None: ...

    def acted(self, act: Act) -> None: ...

    def announced(self, announcement: Announcement) -> None:
        assert announcement.both is not None
        assert announcement.both["fr"] == announcement.text
        assert announcement.both["en"]
        self.said.append(announcement.text)


def last_card(state: State) -> Mapping[str, Any]:
    cards = [*(card for trick in state["round_cards"] for card in trick), *state["trick"]]
    return cards[-1]


def renamed(card: str) -> Tap:
    return lambda state: {
        "do": "rename",
        "event": last_card(state)["event"],
        "was": last_card(state)["card"],
        "card": card,
    }


CORRECTIONS: dict[str, tuple[str, tuple[str, str], Tap]] = {
    "another card": ("=7p", ("7s", "non, le sept de pique"), renamed("7s")),
    "a card that is out": ("=ap", ("As", "non, l'as de pique"), renamed("As")),
    "the last move back": ("u", ("undo", "annule"), lambda state: {"do": "undo", "event": state["last_event"]}),
    "the score": ("s", ("score", "le score"), lambda state: {"do": "score"}),
    "a trut": ("t", ("trut", "je trute"), lambda state: {"do": "say", "verb": "trut", "seat": state["turn"]}),
    "a card": ("vt", ("Jc", "le valet de trèfle"), lambda state: {"do": "say", "verb": "play", "card": "Jc"}),
}


@pytest.mark.parametrize("what", CORRECTIONS)
def test_key_voice_and_page_come_to_the_same(what: str) -> None:
    line, (phrase, text), tap = CORRECTIONS[what]
    by_key, by_voice, by_tap = Table(), Table(), Table()
    by_key.typed(line)
    by_voice.spoken(phrase, text)
    by_tap.tapped(tap)
    assert by_key.events == by_voice.events == by_tap.events
    assert by_key.said == by_voice.said == by_tap.said
    assert by_key.said or what == "a card"
    assert by_key.referee.game == by_voice.referee.game == by_tap.referee.game


REFUSED: dict[str, tuple[str, Tap, str]] = {
    "out of turn": ("2 rt", lambda state: {"do": "say", "verb": "play", "seat": 2, "card": "Kc"}, "out-of-turn"),
    "twice": ("1 ap", lambda state: {"do": "say", "verb": "play", "seat": 1, "card": "As"}, "duplicate-card"),
    "no challenge": ("v2", lambda state: {"do": "say", "verb": "accept", "seat": 2}, "no-challenge"),
    "a round runs": ("d", lambda state: {"do": "say", "verb": "deal"}, "round-running"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_rules_refuse_is_refused_on_the_page_too(what: str) -> None:
    line, tap, code = REFUSED[what]
    by_key, by_tap = Table(), Table()
    by_key.typed(line)
    answer = by_tap.tapped(tap)
    assert by_key.events == by_tap.events
    assert by_key.said == by_tap.said
    assert (answer.ok, answer.code) == (False, code)
    assert answer.said is not None
    assert "(règle " in answer.said["fr"]
    assert "(rule " in answer.said["en"]
