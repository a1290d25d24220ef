"""Retelling: what a correction changed, in one sentence or two, said once.

How things stood before is compared with how they stand now. Said is what the players had been told otherwise: the
last trick, the score, whether the game is won, and who is to deal, to answer or to play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.i18n import _, ngettext
from assistant.names import Names
from engine import Game
from engine.outcomes import Score


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands."""

    score: Score
    winner: str | None
    rounds: int
    tricks: tuple[str, ...]
    phase: str
    seat: int | None
    """Who deals, answers or plays next, by ``phase``."""

    @classmethod
    def of(cls, game: Game) -> Standing:
        """How ``game`` stands now."""
        if game.phase in ("deal", "over"):
            seat: int | None = game.next_dealer if game.phase == "deal" else None
        else:
            seat = game.awaiting[0] if game.awaiting else game.turn
        score = {team: dict(points) for team, points in game.score.items()}
        return cls(score, game.winner, len(game.rounds), game.tricks, game.phase, seat)

    def changes(self, now: Standing, rounds: int | None) -> dict[str, object]:
        """What is to be said of ``now``, as the fields of a notice.

        Args:
            rounds: how many rounds had ended before the earliest thing that was corrected: if more had ended since, the
                score was recounted and is said. None: the score is said only if it changed.
        """
        fields: dict[str, object] = {}
        recounted = rounds is not None and max(self.rounds, now.rounds) > rounds
        if recounted or now.score != self.score:
            fields["score"] = now.score
        elif now.tricks != self.tricks and now.tricks:
            fields["trick"] = now.tricks[-1]
        if self.winner != now.winner:
            fields["winner"] = now.winner
        if (self.phase, self.seat) != (now.phase, now.seat) and now.seat is not None:
            fields["next"] = (now.phase, now.seat)
        return fields


def changed(fields: Mapping[str, object], names: Names) -> list[str]:
    """The sentences of what a correction changed."""
    texts = []
    if "trick" in fields:
        trick = str(fields["trick"])
        texts.append(
            _("Pli pourri.") if trick == "rotten" else _("Pli pour {name}.").format(name=names.team(trick))
        )
    refused = fields.get("refused")
    if isinstance(refused, int) and refused:
        texts.append(
            ngettext("Un coup n'est plus permis.", "{n} coups ne sont plus permis.", refused).format(n=refused)
        )
    score = fields.get("score")
    if isinstance(score, Mapping):
        texts.append(names.score(score))
    if "winner" in fields:
        winner = fields["winner"]
        texts.append(
            _("Partie gagnée par {team} !").format(team=names.team(winner))
            if isinstance(winner, str)
            else _("La partie n'est donc pas finie.")
        )
    match fields.get("next"):
        case ("deal", int(seat)):
            texts.append(_("À {name} de donner.").format(name=names.seat(seat)))
        case ("play", int(seat)):
            texts.append(_("À {name} de jouer.").format(name=names.seat(seat)))
        case (_, int(seat)):
            texts.append(_("À {name} de répondre.").format(name=names.seat(seat)))
    return texts
