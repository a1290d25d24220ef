"""The profile of one table: where it lies in the picture, who sits where, its deck, voices and knocks.

A folder with ``profile.toml``, a picture of the table zone (all else is black: nothing that lies or sits beside the
table is kept) and, if wanted, the files of the deck, the voices and the knocks. Like a deck file it travels by mail and
on sticks: nothing in it is executed, and everything is checked and bounded before it is used.
"""

from __future__ import annotations

import math
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from calibration.errors import BrokenProfile, TableProblem
from calibration.setup import Found, TableSetup
from vision.camera import Image
from vision.errors import UnreadablePicture
from vision.pictures import load_picture
from vision.playzone import PlayZone
from vision.seats import SeatMap

VERSION = 1
"""Grows when older programs could not use the profile."""
TEXT, PICTURE = "profile.toml", "table.png"
MOST_TEXT, MOST_PICTURE = 1 << 16, 32 << 20
MOST_PIXELS = 16384
"""Of a picture's side."""
MOST_LETTERS = 60
"""Of a name."""
MADE = ("seen", "hand", "picture")
NAMED = {"deck": "jeu de cartes", "voices": "voix", "knocks": "coups"}


@dataclass(frozen=True, eq=False)
class Profile:
    """One calibrated table.

    Attributes:
        name: what the players call the table.
        setup: its corners and seats in the reference picture.
        reference: picture of the table zone, (height, width, 3) BGR, black elsewhere.
        deck: name of a shipped deck, or the file of an enrolled one; None: that of the game.
        voices, knocks: files of the players' voices and of the knocks on this table; None: none.
        lights: what was measured then, light by light (``calibration.lights``).
    """

    name: str
    setup: TableSetup
    reference: Image
    deck: str | None = None
    voices: Path | None = None
    knocks: Path | None = None
    lights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, setup: TableSetup, picture: Image, **files: Any) -> Profile:
        """A profile with a picture of the table, of which only the play zone is kept.

        Raises:
            BrokenProfile: that cannot be its name.
        """
        checked_name(name)
        h, w = picture.shape[:2]
        setup = setup.scaled(w, h)
        zone = PlayZone(setup.seat_map().play_zone(w, h), picture)
        return cls(name, setup, zone.kept(picture), **files)

    @property
    def players(self) -> int:
        """How many play at this table."""
        return len(self.setup.seats)

    def seat_map(self, width: int, height: int) -> SeatMap:
        """Seats and play zone for pictures of any size from the calibrated place."""
        return self.setup.scaled(width, height).seat_map()

    @property
    def play_zone(self) -> PlayZone:
        """What may be kept and read of pictures from the calibrated place."""
        h, w = self.reference.shape[:2]
        return PlayZone(self.seat_map(w, h).play_zone(w, h), self.reference)

    def save(self, folder: Path) -> None:
        """Write the folder; the text comes last, so that a profile is there whole or not at all.

        Raises:
            BrokenProfile: it cannot be written.
        """
        done, data = cv2.imencode(".png", self.reference)
        if not done:
            raise BrokenProfile("{folder} : impossible d'écrire ce profil ({why})", folder=folder, why="PNG")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _replace(folder / PICTURE, data.tobytes())
            _replace(folder / TEXT, self._text(folder).encode())
        except OSError as problem:
            raise BrokenProfile(
                "{folder} : impossible d'écrire ce profil ({why})", folder=folder, why=problem.strerror or problem
            ) from None

    @classmethod
    def load(cls, folder: Path) -> Profile:
        """The profile in a folder.

        Raises:
            BrokenProfile: it is missing, damaged or of a newer version.
        """
        facts = _facts(folder)
        version = facts.get("version")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise BrokenProfile("{folder} : ce profil est abîmé ; refaites « trut calibrate table »", folder=folder)
        if version > VERSION:
            raise BrokenProfile(
                "{folder} : ce profil vient d'une version plus récente du programme (format {version})",
                folder=folder,
                version=version,
            )
        try:
            setup = setup_from(facts)
            files = _files(facts.get("files", {}), folder)
            lights = {str(k): float(v) for k, v in facts.get("lights", {}).items()}
            name = checked_name(str(facts["name"]))
            reference = _reference(folder, setup)
        except (KeyError, TypeError, ValueError, AttributeError, TableProblem, UnreadablePicture) as problem:
            raise BrokenProfile(
                "{folder} : ce profil est abîmé ; refaites « trut calibrate table »", folder=folder
            ) from problem
        return cls(name, setup, reference, lights=lights, **files)

    def _text(self, folder: Path) -> str:
        setup = self.setup
        lines = [
            f"version = {VERSION}",
            f"name = {_quoted(self.name)}",
            "",
            "[picture]",
            f"width = {setup.width}",
            f"height = {setup.height}",
            "",
            "[table]",
            f"found = {_quoted(setup.found)}",
            "corners = [" + ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in setup.corners) + "]",
            "",
            "[seats]",
            *(f"{seat} = [{u:.3f}, {v:.3f}]" for seat, (u, v) in sorted(setup.seats.items())),
        ]
        files = {"deck": self.deck, "voices": self.voices, "knocks": self.knocks}
        named = {kind: _beside(str(file), folder) for kind, file in files.items() if file is not None}
        if named:
            lines += ["", "[files]", *(f"{kind} = {_quoted(file)}" for kind, file in named.items())]
        if self.lights:
            lines += ["", "[lights]", *(f"{kind} = {float(value):.4f}" for kind, value in self.lights.items())]
        return "\n".join(lines) + "\n"


