"""A sheet that shows every card of an enrolled deck with its name: what was learnt wrong is seen at a glance."""

from __future__ import annotations

import cv2
import numpy as np

from vision.crops import CROP_HEIGHT, CROP_WIDTH, Picture
from vision.deck_file import crop_of
from vision.enrolled import EnrolledDeck

ACROSS = 8
"""Cards in a row."""
LINE, MARGIN = 26, 6
"""Pixels of the name below a card, and between cards."""
PAPER, INK = 245, (40, 40, 40)


def sheet_of(deck: EnrolledDeck) -> Picture:
    """The first picture of each card, in the deck's order: (height, width, 3) BGR."""
    rows = -(-len(deck.cards) // ACROSS)
    height = rows * (CROP_HEIGHT + LINE + MARGIN) + MARGIN
    sheet = np.full((height, ACROSS * (CROP_WIDTH + MARGIN) + MARGIN, 3), PAPER, np.uint8)
    for i, card in enumerate(deck.cards):
        x = MARGIN + i % ACROSS * (CROP_WIDTH + MARGIN)
        y = MARGIN + i // ACROSS * (CROP_HEIGHT + LINE + MARGIN)
        shown = next(s for s in deck.file.shown if s.card == card)
        sheet[y : y + CROP_HEIGHT, x : x + CROP_WIDTH] = crop_of(shown)
        place = (x + 4, y + CROP_HEIGHT + LINE - 8)
        cv2.putText(sheet, card, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, INK, 1, cv2.LINE_AA)
    return sheet
