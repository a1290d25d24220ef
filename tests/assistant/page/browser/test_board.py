"""The scoreboard as it is drawn: the packs, who sits where, letters for the wall, fingers on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from seen import wait_for
from served import Served

from engine import Header
from engine.cards import FRENCH32, NUMBERED8, SPANISH40, Pack
from engine.header import SEATS

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenPage = Callable[..., "Page"]
PACKS = {pack.name: pack for pack in (FRENCH32, SPANISH40, NUMBERED8)}
TABLES = [(game, seats) for game, counts in SEATS.items() for seats in counts]
SIZES = ("phone", "laptop", "television")
LONG_NAMES = ("Marie-Christine", "Jean-Baptiste", "Bernadette", "Paul", "Maximilien-Auguste de la Tour", "Anne")

CARDS = """async ([pack, names, label]) => {
  const { card, cardName } = await import('/static/js/cards.js');
  const count = (element, one) => element.querySelectorAll(one).length;
  return names.map((name) => {
    const drawn = card(name, { pack, label: label ? `${name} there` : '' });
    const marks = [...drawn.querySelectorAll(':scope > svg > g[transform^="translate"]')];
    return { name, index: drawn.querySelector('.card-index')?.textContent ?? null, marks: marks.length,
             court: count(drawn, '.card-court-ground'), dots: count(drawn, '.card-dot'),
             label: drawn.getAttribute('aria-label'),
             shape: drawn.querySelector('.pip, .pip-gold')?.getAttribute('d') ?? null };
  });
}"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    served: list[Served] = []

    def lay(header: Header) -> Served:
        served.append(Served(header, tmp_path / str(len(served))))
        return served[-1]

    yield lay
    for one in served:
        one.close()


def _drawn(page: Page, pack: Pack, names: list[str]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in page.evaluate(CARDS, [pack.name, names, True])}


def test_every_card_of_every_pack_is_drawn_as_itself(table: Callable[..., Served], open_page: OpenPage) -> None:
    page = open_page(table(Header("trut", seats=2)).address)
    for pack in PACKS.values():
        drawn = _drawn(page, pack, list(pack.tokens))
        assert set(drawn) == set(pack.tokens)
        for token, one in drawn.items():
            card = pack.cards()[token]
            assert one["index"] == ({"J": "V", "Q": "D", "K": "R"}.get(card.rank, card.rank))
            assert one["label"] == f"{token} there"
            court = card.rank in ("J", "Q", "K") if pack is FRENCH32 else pack is SPANISH40 and int(card.rank) >= 10
            assert one["court"] == court, token
            if pack is NUMBERED8:
                assert one["dots"] == int(card.rank)
            elif not court:
                assert one["marks"] == (1 if card.rank == "A" else int(card.rank)), token
        if pack.suits:  # told apart by shape, not by colour alone
            shapes = {one["shape"] for one in drawn.values() if not one["court"]}
            assert len(shapes) >= len(pack.suits)


def test_a_card_without_its_suit_has_a_rank_and_what_was_not_read_has_a_back(
    table: Callable[..., Served], open_page: OpenPage
) -> None:
    page = open_page(table(Header("trut", seats=2)).address)
    unseen = _drawn(page, FRENCH32, ["K?", "12b", "nonsense", ""])
    assert (unseen["K?"]["index"], unseen["K?"]["marks"]) == ("R", 0)
    assert {name: unseen[name]["index"] for name in ("12b", "nonsense", "")} == dict.fromkeys(("12b", "nonsense", ""))
    assert "card-back" in page.evaluate("import('/static/js/cards.js').then((m) => m.card(null).className)")


def _centres(page: Page) -> dict[int, tuple[float, float]]:
    """Where each seat is on the felt, from -1 to 1 to the right and downwards."""
    found = page.evaluate("""() => {
      const felt = document.querySelector('.felt').getBoundingClientRect();
      return [...document.querySelectorAll('li[data-seat]')].map((seat) => {
        const box = seat.getBoundingClientRect();
        return [Number(seat.dataset.seat), (2 * (box.left + box.width / 2 - felt.left)) / felt.width - 1,
                (2 * (box.top + box.height / 2 - felt.top)) / felt.height - 1];
      });
    }""")
    return {seat: (x, y) for seat, x, y in found}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_players_sit_as_in_the_picture_of_the_camera(
    table: Callable[..., Served], open_page: OpenPage, game: str, seats: int, size: str
) -> None:
    page = open_page(table(Header(game, seats=seats)).address, size)
    page.wait_for_selector("li[data-seat]")
    at = _centres(page)
    left, right, top, bottom = (lambda s: at[s][0] < -0.3), (lambda s: at[s][0] > 0.3), (lambda s: at[s][1] < -0.2), (
        lambda s: at[s][1] > 0.2
    )
    assert bottom(1)
    assert abs(at[1][0]) < 0.1
    match seats:
        case 2:
            assert top(2)
        case 4:
            assert left(2)
            assert top(3)
            assert right(4)
        case 6:
            assert bottom(2) and right(2)  # noqa: PT018
            assert top(3) and right(3)  # noqa: PT018
            assert top(4)
            assert top(5) and left(5)  # noqa: PT018
            assert bottom(6) and left(6)  # noqa: PT018


