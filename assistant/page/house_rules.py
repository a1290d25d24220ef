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
from assistant.i18n import N_, Both, _, both
from assistant.page.access import page_of
from engine import GAMES, OPTIONS, Header
from engine.errors import TrutError
from engine.header import SEATS, TRUT_FAMILY
from engine.options import options_of
from engine.rulebook import SOURCES, Clause, clause, numbers

Row = dict[str, object]
MOST = 999
"""The highest target that the page offers."""
TITLES = {
    "trut": N_("Trut"),
    "trut-gatine": N_("Trut de Gâtine"),
    "trut-robin-red": N_("Trut de Robin Red"),
    "truc": N_("Truc"),
    "truc-y-flou": N_("Truc y Flou"),
}
OPTION_TITLES = {
    "target": N_("Pour gagner"),
    "rotten-lead": N_("Après un pli pourri, l'entame est à"),
    "partner-lead": N_("Deux partenaires à égalité : l'entame est à"),
    "long-clears": N_("Un long efface les petits"),
    "brelan": N_("Le brelan"),
    "tierce": N_("La tierce"),
    "deux-petits": N_("« Deux petits, un grand »"),
    "fortial": N_("Le fortial"),
    "trut-needs-card": N_("Il faut une carte en main pour truter"),
    "trut-when": N_("On trute"),
    "answer": N_("Au trut répond"),
    "answer-order": N_("Le premier à répondre est"),
    "dealer-rotation": N_("Donne ensuite"),
    "ten": N_("Le dix"),
    "pate-exhausted": N_("Talon épuisé"),
    "pate-lead": N_("Après un tout pâté, l'entame est à"),
    "raise-ladder": N_("Les échelons"),
    "rest-refused": N_("« Mon reste » refusé vaut"),
    "redeal-who": N_("Peut demander d'autres cartes"),
    "peric-rank": N_("Dans les plis, les périques comptent"),
    "ace-points": N_("Un as vaut"),
    "embit-answer": N_("À l'embit répondent"),
    "flor-annuls": N_("Une flor annule"),
    "bonus": N_("L'Épée et le Bâton rapportent"),
    "truc-when": N_("On appelle truc"),
    "truc-reopen": N_("Un truc accepté peut être relancé"),
    "truc-skip": N_("On peut sauter un échelon"),
    "all-tied": N_("Trois plis à égalité"),
    "play-out": N_("Une donne décidée se joue jusqu'au bout"),
    "manches": N_("La partie se gagne"),
}
_PLAYED = {"on": N_("se joue"), "off": N_("ne se joue pas")}
_YES = {"on": N_("oui"), "off": N_("non")}
_WHEN = {"any": N_("à tout moment"), "own-turn": N_("à son tour seulement")}
VALUES: dict[str, dict[str, str]] = {
    "rotten-lead": {
        "rotter": N_("celui qui a pourri"),
        "last-equal": N_("la dernière carte à égalité"),
        "first-equal": N_("la première carte à égalité"),
        "leader": N_("celui qui avait entamé"),
    },
    "partner-lead": {"first": N_("celui qui a posé le premier"), "last": N_("celui qui a posé le dernier")},
    "long-clears": {
        "opponent": N_("de l'autre équipe"),
        "winner": N_("de l'équipe qui le gagne"),
        "both": N_("des deux équipes"),
    },
    **dict.fromkeys(("brelan", "tierce", "deux-petits", "fortial"), _PLAYED),
    **dict.fromkeys(("trut-needs-card", "truc-reopen", "truc-skip", "play-out"), _YES),
    **dict.fromkeys(("trut-when", "truc-when"), _WHEN),
    "answer": {"individual": N_("chacun pour soi"), "team": N_("l'équipe d'une seule voix")},
    "answer-order": {"dealer": N_("à gauche du donneur"), "truter": N_("à gauche de qui trute")},
    "dealer-rotation": {"left": N_("le voisin de gauche"), "best-card": N_("qui a posé la meilleure carte")},
    "ten": {"high": N_("entre l'as et le roi"), "low": N_("entre le valet et le neuf")},
    "pate-exhausted": {"null": N_("la manche est nulle"), "reshuffle": N_("on rebat toutes les cartes")},
    "pate-lead": {"first": N_("la gauche du donneur"), "rotter": N_("celui qui a pourri")},
    "raise-ladder": {
        "printed": N_("1, 2, 6, 8, 10, 12"),
        "two": N_("deux de plus à chaque fois"),
        "double": N_("le double à chaque fois"),
    },
    "rest-refused": {"game": N_("la partie"), "stake": N_("la mise d'avant")},
    "redeal-who": {"any": N_("n'importe qui"), "non-dealer": N_("celui qui n'a pas donné")},
    "peric-rank": {"low": N_("au plus bas"), "court": N_("comme des figures")},
    "ace-points": {"0": N_("zéro point"), "1": N_("un point")},
    "embit-answer": {"later": N_("les adversaires qui jouent après"), "any": N_("tous les adversaires")},
    "flor-annuls": {"all": N_("tous les embits de la donne"), "open": N_("l'embit qui attend sa réponse")},
    "bonus": {"played": N_("dès qu'ils sont posés"), "won": N_("à qui gagne le pli")},
    "all-tied": {"none": N_("personne ne marque"), "elder": N_("l'équipe qui a entamé")},
    "manches": {"1": N_("en une manche"), "3": N_("en deux manches sur trois")},
}
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
