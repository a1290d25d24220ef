"""What a person sees on a page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SHOWN = """() => {
  const board = document.querySelector('[data-board]');
  if (!board) return null;
  const cards = {};
  for (const seat of board.querySelectorAll('li[data-seat]')) {
    const card = seat.querySelector('.lay [data-card]');
    if (card) cards[seat.dataset.seat] = card.dataset.card;
  }
  const teams = {};
  for (const team of board.querySelectorAll('[data-team]:not([data-seat])')) {
    const count = (kind) => team.querySelectorAll(`[data-token="${kind}"]`).length;
    teams[team.dataset.team] = [count('long'), count('petit')];
  }
  return {
    cards, teams,
    said: board.querySelector('[data-said]')?.textContent ?? null,
    bar: board.querySelector('[data-bar]')?.dataset.bar ?? null,
  };
}"""


def shown(page: Page) -> dict[str, Any]:
    """``cards`` by seat, ``teams`` with their tokens (longs, petits), ``said``, ``bar``."""
    found = page.evaluate(_SHOWN)
    assert found is not None, "no board on this page"
    return dict(found)


def wait_for(page: Page, **expected: Any) -> None:
    """Wait until the page shows that; what it shows instead is in the error."""
    from playwright.sync_api import TimeoutError

    test = f"""(expected) => {{
      const now = ({_SHOWN})();
      return now && Object.entries(expected).every(([what, value]) => JSON.stringify(now[what]) === JSON.stringify(value));
    }}"""
    try:
        page.wait_for_function(test, arg=expected)
    except TimeoutError:
        raise AssertionError(f"expected {expected}, the page shows {shown(page)}") from None
