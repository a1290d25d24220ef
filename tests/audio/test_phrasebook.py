"""Every phrase of RULES.md's microphone tables is in the book, in each of its spellings, with its meaning."""

from __future__ import annotations

import pytest

from audio.lexicon import pronounce
from audio.phrasebook import CARD, COMMANDS, CORRECTION, DEALER, GAMES, SEAT, calls_of

TRUT = """
trut: je trute; je trutte; j'trute; i trute; je trut'; trut !; trute; trutt; tru; truté
brelan: brelan; j'ai un brelan; berlan; brelan de rois
accept: je vais voir; j'vais voir; on va voir; vas-y voir; je vas voir; je vois
accept: joue !; on joue; je suis; je tiens; tenu; d'accord
fold: je me couche; j'me couche; on se couche; couché; je passe; je laisse; sans moi
talk: pourri; c'est pourri; qui pourrit dépourrit; patté; au fortial; petit; long; point; pli; coupe
turn: à qui de donner ?
"""
PASS = "pass: je ne trute pas; j'trute pas; je passe; à toi; parole"
GATINE = """
hold: je veux; j'veux; i veux; je tiens
refuse: je ne veux pas; j'veux pas; i veux pas; je tiens pas
sing: je chante; chante
silent: je ne chante pas; j'chante pas
tierce: tierce; suite; j'ai une suite
brelan: berlan; brelan
deux-petits: deux petits, un grand; deux petites, une grande; deux pareilles, une fausse
redeal: tout pâté; tout patté; tout paté; tout pourri; à sec
talk: trut d'off; trut d'office; automatique
"""
ROBIN = """
trut: je trute
accept: joue !; on joue !
fold: je me couche
talk: toc; patté; pâté; paté; petit; long; égalité; match nul
"""
TRUC = """
raise: deux de plus ?; encore deux ?; deux ?; j'en mets deux; je truque; truc !
rest: mon reste; mon reste !; le reste; mon restant
accept: oui; d'accord; je tiens; tenu; j'accepte; je veux; ça va
refuse: non; je refuse; je n'en veux pas; je ne tiens pas; je joue; jouons
fold: je me couche; j'abandonne; je jette
redeal: des cartes ?; je demande des cartes; on refait ?; autres cartes
talk: pourri; gâté; à moi; à toi
"""
FLOU = """
embit: j'embide; embidi; embide; j'embit; embidou; embit
falta: mi falta embidou; mi falta; falta; j'embide pour le reste
sing: cantar; canta; chante; chante-le; alimidou cantar
raise 1: u aouté; un aouté; encore un
raise 2: dus de més; dus de mes; deux de plus
raise 10: detz de més; dètz de mes; dix de plus
raise rest: restou; resto; le reste
declare 27: vingt-sept; bint-e-sèt
declare 34: trente-quatre
declare 0: rien
flor: flor; flou; fleur; flor tambien; flor també; demi flor
better: alimidou con flor
rest: alibarestou con flor
truc: truc !; truqui; je truque
retruc: retruc; retruqui
balou 4: balou quatro
balou 6: balou seiz
balou partido: balou partido
trucrest: restou y troucou; truc et le reste
accept: oui; si; ouè
refuse: no; non; je passe
talk: pardes; épée; bâton; manille; pout; périque; meneur; pied; la belle; espintou
"""
COMMAND_WORDS = """
undo: annule
score: le score
turn: à qui de jouer
rules: la règle; aide; aide-moi; rappelle la règle
rules: c'est quoi la règle
repeat: tu peux répéter; répète l'annonce; répète
quieter: moins fort; plus bas; parle plus bas
louder: plus fort
hush: tais-toi
speak: tu peux parler; parle
review: revoir le dernier pli
rematch: revanche; la revanche
pause: pause
resume: reprends; on reprend
new-game: nouvelle partie
annul: maldonne
yes: oui
no: non
"""
PLAYERS = """
seat 2: numéro deux; le numéro deux; le joueur deux; la place deux; c'était le numéro deux; c'est la place deux
seat dealer: le donneur; c'était le donneur
dealer 1: le donneur est le un; c'est au numéro un de donner; à la place un de donner; c'est le joueur un qui donne
dealer me: c'est moi qui donne; c'est à moi de donner
"""
FRENCH_CARDS = """
8h: le huit de cœur; huit de cœur; non le huit de cœur; c'était le huit de cœur
Qs: la dame de pique; non la dame de pique
K?: le roi; c'était le roi; non le roi
A?: l'as
10c: le dix de trèfle
Ad: as de carreau; l'as de carreau
"""
NUMBERED = "8: le huit\n3: non le trois; c'était le trois\n1: le un"
SPANISH = """
1e: l'as d'épée
12b: le roi de bâton; non le roi de bâton
11o: le cavalier de soleil; le cavalier d'or; cavalier de denier
10c: le valet de coupe
7?: le sept
1?: le un; l'as
"""
TABLES = {
    "trut": TRUT + PASS + FRENCH_CARDS,
    "trut-gatine": TRUT + GATINE + FRENCH_CARDS,
    "trut-robin-red": TRUT + PASS + ROBIN + NUMBERED,
    "truc": TRUC + FRENCH_CARDS,
    "truc-y-flou": FLOU + SPANISH,
}


