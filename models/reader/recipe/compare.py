"""Fits how decks are compared (`vision/comparing.py`), on decks that no training saw.

    python -m models.reader.recipe.compare --flat DIR --surfaces DIR --fonts DIR [--prepared DIR --tables DIR]

Every deck is enrolled as a user would, from one rendered picture a card, and then found and read in rendered
scenes through the whole runtime; photographs that `prepare` set aside, of one real deck, come on top. All
candidates are judged again with their own card taken out of the deck: that is what an unknown card looks like.
Writes `models/reader/comparing.json` and prints what it is worth. To be run after every training of a net.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.enrolment import Enroller
from vision.comparing import FILE, OTHER, Comparison, features
from vision.decks import NUMBERED8, PATTERNS, SHIPPED
from vision.decks import Deck as Pattern
from vision.enrolled import EnrolledDeck, owned
from vision.letters import LETTERS
from vision.quads import iou
from vision.reading import CardReader
from vision.weights import MODELS

from . import cards as source
from . import drawn, drawn_numbers, drawn_spanish
from .letters import find_fonts
from .quads import box_of, box_overlap
from .table_scenes import Deck, Scene, deck_of, drawn_scene

FIRST = Comparison(
    sharpness=20.0,
    letters={"french": 0.5, "spanish": 0.1},
    rank={OTHER: (-6.0, 8.0, 0.5, 0.0, 0.5, 0.0)},
    rank_sure=0.6,
    alike=0.8,
)
"""To begin with, where no file is there yet."""
REAL_FACES = ("npm-letele", "npm-heruka", "anglo-geaxgx-photo")
"""Decks of real makers held out of training; the others that are held out are kept for measuring alone."""
SEED = 90_000
UNKNOWN = 0.15
"""Weight of a candidate that is judged again with its own card taken out of the deck: unknown cards are rare."""
SHARPNESS = (5.0, 8.0, 12.0, 16.0, 20.0, 25.0, 30.0, 40.0)
LETTER_WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0)
FLATTERED = 0.5
"""Part of the fitted weight of what the reader reads of Spanish decks: the decks of the fit are drawn as those of
its training are, real ones are not."""
CLOSE = 0.995
"""Of two cards of a deck that are more alike than this part of all pairs, the user is told."""


@dataclass(frozen=True)
class Row:
    """One candidate.

    Attributes:
        family: of the deck that it was compared with.
        ranks: (C,) the rank of each card of that deck.
        likeness: (C,) how like each card it is.
        letters: (C,) logarithm of what the reader reads for each card; zeros for decks that it cannot read.
        quality, seen: as the judge sees the candidate.
        card: number of the card that lies there, -1 where none does.
        visible: which part of it is seen.
    """

    family: str
    ranks: np.ndarray
    likeness: np.ndarray
    letters: np.ndarray
    quality: float
    seen: float
    card: int
    visible: float

    def without(self) -> Row:
        """The same candidate, had its card not been enrolled."""
        others = np.arange(len(self.likeness)) != self.card
        return replace(
            self, ranks=self.ranks[others], likeness=self.likeness[others], letters=self.letters[others], card=-1
        )


def development_decks(arguments: argparse.Namespace) -> dict[str, tuple[Pattern, Deck]]:
    """Decks that no training saw, with the pattern whose names they have."""
    french = SHIPPED["french32"]
    out: dict[str, tuple[Pattern, Deck]] = {}
    for folder in REAL_FACES:
        faces = {card: source.face(arguments.flat / folder / f"{card}.png", 300) for card in french.cards}
        out[folder] = french, deck_of(faces)
    fonts = find_fonts(arguments.fonts)
    flat = source.flat_faces(arguments.flat)
    courts: dict[tuple[str, str], list[np.ndarray]] = {}
    for name in source.COURTS_LENT:
        for card in flat.get(name, ()):
            if source.RANKS[card.rank] in "JQK":
                courts.setdefault((source.RANKS[card.rank], source.SUITS[card.suit]), []).append(card.image)
    for k in range(2):
        rng = np.random.default_rng(SEED + k)
        faces = {rank + suit: image for image, rank, suit in drawn.deck(rng, fonts, courts)}
        out[f"drawn French {k}"] = french, deck_of({card: faces[card] for card in french.cards})
        rng = np.random.default_rng(SEED + 10 + k)
        faces = {f"{rank}{suit}": image for image, rank, suit in drawn_spanish.deck(rng, fonts)}
        out[f"drawn Spanish {k}"] = SHIPPED["spanish40"], deck_of({c: faces[c] for c in SHIPPED["spanish40"].cards})
        rng = np.random.default_rng(SEED + 20 + k)
        numbers = drawn_numbers.deck(rng, fonts, drawn_numbers.symbols(arguments.fonts), 8)
        out[f"drawn numbers {k}"] = NUMBERED8, deck_of({str(i + 1): image for i, image in enumerate(numbers)})
    return out


def enrolled(
    enroller: Enroller, pattern: Pattern, deck: Deck, tables: list[np.ndarray], rng: np.random.Generator, name: str
) -> EnrolledDeck:
    """The deck, from one rendered picture a card."""
    views = []
    for card in deck:
        scene = Scene(np.zeros((1, 1, 3), np.uint8), ())
        while not scene.cards:
            scene = drawn_scene(rng, deck, [card], tables, widths=(90, 150))
        views.append(enroller.view(scene.image, card))
    return EnrolledDeck(enroller.deck(name, pattern, "", views), FIRST)


def compared(
    deck: EnrolledDeck, image: np.ndarray, fits: Callable[[np.ndarray], tuple[str, float] | None]
) -> list[Row]:
    """What the runtime finds in a picture; `fits` says which card lies under a quad, and how much of it is seen."""
    found = CardReader(deck).candidates(image)
    found = found.of(~found.alone)
    likeness, letters = deck.likeness(found.readings.vectors), deck.letters(found.readings)
    quality, seen = found.readings.quality, found.seen
    ranks = np.array([deck.like.rank_of(card) for card in deck.cards])
    rows, taken = [], set()
    for i in np.argsort(-quality * seen, kind="stable"):
        hit = fits(found.quads[i])
        if hit is not None:
            if hit in taken or hit[0] not in deck.cards:
                continue  # a second quad of one card, or a card that enrolling missed: neither right nor wrong
            taken.add(hit)
        card, visible = (deck.cards.index(hit[0]), hit[1]) if hit is not None else (-1, 1.0)
        rows.append(
            Row(deck.like.family, ranks, likeness[i], letters[i], float(quality[i]), float(seen[i]), card, visible)
        )
    return rows


def in_scene(scene: Scene) -> Callable[[np.ndarray], tuple[str, float] | None]:
    """Which card of a rendered scene lies under a quad."""

    def fits(quad: np.ndarray) -> tuple[str, float] | None:
        best = max(scene.cards, key=lambda c: iou(c.quad, quad), default=None)
        return (best.name, best.visible) if best is not None and iou(best.quad, quad) > 0.5 else None

    return fits


def rendered(arguments: argparse.Namespace, tables: list[np.ndarray]) -> tuple[list[Row], list[EnrolledDeck]]:
    """Candidates of rendered scenes of all development decks."""
    enroller, rows, decks = Enroller(), [], []
    for k, (name, (pattern, faces)) in enumerate(development_decks(arguments).items()):
        rng = np.random.default_rng(SEED + 100 + k)
        deck = enrolled(enroller, pattern, faces, tables, rng, name)
        own = []
        for i in range(arguments.scenes):
            picked = [str(card) for card in rng.choice(list(faces), min(5, len(faces)), replace=False)]
            scene = drawn_scene(rng, faces, picked, tables, apart=i % 2 == 0, widths=(60, 130))
            own += compared(deck, scene.image, in_scene(scene))
        report(name, own, deck.comparison)
        rows += own
        decks.append(deck)
    return rows, decks


def photographed(arguments: argparse.Namespace) -> list[Row]:
    """Candidates of photographs of the one real deck that `prepare` set aside, each card enrolled from its first."""
    pictures = [
        p
        for p in json.loads((arguments.prepared / "quads.json").read_text(encoding="utf-8"))
        if p["dev"] and p["source"] in source.ONE_DECK
    ]
    enroller, reader = Enroller(), CardReader(PATTERNS["french52"])
    found = []
    for picture in pictures[:: max(1, len(pictures) // arguments.photographs)]:
        image = cv2.imread(str(arguments.tables / picture["source"] / picture["file"]))
        truth = [(np.float32(card["box"]), card["rank"] + card["suit"]) for card in picture["cards"] if card["suit"]]
        found.append((image, truth, reader.candidates(image)))
    views, used = {}, set()
    for k, (image, truth, candidates) in enumerate(found):
        placed = candidates.readings.quality * candidates.seen
        for box, card in truth:
            fits = [i for i, quad in enumerate(candidates.quads) if box_overlap(box, box_of(quad)) > 0.8]
            if card not in views and fits and placed[fits].max() > 0.8:
                best = max(fits, key=lambda i: placed[i])
                views[card] = enroller.cut(image, candidates.quads[[best]], card)
                used.add(k)
    deck = EnrolledDeck(enroller.deck("photographs", PATTERNS["french52"], "", views.values()), FIRST)
    rows = []
    for k, (image, truth, _) in enumerate(found):
        if k not in used:
            rows += compared(deck, image, in_photograph(truth))
    report("photographs", rows, deck.comparison)
    return rows


def in_photograph(truth: list[tuple[np.ndarray, str]]) -> Callable[[np.ndarray], tuple[str, float] | None]:
    """Which card of a photograph lies under a quad, by the boxes that are known."""

    def fits(quad: np.ndarray) -> tuple[str, float] | None:
        best = max(truth, key=lambda t: box_overlap(t[0], box_of(quad)), default=None)
        return (best[1], 1.0) if best is not None and box_overlap(best[0], box_of(quad)) > 0.5 else None

    return fits


def shares(row: Row, comparison: Comparison) -> np.ndarray:
    """How probable each card of the deck is."""
    log = comparison.sharpness * row.likeness + comparison.letters.get(row.family, 0.0) * row.letters
    share = np.exp(log - log.max())
    return np.asarray(share / share.sum())


def judged(row: Row, comparison: Comparison) -> tuple[np.ndarray, bool]:
    """The features of the best rank, (6,), and whether it is right."""
    share = shares(row, comparison)
    best = max(dict.fromkeys(row.ranks), key=lambda rank: share[row.ranks == rank].sum())
    same = row.ranks == best
    own = owned(comparison.letters.get(row.family, 0.0) * row.letters[None])[0]
    facts = features(*(np.array(f) for f in (row.likeness[same].max(), share[same].sum(), own, row.quality, row.seen)))
    return facts, row.card >= 0 and bool(same[row.card])


def report(name: str, rows: list[Row], comparison: Comparison) -> None:
    """One line: how often the most probable card and rank are right, by how much of the card is seen."""
    parts = []
    for low, high in ((0.95, 1.01), (0.5, 0.95), (0.0, 0.5)):
        own = [row for row in rows if row.card >= 0 and low <= row.visible < high]
        if own:
            cards = np.mean([shares(row, comparison).argmax() == row.card for row in own])
            ranks = np.mean([judged(row, comparison)[1] for row in own])
            parts.append(f"{low:.2f} seen: {len(own)} cards, rank {ranks:.3f}, card {cards:.3f}")
    print(f"{name:22s} " + "; ".join(parts) + f"; {sum(row.card < 0 for row in rows)} others", flush=True)


def weighted_fit(x: np.ndarray, right: np.ndarray, weight: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Logistic regression by Newton's method, the constant not shrunk, no other coefficient below nought: nothing
    that speaks for a card may count against it."""
    kept = np.ones(x.shape[1], bool)
    while True:
        w, own = np.zeros(int(kept.sum())), x[:, kept]
        shrink = np.diag([0.0] + [ridge] * (len(w) - 1))
        for _ in range(40):
            p = 1 / (1 + np.exp(-own @ w))
            curvature = (own * (p * (1 - p) * weight)[:, None]).T @ own + shrink + 1e-9 * np.eye(len(w))
            w += np.linalg.solve(curvature, own.T @ ((right - p) * weight) - shrink @ w)
        if (w[1:] >= 0).all():
            out = np.zeros(x.shape[1])
            out[kept] = w
            return out
        kept[np.flatnonzero(kept)[1 + int(w[1:].argmin())]] = False


