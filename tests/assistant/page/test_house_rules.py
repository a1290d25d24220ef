"""House rules: every option of every game, with words, its sentence and where that is from."""

from __future__ import annotations

import pytest

from assistant.page.house_rules import clause_of, rules
from engine import GAMES, OPTIONS
from engine.options import options_of


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_words_its_sentence_and_its_source(game: str) -> None:
    row = next(row for row in rules() if row["name"] == game)
    options = row["options"]
    assert isinstance(options, list)
    assert [rule["name"] for rule in options] == list(options_of(game))
    for rule in options:
        assert rule["title"]["fr"]
        assert rule["title"]["en"]
        assert rule["sentence"]["fr"].endswith((".", "…"))
        assert rule["sentence"]["en"].endswith(".")
        assert "option" not in rule["sentence"]["fr"] + rule["sentence"]["en"]
        assert rule["source"]
        assert rule["clause"]
        values = [value["value"] for value in rule["values"] or ()]
        assert tuple(values) == OPTIONS[rule["name"]].values
        assert (rule["number"] is None) == bool(values)
        assert all(value["text"]["fr"] and value["text"]["en"] for value in rule["values"] or ())


def test_a_table_s_own_rules_are_shown() -> None:
    rows = rules({"trut": {"fortial": "off"}})
    values = {rule["name"]: rule["value"] for rule in rows[0]["options"]}  # type: ignore[attr-defined]
    assert values["fortial"] == "off"
    assert values["brelan"] == "on"


def test_the_game_s_own_clause_comes_before_the_common_one() -> None:
    assert clause_of("trut", "rotten-lead").number == "T-11"
    assert clause_of("trut-robin-red", "answer").number == "R-23"
    assert clause_of("truc-y-flou", "partner-lead").number == "C-13"
