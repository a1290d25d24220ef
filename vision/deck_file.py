"""The file of an enrolled deck: which pictures of its cards were shown, small, and what the reader made of them.

A zip archive with one JSON text (``deck.json``), the straightened pictures as JPEG (``shown/0.jpg`` ...) and the
vectors as plain little-endian numbers (``vectors.f32``). Nothing in it is ever executed, and nothing is taken on
trust: files travel by mail and on sticks, so every size is bounded before anything is read or decoded.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.crops import CROP_HEIGHT, CROP_WIDTH
from vision.decks import PATTERNS, Deck
from vision.errors import BrokenDeck

FORMAT = 1
"""Grows when older programs could not read the file."""
MOST_BYTES = 24 << 20
MOST_TEXT, MOST_THUMBNAIL = 1 << 20, 1 << 16
MOST_SHOWN, MOST_NUMBERS = 1024, 1024
"""Pictures a deck may hold, and numbers a vector may have."""
MOST_LETTERS = 200
"""Of a name or of the text about the ranking."""
JPEG_QUALITY = 92


@dataclass(frozen=True, slots=True)
class Shown:
    """One picture of a card that the deck was shown.

    Attributes:
        card: its name.
        light: number of the light condition, from 1: each enrolment adds one.
        thumbnail: the straightened card, 96x144, as JPEG.
    """

    card: str
    light: int
    thumbnail: bytes


@dataclass(frozen=True, eq=False, slots=True)
class DeckFile:
    """What the file of an enrolled deck holds.

    Attributes:
        name: what the user calls the deck.
        like: the pattern whose names its cards have (``PATTERNS``).
        ranking: the order of the cards in the game it is for, in words; may be empty.
        weights: hash of the reader that made the vectors.
        shown: the pictures.
        vectors: (N, D) float32 unit vectors, one a picture.
    """

    name: str
    like: Deck
    ranking: str
    weights: str
    shown: tuple[Shown, ...]
    vectors: np.ndarray


def thumbnail(crop: np.ndarray) -> bytes:
    """A straightened card (144, 96, 3) as it is kept."""
    return bytes(cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes())


def crop_of(shown: Shown) -> np.ndarray:
    """The picture of a card (144, 96, 3), BGR.

    Raises:
        BrokenDeck: it cannot be decoded.
    """
    crop = cv2.imdecode(np.frombuffer(shown.thumbnail, np.uint8), cv2.IMREAD_COLOR)
    if crop is None or crop.shape != (CROP_HEIGHT, CROP_WIDTH, 3):
        raise BrokenDeck("l'image de la carte {card} est illisible ; enregistrez le jeu à nouveau", card=shown.card)
    return np.asarray(crop, np.uint8)


def save(path: Path, deck: DeckFile) -> None:
    """Writes the file so that at any moment either the old one or the new one is there, whole.

    Raises:
        BrokenDeck: the place cannot be written to.
    """
    facts = {
        "format": FORMAT,
        "name": deck.name,
        "like": deck.like.name,
        "copies": deck.like.copies,
        "ranking": deck.ranking,
        "weights": deck.weights,
        "numbers": deck.vectors.shape[1],
        "shown": [{"card": s.card, "light": s.light} for s in deck.shown],
    }
    unfinished = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                archive.writestr(_entry("deck.json"), json.dumps(facts, ensure_ascii=False, indent=1) + "\n")
                archive.writestr(_entry("vectors.f32"), deck.vectors.astype("<f4").tobytes())
                for i, shown in enumerate(deck.shown):
                    archive.writestr(_entry(f"shown/{i}.jpg"), shown.thumbnail)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(unfinished, 0o644)
        os.replace(unfinished, path)
    except OSError as problem:
        if unfinished is not None and os.path.exists(unfinished):
            os.unlink(unfinished)
        raise BrokenDeck(
            "{file} : impossible d'y écrire ce jeu ({why})", file=path, why=problem.strerror or problem
        ) from None


def _entry(name: str) -> zipfile.ZipInfo:
    """An archive entry with a fixed date: one deck makes one file, byte by byte."""
    return zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))


def load(path: Path) -> DeckFile:
    """What the file holds.

    Raises:
        BrokenDeck: it is not there, no deck, damaged, or of a later version.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError("size")
        with zipfile.ZipFile(path) as archive:
            return _deck(archive)
    except BrokenDeck as problem:
        raise BrokenDeck("{file} : {what}", file=path, what=problem) from None
    except FileNotFoundError:
        raise BrokenDeck("{file} : ce fichier n'existe pas", file=path) from None
    except OSError as problem:
        raise BrokenDeck("{file} : illisible ({why})", file=path, why=problem.strerror or problem) from None
    except _DAMAGE:
        raise BrokenDeck(
            "{file} : ce n'est pas un jeu de cartes enregistré, ou il est abîmé ; refaites-le par trut calibrate deck",
            file=path,
        ) from None


