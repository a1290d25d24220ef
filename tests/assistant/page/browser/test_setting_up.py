"""Setting up the table in a real browser: corners with a finger, seats, lights, cards, and what leaving ends."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from served import Served

from assistant import settings
from assistant.calibrating.guide import GOOD, in_a_room, played_table
from assistant.page.calibrating import Desk
from assistant.simulation.faces import faces_named
from calibration.profile import Profile
from engine import Header
from vision.camera import Frame

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = {1: "Marie", 2: "Paul", 3: "Jeanne", 4: "Émile"}


class Eyes:
    """Eyes that take up another table."""

    def __init__(self) -> None:
        self.settled = threading.Event()

    def settle(self, seats: Any, reference: Any) -> None:
        self.settled.set()

    def accept(self, frame: Frame) -> list[Any]:
        return []


class Ears:
    """Ears that hear nothing."""

    def accept(self, samples: Any) -> list[Any]:
        return []


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A table whose camera sees four cards, and whose microphone hears a quiet room."""
    monkeypatch.setattr("calibration.profile.profiles_folder", lambda: tmp_path / "tables")
    monkeypatch.setattr("assistant.calibrating.deck.decks_folder", lambda: tmp_path / "decks")
    monkeypatch.setattr("assistant.page.calibrating.deck.decks_folder", lambda: tmp_path / "decks")
    monkeypatch.setattr("assistant.page.calibrating.hearing.profile_path", lambda: tmp_path / "knocks.json")
    monkeypatch.setattr(settings, "settings_path", lambda: tmp_path / "settings.toml")
    served = Served(Header("trut", seats=4, names=NAMES), tmp_path / "records")
    desk = served.page.desk = Desk()
    eyes, ears = Eyes(), Ears()
    served.eyes = eyes  # type: ignore[attr-defined]
    beside_eyes: Any = desk.beside_eyes(eyes)
    beside_ears: Any = desk.beside_ears(ears)  # type: ignore[arg-type]
    picture, over = in_a_room(played_table(), GOOD), threading.Event()

    def run() -> None:
        index = 0
        while not over.wait(0.05):
            beside_eyes.accept(Frame(index / 5, picture, index))
            beside_ears.accept(np.zeros(800, np.float32))
            index += 1

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield served
    over.set()
    thread.join(5)
    desk.close()
    served.close()


@pytest.fixture
def phone(browser: Browser, table: Served) -> Iterator[Callable[[str], Page]]:
    """A phone of one who may correct, on a panel. (A refusal is an error for the console, and no fault here.)"""
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="fr-FR", has_touch=True)
    context.set_default_timeout(20_000)
    faults: list[str] = []

    def open_panel(panel: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda problem: faults.append(str(problem)))
        page.goto(f"{table.address}#setup/{panel}&code={table.page.access.code}")
        page.wait_for_selector(f'[data-panel="{panel}"]')
        return page

    yield open_panel
    context.close()
    assert faults == []


def drag(page: Page, handle: str, dx: float, dy: float) -> None:
    """A finger takes something and moves it by so many CSS pixels."""
    box = page.locator(handle).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def says(page: Page, words: str) -> None:
    page.wait_for_function("words => document.querySelector('.setup-status').textContent.includes(words)", arg=words)


def outline(page: Page) -> list[list[float]]:
    points = page.get_attribute(".setup-outline", "points") or ""
    return [[float(number) for number in point.split(",")] for point in points.split()]