def rows(table: str) -> list[tuple[str, str]]:
    """(meaning, phrase) of each phrase of a table."""
    found = []
    for line in table.split("\n"):
        meaning, _, phrases = line.partition(":")
        found += [(meaning, phrase.strip()) for phrase in phrases.split(";") if phrase.strip()]
    return found


SAID = [(game, *row) for game in GAMES for row in rows(TABLES[game] + COMMAND_WORDS + PLAYERS)]


@pytest.mark.parametrize(("game", "meaning", "phrase"), SAID)
def test_every_phrase_of_the_tables_is_known_with_its_meaning(game: str, meaning: str, phrase: str) -> None:
    calls = [call for call in calls_of(game) if call.text == phrase]
    calls = calls or [c for c in calls_of(game) if pronounce(phrase)[0] in c.pronunciations]
    assert calls, f"« {phrase} » is not in the book of {game}"
    wanted = () if meaning == "talk" else (meaning,)
    assert any(set(wanted) <= set(call.means) and bool(call.means) == bool(wanted) for call in calls)


@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_the_pack_can_be_named(game: str) -> None:
    from engine import Game, Header

    pack = Game(Header(game)).table.PACK
    named = {call.phrase for call in calls_of(game) if call.card}
    assert named >= set(pack.tokens)
    assert all(pack.get(card) is not None for card in named)


@pytest.mark.parametrize("game", GAMES)
def test_a_card_is_named_only_when_one_may_be(game: str) -> None:
    cards = [call for call in calls_of(game) if call.card]
    assert all(call.answer for call in cards)
    assert not any(call.may_be_said(frozenset({"trut", "accept", "truc"})) for call in cards)
    assert all(call.may_be_said(frozenset({CARD})) for call in cards)
    corrections = {call.text for call in cards if call.may_be_said(frozenset({CORRECTION}))}
    assert corrections == {c.text for c in cards if c.text.startswith(("non, ", "c'était "))}
    assert corrections


@pytest.mark.parametrize("game", GAMES)
def test_commands_may_always_be_said_and_yes_only_when_asked(game: str) -> None:
    for call in calls_of(game):
        assert not call.verbs & COMMANDS or call.may_be_said(frozenset())
        assert not call.verbs & {"yes", "no"} or (call.answer and not call.may_be_said(frozenset({"trut"})))


def test_what_can_mean_two_things_names_both() -> None:
    means = {(game, call.text): call.means for game in GAMES for call in calls_of(game) if len(call.means) > 1}
    assert means == {
        ("trut", "je passe"): ("fold", "pass"),
        ("trut-robin-red", "je passe"): ("fold", "pass"),
        ("trut-gatine", "je tiens"): ("hold", "accept"),
        ("truc", "oui"): ("accept", "yes"),
        ("truc", "non"): ("refuse", "no"),
        ("truc-y-flou", "oui"): ("accept", "yes"),
        ("truc-y-flou", "si"): ("accept", "yes"),
        ("truc-y-flou", "ouais"): ("accept", "yes"),
        ("truc-y-flou", "non"): ("refuse", "no"),
        ("truc-y-flou", "no"): ("refuse", "no"),
    }


NAMED = ("Marie", "Nord", "Jean-Pierre", "")


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("Marie", "seat 1"),
        ("c'était Marie", "seat 1"),
        ("c'est Nord", "seat 2"),
        ("non, Jean-Pierre", "seat 3"),
        ("c'est à Marie de donner", "dealer 1"),
        ("le donneur est Nord", "dealer 2"),
        ("c'est Jean-Pierre qui donne", "dealer 3"),
        ("la place quatre", "seat 4"),
    ],
)
def test_players_are_called_by_their_names(text: str, event: str) -> None:
    (call,) = (call for call in calls_of("trut", NAMED) if call.text == text)
    assert (call.phrase, call.means, call.answer) == (event, (event,), True)


@pytest.mark.parametrize("game", GAMES)
def test_players_are_named_only_when_one_may_be(game: str) -> None:
    seats = [call for call in calls_of(game) if SEAT in call.verbs]
    assert not any(call.may_be_said(frozenset({"trut", "accept", CARD, DEALER})) for call in seats)
    assert all(call.may_be_said(frozenset({SEAT})) for call in seats)
    corrections = {call.text for call in seats if call.may_be_said(frozenset({CORRECTION}))}
    assert corrections == {c.text for c in seats if c.text.startswith(("non, ", "c'était ", "c'est "))}
    dealers = [call for call in calls_of(game) if DEALER in call.verbs]
    assert dealers
    assert not any(call.may_be_said(frozenset({"trut", CARD, SEAT, CORRECTION})) for call in dealers)
    assert all(call.may_be_said(frozenset({DEALER})) for call in dealers)


def test_two_players_of_one_name_are_numbers() -> None:
    texts = {call.text: call.phrase for call in calls_of("trut", ("Marie", "Jean", "Marie", "Anne"))}
    assert "Marie" not in texts
    assert texts["Anne"] == "seat 4"
    assert texts["numéro trois"] == "seat 3"


def test_a_name_that_french_cannot_say_is_a_number() -> None:
    texts = {call.text: call.phrase for call in calls_of("truc", ("李", "Anne"))}
    assert not any("李" in text for text in texts)
    assert texts["le numéro un"] == "seat 1"


def test_what_laughter_sounds_like_must_be_sure() -> None:
    careful = {call.text for call in calls_of("trut") if call.careful}
    assert careful == {"répète", "parle", "tais-toi", "taisez-vous"}
