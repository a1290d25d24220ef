"""Corrections by tapping: on one page made, on the other seen; two people at once lose nothing."""

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


@pytest.fixture
def pad(tmp_path: Path) -> Iterator[Served]:
    served = Served(Header("trut", seats=2, names={1: "Marie", 2: "Paul"}), tmp_path)
    yield served
    served.close()


def card_of(seat: int) -> str:
    return f'li[data-seat="{seat}"] .lay button'


def test_a_wrong_card_is_put_right_in_two_taps_and_the_score_follows(pad: Served, open_page: OpenPage) -> None:
    mine, theirs = open_page(pad.joined, "phone"), open_page(pad.address, "television")
    pad.say("deal", "play 1 Ah", "play 2 7h", "play 2 Kd", "play 1 9d")
    for page in (mine, theirs):
        wait_for(page, tokens={"A": [0, 0], "B": [0, 1]})
    mine.click(card_of(1))  # two tricks for Paul, but it was an eight that Marie laid on his king
    mine.click('[data-sheet="card"] .picker [data-card="8s"]')
    for page in (mine, theirs):
        wait_for(page, tokens={"A": [0, 0], "B": [0, 0]})
    assert pad.events[-1] == "play 1 8s"


def test_who_only_watches_can_look_but_not_correct(pad: Served, open_page: OpenPage) -> None:
    page = open_page(pad.address, "phone")
    pad.say("deal", "play 1 7h")
    wait_for(page, cards={"1": "7h"})
    page.click(card_of(1))
    page.wait_for_selector('[data-sheet="card"]')
    assert page.query_selector('[data-sheet="card"] .picker') is None
    assert not page.is_visible('[data-do="undo"]')


def test_of_two_who_put_the_same_card_right_the_second_is_told_and_nothing_is_lost(
    pad: Served, open_page: OpenPage
) -> None:
    marie, paul = open_page(pad.joined, "phone"), open_page(pad.joined, "laptop")
    pad.say("deal", "play 1 7h")
    for page in (marie, paul):
        wait_for(page, cards={"1": "7h"})
        page.click(card_of(1))
        page.wait_for_selector('[data-sheet="card"] .picker')
    with pad.held():  # the referee sees neither before both have tapped
        marie.click('[data-sheet="card"] .picker [data-card="8h"]')
        paul.click('[data-sheet="card"] .picker [data-card="9h"]')
    for page in (marie, paul):
        page.wait_for_selector('[data-do="still"], dialog', state="attached")
    first = pad.came_to("play 1 8h", "play 1 9h")
    told, other, card = (paul, marie, "9h") if first == "play 1 8h" else (marie, paul, "8h")
    told.click('[data-sheet="card"] [data-do="still"]')
    for page in (told, other):
        wait_for(page, cards={"1": card})
