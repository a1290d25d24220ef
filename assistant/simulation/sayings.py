"""What the players of a simulated table say for an event: the words of the phrasebook, the usual ones most often."""

from __future__ import annotations

from functools import cache

import numpy as np

from audio.phrasebook import calls_of

USUAL = 0.5
"""Share of the calls that are said in the first words of the phrasebook; the others are drawn among all."""
MOMENTS: dict[str, tuple[str, ...]] = {
    "refuse redeal": ("je joue", "jouons", "non"),
    "sing better": ("alimidou cantar",),
    "flor again": ("flor tambien", "flor també"),
}
"""Words that belong to one moment of a call only (L-30, F-43, F-46)."""
_ELSEWHERE = frozenset(text for texts in MOMENTS.values() for text in texts if text != "non") | {"demi flor"}
_ONE_HAND = tuple(f" {rank}" for rank in ("d'as", "de rois", "de dames", "de valets", "de dix", "de neuf", "de huit"))
"""Ends of words that are true of one hand only."""


@cache
def sayings(game: str, call: str) -> tuple[str, ...]:
    """All ways to say ``call``: a verb with its argument (``raise 10``) or one of ``MOMENTS``; empty where nobody ever
    says it. Totals are said in French: a synthesiser cannot read Gascon aloud."""
    if call in MOMENTS:
        return MOMENTS[call]
    calls = [c.text for c in calls_of(game) if call in c.means and not c.card]
    return tuple(t for t in calls if t not in _ELSEWHERE and "-e-" not in t and not t.endswith((*_ONE_HAND, "de sept")))


def say(rng: np.random.Generator, game: str, call: str) -> str | None:
    """The words with which somebody makes ``call``; None where it is made without a word."""
    texts = sayings(game, call)
    if not texts:
        return None
    text = texts[0] if rng.random() < USUAL else texts[int(rng.integers(len(texts)))]
    return text[0].upper() + text[1:] + " " + str(rng.choice([".", "!"]))


EVERYDAY = (
    "Il fait chaud ici", "Tu reprends un verre", "On ferme à quelle heure", "Elle est bonne cette bière", "Quel temps",
    "Ta fille va bien", "Je reviens tout de suite", "Demain il pleut encore",
)  # fmt: skip
"""What has nothing to do with cards."""


@cache
def _talk(game: str) -> tuple[str, ...]:
    return tuple(c.text for c in calls_of(game) if not c.means)


def small_talk(rng: np.random.Generator, game: str) -> str:
    """Something that somebody says and that is no call: words of the table, or of the day."""
    texts = _talk(game) if rng.random() < 0.5 else EVERYDAY
    text = texts[int(rng.integers(len(texts)))]
    return text[0].upper() + text[1:] + " ."
