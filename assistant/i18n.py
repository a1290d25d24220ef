"""The two languages of everything that is spoken or shown.

French is the source language: a message id *is* the French sentence, and ``assistant/locale/en`` holds the English one.
Use ``_()`` for a sentence, ``ngettext()`` for one that depends on a number, ``N_()`` to mark a sentence that is
translated later. ``tests/assistant/test_i18n.py`` fails when a marked sentence has no English.
"""

from __future__ import annotations

import gettext as _gettext
import locale
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Protocol

from engine.errors import TrutError

LANGUAGES = ("fr", "en")
Both = dict[str, str]
"""A sentence in each of our languages: ``{"fr": ..., "en": ...}``."""
LOCALE_DIR = Path(__file__).with_name("locale")
_HARD_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"

_current = "fr"
_translation: _gettext.NullTranslations = _gettext.NullTranslations()
_here: ContextVar[tuple[str, _gettext.NullTranslations] | None] = ContextVar("_here", default=None)
"""The language of this thread alone, where it is not the program's."""


def default_language() -> str:
    """The language of the user's locale if it is one of ours, else French."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable, "")
        if value:
            return "en" if value.lower().startswith("en") else "fr"
    try:
        name = locale.getlocale()[0] or ""
    except ValueError:
        name = ""
    return "en" if name.lower().startswith("en") else "fr"


def set_language(language: str) -> None:
    """Switch every later ``_()`` to ``language`` (``fr`` or ``en``)."""
    global _current, _translation
    _current, _translation = _speaker(language)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Speak ``language`` within the block, in this thread (or task) alone: the page answers each reader in his own
    while the referee speaks on in another.

    >>> with in_language("en"):
    ...     language()
    'en'
    """
    token = _here.set(_speaker(language))
    try:
        yield
    finally:
        _here.reset(token)


def both(words: Callable[[], str]) -> Both:
    """What ``words`` says in each of our languages: ``{"fr": ..., "en": ...}``."""
    said = {}
    for name in LANGUAGES:
        with in_language(name):
            said[name] = words()
    return said


@cache
def _speaker(language: str) -> tuple[str, _gettext.NullTranslations]:
    if language not in LANGUAGES:
        raise ValueError(language)
    if language == "fr":
        return language, _gettext.NullTranslations()
    return language, _gettext.translation("trut", LOCALE_DIR, [language], fallback=True)


def language() -> str:
    """The language in force."""
    return (_here.get() or (_current, _translation))[0]


def _(message: str) -> str:
    """The sentence in the language in force."""
    return (_here.get() or (_current, _translation))[1].gettext(message)


def ngettext(singular: str, plural: str, n: int) -> str:
    """The sentence for ``n`` things. French says the singular for 0 and 1, English for 1 alone."""
    speaker, translation = _here.get() or (_current, _translation)
    if speaker == "fr":
        return singular if abs(n) < 2 else plural
    return translation.ngettext(singular, plural, n)


def N_(message: str) -> str:
    """Mark a sentence for translation without translating it now."""
    return message


class Templated(Protocol):
    """What the floors below have to say: a French template, and what goes into it."""

    @property
    def template(self) -> str: ...

    @property
    def fields(self) -> Mapping[str, object]: ...


def describe(said: Templated) -> str:
    """The sentence of an error or a caution in the language in force, and in it those of the errors that it names."""
    fields = {name: describe(field) if isinstance(field, TrutError) else field for name, field in said.fields.items()}
    return on_one_line(_(said.template).format(**fields))


def typeset(text: str, language: str) -> str:
    """A sentence as it is shown: in French no line begins with a colon, or ends with «."""
    return re.sub(r" (?=[:;?!»%])|(?<=«) ", "\N{NO-BREAK SPACE}", text) if language == "fr" else text


def on_one_line(text: str) -> str:
    """A sentence that names what somebody wrote, as one line whatever that is: without control characters."""
    return "".join(
        letter if letter.isprintable() or letter in _HARD_SPACES else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
