"""``trut watch``: the main job, a game refereed live or from files (CLI.md).

Exit status: 0 when the game could be followed to the end of the media (or until Ctrl-C), 1 where no camera
was found, 2 where something cannot be used.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from assistant import settings
from assistant.defaults import NoGame, fill_deck, fill_devices, fill_game, is_file, seats_of, with_house_rules
from assistant.i18n import N_, _, describe, language
from assistant.modes import Mode
from engine import GAMES, Game, Header, Record, replay
from engine.errors import TrutError
from engine.header import BadHeader, score_of_words

if TYPE_CHECKING:
    from assistant.journal import Journal
    from assistant.outfit import Outfit
    from assistant.page.table_page import TablePage
    from assistant.session import Eyes, Listener, Referee
    from assistant.settings import Settings
    from assistant.wiring import Media
    from audio.speech import Speaker
    from calibration.profile import Profile


class WatchError(TrutError):
    """The command was asked for something it cannot do."""

    code = "watch"


LATER = {
    "coach": N_("--coach n'existe pas encore : il arrive dans une prochaine version"),
}
"""Options of CLI.md that are still to come."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of CLI.md."""
    add_game_arguments(parser)
    parser.add_argument(
        "--camera",
        metavar=_("SOURCE"),
        help=_("caméra (numéro ou nom), phone (un téléphone, avec --web), film, dossier d'images, adresse, ou off"),
    )
    parser.add_argument("--mic", metavar=_("SOURCE"), help=_("micro (numéro), phone, fichier de son, ou off"))
    parser.add_argument(
        "--keys", action=argparse.BooleanOptionalAction, help=_("lit les lignes tapées au clavier, aussi d'un tube")
    )
    parser.add_argument("--record", type=Path, metavar=_("DOSSIER"), help=_("où la partie est enregistrée"))
    speak = parser.add_mutually_exclusive_group()
    speak.add_argument("--speak", action="store_true", default=None, help=_("dit les annonces à voix haute"))
    speak.add_argument("--no-speak", action="store_false", dest="speak", help=_("écrit seulement les annonces"))
    speak.add_argument(
        "--speech",
        choices=[mode.value for mode in Mode],
        help=_("comment l'arbitre parle : à voix haute, chaque carte aussi, par des sons, en grand, pas du tout"),
    )
    parser.add_argument("--volume", type=int, choices=range(11), metavar="0-10", help=_("force de la voix"))
    parser.add_argument("--output", metavar=_("APPAREIL"), help=_("haut-parleur (numéro ou nom)"))
    parser.add_argument("--json", action="store_true", help=_("un objet JSON par ligne"))
    parser.add_argument("--profile", metavar=_("TABLE"), help=_("la table apprise : son nom ou son dossier"))
    parser.add_argument("--voices", type=Path, metavar=_("FICHIER"), help=_("les voix apprises des joueurs"))
    parser.add_argument(
        "--knock-profile", type=Path, metavar=_("FICHIER"), help=_("le profil des coups de cette table")
    )
    add_web_argument(parser)
    parser.add_argument("--coach", action="store_true", default=None, help=_("conseils (à venir)"))


