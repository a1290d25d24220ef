"""The words of somebody else's Vosk model, and which of them sounds most like a word that it lacks.

"trute" is in no dictionary: a model hears it as "truite" or "brute". So these stand for it in the grammar, and the
user is told.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from audio.errors import Caution, UnpronounceablePhrase
from audio.lexicon import Pronunciation, pronounce, spelled
from audio.phones import PHONES, VOWELS
from audio.vosk_folder import graph_file

#: Replacements of a word, at most.
MOST = 3
#: Distance (phones) up to which a word still sounds like another: one phone in two, and two at most.
NEAR, FARTHEST = 0.5, 2.0
#: How much farther than the nearest one a second replacement may be.
_SECOND = 0.35
#: Candidates by their spelling that are compared by their sound.
_CANDIDATES = 300
#: Words of so many letters stand for no other.
_LONGEST = 16

Letters = npt.NDArray[np.int32]

_SYMBOLS = struct.pack("<i", 2125658996)

#: Phones that are confused, and what it costs to take one for the other; any other two cost 1.
_ALIKE = {
    0.2: ("Ee", "Oo", "WY", "@W", "@Y", "@o"),
    0.4: ("bp", "dt", "gk", "vf", "zs", "ZS", "yi", "yu", "yY", "iH", "yH", "ij", "uw", "mn", "ie", "ou", "aE"),
    0.7: ("tk", "pt", "pk", "bd", "dg", "sS", "zZ", "fs", "vz", "lr", "rg", "rk", "nl", "mb", "nd", "aO"),
}
_NASALS = {
    ("A~", "O~"): 0.3,
    ("E~", "W~"): 0.2,
    ("A~", "a"): 0.6,
    ("O~", "o"): 0.6,
    ("E~", "E"): 0.6,
    ("A~", "E~"): 0.5,
}
#: What it costs to leave out or put in a schwa, a glide, another phone.
_SCHWA, _GLIDE, _PHONE = 0.2, 0.5, 0.9


@dataclass(frozen=True, slots=True)
class Replacement:
    """A word that the model lacks, and those that stand for it, the nearest first."""

    word: str
    instead: tuple[str, ...]


def vocabulary(folder: Path) -> frozenset[str]:
    """The words of a Vosk model: those of ``words.txt``, or the symbols inside ``Gr.fst``."""
    path = graph_file(folder, "words.txt")
    if path.is_file():
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        words = {line.rsplit(maxsplit=1)[0] for line in lines if len(line.split()) == 2}
    else:
        words = set(_symbols(graph_file(folder, "Gr.fst").read_bytes()))
    return frozenset(word for word in words if word and word[0] not in "<[#!")


def _symbols(data: bytes) -> list[str]:
    """OpenFst's symbol table, wherever in a file it begins: a name, two counts, then text and key of each symbol."""
    at = data.find(_SYMBOLS, 4)
    if at < 0:
        return []
    (named,) = struct.unpack_from("<i", data, at + 4)
    at += 8 + named
    (_, count) = struct.unpack_from("<qq", data, at)
    at += 16
    symbols = []
    for _ in range(count):
        (size,) = struct.unpack_from("<i", data, at)
        symbols.append(data[at + 4 : at + 4 + size].decode("utf-8", "replace"))
        at += 4 + size + 8
    return symbols


def _costs() -> np.ndarray:
    costs = 1 - np.eye(len(PHONES))
    index = {phone: i for i, phone in enumerate(PHONES)}
    pairs = [(pair[0], pair[1], cost) for cost, alike in _ALIKE.items() for pair in alike]
    pairs += [(a, b, cost) for (a, b), cost in _NASALS.items()]
    for a, b, cost in pairs:
        costs[index[a], index[b]] = costs[index[b], index[a]] = cost
    for a in VOWELS:  # a vowel is never taken for a consonant, but for the glides above
        for b in set(PHONES) - VOWELS - set("jwH"):
            costs[index[a], index[b]] = costs[index[b], index[a]] = 2.0
    return costs


_COSTS = _costs()
_INDEX = {phone: i for i, phone in enumerate(PHONES)}


def _dropped(phone: str) -> float:
    return _SCHWA if phone == "@" else _GLIDE if phone in "jwH" else _PHONE


def sound_distance(a: Pronunciation, b: Pronunciation) -> float:
    """How many phones two pronunciations are apart; alike ones count less."""
    row = np.cumsum([0.0, *(_dropped(phone) for phone in b)])
    for phone in a:
        previous, row = row, np.empty_like(row)
        row[0] = previous[0] + _dropped(phone)
        for j, other in enumerate(b, start=1):
            row[j] = min(
                previous[j - 1] + _COSTS[_INDEX[phone], _INDEX[other]],
                previous[j] + _dropped(phone),
                row[j - 1] + _dropped(other),
            )
    return float(row[-1])


#: Spellings of one sound, longest first: enough to find candidates, not to pronounce.
_SPELLINGS = (
    ("eau", "o"), ("au", "o"), ("ch", "S"), ("ph", "f"), ("qu", "k"), ("gn", "n"), ("ou", "u"), ("oi", "wa"),
    ("ai", "e"), ("ei", "e"), ("eu", "@"), ("œu", "@"), ("an", "A"), ("en", "A"), ("on", "O"), ("in", "I"), ("un", "I"),
    ("c", "k"), ("ç", "s"), ("q", "k"), ("j", "Z"), ("y", "i"), ("z", "s"), ("h", ""), ("w", "v"), ("x", "s"),
    ("é", "e"), ("è", "e"), ("ê", "e"), ("à", "a"), ("â", "a"), ("î", "i"), ("ï", "i"), ("ô", "o"), ("û", "y"),
    ("ù", "y"), ("ü", "y"), ("u", "y"), ("'", ""), ("-", ""),
)  # fmt: skip