_DAMAGE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError),
    *(ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError, MemoryError),
    *(RuntimeError, NotImplementedError, AttributeError, cv2.error),
)
"""What zipfile, json and numpy raise on bytes that somebody else wrote."""


def _part(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """One entry of the archive, no longer than ``most`` bytes, whatever the archive says about it."""
    entry = archive.getinfo(name)
    if entry.compress_type != zipfile.ZIP_STORED or entry.file_size > most:
        raise ValueError(name)
    with archive.open(entry) as part:
        data = part.read(most + 1)
    if len(data) > most:
        raise ValueError(name)
    return data


def _deck(archive: zipfile.ZipFile) -> DeckFile:
    facts = json.loads(_part(archive, "deck.json", MOST_TEXT))
    if not isinstance(facts, dict) or not isinstance(facts["format"], int):
        raise ValueError("deck.json")
    if facts["format"] > FORMAT or str(facts["like"]) not in PATTERNS:
        raise BrokenDeck("ce jeu vient d'une version plus récente de trut ; mettez trut à jour")
    like = PATTERNS[str(facts["like"])]
    rows = facts["shown"]
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_SHOWN:
        raise ValueError("shown")
    shown = tuple(_shown(archive, i, row, like) for i, row in enumerate(rows))
    numbers = int(facts["numbers"])
    if not 0 < numbers <= MOST_NUMBERS:
        raise ValueError("numbers")
    raw = _part(archive, "vectors.f32", 4 * numbers * len(rows))
    vectors = np.frombuffer(raw, "<f4").reshape(len(rows), numbers).astype(np.float32)
    with np.errstate(over="ignore"):
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(length).all() and (length > 0.5).all() and (length < 2).all()):
        raise ValueError("vectors")
    return DeckFile(
        _words(facts["name"]), like, _words(facts["ranking"]), str(facts["weights"]), shown, vectors / length
    )


def _words(text: Any) -> str:
    """A short printable line."""
    if not isinstance(text, str) or len(text) > MOST_LETTERS or not (text.isprintable() or not text):
        raise ValueError("words")
    return text


def _shown(archive: zipfile.ZipFile, i: int, row: Any, like: Deck) -> Shown:
    card, light = row["card"], row["light"]
    if card not in like.cards or not isinstance(light, int) or not 0 < light < 1 << 31:
        raise ValueError("shown")
    jpeg = _part(archive, f"shown/{i}.jpg", MOST_THUMBNAIL)
    if _jpeg_size(jpeg) != (CROP_WIDTH, CROP_HEIGHT):  # before anybody decodes it: a header may promise gigabytes
        raise ValueError("jpeg")
    return Shown(card, light, jpeg)


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a JPEG's frame header (ITU T.81, B.2.2) declares; None where it has not exactly one."""
    sizes = []
    at = 2
    while data.startswith(b"\xff\xd8\xff") and at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            sizes.append((int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")))
        if marker == 0xDA:
            break
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return sizes[0] if len(sizes) == 1 else None
