"""``trut demo``: a table that the program simulates itself, refereed by the very pipeline of ``trut watch``.

The pictures are drawn and the sound is computed, with the truth known; eyes, ears, interpreter, rules and
announcer are those of a real game. Exit status: 0 if every simulated round came out right, 1 if not, 2 if it
cannot run.
"""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from assistant.commands.simulate import add_table_arguments, table_of
from assistant.commands.watch import add_web_argument
from assistant.i18n import _, language, ngettext

if TYPE_CHECKING:
    from assistant.page.table_page import TablePage
    from assistant.simulation.match import Match
    from assistant.simulation.table import SimulatedTable
    from assistant.simulation.verdict import RoundVerdict
    from audio.speech import Speaker

SECONDS = 95.0
"""Without ``--rounds`` the game is as long as fits in this time, so that all ends within two minutes."""
MOST = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``trut demo``."""
    add_table_arguments(parser)
    parser.set_defaults(seed=57)  # three rounds, a knock, a spoken trut, folds, a rotten trick
    parser.add_argument(
        "--rounds", type=int, metavar="N", help=_("nombre de manches ; sans cela moins de deux minutes")
    )
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--fast", action="store_true", help=_("aussi vite que possible, pas au rythme réel"))
    pace.add_argument(
        "--live",
        action="store_true",
        help=_("comme avec une caméra et un micro : ce qui vient trop vite pour la machine est sauté"),
    )
    add_web_argument(parser)
    speak = parser.add_mutually_exclusive_group()
    speak.add_argument("--speak", action="store_true", default=None, help=_("dit les annonces à voix haute"))
    speak.add_argument(
        "--no-speak", action="store_false", dest="speak", help=_("écrit seulement les annonces")
    )


def run(args: argparse.Namespace) -> int:
    """Simulate, referee, compare."""
    from assistant.simulation.match import referee_table
    from assistant.simulation.showing import Everything
    from assistant.simulation.verdict import truth_of

    table = table_of(args, args.rounds if args.rounds is not None else _fitting(args))
    with _page(args.web) as page:
        voice = _voice(args.speak, args.fast)
        _introduce(table, args.fast)
        if page is not None:
            page.tell_where()
        viewer = Everything(truth_of(table.truth).header, voice)
        try:
            pace = "fast" if args.fast else "live" if args.live else "real"
            match = referee_table(table, viewer=viewer, pace=pace, page=page, then=_conclude)
        finally:
            if voice is not None:
                voice.close(timeout=15.0)
    return 0 if match.verdict.perfect else 1


def _page(web: str | None) -> AbstractContextManager[TablePage | None]:
    """The page of ``--web``, which closes with the block."""
    if web is None:
        return nullcontext()
    from assistant.page.table_page import TablePage

    return TablePage(web)


def _fitting(args: argparse.Namespace) -> int:
    """How many rounds fit in the time, one at least."""
    from assistant.simulation.plan import plan

    game = partial(plan, max(0, args.seed), game=args.game, seats=args.seats, manners=args.manner)
    games = [game(rounds=n) for n in range(1, MOST + 1)]
    return max(n for n, script in enumerate(games, 1) if n == 1 or script.duration <= SECONDS)


def _introduce(table: SimulatedTable, fast: bool) -> None:
    from assistant.simulation.learning import LEARNT

    seats = table.script.seats
    rounds = table.script.rounds
    print(
        _("Table simulée : {seats} joueurs, {rounds}, {seconds} s, jeu de cartes « {deck} ».").format(
            seats=seats,
            rounds=ngettext("{n} manche", "{n} manches", rounds).format(n=rounds),
            seconds=round(table.script.duration),
            deck=table.faces.name,
        )
    )
    if table.faces.like in LEARNT:
        print(_("Ce jeu de cartes est d'abord montré à l'arbitre, carte après carte : quelques secondes."), flush=True)
    if not fast:
        print(_("Images et sons sont calculés, l'arbitre est le vrai. Ctrl-C pour arrêter."), flush=True)


def _conclude(match: Match) -> None:
    """The score, how many rounds came out right, and what did not."""
    from assistant.names import Names

    names = Names(match.game.header)
    verdict = match.verdict
    print()
    print(_("Score : {score}").format(score=names.score(match.game.score)))
    for one in verdict.rounds:
        if not one.right:
            print(_wrong(one))
    if verdict.extra:
        text = ngettext("{n} manche de trop.", "{n} manches de trop.", verdict.extra)
        print(text.format(n=verdict.extra))
    if match.witness.latencies:
        middle = sorted(match.witness.latencies)[len(match.witness.latencies) // 2]
        print(_("Annonces prêtes {seconds:.1f} s après le geste (médiane).").format(seconds=middle))
    if match.dropped:
        text = ngettext(
            "{n} image sautée, faute de temps.", "{n} images sautées, faute de temps.", match.dropped
        )
        print(text.format(n=match.dropped))
    if match.late > 1:
        print(_("La machine est lente : jusqu'à {seconds:.0f} s de retard.").format(seconds=match.late))
    total = len(verdict.rounds)
    text = ngettext("{right} manche juste sur {total}.", "{right} manches justes sur {total}.", verdict.right)
    print(text.format(right=verdict.right, total=total))
    for problem in match.problems:
        raise problem


def _wrong(one: RoundVerdict) -> str:
    """A round that came out wrong: truth and record side by side."""
    faults = ", ".join(f"{want} → {got}" for want, got in one.faults[:4])
    more = " …" if len(one.faults) > 4 else ""
    return _("Manche {n} fausse (vrai → arbitré) : {faults}").format(n=one.n, faults=faults + more)


def _voice(speak: bool | None, fast: bool) -> Speaker | None:
    """The speaker, if wanted; by default only where a loudspeaker is there and the pace is real."""
    if speak is None:
        speak = not fast and _has_loudspeaker()
    if not speak:
        return None
    from audio.speech import Speaker

    return Speaker(language())


def _has_loudspeaker() -> bool:
    try:
        import sounddevice

        return bool(sounddevice.query_devices(kind="output"))
    except Exception:  # no PortAudio, or no device: each system raises its own
        return False
