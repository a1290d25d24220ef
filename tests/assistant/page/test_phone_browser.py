"""The phone's page in a real browser, whose camera and microphone are make-believe devices."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from fake_feed import FakeFeed

from assistant.bench.chromium import FAKE_DEVICES, QUIET, chromium
from assistant.page.access import Access
from assistant.page.page import Page as TablePage
from assistant.page.phone import Phone
from assistant.page.server import Listener, PageServer
from vision.events import CameraBack, CameraLost

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 20.0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api")
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: the phone's page is not tried in a browser")
    with playwright.sync_playwright() as tools:
        started = tools.chromium.launch(executable_path=path, args=[*QUIET, *FAKE_DEVICES])
        yield started
        started.close()


@dataclass
class Table:
    """A table that waits for a phone, and what it gets."""

    phone: Phone
    page: TablePage
    server: PageServer
    ages: list[float] = field(default_factory=list)
    sizes: set[tuple[int, ...]] = field(default_factory=set)
    news: list[str] = field(default_factory=list)
    samples: int = 0
    loudest: float = 0.0
    changed: threading.Condition = field(default_factory=threading.Condition)

    def see(self) -> None:
        camera = self.phone.camera
        assert camera is not None
        camera.tell(self.told)
        for frame in camera:
            with self.changed:
                self.ages.append(time.monotonic() - camera.began - frame.t)
                self.sizes.add(frame.image.shape)
                self.changed.notify_all()

    def told(self, news: CameraLost | CameraBack) -> None:
        with self.changed:
            self.news.append(news.reason if isinstance(news, CameraLost) else "back")
            self.changed.notify_all()

    def hear(self) -> None:
        assert self.phone.microphone is not None
        for block in self.phone.microphone:
            with self.changed:
                self.samples += len(block)
                self.loudest = max(self.loudest, float(np.abs(block).max(initial=0.0)))
                self.changed.notify_all()

    def wait(self, what: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(what, PATIENCE), (self.news, len(self.ages), self.samples)

    def address(self, view: str) -> str:
        return f"http://127.0.0.1:{self.server.ports[0]}/#{view}&code={self.page.access.code}"


@pytest.fixture
def table() -> Iterator[Table]:
    phone = Phone()
    page = TablePage(FakeFeed(), Access(), phone=phone)
    with PageServer(page, [Listener("127.0.0.1", 0)]) as server:
        there = Table(phone, page, server)
        threads = [threading.Thread(target=work, daemon=True) for work in (there.see, there.hear)]
        for thread in threads:
            thread.start()
        yield there
        phone.close()
        for thread in threads:
            thread.join(5.0)


@pytest.fixture
def open_phone(browser: Browser) -> Iterator[Callable[[str], Page]]:
    """A phone of its own, with the page open."""
    contexts: list[Any] = []

    def opened(address: str) -> Page:
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, locale="fr-FR", permissions=["camera", "microphone"]
        )
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("[data-phone=start]")
        return page

    yield opened
    for context in contexts:
        context.close()


def begin(page: Page) -> None:
    page.click("[data-phone=start]")
    page.wait_for_selector("[data-how=sending]")


@pytest.mark.parametrize("way", ["socket", "upload"])
def test_one_tap_makes_a_phone_camera_and_microphone(table: Table, open_phone: Callable[[str], Page], way: str) -> None:
    page = open_phone(table.address("phone/upload" if way == "upload" else "phone"))
    begin(page)
    table.wait(lambda: len(table.ages) > 30 and table.samples > 48_000)
    assert table.sizes == {(720, 1280, 3)}
    assert sorted(table.ages)[len(table.ages) // 2] < 1.0
    assert table.loudest > 0.1  # the make-believe microphone beeps
    page.wait_for_function(
        "() => /images\\/s · retard \\d+/.test(document.querySelector('.phone-figures').textContent)"
    )
    assert ("envois simples" in page.inner_text(".phone-figures")) == (way == "upload")
    page.click("[data-phone=stop]")
    page.wait_for_selector("[data-phone=start]")
    table.wait(lambda: table.news[-1] == "phone" and len(table.news) > 2)


def test_a_server_that_goes_and_comes_back_needs_no_reload(table: Table, open_phone: Callable[[str], Page]) -> None:
    page = open_phone(table.address("phone"))
    begin(page)
    table.wait(lambda: len(table.ages) > 5)
    port = table.server.ports[0]
    table.server.close()
    page.wait_for_selector("[data-how=lost]")
    with PageServer(table.page, [Listener("127.0.0.1", port)]):
        seen = len(table.ages)
        page.wait_for_selector("[data-how=sending]")
        table.wait(lambda: len(table.ages) > seen + 5)


def test_a_second_phone_asks_and_the_first_is_told(table: Table, open_phone: Callable[[str], Page]) -> None:
    first = open_phone(table.address("phone"))
    begin(first)
    second = open_phone(table.address("phone"))
    second.click("[data-phone=start]")
    second.click("[data-phone=take-over]")
    second.wait_for_selector("[data-how=sending]")
    first.wait_for_selector("text=Un autre téléphone a pris la place")
    table.wait(lambda: len(table.ages) > 5)


def test_a_hidden_page_is_told_and_goes_on_when_it_is_seen_again(
    table: Table, open_phone: Callable[[str], Page]
) -> None:
    page = open_phone(table.address("phone"))
    begin(page)
    table.wait(lambda: len(table.ages) > 5)
    hide = """(hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }"""
    page.evaluate(hide, True)
    page.wait_for_selector("[data-how=asleep]")
    page.evaluate(hide, False)
    page.wait_for_selector("[data-how=sending]")
    seen = len(table.ages)
    table.wait(lambda: len(table.ages) > seen + 5)


def test_a_table_that_ends_is_told_and_stays_told(table: Table, open_phone: Callable[[str], Page]) -> None:
    page = open_phone(table.address("phone"))
    begin(page)
    table.phone.close()
    table.server.close()
    page.wait_for_selector("text=La table est finie")


_TURN = """async ([now, then, more]) => {
  const { quarterTurns, drawTurned } = await import('/static/js/phone/upright.js');
  const seen = Object.assign(document.createElement('canvas'), { width: 8, height: 4, videoWidth: 8, videoHeight: 4 });
  seen.getContext('2d').fillRect(0, 0, 8, 4);
  seen.getContext('2d').fillStyle = '#fff';
  seen.getContext('2d').fillRect(0, 0, 2, 2);
  const drawn = document.createElement('canvas');
  drawTurned(drawn, seen, quarterTurns(now, then, more), 8);
  const pen = drawn.getContext('2d');
  const light = (x, y) => pen.getImageData(x ? drawn.width - 1 : 0, y ? drawn.height - 1 : 0, 1, 1).data[0] > 128;
  return [drawn.width, drawn.height, light(0, 0), light(1, 0), light(1, 1), light(0, 1)];
}"""


def test_the_picture_stays_as_the_table_was_seen(table: Table, open_phone: Callable[[str], Page]) -> None:
    """The corner that was at the top left of what the camera gives, after the page, or the person, turned it."""
    page = open_phone(table.address("phone"))

    def corner(now: int, then: int, more: int) -> tuple[tuple[int, int], int]:
        width, height, *corners = page.evaluate(_TURN, [now, then, more])
        assert corners.count(True) == 1
        return (width, height), corners.index(True)

    wide, high = (8, 4), (4, 8)
    assert corner(0, 0, 0) == (wide, 0)
    assert corner(90, 0, 0) == (high, 1)
    assert corner(270, 90, 0) == (wide, 2)
    assert corner(0, 90, 0) == (high, 3)
    assert corner(0, 0, 2) == (wide, 2)
    assert corner(90, 0, 3) == (wide, 0)
