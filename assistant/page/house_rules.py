"""House rules: what a table may play otherwise, each with its sentence of the rulebook and where that is from.

The sentences are those of the rulebook, filled in from the code; the words for options and their values are the page's
own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from assistant import settings
from assistant.i18n import Both, _, both
from assistant.page.access import page_of
from assistant.rules_in_words import OPTION_TITLES, TITLES, VALUES
from engine import GAMES, OPTIONS, Header
from engine.errors import TrutError
from engine.header import SEATS, TRUT_FAMILY
from engine.options import options_of
from engine.rulebook import SOURCES, Clause, clause, numbers

Row = dict[str, object]
MOST = 999
"""The highest target that the page offers."""
_ASIDE = re.compile(r"\s*\((?:options?) [^)]*\)|\s*:? option [\w-]+ \([^)]*\)")
_BY_OPTION = re.compile(r"(?:selon l'option|by option) [\w-]+ \([^)]*\)")


def rules(chosen: Mapping[str, Mapping[str, str]] | None = None) -> list[Row]:
    """Every game with its house rules.

    Args:
        chosen: what a table plays by, by game, where it is not the default.
    """
    return [_game(game, (chosen or {}).get(game, {})) for game in GAMES]


def _game(game: str, chosen: Mapping[str, str]) -> Row:
    options = [{**rule, "value": chosen.get(str(rule["name"]), rule["default"])} for rule in _rules_of(game)]
    kind = "longs" if game in TRUT_FAMILY else "points"
    return {
        "name": game,
        "title": _text(TITLES[game]),
        "seats": list(SEATS[game]),
        "kind": kind,
        "options": options,
    }


@cache
def _rules_of(game: str) -> tuple[Row, ...]:
    return tuple(_rule(game, name, default) for name, default in options_of(game).items())


def _rule(game: str, name: str, default: str) -> Row:
    option = OPTIONS[name]
    one = clause_of(game, name)
    values = VALUES.get(name, {})
    return {
        "name": name,
        "title": _text(OPTION_TITLES[name]),
        "default": default,
        "values": [{"value": value, "text": _text(values[value])} for value in option.values] or None,
        "number": None if option.values else [1, MOST],
        "sentence": _sentence(one),
        "source": _source(one),
        "clause": one.number,
    }


def _text(sentence: str) -> Both:
    return both(lambda: _(sentence))


def clause_of(game: str, option: str) -> Clause:
    """The clause that a house rule belongs to: the game's own before one that all games share."""
    header = Header(game)
    mine = [number for number in numbers(game) if number in OPTIONS[option].clauses]
    named = [number for number in numbers(game) if option in _options_named(clause(number, header))]
    return clause(max((*mine, *named), key=lambda number: (number[0] != "C", number in mine)), header)


def _options_named(one: Clause) -> list[str]:
    """The options that a clause names."""
    found = re.findall(r"options? ([^)]*)\)", one.english)
    return [word for text in found for word in re.findall(r"[a-z][a-z-]+(?=:| \()", text)]


def _sentence(one: Clause) -> Both:
    """The clause without what only the command line needs."""
    french = _BY_OPTION.sub("selon la table", one.french)
    english = _BY_OPTION.sub("as the table likes", one.english)
    return {"fr": _ASIDE.sub("", french).replace("….", "…"), "en": _ASIDE.sub("", english).replace("....", "...")}


def _source(one: Clause) -> str:
    return " ; ".join(SOURCES.get(tag, tag) for tag in one.sources)


async def _rules(request: Request) -> Response:
    """``GET /api/rules``."""
    return JSONResponse({"games": rules(_chosen(page_of(request).feed.state().text))})


def _chosen(state: str) -> dict[str, Mapping[str, str]]:
    """What the settings say, and what the running game is played by."""
    try:
        found = settings.load()
        chosen: dict[str, Mapping[str, str]] = {game: found.rules(game) for game in GAMES}
    except TrutError:  # it was told when the program began
        chosen = {}
    game = json.loads(state).get("game")
    if isinstance(game, dict):
        chosen[str(game["name"])] = game["options"]
    return chosen


def routes() -> list[BaseRoute]:
    return [Route("/api/rules", _rules)]
