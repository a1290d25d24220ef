"""How well decks that are shown once are read where their cards cover each other.

    python -m models.reader.recipe.enrol_eval --flat DIR --surfaces DIR

Decks that neither a training nor the fit of the comparison saw are enrolled from one rendered picture a card and
read in rendered scenes, half of them tricks, rows and heaps. Prints the part of the cards whose rank and name are
read, by how much of the card is seen, and the wrong readings. Photographs: `python -m calibration.measure`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from calibration.enrolment import Enroller
from vision.comparing import Comparison
from vision.decks import SHIPPED
from vision.enrolled import EnrolledDeck
from vision.reading import CardReader

from . import cards as source
from .compare import enrolled
from .table_scenes import deck_of, drawn_scene

KEPT = {"kde-gm-paris": "french32", "spanish-mcmd": "spanish40"}
"""Decks kept for measuring alone, and what they are like."""
SEED = 77_000
SHARES = ((0.95, 1.01), (0.9, 0.95), (0.5, 0.9), (0.25, 0.5))


def measured(deck: str, like: str, arguments: argparse.Namespace, tables: list[np.ndarray]) -> None:
    """Enrols and reads one deck, and prints what came of it."""
    pattern = SHIPPED[like]
    faces = deck_of({card: source.face(arguments.flat / deck / f"{card}.png", 300) for card in pattern.cards})
    rng = np.random.default_rng(SEED)
    shown = enrolled(Enroller(), pattern, faces, tables, rng, deck)
    reader = CardReader(EnrolledDeck(shown.file, Comparison.shipped()))
    there: Counter[int] = Counter()
    ranks, names, wrong, read = Counter(there), Counter(there), 0, 0
    for i in range(arguments.scenes):
        picked = [str(card) for card in rng.choice(list(faces), 4, replace=False)]
        scene = drawn_scene(rng, faces, picked, tables, apart=i % 2 == 0, widths=(70, 130))
        got = [s.card for s in reader.read(scene.image) if s.card is not None]
        got_ranks = Counter(map(pattern.rank_of, got))
        lying = Counter(pattern.rank_of(card.name) for card in scene.cards)
        wrong += sum((got_ranks - lying).values())
        read += len(got)
        for card in scene.cards:
            share = next((k for k, (low, high) in enumerate(SHARES) if low <= card.visible < high), None)
            if share is not None:
                there[share] += 1
                names[share] += card.name in got
                ranks[share] += got_ranks[pattern.rank_of(card.name)] > 0
    print(f"{deck}: {len(shown.cards)} of {len(pattern.cards)} cards enrolled; {wrong} of {read} ranks read wrong")
    for share, (low, high) in enumerate(SHARES):
        if there[share]:
            n = there[share]
            print(f"  {low:.2f} to {min(high, 1):.2f} seen: {n} cards, rank {ranks[share] / n:.3f}, ", end="")
            print(f"name {names[share] / n:.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flat", type=Path, required=True)
    parser.add_argument("--surfaces", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=50)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    tables = source.surfaces(arguments.surfaces)
    for deck, like in KEPT.items():
        measured(deck, like, arguments, tables)


if __name__ == "__main__":
    main()
