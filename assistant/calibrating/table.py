"""``trut calibrate table``: where the table lies, who sits where, whether it can be read.

The table is looked at in a few pictures, a film or through the camera; its corners are found, given, or dragged; the
players sit down; five traffic lights say what stands in the way of reading; and all that is kept as a profile.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.calibrating.telling import ADVICE, lines_for, wording
from assistant.i18n import N_, _, describe, ngettext
from calibration.errors import TableProblem
from calibration.finding import FoundTable, find_table, without_hands
from calibration.lights import Light, traffic_lights
from calibration.overlay import overlay
from calibration.profile import Profile, checked_name, profiles_folder
from calibration.setup import TableSetup
from calibration.sitting import Sitting
from engine.errors import TrutError
from vision.camera import PICTURES, Camera, Frame, Image, open_camera
from vision.errors import CameraUnavailable
from vision.events import CardSighting
from vision.pictures import load_picture, picture_file, save_picture

if TYPE_CHECKING:
    from vision.reading import CardReader

USUAL_SEATS, USUAL_NAME = 4, "table"
ENOUGH = 12
"""Pictures from which the table without hands is put together."""
SPACING = 0.15
"""Seconds at least between two of them."""
WARM_UP = 1.0
"""Seconds that a camera takes to get used to the light."""
AFTER_BUMP = 0.004
"""Part of the picture's width by which a camera that was not touched may seem to have moved."""


class CalibrationError(TrutError):
    """The command was asked for something it cannot do."""

    code = "calibrate"


class _Asked(argparse.Action):
    """``--seat N x,y``: one seat and its place, checked when the command runs."""

    def __call__(self, parser: Any, space: Any, values: Any, option: str | None = None) -> None:
        getattr(space, self.dest).append(tuple(values))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``trut calibrate table``."""
    add_source(parser)
    parser.add_argument("--seats", type=int, metavar="N", help=_("nombre de joueurs (4)"))
    parser.add_argument(
        "--corners", metavar='"x,y x,y x,y x,y"', help=_("les quatre coins de la table, en pixels de l'image")
    )
    parser.add_argument("--window", action="store_true", help=_("déplacer les coins à la souris"))
    parser.add_argument(
        "--seat",
        nargs=2,
        action=_Asked,
        dest="places",
        default=[],
        metavar=(_("PLACE"), "x,y"),
        help=_("où une place est assise, en pixels ; à répéter"),
    )
    parser.add_argument(
        "--sit", action="store_true", help=_("chacun son tour pose la main devant lui : place 1, place 2 …")
    )
    parser.add_argument("--deck", metavar=_("NOM"), help=_("le jeu de cartes de cette table (trut decks)"))
    parser.add_argument("--voices", type=Path, metavar=_("FICHIER"), help=_("les voix apprises des joueurs"))
    parser.add_argument(
        "--knock-profile", type=Path, metavar=_("FICHIER"), help=_("le profil des coups de cette table")
    )
    parser.add_argument("--name", metavar=_("NOM"), help=_("comment la table s'appelle (table)"))
    parser.add_argument(
        "--out", type=Path, metavar=_("DOSSIER"), help=_("le dossier du profil ; sinon chez les vôtres")
    )
    parser.add_argument("--json", action="store_true", help=_("un objet JSON"))


def add_source(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--images", type=Path, nargs="+", metavar=_("IMAGE"), help=_("images, dossier ou film de la table")
    )
    source.add_argument("--camera", metavar=_("SOURCE"), help=_("caméra (numéro), film, dossier d'images ou adresse"))
    parser.add_argument("--picture", type=Path, metavar=_("FICHIER"), help=_("y dessine ce que voit la machine"))


def run(args: argparse.Namespace) -> int:
    """Calibrate a table; 1 where a light is red."""
    name = checked_name(args.name or (args.out.name if args.out is not None else USUAL_NAME))
    corners = None if args.corners is None else points_of(args.corners)
    places = [_place(seat, at) for seat, at in args.places]
    if args.picture is not None:
        picture_file(args.picture)
    _check_sounds(args.voices, args.knock_profile)
    seats = USUAL_SEATS if args.seats is None else args.seats
    TableSetup.whole(seats, 1, 1)
    reader = reader_for(args.deck)
    picture = without_hands(pictures_from(args))
    found = _found(picture, seats, corners, reader)
    setup = found.setup
    if args.window:
        setup = _dragged(picture, setup)
    for seat, at in places:
        setup = setup.seated(seat, at)
    if args.sit:
        setup = _sitting(args, setup)
    setup = setup.checked()
    profile, cards, lights = calibrated(
        name, setup, picture, reader, deck=args.deck, voices=args.voices, knocks=args.knock_profile
    )
    folder = args.out or profiles_folder() / name
    profile.save(folder)
    if args.out is None:
        _remember(name)
    if args.picture is not None:
        save_picture(args.picture, drawn(picture, setup, cards, lights))
    report(args.json, folder, profile, found, cards, lights)
    return int(any(light.level == "red" for light in lights))


def calibrated(
    name: str, setup: TableSetup, picture: Image, reader: CardReader, **files: Any
) -> tuple[Profile, list[CardSighting], list[Light]]:
    """The profile of a table, the cards that lie on it, and how well they can be read.

    Args:
        picture: BGR, of the table without hands, from the calibrated place.
        files: deck, voices and knocks of the table, as ``Profile`` has them.

    Raises:
        BrokenProfile: that cannot be its name.
    """
    profile = Profile.of(name, setup, picture, **files)
    table = profile.play_zone.read(picture)
    cards = reader.read(table)
    lights = traffic_lights(table, setup, cards)
    return replace(profile, lights={light.kind: light.value for light in lights}), cards, lights


def _check_sounds(voices: Path | None, knocks: Path | None) -> None:
    """What the profile shall name must be there and be what it is named as: an evening is no time to find out."""
    from assistant.wiring import voices_in
    from audio.knocks import read_profile

    for file in (voices, knocks):
        if file is not None and not file.is_file():
            raise CalibrationError(N_("{file} : ce fichier n'existe pas"), file=file)
    voices_in(voices)
    if knocks is not None:
        read_profile(knocks)


def drawn(picture: Image, setup: TableSetup, cards: Sequence[CardSighting], lights: Sequence[Light]) -> Image:
    """What the machine sees, in the user's language."""
    return overlay(
        picture, setup, cards, lights, card_name=short_name, words={light.kind: wording(light) for light in lights}
    )


