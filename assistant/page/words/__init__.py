"""The words of the page: every module here has ``WORDS``, French sentences by the key under which the page asks.

``GET /texts/<lang>`` gives them all in one language. A sentence with a number has two keys, ``KEY.one`` and
``KEY.many``.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache

from assistant.i18n import _, in_language

NO_BREAK = "\N{NO-BREAK SPACE}"


class TwiceTheSameKey(ValueError):
    """Two modules have words for one key."""


@cache
def words() -> Mapping[str, str]:
    """The French of every part.

    Raises:
        TwiceTheSameKey: two parts use the same key for different words.
    """
    merged: dict[str, str] = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        part: Mapping[str, str] = importlib.import_module(f"{__name__}.{module}").WORDS
        for key, text in part.items():
            if merged.setdefault(key, text) != text:
                raise TwiceTheSameKey(key)
    return merged


@cache
def texts(language: str) -> Mapping[str, str]:
    """The same in ``language``."""
    with in_language(language):
        return {key: typeset(_(text), language) for key, text in words().items()}


def typeset(text: str, language: str) -> str:
    """A sentence as it is shown: in French no line begins with a colon, or ends with «."""
    return re.sub(r" (?=[:;?!»%])|(?<=«) ", NO_BREAK, text) if language == "fr" else text
