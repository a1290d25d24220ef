"""``trut simulate``: a simulated table as a film, its sound and its truth."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, cast

from assistant.i18n import N_, _, ngettext
from assistant.simulation.manners import MANNERS

if TYPE_CHECKING:
    from assistant.simulation.mishaps import Kind, Mishap
    from assistant.simulation.table import SimulatedTable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``trut simulate``."""
    add_table_arguments(parser)
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help=_("nombre de manches (3)"))
    parser.add_argument(
        "--out", required=True, metavar=_("PRÉFIXE"), help=_("écrit PRÉFIXE.mp4, PRÉFIXE.wav et PRÉFIXE.trut")
    )
    parser.add_argument(
        "--size", default="1280x720", metavar=_("LxH"), help=_("taille des images (1280x720)")
    )


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say what table to simulate, shared with ``trut demo``."""
    parser.add_argument("--game", default="trut", metavar=_("NOM"), help=_("le jeu (trut)"))
    parser.add_argument("--seats", type=int, metavar="N", help=_("nombre de joueurs ; sans cela celui du jeu"))
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help=_("graine : la même donne la même table")
    )
    parser.add_argument(
        "--deck", metavar=_("NOM"), help=_("letele, drawn, drawn-spanish, drawn-numbers ; sans cela la graine choisit")
    )
    parser.add_argument(
        "--faces", type=Path, metavar=_("DOSSIER"), help=_("un dossier de faces, une image par carte")
    )
    parser.add_argument(
        "--slant", type=float, metavar=_("DEGRÉS"), help=_("inclinaison de la caméra, 0 à 40")
    )
    parser.add_argument(
        "--manner",
        nargs="+",
        default=[],
        metavar=_("NOM"),
        help=_("ce que font les joueurs : {names}").format(
            names=_(" ; ").join(f"{name}, {_(what)}" for name, (_chance, what) in MANNERS.items())
        ),
    )
    parser.add_argument(
        "--mishap",
        nargs=3,
        action="append",
        default=[],
        metavar=(_("QUOI"), _("DÉBUT"), _("SECONDES")),
        help=_("ce qui arrive à la caméra : frozen (image figée), black (noire), bumped (heurtée)"),
    )
    parser.add_argument("--noise", type=float, metavar="DB", help=_("bruit de la salle, en dB sous les voix"))
    parser.add_argument(
        "--light", choices=("good", "cafe"), default="good", help=_("la lumière : bonne, ou celle d'un café le soir")
    )
    parser.add_argument("--surface", metavar=_("NOM"), help=_("la table : oak, green-felt, marble…"))


def table_of(args: argparse.Namespace, rounds: int, size: tuple[int, int] = (1280, 720)) -> SimulatedTable:
    """The simulated table that the options ask for.

    Raises:
        UnknownTable, UnknownDeck: what was asked for cannot be simulated.
    """
    from assistant.simulation.faces import FolderFaces, faces_named, pattern_of
    from assistant.simulation.plan import UnknownTable
    from assistant.simulation.surface import SURFACES
    from assistant.simulation.table import SimulatedTable

    if args.surface is not None and args.surface not in SURFACES:
        raise UnknownTable(
            N_("table inconnue : {name} ; les tables : {names}"),
            name=args.surface,
            names=", ".join(sorted(SURFACES)),
        )
    if args.slant is not None and not 0 <= args.slant <= 40:
        raise UnknownTable(N_("inclinaison hors de 0 à 40 degrés : {value}"), value=args.slant)
    if args.noise is not None and not -20 <= args.noise <= 90:
        raise UnknownTable(N_("bruit hors de -20 à 90 dB : {value}"), value=args.noise)
    if args.seed < 0:
        raise UnknownTable(N_("la graine ne peut pas être négative"))
    like = pattern_of(args.game)
    faces = FolderFaces(args.faces, like) if args.faces else faces_named(args.deck) if args.deck else None
    if faces is not None and faces.like != like:
        raise UnknownTable(N_("le jeu de cartes {deck} n'est pas celui de {game}"), deck=faces.name, game=args.game)
    return SimulatedTable(
        args.seed,
        game=args.game,
        seats=args.seats,
        rounds=rounds,
        faces=faces,
        slant=args.slant,
        noise=args.noise,
        surface=args.surface,
        lighting=args.light,
        manners=args.manner,
        mishaps=[_mishap(*words) for words in args.mishap],
        width=size[0],
        height=size[1],
    )


def _mishap(kind: str, start: str, seconds: str) -> Mishap:
    """``--mishap frozen 12 3``."""
    from assistant.simulation.mishaps import KINDS, Mishap
    from assistant.simulation.plan import UnknownTable

    try:
        times = float(start), float(seconds)
    except ValueError:
        times = (-1.0, -1.0)
    if kind not in KINDS or not all(0 <= t < 1e6 for t in times):
        words, kinds = f"{kind} {start} {seconds}", ", ".join(KINDS)
        raise UnknownTable(
            N_("--mishap {words} : il faut {kinds}, puis le début et la durée en secondes"), words=words, kinds=kinds
        )
    return Mishap(cast("Kind", kind), *times)


def run(args: argparse.Namespace) -> int:
    """Simulate and write; 0 when the files are there."""
    from assistant.simulation.film import write
    from assistant.simulation.plan import UnknownTable

    try:
        width, height = (int(part) for part in args.size.lower().split("x"))
    except ValueError:
        width = height = 0
    if not (160 <= width <= 3840 and 90 <= height <= 2160) or width % 2 or height % 2:
        raise UnknownTable(N_("taille impossible : {size} ; par exemple 1280x720"), size=args.size)
    table = table_of(args, args.rounds, (width, height))
    film, sound, record = write(table, Path(args.out))
    seconds = round(table.script.duration)
    rounds = table.script.rounds
    print(
        ngettext(
            "{n} manche, {seconds} s : {film}, {sound}, {record}",
            "{n} manches, {seconds} s : {film}, {sound}, {record}",
            rounds,
        ).format(n=rounds, seconds=seconds, film=film, sound=sound, record=record)
    )
    return 0
