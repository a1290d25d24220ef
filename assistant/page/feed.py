"""The feed: between the referee's thread, in which alone the game may be looked at, and a server's.

One way goes the newest state, encoded once however many watch; a watcher who is slow misses states and never holds
anybody up. The other way come taps, checked for their form here and followed in the referee's thread.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assistant.i18n import N_, Both, _, both, describe
from assistant.orders import Tapped
from assistant.page.taps import BadTap, tap_of

MOST_ANSWERS = 2000
"""Answers that are remembered, for taps that are sent again after a lost connection."""
MOST_WAITING = 200
"""Taps that wait for the referee; more is no person's work."""


@dataclass(frozen=True, slots=True)
class State:
    """How the game stands: a message as JSON, and its number."""

    rev: int
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a tap.

    Attributes:
        id: the tap's, as its sender gave it.
        ok: whether it was followed.
        code: why not, empty where it was: ``bad-tap``, ``changed``, ``busy``, ``broken``, ``ended``, or the code of a
            refusal.
        said: the same as a sentence, None where there is nothing to say.
        fields: what else was asked for (``cards`` of ``neighbours``).
    """

    id: str
    ok: bool
    code: str = ""
    said: Both | None = None
    fields: Mapping[str, object] = field(default_factory=dict)

    def row(self) -> dict[str, object]:
        """The message that the sender gets."""
        row: dict[str, object] = {"type": "answer", "id": self.id, "ok": self.ok, "code": self.code or None}
        return row | {"text": self.said, **self.fields}

    @property
    def text(self) -> str:
        """The same as JSON."""
        return json.dumps(self.row(), ensure_ascii=False, separators=(",", ":"))


Told = Callable[[Answer], None]
"""Who is told what came of a tap; called from any thread."""


class Feed:
    """See the module. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._state = State(0, '{"type":"state","rev":0}')
        self._wakes: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._waiting: deque[Tapped] = deque()
        self._deliver: Callable[[Tapped], None] | None = None
        self._answered: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._open: dict[tuple[str, str], list[Told]] = {}
        self._ended = False
        self._record: Callable[[], tuple[str, Path | None]] | None = None

    # -- for the server ----------------------------------------------------------------------------------------------

    def state(self) -> State:
        """The newest state."""
        return self._state

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Have ``wake`` called, from any thread, whenever the state has changed.

        Returns:
            Stops that.
        """
        with self._lock:
            self._wakes = [*self._wakes, wake]

        def stop() -> None:
            with self._lock:
                self._wakes = [other for other in self._wakes if other is not wake]

        return stop

    def record(self) -> str | None:
        """The record of the running game as it is so far; None before there is a game."""
        return None if self._record is None else self._record()[0]

    def path(self) -> Path | None:
        """Its file; None where none is written."""
        return None if self._record is None else self._record()[1]

    def tap(self, message: Mapping[str, object], who: str, answer: Told) -> None:
        """Somebody has tapped.

        Args:
            message: as it came from the network.
            who: the sender, the same after a lost connection.
            answer: is told what came of it, at once or later; once a call, and the same where one tap comes again.
        """
        try:
            tap = tap_of(message)
        except BadTap as bad:
            name, text = message.get("id"), _in_both(bad)
            return answer(Answer(name if isinstance(name, str) else "", False, bad.code, text))
        key = (who, tap.id)
        with self._lock:
            known = self._answered.get(key)
            if known is None and key in self._open:
                self._open[key].append(answer)
                return None
            refused = "ended" if self._ended else "busy" if len(self._open) >= MOST_WAITING else ""
            if known is None and not refused:
                self._open[key] = [answer]
        if known is not None or refused:
            return answer(known or _refused(tap.id, refused))
        tapped = Tapped(
            0.0,
            0.0,
            "page",
            tap,
            who,
            lambda came: self._answer(key, came),
            lambda code: self._answer(key, _refused(tap.id, code), keep=False),
        )
        with self._lock:
            deliver = self._deliver
            if deliver is None:
                self._waiting.append(tapped)
        if deliver is not None:
            deliver(tapped)
        return None

    def _answer(self, key: tuple[str, str], answer: Answer, *, keep: bool = True) -> None:
        """Tell all who sent this tap what came of it; what was not tried may be sent again (not ``keep``)."""
        with self._lock:
            tellers = self._open.pop(key, [])
            if keep:
                self._answered[key] = answer
            while len(self._answered) > MOST_ANSWERS:
                self._answered.popitem(last=False)
        for tell in tellers:
            tell(answer)

    # -- for the referee ---------------------------------------------------------------------------------------------

    def publish(self, message: Mapping[str, object]) -> State:
        """Give out a new state; ``rev`` is put in."""
        with self._lock:
            rev = self._state.rev + 1
            text = json.dumps({**message, "rev": rev}, ensure_ascii=False, separators=(",", ":"))
            self._state = state = State(rev, text)
            wakes = self._wakes
        for wake in wakes:
            wake()
        return state

    def record_is(self, record: Callable[[], tuple[str, Path | None]]) -> None:
        """Where the record of the running game is: its text and its file; called from any thread."""
        self._record = record

    def deliver_to(self, deliver: Callable[[Tapped], None] | None) -> None:
        """Hand taps to this from now on, in the thread that brings them; None: keep them for ``taken``."""
        with self._lock:
            self._deliver = deliver
        if deliver is not None:
            for tapped in self.taken():
                deliver(tapped)

    def taken(self) -> list[Tapped]:
        """The taps that wait."""
        taken = []
        while self._waiting:
            taken.append(self._waiting.popleft())
        return taken

    def end(self) -> None:
        """The table is closed: nothing is followed any more, and who waits for an answer is told so."""
        with self._lock:
            self._ended = True
            waiting = list(self._open)
        self._waiting.clear()
        for key in waiting:
            self._answer(key, _refused(key[1], "ended"), keep=False)


REFUSED = {
    "busy": N_("Trop de corrections à la fois : réessayez dans un instant."),
    "ended": N_("La table est fermée."),
}


def _refused(name: str, code: str) -> Answer:
    return Answer(name, False, code, both(lambda: _(REFUSED[code])))


def _in_both(problem: BadTap) -> Both:
    return both(lambda: describe(problem))
