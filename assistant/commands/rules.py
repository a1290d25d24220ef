"""``trut rules GAME [CLAUSE]``: the rulebook, from the same data that the engine plays by."""

from __future__ import annotations

import argparse
import sys
import textwrap

from assistant.i18n import N_, _, language
from engine import GAMES, OPTIONS, Header
from engine.errors import TrutError
from engine.options import options_of
from engine.rulebook import SOURCES, Clause, clause, clauses, numbers


class UnknownClause(TrutError):
    """No such clause in this game."""

    code = "unknown-clause"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``trut rules``."""
    parser.add_argument("game", choices=GAMES, metavar=_("JEU"), help=", ".join(GAMES))
    parser.add_argument(
        "clause", nargs="?", metavar=_("CLAUSE"), help=_("une clause, comme T-24, ou une option")
    )


def run(args: argparse.Namespace) -> int:
    """Print the rulebook of a game, one clause of it, or one option."""
    header = Header(args.game)
    if args.clause is None:
        lines = [line for one in clauses(header) for line in _clause(one)]
        lines += ["", _("Options (valeur par défaut d'abord)")]
        lines += [_option(args.game, name) for name in options_of(args.game)]
    elif args.clause in options_of(args.game):
        lines = [_option(args.game, args.clause)]
        for number in OPTIONS[args.clause].clauses:
            if number in numbers(args.game):
                lines += _clause(clause(number, header))
    else:
        number = args.clause.upper()
        if number not in numbers(args.game):
            raise UnknownClause(
                N_("{game} n'a pas de clause « {clause} » ; « trut rules {game} » les donne toutes"),
                game=args.game,
                clause=args.clause,
            )
        one = clause(number, header)
        lines = [*_clause(one), _("Source : {sources}").format(sources=_sources(one))]
        lines += [
            _option(args.game, name) for name in options_of(args.game) if number in OPTIONS[name].clauses
        ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _clause(one: Clause) -> list[str]:
    return textwrap.wrap(
        one.text(language()),
        width=100,
        initial_indent=f"{one.number:<5}",
        subsequent_indent=" " * 5,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _option(game: str, name: str) -> str:
    """An option with its values, the default first."""
    option = OPTIONS[name]
    default = option.defaults[game]
    values = [default, *(value for value in option.values if value != default)]
    if not option.values:
        values.append(_("ou tout nombre à partir de 1"))
    return f"  {name:<16} {' | '.join(values)}   ({', '.join(option.clauses)})"


def _sources(one: Clause) -> str:
    return " ; ".join(SOURCES.get(tag, tag) for tag in one.sources)