def fitted(rows: list[Row], decks: list[EnrolledDeck], precision: float) -> Comparison:
    """The comparison that suits the candidates best."""
    known = [row for row in rows if row.card >= 0 and row.quality > 0.2]

    def surprise(sharpness: float, letters: float, family: str) -> float:
        tried = replace(FIRST, sharpness=sharpness, letters={family: letters})
        own = [shares(row, tried)[row.card] for row in known if row.family == family]
        return float(-np.log(np.maximum(own, 1e-6)).sum())

    families = sorted({row.family for row in known})

    def best_letters(sharpness: float, family: str) -> float:
        return min(LETTER_WEIGHTS, key=lambda letters: surprise(sharpness, letters, family))

    sharpness = min(SHARPNESS, key=lambda s: sum(surprise(s, best_letters(s, family), family) for family in families))
    letters = {
        family: best_letters(sharpness, family) * (FLATTERED if family == "spanish" else 1)
        for family in families
        if family in LETTERS
    }
    chosen = replace(FIRST, sharpness=sharpness, letters=letters)
    both = rows + [row.without() for row in known]
    weight = np.where(np.arange(len(both)) < len(rows), 1.0, UNKNOWN)
    facts = [judged(row, chosen) for row in both]
    x, right = np.stack([fact for fact, _ in facts]), np.array([right for _, right in facts], float)
    group = np.array(["french" if row.family == "french" else OTHER for row in both])
    rank, p = {}, np.zeros(len(both))
    for name in np.unique(group):
        own = group == name
        found = weighted_fit(x[own], right[own], weight[own])
        rank[str(name)] = tuple(round(float(w), 4) for w in found)
        p[own] = 1 / (1 + np.exp(-x[own] @ found))
    order = np.argsort(-p)
    exact = np.cumsum((right * weight)[order]) / np.cumsum(weight[order])
    enough = np.flatnonzero(exact >= precision)
    sure = float(np.clip(p[order[enough[-1]]], 0.5, 0.9)) if len(enough) else 0.9
    pairs = np.concatenate([np.zeros(1), *(_between(deck) for deck in decks)])
    print_reliability(p[: len(rows)], right[: len(rows)], p[len(rows) :], sure)
    return Comparison(
        sharpness,
        letters,
        {OTHER: next(iter(rank.values())), **rank},
        round(sure, 3),
        round(float(np.quantile(pairs, CLOSE)), 3),
    )


