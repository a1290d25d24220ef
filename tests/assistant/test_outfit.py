"""Eyes and ears for the game that a table begins with, and for another that is begun there later."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from assistant import wiring
from assistant.outfit import Outfit
from assistant.wiring import BadMedia
from engine import Header


def test_the_deck_and_the_table_are_used_where_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(wiring, "eyes_for", lambda deck, seats, table=None: made.append((deck, seats, table)))
    table: Any = SimpleNamespace(players=2)
    outfit = Outfit("trut", "bicycle", table)
    for header in (Header("trut", seats=2), Header("trut", seats=4), Header("truc-y-flou", seats=6)):
        outfit.eyes(header)
    assert made == [("bicycle", 2, table), ("bicycle", 4, None), ("spanish40", 6, None)]
    with pytest.raises(BadMedia):  # its deck must be taught first
        outfit.eyes(Header("trut-robin-red"))


def test_the_ears_know_the_names_of_those_who_play(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(wiring, "ears_for", lambda game, *taught: made.append((game, taught[-1])))
    Outfit("trut", None, None).ears(Header("truc", seats=2, names={1: "Marie"}))
    ((game, called),) = made
    assert (game, called[0]) == ("truc", "Marie")
    assert json.dumps(called)
