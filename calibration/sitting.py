"""Players sit down: each in turn puts a hand on the table before him, and where his arm comes in is his seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.setup import Place, TableSetup
from vision.camera import Frame
from vision.hands import Arm, arms_in, contact
from vision.seats import SeatMap
from vision.stillness import Stillness

HOLD = 0.6
"""Seconds that a hand must lie there."""
AWAY = 0.3
"""Seconds that the table must be free before the next hand counts."""
STEADY = 0.06
"""Part of the picture's width within which the arm must come in while it lies there."""


class Sitting:
    """Frames in, seats out. The first frame shows the table without hands.

    Args:
        setup: the table, with the seats to be given.
        order: the seats in the order in which the players put their hands down; by default 1, 2, 3 ...

    Attributes:
        setup: with the seats that were given so far.
    """

    def __init__(self, setup: TableSetup, order: Sequence[int] | None = None) -> None:
        self.setup = setup
        self._left = list(order or sorted(setup.seats))
        self._still = Stillness()
        self._since: float | None = None
        self._at: Place = (0.0, 0.0)
        self._free_since: float | None = None
        self._must_go = False

    @property
    def waiting(self) -> int | None:
        """The seat whose hand is waited for; None when all sit."""
        return self._left[0] if self._left else None

    def accept(self, frame: Frame) -> int | None:
        """Look at the next frame; the seat that it settles, if it does.

        Raises:
            TableProblem: the arm seems to come in at the middle of the table; the seat is waited for on.
        """
        t = frame.t
        h, w = frame.image.shape[:2]
        seats = self.setup.scaled(w, h).seat_map()
        look = self._still.look(frame.image, t)
        th, tw = look.foreign.shape
        arms = arms_in(look.foreign & seats.play_zone(tw, th), np.zeros_like(look.foreign), seats)
        if not arms:
            self._since = None
            self._free_since = t if self._free_since is None else self._free_since
            if t - self._free_since >= AWAY:
                self._must_go = False
            return None
        self._free_since = None
        if self._must_go or not self._left:
            return None
        at = _where(max(arms, key=lambda arm: int(arm.mask.sum())), seats)
        if self._since is None or np.hypot(at[0] - self._at[0], at[1] - self._at[1]) > STEADY * w:
            self._since, self._at = t, at
            return None
        if t - self._since < HOLD:
            return None
        seat = self._left[0]
        factor = self.setup.width / w
        x = float(np.clip(at[0] * factor, 0, self.setup.width))
        y = float(np.clip(at[1] * factor, 0, self.setup.height))
        self.setup = self.setup.seated(seat, (x, y))
        self._left.pop(0)
        self._since, self._must_go = None, True
        return seat


def _where(arm: Arm, seats: SeatMap) -> Place:
    """Where an arm comes in, in pixels."""
    x, y = contact(arm.mask, seats).mean(0)
    return float(x), float(y)
