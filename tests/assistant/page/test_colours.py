"""The contrast of every text with its ground in both themes, computed from the style sheets (WCAG 2.2, 1.4.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

CSS = Path(__file__).parents[3] / "assistant" / "page" / "static" / "css"
STYLE = (CSS / "style.css").read_text(encoding="utf-8")

TEXT, LARGE_OR_SHAPE = 4.5, 3.0
ON_PAGE = ("ink", "muted", "accent", "team-a", "team-b", "danger", "good", "warn", "focus")
SUITS = ("suit-s", "suit-h", "suit-d", "suit-c")
CARD = ("card-s", "card-h", "card-d", "card-c", "card-e", "card-b", "card-o", "card-cups", "card-ink")
PAIRS = [
    *((name, ground, TEXT) for name in (*ON_PAGE, *SUITS) for ground in ("paper", "raised")),
    *((name, "card-paper", TEXT) for name in CARD),
    *((name, ground, TEXT) for name in ("on-felt", "on-felt-quiet") for ground in ("felt", "felt-deep")),
    ("on-accent", "accent", TEXT),
    ("paper", "ink", TEXT),  # toasts
    ("raised", "ink", TEXT),  # the dealer's disc
    ("raised", "warn", LARGE_OR_SHAPE),  # the sign of who is to speak
    ("ivory", "ivory-edge", LARGE_OR_SHAPE),
]


def _variables(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", block))


def _block(opening: str) -> str:
    start = STYLE.index(opening) + len(opening)
    return STYLE[start : STYLE.index("}", start)]


LIGHT = _variables(_block(":root {"))
AUTO_DARK = _variables(_block(':root:not([data-theme="light"]) {'))
CHOSEN_DARK = _variables(_block(':root[data-theme="dark"] {'))
THEMES: Mapping[str, Mapping[str, str]] = {"light": LIGHT, "dark": LIGHT | CHOSEN_DARK}


def _luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_is_21() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)
    assert _contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_stands_out_from_its_ground(theme: str) -> None:
    colours = THEMES[theme]
    weak = {
        f"{name} on {ground}": round(_contrast(colours[name], colours[ground]), 2)
        for name, ground, least in PAIRS
        if _contrast(colours[name], colours[ground]) < least
    }
    assert weak == {}


def test_dark_is_the_same_whether_the_device_or_a_person_asks_for_it() -> None:
    assert AUTO_DARK == CHOSEN_DARK


def test_fixed_colours_of_the_board_stand_out_too() -> None:
    board = (CSS / "board.css").read_text(encoding="utf-8")
    assert "background: #f2c75c;\n  color: #2a1c00;" in board  # bubbles, unsure readings
    assert _contrast("#f2c75c", "#2a1c00") >= TEXT
    for theme in THEMES.values():  # the glow of whose turn it is
        assert _contrast("#f2c75c", theme["felt"]) >= LARGE_OR_SHAPE


def test_the_two_teams_can_be_told_apart_in_grey() -> None:
    """Their colours also differ in what a printer or a colour-blind eye keeps of them: blue and orange."""
    for theme in THEMES.values():
        blue = [int(theme["team-a"][at : at + 2], 16) for at in (1, 5)]
        orange = [int(theme["team-b"][at : at + 2], 16) for at in (1, 5)]
        assert blue[0] < blue[1]  # more blue than red
        assert orange[0] > orange[1]
