"""``trut report RECORD``: a game told trick by trick, in the terminal or as one HTML file.

Exit status as for ``trut score``: 0, 1 where an expectation fails, an event is refused that the record does not expect,
or the last line is torn (what there is is told all the same), 2 where the file is no record or cannot be written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from assistant.commands.score import legible
from assistant.i18n import N_, _, describe, language, ngettext
from assistant.report.reading import read
from assistant.report.words import SIGNS, suit_name
from assistant.storage import Disk, write_whole
from engine import Replay
from engine.cards import FRENCH32
from engine.errors import TrutError

LISTED: Final = 20
"""So many failed expectations are told one by one."""


class ReportUnwritable(TrutError):
    """The file of the report cannot be written."""

    code = "report-unwritable"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``trut report``."""
    parser.add_argument("record", metavar=_("PARTIE"), help=_("partie enregistrée ; « - » : l'entrée standard"))
    parser.add_argument(
        "--html", metavar=_("FICHIER"), help=_("en une page à garder ou à imprimer ; « - » : la sortie standard")
    )


def run(args: argparse.Namespace) -> int:
    """Tell one game."""
    try:
        result, story = read(args.record)
    except TrutError as problem:
        sys.stderr.write(f"trut report: {legible(args.record)}: {legible(describe(problem))}\n")
        return problem.exit_status
    if args.html is None:
        from assistant.report.text import lines

        _write("".join(f"{line}\n" for line in (*lines(story), *problems(result))))
    else:
        from assistant.report.page import page

        html = page(story, language(), tuple(problems(result)))
        if args.html == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(html.encode())
        else:
            _save(Path(args.html), html)
    return 0 if result.holds else 1


def problems(result: Replay) -> Iterator[str]:
    """What is not as the record wants it, in sentences; nothing for a record that holds."""
    if result.record.torn is not None:
        yield legible(
            _("ligne {line} : dernière ligne inachevée, laissée de côté : « {text} »").format(
                line=len(result.record.lines) + 1, text=result.record.torn
            )
        )
    if result.unexpected:
        yield ngettext(
            "{n} coup refusé sans que la partie s'y attende.",
            "{n} coups refusés sans que la partie s'y attende.",
            result.unexpected,
        ).format(n=result.unexpected)
    for failure in result.failures[:LISTED]:
        yield legible(
            _("ligne {line} : attendu « {want} », obtenu « {got} »").format(
                line=failure.line, want=failure.want, got=failure.got
            )
        )
    more = len(result.failures) - LISTED + result.unlisted_failures
    if more > 0:
        yield ngettext("et {n} autre ligne, non citée", "et {n} autres lignes, non citées", more).format(n=more)


def _write(text: str) -> None:
    """Print it; on a terminal that has no signs for suits, in letters."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        letters = {ord(sign): f" {suit_name(suit, FRENCH32)}" for suit, sign in SIGNS.items()}
        text = text.translate(letters | {ord("→"): ">"}).encode(encoding, "replace").decode(encoding)
    sys.stdout.write(text)


def _save(path: Path, html: str) -> None:
    """Put the whole file in place at once; a former one stays where that fails."""
    try:
        if path.exists() and not path.is_file():  # a pipe, a device
            path.write_text(html, encoding="utf-8")
        else:
            write_whole(Disk(), path, html.encode())
    except OSError as problem:
        why = problem.strerror or problem
        sentence = N_("{name} : impossible d'y écrire le compte rendu ({why})")
        raise ReportUnwritable(sentence, name=path, why=why) from None
