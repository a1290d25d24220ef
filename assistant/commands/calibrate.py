"""``trut calibrate``: teaches the program one café table: its deck, its voices, its knocks; later its seats."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from assistant.i18n import N_, _, describe, ngettext
from engine.errors import TrutError
from vision.decks import PATTERNS, SUFFIX, decks_folder

if TYPE_CHECKING:
    from vision.deck_file import DeckFile
    from vision.enrolled import EnrolledDeck

RANKINGS = {
    "french32": "7 8 A R D V 10 9",
    "numbered8": "8 7 6 5 4 3 2 1",
}
"""The order of the cards, strongest first, in the games that are played with such a deck (T-3, R-2)."""
MOST_ALIKE = 12
"""Pairs of look-alikes that are printed; more would not be read."""


class CalibrationError(TrutError):
    """The command was asked for something it cannot do."""

    code = "calibrate"


BY_EAR: dict[str, str] = {
    "voice": N_("apprend les voix des joueurs"),
    "knock": N_("apprend les coups sur votre table"),
}
"""Parts with a module of their own in ``assistant.calibrating``: ``add_arguments`` and ``run``."""
LATER = ("table", "show")
"""Parts of CLI.md that are still to come."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of CLI.md, ``trut calibrate``."""
    parts = parser.add_subparsers(dest="part", metavar=_("QUOI"), required=True, parser_class=type(parser))
    deck = parts.add_parser("deck", help=_("apprend un jeu de cartes à partir d'images"))
    deck.add_argument("--lang", choices=("fr", "en"), help=_("langue des réponses"))
    deck.add_argument("--like", choices=tuple(PATTERNS), help=_("à quel jeu ses cartes ressemblent"))
    deck.add_argument(
        "--images", type=Path, metavar=_("DOSSIER"), help=_("une image ou plus par carte, nommée par la carte : 7h.jpg")
    )
    deck.add_argument("--out", type=Path, metavar=_("FICHIER"), help=_("le fichier du jeu, nouveau ou à compléter"))
    deck.add_argument(
        "--name", metavar=_("NOM"), help=_("comment le jeu s'appelle ; sans --out, il va chez les vôtres")
    )
    deck.add_argument("--ranking", metavar=_("TEXTE"), help=_("l'ordre des cartes dans votre jeu, pour mémoire"))
    deck.add_argument("--json", action="store_true", help=_("un objet JSON"))
    for part, summary in BY_EAR.items():
        child = parts.add_parser(part, help=_(summary), description=_(summary))
        child.add_argument("--lang", choices=("fr", "en"), help=_("langue des réponses"))
        _module(part).add_arguments(child)
    for part in LATER:
        parts.add_parser(part, help=_("à venir")).add_argument("--lang", choices=("fr", "en"))


def run(args: argparse.Namespace) -> int:
    """Calibrates one thing; 1 where it is not complete."""
    if args.part in LATER:
        raise CalibrationError(N_("trut calibrate {part} n'existe pas encore : il arrive bientôt"), part=args.part)
    if args.part in BY_EAR:
        return int(_module(args.part).run(args))
    return _deck(args)


def _module(part: str) -> ModuleType:
    return importlib.import_module(f"assistant.calibrating.{part}")


def _deck(args: argparse.Namespace) -> int:
    from calibration.enrolment import Enroller, pictures_in
    from vision.comparing import Comparison
    from vision.deck_file import save
    from vision.enrolled import EnrolledDeck
    from vision.pictures import load_picture

    path = _place(args)
    old = _old(path, args.like)
    like = old.like if old is not None else PATTERNS[args.like]
    if args.images is None:
        raise CalibrationError(N_("donnez les images des cartes avec --images DOSSIER : une par carte, comme 7h.jpg"))
    if not args.images.is_dir():
        raise CalibrationError(N_("{folder} : ce dossier n'existe pas"), folder=args.images)
    named, unnamed = pictures_in(args.images, like)
    if not named:
        raise CalibrationError(
            N_("{folder} : aucune image n'y porte le nom d'une carte de {like}, comme {card}.jpg"),
            folder=args.images,
            like=like.name,
            card=like.cards[0],
        )
    for file in unnamed:
        _say(
            _("{file} : son nom n'est pas celui d'une carte de {like}, image laissée de côté"),
            file=file,
            like=like.name,
        )
    enroller, views = Enroller(), []
    for file, card in named:
        try:
            view = enroller.view(load_picture(file), card)
        except TrutError as problem:
            sys.stderr.write(f"trut: {describe(problem)}\n")
            continue
        if not len(view.crops):
            _say(_("{file} : aucune carte trouvée sur cette image"), file=file)
        views.append(view)
    if old is None and not any(len(view.crops) for view in views):
        raise CalibrationError(N_("{folder} : aucune carte trouvée sur ces images"), folder=args.images)
    name = args.name or (old.name if old is not None else path.stem)
    ranking = args.ranking or (old.ranking if old is not None else RANKINGS.get(like.name, ""))
    made = enroller.deck(name, like, ranking, views, old)
    save(path, made)
    deck = EnrolledDeck(made, Comparison.shipped())
    _report(args.json, path, deck)
    return 1 if deck.missing else 0


def _place(args: argparse.Namespace) -> Path:
    """Where the deck goes."""
    if args.out is not None:
        return Path(args.out)
    if args.name is None:
        raise CalibrationError(N_("dites où va le jeu : --out FICHIER, ou --name NOM pour le ranger chez les vôtres"))
    if Path(args.name).name != args.name or not args.name.isprintable() or args.name.startswith("."):
        raise CalibrationError(N_("« {name} » ne peut pas être le nom d'un jeu de cartes"), name=args.name)
    return decks_folder() / f"{args.name}{SUFFIX}"


def _old(path: Path, like: str | None) -> DeckFile | None:
    """The deck that the file already holds, for new light to be added."""
    from vision.deck_file import load
    from vision.enrolled import at_work

    if not path.exists():
        if like is None:
            raise CalibrationError(N_("dites à quel jeu il ressemble : --like {names}"), names="|".join(PATTERNS))
        return None
    old = load(path)
    if like is not None and like != old.like.name:
        raise CalibrationError(
            N_("{file} tient déjà un jeu comme {old}, pas comme {like} ; choisissez un autre --out"),
            file=path,
            old=old.like.name,
            like=like,
        )
    return at_work(old)


def _say(sentence: str, **fields: object) -> None:
    sys.stderr.write("trut: " + sentence.format(**fields) + "\n")


def _report(as_json: bool, path: Path, deck: EnrolledDeck) -> None:
    """What the deck holds, what is missing, which cards look alike."""
    alike = deck.alike()
    if as_json:
        facts = {
            "file": str(path),
            "deck": deck.name,
            "like": deck.like.name,
            "cards": list(deck.cards),
            "pictures": len(deck.file.shown),
            "missing": list(deck.missing),
            "alike": [{"cards": [a, b], "likeness": round(s, 3)} for a, b, s in alike],
        }
        print(json.dumps(facts, ensure_ascii=False))
        return
    n = len(deck.cards)
    print(
        ngettext("{file} : {n} carte sur {all}", "{file} : {n} cartes sur {all}", n).format(
            file=path, n=n, all=len(deck.like.cards)
        )
    )
    if deck.missing:
        print(_("Il manque : {cards}").format(cards=_listed(deck.missing)))
    if alike:
        pairs = _listed([f"{a}/{b}" for a, b, _likeness in alike[:MOST_ALIKE]])
        print(_("Cartes qui se ressemblent, à montrer aussi sous une autre lumière : {pairs}").format(pairs=pairs))


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
