"""A simulated café teaches the program its deck, before the game and in other light: ``trut calibrate deck``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from assistant.simulation.faces import Faces
from assistant.simulation.sprites import Painter, Pixels, card_sprite
from assistant.simulation.surface import SURFACES, light, table_top
from assistant.simulation.view import View
from vision.decks import PATTERNS

SCALE = 3.2
"""Pixels a millimetre: a card is shown from nearer by than it is played."""
LEARNT = frozenset({"spanish40", "numbered8"})
"""Patterns of decks that a café teaches the program first: the one is read far better then, the other only then."""
LIGHTS = 2
"""Pictures of every card, each in a light and on a table of its own."""


def shown(faces: Faces, seed: int, lights: int = LIGHTS) -> Iterator[tuple[str, Pixels]]:
    """Pictures of single cards as somebody holds the camera over them: (card, (720, 1280, 3) BGR)."""
    for n in range(lights):
        rng = np.random.default_rng([seed, 8, n])
        view = View(scale=SCALE, slant=float(rng.uniform(0, 12)), roll=float(rng.normal(0, 3)))
        brightness = light(rng, view)
        top = table_top(rng, view, str(rng.choice(sorted(SURFACES))))
        bare = np.clip(top.astype(np.float32) * brightness, 0, 255).astype(np.uint8)
        painter = Painter(view, brightness, np.array([rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 1.0]))
        paper = np.array([rng.uniform(0.86, 1.0), rng.uniform(0.93, 1.0), 1.0], np.float32)
        for card in PATTERNS[faces.like].cards:
            picture = bare.copy()
            at, turn = rng.uniform(-25, 25, 2), np.radians(rng.normal(0, 6))
            down = np.array([np.sin(turn), -np.cos(turn)])
            painter.paste(picture, card_sprite(faces.face(card), SCALE, paper), at, down, 0.3, 0.5, np.zeros(2))
            grain = rng.normal(0, 2.0, picture.shape)
            yield card, np.clip(picture + grain, 0, 255).astype(np.uint8)


def learn(faces: Faces, file: Path, seed: int = 1, lights: int = LIGHTS) -> Path:
    """Enrol a deck into ``file`` from pictures in so many lights; returns the file, as ``--deck`` takes it.

    Raises:
        MissingWeights: the reader's weights are not there.
    """
    from calibration.enrolment import Enroller
    from vision.deck_file import save

    enroller = Enroller()
    views = [enroller.view(picture, card) for card, picture in shown(faces, seed, lights)]
    save(file, enroller.deck(faces.name, PATTERNS[faces.like], "", views))
    return file
