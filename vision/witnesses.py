"""What the corners say: an index is a second witness to each card, and often all that shows of a covered one.

The reader looks at whole cards and goes by pips and figures; the index reader looks at one corner and goes by its
letter. Where both speak of one card they are weighed together. Corners that belong to no card found so far
are those of cards under others, in a fan or cut by the picture's edge: they become cards of their own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.candidates import Candidates
from vision.crops import Pyramid
from vision.finder import INDEX_PLACE, Corners
from vision.indices import IndexNet, IndexReadings, windows
from vision.judging import joined
from vision.letters import FRENCH, Letters
from vision.plane import CardSize
from vision.quads import Floats, distinct, inside, short_sides
from vision.reader import ReaderNet, Readings
from vision.usual import relative_areas, usual_size

HEARD = 0.3
"""Index quality from which a corner has a say."""
LEAST = 0.5
"""Score of an index from which it stands for a card of its own."""
CLOSE = 0.13
"""Index places closer than this part of a card's width are one: the cards of a full fan lie hardly farther apart."""
APART = 0.3
"""Index places that say the same rank are one up to this part of a card's width."""
REACH = 0.9
"""Cards of one name whose middles are closer than this many widths are one card, seen at two corners."""
BESIDE = 0.6
"""A corner of the same rank that is no farther from one of a card's own corners than this is that one, badly seen."""
SURE = 0.5
"""Score from which a whole card counts where others claim its name."""
STRONG, ALL_SEEN = 0.9, 0.85
"""Score and share of the sides seen from which a whole card leaves no doubt."""
COVERED = 0.2
"""Exponent of what the whole crop says of a card of which only an index is seen: most of it is other cards."""
OTHER_SIZE = 1.25
"""A corner whose card seems larger or smaller than the others by this factor is also read at their size."""
STRANGE = 4.0
"""Factor of size at which a corner fits the other cards not at all."""
LEAST_FIT = 0.4
"""Fit of the size below which a corner is no card's: 2.3 times as wide as the others, or as narrow."""

_CORNER = np.array([0, 1, 2, 3])
_ALONG_SHORT = np.array([1, 0, 3, 2])
_ALONG_LONG = np.array([3, 2, 1, 0])


def index_places(quads: Floats) -> Floats:
    """Where each corner of each quad has its index, (N, 4, 2)."""
    quads = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    across = quads[:, _ALONG_SHORT] - quads[:, _CORNER]
    down = quads[:, _ALONG_LONG] - quads[:, _CORNER]
    return np.asarray(quads + INDEX_PLACE[0] * across + INDEX_PLACE[1] * down, np.float32)


def whole_cards(quads: Floats, readings: Readings, seen: np.ndarray, cut: np.ndarray | None = None) -> Candidates:
    """Cards found whole, before their indices are asked; ``cut``: (N,) bool, the picture's edge cuts them."""
    count = len(quads)
    alone = np.zeros(count, bool) if cut is None else cut
    readings = replace(readings, quality=np.where(alone, 0, readings.quality).astype(np.float32))
    return Candidates(quads, readings, np.where(alone, 0, seen), np.zeros(count, np.float32), alone)


def surest(found: list[Corners], most: int, least: float = 0.0) -> Corners:
    """The surest corners of several looks at one picture, at most ``most``, none twice, of ``least`` score."""
    quads = np.concatenate([np.zeros((0, 4, 2), np.float32), *(corners.quads for corners in found)])
    which = np.concatenate([np.zeros(0, np.intp), *(corners.which for corners in found)])
    score = np.concatenate([np.zeros(0, np.float32), *(corners.score for corners in found)])
    order = np.argsort(-score, kind="stable")
    order = order[score[order] >= least]
    order = order[distinct(quads[order], 0.9, most)]
    return Corners(quads[order], which[order], score[order])


