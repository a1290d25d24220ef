"""The light of a picture made that of another: exposure, a lamp, the soft shadow of somebody who leans over the table.

A camera's exposure is one gain for the whole picture. What else changes slowly over the table is found in coarse cells:
light makes all three colours brighter or darker by the same part, a hand or a card does not.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Thumb = npt.NDArray[np.float32]

USUAL = (0.6, 1.7)
"""Gains of a whole picture that are a change of exposure, not another picture."""
SLIGHT = 0.004
SHADE = (0.7, 1.4)
"""What a cell's light may differ from that of the whole picture."""
ONE_COLOUR = 0.05
"""By what part the gains of the three colours may differ where only the light has changed."""
CELL = 16
"""Pixels of the thumbnail."""
CROWD = 0.6
"""Share of the cells that must have changed by light alone, to be believed."""


def evened(thumb: Thumb, like: Thumb) -> Thumb:
    """A thumbnail (height x width x 3) in the light of another one of the same table."""
    gain = _gain(thumb, like)
    shade = _shade(thumb, like, gain)
    if shade is not None:
        return np.asarray(np.minimum(thumb * shade[..., None], np.float32(255)))
    if gain == 1:
        return thumb
    return np.asarray(np.minimum(thumb * np.float32(gain), np.float32(255)))


def _gain(thumb: Thumb, like: Thumb) -> float:
    """One gain for the whole picture, from the pixels that look most alike; 1 where it cannot be told."""
    a = like[::4, ::4].sum(2).ravel()
    b = thumb[::4, ::4].sum(2).ravel()
    usable = (a > 60) & (a < 720) & (b > 60) & (b < 720)
    if usable.sum() < 200:
        return 1.0
    gain = float(np.median(a[usable] / b[usable]))
    return 1.0 if not USUAL[0] < gain < USUAL[1] or abs(gain - 1) < SLIGHT else gain


def _shade(thumb: Thumb, like: Thumb, gain: float) -> npt.NDArray[np.float32] | None:
    """A gain for each pixel, height x width, where the light changed unevenly; None where it did not."""
    height, width = thumb.shape[:2]
    size = (max(4, round(width / CELL)), max(4, round(height / CELL)))
    ours = np.maximum(cv2.resize(thumb[::2, ::2], size, interpolation=cv2.INTER_AREA), 1.0)
    theirs = np.maximum(cv2.resize(like[::2, ::2], size, interpolation=cv2.INTER_AREA), 1.0)
    ratios = theirs / (ours * np.float32(gain))
    cells = np.median(ratios, axis=2)
    by_light = (np.ptp(ratios, axis=2) < ONE_COLOUR * cells) & (cells > SHADE[0]) & (cells < SHADE[1])
    if by_light.mean() < CROWD or np.abs(np.log(cells[by_light])).mean() < 0.02:
        return None
    # What is no light is given that of its surroundings.
    weight = by_light.astype(np.float32)
    total = cv2.GaussianBlur(np.where(by_light, np.log(cells), 0).astype(np.float32), (0, 0), 1.5)
    smooth = total / np.maximum(cv2.GaussianBlur(weight, (0, 0), 1.5), 0.05)
    field = cv2.resize(np.exp(smooth) * np.float32(gain), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(field, np.float32)
