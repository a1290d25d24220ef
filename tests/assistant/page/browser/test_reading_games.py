"""The games in a browser: the running one is followed, any moment of one is shown, one is brought in and taken away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from served import Served

from assistant.cli import main
from engine import Header

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OpenPage = Callable[..., "Page"]
GAME = (
    b"game trut\nseats 2\ndate 2026-11-30\nname 1 Zo\xc3\xa9\nname 2 <b>L\xc3\xa9o</b>\ndeal\nplay 1 7h\n"
    b"undo | by=page then=1\nplay 1 8h\nplay 2 9h\nexpect trick A\ntrut 1\nfold 2\n"
)


@pytest.fixture
def pad(tmp_path: Path) -> Iterator[Served]:
    served = Served(Header("trut", seats=4, names={1: "Marie", 2: "Paul"}), tmp_path)
    yield served
    served.close()


def laid(page: Page) -> list[str]:
    """The cards of the game, as they are named for a screen reader."""
    found = page.eval_on_selector_all(".h-card", "cards => cards.map((card) => card.getAttribute('aria-label'))")
    return [name.replace("\N{NO-BREAK SPACE}", " ") for name in found]


def test_the_running_game_is_followed_trick_by_trick(pad: Served, open_page: OpenPage) -> None:
    page = open_page(f"{pad.address}#history/running", "phone")
    page.wait_for_selector("text=Rien n'est encore joué.")
    pad.say("deal", "play 1 7h", "play 2 8h", "play 3 9h", "play 4 9s")
    page.wait_for_selector("text=Pli pour Marie.")
    assert laid(page)[:2] == ["Marie : le sept de cœur, carte la plus forte du pli", "Paul : le huit de cœur"]
    page.click(".h-card >> nth=1")
    page.wait_for_selector(".h-said:has-text('Paul joue le huit de cœur.')")
    assert page.url.endswith("#history/running/3")
    pad.say("play 1 As")
    page.wait_for_selector(".h-count:has-text('3 sur 6')")  # who looks back is not torn away


def test_who_watches_is_asked_for_the_code_before_other_games(pad: Served, open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "trut-9.trut").write_bytes(GAME)
    watcher = open_page(f"{pad.address}#history")
    watcher.wait_for_selector(".h-game")
    assert watcher.locator(".h-game").count() == 1
    assert watcher.locator("input[type=file]").count() == 1
    assert watcher.locator("text=Apporter une partie").count() == 0
    code = pad.page.access.code
    joined = open_page(f"{pad.address}#history/trut-9&code={code}")
    joined.wait_for_selector(".h-card")
    assert laid(joined) == ["Zoé : le huit de cœur, carte la plus forte du pli", "<b>Léo</b> : le neuf de cœur"]
    assert joined.locator(".h-replay b").count() == 0
    joined.wait_for_selector(".h-note[data-kind=correction]")
    joined.wait_for_selector(".h-mark[data-kind=correction]")


def test_any_moment_by_key_and_by_slider(pad: Served, open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "trut-9.trut").write_bytes(GAME)
    page = open_page(f"{pad.address}#history/trut-9&code={pad.page.access.code}")
    page.wait_for_selector(".h-count:has-text('5 sur 5')")
    page.keyboard.press("Home")
    page.wait_for_selector(".h-said:has-text('Avant le premier coup')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".h-board [data-card='8h']")
    page.locator(".h-slider").fill("3")
    page.wait_for_selector(".h-board [data-card='9h']")
    assert page.locator(".h-tricks [aria-current=step]").get_attribute("data-k") == "3"
    assert page.locator(".h-slider").get_attribute("aria-valuetext") == "<b>Léo</b> joue le neuf de cœur."
    page.keyboard.press("End")
    page.wait_for_selector(".h-count:has-text('5 sur 5')")


def test_a_game_is_brought_in_and_taken_away(pad: Served, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(f"{pad.address}#history&code={pad.page.access.code}")
    page.wait_for_selector("text=Apporter une partie")
    page.set_input_files("#h-file", {"name": "x.trut", "mimeType": "text/plain", "buffer": GAME})
    page.wait_for_selector(".h-card")
    with page.expect_download() as download:
        page.click("text=Fichier .trut")
    assert Path(download.value.path()).read_bytes() == GAME
    with page.expect_download() as download:
        page.click("text=Compte rendu")
    assert download.value.suggested_filename == "trut-2.fr.html"
    report = Path(download.value.path()).read_text(encoding="utf-8")
    assert "&lt;b&gt;Léo&lt;/b&gt;" in report
    assert "<b>Léo" not in report


def test_a_report_opens_by_itself(browser: Browser, tmp_path: Path) -> None:
    """The file asks for nothing and breaks no rule of its own, on paper too."""
    record, html = tmp_path / "a.trut", tmp_path / "a.html"
    record.write_bytes(GAME)
    assert main(["report", str(record), "--html", str(html)]) == 0
    page, faults = browser.new_page(), []
    page.on("console", lambda line: faults.append(line.text))
    page.on("request", lambda request: faults.append(request.url))
    page.goto(html.as_uri())
    assert page.title() == "Compte rendu\N{NO-BREAK SPACE}: Trut, 2 joueurs, 30 novembre 2026"
    assert page.locator("svg[role=img]").count() == 2
    assert len(page.pdf(prefer_css_page_size=True)) > 5000
    page.close()
    assert faults == [html.as_uri()]
