"""A game followed on pages, without a reload whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from seen import shown, wait_for
from served import Served

from engine import Header

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenPage = Callable[..., "Page"]


@pytest.fixture
def pad(tmp_path: Path) -> Iterator[Served]:
    served = Served(Header("trut", seats=4, names={1: "Marie", 2: "Paul"}), tmp_path)
    yield served
    served.close()


def test_what_happens_is_seen_on_every_page_at_once(pad: Served, open_page: OpenPage) -> None:
    phone, wall = open_page(pad.address, "phone"), open_page(pad.address, "television", color_scheme="dark")
    pad.say("deal", "play 1 7h", "play 2 8h")
    for page in (phone, wall):
        wait_for(page, cards={"1": "7h", "2": "8h"})
    pad.say("trut 3", "fold 2", "fold 4")
    for page in (phone, wall):
        wait_for(page, tokens={"A": [0, 1], "B": [0, 0]})


def test_a_page_whose_line_was_cut_shows_what_happened_meanwhile(pad: Served, open_page: OpenPage) -> None:
    page = open_page(pad.address, "phone")
    pad.say("deal", "play 1 7h")
    wait_for(page, cards={"1": "7h"})
    page.context.set_offline(True)
    pad.server.close()  # a laptop that sleeps
    page.wait_for_selector("#connection:not([hidden])")
    pad.say("play 2 8h", "play 3 9h")
    assert shown(page)["cards"] == {"1": "7h"}
    pad.serve_again()
    page.context.set_offline(False)
    wait_for(page, cards={"1": "7h", "2": "8h", "3": "9h"})
    page.wait_for_selector("#connection", state="hidden")


def test_a_page_speaks_the_language_of_its_reader(pad: Served, open_page: OpenPage) -> None:
    french, english = open_page(pad.address), open_page(pad.address, locale="en-GB")
    pad.say("deal", "play 1 7h", "play 2 7s", "play 3 8h", "play 4 8s")
    french.wait_for_selector("text=Pli pourri")
    english.wait_for_selector("text=Rotten trick")
    assert french.evaluate("document.documentElement.lang") == "fr"
    assert english.evaluate("document.documentElement.lang") == "en"
