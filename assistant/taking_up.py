"""What is said when an interrupted game is taken up: enough for the players to see that it is theirs."""

from __future__ import annotations

from assistant.i18n import _, ngettext
from assistant.names import Names, capital
from engine import Game


def how_it_stands(game: Game, names: Names) -> list[str]:
    """The score, the tricks and the cards of the running round, and its stake.

    Whose turn it is, or who must answer, the announcer says after it.
    """
    texts = [_("La partie reprend."), names.score(game.score)]
    if game.phase in ("deal", "over"):
        return texts
    tricks = [_("pourri") if trick == "rotten" else names.team(trick) for trick in game.tricks]
    if tricks:
        sentence = ngettext("Un pli est fait : {tricks}.", "{n} plis sont faits : {tricks}.", len(tricks))
        texts.append(sentence.format(n=len(tricks), tricks=", ".join(tricks)))
    cards = [_("{name}, {card}").format(name=names.seat(seat), card=names.card(card)) for seat, card in game.trick]
    if cards:
        texts.append(_("Sur la table : {cards}.").format(cards=" ; ".join(cards)))
    texts.append(stake_sentence(game.stake or ""))
    return [capital(text) for text in texts if text]


def stake_sentence(stake: str) -> str:
    """ "La manche vaut un long."; empty between rounds. """
    words = {
        "petit": _("La manche vaut un petit."),
        "long": _("La manche vaut un long."),
        "rest": _("La manche vaut le reste."),
        "partido": _("La manche vaut la partie."),
    }
    if stake.isdigit():
        return ngettext("La manche vaut {n} point.", "La manche vaut {n} points.", int(stake)).format(n=stake)
    return words.get(stake, "")
