"""What was heard lately, and what became of it: counted, asked back, followed, or not believed.

The last observations are kept as they are, in memory alone; sentences are made only while somebody looks.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from assistant.acts import Act, Action, Notice, Question
from assistant.announcer import Announcer
from assistant.i18n import N_, Both, _, both
from audio.events import Knock, Phrase

KEPT = 12
"""Things heard that are kept."""
SETTLED = 4.0
"""Seconds after which what came to nothing is taken for not believed: the interpreter waits for what a hand does, and
for a word that is heard better."""
SAME = 1e-6

Fate = Literal["waiting", "counted", "refused", "asked", "told", "nothing"]


@dataclass(slots=True)
class Heard:
    """One thing heard.

    Attributes:
        n: its number.
        seen: what the ears reported, on the session's clock.
        acts: what came of it.
    """

    n: int
    seen: Knock | Phrase
    acts: list[Act] = field(default_factory=list)

    def fate(self, clock: float) -> Fate:
        """What became of it, seen from ``clock``."""
        kinds = {type(act) for act in self.acts}
        if Action in kinds:
            taken = any(isinstance(act, Action) and act.refused is None for act in self.acts)
            return "counted" if taken else "refused"
        if Question in kinds:
            return "asked"
        if Notice in kinds:
            return "told"
        return "waiting" if clock - self.seen.decided < SETTLED else "nothing"


class LatelyHeard:
    """The last things heard. Used by the referee's thread alone."""

    def __init__(self) -> None:
        self._items: deque[Heard] = deque(maxlen=KEPT)
        self._count = 0

    def __len__(self) -> int:
        return len(self._items)

    def observed(self, seen: Knock | Phrase) -> None:
        """The ears report something."""
        self._count += 1
        self._items.append(Heard(self._count, seen))

    def acted(self, act: Act) -> None:
        """Something happened; what happened at the time of something heard came of it. That a fist was heard is no
        more than that."""
        if isinstance(act, Notice) and act.kind == "heard":
            return
        if isinstance(act, Action) and act.event.verb in ("deal", "undo"):
            return
        for item in self._items:
            if abs(item.seen.t - act.t) < SAME:
                item.acts.append(act)

    def rows(self, clock: float, announcer: Announcer) -> list[dict[str, object]]:
        """For the page, the newest first."""
        return [_row(item, clock, announcer) for item in reversed(self._items)]

    def state(self, clock: float) -> tuple[object, ...]:
        """Changes when the rows do."""
        return tuple((item.n, len(item.acts), item.fate(clock)) for item in self._items)


def _row(item: Heard, clock: float, announcer: Announcer) -> dict[str, object]:
    seen = item.seen
    row: dict[str, object] = {
        "n": item.n,
        "t": round(seen.t, 2),
        "p": round(seen.confidence, 2),
        "fate": item.fate(clock),
        "came": _came(item, announcer),
    }
    if isinstance(seen, Knock):
        return row | {"kind": "knock", "hit": seen.hit}
    return row | {
        "kind": "phrase",
        "words": seen.text,
        "doubtful": seen.doubtful,
        "rival": seen.rival,
        "speaker": seen.speaker_name,
    }


def _came(item: Heard, announcer: Announcer) -> Both | None:
    """What it was taken for, in a sentence; None where for nothing."""
    for act in item.acts:
        match act:
            case Action(refused=None):
                return both(lambda act=act: announcer.sentence(act.event))  # type: ignore[misc]
            case Action():
                return both(lambda act=act: announcer.infraction(act))  # type: ignore[misc]
            case Question():
                return both(lambda act=act: announcer.question(act))  # type: ignore[misc]
            case Notice():
                return both(lambda: _(N_("Un mot pour l'arbitre")))
    return None
