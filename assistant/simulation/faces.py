"""The decks that simulated tables are played with: a picture of every face and of the back."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.i18n import N_
from vision.decks import PATTERNS
from vision.errors import UnknownDeck

RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("s", "h", "d", "c")
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)
SHIPPED = Path(__file__).with_name("faces")

Picture = NDArray[np.uint8]
"""BGRA, upright, the rounded corners transparent."""

CARD_MM = (63.0, 88.0)


class Faces(Protocol):
    """A deck to draw with.

    Attributes:
        name: what it is called.
        like: the pattern whose names its cards have (``vision.decks.PATTERNS``).
    """

    name: str
    like: str

    def face(self, card: str) -> Picture:
        """The upright face of ``card`` (``"7h"``)."""
        ...

    def back(self) -> Picture:
        """The back of the cards."""
        ...


class FolderFaces:
    """A folder with one picture a card, named by the card (``7h.png``), and perhaps ``back``.

    Args:
        folder: where the pictures are.
        like: the pattern whose cards must all be there.

    Raises:
        UnknownDeck: no such folder, or cards are missing.
    """

    def __init__(self, folder: Path, like: str = "french32") -> None:
        if not folder.is_dir():
            raise UnknownDeck(N_("{folder} : ce dossier de faces de cartes n'existe pas"), folder=folder)
        self.name, self.like = folder.name, like
        files = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix.lower() in _PICTURES}
        missing = [card for card in PATTERNS[like].cards if card not in files]
        if missing:
            raise UnknownDeck(
                N_("{folder} : il manque des cartes ({cards}) ; il faut une image par carte, comme {card}.png"),
                folder=folder,
                card=PATTERNS[like].cards[0],
                cards=", ".join(missing[:6]) + ("…" if len(missing) > 6 else ""),
            )
        self._files = files
        self._read: dict[str, Picture] = {}

    def face(self, card: str) -> Picture:
        if card not in self._read:
            self._read[card] = _picture(self._files[card])
        return self._read[card]

    def back(self) -> Picture:
        return _picture(self._files["back"]) if "back" in self._files else plain_back((120, 52, 40))


_PICTURES = {".png", ".webp", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff"}


def _picture(path: Path) -> Picture:
    try:
        image = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    except (OSError, cv2.error):
        image = None
    if image is None or image.ndim not in (2, 3) or min(image.shape[:2]) < 40:
        raise UnknownDeck(N_("{file} : ce n'est pas une image de carte lisible"), file=path)
    if image.dtype != np.uint8:
        image = cv2.convertScaleAbs(image, alpha=1 / 257)
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return rounded(np.asarray(image, dtype=np.uint8))


def rounded(image: NDArray[np.uint8]) -> Picture:
    """Paper where the picture is transparent, rounded corners where it is not: every deck ends alike."""
    h, w = image.shape[:2]
    if image.shape[2] == 4:
        alpha = image[..., 3:].astype(np.float32) / 255
        image = (image[..., :3] * alpha + 250 * (1 - alpha)).astype(np.uint8)
    radius = max(2, round(0.055 * w))
    mask = np.zeros((h * 4, w * 4), np.uint8)
    r = radius * 4
    cv2.rectangle(mask, (r, 0), (4 * w - r - 1, 4 * h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (4 * w - 1, 4 * h - r - 1), 255, -1)
    for x in (r, 4 * w - r - 1):
        for y in (r, 4 * h - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.dstack([image, cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)]).astype(np.uint8)


def plain_back(colour: tuple[int, int, int], pattern: int = 0) -> Picture:
    """A back with a white border and a woven pattern."""
    h, w = 420, 300
    image = np.full((h, w, 3), 244, np.uint8)
    b = 16
    yy, xx = np.mgrid[: h - 2 * b, : w - 2 * b].astype(np.float32)
    if pattern == 0:
        wave = (np.abs(np.sin((xx + yy) / 7)) > 0.72) | (np.abs(np.sin((xx - yy) / 7)) > 0.72)
    elif pattern == 1:
        wave = np.sin(np.hypot(xx - w / 2 + b, yy - h / 2 + b) / 4) > 0.45
    else:
        wave = ((xx // 14).astype(int) + (yy // 14).astype(int)) % 2 == 0
    inner = np.where(wave[..., None], np.array(colour) * 0.5 + 120, np.array(colour, np.float32))
    image[b : h - b, b : w - b] = inner.astype(np.uint8)
    return rounded(image)


DRAWN = {"drawn": "DrawnFaces", "drawn-spanish": "DrawnSpanishFaces", "drawn-numbers": "DrawnNumberFaces"}
"""Decks that the program draws: their names and the classes, in modules of that name."""
DECKS: dict[str, tuple[str, ...]] = {
    "french32": ("letele", "drawn"),
    "spanish40": ("drawn-spanish",),
    "numbered8": ("drawn-numbers",),
}
"""The decks that come with the program, by the pattern of their cards."""


def faces_named(name: str) -> Faces:
    """One of ``DECKS``, the decks that come with the program.

    Raises:
        UnknownDeck: no such deck.
    """
    if name in DRAWN:
        module = importlib.import_module(f"assistant.simulation.{name.replace('-', '_')}")
        return cast(Faces, getattr(module, DRAWN[name])())
    if any(name in names for names in DECKS.values()):
        return FolderFaces(SHIPPED / name)
    known = ", ".join(deck for decks in DECKS.values() for deck in decks)
    raise UnknownDeck(N_("{name} : jeu simulé inconnu ; essayez {known}, ou --faces DOSSIER"), name=name, known=known)


def pattern_of(game: str) -> str:
    """The pattern of the cards that a game is played with."""
    return {"truc-y-flou": "spanish40", "trut-robin-red": "numbered8"}.get(game, "french32")
