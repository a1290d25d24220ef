"""Keyboard: the lines that a person types beside the table.

It works beside camera and microphone, stands in for one that is not there, and without both makes the assistant a
score pad. What a line says: ``assistant.keylines``; ``?`` lists all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.keylines import BY
from assistant.orders import Typed


def typed(lines: Iterable[str]) -> Iterator[Typed]:
    """Each line that says something, until the lines end; the time is that at which it is followed."""
    for line in lines:
        if line.strip():
            yield Typed(0.0, 0.0, BY, line)
