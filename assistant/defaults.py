"""What the settings say where the command line says nothing."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path

from assistant.i18n import N_, describe
from assistant.settings import Settings
from engine import Header
from engine.errors import TrutError
from engine.header import SEATS

NAMES = Path("/sys/class/video4linux")
"""Where Linux tells what its cameras are called."""


class NoGame(TrutError):
    """Nobody said which game is played."""

    code = "no-game"


class NoSuchDevice(TrutError):
    """The settings name a device that is not there; the command goes on without it."""

    code = "no-such-device"


def fill_game(args: argparse.Namespace, found: Settings) -> None:
    """Give the game, where it was not given, the value of the settings."""
    args.game = args.game or found.text("table.game")


def fill_deck(args: argparse.Namespace, found: Settings, game: str) -> None:
    """The same for the deck, unless it is that of another game."""
    if found.text("table.game") in (None, game):
        args.deck = args.deck or found.text("table.deck")


def fill_devices(args: argparse.Namespace, found: Settings) -> None:
    """Give camera and microphone, where they were not given, the values of the settings, unless files are asked
    for."""
    if not is_file(args.camera) and not is_file(args.mic):
        args.camera = args.camera or camera_of(found)
        args.mic = args.mic or microphone_of(found)


def camera_of(found: Settings) -> str | None:
    """The camera of the settings; None where they name none, or one that is not plugged in: that is said, and is no
    reason not to play."""
    return _device(found.text("devices.camera"), camera_number)


def microphone_of(found: Settings) -> str | None:
    """The microphone of the settings, in the same way."""
    return _device(found.text("devices.microphone"), microphone_number)


def _device(named: str | None, number: Callable[[str], str]) -> str | None:
    try:
        return None if named is None else number(named)
    except NoSuchDevice as problem:
        sys.stderr.write(f"trut: {describe(problem)}\n")
        return None


def is_file(source: str | None) -> bool:
    """Whether an option names a file: neither a device nor a phone nor an address nor nothing."""
    return source not in (None, "off", "phone") and not (source or "").isdecimal() and "://" not in (source or "")


def camera_number(named: str) -> str:
    """The number of a camera by its name, or by a part of it; a number or an address stays what it is.

    Raises:
        NoSuchDevice: none is called so.
    """
    if named.isdecimal() or "://" in named or named in ("off", "phone"):
        return named
    for folder in sorted(NAMES.glob("video*"), key=lambda folder: int(folder.name.removeprefix("video") or 0)):
        try:
            name = (folder / "name").read_text().strip()
        except OSError:
            continue
        if named.casefold() in name.casefold():
            return folder.name.removeprefix("video")
    raise NoSuchDevice(N_("la caméra « {name} » des réglages n'est pas là : je prends la première"), name=named)


def microphone_number(named: str) -> str:
    """The number of a microphone by its name, or by a part of it.

    Raises:
        NoSuchDevice: none is called so.
    """
    if named.isdecimal() or named in ("off", "phone"):
        return named
    from audio.devices import PortAudio, choose
    from audio.errors import MicrophoneUnavailable

    try:
        return str(choose(PortAudio().inputs(), named).index)
    except MicrophoneUnavailable:
        raise NoSuchDevice(
            N_("le micro « {name} » des réglages n'est pas là : je prends celui du système"), name=named
        ) from None


def with_house_rules(header: Header, found: Settings) -> Header:
    """A header with the house rules and the names of the settings where it has none of its own."""
    options = found.rules(header.game) | dict(header.options)
    names = found.names(header.seats) | dict(header.names)
    return dataclasses.replace(header, options=options, names=names)


def seats_of(game: str, found: Settings) -> int:
    """The number of players of the settings, if this game can be played by so many; else 0, the game's own."""
    seats = found.number("table.seats") or 0
    return seats if seats in SEATS.get(game, ()) else 0