class Witnesses:
    """Weighs whole cards with their indices and finds the cards of which only an index is seen."""

    def __init__(self, reader: ReaderNet, indices: IndexNet, letters: Letters = FRENCH) -> None:
        self._reader, self._indices, self._letters = reader, indices, letters

    def weighed(self, pyramid: Pyramid, whole: Candidates, asked: tuple[int, ...] = (0, 1, 2, 3)) -> Candidates:
        """The readings of whole cards times those of the corners ``asked``, as far as these show an index."""
        count, many = len(whole), len(asked)
        if not count:
            return whole
        own = self._indices.read(windows(pyramid, np.repeat(whole.quads, many, 0), np.tile(asked, count)))
        lent = _lent(whole.quads, self._letters.score(whole.readings))
        quality = np.where(lent[:, asked], 0, own.quality.reshape(count, many))
        say = np.where(quality >= HEARD, quality, 0)[..., None]
        trust = np.where(whole.alone, COVERED, 1)[:, None]
        ranks, suits = self._letters.of(whole.readings)
        letters = self._letters.said(own).reshape(count, many, -1)
        ranks = _product(ranks**trust, letters, say)
        if self._letters.suited:
            suits = _product(suits**trust, own.suits.reshape(count, many, -1), say)
        said = letters[np.arange(count), :, ranks.argmax(1)] * quality
        return replace(whole, readings=self._letters.put(whole.readings, ranks, suits), index=said.max(1))

    def heard(
        self,
        pyramid: Pyramid,
        whole: Candidates,
        corners: Corners,
        asked: tuple[int, ...] = (0, 1, 2, 3),
        known: CardSize | None = None,
        on_top: bool = True,
    ) -> Candidates:
        """The cards found whole, each weighed with its indices, then those found by an index alone.

        Args:
            pyramid: the picture.
            whole: the cards found whole.
            corners: the seen corners, surest first.
            asked: the corners of whole cards whose indices are read.
            known: how large cards are all over the picture, where earlier pictures of the table told.
            on_top: also look at corners inside cards that leave no doubt: another card may cover a little of them.
        """
        whole = self.weighed(pyramid, whole, asked)
        more, places, whole = self._alone(pyramid, whole, corners, known, on_top)
        if not len(more):
            return whole
        whole = whole.of(~_replaced(whole.quads, places))
        everything = together(whole, more)
        return everything.of(self._unclaimed(everything, len(whole)))

    def _alone(
        self, pyramid: Pyramid, whole: Candidates, corners: Corners, known: CardSize | None, on_top: bool
    ) -> tuple[Candidates, Floats, Candidates]:
        """A card for each seen corner that is none of the cards found whole, best first, no two at one place; the
        index places (N, 2); and the whole cards, vouched for by the corners that are theirs.
        """
        places = index_places(corners.quads)[np.arange(len(corners)), corners.which]
        score = self._letters.score(whole.readings)
        strong = (score >= STRONG) & (whole.seen >= ALL_SEEN) & ~whole.alone
        free = ~_near(places, whole.quads[strong])
        if not on_top:
            free &= ~inside(places, whole.quads[strong]).any(1)
        corners, places = Corners(corners.quads[free], corners.which[free], corners.score[free]), places[free]
        size = usual_size(whole.quads[~whole.alone], score[~whole.alone], known)
        quads, said, fit = self._read_at_size(pyramid, corners.quads, corners.which, places, size)
        letters = self._letters.said(said)
        sure = letters.max(1, initial=0) * said.quality
        order = np.argsort(-sure, kind="stable")
        order = order[(sure[order] >= LEAST) & (fit[order] >= LEAST_FIT)]
        ranks = self._letters.of(whole.readings)[0].argmax(1) if len(whole) else np.zeros(0, int)
        doubtful = np.where(strong, np.inf, score)
        whole = vouched(whole, ranks, places[order], letters[order].argmax(1), sure[order])
        order = order[~_owned(places[order], letters[order].argmax(1), sure[order], whole.quads, ranks, doubtful)]
        order = order[_apart(places[order], short_sides(quads[order]), letters[order].argmax(1))]
        quads, said, fit, letters = quads[order], said.of(order), fit[order], letters[order]
        readings = self._reader.read(pyramid.crops(quads), both_ways=False)
        one = np.ones((len(order), 1, 1))
        ranks, suits = self._letters.of(readings)
        ranks = _product(ranks**COVERED, letters[:, None], one)
        if self._letters.suited:
            suits = _product(suits**COVERED, said.suits[:, None], one)
        index = said.quality * letters[np.arange(len(order)), ranks.argmax(1)] if len(order) else fit
        readings = self._letters.put(readings, ranks, suits)
        return Candidates(quads, readings, fit, np.asarray(index), np.ones(len(order), bool)), places[order], whole

    def _unclaimed(self, found: Candidates, whole: int) -> list[int]:
        """Indices of the first ``whole`` cards, and of those after them that are not the other corner of a card
        that is there already: a card of the same name, as near as one card's corners are.
        """
        ranks, suits = self._letters.of(found.readings)
        name = ranks.argmax(1) * suits.shape[1] + suits.argmax(1)
        centre, width = found.quads.mean(1), short_sides(found.quads)
        score = self._letters.score(found.readings)
        there = [i for i in range(whole) if score[i] >= SURE]
        kept = list(range(whole))
        for i in range(whole, len(found)):
            away = np.linalg.norm(centre[there] - centre[i], axis=1)
            if not ((name[there] == name[i]) & (away < REACH * np.maximum(width[there], width[i]))).any():
                kept.append(i)
                there.append(i)
        return kept

    def _read_at_size(
        self, pyramid: Pyramid, quads: Floats, which: np.ndarray, places: Floats, size: CardSize | None
    ) -> tuple[Floats, IndexReadings, np.ndarray]:
        """The corners read at their own size or at that of the other cards, whichever reads better.

        Returns:
            Quads (N, 4, 2), readings, and how nearly the corner's own size was the usual one, (N,), 0 to 1.
        """
        said = self._indices.read(windows(pyramid, quads, which))
        if size is None:
            return quads, said, np.full(len(quads), 0.5, np.float32)
        factor = np.sqrt(1 / np.maximum(relative_areas(quads, size), 1e-3))
        fit = np.clip(1 - np.abs(np.log(factor)) / np.log(STRANGE), 0, 1)
        other = np.flatnonzero((np.abs(np.log(factor)) > np.log(OTHER_SIZE)) & (fit > 0))
        from_place = (quads[other] - places[other, None]) * factor[other, None, None]
        resized = np.asarray(places[other, None] + from_place, np.float32)
        again = self._indices.read(windows(pyramid, resized, which[other]))
        better = again.score > said.score[other]
        quads, kept = quads.copy(), other[better]
        quads[kept] = resized[better]
        choice = np.arange(len(quads))
        choice[kept] = len(quads) + np.flatnonzero(better)
        both = IndexReadings(
            np.concatenate([said.ranks, again.ranks]),
            np.concatenate([said.suits, again.suits]),
            np.concatenate([said.quality, again.quality]),
        )
        return quads, both.of(choice), np.asarray(fit, np.float32)


