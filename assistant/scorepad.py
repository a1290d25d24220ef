"""Score pad: a whole round counted at once, for a table that only wants its score kept.

Nobody tells the cards, so the record has the score that the players agree on after the round (``set-score``); the
round that wins the game is one that the others concede.
"""

from __future__ import annotations

from engine import Event, Game, Header
from engine.cards import other_team
from engine.header import TRUT_FAMILY, score_words
from engine.longs_and_petits import LongsAndPetits
from engine.options import options_of


def result(game: Game, team: str, award: str) -> Event | None:
    """The event that writes a round down.

    Args:
        team: ``A`` or ``B``, who won it.
        award: ``petit`` or ``long``; in the games of points, how many.

    Returns:
        None where the game has no such award, or the record no word for it.
    """
    header = game.header
    if header.game in TRUT_FAMILY:
        return _round(game, team, award) if award in ("petit", "long") else None
    if not award.isdigit() or int(award) == 0:
        return None
    points = game.score[team]["points"] + int(award)
    options = {**options_of(header.game), **header.options}
    if points >= int(options["target"]):
        one_manche = header.game != "truc-y-flou" or options["manches"] == "1"
        return Event("concede", args=(other_team(team),)) if one_manche else None
    score = {each: dict(part) for each, part in game.score.items()}
    score[team]["points"] = points
    return Event("set-score", args=tuple(score_words(score).split()))


def _round(game: Game, team: str, award: str) -> Event:
    """A petit or a long, by the rules of this table: three petits may make a long, a long may cost petits."""
    header = game.header
    after = Game(Header(header.game, header.seats, options=header.options, score=game.score))
    after.apply(Event("deal"))
    assert isinstance(after.table, LongsAndPetits)
    after.table.finish_round(team, award, "tricks")
    if after.winner is not None:
        return Event("concede", args=(other_team(team),))
    return Event("set-score", args=tuple(score_words(after.score).split()))