def profiles_folder() -> Path:
    """Where the user's profiles lie unless told otherwise; it need not exist."""
    from platformdirs import user_data_path

    return user_data_path("trut", appauthor=False) / "tables"


def saved_profiles(folder: Path | None = None) -> list[str]:
    """Names of the profiles in the usual place, in order."""
    place = folder or profiles_folder()
    return sorted(text.parent.name for text in place.glob(f"*/{TEXT}"))


def folder_of(named: str) -> Path:
    """The folder that ``--profile`` means: a folder, else the one of that name in the usual place.

    Raises:
        BrokenProfile: there is neither.
    """
    path = Path(named)
    if (path / TEXT).is_file():
        return path
    if path.name == named:
        kept = profiles_folder() / named
        if (kept / TEXT).is_file():
            return kept
    known = ", ".join(saved_profiles()) or "-"
    raise BrokenProfile("« {name} » : aucun profil de table ici ; les vôtres : {known}", name=named, known=known)


def checked_name(name: str) -> str:
    """The name of a table, if it can also be that of a folder.

    Raises:
        BrokenProfile: it cannot.
    """
    good = name.isprintable() and 0 < len(name) <= MOST_LETTERS and not re.search(r'[\\/:*?"<>|]', name)
    if not good or name.startswith(".") or name != name.strip():
        raise BrokenProfile("« {name} » ne peut pas être le nom d'une table", name=name)
    return name


def facts_of(setup: TableSetup) -> dict[str, Any]:
    """What ``setup_from`` makes the same table of, in plain numbers and words."""
    return {
        "picture": {"width": setup.width, "height": setup.height},
        "table": {"found": setup.found, "corners": [[round(x, 1), round(y, 1)] for x, y in setup.corners]},
        "seats": {str(seat): [round(u, 3), round(v, 3)] for seat, (u, v) in sorted(setup.seats.items())},
    }


def _facts(folder: Path) -> dict[str, Any]:
    path = folder / TEXT
    try:
        data = path.read_bytes()[: MOST_TEXT + 1]
        if len(data) > MOST_TEXT:
            raise ValueError("too long")
        return tomllib.loads(data.decode())
    except OSError as problem:
        raise BrokenProfile(
            "{folder} : aucun profil de table lisible ici ({why})", folder=folder, why=problem.strerror or problem
        ) from None
    except ValueError:  # not UTF-8, not TOML, too long
        raise BrokenProfile(
            "{folder} : ce profil est abîmé ; refaites « trut calibrate table »", folder=folder
        ) from None


def setup_from(facts: dict[str, Any]) -> TableSetup:
    """A table's corners and seats as somebody wrote them: ``picture`` with its width and height, ``table`` with
    ``found`` and ``corners``, and ``seats``.

    Raises:
        TableProblem: such a table cannot be.
        ValueError, KeyError, TypeError, AttributeError: that is no table.
    """
    width, height = (_whole(facts["picture"][side]) for side in ("width", "height"))
    table = facts["table"]
    seats = {int(seat): _pair(place) for seat, place in facts["seats"].items()}
    setup = TableSetup.whole(len(seats), width, height)
    if set(seats) != set(setup.seats) or any(max(abs(u), abs(v)) > 1.001 for u, v in seats.values()):
        raise ValueError("seats")
    if table["found"] not in MADE:
        raise ValueError("found")
    if table["found"] != "picture":
        corners = [_pair(corner) for corner in table["corners"]]
        setup = setup.with_corners(corners)
        setup = TableSetup(width, height, cast(Any, tuple(corners)), seats, cast(Found, table["found"]))
    else:
        setup = TableSetup(width, height, setup.corners, seats, "picture")
    return setup.checked()


def _whole(value: Any) -> int:
    if not isinstance(value, int) or not 1 <= value <= MOST_PIXELS:
        raise ValueError("pixels")
    return value


def _pair(value: Any) -> tuple[float, float]:
    x, y = (float(v) for v in value)
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("place")
    return x, y


def _files(named: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The files of a profile: those beside it are named without a folder."""
    unknown = set(named) - set(NAMED)
    if unknown or not all(isinstance(file, str) for file in named.values()):
        raise ValueError("files")
    out: dict[str, Any] = {}
    for kind, file in named.items():
        path = folder / file
        if kind == "deck":
            out[kind] = str(path) if path.is_file() else file
        else:
            if not path.is_file():
                raise BrokenProfile("{folder} : il manque à ce profil le fichier {file}", folder=folder, file=file)
            out[kind] = path
    return out


def _reference(folder: Path, setup: TableSetup) -> Image:
    path = folder / PICTURE
    if path.is_file() and path.stat().st_size > MOST_PICTURE:
        raise ValueError("too large")
    picture = load_picture(path)
    if picture.shape[:2] != (setup.height, setup.width):
        raise ValueError("picture")
    return np.asarray(picture, np.uint8)


def _beside(file: str, folder: Path) -> str:
    """How a file is named in the text: without the folder where it lies in the profile's own."""
    path = Path(file)
    if not path.exists():
        return file  # the name of a shipped deck
    path, own = path.resolve(), folder.resolve()
    return str(path.relative_to(own)) if path.is_relative_to(own) else str(path)


def _quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _replace(path: Path, data: bytes) -> None:
    """At any moment the old file or the new one is there, whole."""
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(unfinished, 0o644)
        os.replace(unfinished, path)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise
