"""What games, house rules and their values are called, for people who play them."""

from __future__ import annotations

from assistant.i18n import N_, _

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


def rule_in_words(name: str, value: str) -> str:
    """A house rule with its value, in the language in force; as the record has it where there are no words for it.

    >>> rule_in_words("fortial", "off"), rule_in_words("target", "5")
    ('Le fortial : ne se joue pas', 'Pour gagner : 5')
    """
    words = VALUES.get(name, {}).get(value)
    return _("{rule} : {value}").format(rule=_(OPTION_TITLES.get(name, name)), value=_(words) if words else value)
