"""Rulings and the rulebook."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import engine
from engine import OPTIONS, Accepted, Event, Game, Header, Record, Refusal, parse_event, replay
from engine.explain import ruling
from engine.options import options_of
from engine.refusals import SENTENCES
from engine.rulebook import clause, clauses, numbers

AnyEvent = Callable[[random.Random, Game], Event]

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(engine.__path__, "engine.")
    if not module.name.endswith("main")
)


@pytest.mark.parametrize("name", ["engine", *MODULES])
def test_examples_in_docstrings(name: str) -> None:
    """The executable examples of every module of the engine."""
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_rotten_trick() -> None:
    """C-12: how many of which rank, in both languages, with the clause."""
    game = Game(Header("trut"))
    for line in ("deal", "play 1 7s", "play 2 7h", "play 3 7d", "play 4 7c"):
        answer = game.apply(parse_event(line))
    assert isinstance(answer, Accepted)
    ruling = game.explain(answer.outcomes[0])
    assert str(ruling) == "pli pourri : deux sept de chaque camp, clause C-12"
    assert ruling.text("en") == "rotten trick: two sevens on each side, clause C-12"
    assert ruling.clause.french.startswith("Si les deux équipes ont posé")


@pytest.mark.parametrize(("cards", "sentence"), [
    ("Qs Qh 9s 9h", "pli pourri : une dame de chaque camp, clause C-12"),
    ("As Ah 9s 9h", "pli pourri : un as de chaque camp, clause C-12"),
    ("Ks Kh Kd 9h", "pli pourri : trois rois à égalité dans les deux camps, clause C-12"),
])  # fmt: skip
def test_rotten_tricks_in_french(cards: str, sentence: str) -> None:
    """C-12: gender and number."""
    game = Game(Header("trut"))
    game.apply(Event("deal"))
    for seat, card in enumerate(cards.split(), 1):
        answer = game.apply(Event("play", seat, (card,)))
    assert isinstance(answer, Accepted)
    assert str(game.explain(answer.outcomes[0])) == sentence


def test_an_event_is_judged_and_not_played() -> None:
    """explain: the state stays as it was."""
    game = Game(Header("trut"))
    game.apply(Event("deal"))
    before = game.state()
    assert game.explain(Event("trut", 1)).clause.number == "T-22"
    assert game.explain(Event("play", 1, ("7s",))).text("en") == "play 1 7s is allowed, clause C-4"
    assert game.explain(Event("play", 2, ("7s",))).clause.number == "C-8"
    assert game.state() == before


def test_everything_can_be_explained(ruleset: str, records: Path, any_event: AnyEvent) -> None:
    """explain: every outcome and refusal of the golden records and of random games, in both languages."""
    games = []
    for path in sorted((records / ruleset).glob("*.trut")):
        record = Record.load(path)
        games.append((Game(record.header), list(record.events())))
    rng = random.Random(1)
    for game, events in games:
        for event in [*events, *(any_event(rng, game) for _ in range(20))]:
            answer = game.apply(event)
            for what in answer.outcomes if isinstance(answer, Accepted) else (answer,):
                ruling = game.explain(what)
                assert ruling.french
                assert ruling.english
                assert ruling.sources
                assert (
                    "{" not in ruling.french + ruling.english + ruling.clause.french + ruling.clause.english
                )


def test_the_rulebook_has_every_clause(ruleset: str) -> None:
    """The clauses of docs/rulebook.md are those of the rulebook, each in both languages, and filled in."""
    text = (Path(__file__).parents[2] / "docs" / "rulebook.md").read_text(encoding="utf-8")
    bold = set(re.findall(r"\*\*([CTGRLF]-\d+)\b", text))
    header = Header(ruleset)
    assert bold == {clause(number, header).number for number in bold}
    for one in clauses(header):
        assert one.french != one.english
        assert "{" not in one.french + one.english


def test_options_are_told_by_a_clause(ruleset: str) -> None:
    """Each house rule that a game knows has a clause that holds in it and names its value."""
    header = Header(ruleset)
    texts = " ".join(one.french for one in clauses(header))
    for name in options_of(ruleset):
        assert set(OPTIONS[name].clauses) & set(numbers(ruleset)), name
        if name not in ("target", "ace-points"):
            assert f"{name} :" in texts or f"{name} (" in texts, name


def test_clauses_follow_the_house_rules() -> None:
    """The rulebook tells the house rules in force."""
    house = Header("trut-gatine", options={"ten": "low", "target": "5"})
    assert "8, 7, A, K, Q, J, 10, 9" in clause("G-4", house).french
    assert "5 truts" in clause("G-60", house).english


def test_clauses_cited_in_the_code_exist() -> None:
    """Every clause that a module of the engine cites is in the rulebook."""
    text = (Path(engine.__file__).parent / "rulebook" / "clauses.txt").read_text(encoding="utf-8")
    known = set(re.findall(r"^([CTGRLF]-\d+)", text, re.MULTILINE))
    for path in Path(engine.__file__).parent.rglob("*.py"):
        cited = set(re.findall(r"\b([CTGRLF]-\d+)\b", path.read_text(encoding="utf-8")))
        assert cited <= known, (path, cited - known)


def test_every_refusal_has_a_sentence() -> None:
    """The sentences have no fields but those that a refusal fills in."""
    allowed = {"event", "verb", "seat", "expected", "card"}
    for sentence in SENTENCES.values():
        assert set(re.findall(r"{(\w+)}", sentence)) <= allowed


def test_every_refusal_is_worded_in_english() -> None:
    """The ruling on a refusal has a sentence of its own in both languages, with the same fields."""
    table = Game(Header("trut")).table
    for code in SENTENCES:
        fields = {"event": "EVENT", "verb": "VERB", "seat": "SEAT", "expected": "EXPECTED", "card": "CARD"}
        told = ruling(table, Refusal(code, fields))
        assert code not in told.english
        assert told.english != told.french


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (("game trut-gatine", "score A 0 2 B 0 2", "deal", "sing 1"), "G-45"),
        (("game trut-gatine", "score A 0 2 B 0 0", "deal", "hold 1"), "G-40"),
        (("game truc-y-flou", "deal", "embit 1"), "F-21"),
        (("game truc-y-flou", "deal", "embit 1", "play 1 4e", "raise 2 10"), "F-25"),
        (("game truc-y-flou", "deal", "trucrest 1"), "F-30"),
        (("game truc", "deal", "rest 1"), "L-25"),
        (("game trut", "option tierce on", "deal", "tierce 1"), "G-21"),
        (("game trut-robin-red", "option brelan on", "deal", "brelan 1"), "T-29"),
        (("game truc-y-flou", "deal", "flor 1"), "F-40"),
    ],
)
def test_words_have_their_clause(lines: tuple[str, ...], number: str) -> None:
    """A word is explained by the clause that it is about."""
    record = Record.parse("\n".join(lines[:-1]) + "\n")
    game = replay(record).game
    assert game.explain(parse_event(lines[-1])).clause.number == number
