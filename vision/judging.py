"""Propose too much, let the reader judge.

The finders give more quads than there are cards, many of them a little off. How well a crop fits a card, how surely
it reads and how much of its sides is seen decide which quads are cards, which of several at one place is the
best, and, for doubtful ones, in which direction their sides have to move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import cv2
import numpy as np

from vision.crops import Picture, Pyramid
from vision.edges import edge_support, onto_edges
from vision.plane import CardSize
from vision.quads import Floats, areas, distinct, nudged, same_places, with_quarter_turns
from vision.reader import ReaderNet, Readings
from vision.usual import unusual, usual_size


@dataclass(frozen=True, slots=True)
class Gear:
    """How much work judging may do.

    Attributes:
        crops: at most so many proposals are read, those whose sides are seen best.
        first: placement below which a proposal is dropped at the first reading.
        most: at most so many proposals go on to the second reading.
        climb: at most so many doubtful quads are moved about; with 0 each quad is read only once.
        steps: the moves, as parts of the card's sides.
        bands: how far (x card width) sides may move onto brightness edges.
        both_ways: read what is kept also upside down.
        corners: at most so many corners that belong to no card found whole are read.
        least_heat: how sure the finder must be of them.
        asked: the corners of whole cards whose indices are read; 0 and 2 have one in every deck.
        on_top: also look at corners inside cards that leave no doubt.
    """

    crops: int = 110
    first: float = 0.15
    most: int = 60
    climb: int = 4
    steps: tuple[float, ...] = (0.09, 0.05)
    bands: tuple[float, ...] = (0.08, 0.18)
    both_ways: bool = True
    corners: int = 200
    least_heat: float = 0.0
    asked: tuple[int, ...] = (0, 1, 2, 3)
    on_top: bool = True


THOROUGH = Gear()
QUICK = Gear(crops=14, climb=0, bands=(0.1,), both_ways=False, corners=16, least_heat=0.3, asked=(0, 2), on_top=False)

NEARLY_SAME, ONE_CARD = 0.85, 0.7
"""Overlap of quads from which one of them is read: in the thorough gear, in the quick one."""
UNUSUAL = 0.7
"""Factor on the placement of a quad that is not as large as the other cards; matters where quads compete."""
SAME_UNION, SAME_INSIDE = 0.35, 0.65
SURE, DOUBTFUL, HOPELESS, ALL_SEEN = 0.88, 0.85, 0.12, 0.8
LEAST = 0.15
"""Score below which nothing is a card."""
SEEN_SIDES = 0.7
"""Part of a quad's placement that hangs on its sides being seen."""
OUTER = 0.15
"""Exponent of the area: of a card and the frame printed round its figure, both well seen, the card wins."""
ALIKE = 2.2
"""Quads whose areas differ by less than this may be the same card cut out differently."""

Liking = Callable[[Readings], np.ndarray]
"""How surely crops show a card of the deck at hand, whichever it is, given that they show a card: (N,), 0 to 1."""


def any_card(readings: Readings) -> np.ndarray:
    """Liking for decks whose ranks the reader does not know: a card is a card."""
    return np.ones_like(readings.quality)


def judged(
    picture: Picture,
    pyramid: Pyramid,
    proposals: Floats,
    reader: ReaderNet,
    gear: Gear,
    liking: Liking,
    known: CardSize | None = None,
) -> tuple[Floats, Readings, np.ndarray]:
    """The proposals that are cards, no two at one place, best first; ``known``: how large cards are there.

    Returns:
        Quads (N, 4, 2), what the reader says of them, and the share of their sides that is seen, (N,).
    """
    if not len(proposals):
        return proposals, reader.read(pyramid.crops(proposals)), np.zeros(0, np.float32)
    pick = _picked if gear.climb else _picked_quickly
    quads, readings, support = pick(picture, pyramid, proposals, reader, gear, liking)
    placed, score = placement(support, readings, liking), liking(readings) * readings.quality
    placed = np.where(unusual(quads, usual_size(quads, score, known)), UNUSUAL * placed, placed)
    kept = [k for k in one_a_place(quads, placed, score) if score[k] >= LEAST]
    quads, readings, support = quads[kept], readings.of(kept), support[kept]
    if gear.both_ways:
        readings = reader.read(pyramid.crops(quads))
    return quads, readings, support.mean(1)


def _picked(
    picture: Picture, pyramid: Pyramid, proposals: Floats, reader: ReaderNet, gear: Gear, liking: Liking
) -> tuple[Floats, Readings, np.ndarray]:
    """Quads that may be cards, several variants of each: quads (N, 4, 2), readings, support of the sides (N, 4)."""
    quads, support = _best_seen(picture, with_quarter_turns(proposals), NEARLY_SAME, gear.crops)
    first = reader.read(pyramid.crops(quads), both_ways=False)
    placed = placement(support, first, liking)
    order = np.argsort(-placed, kind="stable")
    order = order[placed[order] >= gear.first]
    order = order[distinct(quads[order], 0.8, gear.most)]
    order = order[_unexplained(quads[order], (liking(first) * first.quality)[order])]
    quads, first, support = quads[order], first.of(order), support[order]
    moved = _climbed(picture, pyramid, quads, liking(first) * first.quality, support, reader, gear, liking)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    variants = np.concatenate([quads, moved, *(onto_edges(grey, moved, band) for band in gear.bands)])
    kept = np.array(distinct(variants, 0.985), int)
    known, new = kept[kept < len(quads)], kept[kept >= len(quads)]
    readings = joined(first.of(known), reader.read(pyramid.crops(variants[new]), both_ways=False))
    everything = variants[np.concatenate([known, new])]
    return everything, readings, edge_support(picture, everything)


