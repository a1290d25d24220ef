"""A Vosk decoding graph of any words, written without a toolkit: what Kaldi calls ``HCLr.fst`` and ``Gr.fst``.

The net of models/phrases tells single phones apart, so no tree of contexts is needed and the graph of a word
is the chain of its phones. Chains that end alike share their ends. The name of a word is written on its first
arc and the arcs are sorted by it, so a grammar given at run time is found by plain composition.

A phone is one state; a vowel that carries a syllable is two, and so lasts 60 ms at least
(:data:`audio.phones.FULL_VOWELS`). Kaldi's name of a transition is its number here:
:data:`ENTER` and :data:`STAY` have them for each :class:`Sound`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from audio.lexicon import Pronunciation
from audio.phones import FULL_VOWELS, INDEX, PHONES, SIL

#: The word for speech that is none of the others.
UNKNOWN = "[unk]"

#: The output after those of the phones: whatever phone is likeliest.
ANY = len(PHONES)

#: What free speech costs against the likeliest phones: an output of 30 ms, and once (log-likelihood).
FREE_OUTPUT, FREE_START = 1.0, 2.0

_PLACES = {"B": "begin", "I": "internal", "E": "end", "S": "singleton"}


@dataclass(frozen=True, slots=True)
class Sound:
    """A phone at its place in a word, as Kaldi numbers them from 1.

    Attributes:
        phone: index into :data:`audio.phones.PHONES`, or :data:`ANY`: the output of the net that stands for it.
        place: ``B`` first, ``I`` inside, ``E`` last, ``S`` alone, ``""`` outside of words.
    """

    phone: int
    place: str

    @property
    def states(self) -> int:
        """States that it takes, 30 ms each at least."""
        return 2 if self.phone == ANY or PHONES[self.phone] in FULL_VOWELS else 1


def _sounds() -> tuple[Sound, ...]:
    pauses = (Sound(SIL, ""), Sound(SIL, "I"))
    speech = tuple(Sound(p, place) for p in range(SIL + 1, len(PHONES)) for place in _PLACES)
    return (*pauses, *speech, Sound(ANY, "S"))


#: All sounds, in the order of Kaldi's numbers (the first is number 1).
SOUNDS: tuple[Sound, ...] = _sounds()
_NUMBER = {sound: i for i, sound in enumerate(SOUNDS, start=1)}


def _transitions() -> tuple[dict[Sound, tuple[int, ...]], dict[Sound, int], int]:
    """Numbers of the transitions into each state of a sound, of the stay in its last one, and how many there are.

    Kaldi numbers, sound by sound and state by state, the ways out of a state. The first state of two has one
    (on), the last has two: stay, then on. With its habit of putting the way on before the stays, entering a
    state is told by its way on.
    """
    enter: dict[Sound, tuple[int, ...]] = {}
    stay: dict[Sound, int] = {}
    last = 0
    for sound in SOUNDS:
        if sound.states == 2:
            last += 1
        first = last
        stay[sound], last = last + 1, last + 2
        enter[sound] = (first, last) if sound.states == 2 else (last,)
    return enter, stay, last


ENTER, STAY, TRANSITIONS = _transitions()


@dataclass(frozen=True, slots=True)
class _Arc:
    heard: int
    word: int
    cost: float
    to: int


def _const_fst(states: Sequence[Sequence[_Arc]], final: Mapping[int, float], properties: int) -> bytes:
    """OpenFst's ``const`` format, version 2; state 0 is the start."""
    arcs = sum(len(out) for out in states)
    name, weight = b"const", b"standard"
    header = struct.pack("<ii", 2125659606, len(name)) + name + struct.pack("<i", len(weight)) + weight
    header += struct.pack("<iiQqqq", 2, 0, properties, 0, len(states), arcs)
    rows = np.zeros(len(states), "<f4,<u4,<u4,<u4,<u4")
    table = np.zeros(arcs, "<i4,<i4,<f4,<i4")
    at = 0
    for i, out in enumerate(states):
        silent = sum(arc.heard == 0 for arc in out)
        rows[i] = (final.get(i, math.inf), at, len(out), silent, sum(arc.word == 0 for arc in out))
        for arc in out:
            table[at] = (arc.heard, arc.word, arc.cost, arc.to)
            at += 1
    return header + rows.tobytes() + table.tobytes()


#: OpenFst's properties: expanded; acceptor or transducer, sorted by inputs, sorted by outputs.
_EXPANDED, _ACCEPTOR, _BY_INPUT, _BY_OUTPUT = 1, 0x10000, 0x10000000, 0x40000000