def add_web_argument(parser: argparse.ArgumentParser) -> None:
    """The option that opens the page."""
    parser.add_argument(
        "--web",
        nargs="?",
        const="",
        metavar="HOST:PORT",
        help=_("la page du score, sur cet ordinateur ; 0.0.0.0 l'ouvre à toute la salle"),
    )


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say which game is played, by whom, by which house rules."""
    parser.add_argument("--game", metavar=_("JEU"), help=", ".join(GAMES))
    parser.add_argument("--seats", type=int, metavar="N", help=_("nombre de joueurs"))
    parser.add_argument("--dealer", type=int, metavar=_("PLACE"), help=_("qui donne la première manche"))
    parser.add_argument(
        "--option",
        nargs=2,
        action="append",
        default=[],
        metavar=(_("NOM"), _("VALEUR")),
        help=_("une règle maison"),
    )
    parser.add_argument("--score", metavar='"A 1 2 B 0 1"', help=_("score de départ"))
    parser.add_argument(
        "--name",
        nargs=2,
        action="append",
        default=[],
        metavar=(_("PLACE"), _("NOM")),
        help=_("qui est assis où"),
    )
    parser.add_argument("--deck", metavar=_("NOM"), help=_("jeu de cartes (trut decks)"))


def header_of(args: argparse.Namespace) -> Header:
    """The header that the options ask for.

    Raises:
        BadHeader: a game, seat, option, score or name that cannot be.
    """
    if args.seats == 0 or args.dealer == 0:
        raise BadHeader(N_("les places se comptent à partir de 1"))
    header = Header(args.game, seats=args.seats or 0, dealer=args.dealer or 0, options=dict(args.option))
    score = None
    if args.score is not None:
        score = score_of_words(args.game, tuple(args.score.split()))
        if score is None:
            raise BadHeader(N_("score mal écrit : « {text} » ; par exemple « A 1 2 B 0 1 »"), text=args.score)
    names: dict[int, str] = {}
    for seat, text in args.name:
        clean = " ".join(text.split())
        if not (seat.isascii() and seat.isdigit()) or not clean or "#" in clean or not clean.isprintable():
            raise BadHeader(N_("nom impossible : --name {seat} « {text} »"), seat=seat, text=clean)
        names[int(seat)] = clean
    return dataclasses.replace(header, score=score, names=names)


def run(args: argparse.Namespace) -> int:
    """Referee a game from its beginning."""
    from assistant.wiring import profile_named

    found = settings.load()
    usual_table(args, found)
    table = profile_named(args.profile)
    if table is not None:
        use_table(args, table)
    fill_game(args, found)
    if args.game is None:
        raise NoGame(N_("quel jeu ? donnez --game JEU, ou une fois pour toutes : trut config set table.game JEU"))
    fill_deck(args, found, args.game)
    if args.seats is None:
        args.seats = seats_of(args.game, found) or None
    return follow_table(args, found, with_house_rules(header_of(args), found))


def usual_table(args: argparse.Namespace, found: Settings) -> None:
    """Take the last profile for the table, unless another one, files or a score pad are asked for."""
    from assistant.wiring import last_profile

    microphone = args.mic or found.text("devices.microphone")
    score_pad = args.camera == "off" and microphone in (None, "off")
    if args.profile is None and not score_pad and not any(map(is_file, (args.camera, args.mic))):
        args.profile = last_profile(found.text("table.profile"), args.seats, args.game or found.text("table.game"))


def use_table(args: argparse.Namespace, table: Profile) -> None:
    """Give options that were not given those of a calibrated table: how many play, deck, voices, knocks."""
    args.seats = args.seats or table.players
    args.deck = args.deck or table.deck
    args.voices = args.voices or table.voices
    args.knock_profile = args.knock_profile or table.knocks


def follow_table(
    args: argparse.Namespace, found: Settings, header: Header, taken_up: tuple[Journal, Game] | None = None
) -> int:
    """Open eyes and ears and referee to the end of the media.

    Args:
        args: the options of ``watch``.
        found: what stands in for those that were not given.
        taken_up: the record that a game goes on in, and that game; None begins one.
    """
    for option, sentence in LATER.items():
        if getattr(args, option) is not None:
            raise WatchError(sentence)
    fill_devices(args, found)
    with _page(args, found) as page:
        return _follow(args, found, header, taken_up, page)


def _page(args: argparse.Namespace, found: Settings) -> AbstractContextManager[TablePage | None]:
    """The page of ``--web``, which closes with the block; its ports are taken before anything is loaded."""
    if args.web is None:
        return nullcontext()
    from assistant.page.table_page import TablePage
    from assistant.wiring import phone_for

    phone = phone_for(args.camera, args.mic)
    out = sys.stderr if args.json else sys.stdout
    return TablePage(args.web, records=records_folder(args.record, found), phone=phone, out=out)


def _follow(
    args: argparse.Namespace,
    found: Settings,
    header: Header,
    taken_up: tuple[Journal, Game] | None,
    page: TablePage | None,
) -> int:
    from assistant import wiring
    from assistant.outfit import Outfit

    table = wiring.profile_named(args.profile, header.seats)
    if table is not None:
        use_table(args, table)
    outfit = Outfit(header.game, args.deck, table, knocks=args.knock_profile)
    eyes: Eyes | None = outfit.eyes(header) if args.camera != "off" else None
    if page is not None:
        eyes = page.eyes(eyes, table)
    outfit = dataclasses.replace(outfit, voices=wiring.voices_in(args.voices))
    keys = _at_keyboard() if args.keys is None else args.keys
    by_hand = (keys or page is not None) and args.camera == "off" and args.mic in (None, "off")
    phone = None if page is None else page.phone
    media = wiring.Media(None, None, live=True) if by_hand else wiring.open_media(args.camera, args.mic, phone)
    if args.keys and not media.live:
        raise WatchError(N_("--keys ne sert qu'à une table : films et sons sont arbitrés tels quels"))
    args.keys = keys
    try:
        if media.live and header.date is None and taken_up is None:
            header = dataclasses.replace(header, date=datetime.date.today().isoformat())
        return _watch(args, found, header, taken_up, eyes, media, outfit, page)
    finally:
        for device in (media.camera, media.sound):
            if device is not None:
                device.close()


def _watch(
    args: argparse.Namespace,
    found: Settings,
    header: Header,
    taken_up: tuple[Journal, Game] | None,
    eyes: Eyes | None,
    media: Media,
    outfit: Outfit,
    page: TablePage | None,
) -> int:
    from assistant.calibrating.voice import voices_here
    from assistant.journal import Journal
    from assistant.keyboard import typed
    from assistant.live import Live
    from assistant.session import Referee, Viewer, run_files
    from assistant.showing import JsonLines, LargeSentences, Sentences
    from assistant.sign import Signed
    from assistant.wiring import voices_in

    if outfit.voices is None and media.live:
        outfit = dataclasses.replace(outfit, voices=voices_in(voices_here()))
    ears: Listener | None = outfit.ears(header) if media.sound is not None else None
    if page is not None:
        ears = page.ears(ears)
    journal, game = taken_up or (Journal(records_folder(args.record, found), header), Game(header))
    mode = _mode(args, found, media.live)
    sentences = LargeSentences if mode is Mode.TEXT else Sentences
    viewer: Viewer = JsonLines() if args.json else sentences(header)
    if page is not None:
        page.tell_where()
    if media.live and not args.json:
        print(_("J'arbitre. Ctrl-C pour arrêter."), flush=True)
    sign = Signed(viewer, sees=eyes is not None, hears=ears is not None) if media.live and not args.json else None
    voice = _voice(args, found) if mode.sounds else None
    attendant = None if page is None else page.attendant
    referee = Referee(game, journal, sign or viewer, voice, live=media.live, mode=mode, page=attendant)
    status = 0
    try:
        if page is not None:
            page.start()
        if taken_up is not None:
            referee.take_up()
        if media.live:
            inputs = typed(_lines()) if args.keys else None
            if inputs is not None:
                show = partial(_show, sys.stderr if args.json else sys.stdout)
                referee.show = show if sign is None else sign.with_lines(show)
                referee.show([_("Au clavier : « ? » donne tout ce qu'on peut écrire.")])
            wire = None if page is None else page.wire(outfit, sees=eyes is not None, hears=ears is not None)
            table = Live(referee, media.camera, eyes, media.sound, ears, inputs=inputs, wire=wire)
            if page is not None:
                page.live(table)
            table.run()
            problems: list[Exception] = [died.problem for died in table.problems if died.problem is not None]
        else:
            pace = None if page is None else page.at
            problems = list(run_files(referee, media.camera, eyes, media.sound, ears, pace=pace))
        for problem in problems:
            status = max(status, _complain(problem))
        if page is not None and not media.live:
            page.stay(referee)
    except KeyboardInterrupt:
        pass
    finally:
        if referee.journal is not None:  # the players may have begun another game
            journal = referee.journal
        journal.close()
        if sign is not None:
            sign.close()
        if voice is not None:
            voice.close(timeout=30.0)
    for lost in journal.unsaved:
        status = max(status, _save_elsewhere(lost))
    _last_words(args, referee, journal)
    return status


def records_folder(asked: Path | None, found: Settings) -> Path:
    """Where records go: as asked, else as the settings say, else the user's data folder."""
    from assistant.journal import default_folder

    kept = found.text("records.folder")
    return asked or (Path(kept).expanduser() if kept else default_folder())


