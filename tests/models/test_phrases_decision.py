"""The recipe of the decision: the everyday words, and what may be said when."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.bench.moments import moments
from audio.phrasebook import GAMES
from models.phrases.recipe.everyday import Neighbours, distance, write

TRUTE = ("t", "r", "y", "t")


@pytest.mark.parametrize(
    ("other", "apart"),
    [("t r y t", 0), ("t r y i t", 1), ("b r y t", 1), ("f l y t", 2), ("t y", 2), ("", 4)],
)
def test_distance_in_phones(other: str, apart: int) -> None:
    assert distance(tuple(other.split()), TRUTE) == apart


def test_neighbours_are_near_and_not_the_same() -> None:
    neighbours = Neighbours({TRUTE, ("r", "@", "p", "r", "A~")})
    assert neighbours.near(("t", "r", "y", "i", "t"))
    assert neighbours.near(("b", "r", "y", "t"))
    assert neighbours.near(("r", "@", "f", "r", "O~"))
    assert not neighbours.near(TRUTE)
    assert not neighbours.near(("f", "l", "y", "t"))


def test_words_that_sound_the_same_share_a_line(tmp_path: Path) -> None:
    out = tmp_path / "words.txt"
    write({"ver": 500, "vert": 700, "verre": 900, "trute": 400, "zzz1": 900}, out)
    lines = out.read_text(encoding="utf-8").splitlines()
    assert "verre\t2100\tv E r" in lines
    assert not any("zzz1" in line for line in lines)


@pytest.mark.parametrize("game", GAMES)
def test_a_trut_or_a_raise_may_be_said_in_its_moment(game: str) -> None:
    found = moments(game)
    opening = "trut" if game.startswith("trut") else "raise" if game == "truc" else "embit"
    assert opening in found
    assert all(verb in verbs for verb, verbs in found.items())
    assert "undo" in found
