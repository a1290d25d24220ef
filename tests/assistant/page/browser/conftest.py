"""A real browser: Playwright with the system's Chromium. Where there is none, these tests are skipped and counted."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assistant.bench.chromium import QUIET, chromium

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 20_000
"""Milliseconds that a page may take on a busy machine; nothing waits so long otherwise."""
SIZES = {"phone": (390, 844), "laptop": (1366, 768), "television": (1920, 1080)}


def browser_file() -> str:
    """The browser; skips where there is none."""
    found = chromium()
    if found is None:
        pytest.skip("no Chromium here: the page is not tried in a browser")
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one module: while it is open, this thread has a loop that runs, and other tests want one of their own."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = browser_file()
    with playwright.sync_playwright() as p:
        started = p.chromium.launch(executable_path=path, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page of its own (another phone, another cookie jar) on an address. A fault in its scripts, a refused
    resource or a call to another machine fails the test."""
    contexts, faults = [], []

    def open_page(address: str, size: str = "laptop", **more: Any) -> Page:
        width, height = SIZES[size]
        more = {"locale": "fr-FR", "color_scheme": "light", **more}
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda problem: faults.append(f"script: {problem}"))
        page.on("console", lambda line: faults.append(line.text) if _is_fault(line) else None)
        page.on("request", lambda request: faults.append(f"asks {request.url}") if _is_foreign(request.url) else None)
        page.goto(address)
        page.wait_for_selector("[data-view]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def _is_fault(line: Any) -> bool:
    """Errors of scripts and of the content security policy; that a line was lost is part of the game."""
    lost = ("ERR_CONNECTION", "WebSocket connection to", "Failed to fetch", "ERR_INTERNET_DISCONNECTED")
    return line.type == "error" and not any(word in line.text for word in lost)


def _is_foreign(url: str) -> bool:
    return not re.match(r"(https?|wss?)://127\.0\.0\.1[:/]|blob:|data:", url)
