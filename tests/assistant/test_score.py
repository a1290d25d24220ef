"""``trut score``: exit status, JSON and sentences (CLI.md)."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from assistant.cli import main

GOOD = "game trut\nseats 2\ndeal\ntrut 1\nfold 2\nexpect round A petit\n"


def record(folder: Path, text: str, name: str = "a.trut") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object on one line, with every field of CLI.md."""
    name = record(tmp_path, GOOD + "play 1 7h\nexpect error round-over\nexpect score A 1 0 B 0 0\n")
    assert main(["score", "--json", name]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == {
        "file": name,
        "game": "trut",
        "seats": 2,
        "score": {"A": {"longs": 0, "petits": 1}, "B": {"longs": 0, "petits": 0}},
        "winner": None,
        "turn": None,
        "dealer": 2,
        "awaiting": [],
        "rounds": [{"n": 1, "dealer": 2, "tricks": [], "winner": "A", "award": "petit", "reason": "fold"}],
        "refused": [
            {
                "line": 7,
                "code": "round-over",
                "message": "aucune manche n'est en cours : il faut d'abord donner",
                "expected": True,
            }
        ],
        "expectations": {
            "passed": 2,
            "failed": 1,
            "failures": [{"line": 9, "want": "score A 1 0 B 0 0", "got": "score A 0 1 B 0 0"}],
        },
    }


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (GOOD, 0),
        (GOOD + "expect winner A\n", 1),
        (GOOD + "play 1 7h\n", 1),
        (GOOD + "foo\n", 1),
        (GOOD + "deal", 1),
        ("game trut\nscore A 9 9 B 0 0\n", 2),
        ("deal\n", 2),
        ("", 2),
        (GOOD + "expect luck\n", 2),
    ],
)
def test_status(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, status: int) -> None:
    """0 all holds, 1 something does not, 2 no record at all: one line on stderr and nothing on stdout."""
    assert main(["score", record(tmp_path, text)]) == status
    out, err = capsys.readouterr()
    assert err.count("\n") == (status == 2)
    assert (out == "") == (status == 2)


def test_worst_status_of_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With several files the worst status counts, and the others are still scored."""
    good = record(tmp_path, GOOD, "good.trut")
    assert main(["score", "--json", str(tmp_path / "none"), good, str(tmp_path), good]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert len(err.splitlines()) == 2


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """``-`` reads standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert main(["score", "-"]) == 0
    assert "1 attente tenue" in capsys.readouterr().out


def test_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without ``--json`` sentences for people, in French."""
    main(["--lang", "fr", "score", record(tmp_path, GOOD + "expect turn 1\n")])
    out = capsys.readouterr().out
    assert "manche 1, donnée par la place 2 : aucun pli ; A gagne un petit" in out
    assert "ligne 7 : attendu « turn 1 », obtenu « turn none »" in out


@pytest.mark.parametrize(
    "line", ["game " + "x" * 100_000, "game tr\rut", "game tr\u2028ut", "game trut\0", "game \x1b[31m"]
)
def test_one_legible_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str) -> None:
    """Bad input is answered by one short line, whatever control characters it holds."""
    assert main(["score", record(tmp_path, line + "\n")]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert told.removesuffix("\n").isprintable()
    assert len(told) < 1000


@pytest.mark.parametrize(
    "line", ["seats 9", "option brelan maybe", "score A 9 9 B 0 0", "dealer 9", "dealer x", "version 2"]
)
def test_bad_headers_in_english(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str) -> None:
    """With ``--lang en`` no French is left in the sentence about a header."""
    file = record(tmp_path, f"game trut\n{line}\n")
    assert main(["--lang", "en", "score", file]) == 2
    english = capsys.readouterr().err.partition("line 2: ")[2]
    assert main(["--lang", "fr", "score", file]) == 2
    french = capsys.readouterr().err.partition("ligne 2 : ")[2]
    assert french
    assert english
    assert french != english
