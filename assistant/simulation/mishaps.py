"""What befalls the camera of a simulated table: its picture freezes, goes black, or somebody bumps into it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from assistant.simulation.stage import FPS, Stage
from assistant.simulation.view import View

Kind = Literal["frozen", "black", "bumped"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Mishap:
    """One mishap from ``start`` on for ``seconds``; a bumped camera stays where it is pushed for so long."""

    kind: Kind
    start: float
    seconds: float

    def on(self, t: float) -> bool:
        """Whether it is on at ``t``."""
        return self.start <= t < self.start + self.seconds


def bumped(view: View) -> View:
    """The view of a camera that was pushed: a little turned and tilted, and nearer."""
    return replace(view, roll=view.roll + 2.5, slant=view.slant + 2.0, scale=view.scale * 1.03)


class Filmed:
    """The pictures of a stage with what befalls its camera.

    Args:
        stage: what there is to film.
        mishaps: in any order; of two at once the first counts.
    """

    def __init__(self, stage: Stage, mishaps: tuple[Mishap, ...] = ()) -> None:
        self._stage, self._mishaps = stage, mishaps
        self._aside: Stage | None = None

    @property
    def count(self) -> int:
        """Number of pictures."""
        return self._stage.count

    def frame(self, index: int) -> np.ndarray:
        """Picture ``index``, taken at ``index / FPS`` seconds: (height, width, 3) BGR."""
        t = index / FPS
        mishap = next((m for m in self._mishaps if m.on(t)), None)
        match mishap:
            case Mishap(kind="frozen", start=start):
                return self._stage.frame(max(0, round(start * FPS) - 1))
            case Mishap(kind="black"):
                return np.zeros((self._stage.view.height, self._stage.view.width, 3), np.uint8)
            case Mishap(kind="bumped"):
                if self._aside is None:
                    stage = self._stage
                    look = replace(stage.look, view=bumped(stage.look.view))
                    self._aside = Stage(stage.script, look, stage.faces)
                return self._aside.frame(index)
        return self._stage.frame(index)
