"""Refusals: the answer of the rules to an event that they do not allow (C-4).

A refusal is a value with a stable code (NOTATION.md section 7) and a French sentence; ``assistant.i18n``
translates it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


def N_(message: str) -> str:
    """Mark a sentence for translation; it is translated where it is shown."""
    return message


SENTENCES: Final[dict[str, str]] = {
    "bad-header": N_("« {event} » : un en-tête doit précéder le premier événement"),
    "unknown-verb": N_("« {event} » : événement inconnu"),
    "syntax": N_("« {event} » : arguments manquants, en trop ou mal écrits"),
    "bad-seat": N_("« {event} » : cette place n'existe pas à cette table"),
    "game-over": N_("la partie est finie"),
    "not-in-game": N_("« {verb} » n'existe pas dans ce jeu"),
    "round-over": N_("aucune manche n'est en cours : il faut d'abord donner"),
    "round-running": N_("une manche est en cours"),
    "declare-pending": N_("il faut d'abord que la place {expected} se déclare"),
    "discard-pending": N_("il faut d'abord que chacun écarte trois cartes"),
    "redeal-due": N_("tout est pourri : il faut d'abord redonner trois cartes"),
    "challenge-pending": N_("il faut d'abord une réponse de la place {expected}"),
    "no-challenge": N_("« {verb} » : il n'y a rien à répondre"),
    "not-your-challenge": N_("ce n'est pas à la place {seat} de répondre"),
    "nothing-to-undo": N_("il n'y a pas tant d'événements à reprendre"),
    "wrong-dealer": N_("c'est à la place {expected} de donner"),
    "wrong-cutter": N_("c'est à la place {expected} de couper"),
    "already-truted": N_("on a déjà truté dans cette manche"),
    "trut-d-off": N_("la manche est un trut d'office : personne ne trute"),
    "too-late": N_("« {verb} » : trop tard"),
    "unknown-card": N_("« {card} » n'est pas une carte de ce jeu"),
    "out-of-turn": N_("ce n'est pas le tour de la place {seat} : c'est à la place {expected}"),
    "no-cards-left": N_("la place {seat} n'a plus de carte en main"),
    "duplicate-card": N_("la carte {card} est déjà sortie ou se trouve dans une autre main"),
    "not-in-hand": N_("la place {seat} n'a pas la carte {card}"),
    "bad-hand": N_("« {event} » : mauvais nombre de cartes, ou une carte deux fois"),
    "false-claim": N_("la main connue de la place {seat} dément l'annonce « {verb} »"),
    "flor-in-force": N_("une flor est annoncée : l'embit ne compte plus"),
    "already-declared": N_("« {verb} » : c'est déjà annoncé"),
    "already-raised": N_("la place {seat} a déjà relancé pour ce pli"),
    "no-more-raises": N_("on ne peut plus relancer"),
    "bad-raise": N_("« {event} » : cette relance n'est pas permise ici"),
    "bad-declare": N_("« {event} » : un tel total n'existe pas"),
    "redeal-used": N_("on a déjà demandé d'autres cartes dans cette manche"),
}
"""The sentence of each code of NOTATION.md section 7."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The event is refused and nothing changed.

    Attributes:
        code: one of ``SENTENCES``.
        fields: values of the named fields of the sentence.
    """

    code: str
    fields: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def template(self) -> str:
        """The French sentence with named fields, also the gettext message id."""
        return SENTENCES[self.code]

    @property
    def message(self) -> str:
        """The French sentence."""
        return self.template.format(**self.fields)