def together(a: Candidates, b: Candidates) -> Candidates:
    """All of both, in order."""
    return Candidates(
        np.concatenate([a.quads, b.quads]),
        joined(a.readings, b.readings),
        np.concatenate([a.seen, b.seen]),
        np.concatenate([a.index, b.index]),
        np.concatenate([a.alone, b.alone]),
    )


def vouched(whole: Candidates, ranks: np.ndarray, places: Floats, letters: np.ndarray, sure: np.ndarray) -> Candidates:
    """Whole cards whose own corners were read a little beside their place: a corner (M) near one of theirs that
    says their rank (N,) speaks for them.
    """
    if not len(whole) or not len(places):
        return whole
    theirs = (letters[:, None] == ranks) & (_away(places, whole.quads) < APART)
    return replace(whole, index=np.maximum(whole.index, np.where(theirs, sure[:, None], 0).max(0)))


def _lent(quads: Floats, score: np.ndarray) -> np.ndarray:
    """Which corners (N, 4) of quads lie where a better one has a corner: the index there is that one's."""
    places, width = index_places(quads), short_sides(quads)
    away = np.linalg.norm(places[:, :, None, None] - places, axis=-1)  # (N, 4, N, 4)
    one = away < CLOSE * np.minimum(width[:, None, None, None], width[:, None])
    return np.asarray((one & (score[:, None, None, None] < score[:, None])).any((2, 3)))


def _away(places: Floats, quads: Floats) -> np.ndarray:
    """How far places (M, 2) are from the nearest index place of quads (N, 4, 2), in widths of these: (M, N)."""
    away = np.linalg.norm(places[:, None, None] - index_places(quads), axis=3).min(2, initial=np.inf)
    return np.asarray(away / np.maximum(short_sides(quads), 1e-3))


def _near(places: Floats, quads: Floats) -> np.ndarray:
    """Which places (M, 2) are index places of the quads, (M,) bool."""
    return np.asarray((_away(places, quads) < CLOSE).any(1))


def _owned(
    places: Floats, letters: np.ndarray, sure: np.ndarray, quads: Floats, ranks: np.ndarray, score: np.ndarray
) -> np.ndarray:
    """Which corners are those of cards found whole, (M,) bool.

    A corner where a card has one is that card's, unless it contradicts the card more surely than that reads. One a
    little beside is a corner badly seen if the ranks agree.

    Args:
        places, letters, sure: of the corners: index place (M, 2), best rank (M,), and its score (M,).
        quads, ranks, score: of the cards (N): corners, best rank, score (infinite: it leaves no doubt).
    """
    if not len(quads) or not len(places):
        return np.zeros(len(places), bool)
    away = _away(places, quads)
    agree = letters[:, None] == ranks
    keeps = agree | (sure[:, None] <= score)
    return np.asarray((((away < CLOSE) & keeps) | ((away < BESIDE) & agree)).any(1))


def _replaced(quads: Floats, places: Floats) -> np.ndarray:
    """Which whole cards have a corner (M, 2) that now stands for a card of its own, (N,) bool."""
    return np.asarray((_away(places, quads) < CLOSE).any(0))


def _apart(places: Floats, widths: np.ndarray, ranks: np.ndarray) -> list[int]:
    """Indices of the places, first come first kept, of which no two belong to one corner."""
    kept: list[int] = []
    for i in range(len(places)):
        away = np.linalg.norm(places[kept] - places[i], axis=1)
        reach = np.where(ranks[kept] == ranks[i], APART, CLOSE)
        if not (away < reach * np.minimum(widths[kept], widths[i])).any():
            kept.append(i)
    return kept


def _product(whole: np.ndarray, parts: np.ndarray, say: np.ndarray) -> np.ndarray:
    """Distributions (N, K) times (N, M, K) to the power of ``say`` (N, M, 1), each normalised."""
    if not len(whole):
        return whole
    logs = np.log(np.maximum(whole, 1e-4)) + (say * np.log(np.maximum(parts, 1e-3))).sum(1)
    p = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(p / p.sum(1, keepdims=True), np.float32)
