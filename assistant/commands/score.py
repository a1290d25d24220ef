"""``trut score FILE...``: replay records and check their expectations (CLI.md).

Exit status: 0 when everything holds, 1 when an expectation fails, an event is refused that the record does
    not expect, or the last line is torn; 2 where a file is no record. With several files the worst counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Final

from assistant.i18n import _, describe, ngettext, on_one_line
from engine import Game, Record, Refusal, Replay, RoundEnded, replay
from engine.errors import TrutError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``trut score``."""
    parser.add_argument(
        "files", nargs="+", metavar=_("FICHIER"), help=_("partie enregistrée ; « - » : l'entrée standard")
    )
    parser.add_argument("--json", action="store_true", help=_("un objet JSON par fichier"))


def run(args: argparse.Namespace) -> int:
    """Replay every file; returns the worst status."""
    return max(_score(name, as_json=args.json) for name in args.files)


def _score(name: str, *, as_json: bool) -> int:
    try:
        record = Record.from_bytes(sys.stdin.buffer.read()) if name == "-" else Record.load(name)
        result = replay(record)
    except TrutError as problem:
        sys.stderr.write(f"trut score: {legible(name)}: {legible(describe(problem))}\n")
        return problem.exit_status
    if as_json:
        _write_json(name, result)
    else:
        print("\n".join(map(legible, sentences(name, result))))
    return 0 if result.holds else 1


def summary(name: str, result: Replay) -> dict[str, Any]:
    """The object of ``trut score --json`` for one replayed record; also the last line of ``trut watch
    --json``."""
    row = _summary(name, result)
    row["rounds"] = [ended.row() for ended in result.game.rounds]
    return row


def _write_json(name: str, result: Replay) -> None:
    """Print that object round by round: a long record has very many."""
    write = sys.stdout.write
    write("{")
    for place, (key, value) in enumerate(_summary(name, result).items()):
        write(f'{", " if place else ""}"{key}": ')
        if key != "rounds":
            write(json.dumps(value, ensure_ascii=False))
            continue
        write("[")
        for number, ended in enumerate(result.game.rounds):
            write(f"{', ' if number else ''}{json.dumps(ended.row(), ensure_ascii=False)}")
        write("]")
    write("}\n")


def _summary(name: str, result: Replay) -> dict[str, Any]:
    """The summary without its rounds."""
    row = {"file": name, **_standing(result.game)}
    row["refused"] = [
        {
            "line": refused.line,
            "code": refused.refusal.code,
            "message": refusal_sentence(refused.refusal),
            "expected": refused.expected,
        }
        for refused in result.refused
    ]
    row["expectations"] = {
        "passed": result.passed,
        "failed": len(result.failures) + result.unlisted_failures,
        "failures": [{"line": f.line, "want": f.want, "got": f.got} for f in result.failures],
    }
    if result.unlisted_refused:
        row["unlisted_refused"] = result.unlisted_refused
    if result.record.torn is not None:
        row["torn"] = {"line": len(result.record.lines) + 1, "text": result.record.torn}
    return row


def _standing(game: Game) -> dict[str, Any]:
    """The part of that object that says how the game stands."""
    row: dict[str, Any] = {"game": game.header.game, "seats": game.seats, "score": game.score}
    if game.manches is not None:
        row["manches"] = game.manches
    return row | {
        "winner": game.winner,
        "turn": game.turn,
        "dealer": game.dealer,
        "awaiting": list(game.awaiting),
        "rounds": (),
    }


_MOST: Final = 400


def legible(text: str) -> str:
    """A line that names what a file says, on one line whatever that is: without control characters, and cut where it
    is too long to read."""
    return on_one_line(text if len(text) <= _MOST else f"{text[:_MOST]}…")


def refusal_sentence(refusal: Refusal) -> str:
    """A refusal in the language in force."""
    return _(refusal.template).format(**refusal.fields)


def sentences(name: str, result: Replay) -> list[str]:
    """What became of a record, for people."""
    game = result.game
    played = len(game.rounds)
    said = [
        ngettext("{file} : {game}, {n} manche jouée", "{file} : {game}, {n} manches jouées", played).format(
            file=name, game=game.header.game, n=played
        )
    ]
    said += [f"  {_round_sentence(ended)}" for ended in game.rounds]
    said.append("  " + _("score : {score}").format(score=score_sentence(game)))
    if game.winner:
        said.append("  " + _("l'équipe {team} a gagné la partie").format(team=game.winner))
    for refused in result.refused:
        sentence = _("ligne {line} : refusé, {message} [{code}]")
        if not refused.expected:
            sentence = _("ligne {line} : refusé sans que la partie s'y attende, {message} [{code}]")
        refusal = refused.refusal
        said.append(
            "  " + sentence.format(line=refused.line, message=refusal_sentence(refusal), code=refusal.code)
        )
    if result.record.torn is not None:
        said.append(
            "  "
            + _("ligne {line} : dernière ligne inachevée, laissée de côté : « {text} »").format(
                line=len(result.record.lines) + 1, text=result.record.torn
            )
        )
    said.append(
        "  " + ngettext("{n} attente tenue", "{n} attentes tenues", result.passed).format(n=result.passed)
    )
    for failure in result.failures:
        said.append(
            "  "
            + _("ligne {line} : attendu « {want} », obtenu « {got} »").format(
                line=failure.line, want=failure.want, got=failure.got
            )
        )
    hidden = result.unlisted_refused + result.unlisted_failures
    if hidden:
        said.append(
            "  "
            + ngettext("et {n} autre ligne, non citée", "et {n} autres lignes, non citées", hidden).format(
                n=hidden
            )
        )
    return said


def _round_sentence(ended: RoundEnded) -> str:
    tricks = ", ".join(_("pourri") if trick == "rotten" else trick for trick in ended.tricks) or _(
        "aucun pli"
    )
    if ended.winner is None:
        return _("manche {n}, donnée par la place {dealer} : {tricks} ; personne ne marque").format(
            n=ended.n, dealer=ended.dealer, tricks=tricks
        )
    return _("manche {n}, donnée par la place {dealer} : {tricks} ; {team} gagne {award}").format(
        n=ended.n, dealer=ended.dealer, tricks=tricks, team=ended.winner, award=award_words(ended.award)
    )


def award_words(award: str) -> str:
    """What a round gave, in words: ``un petit``, ``2 points`` ..."""
    word, _space, count = award.partition(" ")
    if word == "points":
        return ngettext("{n} point", "{n} points", int(count)).format(n=count)
    return {
        "petit": _("un petit"),
        "long": _("un long"),
        "game": _("la partie"),
        "manche": _("la manche"),
        "nothing": _("rien"),
    }[word]


def score_sentence(game: Game) -> str:
    """The score in words."""
    teams = []
    for team, part in game.score.items():
        if "longs" in part:
            longs = ngettext("{n} long", "{n} longs", part["longs"]).format(n=part["longs"])
            petits = ngettext("{n} petit", "{n} petits", part["petits"]).format(n=part["petits"])
            teams.append(f"{team} {longs} {petits}")
        else:
            points = ngettext("{n} point", "{n} points", part["points"]).format(n=part["points"])
            teams.append(f"{team} {points}")
    if game.manches is not None:
        teams.append(_("manches : {a} à {b}").format(a=game.manches["A"], b=game.manches["B"]))
    return ", ".join(teams)
