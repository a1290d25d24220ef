"""The words of the page: what the scripts ask for exists, and what exists is asked for."""

from __future__ import annotations

import re
from pathlib import Path

from assistant.page.words import texts, words

STATIC = Path(__file__).parents[3] / "assistant" / "page" / "static"
INDEX = (STATIC / "index.html").read_text(encoding="utf-8")
ALL = "\n".join([*(path.read_text(encoding="utf-8") for path in sorted(STATIC.rglob("*.js"))), INDEX])

KEYS = {
    *re.findall(r"\b(?:ctx|texts)\.t\(\s*\"([\w.-]+)\"", ALL),
    *re.findall(r"data-t(?:-label)?=\"([\w.-]+)\"", INDEX),
}
COUNTED = set(re.findall(r"\b(?:ctx|texts)\.tn\(\s*\"([\w.-]+)\"", ALL))
PREFIXES = set(re.findall(r"`([\w-]+(?:\.[\w-]+)*\.)\$\{", ALL))
LITERALS = set(re.findall(r"[\"'`]([a-z][\w-]*(?:\.[\w-]+)+)[\"'`]", ALL))


def test_the_scripts_ask_for_words_that_exist() -> None:
    known = words()
    assert len(KEYS) > 40
    assert sorted(key for key in KEYS if key not in known) == []
    assert sorted(key for key in COUNTED if not {f"{key}.one", f"{key}.many"} <= set(known)) == []


def test_every_word_is_asked_for() -> None:
    def asked(key: str) -> bool:
        stem = re.sub(r"\.(one|many)$", "", key)
        return key in LITERALS or stem in LITERALS or any(key.startswith(prefix) for prefix in PREFIXES)

    unused = sorted(key for key in words() if not asked(key))
    assert unused == [], unused


def test_a_counted_word_has_both_forms() -> None:
    known = set(words())
    assert [key for key in known if key.endswith(".many") and f"{key.removesuffix('.many')}.one" not in known] == []


def test_both_languages_have_the_same_fields() -> None:
    def fields(text: str) -> list[str]:
        return sorted(re.findall(r"\{(\w+)\}", text))

    english = texts("en")
    assert [key for key, text in texts("fr").items() if fields(text) != fields(english[key])] == []
