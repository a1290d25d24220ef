"""The totals that are announced in Truc y Flou (RULES.md F-21, F-40), in French and in Gascon."""

from __future__ import annotations

from collections.abc import Iterator

TOTALS = (0, *range(20, 42))
"""Totals that exist: no combination at all, or 20 and the points of the cards."""

_TENS = {20: "vingt", 30: "trente", 40: "quarante"}
_ONES = ("", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf")
_GASCON_TENS = {20: "bint", 30: "trenta", 40: "quaranta"}
_GASCON_ONES = ("", "un", "dus", "tres", "quate", "cinc", "shèis", "sèt", "ueit", "nau")
_SAID = {
    "bint": "binnt", "trenta": "trènta", "quaranta": "couarannta", "dus": "dusse", "tres": "tresse",
    "quate": "couaté", "cinc": "cinque", "shèis": "chèïsse", "sèt": "sète", "ueit": "ouèïte", "nau": "naou",
}  # fmt: skip
"""The Gascon words as French letters have them."""


def totals() -> Iterator[tuple[str, str, int]]:
    """(the words, the words as French letters have them, the total).

    >>> next(row for row in totals() if row[0] == "bint-e-sèt")
    ('bint-e-sèt', 'binnt é sète', 27)
    """
    yield from (("rien", "rien", 0), ("zéro", "zéro", 0))
    for total in TOTALS[1:]:
        ten, one = total // 10 * 10, total % 10
        french = _TENS[ten] + {0: "", 1: " et un"}.get(one, f"-{_ONES[one]}")
        yield french, french, total
        gascon = [_GASCON_TENS[ten], *([_GASCON_ONES[one]] if one else [])]
        yield "-e-".join(gascon), " é ".join(_SAID.get(word, word) for word in gascon), total
