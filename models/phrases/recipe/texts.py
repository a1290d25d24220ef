"""What the synthetic voices say: the phrases of the games, words that sound like them, cards, numbers,
everyday sentences."""

from __future__ import annotations

import re

from audio.phrasebook import GAMES, calls_of


def _list(text: str) -> list[str]:
    return [" ".join(item.split()) for item in text.split("|")]


#: Words and phrases near those of the games: they teach the net the difference.
NEAR = _list("""
    la truite| truite| j'ai tout| je triche| brute| tulipe| toute| je trouve| je traque| je trotte|
    je traite| je troque| minute| une chute| je lutte| je recrute| j'ai trop| la jupe| la rue|
    je tourne| je tue| je trie| je tremble| je trempe| je hurle| je truffe| je doute| je goûte|
    je brûle| je jure| statue| voiture| je prends tout| je tresse| je tente| je tire| je tousse|
    j'ajoute| dispute| je discute| juste| zut| jouet| jour| je vais boire| je me mouche| je me touche|
    la couche| je casse| je lasse| la passe| je sais| je fuis| je cuis| merlan| ruban| tiers| je viens|
    il ne tient pas| je peux| jeu| je change| champ| pendule| le store| le sport| pose| reprise| ouïe|
    nom| mon nom| son| trois| trop| retour| fleuve| fort| canard| deux de moins| mon geste| le texte|
    qui a donné| passe le pain| il est tard| encore un verre| tu as vu| ça alors| on y va| c'est bon|
    pas mal| bien joué| quelle chance| à table| tu triches| la suite au prochain numéro|
    il joue de la flûte| une roue| la route| un truc| le trou| la grue| la vue| tout de suite| tu veux|
    je vois bien
""")

_RANKS = [
    "as",
    "roi",
    "dame",
    "valet",
    "dix",
    "neuf",
    "huit",
    "sept",
    "six",
    "cinq",
    "quatre",
    "trois",
    "deux",
    "cavalier",
]
_SUITS = ("pique", "cœur", "carreau", "trèfle", "épée", "bâton", "coupe", "soleil")
_NUMBERS = _list("""
    zéro| un| deux| trois| quatre| cinq| six| sept| huit| neuf| dix| onze| douze| treize| quatorze|
    quinze| seize| dix-sept| dix-huit| dix-neuf| vingt| trente| quarante| cinquante| soixante| cent|
    vingt et un| vingt-cinq| trente-deux| cent cinquante| deux cents| quatre-vingts| soixante-dix
""")
_HOUSE = [
    "gauche",
    "droite",
    "haut",
    "bas",
    "stop",
    "encore",
    "fin",
    "oui",
    "non",
    "bonjour",
    "au revoir",
    "merci",
    "d'accord",
    "attends",
    "à moi",
    "à toi",
    "pioche",
    "atout",
    "belote",
    "pli",
]


def phrases() -> list[str]:
    """Every phrase of every game and every command."""
    return sorted(
        {call.text for game in GAMES for call in calls_of(game)}
        | {"je trute", "trut", "je vais voir", "joue", "je me couche"}
    )


def cards_and_numbers() -> list[str]:
    return [f"{rank} de {suit}" for rank in _RANKS for suit in _SUITS] + _NUMBERS + _HOUSE


def sentences(texts: list[str]) -> list[str]:
    """Parts of 2 to 90 letters of the given texts, at their full stops."""
    parts = {part.strip() for text in texts for part in re.split(r'[.;:!?…»«"]', text)}
    return sorted(part for part in parts if 1 < len(part) < 90)
