"""The decks that simulated tables are played with: a picture of every face and of the back."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.i18n import N_
from vision.errors import UnknownDeck

RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("s", "h", "d", "c")
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)
SHIPPED = Path(__file__).with_name("faces")

Picture = NDArray[np.uint8]
"""BGRA, upright, the rounded corners transparent."""

CARD_MM = (63.0, 88.0)


class Faces(Protocol):
    """A deck to draw with."""

    name: str

    def face(self, card: str) -> Picture:
        """The upright face of ``card`` (``"7h"``)."""
        ...

    def back(self) -> Picture:
        """The back of the cards."""
        ...


class FolderFaces:
    """A folder with one picture a card, named by the card (``7h.png``), and perhaps ``back``."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UnknownDeck(N_("{folder} : ce dossier de faces de cartes n'existe pas"), folder=folder)
        self.name = folder.name
        files = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix.lower() in _PICTURES}
        missing = [card for card in PACK if card not in files]
        if missing:
            raise UnknownDeck(
                N_("{folder} : il manque des cartes ({cards}) ; il faut une image par carte, comme 7h.png"),
                folder=folder,
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


def faces_named(name: str) -> Faces:
    """``letele`` or ``drawn``, the decks that come with the program.

    Raises:
        UnknownDeck: no such deck.
    """
    if name == "drawn":
        from assistant.simulation.drawn import DrawnFaces

        return DrawnFaces()
    if (SHIPPED / name).is_dir() and name.isidentifier():
        return FolderFaces(SHIPPED / name)
    raise UnknownDeck(
        N_("{name} : jeu simulé inconnu ; essayez letele ou drawn, ou --faces DOSSIER"), name=name
    )
