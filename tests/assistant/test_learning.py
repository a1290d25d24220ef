"""A simulated café shows its deck to the camera, and the program learns it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np

from assistant.simulation.faces import faces_named
from assistant.simulation.learning import learn, shown
from vision.deck_file import load


def test_every_card_is_shown_alone_and_near() -> None:
    pictures = list(islice(shown(faces_named("drawn-numbers"), 3), 2))
    assert [card for card, _ in pictures] == ["1", "2"]
    first, second = (picture.astype(float) for _card, picture in pictures)
    changed = np.abs(first - second).max(2) > 60
    inside = changed[180:540, 400:880]
    assert inside.mean() > 0.05
    assert changed.sum() - inside.sum() < 0.01 * changed.size


def test_another_seed_shows_it_in_other_light() -> None:
    (_, one), (_, other) = (next(shown(faces_named("drawn-numbers"), seed)) for seed in (3, 4))
    assert np.abs(one.astype(float) - other).mean() > 8


def test_the_deck_that_was_shown_is_learnt_whole(tmp_path: Path) -> None:
    file = load(learn(faces_named("drawn-numbers"), tmp_path / "numbers.deck", lights=1))
    assert file.like.name == "numbered8"
    assert {one.card for one in file.shown} == set("12345678")
