"""The sounds that the acoustic net tells apart: silence and 34 French phones, in the ASCII names of
espeak-ng."""

from __future__ import annotations

#: Index 0 is silence (everything that is no speech of somebody near).
PHONES: tuple[str, ...] = (
    "SIL", "Z", "S", "s", "z", "f", "v", "p", "t", "k", "b", "d", "g", "m", "n", "l", "r", "j", "w", "H",
    "y", "u", "i", "e", "E", "a", "O", "o", "@", "Y", "W", "A~", "E~", "O~", "W~",
)  # fmt: skip
INDEX: dict[str, int] = {phone: i for i, phone in enumerate(PHONES)}
SIL = 0

VOWELS = frozenset(("y", "u", "i", "e", "E", "a", "O", "o", "@", "Y", "W", "A~", "E~", "O~", "W~"))
#: Vowels that carry a syllable: they last 60 ms at least, a schwa need not.
FULL_VOWELS = VOWELS - {"@"}
VOICELESS = frozenset(("S", "s", "f", "p", "t", "k"))

#: espeak's variants of one phone (glides written with ``-``, allophones with a digit), mapped to ours.
_SAME = {
    "@-": "@", "@2": "@", "y-": "y", "e-": "e", "t2": "t", "z2": "z", "n2": "n", "r-": "r", "n^": "n", "N":
    "n", ";": "H",
    "o-": "o", "i-": "i", "i2": "i", "E2": "E", "e2": "e", "a2": "a", "u-": "u", "O-": "O", "A": "a", "h": "",
}  # fmt: skip


def from_espeak(name: str) -> str | None:
    """Our name of one of espeak's phonemes: ``""`` for marks without a sound, None for a sound that French
    has not."""
    name = name.lstrip("',%=")
    if not name or name.startswith("_") or name in ("(fr)", "|", ":", "!"):
        return ""
    name = _SAME.get(name, name)
    return name if name in INDEX or not name else None
