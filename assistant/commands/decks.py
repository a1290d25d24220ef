"""``trut decks``: the decks at hand, shipped and enrolled."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from assistant.i18n import N_, _, describe, ngettext
from vision.decks import DEFAULT_DECK, SHIPPED, SUFFIX, Deck, decks_folder
from vision.errors import BrokenDeck

ABOUT = {
    "french32": N_("jeu de piquet, du 7 à l'as"),
    "french52": N_("jeu complet, du 2 à l'as"),
    "spanish40": N_("jeu espagnol de 40 cartes, sans 8 ni 9"),
    "spanish48": N_("jeu espagnol de 48 cartes"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``trut decks``."""
    parser.add_argument(
        "files", nargs="*", type=Path, metavar=_("FICHIER"), help=_("jeux appris ailleurs, à lister aussi")
    )
    parser.add_argument("--json", action="store_true", help=_("un objet JSON par jeu"))


def run(args: argparse.Namespace) -> int:
    """Lists the shipped decks, those in the user's folder, and the files given; 2 if one of these is no deck."""
    for deck in SHIPPED.values():
        print(json.dumps(_facts(deck), ensure_ascii=False) if args.json else _sentence(deck))
    folder = decks_folder()
    status = 0
    for path in (*(sorted(folder.glob("*" + SUFFIX)) if folder.is_dir() else ()), *args.files):
        try:
            line = _enrolled(path, args.json)
        except BrokenDeck as problem:
            sys.stderr.write(f"trut: {describe(problem)}\n")
            status = problem.exit_status
            continue
        print(line)
    return status


def _facts(deck: Deck) -> dict[str, Any]:
    return {
        "deck": deck.name,
        "cards": list(deck.cards),
        "copies": deck.copies,
        "default": deck.name == DEFAULT_DECK,
    }


def _sentence(deck: Deck) -> str:
    mark = _(" (par défaut)") if deck.name == DEFAULT_DECK else ""
    return f"{deck.name:10s} {_(ABOUT[deck.name])}{mark}"


def _enrolled(path: Path, as_json: bool) -> str:
    """One line about a deck that was enrolled."""
    from vision.deck_file import load

    file = load(path)
    shown = {s.card for s in file.shown}
    cards = [card for card in file.like.cards if card in shown]
    missing = [card for card in file.like.cards if card not in shown]
    if as_json:
        facts = {
            "deck": file.name,
            "cards": cards,
            "copies": file.like.copies,
            "default": False,
            "file": str(path),
            "like": file.like.name,
            "missing": missing,
            "ranking": file.ranking,
        }
        return json.dumps(facts, ensure_ascii=False)
    about = ngettext("{n} carte apprise, comme {like}", "{n} cartes apprises, comme {like}", len(cards)).format(
        n=len(cards), like=file.like.name
    )
    lack = _(" ; il manque {cards}").format(cards=", ".join(missing)) if missing else ""
    return f"{file.name:10s} {about}{lack} ({path})"
