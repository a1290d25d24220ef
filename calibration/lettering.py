"""Text in pictures, with accents and suits where OpenCV can (from 5.0 on it brings a font of its own)."""

from __future__ import annotations

import unicodedata

import cv2

from vision.camera import Image

Colour = tuple[int, int, int]
"""Blue, green, red."""
PLAIN = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "«": '"', "»": '"', "’": "'", "–": "-", "\u00a0": " "})
"""What the fonts of older versions lack."""
HERSHEY = 26.0
"""Height in pixels of their letters at scale 1."""


def text_width(text: str, size: int, bold: bool = False) -> int:
    """Width in pixels of a line of text ``size`` pixels high."""
    if hasattr(cv2, "FontFace"):
        face = cv2.FontFace("sans")
        return int(cv2.getTextSize((1, 1), text, (0, 0), face, size, _weight(bold))[2])
    return int(cv2.getTextSize(_plain(text), cv2.FONT_HERSHEY_SIMPLEX, size / HERSHEY, 2 if bold else 1)[0][0])


def write(image: Image, text: str, at: tuple[int, int], size: int, colour: Colour, bold: bool = False) -> None:
    """Write a line into a picture; ``at`` is where its base line begins."""
    if hasattr(cv2, "FontFace"):
        cv2.putText(image, text, at, colour, cv2.FontFace("sans"), size, _weight(bold))
        return
    thick = 2 if bold else 1
    cv2.putText(image, _plain(text), at, cv2.FONT_HERSHEY_SIMPLEX, size / HERSHEY, colour, thick, cv2.LINE_AA)


def wrapped(text: str, size: int, width: int) -> list[str]:
    """A text in lines that are at most so many pixels wide."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _weight(bold: bool) -> int:
    return 650 if bold else 420


def _plain(text: str) -> str:
    """Without what cannot be written with plain letters."""
    spelt = unicodedata.normalize("NFKD", text.translate(PLAIN))
    return spelt.encode("ascii", "ignore").decode()