def _at_keyboard() -> bool:
    """Whether somebody can type here. A program in the background that reads its terminal is stopped by it."""
    try:
        return sys.stdin.isatty() and (os.name != "posix" or os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp())
    except (OSError, ValueError):
        return False


def _lines() -> Iterator[str]:
    """What is typed, or comes through a pipe; bytes that are no text are no reason to stop."""
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    return iter(sys.stdin.readline, "")


def _show(out: TextIO, lines: Sequence[str]) -> None:
    """Lines for the person at the keyboard."""
    for line in lines:
        print(f"  {line}", file=out, flush=True)


def _save_elsewhere(journal: Journal) -> int:
    """A record that its disk did not take is saved where there is room, or printed: better there than nowhere."""
    from assistant.journal import default_folder

    name, why = journal.path, journal.why and (journal.why.strerror or journal.why)
    path = journal.rescue((default_folder(), Path.home(), Path(tempfile.gettempdir())))
    if path is not None:
        sentence = _("{name} : le disque n'a pas tout pris ({why}) ; la partie entière est dans {path}")
        sys.stderr.write(f"trut: {sentence.format(name=name, why=why, path=path)}\n")
        return 1
    sentence = _("{name} : aucun disque ne prend la partie ({why}) ; la voici")
    sys.stderr.write(f"trut: {sentence.format(name=name, why=why)}\n{journal.text}")
    return 2


