"""``trut calibrate``: teaches the program one café table: where it stands, its deck, its voices, its knocks."""

from __future__ import annotations

import argparse
import importlib
from types import ModuleType

from assistant.i18n import N_, _

PARTS: dict[str, str] = {
    "table": N_("trouve la table, les places et ce qui gêne la lecture"),
    "deck": N_("apprend le jeu de cartes qui est sur la table"),
    "voice": N_("apprend les voix des joueurs"),
    "knock": N_("apprend les coups sur votre table"),
    "show": N_("montre les tables apprises et ce que voit la machine"),
}
"""Parts with a module of their own in ``assistant.calibrating``: ``add_arguments`` and ``run``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of CLI.md, ``trut calibrate``."""
    parts = parser.add_subparsers(dest="part", metavar=_("QUOI"), required=True, parser_class=type(parser))
    for part, summary in PARTS.items():
        child = parts.add_parser(part, help=_(summary), description=_(summary))
        child.add_argument("--lang", choices=("fr", "en"), help=_("langue des réponses"))
        _module(part).add_arguments(child)


def run(args: argparse.Namespace) -> int:
    """Calibrates one thing; 1 where it is not complete."""
    return int(_module(args.part).run(args))


def _module(part: str) -> ModuleType:
    return importlib.import_module(f"assistant.calibrating.{part}")