def test_the_table_is_found_put_right_looked_at_and_used(
    phone: Callable[[str], Page], table: Served, tmp_path: Path
) -> None:
    page = phone("table")
    says(page, "Table trouvée")
    found = outline(page)
    assert np.abs(np.array(found) - GOOD).max() < 20

    drag(page, '.setup-corner[data-n="0"]', 10, 8)
    says(page, "placés à la main")
    moved = outline(page)
    assert moved[1:] == found[1:]
    assert moved[0][0] > found[0][0] + 20
    assert page.is_hidden(".setup-glass")

    drag(page, '.setup-corner[data-n="0"]', 220, 160)
    says(page, "Ces coins se croisent ou rentrent")
    assert outline(page) == moved, "what cannot be springs back"

    page.locator('.setup-corner[data-n="2"]').focus()
    page.keyboard.press("Shift+ArrowLeft")
    says(page, "placés à la main")
    assert outline(page)[2][0] == pytest.approx(moved[2][0] - 25.6, abs=0.2)
    label = page.get_attribute('.setup-corner[data-n="2"]', "aria-label") or ""
    assert label.startswith("Coin proche à droite, à 9")

    page.click('[data-step="seats"]')
    assert sorted(page.locator(".setup-badge-name").all_inner_texts()) == sorted(NAMES.values())
    before = page.locator('.setup-badge[data-n="2"]').bounding_box()
    drag(page, '.setup-badge[data-n="2"]', -4, 40)
    page.wait_for_function(
        "y => Math.abs(document.querySelector('.setup-badge[data-n=\"2\"]').getBoundingClientRect().y - y) > 15",
        arg=before["y"] if before else 0,
    )
    page.click('.setup-badge[data-n="4"]')
    says(page, "devant Émile")

    page.click('[data-step="check"]')
    page.click(".setup-tools .primary")
    page.wait_for_selector('.setup-light[data-light="size"]')
    assert page.locator(".setup-light").count() == 5
    says(page, "4 cartes lues")

    page.fill("#setup-name", "port")
    page.click(".setup-save .primary")
    says(page, "l'arbitre s'en sert déjà")
    assert table.eyes.settled.wait(5)  # type: ignore[attr-defined]
    kept = Profile.load(tmp_path / "tables" / "port").setup
    assert np.abs(np.array(kept.corners[0]) - moved[0]).max() < 0.2
    assert kept.seats[2] != (-1.0, 0.0)


def test_a_photo_of_a_card_is_learnt_and_the_grid_shows_it(
    phone: Callable[[str], Page], table: Served, tmp_path: Path
) -> None:
    face = faces_named("letele").face("7h")
    scene = np.full((360, 480, 3), (60, 105, 40), np.uint8)
    h, w = face.shape[:2]
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), 4.0, 190 / h)
    turn[:, 2] += [240 - w / 2, 180 - h / 2]
    laid = cv2.warpAffine(face, turn, (480, 360), flags=cv2.INTER_AREA)
    scene[laid[..., 3] > 127] = laid[laid[..., 3] > 127][:, :3]
    photo = tmp_path / "photo.png"
    cv2.imwrite(str(photo), scene)

    page = phone("deck")
    page.fill("#setup-deck-name", "bistrot")
    page.click(".setup-form .primary")
    page.wait_for_selector(".setup-grid")
    assert page.locator(".setup-card").count() == 32
    assert page.locator('.setup-card[data-is="missing"]').count() == 31, "and one is asked for"
    page.click('.setup-card[data-card="7h"]')
    page.wait_for_selector('.setup-card[data-card="7h"][data-is="wanted"]')
    page.set_input_files("#setup-photo-one", str(photo))
    page.wait_for_selector('.setup-card[data-card="7h"][data-is="learnt"]')
    label = page.get_attribute('.setup-card[data-card="7h"]', "aria-label")
    assert label == "le sept de cœur\N{NO-BREAK SPACE}: apprise"
    assert (tmp_path / "decks" / "bistrot.deck").is_file()
    assert table.page.desk.doing() == "deck"
    page.evaluate("location.hash = '#setup/voices'")
    ended(table)


def test_leaving_the_panel_or_losing_the_page_ends_what_was_learnt_there(
    phone: Callable[[str], Page], table: Served, tmp_path: Path
) -> None:
    for leave in (lambda page: page.evaluate("location.hash = ''"), lambda page: page.close()):
        page = phone("knocks")
        page.click(".setup-ways .primary")
        says(page, "Tapez cinq fois")
        assert table.page.desk.doing() == "knocks"
        paused(table, True)
        leave(page)
        ended(table)
        paused(table, False)
    assert not (tmp_path / "knocks.json").exists()


def ended(table: Served) -> None:
    _until(lambda: table.page.desk.doing() is None)


def paused(table: Served, yes: bool) -> None:
    _until(lambda: bool(json.loads(table.feed.state().text)["paused"]) is yes)


def _until(come: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not come():
        assert time.monotonic() < until
        time.sleep(0.02)
