"""What players are called at the table: "Marie", "le numéro deux", "c'était la place trois", "c'est à Marie de donner".

A name that stands alone answers the assistant's question about a player; one after "c'était", "c'est" or "non"
corrects who it was. Who deals is said between rounds. A place is ``seat 2`` or ``dealer 2``; ``dealer me`` is
whoever speaks, ``seat dealer`` whoever dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

SEATS = {"truc": 2, "truc-y-flou": 6}
"""Places of a game where nothing is known of its table; four in all others."""

_NUMBERS = ("un", "deux", "trois", "quatre", "cinq", "six")
_PLACES = ("le numéro", "le joueur", "la place")
_STARTS = ("", "c'était ", "c'est ", "non, ")


def numbered(game: str) -> tuple[str, ...]:
    """A table at which nobody has a name: an empty one for each place of ``game``."""
    return ("",) * SEATS.get(game, 4)


def seat_names(called: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The words for each place, and ``seat N``.

    Args:
        called: what the players are called, from place 1 on; empty where nobody has said.
    """
    for seat, ways in _ways(called):
        for way in ways:
            yield from ((start + way, f"seat {seat}") for start in _STARTS)
            if way.startswith(_PLACES):
                yield way.partition(" ")[2], f"seat {seat}"
    yield from ((start + "le donneur", "seat dealer") for start in _STARTS)


def dealer_names(called: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The words for who deals, and ``dealer N``; ``called`` as for ``seat_names``."""
    yield from ((text, "dealer me") for text in ("c'est moi qui donne", "c'est à moi de donner"))
    for seat, ways in _ways(called):
        event = f"dealer {seat}"
        for way in (*ways, f"le {_NUMBERS[seat - 1]}"):
            yield f"le donneur est {way}", event
            yield f"c'est {way} qui donne", event
            yield f"c'est {_to(way)} de donner", event
            yield f"{_to(way)} de donner", event


def _ways(called: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each place and what it is called; a name that two of them bear tells nothing."""
    often = Counter(called)
    for seat, name in enumerate(called, 1):
        places = tuple(f"{place} {_NUMBERS[seat - 1]}" for place in _PLACES)
        yield seat, (name, *places) if name and often[name] == 1 else places


def _to(way: str) -> str:
    """ "au numéro deux", "à la place deux", "à Marie" """
    return f"au {way[3:]}" if way.startswith("le ") else f"à {way}"
