"""``trut decks``: the decks at hand."""

from __future__ import annotations

import argparse
import json

from assistant.i18n import N_, _
from vision.decks import DEFAULT_DECK, SHIPPED

ABOUT = {
    "french32": N_("jeu de piquet, du 7 à l'as"),
    "french52": N_("jeu complet, du 2 à l'as"),
    "spanish40": N_("jeu espagnol de 40 cartes (à enregistrer : les poids fournis ne le lisent pas encore)"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``trut decks``."""
    parser.add_argument("--json", action="store_true", help=_("un objet JSON par jeu"))


def run(args: argparse.Namespace) -> int:
    """Lists the shipped decks."""
    for deck in SHIPPED.values():
        if args.json:
            facts = {
                "deck": deck.name,
                "cards": list(deck.cards),
                "copies": deck.copies,
                "default": deck.name == DEFAULT_DECK,
            }
            print(json.dumps(facts, ensure_ascii=False))
        else:
            mark = _(" (par défaut)") if deck.name == DEFAULT_DECK else ""
            print(f"{deck.name:10s} {_(ABOUT[deck.name])}{mark}")
    return 0