def short_name(card: str) -> str:
    """A card as a picture's label: the rank as it is printed on French cards, and the suit's sign."""
    rank, suit = card[:-1], card[-1]
    sign = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}.get(suit, suit)
    return {"J": _("V"), "Q": _("D"), "K": _("R")}.get(rank, rank) + sign


def points_of(text: str) -> list[tuple[float, float]]:
    """The corners of ``--corners``.

    Raises:
        CalibrationError: these are no points.
    """
    return [_point(word) for word in text.replace(";", " ").split()]


def _point(word: str) -> tuple[float, float]:
    match = re.fullmatch(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)", word)
    if match is None or len(word) > 40:
        raise CalibrationError(
            N_("« {word} » n'est pas un point : écrivez x,y en pixels, par exemple 320,180"), word=word
        )
    return float(match[1]), float(match[2])


def _place(seat: str, at: str) -> tuple[int, tuple[float, float]]:
    if not (seat.isascii() and seat.isdigit()):
        raise CalibrationError(N_("--seat {seat} : une place est un nombre"), seat=seat)
    return int(seat), _point(at)


def _found(picture: Image, seats: int, corners: list[tuple[float, float]] | None, reader: CardReader) -> FoundTable:
    """The table by the corners that were given, else as it is seen."""
    h, w = picture.shape[:2]
    if corners is not None:
        return FoundTable(TableSetup.whole(seats, w, h).with_corners(corners), 1.0)
    return seen_table(picture, seats, reader)


def seen_table(picture: Image, seats: int, reader: CardReader) -> FoundTable:
    """The table as it is seen in a picture without hands.

    Cards are asked only where they lie, so that none is taken for the table; what they are is not looked at.
    """
    return find_table([picture], seats, [card.quad for card in reader.read(picture) if card.whole])


def _dragged(picture: Image, setup: TableSetup) -> TableSetup:
    from assistant.calibrating.window import dragged

    done = dragged(setup, lambda now: overlay(picture, now, veil=False), _("Tirez les coins de la table, puis Entrée"))
    if done is None:
        raise CalibrationError(N_("les coins n'ont pas été confirmés : rien n'est changé"))
    return done


def _sitting(args: argparse.Namespace, setup: TableSetup) -> TableSetup:
    """Each player in turn puts a hand on the table."""
    sitting = Sitting(setup)
    told: int | None = None
    with _Source(args) as frames:
        for frame in frames:
            seat = sitting.accept(frame)
            if seat is not None:
                _say(_("  place {seat} : c'est noté"), seat=seat)
            if sitting.waiting is None:
                return sitting.setup
            if sitting.waiting != told:
                told = sitting.waiting
                _say(_("Place {seat} : posez la main sur la table, devant vous."), seat=told)
    raise CalibrationError(N_("la place {seat} n'a pas posé la main : recommencez"), seat=sitting.waiting)


