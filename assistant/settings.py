"""The settings: one TOML file in the platform's usual folder, edited by hand or by ``trut config``.

    language = "fr"
    [players]
    1 = "Marie"
    [rules.trut]
    fortial = "off"

A key is written with dots (``rules.trut.fortial``). Whatever the command line says counts more. What the file may
hold is in ``KEYS``; anything else is an error that names the line, so that a slip of the pen is no silent default.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.i18n import LANGUAGES, N_
from assistant.modes import Mode
from assistant.storage import Disk, write_whole
from engine.errors import TrutError
from engine.options import GAMES, OPTIONS

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

Value = str | int

LOUDEST = 10
SEATS = 6


class BadSettings(TrutError):
    """The settings file, or a key or value for it, cannot be used."""

    code = "bad-settings"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a key may hold.

    Attributes:
        about: what it is, for ``trut config``.
        words: the values it may have; empty for any text.
        numbers: the lowest and the highest number, for a number.
    """

    about: str
    words: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None

    @property
    def allowed(self) -> str:
        """The possible values in a few words; empty for any text."""
        if self.numbers is not None:
            return f"{self.numbers[0]} … {self.numbers[1]}"
        return ", ".join(self.words)

    def read(self, value: object) -> Value | None:
        """A value from the file or from the command line as it is kept; None if it is none of the possible ones."""
        if isinstance(value, bool):
            value = "on" if value else "off"
        text = str(value).strip() if isinstance(value, str | int) else ""
        if self.numbers is not None:
            number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else -1
            return number if self.numbers[0] <= number <= self.numbers[1] else None
        if self.words:
            return text if text in self.words else None
        return text if text and text.isprintable() and "#" not in text else None


def _kinds() -> Iterator[tuple[str, Kind]]:
    yield "language", Kind(N_("langue des réponses"), words=LANGUAGES)
    yield "speech.mode", Kind(N_("comment l'arbitre se fait entendre"), words=tuple(Mode))
    yield "speech.volume", Kind(N_("volume de la voix"), numbers=(0, LOUDEST))
    yield "speech.device", Kind(N_("sortie de son, par son nom"))
    yield "devices.camera", Kind(N_("caméra, par son numéro ou son nom"))
    yield "devices.microphone", Kind(N_("micro, par son numéro ou son nom"))
    yield "table.game", Kind(N_("le jeu que l'on joue"), words=GAMES)
    yield "table.seats", Kind(N_("nombre de joueurs"), words=("2", "4", "6"))
    yield "table.deck", Kind(N_("jeu de cartes"))
    yield "table.profile", Kind(N_("dernier profil de table"))
    yield "records.folder", Kind(N_("où les parties sont enregistrées"))
    for seat in range(1, SEATS + 1):
        yield f"players.{seat}", Kind(N_("qui est assis où"))
    for name, option in OPTIONS.items():
        for game in option.defaults:
            numbers = None if option.values else (1, 999_999)
            yield f"rules.{game}.{name}", Kind(N_("règle maison"), words=option.values, numbers=numbers)


KEYS: Mapping[str, Kind] = dict(_kinds())


@dataclass(frozen=True)
class Settings:
    """What the file says; an absent key has no value.

    Attributes:
        path: the file, which need not be there.
        values: by key.
    """

    path: Path
    values: Mapping[str, Value] = field(default_factory=dict)

    def text(self, key: str) -> str | None:
        """The value of a key as text."""
        assert key in KEYS
        value = self.values.get(key)
        return None if value is None else str(value)

    def number(self, key: str) -> int | None:
        """The value of a key as a number."""
        text = self.text(key)
        return None if text is None else int(text)

    def names(self, seats: int) -> dict[int, str]:
        """Who sits where at a table of so many seats."""
        names = {seat: self.text(f"players.{seat}") for seat in range(1, seats + 1)}
        return {seat: name for seat, name in names.items() if name is not None}

    def rules(self, game: str) -> dict[str, str]:
        """The house rules of a game."""
        start = f"rules.{game}."
        return {key.removeprefix(start): str(value) for key, value in self.values.items() if key.startswith(start)}


def settings_path() -> Path:
    """Where the settings are: the file that the environment variable ``TRUT_SETTINGS`` names, else the platform's
    usual place."""
    from platformdirs import user_config_path

    named = os.environ.get("TRUT_SETTINGS")
    return Path(named) if named else user_config_path("trut", appauthor=False) / "settings.toml"


