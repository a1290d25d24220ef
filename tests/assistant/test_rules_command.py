"""``trut rules GAME [CLAUSE]``."""

from __future__ import annotations

import pytest

from assistant.cli import main
from engine import GAMES
from engine.rulebook import numbers


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_whole_rulebook(game: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every clause and every option, in both languages."""
    assert main(["--lang", language, "rules", game]) == 0
    out = capsys.readouterr().out
    assert all(f"{number} " in out for number in numbers(game))
    assert "target" in out


def test_one_clause(capsys: pytest.CaptureFixture[str]) -> None:
    """A clause with its source and its options; small letters do."""
    assert main(["--lang", "fr", "rules", "trut", "t-24"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("T-24 Seuls les adversaires répondent")
    assert "individual | team" in out
    assert "Source" in out


def test_one_option(capsys: pytest.CaptureFixture[str]) -> None:
    """An option with the clauses it belongs to."""
    assert main(["--lang", "en", "rules", "trut-gatine", "ten"]) == 0
    assert "high | low" in capsys.readouterr().out


def test_unknown_clause(capsys: pytest.CaptureFixture[str]) -> None:
    """A clause of another game: one line, exit 2."""
    assert main(["rules", "truc", "T-24"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
