"""Cards shown to the camera one after another: when is a new one lying still?

A card counts once something has moved in the picture and all has come to rest again. It is a new one if it is unlike
the card before, or if the table was bare in between, so that two cards that look alike can be shown in a row.
"""

from __future__ import annotations

import numpy as np

from calibration.enrolment import Enroller
from vision.camera import Frame
from vision.crops import Picture, Pyramid
from vision.quads import Floats
from vision.stillness import Stillness

REST = 0.5
"""Seconds without motion after which the picture is looked at."""
STIRRED = 0.004
"""Share of the picture that moves when a hand comes: a flicker of the light moves less at a time."""
SAME = 0.93
"""Likeness (cosine) from which the card that lies there is still the one before (see ``laid_out.LIKE``)."""


class OneByOne:
    """Frames in, cards out, each once.

    Args:
        enroller: finds the card in a picture.
    """

    def __init__(self, enroller: Enroller) -> None:
        self._enroller = enroller
        self._still = Stillness()
        self._stirred = False
        self._moved_at = 0.0
        self._before: np.ndarray | None = None

    def accept(self, frame: Frame) -> tuple[Picture, Floats] | None:
        """The picture of a new card that lies still, and where it lies there: cuts (K, 4, 2), the best first."""
        look = self._still.look(frame.image, frame.t)
        if float(look.moving.mean()) >= STIRRED:
            self._stirred, self._moved_at = True, frame.t
            return None
        if not self._stirred or frame.t - self._moved_at < REST:
            return None
        self._stirred = False
        cuts = self._enroller.cuts(frame.image)
        if not len(cuts):
            self._before = None
            return None
        vector = self._enroller.vectors(Pyramid(frame.image).crops(cuts[:1]))[0]
        before, self._before = self._before, vector
        if before is not None and float(before @ vector) >= SAME:
            return None
        return frame.image, cuts
