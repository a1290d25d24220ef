"""What the synthetic voices say: the phrases of the games, words that sound like them, cards, numbers,
everyday sentences."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

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
_ARTICLES = {"as": "l'", "dame": "la "}
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


#: First words of the events that matter most: they are said most often, by every voice.
_CRITICAL = frozenset(
    _list("trut| brelan| tierce| deux-petits| truc| retruc| raise| rest| embit| falta| flor| balou| fold| accept")
)


def phrases() -> tuple[list[str], list[str], list[str]]:
    """Every phrase of every game and every command: those that matter most, names of cards and players, others."""
    critical = {"je trute", "trut", "je vais voir", "joue", "je me couche"}
    names: set[str] = set()
    others: set[str] = set()
    for call in (call for game in GAMES for call in calls_of(game)):
        kind = critical if call.phrase.split(" ")[0] in _CRITICAL else names if call.name else others
        kind.add(call.text)
    return sorted(critical), sorted(names | set(_cards_and_numbers())), sorted(others | set(_HOUSE))


#: Around a phrase of the game, as players talk.
_BEFORE = _list("bon| alors| allez| bah| euh| oui| non| écoute| tant pis| attention| moi| ben moi| et là| d'accord")
_AFTER = _list("quand même| alors| hein| les amis| cette fois| moi| tout de suite| pour voir| va")


def in_context(call: str, choose: random.Random) -> str:
    """A phrase as part of what a player says: "bon, je trute", "je me couche, tant pis"."""
    before = choose.choice(_BEFORE) + choose.choice((", ", " "))
    after = choose.choice((", ", " ")) + choose.choice(_AFTER)
    way = choose.random()
    return before + call if way < 0.5 else call + after if way < 0.8 else before + call + after


def _cards_and_numbers() -> list[str]:
    cards = [f"{rank} de {suit}" for rank in _RANKS for suit in _SUITS]
    return cards + [f"{_ARTICLES.get(rank, 'le ')}{rank} de {suit}" for rank in _RANKS for suit in _SUITS] + _NUMBERS


def drawn(choose: random.Random, everyday: Sequence[str]) -> Iterator[str]:
    """Texts without end: two fifths phrases of the games and commands, a quarter of those in talk; an eighth near
    misses; the rest everyday sentences. The t of "trut" is written so that it is said."""
    critical, cards, others = phrases()
    while True:
        draw = choose.random()
        if draw < 0.4:
            kind = critical if draw < 0.18 else others if draw < 0.3 else cards
            text = choose.choice(kind)
            if kind is not cards and choose.random() < 0.33:
                text = in_context(text, choose)
        else:
            text = choose.choice(NEAR) if draw < 0.52 else choose.choice(everyday)
        yield re.sub(r"\b(re)?trut\b", r"\1trutte", text)


def sentences(texts: list[str]) -> list[str]:
    """Parts of 2 to 90 letters of the given texts, at their full stops."""
    parts = {part.strip() for text in texts for part in re.split(r'[.;:!?…»«"]', text)}
    return sorted(part for part in parts if 1 < len(part) < 90)
