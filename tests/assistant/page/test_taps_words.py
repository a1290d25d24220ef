"""What the sheets of the page say and offer: every sentence is there, and calls and cards are those of the rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import Formatter

import pytest

from assistant.keywords import CALLS
from assistant.page.words.taps import WORDS
from engine import Game, Header
from engine.events import FORMS
from engine.header import SEATS
from engine.options import GAMES

STATIC = Path(__file__).parents[3] / "assistant" / "page" / "static" / "js"
SCRIPTS = {path.name: path.read_text() for path in [STATIC / "taps.js", *sorted((STATIC / "sheets").glob("*.js"))]}
ALL = "\n".join(SCRIPTS.values())
PLAIN = frozenset(re.findall(r'"(taps\.[a-z0-9.-]+)"', ALL))
MADE = frozenset(re.findall(r"`(taps\.[a-z.-]+?)\$\{", ALL))
"""How keys begin that end with a name."""
NO_CALLS = frozenset({"annul", "concede", "cut", "deal", "hand", "play", "set-score"})
SWITCHES = {"brelan": "on", "tierce": "on", "deux-petits": "on"}


def table(script: str, name: str) -> dict[str, object]:
    """A table of constants as a script has it."""
    text = re.search(rf"export const {name} = (\{{.*?\n\}});", SCRIPTS[script], re.DOTALL)
    assert text is not None
    body = text[1].replace("FAMILY", json.dumps(re.findall(r'"([\w-]+)"', family())))
    body = re.sub(r"(?m)^(\s*)(\w+):", r'\1"\2":', body)
    body = re.sub(r"([{,] )(\w+):", r'\1"\2":', body)
    return dict(json.loads(re.sub(r",(\s*[\]}])", r"\1", body)))


def family() -> str:
    found = re.search(r"const FAMILY = (\[.*?\]);", SCRIPTS["verbs.js"], re.DOTALL)
    assert found is not None
    return found[1]


def fields(text: str) -> set[str | None]:
    return {name for _, name, *_ in Formatter().parse(text)}


def game(name: str) -> Game:
    options = SWITCHES if name in ("trut", "trut-gatine", "trut-robin-red") else {}
    return Game(Header(name, options=options))


def test_every_sentence_that_is_asked_for_is_there() -> None:
    plural = {key for key in PLAIN if f"{key}.one" in WORDS}
    assert {key for key in PLAIN - plural if key not in WORDS} == set()
    assert {f"{key}.many" for key in plural} <= WORDS.keys()


def test_every_beginning_of_a_key_has_an_end() -> None:
    assert {start for start in MADE if not any(key.startswith(start) for key in WORDS)} == set()


def test_no_sentence_is_there_for_nobody() -> None:
    used = PLAIN | {f"{key}.{number}" for key in PLAIN for number in ("one", "many")}
    assert {key for key in WORDS if key not in used and not key.startswith(tuple(MADE))} == set()


def test_plurals_have_the_same_fields() -> None:
    for key, text in WORDS.items():
        if key.endswith(".one"):
            assert fields(text) == fields(WORDS[key.removesuffix(".one") + ".many"])


@pytest.mark.parametrize("name", GAMES)
def test_the_calls_are_those_of_the_game(name: str) -> None:
    shown = table("verbs.js", "VERBS")[name]
    assert isinstance(shown, list)
    assert {call.split(" ")[0] for call in shown} == game(name).table._words.keys() - NO_CALLS
    assert {call for call in CALLS[name].values() if call.split(" ")[0] in game(name).table._words} <= set(shown)
    assert all(f"taps.say.{call}" in WORDS or f"taps.say.{name}.{call}" in WORDS for call in shown)
    assert all(call.split(" ")[0] in FORMS for call in shown)


@pytest.mark.parametrize("name", GAMES)
def test_the_cards_are_those_of_the_pack(name: str) -> None:
    pack = game(name).table.PACK
    shown = table("picker.js", "PACKS")[pack.name]
    assert shown == {"suits": list(pack.suits) or [""], "ranks": list(pack.ranks), "copies": pack.copies}


def test_so_many_may_play() -> None:
    assert table("begin.js", "SEATS") == {name: list(counts) for name, counts in SEATS.items()}


def test_everybody_has_a_place() -> None:
    places = table("seats.js", "PLACES")
    assert {int(count): len(set(where)) for count, where in places.items()} == {2: 2, 4: 4, 6: 6}  # type: ignore[call-overload]
