"""How French people say a phrase: espeak's pronunciation, and what fast speech makes of it.

"je me couche" is also "j'me couche" and "je m'couche", "je suis" is also "chuis", a final consonant may
carry a schwa ("trut-e"). The rules here are general, so that any phrase of a text file gets the same variants
as the phrases of the games.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from audio.errors import UnpronounceablePhrase
from audio.espeak import espeak, with_east
from audio.phones import INDEX, VOICELESS, VOWELS, from_espeak

Pronunciation = tuple[str, ...]
Word = tuple[str, ...]

#: No phrase needs more; the first ones are the careful ones.
MOST_VARIANTS = 24
#: Phones of the longest phrase: some six seconds of speech, no call is longer.
LONGEST = 64

#: Words that espeak reads otherwise than players do: the t of "trut" is heard, Gascon words are said as they
#: are written.
SPOKEN_AS: dict[str, str] = {
    "trut": "trutte",
    "truts": "trutte",
    "trutt": "trutte",
    "trut'": "trutte",
    "tru": "tru",
    "embit": "embite",
    "cantar": "canetare",
    "canta": "caneta",
    "tambien": "tambienne",
    "també": "tammbé",
    "quatro": "couatro",
    "seiz": "seize",
    "dus": "dusse",
    "més": "messe",
    "mes": "mes",
    "detz": "dètse",
    "bint": "binnt",
    "sèt": "sète",
    "ouè": "ouais",
    "mi": "mi",
    "partido": "partido",
}

#: Sounds that only English has, for the words that espeak takes for English ones ("joker", "game over").
_NEAREST = {
    "dZ": ("d", "Z"),
    "tS": ("t", "S"),
    "D": ("z",),
    "T": ("s",),
    "I": ("i",),
    "I2": ("i",),
    "i:": ("i",),
    "u:": ("u",),
    "U": ("u",),
    "V": ("a",),
    "aa": ("a",),
    "a#": ("a",),
    "A:": ("a",),
    "A@": ("a", "r"),
    "0": ("O",),
    "O:": ("O",),
    "O@": ("O", "r"),
    "o@": ("O", "r"),
    "3:": ("W",),
    "3": ("W", "r"),
    "@L": ("W", "l"),
    "eI": ("e",),
    "aI": ("a", "j"),
    "OI": ("O", "j"),
    "oU": ("o",),
    "aU": ("a", "u"),
    "e@": ("E", "r"),
    "i@": ("i", "r"),
    "i@3": ("i", "r"),
    "U@": ("u", "r"),
    "h": (),
    "r": ("r",),
    "E": ("E",),
    "@5": ("@",),
}

_CLITIC = re.compile(r"\b([jmtslnd])['’](?=[bcdfgjklmnpqrstvwxz])", re.IGNORECASE)
_PAUSE = re.compile(r"[,;:.!?…]+")


def spelled(text: str) -> str:
    """The text as it is looked up: composed letters, small letters, no marks, single spaces."""
    text = unicodedata.normalize("NFC", text).replace("ʼ", "'").replace("’", "'").lower()
    return " ".join(re.sub(r"[«»\"()\[\]!?…]", " ", text).split())


def _words(text: str) -> list[Word]:
    """The careful pronunciation, word by word. Raises where espeak finds nothing to say."""
    plain = _CLITIC.sub(r"\1e ", text)
    plain = " ".join(SPOKEN_AS.get(word, word) for word in plain.split())
    words: list[Word] = []
    for said in espeak().phonemes(plain):
        phones: list[str] = []
        for name in said:
            phone = from_espeak(name)
            if phone is None:
                bare = name.lstrip("',%=")
                phones += _NEAREST.get(bare, ())
            elif phone:
                phones.append(phone)
        if phones:
            words.append(tuple(phones))
    return words


def _without_inner_schwa(word: Word) -> Word | None:
    """ "petit" as "p'tit": a schwa between two single consonants falls; "brelan" and "reprends" keep
    theirs."""
    for i in range(1, len(word) - 2):
        if (
            word[i] == "@"
            and word[i - 1] not in VOWELS
            and word[i + 1] not in VOWELS
            and word[i + 2] in VOWELS
            and (i < 2 or word[i - 2] in VOWELS)
        ):
            return word[:i] + word[i + 1 :]
    return None


def _ways(word: Word, following: Word | None) -> list[Word]:
    """The ways to say one word before ``following`` (None at the end of the phrase)."""
    ways = [word]
    if following is None:
        if word[-1] == "@" and len(word) > 2:
            ways.append(word[:-1])
        elif word[-1] not in VOWELS and len(word) > 1:
            ways.append((*word, "@"))
        if len(word) > 3 and word[-1] in ("r", "l") and word[-2] not in VOWELS and word[-2] not in "rlmnjw":
            ways.append(word[:-1])  # "quatre" as "quat'"
        return ways
    if len(word) == 2 and word[1] == "@" and following[0] not in VOWELS:
        ways.append(word[:1])  # "j'", "m'", "d'"
        if word[0] == "Z" and following[0] in VOICELESS:
            ways.append(("S",))
        if word[0] == "n":
            ways.append(())  # "je trute pas"
    return ways


def _choices(sizes: Sequence[int], liberties: int) -> Iterator[tuple[int, ...]]:
    """A way for each word (0: the careful one), just so many of them not careful; one by one, for a long phrase has
    more than could be kept."""
    if liberties > sum(size > 1 for size in sizes):
        return
    if not sizes:
        yield ()
        return
    for pick in range(sizes[0] if liberties else 1):
        for rest in _choices(sizes[1:], liberties - (pick > 0)):
            yield (pick, *rest)


def _pronounce_part(words: Sequence[Word]) -> list[Pronunciation]:
    options: list[list[Word]] = []
    for i, word in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else None
        ways = _ways(word, following)
        short = _without_inner_schwa(word)
        options.append(ways + ([short] if short else []))
    found: dict[Pronunciation, None] = {}
    sizes = [len(o) for o in options]
    # fewest liberties first: the careful way of every word is option 0
    for choice in (choice for liberties in range(len(sizes) + 1) for choice in _choices(sizes, liberties)):
        phones = tuple(phone for option, pick in zip(options, choice, strict=True) for phone in option[pick])
        found.setdefault(phones, None)
        if phones[:2] in (("S", "s"), ("S", "S")):  # "chuis", "j'chante"
            found.setdefault(("S", *phones[2:]), None)
        if len(found) >= MOST_VARIANTS:
            break
    return list(found)


@lru_cache(maxsize=4096)
def pronounce(text: str) -> tuple[Pronunciation, ...]:
    """All ways to say ``text``, in phones of :mod:`audio.phones`, the careful one first.

    A comma may be a pause (``SIL``) or none.

    Raises:
        UnpronounceablePhrase: nothing in the text can be said in French, or it is longer than any call.
    """
    if not any("LATIN" in unicodedata.name(letter, "") or letter.isdigit() for letter in text):
        raise UnpronounceablePhrase("« {text} » ne peut pas se prononcer en français", text=text.strip()[:60])
    said = [_words(part) for part in _PAUSE.split(spelled_with_pauses(with_east(text))) if part.strip()]
    said = [words for words in said if words]
    if not said:
        raise UnpronounceablePhrase("« {text} » ne peut pas se prononcer en français", text=text.strip()[:60])
    if sum(len(word) for words in said for word in words) > LONGEST:
        raise UnpronounceablePhrase("« {text} » : cette phrase est trop longue", text=text.strip()[:60])
    ways, *parts = [_pronounce_part(words) for words in said]
    for part in parts:
        ways = [a + joint + b for a in ways for b in part for joint in ((), ("SIL",))][:MOST_VARIANTS]
    return tuple(ways)


def spelled_with_pauses(text: str) -> str:
    """As :func:`spelled`, but commas and full stops stay where they may be heard as a pause."""
    text = unicodedata.normalize("NFC", text).replace("ʼ", "'").replace("’", "'").lower()
    return " ".join(re.sub(r"[«»\"()\[\]]", " ", text).split())


def phone_ids(pronunciation: Pronunciation) -> tuple[int, ...]:
    """A pronunciation as indices into :data:`audio.phones.PHONES`."""
    return tuple(INDEX[phone] for phone in pronunciation)