@pytest.mark.parametrize("screen", [(320, 568), (390, 844), (844, 390), (820, 1180), (1366, 768), (1920, 1080)])
def test_long_names_and_six_players_fit_the_screen(
    table: Callable[..., Served], open_page: OpenPage, screen: tuple[int, int]
) -> None:
    header = Header("truc-y-flou", seats=6, names=dict(enumerate(LONG_NAMES, start=1)))
    pad = table(header)
    page = open_page(pad.address)
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    pad.say("deal", "play 1 7e", "play 2 12o", "play 3 1b")
    wait_for(page, cards={"1": "7e", "2": "12o", "3": "1b"})
    wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room
    out = page.evaluate("""() => {
      const felt = document.querySelector('.felt').getBoundingClientRect();
      return [...document.querySelectorAll('.plate, .slot')].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.left < felt.left || box.right > felt.right || box.top < felt.top || box.bottom > felt.bottom;
      }).map((one) => one.className + one.textContent);
    }""")
    assert out == []


def test_what_is_lost_stands_beside_the_name_of_the_page(table: Callable[..., Served], open_page: OpenPage) -> None:
    page = open_page(table(Header("trut")).address, "phone")
    page.wait_for_selector("li[data-seat]")
    boxes = page.evaluate("""async () => {
      const { drawHeader } = await import('/static/js/board/header.js');
      const says = { 'board.device.camera': 'caméra perdue', 'board.device.microphone': 'micro perdu' };
      drawHeader({ t: (key) => says[key] || 'Trut de Robin Red · manche 12' },
                 { devices: { camera: 'lost', microphone: 'lost' }, game: { name: 'trut' }, round: 12 });
      const brand = document.querySelector('.brand').getBoundingClientRect();
      return [...document.querySelectorAll('#where span')].map((one) => {
        const box = one.getBoundingClientRect();
        return [box.left - brand.right, innerWidth - box.right, box.width];
      });
    }""")
    assert len(boxes) == 3
    assert all(before >= 0 and after >= 0 and wide > 40 for before, after, wide in boxes), boxes


@pytest.mark.parametrize("size", SIZES)
def test_what_is_called_keeps_within_the_table_and_goes_with_the_next_card(
    table: Callable[..., Served], open_page: OpenPage, size: str
) -> None:
    score = {"A": {"longs": 0, "petits": 2}, "B": {"longs": 0, "petits": 2}}
    pad = table(Header("trut-gatine", score=score, names={1: "Lucienne", 2: "Jean-Marc"}))
    page = open_page(pad.address, size)
    pad.say("deal", *(f"sing {seat}" for seat in (1, 2, 3, 4)), *(f"discard {seat}" for seat in (1, 2, 3, 4)))
    page.locator(".bubble[data-verb=discard]").nth(3).wait_for()
    assert page.evaluate("""() => {
      const felt = document.querySelector('.felt').getBoundingClientRect();
      return [...document.querySelectorAll('.bubble')].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.left < felt.left || box.right > felt.right;
      }).map((one) => one.textContent);
    }""") == []
    pad.say("play 1 8h")
    page.locator(".bubble").nth(3).wait_for(state="detached")
    assert page.evaluate("""() => {
      const card = document.querySelector('.slot[data-event]').getBoundingClientRect();
      return [...document.querySelectorAll('.seat[data-place=left] .bubble, .seat[data-place=right] .bubble')]
        .map((one) => one.getBoundingClientRect())
        .filter((box) => box.right > card.left && box.left < card.right && box.bottom > card.top).length;
    }""") == 0
    pad.say("play 2 7h")
    page.locator(".bubble").nth(2).wait_for(state="detached")
    assert page.locator(".bubble").count() == 2