class _Source:
    """The frames of the camera or of the only film or folder that ``--images`` names."""

    def __init__(self, args: argparse.Namespace) -> None:
        if args.images is not None and len(args.images) != 1:
            raise CalibrationError(N_("--sit veut un film ou la caméra, pas des images séparées"))
        self._camera = _camera(args) if args.images is None else open_camera(str(args.images[0]))

    def __enter__(self) -> Iterator[Frame]:
        return iter(self._camera)

    def __exit__(self, *_problem: object) -> None:
        self._camera.close()


def _camera(args: argparse.Namespace) -> Camera:
    from assistant import settings
    from assistant.defaults import camera_of

    return open_camera(args.camera or camera_of(settings.load()) or "0")


def pictures_from(args: argparse.Namespace) -> list[Image]:
    """A few pictures of the table, one place of the camera."""
    if args.images is None:
        camera = _camera(args)
        try:
            return some_pictures(camera, WARM_UP if camera.live else 0.0)
        finally:
            camera.close()
    pictures: list[Image] = []
    for path in args.images:
        if path.suffix.lower() in PICTURES and not path.is_dir():
            pictures.append(np.asarray(load_picture(path), np.uint8))
            continue
        camera = open_camera(str(path))
        try:
            pictures += some_pictures(camera, 0.0)
        finally:
            camera.close()
    if len({picture.shape for picture in pictures}) > 1:
        raise TableProblem("ces images n'ont pas toutes la même taille : elles doivent venir de la même caméra")
    return pictures


def some_pictures(frames: Iterable[Frame], start: float = 0.0) -> list[Image]:
    """Some pictures of a film or a camera, a little apart."""
    out: list[Image] = []
    last = -np.inf
    for frame in frames:
        if frame.t >= start and frame.t - last >= SPACING:
            out.append(frame.image)
            last = frame.t
        if len(out) == ENOUGH:
            break
    if not out:
        raise CameraUnavailable("la caméra n'a donné aucune image")
    return out


def reader_for(deck: str | None) -> CardReader:
    from vision.decks import DEFAULT_DECK, deck_named
    from vision.reading import CardReader

    return CardReader(deck_named(deck or DEFAULT_DECK))


def _remember(name: str) -> None:
    """From now on this is the table that ``trut watch`` takes with the camera."""
    from assistant import settings

    try:
        settings.change("table.profile", name)
    except TrutError as problem:  # the profile is there all the same
        sys.stderr.write(f"trut: {describe(problem)}\n")


def report(
    as_json: bool,
    folder: Path | None,
    profile: Profile,
    found: FoundTable | None,
    cards: Sequence[CardSighting],
    lights: Sequence[Light],
    moved: float = 0.0,
) -> None:
    """What was found, and how well it can be read."""
    setup = profile.setup
    if as_json:
        facts: dict[str, object] = {
            "profile": profile.name,
            "folder": None if folder is None else str(folder),
            "found": setup.found,
            "confidence": None if found is None else round(found.confidence, 2),
            "corners": [[round(x, 1), round(y, 1)] for x, y in setup.corners],
            "seats": {str(seat): list(place) for seat, place in sorted(setup.seats.items())},
            "moved": round(moved, 4),
            "cards": [{"card": c.card, "confidence": c.confidence, "quad": [list(p) for p in c.quad]} for c in cards],
            "lights": [
                {
                    "light": li.kind,
                    "value": round(li.value, 4),
                    "level": li.level,
                    "sure": li.sure,
                    "advice": wording(li)[2],
                }
                for li in lights
            ],
        }
        print(json.dumps(facts, ensure_ascii=False))
        return
    if folder is not None:
        print(_("{folder} : profil de la table « {name} »").format(folder=folder, name=profile.name))
    if found is not None:
        print(_(FOUND[setup.found]).format(confidence=f"{min(found.confidence, 0.99):.0%}"))
    if moved >= AFTER_BUMP:
        print(
            _("La caméra a bougé de {part} de la largeur de l'image ; j'ai retrouvé la table.").format(
                part=f"{moved:.1%}"
            )
        )
    n = sum(card.card is not None for card in cards)
    print(ngettext("{n} carte lue", "{n} cartes lues", n).format(n=n))
    for line in lines_for(lights):
        print(line)
    if not n:
        print(_(ADVICE["no-cards"]))


FOUND = {
    "seen": N_("Table trouvée (confiance {confidence}). Si le tracé est faux : --corners ou --window."),
    "hand": N_("Table : les quatre coins donnés."),
    "picture": N_("Aucun bord de table en vue : la table remplit l'image. Sinon : --corners ou --window."),
}


def _say(sentence: str, **fields: object) -> None:
    sys.stderr.write(sentence.format(**fields) + "\n")
    sys.stderr.flush()