def _between(deck: EnrolledDeck) -> np.ndarray:
    """Likeness of all pairs of different cards of a deck."""
    likeness = deck.likeness(deck.file.vectors)
    own = np.array([deck.cards.index(shown.card) for shown in deck.file.shown])
    return likeness[own[:, None] != np.arange(len(deck.cards))]


def print_reliability(p: np.ndarray, right: np.ndarray, unknown: np.ndarray, sure: float) -> None:
    """How right the confidences are."""
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
        inside = (p >= low) & (p < high)
        if inside.any():
            print(f"confidence {low:.2f} to {min(high, 1):.2f}: {inside.sum():4d}, right {right[inside].mean():.3f}")
    taken = p >= sure
    print(
        f"read from {sure:.3f}: of the right {(p[right > 0] >= sure).mean():.3f}, precision {right[taken].mean():.4f}; "
        f"unknown cards read: {(unknown >= sure).mean():.4f} of {len(unknown)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("flat", "surfaces", "fonts"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--prepared", type=Path)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--scenes", type=int, default=16, help="rendered scenes of each deck")
    parser.add_argument("--photographs", type=int, default=50)
    parser.add_argument("--precision", type=float, default=0.985, help="rank precision of what counts as read")
    parser.add_argument("--out", type=Path, default=MODELS / FILE)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rows, decks = rendered(arguments, source.surfaces(arguments.surfaces))
    if arguments.prepared and arguments.tables:
        rows += photographed(arguments)
    comparison = fitted(rows, decks, arguments.precision)
    facts = {name: getattr(comparison, name) for name in ("sharpness", "letters", "rank", "rank_sure", "alike")}
    arguments.out.write_text(json.dumps(facts) + "\n", encoding="utf-8")
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
