"""``trut forget``: deletes everything that the program keeps of its users, or one kind of it.

Exit status: 0 when all of it is gone, 1 where something is left (the user said no, a game is being played, the system
refused), 2 for what cannot be asked.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from assistant import settings
from assistant.belongings import ABOUT, Belonging, belongings
from assistant.i18n import _, describe, ngettext
from assistant.storage import Disk
from engine.errors import TrutError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only", action="append", choices=tuple(ABOUT), metavar=_("SORTE"), help=", ".join(ABOUT) + _(" ; répétable")
    )
    parser.add_argument("--yes", action="store_true", help=_("efface sans demander"))


def run(args: argparse.Namespace) -> int:
    """List, ask, delete."""
    try:
        found = settings.load()
    except TrutError as problem:  # broken settings are no reason to keep anything
        sys.stderr.write(f"trut: {describe(problem)}\n")
        found = None
    kept = [b for b in belongings(found) if b.files and (args.only is None or b.kind in args.only)]
    if not kept:
        print(_("Il n'y a rien à effacer."))
        return 0
    for belonging in kept:
        print(_listed(belonging))
    if not args.yes and not _agrees():
        print(_("Rien n'est effacé."))
        return 1
    status = max([_delete(belonging) for belonging in kept])
    print(_("Ce que vous avez rangé ailleurs n'est pas touché."))
    return status


def _agrees() -> bool:
    try:
        answer = input(_("Effacer tout cela pour toujours ? (oui/non) "))
    except EOFError:
        print()
        return False
    return answer.strip().casefold() in ("o", "oui", "y", "yes")


def _listed(belonging: Belonging) -> str:
    """ "les parties enregistrées : 3 fichiers, 12 Ko, dans /home/…/games" """
    files = belonging.files
    sentence = ngettext(
        "{about} : {n} fichier, {size} Ko, dans {places}",
        "{about} : {n} fichiers, {size} Ko, dans {places}",
        len(files),
    )
    places = ", ".join(str(folder) for folder in dict.fromkeys(file.parent for file in files))
    size = -(-belonging.size // 1000)
    return sentence.format(about=_(ABOUT[belonging.kind]), n=len(files), size=size, places=places)


def _delete(belonging: Belonging) -> int:
    """Delete the files of one kind and the folders that are empty then; 1 where something is left."""
    gone, status = 0, 0
    for file in belonging.files:
        try:
            _delete_file(file)
            gone += 1
        except OSError as problem:
            status = 1
            why = _("une partie s'y joue") if isinstance(problem, BlockingIOError) else problem.strerror or problem
            sys.stderr.write("trut: " + _("{name} : pas effacé ({why})").format(name=file, why=why) + "\n")
    _remove_empty([file.parent for file in belonging.files])
    sentence = ngettext("{about} : {n} fichier effacé", "{about} : {n} fichiers effacés", gone)
    print(sentence.format(about=_(ABOUT[belonging.kind]), n=gone))
    return status


def _delete_file(file: Path) -> None:
    """Delete one file, unless it is the record of a game that is being played."""
    if file.suffix == ".trut" and not file.is_symlink():
        disk = Disk()
        handle = disk.open(file)
        try:
            disk.lock(handle)
        finally:
            disk.close(handle)
    file.unlink()


def _remove_empty(folders: Sequence[Path]) -> None:
    for folder in dict.fromkeys(folders):
        with contextlib.suppress(OSError):  # it is not empty, or somebody's own
            folder.rmdir()