def test_a_score_pad_says_so(table: Callable[..., Served], open_page: OpenPage) -> None:
    """Nobody is asked to dictate cards where nothing listens."""
    page = open_page(table(Header("trut")).address, "phone")
    page.wait_for_selector("li[data-seat]")
    assert re.sub(r"\s", " ", page.locator(".state-text").inner_text()) == "Carnet de marque : ni caméra ni micro"


def test_letters_on_the_wall_are_a_fortieth_of_its_height(table: Callable[..., Served], open_page: OpenPage) -> None:
    """Readable at three metres: all but the menu, the dealer's letter and the small cards of earlier tricks."""
    pad = table(Header("trut", names=dict(enumerate(LONG_NAMES[:4], start=1))))
    page = open_page(pad.address, "television")
    pad.say("deal", "play 1 7h", "play 2 8h", "trut 3")
    wait_for(page, cards={"1": "7h", "2": "8h"})
    page.wait_for_selector(".bubble")
    small = page.evaluate("""() => {
      const found = {}, walker = document.createTreeWalker(document.querySelector('.board'), NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const one = walker.currentNode.parentElement;
        const own = walker.currentNode.textContent.trim();
        const aside = one.closest('.unseen, .plate-dealer, .board-correct, .small-slot');
        if (!own || aside || !one.getClientRects().length) continue;
        const drawn = one.ownerSVGElement ? one.ownerSVGElement.getBoundingClientRect().width / 250 : 1;
        const size = parseFloat(getComputedStyle(one).fontSize) * drawn;
        if (size < innerHeight / 40 - 0.01) found[`${one.getAttribute('class')}: ${own}`] = size;
      }
      return found;
    }""")
    assert small == {}


def test_a_television_shows_no_menus_until_somebody_stirs(table: Callable[..., Served], open_page: OpenPage) -> None:
    pad = table(Header("trut"))
    page = open_page(pad.address, "television")
    page.clock.install()
    page.goto(f"{pad.address}?wall#tv")
    menu = page.locator("[data-menu]")
    page.wait_for_selector("html[data-ready]")
    page.clock.fast_forward(5000)
    menu.wait_for(state="hidden")
    page.mouse.move(300, 300)
    menu.wait_for(state="visible")
    assert page.url.endswith("?wall")


def test_a_line_that_says_nothing_any_more_is_noticed_and_replaced(
    table: Callable[..., Served], open_page: OpenPage
) -> None:
    """A laptop that was closed: no close arrives, no answer either."""
    pad = table(Header("trut"))
    page = open_page(pad.address, "phone")
    silent, lines = [True], []

    def between(line: Any) -> None:
        server = line.connect_to_server()
        first = not lines
        lines.append(line)
        server.on_message(lambda text: None if first and silent and '"pong"' in str(text) else line.send(text))

    page.clock.install()
    page.route_web_socket(re.compile(r"/live$"), between)
    page.reload()
    page.wait_for_selector("html[data-line=on]")
    for _ in range(12):  # seconds
        page.clock.run_for(1000)
        if len(lines) > 1:
            break
    assert len(lines) == 2
    page.wait_for_selector("html[data-line=on]")
    pad.say("deal", "play 1 7h")
    wait_for(page, cards={"1": "7h"})


def test_what_is_announced_is_read_out_once_and_nothing_of_before(
    table: Callable[..., Served], open_page: OpenPage
) -> None:
    pad = table(Header("trut", seats=2))
    pad.say("deal", "play 1 7h", "play 2 7s")
    page = open_page(pad.address)
    wait_for(page, cards={"1": "7h", "2": "7s"})
    assert page.text_content("#says") == ""
    page.evaluate("""() => {
      window.read = [];
      new MutationObserver(() => window.read.push(document.getElementById('says').textContent))
        .observe(document.getElementById('says'), { childList: true, characterData: true, subtree: true });
    }""")
    pad.say("play 1 8h", "play 2 Ks")
    page.wait_for_function("() => window.read.length > 0")
    assert page.evaluate("window.read.filter((text, n) => text === window.read[n - 1])") == []


def test_the_board_is_worked_by_keyboard(table: Callable[..., Served], open_page: OpenPage) -> None:
    pad = table(Header("trut", seats=2))
    pad.say("deal", "play 1 7h")
    page = open_page(pad.joined)
    wait_for(page, cards={"1": "7h"})
    page.wait_for_selector("html[data-role=correct]")
    card = page.get_by_role("button", name=re.compile("sept de cœur")).first
    card.focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    assert page.evaluate("document.activeElement.className") == "slot"
