"""``trut``: one console script, one module a command (CLI.md).

Exit status: 0 success, 1 the work was done and the answer is "no", 2 the input cannot be used (one line on stderr).
Commands are imported only when they are called, so that ``trut score`` needs neither OpenCV nor a sound library.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Sequence

from assistant.arguments import in_our_languages
from assistant.i18n import LANGUAGES, N_, _, default_language, describe, on_one_line, set_language
from engine.errors import TrutError

COMMANDS: dict[str, str] = {
    "score": N_("rejoue des parties enregistrées et vérifie leurs attentes"),
    "report": N_("raconte une partie pli par pli, en texte ou en une page à garder"),
    "read": N_("trouve et lit les cartes sur des photographies"),
    "listen": N_("entend les coups sur la table et les annonces"),
    "watch": N_("arbitre une partie, en direct ou filmée"),
    "resume": N_("reprend une partie interrompue"),
    "demo": N_("arbitre une table que le programme simule lui-même"),
    "simulate": N_("dessine une table simulée avec sa vérité"),
    "rules": N_("les règles, clause par clause"),
    "decks": N_("les jeux de cartes disponibles"),
    "calibrate": N_("apprend votre table : le jeu de cartes, les voix, les coups"),
    "config": N_("les réglages : règles maison, joueurs, appareils, voix"),
    "doctor": N_("ce qui est installé et ce qui manque"),
    "forget": N_("efface tout ce que le programme garde de vous"),
    "bench": N_("les chiffres de cette machine"),
}


class _Parser(argparse.ArgumentParser):
    """argparse with one line on stderr instead of a usage block, and exit status 2."""

    def error(self, message: str) -> None:  # type: ignore[override]
        sys.stderr.write(f"{self.prog}: {on_one_line(message)} ({self.prog} --help)\n")
        raise SystemExit(2)


class MissingLibrary(TrutError):
    """A shared library that a dependency needs is not on this system."""

    code = "missing-library"


class NotToBeHad(TrutError):
    """The system refuses to read or to write where no command expects it: a full disk behind standard output."""

    code = "not-to-be-had"


def _language_of(argv: Sequence[str]) -> str:
    """``--lang`` wherever it stands, read first so that even the help is in the right language; without it the
    settings', else the system's."""
    for i, word in enumerate(argv):
        value = argv[i + 1] if word == "--lang" and i + 1 < len(argv) else word.removeprefix("--lang=")
        if (word == "--lang" or word.startswith("--lang=")) and value in LANGUAGES:
            return value
    return _language_set() or default_language()


def _language_set() -> str | None:
    """The language of the settings; of those that cannot be read the command itself will tell."""
    from assistant import settings

    try:
        return settings.load().text("language")
    except TrutError:
        return None


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser; only ``command`` gets its own arguments (the others would have to be imported)."""
    in_our_languages()
    parser = _Parser(prog="trut", description=_("L'arbitre de Trut à une vraie table."))
    parser.add_argument("--lang", choices=LANGUAGES, help=_("langue des réponses"))
    parser.add_argument("--version", action="version", version=f"trut {_version()}")
    sub = parser.add_subparsers(dest="command", metavar=_("COMMANDE"), parser_class=_Parser)
    for name, summary in COMMANDS.items():
        child = sub.add_parser(name, help=_(summary), description=_(summary))
        child.add_argument("--lang", choices=LANGUAGES, help=_("langue des réponses"))
        if name == command:
            module = _load(name)
            module.add_arguments(child)
            child.set_defaults(run=module.run)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("trut")
    except PackageNotFoundError:
        return "0+source"


def _load(name: str):  # type: ignore[no-untyped-def]  # a command module
    try:
        return importlib.import_module(f"assistant.commands.{name}")
    except (ImportError, OSError) as problem:
        raise _missing(problem) from problem


def _missing(problem: Exception) -> TrutError:
    """One line that says what to install, for the shared libraries that wheels do not bring."""
    text = str(problem)
    if "libGL" in text or "libgthread" in text or "libglib" in text:
        return MissingLibrary(
            N_(
                "il manque la bibliothèque graphique libGL ; "
                "sous Debian ou Ubuntu : sudo apt install libgl1 libglib2.0-0"
            )
        )
    if "PortAudio" in text:
        return MissingLibrary(N_("il manque PortAudio ; sous Debian ou Ubuntu : sudo apt install libportaudio2"))
    if "sndfile" in text:
        return MissingLibrary(N_("il manque libsndfile ; sous Debian ou Ubuntu : sudo apt install libsndfile1"))
    return MissingLibrary(N_("il manque une bibliothèque : {what} ; essayez : pip install -e ."), what=text)


def _command_of(argv: Sequence[str]) -> str | None:
    skip = False
    for word in argv:
        if skip:
            skip = False
        elif word == "--lang":
            skip = True
        elif not word.startswith("-"):
            return word
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    _open_what_is_closed()
    set_language(_language_of(words))
    try:
        parser = build_parser(_command_of(words))
        args = parser.parse_args(words)
        if args.command is None:
            parser.print_help()
            return 2
        status = int(args.run(args))
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    except TrutError as problem:
        sys.stderr.write(f"trut: {describe(problem)}\n")
        return problem.exit_status
    except ImportError as problem:  # commands load OpenCV and its like only when they need them
        sys.stderr.write(f"trut: {describe(_missing(problem))}\n")
        return MissingLibrary.exit_status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `trut score | head`: the reader has what it wanted
        _drop_the_rest()
        return 0
    except OSError as problem:
        _drop_the_rest()
        named = [str(problem.filename)] if problem.filename is not None else []
        what = " : ".join([*named, problem.strerror or str(problem)])
        refused = NotToBeHad(N_("lecture ou écriture impossible ({what})"), what=what)
        sys.stderr.write(f"trut: {describe(refused)}\n")
        return refused.exit_status


def _open_what_is_closed() -> None:
    """A program that was started without one of the standard streams (``<&-``) reads nothing, and writes nowhere."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # as long as the program runs
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _drop_the_rest() -> None:
    """What is still to be written to a standard output that takes nothing more goes nowhere, instead of failing once
    more when the program ends."""
    with contextlib.suppress(OSError, ValueError):  # it is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    raise SystemExit(main())