def _rough(word: str) -> str:
    """About how a word sounds, from its spelling: silent endings off, double letters single."""
    sound = word
    for spelling, letter in _SPELLINGS:
        sound = sound.replace(spelling, letter)
    sound = "".join(a for a, b in zip(sound, " " + sound, strict=False) if a != b)
    return sound.rstrip("esxtdp") or sound


def _rough_distances(word: str, letters: Letters, sizes: npt.NDArray[np.int64]) -> Letters:
    """Letters between the rough sound of ``word`` and each other one (n, width), ``sizes`` long (n,), all at once."""
    width = int(sizes.max())
    row = np.tile(np.arange(width + 1, dtype=np.int32), (len(letters), 1))
    for i, letter in enumerate(map(ord, word), start=1):
        previous, row = row, np.empty_like(row)
        row[:, 0] = i
        for j in range(1, width + 1):
            same = previous[:, j - 1] + (letters[:, j - 1] != letter)
            row[:, j] = np.minimum(same, np.minimum(previous[:, j], row[:, j - 1]) + 1)
    return np.asarray(row[np.arange(len(letters)), sizes])


@lru_cache(maxsize=4)
def _short(known: frozenset[str]) -> tuple[tuple[str, ...], Letters, npt.NDArray[np.int64]]:
    """The words that may stand for another, and how they roughly sound: letters (n, width) filled up with 0, sizes."""
    words = tuple(sorted(word for word in known if len(word) < _LONGEST and word.isalpha()))
    roughs = list(map(_rough, words))
    sizes = np.array([len(rough) for rough in roughs], np.int64)
    width = int(sizes.max(initial=1))
    return words, np.array(roughs, f"U{width}").view(np.int32).reshape(len(words), width), sizes


def nearest(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """The one or two known words that sound most like ``word``; none where all sound otherwise."""
    words, letters, sizes = _short(known)
    sound = _rough(word)
    pool = np.flatnonzero(abs(sizes - len(sound)) <= 2)
    if not len(pool):
        return ()
    distances = _rough_distances(sound, letters[pool], sizes[pool])
    candidates = [words[pool[i]] for i in np.argsort(distances, kind="stable")[:_CANDIDATES]]
    try:
        wanted = pronounce(word)[0]
    except UnpronounceablePhrase:
        return ()
    scored = []
    for candidate in candidates:
        try:
            scored.append((sound_distance(wanted, pronounce(candidate)[0]), candidate))
        except UnpronounceablePhrase:
            continue
    scored.sort()
    limit = min(FARTHEST, NEAR * len(wanted))
    near = [(distance, candidate) for distance, candidate in scored if distance <= limit]
    return tuple(candidate for distance, candidate in near[:MOST] if distance <= near[0][0] + _SECOND)


@dataclass(frozen=True, slots=True)
class Fitted:
    """Phrases in the words that a model has.

    Attributes:
        by_text: what the model may hear, and the numbers of the phrases that it stands for.
        replaced: words that it lacks, with what stands for them.
        unheard: phrases that it cannot hear: nothing in it sounds like one of their words.
    """

    by_text: dict[str, list[int]]
    replaced: tuple[Replacement, ...]
    unheard: tuple[str, ...]


def fit_words(phrases: Sequence[str], known: frozenset[str]) -> Fitted:
    """Say ``phrases`` in known words; what is said exactly is never taken for another phrase."""
    texts = [" ".join(spelled(phrase).replace(",", " ").split()) for phrase in phrases]
    missing = {word for text in texts for word in text.split() if word not in known}
    replaced = tuple(Replacement(word, near) for word in sorted(missing) if (near := nearest(word, known)))
    instead = {replacement.word: replacement.instead for replacement in replaced}
    by_text: dict[str, list[int]] = {}
    for i, text in enumerate(texts):
        if not missing & set(text.split()):
            by_text.setdefault(text, []).append(i)
    exact = frozenset(by_text)
    unheard = []
    for i, text in enumerate(texts):
        if text in exact:
            continue
        choices = [instead.get(word, ()) if word in missing else (word,) for word in text.split()]
        ways = [way for way in map(" ".join, product(*choices)) if way not in exact]
        for way in ways:
            by_text.setdefault(way, []).append(i)
        if not ways:
            unheard.append(phrases[i])
    return Fitted(by_text, replaced, tuple(dict.fromkeys(unheard)))


def cautions(fitted: Fitted) -> tuple[Caution, ...]:
    """What a user of another model should know."""
    found = []
    if fitted.replaced:
        pairs = " ; ".join(f"{r.word} → {', '.join(r.instead)}" for r in fitted.replaced)
        found.append(
            Caution("mots que le modèle Vosk n'a pas, et ce qu'il entendra à leur place : {words}", {"words": pairs})
        )
    if fitted.unheard:
        phrases = " ; ".join(fitted.unheard)
        found.append(Caution("phrases que ce modèle Vosk ne peut pas entendre : {phrases}", {"phrases": phrases}))
    return tuple(found)
