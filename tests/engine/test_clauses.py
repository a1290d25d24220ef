"""Every clause of RULES.md is named in the docstring of at least one test, or in a golden record."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine import GAMES, OPTIONS
from engine.refusals import SENTENCES

CLAUSE = re.compile(r"\b([CTGRLF])-(\d+)\b")
SPAN = re.compile(r"\b([CTGRLF])-(\d+) to \1-(\d+)\b")

RULES = Path(__file__).parents[2] / "docs" / "rulebook.md"


def named(text: str) -> set[str]:
    """The clauses that a text names; ``C-6 to C-9`` names all between."""
    found = {f"{letter}-{number}" for letter, number in CLAUSE.findall(text)}
    for letter, first, last in SPAN.findall(text):
        found |= {f"{letter}-{number}" for number in range(int(first), int(last) + 1)}
    return found


def named_by_tests() -> set[str]:
    """The clauses in the docstrings of the tests of this folder."""
    clauses: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                clauses |= named(ast.get_docstring(node) or "")
    return clauses


def test_every_clause_of_the_rules_has_a_test() -> None:
    """The clauses that stand in bold in the rulebook."""
    bold = re.findall(r"\*\*([CTGRLF]-\d+)\b", RULES.read_text(encoding="utf-8"))
    missing = set(bold) - named_by_tests() - UNTESTABLE
    assert not missing, sorted(missing)


UNTESTABLE = {"C-24"}
"""C-24 lists what leaves no event."""


def scenarios() -> str:
    """All scenarios: the golden records and the tests of this folder."""
    folder = Path(__file__).parent
    records = (folder.parent / "cases" / "records").rglob("*.trut")
    return "\n".join(path.read_text(encoding="utf-8") for path in (*folder.glob("test_*.py"), *records))


def test_every_error_code_occurs() -> None:
    """Each code of NOTATION.md section 7 is expected by some scenario."""
    expected = set(re.findall(r"expect error ([a-z-]+)", scenarios()))
    assert set(SENTENCES) - expected == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_every_option_occurs(game: str) -> None:
    """Each value of each option, besides its default, in a golden record of each game that knows it."""
    records = (Path(__file__).parents[1] / "cases" / "records" / game).glob("*.trut")
    text = "\n".join(path.read_text(encoding="utf-8") for path in records)
    used = set(re.findall(r"^option (\S+) (\S+)", text, re.MULTILINE))
    wanted = {
        (name, value)
        for name, option in OPTIONS.items()
        if game in option.defaults
        for value in option.values
        if value != option.defaults[game]
    }
    assert wanted - used == set()
