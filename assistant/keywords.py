"""Keywords: the short words that a person types for what is said at a table, and the help that lists them."""

from __future__ import annotations

from assistant.announcer import ASKED_BACK, ASKED_BACK_HERE
from assistant.i18n import N_, _
from assistant.names import Names
from engine import Header
from engine.header import TRUT_FAMILY

_FAMILY = {"t": "trut", "b": "brelan", "ti": "tierce", "2p": "deux-petits", "v": "accept", "c": "fold", "p": "pass"}
CALLS: dict[str, dict[str, str]] = {
    "trut": _FAMILY,
    "trut-robin-red": _FAMILY,
    "trut-gatine": {
        **{word: event for word, event in _FAMILY.items() if event != "pass"},
        "jv": "hold", "nv": "refuse", "ch": "sing", "cp": "silent", "ec": "discard", "re": "redeal",
    },
    "truc": {"t": "raise", "re": "rest", "ca": "redeal", "j": "fold"},
    "truc-y-flou": {
        "e": "embit", "+1": "raise 1", "+2": "raise 2", "+10": "raise 10", "+r": "raise rest", "mf": "falta",
        "f": "flor", "al": "better", "ar": "rest", "ch": "sing", "cp": "silent", "t": "truc", "rt": "retruc",
        "b4": "balou 4", "b6": "balou 6", "bp": "balou partido", "tr": "trucrest",
    },
}  # fmt: skip
"""What a short word says, by game, in the words of the record."""

COMMANDS = {
    "s": "score", "q": "turn", "rep": "repeat", "m": "annul", "pause": "pause", "go": "resume", "np": "new-game",
    "plus": "louder", "moins": "quieter",
}  # fmt: skip
"""Short words to the assistant."""

_CARDS = {
    "french": N_("rp 10d 8t aco …   une carte : 7 8 9 10 v d r a, puis p (pique) t (trèfle) co (cœur) ca (carreau)"),
    "numbers": N_("5                une carte, par son nombre"),
    "spanish": N_("12e 3b 7o 2c …   une carte : son nombre, puis e (épées) b (bâtons) o (or) c (coupes)"),
}
_HELP = (
    N_("{card:16} la place 2 joue cette carte ; sans place : celle dont c'est le tour"),
    N_("t2               la place 2 le dit ; sans place : celle qui doit parler"),
    N_("o / n            oui / non : à la question de l'arbitre, sinon au joueur qui demande"),
    N_("d                on donne (la première carte le dit aussi)"),
    N_("u, u3            annule le dernier coup, les trois derniers ; r le rétablit"),
    N_("{right:16} la dernière carte était celle-là ; 3{right} : le troisième en partant de la fin"),
    N_("=p2, 3=p2        c'était la place 2"),
    N_("x, x3            ce coup n'a pas eu lieu"),
    N_("<t2, 3<t2        il manque un coup avant celui-là"),
    N_("l                les derniers coups, numérotés"),
    N_("s  q  rep        le score, à qui de jouer, répète"),
    N_("m  pause  go  np maldonne, pause, on reprend, nouvelle partie"),
    N_("On peut aussi écrire ce qu'on dirait : « {call} », « {no} », « c'était {player} »."),
    N_("Ou la ligne entière du procès-verbal : « play 2 {event} », « set-score {score} », « concede B »."),
)
_EXAMPLES = {
    "french": ("rp", "dp", "non, le huit de cœur", "7c"),
    "numbers": ("5", "3", "non, le trois", "5"),
    "spanish": ("12e", "3b", "non, le trois de bâton", "3b"),
}
"""Two cards as they are typed, one as it is said, one in the words of the record."""
_RESULTS = {
    True: N_("a petit, b long  une manche comptée d'un coup : a = {a}, b = {b}"),
    False: N_("a 2, b 1         des points comptés d'un coup : a = {a}, b = {b}"),
}


def cards_of(game: str) -> str:
    """Which pack a game is played with: french, spanish or numbers."""
    return {"trut-robin-red": "numbers", "truc-y-flou": "spanish"}.get(game, "french")


def manual(header: Header) -> tuple[str, ...]:
    """Everything that can be typed at this table, a line each."""
    names = Names(header)
    calls, first = [], ""
    for word, event in CALLS[header.game].items():
        said = ASKED_BACK_HERE.get(header.game, {}).get(event) or ASKED_BACK.get(event) or ASKED_BACK.get(
            event.partition(" ")[0]
        )
        calls.append(f"{word} = {_(said) if said else event}")
        first = first or said or event
    typed, right, no, event = _EXAMPLES[cards_of(header.game)]
    examples = {
        "card": f"2 {typed}", "right": f"={right}", "no": no, "event": event, "call": first.lower(),
        "player": names.to_hear()[1], "score": "A 1 0 B 0 2" if header.game in TRUT_FAMILY else "A 3 B 2",
    }  # fmt: skip
    results = _(_RESULTS[header.game in TRUT_FAMILY]).format(a=names.team("A"), b=names.team("B"))
    spoken = [", ".join(calls[i : i + 4]) for i in range(0, len(calls), 4)]
    return (_(_CARDS[cards_of(header.game)]), *spoken, *(_(line).format(**examples) for line in _HELP), results)