def _picked_quickly(
    picture: Picture, pyramid: Pyramid, proposals: Floats, reader: ReaderNet, gear: Gear, liking: Liking
) -> tuple[Floats, Readings, np.ndarray]:
    """As ``_picked``, each quad read once: which of a quad and its neighbours is best is left to their sides."""
    quads = with_quarter_turns(proposals)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    variants = np.concatenate([quads, *(onto_edges(grey, quads, band) for band in gear.bands)])
    quads, support = _best_seen(picture, variants, ONE_CARD, gear.crops)
    return quads, reader.read(pyramid.crops(quads), both_ways=False), support


def _best_seen(picture: Picture, quads: Floats, alike: float, most: int) -> tuple[Floats, np.ndarray]:
    """Of quads that nearly coincide the one whose sides are seen best (reading is the dear part), and the
    support of their sides, (N, 4)."""
    support = edge_support(picture, quads)
    order = np.argsort(-support.mean(1), kind="stable")
    order = order[distinct(quads[order], alike, most)]
    return quads[order], support[order]


def joined(a: Readings, b: Readings) -> Readings:
    """The readings of all of ``a``, then of all of ``b``."""
    return Readings(*(np.concatenate([getattr(a, field.name), getattr(b, field.name)]) for field in fields(a)))


def placement(support: np.ndarray, readings: Readings, liking: Liking) -> np.ndarray:
    """How well each quad lies on a card, (N,): that its sides are seen (``support``, (N, 4)) counts more than
    which card it is."""
    return np.asarray(readings.quality * liking(readings) ** 0.25 * _seen(support))


def one_a_place(quads: Floats, placed: np.ndarray, score: np.ndarray) -> list[int]:
    """Indices of the quads to keep, best placed first, so that no two claim one place.

    Among quads of about one size the better placed wins. A quad inside a much larger one (a pip or a court
    figure in a card, a card in a blob of cards) is weighed by area x placement^4 x score^3: a figure that
    happens to read well has no sides and does not beat the whole card, but well-placed cards beat the blob
    round them.
    """
    area, rivals = areas(quads), same_places(quads, SAME_UNION, SAME_INSIDE)

    def greedy(order: list[int], ratio: float) -> list[int]:
        kept: list[int] = []
        for i in order:
            alike = (k for k in kept if max(area[i], area[k]) < ratio * min(area[i], area[k]))
            if not any(rivals[i, k] for k in alike):
                kept.append(i)
        return kept

    best_of_size = greedy([int(i) for i in np.argsort(-placed * area**OUTER, kind="stable")], ALIKE)
    by_weight = sorted(best_of_size, key=lambda i: -float(area[i]) * float(placed[i]) ** 4 * float(score[i]) ** 3)
    return sorted(greedy(by_weight, np.inf), key=lambda i: -float(placed[i]))


def _unexplained(quads: Floats, score: np.ndarray) -> list[int]:
    """Indices of the quads that do not lie where a sure card lies: the others need no more work."""
    area, same = areas(quads), same_places(quads, SAME_UNION, SAME_INSIDE)
    sure: list[int] = []
    kept: list[int] = []
    for i in range(len(quads)):  # best first
        rivals = (k for k in sure if area[i] < ALIKE * area[k])
        if any(same[i, k] for k in rivals):
            continue
        kept.append(i)
        if score[i] >= SURE:
            sure.append(i)
    return kept


def _climbed(
    picture: Picture,
    pyramid: Pyramid,
    quads: Floats,
    score: np.ndarray,
    support: np.ndarray,
    reader: ReaderNet,
    gear: Gear,
    liking: Liking,
) -> Floats:
    """Doubtful quads with their sides moved to where the reader likes them better and they are seen better.

    A quad all of whose sides are seen is left as it is: if it reads badly, its place is not to blame.
    """
    quads, score = quads.copy(), score * _seen(support)
    doubtful = np.flatnonzero((score > HOPELESS) & (score < DOUBTFUL) & (support.min(1, initial=1) < ALL_SEEN))
    doubtful = doubtful[np.argsort(-score[doubtful], kind="stable")][: gear.climb]
    for step in gear.steps if len(doubtful) else ():
        tried = nudged(quads[doubtful], step)
        flat = tried.reshape(-1, 4, 2)
        said = reader.read(pyramid.crops(flat), both_ways=False)
        like = liking(said) * said.quality * _seen(edge_support(picture, flat))
        like = like.reshape(tried.shape[:2])
        best = like.argmax(1)
        better = like.max(1) > score[doubtful]
        moved = doubtful[better]
        quads[moved] = tried[np.flatnonzero(better), best[better]]
        score[moved] = like.max(1)[better]
    return quads


def _seen(support: np.ndarray) -> np.ndarray:
    """Factor for how much of the sides is seen, (N, 4) -> (N,), 1 where all is."""
    return np.asarray(1 - SEEN_SIDES * (1 - support.mean(1)))
