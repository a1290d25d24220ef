"""What stands in for the table behind the page."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class FakeState:
    rev: int
    text: str


@dataclass(frozen=True)
class FakeAnswer:
    message: dict[str, object]

    def row(self) -> dict[str, object]:
        return self.message


@dataclass
class FakeFeed:
    """A feed whose states a test sets, and that answers every tap at once."""

    taps: list[tuple[dict[str, object], str]] = field(default_factory=list)
    tapped: threading.Event = field(default_factory=threading.Event)
    _rev: int = 1
    _wakes: list[Callable[[], None]] = field(default_factory=list)

    def state(self) -> FakeState:
        return FakeState(self._rev, json.dumps({"type": "state", "rev": self._rev}))

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        self._wakes.append(wake)
        return lambda: self._wakes.remove(wake)

    def tap(self, message: Mapping[str, object], who: str, answer: Callable[[Any], None]) -> None:
        self.taps.append((dict(message), who))
        self.tapped.set()
        answer(FakeAnswer({"type": "answer", "id": message["id"], "ok": True}))

    def change(self) -> None:
        """Another state."""
        self._rev += 1
        for wake in list(self._wakes):
            wake()

    @property
    def listeners(self) -> int:
        return len(self._wakes)
