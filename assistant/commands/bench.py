"""``trut bench SUBJECT``: the figures of this machine, each printed by the code that measures it."""

from __future__ import annotations

import argparse
import importlib
import json
from typing import Any

from assistant.i18n import N_, _
from engine import GAMES
from engine.errors import TrutError

SUBJECTS = ("engine", "eyes", "ears", "table", "evening", "page")


class NothingToMeasure(TrutError):
    """The material that a figure needs is not at hand: the answer is "no"."""

    code = "nothing-to-measure"
    exit_status = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shown = "{" + ",".join(SUBJECTS) + "}"
    parser.add_argument("subject", choices=SUBJECTS, metavar=shown, help=_("ce qui est mesuré"))
    parser.add_argument("--rounds", type=int, metavar="N", help=_("nombre de manches simulées de chaque jeu (table)"))
    parser.add_argument("--game", choices=GAMES, help=_("un seul jeu (table)"))
    parser.add_argument(
        "--peer", metavar=_("FICHIER"), help=_("YOLO26n exporté en ONNX, pour comparer les temps (eyes)")
    )
    parser.add_argument(
        "--hours",
        type=float,
        metavar="N",
        help=_("rejoue tant d'heures, de son (ears) ou de toute la table (evening) : mémoire et retard"),
    )
    parser.add_argument(
        "--film-hours",
        type=float,
        metavar="N",
        help=_("tant d'heures avec de vraies images et de vrais sons, bien plus lentes (evening)"),
    )
    parser.add_argument("--watchers", type=int, metavar="N", help=_("tant de pages ouvertes à la fois (page)"))
    parser.add_argument("--json", action="store_true", help=_("une ligne JSON de chiffres à la fin"))


def run(args: argparse.Namespace) -> int:
    options: dict[str, Any] = {}
    if args.rounds is not None:
        if args.subject != "table" or args.rounds < 1:
            raise TrutError(N_("--rounds va avec « trut bench table » et vaut au moins 1"))
        options["rounds"] = args.rounds
    if args.game is not None:
        if args.subject != "table":
            raise TrutError(N_("--game va avec « trut bench table »"))
        options["game"] = args.game
    if args.peer is not None:
        if args.subject != "eyes":
            raise TrutError(N_("--peer va avec « trut bench eyes »"))
        options["peer"] = args.peer
    if args.watchers is not None:
        if args.subject != "page" or not 1 <= args.watchers <= 400:
            raise TrutError(N_("--watchers va avec « trut bench page » et vaut de 1 à 400"))
        options["watchers"] = args.watchers
    module = args.subject
    if args.hours is not None:
        if args.subject not in ("ears", "evening") or not 0 < args.hours <= 100:
            raise TrutError(N_("--hours va avec « trut bench ears » ou « evening », vaut plus de 0, au plus 100"))
        module, options = "hours" if args.subject == "ears" else "evening", {"hours": args.hours}
    if args.film_hours is not None:
        if args.subject != "evening" or not 0 <= args.film_hours <= 100:
            raise TrutError(N_("--film-hours va avec « trut bench evening » et vaut de 0 à 100"))
        options["film_hours"] = args.film_hours
    figures: dict[str, Any] = importlib.import_module(f"assistant.bench.{module}").run(**options)
    if not figures:
        raise NothingToMeasure(N_("rien à mesurer ici : il manque les images ou les sons de mesure"))
    if args.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    for name, value in figures.items():
        print(f"{name:28s} {_shown(value)}")
    return 0


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{k} {_shown(v)}" for k, v in value.items())
    return str(value)
