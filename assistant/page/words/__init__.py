"""The words of the page: every module here has ``WORDS``, French sentences by the key under which the page asks.

``GET /texts/<lang>`` gives them all in one language. A sentence with a number has two keys, ``KEY.one`` and
``KEY.many``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from assistant.i18n import _, in_language, typeset


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
