"""``trut read``: finds and reads every face-up card in still pictures."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from assistant.i18n import N_, _, describe, ngettext
from assistant.wiring import profile_named
from calibration.today import today
from engine.errors import TrutError
from vision.decks import DEFAULT_DECK, deck_named
from vision.detector import open_detector
from vision.errors import UnreadablePicture
from vision.events import CardSighting
from vision.pictures import annotated, load_picture, save_picture
from vision.reading import CardReader


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of CLI.md, ``trut read``."""
    parser.add_argument("images", nargs="+", metavar="IMAGE", help=_("photographies à lire"))
    parser.add_argument("--profile", metavar=_("TABLE"), help=_("la table apprise : elle seule est lue"))
    parser.add_argument("--deck", metavar="NOM|FICHIER", help=_("jeu de cartes (trut decks)"))
    parser.add_argument("--detector", metavar="FICHIER", help=_("un détecteur YOLO à vous : ONNX, ou .pt"))
    parser.add_argument("--json", action="store_true", help=_("un objet JSON par image"))
    parser.add_argument("--annotate", metavar="DOSSIER", help=_("y écrire les images avec les cartes encadrées"))


def run(args: argparse.Namespace) -> int:
    """Reads all pictures; the worst status counts."""
    table = profile_named(args.profile)
    deck = args.deck or (table.deck if table is not None else None) or DEFAULT_DECK
    reader = CardReader(deck_named(deck), detector=open_detector(args.detector) if args.detector else None)
    folder = _folder(args.annotate) if args.annotate else None
    status = 0
    for name in args.images:
        try:
            picture = load_picture(name)
            began = time.perf_counter()
            if table is None:
                sightings = reader.read(picture)
            else:
                now = today(table, picture)
                sightings = now.as_given(reader.read(now.view))
            spent = (time.perf_counter() - began) * 1000
            if folder is not None:
                save_picture(_free_name(folder, Path(name)), annotated(picture, sightings))
        except TrutError as problem:
            sys.stderr.write(f"trut: {describe(problem)}\n")
            status = max(status, problem.exit_status)
            continue
        height, width = picture.shape[:2]
        print(
            _as_json(name, width, height, spent, sightings) if args.json else _as_text(name, sightings),
            flush=True,
        )
    return status


def _folder(name: str) -> Path:
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UnreadablePicture(
            N_("{file} : impossible d'y écrire ({why})"), file=name, why=problem.strerror or problem
        ) from None
    return folder


_written: set[Path] = set()


def _free_name(folder: Path, picture: Path) -> Path:
    """Where the annotated picture goes; pictures of one name from two folders do not overwrite each other."""
    name = folder / f"{picture.stem}.png"
    n = 2
    while name in _written or name.resolve() == picture.resolve():
        name = folder / f"{picture.stem}-{n}.png"
        n += 1
    _written.add(name)
    return name


def _as_json(name: str, width: int, height: int, ms: float, sightings: list[CardSighting]) -> str:
    cards = [{"card": s.card, "confidence": s.confidence, "quad": [list(p) for p in s.quad]} for s in sightings]
    return json.dumps({"file": name, "width": width, "height": height, "ms": round(ms, 1), "cards": cards})


def _as_text(name: str, sightings: list[CardSighting]) -> str:
    read = [f"{s.card} ({min(s.confidence, 0.99):.0%})" for s in sightings if s.card is not None]
    unread = len(sightings) - len(read)
    parts = [", ".join(read) if read else _("aucune carte lue")]
    if unread:
        parts.append(ngettext("{n} carte vue mais pas lue", "{n} cartes vues mais pas lues", unread).format(n=unread))
    return _("{file} : {what}").format(file=name, what=" ; ".join(parts))
