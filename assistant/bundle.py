"""What a bug report needs, in one zip file, without what is private: ``trut doctor --bundle``.

Players' names are left out of settings and records, the home folder is written ``~``. Pictures are in it only if asked
for, and only those that a record names (``see``), which show nothing but the table zone.
"""

from __future__ import annotations

import io
import json
import platform
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

from assistant import settings
from assistant.belongings import bundles_folder
from assistant.i18n import N_, _, describe
from assistant.journal import default_folder
from assistant.storage import Disk, write_whole
from engine import Record
from engine.errors import TrutError

if TYPE_CHECKING:
    from assistant.commands.doctor import Finding
    from assistant.figures import Reading

RECORDS = 3
"""Newest records that go in."""
MOST_PICTURES = 20
PACKAGES = (
    "trut", "numpy", "opencv-python", "onnxruntime", "soundfile", "soxr", "av", "sounddevice", "espeakng-loader",
    "vosk", "platformdirs", "tomlkit",
)  # fmt: skip
ABOUT = {
    "versions.json": N_("versions du programme, de Python, des bibliothèques et du système"),
    "doctor.jsonl": N_("ce que dit trut doctor : ce qui est installé, ce qui manque"),
    "live.jsonl": N_("comment allait la table en direct, seconde par seconde : images, retards, travail, mémoire"),
    "settings.txt": N_("vos réglages, sans les noms des joueurs"),
    "games/": N_("vos dernières parties enregistrées, sans les noms des joueurs"),
    "pictures/": N_("des images de la table, de ces parties"),
}
_DATE = (1980, 1, 1, 0, 0, 0)


class BundleError(TrutError):
    """The bundle cannot be written where it should go."""

    code = "bundle"


@dataclass(frozen=True)
class Item:
    """One file of the bundle."""

    name: str
    data: bytes

    @property
    def about(self) -> str:
        """What it is, in a sentence."""
        folder, slash, _rest = self.name.partition("/")
        return _(ABOUT[folder + slash])


def items(findings: Iterable[Finding], readings: Iterable[Reading] = (), *, pictures: bool = False) -> list[Item]:
    """What goes into a bundle.

    Args:
        findings: of ``trut doctor``.
        readings: of a live table that has just been looked at.
        pictures: those that the records name too.
    """
    said, records = _settings()
    gathered = [
        Item("versions.json", json.dumps(_versions(), indent=1).encode()),
        Item("doctor.jsonl", _lines(json.dumps(asdict(f), ensure_ascii=False) for f in findings)),
        Item("settings.txt", _lines(said)),
    ]
    live = _lines(json.dumps(reading.row()) for reading in readings)
    gathered += [Item("live.jsonl", live)] if live else []
    newest = sorted(records.glob("*.trut"), key=lambda path: path.stat().st_mtime)[-RECORDS:]
    gathered += [Item(f"games/{path.name}", _without_names(path.read_bytes())) for path in newest]
    if pictures:
        gathered += [Item(f"pictures/{path.name}", path.read_bytes()) for path in _pictures(newest)[-MOST_PICTURES:]]
    return [Item(item.name, _without_home(item.data)) if _is_text(item) else item for item in gathered]


def listed(gathered: Sequence[Item]) -> list[str]:
    """A line for each file: its name, its size, what it is."""
    return [
        _("  {name:24s} {size:>8d} octets : {about}").format(name=item.name, size=len(item.data), about=item.about)
        for item in gathered
    ]


def save(gathered: Sequence[Item], path: Path | None) -> Path:
    """Write the zip file; None takes the next free name in the user's data folder.

    Raises:
        BundleError: there is a file of that name, or it cannot be written.
    """
    path = path or _free(bundles_folder())
    if path.exists():
        raise BundleError(N_("{name} : il y a déjà un fichier de ce nom"), name=path)
    readme = "\n".join([_("Ce que contient ce paquet :"), "", *listed(gathered), ""])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for item in (Item("README.txt", readme.encode()), *gathered):
            file.writestr(zipfile.ZipInfo(item.name, _DATE), item.data, zipfile.ZIP_DEFLATED)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(Disk(), path, packed.getvalue())
    except OSError as problem:
        raise BundleError(
            N_("{name} : impossible d'y écrire ({why})"), name=path, why=problem.strerror or problem
        ) from None
    return path


def _free(folder: Path) -> Path:
    number = 1
    while (path := folder / f"trut-{number}.zip").exists():
        number += 1
    return path


def _versions() -> Mapping[str, str]:
    installed = {d.metadata["Name"]: d.version for d in distributions() if d.metadata["Name"] in PACKAGES}
    system = {"python": platform.python_version(), "system": platform.platform(), "machine": platform.machine()}
    return system | dict(sorted(installed.items()))


def _settings() -> tuple[list[str], Path]:
    """The settings, or what is wrong with them, and the folder of records that they name."""
    try:
        found = settings.load()
    except TrutError as problem:
        return [describe(problem)], default_folder()
    lines = [f"{key} = {value}" for key, value in found.values.items() if not key.startswith("players.")]
    kept = found.text("records.folder")
    return lines, Path(kept).expanduser() if kept else default_folder()


def _without_names(data: bytes) -> bytes:
    """A record whose players are called J1, J2 ..."""
    return re.sub(rb"(?m)^([ \t]*name[ \t]+(\d+)[ \t]).*?(?=\r?$)", rb"\1J\2", data)


def _without_home(data: bytes) -> bytes:
    return data.replace(str(Path.home()).encode(), b"~")


def _is_text(item: Item) -> bool:
    return not item.name.startswith("pictures/")


def _pictures(records: Sequence[Path]) -> list[Path]:
    """The files beside these records that their events name as what was seen."""
    named: list[Path] = []
    for path in records:
        try:
            lines = Record.load(path).lines
        except TrutError:
            continue
        for line in lines:
            see = line.remarks.get("see", "") if line.kind == "event" else ""
            beside = path.parent / Path(see).name
            if see and beside.is_file():
                named.append(beside)
    return list(dict.fromkeys(named))


def _lines(texts: Iterable[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()
