"""The recipe that fits how decks are compared, on made-up candidates and a drawn scene."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")  # what the recipes need; the program itself does without
pytest.importorskip("PIL")

from models.reader.recipe.compare import Row, fitted, judged
from models.reader.recipe.table_scenes import HEIGHT, WIDTH, deck_of, drawn_scene

RANKS = np.array([str(n // 4) for n in range(32)])


def candidates(count: int, rng: np.random.Generator) -> list[Row]:
    """Cards that are clearly like themselves, less so in bad crops, and things that are no cards."""
    rows = []
    for i in range(count):
        likeness = np.clip(rng.normal(0.3, 0.15, 32), -1, 0.8)
        card = int(rng.integers(32)) if i % 8 else -1
        quality = rng.uniform(0.5, 1) if card >= 0 else rng.uniform(0, 0.5)
        if card >= 0:
            likeness[card] = rng.normal(0.9, 0.04)
        rows.append(Row("french", RANKS, likeness, np.zeros(32), quality, rng.uniform(0.6, 1), card, 1.0))
    return rows


def test_what_is_fitted_names_known_cards_and_leaves_strangers() -> None:
    rng = np.random.default_rng(1)
    comparison = fitted(candidates(400, rng), [], precision=0.99)
    fresh = candidates(200, rng)
    known = [row for row in fresh if row.card >= 0]
    read, strangers = [], []
    for row in known:
        for rows, one in ((read, row), (strangers, row.without())):
            facts, right = judged(one, comparison)
            rows.append((float(comparison.probability("french", facts[None])[0]) >= comparison.rank_sure, right))
    assert np.mean([taken and right for taken, right in read]) > 0.9
    assert np.mean([taken for taken, _ in strangers]) < 0.1
    assert not any(right for _, right in strangers)


def test_scenes_say_what_they_show() -> None:
    rng = np.random.default_rng(3)
    faces = {str(n): np.full((420, 280, 4), 255 - 20 * n, np.uint8) for n in range(5)}
    deck = deck_of(faces)
    apart = drawn_scene(rng, deck, ["0", "1", "2"], [], apart=True)
    assert apart.image.shape == (HEIGHT, WIDTH, 3)
    assert {card.name for card in apart.cards} <= {"0", "1", "2"}
    heaped = [card for _ in range(6) for card in drawn_scene(rng, deck, list(faces), [], apart=False).cards]
    shares = np.array([card.visible for card in heaped])
    assert ((shares >= 0) & (shares <= 1)).all()
    assert (shares < 0.9).any()
    assert (shares > 0.98).any()