class _Chains:
    """States that are shared by all words that end in the same way."""

    def __init__(self) -> None:
        self.states: list[list[_Arc]] = [[]]
        self._known: dict[tuple[Sound, ...], int] = {}

    def after(self, sound: Sound, to: int, word: int = 0, cost: float = 0.0) -> tuple[_Arc, int]:
        """A new entrance to ``sound``, from whose end an arc leads to ``to``: (the arc in, the first state)."""
        entries = ENTER[sound]
        first = len(self.states)
        for i, entry in enumerate(entries[1:], start=1):
            self.states.append([_Arc(entry, 0, 0.0, first + i)])
        last = len(self.states)
        self.states.append([_Arc(0, 0, 0.0, to), _Arc(STAY[sound], 0, 0.0, last)])
        return _Arc(entries[0], word, cost, first), first

    def chain(self, sounds: tuple[Sound, ...]) -> int:
        """The state in which the first of ``sounds`` has been entered and the others must follow."""
        if sounds not in self._known:
            if len(sounds) == 1:
                arc, _ = self.after(sounds[0], 0)
            else:
                follower = self.chain(sounds[1:])
                arc, first = self.after(sounds[0], 0)
                end = self._end(first, sounds[0])
                self.states[end][0] = _Arc(ENTER[sounds[1]][0], 0, 0.0, follower)
            self._known[sounds] = arc.to
        return self._known[sounds]

    @staticmethod
    def _end(first: int, sound: Sound) -> int:
        return first + sound.states - 1


def placed(pronunciation: Pronunciation) -> tuple[Sound, ...]:
    """The sounds of a word."""
    last = len(pronunciation) - 1
    places = ["S"] if not last else ["B", *"I" * (last - 1), "E"]
    return tuple(Sound(INDEX[phone], place) for phone, place in zip(pronunciation, places, strict=True))


def lexicon_graph(words: Sequence[str], ways: Mapping[str, Iterable[Pronunciation]]) -> bytes:
    """The graph from sounds to words: any of ``words`` in any order, pauses between them.

    Args:
        words: word ``i`` has the number ``i`` of ``words.txt``; 0 is ``<eps>``. One of them is
            :data:`UNKNOWN`, free speech.
        ways: the pronunciations of the others.
    """
    chains = _Chains()
    arc, _ = chains.after(Sound(SIL, ""), 0)
    out = [arc]
    for number, word in enumerate(words):
        for way in ways.get(word, ()):
            sounds = placed(way)
            out.append(_Arc(ENTER[sounds[0]][0], number, 0.0, chains.chain(sounds)))
    out.append(_free_speech(chains, words.index(UNKNOWN)))
    chains.states[0] = sorted(out, key=lambda arc: arc.word)
    return _const_fst(chains.states, {0: 0.0}, _EXPANDED | _BY_OUTPUT)


def _free_speech(chains: _Chains, word: int) -> _Arc:
    """The way into speech of any kind, as one word."""
    arc, first = chains.after(Sound(ANY, "S"), 0, word, FREE_START + FREE_OUTPUT)
    for state in chains.states[first:]:
        state[:] = [replace(way, cost=FREE_OUTPUT if way.heard else 0.0) for way in state]
    return arc


def any_word(words: Sequence[str]) -> bytes:
    """The grammar for those who give none: every word as likely as any other."""
    cost = math.log(max(1, len(words) - 1))
    loop = [_Arc(number, number, cost, 0) for number in range(1, len(words))]
    return _const_fst([loop], {0: 0.0}, _EXPANDED | _ACCEPTOR | _BY_INPUT | _BY_OUTPUT)


def word_boundaries() -> str:
    """``word_boundary.int``: which sounds begin and end words, so that words get their times."""
    return "".join(f"{n} {_PLACES.get(sound.place, 'nonword')}\n" for sound, n in _NUMBER.items())


def phone_names() -> str:
    """``phones.txt``: the names of the sounds; it tells a model of ours from others."""
    names = [(*PHONES, "ANY")[sound.phone] + (f"_{sound.place}" if sound.place else "") for sound in SOUNDS]
    return "<eps> 0\n" + "".join(f"{name} {i}\n" for i, name in enumerate(names, start=1))


def write_graph(folder: Path, ways: Mapping[str, Iterable[Pronunciation]]) -> tuple[str, ...]:
    """Write the folder ``graph`` of a Vosk model for these words.

    Returns:
        The words by number, :data:`UNKNOWN` among them.
    """
    words = ("<eps>", UNKNOWN, *sorted(set(ways) - {UNKNOWN}))
    (folder / "phones").mkdir(parents=True, exist_ok=True)
    (folder / "HCLr.fst").write_bytes(lexicon_graph(words, ways))
    (folder / "Gr.fst").write_bytes(any_word(words))
    (folder / "words.txt").write_text("".join(f"{word} {i}\n" for i, word in enumerate(words)), encoding="utf-8")
    (folder / "phones.txt").write_text(phone_names())
    (folder / "disambig_tid.int").write_text("")
    (folder / "phones" / "word_boundary.int").write_text(word_boundaries())
    return words
