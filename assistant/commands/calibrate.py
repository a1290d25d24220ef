"""``trut calibrate``: teaches the program one café table: its deck, its voices, its knocks; later its seats."""

from __future__ import annotations

import argparse
import importlib
from types import ModuleType

from assistant.i18n import N_, _
from engine.errors import TrutError


class CalibrationError(TrutError):
    """The command was asked for something it cannot do."""

    code = "calibrate"


PARTS: dict[str, str] = {
    "deck": N_("apprend le jeu de cartes qui est sur la table"),
    "voice": N_("apprend les voix des joueurs"),
    "knock": N_("apprend les coups sur votre table"),
}
"""Parts with a module of their own in ``assistant.calibrating``: ``add_arguments`` and ``run``."""
LATER = ("table", "show")
"""Parts of CLI.md that are still to come."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of CLI.md, ``trut calibrate``."""
    parts = parser.add_subparsers(dest="part", metavar=_("QUOI"), required=True, parser_class=type(parser))
    for part, summary in PARTS.items():
        child = parts.add_parser(part, help=_(summary), description=_(summary))
        child.add_argument("--lang", choices=("fr", "en"), help=_("langue des réponses"))
        _module(part).add_arguments(child)
    for part in LATER:
        parts.add_parser(part, help=_("à venir")).add_argument("--lang", choices=("fr", "en"))


def run(args: argparse.Namespace) -> int:
    """Calibrates one thing; 1 where it is not complete."""
    if args.part in LATER:
        raise CalibrationError(N_("trut calibrate {part} n'existe pas encore : il arrive bientôt"), part=args.part)
    return int(_module(args.part).run(args))


def _module(part: str) -> ModuleType:
    return importlib.import_module(f"assistant.calibrating.{part}")
