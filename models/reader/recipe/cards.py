"""The cards a training run draws from: flat faces, real crops, cut-outs, letters changed, decks drawn.

Every card whose deck is known has a name, `deck/card`: views of one name are to get close vectors.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from . import drawn_numbers, drawn_spanish
from .drawn import deck, rounded
from .letters import ALPHABETS, all_letters, lettered
from .net import RANKS, SUITS

HEIGHT = 210
"""Cards are kept this high, in pixels: half as much again as the reader sees."""

LETTERING_HEIGHT = 300
"""Letters are found and changed at this height."""

HELD_OUT = (
    "kde-gm-paris",
    "npm-letele",
    "npm-heruka",
    "anglo-geaxgx-photo",
    "spanish-mcmd",
)
"""Decks that no training sees: simulated tables and tests use them."""

ONE_DECK = ("Quentin0312-poker-cards-yolo",)
"""Sources of photographs that show one and the same deck all through."""

SINGLE = "single"
"""Stands for the deck in the name of a crop of which there is one picture only, of a deck unknown."""

SWAPPED_LEAST = 44
"""Width in pixels from which on a court's letter, when it belongs to another figure, can be read."""

DEVELOPMENT_CROPS = ("te", "va")
"""Crops of cards53 whose names begin so are set aside for choosing."""

COURTS_LENT = (
    "ar-ancient_french",
    "ar-bellot",
    "ar-tigullio",
    "kde-tigullio-international",
    "ar-anglo",
    "ar-anglo_modern",
    "ar-lattmann",
    "ar-rheinland",
    "ar-orell",
    "kde-standard",
    "ar-guyenne-classic",
)
"""Decks whose court art the drawn decks borrow; the first four come close to the portrait de Paris."""


@dataclass(frozen=True)
class Card:
    """One card picture: BGRA bytes, French rank and suit as indices (-1: none or unknown), its kind, smaller copies.

    `spanish`: rank and suit as indices of a Spanish card. `name`: deck and card, empty where the deck is unknown;
    `identity`: the number of that name. `least`: width in pixels below which it is not shown.
    """

    image: np.ndarray
    rank: int
    suit: int
    kind: str
    smaller: tuple[np.ndarray, ...] = ()
    spanish: tuple[int, int] = (-1, -1)
    name: str = ""
    identity: int = -1
    least: float = 0

    def at(self, height: float) -> np.ndarray:
        """The smallest stored picture that is at least `height` pixels high."""
        return next((im for im in reversed(self.smaller) if im.shape[0] >= height), self.image)


def with_smaller(card: Card) -> Card:
    """The card with shrunk copies of itself, each two thirds of the one before, down to 50 pixels."""
    small, last = [], card.image
    while last.shape[0] > 75:
        last = cv2.resize(last, None, fx=2 / 3, fy=2 / 3, interpolation=cv2.INTER_AREA)
        small.append(last)
    return replace(card, smaller=tuple(small))


def index_of(name: str) -> tuple[int, int] | None:
    """'10h' -> (9, 2), 'K' -> (12, -1); None for what is no French-suited card."""
    suit = SUITS.index(name[-1]) if name[-1:] in SUITS else -1
    rank = name[:-1] if suit >= 0 else name
    return (RANKS.index(rank), suit) if rank in RANKS else None


