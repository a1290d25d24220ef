"""One simulated table: the script, its pictures and its sound, all from one seed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from assistant.simulation.faces import DECKS, Faces, faces_named, pattern_of
from assistant.simulation.mishaps import Filmed, Mishap
from assistant.simulation.plan import plan
from assistant.simulation.script import Fist, Script
from assistant.simulation.sound import RATE, RoomSound, Samples, render
from assistant.simulation.sprites import Pixels
from assistant.simulation.stage import FPS, Stage, TableLook


class SimulatedTable:
    """A table that never was.

    Args:
        seed: decides everything that is not given.
        seats, rounds, game: as in ``plan``.
        faces: the deck; by default one of the shipped ones, drawn by the seed.
        slant: degrees of the camera off the vertical.
        noise: noise of the room in dB below the voices.
        surface: a name of ``surface.SURFACES``.
        lighting: a name of ``surface.LIGHTS``.
        manners: names of ``manners.MANNERS``.
        mishaps: what befalls the camera.
        width, height: of the pictures.
    """

    def __init__(
        self,
        seed: int,
        *,
        game: str = "trut",
        seats: int | None = None,
        rounds: int = 3,
        faces: Faces | None = None,
        slant: float | None = None,
        noise: float | None = None,
        surface: str | None = None,
        lighting: str = "good",
        manners: Collection[str] = (),
        mishaps: Sequence[Mishap] = (),
        width: int = 1280,
        height: int = 720,
    ) -> None:
        self.seed = seed
        self.script: Script = plan(seed, game=game, seats=seats, rounds=rounds, manners=manners)
        self.faces = faces or faces_named(_drawn_deck(seed, game))
        self.look = TableLook.random(
            seed,
            slant=slant,
            surface=surface,
            lighting=lighting,
            things="none" if "heaps" in manners else "among" if "clutter" in manners else "",
            width=width,
            height=height,
        )
        self.room = RoomSound.random(seed, noise=noise)
        self.stage = Stage(self.script, self.look, self.faces)
        self.filmed = Filmed(self.stage, tuple(mishaps))

    @property
    def fps(self) -> int:
        """Pictures a second."""
        return FPS

    @property
    def truth(self) -> str:
        """The record of what happens."""
        return self.script.record

    @property
    def deals(self) -> list[float]:
        """When each round was dealt, in seconds."""
        lines = [line.partition(" | t=") for line in self.truth.splitlines()]
        return [float(rest.split()[0]) for event, _sep, rest in lines if event == "deal"]

    @property
    def knocks(self) -> int:
        """How many truts are knocked."""
        return sum(isinstance(gesture, Fist) for gesture in self.script.gestures)

    def frames(self) -> Iterator[Pixels]:
        """The pictures in order."""
        return (self.filmed.frame(index) for index in range(self.filmed.count))

    def sound(self) -> Samples:
        """The whole sound, float32 mono."""
        return render(self.script, self.room)

    @property
    def rate(self) -> int:
        """Samples a second."""
        return RATE


def _drawn_deck(seed: int, game: str) -> str:
    """The deck that the seed chooses among those of the game."""
    decks = DECKS[pattern_of(game)]
    return decks[int(np.random.default_rng([seed, 6]).integers(len(decks)))]
