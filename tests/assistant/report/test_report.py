"""``trut report``: in the terminal and as one HTML file, in two languages, of any record."""

from __future__ import annotations

import doctest
import importlib
import io
import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records_to_tell import RECORDS, TABLES, random_record

from assistant.cli import main
from assistant.commands.score import score_sentence
from assistant.report.faces import name_of
from assistant.report.markup import tag
from assistant.report.page import page
from assistant.report.reading import MOST_BYTES
from assistant.report.story import story_of
from assistant.report.text import lines
from engine import Record, RecordError, replay

VOID = {"meta", "br", "hr"}
GAME = "game trut\nseats 2\nname 1 Zoé\nname 2 Léo\ndeal\nplay 1 7h\nplay 2 8h\ntrut 2\nfold 1\n"


class Parsed(HTMLParser):
    """The elements of a page; fails where they are not closed as they were opened."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((name, {key: value or "" for key, value in attributes}))
        if name not in VOID:
            self.open.append(name)

    def handle_startendtag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((name, {key: value or "" for key, value in attributes}))

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    def having(self, key: str) -> list[str]:
        return [attributes[key] for _name, attributes in self.elements if key in attributes]


def checked(html: str, record: Record) -> Parsed:
    """The page is whole, loads nothing, runs nothing, and draws every card that was played once."""
    parsed = Parsed(html)
    names = {name for name, _attributes in parsed.elements}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    assert all(href.startswith("#") for href in (*parsed.having("href"), *parsed.having("xlink:href")))
    assert not parsed.having("src")
    assert not parsed.having("style")
    assert "url(" not in html
    assert "http:" not in html
    assert "https:" not in html
    assert not [key for _name, attributes in parsed.elements for key in attributes if key.startswith("on")]
    ids = parsed.having("id")
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in parsed.having("href")} <= set(ids)
    game = replay(record).game
    drawn = Counter(href for href in parsed.having("href") if href.startswith("#c-"))
    assert drawn == Counter(f"#{name_of(event.args[0])}" for event in game.log if event.verb == "play")
    return parsed


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_record(path: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As text and as a page, in both languages; the score is that of ``trut score``."""
    record = Record.load(path)
    result = replay(record)
    for language in ("fr", "en"):
        checked(page(story_of(record), language), record)
    status = main(["score", str(path)])
    assert score_sentence(result.game) in capsys.readouterr().out
    assert main(["report", str(path)]) == status
    out, err = capsys.readouterr()
    assert err == ""
    final = next(line for line in out.splitlines() if line.startswith("Marque finale"))
    numbers = [str(number) for part in result.game.score.values() for number in part.values()]
    names = set(re.findall(r"\d+", " ".join(record.header.names.values())))
    assert [number for number in re.findall(r"\d+", final) if number not in names] == numbers or names


@given(st.sampled_from(TABLES), st.integers(0, 10_000))
@settings(max_examples=25)
def test_any_game(table: tuple[str, int], seed: int) -> None:
    record = random_record(*table, seed)
    parsed = checked(page(story_of(record), "en"), record)
    assert sum(name == "section" and attributes.get("class") == "round" for name, attributes in parsed.elements) == len(
        story_of(record).rounds
    )
    assert list(lines(story_of(record)))


HOSTILE = ("<script>alert(1)</script>", '"><svg/onload=x>', "&lt;", "a\u202eb", "\u2028", "'; --", "x" * 5000)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_names(name: str) -> None:
    record = Record.parse(f"game trut\nseats 2\nname 1 {name}\ndeal\nplay 1 7h\n{name}\nplay 1 {name}\ndeal\n")
    html = page(story_of(record))
    checked(html, record)
    assert "<script" not in html
    assert "onload" not in html.replace("svg/onload=x", "")
    assert "\u202e" not in html
    assert "\u2028" not in html


@given(st.text(max_size=80))
@settings(max_examples=60)
def test_any_line_is_told(line: str) -> None:
    """Whatever a line says is an infraction at worst."""
    text = f"game trut\nseats 2\nname 1 Zoé\ndeal\nplay 1 7h\n{line}\nplay 2 8h\n"
    try:
        record = Record.parse(text)
    except RecordError:
        return
    checked(page(story_of(record)), record)
    assert list(lines(story_of(record)))


def test_the_text_tells_who_laid_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.trut"
    path.write_text(GAME + "play 1 9h\nexpect error round-over\n", encoding="utf-8")
    assert main(["report", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Manche 1, donnée par Léo" in out
    assert "Zoé\N{NO-BREAK SPACE}7♥*   Léo\N{NO-BREAK SPACE}8♥" in out
    assert "Pli pour Zoé. (C-11)" in out
    assert "Léo : « Je trute ». (T-22)" in out
    assert main(["report", "--lang", "en", str(path)]) == 0
    assert "Round 1, dealt by Léo" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (GAME, 0),
        (GAME + "expect winner A\n", 1),
        (GAME + "foo\n", 1),
        (GAME + "deal", 1),
        ("deal\n", 2),
        ("", 2),
        ("\0\0\0", 2),
        (GAME + "expect luck\n", 2),
        ("game trut\n" + "deal\nannul\n" * 30_000, 2),
    ],
)
@pytest.mark.parametrize("html", [False, True])
def test_status(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, status: int, html: bool) -> None:
    """As ``trut score`` has it; what is no record, or longer than any evening, is one line on stderr."""
    path = tmp_path / "a.trut"
    path.write_text(text, encoding="utf-8")
    assert main(["report", str(path), *(["--html", "-"] if html else [])]) == status
    out, err = capsys.readouterr()
    assert err.count("\n") == (status == 2)
    assert (out == "") == (status == 2)


def test_a_huge_file_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.trut"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert main(["report", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_file_is_whole_or_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, html = tmp_path / "a.trut", tmp_path / "a.html"
    record.write_text(GAME, encoding="utf-8")
    assert main(["report", str(record), "--html", str(html)]) == 0
    assert html.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "a.trut"]
    assert main(["report", str(record), "--html", str(tmp_path / "none" / "a.html")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_a_terminal_without_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Suits are said in letters where the terminal has no signs for them."""
    path = tmp_path / "a.trut"
    path.write_text(GAME, encoding="utf-8")
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1252"))
    assert main(["report", str(path)]) == 0
    sys.stdout.flush()
    assert "7 de cœur*" in raw.getvalue().decode("cp1252")


@pytest.mark.parametrize("name", ["assistant.report.story", "assistant.report.markup", "assistant.rules_in_words"])
def test_the_examples_hold(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert (result.attempted > 0, result.failed) == (True, 0)


def test_house_rules_are_told_in_words() -> None:
    text = "game trut\nseats 2\noption fortial off\ndeal\n"
    assert "  Règles maison : Le fortial : ne se joue pas (T-50)" in list(lines(story_of(Record.parse(text))))


def test_whatever_is_not_html_is_escaped() -> None:
    assert tag("p", "<b>", tag("i", "&"), title='"') == '<p title="&quot;">&lt;b&gt;<i>&amp;</i></p>'