def _mode(args: argparse.Namespace, found: Settings, live: bool) -> Mode:
    """How to speak: as asked, else as the settings say, at a live table; from files only who asks hears anything."""
    if args.speech is not None:
        return Mode(args.speech)
    usual = Mode(found.text("speech.mode") or Mode.NORMAL)
    if args.speak is None:
        return usual if live else Mode.OFF
    if not args.speak:
        return Mode.OFF
    return usual if usual.sounds else Mode.NORMAL


def _voice(args: argparse.Namespace, found: Settings) -> Speaker:
    from audio.speech import VOLUME, Speaker  # loaded only for who wants to hear it

    volume = found.number("speech.volume") if args.volume is None else args.volume
    named = args.output or found.text("speech.device")
    device = int(named) if named and named.isascii() and named.isdigit() else named
    return Speaker(language(), volume=VOLUME if volume is None else volume, device=device, warn=_warn)


def _warn(problem: TrutError) -> None:
    """Said once in writing: the loudspeaker is broken, the game goes on."""
    sys.stderr.write(f"trut: {describe(problem)}\n")


def _complain(problem: Exception) -> int:
    """One line about a part that stopped; the table went on without it."""
    if isinstance(problem, TrutError):
        sys.stderr.write(f"trut: {describe(problem)}\n")
        return problem.exit_status
    sys.stderr.write(f"trut: {type(problem).__name__}: {problem}\n")
    return 1


def _last_words(args: argparse.Namespace, referee: Referee, journal: Journal) -> None:
    """How the game stands: the last line of ``--json`` is that of ``trut score --json``."""
    from assistant.commands.score import summary
    from assistant.showing import JsonLines

    if args.json:
        JsonLines().line(summary(str(journal.path), replay(Record.parse(journal.text))))
        return
    print(referee.announcer.names.score(referee.game.score))
    print(_("La partie est dans {path}").format(path=journal.path))
