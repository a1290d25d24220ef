"""Photographs every view of the page as docs/pictures/page shows them, at a table that the program simulates.

    python tests/assistant/page/browser/take_pictures.py [FOLDER] [--only VIEW,…] [--all]

Each view at the sizes of a phone, a laptop and a television; ``--all`` takes each also in the dark and in English.
Needs Chromium, as the tests in a browser do.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

from conftest import SIZES, browser_file

from assistant.bench.chromium import FAKE_DEVICES, QUIET

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUALITY = 72
SETTLE = 700
"""Milliseconds for what moves on a page to come to rest."""


DEMO = ("demo", "--no-speak", "--web", "127.0.0.1:0")
PHONE = ("watch", "--game", "trut", "--camera", "phone", "--mic", "phone", "--no-speak", "--web", "127.0.0.1:0")


@contextmanager
def table(*words: str) -> Iterator[str]:
    """``trut`` with its page; gives the address with the code."""
    folder = tempfile.TemporaryDirectory(prefix="trut-")
    command = [sys.executable, "-m", "assistant", "--lang", "fr", *words]
    if words[0] == "watch":
        command += ["--record", folder.name]
    table = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert table.stdout is not None
    try:
        for line in table.stdout:
            found = re.search(r"https?://127\.0\.0\.1:\d+/#(phone&)?code=\w+", line)
            if found:
                yield found[0]
                return
        raise SystemExit("the table gave no address")
    finally:
        table.kill()
        table.wait()
        folder.cleanup()


def board(page: Page) -> None:
    page.wait_for_selector('li[data-seat] .lay [data-card]:not([data-card=""])')


def card(page: Page) -> None:
    board(page)
    page.click("li[data-seat] .lay button:has([data-card])")
    page.wait_for_selector('[data-sheet="card"] .likely [data-card]')


def call(page: Page) -> None:
    page.wait_for_selector('#controls [data-do="calls"]')
    page.click('#controls [data-do="calls"]')
    page.wait_for_selector("dialog[open]")


def more(page: Page) -> None:
    page.click('#controls [data-do="more"]')
    page.wait_for_selector('[data-sheet="more"]')


def under_more(what: str) -> Callable[[Page], None]:
    """What the sheet of everything else opens."""

    def open_it(page: Page) -> None:
        more(page)
        page.click(f'[data-sheet="more"] [data-do="{what}"]')
        page.wait_for_selector('dialog[open]:not([data-sheet="more"])')

    return open_it


def menu(page: Page) -> None:
    page.click("[data-menu]")
    page.wait_for_selector("dialog[open]")


def replay(page: Page) -> None:
    """A round of the running game, and the table at one of its moments."""
    view("history", ".h-game")(page)
    page.click('[data-view="history"] .h-game')
    page.wait_for_selector('[data-view="history"] [data-card]:not([data-card=""])')


def view(name: str, ready: str = "") -> Callable[[Page], None]:
    """Opens a view by its name in the address."""

    def open_it(page: Page) -> None:
        page.evaluate("(name) => { location.hash = name; }", name)
        page.wait_for_selector(f'[data-view="{name.split("/")[0]}"] {ready}')

    return open_it


def sending(page: Page) -> None:
    """The phone is the camera and the microphone."""
    page.evaluate("() => { location.hash = 'phone'; }")
    page.click("[data-phone=start]")
    page.wait_for_selector("[data-how=sending]")
    page.wait_for_timeout(4000)


VIEWS: dict[str, Callable[[Page], None]] = {
    "board": board,
    "card": card,
    "call": call,
    "more": more,
    "score": under_more("score"),
    "names": under_more("names"),
    "rules": under_more("rules"),
    "begin": under_more("begin"),
    "menu": menu,
    "senses": view("senses", "img"),
    "setup-table": view("setup/table", ".setup-stage[data-laid] img"),
    "setup-deck": view("setup/deck"),
    "setup-knocks": view("setup/knocks"),
    "setup-voices": view("setup/voices"),
    "history": view("history", ".h-game"),
    "replay": replay,
    "phone": view("phone", "[data-phone=start]"),
    "phone-sending": sending,
}


def take(browser: Browser, address: str, folder: Path, name: str, size: str, dark: bool, lang: str) -> None:
    """One picture."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale={"fr": "fr-FR", "en": "en-GB"}[lang],
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        permissions=["camera", "microphone"],
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector('html[data-role="correct"] [data-view]')
    page.wait_for_selector("#toasts > *", state="detached")
    VIEWS[name](page)
    page.wait_for_timeout(SETTLE)
    marks = "".join([".dark" if dark else "", ".en" if lang == "en" else ""])
    page.screenshot(path=folder / f"{name}-{size}{marks}.jpg", type="jpeg", quality=QUALITY)
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("docs/pictures/page"))
    parser.add_argument("--only", default=",".join(VIEWS))
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    from playwright.sync_api import sync_playwright

    args.folder.mkdir(parents=True, exist_ok=True)
    names = args.only.split(",")
    phones = [name for name in names if name.startswith("phone")]
    kinds = [(False, "fr"), (True, "fr"), (False, "en"), (True, "en")][: 4 if args.all else 1]
    with tempfile.TemporaryDirectory(prefix="trut-") as scratch, sync_playwright() as p:
        for words, wanted in ((DEMO, [name for name in names if name not in phones]), (PHONE, phones)):
            if not wanted:
                continue
            flags = [*QUIET, *(devices(Path(scratch)) if words is PHONE else ())]
            browser = p.chromium.launch(executable_path=browser_file(), args=flags)
            for name in wanted:
                with table(*words) as address:  # a new one each: a demo ends after a minute and a half
                    for size in SIZES:
                        for dark, lang in kinds:
                            began = time.monotonic()
                            take(browser, address, args.folder, name, size, dark, lang)
                            light = "dark" if dark else "light"
                            print(f"{name} {size} {light} {lang}: {time.monotonic() - began:.1f} s", flush=True)
            browser.close()


def devices(folder: Path) -> tuple[str, ...]:
    """A browser's camera that films a simulated table, and its microphone."""
    from assistant.bench.phone import write_film
    from assistant.simulation.table import SimulatedTable

    film, sound, _seconds = write_film(SimulatedTable(57, rounds=1), folder)
    return (*FAKE_DEVICES, f"--use-file-for-fake-video-capture={film}", f"--use-file-for-fake-audio-capture={sound}")


if __name__ == "__main__":
    main()
