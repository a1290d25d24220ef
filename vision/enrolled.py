"""A deck that was shown once: its cards are named by comparing crops with the pictures that were shown.

Any deck can be enrolled, with indices or without, of any family: nothing here knows what is printed on a card. A
crop that is like none of the cards stays unread (``None``), never the nearest guess.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from vision.candidates import Candidates
from vision.comparing import Comparison, features
from vision.confidence import Confidence
from vision.deck_file import DeckFile, crop_of, load
from vision.decks import Deck
from vision.letters import LETTERS
from vision.looks import Looks, correlation, looks_of
from vision.naming import GUESSES, NOTHING, SUIT_SURE, Name
from vision.reader import ReaderNet, Readings
from vision.weights import MODELS

TAKEN = 0.1
"""What is left of the share of a card all of whose copies are named already: a crop that is most like it is
rather that card once more (a hand's shadow, a second quad) than the next one."""
COVERED = 0.3
"""Weight of the likeness of a card of which little more than an index is seen: most of its crop is other cards."""
LOOKS = 4.0
"""What correlations of looks (-1 to 1) times this add to the logarithms of the cards' shares: half as much as the
likeness of the reader's vectors, with which the right card leads the next by the most."""
FAINT = 1e-4
"""The least share that the reader's own reading leaves a card: letters may be misread."""


@dataclass(frozen=True, eq=False)
class EnrolledDeck:
    """What was shown, and how crops are compared with it.

    Attributes:
        file: what the deck's file holds; its vectors are those of the reader at work.
        comparison: what turns likeness into probability.
    """

    file: DeckFile
    comparison: Comparison

    @cached_property
    def letters_alone(self) -> Confidence:
        """How sure an index is that is all that is seen of a card."""
        return Confidence.shipped()

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.file.name

    @property
    def like(self) -> Deck:
        """The pattern whose names its cards have."""
        return self.file.like

    @property
    def lettered(self) -> bool:
        """Whether its cards have French ranks and suits."""
        return self.like.family == "french"

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards that were shown, in the pattern's order."""
        shown = {s.card for s in self.file.shown}
        return tuple(card for card in self.like.cards if card in shown)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the cards that were not shown yet."""
        return tuple(card for card in self.like.cards if card not in self.cards)

    @property
    def by_looks(self) -> bool:
        """Any deck compares them."""
        return True

    @cached_property
    def _looks(self) -> Looks:
        return looks_of(np.stack([crop_of(shown) for shown in self.file.shown]))

    @cached_property
    def _of(self) -> np.ndarray:
        """Which of ``cards`` each picture shows, (M,)."""
        return np.array([self.cards.index(shown.card) for shown in self.file.shown])

    def likeness(self, vectors: np.ndarray) -> np.ndarray:
        """How like each card crops are: cosines (N, len(cards)) with the most similar picture of each card."""
        return self._by_card(vectors @ self.file.vectors.T)

    def _by_card(self, every: np.ndarray) -> np.ndarray:
        """Of the pictures of each card the one that agrees most: (N, M) to (N, len(cards))."""
        return np.stack([every[:, self._of == c].max(1, initial=-1) for c in range(len(self.cards))], 1)

    def alike(self) -> list[tuple[str, str, float]]:
        """Pairs of different cards that are easily taken for each other, and their likeness; most alike first."""
        likeness, of = self.likeness(self.file.vectors), self._of.tolist()
        pairs: dict[tuple[int, int], float] = {}
        for row, a in zip(likeness, of, strict=True):
            for b in np.flatnonzero(row > self.comparison.alike):
                if a != b:
                    pair = (min(a, int(b)), max(a, int(b)))
                    pairs[pair] = max(pairs.get(pair, -1.0), float(row[b]))
        return [(self.cards[a], self.cards[b], s) for (a, b), s in sorted(pairs.items(), key=lambda p: -p[1])]

    def liking(self, readings: Readings) -> np.ndarray:
        """A card is a card, whatever the reader makes of its letters, (N,)."""
        return np.ones_like(readings.quality)

    def names(self, found: Candidates) -> list[Name]:
        """One name a candidate.

        The surest one is named first; a card all of whose copies are named is ruled out for the others.
        """
        count = len(found)
        if not count:
            return []
        likeness = self.likeness(found.readings.vectors)
        letters = self.comparison.letters.get(self.like.family, 0.0) * self.letters(found.readings)
        shares = self._shares(np.where(found.alone[:, None], COVERED, 1) * likeness, letters + self._looks_say(found))
        own = owned(letters)
        left = dict.fromkeys(self.cards, self.like.copies)
        out: list[Name] = [NOTHING] * count
        waiting = list(range(count))
        while waiting:
            free = np.array([left[card] > 0 for card in self.cards])
            named = self._named(found.of(waiting), likeness[waiting], shares[waiting], own[waiting], free)
            read = [k for k in range(len(waiting)) if named[k].card is not None]
            if not read:
                for k, i in enumerate(waiting):
                    out[i] = named[k]
                break
            best = max(read, key=lambda k: named[k].confidence)
            name = named[best]
            if name.card in left:  # not so "7?"
                left[name.card] -= 1
            out[waiting.pop(best)] = name
        return out

    def letters(self, readings: Readings) -> np.ndarray:
        """Logarithm of what the reader itself reads for each card, (N, len(cards)): a second witness beside the
        likeness where it knows the family of the deck, zeros where it does not.
        """
        printed = LETTERS.get(self.like.family)
        if printed is None:
            return np.zeros((len(readings.quality), len(self.cards)))
        ranks, suits = printed.of(readings)
        rank_words, suit_words = printed.words
        rank = ranks[:, [rank_words.index(self.like.rank_of(card)) for card in self.cards]]
        suit = suits[:, [suit_words.index(card[-1]) for card in self.cards]]
        return np.asarray(np.log(np.maximum(rank, FAINT)) + np.log(np.maximum(suit, FAINT)))

    def _looks_say(self, found: Candidates) -> np.ndarray:
        """What looks add to the logarithm of each card's share, (N, len(cards)): nothing where the card is covered."""
        if found.looks is None:
            return np.zeros((len(found), len(self.cards)))
        agree = self._by_card(correlation(found.looks, self._looks))
        return np.where(found.alone[:, None], 0, LOOKS * agree)

    def _shares(self, likeness: np.ndarray, letters: np.ndarray) -> np.ndarray:
        """How probable each card is among the deck's cards, (N, len(cards)); rows sum to 1."""
        log = self.comparison.sharpness * likeness + letters
        share = np.exp(log - log.max(1, keepdims=True))
        return np.asarray(share / share.sum(1, keepdims=True))

    def _named(
        self, found: Candidates, likeness: np.ndarray, shares: np.ndarray, own: np.ndarray, free: np.ndarray
    ) -> list[Name]:
        """The best names as things stand; ``free``: which cards still have a copy to name."""
        shares = np.where(free, shares, TAKEN * shares)
        shares = shares / shares.sum(1, keepdims=True)
        open_shares = np.where(free, shares, 0)
        ranks = list(dict.fromkeys(map(self.like.rank_of, self.cards)))
        of = np.array([ranks.index(self.like.rank_of(card)) for card in self.cards])
        by_rank = np.stack([open_shares[:, of == r].sum(1) for r in range(len(ranks))], 1)
        best = by_rank.argmax(1)
        rows = np.arange(len(best))
        closest = np.where(free & (of == best[:, None]), likeness, -1).max(1)
        share = by_rank[rows, best]
        known = features(closest, share, own, found.readings.quality, found.seen)
        sure = self.comparison.probability(self.like.family, known)
        if self.lettered:  # where an index is all that is seen, it decides
            sure = np.where(found.alone, self.letters_alone.of_indices(share, found.index, found.seen), sure)
        return [
            self._name(float(sure[i]), ranks[best[i]], np.where(of == best[i], open_shares[i], 0), shares[i])
            for i in rows
        ]

    def _name(self, sure: float, rank: str, within: np.ndarray, shares: np.ndarray) -> Name:
        """The name of one crop whose rank is ``rank`` with probability ``sure``; ``within``: shares of its cards."""
        order = np.argsort(-shares, kind="stable")[:GUESSES]
        guesses = tuple((self.cards[c], round(float(shares[c]) * sure, 4)) for c in order)
        if sure < self.comparison.rank_sure or not within.any():
            return Name(None, sure if within.any() else 0.0, guesses)
        card = int(within.argmax())
        part = float(within[card] / within.sum())
        if part < SUIT_SURE:
            return Name(rank + "?", sure, guesses)
        return Name(self.cards[card], sure * part, guesses)


def owned(letters: np.ndarray) -> np.ndarray:
    """Logarithm of what the reader's own reading leaves to the cards of the deck, (N,), from the weighed logarithms
    of what it leaves to each, (N, C): near 0 where it reads one of them, far below where it reads another."""
    return np.asarray(letters.max(1, initial=-np.inf) if letters.shape[1] else np.zeros(len(letters)))


@cache
def reader_hash() -> str:
    """Which weights the reader at work has: vectors of other weights mean nothing to it."""
    path = MODELS / "reader/reader.onnx"
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


def at_work(deck: DeckFile, reader: ReaderNet | None = None) -> DeckFile:
    """The deck with vectors of the reader at work, made anew from its pictures where its weights have changed.

    Raises:
        BrokenDeck: a picture cannot be decoded.
    """
    if deck.weights == reader_hash():
        return deck
    crops = np.stack([crop_of(shown) for shown in deck.shown])
    vectors = (reader or ReaderNet()).read(crops).vectors
    return replace(deck, vectors=vectors, weights=reader_hash())


def enrolled_deck(path: Path) -> EnrolledDeck:
    """The deck in a file, ready to compare with.

    Raises:
        BrokenDeck: the file holds no deck.
    """
    return EnrolledDeck(at_work(load(path)), Comparison.shipped())
