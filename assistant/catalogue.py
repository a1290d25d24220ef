"""The catalogue of sentences: found in the sources, kept in ``locale/en/LC_MESSAGES/trut.po``, compiled to
``trut.mo``.

    python -m assistant.catalogue            update the .po with new sentences and compile it
    python -m assistant.catalogue --check    say what has no English, exit 1 if anything

A sentence is marked by ``_()``, ``N_()`` or ``ngettext()``, or is the first argument of a ``Caution`` or an error
(``TrutError`` and its kinds), whose template is French in all floors. Needs Babel (extra ``test``).
"""

from __future__ import annotations

import ast
import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("engine", "vision", "audio", "calibration", "assistant")
PO = Path(__file__).with_name("locale") / "en" / "LC_MESSAGES" / "trut.po"
MO = PO.with_suffix(".mo")
STAMP = datetime(2026, 1, 1, tzinfo=UTC)
"""One date for all catalogues, so that the same sentences make the same files."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A French sentence in the sources; ``plural`` where it depends on a number."""

    text: str
    plural: str | None
    file: str
    line: int


def sentences(root: Path = ROOT) -> list[Sentence]:
    """All marked sentences of the project, each once, in the order of files and lines."""
    trees = {
        file: ast.parse(file.read_text(encoding="utf-8"))
        for floor in FLOORS
        for file in sorted((root / floor).rglob("*.py"))
    }
    errors = _error_names(trees.values())
    found: dict[str, Sentence] = {}
    for file, tree in trees.items():
        for sentence in _of_tree(tree, file.relative_to(root).as_posix(), errors):
            old = found.get(sentence.text)
            if old is None or (old.plural is None and sentence.plural is not None):
                found[sentence.text] = sentence
    return list(found.values())


def fields(text: str) -> set[str]:
    """The named fields of a template: ``{name}`` → ``name``."""
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in string.Formatter().parse(text) if name}


def _error_names(trees: object) -> set[str]:
    """Names of all classes that descend from ``TrutError``, whatever module they are in."""
    bases: dict[str, set[str]] = {}
    for tree in trees:  # type: ignore[attr-defined]
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(b.id for b in node.bases if isinstance(b, ast.Name))
    names = {"TrutError"}
    while True:
        more = {name for name, of in bases.items() if of & names} - names
        if not more:
            return names
        names |= more


def _of_tree(tree: ast.Module, file: str, errors: set[str]) -> Iterator[Sentence]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in {"_", "N_", "ngettext", "Caution"} | errors:
            continue
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if name == "ngettext" and len(texts) == 2:
            yield Sentence(texts[0], texts[1], file, node.lineno)
        elif name != "ngettext" and texts and node.args[0].__class__ is ast.Constant:
            yield Sentence(texts[0], None, file, node.lineno)


def update() -> int:
    """Write the .po with all sentences of the sources, compile it; the number without English."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po, write_po

    old = Catalog(locale="en")
    if PO.exists():
        with PO.open("rb") as file:
            old = read_po(file, locale="en")
    new = Catalog(locale="en", project="trut", fuzzy=False, charset="utf-8", creation_date=STAMP, revision_date=STAMP)
    new.header_comment = "# English sentences of Trut. Same licence as the project."
    new.msgid_bugs_address, new.version, new.last_translator, new.language_team = "", "1", "", ""
    missing = 0
    for sentence in sentences():
        key = sentence.text if sentence.plural is None else (sentence.text, sentence.plural)
        known = old.get(sentence.text)
        string_ = known.string if known is not None else ""
        if sentence.plural is not None and not isinstance(string_, tuple):
            string_ = ("", "")
        if sentence.plural is None and isinstance(string_, tuple):
            string_ = string_[0]
        missing += not all(string_) if isinstance(string_, tuple) else not string_
        new.add(key, string_, locations=[(sentence.file, None)])  # type: ignore[list-item]
    PO.parent.mkdir(parents=True, exist_ok=True)
    with PO.open("wb") as target:
        write_po(target, new, width=100, sort_output=True)
    with PO.open("rb") as source, MO.open("wb") as target:
        write_mo(target, read_po(source, locale="en"))
    return missing


def untranslated() -> list[Sentence]:
    """Sentences of the sources that the compiled catalogue does not know in English."""
    import gettext

    with MO.open("rb") as file:
        known: dict[object, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return [
        s
        for s in sentences()
        if not (known.get(s.text) if s.plural is None else known.get((s.text, 0)) and known.get((s.text, 1)))
    ]


def main() -> int:
    """See the module."""
    if "--check" not in sys.argv[1:]:
        update()
    left = untranslated()
    for sentence in left:
        sys.stdout.write(f"{sentence.file}:{sentence.line}: {sentence.text}\n")
    return 1 if left else 0


if __name__ == "__main__":
    raise SystemExit(main())