def load(path: Path | None = None) -> Settings:
    """Read the settings; without a file there are none.

    Raises:
        BadSettings: the file cannot be read, is no TOML, or holds what no setting is.
    """
    path = path or settings_path()
    text = _read(path)
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise BadSettings(N_("{file} : ce n'est pas du TOML ({why})"), file=path, why=problem) from None
    values: dict[str, Value] = {}
    for key, value in _leaves(tree):
        try:
            values[key] = checked(key, value)
        except BadSettings as problem:
            where = N_("{file}, ligne {line} : {problem}")
            raise BadSettings(where, file=path, line=_line_of(text, key), problem=problem) from None
    return Settings(path, values)


def checked(key: str, value: object) -> Value:
    """A value as it is kept.

    Raises:
        BadSettings: there is no such key, or it cannot have this value.
    """
    kind = KEYS.get(key)
    if kind is None:
        raise BadSettings(N_("réglage inconnu : « {key} » ; il y a : {keys}"), key=key, keys=", ".join(_near(key)))
    kept = kind.read(value)
    if kept is None and not kind.allowed:
        raise BadSettings(N_("{key} : il faut un texte d'une ligne, sans « # »"), key=key)
    if kept is None:
        raise BadSettings(
            N_("{key} : « {value} » n'est pas possible ; il y a : {values}"), key=key, value=value, values=kind.allowed
        )
    return kept


def change(key: str, value: object, path: Path | None = None) -> None:
    """Write one setting, or with None take it out; comments and everything else in the file stay.

    Raises:
        BadSettings: there is no such key, it cannot have this value, or the file cannot be read or written.
    """
    path = path or settings_path()
    kept = None if value is None else checked(key, value)
    if key not in KEYS:
        checked(key, "")
    load(path)  # a file that cannot be used is not written over
    import tomlkit

    document = tomlkit.parse(_read(path) or "# trut config\n")
    _put(document, key.split("."), kept)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(Disk(), path, tomlkit.dumps(document).encode())
    except OSError as problem:
        raise BadSettings(
            N_("{file} : impossible d'y écrire les réglages ({why})"), file=path, why=problem.strerror or problem
        ) from None


def _put(document: TOMLDocument, parts: list[str], value: Value | None) -> None:
    import tomlkit

    table = document
    for part in parts[:-1]:
        if part not in table:
            if value is None:
                return
            table[part] = tomlkit.table()
        table = table[part]
    if value is not None:
        table[parts[-1]] = value
    elif parts[-1] in table:
        del table[parts[-1]]


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise BadSettings(N_("{file} : ce n'est pas du texte UTF-8"), file=path) from None
    except OSError as problem:
        raise BadSettings(
            N_("{file} : fichier illisible ({why})"), file=path, why=problem.strerror or problem
        ) from None


def _leaves(tree: Mapping[str, object], start: str = "") -> Iterator[tuple[str, object]]:
    """Every value of a TOML file with its dotted key; an empty table that no key belongs to is one too."""
    for name, value in tree.items():
        key = f"{start}{name}"
        if isinstance(value, Mapping) and (value or any(known.startswith(f"{key}.") for known in KEYS)):
            yield from _leaves(value, f"{key}.")
        else:
            yield key, value


def _near(key: str) -> list[str]:
    """The keys that belong to the same part as an unknown one, all parts where there is no such part."""
    parts = key.split(".")
    for depth in range(len(parts) - 1, 0, -1):
        near = [known for known in KEYS if known.startswith(".".join(parts[:depth]) + ".")]
        if near:
            return near
    return [
        *(known for known in KEYS if not known.startswith(("rules.", "players."))),
        "players.1",
        "rules.trut.target",
    ]


def _line_of(text: str, key: str) -> int:
    """The line on which a key stands, as well as a glance can tell; 1 where it hides."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([^\[\]]+)\]", line):
            table = header[1].replace('"', "").replace(" ", "") + "."
            if key.startswith(table[:-1]) and key == table[:-1]:
                return number
        elif pair := re.match(r"\s*([\w.\"'-]+)\s*=", line):
            written = re.sub(r"[\"']", "", pair[1])
            if key == table + written or key.startswith(f"{table}{written}."):
                return number
    return 1