def face(path: Path, height: int = HEIGHT) -> np.ndarray:
    """A flat face: transparent rim cut off, its inside on white, corners rounded; BGRA."""
    im = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if im is None:
        raise SystemExit(f"not a picture: {path.name}")
    if im.ndim == 2:
        im = cv2.cvtColor(im, cv2.COLOR_GRAY2BGRA)
    if im.shape[2] == 3:
        im = np.dstack([im, np.full(im.shape[:2], 255, np.uint8)])
    solid = im[..., 3] > 127
    rows, columns = np.where(solid.any(1))[0], np.where(solid.any(0))[0]
    im = im[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    a = im[..., 3:].astype(np.float32) / 255
    colours = (im[..., :3] * a + 255 * (1 - a)).astype(np.uint8)
    colours = cv2.resize(colours, (round(im.shape[1] * height / im.shape[0]), height), interpolation=cv2.INTER_AREA)
    return np.dstack([colours, rounded(*colours.shape[:2], 0.045 * colours.shape[1])])


def with_rim(rng: np.random.Generator, crop: np.ndarray) -> np.ndarray:
    """A tight real crop as a whole card: usual proportions, a rim of its own paper, round corners."""
    height = HEIGHT
    width = int(height * rng.uniform(0.64, 0.71))
    im = cv2.resize(crop[..., :3], (width, height), interpolation=cv2.INTER_LINEAR)
    edge = np.concatenate(
        [im[:3].reshape(-1, 3), im[-3:].reshape(-1, 3), im[:, :3].reshape(-1, 3), im[:, -3:].reshape(-1, 3)]
    ).astype(np.float32)
    light = edge.sum(1)
    paper = np.median(edge[light >= np.percentile(light, 60)], 0)
    rim = int(width * rng.uniform(0, 0.05))
    im = cv2.copyMakeBorder(im, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=tuple(paper.tolist()))
    h, w = im.shape[:2]
    radius = w * rng.uniform(0.03, 0.07)
    k = int(radius * 1.2) + 1  # what shows through the corners of the cut becomes paper
    for ys in (slice(0, k), slice(h - k, h)):
        for xs in (slice(0, k), slice(w - k, w)):
            corner = im[ys, xs]
            corner[np.abs(corner.astype(np.float32) - paper).sum(2) > 90] = paper.astype(np.uint8)
    return np.dstack([im, rounded(h, w, radius)])


def back(rng: np.random.Generator) -> np.ndarray:
    """The back of a card: a regular pattern, with or without a white margin."""
    h, w = HEIGHT, int(HEIGHT * rng.uniform(0.63, 0.72))
    im = np.full((h, w, 3), rng.uniform(225, 255), np.uint8)
    rim = int(w * rng.uniform(0, 0.09))
    first, second = rng.uniform(0, 220, 3), rng.uniform(0, 255, 3)
    y, x = np.mgrid[: h - 2 * rim, : w - 2 * rim].astype(np.float32)
    step = rng.uniform(6, 40)
    mix = [
        (x // step + y // step) % 2,
        (np.abs(np.sin((x + y) / step)) > 0.6) | (np.abs(np.sin((x - y) / step)) > 0.6),
        np.sin(np.hypot(x - w / 2, y - h / 2) / step * 3) > 0,
        np.zeros_like(x),
    ][int(rng.integers(4))].astype(np.float32)[..., None]
    im[rim : h - rim, rim : w - rim] = first * (1 - mix) + second * mix
    return np.dstack([im, rounded(h, w, w * 0.05)])


def flat_faces(
    folder: Path, only: Iterable[str] | None = None, height: int = LETTERING_HEIGHT
) -> dict[str, list[Card]]:
    """Flat decks by name, the held out ones left out (or just those of `only`)."""
    decks = {}
    for place in sorted(p for p in folder.iterdir() if p.is_dir()):
        if place.name in HELD_OUT if only is None else place.name not in only:
            continue
        cards = []
        for path in sorted(place.glob("*.png")):
            index = index_of(path.stem)
            if index is not None:
                cards.append(Card(face(path, height), *index, "flat", name=f"{place.name}/{path.stem}"))
        if cards:
            decks[place.name] = cards
    return decks


def real_crops(folder: Path, development: bool = False) -> list[Card]:
    """Crops of cards53 (folders named rank + suit): the part to train on, or the part set aside."""
    cards = []
    for place in sorted(p for p in folder.iterdir() if p.is_dir()):
        index = index_of(place.name)
        for path in sorted(place.glob("*.jpg")) if index else ():
            if path.name.startswith(DEVELOPMENT_CROPS) == development:
                im = cv2.imread(str(path))
                whole = np.dstack([im, np.full(im.shape[:2], 255, np.uint8)])
                cards.append(Card(whole, *index, "crop", name=f"{SINGLE}/{place.name}/{path.stem}"))
    return cards


def cut_outs(folder: Path, development: bool = False) -> list[Card]:
    """Cut-outs that `prepare` made of photographs."""
    cards = []
    for name, about in sorted(json.loads((folder / "cut.json").read_text(encoding="utf-8")).items()):
        index = index_of(about["rank"] + (about["suit"] or ""))
        if index is not None and about["dev"] == development:
            im = cv2.imread(str(folder / name))
            im = at_height(im, min(im.shape[0], HEIGHT))
            one = about["source"] in ONE_DECK and about["suit"]
            deck_and_card = f"{about['source']}/{about['rank']}{about['suit']}" if one else ""
            whole = np.dstack([im, rounded(*im.shape[:2], 0.055 * im.shape[1])])
            cards.append(Card(whole, *index, "cut", name=deck_and_card))
    return cards


def relettered(
    rng: np.random.Generator,
    cards: list[Card],
    fonts: list[str],
    alphabets: tuple[str, ...],
    swapped: bool = False,
) -> list[Card]:
    """Aces and courts of `cards` with the letters of other alphabets, where their letters can be found.

    `swapped`: courts only, each with the letter of another court. The card is then what its letter says.
    """
    out = []
    for card in cards:
        rank = RANKS[card.rank]
        if rank not in ("JQK" if swapped else "AJQK"):
            continue
        im = at_height(card.image, LETTERING_HEIGHT)
        places = all_letters(im)
        if places is None:
            continue
        for alphabet in alphabets:
            said = str(rng.choice([r for r in "JQK" if r != rank])) if swapped else rank
            changed = lettered(rng, im, ALPHABETS[alphabet][said], fonts, places)
            out.append(
                Card(
                    at_height(changed, HEIGHT),
                    RANKS.index(said),
                    card.suit,
                    ("swapped-" if swapped else "lettered-") + card.kind,
                    name=card.name if card.kind == "flat" and not swapped else "",
                    least=SWAPPED_LEAST if swapped else 0,
                )
            )
    return out


def at_height(image: np.ndarray, height: int) -> np.ndarray:
    """The picture scaled to a height."""
    scale = height / image.shape[0]
    size = (max(1, round(image.shape[1] * scale)), height)
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)


def rimmed(rng: np.random.Generator, cards: list[Card]) -> list[Card]:
    """Every second crop as a whole card with rim and round corners, the others as tight as they came."""
    return [replace(c, image=with_rim(rng, c.image)) if rng.random() < 0.5 else c for c in cards]


def drawn_decks(rng: np.random.Generator, fonts: list[str], count: int, flat: dict[str, list[Card]]) -> list[Card]:
    """`count` drawn decks of 52 cards, courts borrowed from the flat decks of COURTS_LENT."""
    courts: dict[tuple[str, str], list[np.ndarray]] = {}
    for name in COURTS_LENT:
        for card in flat.get(name, ()):
            if RANKS[card.rank] in "JQK":
                courts.setdefault((RANKS[card.rank], SUITS[card.suit]), []).append(card.image)
    cards = []
    for number in range(count):
        for im, rank, suit in deck(rng, fonts, courts):
            name = f"drawn{number}/{rank}{suit}"
            cards.append(Card(at_height(im, HEIGHT), RANKS.index(rank), SUITS.index(suit), "drawn", name=name))
    return cards


def spanish_decks(rng: np.random.Generator, fonts: list[str], count: int) -> list[Card]:
    """`count` drawn Spanish decks."""
    cards = []
    for number in range(count):
        for im, rank, suit in drawn_spanish.deck(rng, fonts):
            spanish = (rank - 1, drawn_spanish.SUITS.index(suit))
            name = f"spanish{number}/{rank}{suit}"
            cards.append(Card(at_height(im, HEIGHT), -1, -1, "spanish", spanish=spanish, name=name))
    return cards


def numbered_decks(rng: np.random.Generator, fonts: list[str], folder: Path, count: int) -> list[Card]:
    """`count` drawn decks of other games, which have names and no rank."""
    pictures, cards = drawn_numbers.symbols(folder), []
    for number in range(count):
        for i, im in enumerate(drawn_numbers.deck(rng, fonts, pictures)):
            cards.append(Card(at_height(im, HEIGHT), -1, -1, "numbered", name=f"numbered{number}/{i + 1}"))
    return cards


def spanish_index(name: str) -> tuple[int, int] | None:
    """'12o' -> (11, 3); None for what is no Spanish card."""
    rank, suit = name[:-1], name[-1:]
    if suit not in drawn_spanish.SUITS or not rank.isdigit() or not 1 <= int(rank) <= 12:
        return None
    return int(rank) - 1, drawn_spanish.SUITS.index(suit)


def held_out(folder: Path, name: str, height: int = HEIGHT) -> list[Card]:
    """The cards of one flat deck that no training sees, French or Spanish."""
    cards = []
    for path in sorted((folder / name).glob("*.png")):
        spanish = spanish_index(path.stem) if name.startswith("spanish") else None  # 2c is a card of both kinds
        french = index_of(path.stem)
        if spanish is None and french is not None and french[1] >= 0:
            cards.append(Card(face(path, height), *french, "flat", name=f"{name}/{path.stem}"))
        elif spanish is not None:
            cards.append(Card(face(path, height), -1, -1, "spanish", spanish=spanish, name=f"{name}/{path.stem}"))
    return cards


def with_identities(groups: dict[str, list[Card]]) -> tuple[dict[str, list[Card]], list[str]]:
    """The groups with every name numbered, and the names in the order of their numbers."""
    names = sorted({c.name for cards in groups.values() for c in cards if c.name})
    number = {name: i for i, name in enumerate(names)} | {"": -1}
    return {k: [replace(c, identity=number[c.name]) for c in v] for k, v in groups.items()}, names


def surfaces(folder: Path, longest: int = 500) -> list[np.ndarray]:
    """Bare tables, at most `longest` pixels a side."""
    out = []
    for path in sorted(folder.glob("*.jpg")):
        im = cv2.imread(str(path))
        scale = min(1.0, longest / max(im.shape[:2]))
        out.append(cv2.resize(im, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else im)
    return out


def digest(cards: Iterable[Card]) -> str:
    """Hash of what was trained on: the pixels and the names of all cards, in order."""
    h = hashlib.sha256()
    for card in cards:
        h.update(f"{card.kind} {card.rank} {card.suit} {card.image.shape}".encode())
        h.update(np.ascontiguousarray(card.image).tobytes())
    return h.hexdigest()[:16]
