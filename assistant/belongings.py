"""What the program keeps of its users, and where: everything that ``trut forget`` deletes.

Only the program's own places are looked at. What was put elsewhere by hand (``--out``, a record copied to a stick) is
its owner's business.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.i18n import N_
from assistant.journal import default_folder
from assistant.settings import Settings, settings_path
from engine.options import GAMES

ABOUT = {
    "games": N_("les parties enregistrées"),
    "profiles": N_("les profils de tables"),
    "decks": N_("les jeux de cartes appris"),
    "voices": N_("les voix apprises"),
    "knocks": N_("le profil des coups"),
    "bundles": N_("les paquets pour un rapport d'incident"),
    "page": N_("les certificats de la page"),
    "settings": N_("les réglages"),
}
"""The kinds of what is kept, in the order in which they are listed."""
RECORD = re.compile(rf"(?:{'|'.join(GAMES)})-\d+\.trut(?:\.new|\.torn(?:-\d+)?(?:\.new)?)?")


@dataclass(frozen=True)
class Belonging:
    """Files of one kind."""

    kind: str
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        sizes = 0
        for file in self.files:
            with contextlib.suppress(OSError):
                sizes += file.lstat().st_size
        return sizes


def data_folder() -> Path:
    """The program's folder among the user's data."""
    return default_folder().parent


def bundles_folder() -> Path:
    """Where bundles go unless a file is named."""
    return data_folder() / "bundles"


def page_folder() -> Path:
    """Where the certificates of the page are kept."""
    return data_folder() / "page"


def belongings(found: Settings | None) -> list[Belonging]:
    """All that is there.

    Args:
        found: the settings, which may name another folder of records; None where they cannot be read.
    """
    return [Belonging(kind, tuple(sorted(set(_files(kind, found))))) for kind in ABOUT]


def _files(kind: str, found: Settings | None) -> Iterator[Path]:
    data = data_folder()
    match kind:
        case "games":
            yield from _all_in(default_folder())
            elsewhere = found.text("records.folder") if found is not None else None
            if elsewhere is not None:
                yield from (file for file in _all_in(Path(elsewhere).expanduser(), deep=False) if _is_record(file))
        case "profiles":
            yield from _all_in(data / "tables")
        case "knocks":
            yield from (file for file in (data / "knocks.json",) if file.exists())
        case "settings":
            path = settings_path()
            yield from (file for file in (path, path.with_name(path.name + ".new")) if file.is_file())
        case _:
            yield from _all_in(data / kind)


def _all_in(folder: Path, *, deep: bool = True) -> Iterator[Path]:
    """The files in a folder; links themselves, never what they point to."""
    if not folder.is_dir() or folder.is_symlink():
        return
    for path in folder.iterdir():
        if path.is_symlink() or path.is_file():
            yield path
        elif deep and path.is_dir():
            yield from _all_in(path)


def _is_record(file: Path) -> bool:
    return RECORD.fullmatch(file.name) is not None
