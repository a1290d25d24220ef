"""The faces of the cards as SVG symbols, drawn by the program: each is in a report once, and used where it was laid.

A symbol is 60 by 84 units. Suits are told apart by their shapes, so that a print in grey is read as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from assistant.i18n import N_, _
from assistant.report.markup import Safe, join, tag
from assistant.report.words import rank_label
from engine.cards import NUMBERED8, SPANISH40, UNSEEN, Pack, rank_of

WIDTH, HEIGHT = 60, 84
_INK: Final = {"s": "#1d2330", "h": "#c2182b", "d": "#b8400a", "c": "#11603a"}
_SPANISH_INK: Final = {"e": "#1f4f9c", "b": "#2f6a1c", "o": "#93650a", "c": "#b3202e"}
_NUMBERED_INK: Final = ("#1d2330", "#8a1c2c", "#9a4a00", "#6b5a00", "#20652f", "#0b5f6e", "#274c9b", "#6a2d8a")
_PATHS: Final = {
    "s": "M0-10C3-5 9-2 9 3.5 9 8 3 8.5.9 4.5 1.2 7.5 2 9 4 10H-4C-2 9-1.2 7.5-.9 4.5-3 8.5-9 8-9 3.5-9-2-3-5 0-10Z",
    "h": "M0 9.5C-2 5-9.5 1-9.5-4.5-9.5-9.5-2.5-10.5 0-5 2.5-10.5 9.5-9.5 9.5-4.5 9.5 1 2 5 0 9.5Z",
    "d": "M0-10.5C2.2-6 4.6-2.6 7.5 0 4.6 2.6 2.2 6 0 10.5-2.2 6-4.6 2.6-7.5 0-4.6-2.6-2.2-6 0-10.5Z",
    "c": "M0-10.2A4.7 4.7 0 0 1 3.9-2.9 4.7 4.7 0 1 1 .9 4.4C1.2 7.5 2 9 4 10H-4C-2 9-1.2 7.5-.9 4.4A4.7 4.7 0 1 1"
    "-3.9-2.9 4.7 4.7 0 0 1 0-10.2Z",
}
_SPANISH_PATHS: Final = {
    "e": "M0-11 1.9-8V3H5.2V5.2H1.6V10H-1.6V5.2H-5.2V3H-1.9V-8Z",
    "b": "M-2 10.5C-2.2 4-5.4-2-4.6-7.4-4-11.4 4-11.4 4.6-7.4 5.4-2 2.2 4 2 10.5ZM-4.2-1-7-3.6-5.4-4.8-3.6-3ZM3.4 1.6 "
    "6.4-.6 7.2 1.2 2.8 4Z",
    "o": "M0-9.5A9.5 9.5 0 1 1 0 9.5 9.5 9.5 0 1 1 0-9.5ZM0-6.6A6.6 6.6 0 1 0 0 6.6 6.6 6.6 0 1 0 0-6.6ZM0-3.4 1-1 "
    "3.4 0 1 1 0 3.4-1 1-3.4 0-1-1Z",
    "c": "M-7.4-9.5H7.4C7.4-2 4 1.6 1.7 2.4V5.6C1.7 7 5.4 7.4 5.4 9.8H-5.4"
    "C-5.4 7.4-1.7 7-1.7 5.6V2.4C-4 1.6-7.4-2-7.4-9.5Z",
}
_CROWNS: Final = {
    "K": "M-11 6-13-7-6-1 0-10 6-1 13-7 11 6Z",
    "Q": "M-10 6-13-5-7-1-5-8 0-1 5-8 7-1 13-5 10 6Z",
    "J": "M-11 5C-11-7 11-7 11 5ZM5-4C8-12 14-11 15-8 12-9 9-7 8-2Z",
}
_FRAME: Final = {
    "x": "14", "y": "9", "width": "32", "height": "66", "rx": "2", "fill": "none", "stroke": "currentColor",
    "stroke-width": ".8", "opacity": ".45",
}  # fmt: skip
_SPANISH_COURTS: Final = {"10": "J", "11": "N", "12": "K"}
_HORSE: Final = "M-9 7C-8-1-4-3-4-8L0-6C7-6 11 0 10 7H3C5 3 2 1-1 1-4 3-5 5-9 7Z"
_LETTERS: Final = {"10": N_("V"), "11": N_("C"), "12": N_("R")}
"""The letters of the Spanish court cards: valet, cavalier, roi."""

_X: Final = (18.0, 30.0, 42.0)
_SPOTS: Final[dict[str, tuple[tuple[int, float], ...]]] = {  # column, height from 0 to 1
    "1": ((1, 0.5),),
    "2": ((1, 0), (1, 1)),
    "3": ((1, 0), (1, 0.5), (1, 1)),
    "4": ((0, 0), (2, 0), (0, 1), (2, 1)),
    "5": ((0, 0), (2, 0), (1, 0.5), (0, 1), (2, 1)),
    "6": ((0, 0), (2, 0), (0, 0.5), (2, 0.5), (0, 1), (2, 1)),
    "7": ((0, 0), (2, 0), (1, 0.25), (0, 0.5), (2, 0.5), (0, 1), (2, 1)),
    "8": ((0, 0), (2, 0), (1, 0.25), (0, 0.5), (2, 0.5), (1, 0.75), (0, 1), (2, 1)),
    "9": ((0, 0), (2, 0), (0, 1 / 3), (2, 1 / 3), (1, 0.5), (0, 2 / 3), (2, 2 / 3), (0, 1), (2, 1)),
    "10": ((0, 0), (2, 0), (1, 1 / 6), (0, 1 / 3), (2, 1 / 3), (0, 2 / 3), (2, 2 / 3), (1, 5 / 6), (0, 1), (2, 1)),
}


def name_of(card: str) -> str:
    """The id of a card's symbol."""
    return "c-" + card.replace(UNSEEN, "x")


