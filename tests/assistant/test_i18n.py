"""Every sentence that a user can see has its English, with the same fields, and the catalogue is compiled."""

from __future__ import annotations

import gettext
import threading
from io import BytesIO
from typing import IO

import pytest

from assistant.catalogue import MO, PO, fields, sentences, untranslated
from assistant.i18n import _, both, in_language, language, ngettext, set_language

SENTENCES = sentences()


def test_every_marked_sentence_has_its_english() -> None:
    assert [f"{s.file}:{s.line}: {s.text}" for s in untranslated()] == []


def test_the_sources_have_sentences_of_all_floors() -> None:
    assert {s.file.split("/")[0] for s in SENTENCES} >= {"engine", "vision", "audio", "assistant"}


def test_the_english_has_the_same_fields() -> None:
    with MO.open("rb") as file:
        english = gettext.GNUTranslations(file)
    for s in SENTENCES:
        if s.plural is None:
            assert fields(english.gettext(s.text)) == fields(s.text), s
        else:
            assert fields(english.ngettext(s.text, s.plural, 2)) == fields(s.plural), s


def test_the_compiled_catalogue_is_that_of_the_po_file() -> None:
    mofile = pytest.importorskip("babel.messages.mofile")
    pofile = pytest.importorskip("babel.messages.pofile")
    compiled = BytesIO()
    with PO.open("rb") as file:
        mofile.write_mo(compiled, pofile.read_po(file, locale="en"))
    compiled.seek(0)
    with MO.open("rb") as file:
        assert _messages(compiled) == _messages(file)  # the headers name the version of Babel


def _messages(file: IO[bytes]) -> dict[object, str]:
    known: dict[object, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined,arg-type]
    return {key: text for key, text in known.items() if key}


@pytest.mark.parametrize(
    ("n", "french", "english"), [(0, "0 long", "0 longs"), (1, "1 long", "1 long"), (2, "2 longs", "2 longs")]
)
def test_plural_forms(n: int, french: str, english: str) -> None:
    assert ngettext("{n} long", "{n} longs", n).format(n=n) == french
    set_language("en")
    try:
        assert ngettext("{n} long", "{n} longs", n).format(n=n) == english
    finally:
        set_language("fr")


def test_a_thread_speaks_its_own_language() -> None:
    """The page answers in English while the referee, in another thread, speaks French."""
    inside, told = threading.Event(), threading.Event()
    elsewhere: list[str] = []

    def referee() -> None:
        inside.wait(10)
        elsewhere.append(_("Pli pourri."))
        told.set()

    thread = threading.Thread(target=referee)
    thread.start()
    with in_language("en"):
        inside.set()
        assert told.wait(10)
        assert (_("Pli pourri."), language()) == ("Rotten trick.", "en")
        assert ngettext("{n} long", "{n} longs", 0) == "{n} longs"
    thread.join()
    assert elsewhere == ["Pli pourri."]
    assert language() == "fr"
    assert both(lambda: _("Pli pourri.")) == {"fr": "Pli pourri.", "en": "Rotten trick."}
