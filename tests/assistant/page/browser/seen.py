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
  const score = {}, tokens = {};
  let winner = null;
  for (const team of board.querySelectorAll('.team[data-team]')) {
    const count = (kind) => team.querySelectorAll(`[data-token="${kind}"]`).length;
    tokens[team.dataset.team] = [count('long'), count('petit')];
    score[team.dataset.team] = team.dataset.score;
    if (team.dataset.winner) winner = team.dataset.team;
  }
  return {
    cards, score, tokens, winner,
    said: board.querySelector('[data-said]')?.textContent ?? null,
    bar: board.querySelector('[data-bar]')?.dataset.bar ?? null,
  };
}"""


def shown(page: Page) -> dict[str, Any]:
    """``cards`` by seat, ``score`` of each team as one reads it (``2-1`` or points), its ``tokens`` (longs, petits),
    the ``winner``, what was ``said`` last, the state ``bar``."""
    found = page.evaluate(_SHOWN)
    assert found is not None, "no board on this page"
    return dict(found)


def wait_for(page: Page, **expected: Any) -> None:
    """Wait until the page shows that; what it shows instead is in the error."""
    from playwright.sync_api import TimeoutError

    test = f"""(expected) => {{
      const now = ({_SHOWN})();
      const same = ([what, value]) => JSON.stringify(now[what]) === JSON.stringify(value);
      return now && Object.entries(expected).every(same);
    }}"""
    try:
        page.wait_for_function(test, arg=expected)
    except TimeoutError:
        raise AssertionError(f"expected {expected}, the page shows {shown(page)}") from None
