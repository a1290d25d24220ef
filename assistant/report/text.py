"""The report in the terminal: every round with its tricks, calls, award and score."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from assistant.commands.score import legible
from assistant.i18n import _, ngettext
from assistant.report.story import Broken, Corrected, Laid, Passage, Round, Said, Story, Thing
from assistant.report.words import Told, Words

WIDTH: Final = 100
BEST: Final = "*"
"""Behind the card that won its trick, or behind those that made it rotten."""


def lines(story: Story) -> Iterator[str]:
    """The report, line by line, in the language in force."""
    words = Words(story.header)
    yield from _head(story, words)
    for played in story.rounds:
        yield ""
        yield from _round(played, words)
    if story.after:
        yield ""
        for thing in story.after:
            yield from _thing(thing, words, "  ")
    yield ""
    yield _("Marque finale : {score}").format(score=_score(words.score(story.score)))
    if story.manches is not None:
        yield _("manches : {a} à {b}").format(a=story.manches["A"], b=story.manches["B"])
    if story.winner:
        yield _("Partie gagnée par {team} !").format(team=words.names.team(story.winner))


def _head(story: Story, words: Words) -> Iterator[str]:
    header = story.header
    seats = ngettext("{n} joueur", "{n} joueurs", header.seats).format(n=header.seats)
    yield " · ".join(part for part in (words.title(), seats, header.date) if part)
    for team in ("A", "B"):
        yield "  " + legible(f"{words.team(team)} : {', '.join(words.players(team))}")
    rules = words.house_rules()
    if rules:
        yield "  " + _("Règles maison : {rules}").format(rules=", ".join(_with_clauses(rule) for rule in rules))
    if header.score is not None:
        yield "  " + _("Marque de départ : {score}").format(score=_score(words.score(story.start)))


def _round(played: Round, words: Words) -> Iterator[str]:
    yield legible(_("Manche {n}, donnée par {name}").format(n=played.n, name=words.names.seat(played.dealer)))
    for passage in played.passages:
        yield from _passage(passage, words)
    yield from _wrapped("  = " + _with_clauses(words.award(played)), 4)
    if played.ended is not None:
        yield "    " + legible(_score(words.score(played.score)))


def _passage(passage: Passage, words: Words) -> Iterator[str]:
    """A trick: its cards on one line up to the next call, what was said on lines of its own."""
    name = _("Pli {n}").format(n=passage.n) if passage.n is not None else ""
    cards: list[str] = []
    for thing in passage.things:
        if isinstance(thing, Laid):
            cards.append(_card(thing, words))
            effects = words.effects(thing.outcomes)
            if not effects.text:
                continue
            yield from _row(name, cards)
            name, cards = "", []
            yield from _wrapped("        " + _with_clauses(effects), 10)
        elif not (isinstance(thing, Said) and thing.event.verb == "deal"):
            if cards:
                yield from _row(name, cards)
                name, cards = "", []
            yield from _thing(thing, words, "        ")
    if cards:
        yield from _row(name, cards)
    if passage.result is not None:
        yield from _wrapped("        → " + _with_clauses(words.result(passage)), 10)


def _row(name: str, cards: list[str]) -> Iterator[str]:
    yield from _wrapped(f"  {name:<6}" + "   ".join(cards), 8)


def _card(laid: Laid, words: Words) -> str:
    card = words.short(laid.card).replace(" ", "\N{NO-BREAK SPACE}")
    return f"{words.names.seat(laid.seat)}\N{NO-BREAK SPACE}{card}{BEST if laid.best else ''}"


def _thing(thing: Thing, words: Words, indent: str) -> Iterator[str]:
    match thing:
        case Said():
            told, mark = words.said(thing), "- "
        case Broken():
            told, mark = words.infraction(thing), "! "
        case Corrected():
            told, mark = words.correction(thing), "~ "
        case Laid():
            told, mark = Told(_card(thing, words)), ""
    yield from _wrapped(indent + mark + _with_clauses(told), len(indent) + 2)


def _with_clauses(told: Told) -> str:
    return f"{told.text} ({', '.join(told.clauses)})" if told.clauses else told.text


def _score(score: list[tuple[str, str]]) -> str:
    return " — ".join(f"{team} : {points}" for team, points in score)


def _wrapped(line: str, indent: int) -> list[str]:
    return textwrap.wrap(legible(line), WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False) or [""]
