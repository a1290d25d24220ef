"""The manners of a table: what people do with cards beside laying them neatly in front of them, in turn and in silence.

Each has a name (``trut simulate --manner``) and a chance a moment; what it does stands in ``plan``, what it looks and
sounds like in ``stage`` and ``sound``. The game, its cards and its calls are the same with and without them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assistant.i18n import N_

MANNERS: dict[str, tuple[float, str]] = {
    "middle": (0.3, N_("des cartes jetées au milieu de la table")),
    "slide": (0.3, N_("des cartes lancées, qui glissent d'une zone à l'autre")),
    "overlap": (0.25, N_("une carte posée en partie sur la précédente")),
    "nudge": (0.2, N_("une carte poussée après coup")),
    "covered": (0.25, N_("un bras qui reste au-dessus de la carte")),
    "face-down": (0.15, N_("une carte posée à l'envers, retournée ensuite")),
    "together": (0.25, N_("deux joueurs qui posent en même temps")),
    "early": (0.4, N_("la carte suivante posée pendant qu'on ramasse le pli")),
    "anyone": (0.6, N_("un pli ramassé par n'importe qui, carte après carte")),
    "heaps": (1.0, N_("les plis gagnés en tas, à l'envers, sur la table")),
    "return": (0.8, N_("les cartes restantes rendues à la fin de la manche, parfois à l'endroit")),
    "clutter": (1.0, N_("des verres et des jetons parmi les cartes")),
    "fidgets": (0.12, N_("des mains qui s'agitent pour rien")),
    "slap": (0.5, N_("des cartes claquées sur la table")),
    "chatter": (0.25, N_("on parle d'autre chose")),
    "brisk": (0.7, N_("on joue vite")),
    "infractions": (0.1, N_("des fautes, que la table répare : hors tour, avant la réponse, deux fois la même carte")),
    "hidden": (1.0, N_("le poing qui frappe n'est pas sur l'image")),
}
"""Name -> how often it happens where it can, and what it is."""


@dataclass(slots=True)
class Manners:
    """What this table does, and when: chances of their own, so that they change nothing else.

    Args:
        rng: decides when.
        names: those of ``MANNERS`` that this table has.
    """

    rng: np.random.Generator
    names: frozenset[str] = field(default_factory=frozenset)

    def does(self, name: str) -> bool:
        """Whether it happens at this moment."""
        return name in self.names and bool(self.rng.random() < MANNERS[name][0])

    def between(self, least: float, most: float) -> float:
        """A time, a place or a turn."""
        return float(self.rng.uniform(least, most))
