"""A table whose game is kept on the page alone: cards, calls, the score by hand, names, another game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from seen import wait_for
from served import Served

from engine import Header

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenPage = Callable[..., "Page"]
BAR = "#controls "
SHEET = "dialog[data-sheet] "


@pytest.fixture
def pad(tmp_path: Path) -> Iterator[Served]:
    served = Served(Header("trut", seats=2, names={1: "Marie", 2: "Paul"}), tmp_path)
    yield served
    served.close()


def tap(page: Page, *places: str) -> None:
    """Tap one after the other, and wait until no sheet is open."""
    for place in places:
        page.click(place)
    page.wait_for_selector("dialog", state="detached")


def lay(page: Page, *cards: str) -> None:
    for card in cards:
        tap(page, f'{BAR}[data-do="play"]', f'{SHEET}[data-do="card"][data-card="{card}"]')


def test_a_round_is_kept_in_two_taps_a_move(pad: Served, open_page: OpenPage) -> None:
    page, other = open_page(pad.joined, "phone"), open_page(pad.address, "laptop")
    tap(page, f'{BAR}[data-do="deal"]')
    lay(page, "7h", "8s")
    tap(page, f'{BAR}[data-do="calls"]', f'{SHEET}[data-verb="trut"][data-seat="1"]')
    tap(page, f'{BAR}[data-do="calls"]', f'{SHEET}[data-verb="accept"][data-seat="2"]')
    lay(page, "7s", "8h")
    for one in (page, other):
        wait_for(one, tokens={"A": [1, 0], "B": [0, 0]})
    assert pad.events == ["deal", "play 1 7h", "play 2 8s", "trut 1", "accept 2", "play 1 7s", "play 2 8h"]


def test_what_is_counted_by_hand_is_taken_back_with_one_tap(pad: Served, open_page: OpenPage) -> None:
    page = open_page(pad.joined, "phone")
    tap(page, f'{BAR}[data-do="result"]', f'{SHEET}[data-do="result"][data-team="B"][data-award="long"]')
    wait_for(page, tokens={"A": [0, 0], "B": [1, 0]})
    tap(page, '[data-do="toast-act"]')
    wait_for(page, tokens={"A": [0, 0], "B": [0, 0]})
    tap(page, f'{BAR}[data-do="redo"]')
    wait_for(page, tokens={"A": [0, 0], "B": [1, 0]})


def test_a_tap_without_a_line_is_kept_shown_and_sent(pad: Served, open_page: OpenPage) -> None:
    page = open_page(pad.joined, "phone")
    pad.say("deal", "play 1 7h")
    wait_for(page, cards={"1": "7h"})
    pad.server.close()
    page.wait_for_selector('html[data-line="off"]')
    lay(page, "8s")
    tap(page, f'{BAR}[data-do="undo"]')
    page.click(f'{BAR}[data-do="waiting"]')
    page.click(f'{SHEET}[data-waits="undo"] [data-do="give-up"]')
    assert page.locator(f"{SHEET}[data-waits]").count() == 1
    page.click(f'{SHEET}[data-do="close"]')
    pad.serve_again()
    wait_for(page, cards={"1": "7h", "2": "8s"})
    assert pad.events == ["deal", "play 1 7h", "play 2 8s"]


def test_somebody_lays_a_card_while_the_sheet_is_open(pad: Served, open_page: OpenPage) -> None:
    page = open_page(pad.joined, "phone")
    pad.say("deal")
    page.click(f'{BAR}[data-do="play"]')
    pad.say("play 1 7h")
    page.wait_for_selector(f"{SHEET}.sheet-note:visible")
    assert "Paul" in page.inner_text(f"{SHEET}.sheet-title")
    tap(page, f'{SHEET}[data-do="card"][data-card="8s"]')
    wait_for(page, cards={"1": "7h", "2": "8s"})


def test_a_card_is_laid_with_the_keyboard_alone(pad: Served, open_page: OpenPage) -> None:
    page = open_page(pad.joined, "laptop")
    pad.say("deal")
    wait_for(page, bar="no-eyes")
    page.focus(f'{BAR}[data-do="play"]')
    page.keyboard.press("Enter")
    page.focus(f'{SHEET}[data-do="card"][data-card="7h"]')
    page.keyboard.press("Enter")
    wait_for(page, cards={"1": "7h"})
    page.wait_for_function("document.activeElement.closest('#controls') !== null")
    page.keyboard.press("Enter")
    page.wait_for_selector(SHEET)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_names_and_a_rematch(pad: Served, open_page: OpenPage) -> None:
    page = open_page(pad.joined, "phone")
    page.click(f'{BAR}[data-do="more"]')
    page.click(f'{SHEET}[data-do="names"]')
    page.fill(f'{SHEET}[data-name="2"]', "Zoé")
    tap(page, f'{SHEET}[data-do="names-save"]')
    page.wait_for_function("document.querySelector('[data-player=\"2\"]').textContent.includes('Zoé')")
    pad.say("concede A")
    wait_for(page, winner="B")
    tap(page, f'{BAR}[data-do="begin"]', f'{SHEET}[data-do="rematch"]')
    wait_for(page, winner=None)
    assert pad.referee.game.header.names == {1: "Marie", 2: "Zoé"}
