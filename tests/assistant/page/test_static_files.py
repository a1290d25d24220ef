"""The files of the page: each is reached from index.html, none brings in anything from elsewhere or inline code."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[3] / "assistant" / "page" / "static"
FILES = {path.relative_to(STATIC).as_posix(): path for path in sorted(STATIC.rglob("*")) if path.is_file()}
TEXTS = {
    name: path.read_text(encoding="utf-8")
    for name, path in FILES.items()
    if path.suffix in (".html", ".css", ".js")
}
SCRIPTS = {name: text for name, text in TEXTS.items() if name.endswith(".js")}
INDEX = TEXTS["index.html"]


def _code(text: str) -> str:
    """Without comments."""
    return re.sub(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", "", text, flags=re.DOTALL)


def _named_by(name: str, text: str) -> set[str]:
    """The files that a file names: links, imports, what is loaded later, urls of style sheets."""
    found = set(re.findall(r"/static/([\w./-]+)", text))
    if name.endswith(".js"):
        for target in re.findall(r"(?:from|import)\s*\(?\s*[\"'](\.[\w./-]+)[\"']", text):
            found.add((Path("/") / Path(name).parent / target).resolve().as_posix().lstrip("/"))
    return found


def _reached() -> set[str]:
    reached, new = set(), {"index.html"}
    while new:
        name = new.pop()
        reached.add(name)
        new |= _named_by(name, TEXTS.get(name, "")) - reached
    return reached


def test_every_file_that_is_named_is_there() -> None:
    missing = sorted(name for name in _reached() if name not in FILES)
    assert missing == [], missing


def test_every_file_is_reached_from_the_index() -> None:
    assert sorted(set(FILES) - _reached()) == []


def test_nothing_is_inline() -> None:
    assert re.findall(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=|javascript:", INDEX) == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_writes_html_or_code(name: str) -> None:
    """The content security policy would forbid some of it; none of it is needed."""
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(\s*[\"']style"
        r"|cssText|createContextualFragment|setTimeout\(\s*[\"'`]"
    )
    assert re.findall(forbidden, _code(SCRIPTS[name])) == []


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_comes_from_elsewhere(name: str) -> None:
    urls = re.findall(r"(?:https?|wss?):?//[\w.-]+[^\s\"'`)]*|[\"'(]//\w", _code(TEXTS[name]))
    assert [url for url in urls if url not in ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")] == []
    assert "@import" not in TEXTS[name]


def test_the_icon_is_an_image_and_nothing_else() -> None:
    tags = {element.tag.rpartition("}")[2] for element in ET.parse(FILES["icon.svg"]).iter()}
    assert tags <= {"svg", "g", "rect", "circle", "path"}


def test_the_page_has_its_landmarks_and_live_regions() -> None:
    for needed in ("<main id=\"main\"", "<header", "aria-live=\"polite\"", "aria-live=\"assertive\"", "class=\"skip\""):
        assert needed in INDEX
    assert re.search(r"<html lang=\"fr\"", INDEX)


@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith(".css")])
def test_style_sheets_need_no_browser_of_today(name: str) -> None:
    """A café's television runs a Chromium of 2021: no nesting, no :has(), no container queries, no color-mix()."""
    text = re.sub(r"/\*.*?\*/", "", TEXTS[name], flags=re.DOTALL)
    assert re.findall(r":has\(|@container|@layer|color-mix\(|\boklch\(|@scope", text) == []
    depth, deepest = 0, 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        deepest = max(deepest, depth)
    assert depth == 0
    assert deepest <= 2  # a rule in a media query


def test_motion_is_reduced_where_asked() -> None:
    assert "prefers-reduced-motion: reduce" in TEXTS["css/style.css"]