def symbols(cards: Iterable[str], pack: Pack) -> Safe:
    """The symbols of these cards and of the suits in them, each once."""
    cards = sorted(set(cards))
    suits = sorted({card[-1] for card in cards} - {UNSEEN}) if pack.suits else []
    return join(*(_suit(suit, pack) for suit in suits), *(_card(card, pack) for card in cards))


def _suit(suit: str, pack: Pack) -> Safe:
    path = (_SPANISH_PATHS if pack is SPANISH40 else _PATHS)[suit]
    return tag("symbol", tag("path", d=path), id=f"s-{suit}", viewBox="-12 -12 24 24")


def _card(card: str, pack: Pack) -> Safe:
    rank, suit = rank_of(card), card[-1] if pack.suits else ""
    if pack is NUMBERED8:
        ink, body = _NUMBERED_INK[int(rank) - 1], _numbered(rank)
    elif suit == UNSEEN:
        ink, body = "#454b57", join(_letters("?", 30, 54, 34))
    elif pack is SPANISH40:
        ink = _SPANISH_INK[suit]
        body = _court(_LETTERS[rank], _SPANISH_COURTS[rank], suit) if rank in _LETTERS else _spots(rank, suit, 1.4)
    else:
        ink = _INK[suit]
        body = _pip(suit, 30, 42, 30) if rank == "A" else _french(rank, suit)
    corner = _corner(rank if pack is not NUMBERED8 else "", suit if suit != UNSEEN else "", pack)
    return tag(
        "symbol",
        tag("rect", x="1", y="1", width="58", height="82", rx="5", fill="#fdfcf8", stroke="#70757f"),
        tag("g", corner, tag("g", corner, transform="rotate(180 30 42)"), body, fill=ink, color=ink),
        id=name_of(card),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
    )


def _corner(rank: str, suit: str, pack: Pack) -> Safe:
    if not rank:
        return Safe("")
    label = rank_label(rank) if pack is not SPANISH40 else rank
    parts = [_letters(label, 7.5, 13.5, 12 if len(label) == 1 else 9.5)]
    if suit:
        parts.append(_pip(suit, 7.5, 20, 8))
    return join(*parts)


def _french(rank: str, suit: str) -> Safe:
    return _spots(rank, suit) if rank in _SPOTS else _court(rank_label(rank), rank, suit)


def _spots(rank: str, suit: str, scale: float = 1.0) -> Safe:
    """The pips of a number card; those of the lower half stand on their heads."""
    spots = _SPOTS[rank]
    size = 24.0 if len(spots) == 1 else 14.0 if len(spots) < 7 else 12.0
    size *= scale
    top, bottom = (17.0, 67.0) if len(spots) > 3 else (22.0, 62.0)
    return join(
        *(_pip(suit, _X[column], top + height * (bottom - top), size, turned=height > 0.5) for column, height in spots)
    )


def _court(letter: str, figure: str, suit: str) -> Safe:
    head = _HORSE if figure == "N" else _CROWNS[figure]
    return join(
        tag("rect", **_FRAME),
        tag("path", d=head, transform="translate(30 26)"),
        _letters(_(letter) if letter in _LETTERS.values() else letter, 30, 54, 25),
        _pip(suit, 30, 65, 13),
    )  # fmt: skip


def _numbered(rank: str) -> Safe:
    return join(
        tag("circle", cx="30", cy="42", r="20", fill="none", stroke="currentColor", stroke_width="1.2", opacity=".5"),
        _letters(rank, 30, 53.5, 34),
        _letters(rank, 8, 14, 12),
        tag("g", _letters(rank, 8, 14, 12), transform="rotate(180 30 42)"),
    )


def _pip(suit: str, x: float, y: float, size: float, turned: bool = False) -> Safe:
    half = size / 2
    turn = f"rotate(180 {_n(x)} {_n(y)})" if turned else None
    return tag(
        "use", href=f"#s-{suit}", x=_n(x - half), y=_n(y - half), width=_n(size), height=_n(size), transform=turn
    )


def _letters(label: str, x: float, y: float, size: float) -> Safe:
    return tag("text", label, x=_n(x), y=_n(y), font_size=_n(size), text_anchor="middle", class_="face")


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
