"""``trut resume RECORD``: go on with an interrupted game, in the same record, at the same card, turn and stake.

Exit status: that of ``trut watch``; 1 where the game is over; 2 where the record cannot be used.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from assistant import settings
from assistant.commands import watch
from assistant.commands.score import legible
from assistant.defaults import fill_deck
from assistant.i18n import N_, _
from assistant.journal import Journal, look
from assistant.mending import Mended
from engine import Game, Header
from engine.errors import TrutError
from engine.header import score_words


class ResumeError(TrutError):
    """The game cannot be taken up as asked."""

    code = "resume"


class GameIsOver(TrutError):
    """There is nothing to go on with."""

    code = "game-is-over"
    exit_status = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, nargs="?", metavar=_("PARTIE"), help=_("la partie enregistrée ; sans elle la dernière")
    )
    parser.add_argument(
        "--clock",
        type=float,
        metavar=_("SECONDES"),
        help=_("le temps de la partie auquel commencent film et son ; sinon celui du dernier événement"),
    )
    watch.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Take up a game where its record ends."""
    found = settings.load()
    path: Path = args.file or newest(watch.records_folder(None, found))
    mended = look(path)
    header = mended.record.header
    check(args, header)
    if mended.game.winner is not None:
        over = N_("{name} : cette partie est finie, l'équipe {team} a gagné")
        raise GameIsOver(over, name=path, team=mended.game.winner)
    if args.clock is not None and not mended.last <= args.clock < 1e6:
        early = N_("--clock {clock:g} : le dernier événement est à {last:.2f} s")
        raise ResumeError(early, clock=args.clock, last=mended.last)
    watch.usual_table(args, found)
    fill_deck(args, found, header.game)
    journal, mended, aside = Journal.resume(path)
    try:
        tell_of_the_repair(path, mended, aside)
        if args.clock is not None:
            journal.since = args.clock
        return watch.follow_table(args, found, header, (journal, mended.game))
    finally:
        journal.close()


def newest(folder: Path) -> Path:
    """The record that was written last.

    Raises:
        ResumeError: there is none.
    """
    records = sorted(folder.glob("*.trut"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    if not records:
        raise ResumeError(N_("{folder} : aucune partie à reprendre"), folder=folder)
    return records[-1]


def check(args: argparse.Namespace, header: Header) -> None:
    """The record says which game it is: options may repeat it, not contradict it.

    Raises:
        ResumeError: one does.
        BadHeader: one cannot be at all.
    """
    if args.record is not None:
        raise ResumeError(N_("--record ne va pas avec resume : la partie continue dans son fichier"))
    given = {name: getattr(args, name) for name in ("game", "seats", "dealer", "score")}
    _same("--game", given["game"], header.game)
    _same("--seats", given["seats"], header.seats)
    args.game, args.seats = header.game, header.seats
    asked = watch.header_of(args)
    _same("--dealer", given["dealer"], header.dealer)
    if given["score"] is not None:
        _same("--score", score_words(asked.score or {}), score_words(Game(header).score))
    for name in asked.options:
        _same(f"--option {name}", asked.option(name), header.option(name))
    for seat, text in asked.names.items():
        _same(f"--name {seat}", text, header.names.get(seat, "-"))


def _same(option: str, wanted: object, there: object) -> None:
    if wanted is not None and wanted != there:
        raise ResumeError(
            N_("{option} {wanted} contredit la partie enregistrée ({there})"), option=option, wanted=wanted, there=there
        )


def tell_of_the_repair(path: Path, mended: Mended, aside: Path | None) -> None:
    """A sentence on stderr for whatever had to be mended."""
    said = []
    if aside is not None and mended.correction:
        sentence = _("{name} : une correction inachevée est retirée, et gardée dans {aside}")
        said.append(sentence.format(name=path, aside=aside))
    elif aside is not None:
        sentence = _("{name} : la dernière ligne, inachevée, est retirée, et gardée dans {aside} : « {text} »")
        said.append(sentence.format(name=path, aside=aside, text=legible(mended.torn)))
    if mended.added:
        sentence = _("{name} : « {line} » manquait après la dernière infraction, c'est ajouté")
        said.append(sentence.format(name=path, line=mended.added.decode().strip()))
    if not mended.holds:
        sentence = _("{name} : la partie ne se vérifie pas elle-même ; trut score {name} dit où")
        said.append(sentence.format(name=path))
    for text in said:
        sys.stderr.write(f"trut: {text}\n")
