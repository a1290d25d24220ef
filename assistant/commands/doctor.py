"""``trut doctor``: what is installed, what is missing, and the command that mends it; ``--mic``: what a
microphone gives and what is heard, live.
"""

from __future__ import annotations

import argparse
import ctypes.util
import importlib
import json
import platform
import shutil
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.i18n import N_, _, describe
from engine.errors import TrutError

if TYPE_CHECKING:
    from assistant.figures import Reading
    from vision.webcams import Webcam

MODELS = Path(__file__).parents[2] / "models"
SHIPPED = (
    ("finder", True),
    ("reader", True),
    ("indices", True),
    ("knocks", True),
    ("phrases", True),
    ("embedding", False),
    ("vosk", False),
)
"""The models, and whether the main job needs them: the embedding serves enrolled voices, vosk ``--engine vosk``."""
WEIGHTS = {".onnx", ".npz", ".mdl", ".fst"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. ``needed``: the main job does not run without it."""

    what: str
    found: str | None
    needed: bool
    remedy: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("une ligne JSON par constat"))
    parser.add_argument(
        "--mic", nargs="?", const="", metavar=_("MICRO"), help=_("montre ce que donne un micro (numéro ou nom)")
    )
    parser.add_argument(
        "--live",
        action="store_true",
        help=_("montre comment va une table en direct : images, retards, travail, mémoire"),
    )
    parser.add_argument(
        "--camera",
        metavar=_("SOURCE"),
        help=_("avec --live : caméra, ou un film joué à son rythme comme si c'en était une"),
    )
    parser.add_argument("--seats", type=int, metavar="N", help=_("avec --live : nombre de joueurs"))
    parser.add_argument("--deck", metavar=_("NOM"), help=_("avec --live : jeu de cartes (trut decks)"))
    parser.add_argument("--seconds", type=float, metavar="N", help=_("pendant N secondes ; sinon jusqu'à Ctrl-C"))
    parser.add_argument("--game", metavar=_("JEU"), help=_("le jeu dont on entend les annonces (trut)"))
    parser.add_argument(
        "--bundle",
        nargs="?",
        const="",
        metavar=_("FICHIER"),
        help=_("réunit dans un fichier zip ce qu'il faut pour un rapport d'incident"),
    )
    parser.add_argument("--with-pictures", action="store_true", help=_("avec --bundle : les images de la table aussi"))


def run(args: argparse.Namespace) -> int:
    _check_options(args)
    if args.live:
        readings = _check_table(args)
        return 0 if args.bundle is None else _bundle(args, examine(), readings)
    if args.mic is not None:
        return _check_microphone(args)
    findings = examine()
    if args.bundle is not None:
        return _bundle(args, findings)
    for f in findings:
        if args.json:
            print(json.dumps(asdict(f), ensure_ascii=False))
        elif f.found is not None:
            print(f"  ok   {f.what:22s} {f.found}")
        else:
            mark = _("MANQUE") if f.needed else _("absent")
            print(f"{mark:>6s} {f.what:22s} {f.remedy}")
    return 1 if any(f.found is None and f.needed for f in findings) else 0


def _check_options(args: argparse.Namespace) -> None:
    """Options that mean something only beside another one."""
    if not args.live and (args.camera is not None or args.seats is not None or args.deck is not None):
        raise TrutError(N_("--camera, --seats et --deck vont avec --live"))
    if not args.live and args.mic is None and (args.seconds is not None or args.game is not None):
        raise TrutError(N_("--seconds et --game vont avec --mic ou --live"))
    if args.with_pictures and args.bundle is None:
        raise TrutError(N_("--with-pictures va avec --bundle"))


def _bundle(args: argparse.Namespace, findings: list[Finding], readings: Sequence[Reading] = ()) -> int:
    """Say what a bug report is made of, then pack it."""
    from assistant import bundle

    gathered = bundle.items(findings, readings, pictures=args.with_pictures)
    for line in bundle.listed(gathered) if not args.json else ():
        print(line)
    path = bundle.save(gathered, Path(args.bundle) if args.bundle else None)
    if args.json:
        row = {"file": str(path), "items": [{"name": i.name, "size": len(i.data), "about": i.about} for i in gathered]}
        print(json.dumps(row, ensure_ascii=False))
    else:
        print(_("Tout est dans {path}. Rien n'est envoyé : c'est à vous de le joindre.").format(path=path))
    return 0


def _check_table(args: argparse.Namespace) -> list[Reading]:
    """Show a live table at work, without a record."""
    from assistant.live_check import check_table

    _check_seconds(args.seconds)
    return check_table(args)


def _check_seconds(seconds: float | None) -> None:
    if seconds is not None and not 0 < seconds < 86_400:
        raise TrutError(N_("--seconds : une durée en secondes, plus grande que 0"))


def _check_microphone(args: argparse.Namespace) -> int:
    """Show a microphone at work; 1 and one line where there is none."""
    from assistant.commands.listen import known_game
    from assistant.mic_check import check
    from audio.ears import Ears
    from audio.errors import MicrophoneUnavailable
    from audio.source import microphone

    _check_seconds(args.seconds)
    game = known_game(args.game)
    try:
        source = microphone(args.mic or None)
    except MicrophoneUnavailable as problem:
        sys.stderr.write(f"trut: {describe(problem)}\n")
        return 1
    with source:
        check(source, Ears(game), args.seconds, args.json)
    return 0


def examine() -> list[Finding]:
    """Everything the program may need, in the order of how much it needs it."""
    reinstall = _("réinstaller : pip install -e .")
    packages = [
        ("numpy", "numpy", True, reinstall),
        ("opencv-python", "cv2", True, _("sous Debian ou Ubuntu : sudo apt install libgl1 libglib2.0-0")),
        ("onnxruntime", "onnxruntime", True, reinstall),
        ("soundfile", "soundfile", True, _("sous Debian ou Ubuntu : sudo apt install libsndfile1")),
        ("soxr", "soxr", True, reinstall),
        ("av", "av", False, reinstall),
        ("sounddevice", "sounddevice", False, _("sous Debian ou Ubuntu : sudo apt install libportaudio2")),
        ("espeakng-loader", "espeakng_loader", False, reinstall),
        ("vosk", "vosk", False, reinstall),
        ("tomlkit", "tomlkit", False, reinstall),
    ]
    findings = [Finding("Python", f"{platform.python_version()} ({sys.platform})", True, "")]
    findings += [Finding(name, _package(name, module), needed, remedy) for name, module, needed, remedy in packages]
    findings += [Finding(f"models/{m}", _weights(MODELS / m), needed, reinstall) for m, needed in SHIPPED]
    findings += [
        Finding(_("modèle vosk"), *_vosk_model()),
        Finding(_("micro"), _try(_microphone), False, _("brancher un micro, ou jouer sans (--mic off)")),
        Finding(_("caméra"), _try(_cameras), False, _("brancher une caméra USB")),
        Finding(_("voix"), _try(_voice), False, _("sous Debian ou Ubuntu : sudo apt install espeak-ng")),
        _settings(),
        Finding(
            _("parties"), _try(_records), True, _("ranger les parties ailleurs : trut config set records.folder …")
        ),
    ]
    return findings


def _package(name: str, module: str) -> str | None:
    """The version if the module can really be imported: a wheel without its shared library is missing too."""
    try:
        importlib.import_module(module)
        return version(name)
    except (ImportError, OSError, PackageNotFoundError):
        return None


def _weights(folder: Path) -> str | None:
    """The size of what a model weighs; None where its folder holds no weights."""
    files = [p for p in folder.rglob("*") if p.suffix in WEIGHTS and "recipe" not in p.relative_to(folder).parts]
    return f"{sum(p.stat().st_size for p in files) / 1e6:.1f} MB" if files else None


def _vosk_model() -> tuple[str | None, bool, str]:
    """The model that ``--engine vosk`` would use and the words that it lacks; False; what is wrong with it."""
    from audio.errors import EngineUnavailable
    from audio.phrasebook import GAMES, calls_of
    from audio.vosk_folder import check, model_folder, speaks_our_phones
    from audio.vosk_words import cautions, fit_words, vocabulary

    folder = model_folder()
    try:
        check(folder)
    except EngineUnavailable as problem:
        return None, False, describe(problem)
    if speaks_our_phones(folder):
        return str(folder), False, ""
    phrases = list(dict.fromkeys(call.text for game in GAMES for call in calls_of(game)))
    return " ; ".join([str(folder), *map(describe, cautions(fit_words(phrases, vocabulary(folder))))]), False, ""


def _try(look: Callable[[], str | None]) -> str | None:
    try:
        return look()
    except Exception:  # a driver may fail in any way; for this report that means "not there"
        return None


def _settings() -> Finding:
    """Where the settings are; what is wrong with them, if no command can read them."""
    from assistant.settings import load

    try:
        return Finding(_("réglages"), str(load().path), True, "")
    except TrutError as problem:
        return Finding(_("réglages"), None, True, describe(problem))


def _records() -> str | None:
    """Where games are saved, how long a line takes to be surely on the disk, and how much room there is."""
    from assistant.journal import default_folder
    from assistant.settings import load
    from assistant.storage import Disk, write_times

    try:
        kept = load().text("records.folder")
    except TrutError:  # the settings have a line of their own
        kept = None
    folder = Path(kept).expanduser() if kept else default_folder()
    there = next(place for place in (folder, *folder.parents) if place.is_dir())
    times = write_times(Disk(), there)
    return _("{folder} ({ms:.1f} ms par ligne, {free:.1f} Go libres)").format(
        folder=folder, ms=1000 * statistics.median(times), free=shutil.disk_usage(there).free / 1e9
    )


def _microphone() -> str | None:
    from audio.devices import PortAudio

    shown = _("{name} ({rate} Hz, canaux : {channels})")
    return ", ".join(shown.format(name=d.name, rate=d.rate, channels=d.channels) for d in PortAudio().inputs()) or None


def _cameras() -> str | None:
    if sys.platform.startswith("linux"):
        from vision.webcams import OpenCV

        cameras = OpenCV()
        return ", ".join(_camera(webcam, cameras.holder(webcam.index)) for webcam in cameras.cameras()) or None
    return _("à essayer : trut watch --game trut --camera 0")


def _camera(webcam: Webcam, holder: str | None) -> str:
    known = f"{webcam.index} {webcam.name}"
    return known if holder is None else _("{camera} (prise par {program})").format(camera=known, program=holder)


def _voice() -> str | None:
    try:
        import espeakng_loader

        return Path(str(espeakng_loader.get_library_path())).name
    except ImportError:
        return ctypes.util.find_library("espeak-ng")
