"""What the machine sees and hears, in a browser: off until somebody opens the view, off again when he leaves it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from served import Served

from assistant.page.senses import Senses
from audio.events import Knock
from engine import Header
from vision.camera import Frame
from vision.events import CardLaid, HandSeen, Quad, TableObservation
from vision.seats import SeatMap

if TYPE_CHECKING:
    from playwright.sync_api import Page

HEADER = Header("trut", seats=4, dealer=4, names={1: "Marie", 2: "Paul", 3: "Zoé", 4: "Luc"})
QUAD: Quad = ((300.0, 200.0), (360.0, 200.0), (360.0, 290.0), (300.0, 290.0))
QUEEN: Quad = ((700.0, 200.0), (760.0, 200.0), (760.0, 290.0), (700.0, 290.0))


class Eyes:
    """They see a seven surely and a queen less so."""

    cards = ((1, "7h", QUAD), (2, "Qs", QUEEN))
    seat_map = SeatMap.default(4, 1280, 720)

    def accept(self, frame: Frame) -> list[TableObservation]:
        return []


class Ears:
    def accept(self, samples: Any) -> list[Any]:
        return []

    def finish(self) -> list[Any]:
        return []

    def expect(self, verbs: frozenset[str] | None) -> None: ...


class Table:
    """A score pad beside which pictures and sound pass, until ``close``."""

    def __init__(self, folder: Path) -> None:
        self.served = Served(HEADER, folder)
        self.senses = self.served.page.senses = Senses()
        assert self.served.referee.page is not None
        self.served.referee.page = self.senses.beside(self.served.referee.page)
        self.senses.attend(self.served.referee)
        self.senses.has(camera=True, microphone=True)
        eyes, ears = self.senses.beside_eyes(Eyes()), self.senses.beside_ears(Ears())
        assert eyes is not None
        assert ears is not None
        for track, quad, card, p in ((1, QUAD, "7h", 0.98), (2, QUEEN, "Qs", 0.71)):
            self.senses.observed(CardLaid(1.0, 1.0, track, card, p, 1, quad, 1))
        self.senses.observed(HandSeen(1.0, 1.0, 3))
        self.senses.observed(Knock(1.0, 1.2, 0.92, 1, 1))
        self._over = threading.Event()
        image = np.full((720, 1280, 3), (60, 90, 70), np.uint8)
        cv2.fillConvexPoly(image, np.array(QUAD, np.int32), (240, 250, 250))

        def passes() -> None:
            began = time.monotonic()
            while not self._over.wait(0.05):
                eyes.accept(Frame(time.monotonic() - began, image, 0))
                ears.accept(0.1 * np.sin(np.arange(800) / 5).astype(np.float32))

        self._thread = threading.Thread(target=passes, daemon=True)
        self._thread.start()

    def looks(self, count: int) -> bool:
        """Whether so many look before long."""
        until = time.monotonic() + 10
        while self.senses.onlookers != count and time.monotonic() < until:
            time.sleep(0.02)
        return self.senses.onlookers == count

    def close(self) -> None:
        self._over.set()
        self._thread.join(5)
        self.senses.close()
        self.served.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def look(open_page: Callable[..., Page], table: Table, size: str = "phone", **more: Any) -> Page:
    code = table.served.page.access.code
    return open_page(f"{table.served.address}#senses&code={code}", size, **more)


def test_who_opens_the_view_sees_and_hears_and_who_leaves_it_costs_nothing(
    open_page: Callable[..., Page], table: Table
) -> None:
    page = look(open_page, table)
    page.wait_for_selector(".senses-image:visible")
    cards = page.locator(".senses-cards li")
    cards.first.wait_for()
    assert [text.split() for text in cards.all_inner_texts()] == [
        ["Le", "sept", "de", "cœur", "98", "%"],
        ["La", "dame", "de", "pique", "71", "%"],
    ]
    assert "Zoé" in page.locator(".senses-see > p").inner_text()
    names = page.locator(".senses-over text").all_text_contents()
    assert {"7♥", "D♠"} <= set(names)
    assert {"Marie", "Paul", "Luc"} < set(names)
    page.wait_for_function("document.querySelector('.meter-word').dataset.level === 'good'")
    meter = page.locator("[role=meter]")
    assert -25 <= int(meter.get_attribute("aria-valuenow") or 0) <= -15
    page.locator(".heard-item[data-fate=nothing]").wait_for()
    assert "Coup sur la table" in page.locator(".heard-item").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert table.looks(1)
    page.locator(".senses-head button").click()
    assert table.looks(0)
    assert not table.senses.passing.asked
    assert page.locator(".senses-frame").is_hidden()
    page.locator(".senses-head button").click()
    page.wait_for_selector(".senses-image:visible")
    assert table.looks(1)
    page.evaluate("location.hash = ''")
    page.wait_for_selector("[data-view=board]")
    assert table.looks(0)


def test_it_speaks_english_too_and_comes_back_after_a_lost_line(open_page: Callable[..., Page], table: Table) -> None:
    page = look(open_page, table, "laptop", locale="en-GB", color_scheme="dark")
    page.locator(".senses-cards li", has_text="The queen of spades").wait_for()
    table.served.server.close()
    page.locator(".senses-status", has_text="The line is down").wait_for()
    table.served.serve_again()
    page.wait_for_selector(".senses-image:visible")


def test_who_only_watches_is_asked_for_the_code(open_page: Callable[..., Page], table: Table) -> None:
    page = open_page(f"{table.served.address}#senses")
    page.locator(".senses-status", has_text="Il faut le code").wait_for()
    assert page.locator(".senses-frame").is_hidden()
    assert table.senses.onlookers == 0
