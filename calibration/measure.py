"""How well decks that are shown once are read.

    python -m calibration.measure [--laid-out] DIR...

A folder with ``gallery/`` (pictures named by their cards) and ``scenes/labels.jsonl`` is enrolled from the one
and read on the other. A folder with ``labels.jsonl`` alone is enrolled from its first picture of each single card
and read on all its other pictures. Prints ranks found, ranks read wrong, cards seen but not read, whole pictures.

With ``--laid-out`` the pictures of ``scenes/`` are taken for a pack that is laid out in any order, without names: how
many cards are found, how many name themselves, and how many of those wrongly.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from calibration.enrolment import Enroller, View, pictures_in
from calibration.laid_out import PackReader
from vision.comparing import Comparison
from vision.decks import PATTERNS, Deck
from vision.enrolled import EnrolledDeck
from vision.pictures import load_picture
from vision.reading import CardReader

Row = dict[str, Any]
"""A labelled picture: ``file``, ``cards``, perhaps ``partial``, ``scene``."""
FITTING = ("french32", "french52", "spanish40", "spanish48", "numbered8")
"""Patterns from the narrowest to the widest of each family."""


@dataclass
class Count:
    """What was read: ranks there, found, and read wrong; cards found with their suit; cards seen but not read;
    pictures, and those in which every rank is right."""

    there: int = 0
    found: int = 0
    wrong: int = 0
    cards: int = 0
    unread: int = 0
    pictures: int = 0
    whole: int = 0

    def add(self, got: list[str], row: Row, unread: int, deck: Deck) -> None:
        """Compares what was read with what lies there; half-hidden cards count neither way."""
        partial = row.get("partial") or []
        read, want = Counter(map(deck.rank_of, got)), Counter(map(deck.rank_of, row["cards"]))
        hits = sum((read & want).values())
        extra = read - want
        allowed = Counter(deck.rank_of(_card(p)) for p in partial) if isinstance(partial, list) else extra
        excused = sum((extra & allowed).values())
        if isinstance(partial, int):
            excused = min(excused, partial)
        wrong = sum(extra.values()) - excused
        self.there += sum(want.values())
        self.found += hits
        self.wrong += wrong
        self.cards += sum((Counter(got) & Counter(row["cards"])).values())
        self.unread += unread
        self.pictures += 1
        self.whole += hits == sum(want.values()) and not wrong

    def __str__(self) -> str:
        def share(n: int, of: int) -> str:
            return f"{n / max(1, of):.3f}"

        return (
            f"{self.there} cards in {self.pictures} pictures: rank {share(self.found, self.there)}, "
            f"card {share(self.cards, self.there)}, wrong {share(self.wrong, self.there)} ({self.wrong}), "
            f"unread {self.unread}, whole pictures {self.whole}"
        )


def _card(partial: Any) -> str:
    return partial if isinstance(partial, str) else str(partial.get("card") or "")


def _rows(labels: Path) -> list[Row]:
    return [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines() if line.strip()]


def pattern_for(cards: set[str]) -> Deck:
    """The narrowest pattern that has all the cards."""
    return next(PATTERNS[name] for name in FITTING if cards <= set(PATTERNS[name].cards))


def split(folder: Path) -> tuple[dict[str, Path], list[tuple[Path, Row]]]:
    """The pictures to enrol from, by card, and the pictures to read."""
    if (folder / "gallery").is_dir():
        scenes = folder / "scenes"
        shown: dict[str, Path] = {}
        for pattern in (PATTERNS[name] for name in FITTING):
            named = pictures_in(folder / "gallery", pattern)[0]
            if len(named) > len(shown):
                shown = {card: path for path, card in reversed(named)}
        return shown, [(scenes / row["file"], row) for row in _rows(scenes / "labels.jsonl")]
    shown, queries = {}, []
    for row in _rows(folder / "labels.jsonl"):
        path = folder / row["file"]
        if row["scene"] == "single" and len(row["cards"]) == 1 and row["cards"][0] not in shown:
            shown[row["cards"][0]] = path
        else:
            queries.append((path, row))
    return shown, queries


def measured(folder: Path, verbose: bool = False) -> Count:
    """Enrols and reads one folder, and prints what came of it."""
    shown, queries = split(folder)
    pattern = pattern_for(set(shown))
    enroller, began = Enroller(), time.perf_counter()
    views: list[View] = [enroller.view(load_picture(path), card) for card, path in shown.items()]
    deck = EnrolledDeck(enroller.deck(folder.name, pattern, "", views), Comparison.shipped())
    spent = (time.perf_counter() - began) / max(1, len(views))
    alike = [f"{a}/{b} {s:.2f}" for a, b, s in deck.alike()]
    print(
        f"{folder.name}: like {pattern.name}, {len(shown)} pictures shown ({1000 * spent:.0f} ms each), "
        f"{len(deck.cards)} cards enrolled, look-alikes: {', '.join(alike[:8]) or 'none'}",
        flush=True,
    )
    count, reader = Count(), CardReader(deck)
    for path, row in queries:
        if not set(row["cards"]) <= set(deck.cards):
            row = {**row, "cards": [card for card in row["cards"] if card in deck.cards]}
        sightings = reader.read(load_picture(path))
        got = [s.card for s in sightings if s.card is not None]
        before = count.whole
        count.add(got, row, sum(s.card is None for s in sightings), pattern)
        if verbose and count.whole == before:
            print(f"  {path.name}: {sorted(row['cards'])} read as {sorted(got)}")
    if queries:
        print(f"{folder.name}: {count}", flush=True)
    return count


def laid_out(folder: Path) -> None:
    """Lets the cards of all scenes of one folder name themselves, none being known, and prints what came of it."""
    shown, queries = split(folder)
    reader = PackReader(pattern_for(set(shown)), Enroller())
    there = found = named = right = 0
    for path, row in queries:
        cards = reader.cards(path, load_picture(path), None)
        names = Counter(card.card for card in cards if card.card is not None)
        there, found, named = there + len(row["cards"]), found + len(cards), named + sum(names.values())
        right += sum((names & Counter(row["cards"])).values())
    print(f"{folder.name}: {there} cards laid out, {found} found, {named} named themselves, {named - right} wrongly")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="name the pictures that are not right")
    parser.add_argument("--laid-out", action="store_true", help="let the cards of the scenes name themselves")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in arguments.folders:
        if arguments.laid_out:
            laid_out(folder)
        else:
            measured(folder, arguments.list)


if __name__ == "__main__":
    main()
