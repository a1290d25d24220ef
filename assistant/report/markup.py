"""HTML by construction: whatever is not ``Safe`` is escaped where it is put into an element."""

from __future__ import annotations

from html import escape
from typing import Final

from assistant.i18n import language, on_one_line, typeset

_VOID: Final = frozenset({"meta", "br", "hr", "use", "path", "circle", "rect", "line"})
MOST: Final = 2000
"""Letters of the longest text that is shown; a word of a record can be as long as its file."""


class Safe(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(words: str) -> Safe:
    """Words as they stand in HTML, without control characters, set as their language is.

    >>> text("<script>"), text("Zo\\x00é")
    ('&lt;script&gt;', 'Zo\N{REPLACEMENT CHARACTER}é')
    """
    words = words if len(words) <= MOST else f"{words[:MOST]}…"
    return Safe(escape(typeset(on_one_line(words), language()), quote=True))


def tag(name: str, /, *children: str, **attributes: str | None) -> Safe:
    """An element. Attributes whose value is None are left out; ``class_`` and ``aria_label`` stand for ``class`` and
    ``aria-label``.

    >>> tag("p", "a < b", tag("br"), class_="x")
    '<p class="x">a &lt; b<br></p>'
    """
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Safe(f"<{name}{words}>" if name in ("meta", "br", "hr") else f"<{name}{words}/>")
    return Safe(f"<{name}{words}>{join(*children)}</{name}>")


def join(*children: str) -> Safe:
    """Children one behind the other."""
    return Safe("".join(child if isinstance(child, Safe) else text(child) for child in children))
