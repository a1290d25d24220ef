"""argparse in French: its own words for usage, help and errors, which it takes from nowhere else.

argparse asks the function ``gettext`` of the standard library for each of its sentences, at the moment when it says it.
Here that function answers from the table below while French is the language in force; English is argparse's own.
"""

from __future__ import annotations

import argparse

from assistant.i18n import language

FRENCH: dict[str, str] = {
    "usage: ": "usage : ",
    "positional arguments": "arguments",
    "options": "options",
    "show this help message and exit": "montre cette aide et s'arrête",
    "show program's version number and exit": "montre la version et s'arrête",
    "argument %(argument_name)s: %(message)s": "argument %(argument_name)s : %(message)s",
    "the following arguments are required: %s": "il manque : %s",
    "one of the arguments %s is required": "il faut l'un de ces arguments : %s",
    "unrecognized arguments: %s": "arguments inconnus : %s",
    "not allowed with argument %s": "ne va pas avec l'argument %s",
    "ignored explicit argument %r": "cet argument ne prend pas de valeur : %r",
    "expected one argument": "il faut une valeur",
    "expected at most one argument": "il faut une valeur au plus",
    "expected at least one argument": "il faut une valeur au moins",
    "invalid choice: %(value)r (choose from %(choices)s)": "valeur inconnue : %(value)r (au choix : %(choices)s)",
    "invalid %(type)s value: %(value)r": "ce n'est pas une valeur possible : %(value)r",
    "ambiguous option: %(option)s could match %(matches)s": "option ambiguë : %(option)s peut être %(matches)s",
    "unknown parser %(parser_name)r (choices: %(choices)s)": "%(parser_name)r est inconnu (au choix : %(choices)s)",
}
"""argparse's sentences that a user may see, by themselves."""
FRENCH_PLURALS: dict[str, tuple[str, str]] = {
    "expected %s argument": ("il faut %s valeur", "il faut %s valeurs"),
}


def _said(message: str) -> str:
    return FRENCH.get(message, message) if language() == "fr" else message


def _counted(singular: str, plural: str, n: int) -> str:
    if language() == "fr" and singular in FRENCH_PLURALS:
        one, many = FRENCH_PLURALS[singular]
        return one if n < 2 else many
    return singular if n == 1 else plural


def in_our_languages() -> None:
    """Let argparse say its sentences in the language in force, from now on."""
    setattr(argparse, "_", _said)  # noqa: B010  (argparse's own name for gettext; there is no other way in)
    setattr(argparse, "ngettext", _counted)  # noqa: B010
