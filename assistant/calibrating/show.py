"""``trut calibrate show``: the calibrated tables, and how one of them looks to the machine now."""

from __future__ import annotations

import argparse
import json
import sys

from assistant.calibrating.table import add_source, drawn, pictures_from, reader_for, report
from assistant.i18n import N_, _, describe, ngettext
from calibration.finding import without_hands
from calibration.lights import traffic_lights
from calibration.profile import Profile, folder_of, profiles_folder, saved_profiles
from calibration.today import today
from engine.errors import TrutError
from vision.pictures import save_picture


class WhichTable(TrutError):
    """There are several, or none."""

    code = "which-table"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``trut calibrate show``."""
    add_source(parser)
    parser.add_argument("--profile", metavar=_("TABLE"), help=_("la table apprise : son nom ou son dossier"))
    parser.add_argument("--json", action="store_true", help=_("un objet JSON"))


def run(args: argparse.Namespace) -> int:
    """List the profiles, or show one, with a camera or pictures as it looks now; 1 where it is not found again."""
    if all(given is None for given in (args.profile, args.images, args.camera, args.picture)):
        return _list(args.json)
    profile = _profile(args.profile)
    picture, moved = profile.play_zone.read(profile.reference), 0.0
    if args.images is not None or args.camera is not None:
        now = today(profile, without_hands(pictures_from(args)))
        picture, moved = now.view, now.moved
    cards = reader_for(profile.deck).read(picture)
    lights = traffic_lights(picture, profile.setup, cards)
    if args.picture is not None:
        save_picture(args.picture, drawn(picture, profile.setup, cards, lights))
    report(args.json, None, profile, None, cards, lights, moved)
    return int(any(light.level == "red" for light in lights))


def _profile(named: str | None) -> Profile:
    if named is not None:
        return Profile.load(folder_of(named))
    names = saved_profiles()
    if len(names) != 1:
        known = ", ".join(names) or "-"
        raise WhichTable(N_("dites quelle table avec --profile ; les vôtres : {names}"), names=known)
    return Profile.load(profiles_folder() / names[0])


def _list(as_json: bool) -> int:
    """All profiles in the usual place, one a line."""
    names = saved_profiles()
    if not names and not as_json:
        print(_("Aucune table apprise ; « trut calibrate table » en apprend une."))
    status = 0
    for name in names:
        try:
            profile = Profile.load(profiles_folder() / name)
        except TrutError as problem:
            sys.stderr.write(f"trut: {describe(problem)}\n")
            status = problem.exit_status
            continue
        if as_json:
            print(json.dumps({"profile": name, "players": profile.players, "found": profile.setup.found}))
            continue
        line = ngettext("{name} : {n} place", "{name} : {n} places", profile.players)
        print(line.format(name=name, n=profile.players))
    return status
